# SPDX-License-Identifier: GPL-2.0-or-later
# Programs that use perf stat, with pstat in its place.

perf_tests = tests/perf/run
perf_logs = $(perf_tests:%=%.log)
$(perf_logs): $(fake_kernel)

EXTRA_DIST += $(perf_tests) tests/perf/fetch

# The files that tests/perf/fetch downloads.
distclean-local:
	rm -rf perf-scripts
