# SPDX-License-Identifier: GPL-2.0-or-later
# cmocka programs, each made of the .c file of its name.

unit_tests = \
	tests/unit/base/test_clock \
	tests/unit/base/test_dlopen \
	tests/unit/base/test_file \
	tests/unit/base/test_json \
	tests/unit/base/test_math \
	tests/unit/base/test_num \
	tests/unit/base/test_output \
	tests/unit/base/test_str \
	tests/unit/base/test_utf8 \
	tests/unit/base/test_why \
	tests/unit/count/test_attached \
	tests/unit/count/test_control \
	tests/unit/count/test_counters \
	tests/unit/count/test_diagnose \
	tests/unit/count/test_child_setup \
	tests/unit/count/test_watch_cpus \
	tests/unit/count/test_watch_tasks \
	tests/unit/count/test_loop \
	tests/unit/count/test_old_kernels \
	tests/unit/count/test_opener \
	tests/unit/count/test_passes \
	tests/unit/count/test_attr \
	tests/unit/count/test_probe_events \
	tests/unit/count/test_region \
	tests/unit/count/test_run_readings \
	tests/unit/count/test_sampler \
	tests/unit/count/test_scale \
	tests/unit/count/test_session \
	tests/unit/count/test_session_memory \
	tests/unit/count/test_scopes \
	tests/unit/count/test_target \
	tests/unit/count/test_turns \
	tests/unit/count/test_workload \
	tests/unit/document/test_history_csv \
	tests/unit/document/test_load \
	tests/unit/document/test_load_comparison \
	tests/unit/document/test_load_processes \
	tests/unit/document/test_round_trip \
	tests/unit/document/test_schema \
	tests/unit/event/test_attr_fields \
	tests/unit/event/test_breakpoint \
	tests/unit/event/test_encodings \
	tests/unit/event/test_hybrid \
	tests/unit/event/test_modifier \
	tests/unit/event/test_names \
	tests/unit/event/test_pfm \
	tests/unit/event/test_probe \
	tests/unit/event/test_resolve \
	tests/unit/event/test_spec \
	tests/unit/event/test_suggest \
	tests/unit/event/test_symbol \
	tests/unit/event/test_tracepoint \
	tests/unit/event/test_uncore \
	tests/unit/format/test_answer \
	tests/unit/format/test_compare_numbers \
	tests/unit/format/test_compare_text \
	tests/unit/format/test_csv \
	tests/unit/format/test_explain \
	tests/unit/format/test_formats \
	tests/unit/format/test_golden \
	tests/unit/format/test_listing \
	tests/unit/format/test_metric_only \
	tests/unit/format/test_openmetrics \
	tests/unit/format/test_perf_json \
	tests/unit/format/test_places \
	tests/unit/format/test_process_labels \
	tests/unit/format/test_processes \
	tests/unit/format/test_ruler \
	tests/unit/format/test_same_numbers \
	tests/unit/format/test_strip \
	tests/unit/format/test_well_formed \
	tests/unit/job/test_doctor \
	tests/unit/job/test_estimate \
	tests/unit/job/test_events \
	tests/unit/job/test_names \
	tests/unit/job/test_topdown \
	tests/unit/job/test_words \
	tests/unit/job/test_provenance \
	tests/unit/machine/test_cgroup \
	tests/unit/machine/test_cpulist \
	tests/unit/machine/test_disturbances \
	tests/unit/machine/test_host \
	tests/unit/machine/test_library \
	tests/unit/machine/test_machine \
	tests/unit/machine/test_pmu \
	tests/unit/machine/test_program \
	tests/unit/machine/test_tasks \
	tests/unit/machine/test_topology \
	tests/unit/machine/test_tracing \
	tests/unit/metric/test_expression \
	tests/unit/metric/test_metric \
	tests/unit/metric/test_metric_list \
	tests/unit/options/test_gates_parse \
	tests/unit/options/test_parameters \
	tests/unit/output/test_notes \
	tests/unit/output/test_progress \
	tests/unit/result/test_claims \
	tests/unit/result/test_comparison \
	tests/unit/result/test_differences \
	tests/unit/result/test_effect \
	tests/unit/result/test_gates \
	tests/unit/result/test_process_rows \
	tests/unit/result/test_history \
	tests/unit/result/test_ranks \
	tests/unit/result/test_suite \
	tests/unit/result/test_table \
	tests/unit/run/test_rounds \
	tests/unit/run/test_runner \
	tests/unit/run/test_stopping \
	tests/unit/stats/test_contrast \
	tests/unit/stats/test_estimate \
	tests/unit/stats/test_gate \
	tests/unit/stats/test_geomean \
	tests/unit/stats/test_interval \
	tests/unit/stats/test_permutation \
	tests/unit/stats/test_random \
	tests/unit/stats/test_scale \
	tests/unit/stats/test_sequential \
	tests/unit/stats/test_summary

