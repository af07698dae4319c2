# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh source-path=SCRIPTDIR/../.. source=lib.sh
# How wrong the estimates of multiplexed counts are: the figures of tests/RESULTS.md. The true count
# comes from a pinned event, which keeps its counter the whole time. This test runs only if it is
# named, because it takes an hour. tests/bench/estimates prints a table from the lines
# "# figure:".
. /lab/lib.sh
plan 13 single

# measure KIND: programs of 50 ms to 5 s, with 8, 12 and 20 events that share 5 counters
measure()
{
	for ms in 50 200 1000 5000; do
		for events in 8 12 20; do
			# The cycles of user and kernel mode are the companion. r8:u, the instructions
			# of user mode, gives the truth.
			list=r11:D,r8:uD
			i=0
			while [ $((i += 1)) -le $events ]; do
				list=$list,instructions:u
			done
			for seed in $(seq $((ms < 500 ? 8 : ms < 2000 ? 6 : 3))); do
				pstat --format csv -o "$tmp/result/csv" -e "$list" \
					"$(program shifting)" "$1" $ms $((seed * 37 + events)) 2>/dev/null
				figure "$1" $ms $events
				rm -f "$tmp/result/csv"
			done
		done
	done >"$tmp/figures"
	equal 'measurements' 75 "$(wc -l <"$tmp/figures")"
}

for kind in steady below at above random burst children threads step bursts growing startup spike; do
	check "estimates for a program of type $kind" measure $kind
	cat "$tmp/figures"
done
