# shellcheck shell=sh disable=SC2034,SC2154 # read by, and set in, lab/inside/lsm-setup
# SPDX-License-Identifier: GPL-2.0-only
# A user namespace, as containers may have one (contain.c). The directory to work in belongs to its root, who is another
# user outside; the directory that is denied belongs to root.

user=100000 other=0

load() {
	[ "$mode" = on ] || fail "it has no other mode than on" || return
	[ -x "$contain" ] || fail "contain could not be built on the host (lab/shell/lsm-tools seccomp)" || return
	chown "$user:$user" "$dir" && chown "$other:$other" "$denied" && chmod 755 "$denied"
}

access() { echo "lmbench-hook, root of a user namespace, makes and looks at files in $1"; }

says() { echo "a user namespace whose root is user $user outside"; }
