# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh source-path=SCRIPTDIR/.. source=lib.sh
# A program of known length reads exactly that many instructions.
. /lab/lib.sh
plan 6 single

known=$(expected known)
mixed=task-clock,instructions:u,cycles:u,page-faults
two_groups='{instructions:u,cycles:u},{r8:u,r11:u}'

one_run()
{
	count -e instructions:u "$(program known)"
	rows instructions:u 1 "value == $known && running == 100"
}

twenty_runs()
{
	count -r 20 -e instructions:u "$(program known)"
	rows instructions:u 1 "value == $known && spread == 0 && running == 100"
}

mixed_one_run()
{
	count -e "$mixed" "$(program known)"
	rows instructions:u 1 "value == $known"
	rows cycles:u 1 "value == 2 * $known"
	rows task-clock 1 'value > 0'
	rows page-faults 1 'value > 0'
}

mixed_twenty_runs()
{
	count -r 20 -e "$mixed" "$(program known)"
	rows instructions:u 1 "value == $known && spread == 0"
	rows cycles:u 1 "value == 2 * $known && spread == 0"
	rows task-clock 1 'value > 0'
	rows page-faults 1 'value > 0'
}

two_groups_one_run()
{
	count -e "$two_groups" "$(program known)"
	rows instructions:u 1 "value == $known"
	rows r8:u 1 "value == $known"
	rows cycles:u 1 "value == 2 * $known"
	rows r11:u 1 "value == 2 * $known"
}

two_groups_twenty_runs()
{
	count -r 20 -e "$two_groups" "$(program known)"
	rows instructions:u 1 "value == $known && spread == 0"
	rows r8:u 1 "value == $known && spread == 0"
	rows cycles:u 1 "value == 2 * $known && spread == 0"
	rows r11:u 1 "value == 2 * $known && spread == 0"
}

check "a known program reads $known instructions:u" one_run
check "a known program reads $known instructions:u in each of 20 runs" twenty_runs
check "it reads the same beside software events" mixed_one_run
check "it reads the same beside software events in each of 20 runs" mixed_twenty_runs
check "it reads the same in two groups" two_groups_one_run
check "it reads the same in two groups in each of 20 runs" two_groups_twenty_runs
