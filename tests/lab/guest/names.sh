# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh source-path=SCRIPTDIR/.. source=lib.sh
# All names of one event count the same.
. /lab/lib.sh
plan 10 single

known=$(expected known)
pmu=/sys/bus/event_source/devices/armv8_pmuv3

counts_the_known()
{
	count -e "$1" "$(program known)"
	rows "$1" 1 "value == $known"
}

all_at_once()
{
	count -e instructions:u,INST_RETIRED:u,armv8_pmuv3/inst_retired/u,r8:u,0:1:u \
		"$(program known)"
	for event in instructions:u INST_RETIRED:u armv8_pmuv3/inst_retired/u r8:u 0:1:u; do
		rows "$event" 1 "value == $known"
	done
}

check "generic: instructions:u" counts_the_known instructions:u
check "libpfm4: INST_RETIRED:u" counts_the_known INST_RETIRED:u
check "libpfm4 with its PMU: arm_ac57::INST_RETIRED:u" counts_the_known arm_ac57::INST_RETIRED:u
check "sysfs event: armv8_pmuv3/inst_retired/u" counts_the_known armv8_pmuv3/inst_retired/u
check "sysfs term: armv8_pmuv3/event=0x8/u" counts_the_known armv8_pmuv3/event=0x8/u
check "raw: r8:u" counts_the_known r8:u
check "type and config of the generic event: 0:1:u" counts_the_known 0:1:u
check "type and config of a raw event: 4:0x8:u" counts_the_known 4:0x8:u
check "type and config of the PMU: its number in sysfs" counts_the_known "$(cat "$pmu/type"):0x8:u"
check "five of these names in one run agree" all_at_once
