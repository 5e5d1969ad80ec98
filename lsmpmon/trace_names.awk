# SPDX-License-Identifier: GPL-2.0-only
# What trace.c includes: the lists by which trace events print numbers as names.
#
# Each line of input is [NUMBER] = "NAME", or [] = "NAME" if names are in their order.
# Before each file, its list is assigned, the number of its first name, and a prefix for
# its names. The number after the last names means none of them.

function item(number, name) {
	if (list != begun)
		printf "%s#define LSMPMON_TRACE_%s", begun ? "\n\n" : "", list
	printf "%s \\\n\t{ %s, \"%s%s\" }", list == begun ? "," : "", number, prefix, name
	begun = list
}

/^\[/ {
	split($0, part, /[]["]/)
	number = part[2] == "" ? named++ : part[2]
	item(first ? first + number : number, part[4])
}

END {
	if (!named) {
		print "trace_names.awk: no hooks" >"/dev/stderr"
		exit 1
	}
	prefix = ""
	if (first)
		item(first, "-")
	print ""
}
