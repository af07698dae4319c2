#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Counting that starts later or ends earlier: -D and --timeout.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

# ends_in_time ARG...: run pstat --timeout ARG... until its command is ready within the timeout,
# with longer and longer timeouts. The command creates the file ready. Set timeout_ms.
ends_in_time()
{
	for timeout_ms in 200 2000 20000; do
		rm -f ready
		pstat --timeout "$timeout_ms" "$@"
		[ ! -e ready ] || return 0
	done
	fail "the command was never ready in time"
}

# total EVENT: print the total count, which follows the intervals of -I
total()
{
	awk -F, -v event="$1" '$4 == event && /summary/ { print $2 }' err
}

# begins_in_time ARG...: run pstat -D ARG... until its command is ready within the delay, with
# longer and longer delays. When it is ready, the command copies /proc/uptime to the file ready. Set
# delay_ms, and set elapsed_ms to the duration of everything.
begins_in_time()
{
	local start

	for delay_ms in 500 5000 50000; do
		start=$(uptime_ms)
		pstat -D "$delay_ms" "$@"
		elapsed_ms=$(($(uptime_ms) - start + 10))
		(($(awk '{ printf "%d", $1 * 1000 }' ready) + 10 - start >= delay_ms)) || return 0
	done
	fail "the command never began in time"
}

@test "-D counts events and time only after the delay" {
	needs_counting user
	cat >work <<-END
		#!/bin/sh
		$programs/faults 20000
		cat /proc/uptime >ready
		until grep -q page-faults err; do sleep 0.1; done # the first interval of -I
		$programs/faults 1000
	END
	chmod +x work
	begins_in_time -x, -I 50 --summary -e page-faults:u,duration_time ./work
	ends_with_status 0
	within "page faults" 1000 "$(total page-faults:u)" 19999
	within "the elapsed time in ns" 50000000 "$(total duration_time)" $(((elapsed_ms - delay_ms) * 1000000))
}

@test "-D does not make a busy command look idle" {
	needs_counting user
	# A shell that computes without sleeping until the first interval of -I.
	# It follows two lines about -D.
	pstat -x, -D 300 -I 300 --summary -e task-clock:u,duration_time \
		sh -c 'until { read -r line && read -r line && read -r line; } <err; do :; done'
	ends_with_status 0
	within "the elapsed time in ns" 300000000 "$(total duration_time)" 600000000000
	within "CPUs utilized, less the time on a CPU by the time from then on, plus 1" 0.998 "$(awk -F, '
		!/summary/ { next }
		$4 == "task-clock:u" { ran = $2 * 1e6; utilized = $7 }
		$4 == "duration_time" { print 1 + utilized - ran / $2 }' err)" 1.002
}

@test "if a command ends before the delay of -D, nothing is counted, and there is a note" {
	needs_counting user
	pstat -D 20000 -e page-faults:u true
	ends_with_status 0
	is "messages" "$(grep '^pstat:' err)" \
		"pstat: page-faults:u: not counted: it was never switched on while the target ran (-D, --control)"
	is "rows" "$(grep -cE '^ +<not counted> +page-faults:u *$' err)" 1
	pstat -D 20000 -e page-faults:uD true
	is "messages about a pinned event" "$(grep '^pstat:' err)" \
		"pstat: page-faults:uD: not counted: it was never switched on while the target ran (-D, --control)"
}

@test "-D 0 is no delay, and -D can be combined with -p and -I" {
	needs_counting user
	within "page faults" 100 "$(count page-faults:u -D 0 -e page-faults:u "$programs/faults" 100)" 1000
	serve one
	begin -x, -D 50 -I 50 --summary -e page-faults:u -p "${server[one]}"
	eventually 'grep -q page-faults err'
	ask one call 300
	tell stop
	finish
	ends_with_status 0
	within "page faults" 300 "$(awk -F, '/summary/ { print $2 }' err)" 599
}

@test "-D -1 leaves the counters off until --control enables them" {
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
	within "the elapsed time" 0.2 "$(awk '/time elapsed/ { print $1 }' err)" 59
}

@test "if the command ends before --timeout, the status is that of the command" {
	pstat -n --timeout 60000 sh -c 'exit 3'
	ends_with_status 3
}

@test "a command that handles the SIGTERM of --timeout gives its own status" {
	# The shell waits for its sleep before it handles the signal.
	ends_in_time -n sh -c 'trap "echo >got; exit 7" TERM; echo >ready; while :; do sleep 0.05; done'
	ends_with_status 7
	[ -e got ] || fail "no SIGTERM"
}

@test "pstat waits for a command that survives the SIGTERM of --timeout, but does not count it" {
	needs_counting user
	cat >work <<-END
		#!/bin/sh
		trap got=1 TERM
		$programs/faults 500
		[ "\$got" ] || echo >ready
		until [ "\$got" ]; do sleep 0.2; done
		$programs/faults 50000
		exit 4
	END
	chmod +x work
	ends_in_time -x, -e page-faults:u,duration_time ./work
	ends_with_status 4
	within "page faults" 500 "$(field 1 page-faults:u)" 49999
	within "the counted time in ns" "${timeout_ms}000000" "$(field 1 duration_time)" 600000000000
}

@test "another signal than that of --timeout, even a SIGTERM, gives 128+n" {
	# shellcheck disable=SC2016 # for the other shell
	pstat -n --timeout 60000 sh -c 'kill -TERM $$'
	ends_with_status 143
	# shellcheck disable=SC2016
	ends_in_time -n sh -c 'trap "kill -KILL $$" TERM; echo >ready; while :; do sleep 0.05; done'
	ends_with_status 137
}

@test "--timeout ends the counting of running processes, which continue" {
	needs_counting user
	serve one
	pstat --timeout 100 -e page-faults:u -p "${server[one]}"
	ends_with_status 0
	is "results" "$(grep -c 'seconds time elapsed' err)" 1
	kill -0 "${server[one]}" || fail "the process was ended"
	pstat -x, -I 30 --timeout 100 -e page-faults:u -p "${server[one]}"
	ends_with_status 0
	within "intervals" 1 "$(grep -c '^ ' err)" 10000
}

@test "with -r every run has its timeout" {
	pstat -n -r 3 --timeout 100 sleep 60
	ends_with_status 0
	grep -q "'sleep 60' (3 runs)" err || fail "not 3 runs" "$(<err)"
}
