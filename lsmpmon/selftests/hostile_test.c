// SPDX-License-Identifier: GPL-2.0-only
/*
 * LSM performance monitor: what an unprivileged user can do to it
 *
 * Everything is tried twice, by a user in the initial user namespace and by
 * the root of a user namespace, and must have no effect: no file or event
 * opens, no hook call is lost, and read() has exactly the expected hook calls.
 */

#define _GNU_SOURCE
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "../kselftest_harness.h"
#include "directory.h"
#include "older.h"
#include "process.h"
#include "table.h"
#include "uring.h"

#define TRACING		"/sys/kernel/tracing/"
#define PARANOID	"/proc/sys/kernel/perf_event_paranoid"
#define PLACE		"/tmp/lsmpmon-hostile"

/* Number of calls of each odd number, and of reads. */
#define N		1009
#define READS		211
#define KILLS		70000	/* the environment may override it */
/* Depth of nested signals, in each of which rings are used. */
#define DEPTH		12

/* Numbers that no system call has. */
static const long odd[] = {
	-1, -2, 600, 1000, 0xffff, 0x10000, 0x7fffffff, -0x7fffffffL - 1,
	0x40000000 /* x32: read */, 0x40000001, 0x400001ff, 0x7ffffffe,
};

#define ODD	(sizeof(odd) / sizeof(*odd))

/* The result of @work in an unprivileged child, or 100 and more. */
static int as_user(int root_of_namespace, int (*work)(int), int argument)
{
	pid_t child = fork();
	int status;

	if (!child) {
		if (setresgid(NOBODY, NOBODY, NOBODY) ||
		    setresuid(NOBODY, NOBODY, NOBODY))
			_exit(100);
		/* After a change of uid, a process cannot write its uid_map. */
		prctl(PR_SET_DUMPABLE, 1);
		if (root_of_namespace && map_user("0 65534 1"))
			_exit(101);
		_exit(work(argument));
	}
	if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
		return 102;
	return WEXITSTATUS(status);
}

FIXTURE(hostile)
{
	struct table syscalls, calls;
	int paranoid;
};

FIXTURE_VARIANT(hostile)
{
	int root_of_namespace;
};

FIXTURE_VARIANT_ADD(hostile, user)
{
	.root_of_namespace = 0,
};

FIXTURE_VARIANT_ADD(hostile, root_of_namespace)
{
	.root_of_namespace = 1,
};

static int read_number(const char *path)
{
	FILE *f = fopen(path, "r");
	int number;

	if (!f)
		return -1000;
	if (fscanf(f, "%d", &number) != 1)
		number = -1000;
	fclose(f);
	return number;
}

static int write_number(const char *path, int number)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", number);
	return write_file(path, text);
}

FIXTURE_SETUP(hostile)
{
	if (access(LSMMON, F_OK))
		SKIP(return, "no " LSMMON);
	memset(self, 0, sizeof(*self));
	self->paranoid = read_number(PARANOID);
	mkdir(PLACE, 0700);
	ASSERT_EQ(0, chmod(PLACE, 0777));
	ASSERT_EQ(0, chdir(PLACE));
}

FIXTURE_TEARDOWN(hostile)
{
	lsmmon_control(0);
	lsmmon_write("filter", "p", 1);
	lsmmon_write("filter", "o", 1);
	lsmmon_feature("syscall", 0);
	lsmmon_feature("calls", 0);
	if (self->paranoid != -1000)
		write_number(PARANOID, self->paranoid);
	table_free(&self->syscalls);
	table_free(&self->calls);
	rmdir(PLACE);
}

/* Count what this process and its children do from now on. */
static void begin(struct __test_metadata *_metadata)
{
	char filter[32];

	snprintf(filter, sizeof(filter), "p %d", getpid());
	ASSERT_EQ(0, lsmmon_write("filter", filter, strlen(filter)));
	ASSERT_EQ(0, lsmmon_feature("syscall", 1));
	lsmmon_feature("calls", 1);
	ASSERT_EQ(0, lsmmon_reset());
	ASSERT_EQ(0, lsmmon_control(1));
}

