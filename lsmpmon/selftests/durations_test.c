// SPDX-License-Identifier: GPL-2.0-only
/*
 * LSM performance monitor: histogram, trace events and their filters agree on
 * how long hook calls took
 *
 * IMA reads a whole file inside mmap_file, so files of many sizes give many
 * durations. The trace events of each call are the witness.
 */

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "../kselftest_harness.h"
#include "events.h"
#include "table.h"

#define FILES		149
#define LARGEST		(1 << 20)

#define INSTANCES	TRACING "instances/"
#define ALL		INSTANCES "lsmpmon-all/"
#define LONG		INSTANCES "lsmpmon-long/"
#define HOOK		"mmap_file"

/* The hook's calls in a tracing instance. */
struct durations {
	int events, long_events;	/* more than 10000 ns */
	int calls;			/* without those with a switch inside */
	unsigned long long ns[FILES];
};

static int compare(const void *a, const void *b)
{
	const unsigned long long *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

/* Calls with a switch inside are in no histogram. */
static int read_durations(const char *trace, struct durations *d)
{
	FILE *f = fopen(trace, "r");
	unsigned long long ns;
	char line[1024];
	const char *at;

	if (!f)
		return -1;
	memset(d, 0, sizeof(*d));
	while (d->calls < FILES && fgets(line, sizeof(line), f)) {
		at = strstr(line, " ns=");
		if (!at || sscanf(at, " ns=%llu", &ns) != 1)
			continue;
		d->events++;
		d->long_events += ns > 10000;
		if (!strstr(line, "disturbed=switched"))
			d->ns[d->calls++] = ns;
	}
	fclose(f);
	qsort(d->ns, d->calls, sizeof(*d->ns), compare);
	return 0;
}

/* Set up tracing; returns the file that switches it on and off. */
static int trace_hook(const char *instance, const char *filter)
{
	char path[256];

	if (mkdir(instance, 0700) && errno != EEXIST)
		return -1;
	snprintf(path, sizeof(path), "%sevents/lsmpmon/" EXIT "filter", instance);
	if (write_file(path, filter))
		return -1;
	snprintf(path, sizeof(path), "%sevents/lsmpmon/" EXIT "enable", instance);
	return open(path, O_WRONLY);
}

/* Sizes grow by a constant factor from one byte on; no two files are equal. */
static int make_file(int i, size_t size)
{
	static char block[LARGEST];
	char path[256];
	int fd, err = 0;

	memset(block, i, size);
	snprintf(path, sizeof(path), "%s/lsmpmon-size-%d", getenv("EXT4"), i);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (fd < 0)
		return -1;
	if (write(fd, block, size) != (ssize_t)size)
		err = -1;
	close(fd);
	return err;
}

static int map_files(void)
{
	char path[256];
	void *page;
	int i, fd;

	for (i = 0; i < FILES; i++) {
		snprintf(path, sizeof(path), "%s/lsmpmon-size-%d",
			 getenv("EXT4"), i);
		fd = open(path, O_RDONLY);
		page = mmap(NULL, 1, PROT_EXEC, MAP_PRIVATE, fd, 0);
		if (page == MAP_FAILED)
			return -1;
		munmap(page, 1);
		close(fd);
		unlink(path);
	}
	return 0;
}

FIXTURE(durations)
{
	struct table histogram;
	struct durations all;
};

FIXTURE_SETUP(durations)
{
	double size = 1;
	int i;

	if (access(LSMMON, F_OK))
		SKIP(return, "no " LSMMON);
	memset(self, 0, sizeof(*self));
	if (access(INSTANCES, F_OK))
		SKIP(return, "no " INSTANCES);
	if (!getenv("EXT4"))
		SKIP(return, "no ext4 to work on: EXT4 is not set");
	if (write_file(IMA_POLICY, MEASURE_CODE_ON_EXT4))
		SKIP(return, "IMA takes no policy");
	for (i = 0; i < FILES; i++) {
		ASSERT_EQ(0, make_file(i, size));
		size = size * 1.1 < LARGEST ? size * 1.1 + 1 : LARGEST;
	}
	ASSERT_EQ(0, lsmmon_control(0));
	ASSERT_EQ(0, lsmmon_feature("histogram", 1));
}

FIXTURE_TEARDOWN(durations)
{
	lsmmon_control(0);
	lsmmon_feature("histogram", 0);
	rmdir(ALL);
	rmdir(LONG);
	table_free(&self->histogram);
}

/* Between the writes only the files below are mapped. */
static void measure(struct __test_metadata *_metadata)
{
	char filter[64];
	int fd[3], i;

	fd[0] = trace_hook(LONG, hook_filter(filter, sizeof(filter), HOOK,
					     " && ns > 10000"));
	fd[1] = trace_hook(ALL, hook_filter(filter, sizeof(filter), HOOK, ""));
	fd[2] = open(LSMMON "control", O_WRONLY);
	for (i = 0; i < 3; i++) {
		ASSERT_LE(0, fd[i]);
		ASSERT_EQ(1, write(fd[i], "1", 1));
	}
	ASSERT_EQ(0, map_files());
	while (i--) {
		ASSERT_EQ(1, write(fd[i], "0", 1));
		close(fd[i]);
	}
}

/* Number of calls that took less than a given time. */
static int calls_below(const struct durations *d, double ns)
{
	int calls = 0;

	while (calls < d->calls && d->ns[calls] < ns)
		calls++;
	return calls;
}

/*
 * Each bucket must have as many calls as the events, whose times are less by up to a
 * nanosecond, and by what the factor of the kernel lacks.
 */
static void expect_buckets(struct __test_metadata *_metadata,
			   FIXTURE_DATA(durations) *self)
{
	const struct table *t = &self->histogram;
	int row, calls = 0;
	double ns;

	for (row = 0; row < t->rows; row++) {
		if (strcmp(table_text(t, row, "hook"), HOOK))
			continue;
		calls += table_number(t, row, "count");
		ns = ticks_in_ns(table_number(t, row, "le"));
		EXPECT_LE(calls_below(&self->all, ns - ns / (1 << 20) - 1), calls)
			TH_LOG("at most %s ticks", table_text(t, row, "le"));
		EXPECT_GE(calls_below(&self->all, ns + 1), calls)
			TH_LOG("at most %s ticks", table_text(t, row, "le"));
	}
	EXPECT_EQ(self->all.calls, calls);
}

/* The quantile as any reader of the file computes it. */
static unsigned long long quantile(const struct table *t, int rank)
{
	int row, calls = 0;

	for (row = 0; row < t->rows; row++) {
		if (strcmp(table_text(t, row, "hook"), HOOK))
			continue;
		calls += table_number(t, row, "count");
		if (calls >= rank)
			return table_number(t, row, "le");
	}
	return 0;
}

/* It may be at most an eighth above the exact one. */
static void expect_quantile(struct __test_metadata *_metadata,
			    FIXTURE_DATA(durations) *self, int per_mille)
{
	int rank = (self->all.calls * per_mille + 999) / 1000;
	double exact = self->all.ns[rank - 1];
	double read = ticks_in_ns(quantile(&self->histogram, rank));

	TH_LOG("%d per mille: %.0f ns, by the histogram %.1f", per_mille, exact,
	       read);
	EXPECT_LE(exact, read);
	EXPECT_GE((exact + 1) * (1 + 1. / (1 << 20)) * 9 / 8, read);
}

/* Some calls sleep for the disk or are preempted; most, where locks sleep. */
static int undisturbed_one_in(void)
{
	struct utsname uts;

	return !uname(&uts) && strstr(uts.version, "PREEMPT_RT") ? 10 : 2;
}

TEST_F_TIMEOUT(durations, are_the_same_everywhere, 120)
{
	struct durations some;

	measure(_metadata);
	ASSERT_EQ(0, table_read(&self->histogram, "histogram"));
	ASSERT_EQ(0, read_durations(ALL "trace", &self->all));
	ASSERT_EQ(0, read_durations(LONG "trace", &some));
	ASSERT_LT(FILES / undisturbed_one_in(), self->all.calls);
	expect_buckets(_metadata, self);
	expect_quantile(_metadata, self, 500);
	expect_quantile(_metadata, self, 900);
	expect_quantile(_metadata, self, 990);
	expect_quantile(_metadata, self, 999);
	/* The filter of the other instance has passed exactly those. */
	EXPECT_LT(0, some.events);
	EXPECT_EQ(some.events, some.long_events);
	EXPECT_EQ(self->all.long_events, some.events);
	EXPECT_EQ(0, lsmmon_info("lost"));
}

TEST_HARNESS_MAIN
