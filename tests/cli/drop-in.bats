#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What perf stat accepts, pstat accepts: command lines that scripts for perf stat have.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

# rows ARG...: check that pstat -x, ARG... ends with status 0 and prints nothing but rows, and print
# their places, counts and events
rows()
{
	pstat -x, "$@"
	ends_with_status 0
	is "lines that are no rows" "$(grep -cvE '^([^,]*,)*([0-9.]+|<not [a-z]+>),[^,]*,[^,]+,[0-9]+,[0-9.]+,' err || true)" 0
}

@test "-C lists the CPUs of -a, and -p and -t win over both" {
	local option tasks

	needs_cpus
	rows -a -C 0 -A -e cs true
	is "the CPUs" "$(cut -d, -f 1 err)" CPU0
	pstat -a -C 0 -e cs true
	grep -qx " Performance counter stats for 'system wide':" err || fail "$(<err)"
	serve one
	for option in -a "-C 0"; do
		for tasks in -p -t; do
			# shellcheck disable=SC2086 # words
			pstat $option $tasks "${server[one]}" -e cs sleep 0.05
			ends_with_status 0
			is "notes" "$(grep -cx "pstat: ${option%% *} is ignored, because $tasks names what to count" err)" 1
			grep -qE "^ Performance counter stats for (process|thread) id '${server[one]}':$" err ||
				fail "$option $tasks" "$(<err)"
		done
	done
}

@test "without a command and a target, an option that counts means -a" {
	local options

	needs_cpus
	for options in "-e cs" "-I 50 --interval-count 1" "-A -e cs" "-n" "--per-socket" "-d" \
		"--timeout 100" "--per-thread -e cs" "-M cpus"; do
		# shellcheck disable=SC2086 # words
		pstat $options --timeout 100
		ends_with_status 0
		is "notes with $options" "$(grep -c '^pstat: no command: counting all CPUs (-a)$' err)" 1
		# shellcheck disable=SC2086 # words
		pstat -x, $options --timeout 100
		is "notes with -x, $options" "$(grep -c '^pstat: ' err || true)" 0
	done
	refuses "no command to count: pstat [OPTIONS] COMMAND [ARG...]; see 'pstat --help'" -x,
}

@test "of several ways to split the rows, the last one wins" {
	needs_cpus
	rows -a --per-socket -A -e cs true
	is "places" "$(cut -d, -f 1 err | sort -u | sed 's/[0-9]*$//' | sort -u)" CPU
	rows -a -A --per-socket -e cs true
	is "places" "$(cut -d, -f 1 err | sed 's/[0-9]*$//' | sort -u)" S
	rows -a -A --aggr -e cs true
	is "the fields before the event" "$(cut -d, -f 3 err)" cs
	# the other ways need nothing and exclude nothing
	rows --per-thread --per-core -C 0 -e cs true
	is "places" "$(cut -d, -f 1 err | sed 's/[0-9]*$//')" S0-D0-C
	serve one
	rows --per-core --per-thread -p "${server[one]}" -e cs sleep 0.05
	is "number of threads" "$(cut -d, -f 1 err | grep -c -- "-${server[one]}$")" 1
	refuses "--per-core needs -a or -C" --per-thread --per-core -p "${server[one]}" -e cs touch started
}

@test "-n is accepted with targets, intervals and events; events are counted nevertheless" {
	local options

	serve one
	for options in "-a" "-I 20" "-p ${server[one]}" "-C 0"; do
		# shellcheck disable=SC2086 # words
		pstat -n $options sleep 0.05
		ends_with_status 0
	done
	rows -n -e duration_time true
	is "the row" "$(cut -d, -f 3 err)" duration_time
	rows -n -d -e duration_time true
	is "the row with -d" "$(cut -d, -f 3 err)" duration_time
	rows -n -dd true
	is "lines" "$(wc -l <err)" 0
}

