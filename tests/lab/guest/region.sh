# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh source-path=SCRIPTDIR/.. source=lib.sh
# A program that enables the counters itself, with pstat-region.h, counts its region and little
# more: the return from the call that enables them, and the call that disables them.
. /lab/lib.sh
plan 6 single

# The limit for these additional instructions of one region. There were 100 when this was written.
ways=200

# region PROGRAM REGIONS: check that the count has the instructions of its regions, and at most
# $ways more
region()
{
	rows instructions:u 1 "value >= $(expected "$1") && value <= $(expected "$1") + $2 * $ways"
	rows cycles:u 1 "value >= 2 * $(expected "$1")"
}

one_region()
{
	count --control region -e instructions:u,cycles:u "$(program region)"
	region region 1
	printed_no_messages
}

hundred_regions()
{
	count --control region -e instructions:u,cycles:u "$(program regions)"
	region regions 100
	printed_no_messages
}

repeated()
{
	count -r 5 --control region -e instructions:u,cycles:u "$(program region)"
	region region 1
	rows instructions:u 1 'spread >= 0 && spread < 0.1'
}

by_fifo()
{
	mkfifo "$tmp/ctl" "$tmp/ack"
	count -D -1 --control "fifo:$tmp/ctl,$tmp/ack" -e instructions:u,cycles:u \
		"$(program region)"
	region region 1
}

# Without a call, the counters remain disabled.
never_enabled()
{
	count --control region -e instructions:u "$(program known)"
	rows instructions:u 1 'value <= 0'
}

without_pstat()
{
	"$(program region)"
	"$(program regions)"
}

check "--control region counts the region and at most $ways more instructions" one_region
check "100 regions in one run" hundred_regions
check "the region in each of 5 runs" repeated
check "--control fifo: from inside the program" by_fifo
check "--control region counts nothing if the program never calls" never_enabled
check "the program also runs without pstat" without_pstat
