# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# For the bats files of this folder, which read it in their first lines. A test runs in an empty folder
# of its own, under a time limit.
# shellcheck disable=SC2034 # used by the files that read this

: "${PSTAT:?}" "${TOP_BUILDDIR:?}"

# pstat itself, for a test that examines its process: $PSTAT may start tests/valgrind first.
bare_pstat=${REAL_PSTAT:-$PSTAT}
programs=$TOP_BUILDDIR/tests/cli/programs
status=

# Limits of time only end what hangs. A machine that is busy, or that stops for some seconds, reaches none.
BATS_TEST_TIMEOUT=${TEST_TIME_LIMIT:-300}
patience=$((BATS_TEST_TIMEOUT / 2))

# bats sets this to 0 for each file, so that the environment cannot.
BATS_TEST_RETRIES=${TEST_RETRIES:-0}

setup()
{
	cd "$BATS_TEST_TMPDIR" || return
}

fail()
{
	printf '%s\n' "$@" >&2
	return 1
}

# pstat ARG...: its standard output and error are in the files out and err, its status in $status
pstat()
{
	status=0
	timeout --foreground --kill-after=5 "$patience" "$PSTAT" "$@" >out 2>err </dev/null || status=$?
	[[ " $* " != *" -I"* ]] || set_late_ticks_aside
}

# Whether a tick of -I comes too late depends on the machine: move the note from the file err to the file late.
set_late_ticks_aside()
{
	local note='pstat: -I: [0-9]+ ticks? came too late; '

	grep -E "$note" err >late || true
	[ ! -s late ] || sed -i -E "/$note/d" err
}

# until_blocks N EVENT: for the shell that pstat -I runs: waits until N blocks of EVENT are in the file err, however
# late the ticks come
until_blocks()
{
	echo "until [ \"\$(grep -c '$2' err)\" -ge $1 ]; do sleep 0.02; done"
}

# In milliseconds, since the machine was started; 10 ms may be missing.
uptime_ms()
{
	local seconds

	read -r seconds _ </proc/uptime
	echo "${seconds/./}0"
}

# is WHAT ACTUAL EXPECTED
is()
{
	[ "$2" = "$3" ] || fail "$1 is:" "$2" "and not:" "$3"
}

# within WHAT LEAST ACTUAL MOST: numbers
within()
{
	awk -v least="$2" -v actual="$3" -v most="$4" \
		'BEGIN { exit !(actual ~ /^[0-9.]+$/ && actual + 0 >= least && actual + 0 <= most) }' ||
		fail "$1 is '$3', and not from $2 to $4"
}

ends_with_status()
{
	[ "$status" -eq "$1" ] || fail "status $status, not $1; standard error:" "$(<err)"
}

# says LINE...: these lines, and no others, are on standard error; nothing is on standard output
says()
{
	is "standard error" "$(<err)" "$(printf '%s\n' "$@")"
	is "standard output" "$(<out)" ""
}

# refuses MESSAGE ARG...: that one line, status 125, and the command in ARGs, "touch started" at the
# most, was not started
refuses()
{
	pstat "${@:2}"
	ends_with_status 125
	says "pstat: $1"
	[ ! -e started ] || fail "the command was started"
}

# field N EVENT [FILE]: of the line of EVENT that -x, has printed
field()
{
	awk -F, -v n="$1" -v event="$2" '$3 == event { print $n }' "${3:-err}"
}

# count EVENT ARG...: what pstat counts with -x, and ARGs, of an EVENT that is among them
count()
{
	pstat -x, "${@:2}"
	ends_with_status 0 && field 1 "$1"
}

# A test that needs software events: in user mode, or of the kernel too.
needs_counting()
{
	local reason

	reason=$("$programs/can-count" "$1") || skip "$reason"
}

# Whoever watches /dev/tty is told of what is written to any terminal by that name: until the test ends, those
# of this build that watch it or write to it wait for one another.
alone_on_dev_tty()
{
	exec {dev_tty}<"$programs/on-terminal"
	flock -w "$patience" "$dev_tty" || fail "others do not let go of /dev/tty"
}

# LeakSanitizer cannot look at a process that is traced or that has changed its IDs.
without_leak_check()
{
	export ASAN_OPTIONS=detect_leaks=0
}

needs_command()
{
	command -v "$1" >/dev/null || skip "$1 is not installed"
}

