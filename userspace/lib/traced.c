// SPDX-License-Identifier: GPL-2.0-only
#include "traced.h"

#include <stdio.h>
#include <string.h>

/* The value in a word NAME=VALUE; NULL if there is none. */
static const char *find(const char *text, const char *name)
{
	const size_t length = strlen(name);

	while (*text) {
		if (!strncmp(text, name, length) && text[length] == '=')
			return text + length + 1;
		text += strcspn(text, " ");
		text += strspn(text, " ");
	}
	return NULL;
}

static bool find_text(const char *text, const char *name, char *found)
{
	const char *value = find(text, name);
	const size_t length = value ? strcspn(value, " \n") : 0;

	if (!length || length >= TRACED_NAME)
		return false;
	memcpy(found, value, length);
	found[length] = '\0';
	return true;
}

static bool find_number(const char *text, const char *name, uint64_t *found)
{
	const char *value = find(text, name);

	return value && sscanf(value, "%ju", found) == 1;
}

static bool find_int(const char *text, const char *name, int *found)
{
	const char *value = find(text, name);

	return value && sscanf(value, "%d", found) == 1;
}

int traced_parse(struct traced *traced, const char *text)
{
	char disturbed[TRACED_NAME];

	*traced = (struct traced){ .depth = -1 };
	if (!find_text(text, "hook", traced->hook) || !find_text(text, "syscall", traced->syscall) ||
	    !find_text(text, "verdict", traced->verdict) || !find_int(text, "rc", &traced->rc) ||
	    !find_number(text, "ns", &traced->wall))
		return -1;
	find_int(text, "depth", &traced->depth);
	traced->is_known = find_number(text, "own", &traced->own) && find_number(text, "slept", &traced->slept) &&
			   find_number(text, "preempted", &traced->preempted) &&
			   !(find_text(text, "disturbed", disturbed) && strstr(disturbed, "unknown"));
	return 0;
}
