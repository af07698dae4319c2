/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "event/attr_fields.h"
#include "event/source.h"
#include "job/counting.h"
#include "job/table_metrics.h"
#include "machine/cpulist.h"
#include "machine/host.h"
#include "machine/launcher.h"
#include "machine/pmu.h"
#include "machine/program.h"
#include "output/message.h"
#include "output/progress.h"
#include "stats/random.h"

void counting_release(struct counting *counting)
{
	workload_end_writing();
	free(counting->units);
	session_close(&counting->runner.session);
	control_release(&counting->control);
	outputs_release(&counting->outputs);
	series_provenance_release(&counting->provenance);
	history_gates_release(&counting->history);
	progress_end(&counting->progress);
	target_release(&counting->target);
	wanted_release(&counting->wanted);
	sides_release(&counting->sides);
	runner_release(&counting->runner);
	cpulist_release(&counting->cpu_list);
	machine_release(&counting->machine);
	workload_release(&counting->runner.workload); /* last: until then no signal ends pstat */
}

static int counting_open_control(struct counting *counting, struct why *why)
{
	const char *text = counting->options->control;
	cleanup_why struct why trouble = { 0 };
	cleanup_str struct str value = { 0 };
	int err = text ? control_open(&counting->control, text, &trouble) : 0;

	if (err < 0)
		return why_of_argument(why, err, "--control", text, &trouble);
	if (!text)
		return 0;
	if (control_environment(&counting->control, &value) == -ENOTSUP) {
		unsetenv("PSTAT_CONTROL"); /* it belongs to a pstat that runs this one */
		return 0;
	}
	return value.failed || setenv("PSTAT_CONTROL", str_text(&value), 1) < 0 ? -ENOMEM : 0;
}

/* Read --cpu-list. All of its CPUs have to be online. */
static int counting_read_cpu_list(struct counting *counting, struct why *why)
{
	const char *text = counting->options->cpu_list;
	cleanup_with(cpulist_release) struct cpulist online = { 0 };
	cleanup_why struct why trouble = { 0 };
	int err = text ? cpulist_parse_user(&counting->cpu_list, text, &trouble) : 0;

	if (err < 0)
		return why_of_argument(why, err, "--cpu-list", text, &trouble);
	if (!text || cpulist_online(&counting->machine, &online) < 0)
		return 0;
	for (size_t i = 0; i < counting->cpu_list.n; i++)
		if (!cpulist_has(&online, counting->cpu_list.v[i]))
			return why_set(why, -EINVAL, "--cpu-list %s: CPU %d is not online", text,
				       counting->cpu_list.v[i]);
	return 0;
}

/*
 * Commands that are compared get no input and print nothing, unless the options request it.
 * Otherwise, each command would continue to read where the previous one stopped.
 */
static int counting_open_child_setup(struct counting *counting, struct why *why)
{
	const struct options *o = counting->options;
	bool compares = counting_compares(counting);
	struct child_setup *setup = &counting->runner.workload.child_setup;

	*setup = (struct child_setup){
		.input = !o->input && compares ? "/dev/null" : o->input,
		.discard = o->discard || (compares && !o->show_output),
		.no_aslr = o->no_aslr,
		.cpus = o->cpu_list ? &counting->cpu_list : NULL,
		.pads = o->randomize_env,
	};
	return workload_init_child(setup, why);
}

/* ---- Where the result comes from. */

static int counting_gather_host(struct provenance *p)
{
	struct utsname names;

	if (uname(&names) < 0)
		return 0;
	p->host = strdup(names.nodename);
	p->kernel = strdup(names.release);
	p->machine = strdup(names.machine);
	return p->host && p->kernel && p->machine ? 0 : -ENOMEM;
}

static int counting_gather_cpus(struct provenance *p, const struct machine *m)
{
	cleanup_with(cpulist_release) struct cpulist online = { 0 };
	cleanup_str struct str text = { 0 };
	int err = host_cpu_model(m, &p->cpu_model);

	if (err != -ENOMEM)
		err = cpulist_online(m, &online);
	if (err == 0)
		err = cpulist_format(&online, &text);
	if (err == 0)
		p->cpus_online = take_ptr(text.text);
	if (err != -ENOMEM)
		err = host_cpu_governors(m, &p->governors);
	return err;
}

