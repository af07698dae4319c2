# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh source-path=SCRIPTDIR/.. source=lib.sh
# Twelve events share the seven counters of the PMU in turns: six for any event, one for cycles.
. /lab/lib.sh
plan 19 single

# Scaled counts are accurate only after many turns. A short program is enough to show the turns.
long=$(expected long)
medium=$(expected medium)
six=instructions:u,instructions:u,instructions:u,instructions:u,instructions:u,instructions:u
twelve=$six,cycles:u,r8:u,r8:u,r8:u,r8:u,r8:u

scaled_to_the_truth()
{
	count -e "$twelve" "$(program long)"
	rows instructions:u 6 "near(value, $long)"
	rows r8:u 5 "near(value, $long)"
	rows cycles:u 1 "near(value, 2 * $long)"
}

# The first event is always on, and cycles:u, which has a counter of its own. The others take turns.
running_in_csv()
{
	count -e "$twelve" "$(program medium)"
	rows instructions:u 1 "value == $medium" 'running == 100'
	rows cycles:u 1 "value == 2 * $medium" 'running == 100'
	for event in instructions:u=5 r8:u=5; do
		rows "${event%=*}" "${event#*=}" 'running > 20 && running < 80' 'running < 100'
	done
}

running_in_table()
{
	pstat -o "$tmp/result/table" -e "$twelve" "$(program medium)"
	marked=$(grep -c -E '(instructions|cycles|r8):u .*\([3-7][0-9]\.[0-9][0-9]%\)$' \
		"$tmp/result/table") || :
	sed 's/^/table: /' "$tmp/result/table"
	equal 'rows with a running %' 10 "$marked"
}

unscaled()
{
	count --no-scale -e "$twelve" "$(program long)"
	rows instructions:u 6 "value > 0 && near(value, $long * running / 100)"
	rows r8:u 5 "value > 0 && near(value, $long * running / 100)"
}

as_many_as_fit()
{
	count -e "$six,cycles:u" "$(program medium)"
	rows instructions:u 6 "value == $medium && running == 100"
	rows cycles:u 1 "value == 2 * $medium && running == 100"
}

# noted TEXT: check that the only note about the counters is TEXT
noted()
{
	equal 'the notes' "pstat: $1" "$(grep -E 'share|fit' "$tmp/err")"
}

note_before_the_command()
{
	pstat -e "$twelve" sh -c 'echo the command >&2' >"$tmp/out" 2>"$tmp/err" </dev/null
	noted '12 events share 7 counters: counts are estimates; drop 5 or use --no-multiplex (2 runs)'
	equal 'the first line' "$(grep share "$tmp/err")" "$(head -n 1 "$tmp/err")"
	count -r 2 -e "$twelve" "$(program known)"
	noted '12 events share 7 counters: counts are estimates; drop 5 or use --no-multiplex (2 runs)'
	count --no-scale -I 1000 -e "$twelve" "$(program known)"
	noted '12 events share 7 counters: counts are incomplete; drop 5'
}

note_of_groups()
{
	group='{instructions:u,r8:u,r8:u,r8:u}'
	count -e "$group,$group,$group" "$(program known)"
	noted '12 events share 6 counters: counts are estimates; drop 6 or use --no-multiplex (3 runs)'
	count -e "{$six,r8:u,r8:u}:W" "$(program medium)"
	noted '8 events share 6 counters: counts are estimates; drop 2'
	count --no-multiplex -e "{$six,r8:u,r8:u}:W" "$(program medium)"
	noted '8 events share 6 counters: counts are estimates; drop 2'
}

no_note_if_they_fit()
{
	count -e "$six,cycles:u" "$(program known)"
	equal 'the notes' '' "$(cat "$tmp/err")"
	pstat -x, -e "$twelve" "$(program known)" >"$tmp/out" 2>"$tmp/err" </dev/null
	equal 'the notes of -x' '' "$(grep pstat "$tmp/err")"
}

# refused_to_share OPTION...: check that pstat refuses twelve events in one line, with status 125
refused_to_share()
{
	status=0
	pstat "$@" -e "$twelve" touch "$tmp/started" >"$tmp/out" 2>"$tmp/err" </dev/null || status=$?
	equal status 125 "$status"
	[ ! -e "$tmp/started" ]
	equal 'the message' "pstat: $*: 12 events share 7 counters; drop 5 or use --no-multiplex" \
		"$(cat "$tmp/err")"
}

strict_scaling_refuses()
{
	refused_to_share --strict-scaling
	refused_to_share --min-running 100
	status=0
	pstat --strict-scaling -e "$twelve" -c true -c true >"$tmp/out" 2>"$tmp/err" || status=$?
	equal 'status of a comparison' 125 "$status"
	said '^pstat: --strict-scaling: 12 events share 7 counters; drop 5$'
}

strict_scaling_counts_what_fits()
{
	count --strict-scaling -e "$six,cycles:u,page-faults" "$(program medium)"
	rows instructions:u 6 "value == $medium && running == 100"
	count --strict-scaling --no-multiplex -e "$twelve" "$(program medium)"
	rows instructions:u 6 "value == $medium && running == 100"
	rows r8:u 5 "value == $medium && running == 100"
}

# Without a trial, the rows that had to share a counter have no count.
strict_scaling_of_cpus()
{
	count --strict-scaling -a -e "$twelve" "$(program medium)"
	rows r8:u 5 'state == "<not counted>"'
	rows cycles:u 1 'value > 0'
	said 'counted for less than 100 % of its time \(--strict-scaling\)'
}

# The pinned events have counters all the time, so the others share five. The first one, the cycles of
# user and kernel mode, is their companion; the last exact row, r8, gives the truth.
multiplexed=r11:D,r8:uD,$six,$six

