# SPDX-License-Identifier: GPL-2.0-or-later

pstat_common += \
	src/format/format.c \
	src/format/format.h \
	src/format/perf/metric_only.c \
	src/format/perf/metric_only.h \
	src/format/perf/perf_csv.c \
	src/format/perf/perf_json.c \
	src/format/perf/place.c \
	src/format/perf/place.h \
	src/format/perf/perf_table.c \
	src/format/terminal/answer.c \
	src/format/terminal/answer.h \
	src/format/terminal/compare_table.c \
	src/format/terminal/compare_table.h \
	src/format/terminal/compare_text.c \
	src/format/terminal/compare_text.h \
	src/format/terminal/describe.c \
	src/format/terminal/describe.h \
	src/format/terminal/history_table.c \
	src/format/terminal/history_table.h \
	src/format/terminal/process_labels.c \
	src/format/terminal/process_labels.h \
	src/format/terminal/process_table.c \
	src/format/terminal/process_table.h \
	src/format/terminal/strip.c \
	src/format/terminal/strip.h \
	src/format/terminal/suite_text.c \
	src/format/terminal/suite_text.h \
	src/format/terminal/terminal.c \
	src/format/terminal/terminal.h \
	src/format/export/csv.c \
	src/format/export/github.c \
	src/format/export/history.c \
	src/format/export/json.c \
	src/format/export/markdown.c \
	src/format/export/openmetrics.c \
	src/format/export/trackers.c \
	src/format/page/page.c

# The page, as a C string.
EXTRA_DIST += src/format/page/embed.awk src/format/page/page.html
nodist_libpstat_a_SOURCES = src/format/page/page_html.c
CLEANFILES += src/format/page/page_html.c

src/format/page/page_html.c: src/format/page/embed.awk src/format/page/page.html
	$(AM_V_GEN)$(MKDIR_P) $(@D) && cd $(srcdir)/src/format/page && \
		$(AWK) -f embed.awk page.html >$(abs_builddir)/$@.new && \
		mv $(abs_builddir)/$@.new $(abs_builddir)/$@
