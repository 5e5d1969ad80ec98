# SPDX-License-Identifier: GPL-2.0-only
# A machine of test_fleet.py: what it exports in between and at its end, and the kernel's own files.
work() {
	lmbench-hook work mkdir rmdir rename -n 101 -d /tmp
	mkdir -m 700 /tmp/closed
	setpriv --reuid=65534 --clear-groups mkdir /tmp/closed/no
	rmdir /tmp/closed
}

# What work does is a pod's.
pod=/tmp/cgroups/kubepods/pod-$LSM-${TIMED:-1}
mkdir /tmp/cgroups && mount -t cgroup2 none /tmp/cgroups && mkdir -p "$pod" || exit
in_pod() {
	(read -r pid _ </proc/self/stat; echo "$pid" >"$pod/cgroup.procs"; work)
}

cd /sys/kernel/security/lsmmon || exit
echo histogram 1 >features
echo module 1 >features
echo cgroup 1 >features
echo "timed ${TIMED:-1}" >features
echo 1 >control
in_pod >/dev/null 2>&1
lsmpmon export --label cgroup -m 644 -o "$SHARE/first" || exit
in_pod >/dev/null 2>&1
echo 0 >control
lsmpmon export --label cgroup -m 644 -o "$SHARE/last" || exit
cp info hooks verdicts modules histogram cgroups "$SHARE"