@test "-x and --summary begin each row with summary, also without -I" {
	local option

	for option in "" --no-scale "-I 0"; do
		# shellcheck disable=SC2086 # words
		rows --summary $option -e duration_time true
		is "rows" "$(cut -d, -f 1 err | tr -d ' ')" summary
		# shellcheck disable=SC2086 # words
		rows --summary --no-csv-summary $option -e duration_time true
		is "rows" "$(cut -d, -f 3 err)" duration_time
	done
}

@test "--quiet wins over -v" {
	local options

	for options in "--quiet -v" "-v --quiet -x,"; do
		# shellcheck disable=SC2086 # words
		pstat $options -e duration_time true
		ends_with_status 0
		says
	done
}

@test "the default clock of -a and -C is cpu-clock, also with --per-thread" {
	local options

	needs_cpus
	for options in "-a" "-C 0" "-a --per-core" "-a --per-thread"; do
		# shellcheck disable=SC2086 # words
		rows $options true
		is "the clock with $options" "$(grep -o '[a-z]*-clock' err | sort -u)" cpu-clock
	done
}

@test "-r, --pre, --post and -S are accepted without a command" {
	needs_cpus
	pstat -x, -r 3 -S --pre 'echo before' --post 'echo after' -a -e cs,duration_time --timeout 40
	ends_with_status 0
	is "lines of --pre and --post" "$(tr '\n' ' ' <out)" "before after before after before after "
	is "rows" "$(cut -d, -f 3 err | tr '\n' ' ')" "cs duration_time "
	within "mean time" 40000000 "$(field 1 duration_time)" 10000000000
	grep -qE '^[0-9]+,,cs,[0-9.]+%,' err || fail "no spread:" "$(<err)"
	serve one
	pstat -r 2 -p "${server[one]}" -e cs --timeout 20
	ends_with_status 0
	grep -qx " Performance counter stats for process id '${server[one]}' (2 runs):" err || fail "$(<err)"
}

@test "blanks before the number of an option are ignored" {
	rows -D " 0" --timeout " 0" -r " 1" -e duration_time true
	refuses "-D 0 : not an integer from -1 to 2147483647" -D "0 " touch started
	refuses "-I 9 : not a number from 0 to 4294967295" -I "9 " touch started
}

@test "a list of -p and -t may have empty items and blanks, and that of -C may end with a comma" {
	local option

	needs_cpus
	serve one
	serve two
	for option in -p -t; do
		rows "$option" "${server[one]},${server[two]}," -e cs true
		rows "$option" " ${server[one]}" -e cs true
		rows "$option" ",${server[one]},, ${server[two]} " -e cs true
		rows "$option" "${server[one]}"$'\n'"${server[two]}"$'\n' --per-thread -e cs true
		is "number of rows" "$(wc -l <err)" 2
	done
	rows -C 0, -A -e cs true
	is "the CPUs" "$(cut -d, -f 1 err)" CPU0
}

@test "-o - writes to standard error, as without -o" {
	local options

	for options in "pstat -x, -o -" "pstat -j -o - --append" "as_perf -x, -o -" "pstat -o -"; do
		$options -e duration_time true
		ends_with_status 0
		is "rows with $options" "$(grep -c duration_time err)" 1
		is "dates with $options" "$(grep -c '^# started on' err || true)" 0
		[ ! -e - ] || fail "a file was written with $options"
	done
}

# abbreviates SHORT LONG [ARG...]: check that both options, with ARG..., have the same rows
abbreviates()
{
	local option rows=()

	for option in "$1" "$2"; do
		# shellcheck disable=SC2086 # words
		$run -x, $option "${@:3}" true
		ends_with_status 0
		# without the rates and metrics, which depend on what was counted
		rows+=("$(sed -E 's/<not [a-z]+>|[0-9.]+/N/g; s/,[^,]*,[^,]*$//' err)")
	done
	is "the rows with $1" "${rows[0]}" "${rows[1]}"
}

