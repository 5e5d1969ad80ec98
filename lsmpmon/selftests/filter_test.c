// SPDX-License-Identifier: GPL-2.0-only
/*
 * LSM performance monitor: only the subject and the object of the filter count
 */

#define _GNU_SOURCE
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <arpa/inet.h>
#include <netinet/in.h>

#include "../kselftest_harness.h"
#include "lsmmon.h"
#include "uring.h"

#define N	503
/* Number of operations that are done by another thread. */
#define M	101
#define DIR	"/tmp/lsmpmon-filter"
#define MINE	DIR "/mine"
#define OTHER	DIR "/other"

static struct result result;

static int filter(const char *line)
{
	return lsmmon_write("filter", line, strlen(line));
}

static unsigned long long called(const char *hook)
{
	const struct hook *h = lsmmon_hook(&result, hook);

	return h ? calls(h) : ~0ULL;
}

static unsigned long long called_at_all(void)
{
	unsigned long long n = 0;
	int i;

	for (i = 0; i < result.hooks; i++)
		n += calls(&result.hook[i]);
	return n;
}

static void make_file(const char *path)
{
	close(open(path, O_CREAT | O_RDWR, 0600));
}

FIXTURE(filter)
{
};

FIXTURE_SETUP(filter)
{
	if (access(LSMMON "filter", F_OK))
		SKIP(return, "no " LSMMON "filter");
	ASSERT_EQ(0, lsmmon_control(0));
	ASSERT_EQ(0, filter("s"));
	ASSERT_EQ(0, filter("o"));
	ASSERT_EQ(0, filter("p"));
	ASSERT_EQ(0, lsmmon_reset());
	mkdir(DIR, 0700);
	make_file(MINE);
	make_file(OTHER);
}

FIXTURE_TEARDOWN(filter)
{
	lsmmon_control(0);
	filter("s");
	filter("o");
	filter("p");
	unlink(MINE);
	unlink(OTHER);
	rmdir(DIR);
}

static void work_on(const char *path)
{
	struct stat st;
	int i, fd;

	for (i = 0; i < N; i++) {
		if (syscall(SYS_newfstatat, AT_FDCWD, path, &st, 0))
			_exit(1);
		fd = open(path, O_RDONLY);
		if (fd < 0)
			_exit(1);
		close(fd);
	}
}

/* Two programs at once, each using both files. */
static void two_programs(void)
{
	static const char *const names[] = { "lsmpmon mine", "lsmpmon-other" };
	int i;

	for (i = 0; i < 2; i++) {
		if (fork())
			continue;
		prctl(PR_SET_NAME, names[i]);
		work_on(MINE);
		work_on(OTHER);
		_exit(0);
	}
	while (wait(NULL) > 0)
		;
}

static void measure(struct __test_metadata *_metadata, void (*work)(void))
{
	ASSERT_EQ(0, lsmmon_reset());
	ASSERT_EQ(0, lsmmon_control(1));
	work();
	ASSERT_EQ(0, lsmmon_control(0));
	ASSERT_EQ(0, lsmmon_result(&result));
	EXPECT_EQ(0, lsmmon_info("lost"));
}

struct chosen {
	const char *subject, *object;
	int times;	/* number of selected combinations, each with N stat() */
};

static const struct chosen chosen[] = {
	{ "s lsmpmon mine", "o", 2 },
	{ "s lsmpmon min", "o", 0 },
	{ "s lsmpmon mind", "o", 0 },
	{ "s lsmpmon", "o", 0 },
	{ "s lsmpmon-*", "o", 2 },
	{ "s lsmpmon?mine\n", "o", 2 },
	{ "s lsmpmon*", "o", 4 },
	{ "s nobody", "o", 0 },
	{ "s", "o mine", 2 },
	{ "s", "o min?", 2 },
	{ "s", "o " MINE, 2 },
	{ "s", "o " DIR "/m*", 2 },
	{ "s", "o /t*/lsmpmon-filter/*", 4 },
	{ "s", "o /*/mine", 0 },
	{ "s", "o " DIR "/no/mine", 0 },
	{ "s", "o /mine", 0 },
	{ "s lsmpmon mine", "o mine", 1 },
	{ "s lsmpmon mine", "o " MINE, 1 },
	{ "s lsmpmon-other", "o " DIR "/oth?r\n", 1 },
	{ "s lsmpmon*", "o /tmp/*/*", 4 },
	{ "s nobody", "o mine", 0 },
};

