#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Calls that no timer can miss, while the trace event is on since the boot, when it is off again, and while it is on again
# with the monitor. Runs in a guest as root, with LSM=tunable and KARGS=trace_event=lsmpmon:lsm_hook_exit.
#
#	boot-events.sh
#
# Prints how many such calls there were, and how many of them were seen to be disturbed.
lsmmon=/sys/kernel/security/lsmmon
tunable=/sys/kernel/security/tunable
tracing=/sys/kernel/tracing
event=$tracing/events/lsmpmon/lsm_hook_exit/enable
work=$(mktemp -d /tmp/events.XXXXXX) || exit

ln -s /bin/cat "$work/slow" && echo 's slow' >$tunable/scope && echo 's slow' >$lsmmon/filter || exit
echo 'file_permission 200000000' >$tunable/hooks || exit

# To read the trace is to make more of it.
traced() {
	: >$tracing/trace
	echo 1 >$tracing/tracing_on
	"$work/slow" /proc/version >/dev/null
	echo 0 >$tracing/tracing_on
	awk -v when="$1" '/slow-[0-9]+ .* hook=file_permission / && !/ syscall=execve / {
			n++; disturbed += / disturbed=(switched|interrupted)/ }
		END { printf "%s: %d %d\n", when, n, disturbed }' $tracing/trace
}

counted() {
	echo 1 >$lsmmon/reset
	echo 1 >$lsmmon/control
	"$work/slow" /proc/version >/dev/null
	echo 0 >$lsmmon/control
	awk -v when="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$1 == "file_permission" { n += $at["count"] + $at["cs_count"]; disturbed += $at["irq_count"] + $at["cs_count"] }
		END { printf "%s: %d %d\n", when, n, disturbed }' $lsmmon/verdicts
}

cat $event
traced since-boot
counted with-event
echo 0 >$event
counted without-event
echo 1 >$event
traced once-more
echo 0 >$event
echo 0 >$event
counted at-last
