# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh source-path=SCRIPTDIR/.. source=lib.sh
# The begin and end of counting: -I, -D, --timeout, --control.
. /lab/lib.sh
plan 18 single

medium=$(expected medium)

# Intervals of 10 ms of a program that takes 200 ms: at least 20.
sum_of_deltas()
{
	count -I 10 --summary -e "$1" "$(program medium)"
	n=$(grep -c 'instructions:u' "$tmp/rows")
	[ "$n" -ge 20 ]
	rows instructions:u 1 "value == $medium" summary
	equal 'sum of the intervals' "$medium" "$(sum instructions:u '!summary')"
	rows instructions:u $((n - 1)) 'time > 0 && value >= 0' '!summary'
}

deltas_with_software()
{
	sum_of_deltas instructions:u,cycles:u,task-clock,page-faults
	rows cycles:u 1 "value == 2 * $medium" summary
	equal 'page faults' "$(sum page-faults summary)" "$(sum page-faults '!summary')"
}

# In each interval, the program executes an instruction every 2 ns; the rest is time in the kernel.
# An interval may end late by a time slice of the scheduler, so its measured length counts, not -I.
even_deltas()
{
	count -I 10 -e instructions:u "$(program medium)"
	[ "$(wc -l <"$tmp/rows")" -ge 20 ]
	sed '$d' "$tmp/rows" | awk -F, '
		NR > 1 {
			most = ($1 - before) * 500000000
			if ($2 > most * 1.02 || $2 < most * 0.93) {
				print "not steady: " $0 " after " before
				bad = 1
			}
		}
		{ before = $1 }
		END { exit bad }'
}

# Intervals end at most 1 ms after each multiple of 10 ms, none is missing, and the last one is the
# end. An interval may end later by a time slice of the scheduler, while the program keeps the only
# CPU.
on_the_grid()
{
	count -I 10 -e instructions:u "$(program medium)"
	sed '$d' "$tmp/rows" | awk -F, '{
		late = $1 - NR * 0.010
		if (late < 0 || late >= 0.005) { print "not on the grid: " $0; bad = 1 }
	} END { exit bad }'
}

repeated_intervals()
{
	# In pstat's own formats: perf's have only the intervals of the first run.
	pstat -r 2 -I 50 --format csv -o "$tmp/result/csv" -e instructions:u "$(program medium)"
	tr -d '\r' <"$tmp/result/csv" | awk -F, '
		$8 == "instructions:u" && $3 != "" { sum += $11; first += $3 > 0.045 && $3 < 0.065 }
		END { printf "%.0f %d\n", sum, first }' >"$tmp/out"
	# Each run has its own clock: the first interval of both ends after about 50 ms.
	equal 'sum of the intervals, and first ones' "$((2 * medium)) 2" "$(cat "$tmp/out")"
}

some_intervals()
{
	count -I 10 --interval-count 3 -e instructions:u "$(program medium)"
	rows instructions:u 3 'time < 0.032 && value > 0'
}

table_of_intervals()
{
	pstat -I 10 -o "$tmp/result/table" -e instructions:u,cycles:u "$(program medium)"
	sed 's/^/table: /' "$tmp/result/table"
	total=$(awk '$3 == "instructions:u" { gsub(",", "", $2); n += $2 } END { printf "%.0f", n }' \
		"$tmp/result/table")
	equal 'sum of the table' "$medium" "$total"
	grep -q '^#.*time.*counts.*events' "$tmp/result/table"
}

delayed()
{
	count -D 100 -e instructions:u "$(program sleeping)"
	rows instructions:u 1 "value == $(expected sleeping after)"
}

delayed_from_the_start()
{
	count -D 0 -e instructions:u "$(program sleeping)"
	rows instructions:u 1 "value == $(expected sleeping)"
}

never_switched_on()
{
	count -D -1 -e instructions:u "$(program sleeping)"
	rows instructions:u 1 'state == "<not counted>"'
	said 'never switched on'
}

cut_short()
{
	count --timeout 100 -e instructions:u "$(program sleeping)"
	rows instructions:u 1 "value == $(expected sleeping before)"
}

# The program would sleep until 200 ms.
cut_short_in_time()
{
	count --timeout 100 -e duration_time "$(program sleeping)"
	rows duration_time 1 'value >= 100000000 && value < 110000000'
}

