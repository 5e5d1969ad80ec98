// SPDX-License-Identifier: GPL-2.0-only
/* What makes times on a machine unsteady, as the facts in a record tell. */

#include "disturbance.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Runnable tasks, on average over the last minute, which are more than the shell that starts us. */
#define LOAD_MAX 0.5

static bool is(const char *value, const char *wanted)
{
	return value && !strcmp(value, wanted);
}

static bool is_varying(const char *governor)
{
	return governor && strcmp(governor, "performance");
}

static bool is_on(const char *value)
{
	return is(value, "1");
}

static bool is_off(const char *value)
{
	return is(value, "0");
}

static bool is_busy(const char *load)
{
	return load && strtod(load, NULL) > LOAD_MAX;
}

static bool is_there(const char *value)
{
	return value != NULL;
}

static bool is_uml(const char *runner)
{
	return is(runner, "uml");
}

static bool is_realtime(const char *build)
{
	return build && strstr(build, "PREEMPT_RT");
}

static bool is_slow(const char *clocksource)
{
	return is(clocksource, "hpet") || is(clocksource, "acpi_pm") || is(clocksource, "jiffies");
}

/* The fact, what it must be to disturb, and what to say of it. */
static const struct {
	const char *fact;
	bool (*disturbs)(const char *value);
	const char *text;
} disturbances[] = {
	{ "runner", is_uml, "User-Mode Linux: system calls are much slower than on the machine itself" },
	{ "hypervisor", is_there, "a virtual machine: its host may take time, and its clock may be virtual" },
	{ "build", is_realtime, "a real-time kernel: tasks may sleep where they wait for a spin lock" },
	{ "clocksource", is_slow, "a slow clock source: is the time stamp counter marked unstable?" },
	{ "cpu_governor", is_varying, "the frequency varies: cpupower frequency-set -g performance" },
	{ "cpu_boost", is_on, "turbo is on: echo 0 >/sys/devices/system/cpu/cpufreq/boost" },
	{ "cpu_no_turbo", is_off, "turbo is on: echo 1 >/sys/devices/system/cpu/intel_pstate/no_turbo" },
	{ "smt", is_on, "processors share a core: echo off >/sys/devices/system/cpu/smt/control" },
	{ "lockdep", is_there, "a kernel for debugging: it checks every lock, also in hooks" },
	{ "load", is_busy, "something else is running" },
};

void disturbances_note(struct sheet *sheet, const struct record *record)
{
	for (size_t i = 0; i < sizeof(disturbances) / sizeof(*disturbances); i++) {
		const char *fact = disturbances[i].fact, *value = record_fact(record, fact);

		if (disturbances[i].disturbs(value))
			sheet_note(sheet, "disturbed by %s %s: %s", fact, value, disturbances[i].text);
	}
}
