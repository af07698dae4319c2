#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The file of --save is complete, whenever pstat is killed.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

@test "a SIGKILL at any of 200 random moments leaves a complete document, old or new" {
	needs_command python3
	mkdir folder
	cd folder
	python3 "${TOP_SRCDIR:?}/tests/cli/kill-saving.py" "$bare_pstat" 200 >../log 2>&1 ||
		fail "$(<../log)"
	cat ../log
}
