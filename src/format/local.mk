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
	src/format/terminal/compare_table.c \
	src/format/terminal/compare_table.h \
	src/format/terminal/compare_text.c \
	src/format/terminal/compare_text.h \
	src/format/terminal/curve.c \
	src/format/terminal/curve.h \
	src/format/terminal/explain.c \
	src/format/terminal/explain.h \
	src/format/terminal/history_table.c \
	src/format/terminal/history_table.h \
	src/format/terminal/listing.c \
	src/format/terminal/listing.h \
	src/format/terminal/process_table.c \
	src/format/terminal/process_table.h \
	src/format/terminal/rank_table.c \
	src/format/terminal/rank_table.h \
	src/format/terminal/strip.c \
	src/format/terminal/strip.h \
	src/format/terminal/terminal.c \
	src/format/terminal/terminal.h \
	src/format/export/csv.c \
	src/format/export/github.c \
	src/format/export/history.c \
	src/format/export/markdown.c \
	src/format/export/openmetrics.c \
	src/format/export/trackers.c \
	src/format/html/page.c \
	src/format/html/plots.c \
	src/format/html/plots.h \
	src/format/html/timeline.c \
	src/format/html/timeline.h

# The style sheet of the page, as a C string.
EXTRA_DIST += src/format/html/style.awk src/format/html/style.css
nodist_libpstat_a_SOURCES = src/format/html/style_css.c
CLEANFILES += src/format/html/style_css.c

src/format/html/style_css.c: src/format/html/style.awk src/format/html/style.css
	$(AM_V_GEN)$(MKDIR_P) $(@D) && cd $(srcdir)/src/format/html && \
		$(AWK) -f style.awk style.css >$(abs_builddir)/$@.new && \
		mv $(abs_builddir)/$@.new $(abs_builddir)/$@
