/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Requests to the kernel's audit, as auditctl makes them
 */

#ifndef LSMMON_AUDIT_H
#define LSMMON_AUDIT_H

#include <linux/audit.h>
#include <linux/netlink.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Returns 0; -1, or the negative errno of the kernel's answer. */
static inline int talk_to_audit(int type, const void *data, size_t size)
{
	struct {
		struct nlmsghdr header;
		char data[sizeof(struct audit_rule_data)];
	} request = {
		.header = {
			.nlmsg_len = NLMSG_LENGTH(size), .nlmsg_type = type,
			.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK,
		},
	};
	struct {
		struct nlmsghdr header;
		struct nlmsgerr error;
	} answer = {};
	int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_AUDIT);
	int err = -1;

	if (fd < 0)
		return -1;
	memcpy(request.data, data, size);
	if (send(fd, &request, request.header.nlmsg_len, 0) ==
	    request.header.nlmsg_len &&
	    recv(fd, &answer, sizeof(answer), 0) > 0 &&
	    answer.header.nlmsg_type == NLMSG_ERROR)
		err = answer.error.error;
	close(fd);
	return err;
}

/* Like auditctl -e. */
static inline int switch_audit(int on)
{
	const struct audit_status status = {
		.mask = AUDIT_STATUS_ENABLED, .enabled = on,
	};

	return talk_to_audit(AUDIT_SET, &status, sizeof(status));
}

#endif /* LSMMON_AUDIT_H */
