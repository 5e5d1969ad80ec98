// SPDX-License-Identifier: GPL-2.0-only
/* Sockets and connections between them. */

#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "bench.h"
#include "ends.h"
#include "syscalls.h"

/* Relative to place->tree. */
#define UNIX_NAME "socket"

static struct sockaddr_in tcp_address;
static const struct sockaddr_un unix_address = { .sun_family = AF_UNIX, .sun_path = UNIX_NAME };

static int close_fd(int *fd)
{
	int gone = *fd;

	*fd = -1;
	return lh_close(gone);
}

static int open_tcp(struct place *place)
{
	place->fd = socket(AF_INET, SOCK_STREAM, 0);
	return place->fd < 0 ? -1 : 0;
}

static int open_unix(struct place *place)
{
	place->fd = socket(AF_UNIX, SOCK_STREAM, 0);
	return place->fd < 0 ? -1 : 0;
}

static int close_socket(struct place *place)
{
	return close_fd(&place->fd);
}

static int open_pair(struct place *place)
{
	return socketpair(AF_UNIX, SOCK_STREAM, 0, place->ends);
}

static int close_pair(struct place *place)
{
	return close_fd(&place->ends[0]) || close_fd(&place->ends[1]) ? -1 : 0;
}

static int open_client(struct place *place)
{
	return open_tcp(place) || ends_reset_at_close(place->fd) ? -1 : 0;
}

static int connect_tcp(struct place *place)
{
	return connect(place->fd, (struct sockaddr *)&tcp_address, sizeof(tcp_address));
}

static int connect_unix(struct place *place)
{
	return connect(place->fd, (struct sockaddr *)&unix_address, sizeof(unix_address));
}

static int take(struct place *place)
{
	place->ends[1] = accept4(place->listener, NULL, NULL, 0);
	return place->ends[1] < 0 ? -1 : 0;
}

/* Close the client first, so that its reset ends the connection and not the server's FIN. */
static int hang_up(struct place *place)
{
	return close_fd(&place->fd) || close_fd(&place->ends[1]) ? -1 : 0;
}

static int take_and_hang_up(struct place *place)
{
	return take(place) || hang_up(place) ? -1 : 0;
}

static int open_and_connect(struct place *place)
{
	return open_client(place) || connect_tcp(place) ? -1 : 0;
}

static int possible(struct place *place, const struct bench *bench)
{
	return bench_try(bench, place);
}

/* Try a connection with a timeout first, in case a policy drops its packets. */
static int make_tcp(struct place *place, const struct bench *bench)
{
	if (ends_tcp(place))
		return ends_left_out();
	place_close(place);
	if (ends_listen(place, &tcp_address) || bench_try(bench, place))
		return ends_left_out();
	return 0;
}

static int make_unix(struct place *place, const struct bench *bench)
{
	place->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (place->listener < 0 ||
	    bind(place->listener, (struct sockaddr *)&unix_address, sizeof(unix_address)) ||
	    listen(place->listener, 1))
		return 1;
	return bench_try(bench, place);
}

const struct bench socket_benches[] = {
	{ .name = "net/socket", .calls = "[socket] close", .what = "make a TCP socket",
	  .setup = possible, .call = open_tcp, .after = close_socket },
	{ .name = "net/socketpair", .calls = "[socketpair] close close",
	  .what = "make a pair of Unix sockets",
	  .setup = possible, .call = open_pair, .after = close_pair },
	{ .name = "net/connect", .calls = "socket setsockopt [connect] accept4 close close",
	  .what = "connect to a TCP port of the loopback",
	  .setup = make_tcp,
	  .before = open_client, .call = connect_tcp, .after = take_and_hang_up },
	{ .name = "net/accept", .calls = "socket setsockopt connect [accept4] close close",
	  .what = "accept a TCP connection on the loopback",
	  .setup = make_tcp, .before = open_and_connect, .call = take, .after = hang_up },
	{ .name = "net/unix-connect", .calls = "socket [connect] accept4 close close",
	  .what = "connect to a Unix socket that has a path",
	  .setup = make_unix,
	  .before = open_unix, .call = connect_unix, .after = take_and_hang_up },
	{ 0 }
};
