// SPDX-License-Identifier: GPL-2.0-only
/* A call that policy denies. */

#include <errno.h>

#include "bench.h"
#include "complain.h"
#include "syscalls.h"

static int open_denied(struct place *place)
{
	place->fd = lh_open(place->denied, O_RDONLY);
	return place->fd < 0 && (errno == EACCES || errno == EPERM) ? 0 : -1;
}

/* Left out without a file. One that is not denied fails here, before the first sample. */
static int find_denied(struct place *place, const struct bench *bench)
{
	if (!place->denied) {
		errno = ENOENT;
		return 1;
	}
	if (!open_denied(place))
		return 0;
	if (place->fd >= 0) {
		complain("%s: '%s' was opened: give --denied a file that policy denies", bench->name, place->denied);
		errno = ENOTSUP;
	}
	return -1;
}

const struct bench denied_benches[] = {
	{ .name = "denied/open", .calls = "[open]", .what = "open a file that policy denies (--denied)",
	  .setup = find_denied, .call = open_denied },
	{ 0 }
};
