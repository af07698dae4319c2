#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The installed perf-stat-shim: "perf stat" runs pstat, everything else runs perf.
# shellcheck disable=SC2030,SC2031 # a test is a shell of its own

. "${BATS_TEST_DIRNAME:?}/lib.bash"

newline=$'\n'

# A pstat and a perf that print their names and arguments. The shim precedes them in PATH.
setup()
{
	cd "$BATS_TEST_TMPDIR" || return
	unset PSTAT_PERF PSTAT_SHIMS
	root=$PWD/root
	# No flags of the surrounding make, for example -n or -j.
	env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -s -C "$TOP_BUILDDIR" install-exec-local \
		DESTDIR= bindir="$root/bin" libexecdir="$root/libexec" >log 2>&1 || fail "make failed" "$(<log)"
	shim=$root/libexec/pstat/shim
	mkdir "$root/bin" real
	says_what_it_is "$root/bin/pstat" pstat
	says_what_it_is real/perf perf
	path=$shim:$PWD/real:/usr/bin:/bin
}

# says_what_it_is FILE NAME: write a program FILE that prints NAME and its arguments
says_what_it_is()
{
	# shellcheck disable=SC2016 # for the program: the shim tries whether pstat knows some metrics
	printf '%s\n' '#!/bin/sh' 'case " $* " in *" --quiet true ") echo "$@" >>tried; exit "${TRIAL-125}" ;; esac' \
		"printf '<%s>' $2 \"\$@\"" 'echo' "exit \${STATUS-0}" >"$1"
	chmod +x "$1"
}

# perf ARG...: run perf as a program finds it in PATH, and put its output into $answer
perf()
{
	status=0
	answer=$(PATH=$path env perf "$@" 2>err </dev/null) || status=$?
}

# answers TEXT [STATUS]: check $answer and the status
answers()
{
	is "calls" "$answer" "$1"
	ends_with_status "${2-0}"
	is "standard error" "$(<err)" ""
}

@test "perf stat is pstat, with the same arguments" {
	perf stat
	answers '<pstat><stat>'
	perf stat -x, -e 'a,b' -- ls -l
	answers '<pstat><stat><-x,><-e><a,b><--><ls><-l>'
	perf stat -e "two words" "a${newline}line" '*' '' "\$HOME" "it's" '\n' -- --no-pager stat
	answers "<pstat><stat><-e><two words><a${newline}line><*><><\$HOME><it's><\\n><--><--no-pager><stat>"
}

@test "everything else is perf with the same arguments" {
	local words

	perf
	answers '<perf>'
	for words in record list --version '--help stat' '-v stat' -vv 'help stat' 'sched stat' statistics \
		'kmem stat' '--no-pager record stat' '--list-cmds' '--debug' '--exec-path' 'bench stat'; do
		# shellcheck disable=SC2086 # words
		perf $words
		answers "<perf><${words// /><}>"
	done
	perf record -e "two words" "a${newline}line" '*' '' "\$HOME"
	answers "<perf><record><-e><two words><a${newline}line><*><><\$HOME>"
}

@test "options of perf before stat are not options of pstat" {
	local words

	for words in --no-pager --paginate -p --exec-path=/x '--debug verbose=1' '--buildid-dir /x' \
		--buildid-dir=/x '--debugfs-dir /x' '--no-pager --debug verbose=1 -p'; do
		# shellcheck disable=SC2086 # words
		perf $words stat -n true
		answers '<pstat><stat><-n><true>'
	done
}

@test "perf stat record and report are perf's" {
	local words

	for words in 'stat record ls' 'stat rec ls' 'stat report' 'stat -e cycles record ls' \
		'stat -e cycles -a --cpu 0 --per-core record' 'stat -ae cycles report' \
		'stat --event=x report' '--no-pager stat report'; do
		# shellcheck disable=SC2086 # words
		perf $words
		answers "<perf><${words// /><}>"
	done
	for words in 're' './record' 'ls record' '-e record ls' '-- record' '-o report ls' '-x, -r5 ls report'; do
		# shellcheck disable=SC2086 # words
		perf stat $words
		answers "<pstat><stat><${words// /><}>"
	done
}

@test "options that pstat does not have are perf's" {
	local words

	for words in '-e cs -T true' '--smi-cost -a' \
		'--iostat' '--bpf-counters -e cs true' '-b 1' '--cputype core true' '-a -A --percore-show-thread true'; do
		# shellcheck disable=SC2086 # words
		perf stat $words
		answers "<perf><stat><${words// /><}>"
	done
	for words in 'true --topdown' '-- -T' '-e -T' 'ls -b'; do
		# shellcheck disable=SC2086 # words
		perf stat $words
		answers "<pstat><stat><${words// /><}>"
	done
}

