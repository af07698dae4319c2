# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh source-path=SCRIPTDIR/../.. source=lib.sh
# How wrong the estimates of multiplexed counts are: the figures of tests/RESULTS.md. The true count
# comes from a pinned event, which keeps its counter the whole time. Each program also runs with
# --no-error: the kernel rotates the events, and the counts are scaled. This test runs only if it is
# named, because it takes more than an hour. tests/bench/estimates prints a table from the lines
# "# figure:" and "# rotation:".
. /lab/lib.sh
plan 16 single

# run KIND MS SEED EVENTS [OPTION]: run the program with EVENTS events that share 5 counters. The
# cycles of user and kernel mode are the companion. r8:u, the instructions of user mode, gives the
# truth.
run()
{
	list=r11:D,r8:uD
	i=0
	while [ $((i += 1)) -le "$4" ]; do
		list=$list,instructions:u
	done
	# shellcheck disable=SC2086 # an option, or none
	pstat $5 --format csv -o "$tmp/result/csv" -e "$list" \
		"$(program shifting)" "$1" "$2" $(($3 * 37 + $4)) 2>/dev/null
}

# measure KIND: programs of 50 ms to 5 s
measure()
{
	for runs in '50 8 12 20' '200 8 12 20' '1000 8 12 20' '5000 20'; do
		ms=${runs%% *}
		for events in ${runs#* }; do
			case $ms in
			50)	seeds='1 2 3 4 5 6 7 8' ;;
			200)	seeds='1 2 3 4 5' ;;
			*)	seeds='1 2' ;;
			esac
			for seed in $seeds; do
				run "$1" "$ms" "$seed" "$events"
				figure "$1" "$ms" "$events"
				rm -f "$tmp/result/csv"
				run "$1" "$ms" "$seed" "$events" --no-error
				figure "$1" "$ms" "$events" | sed 's/figure/rotation/'
				rm -f "$tmp/result/csv"
			done
		done
	done >"$tmp/figures"
	equal 'measurements' 94 "$(wc -l <"$tmp/figures")"
}

for kind in steady below at above random burst children threads step bursts growing startup spike \
	waits execs walk; do
	check "estimates for a program of type $kind" measure $kind
	cat "$tmp/figures"
done
