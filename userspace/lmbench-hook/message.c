// SPDX-License-Identifier: GPL-2.0-only
/* Messages between the two ends of a connection: one byte there and back, or many bytes. */

#include <errno.h>
#include <sys/socket.h>

#include "bench.h"
#include "ends.h"

#define STREAM_SIZE (64 * 1024)

/* Fits into one packet of the loopback, which holds 64 KiB with all headers. */
#define DATAGRAM_SIZE (32 * 1024)

static char message[STREAM_SIZE];

static int whole(ssize_t done, size_t size)
{
	if (done >= 0 && (size_t)done != size) {
		errno = EAGAIN;
		return -1;
	}
	return done < 0 ? -1 : 0;
}

static int pass(int from, int to, size_t size)
{
	if (whole(send(from, message, size, MSG_NOSIGNAL), size))
		return -1;
	return whole(recv(to, message, size, MSG_WAITALL), size);
}

static int there_and_back(struct place *place)
{
	if (pass(place->ends[0], place->ends[1], 1))
		return -1;
	return pass(place->ends[1], place->ends[0], 1);
}

static int there(struct place *place)
{
	return pass(place->ends[0], place->ends[1], place->size);
}

static int try_ends(struct place *place, const struct bench *bench, int err)
{
	return err || bench_try(bench, place) ? ends_left_out() : 0;
}

static int make_tcp(struct place *place, const struct bench *bench)
{
	return try_ends(place, bench, ends_tcp(place));
}

static int make_udp(struct place *place, const struct bench *bench)
{
	return try_ends(place, bench, ends_udp(place));
}

static int make_stream(struct place *place, const struct bench *bench)
{
	return try_ends(place, bench, ends_unix(place, SOCK_STREAM));
}

static int make_datagram(struct place *place, const struct bench *bench)
{
	return try_ends(place, bench, ends_unix(place, SOCK_DGRAM));
}

#define ROUND_TRIP(kind, make, about)	\
	{ .name = "net/" kind, .calls = "[sendto recvfrom sendto recvfrom]",	\
	  .what = "one byte there and back, " about,	\
	  .setup = make, .call = there_and_back }

#define THROUGHPUT(kind, make, bytes, about)	\
	{ .name = "net/" kind, .calls = "[sendto recvfrom]", .what = about,	\
	  .size = bytes, .setup = make, .call = there }

const struct bench message_benches[] = {
	ROUND_TRIP("tcp-rr", make_tcp, "by TCP on the loopback"),
	ROUND_TRIP("udp-rr", make_udp, "by UDP on the loopback"),
	ROUND_TRIP("unix-rr", make_stream, "by a pair of Unix sockets, streams"),
	ROUND_TRIP("unix-dgram", make_datagram, "by a pair of Unix sockets, datagrams"),
	THROUGHPUT("tcp-64k", make_tcp, STREAM_SIZE, "64 KiB by TCP on the loopback"),
	THROUGHPUT("udp-32k", make_udp, DATAGRAM_SIZE,
		   "32 KiB by UDP on the loopback, in one packet"),
	THROUGHPUT("unix-64k", make_stream, STREAM_SIZE, "64 KiB by a pair of Unix sockets"),
	{ 0 }
};
