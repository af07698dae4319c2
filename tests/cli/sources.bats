#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Tracepoints, probes and the tool's own events, for a program that does everything a known number of
# times: tests/cli/programs/calls, position-independent and not.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

pie=$programs/calls
fixed=$programs/calls-fixed

# Make tracefs readable for pstat: if it is not mounted, mount it for this test only.
needs_tracefs()
{
	[ ! -r /sys/kernel/tracing/events ] || return 0
	unshare -m mount -t tracefs nodev /sys/kernel/tracing 2>/dev/null ||
		skip "tracefs is not mounted, and cannot be mounted here"
	# shellcheck disable=SC2317 # called by the functions of lib.bash
	timeout()
	{
		unshare -m sh -c 'mount -t tracefs nodev /sys/kernel/tracing && exec "$@"' sh \
			timeout "$@"
	}
}

# needs_event EVENT: skip if the kernel does not accept EVENT from this user
needs_event()
{
	local reason

	pstat -v --explain "$1"
	[ "$status" -eq 0 ] || skip "$(grep '^pstat: ' err)"
	reason=$(awk '$1 == "kernel" { sub(/^[^ ]+ +/, ""); print }' out)
	case $reason in
	'accepts it') ;;
	*) skip "$1: $reason" ;;
	esac
}

@test "tracepoint: 1000 system calls are 1000" {
	needs_tracefs
	needs_event syscalls:sys_enter_getppid
	counts_exactly 1000 syscalls:sys_enter_getppid "$pie" 1000
	counts_exactly 0 syscalls:sys_enter_getppid "$pie" 0
	counts_exactly 1000 syscalls:sys_exit_getppid:k "$fixed" 1000
}

@test "tracepoint: a glob gives one row for each match, each exact" {
	needs_tracefs
	needs_event syscalls:sys_enter_getppid
	pstat -x, -r 3 -e 'syscalls:sys_e*_getp[pr]i[do]*' "$pie" 1000
	ends_with_status 0
	is "the rows" "$(cut -d, -f 1,3,4 err | sort)" "1000,syscalls:sys_enter_getppid,0.00%
1000,syscalls:sys_enter_getpriority,0.00%
1000,syscalls:sys_exit_getppid,0.00%
1000,syscalls:sys_exit_getpriority,0.00%"
}

@test "tracepoint: --filter applies its condition to the preceding event only" {
	needs_tracefs
	needs_event syscalls:sys_enter_getpriority
	pstat -x, -e syscalls:sys_enter_getppid -e syscalls:sys_enter_getpriority \
		--filter 'who < 250' -e syscalls:sys_exit_getppid "$pie" 1000
	ends_with_status 0
	is "the counts" "$(cut -d, -f 1 err | tr '\n' ' ')" "1000 250 1000 "
	pstat -x, -r 3 -e 'syscalls:sys_enter_getpriorit?' --filter 'who >= 100 && who < 103' "$fixed" 1000
	ends_with_status 0
	is "the count" "$(field 1 syscalls:sys_enter_getpriority)" 3
}

@test "tracepoint: a filter that the kernel refuses gives a row without a count, and a note" {
	needs_tracefs
	needs_event syscalls:sys_enter_getpriority
	pstat -v -x, -e syscalls:sys_enter_getpriority --filter 'nonesuch < 250' "$pie" 10
	ends_with_status 0
	is "the row" "$(field 1 syscalls:sys_enter_getpriority)" '<not supported>'
	grep -q '^pstat: syscalls:sys_enter_getpriority: not supported: .*filter' err ||
		fail "no reason" "$(<err)"
}

