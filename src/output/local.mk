# SPDX-License-Identifier: GPL-2.0-or-later

pstat_common += \
	src/output/message.c \
	src/output/message.h \
	src/output/notes.c \
	src/output/notes.h \
	src/output/outputs.c \
	src/output/outputs.h \
	src/output/progress.c \
	src/output/progress.h
