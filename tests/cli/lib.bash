# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Helpers for the bats files of this folder, which source this file. Each test runs in its own empty
# folder, under a time limit.
# shellcheck disable=SC2034 # used by the files that source this one

: "${PSTAT:?}" "${TOP_BUILDDIR:?}"

# pstat itself, for tests that examine its process: $PSTAT may start tests/valgrind first.
bare_pstat=${REAL_PSTAT:-$PSTAT}
programs=$TOP_BUILDDIR/tests/cli/programs
status=

# These limits only end a test that hangs. They are generous enough for a busy machine, or one that
# stops for some seconds.
BATS_TEST_TIMEOUT=$((${TEST_TIME_LIMIT:-300} * ${TEST_SLOWNESS:-1}))
patience=$((BATS_TEST_TIMEOUT / 2))

# bats sets this to 0 for each file, whatever the environment has.
BATS_TEST_RETRIES=${TEST_RETRIES:-0}

setup()
{
	cd "$BATS_TEST_TMPDIR" || return
}

# add_descendants PID: add them to $pids, without bats itself
add_descendants()
{
	local child children=()

	{ read -ra children <"/proc/$1/task/$1/children"; } 2>/dev/null || true
	for child in "${children[@]}"; do
		[ "$child" != "$bats" ] || continue
		pids+=("$child")
		add_descendants "$child"
	done
}

