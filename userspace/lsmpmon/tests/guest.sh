#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What the tool does on a live kernel; test_lsmpmon_guest.py judges what it leaves in $SHARE.
lsmmon=/sys/kernel/security/lsmmon
cd /tmp || exit

state() { cat $lsmmon/control $lsmmon/filter $lsmmon/features; }

# Somebody else, who does all the time what the command does, too, and counts how often.
noise() { n=0; while :; do [ -e /proc ]; /bin/true; n=$((n+1)); echo $n >rounds; done; }
noise &
noise=$!
rounds() { until read -r n <rounds; do :; done; echo "$n"; }	# which may be just being written

echo 's nobody-at-all' >$lsmmon/filter
echo 'histogram 1' >$lsmmon/features
state >state.before

cat >forks <<'X'
i=0
while [ $i -lt 1000 ]; do (true); i=$((i+1)); done
exec setsid sh -c '(sleep 0.1; [ -e /proc ]) & wait; exit 7'
X
lsmpmon record -f all -o forks.json -- sh forks
echo $? >forks.status
lsmpmon record -o short.json -- sleep 0.01
# It only reads: who forks and executes is somebody else. Of twelve more rounds, eleven begin and end meanwhile.
cat >twelve <<'X'
while :; do
	read -r now <rounds || continue		# just being written
	first=${first:-$now}
	[ $((now - first)) -lt 12 ] || exit 0
done
X
lsmpmon record -a -f none -o all.json -- sh twelve
lsmpmon record -r 3 -f module -o repeated.json -- find /usr/share/doc -maxdepth 1 -newer /etc/passwd >/dev/null
lsmpmon record -w 2 -r 3 --prepare 'cat /etc/passwd >/dev/null; echo >>prepared' -f none -o warmed.json -- \
	sh -c 'echo >>ran' 2>warmed.stderr
cat prepared >prepared.txt; cat ran >ran.txt
lsmpmon record --until 1000000 -w 1 -f none -o until.json -- true
lsmpmon record --prepare 'exit 3' -o unprepared.json -- true 2>unprepared.stderr; echo $? >unprepared.status
echo 'module 1' >$lsmmon/features
state >before.collected
sh "$REPO/userspace/lsmpmon-collect" -f syscall collected sh -c 'mkdir 1 2 3; exit 5'; echo $? >collected.status
state >after.collected
echo 'module 0' >$lsmmon/features
lsmpmon show -d collected --by syscall,hook --json >collected.json
for words in '-f nonsense new true' 'collected true' ''; do
	# shellcheck disable=SC2086 # several words
	sh "$REPO/userspace/lsmpmon-collect" $words 2>>collected.stderr; echo $? >>collected.status
done
lsmpmon record -f none -o taken.json -- sh "$REPO/userspace/lsmpmon-collect" new true 2>>collected.stderr; echo $? >>collected.status
lsmpmon record -s cat -o named.json -- sh -c 'cat /etc/passwd; ls /; [ -e /proc ]' >/dev/null
ln -s /etc/passwd passwd-link
lsmpmon record -O /tmp/passwd-link -o linked-object.json -- sh -c 'cat /etc/passwd /etc/group' >/dev/null
lsmpmon record -f +module -o added.json -- true
lsmpmon record -O /etc/passwd -o object.json -- sh -c 'cat /etc/passwd /etc/group' >/dev/null

lsmpmon record -o crash.json -- sh -c 'kill -SEGV $$'; echo $? >crash.status
lsmpmon record -o killed.json -- sleep 10000 & record=$!
until grep -q ^p $lsmmon/filter && pgrep -x sleep >/dev/null; do sleep 0.05; done
lsmpmon record -o second.json -- true 2>second.stderr; echo $? >second.status
for words in off reset 'on -f none'; do
	# shellcheck disable=SC2086 # two words
	lsmpmon $words 2>>busy.stderr; echo $? >>busy.status
