#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Refused command lines: one line with the reason, status 125, and no command starts. Similar
# command lines that are accepted are next to them.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

# accepts ARG...: check that pstat accepts ARG... and runs "touch started"
accepts()
{
	rm -f started
	pstat -n "$@" touch started
	ends_with_status 0
	[ -e started ] || fail "the command was not started: $*"
}

@test "an unknown letter or name of an option is refused" {
	refuses "unknown option '-q'; 'pstat --help-all' lists all" -q touch started
	refuses "unknown option '-q'; 'pstat --help-all' lists all" -nq touch started
	refuses "unknown option '--nope'; 'pstat --help-all' lists all" --nope touch started
	refuses "unknown option '--no-nope'; 'pstat --help-all' lists all" --no-nope touch started
	refuses "unknown option '--nope=3'; 'pstat --help-all' lists all" --nope=3 touch started
	refuses "unknown option '--repaet'; did you mean '--repeat'? 'pstat --help-all' lists all" --repaet 3 touch started
	refuses "unknown option '--warm-up=3'; did you mean '--warmup'? 'pstat --help-all' lists all" --warm-up=3 touch started
}

@test "an option without its argument is refused" {
	refuses "option '-e' needs an argument" -e
	refuses "option '-r' needs an argument" -n -r
	refuses "option '-nr' needs an argument" -nr
	refuses "option '--event' needs an argument" --event
	refuses "option '--sysroot' needs an argument" --sysroot
}

@test "an argument for an option without one is refused" {
	refuses "option '--append' takes no argument" --append=3 touch started
	refuses "option '--null' takes no argument" --null= touch started
}

@test "an ambiguous abbreviation is refused, and a clear one is accepted" {
	refuses "option '--bi' is ambiguous: --bisect, --bisect-check, --big-num" --bi touch started
	refuses "option '--me=x' is ambiguous: --metrics, --metrics-file, --metric-only, --merge" --me=x touch started
	refuses "option '--no' is ambiguous: --no-merge, --no-hybrid-merge, --no-inherit, --no-aggr, ...; 'pstat --help-all' lists all" \
		--no touch started
	accepts --no-b --rep 1 --ign
}

@test "-r accepts numbers from 0 to 4294967295" {
	local number

	for number in x '' -1 +1 1.5 1x '1 ' 0x 4294967296 99999999999999999999; do
		refuses "-r $number: not a number from 0 to 4294967295" -r "$number" touch started
	done
	accepts -r 1
	accepts -r ' 1'
	accepts -r 0x2
	grep -q '(2 runs)' err || fail "not 2 runs" "$(<err)"
}

@test "--log-fd accepts only descriptors" {
	local number

	for number in x '' -1 2147483648; do
		refuses "--log-fd $number: not a number from 0 to 2147483647" --log-fd "$number" \
			touch started
	done
	accepts --log-fd 2
}

@test "an empty separator is refused" {
	refuses "-x '': the separator is empty; give at least one character, such as -x," -x '' \
		touch started
	accepts -x ' '
}

@test "options that cannot be combined are refused" {
	refuses "--all-user cannot be combined with --all-kernel" --all-user --all-kernel touch started
	refuses "-n cannot be combined with --no-multiplex" -n --no-multiplex touch started
	refuses "-x cannot be combined with --format" -x, --format csv touch started
	refuses "-o cannot be combined with --log-fd" -o file --log-fd 2 touch started
	[ ! -e file ] || fail "the file was created"
}

@test "a command line without a command is refused" {
	local message="no command to count: pstat [OPTIONS] COMMAND [ARG...]; see 'pstat --help'"

	refuses "$message"
	refuses "$message" -v
	refuses "$message" -v --
	refuses "no command to count: './prog' is the argument of -o" -v -o ./prog
	refuses "--explain needs an event: pstat --explain EVENT..." --explain
}

@test "options end at the command, and at --" {
	pstat -n sh -c 'echo "$@"' sh -r x --nope
	ends_with_status 0
	is "the input of the command" "$(<out)" "-r x --nope"
	accepts --
	pstat -n -- echo -- -e
	is "the input of the command" "$(<out)" "-- -e"
}

@test "--sysroot is refused when events are counted" {
	refuses "--sysroot needs --list, --explain or --doctor" --sysroot / touch started
}

@test "a --sysroot without sys/ and proc/ is refused" {
	mkdir empty
	echo >file
	refuses "--sysroot nowhere: No such file or directory; use a folder that contains sys/ and proc/" \
		--sysroot nowhere --explain page-faults
	refuses "--sysroot file: Not a directory; use a folder that contains sys/ and proc/" \
		--sysroot file --explain page-faults
	refuses "--sysroot empty: empty/sys: No such file or directory; use a folder that contains sys/ and proc/" \
		--sysroot empty --explain page-faults
}

@test "a link named perf names the way to perf for options that pstat does not have" {
	local option

	ln -s "$PSTAT" perf
	for option in --smi-cost -T; do
		./perf stat "$option" true 2>err && fail "accepted: $option"
		is "message" "$(<err)" \
			"pstat: '$option' is an option of perf stat that pstat does not have; call perf by its path, or set PSTAT_PERF"
	done
}

@test "--scale needs no value, and accepts perf as its value" {
	needs_counting user
	for option in --scale --scale=perf '--scale=perf --scale' '--no-scale --scale=perf'; do
		# shellcheck disable=SC2086 # words
		pstat $option -x, -e page-faults:u true
		ends_with_status 0
		is "rows of $option" "$(grep -c ',page-faults:u,' err)" 1
	done
}
