# shellcheck shell=sh disable=SC2034,SC2154 # read by, and set in, lab/inside/lsm-setup
# SPDX-License-Identifier: GPL-2.0-only
# A user namespace, as containers may have one (contain.c). Its root is another user outside, to whom the directory to work
# in belongs; the other one belongs to root.

load() {
	[ "$mode" = on ] || fail "it has no other mode than on" || return
	[ -x "$contain" ] || fail "contain could not be built on the host (lab/shell/lsm-tools seccomp)" || return
	chown 100000:100000 "$dir"
}

access() { echo "lmbench-hook, root of a user namespace, makes and looks at files in $1"; }

says() { echo "a user namespace whose root is user 100000 outside"; }
