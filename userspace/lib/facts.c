// SPDX-License-Identifier: GPL-2.0-only
#include "facts.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "alloc.h"
#include "json.h"

#define VULNERABILITIES "/sys/devices/system/cpu/vulnerabilities"

/*
 * Files of which the first line is a fact. What is not there is no fact: a kernel without IMA has none
 * of its files.
 */
static const struct { const char *name, *path; } files[] = {
	{ "cmdline", "/proc/cmdline" },
	{ "lsm", "/sys/kernel/security/lsm" },
	{ "lockdown", "/sys/kernel/security/lockdown" },
	{ "ima_measurements", "/sys/kernel/security/ima/runtime_measurements_count" },
	{ "ima_violations", "/sys/kernel/security/ima/violations" },
	{ "evm", "/sys/kernel/security/evm" },
	{ "selinux_enforcing", "/sys/fs/selinux/enforce" },
	{ "selinux_policy", "/sys/fs/selinux/policyvers" },
	{ "apparmor_enabled", "/sys/module/apparmor/parameters/enabled" },
	{ "apparmor_mode", "/sys/module/apparmor/parameters/mode" },
	{ "clocksource", "/sys/devices/system/clocksource/clocksource0/current_clocksource" },
	{ "cpus_online", "/sys/devices/system/cpu/online" },
	{ "cpu_governor", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor" },
	{ "machine", "/sys/class/dmi/id/sys_vendor" },
	{ "hypervisor", "/sys/hypervisor/type" },
};

static void add(struct json_object *facts, const char *name, const char *value)
{
	json_object_object_add(facts, name, json_text(value));
}

/* What the kernel shows is short where it matters. */
static void add_file(struct json_object *facts, const char *name, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char text[4096];
	ssize_t length;

	if (fd < 0)
		return;
	length = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (length < 0)
		return;
	text[length] = '\0';
	text[strcspn(text, "\n")] = '\0';
	add(facts, name, text);
}

static void add_kernel(struct json_object *facts)
{
	struct utsname name;

	if (uname(&name))
		return;
	add(facts, "kernel", name.release);
	add(facts, "build", name.version);
	add(facts, "architecture", name.machine);
	add(facts, "host", name.nodename);
}

/* "vendor_id : User Mode Linux" and "model name : ..." are in the first lines of x86's. */
static void add_processor(struct json_object *facts)
{
	FILE *info = fopen("/proc/cpuinfo", "re");
	char line[256];

	if (!info)
		return;
	while (fgets(line, sizeof(line), info) && *line != '\n') {
		char *value = strchr(line, ':');

		line[strcspn(line, "\n")] = '\0';
		if (value && !strncmp(line, "model name", 10))
			add(facts, "processor", value + 1 + strspn(value + 1, " "));
		else if (value && strstr(value, "User Mode Linux"))
			add(facts, "runner", "uml");
	}
	fclose(info);
}

static void add_mitigations(struct json_object *facts)
{
	struct dirent **found;
	int count = scandir(VULNERABILITIES, &found, NULL, alphasort);

	for (int i = 0; i < count; i++) {
		char *name = xasprintf("mitigation_%s", found[i]->d_name);
		char *path = xasprintf(VULNERABILITIES "/%s", found[i]->d_name);

		if (found[i]->d_name[0] != '.')
			add_file(facts, name, path);
		free(path);
		free(name);
		free(found[i]);
	}
	if (count >= 0)
		free(found);
}

/* What starts a guest tells it what it is: nothing inside shows that instructions are counted. */
static void add_runner(struct json_object *facts)
{
	const char *runner = getenv("RUNNER"), *accelerator = getenv("ACCEL");

	if (runner && (!strcmp(runner, "uml") || !strcmp(runner, "qemu"))) {
		add(facts, "runner", runner);
		if (accelerator)
			add(facts, "accelerator", accelerator);
	}
}

static void add_date(struct json_object *facts)
{
	time_t now = time(NULL);
	struct tm utc;
	char text[32];

	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
	add(facts, "date", text);
}

static void add_audit(struct json_object *facts)
{
	/* With CONFIG_AUDIT alone; whether it is on, the monitor's syscall_source says. */
	add(facts, "audit_built", access("/proc/self/loginuid", F_OK) ? "no" : "yes");
}

struct json_object *facts(void)
{
	struct json_object *facts = json_object_new_object();

	add_date(facts);
	add_kernel(facts);
	add_processor(facts);
	add_runner(facts);
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		add_file(facts, files[i].name, files[i].path);
	add_audit(facts);
	add_mitigations(facts);
	return facts;
}
