#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Function probes of a command with children: if pstat can write to tracefs, all tasks are counted;
# otherwise only the first task. Each test mounts or unmounts tracefs in its own mount namespace.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

pie=$programs/calls
probe=uprobe:$pie:called

# Shell commands that run in their own mount namespace.
mount_tracefs='mountpoint -q /sys/kernel/tracing || mount -t tracefs nodev /sys/kernel/tracing'
# shellcheck disable=SC2016 # for the other shell
unmount_tracefs='while folder=$(grep -m 1 -E " (tracefs|debugfs) " /proc/self/mounts | cut -d " " -f 2)
	[ -n "$folder" ]; do umount -l "$folder" || exit; done'

# needs_mounts COMMANDS: run COMMANDS before each pstat of the test, which writes its PID to the
# file pid. run_by: a program to run instead of $PSTAT.
needs_mounts()
{
	needs_probes
	unshare -m sh -c "$1" 2>err || skip "tracefs cannot be mounted or unmounted here: $(<err)"
	cat >mounted-pstat <<-END
		#!/bin/sh
		exec unshare -m sh -c 'echo \$\$ >pid; $1; exec "\$@"' sh ${run_by:-$PSTAT} "\$@"
	END
	chmod +x mounted-pstat
	PSTAT=$PWD/mounted-pstat
}

needs_tracefs()
{
	needs_mounts "$mount_tracefs"
}

# groups [PID]: print the event groups in tracefs of pstat PID, by default of the last one
groups()
{
	unshare -m sh -c "$mount_tracefs; ls /sys/kernel/tracing/events" | grep "^pstat_${1:-$(<pid)}_" || true
}

# leaves_nothing [PID]: check that no event group of pstat PID remains
leaves_nothing()
{
	is "the groups in tracefs" "$(groups "$@")" ""
}

@test "a probe counts each process that the command starts, in each of several runs" {
	local event option begin count

	needs_tracefs
	for event in "$probe" "$probe+0:u" "uretprobe:$pie:called"; do
		for option in '' '-r 3' '--pre true -r 2' '-D 1 -I 20 --summary' '--no-multiplex'; do
			begin=
			# until pstat has enabled the probe, and printed an interval
			[[ $option != -D* ]] || begin='until grep -q , err; do sleep 0.02; done'
			# shellcheck disable=SC2086 # words
			pstat -v -x, $option -e "$event" sh -c "$begin
				$pie 1000; ($pie 1000); exec $pie 30"
			ends_with_status 0
			count=$(field 1 "$event")
			[[ $option != -D* ]] || count=$(awk -F, '/summary/ { print $2 }' err)
			is "calls, $option" "$count" 2030
			is "notes, $option" "$(grep -c '^pstat:' err || true)" 0
			case $option in
			*-r*) is "spread, $option" "$(field 4 "$event")" 0.00% ;;
			esac
			leaves_nothing
		done
	done
	pstat -x, -i -e "$probe" sh -c "$pie 1000; exec $pie 30"
	is "calls of the first task" "$(field 1 "$probe")" 30
}

@test "a probe counts each thread that the command starts" {
	local event=uprobe:$programs/faults:thread

	needs_tracefs
	pstat -x, -r 2 -e "$event" "$programs/faults" -t 40 1
	is "one after the other" "$(field 1 "$event")" 40
	pstat -x, -r 2 -e "$event" "$programs/faults" -T 8 1
	is "all at once" "$(field 1 "$event")" 8
}

# On one CPU, the kernel swaps the events of parent and child when it switches between them.
@test "a probe counts a process after its children have ended" {
	local cpu

	needs_tracefs
	cpu=$(taskset -cp $$ | sed 's/.*[ ,-]//')
	cat >parent.c <<-'END'
		#include <sys/wait.h>
		#include <unistd.h>
		__attribute__((noinline)) void called(void) { __asm__ volatile("" ::: "memory"); }
		int main(void)
		{
			for (int i = 0; i < 30; i++) {
				if (fork() == 0) {
					called();
					_exit(0);
				}
				wait(0);
				called();
			}
		}
	END
	${CC:-cc} -o parent parent.c || skip "no compiler"
	pstat -x, -r 3 -e uprobe:./parent:called taskset -c "$cpu" sh -c './parent; exec ./parent'
	ends_with_status 0
	is "calls" "$(field 1 uprobe:./parent:called)" 120
}

