# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh source-path=SCRIPTDIR/.. source=lib.sh
# Hardware breakpoints, which never count on some hosts. In the lab, QEMU delivers the debug
# exceptions. The program runs at a fixed address and at a random one.
. /lab/lib.sh
plan 9 single

calls=$(program calls)
pie=$(program calls-pie)
n=$(expected calls calls)

# exact EVENT N [OPTION...]: check that EVENT counts N in both programs
exact()
{
	event=$1
	times=$2
	shift 2
	for run in "$calls" "$pie"; do
		count -e "$event" "$@" "$run"
		rows "$event" 1 "value == $times && running == 100"
	done
}

by_address()
{
	count -e "mem:$(cat "$calls.address_of_written")/4:w:u,mem:$(cat "$calls.address_of_called"):x:u" "$calls"
	rows "mem:$(cat "$calls.address_of_written")/4:w:u" 1 "value == $n"
	rows "mem:$(cat "$calls.address_of_called"):x:u" 1 "value == $n"
}

each_of_three_runs()
{
	count -r 3 -e mem:called:x:u,mem:written:w:u "$pie"
	rows mem:called:x:u 1 "value == $n && spread == 0"
	rows mem:written:w:u 1 "value == $n && spread == 0"
}

# pstat looks up a symbol only in the command itself, which is the shell.
in_children()
{
	event=mem:$(cat "$calls.address_of_called"):x:u
	count -e "$event" sh -c "$calls; $calls; $calls; :"
	rows "$event" 1 "value == 3 * $n && running == 100"
	count --per-process -e "$event" sh -c "$calls; $calls; :"
	rows "$event" 2 "value == $n" 'place ~ /^calls-/'
}

# Do not set a breakpoint on the function of the uprobe: on arm64, the kernel then kills the
# program.
next_to_others()
{
	count -e "{cs,mem:written:w:u},uprobe:$calls:called,syscalls:sys_enter_getppid,instructions:u" "$calls"
	for event in mem:written:w:u "uprobe:$calls:called" syscalls:sys_enter_getppid; do
		rows "$event" 1 "value == $n"
	done
}

same_arguments()
{
	run_pstat -e mem:written:w:u "$pie" a b c
	equal status 3 "$status"
	rows mem:written:w:u 1 "value == $n"
}

check "each call of a function" exact mem:called:x:u "$n"
check "each write of a variable" exact mem:written:w:u "$n"
check "each read of a variable" exact mem:written:r:u "$((2 * n))"
check "each read and write, without -i and with it" exact mem:written/4:rw:u "$((3 * n))" -i
check "a function and a variable, by their addresses" by_address
check "a function and a variable, in each of three runs" each_of_three_runs
check "in the processes that the command starts" in_children
check "next to probes, a tracepoint and a hardware event" next_to_others
check "the stop after the exec does not change the arguments and the status" same_arguments