@test "tracepoint: a mistake is reported with its position" {
	needs_tracefs
	needs_event sched:sched_switch
	refuses "-e 'sched:sched_switch:z', column 20: unknown modifier 'z'; choose from u k h G H I p P S D e W b" \
		-e sched:sched_switch:z touch started
	refuses "-e 'cs,sched:sched_switch:u:k', column 25: nothing may follow the modifiers" \
		-e cs,sched:sched_switch:u:k touch started
	refuses "-e 'cs,sched:@@@@@@@@@@', column 4: unknown event 'sched:@@@@@@@@@@'" \
		-e cs,sched:@@@@@@@@@@ touch started
	refuses "-e '@@@@@@@@@@:*', column 1: unknown event '@@@@@@@@@@:*' (there is no tracepoint group '@@@@@@@@@@')" -e '@@@@@@@@@@:*' touch started
	refuses "--filter 'a == 1': the preceding event 'cs' is not a tracepoint" -e cs --filter 'a == 1' touch started
	refuses "--filter 'a == 1': there are no events before it; give -e first" \
		--filter 'a == 1' touch started
}

@test "the rows of tracepoints and breakpoints have the whole names" {
	needs_tracefs
	needs_event sched:sched_switch
	needs_counting user
	pstat -x, -e sched:sched_switch:k,mem:0x1000/8:w:u true
	ends_with_status 0
	is "the names" "$(cut -d, -f 3 err | tr '\n' ' ')" "sched:sched_switch:k mem:0x1000/8:w:u "
}

@test "context switches of a program that sleeps 300 times, as event and as tracepoint" {
	needs_tracefs
	needs_event sched:sched_switch
	pstat -x, -e sched:sched_switch,cs,voluntary_switches "$programs/busy" -s 300
	ends_with_status 0
	within "sched:sched_switch" 300 "$(field 1 sched:sched_switch)" 10000
	within "cs" 300 "$(field 1 cs)" 10000
	within "voluntary_switches" 300 "$(field 1 voluntary_switches)" 10000
	pstat -x, -r 3 -e sched:sched_switch "$programs/busy" -s 300
	within "the mean of three runs" 300 "$(field 1 sched:sched_switch)" 10000
}

@test "uprobe: 1000 calls of a function are 1000, at any load address" {
	needs_event "uprobe:$pie:called"
	counts_exactly 1000 "uprobe:$pie:called" "$pie" 1000
	counts_exactly 500 "uprobe:$pie:called_half" "$pie" 1000
	counts_exactly 1000 "uprobe:$fixed:called" "$fixed" 1000
	counts_exactly 0 "uprobe:$fixed:called" "$pie" 1000
}

@test "uretprobe: 1000 returns of a function are 1000" {
	needs_event "uretprobe:$pie:called"
	counts_exactly 1000 "uretprobe:$pie:called" "$pie" 1000
	counts_exactly 1000 "uretprobe:$fixed:called" "$fixed" 1000
}

@test "uprobe: a function of a shared library, by path and by the loader's name" {
	local library=$programs/libcalled.so

	needs_event "uprobe:$library:library_called"
	counts_exactly 1000 "uprobe:$library:library_called" "$pie" 1000
	counts_exactly 1000 "uretprobe:$library:library_called" "$fixed" 1000
	pstat -x, -e uprobe:libc.so.6:exit "$pie" 1
	ends_with_status 0
	is "exit() of the C library" "$(field 1 uprobe:libc.so.6:exit)" 1
}

# other_class FROM TO: copy the ELF file FROM to TO, with the other class (32 or 64 bits)
other_class()
{
	local class

	cp "$1" "$2"
	class=$(od -An -tu1 -j4 -N1 "$1")
	printf '%b' "\\x0$((3 - class))" | dd of="$2" bs=1 seek=4 conv=notrunc status=none
}

@test "uprobe: if several libraries have one name, the one with the ABI of the command is probed" {
	local event=uprobe:libcalled.so:library_called

	needs_event "uprobe:$pie:called"
	mkdir other own
	cp "$programs/libcalled.so" own
	other_class "$programs/libcalled.so" other/libcalled.so
	LD_LIBRARY_PATH=$PWD/other:$PWD/own counts_exactly 1000 "$event" "$pie" 1000
	# A command of the other ABI cannot run on this machine, but the message names the library.
	other_class "$pie" foreign
	printf '#!%s\n' "$PWD/foreign" >script
	chmod +x foreign script
	for command in ./foreign ./script; do
		LD_LIBRARY_PATH=$PWD/own:$PWD/other pstat -e uprobe:libcalled.so:nonesuch "$command"
		ends_with_status 125
		grep -q "$PWD/other/libcalled.so" err || fail "$command:" "$(<err)"
	done
	LD_LIBRARY_PATH=$PWD/other:$PWD/own pstat -e uprobe:libcalled.so:nonesuch -p $$
	ends_with_status 125
	grep -q "$PWD/own/libcalled.so has no function 'nonesuch'" err || fail "-p:" "$(<err)"
}

