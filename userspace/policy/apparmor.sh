# shellcheck shell=sh disable=SC2034,SC2154 # read by, and set in, scripts/inside/lsm-setup
# SPDX-License-Identifier: GPL-2.0-only
# AppArmor with a profile of our own, apparmor.in. Denials are not logged.

more_rules() {
	[ "$rules" = 0 ] || seq "$rules" | sed "s|.*|  $dir.rules/& rw,|"
}

# parse FLAGS
parse() {
	{
		fill_in "$policy/apparmor.in" | sed -n "/^profile/s|{|$1 {|p"
		more_rules
		fill_in "$policy/apparmor.in" | sed "/^profile/d"
	} >/tmp/apparmor.profile
	apparmor_parser --config-file=/dev/null --skip-cache --replace /tmp/apparmor.profile
}

load() {
	command -v apparmor_parser >/dev/null || fail "no apparmor_parser, so no profile" || return
	[ -d "$security/apparmor" ] || fail "not active in this kernel" || return
	printf quiet_denied >/sys/module/apparmor/parameters/audit || return
	parse ""
}

relax() { parse "flags=(complain)"; }

says() {
	case $mode in on) how=enforcing ;; *) how=complaining ;; esac
	echo "own profile of the benchmark (userspace/policy/apparmor.in), $how$(with_rules)"
}
