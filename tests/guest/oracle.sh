#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What the monitor reads of hooks that wait a known time. Runs in a guest with lsm=...,tunable; one line a
# call: the hook, its delay in ns, the ticks of the module's callback, those of the whole hook call.
# SAMPLES: how many of each; BATCH: how many calls are one, as their average, where each is short.
lsmmon=/sys/kernel/security/lsmmon
tunable=/sys/kernel/security/tunable
work=/tmp/oracle
samples=${SAMPLES:-15}
batch=${BATCH:-1}
# From this many ns on, a call is long enough by itself.
long=100000

# value TABLE MODULE HOOK: the average ticks of a batch of calls, if none more and none switched out.
value() {
	awk -v module="$2" -v hook="$3" -v batch="$calls" '
		FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$at["hook"] == hook && (!module || $at["module"] == module) &&
			$at["count"] == batch && $at["cs_count"] == 0 { print $at["ave"]; found = 1 }
		END { exit !found }' "$lsmmon/$1"
}

act() {
	case $1 in
	file_permission) dd if=$work/folder/file of=/dev/null bs=1 count="$calls" 2>/dev/null ;;
	inode_permission) for _ in $(seq "$calls"); do [ -e $work/folder/file ]; done ;;
	esac
}

# sample HOOK NS: A call that was switched out has no time: once more, as often as a busy machine needs. Nothing
# else may call the hook on that object.
sample() {
	calls=$batch tries=1000
	[ "$2" -lt $long ] || calls=1
	while [ $tries -gt 0 ]; do
		tries=$((tries - 1))
		echo 1 >$lsmmon/reset
		act "$1"
		if module=$(value modules tunable "$1") && whole=$(value result "" "$1"); then
			echo "$1 $2 $module $whole"
			return
		fi
	done
	echo "oracle: $1 with $2 ns: never a single call that was not switched out" >&2
	exit 1
}

mkdir -p $work/folder || exit
seq 1000 >$work/folder/file || exit
sed -n 's/^clock_khz: /clock_khz /p' $lsmmon/info
echo "module 1" >$lsmmon/features || exit
echo 1 >$lsmmon/control || exit
for hook in file_permission inode_permission; do
	object=$work/folder
	[ $hook = inode_permission ] || object=$work/folder/file
	echo "o $object" >$lsmmon/filter || exit
	for ns in 0 100 300 1000 10000 100000 1000000; do
		echo "$hook $ns" >$tunable/hooks || exit
		i=0
		while [ $i -lt "$samples" ]; do
			sample $hook $ns
			i=$((i + 1))
		done
	done
	echo "$hook 0" >$tunable/hooks || exit
done
