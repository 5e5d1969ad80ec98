/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_COMMANDS_H
#define LSMPMON_COMMANDS_H

/* Exit status of the program when it could not do what was asked. */
#define STATUS_ERROR 2

/* Each takes its own arguments, beginning with its name, and returns the exit status. */
int command_on(int argc, char **argv);
int command_off(int argc, char **argv);
int command_reset(int argc, char **argv);
int command_status(int argc, char **argv);
int command_show(int argc, char **argv);
int command_report(int argc, char **argv);
int command_record(int argc, char **argv);
int command_export(int argc, char **argv);
int command_hist(int argc, char **argv);
int command_syscalls(int argc, char **argv);
int command_slowest(int argc, char **argv);
int command_slower(int argc, char **argv);
int command_timeline(int argc, char **argv);
int command_waits(int argc, char **argv);
int command_bpf(int argc, char **argv);
int command_diff(int argc, char **argv);
int command_top(int argc, char **argv);
int command_bench(int argc, char **argv);
int command_map(int argc, char **argv);

#endif
