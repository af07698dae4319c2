# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh source-path=SCRIPTDIR/../.. source=lib.sh
# The cost of turns and samples of multiplexed counters to the counted program, on a machine with
# one CPU. With --no-error, the kernel rotates them, and they are read only at the start and at the
# end, as perf stat does.
# tests/bench/estimates prints the figures.
. /lab/lib.sh
plan 3 single

list=instructions:u,instructions:u,instructions:u,instructions:u,instructions:u,instructions:u
list=$list,cycles:u,r8:u,r8:u,r8:u,r8:u,r8:u

# elapsed EVENTS ARG...: print the mean elapsed time of five runs in nanoseconds
elapsed()
{
	events=$1
	shift
	pstat --format csv-summary -o "$tmp/result/csv" -r 5 -e "$events" "$@" 2>/dev/null
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
	with=$(elapsed "$list,duration_time" "$(program long)")
	without=$(elapsed "$list,duration_time" --no-error "$(program long)")
	echo "# cost: command $with $without" >"$tmp/figures"
	grep -q -E '^# cost: command [0-9.]+ [0-9.]+$' "$tmp/figures"
}

# of_all_cpus ARG...: the same for the program under pstat -a
of_all_cpus()
{
	# a script, because the name of the command must not have a comma in the CSV
	echo "exec pstat -a -x, -o /dev/null $* -e $list $(program long)" >"$tmp/all"
	elapsed duration_time sh "$tmp/all"
}

# cost_of_all_cpus [-I 10]: with -I, the kernel rotates the events in both cases
cost_of_all_cpus()
{
	echo "# cost: $(echo -a "$@" | tr ' ' ,) $(of_all_cpus "$@") $(of_all_cpus "$@" --no-error)" >"$tmp/figures"
	grep -q -E '^# cost: -a[,0-9I-]* [0-9.]+ [0-9.]+$' "$tmp/figures"
}

check "the elapsed time with and without turns" cost
cat "$tmp/figures"
check "the elapsed time under -a, with and without turns" cost_of_all_cpus
cat "$tmp/figures"
check "the elapsed time under -a -I 10, with and without --no-error" cost_of_all_cpus -I 10
cat "$tmp/figures"
