#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What lsmpmon bench does on a live kernel; test_lsmpmon_bench.py judges what it leaves in $SHARE.
lsmmon=/sys/kernel/security/lsmmon
cd /tmp || exit

state() { cat $lsmmon/control $lsmmon/filter $lsmmon/features; }

# $bench is amid its passes: it clears the filter first, then counts the load for a second. What it measures at the
# moment is no sign of it: each state lasts milliseconds, and 90 looks in a row were seen to miss one.
midway() {
	while kill -0 $bench 2>/dev/null && grep -q somebody $lsmmon/filter; do sleep 0.05; done
	sleep 2
}

echo 's somebody' >$lsmmon/filter
echo 'o /some/thing' >$lsmmon/filter
echo 'histogram 1' >$lsmmon/features
echo 1 >$lsmmon/control
state >before

lsmpmon bench --json >bench.json 2>bench.stderr
echo $? >bench.status
state >after

env --default-signal=INT lsmpmon bench >interrupted.txt 2>interrupted.stderr & bench=$!
midway
kill -INT $bench; wait $bench; echo $? >interrupted.status
state >after.interrupted

lsmpmon bench >killed.txt 2>/dev/null & bench=$!
midway
lsmpmon bench 2>second.stderr; echo $? >second.status
kill -TERM $bench; wait $bench; echo $? >killed.status
state >after.killed

lsmpmon bench >/dev/null 2>&1 & bench=$!
midway
kill -KILL $bench; wait $bench; echo $? >lost.status
state >after.lost

mkdir older && ln -s $lsmmon/* older && rm older/session
echo "p $$" >$lsmmon/filter
lsmpmon bench -d older 2>process.stderr; echo $? >process.status
lsmpmon bench extra 2>extra.stderr; echo $? >extra.status
cp -- before after* *.json *.status *.stderr *.txt "$SHARE"