@test "pstat handles metrics and --topdown if it knows them on this machine" {
	local words

	for words in '--topdown true' '-a --td-level 1 true' '--topdown --td-level=2 -a -e cs' '--td-level=1 -a' '-M IPC true' \
		'--metrics=TopdownL1 -a' '-MIPC -x, true'; do
		# shellcheck disable=SC2086 # words
		TRIAL=0 perf stat $words
		answers "<pstat><stat><${words// /><}>"
		# shellcheck disable=SC2086 # words
		TRIAL=125 perf stat $words
		answers "<perf><stat><${words// /><}>"
	done
}

@test "the shim's trial uses the given level and -a" {
	TRIAL=0 perf stat -x, --topdown --td-level 2 -a -- --topdown=3
	TRIAL=0 perf stat --topdown=1 true
	TRIAL=0 perf stat -M ipc,cpi --topdown -ad true
	TRIAL=0 perf stat -M IPC,x true
	is "the trials" "$(<tried)" "stat -a --topdown --td-level=2 --quiet true
stat --topdown=1 --quiet true
stat -a --topdown --quiet true
stat -M IPC,x --quiet true"
	path=$shim:$PWD/tools
	mkdir tools
	ln -s "$(command -v sh)" "$(command -v env)" "$(command -v readlink)" tools
	rm tried
	perf stat --topdown true
	answers '<pstat><stat><--topdown><true>'
	[ ! -e tried ]
}

@test "perf handles the metrics that pstat does not know" {
	local names words

	# the shim has the same list as pstat
	"$PSTAT" -M nope true 2>err || true
	names=$(sed -n "s/.*\`nope'; use \(.*\) or NAME=EXPRESSION/\1/p" err)
	grep -qF "$(printf '\t\t%s)' "${names//, /|}")" "$TOP_SRCDIR/scripts/perf-stat-shim" || fail "$names"
	for words in '-M IPC true' '-M ipc,TopdownL1 true' '-MIPC true' '--metrics IPC true' '--metrics=IPC true' \
		'-aM IPC' '--metric-groups mem true' '-x, -e cs -M CPI -a'; do
		# shellcheck disable=SC2086 # words
		perf stat $words
		answers "<perf><stat><${words// /><}>"
	done
	for words in '-M ipc true' "-M ${names//, /,} true" '-M IPC=instructions/cycles true' '-Mipc true' '-M' \
		'--metrics cpus true' 'true -M IPC' '-e -M IPC'; do
		# shellcheck disable=SC2086 # words
		perf stat $words
		answers "<pstat><stat><${words// /><}>"
	done
	mkdir tools
	ln -s "$(command -v sh)" "$(command -v env)" "$(command -v readlink)" tools
	path=$shim:$PWD/tools
	perf stat -M IPC true
	answers '<pstat><stat><-M><IPC><true>'
}

# talks_json VERSION: create a perf of this version that records its calls
talks_json()
{
	printf '%s\n' '#!/bin/sh' "echo \"\$*\" >>'$PWD/calls'" "echo 'perf version $1'" >real/new
	chmod +x real/new
	mv real/new real/perf
}

# key_is KEY: check the key of the number of CPUs in perf stat -j
key_is()
{
	perf stat -j -a --per-core -e cs true
	ends_with_status 0
	is "rows with $1" "$(grep -c "\"$1\" : [1-9]" err)" "$(wc -l <err)"
	[ -s err ] || fail "no rows"
}

@test "-j has the keys of the next perf, which prints its version only once" {
	needs_cpus
	cp "$PSTAT" "$root/bin/"
	export XDG_CACHE_HOME=$PWD/cache
	for _ in 1 2; do
		talks_json 6.1.187
		key_is aggregate-number
		key_is aggregate-number
		talks_json 7.0.g1234
		key_is counters
		key_is counters
	done
	is "calls of perf" "$(<calls)" "--version${newline}--version${newline}--version${newline}--version"
	# nothing else needs the version
	: >calls
	talks_json 6.1
	perf stat -x, -e duration_time true
	perf stat -e task-clock env -j8 --json
	perf stat -e task-clock -- env -j
	PSTAT_X=j perf stat -etask-clock,major-faults env --j
	PSTAT_PERF_VERSION=7 perf stat -aj --per-core -e cs env
	is "calls of perf" "$(<calls)" ""
	is "variables of the command" "$(grep '^PSTAT_[PS]' <<<"$answer")" PSTAT_PERF_VERSION=7
	perf stat -j -e duration_time env
	is "variables of the command" "$(grep -c '^PSTAT_[PS]' <<<"$answer" || true)" 0
}

