# SPDX-License-Identifier: GPL-2.0-or-later
# Programs that use perf stat, with pstat in its place.

perf_tests = tests/perf/run tests/perf/sweep
harness_tests = tests/perf/harnesses.bats tests/perf/hybrid.bats tests/perf/metrics.bats \
	tests/perf/topdown.bats
perf_logs = $(perf_tests:%=%.log) $(harness_tests:%.bats=%.log)

# A library for LD_PRELOAD.
invented_counts = tests/perf/counts.so
$(invented_counts): tests/perf/counts.c
	$(AM_V_GEN)$(MKDIR_P) tests/perf && $(CC) $(cli_program_cflags) $(CFLAGS) -fPIC -shared \
		$(LDFLAGS) -o $@ $(srcdir)/tests/perf/counts.c
CLEANFILES += $(invented_counts)

$(perf_logs): $(fake_kernel) $(invented_counts)

EXTRA_DIST += $(perf_tests) $(harness_tests) \
	tests/perf/counts.c \
	tests/perf/fetch \
	tests/perf/harness/harness.cc \
	tests/perf/harness/harness.pl \
	tests/perf/harness/harness.py \
	tests/perf/harness/harness.sh \
	tests/perf/harness/perfnorm.sh \
	tests/perf/machine.bash

# The files that tests/perf/fetch downloads, and the logs of `make check-valgrind`.
distclean-local:
	rm -rf perf-tests valgrind
