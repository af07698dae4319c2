# SPDX-License-Identifier: GPL-2.0-or-later

pstat_common += \
	src/format/compare_table.c \
	src/format/compare_table.h \
	src/format/compare_text.c \
	src/format/compare_text.h \
	src/format/csv.c \
	src/format/curve.c \
	src/format/curve.h \
	src/format/explain.c \
	src/format/explain.h \
	src/format/format.c \
	src/format/format.h \
	src/format/github.c \
	src/format/history.c \
	src/format/history_table.c \
	src/format/history_table.h \
	src/format/html/page.c \
	src/format/html/plots.c \
	src/format/html/plots.h \
	src/format/html/timeline.c \
	src/format/html/timeline.h \
	src/format/listing.c \
	src/format/listing.h \
	src/format/markdown.c \
	src/format/metric_only.c \
	src/format/metric_only.h \
	src/format/openmetrics.c \
	src/format/perf_csv.c \
	src/format/perf_json.c \
	src/format/place.c \
	src/format/place.h \
	src/format/process_table.c \
	src/format/process_table.h \
	src/format/rank_table.c \
	src/format/rank_table.h \
	src/format/strip.c \
	src/format/strip.h \
	src/format/table.c \
	src/format/terminal.c \
	src/format/terminal.h \
	src/format/trackers.c

# The style sheet of the page, as a C string.
EXTRA_DIST += src/format/html/style.awk src/format/html/style.css
nodist_libpstat_a_SOURCES = src/format/html/style_css.c
CLEANFILES += src/format/html/style_css.c

src/format/html/style_css.c: src/format/html/style.awk src/format/html/style.css
	$(AM_V_GEN)$(MKDIR_P) $(@D) && cd $(srcdir)/src/format/html && \
		$(AWK) -f style.awk style.css >$(abs_builddir)/$@.new && \
		mv $(abs_builddir)/$@.new $(abs_builddir)/$@
