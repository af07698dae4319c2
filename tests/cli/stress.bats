#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Many threads, and threads that start and end all the time. Each test takes STRESS_SECONDS, 3 by
# default. For longer tests, run this in the build folder after "make check TESTS=":
#
#	PSTAT=$PWD/pstat TOP_SRCDIR=.. TOP_BUILDDIR=$PWD STRESS_SECONDS=60 TEST_TIME_LIMIT=900 \
#		../tests/run ../tests/cli/stress.bats

. "${BATS_TEST_DIRNAME:?}/lib.bash"

seconds=${STRESS_SECONDS:-3}
threads=2000
# shellcheck disable=SC2034 # used by bats
BATS_TEST_TIMEOUT=$((2 * BATS_TEST_TIMEOUT))

needs_descriptors()
{
	[ "$(ulimit -Hn)" = unlimited ] || [ "$(ulimit -Hn)" -gt "$1" ] ||
		skip "the hard limit of descriptors is $(ulimit -Hn)"
}

# Print the number of descriptors and the memory (KiB) of pstat twice a second, until the file
# watching is removed.
watch_pstat()
{
	touch watching
	while [ -e watching ]; do
		echo "$(find "/proc/$1/fd" -mindepth 1 2>/dev/null | wc -l)" \
			"$(awk '/^VmRSS/ { print $2 }' "/proc/$1/status" 2>/dev/null)"
		sleep 0.5
	done >watched
}

# The memory that the address sanitizer keeps after free(3) does not grow long.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}quarantine_size_mb=0:thread_local_quarantine_size_kb=0

# watched KIB COMMAND...: watch pstat while the server "one" obeys COMMAND. If its memory grows by
# more than KIB, this is a leak. valgrind itself needs some memory.
watched()
{
	local most=$1

	[ -z "${REAL_PSTAT:-}" ] || most=$((3 * most))
	watch_pstat "$pstat_pid" 3>&- &
	ask one "${@:2}"
	# shellcheck disable=SC2016 # for eval
	eventually '[ "$(wc -l <watched)" -ge 2 ]'
	rm watching
	wait $!
	is "different numbers of descriptors" "$(cut -d' ' -f1 watched | sort -u | wc -l)" 1
	within "the growth of its memory" 0 "$(awk 'NR == 1 { first = $2 } $2 > last { last = $2 }
		END { print last - first }' watched)" "$most"
}

@test "2000 threads: -p counts all of them, --per-thread has a row for each, and both agree" {
	local others

	needs_calls "$programs/serve"
	needs_descriptors 10000
	serve one
	ask one threads "$threads" 0
	"$PSTAT" -x, -o whole -e "$calls,page-faults:u" -p "${server[one]}" \
		sh -c 'touch ready; until [ -e end ]; do sleep 0.05; done' >others 2>&1 </dev/null 3>&- &
	others=$!
	eventually '[ -e ready ]'
	begin -x, --per-thread -e "$calls,page-faults:u" -p "${server[one]}"
	ask one each 3
	ask one call 5
	tell stop
	finish
	ends_with_status 0
	touch end
	wait $others
	is "rows" "$(wc -l <err)" $((2 * (threads + 1)))
	is "rows of workers" "$(grep -cE "^worker-[0-9]+,3,,$calls," err)" "$threads"
	is "the row of the first thread" "$(grep -c "^one-${server[one]},5,,$calls," err)" 1
	is "calls, of all" "$(field 1 "$calls" whole)" $((3 * threads + 5))
	within "page faults, of all rows" $((3 * threads + 5)) \
		"$(awk -F, '$4 == "page-faults:u" { n += $2 } END { print n }' err)" \
		"$(field 1 page-faults:u whole)"
}

@test "threads that start and end all the time: nothing is lost, counted twice or left open" {
	needs_calls "$programs/serve"
	serve one
	begin -x, -e "$calls" -p "${server[one]}"
	watched 1000 churn $((seconds * 1000)) 50
	tell stop
	finish
	ends_with_status 0
	within "threads" 100 "$answer" 1000000000
	is "calls" "$(field 1 "$calls")" "$answer"
}

@test "threads that start and end with --per-thread and -I: the rows and intervals add up" {
	local churned

	needs_calls "$programs/serve"
	serve one
	ask one threads 20 0
	begin -x, --per-thread -I 100 -e "$calls" -p "${server[one]}"
	watched 1000 churn $((seconds * 1000)) 50
	churned=$answer
	ask one each 1
	tell stop
	finish
	ends_with_status 0
	is "calls" "$(awk -F, '$1 ~ /^ *[0-9.]+$/ { n += $3 } END { print n }' err)" $((churned + 20))
}

@test "threads that start and end all the time are counted on all CPUs" {
	needs_probes
	serve one
	begin -x, -a -A -e uprobe:./one:called
	watched 1000 churn $((seconds * 1000)) 50
	tell stop
	finish
	ends_with_status 0
	is "calls" "$(awk -F, '{ n += $2 } END { print n }' err)" "$answer"
}

# attach_for_a_moment MS OPTION: attach pstat with OPTION for MS milliseconds
attach_for_a_moment()
{
	pstat -x, --timeout "$1" "$2" -e page-faults:u -p "${server[one]}"
	ends_with_status 0
	is "messages but that nothing ran" "$(grep -E '^(# )?pstat:' err | grep -v 'none of the tasks ran' || true)" ""
}

@test "attaching while threads start and end: a thread that ends before it is opened is not an error" {
	local counted=0 tried=0 option

	needs_counting user
	serve one
	# if nothing runs during the first attempts, later ones take longer
	while ((tried < 4 || (counted == 0 && tried < 100))); do
		echo "churn $((seconds * 1000)) 50" >&"${to_server[one]}"
		while ! read -r -t 0 -u "${from_server[one]}"; do
			for option in --no-scale --per-thread; do
				attach_for_a_moment $((20 + tried * 10)) "$option"
				counted=$((counted + $(grep -cE '^([^,]*,)?[1-9][0-9]*,,page-faults:u' err || true)))
				((++tried))
			done
		done
		read -r -u "${from_server[one]}" answer
		within "threads" 100 "$answer" 1000000000
	done
	within "how often something was counted" 1 "$counted" 1000000000
}

@test "stress-ng's threads and processes: no crash, and a result" {
	needs_counting user
	needs_command stress-ng
	pstat -x, -I 100 --summary -e page-faults:u,task-clock:u stress-ng --pthread 2 --fork 2 --timeout "$((seconds > 40 ? 40 : seconds))s" \
		--quiet
	ends_with_status 0
	is "the sum" "$(awk -F, '$4 == "page-faults:u" && !/summary/ { n += $2 } END { print n }' err)" \
		"$(awk -F, '$4 == "page-faults:u" && /summary/ { print $2 }' err)"
}
