# SPDX-License-Identifier: GPL-2.0-or-later

pstat_common += \
	src/report/explain.c \
	src/report/explain.h \
	src/report/figures.c \
	src/report/figures.h \
	src/report/json_text.c \
	src/report/json_text.h \
	src/report/listing.c \
	src/report/listing.h \
	src/report/output.c \
	src/report/output.h \
	src/report/perf_csv.c \
	src/report/report.c \
	src/report/report.h \
	src/report/table.c
