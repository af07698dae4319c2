# SPDX-License-Identifier: GPL-2.0-or-later

pstat_common += \
	src/cli/attr.c \
	src/cli/attr.h \
	src/cli/counting.h \
	src/cli/events.c \
	src/cli/events.h \
	src/cli/job_count.c \
	src/cli/job_explain.c \
	src/cli/job_list.c \
	src/cli/jobs.h \
	src/cli/message.c \
	src/cli/message.h \
	src/cli/options.c \
	src/cli/options.h \
	src/cli/options_check.c \
	src/cli/print.c \
	src/cli/tell.c
