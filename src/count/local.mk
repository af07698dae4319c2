# SPDX-License-Identifier: GPL-2.0-or-later

pstat_common += \
	src/count/capture.c \
	src/count/capture.h \
	src/count/control.c \
	src/count/control.h \
	src/count/counters.c \
	src/count/counters.h \
	src/count/diagnose.c \
	src/count/diagnose.h \
	src/count/follow.c \
	src/count/follow.h \
	src/count/kernel.h \
	src/count/loop.c \
	src/count/loop.h \
	src/count/opener.c \
	src/count/opener.h \
	src/count/passes.c \
	src/count/passes.h \
	src/count/probe_events.c \
	src/count/probe_events.h \
	src/count/reading.c \
	src/count/reading.h \
	src/count/run_readings.c \
	src/count/run_readings.h \
	src/count/sampler.c \
	src/count/sampler.h \
	src/count/session.c \
	src/count/session.h \
	src/count/session_run.c \
	src/count/session_run.h \
	src/count/target.c \
	src/count/target.h \
	src/count/watch.c \
	src/count/watch.h \
	src/count/tracer.c \
	src/count/tracer.h \
	src/count/turns.c \
	src/count/turns.h \
	src/count/workload.c \
	src/count/workload.h
