#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Commands in rounds: their order, the number of runs, and how each command runs.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

# A script that appends its name and its arguments to the file log.
step()
{
	printf '#!/bin/sh\necho "%s" "$@" >>log\nexit %s\n' "$1" "${2:-0}" >"$1"
	chmod +x "$1"
}

# Print the log as one line, and empty it.
taken()
{
	tr '\n' ' ' <log
	rm log
}

logged()
{
	is "programs that ran" "$(taken)" "$1 "
}

# messages LINE...: check pstat's messages, except those about events that this machine cannot
# count, the memory of small commands, and too few runs
messages()
{
	is "messages" "$(grep '^pstat:' err | grep -v -e 'not supported' -e '^pstat: max_rss of' \
		-e '^pstat: -r .*: too few runs for a verdict' || true)" "$(printf '%s\n' "$@")"
}

# Print the number of rounds of the comparison in the file out.
rounds()
{
	tr '\n' ' ' <out | sed -nE 's/.*[ ,]([0-9,]+) +rounds? +in .*/\1/p' | tr -d ,
}

# compare ARG...: run pstat -n ARG... with status 0
compare()
{
	local check=

	[[ " $* " != *" -c "* ]] || check=--no-output-check
	pstat -n $check "$@"
	ends_with_status 0
}

setup()
{
	cd "$BATS_TEST_TMPDIR" || return
	needs_math
	for name in a b c; do
		step "$name"
	done
}

@test "each round has every command once, in a random order that the seed repeats" {
	local first

	compare -r 50 --seed 7 -c ./a -c ./b -c ./c
	xargs -n 3 <log >rounds
	is "commands in rounds" "$(while read -r round; do
		tr ' ' '\n' <<<"$round" | sort | tr -d '\n'
		echo
	done <rounds | sort | uniq -c)" "     50 abc"
	within "orders" 4 "$(sort -u rounds | wc -l)" 6
	first=$(taken)
	compare -r 50 --seed 7 -c ./a -c ./b -c ./c
	logged "${first% }"
	compare -r 50 --seed 8 -c ./a -c ./b -c ./c
	[ "$(taken)" != "$first" ] || fail "another seed has the same order"
	compare -r 50 -c ./a -c ./b -c ./c
	[ "$(taken)" != "$first" ] || fail "without a seed, the order is that of seed 7"
}

@test "alternating commands reverse their order from round to round" {
	compare -r 3 --order alternate -c ./a -c ./b -c ./c
	logged "a b c c b a a b c"
}

@test "sequential commands have all their runs one after the other" {
	compare -r 3 --order sequential -c ./a -c ./b
	logged "a a a b b b"
	compare -r 2 --order sequential --warmup 1 --setup './c setup' --cleanup './c cleanup' \
		--pre './c pre' --post './c post' -c ./a -c ./b
	logged "c setup c pre a c post c pre a c post c pre a c post c cleanup c setup c pre b c post \
c pre b c post c pre b c post c cleanup"
}

@test "--setup runs before the first round, --cleanup after the last one, --pre and --post around each run" {
	pstat -n -r 2 --order alternate -L n=1,2 --setup './c s{n}' --cleanup './c e{n}' \
		--pre './c p{n}' --post './c q{n}' ./a '{n}'
	ends_with_status 0
	logged "c s1 c s2 c p1 a 1 c q1 c p2 a 2 c q2 c p2 a 2 c q2 c p1 a 1 c q1 c e1 c e2"
}

@test "warmup runs of all commands come first and are not in the result" {
	compare -r 1 --warmup 2 -c ./a -c ./b
	is "runs" "$(sort log | uniq -c | tr -s ' \n' ' ')" " 3 a 3 b "
	is "the warmups" "$(head -n 4 log | tr '\n' ' ')" "a b a b "
	rm log
}

@test "--setup and --cleanup of one command run before and after all its runs" {
	compare -r 3 --warmup 1 --setup './c "s  1"' --cleanup './c e' ./a x
	logged "c s  1 a x a x a x a x c e"
	step c 3
	pstat -n --setup ./c --cleanup './b' ./a
	ends_with_status 125
	logged c
	messages "pstat: --setup: ./c exited with status 3"
	pstat -n --cleanup ./c ./a
	ends_with_status 125
	logged "a c"
	messages "pstat: --cleanup: ./c exited with status 3"
	grep -q 'seconds time elapsed' err
	step a 7
	step c
	pstat -n -r 2 --setup './c s' --cleanup './c e' ./a
	ends_with_status 7
	logged "c s a c e"
}

@test "if a --setup fails, nothing runs except --cleanup for the commands that were set up" {
	# shellcheck disable=SC2016 # for the other shell
	printf '#!/bin/sh\necho "$@" >>log\n[ "$1" != s2 ]\n' >c
	pstat -n -r 2 -L n=1,2,3 --setup './c s{n}' --cleanup './c e{n}' ./a '{n}'
	ends_with_status 125
	logged "s1 s2 e1"
	messages "pstat: --setup: ./c exited with status 1"
	pstat -n -r 2 --order sequential -L n=1,2,3 --setup './c s{n}' --cleanup './c e{n}' ./a '{n}'
	ends_with_status 125
	logged "s1 a 1 a 1 e1 s2"
}

