#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# An ordinary user runs a copy of pstat whose file has capabilities (setcap(8)): only
# perf_event_open(2) uses them. These tests also check the advice of pstat in containers.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

user=(setpriv --reuid=65534 --regid=65534 --clear-groups)

# All capabilities that give a program rights on files or other processes, as setcap names them.
many=cap_perfmon,cap_dac_override,cap_dac_read_search,cap_sys_ptrace,cap_sys_admin,cap_chown
many+=,cap_fowner,cap_setfcap,cap_setuid,cap_kill

# The user may enter $top, and may write to $top/work, the current folder of the tests.
setup()
{
	needs_root
	top=$(mktemp -d)
	chmod 755 "$top"
	mkdir -m 777 "$top/work"
	cp "$bare_pstat" "$top/pstat"
	cp "$bare_pstat" "$top/plain"
	cp "$programs"/{busy,deny,launch,observe,region,serve} "$top/"
	cd "$top/work" || return
}

clean_up()
{
	[ -z "${top:-}" ] || rm -rf "$top"
}

# give CAPABILITIES: give them to the file of the copy; skip if files cannot have capabilities
give()
{
	needs_command setcap
	cp "$(command -v grep)" "$top/grep"
	setcap "$1" "$top/grep" 2>/dev/null || skip "files cannot have capabilities here"
	"${user[@]}" "$top/grep" -q '^CapPrm:.*[1-9a-f]' /proc/self/status 2>/dev/null ||
		skip "capabilities of files have no effect here"
	setcap "$1" "$top/pstat"
}

# by_user ARG...: run the copy of pstat as the user. $before is a prefix command that root starts;
# $under is a prefix command that the user starts.
before=()
under=()
by_user()
{
	status=0
	timeout --kill-after=5 "$patience" "${before[@]}" "${user[@]}" "${under[@]}" "$top/pstat" "$@" \
		>out 2>err </dev/null || status=$?
}

# counts_as_root EVENT ARG...: check that the user gets a count of a kernel event
counts_as_root()
{
	by_user -x, -e "$1" "${@:2}"
	ends_with_status 0
	within "$1" 0 "$(field 1 "$1")" 1000000
}

needs_kernel_forbidden()
{
	needs_counting user
	[ "$(cat /proc/sys/kernel/perf_event_paranoid)" -ge 2 ] ||
		skip "every user may count the kernel on this machine"
}

# advises EVENT REASON: check that the only message explains why EVENT is not supported. REASON is a
# regular expression.
advises()
{
	is "messages" "$(grep -c 'pstat: ' err)" 1
	grep -qE "pstat: $1: not supported: $2\$" err || fail "no such reason: $2" "$(<err)"
}

# ---- The programs that pstat starts

# Remove what options replace on purpose from the list of what a program sees: its standard streams,
# and the few variables that a shell adds.
compared_lines()
{
	grep -vE '^(descriptor [012]:|environment )' "$1"
}

# sees_nothing ARG...: check that "observe seen", which is part of ARGs, sees the same in each run
# as without pstat. The limit of descriptors is low, so that pstat raises its own limit.
sees_nothing()
{
	rm -f seen
	"${launched[@]}" "$top/pstat" "$@" </dev/null >streams 2>&1 ||
		fail "pstat $*: status $?" "$(<streams)"
	[ -s seen ] || fail "pstat $*: not started" "$(<streams)"
	compared_lines seen >seen.compared
	while [ "$(wc -l <expected)" -lt "$(wc -l <seen.compared)" ]; do
		cat bare >>expected
	done
	diff expected seen.compared >&2 || fail "pstat $*: see above"
	cp bare expected
}

observe_without()
{
	launched=(env -i "PATH=$PATH" "${user[@]}" "$top/launch" -n 60 -f 7)
	"${launched[@]}" "$top/observe" seen </dev/null
	compared_lines seen >bare
	grep -q '^CapPrm:.*0000$' bare || fail "the user has capabilities" "$(<bare)"
	grep -q '^limit 7: 60 of ' bare || fail "no limit of descriptors" "$(<bare)"
	cp bare expected
}

