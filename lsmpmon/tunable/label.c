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
 * tunable_parse_label - the label of a name
 * @text: the name, which no zero has to follow
 * @length: of it, all of which counts
 *
 * Return: TUNABLE_IGNORED or one behind it; -EINVAL for anything else.
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
 * tunable_label_name - the name of a label
 * @label: which
 *
 * Return: as tunable_parse_label() takes it.
 */
const char *tunable_label_name(enum tunable_label label)
{
	return label_names[label];
}
