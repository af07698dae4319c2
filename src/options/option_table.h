/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every option of pstat, once. getopt's arrays, --help-all, the conflict checks and the completions
 * follow from this table. tests/cli/programs/option-table prints it for scripts/completion/update.
 */
#ifndef PSTAT_OPTIONS_OPTION_TABLE_H
#define PSTAT_OPTIONS_OPTION_TABLE_H

#include "options/options.h"

struct why;

/* The headings of --help-all and of OPTIONS in pstat(1), in this order. */
enum option_section {
	SECTION_EVENTS,
	SECTION_TARGET,
	SECTION_ROWS,
	SECTION_TIME,
	SECTION_RUN,
	SECTION_COMPARE,
	SECTION_SHOW,
	SECTION_OTHER,
	SECTIONS_N,
};

/*
 * The jobs that accept an option. --list and --explain ignore most options that concern counting.
 */
enum option_jobs {
	IN_COUNT = 1, /* one command, or a target that already runs */
	IN_COMPARE = 2, /* -c, -L, --baseline */
	IN_FILES = 4, /* --compare */
	IN_SHOW = 8,
	IN_LIST = 16,
	IN_EXPLAIN = 32,
	IN_MERGE = 64,
	IN_HISTORY = 128, /* --history alone */
	IN_DOCTOR = 256,
};

enum argument_kind {
	ARGUMENT_TEXT, /* nothing can complete it */
	ARGUMENT_NUMBER,
	ARGUMENT_PERCENT,
	ARGUMENT_CHOICE, /* one of the values */
	ARGUMENT_LIST, /* several of the values, separated by commas */
	ARGUMENT_EVENTS,
	ARGUMENT_PIDS,
	ARGUMENT_TIDS,
	ARGUMENT_CPUS,
	ARGUMENT_CGROUPS,
	ARGUMENT_FILE,
	ARGUMENT_DOCUMENT, /* a file with a saved result */
	ARGUMENT_ROWS, /* names of rows: events, and the values, which are metrics */
	ARGUMENT_FOLDER,
	ARGUMENT_COMMAND,
};

/* How an option changes struct options. */
enum option_effect {
	SET_FLAG, /* the bool becomes true */
	CLEAR_FLAG, /* the bool becomes false */
	SET_VALUE, /* the enum becomes constant */
	SET_TEXT, /* the string becomes the argument */
	SET_NUMBER, /* the unsigned int becomes the argument, from min to max */
	SET_DECIMAL, /* the double becomes the argument, divided by divided_by */
	SET_CHOICE, /* the enum becomes the position of the argument in the values */
	ADD_REQUEST, /* the argument becomes one more event request; constant is its kind */
	CALL, /* read() reads the argument; the last one wins */
	ADD_TEXT, /* the argument becomes one more of these texts */
	ADD, /* read() adds the argument to the earlier ones */
};

struct option_row {
	enum option_section section;
	unsigned int jobs; /* enum option_jobs */
	char letter; /* '\0': none */
	const char *name;
	/* as in --help-all: "LIST"; "[=LEVEL]" if it is optional; NULL: none */
	const char *argument;
	const char *help;
	/* Lists of options, spelled as in messages ("-I --control"); COMMAND stands for the
	 * command. NULL: no list. When a command or target is counted, at least one of needs has to
	 * be given. None of excludes may ever be given. */
	const char *needs, *excludes;
	enum argument_kind kind;
	const char *values; /* separated by blanks; NULL: none */
	enum option_effect effect;
	size_t field; /* offset in struct options */
	unsigned int constant; /* an enum value, see option_effect */
	unsigned int min, max; /* of a number */
	double above, up_to, divided_by; /* of a decimal number */
	const char *range; /* the same for messages: "a percentage above 0, 100 at most" */
	/* argument is NULL if it is optional and was not given. 0; -EINVAL with why, which may
	 * have a position in the argument; -ENOMEM. */
	int (*read)(struct options *o, const char *argument, struct why *why);
};

extern const struct option_row option_table[];
extern const size_t option_table_n; /* at most OPTIONS_MAX */

extern const char *const option_sections[SECTIONS_N];

/* "-e" or "--filter", as messages name it. */
struct option_spelling {
	char text[32];
};
struct option_spelling option_spell(const struct option_row *row);

/* The row of a letter ("-e") or of a whole long name ("--event"). NULL: there is none. */
const struct option_row *option_find(const char *spelling);

/* The row of the option that splits the rows in this way. NULL: PLACE_TARGET. */
const struct option_row *option_of_split(enum place_kind split);

/*
 * The next word of a list of the table, such as needs or values. *list becomes the rest. false:
 * there is none.
 */
bool option_next_word(const char **list, struct option_spelling *word);

/* Whether the text is a word of the list. list: NULL for none. */
bool option_is_listed(const char *list, const char *text);

#endif
