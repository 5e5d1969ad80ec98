// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of the kernel's types by their numbers, of which functions are some. That is all that is needed of libbpf, which
 * with libelf would add half a megabyte to this program, and which not every machine that compiles it has.
 */

#include "btf.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc.h"
#include "complain.h"

/* Bytes that follow a type: so many in all, and so many for each of its members. */
static const struct { uint8_t all, each; } tails[] = {
	[BTF_KIND_INT] = { .all = 4 },
	[BTF_KIND_ARRAY] = { .all = sizeof(struct btf_array) },
	[BTF_KIND_STRUCT] = { .each = sizeof(struct btf_member) },
	[BTF_KIND_UNION] = { .each = sizeof(struct btf_member) },
	[BTF_KIND_ENUM] = { .each = sizeof(struct btf_enum) },
	[BTF_KIND_FUNC_PROTO] = { .each = sizeof(struct btf_param) },
	[BTF_KIND_VAR] = { .all = sizeof(struct btf_var) },
	[BTF_KIND_DATASEC] = { .each = sizeof(struct btf_var_secinfo) },
	[BTF_KIND_DECL_TAG] = { .all = sizeof(struct btf_decl_tag) },
	[BTF_KIND_ENUM64] = { .each = sizeof(struct btf_enum64) },
};

#define KINDS (sizeof(tails) / sizeof(*tails))

static char *read_bytes(int fd, size_t *size)
{
	char *bytes = NULL;
	size_t room = 0;
	ssize_t length;

	*size = 0;
	do {
		if (*size == room) {
			room = 2 * room + (1 << 20);
			bytes = realloc(bytes, room);
			if (!bytes)
				out_of_memory();
		}
		length = read(fd, bytes + *size, room - *size);
		*size += length > 0 ? length : 0;
	} while (length > 0);
	return bytes;
}

/* The two parts that are used, wherever the header has them. */
static int find_parts(struct btf *btf, size_t size)
{
	const struct btf_header *header = (const void *)btf->bytes;
	size_t types, names;

	if (size < sizeof(*header) || header->magic != BTF_MAGIC || header->hdr_len > size)
		return -1;
	types = (size_t)header->hdr_len + header->type_off;
	names = (size_t)header->hdr_len + header->str_off;
	if (types % 4 || types + header->type_len > size || names + header->str_len > size || !header->str_len ||
	    btf->bytes[names + header->str_len - 1])
		return -1;
	btf->types = btf->bytes + types;
	btf->types_end = btf->types + header->type_len;
	btf->names = btf->bytes + names;
	btf->names_end = btf->names + header->str_len;
	return 0;
}

int btf_read(struct btf *btf, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t size;

	if (fd < 0)
		return complain("cannot open '%s': %s", path, strerror(errno));
	*btf = (struct btf){ .bytes = read_bytes(fd, &size) };
	close(fd);
	if (!find_parts(btf, size))
		return 0;
	btf_free(btf);
	return complain("'%s' does not have types in the format BTF", path);
}

void btf_free(struct btf *btf)
{
	free(btf->bytes);
	*btf = (struct btf){ 0 };
}

/* The one behind it; NULL if there is none, or none that can be found. */
static const struct btf_type *next_type(const struct btf *btf, const struct btf_type *type)
{
	uint32_t kind = BTF_INFO_KIND(type->info);
	size_t size;

	if (!kind || kind >= KINDS)
		return NULL;
	size = sizeof(*type) + tails[kind].all + (size_t)tails[kind].each * BTF_INFO_VLEN(type->info);
	if (size + sizeof(*type) > (size_t)(btf->types_end - (const char *)type))
		return NULL;
	return (const void *)((const char *)type + size);
}

const char *btf_name(const struct btf *btf, uint32_t id)
{
	const struct btf_type *type = (const void *)btf->types;

	if (!id || btf->types_end - btf->types < (ptrdiff_t)sizeof(*type))
		return NULL;
	while (type && --id)
		type = next_type(btf, type);
	if (!type || type->name_off >= (size_t)(btf->names_end - btf->names))
		return NULL;
	return btf->names + type->name_off;
}
