// SPDX-License-Identifier: GPL-2.0-only
#include "record.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc.h"
#include "complain.h"
#include "facts.h"
#include "file.h"
#include "json.h"
#include "monitor.h"
#include "record_data.h"

#define CLOCK_VARIES 1.01

static int foreign(const char *name, const char *why)
{
	return complain("'%s' is not a record of lsmpmon: %s; make one with: lsmpmon record", name, why);
}

struct run *record_add_run(struct record *record)
{
	record->runs = xgrow(record->runs, record->run_count, sizeof(*record->runs));
	record->runs[record->run_count] = (struct run){ 0 };
	return &record->runs[record->run_count++];
}

void record_free(struct record *record)
{
	for (size_t i = 0; i < record->run_count; i++)
		run_free(&record->runs[i]);
	free(record->runs);
	free(record->name);
	json_object_put(record->about);
	json_object_put(record->command);
	*record = (struct record){ 0 };
}

bool record_is_new_boot(const struct record *record, size_t run)
{
	for (size_t i = 0; i < run; i++)
		if (!strcmp(record->runs[i].boot ?: "", record->runs[run].boot ?: ""))
			return false;
	return true;
}

size_t record_boots(const struct record *record)
{
	size_t boots = 0;

	for (size_t i = 0; i < record->run_count; i++)
		boots += record_is_new_boot(record, i);
	return boots;
}

uint64_t record_timed(const struct record *record)
{
	return run_info_number(record->runs, "timed") ?: 1;
}

const char *record_fact(const struct record *record, const char *name)
{
	struct json_object *fact;

	if (!json_object_object_get_ex(record->about, name, &fact))
		return NULL;
	return json_object_get_string(fact);
}

/* In a list such as "0-2,5"; 0 if it is none. */
static unsigned int count_cpus(const char *list)
{
	unsigned int count = 0, first, last;
	int length;

	for (;; list++) {
		if (sscanf(list, "%u%n", &first, &length) != 1)
			return 0;
		last = first;
		list += length;
		if (*list == '-') {
			if (sscanf(++list, "%u%n", &last, &length) != 1 || last < first)
				return 0;
			list += length;
		}
		count += last - first + 1;
		if (*list != ',')
			return *list ? 0 : count;
	}
}

unsigned int record_cpus(const struct record *record)
{
	const char *online = record_fact(record, "cpus_online");

	return (online ? count_cpus(online) : 0) ?: run_info_number(record->runs, "cpus");
}

int record_of_monitor(struct record *record, const char *dir)
{
	*record = (struct record){ .name = xstrdup(dir) };
	/* A copy may come from another machine, so this one's facts do not apply. */
	record->about = strcmp(dir, LSMMON) ? json_object_new_object() : facts();
	if (!monitor_check(dir) && !monitor_read_all(dir, record_add_run(record)))
		return 0;
	record_free(record);
	return -1;
}

/* The member if it has the right type, else NULL. */
static struct json_object *member(struct json_object *object, const char *name,
				  enum json_type type)
{
	struct json_object *found;

	if (!json_object_object_get_ex(object, name, &found) ||
	    !json_object_is_type(found, type))
		return NULL;
	return found;
}

static int parse_run(struct run *run, struct json_object *object, const char *name)
{
	struct json_object *disturbed = member(object, "disturbed", json_type_string);
	const char *wrong = json_object_is_type(object, json_type_object) ? record_data_read(run, object) :
									    "a run has no \"files\"";

	if (wrong)
		return foreign(name, wrong);
	run->status = json_object_get_int(member(object, "status", json_type_int));
	run->seconds = json_object_get_double(member(object, "seconds", json_type_double));
	run->disturbed = disturbed ? xstrdup(json_object_get_string(disturbed)) : NULL;
	return 0;
}

static int check_version(struct json_object *object, const char *name)
{
	const char *format = json_object_get_string(member(object, "format", json_type_string));
	int version = json_object_get_int(member(object, "version", json_type_int));

	if (!format || strcmp(format, RECORD_FORMAT))
		return foreign(name, "it does not begin with \"format\": \"" RECORD_FORMAT "\"");
	if (version > RECORD_VERSION)
		return complain("'%s' is a record of version %d, this lsmpmon knows %d: use a newer one",
				name, version, RECORD_VERSION);
	return version < 1 ? foreign(name, "it has no \"version\"") : 0;
}

static int parse_object(struct record *record, struct json_object *object, const char *name)
{
	struct json_object *runs = member(object, "runs", json_type_array);

	if (check_version(object, name))
		return -1;
	if (!runs || !json_object_array_length(runs))
		return foreign(name, "it has no \"runs\"");
	record->about = json_object_get(member(object, "about", json_type_object));
	record->command = json_object_get(member(object, "command", json_type_array));
	for (size_t i = 0; i < json_object_array_length(runs); i++)
		if (parse_run(record_add_run(record), json_object_array_get_idx(runs, i), name))
			return -1;
	return 0;
}

static struct json_object *parse_text(const char *name, const char *text)
{
	struct json_tokener *tokener = json_tokener_new();
	struct json_object *object;
	enum json_tokener_error error;

	if (!tokener)
		out_of_memory();
	object = json_tokener_parse_ex(tokener, text, strlen(text));
	error = json_tokener_get_error(tokener);
	if (error == json_tokener_continue)
		complain("'%s' is cut off: its end is missing; record it again", name);
	else if (error != json_tokener_success)
		foreign(name, json_tokener_error_desc(error));
	else if (!object)
		foreign(name, "it is empty");
	json_tokener_free(tokener);
	return object;
}

