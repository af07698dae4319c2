#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Exit statuses: that of the command, or one that shows whether pstat or the command failed.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

# Not under valgrind, where vfork(2) is fork(2). The parent would not see the errno of a failed
# exec, and valgrind would report the memory of the parent as leaks of the child.
pstat_alone()
{
	PSTAT=$bare_pstat pstat "$@"
}

@test "the status of pstat is the command's own" {
	local expected

	for expected in 0 1 2 77 124 125 126 127 255; do
		pstat -n sh -c "exit $expected"
		ends_with_status "$expected"
	done
}

@test "a command killed by signal n gives 128+n, and the signal is named" {
	local number name

	while read -r number name; do
		pstat -n sh -c "kill -$number \$\$"
		ends_with_status $((128 + number))
		is "the first line" "$(head -n 1 err)" "pstat: sh: killed by signal $number ($name)"
		grep -q 'seconds time elapsed' err || fail "no result"
	done <<-END
		6 Aborted
		9 Killed
		11 Segmentation fault
		15 Terminated
	END
}

@test "a command that is not found gives 127" {
	pstat -e page-faults:u no-such-command
	ends_with_status 127
	says "pstat: no-such-command: command not found"

	pstat -e page-faults:u ./no-such-command
	ends_with_status 127
	says "pstat: ./no-such-command: command not found"

	pstat -e page-faults:u /dev/null/command
	ends_with_status 127
	says "pstat: /dev/null/command: command not found"

	pstat -e page-faults:u ''
	ends_with_status 127
	says "pstat: : command not found"
}

@test "a folder as command gives 126" {
	mkdir folder
	pstat -e page-faults:u ./folder
	ends_with_status 126
	says "pstat: ./folder: is a directory, not a command"
}

@test "a file that is not executable gives 126" {
	echo 'exit 0' >a-file
	pstat -e page-faults:u ./a-file
	ends_with_status 126
	says "pstat: ./a-file: found, but not executable"

	PATH=$PWD:$PATH pstat -e page-faults:u a-file
	ends_with_status 126
	says "pstat: a-file: found, but not executable"
}

@test "a script without #! gives 126, with and without -i" {
	local option

	needs_counting user
	printf 'echo ran\n' >script
	chmod +x script
	for option in '' -i; do
		pstat_alone $option -e page-faults:u ./script
		ends_with_status 126
		says "pstat: ./script: the kernel cannot execute this file; a script needs a first line such as #!/bin/sh"
	done
}

@test "a script whose interpreter is missing gives 126, with and without -i" {
	local option

	needs_counting user
	printf '#!/no/such/interpreter\n' >script
	chmod +x script
	for option in '' -i; do
		pstat_alone $option -e page-faults:u ./script
		ends_with_status 126
		says "pstat: ./script: its interpreter or loader is missing"
	done
}

@test "if the command cannot start, a result file keeps its content" {
	echo before >result
	pstat -o result no-such-command
	ends_with_status 127
	is "the file" "$(<result)" before
}

@test "with -r, the first run that fails is named, ends the series, and gives its status" {
	cat >fails-second <<-'END'
		#!/bin/sh
		echo x >>runs
		[ $(wc -l <runs) -ne 2 ] || exit 7
	END
	chmod +x fails-second
	pstat -n -r 5 ./fails-second
	ends_with_status 7
	is "number of runs" "$(wc -l <runs)" 2
	is "the first line" "$(head -n 1 err)" \
		"pstat: run 2: ./fails-second: exited with status 7; the series ends here (see --ignore-failure)"
	grep -qF "stats for './fails-second' (2 runs):" err || fail "no result of 2 runs" "$(<err)"
	is "number of failed runs" "$(grep -c '^pstat: ' err)" 1
}

@test "with -r, a run that is killed ends the series and is named" {
	pstat -n -r 3 sh -c 'echo x >>runs; kill -KILL $$'
	ends_with_status 137
	is "number of runs" "$(wc -l <runs)" 1
	is "the first line" "$(head -n 1 err)" "pstat: run 1: sh: killed by signal 9 (Killed)"
}

@test "with --ignore-failure all runs are made, and the status is that of the first failure" {
	cat >fails-twice <<-'END'
		#!/bin/sh
		echo x >>runs
		case $(wc -l <runs) in
		2) exit 5 ;;
		3) exit 6 ;;
		esac
	END
	chmod +x fails-twice
	pstat -n -r 4 --ignore-failure ./fails-twice
	ends_with_status 5
	is "number of runs" "$(wc -l <runs)" 4
	is "the messages" "$(grep '^pstat: ' err)" "pstat: run 2: ./fails-twice: exited with status 5
