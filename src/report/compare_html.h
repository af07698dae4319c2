/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page of --html. */
#ifndef PSTAT_REPORT_COMPARE_HTML_H
#define PSTAT_REPORT_COMPARE_HTML_H

#include "report/comparison.h"

extern const struct comparison_format comparison_html;

#endif
