/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_BTF_H
#define LSMPMON_BTF_H

#include <stddef.h>
#include <stdint.h>

/* The types of the running kernel, which a kernel without CONFIG_DEBUG_INFO_BTF does not have. */
#define BTF_KERNEL "/sys/kernel/btf/vmlinux"

/**
 * struct btf - the types of a kernel, in the BPF Type Format
 * @bytes: the whole file
 * @types: its types, one behind another
 * @types_end: where they end
 * @names: their names, each with its end
 * @names_end: where these end
 */
struct btf {
	char *bytes;
	const char *types;
	const char *types_end;
	const char *names;
	const char *names_end;
};

/* Read the file, or another in the format. Returns 0, or -1 after a complaint. */
int btf_read(struct btf *btf, const char *path);
void btf_free(struct btf *btf);

/* The name of a type, by its number; NULL if it is not there, or behind a type of a kind that we do not know. */
const char *btf_name(const struct btf *btf, uint32_t id);

#endif