@test "the version of perf is kept only in a folder of the user" {
	needs_cpus
	needs_root
	cp "$PSTAT" "$root/bin/"
	export XDG_CACHE_HOME=$PWD/cache
	mkdir -p cache/pstat
	chown nobody cache/pstat
	talks_json 6.1.187
	key_is aggregate-number
	key_is aggregate-number
	is "calls of perf" "$(grep -c version calls)" 2
	is "files" "$(ls cache/pstat)" ""
	chown root cache/pstat
	echo precious >precious
	ln -s ../../precious cache/pstat/perf-version
	key_is aggregate-number
	is "the target of a link" "$(<precious)" precious
	[ ! -L cache/pstat/perf-version ] || fail "the link was not replaced"
	# without a folder, perf runs each time
	for folder in /proc/nowhere relative ''; do
		: >calls
		HOME='' XDG_CACHE_HOME=$folder key_is aggregate-number
		is "calls of perf" "$(grep -c version calls)" 1
	done
	[ ! -e relative ] || fail "a relative folder"
}

@test "as in perf: status 129 for a refused command line, -x '', and messages of signals" {
	local options

	cp "$PSTAT" "$root/bin/"
	for options in --nosuch '-e nosuch' '-r x' '--interval-count 2' '-M nope' '-G x'; do
		# shellcheck disable=SC2086 # words
		PSTAT_PERF=/nowhere perf stat $options true
		ends_with_status 129
		status=0
		# shellcheck disable=SC2086 # words
		"$PSTAT" $options true 2>err || status=$?
		ends_with_status 125
	done
	perf stat -M 'a=b=c,nope' true
	ends_with_status 129
	perf stat -x '' -e cs,duration_time true
	ends_with_status 0
	is "lines" "$(grep -cE '^[0-9]+(cs|nsduration_time)[0-9]+100\.00' err)" 2
	# shellcheck disable=SC2016 # for the other shell
	perf stat -x, -r 2 -e duration_time sh -c 'kill -SEGV $$'
	is "signals" "$(grep -cx 'sh: Segmentation fault' err)" 2
	is "other lines" "$(grep -cvE '^sh: |,duration_time,' err || true)" 0
}

@test "the process is called perf, prints no notes, and continues after a failing run" {
	rm "$root/bin/pstat"
	cp "$PSTAT" "$root/bin/"
	# shellcheck disable=SC2016 # for the other shell
	perf stat -e duration_time sh -c 'read -r name </proc/$PPID/comm; echo "$name"; tr "\0" " " </proc/$PPID/cmdline'
	[[ $answer = "perf$newline"*"/perf stat -e duration_time sh -c "* ]] || fail "$answer"
	perf stat -e duration_time,4294967295:0 true
	is "notes" "$(grep -c pstat err || true)" 0
	perf stat -v -e duration_time,4294967295:0 true
	is "notes with -v" "$(grep -c '^pstat: 4294967295:0: not supported' err)" 1
	perf stat -o file -e duration_time,4294967295:0 true
	is "notes in the file" "$(grep -c pstat file || true)" 0
	perf stat --no-merge --merge -x, -e duration_time true
	is "rows" "$(cut -d, -f 3 err)" duration_time
	perf stat -x, -r 3 -e duration_time sh -c 'echo run; exit 3'
	is "runs" "$answer" "run${newline}run${newline}run"
	is "status" "$status" 3
	is "rows" "$(cut -d, -f 3 err)" duration_time
}

@test "the status is that of the called program, and no process remains in between" {
	STATUS=3 perf stat true
	answers '<pstat><stat><true>' 3
	STATUS=129 perf list
	answers '<perf><list>' 129
	printf '%s\n' '#!/bin/sh' 'kill -TERM $$' >real/perf
	perf record
	is "status" "$status" 143
	# shellcheck disable=SC2016 # for the other shell
	printf '%s\n' '#!/bin/sh' 'echo $$' | tee real/perf >"$root/bin/pstat"
	# shellcheck disable=SC2016 # for the other shell
	is "the process" "$(PATH=$path sh -c 'echo $$; exec perf record' | uniq | wc -l)" 1
	# shellcheck disable=SC2016 # for the other shell
	is "the process" "$(PATH=$path sh -c 'echo $$; exec perf stat' | uniq | wc -l)" 1
}

@test "without perf there is a message, and perf stat works" {
	path=$shim:/nowhere:$PWD/tools
	mkdir tools
	for tool in sh env readlink; do
		ln -s "$(command -v "$tool")" tools
	done
	mkdir tools/perf
	perf record
	is "status" "$status" 127
	says_on_err "there is no perf in PATH except this shim; install perf or set PSTAT_PERF"
	perf stat true
	answers '<pstat><stat><true>'
	rm "$root/bin/pstat"
	perf stat true
	is "status" "$status" 127
	says_on_err "pstat is neither in $root/bin nor in PATH"
}