done
lmbench-hook work stat -n 1 --monitor=$lsmmon >/dev/null 2>>busy.stderr; echo $? >>busy.status
lsmpmon status --json >held.json; echo $? >held.status
unshare --fork --pid --mount-proc lsmpmon status --json >unseen.json; echo $? >unseen.status
cp $lsmmon/control busy.control
echo $record >busy.pid
kill -TERM $record; wait $record; echo $? >killed.status
# Who does not ask for the lock is refused by the kernel; nobody else writes while one measures.
lsmpmon record -o refused.json -- sh -c "sleep 0.1; for file in control reset; do echo 0 >$lsmmon/\$file; done
	echo p >$lsmmon/filter; echo 'module 1' >$lsmmon/features; sleep 0.1; exit 6" 2>refused.stderr
echo $? >refused.status
# A kernel without sessions: there, who does not ask for the lock is noticed.
mkdir older && ln -s $lsmmon/* older && rm older/session
lsmpmon record -d older -o meddled.json -- sh -c "echo 0 >$lsmmon/control; sleep 0.1; echo 1 >$lsmmon/control" 2>meddled.stderr
echo $? >meddled.status
lsmpmon record -d older -o zeroed.json -- sh -c "sleep 0.1; echo 1 >$lsmmon/reset" 2>zeroed.stderr; echo $? >zeroed.status
lsmpmon record -d older -o widened.json -- sh -c "echo p >$lsmmon/filter" 2>widened.stderr; echo $? >widened.status
sleep 1000 & pid=$!
echo "p $pid" >$lsmmon/filter
lsmpmon record -d older -o measured.json -- true 2>measured.stderr; echo $? >measured.status
kill $pid; wait $pid
lsmpmon record -d older -o measured.json -- true 2>ended.stderr; echo $? >ended.status
# What measures is killed, whatever with; also where somebody measures a process that has ended.
for signal in KILL USR1 USR2 ALRM SEGV XCPU RTMAX; do
	state >before.$signal
	lsmpmon record -F -o lost.json -- sleep 10000 & record=$!
	until grep -q '^p .* exec' $lsmmon/filter && grep -q 1 $lsmmon/control && pgrep -x sleep >/dev/null; do
		sleep 0.05
	done
	state >while.$signal
	cat $lsmmon/session >session.$signal
	kill -$signal $record; wait $record; echo $? >lost.$signal.status
	state >after.$signal
	pkill -x sleep
	[ $signal = KILL ] && echo p >$lsmmon/filter
done
# The same of the benchmark, whose work does not end in time; and one whose work ends.
state >before.work
lmbench-hook work stat -n 100000000 --monitor=$lsmmon --syscalls=/tmp/killed.counts & work=$!
until grep -q 1 $lsmmon/control; do sleep 0.05; done
state >while.work
cat $lsmmon/session >session.work
kill -KILL $work; wait $work; echo $? >lost.work.status
state >after.work
lmbench-hook work stat -n 101 --monitor=$lsmmon --syscalls=work.counts.txt >/dev/null
state >after.worked
# In a domain of Landlock, which does not let it open the monitor's files any more.
mkdir confined
cp /sys/kernel/security/lsm confined.lsm.txt
lmbench-hook work stat -n 11 -d confined --landlock=confined --monitor=$lsmmon --syscalls=confined/counts >/dev/null 2>confined.stderr
echo $? >confined.status
[ ! -e confined/counts ] || cp confined/counts confined.counts.txt
state >after.confined
rm -rf lmbench-hook.*
echo $(cat $lsmmon/session) >session.after
# A shell has its background jobs ignore what Ctrl-C sends.
env --default-signal=INT lsmpmon record -o interrupted.json -- sleep 10000 & record=$!
until grep -q ^p $lsmmon/filter && pgrep -x sleep >/dev/null; do sleep 0.05; done
kill -INT $record; wait $record; echo $? >interrupted.status
lsmpmon record -o never.json -- /nonexistent 2>never.stderr; echo $? >never.status
lsmpmon record -o never.json -- /etc/passwd 2>denied.stderr; echo $? >denied.status

# Where output may go, as root.
mkdir full readonly && mount -t tmpfs -o size=16k full full && mount -t tmpfs -o ro readonly readonly
mknod device c 1 3
ln -s linked.json link
lsmpmon record -o device -- true; echo $? >device.status
[ -c device ]; echo $? >>device.status
lsmpmon record -o link -- true; lsmpmon record -o link -- true
[ -L link ] && [ -s linked.json ] && [ -s linked.json.old ] && ! [ -e link.old ]; echo $? >link.status
lsmpmon record -o - -- true >stdout.json
lsmpmon record -o /dev/stdout -- echo first | sed 1d >piped.json
{ echo first; lsmpmon record -o /dev/stdout -- true; } >appended.json
lsmpmon record -o full/x.json -- true 2>full.stderr; echo $? >full.status
ls full >>full.status
lsmpmon record -o readonly/x.json -- true 2>readonly.stderr; echo $? >readonly.status
lsmpmon record -o full -- true 2>directory.stderr; echo $? >directory.status
lmbench-hook list >/dev/full 2>list.stderr; echo $? >list.status

# What runs already, and the system for a while.
# It ends when it is told to, which is when it is measured.
mkfifo end
cat end & pid=$!
until [ "$(cat /proc/$pid/comm)" = cat ]; do sleep 0.1; done
lsmpmon record -F -p $pid -o pid.json 2>pid.stderr & record=$!
until grep -q "^p $pid" $lsmmon/filter; do sleep 0.1; done
: >end
wait $record
# Again for longer if somebody else comes to few rounds in that time, as on a busy machine.
for seconds in 0.3 3 30; do
	first=$(rounds)
	lsmpmon record -a -t $seconds -o while.json
	[ $(($(rounds) - first)) -lt 12 ] || break
done
lsmpmon top -s 0.1 -p $$ 2>/dev/null | head -n 1 >first.txt
state >state.after
echo s >$lsmmon/filter

lsmpmon on -f module
for seconds in 1 10 60; do
	first=$(rounds)
	lsmpmon top -n 2 -s $seconds --csv >top.csv
	[ $(($(rounds) - first)) -lt 50 ] || break
done
lsmpmon top -n 1 -s 1 --by module --json >top.json
lsmpmon top -n 1 -s 1 --by cpu --json >cpus.json
lsmpmon off
lsmpmon show --json --cycles >show.json
cat $lsmmon/verdicts >verdicts
lsmpmon export -o export.prom
lsmpmon status --json >status.json; echo $? >status.status
tracing=/sys/kernel/tracing
echo 's cat' >$lsmmon/filter
echo 1 >$tracing/events/lsmpmon/enable
mkdir $tracing/instances/theirs && echo nop >$tracing/instances/theirs/current_tracer
echo 1 >$tracing/instances/theirs/events/lsmpmon/lsm_hook_exit/enable
settings() { state; cat $lsmmon/session $tracing/events/lsmpmon/enable $tracing/current_tracer; }
settings >settings.before
lsmpmon status --json >left.json; echo $? >left.status
settings >settings.after
rmdir $tracing/instances/theirs
echo 0 >$tracing/events/lsmpmon/enable
echo s >$lsmmon/filter
lsmpmon reset
lsmpmon show >reset.txt
kill $noise
wait $noise
lsmpmon top -n 2 -s 1 --json >idle.json
lsmpmon top -f +syscall,module -n 1 -s 0.5 --by syscall,hook --json >featured.json
lsmpmon status --json >featured-after.json
lsmpmon record --bpf -- true 2>programs.stderr; echo $? >programs.status
setpriv --reuid nobody --bounding-set=-all lsmpmon status 2>nobody.stderr; echo $? >nobody.status
setpriv --bounding-set=-all --inh-caps=-all lsmpmon status 2>powerless.stderr; echo $? >powerless.status
unshare --user --map-root-user lsmpmon status 2>inside.stderr; echo $? >inside.status
unshare --fork --pid --mount --mount-proc sh -c 'umount /sys/kernel/security && lsmpmon status' 2>blind.stderr
echo $? >blind.status
umount /sys/kernel/security
lsmpmon on 2>unmounted.stderr; echo $? >unmounted.status
cp -- state.* settings.* before.* while.* after.* session.* *.json *.status *.stderr *.csv *.txt *.prom busy.* verdicts "$SHARE"
