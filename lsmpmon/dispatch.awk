# SPDX-License-Identifier: GPL-2.0-only
# What dispatch.c includes: LSMPMON_CALL(RET, NAME, (PARAMETERS)[, ARGUMENTS]) for
# each LSM_HOOK(RET, DEFAULT, NAME, PARAMETERS) of lsm_hook_defs.h, under the same
# conditions. The C preprocessor could do all of it but take a parameter's name.

# The name of one parameter: the last word of its declaration.
function name(parameter) {
	gsub(/\[[^]]*\]/, "", parameter)
	if (!match(parameter, /[A-Za-z_][A-Za-z_0-9]*[ \t]*$/)) {
		print "dispatch.awk: no name in '" parameter "'" >"/dev/stderr"
		failed = 1
		exit 1
	}
	return substr(parameter, RSTART)
}

function call(hook,    part, n, i, parameters, arguments) {
	n = split(hook, part, ",")
	for (i = 1; i <= n; i++)
		gsub(/^[ \t]+|[ \t]+$/, "", part[i])
	parameters = part[4]
	if (part[4] != "void")
		arguments = ", " name(part[4])
	for (i = 5; i <= n; i++) {
		parameters = parameters ", " part[i]
		arguments = arguments ", " name(part[i])
	}
	printf "LSMPMON_CALL(%s, %s, (%s)%s)\n", part[1], part[3], parameters, arguments
	calls++
}

function balance(text) {
	return gsub(/\(/, "", text) - gsub(/\)/, "", text)
}

# No comment has code behind it.
/^[ \t]*\/\*/ { comment = 1 }
comment { comment = !/\*\//; next }
/^#/ { print; next }
/^LSM_HOOK\(/ { text = "" }
/^LSM_HOOK\(/, 0 {
	text = text " " $0
	if (text !~ /LSM_HOOK/ || balance(text))
		next
	sub(/^ *LSM_HOOK\(/, "", text)
	sub(/\)[ \t]*$/, "", text)
	call(text)
	text = ""
}
END {
	if (!calls && !failed)
		print "dispatch.awk: no LSM_HOOK()" >"/dev/stderr"
	if (!calls || failed)
		exit 1
}
