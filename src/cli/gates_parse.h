/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What --fail-if and --min-effect ask for:
 *
 *	GATE   = NAME ( '>' '+' | '<' '-' ) NUMBER [ '%' ]
 *	EFFECT = [ NAME '=' ] NUMBER [ '%' ]
 *
 * White space around NAME, NUMBER and the signs is passed over. In a GATE the last '>' or '<' ends the
 * name, in an EFFECT the last '='.
 */
#ifndef PSTAT_CLI_GATES_PARSE_H
#define PSTAT_CLI_GATES_PARSE_H

#include "result/comparison.h"

struct why;

/* gate->text becomes text itself, gate->name is the caller's to free. 0; -EINVAL with why and the place;
 * -ENOMEM. */
int gate_parse(struct gate_request *gate, const char *text, struct why *why);

/* *name: the caller's to free, NULL for all; *minimum: a share. 0; -EINVAL with why and the place; -ENOMEM. */
int effect_parse(char **name, double *minimum, const char *text, struct why *why);

#endif
