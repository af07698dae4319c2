# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh source-path=SCRIPTDIR/.. source=lib.sh
# The effect of kernel.perf_event_paranoid on root and on an unprivileged user. Level 3 exists only
# in Debian: without CAP_PERFMON, perf events are forbidden.
. /lab/lib.sh
plan 11 single

known=$(expected known)

paranoid()
{
	echo "$1" >/proc/sys/kernel/perf_event_paranoid
}

counts_the_kernel()
{
	count -e cycles,instructions:k,instructions:u "$(program known)"
	rows cycles 1 "value > 2 * $known"
	rows instructions:k 1 'value > 0'
	rows instructions:u 1 "value == $known"
	printed_no_messages
}

root_at()
{
	paranoid "$1"
	counts_the_kernel
}

user_at()
{
	paranoid "$1"
	via=as_plain_user
	counts_the_kernel
}

user_falls_back()
{
	paranoid 2
	via=as_plain_user
	count -e cycles,instructions "$(program known)"
	rows cycles:u 1 "value == 2 * $known"
	rows instructions:u 1 "value == $known"
	said perf_event_paranoid
}

user_asks_for_the_kernel()
{
	paranoid 2
	via=as_plain_user
	count -e instructions:k,instructions:u "$(program known)"
	rows instructions:k 1 'state == "<not supported>"'
	rows instructions:u 1 "value == $known"
	said perf_event_paranoid
}

user_is_refused()
{
	paranoid 3
	via=as_plain_user
	count -e cycles "$(program known)"
	rows cycles 1 'state == "<not supported>"'
	said 'perf_event_paranoid.*3'
	said 'setcap.*cap_perfmon'
	said 'sysctl.*perf_event_paranoid'
	said 'user mode'
}

refused_user_has_the_command_run()
{
	paranoid 3
	via=as_plain_user
	run_pstat -e cycles sh -c 'echo it ran; exit 7'
	equal status 7 "$status"
	equal 'standard output' 'it ran' "$(cat "$tmp/out")"
}

strict_user_has_not()
{
	paranoid 3
	via=as_plain_user
	status=0
	as_plain_user pstat --strict -e cycles echo it ran >"$tmp/out" 2>"$tmp/err" || status=$?
	equal status 125 "$status"
	equal 'standard output' '' "$(cat "$tmp/out")"
	said perf_event_paranoid
}

for level in 3 2 1 0; do
	check "perf_event_paranoid $level: root counts the kernel" root_at "$level"
done
check "perf_event_paranoid 3: the message has the setting, its value and the remedies" \
	user_is_refused
check "perf_event_paranoid 3: the user's command still runs" refused_user_has_the_command_run
check "perf_event_paranoid 3: with --strict the command does not run" strict_user_has_not
check "perf_event_paranoid 2: a user's cycles become cycles:u, with a note" user_falls_back
check "perf_event_paranoid 2: a user's instructions:k stay instructions:k" \
	user_asks_for_the_kernel
check "perf_event_paranoid 1: a user counts the kernel" user_at 1
check "perf_event_paranoid 0: a user counts the kernel" user_at 0