@test "a group with probes counts all its events in all processes" {
	needs_tracefs
	pstat -x, -r 2 -e "{page-faults,$probe,uretprobe:$pie:called_half}" -e "$probe" \
		sh -c "$programs/faults -c 3 1000; $pie 1000; $pie 10; :"
	ends_with_status 0
	is "calls" "$(grep "$probe" err | cut -d, -f 1 | tr '\n' ' ')" "1010 1010 "
	is "returns" "$(field 1 "uretprobe:$pie:called_half")" 505
	within "page faults" 4000 "$(field 1 page-faults)" 20000
}

@test "each compared command has its own count" {
	needs_tracefs
	pstat --format csv -r 2 -e "$probe" -c "sh -c '$pie 10; $pie 20; :'" -c "$pie 7"
	ends_with_status 0
	grep -q ",30," out && grep -q ",7," out || fail "not 30 and 7" "$(<out)"
	leaves_nothing
}

@test "commands of different ABIs are not compared by the name of a library" {
	needs_probes
	cp "$pie" other
	printf '\1' | dd of=other bs=1 seek=4 conv=notrunc 2>/dev/null # the class of the ELF file
	cmp -s "$pie" other && skip "the programs are of this class already"
	pstat -r 2 -e uprobe:libc.so.6:malloc -c "$pie 1" -c ./other
	ends_with_status 125
	grep -q 'libc.so.6: the compared commands have different ABIs; give the path of the library' err ||
		fail "$(<err)"
}

@test "-p counts threads and processes that are created later" {
	needs_tracefs
	serve one
	begin -x, -e uprobe:./one:called -p "${server[one]}"
	ask one threads 2 10
	ask one fork 10
	ask one call 7
	tell stop
	finish
	ends_with_status 0
	is "calls" "$(field 1 uprobe:./one:called)" 37
	leaves_nothing
}

@test "the path of a probed file may contain blanks, # and newlines" {
	local name=$'a b#c\nd'

	needs_tracefs
	cp "$pie" "$name"
	cp "$programs/libcalled.so" .
	pstat -x, -e "uprobe:./$name:called" sh -c './a*d 20; ./a*d 30; :'
	ends_with_status 0
	is "calls" "$(grep -c ^50, err)" 1
}

@test "no event stays in tracefs when the command does not start or the events are refused" {
	needs_tracefs
	pstat -e "$probe" ./nonesuch
	ends_with_status 127
	leaves_nothing
	pstat --strict -e "$probe,cs" -e r0:D --pre ./nonesuch true
	leaves_nothing
	pstat -e "$probe" -o /nonexistent/file true
	ends_with_status 125
	leaves_nothing
	pstat --explain "$probe"
	leaves_nothing
}

@test "no event stays in tracefs after a signal" {
	local name

	needs_tracefs
	for name in INT TERM HUP; do
		begin -e "$probe" sh -c "while :; do $pie 10 & $pie 10; done"
		[ -n "$(groups)" ] || fail "there is no event while pstat runs"
		kill -s "$name" "$pstat_pid"
		finish
		leaves_nothing
	done
}

# Not under valgrind, which reports the memory of a process that a signal ends.
@test "no event of --explain stays in tracefs after a signal" {
	local run_by=$bare_pstat

	needs_tracefs
	# the kernel waits for all CPUs each time that an event is closed or removed
	printf "uprobe:$pie:called\n%.0s" {1..400} >names
	xargs "$PSTAT" --explain <names >out 2>err 3>&- &
	pstat_job=$!
	# shellcheck disable=SC2016 # for eval
	eventually '[ -s pid ] && [ -n "$(groups)" ]'
	kill -s TERM "$(<pid)"
	finish
	leaves_nothing
	is "standard output" "$(<out)" ""
}

