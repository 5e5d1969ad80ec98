# shellcheck shell=sh disable=SC2034,SC2154 # read by, and set in, lab/inside/lsm-setup
# SPDX-License-Identifier: GPL-2.0-only
# TOMOYO with a policy learned from lab/inside/work: a domain for each chain of programs, in which one rule of each
# kind stands for all files beneath the directory of the work.

# shellcheck source=/dev/null
. "$policy/tomoyo.sh"

program=$inside/work
denied=$dir.denied

work_in() { confined "$1" "$program" run touch_file "$2"; }

access() { echo "a script makes and looks at a file in $1"; }

# Each twice, since the second time finds files that the first one made. To ask for its programs is part of it.
learn() {
	"$program" prepare "$dir" || return
	works=$("$program" list)
	for name in touch_file $works touch_file $works; do
		"$program" missing "$name" >/dev/null &&
			"$program" run "$name" "$dir" </dev/null >/tmp/tomoyo.log 2>&1 || echo "could not learn $name" >&2
	done
}

# Numbers become patterns: of pipes and sockets, of processes, and long ones in names of files.
generalised() {
	awk -v main="<kernel> $program" '
		/^</ { ours = $0 == main || index($0, main " ") == 1; if (ours) print; next }
		!ours || /^$/ { next }
		/^file/ {
			for (i = 3; i <= NF; i++) {
				if ($i ~ /^(pipe|socket):/) sub(/\[[0-9]+\]/, "[\\$]", $i)
				sub(/^proc:\/[0-9]+\//, "proc:/\\$/", $i)
				if ($i ~ "^/") gsub(/[0-9][0-9][0-9]+/, "\\$", $i)
			}
		}
		{ print }
	' "$security/tomoyo/domain_policy"
}

# Patterns of all paths beneath the directory; those of directories end with a slash.
changed() {
	for path in '' '\*' '\*/' '\{\*\}/\*' '\{\*\}/'; do
		printf "%s\n" "path_group WORK $dir/$path"
	done | sed "s|//|/|" | cat >"$security/tomoyo/exception_policy"
	sed "s|$dir/[^ ]*|@WORK|g" | awk '/^</ { split("", seen) } !seen[$0]++'
}

says() {
	case $mode in on) how=enforcing ;; *) how=permissive ;; esac
	echo "domain policy learned from the work, $(grep -c ^file /tmp/tomoyo.learned) rules in $(grep -c '^<' /tmp/tomoyo.learned) domains, $how"
}
