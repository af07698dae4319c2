# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh source-path=SCRIPTDIR/.. source=lib.sh
# All or some of 8 CPUs, in 2 packages and 2 nodes, and each way to split the rows. The program pins
# its n-th thread to CPU n, so that each of CPUs 1 to 7 executes a different number of instructions.
# pstat runs on CPU 0, and is counted there.
. /lab/lib.sh
plan 18 packages

via='taskset 1'
events=instructions:u,page-faults:u

# on_cpus CPU...: print the number of instructions of the threads on these CPUs
on_cpus()
{
	total=0
	for cpu; do
		total=$((total + $(expected turns7 "cpu$cpu")))
	done
	echo "$total"
}

# faults_on_cpus CPU...: print the number of page faults of the threads on these CPUs
faults_on_cpus()
{
	total=0
	for cpu; do
		total=$((total + cpu * $(expected turns7 faults)))
	done
	echo "$total"
}

# place NAME CPUS CPU...: check that the row of the place has CPUS CPUs, and the instructions of the
# threads on CPU...
place()
{
	name=$1
	cpus=$2
	shift 2
	rows instructions:u 1 "cpus == $cpus && value == $(on_cpus "$@")" "place == \"$name\""
	rows page-faults:u 1 "cpus == $cpus && value == $(faults_on_cpus "$@")" "place == \"$name\""
}

all_threads()
{
	count -C 1-7 -e "$events" "$(program turns7)"
	rows instructions:u 1 "place == \"\" && value == $(expected turns7) && running == 100"
	rows page-faults:u 1 "value == $(faults_on_cpus 1 2 3 4 5 6 7)"
}

two_threads()
{
	count -C 1,2 -e "$events" "$(program turns2)"
	rows instructions:u 1 "value == $(expected turns2)"
	count -C 1,2 -A -e "$events" "$(program turns2)"
	rows instructions:u 2 'cpus == -1'
	for cpu in 1 2; do
		rows instructions:u 1 "value == $(expected turns2 cpu$cpu)" "place == \"CPU$cpu\""
		rows page-faults:u 1 "value == $(faults_on_cpus $cpu)" "place == \"CPU$cpu\""
	done
}

# The threads on the other CPUs do not count.
some_cpus()
{
	count -C 2,5-6 -e "$events" "$(program turns7)"
	rows instructions:u 1 "value == $(on_cpus 2 5 6)"
	rows page-faults:u 1 "value == $(faults_on_cpus 2 5 6)"
}

whole_machine()
{
	count -a -e "$events" "$(program turns7)"
	rows instructions:u 1 "value > $(expected turns7)"
	rows page-faults:u 1 "value >= $(faults_on_cpus 1 2 3 4 5 6 7)"
}

each_cpu()
{
	count -a -A -e "$events" "$(program turns7)"
	rows instructions:u 8 'cpus == -1 && running == 100'
	for cpu in 1 2 3 4 5 6 7; do
		rows instructions:u 1 "value == $(on_cpus $cpu)" "place == \"CPU$cpu\""
		rows page-faults:u 1 "value == $(faults_on_cpus $cpu)" "place == \"CPU$cpu\""
	done
	rows instructions:u 1 'value > 0' 'place == "CPU0"'
	cut -d, -f1,4 "$tmp/rows" >"$tmp/order"
	for event in instructions:u page-faults:u; do
		for cpu in 0 1 2 3 4 5 6 7; do
			echo "CPU$cpu,$event"
		done
	done | cmp - "$tmp/order"
}

# Each CPU has the same time: that of the whole measurement.
cpu_clock_of_each()
{
	count -a -A -e cpu-clock,duration_time usleep 50000
	rows cpu-clock 8 'value > 50 && value < 70'
	rows duration_time 1 'value > 50000000 && value < 70000000'
	count -a -e cpu-clock usleep 50000
	rows cpu-clock 1 'value > 400 && value < 560'
}

each_socket()
{
	count -C 1-7 --per-socket -e "$events" "$(program turns7)"
	rows instructions:u 2 1
	place S0 3 1 2 3
	place S1 4 4 5 6 7
}

each_socket_of_all()
{
	count -a --per-socket -e "$events" "$(program turns7)"
	rows instructions:u 1 "cpus == 4 && value > $(on_cpus 1 2 3)" 'place == "S0"'
	place S1 4 4 5 6 7
}

each_die()
{
	count -C 1-7 --per-die -e "$events" "$(program turns7)"
	rows instructions:u 2 1
	place S0-D0 3 1 2 3
	place S1-D0 4 4 5 6 7
}