static void end(struct __test_metadata *_metadata,
		FIXTURE_DATA(hostile) *self)
{
	ASSERT_EQ(0, lsmmon_control(0));
	ASSERT_EQ(0, table_read(&self->syscalls, "syscalls"));
	if (!access(LSMMON "calls", F_OK))
		ASSERT_EQ(0, table_read(&self->calls, "calls"));
	EXPECT_EQ(0, lsmmon_info("lost"));
}

static unsigned long long whole_calls(const struct table *calls,
				      const char *name)
{
	int row;

	for (row = 0; row < calls->rows; row++)
		if (!strcmp(table_text(calls, row, "syscall"), name))
			return table_number(calls, row, "count") +
			       table_number(calls, row, "cs_count");
	return 0;
}

/* Files. */

static const char *const files[] = {
	TRACING "events/lsmpmon/enable", TRACING "trace",
	TRACING "events/lsmpmon/lsm_hook_exit/id",
};

static struct directory directory;

static int opened_files(int unused)
{
	static const int how[] = { O_RDONLY, O_WRONLY, O_RDWR };
	size_t i, j;
	int opened = !!directory_others_than(&directory, EPERM);

	for (i = 0; i < sizeof(files) / sizeof(*files); i++)
		for (j = 0; j < 3; j++)
			opened += open(files[i], how[j]) >= 0;
	return opened;
}

/* Not even if an administrator has opened the file modes. */
TEST_F(hostile, opens_no_file)
{
	ASSERT_EQ(0, directory_read(&directory));
	ASSERT_EQ(0, directory_let_all(&directory));
	EXPECT_EQ(0, as_user(variant->root_of_namespace, opened_files, 0));
	EXPECT_EQ(0, directory_restore(&directory));
}

/* Events. */

static int open_event(int id, int inherit, int sampled, pid_t pid, int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr),
		.config = id, .exclude_kernel = !sampled, .inherit = inherit,
	};

	if (sampled) {
		attr.sample_period = 1;
		attr.sample_type = PERF_SAMPLE_RAW;
	}
	return syscall(SYS_perf_event_open, &attr, pid, cpu, -1, 0);
}

static int opened_events(int id)
{
	int opened = 0, sampled;

	for (sampled = 0; sampled < 2; sampled++) {
		opened += open_event(id, 0, sampled, 0, -1) >= 0;
		opened += open_event(id, 1, sampled, 0, -1) >= 0;
		opened += open_event(id, 0, sampled, -1, 0) >= 0;
	}
	return opened;
}

static const char *const events[] = {
	"lsm_hook_enter", "lsm_hook_object", "lsm_hook_exit",
};

static int event_id(const char *event)
{
	char path[128];

	snprintf(path, sizeof(path), TRACING "events/lsmpmon/%s/id", event);
	return read_number(path);
}

TEST_F(hostile, opens_no_event)
{
	int paranoid, i, id;

	if (self->paranoid == -1000)
		SKIP(return, "no perf events");
	for (paranoid = -1; paranoid <= 4; paranoid++) {
		ASSERT_EQ(0, write_number(PARANOID, paranoid));
		for (i = 0; i < (int)(sizeof(events) / sizeof(*events)); i++) {
			id = event_id(events[i]);
			ASSERT_LT(0, id);
			EXPECT_EQ(0, as_user(variant->root_of_namespace,
					     opened_events, id))
				TH_LOG("%s at %d", events[i], paranoid);
		}
	}
}

static int fork_once(int unused)
{
	pid_t child = fork();

	if (!child)
		_exit(0);
	return child < 0 || waitpid(child, NULL, 0) != child;
}