/*
 * Gather where the result comes from: this version of pstat, the words of the command line, and
 * this machine. Facts that cannot be read stay unknown. 0 or -ENOMEM.
 */
static int counting_gather_provenance(struct provenance *p, char *const *argv,
				      const struct machine *m)
{
	const time_t started = time(NULL);
	bool turbo = false;
	struct tm local;
	int err = 0;

	for (size_t i = 0; err == 0 && argv[i]; i++)
		err = str_list_add(&p->argv, argv[i]);
	p->pstat = strdup(PACKAGE_VERSION);
	p->libpfm4 = source_pfm_version();
	p->cwd = getcwd(NULL, 0);
	p->rank.value = launcher_rank();
	p->rank.known = p->rank.value >= 0 && p->rank.value < RANKS_MAX;
	p->ranks.value = launcher_ranks();
	p->ranks.known = p->ranks.value > 0 && p->ranks.value <= RANKS_MAX;
	if (p->rank.known && launcher_job())
		p->job = strdup(launcher_job());
	if (localtime_r(&started, &local))
		p->zone_s = (int)local.tm_gmtoff;
	p->turbo.known = host_cpu_turbo(m, &turbo) == 0;
	p->turbo.value = turbo;
	p->aslr.known = host_aslr(m, &p->aslr.value) == 0;
	p->paranoid.known = host_paranoid(m, &p->paranoid.value) == 0;
	if (err == 0)
		err = p->pstat ? counting_gather_host(p) : -ENOMEM;
	if (err == 0)
		err = counting_gather_cpus(p, m);
	if (err == 0 && pmu_list(m, &p->pmus) == -ENOMEM)
		err = -ENOMEM;
	return err;
}

/* ---- Messages and notes about the runs. */

static bool counting_is_series(const struct counting *counting)
{
	return counting_compares(counting) || counting->options->repeat != 1 ||
	       counting->runner.warming_up;
}

/* Append the current side of a comparison, "'new': ", or with cases "case n=1: 'new': ". */
static void counting_add_side(const struct counting *counting, struct str *text)
{
	const struct sides *sides = &counting->sides;
	const struct side *side = counting->runner.side;

	if (!counting_compares(counting))
		return;
	if (sides->cases.n > 0) {
		const size_t sides_n = sides->n / sides->cases.n;

		str_addf(text, "case %s: ", sides->cases.v[(size_t)(side - sides->v) / sides_n]);
	}
	str_addf(text, "'%s': ", side->name);
}

/* Append the side and the number of the last run, "run 2: ", unless it is the only run. */
static void counting_add_run(const struct counting *counting, struct str *text)
{
	const struct runner *r = &counting->runner;

	counting_add_side(counting, text);
	if (r->warming_up)
		str_add(text, r->workload.capture ? "output check: " : "--warmup: ");
	else if (counting_is_series(counting))
		str_addf(text, "run %zu: ", r->side->series.runs_n);
}

/* The rest of the message about a run that failed. */
static const char *counting_consequence(const struct counting *counting)
{
	if (counting->options->ignore_failure)
		return "";
	if (!counting_compares(counting))
		return "; the series ends here (see --ignore-failure)";
	return counting->options->show_output ?
		       "; the series ends without this run (see --ignore-failure)" :
		       "; the series ends without this run (see --ignore-failure, --show-output)";
}

/* Whether all events are refused on whole CPUs. */
static bool counting_counts_no_cpu(const struct counting *counting, const struct session *s)
{
	size_t n = counting->wanted.events.n;

	return counting->target.kind == TARGET_CPUS && n > 0 && session_refused(s) == n;
}

/* The reason of the first event that the kernel forbids. NULL: it forbids none. */
static const char *counting_why_forbidden(const struct counting *counting, const struct session *s)
{
	for (size_t i = 0; i < counting->wanted.events.n; i++) {
		const struct reason *reason = &s->openings[i].reason;

		if (reason->error == -EACCES || reason->error == -EPERM)
			return reason->text;
	}
	return NULL;
}

/* Whether only a signal would end the measurement. */
static bool counting_waits_for_signal(const struct counting *counting)
{
	const struct timing *timing = &counting->options->timing;

	return counting->runner.side->words.n == 0 && !timing->timeout_ms &&
	       !timing->interval_count;
}

