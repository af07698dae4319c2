/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --doctor: is this machine fit to measure, and how small a change would a comparison show? */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/str.h"
#include "base/why.h"
#include "count/diagnose.h"
#include "count/kernel.h"
#include "count/session.h"
#include "event/resolve.h"
#include "format/terminal/terminal.h"
#include "job/events.h"
#include "job/jobs.h"
#include "machine/disturbances.h"
#include "machine/host.h"
#include "machine/machine.h"
#include "machine/pmu.h"
#include "machine/tracing.h"
#include "output/message.h"
#include "stats/random.h"
#include "stats/summary.h"

static double job_doctor_seconds_of(const struct rusage *usage)
{
	return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
	       (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e6;
}

/* ---- Counters. */

/* More than any PMU counts at once. */
#define EVENT "branches"
enum { EVENTS_N = 24 };

/* Find out how many general counters are free. Append the reason if there is none. 0 or -ENOMEM. */
static int job_doctor_number_of_counters(const struct machine *m, size_t *n, struct str *reason)
{
	cleanup_with(event_list_release) struct event_list events = { 0 };
	cleanup_with(target_release) struct target target = { 0 };
	cleanup_with(session_close) struct session session = { 0 };
	const struct target_request request = { 0 };
	cleanup_why struct why why = { 0 };
	cleanup_free size_t *units = NULL;
	struct session_setup setup = { .machine = m,
				       .events = &events,
				       .target = &target,
				       .inherit = COUNTER_ALL_TASKS,
				       .has_command = true };
	int err = target_init(&target, m, &request, &why);

	for (size_t i = 0; err == 0 && i < EVENTS_N; i++)
		err = resolve_events(m, RESOLVE_BY_ALL, EVENT ":u", &events, &why);
	setup.units = units = err == 0 ? events_units(&events, NULL) : NULL;
	if (err == 0)
		err = units ? 0 : -ENOMEM;
	if (err == 0)
		err = session_open(&session, &setup, &why);
	if (err < 0)
		str_add(reason, why_text(&why, err));
	else if (session.openings[0].reason.text)
		str_add(reason, session.openings[0].reason.text);
	else
		*n = session.budget.fits ? EVENTS_N : session.budget.counters;
	return err == -ENOMEM || reason->failed ? -ENOMEM : 0;
}

static int job_doctor_add_counters(const struct machine *m, struct findings *list)
{
	const char *virtual = host_virtualization(m);
	cleanup_str struct str text = { 0 }, reason = { 0 };
	size_t n = 0;
	int err = 0;

	if (machine_is_here(m))
		err = job_doctor_number_of_counters(m, &n, &reason);
	if (err < 0)
		return err;
	if (!machine_is_here(m))
		str_add(&text, pmu_any_core(m) == 1 ? "this machine has a PMU" : "no PMU");
	else if (n > 0)
		str_addf(&text, "%zu are free", n);
	else
		str_addf(&text, "none: %s", reason.len ? str_text(&reason) : "all are in use");
	if (virtual && !reason.len) /* the reason says so */
		str_addf(&text, "; this is %s", virtual);
	if (text.failed)
		return -ENOMEM;
	return findings_add(list, (struct finding){ .name = "hardware counters",
						    .text = take_ptr(text.text),
						    .disturbs = machine_is_here(m) ?
									n == 0 :
									pmu_any_core(m) != 1 });
}

/* ---- Permissions. */

/* Whether the kernel lets this user count the event. *attr: as it was tried. 0 or -errno. */
static int job_doctor_try_open(const struct event *event, bool user_only, pid_t pid, int cpu,
			       struct perf_event_attr *attr)
{
	cleanup_fd int fd = -1;

	*attr = event->attr;
	attr->size = sizeof(*attr);
	attr->disabled = 1;
	attr->exclude_kernel = attr->exclude_hv = user_only;
	fd = kernel_open(attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? fd : 0;
}

/* Append what may be counted, and if that is not everything, why. Returns whether it is. */
static bool job_doctor_add_allowed(const struct machine *m, const struct event *event,
				   struct str *text)
{
	const struct diagnose_context context = { m, TARGET_CPUS, 1 };
	cleanup_free char *events = NULL;
	cleanup_why struct why why = { 0 };
	struct perf_event_attr attr;
	int err;

	if (job_doctor_try_open(event, true, 0, -1, &attr) == 0)
		str_add_listed(text, "user mode");
	if (job_doctor_try_open(event, false, 0, -1, &attr) == 0)
		str_add_listed(text, "the kernel");
	if (tracing_events(m, &events, &why) == 0)
		str_add_listed(text, "tracepoints");
	err = job_doctor_try_open(event, false, -1, 0, &attr);
	if (err == 0)
		str_add_listed(text, "whole CPUs");
	if (text->len == 0)
		str_add(text, "only what needs no event: times and max_rss");
	if (err < 0) {
		str_add(text, "; ");
		diagnose_open(&context, event, &attr, err, text);
	}
	return err == 0;
}

static int job_doctor_add_permissions(const struct machine *m, struct findings *list)
{
	cleanup_with(event_list_release) struct event_list events = { 0 };
	cleanup_why struct why why = { 0 };
	cleanup_str struct str text = { 0 };
	bool all;

	/* every machine has this event */
	if (resolve_events(m, RESOLVE_BY_ALL, "cpu-clock", &events, &why) < 0)
		return -ENOMEM;
	all = job_doctor_add_allowed(m, &events.events[0], &text);
	if (text.failed)
		return -ENOMEM;
	return findings_add(list, (struct finding){ .name = "may be counted",
						    .text = take_ptr(text.text),
						    .disturbs = !all });
}

/* ---- The noise of a program, which is pstat itself. */

#define OPTION "--list" /* reads files, and computes a little */
#define PROGRAM "pstat " OPTION

enum { NOISE_S = 5 }; /* without --duration */
enum { ROUNDS_MIN = 10 };

enum { CPU_TIME, ELAPSED, FAULTS, MEASURES_N };

static const char *const measure_names[] = {
	[CPU_TIME] = "CPU time", [ELAPSED] = "elapsed time", [FAULTS] = "page-faults"
};

struct noise {
	struct summary changes[MEASURES_N]; /* of the pairs, as a share of their mean */
	double cpu_s; /* of all runs */
	uint64_t took_ns;
};

/* Run the program once, without its output. 0 or -errno. */
static int job_doctor_run_once(double values[MEASURES_N], double *cpu_s)
{
	const uint64_t start_ns = clock_ns();
	struct rusage usage;
	pid_t pid = fork();
	int status;

	if (pid < 0)
		return -errno;
	if (pid == 0) {
		int null_fd = open("/dev/null", O_RDWR);

		if (dup2(null_fd, STDOUT_FILENO) >= 0 && dup2(null_fd, STDERR_FILENO) >= 0)
			execl("/proc/self/exe", "pstat", OPTION, NULL);
		_exit(STATUS_NOT_EXECUTABLE);
	}
	while (wait4(pid, &status, 0, &usage) < 0)
		if (errno != EINTR)
			return -errno;
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		return -ENOEXEC;
	values[ELAPSED] = (double)(clock_ns() - start_ns);
	values[CPU_TIME] = job_doctor_seconds_of(&usage);
	values[FAULTS] = (double)usage.ru_minflt;
	*cpu_s += values[CPU_TIME];
	return 0;
}

/* Compare the program with itself, in rounds. 0; -errno: it failed. */
static int job_doctor_measure_noise(uint64_t limit_ns, struct noise *noise)
{
	const uint64_t start_ns = clock_ns();
	struct random random = random_of_seed(start_ns);

	signal(SIGCHLD, SIG_DFL); /* the caller may ignore it; then wait4(2) fails */
	*noise = (struct noise){ 0 };
	do {
		const bool swapped = random_next(&random) & 1;
		double values[2][MEASURES_N];
		int err = job_doctor_run_once(values[swapped], &noise->cpu_s);

		if (err == 0)
			err = job_doctor_run_once(values[!swapped], &noise->cpu_s);
		if (err < 0)
			return err;
		for (int i = 0; i < MEASURES_N; i++)
			if (values[0][i] + values[1][i] > 0)
				summary_add(&noise->changes[i],
					    2 * (values[1][i] - values[0][i]) /
						    (values[0][i] + values[1][i]));
		noise->took_ns = clock_ns() - start_ns;
	} while (noise->took_ns < limit_ns || noise->changes[ELAPSED].n < ROUNDS_MIN);
	return 0;
}

enum { COMPARISON_S = 10 };

/*
 * The change in percent that a comparison of COMPARISON_S detects with a probability of 90 %. The
 * numbers are quantiles of the normal distribution: for a two-sided test at 2.5 %, because the
 * elapsed time and the CPU time share 5 %, and for the 90 %.
 */
static double job_doctor_smallest_change(const struct noise *noise, int measure)
{
	const struct summary *s = &noise->changes[measure];
	const double rounds = (double)s->n * COMPARISON_S * NS_OF_S / (double)noise->took_ns;

	return s->n < 2 ? NAN : 100 * (2.2414 + 1.2816) * (double)summary_stddev(s) / sqrt(rounds);
}

static double job_doctor_milliseconds_of_run(const struct noise *noise)
{
	return noise->cpu_s * 1e3 / (2 * (double)noise->changes[ELAPSED].n);
}

/* ---- The page. */

enum { NAME_WIDTH = 20 };

static int job_doctor_print_text(const struct findings *list, const struct noise *noise, FILE *out)
{
	cleanup_with(ruler_release) struct ruler ruler = { 0 };
	const int columns = isatty(STDOUT_FILENO) ? terminal_columns(STDOUT_FILENO) : 80;
	cleanup_str struct str text = { 0 };
	size_t disturbing = 0;

	for (size_t i = 0; i < list->n; i++) {
		const struct finding *it = &list->v[i];
		cleanup_str struct str shown = { 0 };

		disturbing += it->disturbs;
		ruler_add(&ruler, &shown, it->text);
		str_addf(&text, "%c %-*s", it->disturbs ? '!' : ' ', NAME_WIDTH - 2, it->name);
		terminal_wrap(&text, str_text(&shown), NAME_WIDTH, columns);
		if (it->remedy) {
			str_addf(&text, "\n%*s-> ", NAME_WIDTH, "");
			terminal_wrap(&text, it->remedy, NAME_WIDTH + 3, columns);
		}
		str_add(&text, "\n");
	}
	if (noise && noise->took_ns == 0)
		str_add(&text, "\nThe smallest changes are unknown: " PROGRAM " failed.\n");
	else if (noise) {
		str_addf(&text,
			 "\nThe smallest changes that a comparison of %d s detects here, measured "
			 "with\n%s (%.1f ms of CPU time) in %.1f s:\n",
			 COMPARISON_S, PROGRAM, job_doctor_milliseconds_of_run(noise),
			 (double)noise->took_ns / NS_OF_S);
		for (int i = 0; i < MEASURES_N; i++) {
			const double percent = job_doctor_smallest_change(noise, i);

			str_addf(&text, "  %-*s", NAME_WIDTH - 2, measure_names[i]);
			str_addf(&text, percent > 0 ? "%.2f %%\n" : "no run differed\n", percent);
		}
	}
	if (disturbing == 1)
		str_add(&text, "\nThe property marked with ! limits or disturbs measurements.\n");
	else if (disturbing)
		str_addf(&text,
			 "\nThe %zu properties marked with ! limit or disturb measurements.\n",
			 disturbing);
	return str_print(&text, out);
}

static int job_doctor_print_json(const struct findings *list, const struct noise *noise, FILE *out)
{
	struct json_out j = { .out = out };

	json_object(&j, NULL, JSON_LINES);
	json_array(&j, "findings", JSON_LINES);
	for (size_t i = 0; i < list->n; i++) {
		json_object(&j, NULL, JSON_FILL);
		json_string(&j, "name", list->v[i].name);
		json_string(&j, "state", list->v[i].text);
		json_bool(&j, "disturbs", list->v[i].disturbs);
		json_string(&j, "remedy", list->v[i].remedy);
		json_end(&j);
	}
	json_end(&j);
	if (noise && noise->took_ns > 0) {
		json_object(&j, "noise", JSON_LINES);
		json_string(&j, "program", PROGRAM);
		json_number(&j, "milliseconds", job_doctor_milliseconds_of_run(noise));
		json_number(&j, "seconds", (long double)noise->took_ns / (long double)NS_OF_S);
		json_unsigned(&j, "rounds", noise->changes[ELAPSED].n);
		json_int(&j, "comparison_seconds", COMPARISON_S);
		json_array(&j, "smallest_changes", JSON_LINES);
		for (int i = 0; i < MEASURES_N; i++) {
			json_object(&j, NULL, JSON_LINE);
			json_string(&j, "name", measure_names[i]);
			json_number(&j, "percent", job_doctor_smallest_change(noise, i));
			json_end(&j);
		}
		json_end(&j);
		json_end(&j);
	}
	json_end(&j);
	return json_finish(&j);
}

/* ---- The job. */

/* The CPU time of this process and of the children that it has waited for, in ticks. */
static uint64_t job_doctor_own_ticks(void)
{
	struct rusage own, children;

	getrusage(RUSAGE_SELF, &own);
	getrusage(RUSAGE_CHILDREN, &children);
	return (uint64_t)((job_doctor_seconds_of(&own) + job_doctor_seconds_of(&children)) *
			  (double)sysconf(_SC_CLK_TCK));
}

/* What only this machine can show. 0 or -ENOMEM. */
static int job_doctor_gather_here(const struct machine *m, double seconds, struct findings *list,
				  struct noise *noise)
{
	const struct activity before = disturbances_read_activity(m);
	const uint64_t own_before = job_doctor_own_ticks();
	struct activity after;

	if (job_doctor_measure_noise((uint64_t)(seconds * NS_OF_S), noise) < 0)
		*noise = (struct noise){ 0 };
	after = disturbances_read_activity(m);
	return disturbances_of_activity(&before, &after, job_doctor_own_ticks() - own_before, list);
}

int job_doctor(const struct options *o, FILE *out)
{
	cleanup_with(findings_release) struct findings list = { 0 };
	cleanup_with(machine_release) struct machine machine = { 0 };
	cleanup_why struct why why = { 0 };
	const double seconds = o->compare_options.duration_s;
	struct noise noise = { 0 };
	bool is_here;
	int err = machine_init(&machine, o->sysroot, &why);

	is_here = err == 0 && machine_is_here(&machine);
	if (err == 0)
		err = job_doctor_add_counters(&machine, &list);
	if (err == 0 && is_here)
		err = job_doctor_add_permissions(&machine, &list);
	if (err == 0 && is_here)
		err = disturbances_of_counters(&machine, &list);
	if (err == 0)
		err = disturbances_of_settings(&machine, &list);
	if (err == 0 && is_here)
		err = job_doctor_gather_here(&machine, seconds > 0 ? seconds : NOISE_S, &list,
					     &noise);
	if (err == 0)
		err = (options_format(o)->is_document ?
			       job_doctor_print_json :
			       job_doctor_print_text)(&list, is_here ? &noise : NULL, out);
	if (err == 0 || ferror(out))
		return 0; /* main.c reports a failed write */
	message("--doctor: %s", why_text(&why, err));
	return STATUS_PSTAT;
}
