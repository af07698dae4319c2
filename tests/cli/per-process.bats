#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# --per-process: a row for each process of a command. The tests count calls of a function in
# programs/family, so that the numbers are exact.
# shellcheck disable=SC2030,SC2031 # a test is a shell of its own
# shellcheck disable=SC2016 # for other shells, and for eval

. "${BATS_TEST_DIRNAME:?}/lib.bash"

family=$programs/family
user=(setpriv --reuid=65534 --regid=65534 --clear-groups)

clean_up()
{
	[ -z "${top:-}" ] || rm -rf "$top"
}

# rows: print the name and the count of each row of -x, in the file err
rows()
{
	sed -n -E 's/^([^,]*[^,0-9-])(-[0-9]+)?,([0-9]+|<[a-z ]+>),.*/\1 \3/p' err
}

# table: print the status, the counts and the command of each row of the table in the file err
table()
{
	sed -n -E 's/^ +[0-9]+ +(-|[0-9]+) +[0-9.]+ +[0-9.]+ +([^ ]+( [0-9]+)?) +(.*)$/\2 \4/p' err |
		tr -s ' '
}

# sum: print the sum of all counts of -x
sum()
{
	rows | awk '{ sum += $NF } END { print sum + 0 }'
}

# state PID: print the state of a process and whether it is traced, as "S 0"
state()
{
	awk '/^State:/ { state = $2 } /^TracerPid:/ { print state, $2 != 0 }' "/proc/$1/status"
}

# counts_like_plain ROWS ARG...: check the rows of family ARG..., with --by exec, and that the sum is
# the count without --per-process
counts_like_plain()
{
	local expected=$1 plain event

	shift
	for event in "$calls" ${probe:+"$probe"}; do
		rm -f go
		pstat --per-process --by exec -x, -e "$event" "$family" "$@"
		ends_with_status 0
		is "the rows of $event, $*" "$(rows)" "$expected"
		within "their sum, $*" "$(sum)" "$(awk '{ n += $2 } END { print n }' <<<"$expected")" "$(sum)"
	done
	rm -f go
	pstat -x, -e "$calls" "$family" "$@"
	plain=$(field 1 "$calls")
	is "the count without rows, $*" "$plain" "$(awk '{ n += $2 } END { print n }' <<<"$expected")"
}

# ---- Ways to create a process

@test "each way to create a process and to execute a program has rows, and no count is lost" {
	needs_calls "$family"
	counts_like_plain $'family 1\nfamily 1\nfamily 1\nfamily 1' many 3
	counts_like_plain $'family 1\nfamily 10\nexe 10' fork 10
	counts_like_plain $'family 1\nfamily 0\nexe 10' vfork 10
	counts_like_plain $'family 1\nfamily 0\nexe 10' spawn 10
	counts_like_plain $'family 11\nexe 11\nexe 11\nexe 11' again 10
	counts_like_plain $'family 11\nfamily 10' thread-fork 10
	counts_like_plain $'family 11\nexe 10' thread-exec 10
	counts_like_plain $'family 11\nfamily 10' leader-exit 10
	counts_like_plain $'family 1\nfamily 0\nfamily 10' double 10
	counts_like_plain "$(printf 'family 1\n%.0s' {1..10})" live 3 2 go
	counts_like_plain $'family 1\nfamily 1\nfamily 1' unreaped 2
	counts_like_plain $'family 1\nfamily 1\nfamily 1\nfamily 1' signals 9 15 11
}

@test "clone(2) with other flags: without a signal at the end, as a sibling, shared files" {
	local flags

	needs_calls "$family"
	for flags in 11 0 611 8011; do
		counts_like_plain $'family 1\nfamily 7' clone "$flags" 7
	done
}

@test "a process that hides from tracers gets a row without a count, not 0" {
	local options

	needs_counting user
	for options in "--per-process --by exec" --per-thread "--per-process -r 2"; do
		# shellcheck disable=SC2086 # words
		pstat $options -v -x, -e page-faults:u "$family" clone 800011 5
		ends_with_status 0
		is "the last row, $options" "$(rows | tail -n 1)" "(not traced) <not counted>"
		grep -q '^pstat: page-faults:u: not counted: a task is hidden from tracers' err ||
			fail "no note, $options" "$(<err)"
	done
	pstat --per-process -D -1 -x, -e page-faults:u "$family" clone 800011 5
	is "the rows before counting begins" "$(rows)" "family <not counted>"
	pstat --per-process --save saved.json --html page -e page-faults:u "$family" clone 800011 5
	ends_with_status 0
	is "the row in the table" "$(grep -cE '^ +<not counted>  \(not traced\)$' err)" 1
	grep -qF '(not traced)' page || fail "not in the page"
	needs_documents
	pstat --show saved.json -x,
	mv out err
	is "the row of a saved result" "$(rows | tail -n 1)" "(not traced) <not counted>"
}

@test "make -j8, a shell and python lose no process, and none is reported as hidden" {
	local command

	needs_calls "$family"
	printf 'all:%s\n%%.x:\n\t@%s calls 7\n' "$(printf ' %s.x' {1..40})" "$family" >Makefile
	cat >pool.py <<-END
		import multiprocessing, subprocess
		def run(n):
		    subprocess.run(["$family", "calls", "7"], check=True)
		if __name__ == "__main__":
		    with multiprocessing.Pool(4) as pool:
		        pool.map(run, range(40))
	END
	for command in "make -s -j8" "python3 pool.py" 'sh -c "for i in $(seq 40 | xargs); do ($family calls 7 | cat); done"'; do
		command -v "${command%% *}" >/dev/null || continue
		eval "pstat --per-process --by exec -x, -e '$calls' $command"
		ends_with_status 0
		is "the rows with calls, $command" "$(rows | grep -v ' 0$' | sort | uniq -c | tr -s ' ')" " 40 family 7"
	done
}

@test "a process in a PID namespace of its own has a row" {
	needs_calls "$family"
	needs_root
	unshare -p true 2>/dev/null || skip "no PID namespace can be created here"
	counts_like_plain $'family 1\nfamily 7' clone 20000011 7
	pstat --per-process -x, -e "$calls" unshare -p -f --mount-proc "$family" many 2
	ends_with_status 0
	is "the rows" "$(rows)" $'unshare 0\nfamily 1\nfamily 1\nfamily 1'
}

