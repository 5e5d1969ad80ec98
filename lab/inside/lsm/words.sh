# shellcheck shell=sh disable=SC2154 # of lab/inside/lsm-setup
# SPDX-License-Identifier: GPL-2.0-only
# The arguments of lsm-setup.

# Modules whose policy applies to a program, no matter who starts it, come last: they would affect other proofs.
KNOWN="capability audit-fedora selinux selinux-work selinux-debian selinux-misses smack landlock landlock-work lids evm ima audit bpf"
KNOWN="$KNOWN apparmor apparmor-debian apparmor-work tomoyo tomoyo-few tomoyo-first tomoyo-last tomoyo-work"
KNOWN="$KNOWN apparmor-unconfined container seccomp userns userns-root"
DENYING="selinux apparmor smack tomoyo landlock"
WITH_RULES="landlock apparmor tomoyo smack bpf audit"

misused() { echo "lsm-setup: $*" >&2; exit 2; }

has_word() { case " $1 " in *" $2 "*) ;; *) return 1 ;; esac }

commas() { echo "$1" | sed 's/ /, /g'; }

# A guest of scripts/exec has this on its command line, or the files of lab/shell/make-initrd.
in_guest() {
	grep -q -e '^LSMPMON_RUN=' -e ' LSMPMON_RUN=' /proc/cmdline ||
		{ grep -qw rdinit=/init /proc/cmdline && [ -e /script ]; }
}

check_verb() {
	case $verb in arguments | prepare | prove | rules | denied | exec) ;; *)
		misused "verb '$verb': give arguments, prepare, prove, rules, denied or exec" ;;
	esac
}

check_modules() {
	[ -n "$modules" ] || misused "module '': give one or more of $(commas "$KNOWN")"
	for name in $(echo "$modules" | tr , ' '); do
		has_word "$KNOWN" "$name" || misused "module '$name': give one or more of $(commas "$KNOWN")"
	done
}

check_mode() {
	case $mode in on | off) ;; *) misused "mode '$mode': give on or off" ;; esac
}

check_rules() {
	has_word "$WITH_RULES" "$modules" || misused "rules of '$modules': give one of $(commas "$WITH_RULES")"
	case $rules in '' | *[!0-9]* | ??????*) misused "rules '$rules': give a number up to 99999" ;; esac
}

check_denying() {
	for name in $(echo "$modules" | tr , ' '); do
		has_word "$DENYING" "$name" || misused "denied of '$name': give one or more of $(commas "$DENYING")"
	done
}

in_order() {
	for name in $KNOWN; do
		case ,$modules, in *,"$name",*) echo "$name" ;; esac
	done
}
