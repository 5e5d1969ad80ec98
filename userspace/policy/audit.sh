# shellcheck shell=sh disable=SC2034,SC2154 # read by, and set in, lab/inside/lsm-setup
# SPDX-License-Identifier: GPL-2.0-only
# Audit with two common rules: record each access to one directory, and each call that fails with a permission
# error. The proof is whether there is a record. Off: audit=1 and no rules.

FAILED="open,openat,creat,truncate,rename,mkdir,rmdir,unlink,symlink,link,chmod"
KEY=lsmpmon

audit() { LD_LIBRARY_PATH=$repo/build/tools/lib auditctl "$@"; }

records() { dmesg | grep -c "syscall=.*key=\"$KEY\""; }

# recorded DIR: is there a record of an access to it? A kernel thread prints records in order and drops some of
# many by default. Once a message of ours is printed, so are all records before it.
recorded() {
	before=$(records)
	echo 0 >/proc/sys/kernel/printk_ratelimit
	work_in capability "$1" >/dev/null || return
	marker=lsmpmon.$(cat /proc/sys/kernel/random/uuid)
	audit -m "$marker" || return
	until dmesg | grep -q "$marker"; do sleep 0.1; done
	echo 5 >/proc/sys/kernel/printk_ratelimit
	[ "$(records)" != "$before" ]
}

control() {
	on_command_line audit=1 || return
	command -v auditctl >/dev/null || fail "no auditctl, so no rules" || return
	audit -D >/dev/null && ! recorded "$denied"
}

# About other users, and in front of the two: each is looked at whenever such a call ends.
more_rules() {
	seq "$rules" | while read -r number; do
		audit -a always,exit -F arch=b64 -S "$FAILED" -F exit=-EACCES -F "uid=$((10000 + number))" -k "$KEY" || return
	done
}

load() {
	audit -D >/dev/null || return
	more_rules || return
	audit -a always,exit -F "dir=$denied" -F perm=rwa -k "$KEY" || return
	audit -a always,exit -F arch=b64 -S "$FAILED" -F exit=-EACCES -k "$KEY"
}

relax() { audit -D >/dev/null; }

prove_on() {
	! recorded "$dir" || fail "work that no rule is about is recorded" || return
	recorded "$denied" || fail "what a rule is about is not recorded" || return
	denied_text="denied: lmbench-hook makes and looks at files in $denied: recorded"
}

prove_off() {
	! recorded "$denied" || fail "there is no rule, but it is recorded" || return
	denied_text="not_denied: lmbench-hook makes and looks at files in $denied: not recorded"
}

access() { echo "lmbench-hook makes and looks at files in $1: not recorded"; }

says() {
	case $mode in on) echo "audit=1 and two rules$(with_rules)" ;; *) echo "audit=1 and no rules" ;; esac
}
