#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# --control: commands through descriptors and FIFOs, and counting only a region of a program.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

pages=page-faults:u

@test "fifo: enable, disable, ping and stop are acknowledged when they are done" {
	needs_calls "$programs/serve"
	serve one
	begin -x, -D -1 -e "$calls" -p "${server[one]}"
	for i in 1 2 3; do
		ask one call 1000
		tell enable
		ask one call "$i"
		tell disable
		tell ping
	done
	tell stop
	finish
	ends_with_status 0
	is "calls while enabled" "$(field 1 "$calls")" 6
}

@test "fifo: each run of -r begins with disabled counters" {
	needs_calls "$programs/serve"
	serve one
	mkfifo begun end
	begin -x, -r 2 -D -1 -e "$calls" -p "${server[one]}" sh -c ': >begun; cat end'
	for i in 4 6; do
		: <begun # the command of this run waits for a reader
		tell ping
		ask one call 100
		tell enable
		ask one call "$i"
		: >end
	done
	finish
	ends_with_status 0
	is "calls while enabled, mean of 2 runs" "$(field 1 "$calls")" 5
}

@test "fd: works the same with descriptors that pstat inherits" {
	local to from answer

	needs_counting user
	serve one
	mkfifo to from
	exec {to}<>to {from}<>from
	"$PSTAT" -x, -D -1 --control "fd:$to,$from" -e "$pages" -p "${server[one]}" >out 2>err \
		</dev/null 3>&- &
	pstat_job=$!
	echo enable >&"$to"
	read -r -t "$patience" -u "$from" answer
	is "the answer" "$answer" ack
	ask one call 500
	echo disable >&"$to"
	read -r -t "$patience" -u "$from" answer
	is "the answer" "$answer" ack
	ask one call 5000
	echo stop >&"$to"
	finish
	ends_with_status 0
	within "page faults" 500 "$(field 1 "$pages")" 4900
}

@test "without ACK there are no acknowledgements, and commands are obeyed in order" {
	local to

	needs_counting user
	mkfifo to
	exec {to}<>to
	printf 'disable\nping\n\nenable\nstop\n' >&"$to"
	pstat -x, --control fifo:to -e "$pages" sh -c 'sleep 0.2; exit 5'
	ends_with_status 5
	is "messages" "$(grep -c '^pstat:' err || true)" 0
}

@test "an unknown command is reported with escapes, and not acknowledged" {
	needs_counting user
	serve one
	begin -e "$pages" -p "${server[one]}"
	printf 'enabled\nfoo\033[2J\n\n' >&"$ctl"
	tell ping
	tell stop
	finish
	ends_with_status 0
	is "the reason" "$(grep '^pstat: page' err)" \
		"pstat: $pages: not counted: none of the tasks ran while it was counted"
	is "the messages" "$(grep '^pstat: --control' err)" "pstat: --control: unknown command 'enabled'; choose from enable [EVENT], disable [EVENT], evlist, ping and stop
pstat: --control: unknown command 'foo\\x1b[2J'; choose from enable [EVENT], disable [EVENT], evlist, ping and stop"
}

@test "stop ends the counting but not the command, and is acknowledged" {
	needs_counting user
	mkfifo go
	begin -x, -e "$pages,duration_time" sh -c "read -r line <go; $programs/faults 50000; exit 6"
	tell stop
	tell ping
	echo >go
	finish
	ends_with_status 6
	within "page faults" 0 "$(field 1 "$pages")" 20000
}

@test "the other end may close the channel" {
	needs_counting user
	# shellcheck disable=SC2016 # for the other shell
	sh -c '{ echo ping; } | "$0" --control fd:0 -n sleep 0.2' "$PSTAT" >out 2>err 3>&-
	is "results" "$(grep -c 'seconds time elapsed' err)" 1
}

@test "the command finds the channel in PSTAT_CONTROL, which is unset without --control" {
	# shellcheck disable=SC2016 # for the other shell
	local in_env='echo "${PSTAT_CONTROL-none}"'

	mkfifo to from
	pstat -n sh -c "$in_env"
	is "PSTAT_CONTROL" "$(<out)" none
	pstat -n --control fifo:to,from sh -c "$in_env"
	ends_with_status 0
	is "PSTAT_CONTROL" "$(<out)" "fifo:$PWD/to,$PWD/from"
	pstat -n --control fifo:to sh -c "$in_env"
	is "PSTAT_CONTROL" "$(<out)" "fifo:$PWD/to"
	pstat -n --control region sh -c "$in_env"
	[[ $(<out) =~ ^fd:[0-9]+,[0-9]+$ ]] || fail "PSTAT_CONTROL is $(<out)"
}

@test "a region is counted exactly, without the code around it" {
	needs_probes
	cp "$programs/region" .
	pstat -x, --control region -e uprobe:./region:called ./region 1 100 5000
	ends_with_status 0
	is "calls" "$(field 1 uprobe:./region:called)" 5101
	is "results of the functions" "$(sort -u out)" "0 0"
}

@test "enable switches on a member of a group that was switched off by its name" {
	needs_counting user
	serve one
	begin -D -1 -x, -e "{task-clock:u,$pages}" -p "${server[one]}"
	tell enable
	tell "disable $pages"
	tell enable
	ask one threads 5
	tell stop
	finish
	within "page faults" 1 "$(field 1 "$pages")" 10000
}

@test "the page faults of a region are counted exactly" {
	local few many

	needs_counting user
	few=$(count "$pages" --control region -e "$pages" "$programs/region" 1000)
	within "page faults of 1000 pages" 1000 "$few" 1010
	many=$(count "$pages" -r 3 --control region -e "$pages" "$programs/region" 3000)
	within "page faults of 3000 pages, in 3 runs" 3000 "$many" 3010
}

