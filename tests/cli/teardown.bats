#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The processes of a test end with it. If one were left, bats would wait until it closes its output.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

# runs_tests LIMIT [SLOWNESS]: run the file inner with tests/run, and put its output into the file tap. Its lines
# with "test" become lines with "@test", which bats would find in this file.
runs_tests()
{
	sed 's/^test /@&/' inner >inner.bats
	# PATH without bats' own folder
	env -i PATH="${PATH#*/bats-core:}" PSTAT="$PSTAT" TOP_BUILDDIR="$TOP_BUILDDIR" TEST_SLOWNESS="${2-1}" TEST_TIME_LIMIT="$1" \
		sh "$BATS_TEST_DIRNAME/../run" "$PWD/inner.bats" >tap 2>&1 || true
}

# ended FILE: check that the process whose ID is in FILE has ended
ended()
{
	[ -s "$1" ] || fail "$1 was not written" "$(<tap)"
	# shellcheck disable=SC2016 # for eval
	eventually "! kill -0 $(<"$1") 2>/dev/null"
}

@test "processes of a failing test end with it, even in a session and an environment of their own" {
	cat >inner <<-END
		. '$BATS_TEST_DIRNAME/lib.bash'
		folder=$PWD
		test "fails" {
			setsid sh -c 'echo \$\$ >"\$0"/session; exec sleep 1000' "\$folder" &
			(env -i setsid /bin/sh -c 'echo \$\$ >"\$0"/daemon; exec sleep 1000' "\$folder" &)
			(watch() { while :; do sleep 1000; done; }; watch & echo \$! >"\$folder/function")
			setsid sh -c 'echo \$\$ >"\$0"/stopped; kill -STOP \$\$; sleep 1000' "\$folder" &
			for file in session daemon stopped; do
				eventually "[ -s \$folder/\$file ]"
			done
			false
		}
		test "passes" {
			setsid sh -c 'echo \$\$ >"\$0"/passed; exec sleep 1000' "\$folder" &
			eventually "[ -s \$folder/passed ]"
		}
	END
	runs_tests "$patience"
	cat tap
	is "the results" "$(sed 's/^Bail out!.*/Bail out!/' tap | grep -E '^(not )?ok|^Bail')" $'not ok 1 fails\nok 2 passes'
	for file in session daemon function stopped passed; do
		ended "$file"
	done
}

@test "processes that no test has started end at the time limit of the file" {
	cat >inner <<-END
		. '$BATS_TEST_DIRNAME/lib.bash'
		setup_file()
		{
			setsid sh -c 'echo \$\$ >session; exec sleep 1000' &
		}
		test "passes" {
			:
		}
	END
	runs_tests 3 2
	cat tap
	is "the results" "$(grep -cE '^Bail out! .* still running after 6 seconds' tap)" 1
	ended session
}

# slowness measures three things, each from one date(1) to the next.
@test "time limits follow the speed of the machine" {
	local step expected

	mkdir path
	cat >path/date <<-'END'
		#!/bin/sh
		read -r n <n
		echo $((n + $(cat step))) >n
		echo $n
	END
	chmod +x path/date
	# idle, 4 times slower than a start of 30 ms, and beyond the largest factor
	for step in 0:1 120000000:4 10000000000:8; do
		expected=${step#*:}
		echo 1 >n
		echo "${step%:*}" >step
		is "the factor, ${step%:*} ns" "$(PATH=$PWD/path:$PATH "$TOP_SRCDIR/tests/slowness")" "$expected"
	done
}