@test "a command gets no capability, limit or descriptor" {
	local way

	give "$many+ep"
	observe_without
	for way in "" "-i" "-r 3" "-I 1000" "-D 1" "-o result" "--save result.json" \
		"--input $top/launch" "--randomize-env" "-v"; do
		# shellcheck disable=SC2086 # words
		sees_nothing -e cs,page-faults $way "$top/observe" seen
	done
}

@test "--pre, --post, --setup, --cleanup, -c and --shell get no capability, limit or descriptor" {
	local observe="$top/observe seen" two=(-n -r 1 -c true -c true)

	give "$many+ep"
	observe_without
	sees_nothing -e cs --pre "$observe" true
	sees_nothing -e cs --post "$observe" true
	sees_nothing -e cs --control region --pre "$observe" true
	sees_nothing -e cs --control region --post "$observe" true
	"$top/pstat" "${two[@]}" || skip "comparisons need r-mathlib"
	sees_nothing "${two[@]}" --setup "$observe"
	sees_nothing "${two[@]}" --cleanup "$observe"
	sees_nothing -n -r 2 -c "$observe" -c true
	sees_nothing -n -r 2 --shell=sh -c "exec $observe" -c true
}

# On a machine where no breakpoint counts, pstat may not stop the command.
@test "a command that stops at its exec for a breakpoint gets no capability" {
	needs_symbols
	give "$many+ep"
	observe_without
	sees_nothing -e mem:main:x:u "$top/observe" seen
}

@test "--pre cannot reach the channel of a region, and does not wait for it" {
	pstat -n --control region --pre "$top/region 1" true
	ends_with_status 0
	is "output of --pre" "$(<out)" "-1 -1 Bad file descriptor"
}

# ---- Files

# denied ARG...: check that pstat cannot open a file, and starts no command
denied()
{
	by_user -e cs "$@" </dev/null
	ends_with_status 125
	grep -q 'Permission denied' err || fail "pstat $*: no reason" "$(<err)"
	[ ! -e started ] || fail "pstat $*: a command was started"
}

@test "files are opened with the rights of the user, whatever capabilities pstat has" {
	local file=$top/secret

	give "$many+ep"
	echo '{}' >"$file"
	chmod 600 "$file"
	mkfifo -m 600 "$top/fifo"
	mkdir -m 700 "$top/closed"
	denied -o "$file" touch started
	denied -o "$file" --append touch started
	denied -o "$top/closed/new" touch started
	denied --save "$file" touch started
	denied --save "$top/new" touch started
	denied --input "$file" touch started
	denied --control "fifo:$top/fifo" touch started
	by_user -e cs "$top/closed/command"
	ends_with_status 126
	says "pstat: $top/closed/command: found, but not executable"
	by_user --sysroot "$top/closed" --explain cycles
	ends_with_status 125
	is "the file" "$(<"$file")" "{}"
	is "files" "$(cd "$top" && echo new* closed/*)" "new* closed/*"
}

@test "saved files are opened with the rights of the user" {
	local file=$top/secret.json

	needs_documents
	give "$many+ep"
	"$top/plain" -n --save "$file" true
	chmod 600 "$file"
	by_user --show "$file"
	ends_with_status 125
	grep -q 'Permission denied' err || fail "--show: no reason" "$(<err)"
	by_user --compare "$file" "$file"
	ends_with_status 125
	grep -q 'Permission denied' err || fail "--compare: no reason" "$(<err)"
	denied --baseline "$file" touch started
	denied --html "$top/new.html" -r 6 -c "touch started" -c "touch started"
	[ ! -e "$top/new.html" ]
}

@test "/proc reveals no secret of another user's process" {
	local file

	give "$many+ep"
	env SECRET=secret sleep 60 3>&- &
	background=$!
	for file in environ auxv maps exe fd/0; do
		denied --input "/proc/$background/$file" touch started
	done
	denied -o "/proc/$background/mem" touch started
}

# ---- The purpose of the capabilities

@test "CAP_PERFMON of the file counts the kernel, CPUs and the processes of others" {
	local set

	needs_kernel_forbidden
	for set in cap_perfmon+ep cap_perfmon+p "$many+ep"; do
		give "$set"
		counts_as_root cs true
		counts_as_root cs -r 3 true
		counts_as_root cs -a --timeout 20
		sh -c 'while :; do sleep 0.01; done' 3>&- &
		background=$!
		counts_as_root cs -p "$background" "${until_it_ran[@]}" "$background"
		kill "$background"
		background=
	done
	under=("$top/deny" EPERM) # deny also sets no_new_privs, which is not the cause
	by_user -v -x, -e cs true
	advises cs 'a seccomp filter blocks perf_event_open: .*'
}

