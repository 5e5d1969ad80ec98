# SPDX-License-Identifier: GPL-2.0-only
# What empty.c includes: TUNABLE_MEMBER(MODULE, HOOK) for each LSM_HOOK_INIT(HOOK, ...)
# of a security module, under the conditions of the hook and of that place.
#
# Input: lsm_hook_defs.h, then headers and sources below `top`, which ends in
# "security/". A module has the name of its folder. Each line of the output can
# stand by itself: conditions of the preprocessor become one #if.

function fail(what) {
	print "sets.awk: " FILENAME ":" FNR ": " what >"/dev/stderr"
	failed = 1
	exit 1
}

# The module that owns a file.
function owner(path,    part, n) {
	n = split(path, part, "/")
	if (n > 1)
		return part[1] == "integrity" && n > 2 ? part[2] : part[1]
	sub(/\.[ch]$/, "", part[1])
	return part[1] == "commoncap" ? "capability" : part[1]
}

# A line without comments and strings.
function code(line,    rest) {
	if (in_comment) {
		if (!match(line, /\*\//))
			return ""
		line = substr(line, RSTART + 2)
		in_comment = 0
	}
	gsub(/"(\\.|[^"\\])*"/, "\"\"", line)
	while (match(line, /\/\*/)) {
		rest = substr(line, RSTART + 2)
		line = substr(line, 1, RSTART - 1)
		in_comment = !match(rest, /\*\//)
		if (in_comment)
			break
		line = line " " substr(rest, RSTART + 2)
	}
	sub(/\/\/.*/, "", line)
	return line
}

# #if and its relatives: `condition` is in force, one of `seen` was.
function directive(line) {
	sub(/^[ \t]*#[ \t]*/, "", line)
	if (line ~ /^if/) {
		if (!sub(/^ifdef[ \t]+/, "defined(", line))
			sub(/^ifndef[ \t]+/, "!defined(", line)
		if (line ~ /^!?defined\([A-Za-z_0-9]+[ \t]*$/)
			sub(/[ \t]*$/, ")", line)
		sub(/^if[ \t]*/, "", line)
		condition[++depth] = seen[depth] = line
	} else if (line ~ /^elif/) {
		sub(/^elif[ \t]*/, "", line)
		condition[depth] = "!(" seen[depth] ") && (" line ")"
		seen[depth] = "(" seen[depth] ") || (" line ")"
	} else if (line ~ /^else/) {
		condition[depth] = "!(" seen[depth] ")"
	} else if (line ~ /^endif/) {
		depth--
	} else if (line ~ /^define[ \t]+LSM_HOOK\(/) {
		generator(line)
	} else if (match(line, /^define[ \t]+[A-Za-z_][A-Za-z_0-9]*/)) {
		macro[module, last_word(substr(line, 1, RLENGTH))] = conditions()
	}
}

function last_word(text) {
	sub(/.*[ \t(]/, "", text)
	return text
}

# All conditions in force, as one.
function conditions(    i, all) {
	for (i = 1; i <= depth; i++)
		all = all (i > 1 ? " && " : "") "(" condition[i] ")"
	return all
}

# Only the module's own headers know whether it has defined a macro of its own.
function known(text,    word, before) {
	while (match(text, /defined\([A-Za-z_0-9]+\)/)) {
		word = substr(text, RSTART + 8, RLENGTH - 9)
		if (macro[module, word] != "")
			word = "(" macro[module, word] ")"
		else
			word = "defined(" word ")"
		before = before substr(text, 1, RSTART - 1) word
		text = substr(text, RSTART + RLENGTH)
	}
	return before text
}

function member(hook,    all) {
	if (!(hook in exists))
		fail("LSM_HOOK_INIT(" hook "): no such hook")
	all = known(conditions())
	if (exists[hook] != "")
		all = exists[hook] (all == "" ? "" : " && " all)
	if (all != "")
		print "#if " all
	print "TUNABLE_MEMBER(" module ", " hook ")"
	if (all != "")
		print "#endif"
	members++
}

# BPF has every hook: it defines LSM_HOOK() as an initialiser and includes the list.
function generator(line,    name, i) {
	if (!match(line, /\([^)]*\)/))
		fail("no parameters of LSM_HOOK()")
	split(substr(line, RSTART + 1, RLENGTH - 2), parameter, ",")
	name = parameter[3]
	gsub(/[ \t]/, "", name)
	if (index(line, "LSM_HOOK_INIT(" name ",") == 0)
		return
	for (i = 1; i <= hooks; i++)
		member(hook[i])
}

function defined_hook(line,    part) {
	if (split(line, part, ",") < 3)
		fail("no name in LSM_HOOK()")
	gsub(/[ \t]|\).*/, "", part[3])
	hook[++hooks] = part[3]
	exists[part[3]] = conditions()
}

FNR == 1 {
	if (depth || in_comment || held != "")
		fail("the file before does not end")
	list = FILENAME ~ /lsm_hook_defs\.h$/
	module = owner(substr(FILENAME, length(top) + 1))
}

# Nothing for us: no comment, directive or hook.
!in_comment && held == "" && !/[#\/]|LSM_HOOK/ { next }

{
	line = held code($0)
	held = ""
}

# A line that goes on.
line ~ /\\$/ || line ~ /LSM_HOOK_INIT[ \t]*\([ \t]*$/ {
	held = line
	sub(/\\$/, " ", held)
	next
}

line ~ /^[ \t]*#/ { directive(line); next }
list && line ~ /^LSM_HOOK\(/ { defined_hook(line); next }

!list {
	while (match(line, /LSM_HOOK_INIT[ \t]*\([ \t]*[A-Za-z_][A-Za-z_0-9]*/)) {
		name = last_word(substr(line, RSTART, RLENGTH))
		line = substr(line, RSTART + RLENGTH)
		member(name)
	}
}

END {
	if (!failed && (!hooks || !members))
		print "sets.awk: no " (hooks ? "LSM_HOOK_INIT()" : "LSM_HOOK()") >"/dev/stderr"
	if (failed || !hooks || !members)
		exit 1
}
