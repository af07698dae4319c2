# SPDX-License-Identifier: GPL-2.0-or-later
# cmocka programs, each made of the .c file of its name.

unit_tests =

unit_files = \
	tests/unit/none.test

# All of the program but main.c, and this in the place of kernel.c.
check_LIBRARIES += tests/unit/libfake.a
tests_unit_libfake_a_SOURCES = tests/unit/fake_kernel.c
LDADD = libpstat.a tests/unit/libfake.a libpstat.a $(CMOCKA_LIBS)
AM_CPPFLAGS += -I$(top_srcdir)/tests

if HAVE_CMOCKA
check_PROGRAMS += $(unit_tests)
runnable_unit_tests = $(unit_tests)
else
runnable_unit_tests = tests/unit/none.test
endif

EXTRA_DIST += $(unit_files)
