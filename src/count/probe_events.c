/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "count/kernel.h"
#include "count/probe_events.h"
#include "machine/tasks.h"
#include "machine/tracing.h"

#define NAME_OF_EVENT "probe%zu" /* the event's index in the list */

/* How an event of the list is opened. */
struct probe_form {
	bool inherited; /* opened with this attr, and not with the attr of the event */
	char *removal; /* owned: the line that removes the event from tracefs; NULL: no event */
	int keeper_fd; /* owned: keeps the event in use, see probe_form_keep(); -1: none */
	struct perf_event_attr attr; /* type and config… */
	char *obstacle; /* owned: why the probe is not inherited; NULL: inherited, or not a probe */
};

/*
 * Open a control file of tracefs, for example uprobe_events, for probe_append_line(). Opening such
 * a file with O_TRUNC would remove the events of all users. The caller closes the descriptor. It or
 * -errno.
 */
static int probe_open_control_file(const struct machine *m, const char *events, const char *file)
{
	int folder_len = (int)(strrchr(events, '/') - events);
	cleanup_free char *path = machine_path(m, "%.*s/%s", folder_len, events, file);
	int fd;

	if (!path)
		return -ENOMEM;
	fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* Append one line. This needs no memory. 0 or -errno. */
static int probe_append_line(int fd, const char *line)
{
	return write(fd, line, strlen(line)) < 0 ?
		       -errno :
		       0; /* the kernel accepts the whole line or nothing */
}

struct kernel_function {
	const char *name; /* set by the caller */
	size_t found; /* the number of kernel functions with this name */
	uint64_t address; /* of the last one; 0: the kernel hides it (kptr_restrict) */
};

/* Compare one line, for example "ffffffffc0200000 t init\t[module]", with the functions. */
static void probe_match_line(char *line, struct kernel_function *functions, size_t n)
{
	char *end;
	uint64_t address = strtoull(line, &end, 16);

	if (end[0] != ' ' || !strchr("tTwW", end[1]) || end[2] != ' ')
		return;
	line = end + 3;
	line[strcspn(line, "\t\n")] = '\0';
	for (size_t i = 0; i < n; i++)
		if (strcmp(line, functions[i].name) == 0) {
			functions[i].found++;
			functions[i].address = address;
		}
}

/* Find n kernel functions in one pass over /proc/kallsyms, which takes about 50 ms. 0 or -errno. */
static int probe_find_kernel_functions(const struct machine *m, struct kernel_function *functions,
				       size_t n)
{
	cleanup_free char *path = machine_path(m, "/proc/kallsyms");
	cleanup_free char *line = NULL;
	size_t size = 0;
	FILE *file;
	int err;

	if (!path)
		return -ENOMEM;
	file = fopen(path, "re");
	if (!file)
		return -errno;
	errno = 0;
	while (getline(&line, &size, file) > 0)
		probe_match_line(line, functions, n);
	err = -errno;
	fclose(file);
	return err;
}

/* The inode number of pstat's own PID namespace; 0 if the kernel has no PID namespaces. */
static uint64_t probe_pid_namespace(const struct machine *m)
{
	cleanup_free char *path = machine_path(m, "/proc/self/ns/pid");
	struct stat st;

	return path && stat(path, &st) == 0 ? (uint64_t)st.st_ino : 0;
}

/* The file in tracefs that creates and removes probes of this kind. Returns a descriptor that p
 * owns, or -errno. */
static int probe_control_file(struct probe_events *p, const struct event *event)
{
	int *fd = event_is_kprobe(event) ? &p->kprobes_fd : &p->uprobes_fd;

	if (*fd < 0)
		*fd = probe_open_control_file(p->machine, p->tracefs,
					      event_is_kprobe(event) ? "kprobe_events" :
								       "uprobe_events");
	return *fd;
}

/* Why tracefs could not be written to; NULL: the error has another cause. */
static const char *probe_not_writable(int err)
{
	if (err == -EROFS)
		return "tracefs is mounted read-only: remount it read-write";
	if (err != -EACCES && err != -EPERM)
		return NULL;
	return geteuid() == 0 ?
		       "kernel lockdown or the container forbids root to write to tracefs" :
		       "tracefs is not writable by this user: run pstat as root";
}

static struct probe_form *probe_form_of(const struct probe_events *p, const struct event *event)
{
	return p && p->forms ? &p->forms[event - p->events->events] : NULL;
}

/* The group name of the pstat with this PID, in this PID namespace. The caller frees it. NULL: out
 * of memory. */
static char *probe_events_group(const struct machine *m, pid_t pid, uint64_t started)
{
	uint64_t namespace = probe_pid_namespace(m);
	char *group;

	return asprintf(&group, "pstat_%d_%" PRIu64 "_%" PRIu64, pid, started, namespace) < 0 ?
		       NULL :
		       group;
}

/*
 * Whether this is an event of a pstat that has ended: "pstat_PID_STARTED_NAMESPACE:NAME". A PID
 * from another namespace may belong to a different process here, so such events are kept.
 */
static bool probe_is_abandoned(const struct machine *m, const char *event)
{
	cleanup_free char *group = NULL;
	uint64_t started, now_started;
	int pid, len = 0;
	int err;

	if (sscanf(event, "pstat_%d_%" SCNu64 "_%*u:%n", &pid, &started, &len) != 2 || len == 0)
		return false;
	group = probe_events_group(m, pid, started);
	if (!group || strncmp(event, group, (size_t)len - 1) != 0)
		return false;
	err = task_started(m, pid, &now_started);
	return err == -ESRCH || (err == 0 && now_started != started);
}

/* Remove the events of every pstat that was killed before it could remove them. */
static void probe_events_remove_abandoned(const struct probe_events *p)
{
	cleanup_str_list struct str_list found = { 0 };
	cleanup_fd int uprobes = probe_open_control_file(p->machine, p->tracefs, "uprobe_events");
	cleanup_fd int kprobes = probe_open_control_file(p->machine, p->tracefs, "kprobe_events");

	tracing_match(p->machine, p->tracefs, "pstat_*", "*", &found);
	for (size_t i = 0; i < found.n; i++) {
		cleanup_str struct str line = { 0 };
		char *colon = strchr(found.v[i], ':');

		if (!colon || !probe_is_abandoned(p->machine, found.v[i]))
			continue;
		*colon = '/';
		str_addf(&line, "-:%s\n", found.v[i]);
		probe_append_line(uprobes, str_text(&line));
		probe_append_line(kprobes, str_text(&line));
	}
}

/*
 * Open the event on a CPU and never enable it. The kernel inserts a uprobe only into processes that
 * are the target of an open event (uprobe_perf_filter() in kernel/trace/trace_uprobe.c). When the
 * kernel swaps the contexts of two tasks, the events keep their targets. A child can get its
 * parent's events that way. When that child ends, the parent's calls would be lost (seen in Linux
 * 6.18). An event on a CPU has no target, so the kernel inserts the uprobe into every process. The
 * open event also keeps others from removing the event in tracefs.
 */
static int probe_form_keep(struct probe_form *form, struct why *why)
{
	struct perf_event_attr attr = form->attr;
	int cpu = sched_getcpu();

	attr.size = sizeof(attr);
	attr.disabled = 1;
	form->keeper_fd = kernel_open(&attr, -1, cpu < 0 ? 0 : cpu, -1, 0);
	if (form->keeper_fd < 0)
		return why_set(why, form->keeper_fd,
			       "the kernel refuses an event of a whole CPU: %s",
			       strerror(-form->keeper_fd));
	form->inherited = true;
	return 0;
}

/* Whether text can be the name of a kernel function. Any other character could end the name or the
 * line. */
static bool probe_is_symbol(const char *text)
{
	for (size_t i = 0; text[i]; i++)
		if (!isalnum((unsigned char)text[i]) && !strchr("_.$", text[i]))
			return false;
	return true;
}

/*
 * Make the event in tracefs. *id: its number as a tracepoint. 0 or -errno. A file is named by a
 * descriptor, because a blank, '#' or newline in a path would end the path or the line. The kernel
 * looks the path up at once.
 */
static int probe_events_make(struct probe_events *p, size_t i, uint64_t *id)
{
	const struct event *event = &p->events->events[i];
	unsigned long long offset = event->attr.probe_offset;
	bool in_kernel = event_is_kprobe(event);
	cleanup_fd int fd = in_kernel ? -1 : open(event->probed, O_PATH | O_CLOEXEC);
	cleanup_str struct str line = { 0 }, removal = { 0 };
	int control = probe_control_file(p, event);
	char name[32];
	int err;

	if (control < 0)
		return control;
	if (in_kernel && !probe_is_symbol(event->probed))
		return -EINVAL;
	snprintf(name, sizeof(name), NAME_OF_EVENT, i);
	/* the only bit of config is that of return probes */
	str_addf(&line, "%c:%s/%s ", event->attr.config ? 'r' : 'p', p->group, name);
	if (in_kernel)
		str_addf(&line, "%s+%llu\n", event->probed, offset);
	else
		str_addf(&line, "/proc/self/fd/%d:0x%llx\n", fd, offset);
	str_addf(&removal, "-:%s/%s\n", p->group, name);
	if (line.failed || removal.failed)
		return -ENOMEM;
	err = probe_append_line(control, str_text(&line));
	if (err < 0)
		return err;
	p->forms[i].removal = take_ptr(removal.text);
	return tracing_id(p->machine, p->tracefs, p->group, name, id);
}

static int probe_events_name(struct probe_events *p, size_t i, struct why *why)
{
	uint64_t id;
	int err = probe_events_make(p, i, &id);
	const char *obstacle = probe_not_writable(err);

	if (obstacle)
		return why_set(why, err, "%s", obstacle);
	if (err < 0)
		return why_set(why, err, "the kernel refuses an event in tracefs: %s",
			       strerror(-err));
	p->forms[i].attr = (struct perf_event_attr){ .type = PERF_TYPE_TRACEPOINT, .config = id };
	return probe_form_keep(&p->forms[i], why);
}

/* Make an event in tracefs for each probe. If that is not possible, each has the reason. */
static int probe_events_name_all(struct probe_events *p)
{
	cleanup_why struct why no_tracefs = { 0 };
	uint64_t started;
	int err = tracing_events(p->machine, &p->tracefs, &no_tracefs);

	if (err == -EACCES)
		why_set(&no_tracefs, err, "%s", probe_not_writable(err));
	if (err == 0)
		err = task_started(p->machine, getpid(), &started);
	if (err == 0) {
		p->group = probe_events_group(p->machine, getpid(), started);
		if (!p->group)
			return -ENOMEM;
		probe_events_remove_abandoned(p);
	}
	for (size_t i = 0; err != -ENOMEM && i < p->events->n; i++) {
		cleanup_why struct why why = { 0 };
		int refused;

		if (!p->events->events[i].probed)
			continue;
		refused = err < 0 ? why_set(&why, err, "%s", why_text(&no_tracefs, err)) :
				    probe_events_name(p, i, &why);
		if (refused == -ENOMEM)
			return refused;
		p->forms[i].obstacle = take_ptr(why.text);
	}
	return err == -ENOMEM ? err : 0;
}

/* On powerpc64, a probe by name is placed at the function's local entry point, but the function's
 * address is its global entry point. */
#if defined(__powerpc64__)
enum { ADDRESS_IS_ENTRY = 0 };
#else
enum { ADDRESS_IS_ENTRY = 1 };
#endif

/* Without an event in tracefs, probe the kernel function at its address. Each task that inherits
 * the probe then has its own kprobe, and takes about 25 ms longer to end (Linux 6.1). */
static int probe_locate_kprobes(struct probe_events *p)
{
	cleanup_free struct kernel_function *functions =
		calloc(p->events->n + 1, sizeof(*functions));
	size_t n = 0, at = 0;

	if (!functions)
		return -ENOMEM;
	for (size_t i = 0; i < p->events->n; i++)
		if (event_is_kprobe(&p->events->events[i]) && !p->forms[i].inherited)
			functions[n++].name = p->events->events[i].probed;
	if (n == 0 || !ADDRESS_IS_ENTRY ||
	    probe_find_kernel_functions(p->machine, functions, n) < 0)
		return 0;
	for (size_t i = 0; i < p->events->n; i++) {
		const struct event *event = &p->events->events[i];
		const struct kernel_function *function = &functions[at];
		struct probe_form *form = &p->forms[i];

		if (!event_is_kprobe(event) || form->inherited)
			continue;
		at++;
		if (function->found != 1 || function->address == 0)
			continue;
		form->attr = (struct perf_event_attr){ .type = event->attr.type,
						       .config = event->attr.config };
		form->attr.kprobe_addr = function->address + event->attr.probe_offset;
		form->inherited = true;
	}
	return 0;
}

int probe_events_create(struct probe_events *p, const struct machine *m,
			const struct event_list *events)
{
	bool any = false;
	int err;

	*p = (struct probe_events){
		.machine = m, .events = events, .uprobes_fd = -1, .kprobes_fd = -1
	};
	for (size_t i = 0; i < events->n; i++)
		any |= events->events[i].probed != NULL;
	if (!any)
		return 0;
	p->forms = calloc(events->n, sizeof(*p->forms));
	if (!p->forms)
		return -ENOMEM;
	for (size_t i = 0; i < events->n; i++)
		p->forms[i].keeper_fd = -1;
	err = probe_events_name_all(p);
	return err == 0 ? probe_locate_kprobes(p) : err;
}

bool probe_events_first_only(const struct probe_events *p, const struct event *event)
{
	const struct probe_form *form = probe_form_of(p, event);

	return event->probed && !(form && form->inherited);
}

const char *probe_events_obstacle(const struct probe_events *p, const struct event *event)
{
	const struct probe_form *form = probe_form_of(p, event);

	return form ? form->obstacle : NULL;
}

void probe_events_apply(const struct probe_events *p, const struct event *event,
			struct perf_event_attr *attr)
{
	const struct probe_form *form = probe_form_of(p, event);

	if (!form || !form->inherited)
		return;
	attr->type = form->attr.type;
	attr->config = form->attr.config;
	attr->config1 = form->attr.config1;
	attr->config2 = form->attr.config2;
}

/* A task that is starting or ending may still use an event for a moment after pstat has closed
 * it. */
void probe_events_remove(struct probe_events *p)
{
	const struct timespec pause = { .tv_nsec = 2000000 };
	int tries_left = 100; /* of all events */

	for (size_t i = 0; p->forms && i < p->events->n; i++) {
		struct probe_form *form = &p->forms[i];

		cleanup_fd_value(&form->keeper_fd);
		while (form->removal &&
		       probe_append_line(probe_control_file(p, &p->events->events[i]),
					 form->removal) == -EBUSY &&
		       tries_left-- > 0)
			nanosleep(&pause, NULL);
		free(form->removal);
		free(form->obstacle);
	}
	if (p->forms) {
		cleanup_fd_value(&p->uprobes_fd);
		cleanup_fd_value(&p->kprobes_fd);
	}
	free(p->forms);
	free(p->tracefs);
	free(p->group);
	*p = (struct probe_events){ 0 };
}
