# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh source-path=SCRIPTDIR/.. source=lib.sh
# CPUs go offline while pstat counts a program that has run there.
#
# The emulated PMU counts the instructions of all CPUs of the machine while an event is on one of
# them. So instructions are exact only while nothing else runs: the program stops itself, all CPUs
# except the first go offline, and the program continues alone. The kernel counts page faults in
# user mode, which are always exact. Only placing the arguments may need one more or less.
. /lab/lib.sh
plan 6 smp

cpus=/sys/devices/system/cpu

# online 0|1 CPU...
online()
{
	state=$1
	shift
	for cpu; do
		echo "$state" >"$cpus/cpu$cpu/online"
		equal "cpu$cpu/online" "$state" "$(cat "$cpus/cpu$cpu/online")"
	done
}

stopped_meanwhile()
{
	via='taskset 2'
	count -e instructions:u "$(program pausing)" &
	counting=$!
	pid_cpu=$(in_state T pausing)
	equal 'CPU of the program' 1 "${pid_cpu#* }"
	online 0 1 2 3
	kill -CONT "${pid_cpu% *}"
	wait "$counting"
	rows instructions:u 1 "value == $(expected pausing)"
}

running_meanwhile()
{
	echo never >/sys/kernel/mm/transparent_hugepage/enabled
	count -e page-faults:u "$(program touching)"
	undisturbed=$(cut -d, -f1 "$tmp/rows")
	[ "$undisturbed" -ge 2000 ]

	via='taskset 2'
	count -e page-faults:u,instructions:u "$(program touching)" &
	counting=$!
	pid_cpu=$(in_state R touching)
	equal 'CPU of the program' 1 "${pid_cpu#* }"
	online 0 1
	equal 'still running' "${pid_cpu% *}" "$(pidof touching)"
	wait "$counting"
	rows page-faults:u 1 "value == $undisturbed"
	rows instructions:u 1 "value >= $(expected touching)"
}

# pstat runs on CPU 0 and counts CPU 3: a program that is pinned there has a known number of page
# faults, and nothing else has any.
faults=$(expected turn3 faults)
turn3=$(program turn3)
gone='CPU 3 went offline: it is no longer counted'
come='CPU 3 came online: it is counted from now on'

# steps LINE...: write these lines to a script, which is the counted command
steps()
{
	printf '%s\n' "$@" >"$tmp/steps"
}

# on_cpu3 TIMES FILTER: check that these rows of CPU 3 add up to TIMES runs of the program
on_cpu3()
{
	equal "page faults on CPU 3 ($2)" $(($1 * faults)) \
		"$(sum page-faults:u "place == \"CPU3\" && $2")"
	instructions=$(sum instructions:u "place == \"CPU3\" && $2")
	awk -v n="$instructions" -v wanted=$(($1 * $(expected turn3 cpu3))) 'BEGIN {
		print "instructions on CPU 3:", n, "of", wanted
		exit !(n >= wanted && n <= 1.02 * wanted)
	}'
}

comes_and_goes()
{
	via='taskset 1'
	steps "$turn3" 'usleep 250000' "echo 0 >$cpus/cpu3/online" 'usleep 350000' \
		"echo 1 >$cpus/cpu3/online" 'usleep 350000' "$turn3" 'usleep 250000'
	count -a -A -I 100 --summary -e page-faults:u,instructions:u sh "$tmp/steps"
	for cpu in 0 1 2 3; do
		rows page-faults:u 1 'value >= 0' "summary && place == \"CPU$cpu\""
	done
	on_cpu3 2 'summary'
	on_cpu3 2 '!summary'
	on_cpu3 1 '!summary && time < 0.25'
	on_cpu3 0 '!summary && time > 0.25 && time < 0.85'
	said "$gone"
	said "$come"
}

goes()
{
	via='taskset 1'
	steps "$turn3" "echo 0 >$cpus/cpu3/online" 'usleep 1500000'
	count -a -A -e page-faults:u,instructions:u sh "$tmp/steps"
	rows page-faults:u 4 'value >= 0'
	on_cpu3 1 1
	said "$gone"
}

comes()
{
	via='taskset 1'
	steps "echo 1 >$cpus/cpu3/online" 'usleep 1500000' "$turn3"
	count -a -A -e page-faults:u,instructions:u sh "$tmp/steps"
	rows page-faults:u 4 'value >= 0'
	on_cpu3 1 1
	said "$come"
}

threads_on_all_cpus()
{
	count -e instructions:u "$(program threads)"
	rows instructions:u 1 "value >= $(expected threads) && value <= 4 * $(expected threads)"
}

check "CPUs taken offline while the program is stopped leave its count exact" stopped_meanwhile
online 1 1 2 3
check "a CPU taken offline under the running program loses no event" running_meanwhile
online 1 1
check "8 threads on 4 CPUs lose no instruction" threads_on_all_cpus
check "-a -A -I: a CPU that goes keeps its count, and is counted again when it is back" \
	comes_and_goes
online 1 3
check "-a -A: a CPU that goes keeps its count" goes
online 0 3
check "-a -A: a CPU that comes is counted from then on" comes
online 1 3
