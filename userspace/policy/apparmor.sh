# shellcheck shell=sh disable=SC2034,SC2154 # read by, and set in, lab/inside/lsm-setup
# SPDX-License-Identifier: GPL-2.0-only
# AppArmor with a profile of our own, apparmor.in. Denials are not logged.

profile=$policy/apparmor.in
# Where the parser looks for what a profile includes. Ours includes nothing, and has nothing before it.
base=/etc/apparmor.d
preamble() { :; }

parser() { apparmor_parser --config-file=/dev/null "--base=$base" --skip-cache --replace "$@"; }

more_rules() {
	[ "$rules" = 0 ] || seq "$rules" | sed "s|.*|  $dir.rules/& rw,|"
}

# parse FLAGS
parse() {
	more_rules >/tmp/apparmor.rules
	{
		preamble
		fill_in "$profile" | sed -e '/^profile/r /tmp/apparmor.rules' -e "/^profile/s|{|$1 {|"
	} >/tmp/apparmor.profile
	parser /tmp/apparmor.profile
}

load_own() {
	command -v apparmor_parser >/dev/null || fail "no apparmor_parser, so no profile" || return
	[ -d "$security/apparmor" ] || fail "not active in this kernel" || return
	printf quiet_denied >/sys/module/apparmor/parameters/audit || return
	parse ""
}

load() { load_own; }

relax() { parse "flags=(complain)"; }

says() {
	case $mode in on) how=enforcing ;; *) how=complaining ;; esac
	echo "own profile of the benchmark (userspace/policy/apparmor.in), $how$(with_rules)"
}
