# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh source-path=SCRIPTDIR/.. source=lib.sh
# Kernel probes, user probes and tracepoints. The program makes a known number of system calls. The
# guest runs a Debian kernel, which supports all these events.
. /lab/lib.sh
plan 17 single

calls=$(program calls)
n=$(expected calls calls)
instructions=$(expected calls)
kernel_function=__arm64_sys_getppid

# exact EVENT [OPTION...]: check that EVENT counts each call of the program
exact()
{
	event=$1
	shift
	count -e "$event" "$@" "$calls"
	rows "$event" 1 "value == $n && running == 100"
}

each_of_three_runs()
{
	count -r 3 -e "$1" "$calls"
	rows "$1" 1 "value == $n && spread == 0"
}

# The breakpoint instruction of a probe adds one instruction in user mode for each call.
in_one_run()
{
	count -e "kprobe:$kernel_function,uprobe:$calls:called,instructions:u" "$calls"
	rows "kprobe:$kernel_function" 1 "value == $n"
	rows "uprobe:$calls:called" 1 "value == $n"
	rows instructions:u 1 "value == $instructions + $n"
}

unknown_function()
{
	run_pstat -e kprobe:no_such_function "$calls"
	equal status 0 "$status"
	rows kprobe:no_such_function 1 'state == "<not supported>"'
	said '^pstat: kprobe:no_such_function: not supported: '
}

# in_children EVENT [OPTION...]: check the count of EVENT in three processes that a shell starts
in_children()
{
	event=$1
	shift
	count -e "$event" sh -c :
	own=$(sum "$event")
	count -e "$event" "$@" sh -c "$calls; $calls; $calls; :"
	rows "$event" 1 "value == $own + 3 * $n && running == 100"
	printed_no_messages
}

no_probes_left()
{
	equal 'the events in tracefs' '' "$(cat /sys/kernel/tracing/dynamic_events)"
}

without_tracefs()
{
	umount /sys/kernel/tracing
	status=0
	(
		set -e
		"$@"
	) || status=$?
	mount -t tracefs tracefs /sys/kernel/tracing
	return $status
}

# The shell also calls the function, when it starts; therefore the count is not 0.
hidden_addresses()
{
	echo 2 >/proc/sys/kernel/kptr_restrict
	count -e "kprobe:$kernel_function" sh -c "$calls; $calls; :"
	echo 1 >/proc/sys/kernel/kptr_restrict
	rows "kprobe:$kernel_function" 1 "value > 0 && value < $n"
	said ': new threads and processes are not counted: tracefs is not mounted: '
}

check "kprobe: each call of a function of the kernel" exact "kprobe:$kernel_function"
check "kprobe: in each of three runs" each_of_three_runs "kprobe:$kernel_function"
check "kprobe: with an offset of 0" exact "kprobe:$kernel_function+0"
check "kretprobe: each return" exact "kretprobe:$kernel_function"
check "kretprobe: in each of three runs" each_of_three_runs "kretprobe:$kernel_function"
check "kprobe: a function that the kernel does not have" unknown_function
check "uprobe: each call of a function of a program" exact "uprobe:$calls:called"
check "tracepoint: each system call" exact syscalls:sys_enter_getppid
check "all kinds of probes and a hardware event together" in_one_run
check "kprobe: in the processes that the command starts" in_children "kprobe:$kernel_function"
check "kretprobe: in the processes that the command starts, in each of three runs" in_children \
	"kretprobe:$kernel_function+0" -r 3
check "uprobe: in the processes that the command starts" in_children "uprobe:$calls:called"
check "uretprobe: in the processes that the command starts, in each of three runs" in_children "uretprobe:$calls:called" -r 3
check "no event stays in tracefs" no_probes_left
check "kprobe: without tracefs, by the address of the function" without_tracefs in_children "kprobe:$kernel_function"
check "kretprobe: without tracefs, by the address of the function, in each of three runs" without_tracefs \
	in_children "kretprobe:$kernel_function" -r 3
check "kprobe: without tracefs and with hidden addresses, only the first task is counted" \
	without_tracefs hidden_addresses
