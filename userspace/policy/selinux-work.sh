# shellcheck shell=sh disable=SC2034,SC2154 # read by, and set in, lab/inside/lsm-setup
# SPDX-License-Identifier: GPL-2.0-only
# SELinux with the policy of selinux.sh and what lab/inside/work needs besides, selinux-work.conf.

# shellcheck source=/dev/null
. "$policy/selinux.sh"

compiled=$repo/build/policy/selinux-work.policy

says() {
	case $mode in on) how=enforcing ;; *) how=permissive ;; esac
	echo "own policy (userspace/policy/selinux.conf and selinux-work.conf), $how"
}