/* Events opened by root go on in children that inherit them. */
TEST_F(hostile, inherits_events_of_root)
{
	unsigned long long counted = 0;
	int event;

	if (self->paranoid == -1000)
		SKIP(return, "no perf events");
	event = open_event(event_id("lsm_hook_exit"), 1, 1, 0, -1);
	ASSERT_LE(0, event);
	EXPECT_EQ(0, as_user(variant->root_of_namespace, fork_once, 0));
	EXPECT_EQ(8, read(event, &counted, sizeof(counted)));
	EXPECT_LT(0, counted);
	close(event);
}

/* Numbers. */

static long call_32(long number)
{
#ifdef __x86_64__
	asm volatile("int $0x80" : "+a" (number) : "b" (-1), "c" (0), "d" (0) :
		     "memory", "r8", "r9", "r10", "r11");
#endif
	return number;
}

static int call_odd_numbers(int has_32_bit_calls)
{
	size_t i;
	int n, zero = open("/dev/zero", O_RDONLY);
	char byte;

	if (zero < 0)
		return 1;
	for (n = 0; n < N; n++)
		for (i = 0; i < ODD; i++) {
			syscall(odd[i], -1, NULL, 0);
			if (has_32_bit_calls)
				call_32(odd[i]);
		}
	for (n = 0; n < READS; n++)
		if (read(zero, &byte, 1) != 1)
			return 2;
	return 0;
}

/* In a child, since the kernel may kill the caller; 20 is getpid(). */
static int has_32_bit_calls(void)
{
	pid_t child = fork();
	int status;

	if (!child)
		_exit(call_32(20) != getpid());
	return waitpid(child, &status, 0) == child && WIFEXITED(status) &&
	       !WEXITSTATUS(status);
}

TEST_F_TIMEOUT(hostile, numbers_are_no_system_calls, 300)
{
	const int both = has_32_bit_calls();

	begin(_metadata);
	EXPECT_EQ(0, as_user(variant->root_of_namespace, call_odd_numbers,
			     both));
	end(_metadata, self);
	EXPECT_EQ(READS, table_calls(&self->syscalls, "file_permission",
				     "syscall", "read"));
	if (!self->calls.rows)
		return;
	EXPECT_EQ(READS, whole_calls(&self->calls, "read"));
	EXPECT_EQ(ODD * N * (1 + both), whole_calls(&self->calls, "-"));
}

/* Seccomp. */

#define MAGIC	0x6c736d6d

/* A seccomp filter kills callers with this sixth argument. */
static int end_marked_calls(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, args[5])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MAGIC, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {
		.len = sizeof(code) / sizeof(*code), .filter = code,
	};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

/* Each child has its own file, which is closed in the call that kills it. */
static int be_ended_at(long number)
{
	pid_t child = vfork();
	int status;

	if (!child) {
		open("/dev/zero", O_RDONLY);
		syscall(number, 0, 0, 0, 0, 0, MAGIC);
		_exit(0);
	}
	return waitpid(child, &status, 0) != child || !WIFSIGNALED(status);
}

/* Number of kills, in both variants together. */
static int kills(void)
{
	const char *text = getenv("KILLS");

	return text ? atoi(text) : KILLS;
}

static int be_ended_often(int second_half)
{
	const int half = kills() / 2, first = second_half * half;
	size_t n;
	int i;

	if (end_marked_calls())
		return 1;
	for (i = first; i < first + half; i++)
		if (be_ended_at(i))
			return 2;
	for (n = 0; n < ODD; n++)
		if (be_ended_at(odd[n]))
			return 3;
	return 0;
}

/* A name, or a number below the size of the table. */
static int is_sane(const char *name)
{
	return atol(name + strcspn(name, "0123456789")) < 600;
}

/* At least as many pairs have a place. */
#define PLACES	12000