@test "CAP_SYS_ADMIN of the file counts uprobes; with CAP_PERFMON alone, a message explains why not" {
	needs_probes
	give cap_perfmon,cap_sys_admin+ep
	counts_as_root "uprobe:$top/region:called" "$top/region" 1
	give cap_chown+ep
	by_user -v -x, -e "uprobe:$top/region:called" true
	advises "uprobe:$top/region:called" 'uprobes need CAP_SYS_ADMIN .*'
}

# ---- Variables of the environment

# Each line is a variable and its value. The folder $top/marker contains the files of an attacker.
variables()
{
	local name

	for name in LD_PRELOAD LD_AUDIT LD_DEBUG_OUTPUT MALLOC_TRACE MALLOC_CHECK_ GLIBC_TUNABLES \
		GETCONF_DIR HOSTALIASES RESOLV_HOST_CONF NLSPATH TZ LANG LANGUAGE LC_ALL LC_CTYPE \
		LC_MESSAGES LC_NUMERIC LIBPFM_DEBUG LIBPFM_DEBUG_STDOUT LIBPFM_DISABLED_PMUS \
		LIBPFM_ENCODE_INACTIVE LIBPFM_FORCE_PMU LIBPFM_VERBOSE PSTAT_CONTROL \
		PSTAT_PADDING PSTAT_PERF PERF_CONFIG PERF_PAGER TERM TERMCAP \
		TERMINFO PAGER SHELL ENV BASH_ENV INPUTRC R_ENVIRON R_PROFILE GCOV_PREFIX NO_COLOR \
		COLUMNS POSIXLY_CORRECT; do
		echo "$name=$top/marker/file"
	done
	for name in LD_LIBRARY_PATH LD_ORIGIN_PATH LD_PROFILE_OUTPUT GCONV_PATH LOCPATH TZDIR \
		TMPDIR TMP TEMP HOME XDG_CONFIG_HOME XDG_CONFIG_DIRS XDG_CACHE_HOME XDG_DATA_HOME \
		XDG_DATA_DIRS XDG_STATE_HOME XDG_RUNTIME_DIR PERF_BUILDID_DIR PERF_EXEC_PATH \
		DEBUGINFOD_CACHE_PATH NIS_PATH R_HOME R_LIBS CDPATH PWD OLDPWD; do
		echo "$name=$top/marker"
	done
	echo "TZ=:$top/marker/file"
	echo "LANG=../../../../..$top/marker"
	echo "LD_DEBUG=all"
	echo "LD_PROFILE=libc.so.6"
	echo "LD_TRACE_LOADED_OBJECTS=1"
	echo "DEBUGINFOD_URLS=file://$top/marker"
	echo "GLIBC_TUNABLES=glibc.rtld.optional_static_tls=1:glibc.mem.tagging=3"
}

# traced PROGRAM VARIABLE=VALUE ARG...: run a copy of pstat as the user, and write its system calls
# with file names, except its own exec, to the file trace
traced()
{
	strace -u "$(id -nu 65534)" -o trace.all -s 4096 -e trace=%file,%network -E LC_ALL \
		-E LANG=xx_YY.UTF-8 -E TZ=Europe/Berlin -E "$2" "$top/$1" "${@:3}" \
		>out 2>err </dev/null || true
	grep -v '^execve(' trace.all >trace
}

# uses_marker PROGRAM VARIABLE=VALUE ARG...: return true if pstat opens or creates a file in that
# folder, even through "..", or connects to a server. glibc appends LC_ALL to the name of its own
# folder; such a file does not count.
uses_marker()
{
	traced "$@"
	grep -qE "\"([^\"]*/\.\.)?$top/marker|connect\(" trace ||
		[ -n "$(ls -A "$top/marker")" ]
}

# each_command_line COMMAND...: run COMMAND with the arguments of two pstats. The first one loads
# libelf and libpfm4, the second one jansson and libRmath.
each_command_line()
{
	"$@" --explain uprobe:libc.so.6:malloc no_such_event
	if [ -e "$top/saved.json" ]; then
		"$@" -e page-faults -r 2 --baseline "$top/saved.json" -o result true
	else
		"$@" -e page-faults -o result true
	fi
}

