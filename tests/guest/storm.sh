#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Everything that can be switched, written and read, each in a loop of its own, while stress-ng and, as nobody,
# trinity keep the system busy. Runs in a guest as root.
#
#	storm.sh SECONDS
#
# Prints how many turns each loop made, and what the monitor then counts of 7 new directories.
lsmmon=/sys/kernel/security/lsmmon
events=/sys/kernel/tracing/events/lsmpmon
trace=/sys/kernel/tracing/trace
cpu=/sys/devices/system/cpu/cpu1/online
seconds=${1:-60}
work=$(mktemp -d /tmp/storm.XXXXXX) || exit
mkdir -m 1777 "$work/load" "$work/fuzz" || exit

# put WORDS FILE: what the monitor refuses in a storm is a fault.
put() {
	echo "$1" >"$2" || echo "refused: $1 >$2"
}

switch() {
	put 0 $lsmmon/control
	put 1 $lsmmon/control
}

clear_counters() {
	put 1 $lsmmon/reset
}

filter() {
	for words in 's stress*' 'o /tmp/*' s "p $$ exec" 'o file' p o; do put "$words" $lsmmon/filter; done
}

# choose VALUE PERIOD: the value of every feature, and the period of timed.
choose() {
	cut -d ' ' -f 1 $lsmmon/features | while read -r name; do
		value=$1
		[ "$name" != timed ] || value=$2
		put "$name $value" $lsmmon/features
	done
}

features() {
	choose 1 64
	choose 0 1
}

read_files() {
	for file in "$lsmmon"/*; do
		[ "${file##*/}" = reset ] || cat "$file" >/dev/null || echo "not read: $file"
	done
}

# To the end it would be a race with the writers, which a slow kernel loses.
record() {
	put 1 $events/enable
	head -n 100 $trace >/dev/null
	: >$trace
	put 0 $events/enable
}

hotplug() {
	put 0 $cpu
	put 1 $cpu
}

# Turns of a loop until the load is over.
repeat() {
	turns=0
	while [ ! -e "$work/over" ]; do
		"$1"
		turns=$((turns + 1))
	done
	echo "turns: $1 $turns"
}

# Both run until their time is up, whatever they manage to do, and are killed if they do not end then.
load() {
	timeout -k 5 "$seconds" stress-ng --quiet --temp-path "$work/load" --access 1 --dir 1 --fork 1 --mmap 1 --pipe 1 \
		--rename 1 --sock 1 --xattr 1 >/dev/null 2>&1 &
	cd "$work/fuzz" || exit
	timeout -k 5 "$seconds" setpriv --reuid=65534 --regid=65534 --clear-groups \
		trinity -q -q -l off -C 2 -V "$work/fuzz" >/dev/null 2>&1
	wait $!
	cd /
}

loops='switch clear_counters filter features read_files record'
[ ! -w $cpu ] || loops="$loops hotplug"
for loop in $loops; do repeat "$loop" & done
load
: >"$work/over"
wait

choose 0 1
for words in s o; do put $words $lsmmon/filter; done
clear_counters
put 1 $lsmmon/control
for n in 1 2 3 4 5 6 7; do mkdir "$work/new.$n"; done
put 0 $lsmmon/control
awk '$1 == "inode_mkdir" { print "counted:", $5 + $6 }' $lsmmon/result
[ ! -r /sys/kernel/debug/kcsan ] || cat /sys/kernel/debug/kcsan
