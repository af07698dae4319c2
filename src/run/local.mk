# SPDX-License-Identifier: GPL-2.0-or-later

pstat_common += \
	src/run/runner.c \
	src/run/runner.h \
	src/run/stopping.c \
	src/run/stopping.h