unit_files = \
	tests/unit/none.test

# A kernel in the place of kernel.c, and what the tests share.
tests_unit_libfake_a_SOURCES = \
	tests/unit/build.c \
	tests/unit/build.h \
	tests/unit/descriptors.c \
	tests/unit/descriptors.h \
	tests/unit/fake_kernel.c \
	tests/unit/fake_kernel.h \
	tests/unit/old_kernel.c \
	tests/unit/old_kernel.h \
	tests/unit/reference.c \
	tests/unit/reference.h \
	tests/unit/result/counted.c \
	tests/unit/result/counted.h \
	tests/unit/format/fixed.c \
	tests/unit/format/fixed.h \
	tests/unit/format/fixed_compare.c \
	tests/unit/format/fixed_compare.h \
	tests/unit/format/looks.c \
	tests/unit/format/looks.h \
	tests/unit/format/padding.h \
	tests/unit/scale.c \
	tests/unit/scale.h \
	tests/unit/resolve.c \
	tests/unit/resolve.h \
	tests/unit/test.h \
	tests/unit/tree.c \
	tests/unit/tree.h
tests_unit_libfake_a_CPPFLAGS = $(AM_CPPFLAGS) -DBUILD_CC='"$(CC)"'
LDADD = libpstat.a tests/unit/libfake.a libpstat.a $(CMOCKA_LIBS)
tests_unit_base_test_math_LDADD = $(LDADD) -lm
tests_unit_result_test_gates_LDADD = $(LDADD) -lm
tests_unit_result_test_suite_LDADD = $(LDADD) -lm
tests_unit_stats_test_permutation_LDADD = $(LDADD) -lm
AM_CPPFLAGS += -I$(top_srcdir)/tests

if HAVE_CMOCKA
check_LIBRARIES += tests/unit/libfake.a
check_PROGRAMS += $(unit_tests) tests/unit/format/write-results
runnable_unit_tests = $(unit_tests)
else
runnable_unit_tests = tests/unit/none.test
endif

EXTRA_DIST += $(unit_files)

# The unit tests alone, without the programs of the other tests. test_permutation takes minutes, and its integer
# arithmetic does not depend on the architecture.
quick_unit_tests = $(filter-out tests/unit/stats/test_permutation, $(runnable_unit_tests))
check-unit:
	$(MAKE) check TESTS='$(quick_unit_tests)' check_PROGRAMS='$(quick_unit_tests)' check_DATA=

# The same by qemu-user (TEST_EMULATOR), except tests that need more than that, and slow tests:
not_emulated = \
	tests/unit/count/test_attached \
	tests/unit/count/test_session \
	tests/unit/count/test_session_memory \
	tests/unit/event/test_symbol \
	tests/unit/machine/test_program \
	tests/unit/count/test_region \
	tests/unit/format/test_answer \
	tests/unit/format/test_compare_numbers \
	tests/unit/result/test_gates \
	tests/unit/stats/test_contrast
# - test_attached counts the threads of a process, and one is the emulator's.
# - test_session traces a program with ptrace(2), which qemu-user lacks.
# - test_symbol starts programs that it has built: the kernel cannot execute them.
# - test_program makes a user namespace, which the kernel refuses to the emulator's threads.
# - The others take a minute or more each, because the emulator calculates with floating-point numbers slowly.
check-emulated:
	$(MAKE) check-unit runnable_unit_tests='$(filter-out $(not_emulated), $(runnable_unit_tests))'
.PHONY: check-unit check-emulated

# A folder, for it has a file for each pair of a report and a format.
EXTRA_DIST += tests/unit/format/golden

# Write the golden files as they are printed now, and show the changes.
update-golden: tests/unit/format/test_golden$(EXEEXT)
	LC_ALL=C TOP_SRCDIR='$(abs_top_srcdir)' UPDATE_GOLDEN=1 ./tests/unit/format/test_golden$(EXEEXT)
.PHONY: update-golden