@test "called as perf, the beginning of a name is enough if only one option of perf begins with it" {
	local run=as_perf

	abbreviates --det --detailed
	abbreviates --e=duration_time --event=duration_time
	abbreviates "--r 2" "--repeat 2" -e duration_time
	abbreviates --su --summary -e duration_time
	abbreviates "--su --no-summ" "--summary --no-summary" -e duration_time
	abbreviates --sy --sync -e duration_time
	abbreviates --hybrid --hybrid-merge -e duration_time
	abbreviates --grou --group -e duration_time
	abbreviates --metric-no-g --metric-no-group -e duration_time
	abbreviates "--o /dev/null" "--output /dev/null" -e duration_time
	$run --pr 'echo before' --ver -e task-clock true
	ends_with_status 0
	is "the output of --pr" "$(<out)" before
	grep -q '^task-clock: [0-9]' err || fail "not verbose" "$(<err)"
	needs_cpus
	abbreviates --per-c --per-core -a -e cs
}

@test "with -I and --timeout, the status is that of the command" {
	local options

	for options in "-I 20" "--timeout 600000"; do
		# shellcheck disable=SC2086 # words
		pstat -x, $options -e duration_time sh -c 'sleep 0.05; exit 3'
		ends_with_status 3
	done
}

@test "--log-fd 0 writes to descriptor 0" {
	: >zero
	"$PSTAT" -x, --log-fd 0 -e duration_time true 0<>zero 2>err
	is "rows" "$(cut -d, -f 3 zero)" duration_time
	is "standard error" "$(<err)" ""
}

@test "the configuration of perf has no effect" {
	printf '[stat]\n\tno-csv-summary = true\n' >.perfconfig
	PERF_CONFIG=$PWD/.perfconfig HOME=$PWD rows --summary -e duration_time true
	is "rows" "$(cut -d, -f 1 err | tr -d ' ')" summary
}

@test "a command line that is refused has no note about its target" {
	serve one
	refuses "--interval-count needs -I" --interval-count 2
	refuses "--per-core cannot be combined with -p" -a -p "${server[one]}" --per-core touch started
}

@test "0 switches -I, --interval-count and --timeout off; --summary and --interval-clear need no -I" {
	local options

	for options in "-I 0" "--timeout 0" "--interval-count 0" "-I 0 --timeout 0" --summary --interval-clear \
		"--summary --interval-clear"; do
		# shellcheck disable=SC2086 # words
		pstat $options -e duration_time true
		ends_with_status 0
		is "rows with $options" "$(grep -c ' ns   duration_time ' err)" 1
		is "times with $options" "$(grep -c 'seconds time elapsed' err)" 1
	done
	rows -I " 20" -e duration_time sh -c "$(until_intervals 2 duration_time)"
}

@test "-j wins over -x" {
	needs_command jq
	local options

	for options in "-x, -j" "-j -x;"; do
		# shellcheck disable=SC2086 # words
		pstat $options -e duration_time true
		ends_with_status 0
		jq -e '.event == "duration_time"' err >/dev/null || fail "$options" "$(<err)"
	done
}

@test "-D -1 without --control counts nothing, and says so" {
	needs_counting user
	pstat -D -1 -e page-faults:u true
	ends_with_status 0
	grep -qE '^ +<not counted> +page-faults:u' err || fail "no row" "$(<err)"
	grep -q '^pstat: page-faults:u: not counted: it was never switched on' err || fail "no reason" "$(<err)"
}

@test "-C with CPUs that do not exist gives rows without counts" {
	rows -C 0-4095 -e cs true
	is "the row" "$(cut -d, -f 1,3 err)" "<not supported>,cs"
	pstat -C 4095 -e cs true
	is "reasons" "$(grep -c '^pstat: cs: not supported: this machine has no CPU 4095, which -C names$' err)" 1
	pstat -C 4095 -e cs
	ends_with_status 125
	is "the last message" "$(tail -n 1 err)" "pstat: no event can be counted, and there is no command to wait for"
	pstat --strict -C 4095 -e cs true
	ends_with_status 125
}

