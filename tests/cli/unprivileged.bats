#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Without CAP_PERFMON, as kernel.perf_event_paranoid of this machine has it: user mode alone at 2,
# nothing at 3, all of one's own below.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

level=$(cat /proc/sys/kernel/perf_event_paranoid)

# as_nobody ARG...: pstat, as somebody without any privilege, from where he may execute it
as_nobody()
{
	local folder

	folder=$(mktemp -d)
	chmod 755 "$folder"
	cp "$bare_pstat" "$folder/pstat"
	status=0
	if [ "$(id -u)" -eq 0 ]; then
		(cd / && exec setpriv --reuid=65534 --regid=65534 --clear-groups --bounding-set=-all \
			--inh-caps=-all "$folder/pstat" "$@") >out 2>err </dev/null || status=$?
	else
		"$folder/pstat" "$@" >out 2>err </dev/null || status=$?
	fi
	rm -r "$folder"
}

needs_level()
{
	needs_counting user
	[ "$level" -eq "$1" ] || skip "kernel.perf_event_paranoid is $level here, not $1"
}

@test "at 2, an event falls back to user mode, its row and a message say so" {
	needs_level 2
	as_nobody -e page-faults,task-clock true
	ends_with_status 0
	grep -qE '^ +[1-9][0-9]* +page-faults:u ' err || fail "no page-faults:u" "$(<err)"
	grep -qE '^ +[0-9.]+ msec task-clock:u ' err || fail "no task-clock:u" "$(<err)"
	is "messages" "$(grep -c '^pstat:' err)" 1
	grep -qE '^pstat: page-faults, task-clock: counted in user mode only: kernel.perf_event_paranoid is 2, .*CAP_PERFMON.*sysctl kernel.perf_event_paranoid=1' err ||
		fail "not said" "$(<err)"
}

@test "at 2, an event of the kernel alone is not supported, rather than counted as 0" {
	local event

	needs_level 2
	for event in context-switches cpu-migrations; do
		as_nobody -e "$event" true
		ends_with_status 0
		grep -qE "^ +<not supported> +$event\$" err || fail "not refused" "$(<err)"
		is "messages" "$(grep -c '^pstat:' err)" 1
		grep -qE "^pstat: $event: not supported: kernel.perf_event_paranoid is 2, .*CAP_PERFMON" err ||
			fail "no reason" "$(<err)"
		! grep -q ':u)' err || fail "a way out that counts nothing" "$(<err)"
	done
}

@test "at 2, what a user may count is counted without a word" {
	needs_level 2
	as_nobody -x, -e page-faults:u,duration_time true
	ends_with_status 0
	is "the rows" "$(cut -d, -f3 err)" "page-faults:u
duration_time"
}

@test "at 2, kernel mode that was asked for is not replaced by user mode" {
	needs_level 2
	as_nobody -e page-faults:k true
	ends_with_status 0
	grep -qE '^ +<not supported> +page-faults:k$' err || fail "not refused" "$(<err)"
	as_nobody --all-kernel -e page-faults true
	ends_with_status 0
	grep -qE '^ +<not supported> +page-faults$' err || fail "not refused" "$(<err)"
}

@test "at 2, --strict refuses what cannot be counted" {
	needs_level 2
	as_nobody --strict -e context-switches echo started
	ends_with_status 125
	is "what the command printed" "$(<out)" ""
}

@test "a group keeps what may be counted of it" {
	needs_level 2
	as_nobody -x, -e '{context-switches,page-faults}' true
	ends_with_status 0
	is "the rows" "$(grep -v '^# pstat:' err | cut -d, -f3)" "context-switches
page-faults:u"
	within "page faults" 1 "$(field 1 page-faults:u)" 100000
}

@test "--explain says what the kernel allows" {
	needs_level 2
	as_nobody --explain page-faults context-switches page-faults:u
	ends_with_status 0
	is "what it says" "$(awk '$1 == "kernel" { print /paranoid is 2/ ? "forbids" : "accepts" }' out | tr '\n' ' ')" \
		"forbids forbids accepts "
}

@test "whatever the level, the command runs, is timed, and its status is its own" {
	as_nobody -e page-faults,context-switches sh -c 'exit 3'
	ends_with_status 3
	grep -q 'seconds time elapsed' err || fail "not timed" "$(<err)"
	is "rows" "$(grep -cE '^ +(<not supported>|[0-9]+) +(page-faults|context-switches)' err)" 2
}