TEST_F_TIMEOUT(filter, only_the_chosen_pair_is_counted, 120)
{
	size_t i;

	for (i = 0; i < sizeof(chosen) / sizeof(*chosen); i++) {
		const struct chosen *c = &chosen[i];

		ASSERT_EQ(0, filter(c->subject));
		ASSERT_EQ(0, filter(c->object));
		measure(_metadata, two_programs);
		EXPECT_EQ((unsigned long long)c->times * N,
			  called("inode_getattr"))
			TH_LOG("inode_getattr: '%s', '%s'", c->subject,
			       c->object);
		EXPECT_EQ((unsigned long long)c->times * N, called("file_open"))
			TH_LOG("file_open: '%s', '%s'", c->subject, c->object);
	}
}

/* All kinds of arguments match an object: inode, file, path, dentry. */
TEST_F(filter, all_arguments_tell_the_object)
{
	ASSERT_EQ(0, filter("s lsmpmon mine"));
	ASSERT_EQ(0, filter("o " MINE));
	measure(_metadata, two_programs);
	EXPECT_EQ(N, called("inode_getattr"));
	EXPECT_EQ(N, called("inode_permission"));
	EXPECT_EQ(N, called("file_open"));
	/* The object has no name yet, or no longer. */
	EXPECT_EQ(0, called("file_alloc_security"));
	EXPECT_EQ(0, called("task_alloc"));
}

static void make_and_remove(void)
{
	int i;

	for (i = 0; i < N; i++) {
		make_file(DIR "/new one \xc3\xa9");
		rename(DIR "/new one \xc3\xa9", DIR "/moved");
		unlink(DIR "/moved");
		mkdir(DIR "/new two", 0700);
		rmdir(DIR "/new two");
	}
}

/* Also before the file exists, and with blanks and other characters in it. */
TEST_F(filter, what_is_made_has_a_name)
{
	ASSERT_EQ(0, filter("o " DIR "/new one \xc3\xa9"));
	measure(_metadata, make_and_remove);
	EXPECT_EQ(N, called("inode_create"));
	EXPECT_EQ(N, called("inode_rename"));
	EXPECT_EQ(0, called("inode_unlink"));
	EXPECT_EQ(0, called("inode_mkdir"));

	ASSERT_EQ(0, filter("o moved"));
	measure(_metadata, make_and_remove);
	EXPECT_EQ(0, called("inode_create"));
	EXPECT_EQ(N, called("inode_rename"));
	EXPECT_EQ(N, called("inode_unlink"));

	ASSERT_EQ(0, filter("o " DIR "/new t*"));
	measure(_metadata, make_and_remove);
	EXPECT_EQ(N, called("inode_mkdir"));
	EXPECT_EQ(N, called("inode_rmdir"));
	EXPECT_EQ(2 * N, called("inode_mkdir") + called("inode_rmdir"));
}

static void work_below_a_mount(void)
{
	work_on(DIR "/mount/mine");
	work_on(MINE);
}

/* An inode does not know where its file system is mounted. */
TEST_F(filter, paths_go_through_mounts)
{
	mkdir(DIR "/mount", 0700);
	ASSERT_EQ(0, mount("tmpfs", DIR "/mount", "tmpfs", 0, NULL));
	make_file(DIR "/mount/mine");
	ASSERT_EQ(0, filter("o " DIR "/mount/mine"));
	measure(_metadata, work_below_a_mount);
	EXPECT_EQ(N, called("inode_getattr"));
	EXPECT_EQ(N, called("file_open"));
	EXPECT_EQ(N, called("inode_permission"));
	/* The name of the mount point is that of the mounted root. */
	ASSERT_EQ(0, filter("o " DIR "/mount"));
	measure(_metadata, work_below_a_mount);
	EXPECT_EQ(2 * N, called("inode_permission"));
	umount(DIR "/mount");
	rmdir(DIR "/mount");
}

/* Links in the directory part are followed when the filter is written. */
TEST_F(filter, links_are_followed)
{
	ASSERT_EQ(0, symlink(DIR, "/tmp/lsmpmon-filter-link"));
	ASSERT_EQ(0, filter("o /tmp/lsmpmon-filter-link/mine"));
	measure(_metadata, two_programs);
	EXPECT_EQ(2 * N, called("inode_getattr"));
	unlink("/tmp/lsmpmon-filter-link");
}

