/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files of /sys and /proc. The first line of the input is an event; each other line is a file,
 * "NAME=TEXT", in which "|" means a line feed, or a folder, "NAME/=ENTRY ENTRY...". Only the last
 * part of a path matters. Whatever the files contain, pstat resolves the event or reports the
 * reason, and can describe the rest of the machine.
 *
 * The machine_ functions below are linked instead of those in src/machine/machine.c.
 */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "event/resolve.h"
#include "fuzz.h"
#include "fuzz_no_libraries.h"
#include "machine/cpulist.h"
#include "machine/host.h"
#include "machine/pmu.h"
#include "machine/tasks.h"
#include "machine/topology.h"
#include "machine/tracing.h"

/* pstat reads numbered folders until one is missing. That happens here after this many files. */
enum { READS_MAX = 2000 };

static const char *files; /* all lines of the input except the first */
static int reads;

/* The text of the file or folder, which is the line that begins with "NAME" and end; or NULL. */
static const char *find(const char *path, const char *end, size_t *n)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t name_n = strlen(name), end_n = strlen(end);

	for (const char *line = files; *line; line += *n + (line[*n] != '\0')) {
		*n = strcspn(line, "\n");
		if (*n < name_n + end_n || memcmp(line, name, name_n) != 0 ||
		    memcmp(line + name_n, end, end_n) != 0)
			continue;
		*n -= name_n + end_n;
		return line + name_n + end_n;
	}
	return NULL;
}

#define FORMAT_PATH(path, format)                                                                  \
	do {                                                                                       \
		va_list args;                                                                      \
                                                                                                   \
		va_start(args, format);                                                            \
		CHECK(vasprintf(&(path), format, args) >= 0);                                      \
		va_end(args);                                                                      \
	} while (0)

static int read_file(const char *path, char **text)
{
	size_t n;
	const char *found = find(path, "=", &n);

	if (!found || ++reads > READS_MAX)
		return -ENOENT;
	while (n > 0 && strchr(" \t\r|", found[n - 1]))
		n--;
	*text = strndup(found, n);
	CHECK(*text);
	for (char *p = *text; *p; p++)
		if (*p == '|')
			*p = '\n';
	return 0;
}

int machine_read(const struct machine *m, char **text, const char *path, ...)
{
	cleanup_free char *full = NULL;

	(void)m;
	FORMAT_PATH(full, path);
	return read_file(full, text);
}

int machine_read_int(const struct machine *m, int *value, const char *path, ...)
{
	cleanup_free char *full = NULL, *text = NULL;
	char *end;
	long parsed;
	int err;

	(void)m;
	FORMAT_PATH(full, path);
	err = read_file(full, &text);
	if (err < 0)
		return err;
	parsed = strtol(text, &end, 10);
	if (end == text || *end || parsed != (int)parsed)
		return -EINVAL;
	*value = (int)parsed;
	return 0;
}

int machine_list(const struct machine *m, struct str_list *list, const char *path, ...)
{
	cleanup_free char *full = NULL, *text = NULL;
	const char *found;
	size_t n;
	char *save;

	(void)m;
	FORMAT_PATH(full, path);
	found = find(full, "/=", &n);
	if (!found)
		return -ENOENT;
	text = strndup(found, n);
	CHECK(text);
	for (char *entry = strtok_r(text, " /", &save); entry; entry = strtok_r(NULL, " /", &save))
		if (entry[0] != '.')
			CHECK(str_list_add(list, entry) == 0);
	str_list_sort(list);
	return 0;
}

bool machine_has(const struct machine *m, const char *path, ...)
{
	cleanup_free char *full = NULL;
	size_t n;

	(void)m;
	FORMAT_PATH(full, path);
	return find(full, "=", &n) || find(full, "/=", &n);
}

/* Nothing else exists on this machine. */
char *machine_path(const struct machine *m, const char *path, ...)
{
	(void)m, (void)path;
	return strdup("/nowhere");
}

bool machine_is_here(const struct machine *m)
{
	(void)m;
	return false;
}

bool machine_has_proc(const struct machine *m)
{
	(void)m;
	return true;
}

bool machine_has_sysfs(const struct machine *m)
{
	(void)m;
	return true;
}

/* ---- */

static void check_event(const struct machine *m, const char *text)
{
	cleanup_with(event_list_release) struct event_list list = { 0 };
	cleanup_why struct why why = { 0 };
	int err = resolve_events(m, RESOLVE_BY_ALL, text, &list, &why);

	CHECK(!why.has_position || why.position <= strlen(text));
	if (err < 0)
		return;
	/* only optional events ("x?") may be left out, with a reason */
	CHECK(list.n > 0 ? list.groups_n > 0 : list.left_out.n > 0);
	for (size_t i = 0; i < list.n; i++)
		CHECK(list.events[i].name && list.events[i].pmu);
}

static void check_topology(const struct machine *m, enum topology_need need)
{
	cleanup_with(cpulist_release) struct cpulist cpus = { 0 };
	cleanup_free struct cpu_place *places = NULL;
	cleanup_str struct str label = { 0 };

	if (cpulist_online(m, &cpus) < 0 || topology_read(m, &cpus, need, 0, &places) < 0)
		return;
	for (size_t i = 0; i < cpus.n; i++) {
		CHECK(places[i].cpu == cpus.v[i]);
		CHECK(topology_compare(need, &places[i], &places[i]) == 0);
		CHECK(topology_label(need, &places[i], &label) == 0);
	}
}

static void check_model(const struct machine *m)
{
	cleanup_str_list struct str_list governors = { 0 }, pmus = { 0 };
	cleanup_free char *model = NULL;
	char comm[TASK_COMM_SIZE];
	uint64_t ticks;
	bool turbo;
	int level;

	CHECK(host_cpu_model(m, &model) < 0 || model);
	CHECK(host_cpu_governors(m, &governors) == 0);
	host_cpu_turbo(m, &turbo);
	host_paranoid(m, &level);
	host_virtualization(m);
	pmu_any_core(m);
	CHECK(pmu_hybrid(m, &pmus) == 0);
	task_comm(m, 1, comm);
	CHECK(strlen(comm) < TASK_COMM_SIZE);
	task_started(m, 1, &ticks);
}

static void check_tracepoints(const struct machine *m)
{
	cleanup_str_list struct str_list found = { 0 };
	cleanup_free char *events = NULL;
	cleanup_why struct why why = { 0 };

	if (tracing_events(m, &events, &why) == 0)
		tracing_match(m, events, "s*", "*", &found);
	else
		CHECK(why.text);
}

void fuzz(const uint8_t *data, size_t size)
{
	cleanup_free char *text = fuzz_text(data, size);
	struct machine machine = { .root = text };
	char *rest = text;
	const char *event = fuzz_line(&rest);

	files = rest;
	reads = 0;
	check_event(&machine, event);
	for (int need = TOPOLOGY_SOCKET; need <= TOPOLOGY_NODE; need <<= 1)
		check_topology(&machine, (enum topology_need)need);
	check_model(&machine);
	check_tracepoints(&machine);
}
