# SPDX-License-Identifier: GPL-2.0-or-later
# Tests of the command line: bats files, and the programs that they count.

cli_tests = \
	tests/cli/compare-screen.bats \
	tests/cli/colour.bats \
	tests/cli/control.bats \
	tests/cli/counting.bats \
	tests/cli/doctor.bats \
	tests/cli/drop-in.bats \
	tests/cli/events.bats \
	tests/cli/explain.bats \
	tests/cli/help.bats \
	tests/cli/history.bats \
	tests/cli/list.bats \
	tests/cli/locale.bats \
	tests/cli/memory.bats \
	tests/cli/metric-tables.bats \
	tests/cli/metrics.bats \
	tests/cli/options.bats \
	tests/cli/output.bats \
	tests/cli/passes.bats \
	tests/cli/per-process.bats \
	tests/cli/probes.bats \
	tests/cli/processes.bats \
	tests/cli/ranks.bats \
	tests/cli/record.bats \
	tests/cli/series.bats \
	tests/cli/shim.bats \
	tests/cli/signals.bats \
	tests/cli/startup.bats \
	tests/cli/status.bats \
	tests/cli/sources.bats \
	tests/cli/stress.bats \
	tests/cli/suite-formats.bats \
	tests/cli/suite.bats \
	tests/cli/table.bats \
	tests/cli/targets.bats \
	tests/cli/teardown.bats \
	tests/cli/unaware.bats \
	tests/cli/unprivileged.bats

# Tests that start hundreds of pstats, or that test times. Not in `make distcheck`.
long_tests = \
	tests/cli/answer.bats \
	tests/cli/bisect.bats \
	tests/cli/compare-files.bats \
	tests/cli/compare-run.bats \
	tests/cli/compare-saved.bats \
	tests/cli/examples.bats \
	tests/cli/full.bats \
	tests/cli/intervals.bats \
	tests/cli/perf.bats \
	tests/cli/progress.bats \
	tests/cli/refused.bats \
	tests/cli/save.bats \
	tests/cli/save-kill.bats \
	tests/cli/same-work.bats \
	tests/cli/screens.bats \
	tests/cli/shapes.bats \
	tests/cli/show.bats \
	tests/cli/timing.bats

# On machines where hardware breakpoints never count, `check --full` leaves these out.
breakpoint_tests = tests/cli/breakpoints.bats

# Not under the sanitizers. In some tests, another program reads the output: a browser, R, pandas,
# sqlite3. The others cannot run with the sanitizers: strace makes system calls fail, the command
# inherits the peak memory of pstat, pstat has file capabilities, or the machine has no /proc.
plain_tests = \
	tests/cli/ci-example.bats \
	tests/cli/fault.bats \
	tests/cli/formats.bats \
	tests/cli/html.bats \
	tests/cli/parsers.bats \
	tests/cli/privileges.bats \
	tests/cli/trackers.bats \
	tests/cli/unmounted.bats

# Under valgrind: each kind of event, target and count, and each job once. Unlike the sanitizers, valgrind finds
# uses of uninitialised memory.
valgrind_tests = \
	tests/cli/control.bats \
	tests/cli/drop-in.bats \
	tests/cli/events.bats \
	tests/cli/memory.bats \
	tests/cli/metric-tables.bats \
	tests/cli/metrics.bats \
	tests/cli/passes.bats \
	tests/cli/probes.bats \
	tests/cli/series.bats \
	tests/cli/status.bats \
	tests/cli/targets.bats

# The tests of `make distcheck`, which checks the tarball and the build, not the behaviour.
dist_tests = \
	tests/cli/fault.bats \
	tests/cli/help.bats

cli_files = \
	tests/cli/comparison.py \
	tests/cli/document.py \
	tests/cli/examples.tsv \
	tests/cli/screens/80x24 \
	tests/cli/screens/120x40 \
	tests/cli/kill-saving.py \
	tests/cli/lib.bash \
	tests/cli/page.py \
	tests/cli/programs/line-protocol.go \
	tests/cli/perf.tsv \
	tests/cli/refused-options.tsv \
	tests/cli/refused.tsv \
	tests/cli/shape.py \
	tests/cli/shapes.tsv

# Built without the sanitizers, whose own work would be counted too.
cli_program_cflags = $(filter-out -fsanitize=%,$(AM_CFLAGS))
cli_programs = \
	tests/cli/programs/await \
	tests/cli/programs/busy \
	tests/cli/programs/calls \
	tests/cli/programs/calls-fixed \
	tests/cli/programs/can-count \
	tests/cli/programs/deny \
	tests/cli/programs/faults \
	tests/cli/programs/family \
	tests/cli/programs/launch \
	tests/cli/programs/observe \
	tests/cli/programs/on-terminal \
	tests/cli/programs/option-table \
	tests/cli/programs/reaper \
	tests/cli/programs/region \
	tests/cli/programs/serve \
	tests/cli/programs/threads \
	tests/cli/programs/traced
