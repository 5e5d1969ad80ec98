/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the tests of the Tunable Security Module: a folder with a file, and no delays
 *
 * A program includes ../kselftest_harness.h first.
 */

#ifndef TUNABLE_FIXTURE_H
#define TUNABLE_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tunable.h"

FIXTURE(tunable)
{
	char folder[64];
	char file[128];
	char program[128];
};

FIXTURE_SETUP(tunable)
{
	const char *place = getenv("EXT4");

	if (access(TUNABLE, F_OK))
		SKIP(return, "no " TUNABLE ": lsm=...,tunable");
	nothing_waits();
	snprintf(self->folder, sizeof(self->folder), "%s/tunable.XXXXXX",
		 place ?: "/tmp");
	ASSERT_NE(NULL, mkdtemp(self->folder));
	snprintf(self->file, sizeof(self->file), "%s/file", self->folder);
	snprintf(self->program, sizeof(self->program), "%s/program",
		 self->folder);
	ASSERT_EQ(0, make_file(self->file, 0644));
}

FIXTURE_TEARDOWN(tunable)
{
	char command[128];

	nothing_waits();
	snprintf(command, sizeof(command), "rm -rf %s", self->folder);
	EXPECT_EQ(0, system(command));
}

#endif /* TUNABLE_FIXTURE_H */