@test "perf's options without effect and its forms with and without 'no-' are accepted" {
	local options

	for options in --group -g --inherit --hybrid-merge --metric-no-group --metric-no-merge \
		--metric-no-threshold --no-all-cpus --no-summary --no-append --no-table --no-verbose \
		--csv-summary --no-sync --no-metric-only --no-json-output --no-quiet \
		"-i --inherit" "--quiet --no-quiet" "-gn --no-null"; do
		# shellcheck disable=SC2086 # words
		rows $options -e duration_time true
		is "the rows with $options" "$(cut -d, -f 3 err)" duration_time
	done
}

@test "options that only perf has are named as such" {
	local option

	for option in --percore-show-thread --smi-cost --transaction --iostat \
		--bpf-counters --bpf-prog=1 --cputype=core -T -b; do
		refuses "'$option' is an option of perf stat that pstat does not have; use perf stat for it" \
			"$option" touch started
	done
}

# meant COMMAND ARG...: check that pstat refuses ARG... and names COMMAND as what was meant
meant()
{
	refuses "pstat has no subcommand 'stat'; use: $1" "${@:2}" touch started
}

@test "the options of perf stat after 'stat' end with 125 and the command to type; those of stat(1) run it" {
	local options

	meant 'pstat -e cs touch started' stat -e cs
	meant 'pstat -n -r5 touch started' -n stat -r5
	meant 'pstat -tae cs touch started' stat -tae cs
	meant 'pstat --repeat=2 touch started' stat --repeat=2
	meant "pstat -e '{cs,faults}' -x ';' 'it'\\''s' touch started" stat -e '{cs,faults}' -x ';' "it's"
	meant 'pstat -t 1 -I 10 touch started' stat -t 1 -I 10
	for options in -L -t -ft '-c %s' '-Lc%e' --terse --form=%s '-- -e'; do
		# shellcheck disable=SC2086 # words
		pstat -n stat $options .
		! grep '^pstat: ' err || fail "$options:" "$(<err)"
		[ "$status" -ne 125 ] || fail "$options is not run"
	done
}

@test "--fail-if after the command is passed to the command, with a note" {
	pstat -n true --fail-if 'task-clock>+5%'
	ends_with_status 0
	is "the note" "$(head -n 1 err)" "pstat: --fail-if is an argument of true; options of pstat come before the command"
	pstat -n -r 6 -L v=1,2 true '{v}' '--fail-if=cs>+5%'
	grep -qx 'pstat: --fail-if is an argument of true; options of pstat come before the command' err || fail "$(<err)"
}

@test "two versions of a program as one command have a note about comparing" {
	mkdir old new
	cp "$(type -P true)" old/prog
	cp old/prog new/prog
	cp old/prog old/other
	cp old/prog data
	chmod -x data
	pstat -n old/prog new/prog
	ends_with_status 0
	grep -qx 'pstat: new/prog is an argument of old/prog; to compare the two: pstat -c old/prog -c new/prog' err ||
		fail "$(<err)"
	pstat -n -r 2 ./old/prog ./old/other
	grep -q 'to compare the two: pstat -c ./old/prog -c ./old/other$' err || fail "$(<err)"
	for words in 'old/prog' 'old/prog new/prog more' 'old/prog new/other' 'old/prog new' 'true new/prog' 'old/prog ./data'; do
		# shellcheck disable=SC2086 # words
		pstat -n $words
		ends_with_status 0
		! grep 'to compare' err || fail "$words:" "$(<err)"
	done
	pstat -x, -n old/prog new/prog
	! grep '^pstat' err || fail "a note with -x"
}

@test "options of other tools name those of pstat, and a subcommand of perf is noted" {
	refuses "unknown option '--runs'; use '-r'. 'pstat --help-all' lists all" --runs 5 touch started
	refuses "unknown option '--export-json=x'; use '--save'. 'pstat --help-all' lists all" \
		--export-json=x touch started
	pstat -n record -e cs true
	grep -qx "pstat: 'record' is the command to run, because pstat has no subcommands" err || fail "$(<err)"
	pstat -n stat .
	! grep -q subcommand err || fail "a note about a command:" "$(<err)"
}

