# shellcheck shell=sh disable=SC2034,SC2154 # read by, and set in, lab/inside/lsm-setup
# SPDX-License-Identifier: GPL-2.0-only
# SELinux with a policy of our own, selinux.conf.

compiled=$repo/build/policy/selinux.policy

# Permissions that the policy does not define are allowed, by an option of checkpolicy.
load() {
	mounted selinuxfs /sys/fs/selinux || return
	[ -r "$compiled" ] || fail "no checkpolicy on the host, so no policy" || return
	cat "$compiled" >/sys/fs/selinux/load || return
	label selinux base_u:object_r:work_t "$dir" || return
	label selinux base_u:object_r:secret_t "$denied" || return
	label selinux base_u:object_r:secret_t "$(only selinux)" || return
	echo 1 >/sys/fs/selinux/enforce
}

relax() { echo 0 >/sys/fs/selinux/enforce; }

says() {
	case $mode in on) how=enforcing ;; *) how=permissive ;; esac
	echo "own policy (userspace/policy/selinux.conf), $how"
}