@test "the events of a killed pstat are removed by the next one, those of a running pstat stay" {
	local first

	needs_tracefs
	begin -e "$probe" sh -c 'echo $$ >child; exec sleep 1000'
	eventually '[ -s child ]'
	first=$pstat_pid
	# after the kill, any pstat of the machine may remove the event
	[ -n "$(groups "$first")" ] || fail "there is no event while pstat runs"
	kill -KILL "$first" "$(<child)"
	finish
	mkfifo go
	begin -x, -e "$probe" sh -c "read -r line <go; $pie 10; $pie 20; :"
	is "the group of the killed one" "$(groups "$first")" ""
	first=$pstat_pid
	mkdir second
	(
		cd second
		pstat -x, -e "$probe" sh -c "$pie 1; $pie 2; :"
		is "calls of the second" "$(field 1 "$probe")" 3
		leaves_nothing
	)
	[ -n "$(groups "$first")" ] || fail "the event of the first pstat is gone"
	echo >go
	finish
	is "calls of the first" "$(field 1 "$probe")" 30
	is "the group of the first" "$(groups "$first")" ""
}

@test "a pstat with the same PID in another PID namespace has its own events" {
	local i

	needs_tracefs
	unshare -pf --mount-proc true 2>err || skip "no PID namespace here: $(<err)"
	# Some of them start within the same clock tick (1/CLK_TCK s), so that their start times are
	# equal.
	unshare -m sh -c "$mount_tracefs
		for i in 1 2 3 4; do
			unshare -pf --mount-proc $bare_pstat -v -x, -e $probe \
				sh -c '$pie 10; $pie 20; sleep 0.3' >out 2>err\$i &
		done
		wait" 3>&-
	for i in 1 2 3 4; do
		is "the messages of $i" "$(grep '^pstat:' "err$i" || true)" ""
		is "calls of $i" "$(field 1 "$probe" "err$i")" 30
	done
	leaves_nothing 1
}

@test "the events of a killed pstat are removed while it is a zombie" {
	local zombie

	needs_tracefs
	cat >keep-zombie <<-END
		#!/bin/sh
		# The shell starts pstat, and then becomes a program that does not wait for pstat.
		$PSTAT -e '$probe' sh -c 'echo \$\$ >child; exec sleep 1000' &
		exec sleep 1000
	END
	chmod +x keep-zombie
	./keep-zombie >out 2>err </dev/null 3>&- &
	pstat_job=$!
	eventually '[ -s child ]'
	zombie=$(<pid)
	[ -n "$(groups "$zombie")" ] || fail "there is no event while pstat runs"
	kill -KILL "$zombie" "$(<child)"
	# shellcheck disable=SC2016 # for eval
	eventually 'grep -q "^State:.Z" /proc/$zombie/status'
	pstat -x, -e "$probe" sh -c "$pie 1; $pie 2; :"
	is "calls" "$(field 1 "$probe")" 3
	is "the group of the zombie" "$(groups "$zombie")" ""
}

@test "without tracefs only the first task is counted, a note says so, and children start" {
	local reason="new threads and processes are not counted: tracefs is not mounted: mount -t tracefs nodev /sys/kernel/tracing"

	needs_mounts "$unmount_tracefs"
	pstat -v -x, -e "$probe" sh -c "$pie 1000; ($pie 1000); exec $pie 30"
	ends_with_status 0
	is "the messages" "$(grep '^pstat:' err)" "pstat: $probe: $reason"
	is "calls of the first task" "$(field 1 "$probe")" 30
	pstat -v -x, -i -e "$probe" "$pie" 30
	is "messages with -i" "$(grep -c '^pstat:' err || true)" 0
	pstat -x, -e "{$probe,page-faults}" "$programs/faults" -c 3 -T 3 100
	ends_with_status 0
}

@test "without tracefs a count of 0 is <not counted> if children ran" {
	local command

	needs_mounts "$unmount_tracefs"
	for command in "$pie 1000; :" "$programs/faults -t 2 10; :" "$programs/faults -c 2 10"; do
		pstat -v -x, -e "$probe" sh -c "$command"
		ends_with_status 0
		is "the row of $command" "$(field 1 "$probe")" "<not counted>"
		is "messages" "$(grep -c ': new threads and processes are not counted: tracefs' err)" 1
	done
	pstat -x, -I 5 -e "$probe" sh -c "$pie 1; exec sleep 0.02"
	is "the last interval" "$(tail -n 1 err | cut -d, -f 2,4)" \
		"<not counted>,$probe"
	pstat -e "$probe" -r 2 --fail-if "$probe>+1%" -c "sh -c '$pie 1; :'" -c "sh -c '$pie 2; :'"
	ends_with_status 2
	for command in "$pie 0" "$programs/busy -s 1"; do
		pstat -x, -r 2 -e "$probe" sh -c "exec $command"
		is "the row of $command" "$(field 1 "$probe")" 0
	done
}