int record_parse(struct record *record, const char *name, const char *text)
{
	struct json_object *object = parse_text(name, text);
	int error;

	*record = (struct record){ .name = xstrdup(name) };
	error = object ? parse_object(record, object, name) : -1;
	json_object_put(object);
	if (error)
		record_free(record);
	return error;
}

/*
 * Old records do not name their boot: count each as a boot of its own. Where instructions are counted, all boots
 * are alike and so are their names: count each record as one there, too.
 */
static void name_boots(struct record *record)
{
	const char *accelerator = record_fact(record, "accelerator");
	const char *boot = record_fact(record, "boot");

	if (!boot || (accelerator && !strcmp(accelerator, "icount")))
		boot = record->name;
	for (size_t i = 0; i < record->run_count; i++)
		record->runs[i].boot = xstrdup(boot);
}

/* Records that are added up may be of different commands and days. */
static void name_dates(struct record *record)
{
	const char *date = record_fact(record, "date");

	for (size_t i = 0; date && i < record->run_count; i++)
		record->runs[i].date = xstrdup(date);
}

static void name_commands(struct record *record)
{
	for (size_t i = 0; record->command && i < record->run_count; i++)
		record->runs[i].command = xstrdup(json_object_to_json_string_ext(record->command,
					JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
}

int record_load(struct record *record, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), error;
	char *text;

	if (fd < 0)
		return complain("cannot open record '%s': %s%s", path, strerror(errno),
				errno == ENOENT ? "; lsmpmon record -- COMMAND makes one" : "");
	text = file_text(fd, path);
	close(fd);
	error = text ? record_parse(record, path, text) : -1;
	free(text);
	if (!error) {
		name_boots(record);
		name_dates(record);
		name_commands(record);
	}
	return error;
}

/* Move the runs of @from to @record. */
static void take_runs(struct record *record, struct record *from)
{
	for (size_t i = 0; i < from->run_count; i++)
		*record_add_run(record) = from->runs[i];
	from->run_count = 0;
	if (!record->about)
		record->about = json_object_get(from->about);
	if (!record->command)
		record->command = json_object_get(from->command);
	record_free(from);
}

/* Skip the FILE.old that record puts aside. */
static int is_record(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return entry->d_name[0] != '.' && (length < 4 || strcmp(entry->d_name + length - 4, ".old"));
}

/* Ticks of clocks of different speed cannot be added up. Each boot measures the speed of the same one again. */
static bool has_same_clock(const struct record *record, const struct record *one)
{
	double a, b;

	if (!record->run_count)
		return true;
	a = run_info_number(record->runs, "clock_khz");
	b = run_info_number(one->runs, "clock_khz");
	return a <= b * CLOCK_VARIES && b <= a * CLOCK_VARIES;
}

static int add_record(struct record *record, const char *path)
{
	struct record one;

	if (record_load(&one, path))
		return -1;
	if (!has_same_clock(record, &one)) {
		complain("'%s' is of another machine than the records before it in '%s': its clock has another speed",
			 path, record->name);
		record_free(&one);
		return -1;
	}
	take_runs(record, &one);
	return 0;
}

static int add_directory(struct record *record, const char *path)
{
	struct dirent **names;
	int count = scandir(path, &names, is_record, alphasort), error = 0;

	if (count < 0)
		return complain("cannot read directory '%s': %s", path, strerror(errno));
	for (int i = 0; i < count; i++) {
		char *file = xasprintf("%s/%s", path, names[i]->d_name);

		error = error ?: add_record(record, file);
		free(file);
		free(names[i]);
	}
	free(names);
	if (!error && !count)
		error = complain("there is no record in directory '%s'", path);
	return error;
}

static int add_any(struct record *record, const char *path)
{
	struct stat status;

	if (!stat(path, &status) && S_ISDIR(status.st_mode))
		return add_directory(record, path);
	return add_record(record, path);
}

static int add_list(struct record *record, const char *paths)
{
	char *copy = xstrdup(paths), *rest = copy;
	int error = 0;

	for (char *path; !error && (path = strsep(&rest, ","));)
		error = add_any(record, path);
	free(copy);
	return error;
}

int record_load_any(struct record *record, const char *path)
{
	struct stat status;
	int error;

	*record = (struct record){ .name = xstrdup(path) };
	/* A file whose name contains a comma comes before a list. */
	error = stat(path, &status) && strchr(path, ',') ? add_list(record, path) : add_any(record, path);
	if (error)
		record_free(record);
	return error;
}

static struct json_object *run_object(const struct run *run)
{
	struct json_object *object = json_object_new_object();

	json_object_object_add(object, "status", json_object_new_int(run->status));
	json_object_object_add(object, "seconds", json_object_new_double(run->seconds));
	if (run->disturbed)
		json_object_object_add(object, "disturbed", json_text(run->disturbed));
	record_data_add(object, run);
	return object;
}

void record_print(const struct record *record, FILE *out)
{
	struct json_object *object = json_object_new_object();
	struct json_object *runs = json_object_new_array();

	for (size_t i = 0; i < record->run_count; i++)
		json_object_array_add(runs, run_object(&record->runs[i]));
	json_object_object_add(object, "format", json_object_new_string(RECORD_FORMAT));
	json_object_object_add(object, "version", json_object_new_int(RECORD_VERSION));
	json_object_object_add(object, "command", json_object_get(record->command));
	json_object_object_add(object, "about", json_object_get(record->about));
	json_object_object_add(object, "runs", runs);
	fprintf(out, "%s\n", json_object_to_json_string_ext(object, JSON_C_TO_STRING_PRETTY |
						JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(object);
}
