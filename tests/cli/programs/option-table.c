/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the option table, one option on each line, with fields separated by tabs: section, letter,
 * name, "-" (no argument), "=" (an argument) or "?" (an optional argument), the name of the
 * argument, its kind and values, excludes, needs, "adds" or "once", jobs, help. "-" is an empty
 * field.
 */
#include <stdio.h>

#include "options/option_table.h"

static const char *const kinds[] = {
	[ARGUMENT_TEXT] = "text",	[ARGUMENT_NUMBER] = "number",
	[ARGUMENT_PERCENT] = "percent", [ARGUMENT_CHOICE] = "choice",
	[ARGUMENT_LIST] = "list",	[ARGUMENT_EVENTS] = "events",
	[ARGUMENT_PIDS] = "pids",	[ARGUMENT_TIDS] = "tids",
	[ARGUMENT_CPUS] = "cpus",	[ARGUMENT_CGROUPS] = "cgroups",
	[ARGUMENT_FILE] = "file",	[ARGUMENT_FOLDER] = "folder",
	[ARGUMENT_COMMAND] = "command", [ARGUMENT_DOCUMENT] = "document",
	[ARGUMENT_ROWS] = "rows",
};

/* In the order of enum option_jobs. */
static const char *const jobs[] = { "count",   "compare", "files",   "show",  "list",
				    "explain", "merge",	  "history", "doctor" };

static void print_jobs(unsigned int set)
{
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++)
		if (set & 1u << i)
			printf("%s ", jobs[i]);
	printf("\t");
}

static void print_field(const char *text)
{
	printf("%s\t", text && text[0] ? text : "-");
}

int main(void)
{
	for (size_t i = 0; i < option_table_n; i++) {
		const struct option_row *row = &option_table[i];
		const char letter[] = { row->letter, '\0' };

		print_field(option_sections[row->section]);
		print_field(letter);
		print_field(row->name);
		print_field(!row->argument ? "-" : row->argument[0] == '[' ? "?" : "=");
		print_field(row->argument);
		print_field(kinds[row->kind]);
		print_field(row->values);
		print_field(row->excludes);
		print_field(row->needs);
		print_field(row->effect == ADD || row->effect == ADD_TEXT ||
					    row->effect == ADD_REQUEST ?
				    "adds" :
				    "once");
		print_jobs(row->jobs);
		printf("%s\n", row->help);
	}
	return 0;
}
