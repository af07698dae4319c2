# SPDX-License-Identifier: GPL-2.0-or-later
# Every test is one line in one list. tests/run starts each test and prints TAP for automake's
# driver, which counts each case.

include $(top_srcdir)/tests/unit/local.mk
include $(top_srcdir)/tests/cli/local.mk
include $(top_srcdir)/tests/fixtures/local.mk
include $(top_srcdir)/tests/fault/local.mk
include $(top_srcdir)/tests/fuzz/local.mk
include $(top_srcdir)/tests/same/local.mk
include $(top_srcdir)/tests/lab/local.mk
include $(top_srcdir)/tests/perf/local.mk
include $(top_srcdir)/tests/bench/local.mk

# Tests of the tree itself.
tree_tests = \
	tests/contrasts.test \
	tests/hardening.test \
	tests/house.test \
	tests/linkage.test \
	tests/man.test \
	tests/same.test

EXTRA_DIST += $(tree_tests) tests/README tests/coverage tests/package/run tests/run tests/slowness tests/valgrind tests/valgrind.supp

# The lab takes longest, so it starts first. `make distcheck` overrides these variables, because the
# lists themselves also decide the contents of the tarball.
lab = $(lab_tests)
long = $(long_tests) $(fault_tests) $(fuzz_tests) $(perf_tests) $(harness_tests)
cli = $(cli_tests) $(plain_tests)
breakpoints = $(breakpoint_tests)
TESTS = $(lab) $(long) $(cli) $(breakpoints) $(runnable_unit_tests) $(fixture_tests) $(tree_tests)
TEST_EXTENSIONS = .bats .test

# The tests use these variables: the program, the recorded machines, the source tree and the build
# tree.
pstat_under_test = $(abs_top_builddir)/pstat$(EXEEXT)
AM_TESTS_ENVIRONMENT = \
	PSTAT='$(pstat_under_test)'; export PSTAT; \
	FIXTURES='$(abs_top_srcdir)/tests/fixtures'; export FIXTURES; \
	TOP_SRCDIR='$(abs_top_srcdir)'; export TOP_SRCDIR; \
	TOP_BUILDDIR='$(abs_top_builddir)'; export TOP_BUILDDIR; \
	BUILD_CC='$(CC)'; export BUILD_CC; \
	BUILD_FLAGS='$(CPPFLAGS) $(AM_CFLAGS) $(CFLAGS) $(AM_LDFLAGS) $(LDFLAGS)'; export BUILD_FLAGS;

tap_driver = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
LOG_DRIVER = $(tap_driver)
BATS_LOG_DRIVER = $(tap_driver)
TEST_LOG_DRIVER = $(tap_driver)
LOG_COMPILER = $(SHELL) $(top_srcdir)/tests/run
BATS_LOG_COMPILER = $(LOG_COMPILER)
TEST_LOG_COMPILER = $(LOG_COMPILER)

# Runs some bats tests again, with each pstat under valgrind, which is twenty times slower. If a
# test fails in a busy moment of the machine, it runs a second time. This hides no memory error: each
# error remains in a file of the folder valgrind, and check-valgrind fails if one of them is not empty.
valgrind_time_limit = 900
check-valgrind:
	rm -rf valgrind
	mkdir valgrind
	REAL_PSTAT='$(abs_top_builddir)/pstat$(EXEEXT)' TEST_TIME_LIMIT=$(valgrind_time_limit) TEST_RETRIES=1 \
		VALGRIND_LOGS='$(abs_top_builddir)/valgrind' $(MAKE) check TESTS='$(valgrind_tests)' \
		pstat_under_test='$(abs_top_srcdir)/tests/valgrind'; \
		status=$$?; $(MAKE) check-valgrind-logs && exit $$status

# valgrind of Debian 12 warns that it does not know pidfd_open(2); pstat continues without it.
check-valgrind-logs:
	find valgrind -type f -size +0 -exec \
		sed -i '/^--[0-9]*-- WARNING: unhandled .* syscall: 434$$/,/bug_reports.html$$/d' {} +
	find valgrind -type f -size +0 -exec cat {} + >&2
	test -n "`ls valgrind`" && test -z "`find valgrind -type f -size +0`"
.PHONY: check-valgrind check-valgrind-logs
