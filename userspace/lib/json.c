// SPDX-License-Identifier: GPL-2.0-only
#include "json.h"

#include <stdint.h>
#include <stdlib.h>

#include "alloc.h"

/* How many bytes follow the first byte of a character; -1 if no character begins with it. */
static int following(uint8_t first)
{
	if (first < 0x80)
		return 0;
	if (first >= 0xc2 && first < 0xe0)
		return 1;
	if (first >= 0xe0 && first < 0xf0)
		return 2;
	return first >= 0xf0 && first < 0xf5 ? 3 : -1;
}

/* The second byte shows overlong forms, surrogates and code points beyond the last. */
static int is_second(uint8_t first, uint8_t byte)
{
	uint8_t low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
	uint8_t high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;

	return byte >= low && byte <= high;
}

/* Length of the UTF-8 character in bytes; 0 if it is not one. */
static int character(const uint8_t *text)
{
	int more = following(*text);

	if (more < 0 || (more && !is_second(text[0], text[1])))
		return 0;
	for (int i = 2; i <= more; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	return 1 + more;
}

struct json_object *json_text(const char *text)
{
	char *copy = xstrdup(text);
	struct json_object *object;

	for (char *at = copy; *at;) {
		int length = character((uint8_t *)at);

		if (!length)
			*at = '?';
		at += length ?: 1;
	}
	object = json_object_new_string(copy);
	free(copy);
	return object;
}