not_redirected()
{
	! uses_marker "$@" || fail "$*: opened" "$(grep -E "$top|connect" trace)"
}

@test "no variable of the environment redirects what pstat opens" {
	local variable

	needs_command strace
	give cap_perfmon+ep
	id -nu 65534 >name || skip "the user 65534 has no name, which strace needs"
	mkdir -m 777 "$top/marker"
	"$top/plain" -e page-faults --save "$top/saved.json" true
	chmod 644 "$top/saved.json"
	"$top/plain" --compare "$top/saved.json" "$top/saved.json" >out || rm "$top/saved.json"
	# without capabilities, these variables name a library, a locale and a time zone
	uses_marker plain "LD_PRELOAD=$top/marker/file" -n true
	uses_marker plain "LOCPATH=$top/marker" -e page-faults true
	uses_marker plain "TZDIR=$top/marker" -e page-faults -o result true
	traced pstat A=B -n true
	grep -q 'libc.so.6' trace || fail "nothing traced" "$(<trace.all)"
	variables >list
	within "variables" 40 "$(cut -d= -f1 list | sort -u | wc -l)" 1000
	while read -r variable; do
		each_command_line not_redirected pstat "$variable"
	done <list
}

# ---- Containers

@test "under no_new_privs, pstat does not advise setcap" {
	needs_kernel_forbidden
	give cap_perfmon+ep
	under=(setpriv --no-new-privs)
	by_user -v -x, -e cs true
	advises cs '.* start pstat without no_new_privs \(.*\) and give it CAP_PERFMON .*'
}

@test "in a user namespace without a map of users, the advice is to leave it" {
	needs_kernel_forbidden
	unshare -U true 2>/dev/null || skip "user namespaces cannot be made here"
	under=(unshare -U)
	by_user -v -x, -e cs true
	advises cs '.* run pstat outside of this user namespace or .*'
	give cap_perfmon+ep
	by_user -v -x, -e cs true
	advises cs '.* run pstat outside of this user namespace or .*'
}

@test "in a user namespace, messages also explain whole CPUs and seccomp filters" {
	local error

	needs_kernel_forbidden
	unshare -r true 2>/dev/null || skip "user namespaces cannot be made here"
	under=(unshare -r)
	by_user -x, -a -e cs true
	ends_with_status 125
	grep -qE '^pstat: no event can be counted: .* counting whole CPUs .* run pstat outside of this user namespace or ' err ||
		fail "$(<err)"
	for error in EPERM ENOSYS; do
		under=(unshare -r "$top/deny" "$error")
		by_user -v -x, -e page-faults:u true
		advises page-faults:u 'a seccomp filter blocks perf_event_open: .*'
	done
}

# empty FOLDER: for by_user, mount an empty folder that only root may read
empty()
{
	unshare -m mount -t tmpfs none "$1" || skip "nothing may be mounted here"
	# shellcheck disable=SC2016 # for the other shell
	before=(unshare -m sh -c 'mount -t tmpfs -o mode=700 none "$0" && exec "$@"' "$1")
}

@test "without /proc, the paranoid level and a filter are unknown, and the advice says so" {
	local error

	needs_kernel_forbidden
	empty /proc
	by_user -v -x, -e cs true
	advises cs 'the kernel forbids it, and .*paranoid cannot be read \(is /proc mounted\?\)'
	"$programs/deny" EPERM true || skip "seccomp filters cannot be installed here"
	under=("$top/deny" ENOSYS)
	by_user -v -x, -e cs true
	advises cs 'the kernel has no perf events, or a seccomp filter blocks them: mount /proc .*'
	under=("$top/deny" EPERM)
	by_user -v -x, -e cs true
	advises cs 'a seccomp filter blocks perf_event_open: .*'
}

@test "a seccomp filter that returns ENOSYS is also explained to root" {
	"$programs/deny" EPERM true || skip "seccomp filters cannot be installed here"
	status=0
	"$top/deny" ENOSYS "$top/pstat" -v -x, -e page-faults true 2>err || status=$?
	ends_with_status 0
	advises page-faults 'a seccomp filter blocks perf_event_open: .*'
}