@test "--setup may create the command" {
	compare -r 1 --order sequential -L v=1,2 --setup 'sh -c "printf \"#!/bin/sh\necho built {v} >>log\n\" >built; chmod +x built"' \
		--cleanup 'rm built' ./built
	logged "built 1 built 2"
	compare -r 1 --order alternate -L v=1,2 --setup 'cp a built{v}' './built{v}' x
	logged "a x a x"
}

@test "the commands have no input and no output unless options request them" {
	printf 'one\ntwo\n' >input
	pstat -n -r 2 -c 'sh -c "cat >>log; echo out; echo error >&2"' -c ./a <input
	ends_with_status 0
	is "input read" "$(grep -cE 'one|two' log || true)" 0
	! grep -qE '^(out|error)$' out err || fail "the command printed something" "$(cat out err)"
	rm log
	compare -r 2 --input input --order alternate -c 'sh -c "cat >>log"' -c 'sh -c "head -n 1 >>log"'
	logged "one two one one one two"
	compare -r 2 --show-output --order alternate -c 'echo A' -c 'sh -c "echo B; echo E >&2"'
	is "standard output" "$(tr '\n' ' ' <out)" "A B B A "
	is "standard error" "$(grep -c '^E$' err)" 2
}

@test "one command keeps its streams; --input and --discard replace them in each run" {
	printf 'one\ntwo\n' >input
	pstat -n -r 2 --input input cat
	ends_with_status 0
	is "standard output" "$(tr '\n' ' ' <out)" "one two one two "
	pstat -n -r 2 --input input --discard sh -c 'cat >>log; echo out; echo error >&2'
	ends_with_status 0
	logged "one two one two"
	is "standard output" "$(<out)" ""
	is "standard error" "$(grep -c '^error' err || true)" 0
	pstat -r 2 -i -e page-faults:u --input input cat
	is "in a child that is held" "$(tr '\n' ' ' <out)" "one two one two "
}

@test "an input that cannot be read again is refused before anything runs" {
	mkfifo pipe
	refuses "--input pipe: each run reads it from the beginning, which a pipe does not allow; give a file" \
		--input pipe touch started
}

@test "an input that no longer exists when the run begins gives 125" {
	touch input
	pstat -n -r 3 --input input --post 'rm input' ./a
	ends_with_status 125
	logged a
	messages "pstat: --input input: No such file or directory"
	pstat -n -r 3 --ignore-failure --input no true
	ends_with_status 125
}

@test "the result begins with a conclusion, and has charts only with --draw" {
	compare -r 8 -c 'sleep 0.01' -c 'sleep 0.4'
	grep -qE '^sleep 0[.]4 takes [1-9.]+[0-9] times as long as sleep 0[.]01: elapsed time [+][0-9]' out ||
		fail "no conclusion:" "$(<out)"
	is "the rows" "$(sed -n 's/^\([a-z_]\+\( time\)\?\)  .*/\1/p' out)" "elapsed time"
	! grep -q '⡀\|seed' out || fail "there is a chart or a seed:" "$(<out)"
	compare -r 8 -c 'sleep 0.01' -c 'sleep 0.4' -c 'sleep 0.2'
	grep -q '^Best: sleep 0.01 (elapsed time); the next, sleep 0.2, takes ' out ||
		fail "no conclusion:" "$(<out)"
	is "the sides, the best first" "$(sed -n 's/^\(sleep [0-9.]*\) .*/\1/p' out | tr '\n' ,)" \
		"sleep 0.01,sleep 0.2,sleep 0.4,"
	compare -r 8 --details --rows all -c 'sleep 0.01' -c 'sleep 0.4'
	is "the first row" "$(grep -A 1 ' mean ' out | sed -n 's/^\(duration_time\) .*/\1/p')" duration_time
	is "the rows below" "$(sed -n '/^also measured:$/,/^$/s/^\([a-z]*_[a-z]*\) .*/\1/p' out | head -n 2)" \
		$'user_time\nsystem_time'
	compare -r 8 --more-is-better duration_time -c true -c 'sleep 0.4'
	grep -q '^sleep 0.4 takes ' out || fail "no conclusion:" "$(<out)"
	compare -r 8 --draw --ascii -c 'sleep 0.01' -c 'sleep 0.02'
	grep -q '^duration_time .*[0-9]  ' out
	# an interval may end outside the chart, if times vary a lot
	within "means in charts" 2 "$(grep -cE '^ +[[<]?[-+]+[]>]?$' out)" 20
}

