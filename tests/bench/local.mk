# SPDX-License-Identifier: GPL-2.0-or-later
# Run by hand: tests/bench/run builds what it needs.

EXTRA_DIST += \
	tests/RESULTS.md \
	tests/bench/beside \
	tests/bench/busy.c \
	tests/bench/interval \
	tests/bench/loop.c \
	tests/bench/minimal.c \
	tests/bench/nothing.c \
	tests/bench/pairs.c \
	tests/bench/run
