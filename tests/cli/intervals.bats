#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The intervals of -I: their times, sums, format and destination. A busy machine may be late, so no
# test needs an interval to end in time.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

pages=page-faults:u

# times FILE: print the time of each interval of -x once
times()
{
	awk -F, '/^ *[0-9]+\.[0-9]+,/ { print $1 + 0 }' "$1" | uniq
}

# on_grid MS: check that each interval ends at its own multiple of MS or later, but before the next
# end. The last interval, which is shorter, is ignored.
on_grid()
{
	awk -v step="$1" '{ t[NR] = $1 * 1000 } END {
		for (i = 1; i < NR; i++) {
			multiple = int(t[i] / step + 0.000001)
			if (multiple < 1 || multiple <= last)
				print "interval " i " at " t[i] " ms has no multiple of its own"
			last = multiple
		}
	}'
}

# sum EVENT [FILE]: print the sum of EVENT over the intervals
sum()
{
	awk -F, -v event="$1" '$4 == event && $1 ~ /^ *[0-9]/ { sum += $2 } END { printf "%d\n", sum }' "${2:-err}"
}

@test "-x: each interval has its time before the fields, and times are on the grid" {
	needs_counting user
	pstat -x, -I 50 -e "$pages,task-clock:u" sh -c "$(until_intervals 5 "$pages")"
	ends_with_status 0
	is "lines of another form" "$(grep -vcE '^ *[0-9]+\.[0-9]{9},(<not counted>|[0-9.]+),(msec)?,(page-faults|task-clock):u,[0-9]+,[0-9.]+,' err || true)" 0
	is "rows of each event" "$(grep -c "$pages" err)" "$(grep -c task-clock:u err)"
	within "intervals" 6 "$(times err | wc -l)" 10000
	is "times that are wrong" "$(times err | on_grid 50)" ""
}

@test "the intervals of an event add up to its total exactly" {
	local event

	needs_counting kernel
	# short-lived processes touch the pages
	pstat -x, -I 10 --summary -e page-faults,cs,minor-faults sh -c "
		for i in \$(seq 30); do $programs/faults 200; sleep 0.01; done
		$(until_intervals 5 page-faults)"
	ends_with_status 0
	within "intervals" 6 "$(times err | wc -l)" 10000
	for event in page-faults cs minor-faults; do
		is "the sum of $event" "$(sum $event)" \
			"$(awk -F, -v event=$event '$4 == event && $1 ~ /^ *summary$/ { print $2 }' err)"
	done
	within "page faults" 6000 "$(sum page-faults)" 1000000
	is "the summary's lines" "$(grep -cE '^         summary,[0-9]+,' err)" 3
}

@test "without --summary, no total follows the intervals" {
	needs_counting user
	pstat -I 50 -e "$pages" sleep 0.2
	ends_with_status 0
	is "the first line" "$(head -n 1 err)" "#           time             counts unit events"
	is "other lines" "$(tail -n +2 err | grep -vcE "^ +[0-9]+\.[0-9]{9} +(<not counted>|[0-9]+) +$pages" || true)" 0
	pstat -I 50 --summary -e "$pages" sleep 0.2
	is "summaries" "$(grep -c "^ Performance counter stats for 'sleep 0.2':" err)" 1
	is "elapsed times" "$(grep -c 'seconds time elapsed' err)" 1
}

@test "--interval-count ends the counting, and the command continues to its end" {
	needs_counting user
	pstat -x, -I 50 --interval-count 3 -e "$pages" sh -c "$(until_intervals 3 "$pages")
		sleep 0.2; echo >ended; exit 3"
	ends_with_status 3
	[ -e ended ] || fail "pstat did not wait for the command"
	is "intervals" "$(times err | wc -l)" 3
	is "times that are wrong" "$(times err | on_grid 50)" ""
}

@test "--interval-count without a command ends pstat with status 0" {
	needs_counting user
	serve one
	pstat -x, -I 50 --interval-count 2 -e "$pages" -p "${server[one]}"
	ends_with_status 0
	is "intervals" "$(times err | wc -l)" 2
}

@test "-o is written after each interval" {
	needs_counting user
	serve one
	begin -I 50 -o result -x, -e "$pages" -p "${server[one]}"
	ask one call 100
	# shellcheck disable=SC2016 # for later
	eventually '[ "$(times result | wc -l)" -ge 2 ]'
	kill -0 "$pstat_job" || fail "pstat has ended"
	tell stop
	finish
	ends_with_status 0
	is "standard error" "$(<err)" ""
	grep -q '^# started on ' result || fail "no first line" "$(<result)"
	within "the sum" 100 "$(sum "$pages" result)" 200
}

