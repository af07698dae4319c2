#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The progress line: only on a terminal, erased before anything else is printed, and never within
# the output of the command.
# shellcheck disable=SC2016 # single quotes: for another shell

. "${BATS_TEST_DIRNAME:?}/lib.bash"

escape=$'\033'

setup()
{
	cd "$BATS_TEST_TMPDIR" || return
	export TERM=xterm
	alone_on_dev_tty
}

# shows FILE ARG...: run pstat on its own terminal, and press Ctrl-C when FILE exists. All output
# goes to the file raw; what is left on the screen at the end goes to the file screen. pstat erases
# its line by moving up one row and clearing from there to the end.
shows()
{
	status=0
	"$programs/on-terminal" "$1" "$PSTAT" "${@:2}" >raw </dev/null 3>&- || status=$?
	tr -d '\r' <raw | sed -z -E "s/^/\n/; :again; s/\n[^\n]*\n[^\n]*${escape}\[A${escape}\[K/\n/; t again; s/^\n//" >screen
	! grep -qF "${escape}[A" screen || fail "pstat erased a row that is not its own:" "$(cat -v raw)"
}

# Print the progress lines that were on the terminal.
lines()
{
	tr -d '\r' <raw | grep -a -o 'pstat: \(warmup \)\?run [0-9].*left$\|pstat: counting, .*' || true
}

# Print the progress lines with T in place of each time.
lines_without_times()
{
	lines | sed -E 's/[0-9]+(\.[0-9])? s/T/g'
}

no_line_is_left()
{
	! grep -aq 'pstat: \(warmup \)\?run .* left$\|pstat: counting' screen || fail "left:" "$(cat -v screen)"
}

no_line_was_there()
{
	is "lines" "$(lines)" ""
	! grep -qF "${escape}[A" raw || fail "the cursor was moved" "$(cat -v raw)"
}

@test "the line of a series shows the current run, the time so far and the time left, and is erased" {
	shows never -n -r 4 sleep 0.4
	ends_with_status 0
	is "lines" "$(lines_without_times)" "pstat: run 2 of 4, T, about T left
pstat: run 3 of 4, T, about T left
pstat: run 4 of 4, T, about T left"
	# three more runs take as long as the first one
	within "expected at first, by what it has taken" 2.5 \
		"$(lines | sed -nE '1s/.*, ([0-9.]+) s, about ([0-9.]+) s.*/\1 \2/p' | awk '{ print $2 / $1 }')" 3.5
	no_line_is_left
	is "the first lines" "$(sed -n 1,2p screen)" "
 Performance counter stats for 'sleep 0.4' (4 runs):"
}

@test "warmup runs are named, and are part of the expected time" {
	shows never -n --warmup 2 -r 2 sleep 0.4
	ends_with_status 0
	is "lines" "$(lines_without_times)" "pstat: warmup run 2 of 2, T, about T left
pstat: run 1 of 2, T, about T left
pstat: run 2 of 2, T, about T left"
	no_line_is_left
}

# estimates: print the parts of the lines about the first event, in order, with N for numbers. A line
# with long times is cut at the end of the terminal, and left out here.
estimates()
{
	tr -d '\r' <raw | grep -a -o 'left; .*]' | sed -E 's/[0-9]+(\.[0-9]+)?/N/g' | LC_ALL=C sort -u
}

@test "compared commands: the line has the change of the first event so far, with its confidence interval" {
	shows never -n -r 1 -c true -c true
	! grep -aq libRmath raw || skip "libRmath is not installed"
	shows never -e page-faults:u -r 8 -c 'sleep 0.05' -c "sh -c 'sleep 0.05'"
	ends_with_status 0
	is "estimates" "$(estimates)" "left; page-faults:u +N % [+N, +N]"
	[ "$(grep -ac 'run [0-9]* of 16, ' raw)" -gt 2 ] || fail "too few lines" "$(cat -v raw)"
	! grep -aq 'left; ' screen || fail "left:" "$(cat -v screen)"
	shows never -e page-faults:u -r 8 --names one,two,three -c 'sleep 0.05' -c "sh -c 'sleep 0.05'" -c "sh -c 'sleep 0.05'"
	estimates | grep -q '^left; page-faults:u two +N % \[+N, +N\]' || fail "no side is named" "$(estimates)"
}

@test "a command with a baseline: the line has the change from the baseline" {
	shows never -n -r 1 -c true -c true
	! grep -aq libRmath raw || skip "libRmath is not installed"
	pstat -e page-faults:u -r 4 --save saved sleep 0.01
	needs_documents
	shows never --baseline saved -r 8 sh -c 'sleep 0.1'
	is "estimates" "$(estimates)" "left; page-faults:u +N % [+N, +N]"
}

@test "a series without an end has no expected time" {
	shows fifth -n -r 0 sh -c 'echo >>runs; [ "$(wc -l <runs)" -lt 5 ] || echo >fifth; sleep 0.2'
	[ "$(grep -a -o 'run [0-9]*, [0-9.]* s' raw | head -n 1)" != "" ] || fail "no line" "$(cat -v raw)"
	is "expected time" "$(grep -ao ' s left' raw || true)" ""
	is "remaining files" "$(grep -ao 'pstat: run [0-9]*, ' screen || true)" ""
}

@test "a single run has no line" {
	shows never -n sleep 0.5
	no_line_was_there
}

