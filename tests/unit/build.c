/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "unit/build.h"
#include "unit/test.h"
#include "unit/tree.h"

bool build_run(const char *folder, const char *command, ...)
{
	cleanup_str struct str text = { 0 };
	va_list args;

	str_addf(&text, "cd '%s' && exec >/dev/null 2>&1; ", folder);
	va_start(args, command);
	str_vaddf(&text, command, args);
	va_end(args);
	assert_false(text.failed);
	return system(str_text(&text)) == 0;
}

void build_program(const char *folder, const char *name, const char *text, const char *flags)
{
	cleanup_str struct str source = { 0 };

	str_addf(&source, "%s.c", name);
	assert_false(source.failed);
	tree_add(folder, str_text(&source), text);
	if (!build_run(folder, "%s %s -o %s %s.c", BUILD_CC, flags, name, name))
		fail_msg("%s %s: %s cannot be built", BUILD_CC, flags, name);
}

char *build_output(const char *folder, const char *command)
{
	cleanup_str struct str text = { 0 };
	char *output = NULL;
	size_t size = 0;
	FILE *in;

	str_addf(&text, "cd '%s' && %s", folder, command);
	assert_false(text.failed);
	in = popen(str_text(&text), "r");
	assert_non_null(in);
	if (getdelim(&output, &size, '\0', in) < 0)
		fail_msg("%s gave nothing", command);
	assert_int_equal(pclose(in), 0);
	return output;
}
