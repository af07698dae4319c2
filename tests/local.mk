# SPDX-License-Identifier: GPL-2.0-or-later
# Every test is one line in one list. All of them speak TAP to automake's driver, by way of
# tests/run, so that the results are counted case by case.

include $(top_srcdir)/tests/unit/local.mk
include $(top_srcdir)/tests/cli/local.mk
include $(top_srcdir)/tests/fixtures/local.mk
include $(top_srcdir)/tests/fault/local.mk
include $(top_srcdir)/tests/fuzz/local.mk
include $(top_srcdir)/tests/same/local.mk
include $(top_srcdir)/tests/lab/local.mk
include $(top_srcdir)/tests/bench/local.mk

# The tree itself.
tree_tests = \
	tests/contrasts.test \
	tests/hardening.test \
	tests/house.test \
	tests/linkage.test \
	tests/man.test \
	tests/same.test

EXTRA_DIST += $(tree_tests) tests/README tests/coverage tests/run tests/valgrind tests/valgrind.supp

# The lab takes longest, so it starts first. `make distcheck` gets other values for these variables, because
# the lists themselves also say what the tarball holds.
lab = $(lab_tests)
long = $(long_tests) $(fault_tests) $(fuzz_tests)
cli = $(cli_tests) $(plain_tests)
TESTS = $(lab) $(long) $(cli) $(runnable_unit_tests) $(fixture_tests) $(tree_tests)
TEST_EXTENSIONS = .bats .test

# What the tests find: the program, the recorded machines, both trees.
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

# Some tests of the command line again, with each pstat that they start run by valgrind. A test that fails is
# tried once more. This hides nothing that valgrind finds: each memory error is in a file of VALGRIND_LOGS,
# which a second try leaves there, and scripts/check fails if one is not empty. The second try only keeps a
# test from failing because a program that runs twenty times slower met a busy moment of the machine.
valgrind_time_limit = 900
check-valgrind:
	REAL_PSTAT='$(abs_top_builddir)/pstat$(EXEEXT)' TEST_TIME_LIMIT=$(valgrind_time_limit) TEST_RETRIES=1 \
		$(MAKE) check TESTS='$(valgrind_tests)' \
		pstat_under_test='$(abs_top_srcdir)/tests/valgrind'
.PHONY: check-valgrind
