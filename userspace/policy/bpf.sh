# shellcheck shell=sh disable=SC2034,SC2154 # read by, and set in, lab/inside/lsm-setup
# SPDX-License-Identifier: GPL-2.0-only
# BPF: programs on the file hooks that other modules use as well (bpf-deny.bpf.c). They deny everything in one
# directory, to everybody. Off: the same number of programs, which allow everything. Each rule more is another directory
# that they deny, in a hash map.

# Modules that decide by path allow this one.
denied=$dir/bpf.denied
links=/sys/fs/bpf/lsmpmon

# attach [DIR [OTHERS]]: replace the attached programs, which the kernel detaches shortly after their links are removed.
attach() {
	mkdir -p "$links" && rm -f "$links"/* && sleep 1 || return
	"$repo/build/bin/bpf-deny" "$repo/build/policy/bpf-deny.bpf.o" "$links" "$@"
}

load() {
	case ,$(cat "$security/lsm"), in *,bpf,*) ;; *) fail "not active in this kernel" || return ;; esac
	[ -r /sys/kernel/btf/vmlinux ] || fail "the kernel has no BTF (FLAVOUR=btf)" || return
	[ -x "$repo/build/bin/bpf-deny" ] || fail "the programs could not be built on the host (lab/shell/lsm-tools bpf)" || return
	mounted bpf /sys/fs/bpf && attach "$denied" "$rules"
}

relax() { attach; }

says() {
	case $mode in on) how="which deny one directory$(with_rules)" ;; *) how="which allow all" ;; esac
	echo "programs on $(find "$links" -type f | wc -l) hooks, $how"
}
