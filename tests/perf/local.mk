# SPDX-License-Identifier: GPL-2.0-or-later
# Programs that use perf stat, with pstat in its place.

perf_tests = tests/perf/run
harness_tests = tests/perf/harnesses.bats
perf_logs = $(perf_tests:%=%.log) $(harness_tests:%.bats=%.log)
$(perf_logs): $(fake_kernel)

EXTRA_DIST += $(perf_tests) $(harness_tests) \
	tests/perf/fetch \
	tests/perf/harness/harness.cc \
	tests/perf/harness/harness.pl \
	tests/perf/harness/harness.py \
	tests/perf/harness/harness.sh \
	tests/perf/harness/perfnorm.sh

# The files that tests/perf/fetch downloads.
distclean-local:
	rm -rf perf-tests
