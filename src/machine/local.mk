# SPDX-License-Identifier: GPL-2.0-or-later

pstat_common += \
	src/machine/cgroup.c \
	src/machine/cgroup.h \
	src/machine/cpulist.c \
	src/machine/cpulist.h \
	src/machine/disturbances.c \
	src/machine/disturbances.h \
	src/machine/host.c \
	src/machine/host.h \
	src/machine/launcher.c \
	src/machine/launcher.h \
	src/machine/machine.c \
	src/machine/machine.h \
	src/machine/perf_tables.c \
	src/machine/perf_tables.h \
	src/machine/pmu.c \
	src/machine/pmu.h \
	src/machine/program.c \
	src/machine/program.h \
	src/machine/tasks.c \
	src/machine/tasks.h \
	src/machine/topology.c \
	src/machine/topology.h \
	src/machine/tracing.c \
	src/machine/tracing.h