@test "with -I a region is counted in the interval in which it ran" {
	needs_counting user
	pstat -x, -I 20 --summary --control region -e "$pages" sh -c \
		"sleep 0.1; $programs/region 1000; sleep 0.1"
	ends_with_status 0
	is "the sum" "$(awk -F, '!/summary/ { sum += $2 } END { print sum }' err)" \
		"$(awk -F, '/summary/ { print $2 }' err)"
	within "page faults" 1000 "$(awk -F, '/summary/ { print $2 }' err)" 1010
}

@test "a region without an end is counted until the command ends" {
	needs_probes
	cp "$programs/region" .
	pstat -x, --control region -e uprobe:./region:called ./region -n 7
	ends_with_status 0
	is "calls" "$(field 1 uprobe:./region:called)" 17
}

@test "the functions for regions also work with FIFOs and descriptors, and do nothing without pstat" {
	local to from

	needs_counting user
	mkfifo to from
	pstat -x, -D -1 --control fifo:to,from -e "$pages" "$programs/region" 500
	ends_with_status 0
	is "results of the functions" "$(<out)" "0 0"
	within "page faults" 500 "$(field 1 "$pages")" 510
	exec {to}<>to {from}<>from
	pstat -x, -D -1 --control "fd:$to,$from" -e "$pages" "$programs/region" 500
	ends_with_status 0
	is "results of the functions" "$(<out)" "0 0"
	within "page faults" 500 "$(field 1 "$pages")" 510
	is "alone" "$("$programs/region" 3)" "1 1"
	is "with nonsense in the environment" "$(PSTAT_CONTROL=x "$programs/region" 3)" "-1 -1 Invalid argument"
	is "with descriptors that are closed" "$(PSTAT_CONTROL=fd:77,78 "$programs/region" 3)" "-1 -1 Bad file descriptor"
}

@test "the manual's example compiles without a warning, and counts at each -O level" {
	local level n

	needs_command gcc
	needs_counting user
	awk '/^#include <pstat-region.h>/ { inside = 1 } inside { gsub(/\\e/, "\\"); print } /^}/ { inside = 0 }' \
		"${TOP_SRCDIR:?}/man/pstat.1" >region.c
	[ -s region.c ] || fail "no example"
	for level in 0 1 2 3 s; do
		gcc -std=c99 -Wall -Wextra -Werror "-O$level" -D_GNU_SOURCE -I "$TOP_SRCDIR/src" -o region region.c
		n=$(count "$pages" --control region -e "$pages" ./region)
		within "page faults at -O$level" 1 "$n" 2500
	done
}

@test "a channel that cannot be opened is refused" {
	refuses "--control 'foo', column 1: 'foo' is not fd:CTL[,ACK], fifo:CTL[,ACK] or region" \
		--control foo touch started
	refuses "--control 'fifo:nope', column 6: nope: No such file or directory" --control fifo:nope \
		touch started
	refuses "--control 'fd:77', column 4: descriptor 77 is not open" --control fd:77 touch started
	refuses "--control 'fd:x', column 4: 'x' is not the number of a descriptor" --control fd:x \
		touch started
	refuses "--control 'fd:1', column 4: descriptor 1 is not open for reading" --control fd:1 \
		touch started
}

@test "events are switched by name, and evlist prints the names" {
	local other=minor-faults:u

	needs_counting user
	serve one
	begin -D -1 -e "$pages,{$other,task-clock:u}" -p "${server[one]}"
	tell "enable $pages"
	ask one call 100
	tell "disable $pages"
	ask one call 1000
	tell "enable $other"
	ask one call 50
	tell "disable $other"
	tell "enable none"
	tell evlist
	tell 'evlist -g'
	tell 'evlist -v'
	tell stop
	finish
	ends_with_status 0
	within "the count of $pages" 100 "$(awk -v e="$pages" '$2 == e { gsub(",", "", $1); print $1 }' err)" 199
	within "the count of $other" 50 "$(awk -v e="$other" '$2 == e { gsub(",", "", $1); print $1 }' err)" 99
	is "notes" "$(grep '^pstat: --control' err)" "pstat: --control: no event has the name 'none'; evlist shows the names"
	is "the list" "$(grep -cx -e "$pages" -e "$other" -e task-clock:u -e "{$other,task-clock:u}" err)" 5
	is "the attributes" "$(grep -c "^$pages: type: 1, size: [0-9]*, config: 0x2," err)" 1
}

@test "a command without a newline is obeyed, and the answer has perf's five bytes" {
	needs_counting user
	local pid

	mkfifo commands answers hold
	exec {ctl}<>commands {ack}<>answers
	"$bare_pstat" -D -1 -x, -e "$pages" --control "fd:$ctl,$ack" -- sh -c 'read -r line; exit 3' <>hold 2>err 3>&- &
	pid=$!
	printf enable >&"$ctl"
	is "the answer" "$(timeout "$patience" head -c 5 <&"$ack" | od -An -c | tr -d ' ')" 'ack\n\0'
	printf stop >&"$ctl"
	is "the answer" "$(timeout "$patience" head -c 5 <&"$ack" | od -An -c | tr -d ' ')" 'ack\n\0'
	kill "$pid"
	wait "$pid" || true
}

@test "only the first answer that is lost is reported, and later commands are obeyed" {
	local to from

	mkfifo commands answers
	exec {to}<>commands
	cat answers &
	exec {from}>answers
	kill "$!"
	wait "$!" || true
	printf 'ping\nping\nstop\n' >&"$to"
	pstat -x, --control "fd:$to,$from" -e duration_time -p "$$"
	ends_with_status 0
	is "the message" "$(grep '^pstat:' err)" "pstat: --control: an answer was lost: Broken pipe"
}