@test "with -r there is a spread in each row of -x and -j, after a single run and with -I, too" {
	pstat -x, -r 3 --post false -e duration_time true
	ends_with_status 125
	is "the fourth field" "$(sed -n 's/.*,duration_time,\([^,]*\).*/\1/p' err)" "0.00%"
	pstat -j -r 3 --post false -e duration_time true
	is "rows with a variance" "$(grep -c '"variance" : 0.00' err)" 1
	pstat -x, -r 2 -I 20 -e duration_time sleep 0.05
	is "rows without a spread" "$(cut -d, -f 5 err | grep -cvE '^[0-9.]+%$' || true)" 0
	pstat -x, -r 1 -e duration_time true
	is "the fourth field of -r 1" "$(cut -d, -f 4 err | tr -d 0-9)" ""
}

@test "in perf's formats a series continues after a run that fails, without a message" {
	local options

	for options in "-x," -j; do
		rm -f runs
		# shellcheck disable=SC2016 # for the other shell
		pstat $options -r 5 -e duration_time sh -c 'echo >>runs; exit $(($(wc -l <runs) % 3))'
		ends_with_status 1
		is "runs with $options" "$(wc -l <runs)" 5
		is "lines with $options" "$(grep -c duration_time err) of $(wc -l <err)" "1 of 1"
	done
}

# as_perf ARG...: like pstat(), but run pstat as perf-stat-shim does
as_perf()
{
	mkdir -p as-perf
	ln -sf "$bare_pstat" as-perf/perf
	PSTAT=as-perf/perf pstat stat "$@"
}

@test "called as perf, rows of tracepoints and breakpoints have the names that perf gives them" {
	needs_command perf
	perf stat -x, -o perf -e sched:sched_switch:k,mem:0x1000/8:w:u,mem:0x1000:rw:k true 2>perf.err ||
		skip "perf cannot count them: $(tail -n 1 perf.err)"
	as_perf -x, -e sched:sched_switch:k,mem:0x1000/8:w:u,mem:0x1000:rw:k true
	ends_with_status 0
	is "the names" "$(cut -d, -f 3 err)" "$(grep -v '^#' perf | cut -d, -f 3 | sed 1d)"
}

@test "-r 0 in perf's formats writes each run as it ends, so SIGKILL loses no run" {
	local run options

	# shellcheck disable=SC2016 # the fourth run kills pstat
	run='echo >>runs; [ "$(wc -l <runs)" -lt 4 ] || kill -KILL $PPID; exit 3'
	for options in "pstat -x," "pstat -j" "as_perf -x," "as_perf"; do
		rm -f runs result
		$options -r 0 -o result -e duration_time sh -c "$run"
		ends_with_status 137
		is "records with $options" "$(grep -c duration_time result)" 3
		is "spreads with $options" "$(grep -cE '%,|variance|\+-' result || true)" 0
		rm runs
		$options -r 0 -e duration_time sh -c "$run"
		is "records on standard error with $options" "$(grep -c duration_time err)" 3
	done
	is "titles" "$(grep -cx " Performance counter stats for 'sh -c .*':" result)" 3
	is "dates" "$(grep -c '^# started on' result)" 1
	# a run that ends the series is written once; other formats have one result
	for options in "-x, --post false" "--format csv"; do
		# shellcheck disable=SC2086 # words
		pstat -r 0 $options -e duration_time false
		[ "$status" -ne 0 ] || fail "status 0 with $options"
		is "records with $options" "$(grep -c duration_time err)" 1
	done
}

