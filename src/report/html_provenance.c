/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the results come from: what is known of each side, once where it is the same of all. */
#include <stdlib.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "report/html_page.h"
#include "report/html_text.h"
#include "report/provenance.h"

/* Append what is known of a property; nothing where it is not known. */
typedef void add_property(struct str *text, const struct report_input *input,
			  const struct provenance *p);

static void add_text(struct str *text, const char *known)
{
	if (known)
		str_add(text, known);
}

static void add_switch(struct str *text, const struct known_int *known)
{
	if (known->known)
		str_add(text, known->value ? "on" : "off");
}

static void add_list(struct str *text, const struct str_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		str_addf(text, "%s%s", i ? ", " : "", list->v[i]);
}

/* In the zone where it was. */
static void add_started(struct str *text, const struct report_input *input,
			const struct provenance *p)
{
	time_t local = input->started + p->zone_s;
	int minutes = abs(p->zone_s) / 60;
	char date[64];
	struct tm tm;

	strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", gmtime_r(&local, &tm));
	str_addf(text, "%s %c%02d:%02d", date, p->zone_s < 0 ? '-' : '+', minutes / 60,
		 minutes % 60);
}

static void add_host(struct str *text, const struct report_input *input, const struct provenance *p)
{
	(void)input;
	add_text(text, p->host);
}

static void add_kernel(struct str *text, const struct report_input *input,
		       const struct provenance *p)
{
	(void)input;
	add_text(text, p->kernel);
	if (p->kernel && p->machine)
		str_addf(text, " (%s)", p->machine);
}

static void add_cpu(struct str *text, const struct report_input *input, const struct provenance *p)
{
	(void)input;
	add_text(text, p->cpu_model);
}

static void add_cpus(struct str *text, const struct report_input *input, const struct provenance *p)
{
	(void)input;
	add_text(text, p->cpus_online);
}

static void add_governors(struct str *text, const struct report_input *input,
			  const struct provenance *p)
{
	(void)input;
	add_list(text, &p->governors);
}

static void add_turbo(struct str *text, const struct report_input *input,
		      const struct provenance *p)
{
	(void)input;
	add_switch(text, &p->turbo);
}

/* 1 moves the stack, 2 the heap, too. */
static void add_aslr(struct str *text, const struct report_input *input, const struct provenance *p)
{
	(void)input;
	add_switch(text, &p->aslr);
	if (p->aslr.known)
		str_addf(text, " (randomize_va_space %d)", p->aslr.value);
}

static void add_paranoid(struct str *text, const struct report_input *input,
			 const struct provenance *p)
{
	(void)input;
	if (p->paranoid.known)
		str_addf(text, "%d", p->paranoid.value);
}

static void add_folder(struct str *text, const struct report_input *input,
		       const struct provenance *p)
{
	(void)input;
	add_text(text, p->cwd);
}

static void add_pstat(struct str *text, const struct report_input *input,
		      const struct provenance *p)
{
	(void)input;
	add_text(text, p->pstat);
}

static void add_libpfm4(struct str *text, const struct report_input *input,
			const struct provenance *p)
{
	(void)input;
	add_text(text, p->libpfm4);
}

static const struct {
	const char *name;
	add_property *add;
} properties[] = {
	{ "Started", add_started },
	{ "Host", add_host },
	{ "Kernel", add_kernel },
	{ "Processor", add_cpu },
	{ "CPUs online", add_cpus },
	{ "Frequency governor", add_governors },
	{ "Turbo", add_turbo },
	{ "ASLR", add_aslr },
	{ "perf_event_paranoid", add_paranoid },
	{ "Working directory", add_folder },
	{ "pstat", add_pstat },
	{ "libpfm4", add_libpfm4 },
};

static void add_value(struct str *text, const struct html_page *page, size_t side,
		      add_property *add)
{
	const struct report_input *input = &page->c->reports[side].input;

	if (input->provenance)
		add(text, input, input->provenance);
}

static void add_cell(struct str *out, const struct str *text, size_t columns)
{
	out->failed |= text->failed;
	str_addf(out, columns > 1 ? "<td colspan=\"%zu\">" : "<td>", columns);
	if (text->len)
		html_add_name(out, str_text(text));
	else
		str_add(out, "<span class=\"dim\">not known</span>");
	str_add(out, "</td>");
}

static void add_property_row(struct html_page *page, const char *name, add_property *add)
{
	const size_t sides_n = page->c->input.sides_n;
	cleanup_str struct str first = { 0 };
	struct str *out = page->out;
	bool same = true;

	add_value(&first, page, 0, add);
	for (size_t i = 1; i < sides_n; i++) {
		cleanup_str struct str other = { 0 };

		add_value(&other, page, i, add);
		same &= str_equal(str_text(&first), str_text(&other));
	}
	str_addf(out, "<tr><th scope=\"row\">%s%s</th>", name,
		 same ? "" : " <span class=\"differs\">differs</span>");
	for (size_t i = 0; i < (same ? 1 : sides_n); i++) {
		cleanup_str struct str text = { 0 };

		add_value(&text, page, i, add);
		add_cell(out, &text, same ? sides_n : 1);
	}
	str_add(out, "</tr>\n");
}

/* ---- How they took turns. */

enum { TURNS_MAX = 48 }; /* that are named */

/* Of the sides by their numbers, block by block where there are blocks. */
static void add_order(struct html_page *page)
{
	const struct comparison_input *input = &page->c->input;
	struct str *out = page->out;

	if (!input->order)
		return;
	str_addf(out, "<tr><th scope=\"row\">Order of runs</th><td colspan=\"%zu\">",
		 input->sides_n);
	for (size_t i = 0; i < input->order_n && i < TURNS_MAX; i++) {
		if (i > 0)
			str_add(out, input->paired && i % input->sides_n == 0 ? " | " : " ");
		str_addf(out, "%zu", input->order[i] + 1);
	}
	str_add(out, input->order_n > TURNS_MAX ? " …</td></tr>\n" : "</td></tr>\n");
}

static void add_settings(struct html_page *page)
{
	const struct comparison_input *input = &page->c->input;
	struct str *out = page->out;

	str_addf(out,
		 "<tr><th scope=\"row\">Confidence</th><td colspan=\"%zu\">%.6g %%</td></tr>\n",
		 input->sides_n, input->confidence * 100);
	str_addf(out, "<tr><th scope=\"row\">Seed</th><td colspan=\"%zu\">%llu</td></tr>\n",
		 input->sides_n, (unsigned long long)input->seed);
	add_order(page);
}

void html_add_provenance(struct html_page *page)
{
	struct str *out = page->out;

	str_add(out, "<section>\n<h2 id=\"provenance\">Where this comes from</h2>\n"
		     "<div class=\"scroll\" role=\"region\" aria-labelledby=\"provenance\" "
		     "tabindex=\"0\">\n<table class=\"facts\">\n<thead><tr>"
		     "<th scope=\"col\">Fact</th>");
	for (size_t i = 0; i < page->c->input.sides_n; i++) {
		str_add(out, "<th scope=\"col\">");
		html_add_mark(out, i);
		str_addf(out, " %zu ", i + 1);
		html_add_name(out, page->c->input.sides[i].name);
		str_add(out, "</th>");
	}
	str_add(out, "</tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < sizeof(properties) / sizeof(properties[0]); i++)
		add_property_row(page, properties[i].name, properties[i].add);
	add_settings(page);
	str_add(out, "</tbody>\n</table>\n</div>\n</section>\n");
}
