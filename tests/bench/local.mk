# SPDX-License-Identifier: GPL-2.0-or-later
# Run by hand: tests/bench/run builds what it needs; scale is linked with the library of the unit tests,
# and built beside them.

if HAVE_CMOCKA
check_PROGRAMS += tests/bench/scale
endif
tests_bench_scale_SOURCES = tests/bench/scale.c

EXTRA_DIST += \
	tests/RESULTS.md \
	tests/bench/beside \
	tests/bench/busy.c \
	tests/bench/interval \
	tests/bench/loop.c \
	tests/bench/minimal.c \
	tests/bench/nothing.c \
	tests/bench/pairs.c \
	tests/bench/run
