/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "cli/compare_events.h"
#include "cli/message.h"

static bool is_compared(const struct wanted *wanted, const char *name)
{
	for (size_t i = 0; i < wanted->events.n; i++)
		if (strcmp(wanted->events.events[i].name, name) == 0)
			return true;
	for (size_t i = 0; i < wanted->metrics.n; i++)
		if (strcmp(wanted->metrics.v[i].name, name) == 0)
			return true;
	return comparison_has_own(name);
}

/* Of a name that stands for several events each has one of its own. */
static int refuse_several(const struct gate_request *gate, const struct event_list *list,
			  size_t first)
{
	cleanup_str struct str names = { 0 };

	for (size_t i = first; i < list->n; i++)
		str_addf(&names, "%s%s", i > first ? ", " : "", list->events[i].name);
	message("--fail-if '%s': '%s' stands for %s: name one of them", gate->text, gate->name,
		str_text(&names));
	return -EINVAL;
}

static int refuse_uncounted(const struct gate_request *gate)
{
	cleanup_str struct str names = { 0 };

	comparison_add_own(&names);
	message("--fail-if '%s': -n counts nothing, so there is no '%s'; there are %s", gate->text,
		gate->name, str_text(&names));
	return -EINVAL;
}

static int add_gate_event(const struct options *o, const struct machine *m,
			  const struct gate_request *gate, struct wanted *wanted)
{
	size_t first = wanted->events.n;
	int err;

	if (is_compared(wanted, gate->name))
		return 0;
	if (o->null_run)
		return refuse_uncounted(gate);
	err = events_add(m, RESOLVE_BY_ALL, "--fail-if", gate->name, &wanted->events);
	if (err == 0 && !is_compared(wanted, gate->name))
		err = refuse_several(gate, &wanted->events, first);
	return err;
}

static int check_effects(const struct compare_options *c, const struct wanted *wanted)
{
	for (size_t i = 0; i < c->effects_n; i++) {
		const struct effect_request *effect = &c->effects[i];

		if (!effect->name || is_compared(wanted, effect->name))
			continue;
		message("%s: '%s' is neither counted nor a metric of -M",
			effect->more_is_better ? "--more-is-better" : "--min-effect", effect->name);
		return -EINVAL;
	}
	return 0;
}

/* A symbol is looked for in the program that is counted, and here there are several. */
static int refuse_symbols(const struct event_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		if (!list->events[i].symbol)
			continue;
		message("%s: a breakpoint on a symbol is of one program, and several commands are "
			"compared: give its address as a number",
			list->events[i].name);
		return -EINVAL;
	}
	return 0;
}

static int refuse_gate(const struct gate_request *gate, const struct baseline *baseline)
{
	cleanup_str struct str names = { 0 };

	baseline_add_names(baseline, &names);
	message("--fail-if '%s': --baseline %s has no '%s'; there are %s", gate->text,
		baseline->path, gate->name, str_text(&names));
	return -EINVAL;
}

static int add_gate_events(const struct options *o, const struct machine *m,
			   const struct baseline *baseline, struct wanted *wanted)
{
	const struct compare_options *c = &o->compare_options;
	size_t first = wanted->events.n;
	int err = 0;

	for (size_t i = 0; err == 0 && i < c->gates_n; i++) {
		const struct gate_request *gate = &c->gates[i];

		if (baseline && !comparison_has_own(gate->name) &&
		    !baseline_has(baseline, gate->name))
			return refuse_gate(gate, baseline);
		if (!baseline || !baseline_decides(o)) /* which has brought all of its events */
			err = add_gate_event(o, m, gate, wanted);
	}
	if (err == 0 && wanted->events.n > first)
		events_choose_modes(o, &wanted->events);
	return err;
}

static int events_of_baseline(const struct options *o, const struct machine *m,
			      const struct baseline *baseline, struct wanted *wanted)
{
	int err = baseline_events(baseline, m, wanted);

	events_choose_modes(o, &wanted->events);
	return err;
}

int compare_events(const struct options *o, const struct machine *m,
		   const struct baseline *baseline, struct wanted *wanted)
{
	int err = baseline && baseline_decides(o) ? events_of_baseline(o, m, baseline, wanted) :
						    events_of_options(o, m, wanted);

	if (err == 0)
		err = add_gate_events(o, m, baseline, wanted);
	if (err == 0)
		err = check_effects(&o->compare_options, wanted);
	return err == 0 ? refuse_symbols(&wanted->events) : err;
}