@test "commands are named as written or by --names, and equal names are distinguished" {
	compare -r 1 -c './a  "x y"' -c ./b -c ./b
	grep -qF './a  "x y"' out
	grep -qF './b #2' out
	compare -r 1 --names 'old,new one' -c ./a -c ./b
	grep -qw old out
	grep -qF 'new one' out
	compare -r 1 -L n=1,2 --names 'level {n}' -c './a {n}'
	grep -qF 'level 2' out
	compare -r 1 -L n=1,2 --names level -c './a {n}'
	grep -qF 'level (n=2)' out
	compare -r 1 -L n=1,2 --names one,two -c './a {n}'
	grep -qw two out
}

@test "-L: a side is named after its values, and a command without values after itself" {
	compare --details -r 1 -L n=1,2 -L m=3 --setup './c {n}' ./a 'x{m}'
	grep -qE '^n=1,m=3 +\./a x3 +1 run, reference$' out
	grep -qE '^n=2,m=3 +\./a x3 +1 run$' out
	compare --details -r 1 -L n=1,2 -c ./b -c './a {n}'
	grep -qE '^\./b +1 run, reference$' out
	grep -qE '^n=2 +\./a 2 +1 run$' out
	compare --details -r 1 -L n=1,1 ./a '{n}'
	grep -qE '^n=1 #2 +\./a 1 +1 run$' out
}

@test "-L: a command that contains the names becomes one command for each combination of values" {
	compare -r 1 --order alternate -L n=1,2 -L 'm=x y,z' ./a '{n}' '<{m}>' '{m}{n}'
	logged "a 1 <x y> x y1 a 1 <z> z1 a 2 <x y> x y2 a 2 <z> z2"
	compare -r 1 --order alternate -L n=1,2 -L m=3 -c ./b -c './a {n} {m}' -c './c {x}'
	logged "b a 1 3 a 2 3 c {x}"
	compare -r 1 --order alternate -L n=1,2 -L m=3 -c './b {m}' -c './a {n} {m}' --no-output-check
	logged "b 3 a 1 3 b 3 a 2 3"
	compare -r 1 --order alternate -L 'n=1 2,"3  4"' -c './a {n}'
	logged "a 1 2 a 3  4"
}

@test "-L takes values from the lines of a file, or from the files that match a pattern" {
	mkdir data
	touch data/{2,10,1}.json data/other
	printf 'x y\n\nz,@\r\n' >list
	compare -r 1 --order alternate -L 'n=@data/*.json' -c './a {n}'
	logged "a data/1.json a data/10.json a data/2.json"
	compare -r 1 --order alternate -L 'n=@list' ./a '{n}'
	logged "a x y a z,@"
	compare -r 1 --order alternate -L 'n=\@list,@x' ./a '{n}'
	logged "a @list a @x"
	refuses "-L 'n=@none': none: No such file or directory" -L n=@none touch started '{n}'
	refuses "-L 'n=@none/*': no file matches none/*" -L 'n=@none/*' touch started '{n}'
	: >list
	refuses "-L 'n=@list': list has no lines" -L n=@list touch started '{n}'
	seq 1001 >list
	refuses "there are more than 1000 commands" -L n=@list touch started '{n}'
	refuses "-L 'n=@/dev/zero': /dev/zero is too large for a list of values" -L n=@/dev/zero touch started '{n}'
	refuses "-L 'n=@.': cannot read ." -L n=@. touch started '{n}'
}

@test "--shell runs each command through the shell, and a note shows the cost of the shell" {
	# shellcheck disable=SC2016 # for the other shell
	compare -r 1 --order alternate --shell sh -c './a $((1 + 1)) | cat' -c './b; ./c >&2'
	logged "a 2 b c"
	grep -qE '^pstat: --shell sh: the shell by itself takes [0-9.]+ ms \(median of 11 runs\), which each count includes$' err
	compare -r 1 --order alternate --shell 'sh -e' -c './a $-' -c './b'
	is "flags of the shell" "$(grep -c '^a .*e' log)" 1
	rm log
	pstat -n -r 1 --shell false -c ./a -c ./b
	ends_with_status 125
	messages "pstat: --shell false: not a shell: '-c :' failed"
	[ ! -e log ]
	pstat -n -r 1 --shell ./no-such-shell -c ./a -c ./b
	ends_with_status 127
}

@test "--randomize-env gives each run different padding, and the seed repeats it" {
	local first

	# shellcheck disable=SC2016 # for the other shell
	printf '#!/bin/sh\necho "${#PSTAT_PADDING}" >>log\n' >n
	chmod +x n
	compare -r 30 --randomize-env --seed 3 ./n
	within "lengths" 25 "$(sort -u log | wc -l)" 30
	within "the longest" 2500 "$(sort -n log | tail -n 1)" 4095
	first=$(taken)
	compare -r 30 --randomize-env --seed 3 ./n
	logged "${first% }"
	compare -r 30 --randomize-env ./n
	[ "$(taken)" != "$first" ] || fail "without a seed, the padding is that of seed 3"
	compare -r 10 --randomize-env -c ./n -c ./n
	within "lengths of two commands" 16 "$(sort -u log | wc -l)" 20
	rm log
	compare -r 3 -c ./n -c ./n
	is "without it" "$(sort -u log)" 0
}

