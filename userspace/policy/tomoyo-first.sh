# shellcheck shell=sh disable=SC2034,SC2154 # read by, and set in, lab/inside/lsm-setup
# SPDX-License-Identifier: GPL-2.0-only
# TOMOYO with the rules of tomoyo.sh in another order. First are those that the plain sub-benchmarks and the walk need,
# then those of the trees in which others work. tomoyo-last.sh has the same the other way around, so the two differ in the
# number of rules that are compared before the one that matches, and in nothing else.

# shellcheck source=/dev/null
. "$policy/tomoyo.sh"

OTHERS='/tree/[^ df]'

needed() { grep "^file" /tmp/tomoyo.all | grep -v "$OTHERS"; }
others() { grep "$OTHERS" /tmp/tomoyo.all; }
ordered() { needed; others; }

changed() {
	cat >/tmp/tomoyo.all
	printf '%s\n' "<kernel> $program" "use_profile 1"
	ordered
}

says() {
	case $mode in on) how=enforcing ;; *) how=permissive ;; esac
	echo "domain policy learned from the benchmark, $(needed | wc -l) rules that it needs and $(others | wc -l) others, $how"
}