check_PROGRAMS += $(cli_programs)

tests_cli_programs_await_CFLAGS = $(cli_program_cflags)
tests_cli_programs_await_LDADD =
tests_cli_programs_busy_CFLAGS = $(cli_program_cflags)
tests_cli_programs_busy_LDADD =
tests_cli_programs_calls_CFLAGS = $(cli_program_cflags) -fPIE
tests_cli_programs_calls_LDFLAGS = $(calls_ldflags) -pie
tests_cli_programs_calls_LDADD = $(calls_library)
tests_cli_programs_calls_SOURCES = tests/cli/programs/calls.c
tests_cli_programs_calls_fixed_CFLAGS = $(cli_program_cflags) -fno-pie
tests_cli_programs_calls_fixed_LDFLAGS = $(calls_ldflags) -no-pie
tests_cli_programs_calls_fixed_LDADD = $(calls_library)
tests_cli_programs_calls_fixed_SOURCES = tests/cli/programs/calls.c
tests_cli_programs_can_count_CFLAGS = $(cli_program_cflags)
tests_cli_programs_can_count_LDADD =
tests_cli_programs_can_count_SOURCES = tests/cli/programs/can-count.c
tests_cli_programs_deny_CFLAGS = $(cli_program_cflags)
tests_cli_programs_deny_LDADD =
tests_cli_programs_faults_CFLAGS = $(cli_program_cflags) -pthread
tests_cli_programs_faults_LDADD =
tests_cli_programs_family_CFLAGS = $(cli_program_cflags) -pthread -fno-pie
tests_cli_programs_family_LDFLAGS = $(AM_LDFLAGS) -no-pie
tests_cli_programs_family_LDADD =
tests_cli_programs_launch_CFLAGS = $(cli_program_cflags)
tests_cli_programs_launch_LDADD =
tests_cli_programs_observe_CFLAGS = $(cli_program_cflags)
tests_cli_programs_observe_LDADD =
tests_cli_programs_on_terminal_CFLAGS = $(cli_program_cflags)
tests_cli_programs_on_terminal_LDADD =
tests_cli_programs_on_terminal_SOURCES = tests/cli/programs/on-terminal.c
tests_cli_programs_option_table_LDADD = libpstat.a
tests_cli_programs_option_table_SOURCES = tests/cli/programs/option-table.c
tests_cli_programs_reaper_CFLAGS = $(cli_program_cflags)
tests_cli_programs_reaper_LDADD =
tests_cli_programs_region_CFLAGS = $(cli_program_cflags)
tests_cli_programs_region_LDADD =
tests_cli_programs_serve_CFLAGS = $(cli_program_cflags) -pthread -fno-pie
tests_cli_programs_serve_LDFLAGS = $(AM_LDFLAGS) -no-pie
tests_cli_programs_serve_LDADD =
tests_cli_programs_threads_CFLAGS = $(cli_program_cflags) -pthread
tests_cli_programs_threads_LDADD =
tests_cli_programs_traced_CFLAGS = $(cli_program_cflags)
tests_cli_programs_traced_LDADD =

# A shared library without libtool.
calls_library = tests/cli/programs/libcalled.so
calls_ldflags = $(AM_LDFLAGS) -Wl,-rpath,'$$ORIGIN'
$(calls_library): tests/cli/programs/library.c
	$(AM_V_GEN)$(MKDIR_P) tests/cli/programs && $(CC) $(cli_program_cflags) $(CFLAGS) -fPIC \
		-shared -Wl,-soname,libcalled.so $(LDFLAGS) -o $@ $(srcdir)/tests/cli/programs/library.c
CLEANFILES += $(calls_library)
EXTRA_DIST += tests/cli/programs/library.c

# A library for LD_PRELOAD.
no_breakpoints = tests/cli/programs/no-breakpoints.so
$(no_breakpoints): tests/cli/programs/no-breakpoints.c
	$(AM_V_GEN)$(MKDIR_P) tests/cli/programs && $(CC) $(cli_program_cflags) $(CFLAGS) -fPIC -shared \
		$(LDFLAGS) -o $@ $(srcdir)/tests/cli/programs/no-breakpoints.c
check_DATA = $(no_breakpoints)
CLEANFILES += $(no_breakpoints)
EXTRA_DIST += tests/cli/programs/called.h tests/cli/programs/no-breakpoints.c

EXTRA_DIST += $(cli_tests) $(long_tests) $(breakpoint_tests) $(plain_tests) $(cli_files)
