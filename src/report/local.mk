# SPDX-License-Identifier: GPL-2.0-or-later

pstat_common += \
	src/report/explain.c \
	src/report/explain.h \
	src/report/output.c \
	src/report/output.h \
	src/report/perf_csv.c \
	src/report/report.c \
	src/report/report.h \
	src/report/table.c
