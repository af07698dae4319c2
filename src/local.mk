# SPDX-License-Identifier: GPL-2.0-or-later

noinst_LIBRARIES += libpstat.a
libpstat_a_SOURCES = $(pstat_common)

bin_PROGRAMS += pstat
pstat_SOURCES = src/main.c src/count/kernel.c
pstat_LDADD = libpstat.a

# For programs that have a region of theirs counted.
include_HEADERS = src/pstat-region.h

EXTRA_DIST += src/README
