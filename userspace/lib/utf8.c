// SPDX-License-Identifier: GPL-2.0-only
#include "utf8.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

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
static bool is_second(uint8_t first, uint8_t byte)
{
	uint8_t low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
	uint8_t high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;

	return byte >= low && byte <= high;
}

int utf8_length(const char *text)
{
	const uint8_t *bytes = (const uint8_t *)text;
	int more = following(*bytes);

	if (more < 0 || (more && !is_second(bytes[0], bytes[1])))
		return 0;
	for (int i = 2; i <= more; i++)
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
	return 1 + more;
}

/* U+0080 to U+009F command terminals as escapes do: U+009B is an escape and a bracket. */
static bool is_command(const char *character, int length)
{
	if (length == 1)
		return iscntrl((unsigned char)*character);
	return length == 2 && (uint8_t)character[0] == 0xc2 && (uint8_t)character[1] < 0xa0;
}

void utf8_disarm(char *text)
{
	while (*text) {
		int length = utf8_length(text);

		if (!length || is_command(text, length))
			memset(text, '?', length ?: 1);
		text += length ?: 1;
	}
}