@test "--no-aslr and --cpu-list change nothing else for the command" {
	local cpu meant='personality|^policy|^Cpus_allowed|^argument 1|^descriptor|: _='

	setarch -R true 2>/dev/null || skip "personality(ADDR_NO_RANDOMIZE) is refused here"
	cpu=$(sed -nE 's/^Cpus_allowed_list:.*[-,]?([0-9]+)$/\1/p' /proc/self/status)
	"$programs/observe" plain </dev/null >/dev/null 2>&1
	pstat -n --no-aslr --cpu-list "$cpu" --discard --input /dev/null "$programs/observe" seen
	ends_with_status 0
	diff <(grep -vE "$meant" plain) <(grep -vE "$meant" seen) >differences || true
	is "other differences" "$(<differences)" ""
	grep -q 'personality 0x40000,' seen
	grep -q "^policy .* cpus $cpu\$" seen
	is "descriptors" "$(grep -c '^descriptor' seen)" "$(grep -c '^descriptor' plain)"
	is "the streams" "$(grep -c '^descriptor [012]: /dev/null' seen)" 3
	pstat -r 1 -i -e cs --no-aslr --cpu-list "$cpu" "$programs/observe" held
	grep -q 'personality 0x40000,' held
	grep -q "^policy .* cpus $cpu\$" held
}

@test "a CPU that the command may not use gives 125" {
	refuses "--cpu-list 16000-16001: CPU 16000 is not online" --cpu-list 16000-16001 touch started
}

@test "-r sets the number of rounds; without it the first event decides" {
	compare -r 4 -c ./a -c ./b
	is "runs" "$(sort log | uniq -c | tr -s ' \n' ' ')" " 4 a 4 b "
	rm log
	needs_counting user
	setarch -R true 2>/dev/null || skip "personality(ADDR_NO_RANDOMIZE) is refused here"
	# Every run has the same count: the minimum number of runs is enough for a verdict.
	pstat --no-aslr -e page-faults:u,task-clock -c "$programs/faults 1000" -c "$programs/faults 2000"
	ends_with_status 0
	within "runs" 6 "$(rounds)" 12
}

@test "--duration sets how long the commands run" {
	local start

	start=$(uptime_ms)
	compare --duration 0.5 -c ./a -c ./b
	within "milliseconds" 500 $(($(uptime_ms) - start + 10)) 1000000
	# a slow machine may make fewer runs than a verdict needs, and then there is a message
	within "runs" "$(grep -q 'the runs take so long' err && echo 2 || echo 12)" "$(wc -l <log)" 100000
	is "as many of each" "$(grep -c a log)" "$(grep -c b log)"
	rm log
	pstat -e max_rss --duration 50 --precision 50 -c ./a -c ./b
	ends_with_status 0
	within "precise at once" 6 "$(wc -l <log)" 40
	rm log
	compare --duration 0.4 --order sequential -c ./a -c ./b
	is "one after the other" "$(uniq log | tr '\n' ' ')" "a b "
}

@test "if the runs for a verdict would take too long, the series ends with a note" {
	pstat -n --duration 0.1 -c 'sleep 0.3' -c 'sleep 0.3'
	ends_with_status 0
	messages "pstat: no verdict: it needs 6 runs of each command, far beyond 0.1 s; use -r 6 or a longer --duration"
	grep -q '^elapsed time' out
}

@test "a failed run is excluded and named, and ends the series with 125 and a result" {
	# The third run of b fails.
	# shellcheck disable=SC2016 # for the other shell
	printf '#!/bin/sh\necho b >>log\n[ "$(grep -c b log)" -ne 3 ]\n' >b
	pstat -n -r 5 --no-output-check --order alternate -c ./a -c ./b
	ends_with_status 125
	logged "a b b a a b"
	messages "pstat: './b': run 3: ./b: exited with status 1; the series ends without this run (see --ignore-failure, --show-output)"
	grep -q '^elapsed time' out
	pstat -n -r 5 --no-output-check --order alternate --ignore-failure -c ./a -c ./b
	ends_with_status 0
	is "runs" "$(wc -l <log)" 10
	rm log
	step b 3
	pstat -n -r 5 --no-output-check --order alternate -c ./a -c ./b
	ends_with_status 125
	! grep -q '^elapsed time' out || fail "a comparison was printed" "$(<err)"
	messages "pstat: './b': run 1: ./b: exited with status 3; the series ends without this run (see --ignore-failure, --show-output)" \
		"pstat: nothing to compare: some commands have no run; the runs of the other commands are discarded"
	rm log
	pstat -n -r 5 --no-output-check --order alternate --quiet -c ./b -c ./a
	ends_with_status 125
	says "pstat: nothing to compare: some commands have no run"
	rm log
	pstat -n -r 5 --warmup 1 --show-output --order alternate -c ./a -c ./b
	ends_with_status 125
	logged "a b"
	messages "pstat: './b': --warmup: ./b: exited with status 3; the series ends without this run (see --ignore-failure)" \
		"pstat: nothing to compare: some commands have no run"
}