static void use_unix_socket(void)
{
	struct sockaddr_un address = {
		.sun_family = AF_UNIX,
		.sun_path = DIR "/socket",
	};
	int server = socket(AF_UNIX, SOCK_STREAM, 0);
	int i, client;

	if (bind(server, (struct sockaddr *)&address, sizeof(address)) ||
	    listen(server, 1))
		_exit(1);
	for (i = 0; i < N; i++) {
		client = socket(AF_UNIX, SOCK_STREAM, 0);
		if (connect(client, (struct sockaddr *)&address,
			    sizeof(address)))
			_exit(1);
		close(accept(server, NULL, NULL));
		close(client);
	}
	close(server);
	unlink(DIR "/socket");
}

static void use_udp_socket(void)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons(7171),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int to = socket(AF_INET, SOCK_DGRAM, 0);
	int from = socket(AF_INET, SOCK_DGRAM, 0);
	char byte;
	int i;

	if (bind(to, (struct sockaddr *)&address, sizeof(address)) ||
	    connect(from, (struct sockaddr *)&address, sizeof(address)))
		_exit(1);
	for (i = 0; i < N; i++)
		if (send(from, "x", 1, 0) != 1 || recv(to, &byte, 1, 0) != 1)
			_exit(1);
	close(to);
	close(from);
}

/* Sockets have the name they are bound to; packets arrive in interrupts. */
TEST_F(filter, sockets_have_addresses)
{
	ASSERT_EQ(0, filter("o " DIR "/socket"));
	measure(_metadata, use_unix_socket);
	EXPECT_EQ(N, called("unix_stream_connect"));
	ASSERT_EQ(0, filter("o socket"));
	measure(_metadata, use_unix_socket);
	EXPECT_EQ(N, called("unix_stream_connect"));

	ASSERT_EQ(0, filter("o 127.0.0.1:7171"));
	measure(_metadata, use_udp_socket);
	EXPECT_EQ(1, called("socket_bind"));
	EXPECT_EQ(1, called("socket_connect"));
	EXPECT_EQ(N, called("socket_recvmsg"));
	EXPECT_EQ(N, called("socket_sock_rcv_skb"));
	EXPECT_EQ(0, called("socket_sendmsg"));
}

/* Tasks are objects as well, and their names may not be paths. */
static void use_task(void)
{
	pid_t child = fork();
	int i;

	if (!child) {
		prctl(PR_SET_NAME, "kworker/7:1");
		raise(SIGSTOP);
		_exit(0);
	}
	waitpid(child, NULL, WUNTRACED);
	for (i = 0; i < N; i++)
		kill(child, 0);
	kill(child, SIGCONT);
	waitpid(child, NULL, 0);
}

TEST_F(filter, names_of_tasks_are_no_paths)
{
	ASSERT_EQ(0, filter("o 7:1"));
	measure(_metadata, use_task);
	EXPECT_EQ(0, called("task_kill"));
	ASSERT_EQ(0, filter("o kworker?7:1"));
	measure(_metadata, use_task);
	EXPECT_LE(N, called("task_kill"));
}

static void expect_filter(struct __test_metadata *_metadata, const char *text)
{
	char seen[16384] = "";
	FILE *f = fopen(LSMMON "filter", "r");

	ASSERT_NE(NULL, f);
	seen[fread(seen, 1, sizeof(seen) - 1, f)] = '\0';
	fclose(f);
	EXPECT_STREQ(text, seen);
}

/* One process looks at a file, through the kernel's threads for io_uring. */
static void use_workers(const char *name, unsigned int setup, unsigned int flags)
{
	struct uring ring;
	int i;

	if (fork())
		return;
	prctl(PR_SET_NAME, name);
	if (uring_open(&ring, setup))
		_exit(1);
	for (i = 0; i < M; i++)
		if (uring_stat(&ring, MINE, flags) < 0)
			_exit(1);
	_exit(0);
}

static int failed_workers;

static void four_programs_with_workers(void)
{
	int status;

	use_workers("lsmpmon mine", 0, IOSQE_ASYNC);
	use_workers("lsmpmon mine", IORING_SETUP_SQPOLL, 0);
	use_workers("lsmpmon-other", 0, IOSQE_ASYNC);
	use_workers("lsmpmon-other", IORING_SETUP_SQPOLL, 0);
	for (failed_workers = 0; wait(&status) > 0;)
		failed_workers += status != 0;
}

