# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# For what RUNNER=host does: it measures this machine as it is booted.

# refuse_settings NAME...: variables that mean something only where we boot
refuse_settings() {
	local name
	for name; do
		[ -z "${!name:-}" ] || refuse "$name='${!name}' is not accepted with RUNNER='host': it measures this" \
			"machine as it is booted"
	done
}

# check_numbers NAME...: variables, where they are set
check_numbers() {
	local name
	for name; do
		[[ ${!name:-5} =~ ^[1-9][0-9]{0,5}$ ]] ||
			refuse "$name='${!name}' is not accepted; a number from 1 to 999999"
	done
}

# What disturbs times here, of `lsmpmon status --json` on stdin.
disturbances() {
	python3 -c 'import json, sys; print(*json.load(sys.stdin)["notes"], sep="\n")'
}
