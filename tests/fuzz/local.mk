# SPDX-License-Identifier: GPL-2.0-or-later
# libFuzzer: a short run as a test, a long one by hand (tests/fuzz/run 10000000).

fuzz_tests = tests/fuzz/run

EXTRA_DIST += $(fuzz_tests) \
	tests/fuzz/fuzz_load.c \
	tests/fuzz/fuzz_metrics.c \
	tests/fuzz/fuzz_spec.c \
	tests/fuzz/fuzz_sysfs.c \
	tests/fuzz/fuzz_words.c \
	tests/fuzz/corpus/load/seed-1 \
	tests/fuzz/corpus/load/seed-2 \
	tests/fuzz/corpus/load/seed-3 \
	tests/fuzz/corpus/load/seed-4 \
	tests/fuzz/corpus/load/seed-5 \
	tests/fuzz/corpus/load/seed-6 \
	tests/fuzz/corpus/load/seed-7 \
	tests/fuzz/corpus/load/seed-8 \
	tests/fuzz/corpus/load/seed-9 \
	tests/fuzz/corpus/load/seed-10 \
	tests/fuzz/corpus/load/seed-11 \
	tests/fuzz/corpus/metrics/seed-1 \
	tests/fuzz/corpus/metrics/seed-2 \
	tests/fuzz/corpus/metrics/seed-3 \
	tests/fuzz/corpus/metrics/seed-4 \
	tests/fuzz/corpus/metrics/seed-5 \
	tests/fuzz/corpus/metrics/seed-6 \
	tests/fuzz/corpus/metrics/seed-7 \
	tests/fuzz/corpus/metrics/seed-8 \
	tests/fuzz/corpus/metrics/seed-9 \
	tests/fuzz/corpus/metrics/seed-10 \
	tests/fuzz/corpus/spec/seed-1 \
	tests/fuzz/corpus/spec/seed-2 \
	tests/fuzz/corpus/spec/seed-3 \
	tests/fuzz/corpus/spec/seed-4 \
	tests/fuzz/corpus/spec/seed-5 \
	tests/fuzz/corpus/spec/seed-6 \
	tests/fuzz/corpus/spec/seed-7 \
	tests/fuzz/corpus/spec/seed-8 \
	tests/fuzz/corpus/spec/seed-9 \
	tests/fuzz/corpus/spec/seed-10 \
	tests/fuzz/corpus/spec/seed-11 \
	tests/fuzz/corpus/spec/seed-12 \
	tests/fuzz/corpus/spec/seed-13 \
	tests/fuzz/corpus/spec/seed-14 \
	tests/fuzz/corpus/spec/seed-15 \
	tests/fuzz/corpus/spec/seed-16 \
	tests/fuzz/corpus/spec/seed-17 \
	tests/fuzz/corpus/sysfs/seed-1 \
	tests/fuzz/corpus/sysfs/seed-2 \
	tests/fuzz/corpus/sysfs/seed-3 \
	tests/fuzz/corpus/sysfs/seed-4 \
	tests/fuzz/corpus/sysfs/seed-5 \
	tests/fuzz/corpus/sysfs/seed-6 \
	tests/fuzz/corpus/sysfs/seed-7 \
	tests/fuzz/corpus/sysfs/seed-8 \
	tests/fuzz/corpus/words/seed-1 \
	tests/fuzz/corpus/words/seed-2 \
	tests/fuzz/corpus/words/seed-3 \
	tests/fuzz/corpus/words/seed-4 \
	tests/fuzz/corpus/words/seed-5 \
	tests/fuzz/corpus/words/seed-6 \
	tests/fuzz/corpus/words/seed-7 \
	tests/fuzz/corpus/words/seed-8 \
	tests/fuzz/corpus/words/seed-9 \
	tests/fuzz/corpus/words/seed-10
