# shellcheck shell=sh disable=SC2034,SC2154 # read by, and set in, lab/inside/lsm-setup
# SPDX-License-Identifier: GPL-2.0-only
# AppArmor with the profiles of a host, as container.sh loads them, and the benchmark in none of them: so are most programs
# of a distribution with AppArmor. The proof is that another program is denied.

# shellcheck source=/dev/null
. "$policy/container.sh"

allowed() {
	read -r label </proc/self/attr/apparmor/current
	[ "$label" = unconfined ] || fail "the benchmark is not unconfined: $label" || return
	work_in apparmor-unconfined "$dir" 2>&1
}

access() {
	case $1 in
	"$denied") echo "a shell in the profile of a container writes $setting" ;;
	*) echo "lmbench-hook works in $1, in no profile" ;;
	esac
}

says() { echo "Debian's profiles, enforcing, and the benchmark in none of them"; }
