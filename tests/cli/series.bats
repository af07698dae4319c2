#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Commands before and after the runs of a series: --warmup, --pre, --post, -S.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

# step NAME [STATUS]: write a script that appends its name and its arguments to the file log
step()
{
	printf '#!/bin/sh\necho "%s" "$@" >>log\nexit %s\n' "$1" "${2:-0}" >"$1"
	chmod +x "$1"
}

logged()
{
	is "programs that ran" "$(tr '\n' ' ' <log)" "$1 "
	rm log
}

setup()
{
	cd "$BATS_TEST_TMPDIR" || return
	step pre
	step run
	step post
}

@test "--warmup runs the command before the series, and excludes these runs from the result" {
	needs_counting user
	cat >grows <<-END
		#!/bin/sh
		echo >>log
		exec $programs/faults \$((\$(wc -l <log) * 1000))
	END
	chmod +x grows
	pstat -x, --warmup 3 -r 2 -i -e page-faults:u ./grows
	ends_with_status 0
	is "runs" "$(wc -l <log)" 5
	within "the mean of 4000 and 5000 pages" 4500 "$(field 1 page-faults:u)" 5000
}

@test "a warmup run that fails ends the series" {
	step run 3
	pstat -n --warmup 2 -r 5 ./run
	ends_with_status 3
	logged "run"
	is "messages" "$(grep '^pstat:' err)" \
		"pstat: --warmup: ./run: exited with status 3; the series ends here (see --ignore-failure)"
	is "results" "$(grep -c 'seconds time elapsed' err || true)" 0
	pstat -n --warmup 2 -r 2 --ignore-failure ./run
	ends_with_status 3
	logged "run run run run"
}

@test "--pre and --post run around each run and warmup, and are split into words as in a shell" {
	pstat -n --warmup 1 -r 2 --pre "./pre 'a  b' \"c\" d\\ e" --post ./post ./run
	ends_with_status 0
	logged "pre a  b c d e run post pre a  b c d e run post pre a  b c d e run post"
	is "messages" "$(grep -c '^pstat:' err || true)" 0
}

@test "--pre runs without a shell, and unquoted shell syntax is refused" {
	# shellcheck disable=SC2016 # it has to stay
	pstat -n --pre './pre "*" '"'"'$HOME | cat'"'"' \;' ./run
	ends_with_status 0
	# shellcheck disable=SC2016
	logged 'pre * $HOME | cat ; run'
	# shellcheck disable=SC2016
	refuses "--pre './pre \$HOME', column 7: '$' is shell syntax, but no shell is run; quote it, or write sh -c '...'" \
		--pre './pre $HOME' touch started
}

@test "--pre and --post are not counted, nor is their time" {
	needs_counting user
	pstat -x, -e page-faults:u,duration_time --pre "$programs/faults 30000" \
		--post "$programs/faults 30000" "$programs/faults" 100
	ends_with_status 0
	within "page faults" 100 "$(field 1 page-faults:u)" 5000
	pstat -x, -n --pre 'sleep 0.3' --post 'sleep 0.3' true
	ends_with_status 0
}

@test "a --pre that fails ends the series with 125 before the run" {
	step pre 4
	pstat -n -r 3 --pre ./pre ./run
	ends_with_status 125
	logged pre
	is "messages" "$(grep '^pstat:' err)" "pstat: --pre: ./pre exited with status 4"
	pstat -n --pre 'sh -c "kill -KILL \$\$"' ./run
	ends_with_status 125
	[ ! -e log ] || fail "the command was started"
	is "messages" "$(grep '^pstat:' err)" "pstat: --pre: sh was killed by signal 9 (Killed)"
	pstat -n --pre no-such-command ./run
	ends_with_status 125
	[ ! -e log ] || fail "the command was started"
	is "messages" "$(grep -c '^pstat: --pre: ' err)" 1
}

@test "a --post that fails ends the series with 125, and what was counted is printed" {
	step post 4
	pstat -n -r 3 --post ./post ./run
	ends_with_status 125
	logged "run post"
	is "messages" "$(grep '^pstat:' err)" "pstat: --post: ./post exited with status 4"
	is "results" "$(grep -c 'seconds time elapsed' err)" 1
}

@test "a --pre that is not a command line is refused" {
	refuses "--pre ''x', column 1: the ' is not closed" --pre "'x" touch started
	refuses "--post '', column 1: a command is missing here" --post '' touch started
}

# while_aside OPTIONS...: send SIGTERM to pstat when --pre or --post has opened the FIFO begun
while_aside()
{
	mkfifo begun
	"$PSTAT" "$@" >out 2>err </dev/null 3>&- &
	pstat_job=$!
	read -r -t "$patience" <begun
	kill -TERM "$pstat_job"
	finish
	rm begun
}

@test "a signal during --pre or --post reaches it, and ends the series" {
	local nothing="pstat: interrupted before a run was counted: there is no result"

	while_aside -n -r 3 --pre 'sh -c "echo >begun; exec sleep 100"' ./run
	ends_with_status 143
	[ ! -e log ]
	is "messages" "$(grep '^pstat:' err)" "pstat: --pre: sh was killed by signal 15 (Terminated)
$nothing"
	# a --pre that the signal does not kill
	cat >waits <<-'END'
		#!/bin/sh
		trap got=1 TERM
		echo >begun
		until [ "${got:-}" ]; do sleep 0.02; done
	END
	chmod +x waits
	while_aside -n -r 3 --pre ./waits ./run
	ends_with_status 143
	[ ! -e log ]
	is "messages" "$(grep '^pstat:' err)" "$nothing"
	while_aside -n -r 3 --post 'sh -c "echo >begun; exec sleep 100"' ./run
	ends_with_status 143
	logged run
	is "messages" "$(grep '^pstat:' err)" "pstat: --post: sh was killed by signal 15 (Terminated)
pstat: interrupted: 1 of 3 runs"
	is "results" "$(grep -c 'seconds time elapsed' err)" 1
	while_aside -n --setup true --cleanup 'sh -c "echo >begun; exec sleep 100"' ./run
	ends_with_status 143
	logged run
	is "results" "$(grep -c 'seconds time elapsed' err)" 1
}

@test "a run that fails is reported even if --post also fails" {
	step run 3
	step post 4
	pstat -n -r 2 --post ./post ./run
	ends_with_status 125
	is "messages" "$(grep '^pstat:' err)" "pstat: --post: ./post exited with status 4
pstat: run 1: ./run: exited with status 3; the series ends here (see --ignore-failure)"
}

@test "with --pre the counts are those of a run without it" {
	local alone

	needs_counting user
	setarch -R true 2>/dev/null || skip "personality(ADDR_NO_RANDOMIZE) is refused here"
	alone=$(count page-faults:u -e page-faults:u setarch -R "$programs/faults" -c 2 300)
	within "with --pre" $((alone - 5)) \
		"$(count page-faults:u --pre true -e page-faults:u setarch -R "$programs/faults" -c 2 300)" \
		$((alone + 5))
}

@test "-S calls sync(2) before each run" {
	pstat -n -S ./run
	ends_with_status 0
	logged run
	needs_command strace
	strace -o trace true 2>/dev/null || skip "strace may not trace here"
	# LeakSanitizer cannot examine a traced process.
	ASAN_OPTIONS=detect_leaks=0 strace -f -qq -e trace=sync -o trace \
		"$bare_pstat" -n -S -r 2 ./run >out 2>err </dev/null 3>&-
	is "calls of sync" "$(grep -c 'sync()' trace)" 2
}
