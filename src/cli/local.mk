# SPDX-License-Identifier: GPL-2.0-or-later

pstat_common += \
	src/cli/compare.c \
	src/cli/compare.h \
	src/cli/counting.c \
	src/cli/counting.h \
	src/cli/events.c \
	src/cli/events.h \
	src/cli/file_name.c \
	src/cli/file_name.h \
	src/cli/history_gates.c \
	src/cli/history_gates.h \
	src/cli/job_compare.c \
	src/cli/job_compare_files.c \
	src/cli/job_count.c \
	src/cli/job_events.c \
	src/cli/job_merge.c \
	src/cli/job_history.c \
	src/cli/job_show.c \
	src/cli/jobs.h \
	src/cli/loading.c \
	src/cli/loading.h \
	src/cli/message.c \
	src/cli/message.h \
	src/cli/notes.c \
	src/cli/notes.h \
	src/cli/options.h \
	src/cli/option_table.c \
	src/cli/option_table.h \
	src/cli/options_parse.c \
	src/cli/parameters.c \
	src/cli/parameters.h \
	src/cli/print.c \
	src/cli/print.h \
	src/cli/progress.c \
	src/cli/progress.h \
	src/cli/same_file.c \
	src/cli/same_file.h \
	src/cli/saving.c \
	src/cli/saving.h \
	src/cli/sides.c \
	src/cli/sides.h \
	src/cli/words.c \
	src/cli/words.h
