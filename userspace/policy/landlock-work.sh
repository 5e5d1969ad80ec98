# shellcheck shell=sh disable=SC2034,SC2154 # read by, and set in, lab/inside/lsm-setup
# SPDX-License-Identifier: GPL-2.0-only
# Landlock for lab/inside/work: it may read and execute all files, and write only beneath one directory. Off: no
# ruleset.

# shellcheck source=/dev/null
. "$policy/landlock.sh"

says() {
	case $mode in
	on) echo "a ruleset of three rules: read and execute everything, write beneath one directory and to /dev/null" ;;
	off) echo "no ruleset" ;;
	esac
}