static int counting_on_opened(const struct session *s, void *data)
{
	struct counting *counting = data;
	size_t refused = session_refused(s);
	bool counts_nothing = counting_counts_no_cpu(counting, s);
	const char *forbidden = counts_nothing ? counting_why_forbidden(counting, s) : NULL;

	/* the times of a command that was counted nowhere would pass for a result */
	if (forbidden) {
		message("no event can be counted: %s", forbidden);
		return -ECANCELED;
	}
	if (counts_nothing || !notes_are_footnotes(counting->options))
		notes_print_reasons(&counting->outputs.notes);
	if (counts_nothing && counting->target.missing_cpu && counting_waits_for_signal(counting)) {
		message("no event can be counted, and there is no command to wait for");
		return -ECANCELED;
	}
	if (refused == 0 || !counting->options->strict) {
		/* after the refusals, which would leave a file with only a heading */
		if (counting->outputs.streams && !counting->outputs.text.stream)
			outputs_begin(&counting->outputs, counting->sides.v->series.started);
		return counting->outputs.text_lost ? -ECANCELED : 0;
	}
	message("--strict: %zu of %zu events cannot be counted; %s", refused,
		counting->wanted.events.n,
		counting->runner.side->words.n > 0 ? "the command was not started" :
						     "nothing was counted");
	return -ECANCELED;
}

/* The same messages as those of perf stat -D. */
static void counting_on_switched(bool on, void *data)
{
	const struct options *o = ((const struct counting *)data)->options;

	if (o->timing.delay_ms != 0 && !o->quiet && !o->format && !options_is_comparison(o))
		message_text(on ? "Events enabled\n" : "Events disabled\n");
}

static void counting_on_cpu(int cpu, enum cpu_change change, void *data)
{
	const struct counting *counting = data;

	if (change == CPU_GONE)
		note_print(counting->options, "CPU %d went offline: it is no longer counted", cpu);
	else
		note_print(counting->options, "CPU %d came online: it is counted from now on", cpu);
}

static void counting_on_unknown_command(const char *line, void *data)
{
	const struct counting *counting = data;
	cleanup_str struct str shown = { 0 };

	str_add_escaped(&shown, line);
	if (counting->options->quiet)
		return;
	message("--control: unknown command '%s'; choose from enable [EVENT], disable [EVENT], evlist, "
		"ping and stop",
		str_text(&shown));
}

static void counting_on_unknown_event(const char *name, void *data)
{
	const struct counting *counting = data;
	cleanup_str struct str shown = { 0 };

	str_add_escaped(&shown, name);
	note_print(counting->options,
		   "--control: no event has the name '%s'; evlist shows the names",
		   str_text(&shown));
}

/* Append the fields of the attr that are not 0, ": type: 1, config: 0x3". */
static void counting_add_attr(struct str *text, const struct event *event)
{
	const char *between = ": ";

	for (const struct attr_field *field = attr_fields; field->name; field++) {
		uint64_t value = field->get(event);

		if (value == 0)
			continue;
		str_addf(text, field->role == ATTR_CONFIG ? "%s%s: 0x%llx" : "%s%s: %llu", between,
			 field->name, (unsigned long long)value);
		between = ", ";
	}
}

/* As perf, print the names on standard error: one in each line, or with -g a group. */
static void counting_on_list_events(const char *options, void *data)
{
	const struct counting *counting = data;
	const struct event_list *events = &counting->wanted.events;
	cleanup_str struct str text = { 0 };

	for (size_t i = 0; i < events->groups_n; i++) {
		const struct event_group *group = &events->groups[i];
		bool braces = strcmp(options, "-g") == 0 && group->n > 1;

		for (size_t j = 0; j < group->n; j++) {
			const struct event *event = &events->events[group->first + j];

			str_add(&text, !braces ? "" : j == 0 ? "{" : ",");
			str_add_escaped(&text, event->name);
			if (strcmp(options, "-v") == 0)
				counting_add_attr(&text, event);
			str_add(&text, !braces ? "\n" : j + 1 == group->n ? "}\n" : "");
		}
	}
	message_text(str_text(&text));
}

static void counting_on_not_signalled(int error, void *data)
{
	(void)data;
	message("cannot send a signal to the command: %s; waiting until it ends", strerror(error));
}

