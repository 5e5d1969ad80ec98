/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_PROCESSOR_H
#define LSMPMON_PROCESSOR_H

#include <stdbool.h>

/**
 * struct processor - what runs us, by what it says of itself
 * @model: its name, to be freed; NULL: it has none
 * @hypervisor: who is beneath it; NULL: nobody, or nobody who tells
 * @is_emulated: by software, so that times mean nothing
 * @is_uml: this is User-Mode Linux, whose kernel runs at the host's speed
 */
struct processor {
	char *model;
	const char *hypervisor;
	bool is_emulated;
	bool is_uml;
};

struct processor processor_read(void);

#endif
