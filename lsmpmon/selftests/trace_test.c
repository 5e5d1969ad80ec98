// SPDX-License-Identifier: GPL-2.0-only
/*
 * LSM performance monitor: trace events agree with result
 */

#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "../kselftest_harness.h"
#include "events.h"
#include "table.h"

#define N	257

struct traced {
	int enters, objects, exits;
	unsigned long long ns;
};

/* Count one hook of this process in the trace. */
static int count_traced(const char *hook, struct traced *t)
{
	char line[1024], name[NAME_LENGTH], pid[32];
	FILE *f = fopen(TRACING "trace", "r");
	unsigned long long ns;
	const char *at;

	if (!f)
		return -1;
	memset(t, 0, sizeof(*t));
	snprintf(pid, sizeof(pid), "-%d", getpid());
	while (fgets(line, sizeof(line), f)) {
		at = strstr(line, "hook=");
		if (!at || !strstr(line, pid) ||
		    sscanf(at, "hook=%63s", name) != 1 || strcmp(name, hook))
			continue;
		t->enters += !!strstr(line, "lsm_hook_enter:");
		t->objects += !!strstr(line, "lsm_hook_object:");
		at = strstr(line, " ns=");
		if (strstr(line, "lsm_hook_exit:") && at &&
		    sscanf(at, " ns=%llu", &ns) == 1) {
			t->exits++;
			t->ns += ns;
		}
	}
	fclose(f);
	return 0;
}

FIXTURE(trace)
{
};

FIXTURE_SETUP(trace)
{
	if (access(EVENTS, F_OK))
		SKIP(return, "no " EVENTS);
	ASSERT_EQ(0, lsmmon_control(0));
	ASSERT_EQ(0, lsmmon_reset());
	ASSERT_EQ(0, write_file(TRACING "trace", "\n"));
}

FIXTURE_TEARDOWN(trace)
{
	write_file(EVENTS "enable", "0");
	write_file(EVENTS "lsm_hook_exit/filter", "0");
	lsmmon_control(0);
}

static void stat_often(void)
{
	struct stat st;
	int i;

	for (i = 0; i < N; i++)
		stat("/", &st);
}

TEST_F(trace, works_with_control_at_0)
{
	static struct result r;
	struct traced t;

	ASSERT_EQ(0, write_file(EVENTS "enable", "1"));
	stat_often();
	ASSERT_EQ(0, write_file(EVENTS "enable", "0"));
	ASSERT_EQ(0, count_traced("inode_getattr", &t));
	EXPECT_EQ(N, t.enters);
	EXPECT_EQ(N, t.objects);
	EXPECT_EQ(N, t.exits);
	ASSERT_EQ(0, lsmmon_result(&r));
	EXPECT_EQ(0, calls(lsmmon_hook(&r, "inode_getattr")));
}

TEST_F(trace, agrees_with_result)
{
	struct table verdicts = {};
	struct traced t;

	ASSERT_EQ(0, write_file(EVENTS "enable", "1"));
	ASSERT_EQ(0, lsmmon_control(1));
	stat_often();
	ASSERT_EQ(0, lsmmon_control(0));
	ASSERT_EQ(0, write_file(EVENTS "enable", "0"));
	ASSERT_EQ(0, count_traced("inode_getattr", &t));
	ASSERT_EQ(0, table_read(&verdicts, "verdicts"));
	EXPECT_EQ(N, t.exits);
	EXPECT_EQ(N, (int)table_calls(&verdicts, "inode_getattr", "verdict", "allow"));
	EXPECT_TRUE(is_same_time(t.ns, table_sum(&verdicts, "inode_getattr", "sum") +
				 table_sum(&verdicts, "inode_getattr", "cs_sum"), N));
	table_free(&verdicts);
}

TEST_F(trace, can_be_filtered)
{
	char filter[64];
	struct traced t;

	ASSERT_EQ(0, write_file(EVENTS "lsm_hook_exit/filter",
				hook_filter(filter, sizeof(filter),
					    "inode_getattr", " && ns > 0")));
	ASSERT_EQ(0, write_file(EVENTS "lsm_hook_exit/enable", "1"));
	stat_often();
	ASSERT_EQ(0, write_file(EVENTS "lsm_hook_exit/enable", "0"));
	ASSERT_EQ(0, count_traced("inode_getattr", &t));
	EXPECT_EQ(N, t.exits);
	ASSERT_EQ(0, count_traced("inode_permission", &t));
	EXPECT_EQ(0, t.exits);
}

#define PLACE	"/tmp/lsmpmon trace"
#define OBJECT	" object=lsmpmon\\040trace\n"

