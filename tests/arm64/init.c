// SPDX-License-Identifier: GPL-2.0-only
/*
 * The only process of an arm64 guest: makes a known number of system calls,
 * prints what the monitor makes of them, and switches the machine off.
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
	printf("@@ end\n");
	reboot(LINUX_REBOOT_CMD_POWER_OFF);
	return 0;
}