@test "a run that --timeout ends is not compared" {
	pstat -n -r 2 --timeout 30 --no-output-check --order alternate -c 'sleep 9' -c 'sleep 8'
	ends_with_status 125
	messages "pstat: 'sleep 9': run 1: sleep: ended by --timeout; the series ends without this run (see --ignore-failure, --show-output)" \
		"pstat: nothing to compare: some commands have no run"
	pstat -n -r 2 --timeout 30 --no-output-check --ignore-failure -c 'sleep 9' -c 'sleep 8'
	ends_with_status 0
	is "runs that were ended" "$(grep -c 'run [12]: sleep: ended by --timeout$' err)" 4
	# a command that takes the signal and ends successfully was cut off, too
	pstat -n -r 2 --timeout 1000 --no-output-check --order alternate \
		-c "sh -c 'trap \"touch trapped; exit 0\" TERM; while :; do sleep 0.01; done'" -c true
	ends_with_status 125
	grep -q 'ended by --timeout' err || fail "no message" "$(<err)"
	[ -e trapped ] || fail "the shell did not begin within a second"
}

@test "a --pre or --post that fails ends the series with 125" {
	step c 3
	pstat -n -r 5 --pre ./c -c ./a -c ./b
	ends_with_status 125
	logged c
	pstat -n -r 5 --ignore-failure --post ./c -c ./a -c ./b
	ends_with_status 125
	is "steps" "$(wc -l <log)" 2
}

@test "a command that is missing, or cannot be executed, is refused before anything runs" {
	pstat -n -r 2 -c ./a -c ./b -c no-such-command
	ends_with_status 127
	messages "pstat: no-such-command: command not found"
	[ ! -e log ]
	touch plain
	pstat -n -r 2 -c ./a -c ./plain
	ends_with_status 126
	messages "pstat: ./plain: found, but not executable"
	[ ! -e log ]
	pstat -n -r 2 -c ./a --setup ./b -c no-such-command
	ends_with_status 127
	logged "b b"
}

@test "an interruption ends the series after the current run, and the finished runs are compared" {
	needs_command jq
	# Only the fourth run is long: it ends by itself, or the signal kills it.
	cat >long <<-'END'
		#!/bin/sh
		echo long >>log
		[ "$(grep -c long log)" -eq 4 ] || exit 0
		trap got=1 INT
		touch begun
		until [ "${got:-}" ]; do sleep 0.02; done
	END
	chmod +x long
	interrupt INT --no-output-check -n -r 50 --order alternate -c ./a -c ./long --save saved
	ends_with_status 130
	is "valid at any time" "$(jq .any_time saved)" true
	grep -qx '\[ \] and verdicts are valid at any time' out || fail "$(<out)"
	logged "a long long a a long long"
	messages "pstat: interrupted: 3 of 50 rounds"
	grep -q '^elapsed time' out
	# without a number of runs; with a number that is reached; one command after the other
	interrupt INT --no-output-check -n --order alternate --duration 50 -c ./a -c ./long --save saved
	ends_with_status 130
	is "valid at any time" "$(jq .any_time saved)" true
	messages "pstat: interrupted: 3 rounds"
	rm log
	interrupt INT --no-output-check -n -r 4 --order alternate -c ./long -c ./long
	ends_with_status 130
	rm log
	interrupt INT --no-output-check -n -r 4 --order sequential -c ./a -c ./long
	ends_with_status 0
	messages ""
	logged "a a a a long long long long"
	interrupt TERM --no-output-check -n -r 50 --order sequential -c ./a -c ./long --quiet
	ends_with_status 143
	[ ! -s err ]
	rm log
	sed -i '/trap/d; s/^until.*/exec sleep 100/' long
	interrupt INT --no-output-check -n -r 50 --order alternate -c ./a -c ./long --fail-if 'duration_time>+1000000%'
	ends_with_status 2
	rm log
	grep -qE "^pstat: './long': run 4: ./long: killed by signal 2" err
	grep -qF "pstat: './long': run 4 was interrupted; it is left out of the result" err
	grep -qFx 'pstat: interrupted: 3 of 50 rounds' err
	grep -q '^elapsed time' out
}

