# SPDX-License-Identifier: GPL-2.0-or-later

pstat_common += \
	src/machine/limits.c \
	src/machine/limits.h \
	src/machine/machine.c \
	src/machine/machine.h \
	src/machine/pmu.c \
	src/machine/pmu.h
