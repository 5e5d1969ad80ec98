# SPDX-License-Identifier: GPL-2.0-only
# Pods that come and go, as test_pods.py wants them: PODS cgroups with a task each that opens a file OPENS times, of which at
# most LIVING exist at a time. The last LIVING stay. Writes the export, and the kernel's own files of the same moment.
cgroups=/tmp/cgroups
lsmmon=/sys/kernel/security/lsmmon

# The shell itself opens the file, and nothing after it has joined.
pod() {
	sh -c 'echo 0 >"$1/cgroup.procs"
		n=0; while [ $((n += 1)) -le "$2" ]; do : >/tmp/opened; done' pod "$cgroups/kubepods/pod$1" "$OPENS"
}

mkdir -p $cgroups || exit
mount -t cgroup2 none $cgroups || exit
mkdir $cgroups/kubepods || exit
lsmpmon on -f "cgroup,timed=${TIMED:-1}" >&2 || exit
n=0
while [ $((n += 1)) -le "$PODS" ]; do
	mkdir "$cgroups/kubepods/pod$n" || exit
	pod $n || exit
	[ $n -le "$LIVING" ] || rmdir "$cgroups/kubepods/pod$((n - LIVING))" || exit
done
echo 0 >$lsmmon/control
lsmpmon export --label cgroup -m 644 -o "$SHARE/lsmpmon.prom" || exit
cp $lsmmon/verdicts $lsmmon/cgroups $lsmmon/info "$SHARE"
