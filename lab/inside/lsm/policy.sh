# shellcheck shell=sh disable=SC2154 # of lab/inside/lsm-setup
# SPDX-License-Identifier: GPL-2.0-only
# Helpers for the policies in userspace/policy/MODULE.sh, and defaults that they may replace.

fail() { echo "lsm-setup: $module: $*" >&2; return 1; }

fill_in() { sed "s|@PROGRAM@|$program|g; s|@WORK@|$dir|g; /^#/d" "$1"; }

mounted() { grep -q " $2 $1 " /proc/mounts || mount -t "$1" "$1" "$2"; }

on_command_line() { grep -qw -e "$1" /proc/cmdline || fail "$1 is not on the kernel's command line"; }

with_rules() { [ "$rules" = 0 ] || echo ", $rules more rules before"; }

label() { setfattr -n "security.$1" -v "$2" "$3"; }

work_in() { confined "$1" "$program" work stat creat -n 1 -d "$2"; }

# Defaults, which a module replaces if it checks other accesses. A refusal prints its reason on stdout.
relax() { :; }
# The directory of a file that this module denies and no other one of these. All are equally deep.
only() {
	case $1 in
	landlock) echo "$dir.only/landlock" ;;
	*) echo "$dir/only.$1" ;;
	esac
}
make_files() {
	for name in $DENYING; do
		mkdir -p "$(only "$name")" || return
		[ -e "$(only "$name")/file" ] || : >"$(only "$name")/file" || return
	done
}
# Once a module was set up, the rules of an earlier step may deny the file.
make_places() {
	mkdir -p "$dir" "$dir.denied" "$denied" "$dir.setup" || return
	[ -e "$dir.setup/$module" ] || { : >"$denied/file" && make_files; }
}
control() { work_in capability "$denied" 2>&1; }
allowed() { work_in "$module" "$dir" 2>&1; }
denied() { work_in "$module" "$denied" 2>&1; }
access() { echo "lmbench-hook makes and looks at files in $1"; }
