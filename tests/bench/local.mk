# SPDX-License-Identifier: GPL-2.0-or-later
# Run these by hand: tests/bench/run builds the programs that it needs. scale is linked with the
# library of the unit tests, and built next to them.

if HAVE_CMOCKA
check_PROGRAMS += tests/bench/calibrate tests/bench/history tests/bench/multiplex tests/bench/scale
endif
tests_bench_calibrate_LDADD = $(LDADD) -lm
tests_bench_calibrate_SOURCES = tests/bench/calibrate.c
tests_bench_history_LDADD = $(LDADD) -lm
tests_bench_history_SOURCES = tests/bench/history.c
tests_bench_multiplex_LDADD = $(LDADD) -lm
tests_bench_multiplex_SOURCES = tests/bench/multiplex.c
tests_bench_scale_SOURCES = tests/bench/scale.c

EXTRA_DIST += \
	tests/RESULTS.md \
	tests/bench/alike \
	tests/bench/bisect \
	tests/bench/burn.c \
	tests/bench/cases \
	tests/bench/compare \
	tests/bench/estimates \
	tests/bench/busy.c \
	tests/bench/forks.c \
	tests/bench/histories \
	tests/bench/interval \
	tests/bench/loop.c \
	tests/bench/metrics \
	tests/bench/millisecond.c \
	tests/bench/minimal.c \
	tests/bench/nothing.c \
	tests/bench/pairs.c \
	tests/bench/processes \
	tests/bench/ranks \
	tests/bench/real-processes \
	tests/bench/results \
	tests/bench/run \
	tests/bench/simultaneous \
	tests/bench/suite \
	tests/bench/versions
