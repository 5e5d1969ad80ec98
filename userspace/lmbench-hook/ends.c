// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two connected sockets on the loopback, both in this process. A packet has arrived by the time the
 * other end asks for it, so one process is enough.
 */

#include "ends.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>

/* Room for many of the largest message, so that sending never waits for the other end. */
#define ROOM 212992

/* A packet filter or a policy may drop a message: don't wait for it forever. */
#define PATIENCE_S 2

/* One packet per message, and a timeout. */
static int prepare(int fd)
{
	const struct timeval patience = { .tv_sec = PATIENCE_S };
	const int room = ROOM;

	if (setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &room, sizeof(room)) ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof(room)) ||
	    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience)) ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)))
		return -1;
	return 0;
}

/* Bind to a free port of the loopback and return it in @address. */
static int bind_loopback(int fd, struct sockaddr_in *address)
{
	socklen_t len = sizeof(*address);

	*address = (struct sockaddr_in){
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	if (bind(fd, (struct sockaddr *)address, len))
		return -1;
	return getsockname(fd, (struct sockaddr *)address, &len);
}

static int make(int *fd, int type)
{
	*fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);
	return *fd < 0 ? -1 : prepare(*fd);
}

/* Connections inherit the options of the listening socket. */
int ends_listen(struct place *place, struct sockaddr_in *address)
{
	if (make(&place->listener, SOCK_STREAM) || bind_loopback(place->listener, address))
		return -1;
	return listen(place->listener, 1);
}

/* A reset connection leaves nothing behind: no port stays in TIME_WAIT. */
int ends_reset_at_close(int fd)
{
	const struct linger now = { .l_onoff = 1 };

	return setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
}

static int send_at_once(int fd)
{
	const int yes = 1;

	return setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
}

int ends_tcp(struct place *place)
{
	struct sockaddr_in address;
	int *ends = place->ends;

	if (ends_listen(place, &address) || make(&ends[0], SOCK_STREAM) ||
	    connect(ends[0], (struct sockaddr *)&address, sizeof(address)))
		return -1;
	ends[1] = accept4(place->listener, NULL, NULL, SOCK_CLOEXEC);
	if (ends[1] < 0 || ends_reset_at_close(ends[0]))
		return -1;
	return send_at_once(ends[0]) || send_at_once(ends[1]) ? -1 : 0;
}

int ends_udp(struct place *place)
{
	struct sockaddr_in addresses[2];
	int *ends = place->ends;

	for (int i = 0; i < 2; i++)
		if (make(&ends[i], SOCK_DGRAM) || bind_loopback(ends[i], &addresses[i]))
			return -1;
	for (int i = 0; i < 2; i++)
		if (connect(ends[i], (struct sockaddr *)&addresses[!i], sizeof(addresses[i])))
			return -1;
	return 0;
}

int ends_unix(struct place *place, int type)
{
	int *ends = place->ends;

	if (socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends))
		return -1;
	return prepare(ends[0]) || prepare(ends[1]) ? -1 : 0;
}

/* A socket reports a timeout as EAGAIN, which would tell users nothing. */
int ends_left_out(void)
{
	if (errno == EAGAIN || errno == EINPROGRESS)
		errno = ETIMEDOUT;
	return 1;
}