/* The nanoseconds of an event; 0 if the line has no event with that text. */
static unsigned long long ns_of(const char *line, const char *event, const char *text)
{
	const char *at = strstr(line, " ns=");
	unsigned long long ns = 0;

	if (at && strstr(line, event) && strstr(line, text) &&
	    sscanf(at, " ns=%llu", &ns) != 1)
		ns = 0;
	return ns;
}

/* The name of an object stands before the call that is about it. */
TEST_F(trace, names_objects)
{
	unsigned long long named = 0, ns;
	char line[1024];
	int pairs = 0;
	FILE *f;

	rmdir(PLACE);
	ASSERT_EQ(0, write_file(EVENTS "lsm_hook_object/enable", "1"));
	ASSERT_EQ(0, write_file(EVENTS "lsm_hook_exit/enable", "1"));
	ASSERT_EQ(0, mkdir(PLACE, 0700));
	ASSERT_EQ(0, write_file(EVENTS "enable", "0"));
	rmdir(PLACE);
	f = fopen(TRACING "trace", "r");
	ASSERT_NE(NULL, f);
	while (fgets(line, sizeof(line), f)) {
		ns = ns_of(line, "lsm_hook_object: hook=inode_mkdir ", OBJECT);
		named = ns ?: named;
		ns = ns_of(line, "lsm_hook_exit: hook=inode_mkdir ", "");
		pairs += ns && ns == named;
	}
	fclose(f);
	EXPECT_EQ(1, pairs);
}

TEST_F(trace, has_histograms)
{
	char line[1024];
	int hits = -1;
	FILE *f;

	if (write_file(EVENTS "lsm_hook_exit/trigger", "hist:keys=func.sym,verdict"))
		SKIP(return, "no hist triggers");
	stat_often();
	f = fopen(EVENTS "lsm_hook_exit/hist", "r");
	ASSERT_NE(NULL, f);
	while (fgets(line, sizeof(line), f))
		if (strstr(line, "] lsmpmon_call_inode_getattr "))
			sscanf(strstr(line, "hitcount:"), "hitcount: %d", &hits);
	fclose(f);
	write_file(EVENTS "lsm_hook_exit/trigger", "!hist:keys=func.sym,verdict");
	/* The C library calls fstat() on the file that it reads. */
	EXPECT_LE(N, hits);
	EXPECT_GE(N + 1, hits);
}

#define BY_RC	"hist:keys=func.sym,rc:vals=ns if syscall == "
#define M	101

/* sethostname() calls capable() before it rejects the long name. */
static void ask_often(int times)
{
	while (times--)
		syscall(SYS_sethostname, "x", 1000);
}

static void be_refused(int times)
{
	pid_t child = fork();

	if (!child) {
		if (!setuid(65534))
			ask_often(times);
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

struct hits {
	int calls;
	unsigned long long ns;
};

#define HITS "{ func: [%*x] lsmpmon_call_%63s , rc: %llu } hitcount: %d ns: %llu"

/* A line of the histogram; a trigger shows numbers without sign. */
static int read_hits(const char *hook, int rc, struct hits *hits)
{
	FILE *f = fopen(EVENTS "lsm_hook_exit/hist", "r");
	char line[1024], name[NAME_LENGTH];
	unsigned long long value;
	struct hits parsed;

	if (!f)
		return -1;
	memset(hits, 0, sizeof(*hits));
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, HITS, name, &value, &parsed.calls, &parsed.ns) == 4 &&
		    !strcmp(name, hook) && (int)value == rc)
			*hits = parsed;
	fclose(f);
	return 0;
}

TEST_F(trace, has_histograms_of_what_was_returned)
{
	struct hits refused, allowed;
	struct table verdicts = {};
	char trigger[128];

	snprintf(trigger, sizeof(trigger), "!" BY_RC "%d", SYS_sethostname);
	if (write_file(EVENTS "lsm_hook_exit/trigger", trigger + 1))
		SKIP(return, "no hist triggers");
	ASSERT_EQ(0, lsmmon_control(1));
	be_refused(M);
	ask_often(N);
	ASSERT_EQ(0, lsmmon_control(0));
	ASSERT_EQ(0, read_hits("capable", -EPERM, &refused));
	ASSERT_EQ(0, read_hits("capable", 0, &allowed));
	write_file(EVENTS "lsm_hook_exit/trigger", trigger);
	EXPECT_EQ(M, refused.calls);
	EXPECT_EQ(N, allowed.calls);
	ASSERT_EQ(0, table_read(&verdicts, "verdicts"));
	EXPECT_EQ(M, (int)table_calls(&verdicts, "capable", "verdict", "deny"));
	EXPECT_TRUE(is_same_time(refused.ns,
				 table_sum_where(&verdicts, "capable", "verdict",
						 "deny", "sum") +
				 table_sum_where(&verdicts, "capable", "verdict",
						 "deny", "cs_sum"), M));
	table_free(&verdicts);
}

TEST_HARNESS_MAIN
