# SPDX-License-Identifier: GPL-2.0-or-later

pstat_common += \
	src/job/compare.c \
	src/job/compare.h \
	src/job/counting.c \
	src/job/counting.h \
	src/job/events.c \
	src/job/events.h \
	src/job/history_gates.c \
	src/job/history_gates.h \
	src/job/job_compare.c \
	src/job/job_compare_files.c \
	src/job/job_count.c \
	src/job/job_doctor.c \
	src/job/job_events.c \
	src/job/job_merge.c \
	src/job/job_show.c \
	src/job/jobs.h \
	src/job/loading.c \
	src/job/loading.h \
	src/job/same_work.c \
	src/job/same_work.h \
	src/job/saved_metrics.c \
	src/job/saved_metrics.h \
	src/job/sides.c \
	src/job/sides.h \
	src/job/table_metrics.c \
	src/job/table_metrics.h
