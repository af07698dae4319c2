#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The command cannot detect that it is counted: everything that a program can find out about its
# start is the same with and without pstat.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

# unaware LAUNCH-OPTIONS PSTAT-ARGUMENT...: check that a program that `launch LAUNCH-OPTIONS` starts
# sees the same with and without pstat in between. Its standard streams are the same files.
unaware()
{
	local launch=$1 runs

	shift
	# shellcheck disable=SC2086 # words
	run_observe $launch "$programs/observe" seen
	mv seen bare
	# shellcheck disable=SC2086 # words
	run_observe $launch "$bare_pstat" "$@" "$programs/observe" seen
	mv seen counted
	[ "$(wc -l <bare)" -gt 150 ] || fail "the program printed too little:" "$(<bare)"
	for ((runs = ${expected_runs:-1}; runs > 0; runs--)); do
		cat bare
	done >expected
	diff expected counted >&2 || fail "launch $launch, pstat $*: see above"
}

run_observe()
{
	"$programs/launch" "$@" </dev/null >streams 2>&1
}

@test "the command cannot see that it is counted: default options" {
	unaware ''
}

@test "the command cannot see that it is counted with -i" {
	unaware '' -i
}

@test "the command cannot see events, groups and -v" {
	unaware '' -v -e '{page-faults:u,task-clock:u},faults:u,duration_time'
}

@test "no run of a series can see that it is counted" {
	expected_runs=3 unaware '' -r 3
	expected_runs=3 unaware '' -i -r 3
}

@test "the command cannot see the destination of the result" {
	unaware '' -o result
	unaware '' -o result --append
	exec 9>result
	unaware '' --log-fd 9
}

@test "the command inherits ignored signals unchanged" {
	local signal

	for signal in 1 2 3 13 15 17 20 34; do
		unaware "-i $signal"
		unaware "-i $signal" -i
	done
	expected_runs=2 unaware '-i 1 -i 2 -i 3 -i 13 -i 17' -r 2
}

@test "the command inherits blocked signals unchanged" {
	local signal

	for signal in 1 2 10 13 15 17 34; do
		unaware "-b $signal"
		unaware "-b $signal" -i
	done
	unaware '-b 2 -b 13 -b 17 -i 17 -i 15'
}

@test "the command inherits a low limit of descriptors unchanged" {
	unaware '-n 50'
	unaware '-n 16' -e "$(printf 'page-faults:u,%.0s' {1..30})cs"
	unaware '-n 16' -i -e "$(printf 'page-faults:u,%.0s' {1..30})cs"
}

@test "the command inherits open and closed descriptors unchanged" {
	unaware '-f 7 -f 40'
	unaware '-c 0'
	unaware '-c 0' -i
	unaware '-c 0 -c 1' -o result
	unaware '-c 0 -c 1 -c 2' -o result
	unaware '-c 0 -c 1 -c 2' -i -o result
	unaware '-c 1 -f 3 -f 4 -f 5' -i -o result --append
}

@test "the command inherits priority, umask, CPU affinity and timer slack unchanged" {
	unaware -p
	unaware -p -i
}

@test "on a terminal, the process group of the command is in the foreground" {
	local observe=("$programs/observe" seen)

	"$programs/on-terminal" never "${observe[@]}" >terminal </dev/null
	mv seen bare
	"$programs/on-terminal" never "$bare_pstat" "${observe[@]}" >terminal </dev/null
	mv seen counted
	# Each terminal has its own session and numbers: observe prints whether these agree.
	sed -E -i 's/^session ([0-9]+), process group \1, terminal yes, its foreground group \1$/one/
		s,/dev/pts/[0-9]+,/dev/pts/N,' bare counted
	grep -qx one bare || fail "no terminal" "$(<bare)"
	diff bare counted >&2 || fail "see above"
}
