/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_JSON_H
#define LSMPMON_JSON_H

#include <json-c/json.h>

/* A JSON string. Bytes that are not UTF-8, which JSON does not allow, become question marks. */
struct json_object *json_text(const char *text);

#endif
