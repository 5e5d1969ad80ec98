/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_COMMAS_H
#define LSMPMON_COMMAS_H

/* 1234567 as 1,234,567; what comes before and after the digits stays. Frees @plain; to be freed. */
char *with_commas(char *plain);

#endif
