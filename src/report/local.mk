# SPDX-License-Identifier: GPL-2.0-or-later

pstat_common += \
	src/report/compare_columns.c \
	src/report/compare_columns.h \
	src/report/compare_csv.c \
	src/report/compare_gate.c \
	src/report/compare_gate.h \
	src/report/compare_github.c \
	src/report/compare_json.c \
	src/report/compare_html.c \
	src/report/compare_html.h \
	src/report/compare_layout.c \
	src/report/compare_layout.h \
	src/report/compare_markdown.c \
	src/report/compare_strips.c \
	src/report/compare_strips.h \
	src/report/compare_table.c \
	src/report/compare_text.c \
	src/report/compare_text.h \
	src/report/compared.c \
	src/report/compared.h \
	src/report/comparison.c \
	src/report/comparison.h \
	src/report/comparison_formats.c \
	src/report/differences.c \
	src/report/differences.h \
	src/report/document.c \
	src/report/document.h \
	src/report/colour.c \
	src/report/colour.h \
	src/report/csv.c \
	src/report/csv_summary.c \
	src/report/csv_text.c \
	src/report/csv_text.h \
	src/report/explain.c \
	src/report/explain.h \
	src/report/file.c \
	src/report/file.h \
	src/report/facts.c \
	src/report/facts.h \
	src/report/figures.c \
	src/report/figures.h \
	src/report/html_axis.c \
	src/report/html_axis.h \
	src/report/html_order.c \
	src/report/html_page.h \
	src/report/html_plots.c \
	src/report/html_provenance.c \
	src/report/html_strip.c \
	src/report/html_style.c \
	src/report/html_svg.c \
	src/report/html_table.c \
	src/report/html_text.c \
	src/report/html_text.h \
	src/report/json.c \
	src/report/gates.c \
	src/report/json_out.c \
	src/report/json_out.h \
	src/report/json_report.h \
	src/report/json_text.c \
	src/report/json_text.h \
	src/report/line.c \
	src/report/line.h \
	src/report/listing.c \
	src/report/listing.h \
	src/report/markdown.c \
	src/report/markdown_text.c \
	src/report/markdown_text.h \
	src/report/openmetrics.c \
	src/report/metric_only.c \
	src/report/metric_only.h \
	src/report/output.c \
	src/report/output.h \
	src/report/perf_csv.c \
	src/report/provenance.c \
	src/report/provenance.h \
	src/report/put.c \
	src/report/put.h \
	src/report/perf_json.c \
	src/report/report.c \
	src/report/report.h \
	src/report/ruler.c \
	src/report/ruler.h \
	src/report/saved.c \
	src/report/saved.h \
	src/report/schema.c \
	src/report/schema.h \
	src/report/series.c \
	src/report/series.h \
	src/report/strip.c \
	src/report/strip.h \
	src/report/run_times.c \
	src/report/run_times.h \
	src/report/table.c

# The reader of saved documents.
if HAVE_JANSSON
pstat_common += \
	src/report/load.c \
	src/report/load_comparison.c \
	src/report/load_events.c \
	src/report/load_json.c \
	src/report/load_json.h \
	src/report/load_parts.h \
	src/report/load_runs.c \
	src/report/load_settings.c
else
pstat_common += src/report/load_none.c
endif

dist_pkgdata_DATA = src/report/pstat-comparison-1.schema.json src/report/pstat-report-1.schema.json
