# SPDX-License-Identifier: GPL-2.0-or-later

pstat_common += \
	src/base/cleanup.h \
	src/base/clock.c \
	src/base/clock.h \
	src/base/dlopen.c \
	src/base/dlopen.h \
	src/base/file.c \
	src/base/file.h \
	src/base/json.c \
	src/base/json.h \
	src/base/json_load.c \
	src/base/json_load.h \
	src/base/math.h \
	src/base/num.c \
	src/base/num.h \
	src/base/output.c \
	src/base/output.h \
	src/base/privilege.c \
	src/base/privilege.h \
	src/base/str.c \
	src/base/str.h \
	src/base/utf8.c \
	src/base/utf8.h \
	src/base/why.c \
	src/base/why.h