@test "a tracefs that only root may read is explained" {
	[ -d /sys/kernel/tracing ] || skip "this kernel has no tracefs"
	empty /sys/kernel/tracing # every user may be able to read the real one
	by_user -e sched:sched_switch true
	ends_with_status 125
	grep -q '(tracefs is not readable by this user: .* -o remount,mode=750,gid=GROUP /' err ||
		fail "no reason" "$(<err)"
}

# make_root: create $top/root with pstat, the libraries that it needs to start, and a static program
make_root()
{
	local file

	static=$(command -v ldconfig) || static=/sbin/ldconfig
	[ -x "$static" ] || skip "this system has no ldconfig"
	! readelf -lW "$static" 2>/dev/null | grep -q INTERP || skip "ldconfig is not static here"
	mkdir "$top/root"
	cp "$bare_pstat" "$top/root/pstat"
	cp "$static" "$top/root/static"
	for file in $(ldd "$bare_pstat" | grep -o '/[^ ]*'); do
		mkdir -p "$top/root${file%/*}"
		cp -L "$file" "$top/root$file"
	done
	chroot "$top/root" /static --version >/dev/null || skip "chroot does not work here"
}

in_root()
{
	status=0
	timeout --kill-after=5 "$patience" chroot "$top/root" /pstat "$@" >out 2>err </dev/null || status=$?
}

@test "in a root with only pstat and a static program, the program is counted" {
	needs_counting kernel
	make_root
	in_root -x, -e page-faults,cs /static --version
	ends_with_status 0
	within "page faults" 1 "$(field 1 page-faults)" 100000
	in_root -r 3 -e page-faults --save /saved.json -o /result /static --version
	ends_with_status 0
	grep -q '"page-faults"' "$top/root/saved.json" || fail "$(<"$top/root/saved.json")"
	grep -q page-faults "$top/root/result" || fail "$(<"$top/root/result")"
	in_root -a -x, -e cs --timeout 20
	ends_with_status 0
	within "cs" 0 "$(field 1 cs)" 1000000
}

@test "in a root with only pstat and a static program, each message names the missing file" {
	make_root
	in_root true
	ends_with_status 127
	says "pstat: true: command not found"
	in_root -p 1
	ends_with_status 125
	grep -q '/proc is not mounted, .* (mount -t proc proc /proc)$' err || fail "$(<err)"
	in_root -e uprobe:/static:main /static
	ends_with_status 125
	grep -q "'uprobe' cannot be found: /sys is not mounted (mount -t sysfs sysfs /sys)\$" err ||
		fail "no reason" "$(<err)"
	in_root --input /dev/null -e page-faults /static
	ends_with_status 125
	says "pstat: /dev/null: No such file or directory"
	in_root -e no_such_event /static
	ends_with_status 125
	grep -qE "'no_such_event'|libpfm4 cannot be loaded .*; install it" err || fail "$(<err)"
	in_root -r 6 -c '/static --version' -c '/static --version' -e page-faults
	ends_with_status 125
	grep -qE 'libRmath.* cannot be loaded .*; install it|without' err || fail "$(<err)"
}

# refused_as MODE: check that a copy of pstat with this mode, run by another user, starts no command
refused_as()
{
	local folder=$1.folder

	mkdir "$folder"
	chmod 755 . "$folder"
	cp "$bare_pstat" "$folder/pstat"
	cp "$(command -v id)" "$folder/id"
	chmod "$1" "$folder/pstat" "$folder/id"
	setpriv --reuid=65534 --regid=65534 --clear-groups "$folder/id" | grep -q ' e[ug]id=0' ||
		skip "this file system ignores set-user-ID"
	status=0
	setpriv --reuid=65534 --regid=65534 --clear-groups "$folder/pstat" -n echo started \
		>out 2>err </dev/null || status=$?
	ends_with_status 125
	says "pstat: refuses to run set-user-ID or set-group-ID; use file capabilities (setcap cap_perfmon+ep)"
}

@test "a set-user-ID or set-group-ID pstat refuses to run" {
	local top

	needs_root
	top=$(mktemp -d) # a folder that the other user may enter
	cd "$top"
	refused_as 4755
	refused_as 2755
	rm -r "$top"
}
