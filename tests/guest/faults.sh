#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Tasks that die in a hook call: in a callback, and while the monitor writes a record of one. Runs in a guest as root,
# with LSM=tunable.
#
#	faults.sh
#
# Prints how each task ended, how many ended with a hook call under way, and what the monitor does afterwards.
lsmmon=/sys/kernel/security/lsmmon
tunable=/sys/kernel/security/tunable
work=$(mktemp -d /tmp/faults.XXXXXX) || exit

echo 0 >/proc/sys/kernel/panic_on_oops && echo 0 >/proc/sys/kernel/panic_on_warn || exit
ln -s "$(command -v cat)" "$work/victim" && echo 's victim' >$tunable/scope || exit
echo 'file_permission 1000' >$tunable/hooks || exit

echo 1 >$lsmmon/reset
echo 1 >$lsmmon/control
for what in call record; do
	echo $what >$tunable/fault
	"$work/victim" /proc/version >/dev/null 2>&1
	echo "$what: $?"
done
echo "fault: $(cat $tunable/fault)"
for file in result verdicts cpus; do
	timeout 120 cat $lsmmon/$file >/dev/null
	echo "$file: $?"
done
grep ^lost $lsmmon/info

echo 1 >$lsmmon/reset
for n in 1 2 3 4 5 6 7; do mkdir "$work/new.$n"; done
echo 0 >$lsmmon/control
awk '$1 == "inode_mkdir" { print "counted:", $5 + $6 }' $lsmmon/result
