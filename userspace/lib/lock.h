/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_LOCK_H
#define LSMPMON_LOCK_H

/*
 * Have the monitor in @dir for ourselves, among the programs that ask, as long as the descriptor is open.
 * Return: the descriptor, or -1 after a complaint that names the process that has it.
 */
int lock_monitor(const char *dir);

#endif
