// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: names as words of a line
 *
 * Users choose names, which may have any bytes.  Columns are separated by blanks, and
 * lines by newlines.
 */

#include <linux/errname.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/string_helpers.h>

#include "escape.h"

/**
 * lsmpmon_escape - write bytes as one word
 * @bytes: the bytes
 * @length: number of the bytes
 * @word: buffer for the word, which is cut if it is too long
 * @size: size of the buffer; LSMPMON_ESCAPED(@length) holds every word
 *
 * Blanks, backslashes and bytes that are not printable are escaped as a backslash
 * and three octal digits.
 *
 * Context: any.
 * Return: length of the whole word.
 */
size_t lsmpmon_escape(const char *bytes, size_t length, char *word, size_t size)
{
	int end = string_escape_mem(bytes, length, word, size - 1,
				    ESCAPE_OCTAL | ESCAPE_NAP | ESCAPE_APPEND,
				    " \\");

	word[min_t(size_t, end, size - 1)] = '\0';
	return end;
}

/**
 * lsmpmon_escape_name - write a name as one word
 * @name: the name
 * @word: buffer for the word
 * @size: size of the buffer; LSMPMON_ESCAPED() of the name's length holds the word
 *
 * Bytes are escaped as by lsmpmon_escape(), and so is the first byte of the names "-",
 * "other" and "", which would look like what stands for no name.
 *
 * Context: any.
 */
void lsmpmon_escape_name(const char *name, char *word, size_t size)
{
	if (*name && strcmp(name, "-") && strcmp(name, "other"))
		lsmpmon_escape(name, strlen(name), word, size);
	else
		snprintf(word, size, "\\%03o%s", *name, *name ? name + 1 : "");
}

/**
 * lsmpmon_error_name - write the name of an error
 * @error: number of the error, positive
 * @word: buffer for the word
 * @size: size of the buffer; LSMPMON_ERROR_NAME holds every word
 *
 * Context: any.
 */
void lsmpmon_error_name(int error, char *word, size_t size)
{
	const char *name = errname(error);

	if (name)
		strscpy(word, name, size);
	else
		snprintf(word, size, "%d", error);
}