@test "without tracefs, -p counts only the threads that exist" {
	needs_mounts "$unmount_tracefs"
	serve one
	begin -x, -e uprobe:./one:called,page-faults -p "${server[one]}"
	ask one threads 2 10
	ask one fork 10
	ask one call 7
	tell stop
	finish
	ends_with_status 0
	is "calls of the thread that was there" "$(field 1 uprobe:./one:called)" 7
	within "page faults of all" 37 "$(field 1 page-faults)" 10000
	begin -x, -e uprobe:./one:called -p "${server[one]}"
	ask one fork 10
	tell stop
	finish
	is "the row without calls of its own" "$(field 1 uprobe:./one:called)" "<not counted>"
	begin -x, -D -1 -e uprobe:./one:called -p "${server[one]}"
	ask one fork 10
	tell enable
	ask one call 0
	tell disable
	ask one fork 10
	tell stop
	finish
	is "the row if children ran only while nothing was counted" \
		"$(field 1 uprobe:./one:called)" 0
}

@test "a note reports a read-only tracefs" {
	needs_mounts "$mount_tracefs; mount --bind /sys/kernel/tracing /sys/kernel/tracing;
		mount -o remount,bind,ro /sys/kernel/tracing"
	pstat -v -x, -e "$probe" sh -c "$pie 1000; exec $pie 30"
	ends_with_status 0
	is "the messages" "$(grep '^pstat:' err)" \
		"pstat: $probe: new threads and processes are not counted: tracefs is mounted read-only: remount it read-write"
	is "calls of the first task" "$(field 1 "$probe")" 30
}

@test "a note reports that root may not write to tracefs" {
	local error

	needs_tracefs
	needs_command strace
	strace -o /dev/null true 2>/dev/null || skip "strace may not trace here"
	for error in EPERM EACCES; do
		status=0
		ASAN_OPTIONS=detect_leaks=0 		unshare -m sh -c "$mount_tracefs"'; exec "$@"' sh strace -qq -o trace \
			-P /sys/kernel/tracing/uprobe_events -e trace=openat -e "inject=openat:error=$error" \
			"$bare_pstat" -v -x, -e "$probe" "$pie" 30 >out 2>err </dev/null || status=$?
		ends_with_status 0
		is "the messages" "$(grep '^pstat:' err)" \
			"pstat: $probe: new threads and processes are not counted: kernel lockdown or the container forbids root to write to tracefs"
		is "calls of the first task" "$(field 1 "$probe")" 30
	done
}

@test "--explain and counting agree on whether a probe counts children" {
	needs_mounts "$unmount_tracefs"
	pstat --explain "$probe"
	ends_with_status 0
	grep -q ', for the first task of the command only (tracefs is not mounted: ' out || fail "$(<out)"
	grep -q '^kernel  *accepts it$' out || fail "$(<out)"
	PSTAT=$bare_pstat
	needs_tracefs
	pstat --explain "$probe"
	ends_with_status 0
	grep -q ', for the command and everything it starts$' out || fail "$(<out)"
}

@test "a note says so if the hits of uprobes take a noticeable part of the run" {
	needs_probes
	pstat -e "$probe" "$pie" 100000
	ends_with_status 0
	grep -qE '^pstat: uprobes: 100000 hits in a run; at 1 to 10 us each, [0-9]+ to [0-9]+ % of the run$' err ||
		fail "no note:" "$(<err)"
	pstat -e "$probe" "$pie" 5000
	! grep -q '^pstat: uprobes' err || fail "a note about 5000 hits:" "$(<err)"
	pstat -e "$probe" sh -c "$pie 11000; sleep 3"
	! grep -q '^pstat: uprobes' err || fail "a note about 4 % of a run:" "$(<err)"
}
