#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What the monitor reads of hooks that wait a known time. Runs in a guest with lsm=...,tunable; one line a
# call: the hook, its delay in ns, the ticks of the module's callback, those of the whole hook call.
# SAMPLES: how many of each; BATCH: how many calls are one, as their average.
lsmmon=/sys/kernel/security/lsmmon
tunable=/sys/kernel/security/tunable
work=/tmp/oracle
samples=${SAMPLES:-15}
batch=${BATCH:-1}
numbers=$(seq "$batch")

# value TABLE MODULE HOOK: the average ticks of a batch of calls, if none more and none switched out.
value() {
	awk -v module="$2" -v hook="$3" -v batch="$batch" '
		FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$at["hook"] == hook && (!module || $at["module"] == module) &&
			$at["count"] == batch && $at["cs_count"] == 0 { print $at["ave"]; found = 1 }
		END { exit !found }' "$lsmmon/$1"
}

act() {
	case $1 in
	file_permission) dd if=$work/folder/file of=/dev/null bs=1 count="$batch" 2>/dev/null ;;
	inode_permission) for _ in $numbers; do [ -e $work/folder/file ]; done ;;
	esac
}

# A call that was switched out has no time: once more. Nothing else may call the hook on that object.
sample() {
	for _ in 1 2 3 4 5 6 7 8 9 10; do
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
