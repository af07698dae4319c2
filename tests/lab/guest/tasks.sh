# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh source-path=SCRIPTDIR/.. source=lib.sh
# All threads and children are counted until they end.
. /lab/lib.sh
plan 6 single

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

check "8 threads are counted exactly" exact threads
check "8 threads are counted exactly in each of 20 runs" exact_twenty_times threads
check "-i counts only the first of 8 threads" first_task_alone threads
check "50 children are counted exactly" exact children
check "50 children are counted exactly in each of 20 runs" exact_twenty_times children
check "-i counts only the parent of 50 children" first_task_alone children
