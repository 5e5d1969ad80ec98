# shellcheck shell=sh disable=SC2034,SC2154 # read by, and set in, lab/inside/lsm-setup
# SPDX-License-Identifier: GPL-2.0-only
# SELinux with Debian's selinux-policy-default and a small addition (selinux-debian.te): the benchmark runs as a
# confined user, user_t, in a directory of temporary files. The file that it must not touch is labelled like
# /etc/shadow. A user's domain is entered through a shell and runs programs labelled as such.

compiled=$repo/build/policy/selinux-debian.policy

as_object() { label selinux "system_u:object_r:$1:s0" "$2"; }

programs() {
	mkdir -p "$bin" || return
	busybox=/bin/busybox
	[ -x $busybox ] || busybox=/usr/bin/busybox
	cp $busybox "$bin/sh" && cp "$program" "$bin/" || return
	for path in "$dir.setup" "$bin" "$bin/lmbench-hook"; do
		as_object bin_t "$path" || return
	done
	as_object shell_exec_t "$bin/sh"
}

# The kernel takes a policy in a single write.
load_debian() {
	mounted selinuxfs /sys/fs/selinux || return
	[ -r "$compiled" ] || fail "it could not be downloaded or built on the host (lab/shell/lsm-tools)" || return
	dd "if=$compiled" of=/sys/fs/selinux/load bs=64M 2>/dev/null || return
	programs || return
	as_object user_tmp_t "$dir" && as_object shadow_t "$denied" || return
	echo 1 >/sys/fs/selinux/enforce
}

load() { load_debian; }

relax() { echo 0 >/sys/fs/selinux/enforce; }

says() {
	case $mode in on) how=enforcing ;; *) how=permissive ;; esac
	echo "Debian's selinux-policy-default, the benchmark is user_t, $how"
}