@test "uprobe: a stripped library still has its dynamic symbols, a stripped program none" {
	needs_command strip
	needs_event "uprobe:$pie:called"
	cp "$pie" .
	strip --strip-all -o libcalled.so "$programs/libcalled.so"
	counts_exactly 1000 uprobe:./libcalled.so:library_called ./calls 1000
	strip --strip-all -o stripped "$pie"
	pstat -e uprobe:./stripped:called touch started
	ends_with_status 125
	is "number of lines" "$(wc -l <err)" 1
	[ ! -e started ] || fail "the command was started"
}

@test "uprobe: a glob gives one row for each function, each exact" {
	needs_event "uprobe:$pie:called"
	pstat -x, -r 3 -e "uprobe:$pie:called*" "$pie" 1000
	ends_with_status 0
	is "the rows" "$(cut -d, -f 1,3,4 err | sort)" "1000,uprobe:$pie:called,0.00%
500,uprobe:$pie:called_half,0.00%"
}

@test "uprobe: a function that the file does not have is reported with its position" {
	local before="-e 'uprobe:$pie"

	needs_event "uprobe:$pie:called"
	refuses "$before:@@@@@@@@', column $((${#pie} + 9)): $(realpath "$pie") has no function '@@@@@@@@' in its symbol tables" \
		-e "uprobe:$pie:@@@@@@@@" touch started
	printf 'int many_%d(void);int many_%d(void){return 0;}\n' {1..300}{,} >many.c
	${CC:-cc} -shared -fPIC -o many.so many.c || skip "no compiler"
	refuses "-e 'uprobe:./many.so:many_*', column 18: 'many_*' matches 300 functions of $PWD/many.so; a glob may match at most 256" \
		-e 'uprobe:./many.so:many_*' touch started
}

@test "uprobe: an offset selects an instruction in the function" {
	needs_event "uprobe:$pie:called+0"
	counts_exactly 1000 "uprobe:$pie:called+0" "$pie" 1000
	counts_exactly 1000 "uprobe:$pie:called+0x0" "$pie" 1000
}

# Since Linux 6.18 the probe of such an instruction is a system call.
@test "uprobe: 1000 hits of a 5-byte no-op instruction count as 1000" {
	[ "$(uname -m)" = x86_64 ] || skip "only x86-64 has this instruction"
	needs_command cc
	cat >nop.c <<-'END'
		#include <stdlib.h>
		void nop(void);
		asm(".globl nop\n.type nop, @function\nnop: .byte 0x0f, 0x1f, 0x44, 0, 0\nret\n.size nop, . - nop");
		int main(int argc, char **argv)
		{
			for (int i = atoi(argv[1]); i > 0; i--)
				nop();
			return 0;
		}
	END
	cc -o nop nop.c
	needs_event uprobe:./nop:nop
	counts_exactly 1000 uprobe:./nop:nop ./nop 1000
	counts_exactly 1000 uretprobe:./nop:nop ./nop 1000
}

@test "breakpoint: on a machine where none counts, the row is not supported, not 0" {
	needs_counting user
	LD_PRELOAD=$programs/no-breakpoints.so timeout "$patience" "$bare_pstat" -v -x, \
		-e mem:0x1000:w:u,page-faults:u true 2>err || fail "status $?" "$(<err)"
	is "the breakpoint" "$(field 1 mem:0x1000:w:u)" "<not supported>"
	within "page faults" 1 "$(field 1 page-faults:u)" 100000
	grep -q "^pstat: mem:0x1000:w:u: not supported: a test breakpoint did not count" err ||
		fail "no reason" "$(<err)"
}

