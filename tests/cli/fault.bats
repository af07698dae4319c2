#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Each system call of pstat fails in turn (strace injects the error), and each allocation (a
# preloaded library refuses it). The sanitizers make many calls and allocations themselves, and end
# when one fails, so these tests are skipped under them.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

# More than a pipe or a buffer of stdio holds.
large=duration_time$(printf ',duration_time%.0s' {1..2999})

setup()
{
	cd "$BATS_TEST_TMPDIR" || return
}

# An empty folder: it has only the files that a test creates.
is_clean()
{
	is "$format: what else is there" \
		"$(find . -mindepth 1 ! -name out ! -name err ! -name old)" ""
}

needs_strace()
{
	needs_command strace
	strace -o /dev/null true 2>/dev/null || skip "strace may not trace here"
}

# fails_at CALL ERROR N FILE: run pstat -o FILE, and let its Nth CALL fail with ERROR. Return false
# if there is no Nth CALL. Either the new file is complete, or pstat exits with 125 and a message
# and the old file is unchanged. No other file may remain.
fails_at()
{
	status=0
	echo before >old
	ASAN_OPTIONS=detect_leaks=0 strace -qq -o trace -e "trace=$1" -e "inject=$1:error=$2:when=$3" \
		"$bare_pstat" -x, -e "$large" -o old true >out 2>err </dev/null || status=$?
	grep -q INJECTED trace || return
	rm trace
	case $status in
	0)	is "$*: lines" "$(grep -cE '^[0-9]+,ns,duration_time,[0-9]+,100\.00,,$' old)" 3000 ;;
	125)	is "$*: the file" "$(<old)" before
		grep -q '^pstat: .' err || fail "$*: no message:" "$(<err)" ;;
	*)	fail "$*: status $status" "$(<err)" ;;
	esac
	is_clean
}

@test "pstat finds commands even if a seccomp profile forbids faccessat2" {
	local path

	needs_strace
	PATH=$PWD:$PATH
	printf '#!/bin/sh\nexit 7\n' >locked
	cp locked open
	chmod 644 locked
	chmod 755 open
	for path in open:7 ./open:7 locked:126 ./locked:126; do
		status=0
		ASAN_OPTIONS=detect_leaks=0 strace -qq -o trace -e trace=faccessat2 \
			-e inject=faccessat2:error=EPERM "$bare_pstat" -n "${path%:*}" 2>err </dev/null ||
			status=$?
		grep -q INJECTED trace || skip "this C library does not call faccessat2"
		ends_with_status "${path#*:}"
	done
}

@test "if a counter cannot be enabled, no partial sum is printed" {
	local n cpus

	needs_strace
	needs_cpus
	cpus=$(getconf _NPROCESSORS_ONLN)
	[ "$cpus" -gt 1 ] || skip "there is only one CPU"
	# the ioctls enable each CPU's counter once, then disable it once
	for n in 1 2 $((cpus + 1)); do
		status=0
		ASAN_OPTIONS=detect_leaks=0 strace -qq -o trace -e trace=ioctl \
			-e "inject=ioctl:error=EIO:when=$n" \
			"$bare_pstat" -v -x, -a -e cs sleep 0.05 2>err </dev/null || status=$?
		ends_with_status 0
		is "ioctl $n: calls that failed" "$(grep -c 'PERF_EVENT_IOC_.*INJECTED' trace)" 1
		is "ioctl $n: the count" "$(field 1 cs)" "<not counted>"
		grep -qE '^pstat: cs: not counted: its counter cannot be switched (on|off): Input/output error$' err ||
			fail "ioctl $n: no reason" "$(<err)"
		ASAN_OPTIONS=detect_leaks=0 strace -qq -o trace -e trace=ioctl \
			-e "inject=ioctl:error=EIO:when=$n" \
			"$bare_pstat" -j -a -A -e cs sleep 0.05 2>err </dev/null || status=$?
		is "ioctl $n: rows without a count" "$(grep -c '"<not counted>"' err)" 1
	done
}

@test "pstat opens an event again if a signal interrupts the call" {
	needs_strace
	needs_counting user
	status=0
	ASAN_OPTIONS=detect_leaks=0 strace -qq -o trace -e trace=perf_event_open \
		-e inject=perf_event_open:error=EINTR:when=1..3 \
		"$bare_pstat" --strict -x, -e page-faults:u true 2>err </dev/null || status=$?
	is "calls that were interrupted" "$(grep -c INJECTED trace)" 3
	ends_with_status 0
	within "page faults" 1 "$(field 1 page-faults:u)" 100000
}

