# SPDX-License-Identifier: GPL-2.0-or-later

pstat_common += \
	src/base/cleanup.h \
	src/base/num.c \
	src/base/num.h \
	src/base/str.c \
	src/base/str.h \
	src/base/why.c \
	src/base/why.h \
	src/base/words.c \
	src/base/words.h
