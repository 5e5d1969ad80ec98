/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LMBENCH_HOOK_TREE_H
#define LMBENCH_HOOK_TREE_H

#include "bench.h"

/*
 * The variations of calls that take a path: the part of the name after the slash, the function that
 * makes it, its depth, and a description. Paths are relative to the working directory, so a depth of
 * 1 is one directory lookup.
 */
#define TREE_DEPTHS(DEPTH)	\
	DEPTH(1), DEPTH(2), DEPTH(3), DEPTH(4), DEPTH(5), DEPTH(6), DEPTH(7), DEPTH(8)

#define TREE_KINDS(KIND)	\
	KIND("hard-link", tree_hard_link, 1, "a second name of a file"),	\
	KIND("symlink", tree_symlink, 1, "a symbolic link to a file beside it"),	\
	KIND("lmbench", tree_lmbench, 5, PLACE_LMBENCH_PATH)

#define TREE_DOTDOTS(KIND)	\
	KIND("dotdot-3", tree_dotdot_3, 3, "AA/../HH"),	\
	KIND("dotdot-9", tree_dotdot_9, 9, "XX/YY/../../AA/BB/../../HH")

int tree_enter(struct place *place);
void tree_leave(struct place *place);

int tree_depth(struct place *place, const struct bench *bench);
int tree_hard_link(struct place *place, const struct bench *bench);
int tree_symlink(struct place *place, const struct bench *bench);
int tree_missing(struct place *place, const struct bench *bench);
int tree_lmbench(struct place *place, const struct bench *bench);
int tree_dotdot_3(struct place *place, const struct bench *bench);
int tree_dotdot_9(struct place *place, const struct bench *bench);

#endif
