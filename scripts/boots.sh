# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# For scripts that boot guests which count instructions, one boot for each state, with what inside/NAME prints.

# guest_script NAME...: with SAMPLES, LOOP and ROUNDS.
guest_script() {
	local name
	echo "samples=$SAMPLES loop=$LOOP rounds=$ROUNDS"
	for name in counts "$@"; do cat "$REPO/scripts/inside/$name"; done
}

# A line on a terminal, which the next one replaces.
progress() {
	if [ -t 2 ]; then printf '\r\033[K%s' "$*" >&2; fi
}

# split DIR: write what follows a line "==> NAME" to DIR/NAME.
split() {
	local line out=/dev/null
	while IFS= read -r line; do
		case $line in
		"==> "*)
			out=$1/${line#==> }
			mkdir -p "$(dirname "$out")"
			;;
		*) printf '%s\n' "$line" >>"$out" ;;
		esac
	done
}
