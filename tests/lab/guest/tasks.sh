# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh source-path=SCRIPTDIR/.. source=lib.sh
# All threads and children are counted until they end.
. /lab/lib.sh
plan 8 single

exact()
{
	count -e instructions:u,task-clock "$(program "$1")"
	rows instructions:u 1 "value == $(expected "$1")"
}

exact_twenty_times()
{
	count -r 20 -e instructions:u,task-clock "$(program "$1")"
	rows instructions:u 1 "value == $(expected "$1") && spread == 0"
	printed_no_messages
}

first_task_alone()
{
	count -i -e instructions:u "$(program "$1")"
	rows instructions:u 1 "value == $(expected "$1" first)"
}

# exact_by_thread PROGRAM N: N tasks have rows, which add up to the whole
exact_by_thread()
{
	count --per-thread -e instructions:u "$(program "$1")"
	rows instructions:u "$2" "value > 0 && running == 100"
	equal "the sum" "$(expected "$1")" "$(sum instructions:u)"
}

check "8 threads are counted exactly" exact threads
check "--per-thread of a command: 8 threads have rows, which add up exactly" exact_by_thread threads 9
check "8 threads are counted exactly in each of 20 runs" exact_twenty_times threads
check "-i counts only the first of 8 threads" first_task_alone threads
check "50 children are counted exactly" exact children
check "50 children are counted exactly in each of 20 runs" exact_twenty_times children
check "--per-thread of a command: 50 children have rows, which add up exactly" exact_by_thread children 51
check "-i counts only the parent of 50 children" first_task_alone children
