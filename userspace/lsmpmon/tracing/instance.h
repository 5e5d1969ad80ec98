/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_INSTANCE_H
#define LSMPMON_INSTANCE_H

#include <stdint.h>
#include <tracefs.h>

/* Use the tracefs in @dir, or if that is NULL, where it is mounted. Returns 0, or -1 after a complaint if it has no event of ours. */
int instance_find_event(const char *dir);

/* A set of buffers and switches that nobody else uses, for instance_remove(). NULL after a complaint. */
struct tracefs_instance *instance_make(void);

/* Write to a file of it, or to one of our event in it. Return 0, or -1 after a complaint. */
int instance_put(struct tracefs_instance *instance, const char *file, const char *text);
int instance_put_event(struct tracefs_instance *instance, const char *event, const char *file, const char *text);

/* How many events there was no room for. */
uint64_t instance_lost(struct tracefs_instance *instance);

/* Returns 0, or -1 after a complaint. */
int instance_remove(struct tracefs_instance *instance);

#endif
