/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --doctor: is this machine fit to measure, and how small a change would a comparison show? */
#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/str.h"
#include "base/why.h"
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

#define NS_OF_S 1e9

/* ---- Counters. */

/* More than any PMU counts at once. */
#define EVENT "branches"
enum { EVENTS_N = 24 };

/* Find out how many general counters are free. Append the reason if there is none. 0 or -ENOMEM. */
static int count_counters(const struct machine *m, size_t *n, struct str *reason)
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
	setup.units = units = err == 0 ? events_units(&events) : NULL;
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

static int add_counters(const struct machine *m, struct findings *list)
{
	const char *virtual = host_virtualization(m);
	cleanup_str struct str text = { 0 }, reason = { 0 };
	size_t n = 0;
	int err = 0;

	if (machine_is_here(m))
		err = count_counters(m, &n, &reason);
	if (err < 0)
		return err;
	if (!machine_is_here(m))
		str_add(&text, pmu_any_core(m) == 1 ? "this machine has a PMU" : "no PMU");
	else if (n > 0)
		str_addf(&text, "%zu free, each counts any event", n);
	else
		str_addf(&text, "none: %s", reason.len ? str_text(&reason) : "all are in use");
	if (virtual)
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

/* Whether the kernel lets this user count a software event. */
static bool may_open(bool with_kernel, pid_t pid, int cpu)
{
	struct perf_event_attr attr = { .size = sizeof(attr),
					.type = PERF_TYPE_SOFTWARE,
					.config = PERF_COUNT_SW_CPU_CLOCK,
					.disabled = 1,
					.exclude_kernel = !with_kernel,
					.exclude_hv = !with_kernel };
	cleanup_fd int fd = kernel_open(&attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	return fd >= 0;
}

static int add_permissions(const struct machine *m, struct findings *list)
{
	const bool user = may_open(false, 0, -1), kernel = may_open(true, 0, -1);
	const bool cpus = may_open(true, -1, 0);
	cleanup_free char *events = NULL;
	cleanup_why struct why why = { 0 };
	cleanup_str struct str text = { 0 };
	bool tracepoints = tracing_events(m, &events, &why) == 0;
	int level;

	if (user)
		str_addf(&text, "programs in user mode%s%s%s", kernel ? " and in the kernel" : "",
			 cpus ? ", whole CPUs" : "", tracepoints ? ", tracepoints" : "");
	else
		str_add(&text, "nothing can be counted");
	if (host_paranoid(m, &level) == 0)
		str_addf(&text, "; perf_event_paranoid is %d", level);
	if (text.failed)
		return -ENOMEM;
	return findings_add(
		list, (struct finding){
			      .name = "may be counted",
			      .text = take_ptr(text.text),
			      .remedy = kernel && cpus ? NULL :
							 "sysctl kernel.perf_event_paranoid=-1, or "
							 "setcap cap_perfmon+ep for pstat",
			      .disturbs = !kernel || !cpus });
}

/* ---- The noise floor. */

enum {
	PAGES = 256,
	PAGE = 4096,
	WORK_US = 10000, /* CPU time of one run of the built-in program */
	STEP = 10000, /* turns of its loop between two looks at the clock */
};

enum { NOISE_S = 5, ROUNDS_MIN = 10 }; /* without --duration */

enum { ELAPSED, CPU_TIME, FAULTS, MEASURES_N };

struct noise {
	struct summary changes[MEASURES_N]; /* of the pairs, as a share of their mean */
	uint64_t took_ns;
	double ticks; /* of CPU time that the programs used */
};

static void spin(uint64_t turns)
{
	for (volatile uint64_t i = 0; i < turns; i++)
		;
}

/* How many turns take WORK_US of CPU time here. */
static uint64_t calibrate(void)
{
	const clock_t start = clock();
	uint64_t turns = 0;

	for (; (clock() - start) / (CLOCKS_PER_SEC / 1000000) < WORK_US; turns += STEP)
		spin(STEP);
	return turns;
}

/* The built-in program. */
static void work(uint64_t turns)
{
	volatile char *p = mmap(NULL, (size_t)PAGES * PAGE, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (size_t i = 0; p != MAP_FAILED && i < PAGES; i++)
		p[i * PAGE] = 1;
	spin(turns);
}

static double seconds_of(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

/* Run the built-in program in a process of its own. 0 or -errno. */
static int run_once(uint64_t turns, double values[MEASURES_N], double *seconds)
{
	const uint64_t start_ns = clock_ns();
	struct rusage usage;
	pid_t pid = fork();
	int status;

	if (pid < 0)
		return -errno;
	if (pid == 0) {
		work(turns);
		_exit(0);
	}
	while (wait4(pid, &status, 0, &usage) < 0)
		if (errno != EINTR)
			return -errno;
	values[ELAPSED] = (double)(clock_ns() - start_ns);
	values[CPU_TIME] = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
	values[FAULTS] = (double)usage.ru_minflt;
	*seconds += values[CPU_TIME];
	return status ? -EINTR : 0;
}

/* Compare the built-in program with itself, in rounds. 0 or -errno. */
static int measure_noise(uint64_t limit_ns, struct noise *noise)
{
	const uint64_t turns = calibrate(), start_ns = clock_ns();
	struct random random = random_of_seed(start_ns);
	double seconds = 0;

	signal(SIGCHLD, SIG_DFL); /* the caller may ignore it; then wait4(2) fails */
	*noise = (struct noise){ 0 };
	do {
		const bool swapped = random_next(&random) & 1;
		double values[2][MEASURES_N];
		int err = run_once(turns, values[swapped], &seconds);

		if (err == 0)
			err = run_once(turns, values[!swapped], &seconds);
		if (err < 0)
			return err;
		for (int i = 0; i < MEASURES_N; i++)
			if (values[0][i] + values[1][i] > 0)
				summary_add(&noise->changes[i],
					    2 * (values[1][i] - values[0][i]) /
						    (values[0][i] + values[1][i]));
		noise->took_ns = clock_ns() - start_ns;
	} while (noise->took_ns < limit_ns || noise->changes[ELAPSED].n < ROUNDS_MIN);
	noise->ticks = seconds * (double)sysconf(_SC_CLK_TCK);
	return 0;
}

enum { COMPARISON_S = 10 };

/*
 * The change in percent that a comparison of COMPARISON_S shows with a probability of 90 %. Quantiles
 * of the normal distribution: a two-sided test at 2.5 %, because the elapsed time and the CPU time
 * share 5 %, and the 90 %.
 */
static double smallest_change(const struct noise *noise, int measure)
{
	const struct summary *s = &noise->changes[measure];
	const double rounds = (double)s->n * COMPARISON_S * NS_OF_S / (double)noise->took_ns;

	return s->n < 2 ? NAN : 100 * (2.2414 + 1.2816) * (double)summary_stddev(s) / sqrt(rounds);
}

/* ---- The page. */

static const char *const measure_names[] = {
	[ELAPSED] = "elapsed time", [CPU_TIME] = "CPU time", [FAULTS] = "page-faults"
};

static const int measure_order[] = { CPU_TIME, ELAPSED, FAULTS };

enum { NAME_WIDTH = 20 };

static int print_text(const struct findings *list, const struct noise *noise, FILE *out)
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
			str_addf(&text, "\n%*s", NAME_WIDTH, "");
			str_add(&text, "-> ");
			terminal_wrap(&text, it->remedy, NAME_WIDTH + 3, columns);
		}
		str_add(&text, "\n");
	}
	if (noise) {
		str_addf(&text,
			 "\nA built-in program of 10 ms was compared with itself for %.0f s.\n",
			 (double)noise->took_ns / NS_OF_S);
		str_addf(&text, "A comparison of %d s shows these changes here:", COMPARISON_S);
		for (int i = 0; i < MEASURES_N; i++) {
			const double percent = smallest_change(noise, measure_order[i]);

			str_addf(&text, "\n  %-*s", NAME_WIDTH - 2,
				 measure_names[measure_order[i]]);
			if (percent > 0)
				str_addf(&text, "from %.2f %% on", percent);
			else
				str_add(&text, percent == 0 ? "any: no run differed" :
							      "unknown: too few runs");
		}
		str_add(&text, "\n");
	}
	if (disturbing == 1)
		str_add(&text, "\nThe property marked with ! limits or disturbs measurements.\n");
	else if (disturbing)
		str_addf(&text,
			 "\nThe %zu properties marked with ! limit or disturb measurements.\n",
			 disturbing);
	return str_print(&text, out);
}

static int print_json(const struct findings *list, const struct noise *noise, FILE *out)
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
	if (noise) {
		json_object(&j, "noise", JSON_LINES);
		json_number(&j, "seconds", (long double)noise->took_ns / (long double)NS_OF_S);
		json_unsigned(&j, "rounds", noise->changes[ELAPSED].n);
		json_int(&j, "comparison_seconds", COMPARISON_S);
		json_array(&j, "smallest_changes", JSON_LINES);
		for (int i = 0; i < MEASURES_N; i++) {
			json_object(&j, NULL, JSON_LINE);
			json_string(&j, "name", measure_names[measure_order[i]]);
			json_number(&j, "percent", smallest_change(noise, measure_order[i]));
			json_end(&j);
		}
		json_end(&j);
		json_end(&j);
	}
	json_end(&j);
	return json_finish(&j);
}

