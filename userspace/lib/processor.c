// SPDX-License-Identifier: GPL-2.0-only
#include "processor.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "alloc.h"

/* CPUID signatures of hypervisors, and their names. */
static const struct { const char *signature, *name; } hypervisors[] = {
	{ "TCGTCGTCGTCG", "TCG" }, { "KVMKVMKVM", "KVM" }, { "Microsoft Hv", "Hyper-V" },
	{ "VMwareVMware", "VMware" }, { "XenVMMXenVMM", "Xen" }, { "VBoxVBoxVBox", "VirtualBox" },
	{ "bhyve bhyve ", "bhyve" },
};

#if defined(__x86_64__) || defined(__i386__)
#define HYPERVISOR_BIT (1u << 31)
#define HYPERVISOR_LEAF 0x40000000u

/* The signature has twelve bytes. The leaf is valid only if the processor reports a hypervisor. */
static bool read_signature(char *signature)
{
	unsigned int eax, words[3], ecx, edx;

	if (!__get_cpuid(1, &eax, &words[0], &ecx, &edx) || !(ecx & HYPERVISOR_BIT))
		return false;
	__cpuid(HYPERVISOR_LEAF, eax, words[0], words[1], words[2]);
	memcpy(signature, words, sizeof(words));
	return true;
}
#else
static bool read_signature(char *signature)
{
	(void)signature;
	return false;
}
#endif

static const char *find_hypervisor(void)
{
	char signature[13] = "";

	if (!read_signature(signature))
		return NULL;
	for (size_t i = 0; i < sizeof(hypervisors) / sizeof(*hypervisors); i++)
		if (!strcmp(signature, hypervisors[i].signature))
			return hypervisors[i].name;
	return "unknown";
}

/* On x86, "vendor_id : User Mode Linux" and "model name : ..." are among the first lines. */
static void read_cpuinfo(struct processor *processor)
{
	FILE *info = fopen("/proc/cpuinfo", "re");
	char line[256];

	if (!info)
		return;
	while (fgets(line, sizeof(line), info) && *line != '\n') {
		char *value = strchr(line, ':');

		line[strcspn(line, "\n")] = '\0';
		if (value && !strncmp(line, "model name", 10) && !processor->model)
			processor->model = xstrdup(value + 1 + strspn(value + 1, " "));
		else if (value && strstr(value, "User Mode Linux"))
			processor->is_uml = true;
	}
	fclose(info);
}

struct processor processor_read(void)
{
	struct processor processor = { .hypervisor = find_hypervisor() };

	read_cpuinfo(&processor);
	processor.is_emulated = processor.hypervisor && !strcmp(processor.hypervisor, "TCG");
	return processor;
}
