# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2016,SC2154 source-path=SCRIPTDIR/../.. source=lib.sh
# How short the times enabled are, and how wrong the counts: the figures of tests/RESULTS.md. Twelve
# events share six counters; a pinned event gives the true count, and a software event the true
# time.
. /lab/lib.sh
plan 4 single

six=instructions:u,instructions:u,instructions:u,instructions:u,instructions:u,instructions:u

# compare_times NAME COMMAND...: print a row of the table
compare_times()
{
	title=$1
	shift
	pstat --format csv -o "$tmp/result/csv" -e "r8:uD,dummy,$six,$six" "$@"
	awk -F, -v title="$title" '
		{ sub(/\r$/, "") }
		NR == 1 {
			for (i = 1; i <= NF; i++)
				column[$i] = i
			next
		}
		{ name = $(column["event"]); value = $(column["value"]); ns = $(column["enabled_ns"]) }
		name == "r8:uD" { truth = value; next }
		name == "dummy" { time = ns; next }
		{
			n++
			least = n == 1 || ns < least ? ns : least
			most = n == 1 || ns > most ? ns : most
			counted += value != ""
			exact += $(column["estimator"]) == "exact"
			error = value == "" ? 0 : value / truth - 1
			error = error < 0 ? -error : error
			worst = error > worst ? error : worst
			below[n] = $(column["value_low"])
			above[n] = $(column["value_high"])
		}
		END {
			for (i = 1; i <= n; i++)
				missed += below[i] != "" && (truth < below[i] || truth > above[i])
			printf "# figure: | %s | %d | %d | %.1f to %.1f %% | %.1f %% | %d |\n", title, counted,
				exact, 100 * least / time, 100 * most / time, 100 * worst, missed
			exit n != 12
		}' "$tmp/result/csv"
}

check "times of 20 ms" compare_times 'steady, 20 ms' "$(program shifting)" steady 20 3
cat "$tmp/log"
check "times of 1 s" compare_times 'steady, 1 s' "$(program shifting)" steady 1000 3
cat "$tmp/log"
check "times of children" compare_times 'children of 2 to 60 ms, 2 s' "$(program shifting)" children 2000 3
cat "$tmp/log"
check "times of a shell" compare_times '200 programs of a shell' sh -c \
	'i=0; while [ $((i += 1)) -le 200 ]; do /lab/programs/known; done'
cat "$tmp/log"