@test "without -r, the line of a comparison has the minimum of runs" {
	shows second -n --no-output-check --order alternate -c 'sleep 0.4' -c 'touch second'
	is "lines" "$(lines_without_times | head -n 1)" "pstat: run 2 of at least 12, T, at most T left"
}

@test "without a terminal there is no line" {
	pstat -n -r 3 sleep 0.3
	ends_with_status 0
	! grep -q 'run 2\|'"$escape" err || fail "a line:" "$(cat -v err)"
}

@test "options and terminals that turn the line off" {
	shows never --no-progress -n -r 3 sleep 0.3
	no_line_was_there
	shows never -v -n -r 3 sleep 0.3
	no_line_was_there
	TERM=dumb shows never -n -r 3 sleep 0.3
	no_line_was_there
	unset TERM
	shows never -n -r 3 sleep 0.3
	no_line_was_there
}

@test "the output of a command on the terminal is not interrupted by the line" {
	local command

	for command in 'printf half; sleep 0.4; echo " and half"' 'sleep 0.4; echo done >&2' \
		'sleep 0.4; echo done >/dev/tty'; do
		shows never -n -r 3 sh -c "$command"
		no_line_was_there
		is "lines of the command" "$(grep -ac '^half and half$\|^done$' screen)" 3
	done
}

# The command moves the cursor away from the line, so pstat no longer knows its position.
@test "output of a later run has its own rows, and the line does not return" {
	shows never -n -r 6 sh -c 'echo >>runs; sleep 0.4; [ "$(wc -l <runs)" -ne 3 ] || printf "one\ntwo\n"'
	ends_with_status 0
	is "lines" "$(lines | wc -l)" 2
	is "output of the command, and the line above" "$(sed -n 1,3p screen | sed -E 's/[0-9]+(\.[0-9])? s/T/g')" \
		"pstat: run 3 of 6, T, about T left
one
two"
}

@test "text that --pre or --post writes is not cleared with the line" {
	local step

	# --post after the second run, and --pre before the third run, write between the same two
	# lines
	for step in --post:2 --pre:3; do
		rm -f steps
		shows never -n -r 4 "${step%:*}" "sh -c 'echo >>steps; [ \"\$(wc -l <steps)\" -ne ${step#*:} ] || echo one'" \
			sleep 0.4
		ends_with_status 0
		is "lines" "$(lines | wc -l)" 1
		is "the line, and the text below it" "$(sed -n 1,2p screen | sed -E 's/[0-9]+(\.[0-9])? s/T/g')" \
			"pstat: run 2 of 4, T, about T left
one"
	done
}

@test "a message about a run is complete, and the line continues below it" {
	shows never -n -r 4 --ignore-failure sh -c 'sleep 0.4; exit 3'
	ends_with_status 3
	is "lines" "$(lines | wc -l)" 3
	is "messages" "$(sed -n 1,4p screen)" "pstat: run 1: sh: exited with status 3
pstat: run 2: sh: exited with status 3
pstat: run 3: sh: exited with status 3
pstat: run 4: sh: exited with status 3"
	no_line_is_left
}

@test "after Ctrl-C the line is gone" {
	shows third -n -r 9 sh -c 'echo >>runs; [ "$(wc -l <runs)" -lt 3 ] || echo >third; sleep 0.4'
	[ -n "$(lines)" ]
	no_line_is_left
	is "results" "$(grep -ac 'seconds time elapsed' screen)" 1
}

@test "if the result goes to a file, the terminal remains empty" {
	shows never -o result -n -r 3 sleep 0.4
	[ -n "$(lines)" ]
	is "remaining files" "$(<screen)" ""
	grep -q 'seconds time elapsed' result
}

@test "counting running tasks also shows a line" {
	needs_counting user
	(exec sleep 100) >/dev/null 2>&1 3>&- &
	server[sleep]=$!
	shows never --timeout 5500 -e page-faults:u -p "${server[sleep]}"
	kill "${server[sleep]}"
	is "lines" "$(lines_without_times | sort -u)" "pstat: counting, T, T left"
	within "how many" 1 "$(lines | wc -l)" 5
	no_line_is_left
}

@test "on a narrow terminal the line is cut" {
	shows never -n -r 2 sh -c 'stty cols 20 <"$0"; sleep 0.4' /dev/tty
	tr -d '\r' <raw | grep -aqx 'pstat: run 2 of 2, ' || fail "not cut" "$(cat -v raw)"
	no_line_is_left
}

@test "pstat writes nothing while the command runs, and the command does not inherit its descriptors" {
	needs_command strace
	strace -o trace true 2>/dev/null || skip "strace may not trace here"
	shows never -n -r 3 sh -c 'sleep 0.4; ls -l /proc/self/fd >fds'
	! grep -q inotify fds || fail "$(<fds)"
	# LeakSanitizer cannot examine a traced process.
	ASAN_OPTIONS=detect_leaks=0 "$programs/on-terminal" never "$(command -v strace)" -qq -o trace \
		"$bare_pstat" -n -r 3 sleep 0.4 >raw </dev/null 3>&-
	[ -n "$(lines)" ]
	awk '/^(vfork|clone)/ { runs++; running = 1; next }
		/^wait4\([0-9]+,/ { running = 0 }
		running && /^write\(2/ { print; bad = 1 }
		END { exit bad || runs != 3 }' trace || fail "pstat wrote during a run:" "$(<trace)"
}
