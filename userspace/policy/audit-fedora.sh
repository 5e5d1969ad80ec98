# shellcheck shell=sh disable=SC2034,SC2154 # read by, and set in, lab/inside/lsm-setup
# SPDX-License-Identifier: GPL-2.0-only
# Audit as Fedora has it: on, with one rule by which no new task is audited. The proof is that a rule about a directory
# records an access before, and none after.

# shellcheck source=/dev/null
. "$policy/audit.sh"

watch() { audit "$1" always,exit -F "dir=$denied" -F perm=rwa -k "$KEY"; }

load() {
	[ "$mode" = on ] || fail "it has no other mode than on" || return
	watch -a || return
	recorded "$denied" || fail "what a rule is about is not recorded" || return
	audit -a never,task
}

prove_on() {
	recorded "$denied"
	status=$?
	watch -d || return
	[ $status = 1 ] || fail "what a rule is about is recorded all the same" || return
	denied_text="denied: lmbench-hook makes and looks at files in $denied: a record, which a rule asks for"
}

says() { echo "audit=1 and the rule never,task"; }
