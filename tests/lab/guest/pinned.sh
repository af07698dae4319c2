# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh source-path=SCRIPTDIR/.. source=lib.sh
# A pinned event has a counter all the time, or an error: never for a part of the time, never a
# false 0.
. /lab/lib.sh
plan 4 single

long=$(expected long)
medium=$(expected medium)
four=r8:u,r8:u,r8:u,r8:u
six_pinned=r8:uD,r8:uD,r8:uD,r8:uD,r8:uD,r8:uD

pinned_alone()
{
	count -e instructions:uD "$(program medium)"
	rows instructions:uD 1 "value == $medium && running == 100"
}

pinned_among_twelve()
{
	count -e "$four,$four,$four,instructions:uD" "$(program long)"
	rows instructions:uD 1 "value == $long && running == 100"
	rows r8:u 12 "near(value, $long) && running < 100"
}

# A pinned event without a counter enters an error state, in which read() returns 0 bytes.
one_pinned_too_many()
{
	count -e "$six_pinned,instructions:uD" "$(program medium)"
	rows r8:uD 6 "value == $medium && running == 100"
	rows instructions:uD 1 'state == "<not counted>"'
	said 'instructions:uD'
	said 'pinned'
}

pinned_group_with_pinned_events()
{
	count -e "$six_pinned,{instructions:u,r8:u}:D" "$(program medium)"
	rows r8:uD 6 "value == $medium && running == 100"
	rows instructions:u 1 'state == "<not counted>"'
	rows r8:u 1 'state == "<not counted>"'
	said 'pinned'
}

check "a pinned event is exact" pinned_alone
check "a pinned event among 12 others runs all the time and is exact" pinned_among_twelve
check "a pinned event without a counter is <not counted>, with the reason" one_pinned_too_many
check "each event of a pinned group without counters is <not counted>" pinned_group_with_pinned_events
