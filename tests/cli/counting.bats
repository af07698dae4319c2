#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Counts of programs that do a known number of things. Page faults are exact: without address space
# randomisation (setarch -R) each start of a program has the same number, so that two sizes differ
# by the requested number. The tests count user mode only, so any user may run them.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

pages=page-faults:u

# Counts are exact unless the kernel moves a page at that moment (compaction), and the next use of
# the page faults again. A defect of pstat would appear in every attempt.
# shellcheck disable=SC2034 # used by bats
BATS_TEST_RETRIES=2

# setarch precedes pstat, and so applies to everything that pstat starts.
without_randomisation()
{
	setarch -R true 2>/dev/null || skip "personality(ADDR_NO_RANDOMIZE) is refused here"
	# shellcheck disable=SC2317 # called by the functions of lib.bash
	timeout()
	{
		setarch -R timeout "$@"
	}
}

# least_faults OPTION... PROGRAM ARGUMENT...: the fewest page faults in five runs. A run may have
# some more if other programs make the kernel drop pages of the C library from the page cache.
least_faults()
{
	for _ in 1 2 3 4 5; do
		count "$pages" -e "$pages" "$@" || return
	done | sort -n | head -n 1
}

# faults_more OPTIONS FAULTS-ARGUMENTS: the page faults of 1000 pages minus those of 100 pages. Both
# numbers have four digits. A longer argument moves the stack, which may then need one more page.
faults_more()
{
	local few many

	# shellcheck disable=SC2086 # words
	few=$(least_faults $1 "$programs/faults" $2 0100) || return
	# shellcheck disable=SC2086 # words
	many=$(least_faults $1 "$programs/faults" $2 1000) || return
	echo $((many - few))
}

@test "page faults are exact" {
	needs_counting user
	without_randomisation
	is "900 pages more" "$(faults_more '' '')" 900
}

@test "threads and children are counted" {
	needs_counting user
	without_randomisation
	is "900 pages more, in each of 3 children too" "$(faults_more '' '-c 3')" 3600
	is "900 pages more, in each of 3 threads too" "$(faults_more '' '-t 3')" 3600
}

@test "no count of concurrent threads is lost" {
	local counted

	needs_counting user
	counted=$(count "$pages" -e "$pages" "$programs/faults" -T 8 2000)
	within "page faults of 9 times 2000 pages" 18000 "$counted" 19000
}

@test "-i counts only the first task" {
	needs_counting user
	without_randomisation
	is "900 pages more in the first of 4 processes" "$(faults_more -i '-c 3')" 900
	is "900 pages more in the first of 4 threads" "$(faults_more -i '-t 3')" 900
}

# Under load, the kernel may add a page fault to a run, so five attempts are made.
@test "every run of -r gives the same exact count as a single run" {
	local alone option

	needs_counting user
	without_randomisation
	for option in '' -i; do
		# shellcheck disable=SC2086 # words
		alone=$(least_faults $option "$programs/faults" -c 2 300)
		for _ in 1 2 3 4 5; do
			# shellcheck disable=SC2086 # words
			pstat -x, -r 25 -e "$pages" $option "$programs/faults" -c 2 300
			ends_with_status 0
			[ "$(field 4 "$pages")" != 0.00% ] || break
		done
		is "the mean of 25" "$(field 1 "$pages")" "$alone"
		is "its spread" "$(field 4 "$pages")" 0.00%
	done
}

@test "-r shows the mean of the runs" {
	local few many

	needs_counting user
	without_randomisation
	cat >alternates <<-END
		#!/bin/sh
		if mkdir odd 2>/dev/null; then
			exec $programs/faults 1000
		fi
		rmdir odd
		exec $programs/faults 2000
	END
	chmod +x alternates
	# -i leaves out the page faults of mkdir and rmdir.
	pstat -x, -i -r 2 -e "$pages" ./alternates
	within "the mean of 1000 and 2000 pages" 1500 "$(field 1 "$pages")" 1900
	# The standard error of two values is half their difference. They differ by 1000; the mean
	# is about 1600.
	within "its standard error in percent" 26 "$(field 4 "$pages" | tr -d %)" 34
}

@test "a group, a named group and separate events count the same" {
	local apart

	needs_counting user
	without_randomisation
	apart=$(count "$pages" -e "$pages" "$programs/faults" 500)
	for list in "{$pages,task-clock:u}" "{task-clock:u,$pages}" "g{$pages}" \
		"{$pages,cpu-clock:u}:u,{task-clock:u,minor-faults:u}" \
		"duration_time,{user_time,$pages}"; do
		is "page faults in $list" "$(count "$pages" -e "$list" "$programs/faults" 500)" "$apart"
	done
}

