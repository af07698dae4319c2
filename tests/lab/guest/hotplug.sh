# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh source-path=SCRIPTDIR/.. source=lib.sh
# CPUs go offline while a program that ran there is being counted.
#
# The emulated PMU counts the instructions of all CPUs of the machine while an event is on one of
# them. So instructions are exact only while nothing else runs: the program stops itself, all CPUs
# but the first are taken away, and it goes on alone. Page faults in user mode are counted by the
# kernel and are exact always (to place the arguments, the kernel may need one more or less).
. /lab/lib.sh
plan 3 smp

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
