// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: lsmmon/hooks
 */

#include "files.h"
#include "module.h"
#include "object.h"
#include "table.h"

static int lsmpmon_hooks_show(struct seq_file *m, void *v)
{
	enum lsmpmon_hook hook = lsmpmon_hooks_current(m);
	char kinds[LSMPMON_OBJECT_KINDS_SIZE];
	const char *module, *separator = "";
	unsigned int place;

	if (v == SEQ_START_TOKEN) {
		seq_puts(m, "hook modules objects\n");
		return 0;
	}
	seq_printf(m, "%s ", lsmpmon_hook_name(hook));
	for (place = 0; place < LSMPMON_PLACES; place++) {
		module = lsmpmon_module_at(hook, place);
		if (!module)
			continue;
		seq_printf(m, "%s%s", separator, module);
		separator = ",";
	}
	lsmpmon_object_kinds(hook, kinds, sizeof(kinds));
	seq_printf(m, "%s %s\n", *separator ? "" : "-", *kinds ? kinds : "-");
	return 0;
}

LSMPMON_DEFINE_HOOK_TABLE(hooks);
