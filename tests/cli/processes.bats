#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Other processes than the first one of the command: pstat reports processes that the command leaves
# running, but no others, and leaves none itself.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

@test "a process that outlives the command is reported, with its pid and name" {
	# shellcheck disable=SC2016 # for the other shell
	pstat -n sh -c 'sleep 60 >/dev/null 2>&1 & echo $! >pid
		until grep -q sleep /proc/$!/comm; do :; done'
	ends_with_status 0
	is "the messages" "$(grep '^pstat:' err)" \
		"pstat: sh did not wait for processes that still run: $(<pid) (sleep); their later counts are lost"
}

@test "a daemon without its first session and parent is reported once, with its pid" {
	pstat -n sh -c 'setsid --fork sh -c "echo \$\$ >pid; exec sleep 60 >/dev/null 2>&1"
		until [ -s pid ]; do sleep 0.01; done'
	ends_with_status 0
	is "number of messages" "$(grep -c '^pstat:' err)" 1
	grep -q "^pstat: sh did not wait for processes that still run: $(<pid) (" err ||
		fail "not reported" "$(<err)"
}

@test "in a series, each survivor is reported once, with the run that left it" {
	# shellcheck disable=SC2016 # for the other shell
	pstat -n -r 3 sh -c 'sleep 60 >/dev/null 2>&1 & echo $! >>pids
		until grep -q sleep /proc/$!/comm; do :; done'
	ends_with_status 0
	is "the messages" "$(grep '^pstat:' err)" "$(awk '{
		print "pstat: run " NR ": sh did not wait for processes that still run: " $1 \
			" (sleep); their later counts are added to later runs" }' pids)"
}

@test "an orphan that ends before the command is not a survivor" {
	# shellcheck disable=SC2016 # for the other shell
	pstat -n sh -c 'sh -c "true & echo \$! >orphan; exec true"
		while kill -0 "$(cat orphan)" 2>/dev/null; do sleep 0.02; done'
	ends_with_status 0
	is "messages" "$(grep -c '^pstat:' err || true)" 0
}

@test "children from before the exec of pstat are not taken for children of the command" {
	# shellcheck disable=SC2016 # for the other shell
	sh -c 'sleep 60 >/dev/null 2>&1 & echo $! >pid; exec "$@"' sh "$bare_pstat" -n true \
		>out 2>err </dev/null 3>&-
	is "messages" "$(grep -c '^pstat:' err || true)" 0
	kill -0 "$(<pid)" || fail "pstat ended a child that is not its own"
}

@test "no run leaves a process of pstat" {
	local name=left-behind-$$-$BATS_TEST_NUMBER

	cp "$bare_pstat" "./$name"
	PSTAT=./$name
	pstat -n true
	ends_with_status 0
	pstat -e page-faults:u -i -r 3 true
	ends_with_status 0
	pstat -i --strict -e '4294967295:1' true
	ends_with_status 125
	pstat -i -e page-faults:u no-such-command
	ends_with_status 127
	is "processes" "$(pgrep -f "$name" || true)" ""
}

@test "a command continues if pstat is killed" {
	# shellcheck disable=SC2016 # for the other shell
	"$bare_pstat" -n sh -c 'echo $$ >pid; until [ -e go ]; do sleep 0.02; done; echo >done' \
		>out 2>err </dev/null 3>&- &
	eventually '[ -s pid ]'
	kill -KILL $!
	wait $! || true
	echo >go
	eventually '[ -e done ]'
}

@test "orphans that end while the command runs are reaped at once" {
	cat >waits <<-'END'
		#!/bin/sh
		# Start a grandchild, and wait for its end without being its parent.
		(sh -c 'echo $$ >pid; exec sleep 0.3' &)
		while [ ! -s pid ]; do sleep 0.05; done
		pid=$(cat pid)
		while kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
	END
	chmod +x waits
	pstat -n ./waits
	ends_with_status 0
	grep -q 'seconds time elapsed' err || fail "no result" "$(<err)"
}

@test "many survivors are all reported" {
	# shellcheck disable=SC2016 # for the other shell
	pstat -n sh -c 'for i in $(seq 900); do sleep 1000 >/dev/null 2>&1 & echo $! >>pids; done'
	ends_with_status 0
	is "survivors" "$(grep '^pstat:' err | grep -o '[0-9]* ([a-z]*)' | cut -d' ' -f1 | sort)" "$(sort pids)"
}
