#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pstat without CAP_PERFMON. kernel.perf_event_paranoid of this machine decides: at 3 nothing may be
# counted, at 2 only user mode, below 2 also the kernel in the user's own tasks.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

level=$(cat /proc/sys/kernel/perf_event_paranoid)

# as_nobody() runs pstat under this command, for example "deny EPERM". If the test runs as root, it
# also runs pstat under the command "as".
under=()
nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups --bounding-set=-all --inh-caps=-all)
as=("${nobody[@]}")

# as_nobody ARG...: run a copy of pstat without any privilege, in a folder that any user may enter
as_nobody()
{
	local folder

	folder=$(mktemp -d)
	chmod 755 "$folder"
	cp "$bare_pstat" "$folder/pstat"
	cp "$programs/deny" "$folder/"
	[ "$(id -u)" -eq 0 ] || as=()
	status=0
	(cd / && PATH=$folder:$PATH exec timeout "$patience" "${as[@]}" "${under[@]}" "$folder/pstat" "$@") \
		>out 2>err </dev/null || status=$?
	rm -r "$folder"
}

# as_nobody_with CAPABILITIES ARG...: the same with these capabilities, in the spelling of setpriv
as_nobody_with()
{
	local as=(setpriv --reuid=65534 --regid=65534 --clear-groups "--bounding-set=-all,$1"
		"--inh-caps=$1" "--ambient-caps=$1")

	as_nobody "${@:2}"
}

# gives_reason EVENT REASON: check that the only message explains why EVENT is not supported. REASON
# is a regular expression.
gives_reason()
{
	ends_with_status 0
	is "messages" "$(grep -c 'pstat: ' err)" 1
	grep -qE "pstat: $1: not supported: $2\$" err || fail "no such reason: $2" "$(<err)"
}

needs_level()
{
	needs_counting user
	[ "$level" -eq "$1" ] || skip "kernel.perf_event_paranoid is $level here, not $1"
}

@test "at 2, --min-effect and --more-is-better apply to an event that is counted in user mode only" {
	needs_level 2
	needs_math
	needs_command jq
	as_nobody -e page-faults --min-effect page-faults=5 --more-is-better faults -r 2 --format json -c true -c true
	is "the row" "$(jq -c '.rows[] | select(.name == "page-faults:u") | [.minimum_effect, .more_is_better]' out)" \
		'[0.05,true]'
}

@test "at 2, an event falls back to user mode, which its row and a message show; a clock does not" {
	needs_level 2
	as_nobody -e page-faults,task-clock true
	ends_with_status 0
	grep -qE '^ +[1-9][0-9]* +page-faults:u ' err || fail "no page-faults:u" "$(<err)"
	grep -qE '^ +[0-9.]+ msec task-clock +# ' err || fail "no task-clock" "$(<err)"
	grep -qE '^ +[0-9]+ +page-faults:u *$' err || fail "a rate over the time of all modes" "$(<err)"
	is "messages" "$(grep -c '^pstat:' err)" 1
	grep -qE '^pstat: page-faults: counted in user mode only: kernel.perf_event_paranoid is 2, .*CAP_PERFMON.*sysctl kernel.perf_event_paranoid=1' err ||
		fail "no message:" "$(<err)"
}

@test "at 2, -a without any permitted event ends with 125 and the remedy before a command starts" {
	local options

	needs_level 2
	for options in '-a' '-a -e cs' '-a -x, -e cs' '-C 0 -j' '-a -e cs --timeout 10' '-a --quiet -I 10'; do
		# shellcheck disable=SC2086 # words
		as_nobody $options echo started
		ends_with_status 125
		is "the output of the command with $options" "$(<out)" ""
		is "messages with $options" "$(wc -l <err)" 1
		grep -qE '^pstat: no event can be counted: kernel.perf_event_paranoid is 2, .*setcap' err ||
			fail "no reason:" "$(<err)"
	done
	as_nobody -a -e cs
	ends_with_status 125
	as_nobody -a -e cs,duration_time true
	ends_with_status 0
}

@test "at 2, a kernel-only event is not supported rather than counted as 0" {
	local event

	needs_level 2
	for event in context-switches cpu-migrations; do
		as_nobody -e "$event" true
		ends_with_status 0
		grep -qE "^ +<not supported> +$event *\$" err || fail "not refused" "$(<err)"
		is "messages" "$(grep -c '^pstat:' err)" 1
		grep -qE "^pstat: $event: not supported: kernel.perf_event_paranoid is 2, .*CAP_PERFMON" err ||
			fail "no reason" "$(<err)"
		! grep -q ':u)' err || fail "advice that counts nothing:" "$(<err)"
	done
}

