# SPDX-License-Identifier: GPL-2.0-or-later

pstat_common += \
	src/options/option_table.c \
	src/options/option_table.h \
	src/options/options.h \
	src/options/options_check.c \
	src/options/options_parse.c
