// SPDX-License-Identifier: GPL-2.0-only
/* Hooks dispatched through lists, as on Linux 6.1; what a module's callback calls in turn is apart. */
struct hlist {
	struct hlist *first, *next;
};

struct security_hook_heads {
	struct hlist file_open;
	struct hlist capable;
} security_hook_heads;

union security_list_options {
	int (*file_open)(void *o);
	int (*capable)(void *o);
};

struct security_hook_list {
	struct security_hook_list *next;
	struct hlist *head;
	union security_list_options hook;
};

static struct security_hook_list *first(struct hlist *head)
{
	return (struct security_hook_list *)head->first;
}

#define CALL(name, o) ({							\
	struct security_hook_list *entry;					\
	int error = 0;								\
										\
	for (entry = first(&security_hook_heads.name); entry; entry = entry->next) {	\
		error = entry->hook.name(o);					\
		if (error)							\
			break;							\
	}									\
	error;									\
})

__attribute__((noinline)) int security_capable(void *o) { return CALL(capable, o); }
__attribute__((noinline)) int security_file_open(void *o) { return CALL(file_open, o); }

static int module_file_open(void *o) { return security_capable(o); }

struct security_hook_list module_hooks[] = {
	{ .head = &security_hook_heads.file_open, .hook.file_open = module_file_open },
};

long sys_open(void *o)
{
	return security_file_open(o);
}
