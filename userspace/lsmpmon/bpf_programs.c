// SPDX-License-Identifier: GPL-2.0-only
/* The BPF programs on hooks, and what the kernel counts and times of each. */

#include "bpf_programs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "alloc.h"
#include "btf.h"
#include "complain.h"

#define MODULES "/sys/kernel/security/lsm"
#define FUNCTION "bpf_lsm_"

int bpf_call(enum bpf_cmd command, union bpf_attr *attributes)
{
	return syscall(SYS_bpf, command, attributes, sizeof(*attributes));
}

static bool has_module(void)
{
	FILE *file = fopen(MODULES, "re");
	char line[1024] = "", *rest = line;
	bool found = false;

	if (!file)
		return false;
	if (fgets(line, sizeof(line), file))
		line[strcspn(line, "\n")] = '\0';
	fclose(file);
	for (char *name; !found && (name = strsep(&rest, ","));)
		found = !strcmp(name, "bpf");
	return found;
}

int bpf_programs_check(void)
{
	if (!has_module())
		return complain("--bpf: no BPF program can be on a hook: 'bpf' is not in '" MODULES "'; boot with it in lsm=");
	if (access(BTF_KERNEL, F_OK))
		return complain("--bpf: no BPF program can be on a hook: this kernel has no '" BTF_KERNEL "' "
				"(CONFIG_DEBUG_INFO_BTF)");
	return 0;
}

static int read_info(int fd, struct bpf_prog_info *info)
{
	union bpf_attr attributes = {
		.info = { .bpf_fd = fd, .info_len = sizeof(*info), .info = (uintptr_t)info }
	};

	memset(info, 0, sizeof(*info));
	return bpf_call(BPF_OBJ_GET_INFO_BY_FD, &attributes);
}

static bool is_known(const struct bpf_programs *programs, uint32_t id)
{
	for (size_t i = 0; i < programs->count; i++)
		if (programs->all[i].before.id == id || programs->all[i].after.id == id)
			return true;
	return false;
}

/* A program that is on no hook is let go, and one that has gone meanwhile is none. */
static void take(struct bpf_programs *programs, uint32_t id, bool is_new)
{
	struct bpf_program program = { .fd = bpf_call(BPF_PROG_GET_FD_BY_ID, &(union bpf_attr){ .prog_id = id }) };
	struct bpf_prog_info info;

	if (program.fd < 0)
		return;
	if (read_info(program.fd, &info) || info.type != BPF_PROG_TYPE_LSM) {
		close(program.fd);
		return;
	}
	*(is_new ? &program.after : &program.before) = info;
	programs->all = xgrow(programs->all, programs->count, sizeof(*programs->all));
	programs->all[programs->count++] = program;
}

static int take_all(struct bpf_programs *programs, bool is_new)
{
	union bpf_attr attributes = { .start_id = 0 };

	while (!bpf_call(BPF_PROG_GET_NEXT_ID, &attributes)) {
		if (!is_known(programs, attributes.next_id))
			take(programs, attributes.next_id, is_new);
		attributes.start_id = attributes.next_id;
	}
	return errno == ENOENT ? 0 : complain("cannot list BPF programs: %s", strerror(errno));
}

/* Before it is on, counters stand still, unless somebody else has it on. */
int bpf_programs_begin(struct bpf_programs *programs)
{
	union bpf_attr attributes = { .enable_stats = { .type = BPF_STATS_RUN_TIME } };

	*programs = (struct bpf_programs){ .stats = -1 };
	if (take_all(programs, false))
		return -1;
	programs->stats = bpf_call(BPF_ENABLE_STATS, &attributes);
	return programs->stats < 0 ? complain("cannot have BPF programs timed: %s", strerror(errno)) : 0;
}

int bpf_programs_end(struct bpf_programs *programs)
{
	close(programs->stats);
	programs->stats = -1;
	for (size_t i = 0; i < programs->count; i++)
		if (read_info(programs->all[i].fd, &programs->all[i].after))
			return complain("cannot read the counters of a BPF program: %s", strerror(errno));
	return take_all(programs, true);
}

/* Functions that hooks call are named after them. */
static const char *hook_of(const struct btf *btf, const struct bpf_prog_info *info)
{
	const char *name = btf_name(btf, info->attach_btf_id);

	if (!name || !*name)
		return "-";
	return strncmp(name, FUNCTION, strlen(FUNCTION)) ? name : name + strlen(FUNCTION);
}

static void print(FILE *out, const struct bpf_program *program, const char *hook)
{
	const struct bpf_prog_info *before = &program->before, *after = &program->after;

	fprintf(out, "%s %.*s %u %u %s %ju %ju %ju\n", hook, BPF_OBJ_NAME_LEN, *after->name ? after->name : "-", after->id,
		after->created_by_uid, program->owners ?: "-", (uintmax_t)(after->run_cnt - before->run_cnt),
		(uintmax_t)(after->run_time_ns - before->run_time_ns),
		(uintmax_t)(after->recursion_misses - before->recursion_misses));
}

int bpf_programs_add(struct bpf_programs *programs, struct run *run)
{
	struct btf btf;
	char *text = NULL;
	size_t size;
	FILE *out;

	if (btf_read(&btf, BTF_KERNEL))
		return -1;
	bpf_owners_find(programs);
	out = open_memstream(&text, &size);
	if (!out)
		out_of_memory();
	fprintf(out, "hook program id uid owner count ns missed\n");
	for (size_t i = 0; i < programs->count; i++)
		print(out, &programs->all[i], hook_of(&btf, &programs->all[i].after));
	if (fclose(out))
		out_of_memory();
	run_add(run, "bpf", text);
	free(text);
	btf_free(&btf);
	return 0;
}

void bpf_programs_free(struct bpf_programs *programs)
{
	if (programs->stats >= 0)
		close(programs->stats);
	for (size_t i = 0; i < programs->count; i++) {
		close(programs->all[i].fd);
		free(programs->all[i].owners);
	}
	free(programs->all);
	*programs = (struct bpf_programs){ .stats = -1 };
}