@test "whichever system call fails, the file is the old or the new one, and no other file remains" {
	local call n error failures=0

	needs_strace
	for call in write:ENOSPC write:EIO write:EDQUOT fsync:EIO fsync:EDQUOT close:EIO close:EINTR \
		rename:ENOSPC rename:EIO rename:EBUSY rename:EPERM fchmod:EPERM fchmod:EIO \
		fchown:EPERM fchown:EIO getxattr:EACCES openat:EMFILE openat:ENOSPC \
		mmap:ENOMEM brk:ENOMEM ftruncate:EIO fallocate:ENOSPC; do
		error=${call#*:}
		# the dynamic linker makes the first calls of mmap and openat
		for ((n = 1; ; n++)); do
			[[ $call != mmap* && $call != openat* && $call != brk* ]] || [ "$n" -gt 1 ] || n=10
			format="$call $n"
			fails_at "${call%:*}" "$error" "$n" || break
			[ "$status" -eq 0 ] || failures=$((failures + 1))
		done
		rm -f trace
	done
	within "calls whose error is one of pstat's" 8 "$failures" 1000
}

# refuses_memory N ARG...: run pstat ARG..., and let its Nth allocation fail. Return false if pstat
# makes fewer allocations.
refuses_memory()
{
	rm -f log
	status=0
	timeout --kill-after=5 "$patience" env FAULT="alloc $1" FAULT_LOG=log \
		LD_PRELOAD="$TOP_BUILDDIR/tests/fault/faults.so" "$bare_pstat" "${@:2}" \
		>out 2>err </dev/null || status=$?
	grep -q fault log
}

# survives_each_allocation ARG...: whichever allocation fails, pstat ARG... ends with status 0, or
# with 125 and a message. Later allocations are similar: every seventh is tried.
survives_each_allocation()
{
	local n

	for ((n = 1; ; n += n < 150 ? 1 : 7)); do
		refuses_memory "$n" "$@" || break
		case $status in
		0)	continue ;;
		125)	grep -q '^pstat: .' err || fail "$*: allocation $n: 125 without a message" ;;
		*)	fail "$*: allocation $n: status $status" "$(<err)" ;;
		esac
	done
	within "$*: allocations" 5 "$n" 10000
}

@test "whichever allocation fails, there is a message and the status is 125" {
	needs_counting user
	survives_each_allocation -e page-faults:u true
	survives_each_allocation -r 2 -x, -e '{page-faults:u,task-clock:u}' true
	survives_each_allocation -c true -c 'sleep 0' -r 2 -e page-faults:u
	survives_each_allocation --explain page-faults
	survives_each_allocation -e page-faults:u --fail-if 'page-faults:u>1%' --min-effect 1 -r 2 -c true \
		-c 'sleep 0' --more-is-better page-faults:u
}

@test "whichever allocation fails, --list has every event or reports that some are missing" {
	local n

	"$bare_pstat" --list block >whole
	for ((n = 1; ; n += n < 150 ? 1 : 23)); do
		refuses_memory "$n" --list block || break
		cmp -s out whole || grep -q '^pstat: .' err || fail "allocation $n: lines are missing"
		[ "$status" -eq 0 ] || [ "$status" -eq 125 ] || fail "allocation $n: status $status"
	done
	within "allocations" 20 "$n" 100000
}

@test "the command keeps its limit of descriptors when pstat cannot read it" {
	needs_strace
	strace -qq -o trace -e trace=prlimit64 -e inject=prlimit64:error=EPERM "$bare_pstat" -n \
		sh -c 'ulimit -n' >out 2>err </dev/null
	grep -q INJECTED trace || skip "getrlimit is another system call here"
	is "the limit of the command" "$(<out)" "$(ulimit -n)"
}