@test "after an interruption before each command has run, nothing is compared, and --cleanup runs" {
	local nothing="pstat: interrupted before each command had a run: nothing to compare" order

	cat >waits <<-'END'
		#!/bin/sh
		echo "$@" >>log
		touch begun
		exec sleep 100
	END
	# shellcheck disable=SC2016 # for the other shell
	sed 's/^touch/trap got=1 INT TERM; touch/; s/^exec.*/until [ "${got:-}" ]; do sleep 0.02; done/' waits >live
	chmod +x waits live
	interrupt INT -n -r 6 -L n=1,2 --setup './waits s{n}' --cleanup './c e{n}' ./a '{n}'
	ends_with_status 130
	logged s1
	messages "pstat: --setup: ./waits was killed by signal 2 (Interrupt)" "$nothing"
	for order in alternate sequential; do
		interrupt TERM -n -r 6 --order $order -L n=1,2 --setup './live s{n}' --cleanup './c e{n}' ./a '{n}'
		ends_with_status 143
		logged "s1 c e1"
		messages "$nothing"
	done
	interrupt INT --no-output-check -n -r 6 --pre './live p' --cleanup './c e' -c ./a -c ./b
	ends_with_status 130
	logged "p c e c e"
	messages "$nothing"
	interrupt INT --no-output-check -n -r 6 --warmup 1 --order alternate -c ./a -c ./waits
	ends_with_status 130
	messages "pstat: './waits': --warmup: ./waits: killed by signal 2 (Interrupt)" "$nothing"
	rm log
	interrupt INT -n -r 6 -c ./a -c ./waits
	ends_with_status 130
	logged "a "
	messages "pstat: './waits': output check: ./waits: killed by signal 2 (Interrupt)" "$nothing"
	interrupt INT --no-output-check -n -r 0 --order alternate -c ./a -c ./waits
	ends_with_status 130
	messages "pstat: './waits': run 1: ./waits: killed by signal 2 (Interrupt)" \
		"pstat: './waits': run 1 was interrupted; it is left out of the result" \
		"$nothing; the runs of the other commands are discarded"
	rm log
	for shell in ./waits ./live; do
		interrupt TERM --no-output-check -n -r 6 --setup './c s' --cleanup './c e' --shell $shell -c ./a -c ./b
		ends_with_status 143
		logged "-c :"
		messages "$nothing"
	done
	interrupt TERM --no-output-check -n -r 6 --quiet --shell ./live -c ./a -c ./b
	ends_with_status 143
	[ ! -s err ]
}

# few N RUNS ARG...: check for a note before the first run: -r N is too small, and RUNS runs are
# needed. RUNS 0: check that there is no note.
few()
{
	compare -r "$1" "${@:3}" -c 'cp err seen' -c ./b
	is "first message" "$(grep '^pstat: -r' seen || true)" "$([ "$2" -eq 0 ] ||
		echo "pstat: -r $1: too few runs for a verdict on counts that vary; each side needs $2")"
	is "number of messages" "$(grep -c '^pstat: -r' err || true)" "$((${2} > 0))"
}

@test "if -r is too small for a verdict, a note precedes the first run" {
	# one verdict, whatever is shown
	few 1 6
	few 5 6 --rows all
	few 6 0 --rows all
	few 7 8 --confidence 99
	few 3 4 --order sequential
	few 4 0 --order sequential
	few 2 0 --quiet
	few 2 6 --format json
	few 2 0 --format json -o result
	few 2 0 -o result
	is "notes in the file" "$(grep -c '^# pstat: -r 2: too few runs' result)" 1
}

# needed RUNS N ARG...: check that all numbers of needed runs of a comparison are N
needed()
{
	# gates are unclear
	pstat -r "$1" "${@:3}" -c true -c 'sh -c :'
	is "the note" "$(grep -o 'needs [0-9]*' err)" "needs $2"
	is "the table" "$(grep -ohE '[0-9]+ needed' out err | sort -u)" "$2 needed"
	grep -qE "^sh -c : has too few runs for a verdict against [a-z]* \\($2 needed\\): " out ||
		fail "no conclusion:" "$(<out)"
}

@test "a report has one number of needed runs, which is also that of the note" {
	needed 5 6 -n
	needed 5 6 -e task-clock --rows all
	# the elapsed time and the CPU time share a probability of error
	needed 5 7
	needed 3 6 -e duration_time,page-faults
	needed 3 7 -e task-clock --fail-if 'user_time>+5%' --fail-if 'max_rss>+5%'
	needed 3 4 -n --order sequential
	pstat -n -r 3 --save short true
	needed 3 5 -n --details --baseline short
	needs_counting user
	# a metric without a value counts, too, and so do the rows that only the baseline has
	needed 3 7 -e page-faults:u,dummy:u,task-clock:u -M 'x=page-faults:u/dummy:u'
	pstat -r 3 -e page-faults:u,task-clock:u,cpu-clock:u,dummy:u --save more true
	needed 3 8 -n --details --baseline more
}

@test "--per-process: the note has a lower bound, and without -r each row gets enough runs" {
	local command='sh -c "true; ls; cat; id; date; true"'

	needs_counting user
	pstat -r 3 --details --per-process -e page-faults:u,task-clock:u -c "$command" -c true
	is "the note" "$(grep -o 'each side needs .*' err)" "each side needs at least 6"
	is "the table" "$(grep -ohE '[0-9]+ needed' out err | sort -u)" "10 needed"
	pstat --per-process -e page-faults:u,task-clock:u --precision 100 -c "$command" -c true
	! grep -E '[0-9]+ needed' out || fail "too few runs"
	within "rounds" 9 "$(rounds)" 10000
}