static void counting_on_not_answered(int error, void *data)
{
	(void)data;
	message("--control: an answer was lost: %s",
		error == EAGAIN ? "nobody reads the answers" : strerror(error));
}

static void counting_on_progress(void *data)
{
	struct counting *counting = data;

	progress_tick(&counting->progress);
}

static void counting_on_run_begins(void *data)
{
	struct counting *counting = data;

	progress_run(&counting->progress);
}

static void counting_on_run_ended(int wait_status, void *data)
{
	struct counting *counting = data;
	const struct runner *r = &counting->runner;
	const char *command = r->side->words.v[0];
	cleanup_str struct str run = { 0 }, text = { 0 };

	progress_ran(&counting->progress);
	if (!counting->options->timing.interval_ms && !r->warming_up &&
	    !counting_compares(counting))
		notes_print_counts(counting->options, &r->side->series,
				   &r->side->series.runs[r->side->series.runs_n - 1]);
	counting_add_run(counting, &run);
	if (r->workload.survivors.len)
		note_print(
			counting->options,
			"%s%s did not wait for processes that still run: %s; their later counts are %s",
			str_text(&run), command, str_text(&r->workload.survivors),
			counting_is_series(counting) && !counting->runner.session.follows ?
				"added to later runs" :
				"lost");
	if (counting->options->quiet)
		return;
	if (WIFSIGNALED(wait_status) && counting->options->as_perf) {
		str_add_escaped(&text, command);
		str_addf(&text, ": %s\n", strsignal(WTERMSIG(wait_status)));
		message_text(str_text(&text));
	} else if (r->workload.ended && counting_compares(counting))
		message("%s%s: ended by --timeout%s", str_text(&run), command,
			counting_consequence(counting));
	else if (WIFSIGNALED(wait_status))
		message("%s%s: killed by signal %d (%s)", str_text(&run), command,
			WTERMSIG(wait_status), strsignal(WTERMSIG(wait_status)));
	else if (wait_status && counting_compares(counting))
		message("%s%s: exited with status %d%s", str_text(&run), command,
			WEXITSTATUS(wait_status), counting_consequence(counting));
	else if (wait_status && counting_is_series(counting))
		note_print(counting->options, "%s%s: exited with status %d%s", str_text(&run),
			   command, WEXITSTATUS(wait_status), counting_consequence(counting));
}

static void counting_on_run_interrupted(void *data)
{
	struct counting *counting = data;
	const struct side *side = counting->runner.side;
	cleanup_str struct str which = { 0 };

	counting_add_side(counting, &which);
	note_print(counting->options, "%srun %zu was interrupted; it is left out of the result",
		   str_text(&which), side->series.runs_n);
}