@test "if /proc/mounts cannot be read, libpfm4 is not loaded, and a message explains this" {
	local n

	needs_strace
	"$bare_pstat" --version | grep -q '^libpfm4 names: yes' || skip "built without libpfm4"
	strace -qq -y -o trace -e trace=read "$bare_pstat" -e no-such-event true 2>err || true
	n=$(grep -n '^read([0-9]*<[^>]*/mounts>' trace | sed 's/:.*//;q')
	[ -n "$n" ] || skip "/proc/mounts is not read: $(<err)"
	status=0
	strace -qq -o trace -e "inject=read:retval=0:when=$n" "$bare_pstat" -e no-such-event true \
		>out 2>err </dev/null || status=$?
	ends_with_status 125
	says "pstat: -e 'no-such-event', column 1: libpfm4 cannot be used: it crashes if /proc/mounts is empty or unreadable"
	# pstat also looks for tracefs there. Only the check for libpfm4 reads a single byte.
	n=$(strace -qq -y -e trace=read "$bare_pstat" --list page-f 2>&1 >out |
		grep -n '^read([0-9]*<[^>]*/mounts>.*, 1)' | sed 's/:.*//;q')
	status=0
	strace -qq -o trace -e "inject=read:error=EIO:when=$n" "$bare_pstat" --list page-f \
		>out 2>err </dev/null || status=$?
	ends_with_status 0
	grep -q '^  page-faults' out || fail "the other events are missing" "$(<out)"
	is "the message" "$(<err)" "pstat: --list: the list is incomplete: libpfm4 cannot be used: it crashes if /proc/mounts is empty or unreadable"
}

# while_read FILE COMMAND ARG...: run pstat ARG..., and COMMAND while pstat reads FILE, which pauses
# for two seconds after its first read(2)
while_read()
{
	status=0
	: >trace
	strace -qq -o trace -P "$1" -e trace=read -e inject=read:delay_exit=2000000:when=1 \
		"$bare_pstat" "${@:3}" >out 2>err </dev/null 3>&- &
	eventually "grep -q DELAYED trace"
	eval "$2"
	wait $! || status=$?
}

@test "a file that changes while it is read is refused" {
	needs_strace
	needs_documents
	pstat -n -r 2 --save old.json true
	pstat -n -r 3 --save new.json true
	mkdir folder
	printf 'time,commit,command,one\n2026-01-02T12:00:00Z,a,true,1\n' >h.csv
	cp old.json read.json
	while_read "$PWD/read.json" 'cat new.json >read.json' --show "$PWD/read.json"
	ends_with_status 125
	says "pstat: --show $PWD/read.json: changed while it was read; try again"
	while_read "$PWD/h.csv" 'tr 1 2 <h.csv >h2.csv; cat h2.csv >h.csv' --history "$PWD/h.csv"
	ends_with_status 125
	says "pstat: --history $PWD/h.csv: changed while it was read; try again"
	cp old.json folder/a.json
	while_read "$PWD/folder/a.json" 'cat new.json >folder/a.json' --history "$PWD/folder"
	ends_with_status 125
	says "pstat: --history $PWD/folder/a.json: changed while it was read; try again"
	cp old.json read.json
	while_read "$PWD/read.json" 'mv new.json read.json' --show "$PWD/read.json" --format csv
	ends_with_status 0
	is "lines of the old file, which was replaced" "$(wc -l <out)" 3
}

@test "a document that is removed from a history while the folder is read is left out" {
	needs_strace
	needs_documents
	mkdir folder
	pstat -n --save folder/a.json true
	cp folder/a.json folder/b.json
	while_read "$PWD/folder/a.json" 'rm folder/b.json' --history "$PWD/folder"
	ends_with_status 0
	is "the message" "$(<err)" "pstat: --history $PWD/folder: documents removed while they were read: 1 of 2"
	grep -qE '^duration_time +1 ' out || fail "$(<out)"
	ln -s missing folder/b.json
	pstat --history folder
	ends_with_status 125
	says "pstat: --history folder/b.json: No such file or directory"
}

# A pstat that reads a file and a pstat that writes it wait for each other.
@test "a document that pstat overwrites is read as it was before or after" {
	local end=$((SECONDS + patience)) shown=301

	needs_strace
	needs_documents
	pstat -n -r 300 --format json -o one.json true
	cp one.json read.json
	strace -qq -f -o trace -P "$PWD/read.json" -e trace=write -e inject=write:delay_exit=300000 \
		"$bare_pstat" -n --format json -o "$PWD/read.json" --label a=b true 2>log 3>&- &
	while [ "$shown" -ne 2 ] && ((SECONDS < end)); do
		pstat --show read.json --format csv
		ends_with_status 0
		shown=$(wc -l <out)
		[ "$shown" -eq 2 ] || is "lines" "$shown" 301
	done
	wait $! || fail "$(<log)"
	is "lines at last" "$shown" 2
}
