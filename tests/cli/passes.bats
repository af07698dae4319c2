#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# --no-multiplex on machines without a PMU; the lab tests the rest.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

@test "software events need one pass: one run, the usual counts, and a line about passes in the table" {
	needs_counting user
	printf '#!/bin/sh\necho >>log\nexec %s 500\n' "$programs/faults" >work
	chmod +x work
	pstat --no-multiplex -e page-faults:u,task-clock:u,duration_time ./work
	ends_with_status 0
	is "runs" "$(wc -l <log)" 1
	is "the line" "$(grep ' pass' err)" \
		"                 1 pass of the command for each measurement"
	within "page faults" 500 "$(awk '$2 == "page-faults:u" { print $1 }' err)" 2000
	is "scaled rows" "$(grep -c '%)$' err || true)" 0
}

@test "only --no-multiplex prints the line of passes, and -x has none" {
	needs_counting user
	pstat -e page-faults:u true
	is "lines" "$(grep -c ' pass' err || true)" 0
	pstat -x, --no-multiplex -e page-faults:u true
	is "lines of -x" "$(wc -l <err)" 1
}

@test "with -r and --warmup all passes are repeated" {
	needs_counting user
	printf '#!/bin/sh\necho >>log\n' >work
	chmod +x work
	pstat --no-multiplex --warmup 1 -r 3 -e page-faults:u ./work
	ends_with_status 0
	is "runs" "$(wc -l <log)" 4
	grep -q "'./work' (3 runs)" err || fail "header" "$(<err)"
}

@test "hardware events are counted unscaled, or are not supported" {
	needs_counting user
	pstat -x, --no-multiplex -e cycles:u,instructions:u,branches:u,branch-misses:u,cache-misses:u,cache-references:u,L1-dcache-loads:u,L1-dcache-load-misses:u,dTLB-loads:u,dTLB-load-misses:u,page-faults:u true
	ends_with_status 0
	is "rows" "$(wc -l <err)" 11
	is "rows that are scaled" "$(awk -F, \
		'$1 != "<not supported>" && $1 != "<not counted>" && $5 != "100.00"' err)" ""
}

@test "--no-multiplex needs a command, and counts all its tasks for all its time" {
	refuses "--no-multiplex cannot be combined with -a" --no-multiplex -a touch started
	refuses "--no-multiplex cannot be combined with -I" --no-multiplex -I 100 touch started
	refuses "--no-multiplex cannot be combined with -i" --no-multiplex -i touch started
	refuses "-n cannot be combined with --no-multiplex" --no-multiplex -n touch started
}

@test "--strict-scaling and --min-running 100 run software events without a trial" {
	local option

	needs_counting user
	for option in --strict-scaling '--min-running 100' '--strict-scaling --no-multiplex'; do
		# shellcheck disable=SC2086 # words
		pstat $option -x, -e page-faults:u,task-clock:u,duration_time true
		ends_with_status 0
		is "rows with a count" "$(grep -c '^[0-9]' err)" 3
		is "notes" "$(grep -c '^pstat' err || true)" 0
	done
}

@test "--strict-scaling is saved as min-running 100 %, and cannot be combined with --min-running" {
	needs_counting user
	pstat --strict-scaling --save result -e page-faults:u true
	grep -q '"min_running_percent" *: *100[,}]*' result || fail "document" "$(<result)"
	refuses "--strict-scaling cannot be combined with --min-running" \
		--strict-scaling --min-running 50 touch started
}
