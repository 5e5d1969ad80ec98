# shellcheck shell=sh disable=SC2154 # of lab/inside/lsm-setup
# SPDX-License-Identifier: GPL-2.0-only
# Runs a program under the policies of modules.

# The mode and rules that a module was prepared with, if it was.
state() {
	if [ -r "$dir.setup/$1" ]; then cat "$dir.setup/$1"; else echo "on 0"; fi
}

# Written directly, since runcon refuses to work on a machine without an installed policy.
# shellcheck disable=SC2016 # the inner shell's
SET_LABEL='printf %s "$2" >"/proc/self/attr/$1" && shift 2 && exec "$@"'

landlock_options() {
	[ "${1%% *}" = on ] || return 0
	echo "--landlock=$dir"
	[ "${1#* }" = 0 ] || echo "--landlock-rules=${1#* }"
}

# confined MODULES PROGRAM [ARG...]
# shellcheck disable=SC2046 # up to two words
confined() {
	names=$1
	shift
	for name in $(echo "$names" | tr , ' '); do
		case $name in
		selinux | selinux-work) set -- sh -c "$SET_LABEL" sh exec base_u:base_r:bench_t "$@" ;;
		selinux-debian | selinux-misses)
			path=$bin/$(basename "$1")
			shift
			# shellcheck disable=SC2016 # the inner shell's
			set -- "$bin/sh" -c 'exec "$@"' sh "$path" "$@"
			set -- sh -c "$SET_LABEL" sh exec user_u:user_r:user_t:s0 "$@"
			;;
		smack) set -- sh -c "$SET_LABEL" sh current Bench "$@" ;;
		landlock) set -- "$@" $(landlock_options "$(state landlock)") ;;
		landlock-work) set -- "$program" exec "--landlock=$dir" "$@" ;;
		container) set -- sh -c "$SET_LABEL" sh apparmor/exec "exec container" "$@" ;;
		seccomp) set -- "$contain" --seccomp "$@" ;;
		userns) set -- "$contain" --userns=100000 "$@" ;;
		userns-root) set -- "$contain" --userns=0 "$@" ;;
		apparmor-work) set -- sh -c "$SET_LABEL" sh apparmor/exec "exec work" "$@" ;;
		esac
	done
	"$@"
}
