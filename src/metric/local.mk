# SPDX-License-Identifier: GPL-2.0-or-later

pstat_common += \
	src/metric/expression.c \
	src/metric/expression.h \
	src/metric/metric.c \
	src/metric/metric.h \
	src/metric/metric_list.c \
	src/metric/metric_list.h \
	src/metric/topdown.c \
	src/metric/topdown.h
