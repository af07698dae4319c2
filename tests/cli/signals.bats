#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Signals to pstat while a command runs: if only pstat receives a signal, it passes it on. Then
# pstat waits for the command, and prints the result.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

# start ARG...: start pstat in the background, with its PID in the file pid. A plain "&" of this
# shell would make pstat ignore SIGINT and SIGQUIT.
start()
{
	# shellcheck disable=SC2016 # for the other shells
	local in_place='echo $$ >pid.new; mv pid.new pid; exec "$@"'

	# shellcheck disable=SC2016
	setsid --fork sh -c '
		env --default-signal=INT,QUIT sh -c "$0" sh "$@"
		echo $? >status.new
		mv status.new status' "$in_place" "$PSTAT" "$@" >out 2>err </dev/null 3>&-
	eventually '[ -s pid ]'
	pstat_pid=$(<pid)
}

# finish: wait for the end of pstat; set $status
finish()
{
	eventually '[ -s status ]'
	status=$(<status)
	pstat_pid=
}

# signalled NAME ARG...: run await under pstat ARG..., and send signal NAME to pstat alone
signalled()
{
	rm -f got status pid
	start "${@:2}" "$programs/await" got
	eventually '[ -e got ]'
	kill -s "$1" "$pstat_pid"
	finish
}

@test "a signal sent to pstat alone reaches the command, once, and the result is printed" {
	local name

	for name in TERM HUP INT QUIT USR1 USR2; do
		signalled "$name" -n
		is "the input of the command" "$(<got)" "$(kill -l "$name") process"
		ends_with_status 3
		is "results" "$(grep -c 'seconds time elapsed' err)" 1
	done
}

@test "a signal sent to pstat alone also reaches the command with -i" {
	signalled TERM -n -i
	is "the input of the command" "$(<got)" "15 process"
	ends_with_status 3
	is "results" "$(grep -c 'seconds time elapsed' err)" 1
}

@test "a command that dies of a signal sent to pstat gives 128+n, and the result is printed" {
	local name

	for name in TERM HUP INT QUIT USR1; do
		rm -f status pid ready
		start -n sh -c 'echo >ready; exec sleep 1000'
		eventually '[ -e ready ]'
		kill -s "$name" "$pstat_pid"
		finish
		ends_with_status $((128 + $(kill -l "$name")))
		grep -q "^pstat: sh: killed by signal $(kill -l "$name") (" err ||
			fail "not named" "$(<err)"
		is "results" "$(grep -c 'seconds time elapsed' err)" 1
	done
}

@test "a command that handles SIGTERM and exits with 3 gives 3" {
	rm -f status pid ready
	start -n sh -c 'trap "exit 3" TERM; echo >ready; while :; do sleep 0.05; done'
	eventually '[ -e ready ]'
	kill -TERM "$pstat_pid"
	finish
	ends_with_status 3
	is "messages" "$(grep -c '^pstat:' err || true)" 0
}

@test "Ctrl-C reaches the command once, from the terminal, and the result is printed" {
	status=0
	"$programs/on-terminal" got "$PSTAT" -n "$programs/await" got >out 2>err </dev/null 3>&- ||
		status=$?
	ends_with_status 3
	is "the input of the command" "$(<got)" "2 kernel"
	is "results" "$(grep -c 'seconds time elapsed' out)" 1
}

@test "Ctrl-C that kills the command gives 130" {
	status=0
	"$programs/on-terminal" ready "$PSTAT" -n sh -c 'echo >ready; exec sleep 1000' >out 2>err \
		</dev/null 3>&- || status=$?
	ends_with_status 130
	grep -q 'pstat: sh: killed by signal 2 (Interrupt)' out || fail "not named" "$(<out)"
	is "results" "$(grep -c 'seconds time elapsed' out)" 1
}

@test "Ctrl-C ends a series, whose runs so far are the result" {
	status=0
	"$programs/on-terminal" third "$PSTAT" -n -r 1000 sh -c '
		mkdir first || mkdir second || { echo >third; exec sleep 1000; } 2>/dev/null' \
		>out 2>err </dev/null 3>&- || status=$?
	ends_with_status 130
	grep -q '(2 runs):' out || fail "not 2 runs" "$(<out)"
	is "results" "$(grep -c 'seconds time elapsed' out)" 1
}

@test "a signal to pstat ends a series after the current run, even if the command survives the signal" {
	local option

	for option in '' -i; do
		rm -f status pid ready runs
		# shellcheck disable=SC2016,SC2086 # for the other shell; words
		start -n $option -r 100 sh -c 'trap got=1 TERM; echo x >>runs; echo >ready
			until [ "${got:-}" ]; do sleep 0.02; done'
		eventually '[ -e ready ]'
		kill -TERM "$pstat_pid"
		finish
		ends_with_status 143
		is "runs" "$(wc -l <runs)" 1
		is "results" "$(grep -c 'seconds time elapsed' err)" 1
		grep -qx "pstat: interrupted: 1 of 100 runs" err || fail "no message:" "$(<err)"
	done
}

@test "-r 0 runs until it is interrupted" {
	rm -f status pid
	# shellcheck disable=SC2016 # for the other shell
	start -n -r 0 sh -c 'echo x >>runs; [ $(wc -l <runs) -lt 20 ] || exec sleep 1000'
	# shellcheck disable=SC2016 # for eval
	eventually '[ -e runs ] && [ $(wc -l <runs) -eq 20 ]'
	kill -INT "$pstat_pid"
	finish
	ends_with_status 130
	grep -q '(19 runs):' err || fail "not 19 runs" "$(<err)"
}

