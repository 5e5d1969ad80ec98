# shellcheck shell=sh disable=SC2034,SC2154 # read by, and set in, lab/inside/lsm-setup
# SPDX-License-Identifier: GPL-2.0-only
# TOMOYO with the policy of tomoyo.sh, but one rule of each kind for all paths of the benchmark. TOMOYO searches its
# list from the head, so the two tell the module from the length of its list.

# shellcheck source=/dev/null
. "$policy/tomoyo.sh"

# Patterns of all paths below the benchmark's own directory; those of directories end with a slash.
changed() {
	work=$dir/lmbench-hook.\\\$
	for path in '' '\*' '\*/' '\{\*\}/\*' '\{\*\}/'; do
		printf "%s\n" "path_group WORK $work/$path"
	done | sed "s|//|/|" | cat >"$security/tomoyo/exception_policy"
	sed "s|$dir/lmbench-hook\.[^ ]*|@WORK|g" | awk '!seen[$0]++'
}
