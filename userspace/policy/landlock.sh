# shellcheck shell=sh disable=SC2034,SC2154 # read by, and set in, lab/inside/lsm-setup
# SPDX-License-Identifier: GPL-2.0-only
# Landlock: the benchmark restricts itself with a ruleset. Off: no ruleset.

load() {
	case ,$(cat "$security/lsm"), in *,landlock,*) ;; *) fail "not active in this kernel" ;; esac
}

says() {
	case $mode in
	on) echo "the benchmark is in a ruleset of one rule$(with_rules)" ;;
	off) echo "the benchmark is in no ruleset" ;;
	esac
}
