/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page of --html. */
#ifndef PSTAT_FORMAT_HTML_COMPARE_HTML_H
#define PSTAT_FORMAT_HTML_COMPARE_HTML_H

#include "result/comparison.h"

extern const struct comparison_format comparison_html;

#endif
