/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_JSON_H
#define LSMPMON_JSON_H

#include <json-c/json.h>

/* A string; bytes that are no UTF-8, which JSON cannot have, become question marks. */
struct json_object *json_text(const char *text);

#endif