# Kill all processes that this test has started, including those in a session of their own.
# programs/reaper, under which tests/run starts bats, has adopted those that lost their parents.
end_processes()
{
	local reaper bats pids end=$((SECONDS + patience))

	read -r reaper bats <<<"${TEST_REAPER:-}"
	while :; do
		pids=()
		add_descendants $$
		[ -z "$reaper" ] || add_descendants "$reaper"
		[ ${#pids[@]} -gt 0 ] || return 0
		kill -KILL "${pids[@]}" 2>/dev/null || true
		wait
		((SECONDS < end)) || fail "these processes cannot be killed: ${pids[*]}" || return
		sleep 0.01
	done 2>/dev/null
}

# Run after each test, whether it passed or not. A file with more to clean up, such as folders,
# defines clean_up(), which runs after all processes of the test have ended.
teardown()
{
	end_processes
	! declare -F clean_up >/dev/null || clean_up
}
readonly -f teardown

fail()
{
	printf '%s\n' "$@" >&2
	return 1
}

# pstat ARG...: run pstat; its output goes to the files out and err, its status to $status
pstat()
{
	status=0
	timeout --foreground --kill-after=5 "$patience" "$PSTAT" "$@" >out 2>err </dev/null || status=$?
	[[ " $* " != *" -I"* ]] || set_late_note_aside
}

# Late intervals of -I depend on the machine: move the note about them from the file err to late.
set_late_note_aside()
{
	local note='pstat: -I: [0-9]+ intervals? ended late; '

	grep -E "$note" err >late || true
	[ ! -s late ] || sed -i -E "/$note/d" err
}

# until_intervals N EVENT: print shell code that waits until the file err has N intervals of EVENT.
# The command of pstat -I runs this code, so that slow machines get enough intervals.
until_intervals()
{
	echo "until [ \"\$(grep -c '$2' err)\" -ge $1 ]; do sleep 0.02; done"
}

# Print the milliseconds since the boot, rounded down to 10 ms.
uptime_ms()
{
	local seconds

	read -r seconds _ </proc/uptime
	echo "${seconds/./}0"
}

# is WHAT ACTUAL EXPECTED: fail if the two texts differ
is()
{
	[ "$2" = "$3" ] || fail "$1 is:" "$2" "but should be:" "$3"
}

# within WHAT LEAST ACTUAL MOST: fail if the number ACTUAL is not from LEAST to MOST
within()
{
	awk -v least="$2" -v actual="$3" -v most="$4" \
		'BEGIN { exit !(actual ~ /^[0-9.]+$/ && actual + 0 >= least && actual + 0 <= most) }' ||
		fail "$1 is '$3', but should be from $2 to $4"
}

ends_with_status()
{
	[ "$status" -eq "$1" ] || fail "status $status, but should be $1; standard error:" "$(<err)"
}

# says LINE...: standard error is exactly these lines, and standard output is empty
says()
{
	is "standard error" "$(<err)" "$(printf '%s\n' "$@")"
	is "standard output" "$(<out)" ""
}

# refuses MESSAGE ARG...: pstat ARG... prints only MESSAGE, exits with 125, and starts no command.
# The command in ARGs, if any, is "touch started".
refuses()
{
	pstat "${@:2}"
	ends_with_status 125
	says "pstat: $1"
	[ ! -e started ] || fail "the command was started"
}

# interrupt SIGNAL ARG...: start pstat ARG..., send SIGNAL when the file begun exists; set $status
interrupt()
{
	rm -f begun
	env --default-signal=INT "$bare_pstat" "${@:2}" >out 2>err </dev/null 3>&- &
	pstat_job=$!
	eventually '[ -e begun ]'
	kill "-$1" "$pstat_job"
	finish
}

# field N EVENT [FILE]: print field N of the line that -x, printed for EVENT
field()
{
	awk -F, -v n="$1" -v event="$2" '$3 == event { print $n }' "${3:-err}"
}

# count EVENT ARG...: print the count of EVENT from pstat -x, ARG...; ARGs must request EVENT
count()
{
	pstat -x, "${@:2}"
	ends_with_status 0 && field 1 "$1"
}

# counted ARG...: run pstat ARG..., up to four times if SIGTRAP kills the command. In a virtual
# machine, a command that moves between CPUs sometimes gets the trap of a breakpoint that the kernel
# has already removed. On Linux 6.18, this happened with perf stat and pstat in 3 of 130 commands
# that move all the time.
counted()
{
	local tries=0

	pstat "$@"
	while [ "$status" -eq $((128 + 5)) ] && ((++tries < 4)); do
		pstat "$@"
	done
	ends_with_status 0
}

# counts_exactly N EVENT ARG...: check that EVENT counts N in one run, in three runs, and with -i
counts_exactly()
{
	local option

	for option in '' -i '-r 3' '-i -r 3'; do
		# shellcheck disable=SC2086 # words
		counted -x, $option -e "$2" "${@:3}"
		is "$2 $option of ${*:3}" "$(field 1 "$2")" "$1"
		case $option in
		*-r*) is "$2: the spread" "$(field 4 "$2")" 0.00% ;;
		esac
	done
}

# needs_counting user|kernel: skip if pstat cannot count software events in this mode
needs_counting()
{
	local reason

	reason=$("$programs/can-count" "$1") || skip "$reason"
}

# inotify reports writes to /dev/tty by any process, whichever terminal it has. This lock lets only
# one test of this build at a time watch or write to /dev/tty.
alone_on_dev_tty()
{
	exec {dev_tty}<"$programs/on-terminal"
	flock -w "$patience" "$dev_tty" || fail "another test does not release /dev/tty"
}

# LeakSanitizer cannot examine a process that is traced or has changed its IDs.
without_leak_check()
{
	export ASAN_OPTIONS=detect_leaks=0
}

needs_command()
{
	command -v "$1" >/dev/null || skip "$1 is not installed"
}

# Debian's python3, which has the modules of Debian's packages.
needs_module()
{
	needs_command python3
	PATH=/usr/bin:$PATH python3 -c "import $1" 2>/dev/null || skip "python3 has no module $1"
}

# Write the fixed results and comparisons of the unit tests, in each format and variant, to the
# folder reports: RESULT.VARIANT and compare-COMPARISON.VARIANT.
needs_reports()
{
	local writer=$TOP_BUILDDIR/tests/unit/format/write-results

	[ -x "$writer" ] || skip "write-results is not built: cmocka is not installed"
	mkdir reports
	"$writer" reports >log 2>&1 || fail "write-results failed:" "$(<log)"
}

# needs_locale NAME: compile a locale for this file's tests
needs_locale()
{
	local folder=$BATS_FILE_TMPDIR/locales

	mkdir -p "$folder"
	[ -d "$folder/$1.UTF-8" ] || localedef -i "$1" -f UTF-8 "$folder/$1.UTF-8" >log 2>&1 ||
		skip "localedef cannot make $1.UTF-8: $(tail -n 1 log)"
}

# in_locale VARIABLE=NAME ARG...: run pstat in that locale, but keep the locale of this shell
in_locale()
{
	# newlocale(3) of glibc never frees its copy of LOCPATH, which sanitizers and valgrind would
	# report as a leak of pstat.
	echo leak:argz_add_sep >leaks
	cat >local-pstat <<-END
		#!/bin/sh
		unset LC_ALL LC_NUMERIC LANG
		export LSAN_OPTIONS=suppressions=leaks:print_suppressions=0 LOCPATH=$BATS_FILE_TMPDIR/locales $1.UTF-8
		exec $bare_pstat "\$@"
	END
	chmod +x local-pstat
	PSTAT=./local-pstat pstat "${@:2}"
}

needs_root()
{
	[ "$(id -u)" -eq 0 ] || skip "only root can become another user"
}

# eventually SHELL-CONDITION: wait until it is true; fail after $patience seconds
eventually()
{
	local end=$((SECONDS + patience))

	until eval "$1"; do
		((SECONDS < end)) || fail "still false after $patience s: $1" || return
		sleep 0.02
	done
}

# "${until_it_ran[@]}" PID: wait until the process PID has run again. A pstat that counts PID during
# this command has a count, however busy the machine is.
# shellcheck disable=SC2016 # for the other shell
until_it_ran=(sh -c 'switches() { awk "/^voluntary_ctxt/ { print \$2 }" "/proc/$0/status"; }
	before=$(switches)
	until [ "$(switches)" -gt $((before + 1)) ]; do sleep 0.01; done')

needs_cpus()
{
	needs_counting kernel
	[ "$(id -u)" -eq 0 ] || [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 0 ] ||
		skip "only root may count whole CPUs on this machine"
}

# tracepoint_id GROUP/NAME: print its number, even if only root can mount tracefs
tracepoint_id()
{
	local file=/sys/kernel/tracing/events/$1/id

	# shellcheck disable=SC2016 # for the other shell
	cat "$file" 2>/dev/null ||
		unshare -m sh -c 'mount -t tracefs nodev /sys/kernel/tracing && cat "$0"' "$file" 2>/dev/null
}

# needs_calls PROGRAM: for exact numbers of calls in processes, set $calls to an event that counts
# each call of called() in PROGRAM: a breakpoint, or the tracepoint of its system call. The event was
# seen to count on this machine.
needs_calls()
{
	local reason id

	needs_counting user
	needs_command nm
	calls=mem:0x$(nm "$1" | awk '$3 == "called" { print $1 }'):x:u
	! reason=$("$programs/can-count" breakpoint) || return 0
	id=$(tracepoint_id syscalls/sys_enter_sched_get_priority_max) || skip "$reason; tracefs cannot be read"
	calls=2:$id
	reason+="; $("$programs/can-count" tracepoint "$id")" || skip "$reason"
}

needs_breakpoints()
{
	local reason

	reason=$("$programs/can-count" breakpoint) || skip "$reason"
}

# For tests in which pstat looks up functions or variables by name.
needs_symbols()
{
	pstat --version
	grep -q '^symbols of ELF files: yes' out || skip "built without libelf"
}

# For exact numbers of calls on whole CPUs: uprobe:FILE:called, in the test's own copy of a program.
needs_probes()
{
	needs_counting kernel
	needs_symbols
	[ "$(id -u)" -eq 0 ] || skip "only root can probe functions"
	[ -e /sys/bus/event_source/devices/uprobe ] || skip "this kernel has no PMU uprobe"
}

# serve NAME: start a copy of programs/serve as NAME, so that no other test has the same file. Its
# PID is ${server[NAME]}. It sleeps until the first command.
declare -gA server to_server from_server
serve()
{
	local to from

	cp "$programs/serve" "$1"
	mkfifo "$1.to" "$1.from"
	"./$1" "$1.to" "$1.from" >"$1.out" 2>&1 </dev/null 3>&- &
	server[$1]=$!
	exec {to}<>"$1.to" {from}<>"$1.from"
	to_server[$1]=$to
	from_server[$1]=$from
	ask "$1" call 0
	eventually "grep -q '^State:.S' /proc/${server[$1]}/status"
}

# ask NAME COMMAND...: send a command to the server NAME, wait, and put the answer into $answer
ask()
{
	echo "${*:2}" >&"${to_server[$1]}"
	read -r -t "$patience" -u "${from_server[$1]}" answer || fail "$1 did not answer: ${*:2}"
}

# begin ARG...: start pstat --control ARG... in the background. When this returns, pstat counts,
# unless -D delays it. tell and finish control it. Signals go to $pstat_pid: timeout(1) may not have
# a child yet.
begin()
{
	rm -f ctl ack pid
	mkfifo ctl ack
	exec {ctl}<>ctl {ack}<>ack
	# shellcheck disable=SC2016 # for the other shell
	timeout --foreground --kill-after=5 "$patience" env --default-signal=INT,QUIT \
		sh -c 'echo $$ >pid && exec "$@"' sh "$PSTAT" --control fifo:ctl,ack "$@" \
		>out 2>err </dev/null 3>&- &
	pstat_job=$!
	tell ping
	pstat_pid=$(<pid)
}

# tell COMMAND: send COMMAND through --control, and wait until pstat has obeyed it
tell()
{
	local answer

	echo "$1" >&"$ctl"
	read -r -t "$patience" -u "$ack" answer || fail "no answer to '$1'; standard error:" "$(<err)"
	is "the answer to $1" "$answer" ack # read ignores the NUL of the answer before it
}

# finish: wait for the end of pstat; set $status
finish()
{
	status=0
	wait "$pstat_job" || status=$?
	pstat_job=
	set_late_note_aside
}

# skip unless the library for statistics is installed
needs_math()
{
	pstat -n -r 1 -c true -c true
	! grep -q 'libRmath' err || skip "libRmath is not installed"
}

# For tests in which pstat reads saved documents.
needs_documents()
{
	pstat --version
	grep -q '^reading saved documents: yes' out || skip "built without jansson"
	echo '{}' >empty.json
	pstat --show empty.json
	grep -q 'jansson cannot be loaded' err && skip "jansson is not installed"
	rm empty.json
}