pstat: run 3: ./fails-twice: exited with status 6"
	grep -qF "stats for './fails-twice' (4 runs):" err || fail "no result of 4 runs" "$(<err)"
}

@test "a series that cannot continue reports the finished runs" {
	cat >vanishes <<-'END'
		#!/bin/sh
		rm -f vanishes
	END
	chmod +x vanishes
	pstat_alone -n -r 3 ./vanishes
	ends_with_status 127
	grep -q '^pstat: ./vanishes: ' err || fail "not named" "$(<err)"
	grep -q 'seconds time elapsed' err || fail "no result" "$(<err)"
}

@test "an event that cannot be counted does not change the status of the command" {
	pstat -e '4294967295:1' sh -c 'exit 4'
	ends_with_status 4
	grep -q '^ *<not supported>  *4294967295:1 *$' err || fail "no such row" "$(<err)"
	is "lines with the reason" "$(grep -c '^pstat: 4294967295:1: not supported: ' err)" 1
}

@test "--strict: an event that cannot be counted gives 125 before the command starts" {
	local option

	for option in '' -i '-r 3'; do
		# shellcheck disable=SC2086 # words
		pstat_alone --strict $option -e 'page-faults:u,4294967295:1' touch started
		ends_with_status 125
		[ ! -e started ] || fail "the command was started"
		grep -qE '^pstat: --strict: [12] of 2 events cannot be counted; the command was not started$' err ||
			fail "no message:" "$(<err)"
		! grep -q elapsed err || fail "a result was printed" "$(<err)"
	done
}

@test "--strict: with events that can be counted the command runs" {
	needs_counting user
	pstat --strict -e page-faults:u touch started
	ends_with_status 0
	[ -e started ] || fail "the command was not started"
}

# fails_to CALL:ERROR ARG...: let a system call fail, and check for status 125, a message and no
# result
fails_to()
{
	PSTAT=strace pstat -qq -o trace -e "trace=${1%%:*}" -e "inject=${1%%:*}:error=${1#*:}" \
		"$bare_pstat" "${@:2}" touch started
	grep -q INJECTED trace || fail "$1 was not called"
	ends_with_status 125
	is "$1: messages" "$(grep -c '^pstat: ' err)" 1
	[ ! -e started ] || fail "$1: the command was started"
}

@test "a failure of pstat itself gives 125, not the status of a missing command" {
	needs_command strace
	strace -o /dev/null true 2>/dev/null || skip "strace may not trace here"
	without_leak_check
	fails_to signalfd4:EPERM -n
	fails_to timerfd_create:EPERM -e duration_time -I 100
	fails_to socketpair:EACCES -n -i
	fails_to sendto:EPERM -n -i
	fails_to vfork:ENOENT -n
}

@test "the message for a command that cannot be traced differs from that for one that cannot run" {
	needs_symbols
	needs_command strace
	strace -o /dev/null true 2>/dev/null || skip "strace may not trace here"
	without_leak_check
	# pstat cannot trace a process that strace already traces
	PSTAT=strace pstat -f -o trace "$bare_pstat" -e mem:written:w:u "$programs/calls" 1
	ends_with_status 125
	grep -q '^pstat: cannot trace .*/calls, to find its symbols after its exec: ' err ||
		fail "no message" "$(<err)"
}

# limited N ARG...: run pstat with at most N descriptors
limited()
{
	PSTAT=prlimit pstat "--nofile=$1:$1" "$bare_pstat" "${@:2}"
}

@test "the events leave enough descriptors for the interval, the command and the result" {
	local events=task-clock,cs,faults,migrations,dummy,minor-faults,major-faults form limit few=0

	needs_counting kernel
	needs_command prlimit
	for form in '-I 50' '--timeout 60000' '-o result' '-o result --save saved -r 2'; do
		for limit in {4..16}; do
			# shellcheck disable=SC2086 # words
			limited "$limit" $form -e duration_time true
			[ "$status" -eq 0 ] || continue # N is too low even without counters
			rm -f ran result
			# shellcheck disable=SC2086
			limited "$limit" $form -e "$events" touch ran
			ends_with_status 0
			[ -e ran ] || fail "limit $limit, $form: the command did not run"
			cat err result 2>/dev/null | grep -qE '[0-9>].*task-clock' ||
				fail "limit $limit, $form: no result" "$(<err)"
			! grep -q 'out of file descriptors' err || few=$((few + 1))
		done
	done
	within "runs with too few descriptors" 4 "$few" 52
}
