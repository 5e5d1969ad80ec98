// SPDX-License-Identifier: GPL-2.0-only
/*
 * A plugin of QEMU: which instructions the guest executes between two readings of the time stamp counter in user
 * space, as lmbench-hook times a call. The first span of each length goes to the file that out= names, and again each that
 * has less of user space in it than those of its length before: work between two timed calls may be as long as a call.
 *
 *	span LENGTH
 *	ADDRESS TIMES		in hexadecimal and in decimal, for each instruction
 *
 * Debian has no header of this interface (version 1 of it); what is used here is declared by hand.
 */

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VISIBLE __attribute__((visibility("default")))
#define VERSION 1
#define NO_REGISTERS 0

struct qemu_info;
struct qemu_plugin_tb;
struct qemu_plugin_insn;

void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, void (*)(uint64_t id, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *, void (*)(unsigned int cpu, void *),
					    int registers, void *);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *);

VISIBLE int qemu_plugin_version = VERSION;
VISIBLE int qemu_plugin_install(uint64_t id, const struct qemu_info *info, int argc, char **argv);

/* Longer spans are work of other kinds. */
#define LONGEST 1000000

/**
 * struct place - one instruction of the guest
 * @in_span: the next one of the current span
 * @times: how often it was executed in the current span
 * @address: where it is
 */
struct place {
	struct place *in_span;
	uint64_t times;
	uint64_t address;
};

static struct place *span;
static uint64_t length, in_user;
/* One more than the least of user space in a span of each length; 0 if there was none. */
static uint32_t least[LONGEST];
static FILE *out;

static void executed(unsigned int cpu, void *data)
{
	struct place *place = data;

	(void)cpu;
	length++;
	in_user += !(place->address >> 63);
	if (place->times++)
		return;
	place->in_span = span;
	span = place;
}

static void write_span(void)
{
	fprintf(out, "span %" PRIu64 "\n", length);
	for (struct place *place = span; place; place = place->in_span)
		fprintf(out, "%" PRIx64 " %" PRIu64 "\n", place->address, place->times);
	fflush(out);
}

/* Called before the reading is counted: a span begins with one reading and ends before the next. */
static void mark(unsigned int cpu, void *data)
{
	(void)cpu;
	(void)data;
	if (length < LONGEST && (!least[length] || in_user + 1 < least[length])) {
		least[length] = in_user + 1;
		write_span();
	}
	for (; span; span = span->in_span)
		span->times = 0;
	length = in_user = 0;
}

static bool reads_clock(const struct qemu_plugin_insn *insn)
{
	return qemu_plugin_insn_size(insn) == 2 && !memcmp(qemu_plugin_insn_data(insn), "\x0f\x31", 2) &&
	       !(qemu_plugin_insn_vaddr(insn) >> 63);
}

/* Not by blocks: one that an interrupt or a reading of the clock ends early would be counted as a whole. */
static void watch(struct qemu_plugin_insn *insn)
{
	struct place *place = calloc(1, sizeof(*place));

	if (!place)
		abort();
	place->address = qemu_plugin_insn_vaddr(insn);
	if (reads_clock(insn))
		qemu_plugin_register_vcpu_insn_exec_cb(insn, mark, NO_REGISTERS, NULL);
	qemu_plugin_register_vcpu_insn_exec_cb(insn, executed, NO_REGISTERS, place);
}

static void translated(uint64_t id, struct qemu_plugin_tb *tb)
{
	(void)id;
	for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++)
		watch(qemu_plugin_tb_get_insn(tb, i));
}

int qemu_plugin_install(uint64_t id, const struct qemu_info *info, int argc, char **argv)
{
	(void)info;
	if (argc == 1 && !strncmp(argv[0], "out=", 4))
		out = fopen(argv[0] + 4, "w");
	if (!out) {
		fprintf(stderr, "spans: give out=FILE, a file that can be written\n");
		return -1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	return 0;
}
