# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2016 source-path=SCRIPTDIR/.. source=lib.sh
# Events that an exec enables together have the same time enabled. Kernels before 6.1.185, among
# others, lose part of this time: see open_clock() in src/count/opener.c.
. /lab/lib.sh
plan 7 single

twelve=instructions:u,instructions:u,instructions:u,instructions:u,instructions:u,instructions:u
twelve=$twelve,instructions:u,instructions:u,instructions:u,instructions:u,instructions:u,instructions:u

# same_times N [CSV-COLUMN VALUE]: check that the N rows of instructions:u in the CSV file have the
# same time enabled, to within 0.2 %, and that only rows that ran all the time are exact. These keep
# the time of their own counter: before Linux 6.2, hardware events and the clock, which is a software
# event, are switched apart, and their times differ by some microseconds in each process and in each
# turn: by 0.5 % in the first 30 ms, in which turns last 1 ms.
same_times()
{
	awk -F, -v wanted="$1" -v filter="${2-}" -v value="${3-}" '
		{ sub(/\r$/, "") }
		NR == 1 {
			for (i = 1; i <= NF; i++)
				column[$i] = i
			next
		}
		filter && $(column[filter]) != value { next }
		$(column["event"]) == "instructions:u" {
			ns = $(column["enabled_ns"])
			n++
			if ($(column["estimator"]) == "exact") {
				on = $(column["running_ns"])
				on_least = !on_least || on < on_least ? on : on_least
				next
			}
			least = !least || ns < least ? ns : least
			most = ns > most ? ns : most
		}
		END {
			print n + 0 " rows, enabled for " least " to " most " ns, exact for " on_least + 0
			exit !(n == wanted && least > 0 && most < 1.002 * least &&
			       (!on_least || (on_least > 0.992 * most && on_least < 1.008 * most)))
		}' "$tmp/result/csv"
}

# within_intervals ALL SHOWN: check that the CSV file has at least ALL estimates and SHOWN intervals,
# and that at most one interval misses the count of the pinned event
within_intervals()
{
	figure x >"$tmp/figure"
	cat "$tmp/figure"
	read -r _ _ _ all shown covered _ <"$tmp/figure"
	[ "$all" -ge "$1" ]
	[ "$shown" -ge "$2" ]
	[ "$covered" -ge $((shown - 1)) ]
}

one_process()
{
	# 20 ms are too short for a turn of each event, and 200 ms for intervals
	for ms in 20 60 200 1000; do
		pstat --format csv -o "$tmp/result/csv" -e "r11:D,r8:uD,$twelve" \
			"$(program shifting)" steady $ms 3
		same_times 12
		within_intervals $((ms == 20 ? 8 : 12)) $((ms == 1000 ? 10 : 0))
		rm "$tmp/result/csv"
	done
}

many_processes()
{
	pstat --format csv -o "$tmp/result/csv" -e "$twelve,dummy" sh -c \
		'i=0; while [ $((i += 1)) -le 100 ]; do /lab/programs/known; done'
	same_times 12
	enabled=$(awk -F, '/instructions:u/ && !/exact/ { print $13; exit }' "$tmp/result/csv")
	clock=$(awk -F, '/dummy/ { print $13 }' "$tmp/result/csv")
	echo "enabled for $enabled ns of $clock ns"
	[ "$enabled" -gt $((clock - clock / 500)) ]
}

few_events_stay_exact()
{
	count -e cycles:u,instructions:u,r8:u,task-clock sh -c \
		'i=0; while [ $((i += 1)) -le 100 ]; do /lab/programs/known; done'
	for event in cycles:u instructions:u r8:u; do
		rows $event 1 'running == 100'
	done
	pstat --format csv -o "$tmp/result/csv2" -e cycles:u,instructions:u,task-clock -r 5 \
		"$(program known)"
	equal 'exact rows' 15 "$(tr -d '\r' <"$tmp/result/csv2" | grep -c ',exact$')"
}

each_run()
{
	pstat --format csv -o "$tmp/result/csv" -r 3 -e "$twelve" "$(program shifting)" steady 30 3
	for run in 1 2 3; do
		same_times 12 run $run
	done
}

each_interval()
{
	pstat -x, -o "$tmp/result/csv" -I 20 -e "$twelve" "$(program shifting)" children 200 3
	awk -F, -v truth=400000000 '
		$4 == "instructions:u" && $2 ~ /^[0-9]/ {
			n++
			# no interval of 20 ms has more instructions or more time than the CPU has
			bad += $2 > 20000000 || $5 > 40000000
		}
		END {
			print n + 0 " counts, " bad + 0 " impossible"
			exit !(n > 50 && !bad)
		}' "$tmp/result/csv"
}

threads_of_processes()
{
	pstat --per-process --format csv -o "$tmp/result/csv" -e "r11:D,r8:uD,$twelve" \
		"$(program shifting)" threads 200 3
	same_times 12
}

attached_process()
{
	"$(program shifting)" children 400 3 &
	pstat --format csv -o "$tmp/result/csv" -e "$twelve" -p $! 2>"$tmp/err"
	wait
	same_times 12
}

check "one process: same times, and the intervals contain the truth" one_process
check "100 processes: all the time of a software event" many_processes
check "events that fit are exact in 100 processes and with -r" few_events_stay_exact
check "same times in each run of -r" each_run
check "no impossible interval of -I" each_interval
check "same times for the threads of --per-process" threads_of_processes
check "same times for a process that is attached to" attached_process
