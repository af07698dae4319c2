# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh source-path=SCRIPTDIR/.. source=lib.sh
# --no-multiplex: twelve events on the seven counters of the PMU, six for any event and one for
# cycles, counted in two runs of the command.
. /lab/lib.sh
plan 11 single

known=$(expected known)
six=instructions:u,instructions:u,instructions:u,instructions:u,instructions:u,instructions:u
twelve=$six,cycles:u,r8:u,r8:u,r8:u,r8:u,r8:u
group='{instructions:u,r8:u,r8:u,r8:u}'

# all_exact INSTRUCTIONS R8 CYCLES: check that each has this number of rows, all exact and unscaled
all_exact()
{
	rows instructions:u "$1" "value == $known && running == 100"
	rows r8:u "$2" "value == $known && running == 100"
	rows cycles:u "$3" "value == 2 * $known && running == 100"
}

# runs: print the number of runs of the program `growing`
runs()
{
	wc -c </tmp/growing
}

twelve_events()
{
	count --no-multiplex -e "$twelve" "$(program known)"
	all_exact 6 5 1
}

# Three groups of four need three runs, because no group is split.
three_groups()
{
	rm -f /tmp/growing
	run_pstat --no-multiplex -e "$group,$group,$group" "$(program growing)"
	equal 'runs' 3 "$(runs)"
	count --no-multiplex -e "$group,$group,$group" "$(program known)"
	all_exact 3 9 0
}

# Each run of `growing` executes 2 * STEP more instructions than the previous one: events of the
# same run have equal counts, events of different runs do not.
members_stay_together()
{
	rm -f /tmp/growing
	count --no-multiplex -e "$group,$group" "$(program growing)"
	equal 'runs' 2 "$(runs)"
	awk -F, 'NR % 4 == 1 { first = $1 } $1 != first { exit 1 }' "$tmp/rows"
}

no_more_runs_than_needed()
{
	rm -f /tmp/growing
	count --no-multiplex -e "$twelve" "$(program growing)"
	equal 'runs' 2 "$(runs)"
}

one_run_for_what_fits()
{
	rm -f /tmp/growing
	count --no-multiplex -e "$six,cycles:u" "$(program growing)"
	equal 'runs' 1 "$(runs)"
}

repeated()
{
	count --no-multiplex -r 2 -e "$twelve" "$(program known)"
	all_exact 6 5 1
	rows instructions:u 6 'spread == 0'
	rows r8:u 5 'spread == 0'
}

repeated_groups()
{
	count --no-multiplex -r 2 -e "$group,$group,cycles:u" "$(program known)"
	all_exact 2 6 1
	rm -f /tmp/growing
	count --no-multiplex -r 2 -e "$twelve" "$(program growing)"
	equal 'runs' 4 "$(runs)"
}

with_software_events()
{
	count --no-multiplex -e "task-clock,$twelve,page-faults" "$(program known)"
	all_exact 6 5 1
	rows task-clock 1 'value > 0 && running == 100'
	rows page-faults 1 'value > 0 && running == 100'
}

passes_in_the_table()
{
	pstat --no-multiplex -o "$tmp/result/table" -e "$twelve" "$(program known)"
	sed 's/^/table: /' "$tmp/result/table"
	grep -q -E '\b(2|two) passes' "$tmp/result/table"
	! grep -q '%)' "$tmp/result/table"
}

# If the groups were placed in the order of the list, both pairs would be in the first pass, and
# each group of four would need a pass of its own.
fewest_passes()
{
	pair='{instructions:u,r8:u}'
	rm -f /tmp/growing
	count --no-multiplex -e "$pair,$pair,$group,$group" "$(program growing)"
	equal 'runs' 2 "$(runs)"
	said '^pstat: 12 events share 6 counters: each measurement runs the command 2 times$'
	count --no-multiplex -e "$pair,$pair,$group,$group" "$(program known)"
	all_exact 4 8 0
}

note_of_passes()
{
	count --no-multiplex -r 2 -e "$twelve" "$(program known)"
	equal 'the notes' \
		'pstat: 12 events share 7 counters: each measurement runs the command 2 times' \
		"$(cat "$tmp/err")"
	count --no-multiplex -e "$six,cycles:u" "$(program known)"
	equal 'the notes of one pass' '' "$(cat "$tmp/err")"
}

check "12 events on 7 counters are exact and unscaled" twelve_events
check "groups of four are not split, in three runs" three_groups
check "the members of a group are counted in the same run" members_stay_together
check "12 events take 2 runs" no_more_runs_than_needed
check "7 events on 7 counters take 1 run" one_run_for_what_fits
check "-r 2: 12 events are exact in each pass" repeated
check "-r 2 with groups: exact, and twice the runs" repeated_groups
check "with software events" with_software_events
check "the table has the number of passes, and nothing was scaled" passes_in_the_table
check "large groups are placed first: 2 runs, not 3" fewest_passes
check "one note before the first run if there is more than one pass" note_of_passes
