# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh source-path=SCRIPTDIR/.. source=lib.sh
# Existing processes and threads. All threads of the programs sleep when pstat attaches to them.
# After a SIGUSR1, each of them executes a known number of instructions and ends.
. /lab/lib.sh
plan 14 single

crowd=$(expected crowd)

# start PROGRAM THREADS: start PROGRAM, wait until it has THREADS threads that all sleep, and set
# $pid.
start()
{
	"$(program "$1")" &
	pid=$!
	for _ in $(seq 1000); do
		asleep=$(cat /proc/$pid/task/*/stat 2>/dev/null | grep -c '([a-z]*) S ') || :
		[ "$asleep" -ne "$2" ] || return 0
		usleep 1000
	done
	echo "$1 has $asleep threads that sleep, not $2"
	return 1
}

# tid N: print the ID of the N-th thread of $pid. The first task is the first thread.
tid()
{
	find "/proc/$pid/task" -mindepth 1 -maxdepth 1 | sed 's|.*/||' | sort -n | sed -n "$1p"
}

# early N: print the number of instructions of crowd's N-th early thread
early()
{
	echo $(($(expected crowd thread) + ($1 - 1) * $(expected crowd step)))
}

# signal_and_wait PID...: print shell code that wakes each process and waits for its end
signal_and_wait()
{
	printf 'kill -USR1 %s; ' "$*"
	printf 'while [ -e /proc/%s ]; do usleep 1000; done; ' "$@"
}

process_with_command()
{
	start crowd 5
	count -p "$pid" -e instructions:u,task-clock sh -c "$(signal_and_wait "$pid")"
	rows instructions:u 1 "value == $crowd && running == 100"
	rows task-clock 1 'value > 0'
}

process_alone()
{
	start crowd 5
	count -p "$pid" -e instructions:u &
	counter=$!
	counting 5
	kill -USR1 "$pid"
	wait "$counter"
	rows instructions:u 1 "value == $crowd"
	printed_no_messages
}

noticed_at_once()
{
	start crowd 5
	count -p "$pid" -e instructions:u &
	counting 5
	kill -USR1 "$pid"
	while [ -e "/proc/$pid" ]; do
		usleep 1000
	done
	usleep 10000
	equal 'pstat 10 ms later' '' "$(pidof pstat)"
}

killed_process()
{
	start crowd 5
	count -p "$pid" -e instructions:u &
	counter=$!
	counting 5
	kill -KILL "$pid"
	wait "$counter"
	rows instructions:u 1 'value <= 0'
}

command_ends_first()
{
	start crowd 5
	count -p "$pid" -e instructions:u usleep 10000
	rows instructions:u 1 'value <= 0'
	equal 'threads still there' 5 "$(find "/proc/$pid/task" -mindepth 1 -maxdepth 1 | wc -l)"
	kill -KILL "$pid"
}

two_processes()
{
	start crowd 5
	first=$pid
	start crowd 5
	count -p "$first,$pid" -e instructions:u &
	counter=$!
	counting 10
	kill -USR1 "$first"
	while [ -e "/proc/$first" ]; do
		usleep 1000
	done
	usleep 20000
	[ -n "$(pidof pstat)" ]
	kill -USR1 "$pid"
	wait "$counter"
	rows instructions:u 1 "value == 2 * $crowd"
}

two_threads()
{
	start crowd 5
	count -t "$(tid 2),$(tid 4)" -e instructions:u sh -c "$(signal_and_wait "$pid")"
	rows instructions:u 1 "value == $(early 1) + $(early 3)"
}

threads_alone()
{
	start crowd 5
	count -t "$(tid 3)" -e instructions:u &
	counter=$!
	counting 1
	kill -USR1 "$pid"
	wait "$counter"
	rows instructions:u 1 "value == $(early 2)"
}

# Threads that a thread creates are counted in its row.
each_thread()
{
	start crowd 5
	tids="$(tid 2) $(tid 3) $(tid 4) $(tid 5)"
	count --per-thread -p "$pid" -e instructions:u,task-clock \
		sh -c "$(signal_and_wait "$pid")"
	rows instructions:u 5 'cpus == -1'
	n=0
	for tid in $tids; do
		n=$((n + 1))
		rows instructions:u 1 "value == $(early $n)" "place == \"crowd-$tid\""
	done
	late=$((3 * $(expected crowd late)))
	rows instructions:u 1 "value == $(expected crowd first) + $late" \
		"place == \"crowd-$pid\""
	equal 'all rows' "$crowd" "$(sum instructions:u)"
}

each_of_two_threads()
{
	start crowd 5
	second=$(tid 2)
	fourth=$(tid 4)
	count --per-thread -t "$second,$fourth" -e instructions:u \
		sh -c "$(signal_and_wait "$pid")"
	rows instructions:u 2 1
	rows instructions:u 1 "value == $(early 1)" "place == \"crowd-$second\""
	rows instructions:u 1 "value == $(early 3)" "place == \"crowd-$fourth\""
}

many_threads()
{
	start throng 501
	count -p "$pid" -e instructions:u,cycles:u sh -c "$(signal_and_wait "$pid")"
	rows instructions:u 1 "value == $(expected throng)"
	rows cycles:u 1 "value == 2 * $(expected throng)"
}

each_of_many_threads()
{
	start throng 501
	count --per-thread -p "$pid" -e instructions:u sh -c "$(signal_and_wait "$pid")"
	rows instructions:u 501 "value > 0"
	thread=$(expected throng thread)
	step=$(expected throng step)
	rows instructions:u 500 "(value - $thread) % $step == 0" "place != \"throng-$pid\""
	equal 'all rows' "$(expected throng)" "$(sum instructions:u)"
}

check "-p with a command: threads that exist and later ones are counted exactly" \
	process_with_command
check "-p alone: counts exactly until the process has ended" process_alone
check "-p alone: the end of the process is noticed at once" noticed_at_once
check "-p alone: a process that is killed asleep has executed nothing" killed_process
check "-p with a command that ends first: counting ends, and the process continues" command_ends_first
check "-p of two processes is exact and ends with the second" two_processes
check "-t of two threads with a command is exact" two_threads
check "-t alone is exact and ends by itself" threads_alone
check "--per-thread -p has each thread's instructions" each_thread
check "--per-thread -t has the instructions of two threads" each_of_two_threads
check "-p of a process with 501 threads is exact" many_threads
check "--per-thread of a process with 501 threads is exact" each_of_many_threads
check "-p of a process that does not exist is refused in one line" \
	refused '999999: there is no such process' -p 999999 -e instructions:u
check "-t of a thread that does not exist is refused in one line" \
	refused '999999: there is no such thread' -t 999999 -e instructions:u