/* ---- The job. */

static int gather(const struct options *o, const struct machine *m, struct findings *list,
		  struct noise *noise)
{
	const struct activity before = disturbances_read_activity(m);
	const double given = o->compare_options.duration_s, seconds = given > 0 ? given : NOISE_S;
	struct activity after;
	int err = add_counters(m, list);

	if (err == 0 && machine_is_here(m))
		err = add_permissions(m, list);
	if (err == 0 && machine_is_here(m))
		err = disturbances_of_counters(m, list);
	if (err == 0)
		err = disturbances_of_settings(m, list);
	if (err < 0 || !machine_is_here(m))
		return err;
	err = measure_noise((uint64_t)(seconds * NS_OF_S), noise);
	after = disturbances_read_activity(m);
	return err < 0 ? err :
			 disturbances_of_activity(&before, &after, (uint64_t)noise->ticks, list);
}

int job_doctor(const struct options *o, FILE *out)
{
	cleanup_with(findings_release) struct findings list = { 0 };
	cleanup_with(machine_release) struct machine machine = { 0 };
	cleanup_why struct why why = { 0 };
	struct noise noise = { 0 };
	int err = machine_init(&machine, o->sysroot, &why);

	if (err == 0)
		err = gather(o, &machine, &list, &noise);
	if (err == 0)
		err = (options_format(o)->is_document ? print_json : print_text)(
			&list, noise.took_ns ? &noise : NULL, out);
	if (err == 0 || ferror(out))
		return 0; /* main.c reports a failed write */
	message("--doctor: %s", why_text(&why, err));
	return STATUS_PSTAT;
}