# needs_reports: the fixed reports and comparisons of the unit tests are in the folder reports, in every look: as
# REPORT.LOOK and compare-COMPARISON.LOOK
needs_reports()
{
	local writer=$TOP_BUILDDIR/tests/unit/format/write-results

	[ -x "$writer" ] || skip "write-results is not built: cmocka is not installed"
	mkdir reports
	"$writer" reports >log 2>&1 || fail "write-results failed:" "$(<log)"
}

needs_root()
{
	[ "$(id -u)" -eq 0 ] || skip "only root can become somebody else"
}

# eventually SHELL-CONDITION: it becomes true within $patience seconds
eventually()
{
	local end=$((SECONDS + patience))

	until eval "$1"; do
		((SECONDS < end)) || fail "not within $patience s: $1" || return
		sleep 0.02
	done
}

# A command, with the PID of another process as its last word, that ends when that process has run since the
# command was started. Whoever counts the process until then has a count, however busy the machine is.
# shellcheck disable=SC2016 # for the other shell
until_it_ran=(sh -c 'switches() { awk "/^voluntary_ctxt/ { print \$2 }" "/proc/$0/status"; }
	before=$(switches)
	until [ "$(switches)" -gt $((before + 1)) ]; do sleep 0.01; done')

needs_cpus()
{
	needs_counting kernel
	[ "$(id -u)" -eq 0 ] || [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 0 ] ||
		skip "whole CPUs are root's to count here"
}

# A test with exact numbers of calls in processes: sets calls to the event, a breakpoint in programs/serve.
needs_calls()
{
	needs_counting user
	needs_command nm
	[ -e /sys/bus/event_source/devices/breakpoint ] || skip "this kernel has no PMU breakpoint"
	calls=mem:0x$(nm "$programs/serve" | awk '$3 == "called" { print $1 }'):x:u
	pstat --strict -e "$calls" true
	[ "$status" -eq 0 ] || skip "this machine has no breakpoints: $(tail -n 1 err)"
}

# A test that has functions and variables looked up by their names.
needs_symbols()
{
	pstat --version
	grep -q '^symbols of ELF files: yes' out || skip "built without libelf"
}

# The same for whole CPUs: "uprobe:FILE:called" counts the calls in a program of the test's own.
needs_probes()
{
	needs_counting kernel
	needs_symbols
	[ "$(id -u)" -eq 0 ] || skip "only root can probe functions"
	[ -e /sys/bus/event_source/devices/uprobe ] || skip "this kernel has no PMU uprobe"
}

# serve NAME: starts programs/serve, as NAME, a copy of its own so that no other test has the same
# file; its pid is ${server[NAME]}. It sleeps until the first command.
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

# ask NAME COMMAND...: what serve NAME answers, when it is done, is in $answer
ask()
{
	echo "${*:2}" >&"${to_server[$1]}"
	read -r -t "$patience" -u "${from_server[$1]}" answer || fail "$1 has not answered: ${*:2}"
}

# begin ARG...: pstat --control with ARGs, in the background; it counts when this returns, but for
# what -D says. tell and finish are for it. Its pid is $pstat_pid: a signal to timeout could come before
# timeout knows that it has a child.
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

# tell COMMAND: by --control; pstat has done it when this returns
tell()
{
	local answer

	echo "$1" >&"$ctl"
	read -r -t "$patience" -u "$ack" answer || fail "no answer to '$1'; standard error:" "$(<err)"
	is "the answer to $1" "$answer" ack
}

# finish: waits for pstat's end; sets status
finish()
{
	status=0
	wait "$pstat_job" || status=$?
	pstat_job=
	set_late_ticks_aside
}

# For teardown(): what serve and begin have left. The end of timeout alone would not be that of pstat.
end_background()
{
	local pid

	for pid in "${server[@]}" ${pstat_job:+$(cat pid 2>/dev/null) $pstat_job}; do
		kill -KILL "$pid" 2>/dev/null || true
		wait "$pid" 2>/dev/null || true
	done
}

# A test that has saved documents read back.
needs_documents()
{
	pstat --version
	grep -q '^reading saved documents: yes' out || skip "built without jansson"
	echo '{}' >empty.json
	pstat --show empty.json
	grep -q 'jansson cannot be loaded' err && skip "jansson is not installed"
	rm empty.json
}
