/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files of lsmmon/ as the directory has them, and who can open them
 *
 * File modes refuse most users before the monitor checks them.  To test the monitor,
 * the modes are opened to everybody.
 */

#ifndef DIRECTORY_H
#define DIRECTORY_H

#include <dirent.h>
#include <sys/stat.h>

#include "lsmmon.h"

#define MAX_FILES	64

struct directory {
	int files;
	struct {
		char path[128];
		mode_t mode;
	} file[MAX_FILES];
};

/* List the files; -1 if there are none or too many. */
static inline int directory_read(struct directory *d)
{
	DIR *dir = opendir(LSMMON);
	struct dirent *entry;
	struct stat st;

	memset(d, 0, sizeof(*d));
	while (dir && (entry = readdir(dir))) {
		if (*entry->d_name == '.')
			continue;
		if (d->files == MAX_FILES)
			return -1;
		snprintf(d->file[d->files].path, sizeof(d->file->path),
			 LSMMON "%.64s", entry->d_name);
		if (stat(d->file[d->files].path, &st))
			return -1;
		d->file[d->files++].mode = st.st_mode & 07777;
	}
	if (dir)
		closedir(dir);
	return d->files ? 0 : -1;
}

/* Open the file modes to everybody, or restore them. */
static inline int directory_let_all(const struct directory *d)
{
	int i, err = 0;

	for (i = 0; i < d->files; i++)
		err |= chmod(d->file[i].path, 0666);
	return err;
}

static inline int directory_restore(const struct directory *d)
{
	int i, err = 0;

	for (i = 0; i < d->files; i++)
		err |= chmod(d->file[i].path, d->file[i].mode);
	return err;
}

/* Number of files for which open() does not fail with this error. */
static inline int directory_others_than(const struct directory *d, int error)
{
	static const int how[] = { O_RDONLY, O_WRONLY, O_RDWR };
	int i, j, fd, others = 0;

	for (i = 0; i < d->files; i++)
		for (j = 0; j < 3; j++) {
			fd = open(d->file[i].path, how[j]);
			if (fd < 0 && errno == error)
				continue;
			printf("# %s, opened with %d: %s\n", d->file[i].path,
			       how[j], fd < 0 ? strerror(errno) : "opens");
			if (fd >= 0)
				close(fd);
			others++;
		}
	fflush(stdout);
	return others;
}

#endif /* DIRECTORY_H */
