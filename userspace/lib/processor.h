/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_PROCESSOR_H
#define LSMPMON_PROCESSOR_H

#include <stdbool.h>

/**
 * struct processor - the processor, as it describes itself
 * @model: its name, for the caller to free; NULL if it has none
 * @hypervisor: the hypervisor; NULL if none shows
 * @is_emulated: emulated in software, so times mean nothing
 * @is_uml: User-Mode Linux, whose kernel code runs at the host's speed
 */
struct processor {
	char *model;
	const char *hypervisor;
	bool is_emulated;
	bool is_uml;
};

struct processor processor_read(void);

#endif
