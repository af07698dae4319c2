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

@test "processes and threads, once and in several runs" {
	local how

	for how in process exec tree name; do
		prints page-faults --per-process --by $how -e page-faults:u sh -c '(true); true & wait'
	done
	prints page-faults --per-process --top 1 --sort page-faults -r 2 -e page-faults --save saved --html page \
		sh -c 'true & wait; :'
	[ -s page ]
	prints page-faults --show --format csv saved
	prints page-faults --per-process -c 'sh -c "true & wait"' -c true -r 3 -e page-faults
	prints page-faults --per-thread -e page-faults,duration_time sh -c 'true & wait; :'
}

@test "--bisect and --bisect-check" {
	prints page-faults --bisect -c true -c true -r 8 --seed 1 --format csv -e page-faults \
		--fail-if 'page-faults>+900%'
	prints good --bisect-check -r 12 --seed 1 -e page-faults --fail-if 'page-faults>+40%' 'sh -c :' \
		'sh -c "(true); (true)"'
}

@test "the ranks of a job" {
	local rank

	for rank in 0 1; do
		PMIX_RANK=$rank pstat --quiet --save rank$rank.json -r 2 -e page-faults,task-clock true
		ends_with_status 0
	done
	for format in table csv json markdown; do
		prints page.faults --merge --format $format --save merged rank0.json rank1.json
	done
}

@test "histories: appended, of a folder, and as limits of gates" {
	local i

	mkdir folder
	for i in 1 2 3 4 5 6; do
		pstat -r 2 -e page-faults,duration_time --format history --append -o history --save folder/$i.json true
		ends_with_status 0
	done
	prints page-faults --history history
	prints page-faults --history folder
	pstat --history history --fail-if 'page-faults>+900%' -r 3 -e page-faults --format csv --append -o counts true
	pstat --history folder --fail-if 'page-faults>+900%' -r 3 -e page-faults --format csv --append -o counts true
	is "headers" "$(grep -c ^command, counts)" 1
	prints page.faults --show --format history folder/1.json folder/2.json
}

@test "influx, bmf and benchmark-action" {
	local format

	pstat --label a=b -r 2 -e page-faults,task-clock --format influx --append -o points --save saved true
	pstat -r 2 -e page-faults,task-clock --format influx --append -o points true
	grep -q page-faults points
	for format in influx bmf benchmark-action; do
		prints page.faults --show --format $format saved
	done
}

@test "--explain and --list" {
	local tracepoint=

	[ ! -r /sys/kernel/tracing/events/sched ] || tracepoint=,sched:sched_switch
	prints 'source' --explain "page-faults:u$tracepoint,instructions:u"
	prints 'page-faults' --list page-f
	prints 'page-faults' --list -v --format json 'page-f*'
	prints 'Exit status' --help-all
}