@test "a write error is reported once, gives 125, and does not stop the command" {
	needs_counting user
	pstat -x, -I 50 --summary -o /dev/full -e "$pages" sh -c 'sleep 0.3; echo >ended'
	ends_with_status 125
	says "pstat: cannot write the result to /dev/full: No space left on device"
	[ -e ended ] || fail "pstat did not wait for the command"
	pstat -I 50 -o nowhere/file -e "$pages" touch started
	ends_with_status 125
	[ ! -e started ] || fail "the command was started"
}

@test "with -r each run has its own clock" {
	local end first_end

	needs_counting user
	# not with -x, which has only the intervals of the first run, as in perf
	pstat -I 50 -r 2 -e "$pages" sh -c 'sleep 0.3; cat /proc/uptime >>ends'
	end=$(uptime_ms)
	ends_with_status 0
	awk '$1 ~ /^[0-9]+\.[0-9]+$/ { print $1 }' err >list
	is "how often the clock begins again" "$(awk '$1 < last { n++ } { last = $1 } END { print n + 0 }' list)" 1
	# the second run began after the end of the command's first one
	first_end=$(awk 'NR == 1 { printf "%.0f", $1 * 1000 }' ends)
	within "the last time in ms" 300 "$(awk '{ last = $1 } END { print last * 1000 }' list)" \
		$((end - first_end + 20))
}

@test "late intervals are merged and noted, and no count is lost" {
	needs_counting user
	serve one
	begin -v -x, -I 20 --summary -e "$pages" -p "${server[one]}"
	ask one call 100
	kill -STOP "$pstat_pid"
	sleep 0.5
	ask one call 1000
	kill -CONT "$pstat_pid"
	tell stop
	finish
	ends_with_status 0
	grep -qE '^pstat: -I: [0-9]+ intervals? ended late; ' late || fail "no note:" "$(<err)"
	within "the longest interval in ms" 400 \
		"$(times err | awk '{ gap = $1 - last; last = $1; if (gap > most) most = gap } END { print most * 1000 }')" 600000
	is "the sum" "$(sum "$pages")" \
		"$(awk -F, -v event="$pages" '$4 == event && $1 ~ /summary/ { print $2 }' err)"
	within "the sum" 1100 "$(sum "$pages")" 1200
	is "times that are wrong" "$(times err | on_grid 20)" ""
}

@test "--interval-clear clears a terminal, but not a file" {
	needs_counting user
	serve one
	pstat -I 50 --interval-count 2 --interval-clear -e "$pages" -p "${server[one]}"
	! grep -q $'\033' err || fail "an escape sequence in a file:" "$(<err)"
	is "headers" "$(grep -c '^#  ' err)" 2
	"$programs/on-terminal" never "$PSTAT" -I 50 --interval-count 2 --interval-clear -e "$pages" \
		-p "${server[one]}" >terminal </dev/null
	is "number of times cleared" "$(grep -c $'\033\\[H\033\\[2J' terminal)" 2
}

@test "split rows have their place after the time" {
	needs_cpus
	pstat -I 100 --interval-count 1 -A -e cs,cpu-clock -a sleep 0.3
	is "the first line" "$(head -n 1 err)" "#           time CPU                    counts unit events"
	is "rows of CPU 0" "$(grep -cE '^ +[0-9]+\.[0-9]{9} CPU0 +([0-9.]+|<not counted>) ' err)" 2
	pstat -x, -I 100 --interval-count 1 --per-socket -e cs -a sleep 0.3
	grep -qE '^ +[0-9.]+,S[0-9]+,[0-9]+,[0-9]+,,cs,' err || fail "no row for a socket:" "$(<err)"
}

@test "a lock that somebody keeps on the file delays the intervals only once" {
	local holder counting

	needs_command python3
	: >l.csv
	python3 -c 'import fcntl, time
file = open("l.csv")
fcntl.lockf(file, fcntl.LOCK_SH)
open("held", "w").close()
time.sleep(1000)' 3>&- &
	holder=$!
	eventually '[ -e held ]'
	"$PSTAT" -I 50 --format csv --append -o l.csv -e duration_time sleep 1000 3>&- &
	counting=$!
	# with a wait for each interval, this takes longer than $patience
	# shellcheck disable=SC2016 # for eventually
	eventually '[ "$(wc -l <l.csv)" -ge 8 ]'
	kill -TERM "$counting"
	wait "$counting" || true
	kill "$holder"
}