cut_short_without_need()
{
	count --timeout 1000 -e instructions:u "$(program sleeping)"
	rows instructions:u 1 "value == $(expected sleeping)"
}

cut_short_with_intervals()
{
	count -I 30 --timeout 100 -e instructions:u "$(program sleeping)"
	rows instructions:u 4 'time > 0.029 && time < 0.111'
	equal 'sum' "$(expected sleeping before)" "$(sum instructions:u)"
}

# tell COMMAND: send COMMAND to pstat, and wait for the acknowledgement
tell()
{
	echo "$1" >"$tmp/ctl"
	# shellcheck disable=SC3045 # busybox has -t
	read -r -t 5 answer <"$tmp/ack"
	equal "answer to $1" ack "$answer"
}

# asleep: wait until the program `phases` sleeps. An earlier signal has woken it.
asleep()
{
	in_state S phases >"$tmp/state"
}

# Only the second of three phases is counted. The program sleeps between them.
one_phase()
{
	rm -f "$tmp/ctl" "$tmp/ack"
	mkfifo "$tmp/ctl" "$tmp/ack"
	# Keep both FIFOs open during the test, so that pstat has a writer and a reader.
	exec 8<>"$tmp/ctl" 9<>"$tmp/ack"
	count -D -1 --control "fifo:$tmp/ctl,$tmp/ack" "$@" -e instructions:u,cycles:u \
		"$(program phases)" &
	counter=$!
	counting 2
	asleep
	pid=$(pidof phases)
	tell enable
	kill -USR1 "$pid"
	asleep
	tell disable
	tell ping
	kill -USR1 "$pid"
	wait "$counter"
}

switched_from_outside()
{
	one_phase
	rows instructions:u 1 "value == $(expected phases 2)"
	rows cycles:u 1 "value == 2 * $(expected phases 2)"
	printed_no_messages
}

switched_with_intervals()
{
	one_phase -I 1 --summary
	rows instructions:u 1 "value == $(expected phases 2)" summary
	equal 'sum' "$(expected phases 2)" "$(sum instructions:u '!summary')"
}

stopped_from_outside()
{
	rm -f "$tmp/ctl" "$tmp/ack"
	mkfifo "$tmp/ctl" "$tmp/ack"
	exec 8<>"$tmp/ctl" 9<>"$tmp/ack"
	"$(program phases)" &
	asleep
	count -p $! --control "fifo:$tmp/ctl,$tmp/ack" -e instructions:u &
	counter=$!
	counting 1
	pid=$(pidof phases)
	kill -USR1 "$pid"
	asleep
	tell stop
	wait "$counter"
	kill -USR1 "$pid"
	rows instructions:u 1 "value == $(expected phases 2)"
}

unknown_command()
{
	rm -f "$tmp/ctl" "$tmp/ack"
	mkfifo "$tmp/ctl" "$tmp/ack"
	exec 8<>"$tmp/ctl" 9<>"$tmp/ack"
	count --control "fifo:$tmp/ctl,$tmp/ack" -e instructions:u "$(program sleeping)" &
	counter=$!
	counting 1
	echo nonsense >"$tmp/ctl"
	tell ping
	wait "$counter"
	said nonsense
	rows instructions:u 1 "value == $(expected sleeping)"
}

check "-I: the intervals add up to the total" sum_of_deltas instructions:u
check "-I with software events: the intervals add up to the total" deltas_with_software
check "-I of a steady program is even" even_deltas
check "-I is on a grid, and no interval is missing" on_the_grid
check "-I with -r: each run has its own clock" repeated_intervals
check "--interval-count ends counting" some_intervals
check "-I as a table" table_of_intervals
check "-D leaves out the events before it" delayed
check "-D 0 leaves out nothing" delayed_from_the_start
check "-D -1 without --control counts nothing, and says so" never_switched_on
check "--timeout leaves out the events after it" cut_short
check "--timeout ends the command" cut_short_in_time
check "--timeout after the end of the command changes nothing" cut_short_without_need
check "--timeout with -I" cut_short_with_intervals
check "--control: enable and disable around one of three phases are exact" switched_from_outside
check "--control with -I" switched_with_intervals
check "--control: stop ends counting, and the program continues" stopped_from_outside
check "--control: an unknown command is reported and not answered" unknown_command