@test "page faults are the sum of minor and major faults" {
	needs_counting user
	pstat -x, -e "{$pages,minor-faults:u,major-faults:u}" "$programs/faults" 500
	ends_with_status 0
	is "minor + major" $(($(field 1 minor-faults:u) + $(field 1 major-faults:u))) \
		"$(field 1 "$pages")"
}

@test "an event counts the same by each of its names, by its number and by its PMU" {
	local expected name

	needs_counting user
	without_randomisation
	expected=$(count "$pages" -e "$pages" "$programs/faults" 500)
	for name in faults:u 1:2:u software/config=2/u software/config=0x2/:u; do
		is "$name" "$(count "$name" -e "$name" "$programs/faults" 500)" "$expected"
	done
}

@test "--all-user counts as :u on every event" {
	needs_counting user
	without_randomisation
	is "page faults" "$(count page-faults --all-user -e page-faults "$programs/faults" 500)" \
		"$(count "$pages" -e "$pages" "$programs/faults" 500)"
}

@test "kernel-only events are not supported in user mode, so no gate passes because of a 0" {
	local reason="it happens only in the kernel, so its count in user mode is always 0; omit :u and --all-user"

	needs_counting user
	pstat -x, --all-user -v -e "cs,migrations,$pages" true
	ends_with_status 0
	is "switches" "$(field 1 cs) $(field 1 migrations)" "<not supported> <not supported>"
	within "page faults" 1 "$(field 1 "$pages")" 100000
	grep -qx "pstat: cs, migrations: not supported: $reason" err || fail "no reason" "$(<err)"
	pstat --strict -e "{cs:u,$pages}" touch started
	ends_with_status 125
	[ ! -e started ] || fail "the command was started"
	pstat -e cs:u -r 2 --fail-if 'cs:u>+1' -c 'touch started' -c true
	ends_with_status 125
	says "pstat: --fail-if 'cs:u>+1': $reason; use 'task-clock>+5%'"
}

@test "a clock counts all modes whatever its modifiers, and a note names the split times" {
	local name

	needs_counting kernel
	pstat --all-user -e task-clock true
	! grep '^pstat:' err || fail "a note about a clock that is not narrowed"
	for name in task-clock:u task-clock:k cpu-clock:u; do
		pstat -e "$name,faults:uk,faults:u" true
		ends_with_status 0
		grep -qx "pstat: $name: a clock counts all modes; use user_time and system_time" err ||
			fail "no note" "$(<err)"
		grep -qE '^ +[0-9]+ +faults:uk +# .*/sec' err || fail "no rate" "$(<err)"
		grep -qE '^ +[0-9]+ +faults:u *$' err || fail "a rate over the time of all modes" "$(<err)"
		pstat -a -e "$name" true
		! grep 'use user_time' err || fail "the command's times as a remedy for -a"
		pstat --explain "$name"
		grep -qE "^counts +$name of PMU software in all modes, " out || fail "the modes" "$(<out)"
	done
}

@test "a group that the kernel cannot return in one read is refused with that reason" {
	local list

	needs_counting user
	list=$(printf 'faults:u,%.0s' {1..1030})
	pstat -e "{${list%,}}" true
	ends_with_status 0
	grep -qx 'pstat: faults:u: not supported: one read of the 1030 events of this group exceeds the kernel.s 16 KiB: split the group' err ||
		fail "no reason" "$(grep '^pstat' err)"
}

@test "a note reports that the modifier I does not affect counts" {
	needs_counting user
	pstat -e faults:uI,cs:I,faults:u true
	grep -qx 'pstat: faults:uI, cs:I: modifier I does not affect counts' err || fail "no note" "$(<err)"
}

@test "--all-kernel counts only the kernel" {
	needs_counting kernel
	pstat -x, -e page-faults,page-faults:k "$programs/faults" 500
	within "page faults that the kernel had itself" 0 "$(field 1 page-faults:k)" 400
	pstat -x, --all-kernel -e page-faults "$programs/faults" 500
	within "page faults that the kernel had itself" 0 "$(field 1 page-faults)" 400
}

@test "a program that sleeps N times has at least N context switches" {
	local counted

	needs_counting kernel
	counted=$(count cs -e cs "$programs/busy" -s 300)
	within "context switches" 300 "$counted" 100000
	counted=$(count cs -i -e cs "$programs/busy" -s 300)
	within "context switches with -i" 300 "$counted" 100000
	counted=$(count cs -e cs "$programs/busy" -s 0)
	within "context switches of no sleep" 0 "$counted" 299
}