# with_probe EVENT OFFSET SHELL-COMMAND: run it in a mount namespace that has tracefs with a uprobe,
# which the command may switch
with_probe()
{
	# shellcheck disable=SC2016 # for the other shell
	unshare -m sh -c '[ -e /sys/kernel/tracing/events ] || mount -t tracefs nodev /sys/kernel/tracing || exit
		cd /sys/kernel/tracing || exit
		printf "p:%s %s:%s\n" "$0" "$1" "$2" >>uprobe_events || exit
		(cd "$3" && eval "$4")
		status=$?
		echo 0 >"events/$0/enable"
		sleep 0.1 # the kernel closes counters later
		echo "-:$0" >>uprobe_events
		exit $status' "$1" "$PWD/calls" "$2" "$PWD" "$3"
}

@test "uprobe: if ftrace uses the same probe, pstat reports the error and does not hang" {
	local name=pstat_test_$$/called offset

	needs_probes
	needs_command nm
	offset=$(nm "$pie" | awk '$3 == "called" { print "0x" $1 }')
	cp "$pie" calls
	export name PSTAT patience LD_LIBRARY_PATH=$programs
	# shellcheck disable=SC2016 # for the other shell
	with_probe "$name" "$offset" 'timeout "$patience" "$PSTAT" -e "${name%/*}:called:u" ./calls 7 2>counted
		echo 1 >/sys/kernel/tracing/events/$name/enable &&
		timeout "$patience" "$PSTAT" -x, -v -e "${name%/*}:called,page-faults:u" ./calls 7 2>err' ||
		fail "status $?" "$(<err)"
	grep -qE "^ +7 +${name%/*}:called:u *\$" counted || fail "no count of user mode" "$(<counted)"
	is "the probe" "$(field 1 "${name%/*}:called")" "<not supported>"
	within "page faults" 1 "$(field 1 page-faults:u)" 100000
	grep -q "^pstat: ${name%/*}:called: not supported: .*ftrace uses the same probe" err || fail "no reason" "$(<err)"
}

@test "breakpoint: a name that the command does not have is refused before it starts" {
	pstat -e mem:nonesuch:w:u "$pie" 1
	ends_with_status 125
	is "number of lines" "$(wc -l <err)" 1
	grep -q '^pstat: .*nonesuch' err || fail "not named" "$(<err)"
}

@test "--pfm-events: names and groups of libpfm4, and no others" {
	local expected

	needs_counting user
	pstat --pfm-events perf::PAGE-FAULTS:u true
	[ "$status" -eq 0 ] || skip "libpfm4 is not installed"
	pstat -x, -e page-faults:u --pfm-events 'perf::PAGE-FAULTS:u,{perf::PAGE-FAULTS:u,perf::PAGE-FAULTS:u}' \
		"$programs/faults" 500
	ends_with_status 0
	is "the rows" "$(wc -l <err)" 4
	expected=$(field 1 page-faults:u)
	within "the page faults" 500 "$expected" 2000
	is "all four" "$(cut -d, -f 1 err | sort -u)" "$expected"
	refuses "--pfm-events 'perf::PAGE-FAULTS,max_rss', column 19: unknown event 'max_rss'" \
		--pfm-events perf::PAGE-FAULTS,max_rss touch started
}

@test "--no-merge does not change events without several instances" {
	needs_counting user
	pstat -x, --no-merge -e page-faults:u,minor_faults_rusage true
	ends_with_status 0
	is "the rows" "$(cut -d, -f 3 err)" $'page-faults:u\nminor_faults_rusage'
}

@test "probes, tracepoints and others count in one run and one group" {
	needs_tracefs
	needs_event "uprobe:$pie:called"
	needs_event syscalls:sys_enter_getppid
	pstat -x, -r 2 -e "{cs,syscalls:sys_enter_getppid},duration_time,uprobe:$pie:called" -e page-faults "$pie" 1000
	ends_with_status 0
	is "the exact ones" "$(awk -F, '$3 ~ /getppid|called/ { print $1 }' err | tr '\n' ' ')" "1000 1000 "
	is "the rows" "$(wc -l <err)" 5
}

@test "the tool's own events count with and without modifiers and groups" {
	# more memory than pstat itself, also with sanitizers: below that max_rss is unknown
	pstat -x, -e '{max_rss,minor_faults_rusage},major_faults_rusage,voluntary_switches' \
		-e involuntary_switches,in_block,out_block "$programs/faults" 40000
	ends_with_status 0
	is "the rows" "$(wc -l <err)" 7
	within "max_rss in KiB" 160000 "$(field 1 max_rss)" 300000
	is "the unit" "$(field 2 max_rss)" KiB
	within "minor_faults_rusage" 40000 "$(field 1 minor_faults_rusage)" 42000
	pstat -x, -r 3 -e minor_faults_rusage "$programs/faults" 1000
	within "the mean" 1000 "$(field 1 minor_faults_rusage)" 2000
}

# The kernel knows no software event 99.
@test "an event with ? is left out if this machine does not know it or cannot count it" {
	needs_counting user
	local list='duration_time?,no-such-event?,{1:99?,page-faults:u?},no-such-pmu/x=1/u?,user_time ?, probe:none?'

	pstat -x, -e "$list" true
	ends_with_status 0
	is "the rows" "$(cut -d, -f 3 err | tr '\n' ' ')" "duration_time page-faults:u user_time "
	pstat -e "$list" true
	ends_with_status 0
	is "the notes" "$(grep -c '^pstat: .* is left out: ' err)" 4
	for note in "'no-such-event' is left out: unknown event 'no-such-event'" "'1:99' is left out: " \
		"'no-such-pmu/x=1/u' is left out: this machine has no PMU 'no-such-pmu'; it has " \
		"'probe:none' is left out: unknown event 'probe:none'"; do
		grep -qF "$note" err || fail "no note: $note"
	done
	pstat -x, -e 'no-such-event?,page-faults:u?' -e 1:99 true
	is "what is not left out" "$(cut -d, -f 3 err | tr '\n' ' ')" "page-faults:u 1:99 "
}

@test "--skip-unknown leaves out each such event, in groups and comparisons, too" {
	needs_counting user
	pstat -x, --skip-unknown -e 'no-such-event,{page-faults:u,1:99}:W' -e user_time true
	ends_with_status 0
	is "the rows" "$(cut -d, -f 3 err | tr '\n' ' ')" "page-faults:u user_time "
	needs_math
	pstat --format csv-summary --skip-unknown -r 3 -e no-such-event,page-faults:u,1:99 -c true -c 'true x'
	ends_with_status 0
	grep -q ',page-faults:u,' out || fail "$(<out)"
	! grep -E 'no-such-event|1:99' out || fail "unknown events are shown"
	pstat -x, --skip-unknown -e no-such-event true
	ends_with_status 0
	is "without events" "$(<err)" ""
}

@test "metrics and filters do not take another event for one that is left out" {
	pstat --skip-unknown -M 'x=no_such/page-faults' true
	ends_with_status 125
	pstat -M "x='no_such?'/page-faults" true
	ends_with_status 125
	grep -q "metric x: 'no_such' is left out: unknown event 'no_such'" err || fail "$(<err)"
	needs_tracefs
	needs_event syscalls:sys_enter_getppid
	pstat -x, -e syscalls:sys_enter_getppid -e 'no:such?' --filter 'nr < 0' "$pie" 1000
	ends_with_status 0
	is "the count" "$(field 1 syscalls:sys_enter_getppid)" 1000
}

@test "a '?' without an event name is refused, and so are syntax errors in a list" {
	refuses "-e 'page-faults?,', column 14: an event is missing here" -e 'page-faults?,' true
	pstat -e '?' true
	ends_with_status 125
	pstat -e 'page-faults?:u' true
	ends_with_status 125
	pstat -e '{page-faults?' true
	ends_with_status 125
}