@test "without a command, pstat counts until a signal, and says so" {
	needs_cpus
	rm -f status pid
	start -e cs
	eventually 'grep -qx "pstat: no command: counting all CPUs (-a) until a signal, such as Ctrl-C" err'
	kill -INT "$pstat_pid"
	finish
	ends_with_status 130
	grep -q ' cs  ' err || fail "no count" "$(<err)"
}

@test "under nohup, a hangup affects neither pstat nor the command" {
	rm -f got status pid
	cat >hung-up <<-END
		#!/bin/sh
		exec nohup "$PSTAT" "\$@"
	END
	chmod +x hung-up
	PSTAT=./hung-up start -n "$programs/await" got
	eventually '[ -e got ]'
	kill -HUP "$pstat_pid"
	kill -TERM "$pstat_pid"
	finish
	is "the input of the command" "$(<got)" "15 process"
	ends_with_status 3
}

@test "pstat waits for a command that stops and continues" {
	local child

	rm -f got status pid
	start -n "$programs/await" got
	eventually '[ -e got ]'
	child=$(pgrep -P "$pstat_pid")
	kill -STOP "$child"
	sleep 0.1
	[ ! -e status ] || fail "pstat did not wait"
	kill -CONT "$child"
	kill -TERM "$pstat_pid"
	finish
	is "the input of the command" "$(<got)" "15 process"
	ends_with_status 3
}

@test "a signal that the command sends to its whole group reaches it once" {
	setsid --wait "$PSTAT" -n sh -c 'trap "echo got TERM" TERM; kill -TERM 0; sleep 0.1; exit 0' \
		>out 2>err </dev/null
	is "standard output" "$(<out)" "got TERM"
}

# Not under valgrind, which loses the sender of a real-time signal.
@test "any signal that would end pstat reaches the command, and the result is printed" {
	local name

	for name in ALRM VTALRM PROF XCPU IO PWR STKFLT RTMIN RTMAX; do
		rm -f status pid ready
		PSTAT=$bare_pstat start -n sh -c 'echo >ready; exec sleep 1000'
		eventually '[ -e ready ]'
		kill -s "$name" "$pstat_pid"
		finish
		ends_with_status $((128 + $(kill -l "$name")))
		is "results after SIG$name" "$(grep -c 'seconds time elapsed' err)" 1
	done
}

@test "SIGINT ends pstat even if a shell started it in the background" {
	# A shell without job control starts a background command with SIGINT and SIGQUIT ignored.
	local name

	printf '#!/bin/sh\ntrap "" INT QUIT TERM\nexec "%s" "$@"\n' "$bare_pstat" >ignoring
	chmod +x ignoring
	for name in INT QUIT TERM; do
		rm -f status pid
		PSTAT=./ignoring start -p "$$" -I 20 --summary -e duration_time
		eventually 'grep -q duration_time err' # pstat handles signals while it counts
		kill -s "$name" "$pstat_pid"
		finish
		is "results after SIG$name" "$(grep -c 'Performance counter stats' err)" 1
	done
}

@test "a command that asks its parent to trace it runs to its end" {
	pstat -n "$programs/traced" 5
	ends_with_status 5
	is "results" "$(grep -c 'seconds time elapsed' err)" 1
	pstat -n --pre "$programs/traced 0" -r 2 true
	ends_with_status 0
	is "results" "$(grep -c 'seconds time elapsed' err)" 1
}

@test "an interrupted warmup and an interrupted --setup leave no result, and a message says so" {
	rm -f status pid ready
	start -n --warmup 20 -r 5 sh -c 'trap "" TERM; echo >ready; until [ -e go ]; do sleep 0.02; done'
	eventually '[ -e ready ]'
	kill -TERM "$pstat_pid"
	echo >go
	finish
	ends_with_status 143
	is "standard error" "$(<err)" "pstat: interrupted before a run was counted: there is no result"

	rm -f status pid ready
	cat >waits <<-'END'
		#!/bin/sh
		trap got=1 TERM
		echo >ready
		until [ "${got:-}" ]; do sleep 0.02; done
	END
	chmod +x waits
	start -n --setup ./waits --cleanup 'touch cleaned' touch started
	eventually '[ -e ready ]'
	kill -TERM "$pstat_pid"
	finish
	ends_with_status 143
	is "standard error" "$(<err)" "pstat: interrupted before a run was counted: there is no result"
	[ ! -e started ] || fail "the command was started"
	[ -e cleaned ] || fail "--cleanup did not run"
}

@test "signals while the result is written do not lose it" {
	local name

	needs_command strace
	strace -o /dev/null true 2>/dev/null || skip "strace may not trace here"
	without_leak_check
	for name in INT TERM USR1 ALRM; do
		rm -f result saved
		# the signal arrives with the first byte that pstat writes to a file
		PSTAT=strace pstat -qq -o trace -e trace=fsync,pwrite64,rename,renameat,renameat2,write \
			-e inject=write:signal="$name":when=1+ "$bare_pstat" -n -o result --save saved true
		ends_with_status 0
		grep -q 'seconds time elapsed' result || fail "SIG$name: no result"
		grep -q '"pstat-result"' saved || fail "SIG$name: no document"
	done
}

@test "a message reports a signal of --timeout that cannot be sent, and pstat waits" {
	needs_command strace
	strace -o /dev/null true 2>/dev/null || skip "strace may not trace here"
	without_leak_check
	PSTAT=strace pstat -qq -o trace -e trace=kill -e inject=kill:error=EPERM \
		"$bare_pstat" -n --timeout 50 sh -c 'until grep -q waiting err; do sleep 0.02; done'
	ends_with_status 0
	is "messages" "$(grep '^pstat:' err)" "pstat: cannot send a signal to the command: Operation not permitted; waiting until it ends"
	is "results" "$(grep -c 'seconds time elapsed' err)" 1
}