@test "-r with -I prints the intervals of the first run in perf's formats" {
	local options

	for options in "pstat -x," "pstat -j" "as_perf"; do
		rm -f runs
		$options -r 3 -I 20 -e duration_time sh -c 'echo >>runs; sleep 0.1'
		ends_with_status 0
		is "runs" "$(wc -l <runs)" 3
		grep -oE '[0-9]+\.[0-9]{9}' err | sort -cun || fail "times that do not ascend with $options:" "$(<err)"
	done
	rm runs
	pstat -x, -r 2 -I 20 --summary -e duration_time sh -c 'echo >>runs; sleep 0.1'
	is "summaries" "$(grep -cE '^ *summary,' err)" 1
	pstat -r 2 -I 20 -e duration_time sleep 0.1
	! grep -oE '[0-9]+\.[0-9]{9}' err | sort -cun 2>order || fail "intervals of one run in pstat's table" "$(<err)"
}

@test "-v prints the value of each event and its times, in nanoseconds" {
	local lines value enabled running

	for options in "-x," -j ""; do
		# shellcheck disable=SC2086 # words
		pstat -v $options -e task-clock,page-faults,duration_time,4294967295:0 true
		ends_with_status 0
		read -r value enabled running <<<"$(sed -n 's/^task-clock: //p' err)"
		within "task-clock" 100000 "$value" 10000000000
		is "times" "$enabled $running" "$value $value"
		grep -qxE "page-faults: [1-9][0-9]* $enabled $running" err || fail "$(<err)"
		grep -qx 'failed to read counter 4294967295:0' err || fail "$(<err)"
	done
	lines='^task-clock: [0-9]+ [0-9]+ [0-9]+$'
	pstat -v -o result -r 3 -e task-clock true
	is "lines of runs" "$(grep -cE "$lines" err)" 3
	is "lines in the file" "$(grep -cE "$lines" result || true)" 0
	pstat -v -x, -I 50 -e task-clock sh -c "$(until_intervals 2 '^task-clock: ')"
	is "lines of intervals" "$(grep -cE "$lines" err)" "$(grep -c ,task-clock, err)"
	needs_cpus
	pstat -v -x, -a -A -e cs true
	is "lines with -A" "$(grep -c '^cs: ' err || true)" 0
	pstat -v -c true -c true -r 2 -n
	is "lines of a comparison" "$(grep -c '^task-clock: ' err || true)" 0
}

@test "-D reports in perf's words when the events are disabled and enabled" {
	local options
	# shellcheck disable=SC2016 # for sh -c
	local until_enabled='echo >>runs; until [ "$(grep -c "^Events enabled" err)" -ge "$(wc -l <runs)" ]; do sleep 0.01; done'

	for options in "pstat -x," "pstat -j" pstat as_perf; do
		rm -f runs
		$options -o result -D 20 -r 2 -e duration_time sh -c "$until_enabled"
		ends_with_status 0
		is "lines with $options" "$(grep '^Events' err | tr '\n' ' ')" \
			"Events disabled Events enabled Events disabled Events enabled "
		is "lines in the file" "$(grep -c '^Events' result || true)" 0
	done
	pstat -x, -D -1 -e duration_time true
	is "lines" "$(grep '^Events' err)" "Events disabled"
	begin -x, -D -1 -e duration_time sleep 100
	tell enable
	tell disable
	tell stop
	kill "$(pgrep -P "$pstat_pid" -x sleep)"
	finish
	is "lines of --control" "$(grep '^Events' err | tr '\n' ' ')" "Events disabled Events enabled Events disabled "
	for options in "-x," "--quiet -D 20" "--format csv -D 20"; do
		# shellcheck disable=SC2086 # words
		pstat $options -e duration_time sleep 0.05
		is "lines with $options" "$(grep -c '^Events' err || true)" 0
	done
}

@test "with -I, pstat prints the counts and dies of SIGINT or SIGTERM, so that a loop of a shell ends" {
	local name pid

	for name in INT TERM; do
		: >err
		"$bare_pstat" -x, -I 50 -e duration_time sleep 20 2>err </dev/null 3>&- &
		pid=$!
		eventually 'grep -q duration_time err'
		kill -s "$name" "$pid"
		status=0
		wait "$pid" || status=$?
		ends_with_status $((128 + $(kill -l "$name")))
	done
}
