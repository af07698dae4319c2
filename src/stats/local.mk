# SPDX-License-Identifier: GPL-2.0-or-later

pstat_common += \
	src/stats/expression.c \
	src/stats/expression.h \
	src/stats/metric.c \
	src/stats/metric.h \
	src/stats/metric_list.c \
	src/stats/metric_list.h \
	src/stats/scale.c \
	src/stats/scale.h \
	src/stats/summary.c \
	src/stats/summary.h