static void counting_on_step_failed(const struct step_failure *failure, void *data)
{
	static const char *const options[] = {
		[STEP_SETUP] = "--setup",
		[STEP_PRE] = "--pre",
		[STEP_POST] = "--post",
		[STEP_CLEANUP] = "--cleanup",
	};
	const char *option = options[failure->step];
	int status = failure->wait_status;

	(void)data;
	if (failure->text)
		message("%s: %s", option, failure->text);
	else if (WIFSIGNALED(status))
		message("%s: %s was killed by signal %d (%s)", option, failure->program,
			WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		message("%s: %s exited with status %d", option, failure->program,
			WEXITSTATUS(status));
}

static void counting_on_failed(const char *text, void *data)
{
	(void)data;
	message("%s", text);
}

/* ---- Preparing and opening. */

/* Whether anything is random, and depends on the seed. */
static bool counting_is_random(const struct options *o)
{
	return o->randomize_env || options_is_comparison(o);
}

static void counting_prepare_runner(struct counting *counting)
{
	const struct options *o = counting->options;
	struct runner *r = &counting->runner;
	uint64_t seed = o->compare_options.seed;

	if (!o->compare_options.has_seed && counting_is_random(o) &&
	    getrandom(&seed, sizeof(seed), GRND_NONBLOCK) < 0)
		seed = (uint64_t)time(NULL);
	r->settings = (struct run_settings){
		.order = o->compare_options.order,
		.seed = seed,
		.warmups = o->warmup,
		.bad_runs = options_is_comparison(o) ? BAD_RUNS_DROPPED : BAD_RUNS_KEPT,
		.ignore_failure = o->ignore_failure,
		.sync = o->sync,
	};
	r->padding = random_of_seed(~r->settings.seed); /* independent of the order of the sides */
	r->observer = (struct run_observer){
		.counting = {
			.opened = counting_on_opened,
			.switched = counting_on_switched,
			.cpu = counting_on_cpu,
			.progress = counting_on_progress,
			.unknown_command = counting_on_unknown_command,
			.unknown_event = counting_on_unknown_event,
			.list_events = counting_on_list_events,
			.not_signalled = counting_on_not_signalled,
			.not_answered = counting_on_not_answered,
			.data = counting,
		},
		.run_begins = counting_on_run_begins,
		.run_ended = counting_on_run_ended,
		.run_interrupted = counting_on_run_interrupted,
		.step_failed = counting_on_step_failed,
		.failed = counting_on_failed,
	};
	r->sides = counting->sides.v;
	r->sides_n = counting->sides.n;
	if (counting->sides.cases.n > 0)
		r->case_sides_n = counting->sides.n / counting->sides.cases.n;
	r->side = counting->sides.v;
}

/* Whether the programs of the commands have different ABIs. An unknown ABI does not matter: such a
 * command fails to start. */
static bool counting_have_mixed_abis(const struct sides *sides)
{
	struct program_abi first, abi;
	bool known = false;

	for (size_t i = 0; i < sides->n; i++) {
		const struct str_list *words = &sides->v[i].words;

		if (words->n == 0 || program_abi_of_command(words->v[0], &abi) < 0)
			continue;
		if (known && !program_abi_equal(&first, &abi))
			return true;
		first = abi;
		known = true;
	}
	return false;
}

/* Record the program whose ABI decides which of several libraries with the same name is probed. */
static int counting_note_program(struct counting *counting)
{
	const struct target *target = &counting->target;
	const struct str_list *command = &counting->sides.v[0].words;
	char **program = &counting->machine.program;

	counting->machine.mixed_abis =
		counting->sides.n > 1 && counting_have_mixed_abis(&counting->sides);
	if (target->kind == TARGET_TASKS && target->scopes_n > 0)
		*program = machine_path(&counting->machine, "/proc/%d/exe",
					(int)target->scopes[0].pid);
	else if (command->n > 0)
		*program = strdup(command->v[0]);
	else
		return 0;
	return *program ? 0 : -ENOMEM;
}

int counting_prepare(struct counting *counting, struct why *why)
{
	const struct options *o = counting->options;
	const char *baseline = counting->baseline ? counting->baseline->name : NULL;
	enum print_parts parts = o->timing.interval_ms ? PRINT_INTERVALS : PRINT_RESULT;
	int err = counting_open_control(counting, why);

	counting->wanted = (struct wanted){ .options = o, .machine = &counting->machine };
	/* like perf, -r 0 prints each run when it ends: the caller may kill pstat at any time */
	if (parts == PRINT_RESULT && o->repeat == 0 && !options_is_comparison(o) &&
	    options_prints_as_perf(o))
		parts = PRINT_RUNS;
	if (err == 0)
		err = table_metrics_machine(&counting->machine, o, why);
	if (err == 0)
		err = sides_of_options(&counting->sides, o, baseline, why);
	if (err == 0)
		err = counting_read_cpu_list(counting, why);
	if (err == 0)
		err = counting_open_child_setup(counting, why);
	if (err == 0)
		err = outputs_open(&counting->outputs, parts, why);
	if (err == 0)
		err = target_init(&counting->target, &counting->machine, &o->target, why);
	if (err == 0)
		err = counting_note_program(counting);
	counting_prepare_runner(counting);
	return err;
}

int counting_take_over(struct counting *counting, const sigset_t *mask, struct why *why)
{
	static char *const none[] = { NULL };
	struct workload *w = &counting->runner.workload;
	char *const *argv = counting_compares(counting) ? none : counting->sides.v[0].words.v;
	int err = workload_init(w, argv, mask, why);

	if (counting->control.form == CONTROL_REGION)
		w->channel_fd = counting->control.command_fd;
	w->others_to_stderr =
		!counting->options->output && options_result_fd(counting->options) == STDOUT_FILENO;
	if (w->exec_failed) {
		counting->runner.trouble = TROUBLE_EXEC;
		counting->runner.exec_error = err;
	}
	return err;
}

/* Whether an option names max_rss. */
static bool counting_names_max_rss(const struct counting *counting)
{
	const struct compare_options *c = &counting->options->compare_options;
	const struct event_list *events = &counting->wanted.events;
	bool named = false;

	for (size_t i = 0; i < events->n; i++)
		named |= events->events[i].tool == TOOL_MAX_RSS;
	for (size_t i = 0; i < c->gates_n; i++)
		named |= strcmp(c->gates[i].name, event_tool_names[TOOL_MAX_RSS]) == 0;
	return named;
}

static int counting_open_session(struct counting *counting, struct why *why)
{
	const struct options *o = counting->options;
	/* --setup or --cleanup between the runs would inherit the counters */
	bool has_steps_between = options_is_comparison(o) &&
				 o->compare_options.order == ORDER_SEQUENTIAL &&
				 (o->setup || o->cleanup);
	struct session_setup setup = {
		.machine = &counting->machine,
		.events = &counting->wanted.events,
		.target = &counting->target,
		.inherit = o->no_inherit ? COUNTER_FIRST_TASK : COUNTER_ALL_TASKS,
		.reopens = o->pre || o->post || has_steps_between,
		.has_command = counting->sides.v[0].words.n > 0,
		.perf_scaling = o->no_error || o->no_scale || o->as_perf,
		.timing = o->timing,
		.control = o->control ? &counting->control : NULL,
		.watch = o->verbose ? notes_print_call : NULL,
	};
	int err;

	if (counting->control.form == CONTROL_REGION && setup.timing.delay_ms == 0)
		setup.timing.delay_ms = -1;
	if (o->no_multiplex) {
		setup.units = counting->units =
			events_units(&counting->wanted.events, &counting->wanted.metrics);
		if (!setup.units)
			return -ENOMEM;
	}
	counting->runner.workload.begins_as_copy = counting_names_max_rss(counting);
	err = session_open(&counting->runner.session, &setup, why);
	if (err < 0)
		return err;
	return notes_init(&counting->outputs.notes, o, setup.events,
			  counting->runner.session.openings);
}

/*
 * Before the first run of a command, note or refuse events that the PMU cannot count at once. Skip
 * the trial if its result would not be used. Returns 0, -EBUSY with why if the events are refused,
 * or -ENOMEM.
 */
static int counting_check_budget(const struct counting *counting, struct why *why)
{
	const struct options *o = counting->options;
	const struct session *s = &counting->runner.session;
	bool strict = options_is_strict_scaling(o);
	struct budget budget = s->budget;
	int err = 0;

	if (counting->target.kind != TARGET_COMMAND || !session_needs_counters(s) || budget.fits)
		return 0;
	if (!o->no_multiplex) {
		cleanup_free size_t *units = NULL;

		if (!strict && !notes_have_reader(o))
			return 0;
		units = events_units(&counting->wanted.events, &counting->wanted.metrics);
		err = units ? passes_check(&s->opener, &s->job, units, &budget) : -ENOMEM;
	}
	if (err < 0 || budget.fits)
		return err;
	if (strict && (!o->no_multiplex || budget.too_large))
		return notes_refuse_budget(o, &counting->machine, &budget, why);
	notes_print_budget(o, &counting->machine, &budget);
	return 0;
}

/* Append the target, in perf's words: "'CMD ARG'" or "process id '1'". */
static void counting_add_subject(struct str *subject, const struct options *o,
				 const struct side *side)
{
	const struct target_request *target = &o->target;

	if (target->all_cpus)
		str_add(subject, "'system wide'");
	else if (target->cpus)
		str_addf(subject, "'CPU(s) %s'", target->cpus);
	if (target->pids)
		str_addf(subject, "process id '%s'", target->pids);
	if (target->tids)
		str_addf(subject, "%sthread id '%s'", target->pids ? ", " : "", target->tids);
	if (options_has_target(o))
		return;
	str_add(subject, "'");
	for (size_t i = 0; i < side->words.n; i++)
		str_addf(subject, "%s%s", i ? " " : "", side->words.v[i]);
	str_add(subject, "'");
}

/*
 * Give each side its series without runs, after the session was opened. The series differ only in
 * the command. 0 or -ENOMEM.
 */
static int counting_begin_sides(struct counting *counting)
{
	const struct options *o = counting->options;
	const struct session *s = &counting->runner.session;
	double cpus = 0; /* for the metrics of -M; a plain count does not need it */
	struct timespec now;
	struct series series;

	clock_gettime(CLOCK_REALTIME, &now);
	if (counting->wanted.metrics.n > 0)
		cpus = counting->target.kind == TARGET_CPUS ? (double)counting->target.scopes_n :
							      (double)sysconf(_SC_NPROCESSORS_ONLN);
	series = (struct series){
		.events = &counting->wanted.events,
		.openings = s->openings,
		.places = counting->target.places,
		.rows = s->rows,
		.rows_n = s->rows_n,
		.passes = s->passes,
		.metrics = &counting->wanted.metrics,
		.started = now.tv_sec,
		.started_ns = (uint32_t)now.tv_nsec,
		.split = o->target.split,
		.scaling = o->no_scale ? SCALE_NOT : SCALE_BY_TIME,
		.no_error = o->no_error || o->as_perf,
		.min_running = o->min_running,
		.passes_n = o->no_multiplex ? s->passes_n : 0,
		.cgroups_n = counting->wanted.copies ? counting->wanted.copies : 1,
		.cpus = cpus,
		.interval_ms = o->timing.interval_ms,
		.summary_asked = o->summary,
		.topdown = options_has_topdown(o),
		.only_counted = counting->target.all_tasks,
		.has_usage = counting->target.kind == TARGET_COMMAND,
		.null_run = o->null_run,
		.labels = &o->labels,
	};
	for (size_t i = 0; i < counting->sides.n; i++) {
		struct side *side = &counting->sides.v[i];
		cleanup_str struct str subject = { 0 };

		counting_add_subject(&subject, o, side);
		if (subject.failed)
			return -ENOMEM;
		side->provenance = counting->provenance;
		side->provenance.argv = side->words;
		side->series = series;
		side->series.subject = take_ptr(subject.text);
		side->series.provenance = &side->provenance;
		side->series.parameters = &side->parameters;
	}
	return 0;
}

/* Whether the result shows where it comes from. A comparison with a baseline shows parts of it. */
static bool counting_shows_provenance(const struct counting *counting)
{
	return counting->outputs.keeps_intervals || counting->outputs.format->shows_provenance ||
	       counting->baseline;
}

int counting_open(struct counting *counting, struct why *why)
{
	cleanup_why struct why trouble = { 0 };
	int err = target_open_cgroups(&counting->target, &counting->machine,
				      &counting->wanted.events, &trouble);

	if (err < 0)
		return why_set(why, err, "%s: %s",
			       counting->options->each_cgroup ? "--for-each-cgroup" : "-G",
			       why_text(&trouble, err));
	if (counting_shows_provenance(counting))
		err = counting_gather_provenance(&counting->provenance, counting->options->argv,
						 &counting->machine);
	if (err == 0)
		err = counting_open_session(counting, why);
	if (err == 0)
		err = counting_check_budget(counting, why);
	counting->provenance.has_seed = counting_is_random(counting->options);
	counting->provenance.seed = counting->runner.settings.seed;
	return err < 0 ? err : counting_begin_sides(counting);
}

/* The exit status, as in env(1), of a command that was not executed. A failure that has nothing to
 * do with the program is one of pstat. */
static int counting_exec_status(int err)
{
	switch (err) {
	case -ENOENT:
		return STATUS_NOT_FOUND;
	case -EAGAIN:
	case -ENOMEM:
	case -EMFILE:
	case -ENFILE:
	case -ECANCELED:
		return STATUS_PSTAT;
	default:
		return STATUS_NOT_EXECUTABLE;
	}
}

int counting_trouble_status(const struct counting *counting)
{
	const struct runner *r = &counting->runner;

	switch (r->trouble) {
	case TROUBLE_NONE:
		break;
	case TROUBLE_INTERRUPTED: /* a comparison reports this itself */
		return counting_compares(counting) ? 0 : 128 + r->workload.signals.interrupted;
	case TROUBLE_KILLED:
		return 128 + r->workload.killed_by;
	case TROUBLE_EXEC:
		return counting_exec_status(r->exec_error);
	case TROUBLE_STEP:
	case TROUBLE_PSTAT:
		return STATUS_PSTAT;
	}
	return 0;
}
