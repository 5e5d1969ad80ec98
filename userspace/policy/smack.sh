# shellcheck shell=sh disable=SC2034,SC2154 # read by, and set in, lab/inside/lsm-setup
# SPDX-License-Identifier: GPL-2.0-only
# Smack with five rules. Root can override Smack unless onlycap limits this to a label. Files made in a
# transmuting directory take its label, so each access is looked up in the rules. Denials are not logged.

# Smack puts a new rule at the head of its subject's list, so these come before the one that matches.
more_rules() {
	[ "$rules" = 0 ] || seq "$rules" | while read -r number; do
		echo "Bench Other$number rwxat" || return
	done >/sys/fs/smackfs/load2
}

load() {
	mounted smackfs /sys/fs/smackfs || return
	for rule in "Bench Data rwxat" "_ Data rwxat" "_ Secret rwxat" "Bench _ rwx" "_ Bench rwx"; do
		echo "$rule" >/sys/fs/smackfs/load2 || return
	done
	more_rules || return
	confine || return
	label SMACK64 Data "$dir" || return
	label SMACK64TRANSMUTE TRUE "$dir" || return
	label SMACK64 Secret "$denied" || return
	label SMACK64 Secret "$(only smack)" || return
	echo 0 >/sys/fs/smackfs/logging || return
	printf _ >/sys/fs/smackfs/onlycap
}

# Undo relax: whatever cannot be a label stands for none.
confine() { [ ! -e /sys/fs/smackfs/unconfined ] || echo - >/sys/fs/smackfs/unconfined; }

# Rules are still looked up, but everything is allowed to this label.
relax() {
	[ -e /sys/fs/smackfs/unconfined ] || fail "the kernel has no CONFIG_SECURITY_SMACK_BRINGUP" || return
	echo Bench >/sys/fs/smackfs/unconfined
}

says() {
	case $mode in on) how=enforcing ;; *) how="the benchmark's label is unconfined" ;; esac
	echo "labels and 5 rules of our own, $how$(with_rules)"
}
