#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Each job and each output format once, in few runs: a small set for valgrind, which finds uses of
# uninitialised memory. What the output means is checked by other files.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

# prints TEXT ARG...: pstat ARG... ends with 0 and prints TEXT, which is a basic regular expression
prints()
{
	pstat "${@:2}"
	ends_with_status 0
	grep -q -- "$1" out err || fail "no '$1' in the output:" "$(<out)" "$(<err)"
}

@test "one command in each format" {
	prints 'seconds time elapsed' -r 2 --table -e task-clock,page-faults:u --save saved true
	for format in table json csv csv-summary markdown openmetrics; do
		prints page.faults --show --format "$format" saved
	done
	prints page-faults --show -x, saved
	prints page-faults --show -j saved
}

@test "intervals, saved and printed again" {
	prints '"intervals"' -I 20 --interval-count 2 --format json -e page-faults:u --save saved sleep 0.2
	prints page-faults --show --summary saved
}

@test "a comparison of commands, in each format and as a page" {
	prints page-faults -c true -c 'sleep 0' -r 6 -e page-faults:u --fail-if 'page-faults:u>+900%' \
		--save saved --html page
	[ -s page ]
	for format in table json csv csv-summary markdown github; do
		prints page-faults --show --format "$format" saved
	done
}

@test "comparisons of saved results" {
	pstat -r 6 -e page-faults:u --save old true
	pstat -r 6 -e page-faults:u --save new sleep 0
	prints page-faults --compare old new
	prints page-faults --baseline old -r 6 -e page-faults:u sleep 0
	prints page-faults -L n=0,0.01 -r 6 -e page-faults:u sleep '{n}'
}

@test "--explain and --list" {
	local tracepoint=

	[ ! -r /sys/kernel/tracing/events/sched ] || tracepoint=,sched:sched_switch
	prints 'config' --explain "page-faults:u$tracepoint,instructions:u"
	prints 'page-faults' --list page-f
	prints 'page-faults' --list -v --format json 'page-f*'
	prints 'Exit status' --help
}
