# SPDX-License-Identifier: GPL-2.0-or-later

pstat_common += \
	src/stats/contrast.c \
	src/stats/contrast.h \
	src/stats/estimate.c \
	src/stats/estimate.h \
	src/stats/geomean.c \
	src/stats/geomean.h \
	src/stats/interval.c \
	src/stats/interval.h \
	src/stats/permutation.c \
	src/stats/permutation.h \
	src/stats/random.c \
	src/stats/random.h \
	src/stats/rmath.c \
	src/stats/rmath.h \
	src/stats/scale.c \
	src/stats/scale.h \
	src/stats/sequential.c \
	src/stats/sequential.h \
	src/stats/summary.c \
	src/stats/summary.h