TEST_F_TIMEOUT(hostile, deaths_take_no_room, 900)
{
	const int half = variant->root_of_namespace;
	unsigned long long ends;
	int row;

	begin(_metadata);
	EXPECT_EQ(0, as_user(half, be_ended_often, half));
	end(_metadata, self);
	/* The hook came with Linux 6.8; before, the file was freed there. */
	ends = table_calls(&self->syscalls, "file_release", "syscall",
			   "exit_group") +
	       table_calls(&self->syscalls, "file_free_security", "syscall",
			   "exit_group");
	EXPECT_LE(kills() / 2 - 600, ends);
	EXPECT_EQ(0, table_calls(&self->syscalls, "file_permission", "syscall",
				 "read"));
	/* Before it exits, a task asks for a core and is audited: two hooks. */
	EXPECT_GT(PLACES / 2, self->syscalls.rows);
	for (row = 0; row < self->syscalls.rows; row++) {
		const char *name = table_text(&self->syscalls, row, "syscall");

		EXPECT_TRUE(is_sane(name))
			TH_LOG("%s", name);
		EXPECT_STRNE("other", name);
	}
}

/* Depth. */

static volatile int level;

/* A ring that waits for a ring, and an operation of a worker. */
static int use_rings(void)
{
	struct uring outer, inner;
	struct statx st;
	int result;

	if (uring_open(&inner, 0) || uring_open(&outer, 0))
		return -1;
	uring_do(&outer, &(struct io_uring_sqe){
		.opcode = IORING_OP_POLL_ADD, .fd = inner.fd,
		.poll32_events = POLLOUT });
	result = uring_do(&inner, &(struct io_uring_sqe){
		.opcode = IORING_OP_STATX, .fd = AT_FDCWD,
		.addr = (unsigned long)"/", .len = STATX_BASIC_STATS,
		.addr2 = (unsigned long)&st,
		.flags = level % 2 ? IOSQE_ASYNC : 0 });
	close(outer.fd);
	close(inner.fd);
	return result;
}

static void go_deeper(int signal)
{
	const pid_t child = level % 4 ? -1 : fork();

	if (use_rings() || !level)
		goto out;
	level--;
	raise(signal);
	level++;
out:
	if (!child)
		_exit(0);
	if (child > 0)
		waitpid(child, NULL, 0);
}

static int nest(int unused)
{
	struct sigaction deeper = {
		.sa_handler = go_deeper, .sa_flags = SA_NODEFER,
	};

	level = DEPTH;
	if (sigaction(SIGUSR1, &deeper, NULL) || use_rings())
		return 1;
	return raise(SIGUSR1);
}

TEST_F_TIMEOUT(hostile, depth_loses_nothing, 300)
{
	struct uring probe;

	if (uring_open(&probe, 0))
		SKIP(return, "no io_uring: %s", strerror(errno));
	close(probe.fd);
	begin(_metadata);
	EXPECT_EQ(0, as_user(variant->root_of_namespace, nest, 0));
	end(_metadata, self);
	EXPECT_LT(DEPTH, table_calls(&self->syscalls, "inode_getattr",
				     "syscall", "uring:STATX"));
}

/* Names. */

/* A file and a task with each possible byte in the name. */
static int use_all_names(int unused)
{
	char name[] = "?b\n c";
	int byte, fd;

	for (byte = 1; byte < 256; byte++) {
		name[0] = byte;
		prctl(PR_SET_NAME, name);
		if (byte == '/')
			continue;
		fd = open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
		if (fd < 0 || close(fd) || unlink(name))
			return 1;
	}
	return 0;
}

TEST_F(hostile, names_are_only_names)
{
	static const char *const objects[] = { "o", "o ?b*c", "o [!z]*" };
	size_t i;

	for (i = 0; i < sizeof(objects) / sizeof(*objects); i++) {
		ASSERT_EQ(0, lsmmon_write("filter", objects[i],
					  strlen(objects[i])));
		begin(_metadata);
		EXPECT_EQ(0, as_user(variant->root_of_namespace, use_all_names,
				     0));
		end(_metadata, self);
		EXPECT_EQ(254, table_calls(&self->syscalls, "inode_unlink",
					   "syscall",
					   OLDER_NAME(unlink, unlinkat)));
	}
}

TEST_HARNESS_MAIN
