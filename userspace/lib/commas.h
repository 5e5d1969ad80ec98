/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_COMMAS_H
#define LSMPMON_COMMAS_H

/* 1234567 as 1,234,567, with any text around it. Frees @plain; the caller frees the result. */
char *with_commas(char *plain);

#endif
