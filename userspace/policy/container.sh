# shellcheck shell=sh disable=SC2034,SC2154 # read by, and set in, lab/inside/lsm-setup
# SPDX-License-Identifier: GPL-2.0-only
# AppArmor as on a host of containers: all of Debian's profiles, and one for what is in a container (container.in), which is
# entered only on request.

# shellcheck source=/dev/null
. "$policy/apparmor-debian.sh"

profile=$policy/container.in
setting=/proc/sys/kernel/printk_ratelimit

more_rules() { :; }

load() {
	[ "$mode" = on ] || fail "it has no other mode than on" || return
	[ -r "$compiled" ] || fail "it could not be downloaded or compiled on the host (lab/shell/lsm-tools)" || return
	load_own && parser --binary "$compiled"
}

# set_as PROGRAM...: change a setting of the kernel, to what it is.
set_as() { "$@" sh -c "value=\$(cat $setting) && echo \$value >$setting" 2>&1; }
control() { set_as env; }
denied() { set_as confined container; }

access() {
	case $1 in
	"$denied") echo "a shell in the container's profile writes $setting" ;;
	*) echo "lmbench-hook works in $1, in that profile" ;;
	esac
}

says() { echo "Debian's profiles, and own profile of a container (userspace/policy/container.in), enforcing"; }
