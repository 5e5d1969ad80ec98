# shellcheck shell=sh disable=SC2034,SC2154 # read by, and set in, lab/inside/lsm-setup
# SPDX-License-Identifier: GPL-2.0-only
# The model of LIDS with three rules, as its users wrote them: a directory is read-only for all, the benchmark and what it
# starts may write there; a second one is denied to all.

load() {
	[ -e "$security/lids/rules" ] || fail "not active in this kernel" || return
	relax || return
	for rule in "READONLY $dir" "WRITE $dir $program -1" "DENY $denied"; do
		printf %s "$rule" >"$security/lids/rules" || return
	done
}

# Removes all rules; without one, it does nothing.
relax() { echo >"$security/lids/rules"; }

says() {
	case $mode in
	on) echo "a directory that only the benchmark writes to, and one that is denied to all" ;;
	off) echo "no rules" ;;
	esac
}
