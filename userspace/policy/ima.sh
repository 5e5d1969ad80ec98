# shellcheck shell=sh disable=SC2034,SC2154 # read by, and set in, lab/inside/lsm-setup
# SPDX-License-Identifier: GPL-2.0-only
# IMA measures and appraises the files of a group that only the benchmark's directory belongs to. It checks the
# hash of each file, which it writes itself when the benchmark closes the file. Off: ima_appraise=log, which does
# all this work and allows everything.

relaxable=no
# On a tmpfs, where EVM does not mind that a file gets its first protected attribute.
ours=/tmp/${dir##*/}.ima
denied=$ours/stale
group=7777

set_hash() { label ima "0x0404$(sha256sum <"$2" | cut -c 1-64)" "$1"; }

make_places() { mkdir -p "$dir" "$dir.denied" "$dir.setup" "$ours"; }

# A file that was changed after its hash was taken, before there was any rule.
control() {
	[ -w "$security/ima/policy" ] || fail "no IMA in this kernel that takes rules" || return
	chgrp $group "$dir" "$ours" && chmod g+s "$dir" "$ours" || return
	echo before >"$ours/before" && echo after >"$denied" || return
	set_hash "$denied" "$ours/before" && cat "$denied" 2>&1
}

load() {
	case $mode-$(cat /proc/cmdline) in
	on-*ima_appraise=log*) fail "ima_appraise=log is on the kernel's command line" || return ;;
	off-*) on_command_line ima_appraise=log || return ;;
	esac
	[ -e "$dir.setup/ima" ] || printf '%s\n' "measure func=FILE_CHECK mask=MAY_READ fgroup=$group" \
		"appraise func=FILE_CHECK fgroup=$group" >"$security/ima/policy"
}

allowed() {
	work_in capability "$dir" 2>&1 || return
	echo this >"$dir/ima.right" && cat "$dir/ima.right" 2>&1 || return
	grep -q "$dir/ima.right" "$security/ima/ascii_runtime_measurements" || echo "$dir/ima.right was not measured"
	grep -q "$dir/ima.right" "$security/ima/ascii_runtime_measurements"
}

denied() { cat "$denied" 2>&1; }

access() {
	case $1 in
	"$denied") echo "reading $1, which is not as its hash says" ;;
	*) echo "lmbench-hook works in $1; reading a file there, measured, which is as its hash says" ;;
	esac
}

says() {
	case $mode in on) how=enforcing ;; *) how="logging only" ;; esac
	echo "measures and appraises files of the benchmark's group, $how"
}
