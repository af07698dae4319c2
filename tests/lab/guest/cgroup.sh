# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh source-path=SCRIPTDIR/.. source=lib.sh
# Cgroups of version 2; the last test has version 1. A program enters its cgroup by itself, and then
# executes a known number of instructions: once in lab-a, twice in lab-a/inner below it, and four
# times in lab-b.
. /lab/lib.sh
plan 14 single

once=$(expected entering)
mount=/sys/fs/cgroup
entering=$(program entering)

make_cgroups()
{
	mkdir "$mount/lab-a" "$mount/lab-a/inner" "$mount/lab-b" "$mount/empty"
	for cgroup in lab-a lab-a/inner lab-a/inner lab-b lab-b lab-b lab-b; do
		echo "$entering $mount/$cgroup/cgroup.procs"
	done >"$tmp/entering"
}

remove_cgroups()
{
	rmdir "$mount/lab-a/inner" "$mount/lab-a" "$mount/lab-b" "$mount/empty"
}

# cgroup NAME TIMES EVENT: check the row of EVENT in this cgroup
cgroup()
{
	rows "$3" 1 "value == $2 * $once && running == 100" "cgroup == \"$1\""
}

each_of_two()
{
	count -a --for-each-cgroup lab-a,lab-b -e instructions:u,r8:u sh "$tmp/entering"
	for event in instructions:u r8:u; do
		rows $event 2 'place == "" && cpus == -1'
		cgroup lab-a 3 $event
		cgroup lab-b 4 $event
	done
}

nested()
{
	count -a --for-each-cgroup lab-a,lab-a/inner -e instructions:u sh "$tmp/entering"
	cgroup lab-a 3 instructions:u
	cgroup lab-a/inner 2 instructions:u
}

pattern()
{
	count -a --for-each-cgroup '^lab-.*' -e instructions:u sh "$tmp/entering"
	rows instructions:u 3 1
	cgroup lab-a 3 instructions:u
	cgroup lab-a/inner 2 instructions:u
	cgroup lab-b 4 instructions:u
}

groups_of_events()
{
	count -a --for-each-cgroup lab-a,lab-b -e '{instructions:u,cycles:u},r8:u' \
		sh "$tmp/entering"
	cgroup lab-a 3 instructions:u
	cgroup lab-b 4 instructions:u
	rows cycles:u 1 "value == 2 * 3 * $once" 'cgroup == "lab-a"'
	rows cycles:u 1 "value == 2 * 4 * $once" 'cgroup == "lab-b"'
	cgroup lab-b 4 r8:u
}

one_for_each_event()
{
	count -a -e instructions:u,r8:u -G lab-a,lab-b sh "$tmp/entering"
	cgroup lab-a 3 instructions:u
	cgroup lab-b 4 r8:u
	rows instructions:u 1 1
	rows r8:u 1 1
}

one_for_all_events()
{
	count -a -e instructions:u,r8:u -G lab-b sh "$tmp/entering"
	cgroup lab-b 4 instructions:u
	cgroup lab-b 4 r8:u
}

none_for_an_event()
{
	count -a -e instructions:u,r8:u -G lab-a, sh "$tmp/entering"
	cgroup lab-a 3 instructions:u
	rows r8:u 1 "cgroup == \"\" && value > 7 * $once"
}

split_by_cpu()
{
	count -a -A --for-each-cgroup lab-a,lab-b -e instructions:u sh "$tmp/entering"
	rows instructions:u 2 'place == "CPU0"'
	cgroup lab-a 3 instructions:u
	cgroup lab-b 4 instructions:u
}

some_cpus()
{
	count -C 0 --for-each-cgroup lab-b -e instructions:u sh "$tmp/entering"
	cgroup lab-b 4 instructions:u
}

nobody_inside()
{
	count -a --for-each-cgroup empty,lab-b -e instructions:u sh "$tmp/entering"
	rows instructions:u 1 'value <= 0' 'cgroup == "empty"'
	cgroup lab-b 4 instructions:u
}

# The kernel returns ENOENT, as for an event that a PMU does not have.
without_controllers()
{
	mkdir "$mount/early"
	run_pstat -a --for-each-cgroup early -e instructions:u true || :
	rmdir "$mount/early"
	said 'early.*subtree_control'
}

version_1()
{
	mount=$tmp/perf_event
	mkdir "$mount"
	mount -t cgroup -o perf_event cgroup "$mount"
	make_cgroups
	each_of_two
	nested
	remove_cgroups
	umount "$mount"
}

# Until a first controller is enabled, the kernel has events only for the topmost cgroup.
check "before a controller is enabled, the message has the remedy" without_controllers
echo +pids >"$mount/cgroup.subtree_control"
make_cgroups
check "--for-each-cgroup of two is exact" each_of_two
check "--for-each-cgroup: nested cgroups are counted in their parent, too" nested
check "--for-each-cgroup of a pattern" pattern
check "--for-each-cgroup keeps groups of events" groups_of_events
check "-G with a cgroup for each event" one_for_each_event
check "-G with one cgroup for all events" one_for_all_events
check "-G with no cgroup for an event" none_for_an_event
check "--for-each-cgroup with -A" split_by_cpu
check "--for-each-cgroup with -C" some_cpus
check "a cgroup without tasks has counted nothing" nobody_inside
check "--for-each-cgroup of an absent cgroup is refused in one line" \
	refused absent -a -e instructions:u --for-each-cgroup lab-a,absent
check "-G of an absent cgroup is refused in one line" \
	refused absent -a -e instructions:u -G absent
remove_cgroups
echo -pids >"$mount/cgroup.subtree_control"
check "cgroups of version 1" version_1
