# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh source-path=SCRIPTDIR/.. source=lib.sh
# Groups that fit into the PMU, and groups that do not.
. /lab/lib.sh
plan 6 single

known=$(expected known)
long=$(expected long)
six=instructions:u,instructions:u,instructions:u,instructions:u,instructions:u,instructions:u
eight=$six,instructions:u,instructions:u

largest_group()
{
	count -e "{$six,cycles:u}" "$(program known)"
	rows instructions:u 6 "value == $known && running == 100"
	rows cycles:u 1 "value == 2 * $known && running == 100"
}

too_large_group()
{
	count -e "{$eight}" "$(program known)"
	rows instructions:u 8 'state == "<not supported>"'
	said '\b8 counters'
	said '\b6 of'
}

too_large_group_with_others()
{
	count -e "{$eight},r8:u" "$(program known)"
	rows instructions:u 8 'state == "<not supported>"'
	rows r8:u 1 "value == $known"
}

weak_group()
{
	count -e "{$eight}:W" "$(program long)"
	rows instructions:u 8 "near(value, $long) && running < 100"
}

unsupported_leader()
{
	count -e '{branch-misses:u,instructions:u,cycles:u}' "$(program known)"
	rows branch-misses:u 1 'state == "<not supported>"'
	rows instructions:u 1 "value == $known"
	rows cycles:u 1 "value == 2 * $known"
	said branch-misses
}

unsupported_member()
{
	count -e '{instructions:u,branch-misses:u,cycles:u}' "$(program known)"
	rows branch-misses:u 1 'state == "<not supported>"'
	rows instructions:u 1 "value == $known"
	rows cycles:u 1 "value == 2 * $known"
	said branch-misses
}

check "a group of 7 fills the PMU and is exact" largest_group
check "a group of 8 is refused with the counter budget named" too_large_group
check "an event next to a refused group is counted" too_large_group_with_others
check "a weak group of 8 is counted, each event separately" weak_group
check "the members of a group with an unsupported leader are counted" unsupported_leader
check "the other events of a group with an unsupported member are counted" unsupported_member
