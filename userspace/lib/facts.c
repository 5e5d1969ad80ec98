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
#include "processor.h"

#define VULNERABILITIES "/sys/devices/system/cpu/vulnerabilities"

/*
 * Files whose first line is a fact. Missing files are skipped: a kernel without IMA, for example, does not
 * have IMA's.
 */
static const struct { const char *name, *path; } files[] = {
	{ "boot", "/proc/sys/kernel/random/boot_id" },
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
	{ "cpu_boost", "/sys/devices/system/cpu/cpufreq/boost" },
	{ "cpu_no_turbo", "/sys/devices/system/cpu/intel_pstate/no_turbo" },
	{ "smt", "/sys/devices/system/cpu/smt/active" },
	{ "load", "/proc/loadavg" },
	{ "machine", "/sys/class/dmi/id/sys_vendor" },
};

static void add(struct json_object *facts, const char *name, const char *value)
{
	if (value)
		json_object_object_add(facts, name, json_text(value));
}

/* The first line is enough. */
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

/*
 * Runner and accelerator as the processor shows them, unless the environment names them: a guest cannot see that
 * its clock counts instructions.
 */
static void add_runner(struct json_object *facts, const struct processor *processor)
{
	const char *runner = getenv("RUNNER"), *accelerator = getenv("ACCEL");

	if (processor->is_uml)
		runner = "uml";
	else if (runner && strcmp(runner, "qemu"))
		runner = NULL;
	add(facts, "runner", runner);
	if (processor->is_emulated && (!accelerator || strcmp(accelerator, "icount")))
		accelerator = "tcg";
	else if (!runner)
		accelerator = NULL;
	add(facts, "accelerator", accelerator);
}

static void add_processor(struct json_object *facts)
{
	struct processor processor = processor_read();

	add(facts, "processor", processor.model);
	add(facts, "hypervisor", processor.hypervisor);
	add_runner(facts, &processor);
	free(processor.model);
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
	/* The file exists only with CONFIG_AUDIT. Whether audit is on is in the monitor's syscall_source. */
	add(facts, "audit_built", access("/proc/self/loginuid", F_OK) ? "no" : "yes");
}

/* The file exists only with CONFIG_LOCKDEP. */
static void add_lockdep(struct json_object *facts)
{
	add(facts, "lockdep", access("/proc/lockdep_stats", F_OK) ? NULL : "on");
}

struct json_object *facts(void)
{
	struct json_object *facts = json_object_new_object();

	add_date(facts);
	add_kernel(facts);
	add_processor(facts);
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		add_file(facts, files[i].name, files[i].path);
	add_audit(facts);
	add_lockdep(facts);
	add_mitigations(facts);
	return facts;
}