@test "rows that nobody asked for are shown only with --rows all, which is part of the document" {
	needs_command jq
	local format file

	needs_documents

	# the gate may be unclear
	pstat -r 9 -e page-faults --fail-if 'system_time>+900%' -c ./a -c ./b --save asked
	compare -r 9 -e page-faults -c ./a -c ./b --save all --rows all
	for file in asked all; do
		is "rows" "$(jq -c '[.rows[].name] | sort' $file)" \
			'["duration_time","max_rss","page-faults","system_time","user_time"]'
	done
	is "shown rows" "$(jq -c '[.rows[] | select(.shown) | .name]' asked)" '["page-faults","system_time"]'
	is "rows with a verdict" "$(jq -c '[.rows[] | select(.asked) | .name]' asked)" '["page-faults","system_time"]'
	is "first rows" "$(jq -c '[.rows[] | select(.first) | .name]' asked)" '["page-faults"]'
	is "shown rows" "$(jq '[.rows[] | .shown] | all' all)" true
	is "verdicts on other rows" \
		"$(jq -c '[.rows[] | select(.asked | not) | .contrasts[].verdict] | unique - ["not counted"]' asked)" '["none"]'
	for format in markdown table 'table --details'; do
		# shellcheck disable=SC2086 # a format and an option
		pstat --show asked --format $format
		! grep -E 'user_time|max_rss|also measured' out || fail "$format"
		grep -q page-faults out
		# shellcheck disable=SC2086
		pstat --show all --format $format
		grep -q user_time out || fail "$format" "$(<out)"
		# shellcheck disable=SC2086
		pstat --show asked --rows all --format $format
		grep -q user_time out || fail "$format, other rows" "$(<out)"
	done
}

@test "-r 0 runs until it is interrupted" {
	# shellcheck disable=SC2016 # for the other shell
	printf '#!/bin/sh\necho a >>log\n[ "$(wc -l <log)" -lt 40 ] || touch begun\n' >a
	interrupt INT -n -r 0 -c ./a -c ./b
	ends_with_status 0
	within "runs" 40 "$(wc -l <log)" 100000
	[[ "$(<err)" =~ pstat:\ interrupted:\ ([0-9]+)\ rounds ]] || fail "$(<err)"
	is "rounds" "$(rounds)" "${BASH_REMATCH[1]}"
}

@test "there are as many runs as the gates need, and a note if -r is smaller" {
	pstat -n --precision 100 -c 'sleep 0.02' -c 'sleep 0.02' -c 'sleep 0.02' --fail-if 'duration_time>+1000%' \
		--fail-if 'duration_time<-99%'
	# if the machine stops for a moment, one long run may make the precision need more runs
	within "rounds" 8 "$(rounds)" 10000
	pstat -n -r 6 -c true -c 'sh -c :' -c true --fail-if 'duration_time>+1000%'
	is "first message" "$(head -n 1 err)" \
		"pstat: -r 6: too few runs for a verdict on counts that vary (2 limits); each side needs 7"
	pstat -n -r 2 --save two true
	pstat -n -r 5 --baseline two --fail-if 'duration_time>+1000%' true
	is "first message" "$(head -n 1 err)" \
		"pstat: -r 5: too few runs for a verdict on counts that vary; each side needs 8"
	pstat -n -r 1 --save one true
	pstat -n -r 20 --baseline one true
	is "first message" "$(head -n 1 err)" \
		"pstat: --baseline one: too few runs for a verdict on counts that vary; save it again with more runs"
}

@test "--pre, --post and the processes that they leave are not counted" {
	needs_counting user
	pstat -e page-faults:u -r 3 --order alternate --setup "$programs/faults 30000" \
		--pre "$programs/faults 30000" --cleanup true -c "$programs/faults 100" -c "$programs/faults 200" \
		--fail-if 'page-faults:u>+5000'
	ends_with_status 2
	pstat -e page-faults:u -r 6 --order sequential --setup "$programs/faults 30000" \
		-c "$programs/faults 100" -c "$programs/faults 200" --fail-if 'page-faults:u>+5000'
	ends_with_status 0
}

@test "each side has the counts of its own command" {
	needs_counting user
	setarch -R true 2>/dev/null || skip "personality(ADDR_NO_RANDOMIZE) is refused here"
	# On a busy machine the kernel adds a few faults to some runs, so the limits are not exact.
	pstat --no-aslr -e page-faults:u -r 8 -c "$programs/faults 1000" -c "$programs/faults 2000" \
		--fail-if 'page-faults:u>+900' --fail-if 'page-faults:u<-1'
	ends_with_status 1
	pstat --no-aslr -e page-faults:u -r 8 -c "$programs/faults 1000" -c "$programs/faults 2000" \
		--fail-if 'page-faults:u>+1100'
	ends_with_status 0
}

@test "the event of a gate is counted even if no option requests it" {
	needs_counting user
	pstat -e task-clock -r 6 -c "$programs/faults 1000" -c "$programs/faults 3000" --names old,new \
		--fail-if 'page-faults:u>+50%'
	ends_with_status 1
	grep -q '^page-faults:u' out
	pstat -n -r 2 -c ./a -c ./b --fail-if 'duration_time>+1%'
	ends_with_status 2
	pstat -e task-clock -M 'x=task-clock/task-clock' -r 6 -c ./a -c ./b --fail-if 'x>+1%'
	ends_with_status 0
}

