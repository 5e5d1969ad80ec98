# shellcheck shell=sh disable=SC2034,SC2154 # read by, and set in, lab/inside/lsm-setup
# SPDX-License-Identifier: GPL-2.0-only
# TOMOYO with a policy learned here: the benchmark runs once in learning mode, and what it did is allowed from
# then on. Numbers in its file names become patterns for any number.

# AppArmor allows this one, so a denial is TOMOYO's.
denied=$dir/tomoyo.denied

# profile MODE: written by the shell itself, which is a manager
profile() {
	printf '%s\n' "PROFILE_VERSION=20150505" \
		"0-COMMENT=everything else" "0-CONFIG={ mode=disabled grant_log=no reject_log=no }" \
		"1-COMMENT=the benchmark" "1-CONFIG::file={ mode=$1 grant_log=no reject_log=no }" \
		"1-PREFERENCE={ max_audit_log=0 max_learning_entry=100000 }" \
		>"$security/tomoyo/profile"
}

# Policy can be written freely until it counts as loaded. That is when the program that the kernel's
# command line calls TOMOYO_trigger= runs. After that, only managers write it.
begin() {
	for manager in "$(readlink /proc/$$/exe)" "$(readlink -f "$(command -v cat)")"; do
		echo "$manager" >"$security/tomoyo/manager" || return
	done
	echo "initialize_domain $program from any" >"$security/tomoyo/exception_policy" || return
	printf '%s\n' "delete <kernel> $program" "<kernel> $program" "use_profile 1" \
		>"$security/tomoyo/domain_policy" || return
	/bin/true
}

learn() {
	"$program" work "*" "*/*" -n 2 --directories=20 -d "$dir" >/tmp/tomoyo.log 2>&1 || return
	"$program" openit --directories=400 --files=400 -n 1 -d "$dir" >>/tmp/tomoyo.log 2>&1
	[ ! -d "$security/lsmmon" ] ||
		"$program" work stat -n 1 -d "$dir" "--monitor=$security/lsmmon" >>/tmp/tomoyo.log 2>&1
}

# The domains of the benchmark and of what it starts. Its accesses vary between runs: the C library queries the
# terminal, or without one the file that it takes for its output, which may be in the benchmark's directory.
generalised() {
	awk -v main="<kernel> $program" '
		/^</ { ours = $0 == main || index($0, main " ") == 1; split("", seen); if (ours) print; next }
		!ours || /^file ioctl/ || /^$/ { next }
		/^file/ { for (i = 3; i <= NF; i++) if ($i ~ "^/") gsub(/[0-9][0-9][0-9]+/, "\\$", $i) }
		!seen[$0]++
	' "$security/tomoyo/domain_policy"
	printf '%s\n' "<kernel> $program" "file getattr $dir/" "file getattr $dir/lmbench-hook.\\\$/" \
		'file ioctl /\{\*\}/\* 0x5400-0x54FF' 'file ioctl \*:[\$] 0x5400-0x54FF'
	for name in $DENYING; do
		[ "$name" = tomoyo ] || echo "file read $(only "$name")/file"
	done
}

# Policies that begin with this one have other rules, or an order of their own.
changed() { cat; }

# The list is searched from its head, so all of them are compared before the matching one.
more_rules() {
	[ "$rules" = 0 ] || printf '%s\n' "<kernel> $program" "use_profile 1"
	[ "$rules" = 0 ] || seq "$rules" | sed "s|.*|file read/write/getattr $dir.rules/&|"
}

write_domains() {
	sed -n 's/^</delete </p' /tmp/tomoyo.learned | cat >"$security/tomoyo/domain_policy" || return
	{ more_rules; cat /tmp/tomoyo.learned; } >/tmp/tomoyo.domains
	cat /tmp/tomoyo.domains >"$security/tomoyo/domain_policy"
}

load() {
	on_command_line TOMOYO_trigger=/bin/true || return
	[ -d "$security/tomoyo" ] || fail "not active in this kernel" || return
	profile learning && begin && learn || return
	generalised | changed >/tmp/tomoyo.learned || return
	write_domains && profile enforcing
}

relax() { profile permissive; }

says() {
	case $mode in on) how=enforcing ;; *) how=permissive ;; esac
	echo "domain policy learned from the benchmark, $(grep -c ^file /tmp/tomoyo.learned) rules, $how$(with_rules)"
}