/* Names of workers have the number of a task in them. */
TEST_F_TIMEOUT(filter, workers_count_for_their_process, 120)
{
	static const struct chosen by_name[] = {
		{ "s lsmpmon mine", "o", 2 }, { "s lsmpmon-o*", "o mine", 2 },
		{ "s lsmpmon*", "o", 4 }, { "s iou-*", "o", 0 },
	};
	size_t i;

	if (uring_is_missing())
		SKIP(return, "no io_uring: %s", strerror(errno));
	for (i = 0; i < sizeof(by_name) / sizeof(*by_name); i++) {
		ASSERT_EQ(0, filter(by_name[i].subject));
		ASSERT_EQ(0, filter(by_name[i].object));
		measure(_metadata, four_programs_with_workers);
		EXPECT_EQ(0, failed_workers);
		EXPECT_EQ((unsigned long long)by_name[i].times * M,
			  called("inode_getattr"))
			TH_LOG("'%s', '%s'", by_name[i].subject, by_name[i].object);
	}
}

TEST_F_TIMEOUT(filter, workers_belong_to_their_process, 120)
{
	char line[32];

	if (uring_is_missing())
		SKIP(return, "no io_uring: %s", strerror(errno));
	snprintf(line, sizeof(line), "p %d", getpid());
	ASSERT_EQ(0, filter(line));
	ASSERT_EQ(0, filter("s lsmpmon mine"));
	measure(_metadata, four_programs_with_workers);
	EXPECT_EQ(0, failed_workers);
	EXPECT_EQ(2 * M, called("inode_getattr"));
	ASSERT_EQ(0, filter("p 1"));
	measure(_metadata, four_programs_with_workers);
	EXPECT_EQ(0, called("inode_getattr"));
}

/* A process that works when it is told to, followed by its child. */
struct family {
	pid_t pid;
	int go;
};

static struct family two[2];

static void be_family(int wait_for)
{
	char c;

	if (read(wait_for, &c, 1) != 1)
		_exit(1);
	work_on(MINE);
	if (!fork()) {
		setsid();
		prctl(PR_SET_NAME, "grandchild");
		work_on(MINE);
		_exit(0);
	}
	wait(NULL);
	_exit(0);
}

static void start_families(struct __test_metadata *_metadata)
{
	int i, ends[2];

	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, pipe(ends));
		two[i].pid = fork();
		ASSERT_LE(0, two[i].pid);
		if (!two[i].pid)
			be_family(ends[0]);
		close(ends[0]);
		two[i].go = ends[1];
	}
}

static void families_work(void)
{
	int i;

	for (i = 0; i < 2; i++) {
		if (write(two[i].go, "g", 1) != 1)
			exit(1);
		close(two[i].go);
	}
	work_on(MINE);
	while (wait(NULL) > 0)
		;
}

TEST_F(filter, processes_are_counted_with_their_children)
{
	char line[32];

	start_families(_metadata);
	snprintf(line, sizeof(line), "p %d", two[1].pid);
	ASSERT_EQ(0, filter(line));
	ASSERT_EQ(0, filter("o mine"));
	measure(_metadata, families_work);
	EXPECT_EQ(2 * N, called("inode_getattr"));
	EXPECT_EQ(2 * N, called("file_open"));

	start_families(_metadata);
	snprintf(line, sizeof(line), "p %d\n", two[0].pid);
	ASSERT_EQ(0, filter(line));
	ASSERT_EQ(0, filter("s grandchild"));
	measure(_metadata, families_work);
	EXPECT_EQ(N, called("inode_getattr"));
}

TEST_F(filter, processes_have_to_be_there)
{
	char line[32], text[64];

	snprintf(line, sizeof(line), "p %d", getpid());
	snprintf(text, sizeof(text), "s\no\n%s\n", line);
	ASSERT_EQ(0, filter(line));
	expect_filter(_metadata, text);
	EXPECT_EQ(-ESRCH, filter("p 2147483647"));
	EXPECT_EQ(-EINVAL, filter("p 0"));
	EXPECT_EQ(-EINVAL, filter("p -1"));
	EXPECT_EQ(-EINVAL, filter("p 99999999999"));
	EXPECT_EQ(-EINVAL, filter("p 1 2"));
	EXPECT_EQ(-EINVAL, filter("p self"));
	expect_filter(_metadata, text);
	ASSERT_EQ(0, filter("p"));
	expect_filter(_metadata, "s\no\n");
}