@test "at 2, the tracepoint of a system call is counted, and the 0 of another one is not shown" {
	local call switch

	needs_level 2
	needs_root
	call=$(tracepoint_id syscalls/sys_enter_write) || skip "tracefs cannot be read"
	switch=$(tracepoint_id sched/sched_switch)
	as_nobody -e "2:$call,2:$switch" sh -c 'echo out; sleep 0.01'
	ends_with_status 0
	is "the output" "$(<out)" out
	grep -qE "^ +[1-9][0-9]* +2:$call:u *\$" err || fail "no system call" "$(<err)"
	grep -qE "^ +<not counted> +2:$switch:u *\$" err || fail "a switch" "$(<err)"
	grep -q "^pstat: 2:$switch: not counted: it was never seen in user mode, and may happen only in the kernel" err ||
		fail "no reason" "$(<err)"
}

@test "at 2, a run without a system call counts as 0 if another run makes it, in any order" {
	local call folder script
	# shellcheck disable=SC2016 # for the other shell
	local as=(unshare -m sh -c 'umount $(awk "\$3 == \"tracefs\" { print \$2 }" /proc/mounts) 2>/dev/null
		exec "$@"' sh "${nobody[@]}")
	local never=(unshare -m sh -c '[ -e /sys/kernel/tracing/events ] || mount -t tracefs nodev /sys/kernel/tracing
		exec "$@"' sh "$bare_pstat")

	needs_level 2
	needs_root
	call=$(tracepoint_id syscalls/sys_enter_chdir) || skip "tracefs cannot be read"
	folder=$(mktemp -d)
	chmod 777 "$folder"
	script="runs=\$(ls $folder | wc -l); touch $folder/\$runs; [ \$runs -lt 2 ] || for i in 1 2 3 4 5 6 7 8 9 10; do cd /; done"
	as_nobody -x, -r 4 -e "2:$call" sh -c "$script"
	rm -r "$folder"
	ends_with_status 0
	is "the mean of 0, 0, 10 and 10" "$(field 1 "2:$call:u")" 5
	is "messages" "$(grep -c '^pstat: 2:.*not counted' err || true)" 0
	# an interval cannot wait for others
	as_nobody -x, -I 100 -e "2:$call" sh -c 'sleep 0.4; cd /; sleep 0.4'
	ends_with_status 0
	is "the values of intervals" "$(grep ",2:$call:u," err | cut -d, -f2 | sort | uniq | xargs)" "1 <not counted>"
	# where tracefs can be read, the number is known to be that of a system call
	PSTAT=timeout pstat "$patience" "${never[@]}" -x, -r 2 -e "2:$call:u" true
	ends_with_status 0
	is "a call that is never made" "$(field 1 "2:$call:u")" 0
}

@test "at 2, the hypervisor is excluded with the kernel, as in perf" {
	needs_level 2
	as_nobody -v -e page-faults true
	ends_with_status 0
	grep -qE '^ +exclude_hv +1$' err || fail "no exclude_hv" "$(<err)"
}

@test "at 2, events that a user may count are counted without a message" {
	needs_level 2
	as_nobody -x, -e page-faults:u,duration_time true
	ends_with_status 0
	is "the rows" "$(cut -d, -f3 err)" "page-faults:u
duration_time"
}

@test "at 2, a requested kernel mode is not replaced by user mode" {
	needs_level 2
	as_nobody -e page-faults:k true
	ends_with_status 0
	grep -qE '^ +<not supported> +page-faults:k *$' err || fail "not refused" "$(<err)"
	as_nobody --all-kernel -e page-faults true
	ends_with_status 0
	grep -qE '^ +<not supported> +page-faults *$' err || fail "not refused" "$(<err)"
}

@test "at 2, --strict refuses events that cannot be counted" {
	needs_level 2
	as_nobody --strict -e context-switches echo started
	ends_with_status 125
	is "output of the command" "$(<out)" ""
}

@test "a group keeps the events that may be counted" {
	needs_level 2
	as_nobody -x, -e '{context-switches,page-faults}' true
	ends_with_status 0
	is "the rows" "$(cut -d, -f3 err)" "context-switches
page-faults:u"
	within "page faults" 1 "$(field 1 page-faults:u)" 100000
}

@test "at 2, --doctor shows what may be counted, and measures the noise" {
	needs_level 2
	as_nobody --doctor --duration 0.1
	ends_with_status 0
	is "messages" "$(<err)" ""
	grep -qE '^! may be counted +user mode; kernel\.perf_event_paranoid is 2, ' out || fail "$(<out)"
	grep -qE '^[! ] other counters +(none that this user can see|pid )' out || fail "$(<out)"
	is "measures" "$(grep -cE '^  (CPU time|elapsed time|page-faults) +([0-9]+\.[0-9]+ %|no run differed)$' out)" 3
}

@test "--explain shows what the kernel allows" {
	needs_level 2
	as_nobody -v --explain page-faults context-switches page-faults:u
	ends_with_status 0
	is "message" "$(awk '$1 == "kernel" { print /paranoid is 2/ ? "forbids" : "accepts" }' out | tr '\n' ' ')" \
		"forbids forbids accepts "
}

# guarded MODE [OWNER]: write a program, ./guarded, in a folder that every user may search
guarded()
{
	folder=$(mktemp -d)
	chmod 755 "$folder"
	cp "$programs/busy" "$folder/guarded"
	[ -z "${2:-}" ] || chown "$2" "$folder/guarded"
	# the owner could read a program with mode 711
	[ "$(id -u)" -eq 0 ] || set -- 111
	chmod "$1" "$folder/guarded"
}

clean_up()
{
	[ -z "${folder:-}" ] || rm -rf "$folder"
}

@test "an unreadable program is not counted, and the reason is shown" {
	local way

	needs_counting user
	[ "$level" -le 2 ] || skip "kernel.perf_event_paranoid is $level here"
	guarded 711
	for way in "" "-i" "-r 3" "-D 1"; do
		# shellcheck disable=SC2086 # words
		as_nobody -v -x, -e page-faults:u,duration_time $way "$folder/guarded" 200
		ends_with_status 0
		is "$way: the count" "$(field 1 page-faults:u)" "<not counted>"
		within "$way: the time" 1000000 "$(field 1 duration_time)" 60000000000
		grep -qF 'page-faults:u: not counted: the program is not readable, so the kernel stopped counting at its exec; run pstat as root or use -a' err ||
			fail "$way: no reason" "$(<err)"
	done
	chmod 755 "$folder/guarded"
	as_nobody -v -x, -e page-faults:u "$folder/guarded" 20
	within "page faults of a readable program" 1 "$(field 1 page-faults:u)" 100000
	! grep -q '^pstat:' err || fail "a reason without a cause" "$(<err)"
}

@test "with -I no interval of an unreadable program shows a count" {
	needs_counting user
	[ "$level" -le 2 ] || skip "kernel.perf_event_paranoid is $level here"
	guarded 711
	as_nobody -v -x, -I 20 -e page-faults:u "$folder/guarded" 60
	ends_with_status 0
	is "the counts" "$(awk -F, '/page-faults:u,/ { print $2 }' err | sort -u)" "<not counted>"
	is "reasons" "$(grep -c 'the program is not readable' err)" 1
}

@test "if a shell starts an unreadable program, no count looks complete" {
	local command

	needs_counting user
	[ "$level" -le 2 ] || skip "kernel.perf_event_paranoid is $level here"
	guarded 711
	cp "$programs/busy" "$folder/open"
	chmod 755 "$folder/open"
	for command in "$folder/guarded 300; :" "$folder/open 300; $folder/guarded 600"; do
		as_nobody -v -x, -e page-faults:u sh -c "$command"
		ends_with_status 0
		is "the count of $command" "$(field 1 page-faults:u)" "<not counted>"
		grep -qE 'its counter saw only [0-9.]+ of [0-9.]+ ms of user time; a set-user-ID or unreadable program may have run' err ||
			fail "no reason" "$(<err)"
	done
	chmod 755 "$folder/guarded"
	as_nobody -x, -e page-faults:u sh -c "$folder/open 300; $folder/guarded 600"
	within "page faults of a readable program" 1 "$(field 1 page-faults:u)" 100000
	is "messages" "$(grep -c pstat: err || true)" 0
}

@test "counts of many short processes and threads do not look incomplete" {
	needs_counting user
	[ "$level" -le 2 ] || skip "kernel.perf_event_paranoid is $level here"
	# shellcheck disable=SC2016,SC2031 # for the other shell; other tests set it for themselves
	as_nobody -x, -e page-faults:u sh -c 'for i in $(seq 300); do /bin/true; (:); done'
	within "page faults of processes" 3000 "$(field 1 page-faults:u)" 10000000
	pstat -x, -e page-faults:u "$programs/faults" -T 300 10
	within "page faults of threads" 300 "$(field 1 page-faults:u)" 10000000
}

@test "no gate passes on an unreadable program" {
	needs_counting user
	[ "$level" -le 2 ] || skip "kernel.perf_event_paranoid is $level here"
	guarded 711
	cp "$programs/busy" "$folder/open"
	chmod 755 "$folder/open"
	as_nobody -r 6 -e page-faults:u --fail-if 'page-faults:u>+1000%' \
		-c "$folder/open 1" -c "$folder/guarded 1"
	ends_with_status 2
	set -- -r 6 -e page-faults:u --fail-if 'page-faults:u>+1000%' \
		-c "$folder/open 1" -c "sh -c '$folder/open 200; $folder/guarded 600'"
	as_nobody "$@"
	ends_with_status 2
	chmod 755 "$folder/guarded"
	as_nobody "$@"
	ends_with_status 0
	as_nobody -r 6 -e page-faults:u --fail-if 'page-faults:u>+1000%' \
		-c "$folder/open 1" -c "$folder/open 1"
	ends_with_status 0
}

@test "a set-ID program of another user or group is not counted, even by root" {
	local mode

	needs_counting user
	needs_root
	for mode in 4755 2755; do
		guarded "$mode" 65534:65534
		cp -p "$(command -v id)" "$folder/id"
		chown 65534:65534 "$folder/id"
		chmod "$mode" "$folder/id"
		[ "$("$folder/id" -un)$("$folder/id" -gn)" != rootroot ] ||
			skip "set-user-ID has no effect here"
		pstat -v -x, -e page-faults:u "$folder/guarded" 20
		ends_with_status 0
		is "$mode: the count" "$(field 1 page-faults:u)" "<not counted>"
		grep -qF 'the program is set-user-ID or set-group-ID, so the kernel stopped counting at its exec; use -a' err ||
			fail "$mode: no reason" "$(<err)"
		rm -r "$folder"
	done
}

@test "a set-ID program that the command becomes is noticed, even a short one" {
	local mode way

	needs_counting user
	needs_root
	needs_level 2
	guarded 755
	for mode in 4755 2755; do
		cp "$(command -v id)" "$folder/id"
		chmod "$mode" "$folder/id"
		[[ $("${nobody[@]}" "$folder/id") = *=0\(root\)* ]] || skip "set-user-ID has no effect here"
		for way in "" "-i" "-r 2"; do
			# shellcheck disable=SC2086 # words
			as_nobody -v -x, $way -e page-faults:u env "$folder/id"
			ends_with_status 0
			is "$mode $way: the count" "$(field 1 page-faults:u)" "<not counted>"
			grep -qF 'the program is set-user-ID or set-group-ID, so the kernel stopped counting' err ||
				fail "$mode $way: no reason" "$(<err)"
		done
	done
	as_nobody -x, -e page-faults:u env true
	within "the count of another program" 1 "$(field 1 page-faults:u)" 100000
}

@test "a set-ID bit that the kernel ignores does not change the counts" {
	local way

	needs_root
	needs_counting user
	[ "$level" -le 2 ] || skip "kernel.perf_event_paranoid is $level here"
	unshare -r true 2>/dev/null || skip "user namespaces cannot be made here"
	guarded 4755 65534:65534
	cp "$(command -v sh)" "$folder/guarded"
	chmod 4755 "$folder/guarded"
	for way in "" "-i" "-D 1"; do
		status=0
		# shellcheck disable=SC2086 # words
		unshare -r "$bare_pstat" -x, $way -e page-faults:u "$folder/guarded" \
			-c "$programs/busy 200; :" 2>err || status=$?
		ends_with_status 0
		# with a delay, all pages may exist already
		within "$way: page faults" 0 "$(field 1 page-faults:u)" 100000
	done
}

@test "at every level, the command runs and is timed, and its status is returned" {
	as_nobody -e page-faults,context-switches sh -c 'exit 3'
	ends_with_status 3
	grep -q 'seconds time elapsed' err || fail "not timed" "$(<err)"
	is "rows" "$(grep -cE '^ +(<not supported>|[0-9]+) +(page-faults|context-switches)' err)" 2
}

# For another user's process, the kernel requires CAP_PERFMON or ptrace access (see the manual).
@test "CAP_PERFMON alone is enough for other users' processes and for breakpoints in them" {
	local event id refused

	needs_root
	needs_calls "$programs/serve"
	setpriv --list-caps | grep -qx perfmon || skip "this setpriv does not know CAP_PERFMON"
	sh -c 'while :; do sleep 0.01; done' 3>&- &
	id=$!
	as_nobody -x, -e "page-faults:u,$calls" -p "$id" --timeout 100
	refused=$(grep -c '^<not supported>' err)
	as_nobody_with +perfmon -x, -e "page-faults:u,$calls" -p "$id" "${until_it_ran[@]}" "$id"
	kill "$id"
	ends_with_status 0
	is "events without the capability that are not supported" "$refused" 2
	for event in page-faults:u "$calls"; do
		within "$event" 0 "$(field 1 "$event")" 1000000
	done
}

@test "the message names a seccomp filter that blocks the counting, with any options" {
	local error event

	"$programs/deny" EPERM true || skip "seccomp filters cannot be installed here"
	for error in EPERM ENOSYS; do
		under=(deny "$error")
		for event in context-switches page-faults:u page-faults; do
			as_nobody -v -x, -e "$event" true
			gives_reason "$event" 'a seccomp filter blocks perf_event_open: use docker run --cap-add=PERFMON .*'
		done
	done
	as=() # run pstat as root if the test runs as root
	as_nobody -v -x, -e page-faults true
	gives_reason page-faults 'a seccomp filter blocks perf_event_open: .*'
}

@test "the reason says that uprobes need CAP_SYS_ADMIN, and that neither :u nor a setting helps" {
	needs_probes
	as_nobody -v -x, -e uprobe:libc.so.6:malloc:u true
	gives_reason uprobe:libc.so.6:malloc:u 'uprobes need CAP_SYS_ADMIN \(neither :u nor kernel.perf_event_paranoid helps\): run pstat as root'
}

@test "at 3 and 4, no reason claims that a kernel that counts user mode forbids all counting" {
	local file=$BATS_TEST_TMPDIR/level above

	needs_root
	needs_level 2
	for above in 3 4; do
		echo "$above" >"$file"
		# shellcheck disable=SC2016,SC2031 # for the other shell; other tests set it for themselves
		as=(unshare -m sh -c 'mount --bind "$0" /proc/sys/kernel/perf_event_paranoid && exec "$@"'
			"$file" "${nobody[@]}")
		unshare -m mount --bind "$file" /proc/sys/kernel/perf_event_paranoid ||
			skip "nothing may be mounted here"
		as_nobody -e page-faults,context-switches true
		ends_with_status 0
		grep -qE '^ +[1-9][0-9]* +page-faults:u *$' err || fail "not counted" "$(<err)"
		is "messages" "$(grep -c "^pstat: .* is $above, which forbids counting the kernel " err)" 2
		is "wrong messages" "$(grep -c 'all counting' err || true)" 0
	done
}

@test "the reason for root of a user namespace is to leave the namespace, not to use setcap" {
	needs_level 2
	unshare -r true 2>/dev/null || skip "user namespaces cannot be made here"
	as=(unshare -r)
	as_nobody -v -x, -e context-switches true
	gives_reason context-switches 'kernel.perf_event_paranoid is 2, .* run pstat outside of this user namespace or .*'
}

@test "the reason for root of a container without CAP_PERFMON shows how to start the container" {
	needs_root
	needs_level 2
	# shellcheck disable=SC2030 # other tests set it for themselves
	as=(setpriv --bounding-set=-all --inh-caps=-all)
	as_nobody -v -x, -e context-switches true
	gives_reason context-switches 'kernel.perf_event_paranoid is 2, .*docker run --cap-add=PERFMON.*'
}

@test "--list says that it has no tracepoints if the user may not read tracefs" {
	if [ "$(id -u)" -eq 0 ]; then
		# shellcheck disable=SC2016,SC2031 # for the other shell; other tests set it for themselves
		as=(unshare -m sh -c 'mountpoint -q /sys/kernel/tracing || mount -t tracefs nodev /sys/kernel/tracing
			exec "$@"' sh "${as[@]}")
	else
		as=()
	fi
	"${as[@]}" test -d /sys/kernel/tracing || skip "there is no tracefs"
	! "${as[@]}" test -r /sys/kernel/tracing/events || skip "this user may read tracefs"
	as_nobody --list
	ends_with_status 0
	grep -q '^pstat: --list: no tracepoints: tracefs is not readable by this user: run pstat as root, or mount ' err ||
		fail "no message:" "$(<err)"
	grep -q '^  page-faults ' out
	as_nobody --list page-faults
	is "messages about another name" "$(<err)" ""
}
