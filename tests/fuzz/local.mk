# SPDX-License-Identifier: GPL-2.0-or-later
# libFuzzer: a short run as a test, a long one by hand (tests/fuzz/run --all).

fuzz_tests = tests/fuzz/run

EXTRA_DIST += $(fuzz_tests) \
	tests/fuzz/fuzz.c \
	tests/fuzz/fuzz.h \
	tests/fuzz/fuzz_commands.c \
	tests/fuzz/fuzz_control.c \
	tests/fuzz/fuzz_cpus.c \
	tests/fuzz/fuzz_elf.c \
	tests/fuzz/fuzz_gates.c \
	tests/fuzz/fuzz_history.c \
	tests/fuzz/fuzz_load.c \
	tests/fuzz/fuzz_machine.c \
	tests/fuzz/fuzz_metrics.c \
	tests/fuzz/fuzz_no_libraries.h \
	tests/fuzz/fuzz_parameters.c \
	tests/fuzz/fuzz_pfm.c \
	tests/fuzz/fuzz_spec.c \
	tests/fuzz/fuzz_sysfs.c \
	tests/fuzz/fuzz_tables.c \
	tests/fuzz/fuzz_words.c \
	tests/fuzz/seeds/commands \
	tests/fuzz/seeds/control \
	tests/fuzz/seeds/cpus \
	tests/fuzz/seeds/elf \
	tests/fuzz/seeds/gates \
	tests/fuzz/seeds/history \
	tests/fuzz/seeds/load \
	tests/fuzz/seeds/machine \
	tests/fuzz/seeds/metrics \
	tests/fuzz/seeds/parameters \
	tests/fuzz/seeds/pfm \
	tests/fuzz/seeds/spec \
	tests/fuzz/seeds/sysfs \
	tests/fuzz/seeds/tables \
	tests/fuzz/seeds/words
