#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Starting to count later, and stopping earlier: -D and --timeout.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

teardown()
{
	end_background
}

@test "-D counts what happens later than that, and the time from then on" {
	needs_counting user
	cat >work <<-END
		#!/bin/sh
		$programs/faults 5000
		sleep 3
		$programs/faults 1000
	END
	chmod +x work
	pstat -x, -D 2000 -e page-faults:u,duration_time ./work
	ends_with_status 0
	within "page faults" 1000 "$(field 1 page-faults:u)" 2000
	within "the elapsed time in ns" 800000000 "$(field 1 duration_time)" 2900000000
}

@test "-D does not make a busy command look idle" {
	needs_counting user
	pstat -x, -D 700 -e task-clock:u,duration_time timeout 1 sh -c 'while :; do :; done'
	ends_with_status 124
	within "the elapsed time in ns" 100000000 "$(field 1 duration_time)" 699000000
	within "CPUs utilized, by the time from then on" 0.99 "$(awk -F, '
		$3 == "task-clock:u" { ran = $1 * 1e6; utilized = $6 }
		$3 == "duration_time" { print utilized / (ran / $1) }' err)" 1.01
}

@test "what ends before its -D was never switched on, which is said" {
	needs_counting user
	pstat -D 20000 -e page-faults:u true
	ends_with_status 0
	is "messages" "$(grep '^pstat:' err)" \
		"pstat: page-faults:u: not counted: it was never switched on while the target ran (-D, --control)"
	is "rows" "$(grep -cE '^ +<not counted> +page-faults:u$' err)" 1
}

@test "-D 0 is none, and -D goes with -p and -I" {
	needs_counting user
	within "page faults" 100 "$(count page-faults:u -D 0 -e page-faults:u "$programs/faults" 100)" 1000
	serve one
	begin -x, -D 50 -I 50 --summary -e page-faults:u -p "${server[one]}"
	eventually '[ -s err ]'
	ask one call 300
	tell stop
	finish
	ends_with_status 0
	within "page faults" 300 "$(awk -F, '/summary/ { print $2 }' err)" 599
}

@test "-D -1 stays switched off until --control says enable" {
	needs_counting user
	serve one
	begin -x, -D -1 -e page-faults:u -p "${server[one]}"
	ask one call 1000
	tell enable
	ask one call 200
	tell disable
	ask one call 3000
	tell stop
	finish
	ends_with_status 0
	within "page faults" 200 "$(field 1 page-faults:u)" 900
}

@test "--timeout ends the command by SIGTERM, with status 0 and the result" {
	pstat -n --timeout 200 sleep 60
	ends_with_status 0
	is "messages" "$(grep -c '^pstat:' err || true)" 0
	is "results" "$(grep -c 'seconds time elapsed' err)" 1
	within "the elapsed time" 0.2 "$(awk '/time elapsed/ { print $1 }' err)" 50
}

@test "--timeout is longer than the command: its status is its own" {
	pstat -n --timeout 60000 sh -c 'exit 3'
	ends_with_status 3
}

@test "a command that handles the SIGTERM of --timeout gives its own status" {
	# The shell waits for its sleep before it looks at the signal.
	pstat -n --timeout 200 sh -c 'trap "echo >got; exit 7" TERM; while :; do sleep 0.05; done'
	ends_with_status 7
	[ -e got ] || fail "no SIGTERM"
}

@test "a command that ignores the SIGTERM of --timeout is waited for, and counted no longer" {
	needs_counting user
	cat >work <<-END
		#!/bin/sh
		trap '' TERM
		$programs/faults 500
		until [ -e go ]; do sleep 0.02; done
		$programs/faults 50000
		exit 4
	END
	chmod +x work
	(sleep 3; echo >go) 3>&- &
	pstat -x, --timeout 1500 -e page-faults:u,duration_time ./work
	ends_with_status 4
	within "page faults" 500 "$(field 1 page-faults:u)" 20000
	within "the counted time in ns" 1500000000 "$(field 1 duration_time)" 60000000000
}

@test "a command that dies of another signal, or of a SIGTERM that is not --timeout's, gives 128+n" {
	# shellcheck disable=SC2016 # for the other shell
	pstat -n --timeout 60000 sh -c 'kill -TERM $$'
	ends_with_status 143
	# shellcheck disable=SC2016
	pstat -n --timeout 200 sh -c 'trap "kill -KILL $$" TERM; while :; do sleep 0.05; done'
	ends_with_status 137
}

@test "--timeout ends the counting of what runs already, which runs on" {
	needs_counting user
	serve one
	pstat --timeout 100 -e page-faults:u -p "${server[one]}"
	ends_with_status 0
	is "results" "$(grep -c 'seconds time elapsed' err)" 1
	kill -0 "${server[one]}" || fail "the process was ended"
	pstat -x, -I 30 --timeout 100 -e page-faults:u -p "${server[one]}"
	ends_with_status 0
	within "blocks" 1 "$(grep -c '^ ' err)" 4
}

@test "with -r every run has its timeout" {
	pstat -n -r 3 --timeout 100 sleep 60
	ends_with_status 0
	grep -q "'sleep 60' (3 runs)" err || fail "not 3 runs" "$(<err)"
}
