// SPDX-License-Identifier: GPL-2.0-only
/*
 * The only process of an arm64 guest: makes a known number of system calls,
 * prints what the monitor makes of them, has the tools measure as well, and
 * switches the machine off.
 * Compiled with the kernel's nolibc.
 */

#define LSMMON	"/sys/kernel/security/lsmmon/"
#define CALLS	1000

static void print(const char *file)
{
	char text[4096];
	ssize_t length;
	int fd = open(file, O_RDONLY);

	printf("@@ %s\n", file);
	if (fd < 0) {
		perror(file);
		return;
	}
	while ((length = read(fd, text, sizeof(text))) > 0)
		write(1, text, length);
	close(fd);
}

static void put(const char *file, const char *text)
{
	int fd = open(file, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		perror(file);
	close(fd);
}

/* Run a program and say how it ended. */
static void run(char **words)
{
	char *environment[] = { NULL };
	int status = -1;
	pid_t child = fork();

	if (!child) {
		execve(words[0], words, environment);
		perror(words[0]);
		exit(127);
	}
	waitpid(child, &status, 0);
	printf("@@ status %d\n", status);
}

static void use_tools(void)
{
	char *record[] = {
		"/lsmpmon", "record", "-f", "all", "-o", "/tmp/record.json", "--",
		"/lmbench-hook", "work", "stat", "-n", "100", "-d", "/tmp", NULL
	};
	char *report[] = { "/lsmpmon", "report", "/tmp/record.json", "--csv", NULL };

	mount("proc", "/proc", "proc", 0, NULL);
	mount("tmpfs", "/tmp", "tmpfs", 0, NULL);
	printf("@@ record\n");
	run(record);
	printf("@@ report\n");
	run(report);
}

int main(void)
{
	struct stat st;
	int i;

	mount("sysfs", "/sys", "sysfs", 0, NULL);
	mount("securityfs", "/sys/kernel/security", "securityfs", 0, NULL);
	put(LSMMON "features", "module 1");
	put(LSMMON "features", "histogram 1");
	put(LSMMON "features", "syscall 1");
	put(LSMMON "control", "1");
	for (i = 0; i < CALLS; i++)
		stat("/sys", &st);
	put(LSMMON "control", "0");
	print(LSMMON "info");
	print(LSMMON "result");
	print(LSMMON "verdicts");
	print(LSMMON "syscalls");
	print(LSMMON "modules");
	use_tools();
	printf("@@ end\n");
	reboot(LINUX_REBOOT_CMD_POWER_OFF);
	return 0;
}
