# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh source-path=SCRIPTDIR/.. source=lib.sh
# A program with a known number of instructions has exactly this count, next to any other events.
. /lab/lib.sh
plan 9 single

known=$(expected known)
alone=instructions:u
mixed=task-clock,instructions:u,cycles:u,page-faults
two_groups='{instructions:u,cycles:u},{r8:u,r11:u}'

# exact EVENTS INSTRUCTIONS CONDITION: check that each event has a row, and check CONDITION for
# hardware events
exact()
{
	for event in $(echo "$1" | tr -d '{}' | tr , ' '); do
		case $event in
		instructions:u | r8:u)	rows "$event" 1 "value == $2 && $3" ;;
		cycles:u | r11:u)	rows "$event" 1 "value == 2 * $2 && $3" ;;
		*)			rows "$event" 1 'value > 0' ;;
		esac
	done
}

one_run()
{
	count -e "$1" "$(program known)"
	exact "$1" "$known" 'running == 100'
}

twenty_runs()
{
	count -r 20 -e "$1" "$(program known)"
	exact "$1" "$known" 'spread == 0 && running == 100'
	printed_no_messages
}

# The standard error of 1, 2, ... 20 is 12.6 % of their mean.
twenty_lengths()
{
	rm -f /tmp/growing
	count -r 20 -e "$1" "$(program growing)"
	exact "$1" "$(expected growing)" 'near(spread, 12.6) && running == 100'
}

check "a known program reads $known instructions:u" one_run "$alone"
check "a known program reads $known instructions:u in each of 20 runs" twenty_runs "$alone"
check "20 runs of different length are each counted exactly" twenty_lengths "$alone"
check "with software events: one run" one_run "$mixed"
check "with software events: 20 runs" twenty_runs "$mixed"
check "with software events: 20 runs of different length" twenty_lengths "$mixed"
check "in two groups: one run" one_run "$two_groups"
check "in two groups: 20 runs" twenty_runs "$two_groups"
check "in two groups: 20 runs of different length" twenty_lengths "$two_groups"