@test "a process number that is used again has two rows" {
	needs_calls "$family"
	needs_root
	unshare -p -f --mount-proc true 2>/dev/null || skip "no PID namespace can be created here"
	status=0
	timeout "$patience" unshare -p -f --mount-proc "$PSTAT" --per-process -x, -e "$calls" \
		"$family" reuse 5 >out 2>err </dev/null || status=$?
	ends_with_status 0
	is "the rows" "$(rows)" $'family 1\nfamily 5\nfamily 5'
	is "the numbers" "$(sed -n '2,3s/,.*//p' err | uniq | wc -l)" 1
}

@test "a probe has a row for each process, and counts all threads, with and without tracefs" {
	local how

	needs_calls "$family"
	needs_probes
	probe=uprobe:$family:called
	for how in 'mountpoint -q /sys/kernel/tracing || mount -t tracefs nodev /sys/kernel/tracing' \
		'! mountpoint -q /sys/kernel/tracing || umount -l /sys/kernel/tracing'; do
		unshare -m sh -c "$how" 2>/dev/null || continue
		printf '#!/bin/sh\nexec unshare -m sh -c '\''%s; exec "$0" "$@"'\'' "%s" "$@"\n' "$how" "$bare_pstat" >mounted
		chmod +x mounted
		PSTAT=./mounted
		counts_like_plain $'family 1\nfamily 10\nexe 10' fork 10
		counts_like_plain $'family 11\nexe 10' thread-exec 10
		counts_like_plain $'family 11\nfamily 10' leader-exit 10
		counts_like_plain $'family 11\nfamily 10' thread-fork 10
		counts_like_plain $'family 1\nfamily 1\nfamily 1\nfamily 1' many 3
	done
}

@test "3,000 short processes have a row each" {
	needs_calls "$family"
	pstat --per-process -x, -e "$calls" "$family" many 3000
	ends_with_status 0
	is "the rows" "$(rows | sort | uniq -c | tr -s ' ')" " 3001 family 1"
	pstat --per-process --by name -e "$calls" "$family" many 3000
	is "the table" "$(grep -cE '^ +3001 +[0-9.]+ +3,?001 +100.0 % +family$' err)" 1
}

@test "threads are counted in their process" {
	needs_counting user
	pstat --per-process -x, -e page-faults:u "$programs/faults" -T 8 1000
	ends_with_status 0
	is "the rows" "$(wc -l <err)" 1
	within "page faults" 9000 "$(cut -d, -f 2 err)" 9900
}

# ---- What is known about a process

@test "the table has the end of each process: its status, its signal, or another program" {
	needs_calls "$family"
	pstat --per-process --by exec -e "$calls" sh -c '"$1" signals 9 15; "$1" calls 3 7; exec "$1" calls 1' sh "$family"
	ends_with_status 0
	is "the rows" "$(table | sed "s,$family,family,g; s/sh -c.*/sh/")" "exec 0 sh
exec 0 sh
0 1 family signals 9 15
signal 9 1 family signals 9 15
signal 15 1 family signals 9 15
exec 0 sh
7 3 family calls 3 7
0 1 family calls 1"
}

@test "each process has a parent, even if that ended before" {
	needs_calls "$family"
	pstat --per-process --by tree -e "$calls" "$family" double 3
	ends_with_status 0
	is "the tree" "$(table | sed 's/.*family/family/; s,/.*/,,')" $'family double 3\nfamily double 3\nfamily double 3'
	is "its counts" "$(table | awk '{ print $2, $3 }')" $'1 4\n0 3\n3 3'
	is "its depths" "$(grep 'double 3$' err | grep -v stats | sed -E "s,[^ ]*/family.*,,; s/.*[0-9]//" | awk '{ print length }')" \
		$'2\n4\n6'
	is "its parents" "$(awk '/double 3$/ { print $2 == last; last = $1 }' err)" $'0\n1\n1'
	pstat --per-process -e "$calls" "$family" clone 8011 3
	is "the parent of a sibling" "$(awk '/clone 8011 3$/ { print $2 == last; last = $1 }' err)" $'0\n1'
}

@test "a daemon outlives the command: it is reported, and runs on without a tracer" {
	needs_calls "$family"
	pstat --per-process -e "$calls" "$family" daemon 5 ready
	ends_with_status 0
	sed -n 's/.*that still run: \([0-9]*\) (family).*/\1/p' err >daemon.pid
	[ -s daemon.pid ] || fail "not reported" "$(<err)"
	is "the rows" "$(table | cut -d ' ' -f 1,2)" $'0 1\n0 0\n- 5'
	eventually '[ "$(state "$(<daemon.pid)")" = "S 0" ]'
}

# A process that waits for its vfork(2) child cannot be stopped.
@test "a process in vfork(2) that outlives the command delays neither pstat nor the next run" {
	needs_calls "$family"
	pstat --per-process -x, -r 2 -e "$calls" sh -c "rm -f ready; exec $family vfork-wait ready go"
	ends_with_status 0
	[ ! -e go ]
	grep -qE '^family,1,' err || fail "no row" "$(<err)"
	touch go
}

# ---- Signals, stops, and the end of pstat

@test "a process that stops and continues is counted, and its parent sees both" {
	needs_calls "$family"
	pstat --per-process -x, -e "$calls" bash -c 'set -m
		"$0" wait 1 0 go & # one child
		kill -STOP %1
		until [[ $(jobs) = *Stopped* ]]; do sleep 0.02; done
		touch go
		kill -CONT %1
		until [[ $(jobs) != *Stopped* ]]; do sleep 0.02; done
		wait; exit 5' "$family"
	ends_with_status 5
	is "the rows" "$(rows | grep family)" $'family 1\nfamily 1'
}

@test "job control on a terminal: Ctrl-Z and fg, and Ctrl-C reaches the command once" {
	needs_calls "$family"
	cat >session <<-'END'
		set -m
		sh -c 'kill -TSTP $$; echo resumed'
		jobs
		fg
		"$1" calls 5
		exit 4
	END
	status=0
	"$programs/on-terminal" never "$PSTAT" --per-process -x, -o result -e "$calls" bash session "$family" \
		>out 2>&1 </dev/null 3>&- || status=$?
	ends_with_status 4
	is "the stopped job" "$(grep -c 'Stopped.*echo resumed' out)" 1
	is "resumed" "$(grep -c '^resumed' out)" 1
	mv result err
	is "the row" "$(rows | grep family)" "family 5"

	status=0
	"$programs/on-terminal" got "$PSTAT" --per-process -x, -o result -e "$calls" "$programs/await" got \
		>out 2>err </dev/null 3>&- || status=$?
	ends_with_status 3
	is "the input of the command" "$(<got)" "2 kernel"
	is "rows" "$(grep -c '^await-' result)" 1
}

