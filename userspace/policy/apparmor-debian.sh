# shellcheck shell=sh disable=SC2034,SC2154 # read by, and set in, lab/inside/lsm-setup
# SPDX-License-Identifier: GPL-2.0-only
# AppArmor with all profiles that Debian's apparmor and apparmor-profiles install, and our own of the benchmark,
# apparmor.in, which includes as many files of Debian's as that of a mail server. None of them is about files in /tmp.

# shellcheck source=/dev/null
. "$policy/apparmor.sh"

base=$repo/build/policy/apparmor-debian
compiled=$base.profiles

preamble() { echo "include <tunables/global>"; }

more_rules() {
	for name in base nameservice authentication openssl ssl_certs mysql python perl; do
		echo "  include <abstractions/$name>"
	done
}

load() {
	[ -r "$compiled" ] || fail "it could not be downloaded or compiled on the host (lab/shell/lsm-tools)" || return
	load_own && parser --binary "$compiled"
}

says() {
	case $mode in on) how=enforcing ;; *) how=complaining ;; esac
	echo "Debian's profiles, and own profile of the benchmark (userspace/policy/apparmor.in) with files of theirs, $how"
}
