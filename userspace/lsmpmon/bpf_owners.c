// SPDX-License-Identifier: GPL-2.0-only
/* Who has BPF programs: processes with a file descriptor of one or of its link, and files in which these are pinned. */

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alloc.h"
#include "bpf_programs.h"

#define PINS "/sys/fs/bpf"
#define PINS_OPEN 16

/* nftw() passes nothing on. */
static struct bpf_programs *pinned;

/* One word of a list: blanks, commas and what cannot be printed are written as the kernel does, in octal. */
static char *word(const char *text)
{
	char *copy = xcalloc(4 * strlen(text) + 1, 1), *end = copy;

	for (; *text; text++)
		if (isgraph((unsigned char)*text) && !strchr("\\,", *text))
			*end++ = *text;
		else
			end += sprintf(end, "\\%03o", (unsigned char)*text);
	return copy;
}

/* A process may have a program several times, one after another. */
static void add_owner(struct bpf_program *program, const char *owner)
{
	char *before = program->owners, *last = before ? strrchr(before, ',') : NULL;

	if (before && !strcmp(last ? last + 1 : before, owner))
		return;
	program->owners = xasprintf("%s%s%s", before ?: "", before ? "," : "", owner);
	free(before);
}

static void add(struct bpf_programs *programs, unsigned int id, const char *owner)
{
	for (size_t i = 0; i < programs->count; i++)
		if (programs->all[i].after.id == id)
			add_owner(&programs->all[i], owner);
}

/* The program that a file descriptor is of; 0 for another file, as no program has that number. */
static unsigned int program_of(const char *fdinfo)
{
	FILE *file = fopen(fdinfo, "re");
	char line[256];
	unsigned int id = 0;

	while (file && fgets(line, sizeof(line), file) && sscanf(line, "prog_id: %u", &id) != 1)
		;
	if (file)
		fclose(file);
	return id;
}

static bool is_bpf(const char *pid, const char *fd)
{
	char *path = xasprintf("/proc/%s/fd/%s", pid, fd), target[32] = "";
	bool found = readlink(path, target, sizeof(target) - 1) > 0 && !strncmp(target, "anon_inode:bpf", 14);

	free(path);
	return found;
}

static char *process_name(const char *pid)
{
	char *path = xasprintf("/proc/%s/comm", pid), comm[64] = "", *text, *name;
	FILE *file = fopen(path, "re");

	if (file && fgets(comm, sizeof(comm), file))
		comm[strcspn(comm, "\n")] = '\0';
	if (file)
		fclose(file);
	free(path);
	text = word(comm);
	name = xasprintf("%s:%s", text, pid);
	free(text);
	return name;
}

/* Processes end, and their file descriptors are closed, while we look. */
static void look_into(struct bpf_programs *programs, const char *pid)
{
	char *folder = xasprintf("/proc/%s/fdinfo", pid), *name = process_name(pid);
	DIR *descriptors = opendir(folder);

	for (struct dirent *fd; descriptors && (fd = readdir(descriptors));) {
		char *path = xasprintf("%s/%s", folder, fd->d_name);

		if (isdigit(*fd->d_name) && is_bpf(pid, fd->d_name))
			add(programs, program_of(path), name);
		free(path);
	}
	if (descriptors)
		closedir(descriptors);
	free(name);
	free(folder);
}

static int look_at_pin(const char *path, const struct stat *status, int type, struct FTW *place)
{
	union bpf_attr attributes = { .pathname = (uintptr_t)path };
	char *fdinfo, *name;
	int fd;

	(void)status;
	(void)place;
	fd = type == FTW_F ? bpf_call(BPF_OBJ_GET, &attributes) : -1;
	if (fd < 0)
		return 0;
	fdinfo = xasprintf("/proc/self/fdinfo/%d", fd);
	name = word(path);
	add(pinned, program_of(fdinfo), name);
	free(name);
	free(fdinfo);
	close(fd);
	return 0;
}

void bpf_owners_find(struct bpf_programs *programs)
{
	DIR *processes = opendir("/proc");

	/* We have all of them. */
	for (struct dirent *one; processes && (one = readdir(processes));)
		if (isdigit(*one->d_name) && atoi(one->d_name) != getpid())
			look_into(programs, one->d_name);
	if (processes)
		closedir(processes);
	pinned = programs;
	nftw(PINS, look_at_pin, PINS_OPEN, FTW_PHYS);
}
