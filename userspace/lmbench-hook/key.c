// SPDX-License-Identifier: GPL-2.0-only
/* Keys of the kernel's key service, in the keyring of this process. */

#include <linux/keyctl.h>
#include <time.h>

#include "bench.h"
#include "syscalls.h"

#define KEY_TYPE "user"
#define KEY_NAME "lmbench-hook"

/*
 * An unlinked key counts until a grace period is over, and users other than root may have 200.
 * With this pause before each call, about ten are waiting to be freed.
 */
#define REST_NS 1000000

static int rest(struct place *place)
{
	static const struct timespec time = { .tv_nsec = REST_NS };

	(void)place;
	return nanosleep(&time, NULL);
}

static int call_add(struct place *place)
{
	place->key = lh_add_key(KEY_TYPE, KEY_NAME, "", 1, KEY_SPEC_PROCESS_KEYRING);
	return place->key < 0 ? -1 : 0;
}

static int call_unlink(struct place *place)
{
	long key = place->key;

	place->key = -1;
	return lh_keyctl(KEYCTL_UNLINK, key, KEY_SPEC_PROCESS_KEYRING, 0, 0);
}

/* Updates the payload of the existing key: none is made or removed. */
static int call_update(struct place *place)
{
	long same = lh_add_key(KEY_TYPE, KEY_NAME, "", 1, KEY_SPEC_PROCESS_KEYRING);

	return same == place->key ? 0 : -1;
}

static int call_search(struct place *place)
{
	long found = lh_keyctl(KEYCTL_SEARCH, KEY_SPEC_PROCESS_KEYRING, (long)KEY_TYPE,
			       (long)KEY_NAME, 0);

	return found == place->key ? 0 : -1;
}

static int make_add(struct place *place, const struct bench *bench)
{
	return bench_try(bench, place);
}

static int make_key(struct place *place, const struct bench *bench)
{
	return call_add(place) ? 1 : bench_try(bench, place);
}

static void clear_key(struct place *place)
{
	if (place->key >= 0)
		call_unlink(place);
}

const struct bench key_benches[] = {
	{ .name = "key/add", .calls = "clock_nanosleep [add_key] keyctl",
	  .what = "add a key to the process keyring (its serial number is random: see min)",
	  .setup = make_add,
	  .before = rest, .call = call_add, .after = call_unlink, .clear = clear_key },
	{ .name = "key/update", .calls = "[add_key]",
	  .what = "update the payload of a key in the process keyring",
	  .setup = make_key, .call = call_update, .clear = clear_key },
	{ .name = "key/search", .calls = "[keyctl]", .what = "find a key in the process keyring",
	  .setup = make_key, .call = call_search, .clear = clear_key },
	{ 0 }
};
