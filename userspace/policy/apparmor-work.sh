# shellcheck shell=sh disable=SC2034,SC2154 # read by, and set in, lab/inside/lsm-setup
# SPDX-License-Identifier: GPL-2.0-only
# AppArmor with a profile for lab/inside/work, apparmor-work.in, which no program enters by itself.

# shellcheck source=/dev/null
. "$policy/apparmor.sh"

profile=$policy/apparmor-work.in

says() {
	case $mode in on) how=enforcing ;; *) how=complaining ;; esac
	echo "own profile of the work (userspace/policy/apparmor-work.in), $how"
}