@test "Ctrl-Z stops pstat with its command, and fg continues both" {
	needs_calls "$family"
	cat >session <<-'END'
		set -m
		"$1" --per-process -x, -o result -e "$2" sh -c 'kill -TSTP 0; "$0" calls 5; echo resumed' "$3"
		jobs
		fg
		exit 4
	END
	status=0
	"$programs/on-terminal" never "$(type -P bash)" session "$PSTAT" "$calls" "$family" >out 2>&1 </dev/null 3>&- ||
		status=$?
	ends_with_status 4
	is "the stopped job" "$(grep -c 'Stopped' out)" 1
	is "resumed" "$(grep -c '^resumed' out)" 1
	mv result err
	is "the row" "$(rows | grep family)" "family 5"
}

@test "a signal to pstat alone reaches the command, and the result is printed" {
	local name

	needs_calls "$family"
	for name in INT TERM HUP; do
		rm -f got
		begin --per-process -x, -e "$calls" "$programs/await" got
		eventually '[ -e got ]'
		kill -s "$name" "$pstat_pid"
		finish
		ends_with_status 3
		is "the input of the command" "$(<got)" "$(kill -l "$name") process"
		is "rows" "$(grep -c '^await-' err)" 1
	done
}

@test "if pstat is killed, all processes run on, and none stays stopped" {
	local pid

	needs_calls "$family"
	begin --per-process -x, -e "$calls" sh -c 'echo $$ >shell.pid
		"$0" wait 5 1 go & echo $! >family.pid
		sleep 1000 & echo $! >stopped.pid; kill -STOP $!
		while :; do (:); [ ! -e go ] || break; done; echo >done' "$family"
	eventually '[ -s stopped.pid ] && [[ $(state "$(<stopped.pid)") = [tT]* ]]'
	kill -KILL "$pstat_pid"
	for pid in $(cat ./*.pid) $(pgrep -P "$(<family.pid)" || true); do
		eventually "[[ \$(state $pid 2>/dev/null) != *1 ]]"
	done
	is "a process that somebody else stopped" "$(state "$(<stopped.pid)")" "T 0"
	kill -CONT "$(<stopped.pid)"
	eventually '[ "$(state "$(<stopped.pid)")" = "S 0" ]'
	touch go
	eventually '[ -e done ]'
}

# waitid(2) finds this stop again and again, until a call takes it.
@test "a stopped process of --pre does not delay the command" {
	needs_calls "$family"
	cat >pre <<-'END'
		#!/bin/sh
		sleep 1000 >/dev/null 2>&1 & echo $! >server.pid
		kill -STOP $!
	END
	chmod +x pre
	pstat --per-process --pre ./pre -x, -e "$calls" "$family" many 2
	ends_with_status 0
	is "the rows" "$(rows)" $'family 1\nfamily 1\nfamily 1'
}

@test "a signal that arrives before the exec of the command ends it, and pstat does not hang" {
	needs_command strace
	needs_counting user
	strace -o /dev/null true 2>/dev/null || skip "strace may not trace here"
	without_leak_check
	# at this moment, the child of pstat is traced and waits
	PSTAT=strace pstat -qq -o trace -e trace=ptrace -e inject=ptrace:signal=TERM:when=1 \
		"$bare_pstat" --per-process -e page-faults:u sleep 1000
	[ "$status" -ge 125 ] || fail "status $status" "$(<err)"
}

# ---- Programs that cannot be traced

# The user may enter $top, and may write to its folder work.
needs_user()
{
	needs_counting user
	needs_root
	[ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 2 ] || skip "users may not count here"
	top=$(mktemp -d)
	chmod 755 "$top"
	mkdir -m 777 "$top/work"
	cp "$bare_pstat" "$family" "$programs/deny" "$top/"
	cp "$(command -v id)" "$top/setuid"
	chmod 4755 "$top/setuid"
	[ "$("${user[@]}" "$top/setuid" -un)" = root ] || skip "set-user-ID has no effect here"
	cd "$top/work" || return
}

by_user()
{
	without_leak_check
	PSTAT=timeout pstat "$patience" "${user[@]}" "$top/pstat" "$@"
}

untraced='pstat: these processes cannot be traced, so their rows include their children:'

@test "a user's set-user-ID program gets its privileges, also after other programs" {
	local command

	needs_user
	for command in "$top/setuid -un; :" "exec $top/setuid -un" "cd $top; ./setuid -un; :" \
		"env $top/setuid -un; :" "exec env nice $top/setuid -un" "timeout 100 $top/setuid -un"; do
		by_user --per-process -e page-faults:u sh -c "$command"
		ends_with_status 0
		is "the user of $command" "$(<out)" root
		grep -qx "$untraced setuid" err || fail "no note, $command" "$(<err)"
		is "why it has no count" "$(grep -c '^pstat: page-faults:u: .*set-user-ID' err)" 1
		by_user --per-thread -e page-faults:u sh -c "$command"
		is "the user of $command, --per-thread" "$(<out)" root
	done
	by_user --per-process -e page-faults:u "$top/setuid" -un
	ends_with_status 0
	is "the user" "$(<out)" root
	grep -qx 'pstat: all processes are one row, because the command cannot be traced: Operation not permitted' err ||
		fail "no note" "$(<err)"
	is "the row" "$(table)" "0 <not counted> $top/setuid -un"
	# in the sequential order, the last run can be traced
	by_user --per-process -r 2 --order sequential -e page-faults:u -c "$top/setuid -un" -c true
	is "notes" "$(grep -c '^pstat: all processes are one row, because the command cannot be traced: ' err)" 1
	by_user --per-thread -e page-faults:u "$top/setuid" -un
	ends_with_status 125
	is "the message" "$(<err)" \
		"pstat: $top/setuid would lose its privileges when traced for --per-thread: run pstat as root"
}

@test "a set-user-ID program gets its privileges, however it is executed, even with ambient capabilities" {
	local how seen

	needs_user
	for how in fd folder 32; do
		seen=$("${user[@]}" "$top/family" exec-at "$how" "$top/setuid" -u 2>&1) || true
		[[ $seen = 0 || $seen = *euid=0* ]] || continue # not on this machine
		by_user --per-process -e page-faults:u "$top/family" exec-at "$how" "$top/setuid" -u
		ends_with_status 0
		is "what $how printed" "$(<out)" "$seen"
		grep -qx "$untraced setuid" err || fail "no note, $how" "$(<err)"
	done
	if [ "$(uname -m)" = x86_64 ]; then
		# most kernels refuse this call, but every kernel shows it to the tracer first
		by_user --per-process -e page-faults:u "$top/family" exec-at x32 "$top/setuid" -u
		ends_with_status 0
		grep -qx "$untraced setuid" err || fail "no note, x32" "$(<err)"
	fi
	user+=(--inh-caps=+sys_nice --ambient-caps=+sys_nice)
	"${user[@]}" true 2>/dev/null || skip "no ambient capabilities here"
	by_user --per-process -e page-faults:u sh -c "$top/setuid -un; :"
	ends_with_status 0
	is "the user" "$(<out)" root
	grep -qx "$untraced setuid" err || fail "no note" "$(<err)"
}

@test "a program that is not readable has no count, whatever its thread executed before" {
	local command

	needs_user
	cp "$(command -v ls)" "$top/unreadable"
	chmod 711 "$top/unreadable"
	for command in "$top/unreadable /" "env $top/unreadable /" "sh -c 'exec $top/unreadable /'"; do
		eval "by_user --per-thread -x, -v -e page-faults:u $command"
		ends_with_status 0
		is "the row of $command" "$(rows)" "unreadable <not counted>"
		grep -q '^pstat: page-faults:u: not counted: the program is not readable' err ||
			fail "no note, $command" "$(<err)"
	done
	by_user --per-thread -x, -e page-faults:u sh -c "exec $top/setuid -un"
	ends_with_status 0
	is "the count of a set-user-ID program" "$(field 2 '<not counted>' err) $(cut -d, -f 2 err)" " <not counted>"
}

# total [STATUS]: the number or text in the row of the total, in the file err
total()
{
	sed -n -E 's/^ +(.*[^ ]) +total$/\1/p' err
}

@test "a total without counts is not a number, and a total that lacks some rows is marked" {
	local options
	local not_switched=("" "--by tree" "--by exec" "--by name" "-r 2")

	needs_counting user
	for options in "${not_switched[@]}"; do
		# shellcheck disable=SC2086 # words
		pstat -D -1 --per-process $options -e page-faults:u sh -c '/bin/true; :'
		ends_with_status 0
		is "the total, $options" "$(total)" "<not counted>"
	done
	pstat --control region --per-process -e page-faults:u sh -c '/bin/true; :'
	is "the total without a region" "$(total)" "<not counted>"
	needs_user
	by_user --per-process -e page-faults:u sh -c "$top/setuid -un; :"
	ends_with_status 0
	[[ $(total) =~ ^[0-9]+\*$ ]] || fail "the total is not marked" "$(<err)"
	grep -qx '\*: only the rows with a count; the shares are relative to this sum' err ||
		fail "no explanation" "$(<err)"
	by_user --per-process --by name -e page-faults:u sh -c "$top/setuid -un; :"
	[[ $(total) =~ ^[0-9]+\*\ partial$ ]] || fail "the total by name is not marked" "$(<err)"
	by_user --per-process --by name -e page-faults:u sh -c "exec $top/setuid -un"
	[[ $(total) =~ ^[0-9]+\*\ partial$ ]] || fail "the total is not marked" "$(<err)"
	by_user --per-process -r 2 --format json -e page-faults:u sh -c "$top/setuid -un; :" 
	is "the states of the sum, sh and setuid" "$(cat out err | grep -m 1 '"state": \["')" \
		'      "state": ["failed", "counted", "failed"],'
	by_user --per-process -r 8 -e page-faults:u --fail-if 'page-faults:u>+50%' \
		-c "sh -c '$top/setuid -un; :'" -c "sh -c '$top/setuid -un; :'"
	[ "$status" -ne 0 ] || fail "the gate passed" "$(<err)"
	grep -q '^pstat: page-faults:u not counted, limit +50 %: not judged' err ||
		fail "no reason" "$(<err)"
}

@test "a program that lost its privileges is reported" {
	needs_user
	by_user --per-process -e page-faults:u "$top/family" exec "$top/setuid" -un
	ends_with_status 0
	is "the user" "$(<out)" nobody
	grep -qx 'pstat: these programs got no privileges, because they were traced: setuid; run pstat as root' err ||
		fail "no note" "$(<err)"
}

@test "root traces set-user-ID programs" {
	needs_user
	chown 65534 "$top/setuid"
	chmod 4755 "$top/setuid"
	pstat --per-process -e page-faults:u sh -c "$top/setuid -un; :"
	ends_with_status 0
	is "the user" "$(<out)" nobody
	is "notes about the tracing" "$(grep -cE '^pstat: .*traced' err || true)" 0
	is "rows" "$(table | wc -l)" 2
}

@test "a user's program with file capabilities gets them" {
	needs_user
	needs_command setcap
	cp "$(command -v grep)" "$top/capable"
	setcap cap_chown+ep "$top/capable" 2>/dev/null || skip "files cannot have capabilities here"
	"${user[@]}" "$top/capable" -q '^CapEff:.*[1-9a-f]' /proc/self/status || skip "they have no effect here"
	by_user --per-process -e page-faults:u sh -c "$top/capable -q '^CapEff:.*[1-9a-f]' /proc/self/status"
	ends_with_status 0
	grep -qx "$untraced capable" err || fail "no note" "$(<err)"
}

@test "debuggers work, and count with what they debug" {
	needs_calls "$family"
	needs_command strace
	strace -o /dev/null true 2>/dev/null || skip "strace may not trace here"
	pstat --per-process -v -x, -e "$calls" sh -c "strace -f -o trace $family many 4; $family many 1; :"
	ends_with_status 0
	is "the rows" "$(rows)" $'sh 0\nstrace 5\nfamily 1\nfamily 1'
	grep -qx "$untraced strace" err || fail "no note" "$(<err)"
	grep -q 'exited with 0' trace || fail "no trace" "$(<trace)"
	pstat --per-process -x, -e "$calls" strace -f -o trace "$family" many 4
	is "the rows" "$(rows)" "strace 5"
	pstat --per-thread -x, -e "$calls" sh -c "strace -f -o trace $family many 4; :"
	is "the rows" "$(rows)" $'strace 5\nsh 0'
	needs_command gdb
	pstat --per-process -x, -e "$calls" gdb -batch -nx -ex run -ex 'print 6 * 7' --args "$family" many 4
	ends_with_status 0
	grep -q '= 42' out || fail "gdb did not work" "$(<out)" "$(<err)"
	grep -q 'exited normally' out || fail "gdb did not run it" "$(<out)" "$(<err)"
}

@test "if nothing may be traced, the command is one row" {
	local note='pstat: all processes are one row, because the command cannot be traced: Operation not permitted'

	needs_calls "$family"
	without_leak_check
	PSTAT=$programs/deny pstat ptrace "$bare_pstat" --per-process -e "$calls" "$family" many 4
	ends_with_status 0
	is "the note" "$(grep '^pstat:' err)" "$note"
	is "the row" "$(table)" "0 5 $family many 4"
	pstat --per-process -x, -e "$calls" "$PSTAT" --per-process -o inner -e "$calls" "$family" many 4
	ends_with_status 0
	is "the rows of the outer pstat" "$(rows | sed 1d)" "$(printf 'family 1\n%.0s' {1..5})"
	mv inner err
	is "the row of the inner pstat" "$(table)" "0 5 $family many 4"
	PSTAT=$programs/deny pstat ptrace "$bare_pstat" --per-thread -e "$calls" "$family" many 4
	ends_with_status 125
	is "the message" "$(<err)" "pstat: cannot trace $family, to count its threads: Operation not permitted"
}

# ---- Options

@test "with few descriptors, later processes have no counts, and the reason is printed" {
	local limit

	needs_calls "$family"
	# with 20 descriptors that pstat inherits
	local limited='for ((i = 0; i < 20; i++)); do exec {fd}</dev/null; done
		ulimit -n "$0" && exec "$@"'
	for limit in 80 60 50; do
		rm -f go
		PSTAT=bash pstat -c "$limited" "$limit" "$bare_pstat" \
			--per-process -v -x, -e "$calls" "$family" live 30 2 go
		ends_with_status 0
		is "the rows, $limit" "$(rows | sort -u)" $'family 1\nfamily <not counted>'
		is "the number of rows, $limit" "$(rows | wc -l)" 91
		grep -qE "cannot be opened on family-[0-9]+: Too many open files \(ulimit -n\)" err ||
			fail "no reason" "$(<err)"
	done
	# it has no counters before its exec, and none after it
	PSTAT=bash pstat -c "$limited" 40 "$bare_pstat" --per-process -x, -e "$calls" \
		sh -c 'for i in $(seq 30); do sleep 99 & pids="$pids $!"; done; "$0" calls 5; kill $pids
			wait' "$family"
	is "a program after too many others" "$(rows | grep '^family')" "family <not counted>"
}

@test "with few descriptors, hidden tasks can no longer be noticed, but all threads are counted" {
	local command="$programs/threads 40 go & while [ ! -e go ]; do sleep 0.01; done; kill \$!; wait"
	local limit

	needs_counting user
	for limit in 72 80 90; do
		rm -f go
		PSTAT=bash pstat -c 'ulimit -n "$0" && exec "$@" 3>&- 4>&-' "$limit" "$bare_pstat" --per-thread -v -x, \
			-e page-faults:u sh -c "$command"
		ends_with_status 0
		is "the rows of threads, $limit" "$(rows | grep -c '^threads [0-9]*$')" 41
		grep -q '^pstat: tasks that hide from tracers (CLONE_UNTRACED) cannot be noticed: too few descriptors' err ||
			fail "no note, $limit" "$(<err)"
	done
	rm -f go
	pstat --per-thread -v -x, -e page-faults:u sh -c "$command"
	is "notes with more descriptors" "$(grep -c 'cannot be noticed' err || true)" 0
}

@test "-D counts from its end on, and --timeout ends the command and its result" {
	needs_calls "$family"
	pstat --per-process -x, -D 200 -e "$calls" sh -c '"$0" calls 500; sleep 0.5; "$0" calls 7; :' "$family"
	ends_with_status 0
	is "the rows" "$(rows)" $'sh 0\nfamily <not counted>\nsleep 0\nfamily 7'
	pstat --per-process -x, --timeout 500 -e "$calls" sh -c '"$0" calls 7; echo $$ >sh.pid; exec sleep 1000' "$family"
	ends_with_status 0
	is "the rows" "$(rows)" $'sleep 0\nfamily 7'
}

@test "--control switches the counters of all processes, and of those that begin later" {
	needs_calls "$family"
	begin --per-process -x, -D -1 -e "$calls" sh -c 'for i in 1 2 3 4; do
		"$0" calls $i$i; touch did$i; until [ -e go$i ]; do sleep 0.01; done; done' "$family"
	eventually '[ -e did1 ]'
	tell enable
	touch go1
	eventually '[ -e did2 ]'
	tell disable
	touch go2
	eventually '[ -e did3 ]'
	tell enable
	touch go3
	eventually '[ -e did4 ]'
	touch go4
	finish
	ends_with_status 0
	is "the rows" "$(rows | grep family)" $'family <not counted>\nfamily 22\nfamily <not counted>\nfamily 44'
	rm go* did*
	begin --per-process -x, -e "$calls" sh -c 'for i in 1 2 3; do
		"$0" calls $i$i; touch did$i; until [ -e go$i ]; do sleep 0.01; done; done' "$family"
	eventually '[ -e did1 ]'
	tell disable
	touch go1
	eventually '[ -e did2 ]'
	tell enable
	touch go2
	eventually '[ -e did3 ]'
	touch go3
	finish
	ends_with_status 0
	is "the rows without -D" "$(rows | grep family)" $'family 11\nfamily <not counted>\nfamily 33'
}

@test "several runs are added up by name, and --warmup counts in none of them" {
	needs_calls "$family"
	pstat --per-process -x, -r 3 --warmup 1 -e "$calls" sh -c "$family many 3; $family calls 4; :"
	ends_with_status 0
	is "the rows" "$(rows)" $'family 8\nsh 0'
	pstat --per-process --warmup 1 -x, -e "$calls" "$family" many 1
	is "the rows" "$(rows)" $'family 1\nfamily 1'
	# a series that ends after its first run
	pstat --per-process -x, -r 5 -e "$calls" sh -c 'trap : INT; kill -INT $PPID; "$0" calls 3; :' "$family"
	ends_with_status 130
	is "the rows of one run" "$(rows)" $'family 3\nsh 0'
	# a program that not all runs execute
	pstat --per-process -x, -r 2 -e "$calls" sh -c "[ -e ran ] && $family many 3; touch ran"
	ends_with_status 0
	is "the rows" "$(rows)" $'family 2\nsh 0\ntouch 0'
}

@test "a comparison has rows for each name, and --fail-if applies to them" {
	needs_calls "$family"
	pstat --per-process --format csv-summary -r 8 -e "$calls" -c "$family many 3" -c "$family many 4"
	ends_with_status 0
	grep -q ',family,.*,4,\|,family,' out err || fail "no row of family" "$(<out)" "$(<err)"
	pstat --per-process -r 8 -e "$calls" -c "$family many 3" -c "$family many 4" --fail-if "$calls>+50%"
	ends_with_status 0
	pstat --per-process -r 8 -e "$calls" -c "$family many 3" -c "$family many 4" --fail-if "$calls>+5%"
	ends_with_status 1
	grep -q "^pstat: $calls family +1 exactly (+25 %), limit +5 %: crossed$" err || fail "no gate for a name" "$(<err)"
}

# names: print the rows of a comparison in --format csv-summary, in the file out, as "SIDE PLACE MEAN"
names()
{
	awk -F, -v event="$calls" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$at["event"] == event { print $at["side"], $at["place"], $at["mean"] }' out | tr -s ' '
}

@test "saved results of single runs are compared by name, as those of several runs are" {
	needs_command jq
	local i command="\"\$0\" many 3; \"\$0\" calls 4; :"

	needs_calls "$family"
	needs_documents
	for i in 1 2; do
		pstat --per-process --quiet --save "one$i.json" -e "$calls" sh -c "$command" "$family"
		ends_with_status 0
	done
	pstat --per-process -r 2 --quiet --save several.json -e "$calls" sh -c "$command" "$family"
	pstat --compare --names a,b --format csv-summary --save compared.json --html page one1.json one2.json
	ends_with_status 0
	is "the rows" "$(names)" $'a 8\na sh 0\na family 8\nb 8\nb sh 0\nb family 8'
	mv out first
	pstat --compare --names a,b --format csv-summary one1.json several.json
	is "the rows with several runs" "$(names)" $'a 8\na sh 0\na family 8\nb 8\nb sh 0\nb family 8'
	pstat --show compared.json --format csv-summary
	cmp out first
	pstat --compare compared.json --format csv-summary
	cmp out first
	pstat --show page --format csv-summary
	cmp out first
	! grep -qE 'family-[0-9]' page || fail "the page has a row of a process"
	pstat --per-process --quiet --save other.json -e "$calls" sh -c "/bin/true; $command" "$family"
	pstat --compare --format json one1.json other.json
	is "a program that one side lacks" "$(jq '.rows[] | select(.place == "true") | .sides[].mean' out)" $'0\n0'
	pstat --per-process --baseline one1.json --names a,b -r 2 --format csv-summary -c "$family many 3"
	ends_with_status 0
	is "the rows of --baseline" "$(names | grep -v ' sh ')" $'a 8\na family 8\nb 4\nb family 4'
}

@test "-x, -j, csv, markdown and the table have the same counts" {
	needs_calls "$family"
	needs_command jq
	pstat --per-process -j -e "$calls" "$family" fork 5
	is "-j" "$(jq -r '.["counter-value"] | tonumber' err | tr '\n' ' ')" "1 10 "
	pstat --per-process --format csv -e "$calls" "$family" fork 5
	is "csv" "$(cat out err | grep -cE ',family-[0-9]+,1,.*,counted,1,|,exe-[0-9]+,.*,counted,10,')" 2
	pstat --per-process --format markdown -e "$calls" "$family" fork 5
	is "markdown" "$(cat out err | grep -cE '^\| `(family-[0-9]+` .*\| 1 |exe-[0-9]+` .*\| 10 )')" 2
	pstat --per-process -e "$calls" "$family" fork 5
	is "the table" "$(table | cut -d ' ' -f 1,2)" $'0 1\n0 10'
	is "the total" "$(grep -cE '^ +11  total$' err)" 1
}

@test "a command that does not start is reported as without --per-process" {
	needs_counting user
	pstat --per-process -e page-faults:u ./nowhere
	ends_with_status 127
	says "pstat: ./nowhere: command not found"
	touch file
	pstat --per-process -e page-faults:u ./file
	ends_with_status 126
	chmod +x file
	echo text >file
	pstat --per-process -e page-faults:u ./file
	ends_with_status 126
	grep -q 'the kernel cannot execute this file' err || fail "no reason" "$(<err)"
	pstat --per-process -e page-faults:u sh -c 'exit 42'
	ends_with_status 42
	pstat --per-process -e page-faults:u sh -c 'kill -9 $$'
	ends_with_status 137
	is "the rows" "$(table | cut -d ' ' -f 1,2)" "signal 9"
}

@test "the command inherits its environment, signals and descriptors unchanged" {
	local options

	needs_counting user
	for options in '' '-b 2 -b 17 -i 15 -n 50' '-f 7 -f 40 -c 0' '-p'; do
		# shellcheck disable=SC2086 # words
		"$programs/launch" $options "$programs/observe" seen </dev/null >streams 2>&1
		mv seen bare
		# shellcheck disable=SC2086 # words
		"$programs/launch" $options "$bare_pstat" --per-process "$programs/observe" seen </dev/null >streams 2>&1
		sed -i '/^TracerPid/d' bare seen
		[ "$(wc -l <bare)" -gt 150 ] || fail "the program printed too little:" "$(<bare)"
		diff bare seen >&2 || fail "launch $options: see above"
		rm seen
	done
}

@test "events that cannot be counted, pstat's own events, and no events" {
	needs_calls "$family"
	pstat --per-process -x, -e "$calls,4294967295:1" "$family" many 1
	ends_with_status 0
	is "the rows" "$(rows)" $'family 1\nfamily 1\nfamily <not supported>\nfamily <not supported>'
	pstat --per-process -e "$calls,4294967295:1,duration_time" "$family" many 1
	is "the table" "$(table | cut -d ' ' -f 1,2)" $'0 1\n0 1'
	is "the duration" "$(grep -cE ' ns duration_time$' err)" 1
	pstat --per-process -e duration_time "$family" many 1
	ends_with_status 0
	is "the rows" "$(table | wc -l)" 2
	pstat --per-process -n "$family" many 1
	ends_with_status 0
	is "the result" "$(grep -c 'program$' err || true) $(grep -c elapsed err)" "0 1"
	pstat --per-process -x, -n "$family" many 1
	ends_with_status 0
}

@test "--sort, --top and --by choose the rows" {
	needs_calls "$family"
	pstat --per-process --top 2 --sort "$calls" -e "page-faults:u,$calls" sh -c "$family calls 5; $family calls 7; :"
	ends_with_status 0
	is "the rows" "$(table | sed "s,$family,family," | cut -d ' ' -f 1,3-)" $'0 7 family calls 7\n0 5 family calls 5'
	is "the others" "$(grep -cE '^ +[0-9,]+ +0  \(others\)$' err)" 1
	is "the total" "$(grep -cE ' 12  total$' err)" 1
	# the parent is one of the others
	is "parents" "$(awk '/calls [57]$/ { print ($2 > 1) }' err)" $'1\n1'
	pstat --per-process --top 1 -x, -e "$calls" sh -c "$family calls 5; $family calls 7; :"
	is "the rows of -x" "$(rows)" $'family 7\n(others) 5'
	pstat --per-process --by name -x, -e "$calls" sh -c "$family calls 5; $family calls 7; :"
	is "the rows by name" "$(rows)" $'family 12\nsh 0'
	pstat --per-process --top 1 --sort cs:u -e "cs:u,page-faults:u,$calls" sh -c "$family calls 5; $family faults; :"
	grep -q '^pstat: --sort cs:u: not counted; the rows are sorted by page-faults:u$' err ||
		fail "no note" "$(<err)"
	refuses "--sort: unknown event 'page-fault'; did you mean 'page-faults'?" \
		--per-process --sort page-fault -e page-faults,cs touch started
	refuses "--sort: unknown event 'x'; choose from: page-faults, cs, elapsed" \
		--per-process --sort x -e page-faults,cs,duration_time touch started
	refuses "--per-process needs COMMAND or -c" --per-process
	refuses "--per-process needs COMMAND or -c" --per-process -e cs
}

# ---- The table on a terminal

# on_terminal COLUMNS ARG...: run pstat on its own terminal of this width; its text goes to screen
on_terminal()
{
	TERM=xterm "$programs/on-terminal" never /bin/sh -c 'stty cols "$0"; exec "$@"' "$1" "$PSTAT" --color never --ascii \
		"${@:2}" >screen </dev/null 3>&-
	sed -i 's/\r//' screen
}

widest()
{
	awk '{ n = length; if (n > most) most = n } END { print most }' screen
}

@test "the table fits a terminal of 80 columns, in several parts if it has many events" {
	local events=page-faults:u,dummy:u,minor-faults:u,major-faults:u,task-clock,alignment-faults:u by

	needs_counting user
	on_terminal 80 --per-process -e page-faults:u sh -c "sleep 0; : $(printf 'long %.0s' {1..40})"
	within "the widest line" 40 "$(grep -v 'stats for' screen | awk '{ print length }' | sort -n | tail -n 1)" 80
	grep -q '  sh -c sleep .*\.\.\..*long$' screen || fail "no cut command" "$(<screen)"
	on_terminal 80 --per-process -e "$events" sh -c 'sleep 0; :'
	within "the widest line" 40 "$(widest)" 80
	within "the parts" 2 "$(grep -c '  command$' screen)" 6
	is "the totals" "$(grep -c '  total$' screen)" "$(grep -c '  command$' screen)"
	for by in name tree exec; do
		on_terminal 80 --per-process --by "$by" -e "$events" sh -c 'sleep 0; (sh -c "sleep 0; :"); :'
		within "the widest line, --by $by" 40 "$(widest)" 80
	done
	# a long title is cut
	on_terminal 80 --per-process -e page-faults/name=an-event-with-a-name-that-is-too-long-for-the-terminal/u sh -c 'sleep 0; :'
	within "the widest line" 40 "$(widest)" 80
	is "the title" "$(grep -cE '^ +pid parent start s elapsed s status an-event.*\.\.\.  command$' screen)" 1
	on_terminal 80 --per-process --by name -M "r=page-faults:u/task-clock" -e page-faults:u,task-clock sh -c 'sleep 0; :'
	within "the widest line" 40 "$(widest)" 80
}

# compiles ARG...: run pstat --per-process ARG... with a shell that starts programs with long commands
compiles()
{
	local flags='-quiet -I /usr/include -imultiarch x86_64-linux-gnu -D NDEBUG'

	mkdir -p lib/gcc/x86_64-linux-gnu/12
	cp "$(type -P true)" lib/gcc/x86_64-linux-gnu/12/cc1
	cat >build.sh <<-END
		for file in f1.c f13.c src/module-a/lib/main.c src/module-b/lib/main.c; do
			(lib/gcc/x86_64-linux-gnu/12/cc1 $flags \$file -quiet -dumpbase \$file $1 -o /tmp/cc\$\$.s; :)
		done
	END
	on_terminal 80 --per-process -e page-faults:u "${@:2}" sh build.sh
}

@test "at 80 columns, each row has the words that differ, the times, and its place in the tree" {
	local by

	needs_counting user
	for by in process tree; do
		compiles -O2 --by "$by"
		within "the widest line, --by $by" 40 "$(widest)" 80
		is "the commands, --by $by" "$(sed -n 's/.*[0-9]  *cc1 /cc1 /p' screen | sed 's,/mod[-.a-z]*\([ab]\)/.*,/..\1,')" \
			$'cc1 f1.c\ncc1 f13.c\ncc1 src/..a\ncc1 src/..b'
		is "the title, --by $by" "$(grep -cE '^( +pid)?( parent)? start s elapsed s( status)? page-faults:u( with children)?  command$' screen)" 1
	done
	is "the indentations" "$(grep -oE '[0-9]  +(sh|cc1)' screen | sed 's/^[0-9]//' | uniq | head -n 3)" $'  sh\n    sh\n      cc1'
}

@test "in a file, a command has at most 200 characters, unless --full-commands is given" {
	local long

	needs_counting user
	long=$(printf 'long%.0s ' {1..100})
	pstat --per-process -e page-faults:u sh -c ': "$@"' sh a "$long" b
	ends_with_status 0
	is "the command" "$(sed -n 's/.*[0-9]  \(sh -c.*\)…\(.*long  b\)$/\1.\2/p' err | awk '{ print length }')" 200
	pstat --per-process --full-commands -e page-faults:u sh -c ': "$@"' sh a "$long" b
	grep -qF "  sh -c : \"\$@\" sh a $long b" err || fail "not the whole command" "$(<err)"
	on_terminal 80 --per-process --full-commands -e page-faults:u sh -c ': "$@"' sh a "$long" b
	grep -qF "  sh -c : \"\$@\" sh a $long b" screen || fail "not the whole command" "$(<screen)"
	compiles "$long"
	pstat --per-process -e page-faults:u sh build.sh
	grep -qx '.*[0-9]  cc1 f13.c' err || fail "no words that differ" "$(<err)"
}

@test "--sort elapsed: the longest times first, of processes, names and trees" {
	local command='sleep 0.05; sh -c "sleep 0.3; :"; sleep 0.15; :'

	needs_counting user
	pstat --per-process --sort elapsed --top 3 -e page-faults:u sh -c "$command"
	ends_with_status 0
	is "the processes" "$(table | cut -d ' ' -f 3- | sed 's/:.*/:/' | tail -n 2)" $'sh -c sleep 0.3; :\nsleep 0.3'
	pstat --per-process --by name --sort elapsed -e page-faults:u sh -c "$command"
	is "the title" "$(grep -cE '^ processes elapsed s page-faults:u +program$' err)" 1
	# two shells for 0.8 s, and three sleeps for 0.5 s
	is "the names" "$(sed -nE 's/^ +([0-9]+) +0\.[0-9]+ .*  ([a-z]+)$/\1 \2/p' err)" $'2 sh\n3 sleep'
	pstat --per-process --by tree --sort elapsed -e page-faults:u sh -c "$command"
	is "the tree" "$(sed -n 's/.*[0-9]  \( *s\)/\1/p' err | sed 1d)" \
		$'  sh -c sleep 0.3; :\n    sleep 0.3\n  sleep 0.15\n  sleep 0.05'
	refuses "--sort elapsed: several runs have no times of their processes; omit -r" \
		--per-process --sort elapsed -r 2 -e page-faults:u touch started
}

@test "--by tree with --top: a folded subtree is one line with its sum" {
	local command="(sh -c \"$family calls 3; $family calls 4; :\"; $family calls 5; :); $family calls 1; $family calls 2; :"

	needs_calls "$family"
	pstat --per-process --by tree --top 3 -e "$calls" sh -c "$command"
	ends_with_status 0
	is "the rows" "$(sed -nE 's/^ +[0-9]+ +([0-9]+|-) +[0-9.]+ +[0-9.]+ +0 +([0-9]+) +([0-9]+)( +).*( 5|:| \+2)$/\2 \3\4\5/p' err)" \
		$'0 15  :\n0 12    :\n7 7       +2\n5 5       5'
	is "the others" "$(grep -cE '^ +3 +3    \(others\)$' err)" 1
	is "the total" "$(grep -cE '^ +15 +total$' err)" 1
	grep -qx '+N: the row includes N descendants that have no row' err || fail "no note" "$(<err)"
	pstat --per-process --by tree --top 3 --format csv -e "$calls" sh -c "$command"
	is "the rows of csv" "$(sed -n 's/.*,process,\(sh-[0-9]* and 2 more\|(others)\),.*/\1/p' out err | sed 's/-[0-9]*//')" \
		$'sh and 2 more\n(others)'
	# without sums, the processes are not a tree
	pstat --per-process --by tree --top 1 -x, -e "$calls" sh -c "$command"
	is "the rows of -x" "$(rows)" $'family 5\n(others) 10'
}

@test "a terminal shows more than 20 processes by name, a file shows each" {
	local line='^ +[0-9]+ +([0-9]+|-) +[0-9.]+ '

	needs_calls "$family"
	on_terminal 100 --per-process -e "$calls" "$family" many 19
	is "rows of 20" "$(grep -cE "$line" screen)" 20
	on_terminal 100 --per-process -e "$calls" "$family" many 20
	is "rows of 21" "$(grep -cE '^ +21 +[0-9.]+ +21 +100.0 % +family$' screen)" 1
	on_terminal 100 --per-process --by process -e "$calls" "$family" many 20
	is "rows by process" "$(grep -cE "$line" screen)" 21
	pstat --per-process -e "$calls" "$family" many 20
	is "rows in a file" "$(table | wc -l)" 21
}

@test "commands with control characters, invalid UTF-8 and line breaks stay in their line" {
	local name=$'a\e[31mb\nc,"d\xff'

	needs_counting user
	cp "$(type -P true)" "$name"
	cp "$(type -P true)" $'na\xc3\xafve'
	pstat --per-process -e page-faults:u sh -c './"$1" "x
y"; ./"$2"; :' sh "$name" $'na\xc3\xafve'
	ends_with_status 0
	is "escapes" "$(grep -c $'\e' err || true)" 0
	is "the rows" "$(grep -cE '^ +[0-9]+ +[0-9]+ ' err)" 2
	grep -q $'./na\xc3\xafve$' err || fail "no UTF-8" "$(<err)"
	on_terminal 80 --per-process -e page-faults:u sh -c './"$1"; :' sh "$name"
	is "escapes on a terminal" "$(grep -c $'\e' screen || true)" 0
	pstat --per-process -x, -e page-faults:u sh -c './"$1"; :' sh "$name"
	is "lines of -x" "$(wc -l <err)" 2
	pstat --per-process -j -e page-faults:u sh -c './"$1"; :' sh "$name"
	is "lines of -j" "$(wc -l <err)" 2
	pstat --per-process --by name -e page-faults:u sh -c './"$1"; :' sh "$name"
	is "escapes by name" "$(grep -c $'\e' err || true)" 0
}
