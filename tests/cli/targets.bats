#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Existing processes, threads, CPUs and cgroups. The tests count calls of a function in a program
# that no other test uses, so that the numbers are exact.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

# The mount point of the cgroups that perf uses. A test creates its own cgroup there.
cgroups=$(awk '$3 == "cgroup2" && !found { found = $2 }
	$3 == "cgroup" && $4 ~ /(^|,)perf_event(,|$)/ { found = $2 } END { print found }' /proc/self/mounts)

clean_up()
{
	[ -z "${own_cgroup:-}" ] || remove_cgroup
}

remove_cgroup()
{
	local i

	for ((i = 0; i < 100; i++)); do
		rmdir "$cgroups/$own_cgroup"/* "$cgroups/$own_cgroup" 2>/dev/null || true
		[ -e "$cgroups/$own_cgroup" ] || return 0
		sleep 0.05
	done
}

# make_cgroups NAME...: create cgroups below $own_cgroup, which belongs to this test
make_cgroups()
{
	local name

	needs_probes
	[ -n "$cgroups" ] || skip "no cgroups are mounted"
	own_cgroup=pstat-test-$$-$BATS_TEST_NUMBER
	mkdir "$cgroups/$own_cgroup" 2>/dev/null || skip "no cgroup can be created here"
	for name; do
		mkdir "$cgroups/$own_cgroup/$name"
	done
}

# row LABEL EVENT: print the count in the row of -x, that begins with LABEL
row()
{
	awk -F, -v label="$1" -v event="$2" '$1 == label && index($0, "," event ",") {
		for (i = 2; i < NF; i++)
			if ($i == event)
				print $(i - 2)
	}' err
}

# sum EVENT: print the sum of the counts in all its rows
sum()
{
	awk -F, -v event="$1" '{
		for (i = 3; i < NF; i++)
			if ($i == event)
				sum += $(i - 2)
	} END { printf "%d\n", sum }' err
}

@test "-p counts all threads of a process, and the threads and processes that they create" {
	needs_calls "$programs/serve"
	serve one
	ask one threads 3 5
	begin -x, -e "$calls" -p "${server[one]}"
	ask one call 100
	ask one each 50
	ask one threads 2 30
	ask one fork 20
	ask one each 1
	tell stop
	finish
	ends_with_status 0
	is "calls" "$(field 1 "$calls")" $((100 + 3 * 50 + 2 * 30 + 20 + 5))
}

@test "-p and -t count page faults of processes of the same user without any privilege" {
	needs_counting user
	serve one
	begin -x, -e page-faults:u -p "${server[one]}"
	ask one call 1000
	tell stop
	finish
	ends_with_status 0
	within "page faults" 1000 "$(field 1 page-faults:u)" 1900
	begin -x, -e page-faults:u -t "${server[one]}"
	ask one call 2000
	tell stop
	finish
	ends_with_status 0
	within "page faults" 2000 "$(field 1 page-faults:u)" 2900
}

@test "-t counts one thread; -p and -t together count both targets, and nothing twice" {
	local worker

	needs_calls "$programs/serve"
	serve one
	ask one threads 2 5
	worker=$(find "/proc/${server[one]}/task" -mindepth 1 -maxdepth 1 -printf '%f\n' | sort -n | tail -n 1)
	begin -x, -e "$calls" -t "${server[one]}"
	ask one call 7
	ask one each 50
	tell stop
	finish
	is "calls of the first thread" "$(field 1 "$calls")" 7
	begin -x, -e "$calls" -t "$worker,${server[one]}"
	ask one call 7
	ask one each 50
	tell stop
	finish
	is "calls of two of three threads" "$(field 1 "$calls")" 57
	begin -x, -e "$calls" -p "${server[one]}" -t "$worker"
	ask one each 50
	tell stop
	finish
	is "calls of all threads" "$(field 1 "$calls")" 100
}

@test "a list of processes counts their sum, and -i excludes tasks that they create" {
	needs_calls "$programs/serve"
	serve one
	serve two
	begin -x, -e "$calls" -p "${server[one]},${server[two]}"
	ask one call 11
	ask two call 22
	tell stop
	finish
	is "calls of both" "$(field 1 "$calls")" 33
	begin -i -x, -e "$calls" -p "${server[one]}"
	ask one call 3
	ask one fork 100
	ask two call 100
	tell stop
	finish
	is "calls with -i" "$(field 1 "$calls")" 3
}

@test "counting ends with status 0 when all tasks of -p and -t have ended" {
	needs_counting user
	serve one
	serve two
	begin -x, -e page-faults:u,duration_time -p "${server[one]}" -t "${server[two]}"
	ask one call 100
	ask one quit
	wait "${server[one]}"
	tell ping
	ask two quit
	finish
	ends_with_status 0
	within "page faults" 100 "$(field 1 page-faults:u)" 1000
}

@test "a series of -p ends with its last task, also if that ends between two runs" {
	local pid

	sleep 1000 &
	pid=$!
	# its parent, the shell of the test, may have waited for it already
	cat >end <<-EOF
		#!/bin/sh
		kill $pid
		while [ -e /proc/$pid ] && ! grep -qs '^State:.*Z' /proc/$pid/status; do
			sleep 0.01
		done
	EOF
	chmod +x end
	pstat -r 3 --timeout 50 --post ./end -e task-clock -p "$pid"
	ends_with_status 0
	grep -qx 'pstat: -r: all tasks have ended; run 1 is the last' err || fail "no note" "$(<err)"
}

@test "a command with -p sets the duration, gives the status, and is not counted" {
	needs_calls "$programs/serve"
	serve one
	begin -x, -e "$calls" -p "${server[one]}" sh -c 'until [ -e end ]; do sleep 0.02; done; exit 3'
	ask one call 5
	touch end
	finish
	ends_with_status 3
	is "calls" "$(field 1 "$calls")" 5
	pstat -e page-faults:u,task-clock:u -p "${server[one]}" "$programs/faults" 1000
	ends_with_status 0
	grep -q " Performance counter stats for process id '${server[one]}':" err || fail "header" "$(<err)"
	is "counted rows" "$(grep -cE '^ +[1-9][0-9]* +page-faults' err || true)" 0
	is "rows of user time" "$(grep -c ' user$' err || true)" 0
}

@test "after Ctrl-C or SIGTERM the counts are printed, and pstat ends by that signal" {
	local name

	needs_counting user
	serve one
	for name in INT TERM; do
		begin -x, -e page-faults:u -p "${server[one]}"
		ask one call 300
		kill -s "$name" "$pstat_pid"
		finish
		ends_with_status $((128 + $(kill -l "$name")))
		within "page faults" 300 "$(field 1 page-faults:u)" 599
		kill -0 "${server[one]}" || fail "the process was ended"
	done
}

@test "a process or thread that does not exist is refused" {
	local gone

	gone=$(</proc/sys/kernel/pid_max) # the kernel gives this number to no process
	refuses "-p $gone: there is no such process" -p "$gone" touch started
	refuses "-t $gone: there is no such thread" -t "$gone" touch started
	refuses "-p $gone: there is no such process" -p "$$,$gone" touch started
}

@test "-a counts everything that runs, including the command; -A has a row for each CPU" {
	local probe=uprobe:./region:called cpu

	needs_probes
	cp "$programs/region" .
	is "calls, -a" "$(count "$probe" -a -e "$probe" ./region 500)" 520
	pstat -a -A -x, -e "$probe" ./region 500
	ends_with_status 0
	is "calls, -A" "$(sum "$probe")" 520
	is "the rows" "$(cut -d, -f1 err)" "$(tr , '\n' </sys/devices/system/cpu/online |
		awk -F- '{ for (cpu = $1; cpu <= $NF; cpu++) print "CPU" cpu }')"
	for cpu in 0 1; do
		taskset -c "$cpu" true 2>/dev/null || continue
		pstat -a -A -x, -e "$probe" taskset -c "$cpu" ./region 300
		is "calls on CPU $cpu" "$(row "CPU$cpu" "$probe")" 320
		is "calls on all" "$(sum "$probe")" 320
		is "calls, -C $cpu" "$(count "$probe" -C "$cpu" -e "$probe" taskset -c "$cpu" ./region 7)" 27
	done
}

@test "-C counts the CPUs of its list" {
	local start

	needs_cpus
	start=$(uptime_ms)
	pstat -x, -C 0 -e cpu-clock,duration_time sleep 0.2
	ends_with_status 0
	# The CPU is counted until pstat disables the counters, after the end of the command.
	within "cpu-clock of one CPU in ms" 195 "$(field 1 cpu-clock)" $(($(uptime_ms) - start + 20))
	pstat -C 0 -A -e cs true
	grep -q " Performance counter stats for 'CPU(s) 0':" err || fail "header" "$(<err)"
	is "rows" "$(grep -c '^CPU0  ' err)" 1
	[ "$(getconf _NPROCESSORS_ONLN)" -ge 2 ] && grep -qx 0-1 /sys/devices/system/cpu/online || return 0
	pstat -x, -A -C 1,0 -e cs true
	is "the rows" "$(cut -d, -f1 err | sort)" "CPU0
CPU1"
}

@test "with -r the row of a CPU or core has the spread over the runs" {
	local split

	needs_cpus
	for split in -A --per-core; do
		rm -f ran
		pstat -x, -C 0 $split -r 2 -e cpu-clock sh -c 'if [ -e ran ]; then sleep 0.5; else touch ran; fi'
		ends_with_status 0
		is "rows with a spread above 1 %, $split" "$(grep -cE ',cpu-clock,[1-9][0-9]*\.[0-9]{2}%,' err)" 1
	done
}

@test "the events without -e are perf's: with -a the clock is the CPU's" {
	needs_cpus
	pstat -x, -a true
	is "the first event of -a" "$(head -n 1 err | cut -d, -f3)" cpu-clock
	serve one
	pstat -x, -p "${server[one]}" true
	is "the first event of -p" "$(head -n 1 err | cut -d, -f3)" task-clock
}

@test "the rows of each split have the labels, numbers of CPUs and order of perf's rows" {
	local split

	needs_cpus
	needs_command perf
	for split in -A --per-core --per-die --per-socket --per-node; do
		perf stat -a "$split" -x, -e cs,cpu-clock true 2>expected || continue
		grep -q ,cpu-clock, expected || continue
		pstat -a "$split" -x, -e cs,cpu-clock true
		ends_with_status 0
		# Everything except the counts and the numbers derived from them.
		sed -E -i 's/^(CPU[0-9]+|[SN][^,]*,[0-9]+),.*,(cs|cpu-clock),.*/\1 \2/' expected err
		diff expected err >&2 || fail "$split: see above"
	done
}

# has_cache LEVEL: return true if some CPU has a cache of that level
has_cache()
{
	cat /sys/devices/system/cpu/cpu*/cache/index*/level 2>/dev/null | grep -qx "$1"
}

@test "a cache that no CPU has is an error" {
	needs_cpus
	! has_cache 9 || skip "there is a cache of level 9"
	refuses "--per-cache=L9: the CPUs to count have no cache of level 9" --per-cache=9 -a touch started
	refuses "--per-cache=L9: the CPUs to count have no cache of level 9" --per-cache=L9 -C 0 touch started
}

@test "the rows of each split add up to the whole" {
	local probe=uprobe:./region:called split

	needs_probes
	cp "$programs/region" .
	for split in -A --per-core --per-cluster --per-cache --per-cache=L1 --per-cache=2 --per-die \
		--per-socket --per-node; do
		[[ $split != --per-cache=* ]] || has_cache "${split: -1}" || continue
		pstat -a "$split" -x, -e "$probe" ./region 100
		ends_with_status 0
		is "calls, $split" "$(sum "$probe")" 120
		[ "$split" = -A ] || is "CPUs, $split" "$(awk -F, '{ n += $2 } END { print n }' err)" \
			"$(getconf _NPROCESSORS_ONLN)"
	done
}

@test "--per-thread has a row for each thread, the largest count first" {
	local tids

	needs_calls "$programs/serve"
	serve one
	ask one threads 3 1
	tids=$(find "/proc/${server[one]}/task" -mindepth 1 -maxdepth 1 -printf '%f\n' | sort -n |
		grep -vx "${server[one]}")
	begin --per-thread -x, -e "$calls" -p "${server[one]}"
	ask one call 7
	ask one each 50
	ask one fork 5
	tell stop
	finish
	ends_with_status 0
	is "the rows" "$(cut -d, -f 1,2 err)" "$(for tid in $tids; do echo "worker-$tid,50"; done)
one-${server[one]},12"
	begin --per-thread -e "$calls" -t "${server[one]}"
	ask one call 7
	tell stop
	finish
	is "rows" "$(grep -cE "^ +one-${server[one]} +7 +$calls *\$" err)" 1
}

@test "--per-thread of a command has a row for each thread and process" {
	needs_probes
	pstat --per-thread -x, -e "uprobe:$programs/calls:called" sh -c "$programs/calls 100; $programs/calls 50; exec $programs/calls 7"
	ends_with_status 0
	is "the rows" "$(sed 's/-[0-9]*,/,/' err | cut -d, -f 1,2)" $'calls,100\ncalls,50\ncalls,7'
	pstat --per-thread -x, -e page-faults:u "$programs/faults" -T 8 1000
	ends_with_status 0
	is "rows" "$(wc -l <err)" 9
	while read -r number; do
		within "page faults of a thread" 1000 "$number" 2000
	done < <(cut -d, -f 2 err)
	pstat --per-thread -x, -e page-faults:u "$programs/faults" -c 5 1000
	is "rows" "$(wc -l <err)" 6
	pstat --per-thread -e cs --save saved sh -c 'ls >/dev/null; :'
	pstat --show saved -x,
	is "the names" "$(cat out err | sed 's/-.*//' | sort | tr '\n' ' ')" "ls sh "
}

@test "--per-thread of a command: 300 processes, signals, stops and statuses are as without pstat" {
	# shellcheck disable=SC2016 # for the other shell
	pstat --per-thread -x, -e cs sh -c 'i=0; while [ $i -lt 300 ]; do (:); i=$((i + 1)); done; exit 3'
	ends_with_status 3
	is "rows" "$(wc -l <err)" 301
	# shellcheck disable=SC2016 # for the other shell
	pstat --per-thread -x, -e cs sh -c 'kill -9 $$'
	ends_with_status 137
	# shellcheck disable=SC2016 # for the other shell
	# the tracer also stops the job when it begins and when it executes a program
	pstat --per-thread -x, -e cs sh -c 'sh -c "echo >ready; kill -STOP \$\$; echo resumed" & job=$!
		until [ -e ready ]; do :; done
		until [ "$(cut -d " " -f 3 /proc/$job/stat)" = T ] || [ "$(cut -d " " -f 3 /proc/$job/stat)" = t ]; do :; done
		kill -CONT $job; wait; trap "echo trapped" USR1; kill -USR1 $$; :'
	ends_with_status 0
	is "the output" "$(<out)" $'resumed\ntrapped'
	pstat --per-thread -x, --timeout 100 -e cs sh -c 'sleep 100 & sleep 100; :'
	ends_with_status 0
	is "the names" "$(sed 's/-.*//' err | sort | tr '\n' ' ')" "sh sleep sleep "
}

@test "--per-thread of a command: a process that outlives the command runs on, untraced" {
	# shellcheck disable=SC2016 # for the other shell
	pstat --per-thread -x, -e cs sh -c 'sleep 1000 >/dev/null 2>&1 & echo $! >job; until [ "$(cat /proc/$!/comm)" = sleep ]; do :; done'
	ends_with_status 0
	is "its tracer" "$(grep TracerPid "/proc/$(<job)/status" | tr -d '\t')" TracerPid:0
	is "its state" "$(cut -d ' ' -f 3 "/proc/$(<job)/stat")" S
	kill "$(<job)"
	# shellcheck disable=SC2016 # for the other shell
	begin --per-thread -x, -e cs sh -c 'echo $$ >job; exec sleep 1000'
	# shellcheck disable=SC2016 # evaluated later
	eventually 'grep -qx sleep "/proc/$(<job)/comm" 2>/dev/null'
	kill -KILL "$pstat_pid"
	# shellcheck disable=SC2016 # evaluated later
	eventually 'grep -q "TracerPid:.0" "/proc/$(<job)/status"'
}

@test "--per-thread -a has the threads with a count, of all users" {
	needs_calls "$programs/serve"
	needs_cpus
	# Not a probe: to open a probe for each thread of a busy system takes minutes. Other tests
	# may also call functions at this address, and so have rows.
	serve one
	serve two
	begin --per-thread -x, -e "$calls" -a
	ask one call 7
	ask two call 9
	tell stop
	finish
	ends_with_status 0
	is "the rows" "$(grep -E "^(one|two)-(${server[one]}|${server[two]})," err | cut -d, -f 1,2)" \
		"two-${server[two]},9
one-${server[one]},7"
	is "rows of threads that did nothing" "$(grep -vcE '^[^,]*,[1-9][0-9]*,' err || true)" 0
}

@test "a cgroup counts the tasks in it and below it, and nothing else" {
	local first=uprobe:./one:called other=uprobe:./two:called

	make_cgroups a b
	serve one
	serve two
	echo "${server[one]}" >"$cgroups/$own_cgroup/a/cgroup.procs"
	begin -a -x, -e "$first,$other,$first,$first" -G "$own_cgroup/a,$own_cgroup,/$own_cgroup,"
	ask one call 30
	ask two call 40
	tell stop
	finish
	ends_with_status 0
	is "rows" "$(awk -F, '{ print $1 == "<not counted>" ? 0 : $1, $3, $4 }' err)" "30 $first $own_cgroup/a
0 $other $own_cgroup
30 $first /$own_cgroup
30 $first "
}

@test "--for-each-cgroup has a row for each event in each cgroup, whose names may be patterns" {
	local first=uprobe:./one:called

	make_cgroups a b
	serve one
	serve two
	echo "${server[one]}" >"$cgroups/$own_cgroup/a/cgroup.procs"
	echo "${server[two]}" >"$cgroups/$own_cgroup/b/cgroup.procs"
	begin -a -x, -e "$first,uprobe:./two:called" --for-each-cgroup "^$own_cgroup/.\$,$own_cgroup"
	ask one call 30
	ask two call 40
	tell stop
	finish
	ends_with_status 0
	awk -F, '{ print $1 == "<not counted>" ? 0 : $1, $3, $4 }' err >rows
	# the parent first, then its children in any order
	is "first rows" "$(head -n 2 rows)" "30 $first $own_cgroup
40 uprobe:./two:called $own_cgroup"
	is "other rows" "$(tail -n +3 rows | LC_ALL=C sort)" "0 $first $own_cgroup/b
0 uprobe:./two:called $own_cgroup/a
30 $first $own_cgroup/a
40 uprobe:./two:called $own_cgroup/b"
}

@test "--for-each-cgroup with a pattern selects the same cgroups as perf, in the same order" {
	local list

	needs_command perf
	make_cgroups b a a/z a/y b/x
	for list in "$own_cgroup/[ab]" "$own_cgroup.*y\$,^$own_cgroup/b\$" "$own_cgroup,$own_cgroup/.*x"; do
		perf stat -x, -o perf -a -e cs --for-each-cgroup "$list" true
		pstat -x, -a -e cs --for-each-cgroup "$list" true
		ends_with_status 0
		is "cgroups of $list" "$(awk -F, '/cs/ { print $4 }' err)" "$(awk -F, '/cs/ { print $4 }' perf)"
		[ -s err ] || fail "no rows"
	done
}

@test "--for-each-cgroup names each pattern that matches nothing" {
	local list

	make_cgroups a
	list="$own_cgroup/.*,nosuch$own_cgroup,no[t]his"
	pstat -a -e cs --for-each-cgroup "$list" true
	ends_with_status 0
	is "notes" "$(grep 'cgroup matches' err)" "pstat: --for-each-cgroup: no cgroup matches 'nosuch$own_cgroup'
pstat: --for-each-cgroup: no cgroup matches 'no[t]his'"
	pstat -a -x, -e cs --for-each-cgroup "$list" true
	ends_with_status 0
	is "notes with -x" "$(grep -c 'cgroup matches' err || true)" 0
	pstat -v -a -x, -e cs --for-each-cgroup "$list" true
	is "notes with -x -v" "$(grep -c 'no cgroup matches' err)" 2
	refuses "--for-each-cgroup 'no[t]his,nosuch$own_cgroup': no cgroup in $cgroups matches 'no[t]his' or 'nosuch$own_cgroup'" \
		-a -e cs --for-each-cgroup "no[t]his,nosuch$own_cgroup" touch started
}

@test "events that count no whole CPU do not stand for -a" {
	local split events

	for split in -A --per-core --per-socket; do
		for events in duration_time user_time,duration_time system_time; do
			refuses "$split needs -a or -C" "$split" -e "$events" touch started
		done
	done
}

@test "a breakpoint on a symbol needs a command" {
	needs_counting user
	serve one
	pstat -v -x, -e mem:main:x,duration_time -p "${server[one]}" --timeout 10
	ends_with_status 0
	is "row" "$(grep -c '^<not supported>,,mem:main:x,' err)" 1
	is "reason" "$(grep -c 'symbols are looked up in the counted command only' err)" 1
}

# Without its clock, the kernel's clock would continue from the time when the last event was closed.
@test "the enabled time of a cgroup's first event begins with the run" {
	local enabled start

	needs_command jq
	needs_counting kernel
	needs_cpus
	[ -n "$cgroups" ] || skip "no cgroups are mounted"
	pstat -a --for-each-cgroup / -e cs true
	sleep 2
	start=$(uptime_ms)
	pstat -a --format json -o document --for-each-cgroup / -e cs,cpu-clock sleep 0.01
	ends_with_status 0
	enabled=$(jq -r '.runs[0].enabled_ns[0]' document)
	within "the time of all CPUs in ns" 10000000 "$enabled" \
		"$((($(uptime_ms) - start + 20) * $(nproc --all)))000000"
}

@test "a cgroup that does not exist is refused" {
	needs_cpus
	[ -n "$cgroups" ] || skip "no cgroups are mounted"
	refuses "-G: there is no cgroup 'no/such' in $cgroups" -a -e cs -G no/such touch started
	refuses "--for-each-cgroup: there is no cgroup 'no-such' in $cgroups" -a --for-each-cgroup no-such touch started
	refuses "--for-each-cgroup '^no-such\$': no cgroup in $cgroups matches '^no-such\$'" -a \
		--for-each-cgroup '^no-such$' touch started
	refuses "-G: cgroup '../x': a cgroup name cannot contain '..'" -a -e cs -G ../x touch started
}

# One reading of this many counters takes longer than the interval.
@test "intervals shorter than their readings delay neither --timeout nor --control nor the end" {
	local tasks events=task-clock,cs,faults,migrations,minor-faults,major-faults,dummy,cpu-clock

	needs_counting kernel
	"$programs/threads" 800 ready </dev/null >/dev/null 2>&1 3>&- &
	tasks=$!
	server[tasks]=$tasks
	eventually '[ -e ready ]'

	PSTAT=$bare_pstat pstat -p "$tasks" -I 1 --timeout 300 -e "$events"
	ends_with_status 0
	[ -s late ] ||
		skip "this machine reads 6400 counters within a millisecond"

	mkfifo control
	rm err
	(eval "$(until_intervals 1 cs)" 2>/dev/null; echo stop; sleep 30) >control 3>&- &
	PSTAT=$bare_pstat pstat -x, -p "$tasks" -I 1 --control fifo:control -e "$events"
	kill $!
	ends_with_status 0

	rm err
	(eval "$(until_intervals 1 cs)" 2>/dev/null; kill "$tasks") 3>&- &
	PSTAT=$bare_pstat pstat -x, -p "$tasks" -I 1 -e "$events"
	ends_with_status 0
}
