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

static bool find_text(const char *text, const char *name, char *found, size_t size)
{
	const char *value = find(text, name);
	const size_t length = value ? strcspn(value, " \n") : 0;

	if (!length || length >= size)
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
	if (!find_text(text, "hook", traced->hook, TRACED_NAME) || !find_text(text, "syscall", traced->syscall, TRACED_NAME) ||
	    !find_text(text, "verdict", traced->verdict, TRACED_NAME) || !find_int(text, "rc", &traced->rc) ||
	    !find_number(text, "ns", &traced->wall))
		return -1;
	find_int(text, "depth", &traced->depth);
	traced->is_known = find_number(text, "own", &traced->own) && find_number(text, "slept", &traced->slept) &&
			   find_number(text, "preempted", &traced->preempted) &&
			   !(find_text(text, "disturbed", disturbed, TRACED_NAME) && strstr(disturbed, "unknown"));
	return 0;
}

int traced_parse_object(struct traced *traced, const char *text)
{
	*traced = (struct traced){ .depth = -1 };
	if (!find_text(text, "hook", traced->hook, TRACED_NAME) || !find_number(text, "ns", &traced->wall) ||
	    !find_text(text, "object", traced->object, TRACED_OBJECT))
		return -1;
	if (!strcmp(traced->object, "-"))
		*traced->object = '\0';
	return 0;
}