each_node()
{
	count -C 1-7 --per-node -e "$events" "$(program turns7)"
	rows instructions:u 2 1
	place N0 3 1 2 3
	place N1 4 4 5 6 7
}

each_cluster()
{
	count -C 1-7 --per-cluster -e "$events" "$(program turns7)"
	rows instructions:u 4 1
	place S0-D0-CLS0 1 1
	place S0-D0-CLS1 2 2 3
	place S1-D0-CLS0 2 4 5
	place S1-D0-CLS1 2 6 7
}

# The kernel numbers cores within their cluster, so that two cores of a socket have the same name.
each_core()
{
	count -C 1-7 --per-core -e "$events" "$(program turns7)"
	for core in 'S0-D0-C0 2' 'S0-D0-C1 1 3' 'S1-D0-C0 4 6' 'S1-D0-C1 5 7'; do
		name=${core%% *}
		# shellcheck disable=SC2086 # a list of CPUs
		equal "$name" "$(on_cpus ${core#* })" \
			"$(sum instructions:u "place == \"$name\"")"
	done
	equal 'all cores' "$(expected turns7)" "$(sum instructions:u)"
}

# Linux 6.1 knows only the first-level caches, which no CPUs share. Linux 6.12 also knows one
# second-level cache in each package.
each_cache()
{
	count -C 1-7 --per-cache -e "$events" "$(program turns7)"
	if [ "$(cat /sys/devices/system/cpu/cpu1/cache/index*/level | sort -n | tail -n 1)" = 2 ]; then
		rows instructions:u 2 1
		place S0-D0-L2-ID0 3 1 2 3
		place S1-D0-L2-ID0 4 4 5 6 7
	else
		rows instructions:u 7 1
		for cpu in 1 2 3 4 5 6 7; do
			place "S$((cpu / 4))-D0-L1-ID$cpu" 1 $cpu
		done
	fi
}

places_come_one_by_one()
{
	count -C 1-7 --per-socket -e "$events" "$(program turns7)"
	cut -d, -f1,5 "$tmp/rows" >"$tmp/order"
	printf 'S0,instructions:u\nS0,page-faults:u\nS1,instructions:u\nS1,page-faults:u\n' |
		cmp - "$tmp/order"
}

offline_cpu()
{
	echo 0 >/sys/devices/system/cpu/cpu3/online
	trap 'echo 1 >/sys/devices/system/cpu/cpu3/online' EXIT
	# The kernel has not finished its work for this yet.
	usleep 200000
	count -a -A -e "$events" "$(program turns2)"
	rows instructions:u 7 'place != "CPU3"'
	rows instructions:u 1 "value == $(on_cpus 2)" 'place == "CPU2"'
}

no_such_cpu()
{
	count -C 1,9 -e "$events" true
	rows instructions:u 1 'state == "<not supported>"'
	said 'this machine has no CPU 9\b'
}

offline_cpu_asked_for()
{
	echo 0 >/sys/devices/system/cpu/cpu3/online
	trap 'echo 1 >/sys/devices/system/cpu/cpu3/online' EXIT
	count -C 1-3 -e "$events" true
	rows instructions:u 1 'state == "<not supported>"'
	said 'CPU 3 of -C is offline'
}

half_by_half()
{
	count -C 1-3 -e "$events" "$(program turns7)"
	first=$(sum instructions:u)
	count -C 4-7 -e "$events" "$(program turns7)"
	equal 'two halves' "$(expected turns7)" $((first + $(sum instructions:u)))
}

check "-C of seven pinned threads is exact" all_threads
check "-C 1,2 and -A of a pinned two-thread program are exact" two_threads
check "-C of some CPUs leaves out the others" some_cpus
check "two halves of the CPUs make the whole" half_by_half
check "-a has at least the instructions of the threads" whole_machine
check "-a -A has each CPU's instructions and page faults, event by event" each_cpu
check "-a -A gives each CPU its cpu-clock, and the elapsed time once" cpu_clock_of_each
check "--per-socket is exact" each_socket
check "-a --per-socket is exact on a socket without pstat" each_socket_of_all
check "--per-die is exact" each_die
check "--per-node is exact" each_node
check "--per-cluster is exact" each_cluster
check "--per-core is exact" each_core
check "--per-cache is exact" each_cache
check "--per-socket has its rows socket by socket" places_come_one_by_one
check "-a -A leaves out a CPU that is offline" offline_cpu
check "-C of a CPU that is absent gives rows without counts, and the reason" no_such_cpu
check "-C of a CPU that is offline gives rows without counts, and the reason" offline_cpu_asked_for
