// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tunable Security Module: names of the labels
 */

#include <linux/string.h>

#include "label.h"

static const char *const label_names[TUNABLE_LABELS] = {
	[TUNABLE_UNREAD]	= "ignored",
	[TUNABLE_IGNORED]	= "ignored",
	[TUNABLE_TRUSTED]	= "trusted",
	[TUNABLE_UNTRUSTED]	= "untrusted",
};

/**
 * tunable_parse_label - find a label by name
 * @text: the name, not necessarily terminated
 * @length: its length
 *
 * Return: TUNABLE_IGNORED or a later label; -EINVAL for anything else.
 */
int tunable_parse_label(const void *text, size_t length)
{
	int label;

	for (label = TUNABLE_IGNORED; label < TUNABLE_LABELS; label++)
		if (strlen(label_names[label]) == length &&
		    !memcmp(label_names[label], text, length))
			return label;
	return -EINVAL;
}

/**
 * tunable_label_name - name of a label
 * @label: the label
 *
 * Return: the name, as tunable_parse_label() accepts it.
 */
const char *tunable_label_name(enum tunable_label label)
{
	return label_names[label];
}
