# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh source-path=SCRIPTDIR/../.. source=lib.sh
# The cost of sampling multiplexed counters to the counted program, on a machine with one CPU.
# --no-error reads the counters only at the start and at the end, as perf stat does.
# tests/bench/estimates prints the figures.
. /lab/lib.sh
plan 1 single

list=instructions:u,instructions:u,instructions:u,instructions:u,instructions:u,instructions:u
list=$list,cycles:u,r8:u,r8:u,r8:u,r8:u,r8:u

# elapsed ARG...: print the mean elapsed time of five runs in nanoseconds
elapsed()
{
	pstat --format csv-summary -o "$tmp/result/csv" -r 5 "$@" -e "$list,duration_time" \
		"$(program long)" 2>/dev/null
	tr -d '\r' <"$tmp/result/csv" | awk -F, '
		NR == 1 {
			for (i = 1; i <= NF; i++)
				column[$i] = i
		}
		$(column["event"]) == "duration_time" { print $(column["mean"]) }'
	rm "$tmp/result/csv"
}

cost()
{
	echo "# cost: $(elapsed) $(elapsed --no-error)" >"$tmp/figures"
	grep -q -E '^# cost: [0-9.]+ [0-9.]+$' "$tmp/figures"
}

check "the elapsed time with and without samples" cost
cat "$tmp/figures"