says_on_err()
{
	is "standard error" "$(<err)" "perf-stat-shim: $1"
	is "standard output" "$answer" ""
}

@test "PSTAT_PERF names the perf, and cannot name the shim" {
	says_what_it_is perf-5.10 other
	PSTAT_PERF=$PWD/perf-5.10 perf list
	answers '<other><list>'
	mv perf-5.10 real
	PSTAT_PERF=perf-5.10 perf list
	answers '<other><list>'
	PSTAT_PERF=nowhere perf list
	is "status" "$status" 127
	says_on_err "PSTAT_PERF names nowhere, which is not a program"
	ln -s "$shim/perf" link
	PSTAT_PERF=$PWD/link perf list
	is "status" "$status" 127
	says_on_err "PSTAT_PERF names $PWD/link, which is this shim and not perf"
	PSTAT_PERF=/nowhere perf stat true
	answers '<pstat><stat><true>'
}

@test "no shim mistakes another shim for perf: links, copies, relative and empty folders in PATH" {
	mkdir 'a folder' copy second
	ln -s "$root/libexec/pstat/perf-stat-shim" 'a folder/perf'
	cp "$root/libexec/pstat/perf-stat-shim" copy/perf
	cp copy/perf second/perf
	path="$PWD/a folder:$PWD/copy:$shim:copy:second:$PWD/a folder:$path"
	perf list
	answers '<perf><list>'
	perf stat true
	answers '<pstat><stat><true>'
	path="second:$PWD/copy:copy:$PWD/second:$shim:/usr/bin:/bin"
	[ ! -e /usr/bin/perf ] || path="second:$PWD/copy:$shim:$PWD/tools"
	mkdir tools
	ln -s "$(command -v readlink)" "$(command -v sh)" "$(command -v env)" tools
	perf list
	is "status" "$status" 127
	says_on_err "there is no perf in PATH except this shim; install perf or set PSTAT_PERF"
	cd real
	path="$shim::/usr/bin:/bin"
	perf list
	is "calls" "$answer" '<perf><list>'
}

@test "a message names a wrapper that calls the shim again, and there is no endless loop" {
	printf '%s\n' '#!/bin/sh' 'exec perf "$@"' >real/perf
	perf list
	is "status" "$status" 127
	says_on_err "$PWD/real/perf finds perf in PATH, which is this shim again: set PSTAT_PERF"
	printf '%s\n' '#!/bin/sh' 'perf "$@"' >real/perf
	perf list
	is "status" "$status" 127
}

@test "a perf that a command of perf starts is found again" {
	# shellcheck disable=SC2016 # for the other shell
	printf '%s\n' '#!/bin/sh' '[ "$1" != record ] || exec perf stat list' 'echo "<real><$1>"' >real/perf
	perf record
	answers '<pstat><stat><list>'
	# shellcheck disable=SC2016 # for the other shell
	printf '%s\n' '#!/bin/sh' '[ "$1" != record ] || exec perf list' 'echo "<real><$1>"' >real/perf
	perf record
	answers '<real><list>'
}

@test "the shim in the source tree runs the pstat of its tree or of PATH" {
	mkdir -p tree/scripts tree/build bin
	cp "${TOP_SRCDIR:?}/scripts/perf-stat-shim" tree/scripts
	ln -s "$PWD/tree/scripts/perf-stat-shim" bin/perf
	path=$PWD/bin:/usr/bin:/bin
	says_what_it_is tree/build/pstat tree
	mkdir tree/as-perf tree/build/as-perf
	ln -s ../pstat tree/build/as-perf/perf
	perf stat true
	answers '<tree><stat><true>'
	says_what_it_is tree/pstat in-place
	ln -s ../pstat tree/as-perf/perf
	perf stat true
	answers '<in-place><stat><true>'
	rm tree/pstat tree/build/pstat
	[ ! -e /usr/local/bin/pstat ] || return 0 # it would come first
	path=$PWD/bin:$root/bin:/usr/bin:/bin
	perf stat true
	answers '<pstat><true>'
}

@test "if the whole installation is moved, the shim finds the moved pstat" {
	mkdir moved
	mv "$root/bin" "$root/libexec" moved
	path=$PWD/moved/libexec/pstat/shim:/usr/bin:/bin
	perf stat true
	answers '<pstat><stat><true>'
}

@test "make uninstall removes the shim" {
	rm -r root/bin
	env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -s -C "$TOP_BUILDDIR" uninstall-local DESTDIR= \
		bindir="$root/bin" libexecdir="$root/libexec" >log 2>&1 || fail "make failed" "$(<log)"
	is "remaining files" "$(find "$root" ! -type d; find "$root" -name pstat)" ""
}