# measure NAME ARG...: with these options and this command, check that there are intervals, and set
# $far to the number of intervals that miss the truth by more than their width
measure()
{
	name=$1
	shift
	pstat --format csv -o "$tmp/result/csv" -e "$multiplexed" "$@"
	figure "$name" >"$tmp/figure"
	sed 's/\r$//' "$tmp/result/csv" "$tmp/figure"
	read -r _ _ _ all shown _ <"$tmp/figure"
	equal 'estimates' 12 "$all"
	[ "$shown" -ge 10 ]
	far=$(tr -d '\r' <"$tmp/result/csv" | awk -F, '
		NR == 1 {
			for (i = 1; i <= NF; i++)
				column[$i] = i
			next
		}
		$(column["estimator"]) == "exact" { truth = $(column["value"]) }
		$(column["estimator"]) == "model" {
			width = $(column["value_high"]) - $(column["value_low"])
			error = $(column["value"]) - truth
			far += error > width || error < -width
		}
		END { print far + 0 }')
	rm -f "$tmp/result/csv"
}

# near_the_truth COMMAND ARG...: run a command that measures. It may find intervals far from the
# truth by chance: 0.07 to 0.4 % of the runs of `step` do, if they are simulated with turns of 10 to
# 15 ms (tests/bench/multiplex has the same program). So a second run decides.
near_the_truth()
{
	"$@"
	[ "$far" -eq 0 ] || "$@"
	equal 'intervals far from the truth, in a second run, too' 0 "$far"
}

# The five events of a set have the same turns, so their 95 % intervals miss the truth together, in
# 1 of 20 sets.
estimates_contain_the_truth()
{
	for kind in steady random children threads step; do
		near_the_truth measure $kind "$(program shifting)" $kind 1000 5
	done
}

# On CPUs, pstat and all other programs are counted, too.
on_cpus()
{
	near_the_truth measure step -a "$(program shifting)" step 1000 5
	near_the_truth measure random -a -A "$(program shifting)" random 1000 5
}

measure_running()
{
	"$(program shifting)" "$1" 1000 5 &
	usleep 20000 # threads that are created while pstat begins may not be counted
	measure "$1" -p $!
}

of_a_running_process()
{
	near_the_truth measure_running step
	near_the_truth measure_running threads
}

after_a_delay()
{
	near_the_truth measure step -D 50 "$(program shifting)" step 1000 5
}

samples_are_visible()
{
	count -e "$twelve" "$(program medium)"
	said 'the multiplexed counters were read [0-9]+ times, which took [0-9]+\.[0-9]+ % of the time'
	count -e cycles:u,r8:u "$(program medium)"
	equal 'notes about samples' '' "$(grep 'were read' "$tmp/err")"
}

scaled_as_by_perf()
{
	pstat --no-error --format csv -o "$tmp/result/csv" -e "$twelve" "$(program medium)"
	equal 'scaled rows' 12 "$(grep -c ',scaled,.*,,,scaling' "$tmp/result/csv")"
	figure=$(awk -F, '/,scaled,/ {
		error = $11 / ($12 * $13 / $14) - 1
		wrong += error > 1e-9 || error < -1e-9
	}
	END { print wrong + 0 }' "$tmp/result/csv")
	equal 'rows that are not value × enabled / running' 0 "$figure"
}

check "12 events on 7 counters are scaled to within 2 % of the truth" scaled_to_the_truth
check "the first of 12 events and cycles:u are exact; the CSV has the running % of the others" running_in_csv
check "the table marks the other 10 events with their running %" running_in_table
check "--no-scale gives the raw counts of the part that ran" unscaled
check "7 events on 7 counters are exact and run all the time" as_many_as_fit
check "one note before the command says that 12 events share 7 counters" note_before_the_command
check "the note for groups, and for a weak group that is too large" note_of_groups
check "no note if all events fit, and none with -x" no_note_if_they_fit
check "--strict-scaling and --min-running 100 refuse 12 events" strict_scaling_refuses
check "--strict-scaling counts events that fit, and all events with --no-multiplex" strict_scaling_counts_what_fits
check "--strict-scaling with -a: multiplexed rows are <not counted>" strict_scaling_of_cpus
check "the intervals of 12 events contain the count of a pinned event" estimates_contain_the_truth
check "the intervals contain the true count with -a and with -a -A" on_cpus
check "the intervals contain the true count with -p" of_a_running_process
check "the intervals contain the true count with -D" after_a_delay
# A software event in a group that takes turns is off with its group.
of_mixed_groups()
{
	group='{r8:u,r8:u,r8:u,r8:u,r8:u}'
	count -e "instructions:u,task-clock,{r8:u,task-clock},$group,$group" "$(program medium)"
	truth=$(sed -n 's/,msec,task-clock,.*//p' "$tmp/rows" | head -n 1)
	rows task-clock 1 'running > 10 && running < 60' 'running < 100'
	rows task-clock 2 "near(value, $truth)"
}

# Three groups, none of which is always on, in a program that ends in the first turns.
of_short_programs()
{
	group='{instructions:u,r8:u,r8:u,r8:u,r8:u}'
	for _ in 1 2 3 4 5; do
		count -e "$group,$group,$group" "$(program known)"
		wrong=$(awk -F, -v n="$(expected known)" '$3 == "instructions:u" && $1 + 0 == $1 &&
			$5 == 100 && $1 != n' "$tmp/rows" | wc -l)
		equal 'wrong counts that are called exact' 0 "$wrong"
	done
}

check "a software event in a group that takes turns is estimated, too" of_mixed_groups
check "no count of a short program is wrong and called exact" of_short_programs
check "-v prints how many times multiplexed counters were read" samples_are_visible
check "--no-error scales as perf stat does" scaled_as_by_perf