static void stat_root(void)
{
	struct stat st;
	int i;

	for (i = 0; i < N; i++)
		stat("/", &st);
}

TEST_F(filter, nothing_is_lost_when_it_is_taken_back)
{
	ASSERT_EQ(0, filter("s nobody"));
	ASSERT_EQ(0, lsmmon_control(1));
	stat_root();
	ASSERT_EQ(0, filter("s"));
	stat_root();
	ASSERT_EQ(0, lsmmon_control(0));
	ASSERT_EQ(0, lsmmon_result(&result));
	EXPECT_EQ(N, called("inode_getattr"));
	EXPECT_LE(N, called_at_all());
}

TEST_F(filter, says_what_is_set)
{
	expect_filter(_metadata, "s\no\n");
	ASSERT_EQ(0, filter("s a b\n"));
	expect_filter(_metadata, "s a b\no\n");
	ASSERT_EQ(0, filter("o /tmp/x*"));
	expect_filter(_metadata, "s a b\no /tmp/x*\n");
	ASSERT_EQ(0, filter("s\n"));
	expect_filter(_metadata, "s\no /tmp/x*\n");
	ASSERT_EQ(0, filter("o"));
	expect_filter(_metadata, "s\no\n");
}

TEST_F(filter, refuses_anything_else)
{
	static const char *const bad[] = {
		"", "\n", " ", "x", "x foo", "S foo", "sfoo", "s ", "o ",
		"s\n\n", "s foo\n\n", "s foo\no bar", "o a\nb", "\ns foo",
		"s sixteen-letters-", "o not/absolute", "o /two//slashes",
		"o /tmp/", "o */x",
	};
	static char garbage[1 << 20], name[5000];
	size_t i, length;

	ASSERT_EQ(0, filter("s kept"));
	ASSERT_EQ(0, filter("o kept too"));
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		EXPECT_EQ(-EINVAL, filter(bad[i]))
			TH_LOG("number %zu", i);
	EXPECT_EQ(-EINVAL, lsmmon_write("filter", "s a\0b", 5));
	memset(garbage, 'g', sizeof(garbage));
	EXPECT_EQ(-EINVAL, lsmmon_write("filter", garbage, sizeof(garbage)));
	for (length = 4096; length < sizeof(name); length += 300) {
		memset(name, 'n', length);
		name[length] = '\0';
		memcpy(name, "o ", 2);
		if (length - 2 >= 4096)
			EXPECT_EQ(-EINVAL, filter(name));
		memcpy(name, "s ", 2);
		EXPECT_EQ(-EINVAL, filter(name));
	}
	expect_filter(_metadata, "s kept\no kept too\n");
}

/* The longest path is accepted, though no call can have it. */
TEST_F(filter, takes_the_longest_name)
{
	static char name[2 + 4096];

	memset(name, 'n', sizeof(name) - 1);
	memcpy(name, "o ", 2);
	ASSERT_EQ(0, filter(name));
	measure(_metadata, two_programs);
	EXPECT_EQ(0, called_at_all());
}

/* Hooks without an object show "-", and all show their modules. */
TEST_F(filter, hooks_tell_their_objects)
{
	char line[512], hook[64], modules[256], objects[128];
	int seen = 0;
	FILE *f = fopen(LSMMON "hooks", "r");

	ASSERT_NE(NULL, f);
	ASSERT_NE(NULL, fgets(line, sizeof(line), f));
	EXPECT_STREQ("hook modules objects\n", line);
	while (fgets(line, sizeof(line), f)) {
		ASSERT_EQ(3, sscanf(line, "%63s %255s %127s", hook, modules,
				    objects));
		if (!strcmp(hook, "inode_permission"))
			seen += !strcmp(objects, "inode");
		if (!strcmp(hook, "inode_rename"))
			seen += !strcmp(objects, "inode,dentry");
		if (!strcmp(hook, "socket_connect"))
			seen += !strcmp(objects, "socket,sockaddr");
		if (!strcmp(hook, "file_alloc_security"))
			seen += !strcmp(objects, "-");
		if (!strcmp(hook, "capable"))
			seen += !strcmp(objects, "-") &&
				strstr(modules, "capability");
	}
	fclose(f);
	EXPECT_EQ(5, seen);
}

TEST_HARNESS_MAIN
