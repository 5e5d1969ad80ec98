# shellcheck shell=sh disable=SC2034,SC2154 # read by, and set in, lab/inside/lsm-setup
# SPDX-License-Identifier: GPL-2.0-only
# A filter of system calls, as containers have one (contain.c). It is not a module: nothing is loaded.

load() {
	[ "$mode" = on ] || fail "it has no other mode than on" || return
	[ -x "$contain" ] || fail "contain could not be built on the host (lab/shell/lsm-tools seccomp)"
}

control() { env unshare -m true 2>&1; }
denied() { confined seccomp unshare -m true 2>&1; }

access() {
	case $1 in
	"$denied") echo "unshare asks for another namespace of mounts" ;;
	*) echo "lmbench-hook works in $1, behind the filter" ;;
	esac
}

says() { echo "a filter that refuses calls over the whole machine (userspace/policy/contain.c)"; }
