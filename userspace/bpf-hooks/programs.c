// SPDX-License-Identifier: GPL-2.0-only
/* Loads and attaches BPF programs: one for all functions, or one for each. */

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include "programs.h"

/* BPF_TRACE_FSESSION, which libbpf does not know before 1.7, nor the headers of Linux before 7.0. */
#define TRACE_FSESSION 58

/* Each function may have a link and a program at both ends, two maps and its types. */
#define FILES_PER_FUNCTION 8

/* Those that are attached. */
static struct bpf_object *objects[FUNCTIONS_MAX];
static size_t object_count;

int complain(const char *what)
{
	char reason[128];

	libbpf_strerror(errno, reason, sizeof(reason));
	fprintf(stderr, "bpf-hooks: %s: %s\n", what, reason);
	return -1;
}

static bool in_section(const struct bpf_program *program, const char *name)
{
	return !strcmp(bpf_program__section_name(program), name);
}

/* Without a probe, a program is loaded for one function. */
static bool one_for_all(struct bpf_object *object)
{
	struct bpf_program *program = bpf_object__next_program(object, NULL);

	return in_section(program, "kprobe.multi") || in_section(program, "kretprobe.multi");
}

static struct bpf_object *open_object(const char *path, int costs)
{
	struct bpf_object *object = bpf_object__open_file(path, NULL);

	if (!object || bpf_map__reuse_fd(bpf_object__find_map_by_name(object, "costs"), costs)) {
		complain(path);
		return NULL;
	}
	return object;
}

static int load(struct bpf_object *object, const char *name)
{
	if (bpf_object__load(object))
		return complain(name);
	objects[object_count++] = object;
	return 0;
}

static int attach_to_all(struct bpf_object *object, const struct functions *functions)
{
	LIBBPF_OPTS(bpf_kprobe_multi_opts, options, .syms = (const char **)functions->names,
		    .cookies = (const __u64 *)functions->cookies, .cnt = functions->count);
	struct bpf_program *program;

	if (load(object, bpf_object__name(object)))
		return -1;
	bpf_object__for_each_program(program, object) {
		options.retprobe = in_section(program, "kretprobe.multi");
		if (!bpf_program__attach_kprobe_multi_opts(program, NULL, &options))
			return complain(bpf_program__name(program));
	}
	return 0;
}

static int aim(struct bpf_program *program, const char *name)
{
	if (in_section(program, "fsession")) {
		bpf_program__set_type(program, BPF_PROG_TYPE_TRACING);
		bpf_program__set_expected_attach_type(program, TRACE_FSESSION);
	}
	return bpf_program__set_attach_target(program, 0, name) ? complain(name) : 0;
}

/* The programs are attached in the order of the file: the beginning of a call first. */
static int attach_to(struct bpf_object *object, const char *name, __u32 number)
{
	struct bpf_map *constants = bpf_object__find_map_by_name(object, ".rodata");
	struct bpf_program *program;

	if (bpf_map__set_initial_value(constants, &number, sizeof(number)))
		return complain(name);
	bpf_object__for_each_program(program, object)
		if (aim(program, name))
			return -1;
	if (load(object, name))
		return -1;
	bpf_object__for_each_program(program, object)
		if (!bpf_program__attach_trace(program))
			return complain(name);
	return 0;
}

/* Functions that BTF does not have cannot be watched so. */
static int attach_to_each(const char *path, const struct functions *functions, int costs)
{
	struct btf *types = btf__load_vmlinux_btf();

	if (!types)
		return complain("BTF of this kernel");
	for (size_t i = 0; i < functions->count; i++) {
		const char *name = functions->names[i];
		struct bpf_object *object;

		if (btf__find_by_name_kind(types, name, BTF_KIND_FUNC) < 0)
			continue;
		object = open_object(path, costs);
		if (!object || attach_to(object, name, i))
			return -1;
	}
	btf__free(types);
	return 0;
}

int programs_attach(const char *path, const struct functions *functions, int costs)
{
	rlim_t files = functions->count * FILES_PER_FUNCTION + 64;
	struct bpf_object *object;

	if (setrlimit(RLIMIT_NOFILE, &(struct rlimit){ files, files }))
		return complain("open files");
	object = open_object(path, costs);
	if (!object)
		return -1;
	return one_for_all(object) ? attach_to_all(object, functions) : attach_to_each(path, functions, costs);
}

static int add_runs(struct bpf_object *object, struct runs *runs)
{
	struct bpf_program *program;

	bpf_object__for_each_program(program, object) {
		struct bpf_prog_info info = { 0 };
		__u32 size = sizeof(info);

		if (bpf_obj_get_info_by_fd(bpf_program__fd(program), &info, &size))
			return complain(bpf_program__name(program));
		runs->count += info.run_cnt;
		runs->ns += info.run_time_ns;
	}
	return 0;
}

int programs_runs(struct runs *runs)
{
	*runs = (struct runs){ 0 };
	for (size_t i = 0; i < object_count; i++)
		if (add_runs(objects[i], runs))
			return -1;
	return 0;
}