@test "a gate may use the other name of an event that is counted" {
	needs_command jq
	local event gate

	needs_documents
	needs_counting user
	while read -r event gate; do
		pstat --all-user -e "$event" -r 6 -c "$programs/faults 1000" -c "$programs/faults 3000" \
			--fail-if "$gate>+50%" --save document
		ends_with_status 1
		is "the events, $event" "$(jq -c '[.sides[0].result.events[].name]' document)" "[\"$event\"]"
		grep -q "^pstat: $event .*, limit .*: crossed" out || fail "no line of the gate" "$(<out)"
		pstat --show document
		ends_with_status 0
	done <<-'END'
		faults:u page-faults:u
		page-faults:u faults:u
		faults page-faults
	END
	pstat -e context-switches -r 2 -c true -c true --fail-if 'cs>+900' --min-effect cs=5% --more-is-better cs \
		--save document
	is "the minimum effect of an alias" \
		"$(jq '.rows[] | select(.name == "context-switches") | .minimum_effect, .more_is_better' document)" \
		$'0.05\ntrue'
	pstat -M 'x=faults:u/faults:u' -r 2 -c true -c true --fail-if 'page-faults:u>+900%' --save document
	is "the events of a metric" "$(jq -c '[.sides[0].result.events[].name]' document)" '["faults:u"]'
	# with other modifiers, it is another event
	pstat -e faults:u -r 2 -c true -c true --fail-if 'page-faults:uk>+900%' --save document
	is "the events" "$(jq -c '[.sides[0].result.events[].name]' document)" '["faults:u","page-faults:uk"]'
}

@test "a gate on an event that cannot be counted is refused with a substitute, before anything runs" {
	local no="this kernel has no such software event"

	needs_counting user
	refuses "--fail-if '1:999:u>+1%': $no; use 'task-clock>+5%'" --fail-if '1:999:u>+1%' --setup 'touch started' \
		-c 'touch started' -c true
	refuses "--fail-if '1:999:u>+1%': $no; use 'task-clock>+5%'" -e 1:999:u --fail-if '1:999:u>+1%' \
		-c 'touch started' -c true
	refuses "--fail-if 'a<-1%': $no; use 'task-clock<-5%'" -M "a='1:999:u'/task-clock" --fail-if 'a<-1%' \
		-c 'touch started' -c true
	refuses "--fail-if '1:999:u>+1%': $no; use 'task-clock>+5%'" --fail-if '1:999:u>+1%' -L n=1,2 touch 'started{n}'
	is "what was started" "$(echo started*)" 'started*'
	needs_math
	printf 'time,commit,command,one\n2026-01-01T12:00:00Z,a,true,1\n' >history
	refuses "--fail-if '1:999:u>+1%': $no; use 'task-clock>+5%'" -r 3 --history history --fail-if '1:999:u>+1%' \
		touch started
}

@test "the first alternative that can be counted is the gate, and is named" {
	local no="this kernel has no such software event"

	needs_counting user
	needs_math
	needs_command jq
	pstat -e dummy:u -r 8 --fail-if '1:999:u>+1% or task-clock>+900% or duration_time>+900%' \
		--fail-if 'dummy:u>+1 or nope>+1%' -c true -c true --save document
	ends_with_status 0
	grep -qx "pstat: --fail-if '1:999:u>+1%': $no; the gate is 'task-clock>+900%'" err || fail "$(<err)"
	is "the gates" "$(jq -c '[.gates[].text]' document)" '["task-clock>+900%","dummy:u>+1"]'
	is "the events" "$(jq -c '[.sides[0].result.events[].name]' document)" '["dummy:u","task-clock"]'
	pstat -e dummy:u -r 8 --quiet --fail-if 'nope>+1% or user_time>+1e' -c 'touch started' -c true
	ends_with_status 125
	says "pstat: --fail-if 'nope>+1% or user_time>+1e', column 25: only a % may follow the number"
	refuses "--fail-if 'nope', column 1: unknown event 'nope'; --fail-if '1:999:u>+1%': $no; use 'task-clock>+5%'" \
		--fail-if 'nope>+1% or 1:999:u>+1%' -c 'touch started' -c true
	pstat --show document
	pstat --compare document --fail-if '1:999:u>+1% or task-clock>+800%'
	ends_with_status 0
	grep -qx "pstat: the gate is 'task-clock>+800%', because a file lacks those before it" err || fail "$(<err)"
	pstat -r 8 --save base -e task-clock true
	pstat --baseline base --fail-if 'page-faults:u>+1% or task-clock>+900%' true
	ends_with_status 0
	grep -q "has no 'page-faults:u'; .*; the gate is 'task-clock>+900%'$" err || fail "$(<err)"
}
