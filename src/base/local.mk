# SPDX-License-Identifier: GPL-2.0-or-later

pstat_common += \
	src/base/cleanup.h \
	src/base/clock.c \
	src/base/clock.h \
	src/base/file.c \
	src/base/file.h \
	src/base/json_out.c \
	src/base/json_out.h \
	src/base/json_text.c \
	src/base/json_text.h \
	src/base/module.c \
	src/base/module.h \
	src/base/num.c \
	src/base/num.h \
	src/base/output.c \
	src/base/output.h \
	src/base/path.c \
	src/base/path.h \
	src/base/privilege.c \
	src/base/privilege.h \
	src/base/put.c \
	src/base/put.h \
	src/base/str.c \
	src/base/str.h \
	src/base/utf8.c \
	src/base/utf8.h \
	src/base/why.c \
	src/base/why.h \
	src/base/words.c \
	src/base/words.h \
	src/base/write.c \
	src/base/write.h
