/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was asked for, when, where and by what. */
#include <errno.h>
#include <float.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "document/load_parts.h"
#include "document/schema.h"

void load_settings(const struct load_value *top, struct document *document)
{
	const struct load_value s = load_member(top, "settings");
	const struct load_value target = load_member(top, "target");
	const struct load_value floor = load_member(&s, "max_rss_floor");
	bool scaled = load_bool(load_member(&s, "scaled"));

	document->subject = load_text(load_member(&target, "subject"));
	document->settings = (struct result_input){
		.split = (enum place_kind)load_word(load_member(&s, "split"), schema_splits,
						    PLACE_N),
		.scaling = scaled ? SCALE_BY_TIME : SCALE_NOT,
		.min_running = load_number(load_member(&s, "min_running_percent"), 0, 100),
		.passes_n = load_size(load_member(&s, "passes")),
		.cpus = load_number(load_member(&s, "cpus"), 0, DBL_MAX),
		.cgroups_n = load_size(load_member(&s, "cgroups")),
		.null_run = load_bool(load_member(&s, "null_run")),
		.only_counted = load_bool(load_member(&s, "only_counted")),
		.has_usage = load_bool(load_member(&s, "has_usage")),
		.max_rss_floor_kib = load_is_there(floor) ? load_unsigned(floor) : 0,
		.interval_ms =
			(unsigned int)load_integer(load_member(&s, "interval_ms"), 0, UINT_MAX),
		.summary_asked = load_bool(load_member(&s, "summary_asked")),
	};
}

enum {
	MINUTE = 60,
	HOUR = 60 * MINUTE,
	DATE_LENGTH = 19, /* without the zone */
};

/* "YYYY-MM-DDThh:mm:ss", of a year that ctime(3) can print. */
static bool parse_date(const char *text, struct tm *date)
{
	struct tm made, again;
	char form[DATE_LENGTH + 1];
	time_t seconds;

	for (size_t i = 0; i < DATE_LENGTH && text[i]; i++) {
		form[i] = text[i];
		if (strchr("0123456789", text[i]))
			form[i] = '0';
	}
	form[strnlen(text, DATE_LENGTH)] = '\0';
	if (strcmp(form, "0000-00-00T00:00:00") != 0 || !strptime(text, "%Y-%m-%dT%H:%M:%S", date))
		return false;
	made = *date;
	seconds = timegm(&made);
	return date->tm_year >= 1970 - 1900 && date->tm_year < 9999 - 1900 &&
	       gmtime_r(&seconds, &again) && again.tm_mday == date->tm_mday &&
	       again.tm_sec == date->tm_sec;
}

/* "Z" or "+hh:mm". */
static bool parse_zone(const char *text, int *zone_s)
{
	unsigned int hours, minutes;
	int end = 0;

	*zone_s = 0;
	if (strcmp(text, "Z") == 0)
		return true;
	if ((text[0] != '+' && text[0] != '-') || strspn(text + 1, "0123456789") != 2 ||
	    sscanf(text + 1, "%2u:%2u%n", &hours, &minutes, &end) != 2 || end != 5 ||
	    text[1 + end] || strspn(text + 4, "0123456789") != 2 || hours > 23 || minutes > 59)
		return false;
	*zone_s = (int)(hours * HOUR + minutes * MINUTE) * (text[0] == '-' ? -1 : 1);
	return true;
}

/* RFC 3339, section 5.6 */
static void load_started(struct load_value value, struct document *document)
{
	cleanup_free char *text = load_string(value);
	struct tm date = { 0 };

	if (!text)
		return;
	if (!parse_date(text, &date) ||
	    !parse_zone(text + DATE_LENGTH, &document->provenance.zone_s))
		load_refuse(&value, "not a time such as \"2026-02-28T13:05:59+01:00\"");
	else
		document->settings.started = timegm(&date) - document->provenance.zone_s;
}

static void load_list(struct load_value value, char *(*take)(struct load_value),
		      struct str_list *list)
{
	size_t n = load_length(value);

	for (size_t i = 0; i < n; i++) {
		cleanup_free char *text = take(load_element(&value, i));

		if (text && str_list_add(list, text) < 0)
			load_no_memory(value.load);
	}
}

static struct known_int load_known(struct load_value value)
{
	if (!load_is_there(value))
		return (struct known_int){ .known = false };
	return (struct known_int){ .known = true,
				   .value = (int)load_integer(value, INT_MIN, INT_MAX) };
}

static struct known_int load_known_bool(struct load_value value)
{
	if (!load_is_there(value))
		return (struct known_int){ .known = false };
	return (struct known_int){ .known = true, .value = load_bool(value) };
}

static void load_host(struct load_value host, struct provenance *p)
{
	p->host = load_string_or_null(load_member(&host, "name"));
	p->kernel = load_string_or_null(load_member(&host, "kernel"));
	p->machine = load_string_or_null(load_member(&host, "machine"));
	p->cpu_model = load_string_or_null(load_member(&host, "cpu_model"));
	p->cpus_online = load_string_or_null(load_member(&host, "cpus_online"));
	load_list(load_member(&host, "pmus"), load_string, &p->pmus);
	load_list(load_member(&host, "governors"), load_string, &p->governors);
	p->turbo = load_known_bool(load_member(&host, "turbo"));
	p->aslr = load_known(load_member(&host, "aslr"));
	p->paranoid = load_known(load_member(&host, "perf_event_paranoid"));
}

void load_provenance(const struct load_value *top, struct document *document)
{
	struct provenance *p = &document->provenance;
	const struct load_value pstat = load_member(top, "pstat");
	const struct load_value target = load_member(top, "target");
	const struct load_value argv = load_member(&target, "argv");
	const struct load_value seed = load_member(&pstat, "seed");

	p->pstat = load_string(load_member(&pstat, "version"));
	p->libpfm4 = load_string_or_null(load_member(&pstat, "libpfm4"));
	p->has_seed = load_is_there(seed);
	p->seed = p->has_seed ? load_unsigned(seed) : 0;
	p->cwd = load_text_or_null(load_member(&target, "cwd"));
	if (load_is_there(argv))
		load_list(argv, load_text, &p->argv);
	load_started(load_member(top, "started"), document);
	load_host(load_member(top, "host"), p);
}