@test "task-clock is the CPU time of the command" {
	local used

	needs_counting kernel
	pstat -x, -e task-clock,cpu-clock,user_time,system_time,duration_time "$programs/busy" 200
	ends_with_status 0
	within "task-clock in ms" 190 "$(field 1 task-clock)" \
		$(($(field 1 duration_time) / 1000000 + 1))
	used=$((($(field 1 user_time) + $(field 1 system_time)) / 1000000))
	within "user and system time in ms" 190 "$used" $(($(field 1 duration_time) / 1000000 + 10))
	within "task-clock, where the system says $used ms" $((used * 3 / 4)) \
		"$(field 1 task-clock)" 1000000
	within "cpu-clock in ms" 190 "$(field 1 cpu-clock)" 1000000
}

@test "a sleep takes elapsed time but no CPU time" {
	needs_counting user
	pstat -x, -e task-clock:u,duration_time,user_time,system_time sleep 0.3
	ends_with_status 0
	within "duration in ns" 300000000 "$(field 1 duration_time)" 60000000000
	within "CPU time in ms" 0 "$(field 1 task-clock:u)" 290
	within "user time in ns" 0 "$(field 1 user_time)" 290000000
	within "system time in ns" 0 "$(field 1 system_time)" 290000000
}

@test "a PMU of sysfs counts: the time stamp counter advances while the command runs" {
	needs_counting kernel
	[ -e /sys/bus/event_source/devices/msr/events/tsc ] || skip "this machine has no msr/tsc/"
	# every machine's counter has at least 100 MHz
	within "msr/tsc/ in 200 ms of CPU time" 20000000 "$(count msr/tsc/ -e msr/tsc/ "$programs/busy" 200)" 1000000000000
}

@test "a row has the name= of the event, or the spelling of the user" {
	local name

	needs_counting user
	for name in faults:u page-faults:uS 'software/config=2,name=mine/u' 1:2:u 1:0x2:u; do
		pstat -x\; -e "duration_time,$name,user_time" true
		ends_with_status 0
		is "the rows' names" "$(cut -d\; -f3 err)" "duration_time
$(case $name in *name=mine*) echo mine ;; *) echo "$name" ;; esac)
user_time"
	done
}

@test "rows are in the order of the events, even with several -e" {
	pstat -x, -e user_time,duration_time -e system_time -e duration_time true
	ends_with_status 0
	is "the rows' names" "$(cut -d, -f3 err)" "user_time
duration_time
system_time
duration_time"
}

@test "the tool's own events agree with each other" {
	pstat -x, -e duration_time,user_time,system_time "$programs/busy" 100
	ends_with_status 0
	within "duration in ns" 100000000 "$(field 1 duration_time)" 60000000000
	within "user and system time in ns" 99000000 $(($(field 1 user_time) + $(field 1 system_time))) \
		$(($(field 1 duration_time) + 10000000))
	is "the unit" "$(field 2 duration_time)" ns
}

@test "with any limit of descriptors, events are counted or reported, and pstat reacts to signals" {
	local n

	needs_counting user
	for n in {12..24}; do
		status=0
		(
			ulimit -Sn "$n"
			exec "$bare_pstat" -x, -I 20 --summary -e page-faults:u,dummy:u,task-clock:u sleep 0.03
		) >out 2>err 3>&- || status=$?
		ends_with_status 0
		is "messages at $n" "$(grep '^pstat:' err || true)" ""
	done
	mkfifo "$BATS_TEST_TMPDIR/ctl"
	for n in {9..16}; do
		status=0
		(
			ulimit -n "$n"
			exec timeout -s KILL "$patience" "$bare_pstat" -x, --control "fifo:$BATS_TEST_TMPDIR/ctl" \
				-e page-faults:u,dummy:u,task-clock:u sleep 0.01
		) >out 2>err 3>&- || status=$?
		ends_with_status 0
	done
}

@test "more events than the soft limit of descriptors are counted, and the command keeps the limit" {
	local list

	needs_counting user
	list=$(printf 'page-faults:u,%.0s' {1..60})
	[ "$(ulimit -Hn)" = unlimited ] || [ "$(ulimit -Hn)" -gt 200 ] ||
		skip "the hard limit of descriptors is $(ulimit -Hn)"
	status=0
	"$programs/launch" -n 40 "$bare_pstat" -x, -e "${list%,}" \
		sh -c 'ulimit -Sn' >out 2>err || status=$?
	ends_with_status 0
	is "the command's limit" "$(<out)" 40
	is "counted rows" "$(grep -c '^[1-9][0-9]*,,page-faults:u,' err)" 60
}
