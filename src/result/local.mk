# SPDX-License-Identifier: GPL-2.0-or-later

pstat_common += \
	src/result/comparison.c \
	src/result/comparison.h \
	src/result/differences.c \
	src/result/differences.h \
	src/result/history.c \
	src/result/history.h \
	src/result/measure.c \
	src/result/measure.h \
	src/result/process_rows.c \
	src/result/process_rows.h \
	src/result/ranks.c \
	src/result/ranks.h \
	src/result/series.c \
	src/result/series.h \
	src/result/suite.c \
	src/result/suite.h \
	src/result/table.c \
	src/result/table.h
