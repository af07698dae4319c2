# SPDX-License-Identifier: GPL-2.0-or-later

pstat_common += \
	src/machine/abi.c \
	src/machine/abi.h \
	src/machine/cgroup.c \
	src/machine/cgroup.h \
	src/machine/cpu_info.c \
	src/machine/cpu_info.h \
	src/machine/cpulist.c \
	src/machine/cpulist.h \
	src/machine/cpus.c \
	src/machine/cpus.h \
	src/machine/kallsyms.c \
	src/machine/kallsyms.h \
	src/machine/library.c \
	src/machine/library.h \
	src/machine/limits.c \
	src/machine/limits.h \
	src/machine/machine.c \
	src/machine/machine.h \
	src/machine/peak.c \
	src/machine/peak.h \
	src/machine/pmu.c \
	src/machine/pmu.h \
	src/machine/program.c \
	src/machine/program.h \
	src/machine/tasks.c \
	src/machine/tasks.h \
	src/machine/topology.c \
	src/machine/topology.h \
	src/machine/tracefs.c \
	src/machine/tracefs.h
