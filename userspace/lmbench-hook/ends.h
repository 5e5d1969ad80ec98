/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LMBENCH_HOOK_ENDS_H
#define LMBENCH_HOOK_ENDS_H

#include <netinet/in.h>

#include "place.h"

int ends_listen(struct place *place, struct sockaddr_in *address);
int ends_reset_at_close(int fd);
int ends_tcp(struct place *place);
int ends_udp(struct place *place);
int ends_unix(struct place *place, int type);
int ends_left_out(void);

#endif
