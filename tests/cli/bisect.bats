#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# --bisect and --bisect-check: when the runs end, and the statuses for git bisect run.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

few=("$programs/faults 500")
many=("$programs/faults 4000")
gate='page-faults:u>+20%'
table=(--format table --details) # which shows the number of rounds
faults=(-e page-faults:u "${table[@]}" --fail-if "$gate")

setup()
{
	cd "$BATS_TEST_TMPDIR" || return
	needs_math
	needs_counting user
	program good
	program fails 'exit 3'
}

# program NAME LINE...: write a shell script
program()
{
	printf '%s\n' '#!/bin/sh' "${@:2}" >"$1"
	chmod +x "$1"
}

# ends STATUS MESSAGE ARG...: pstat ARG... ends with STATUS, and the last line of standard error is MESSAGE
ends()
{
	pstat "${@:3}"
	ends_with_status "$1"
	is "the last line" "$(tail -n 1 err)" "pstat: $2"
}

# runs LEAST MOST: there were so many rounds
runs()
{
	within "rounds" "$1" "$(sed -n 's/^\([0-9]*\) rounds\{0,1\} of .*/\1/p' out)" "$2"
}

# The gate is exactly at the mean of counts that vary. At this confidence, chance does not decide it.
undecided=(-e page-faults:u --confidence 99.9999 --fail-if 'page-faults:u>+0.0001%')

@test "0: every gate is kept, after at most 7 rounds" {
	ends 0 '--bisect: good (status 0)' --bisect "${faults[@]}" -c "${few[@]}" -c "${few[@]}"
	runs 3 7 # 3 if the counts happen not to vary
	grep -q '95 % confidence intervals' out
}

@test "1: a gate is crossed, whatever the other gates and commands are" {
	ends 1 '--bisect: bad (status 1)' --bisect "${faults[@]}" -c "${few[@]}" -c "${many[@]}"
	ends 1 '--bisect: bad (status 1)' --bisect "${faults[@]}" --fail-if 'duration_time>+0%' -c "${few[@]}" \
		-c "${many[@]}"
	ends 1 '--bisect: bad (status 1)' --bisect "${faults[@]}" --fail-if 'page-faults:u>+0%' -c "${few[@]}" \
		-c "${few[@]}" -c "${many[@]}"
}

@test "the gates that one command crosses end the runs" {
	ends 0 '--bisect: good (status 0)' --bisect -e page-faults:u --fail-if 'page-faults:u<-20%' -c "${few[@]}" \
		-c "${many[@]}"
	ends 1 '--bisect: bad (status 1)' --bisect -e page-faults:u --fail-if 'page-faults:u<-20%' -c "${many[@]}" \
		-c "${few[@]}"
}

@test "counts that do not vary are decided after 3 rounds" {
	ends 0 '--bisect: good (status 0)' --bisect -e dummy:u "${table[@]}" --fail-if 'dummy:u>+1' -c ./good \
		-c ./good
	runs 3 3
}

@test "125: undecided at the end of --duration, or after all runs of -r" {
	pstat --bisect --duration 1 "${undecided[@]}" -c "${few[@]}" -c "${few[@]}"
	ends_with_status 125
	tail -n 1 err | grep -qE '^pstat: --bisect: skip: undecided after [0-9]+ runs of each command; see --duration \(status 125\)$' ||
		fail "standard error:" "$(<err)"
	ends 125 '--bisect: skip: undecided after 40 runs of each command; see -r (status 125)' --bisect -r 40 \
		"${undecided[@]}" -c "${few[@]}" -c "${few[@]}"
	ends 125 '--bisect: skip: undecided after 3 runs of each command; see -r (status 125)' --bisect -r 3 \
		"${undecided[@]}" -c "${few[@]}" -c "${few[@]}"
	grep -q '^pstat: page-faults.* not judged (too few runs: [0-9]* needed)$' err || fail "$(<err)"
}

@test "-r judges the gates once, with the whole error probability" {
	ends 1 '--bisect: bad (status 1)' --bisect -r 12 "${faults[@]}" -c "${few[@]}" -c "${many[@]}"
	runs 12 12
	grep -q '; .* and \[ \]: 95 % confidence intervals' out || fail "$(<out)"
}

@test "slow commands make the runs that can decide a gate, but not if these take far too long" {
	program slow "$programs/faults 500; sleep 0.15"
	ends 0 '--bisect: good (status 0)' --bisect --duration 1 "${faults[@]}" -c ./slow -c ./slow
	runs 3 7
	program slow "$programs/faults \$((500 + \$\$ % 7)); sleep 1"
	ends 125 '--bisect: skip: too few runs of each command in 1 s: 1; see --duration (status 125)' --bisect \
		--duration 1 "${faults[@]}" -c ./slow -c ./slow
}

@test "125: the command under test is missing, fails or crashes" {
	# shellcheck disable=SC2016 # for the other shell
	program crashes 'kill -SEGV $$'
	ends 125 "--bisect: skip: './none' is missing or failed (status 125)" --bisect "${faults[@]}" -c ./good \
		-c ./none
	ends 125 "--bisect: skip: './fails' is missing or failed (status 125)" --bisect "${faults[@]}" -c ./good \
		-c ./fails
	ends 125 "--bisect: skip: './crashes' is missing or failed (status 125)" --bisect "${faults[@]}" \
		-c ./good -c ./crashes
	touch text
	ends 125 "--bisect: skip: './text' is missing or failed (status 125)" --bisect "${faults[@]}" -c ./good \
		-c ./text
	ends 125 "--bisect: skip: 'new' is missing or failed (status 125)" --bisect "${faults[@]}" --names old,new \
		-c ./good -c ./fails
}

@test "125: the command under test fails only sometimes" {
	# shellcheck disable=SC2016 # for the other shell
	program sometimes 'echo >>n' '[ "$(wc -l <n)" -ne 7 ]'
	ends 125 "--bisect: skip: './sometimes' is missing or failed (status 125)" --bisect "${undecided[@]}" \
		-c ./good -c ./sometimes
	is "runs" "$(wc -l <n)" 7
	rm n
	pstat --bisect "${faults[@]}" --ignore-failure -c ./sometimes -c ./sometimes
	[[ $status -le 1 ]] || fail "status $status" "$(<err)"
}

@test "125: a command around the runs fails" {
	local option

	for option in --setup --pre --post --cleanup; do
		ends 125 '--bisect: skip: a --setup, --pre, --post or --cleanup command failed (status 125)' --bisect "${faults[@]}" \
			$option ./fails -c ./good -c ./good
	done
}

@test "255: the reference is missing or fails" {
	ends 255 "--bisect: abort: the reference './none' is missing or failed (status 255)" --bisect \
		"${faults[@]}" -c ./none -c ./good
	ends 255 "--bisect: abort: the reference './fails' is missing or failed (status 255)" --bisect \
		"${faults[@]}" -c ./fails -c ./good
}

@test "255: an event of a gate is not counted, which 8 rounds show" {
	cp "$(type -P true)" small # uses less memory than pstat
	pstat -n -r 8 --save base ./small
	ends 255 '--bisect: abort: an event of a gate is not counted (status 255)' --bisect -n \
		"${table[@]}" --fail-if 'max_rss>+1%' --baseline base ./small
	grep -qE '^base +\./small +8 runs, reference$' out && grep -qE '^\./small +8 runs$' out || fail "$(<out)"
}

@test "255: an event of a gate cannot be counted, before anything runs" {
	local abort='--bisect: abort: pstat failed, see the message above (status 255)'

	needs_counting user
	ends 255 "$abort" --bisect --fail-if '1:999:u>+1%' -c 'touch started' -c true
	grep -qx "pstat: --fail-if '1:999:u>+1%': this kernel has no such software event; use 'task-clock>+5%'" err ||
		fail "$(<err)"
	[ ! -e started ]
}

@test "255: the result cannot be written" {
	ends 255 '--bisect: abort: pstat failed, see the message above (status 255)' --bisect "${faults[@]}" \
		--save none/file.json -c ./good -c ./good
	ends 255 '--bisect: abort: pstat failed, see the message above (status 255)' --bisect "${faults[@]}" \
		-o /dev/full -c ./good -c ./good
}

# wrong MESSAGE ARG...: pstat ARG... prints only MESSAGE, ends with 255 and starts no command
wrong()
{
	pstat "${@:2}"
	ends_with_status 255
	is "the message" "$(grep -v 'pstat: --bisect: abort: pstat failed' err)" "pstat: $1"
	[ ! -e started ] || fail "the command was started"
}

@test "255: options are wrong or cannot be combined" {
	wrong "--bisect needs --fail-if" --bisect -c 'touch started' -c true
	wrong "--bisect cannot be combined with -L" --bisect --fail-if "$gate" -L n=1,2 touch started
	wrong "--bisect cannot be combined with --order" --bisect --fail-if "$gate" --order alternate \
		-c 'touch started' -c true
	wrong "--bisect cannot be combined with --precision" --bisect --fail-if "$gate" --precision 1 \
		-c 'touch started' -c true
	wrong "-r 0 cannot be combined with --bisect" --bisect --fail-if "$gate" -r 0 -c 'touch started' -c true
	wrong "--bisect needs -c or --baseline" --bisect --fail-if "$gate" touch started
	wrong "--bisect needs -c or --baseline" --bisect --fail-if "$gate" -p 1
	wrong "--bisect needs -c or --baseline" --bisect --fail-if "$gate" -a
	wrong "-p cannot be combined with -c" --bisect --fail-if "$gate" -p 1 -c 'touch started' -c true
	wrong "-a cannot be combined with -c" --bisect --fail-if "$gate" -a -c 'touch started' -c true
	wrong "unknown option '--nope'; 'pstat --help-all' lists all" --bisect --nope
	wrong "-r x: not a number from 0 to 4294967295" -r x --bisec --fail-if "$gate"
	wrong "--fail-if 'nope', column 1: unknown event 'nope'" --bisect --fail-if 'nope>+1%' \
		-c 'touch started' -c true
	wrong "option '--bisect' takes no argument" -e cs --bisect=3 touch started
	pstat -r x -- --bisect
	ends_with_status 125
}

@test "125 if --bisect is only a word of the command or the argument of an option" {
	pstat --nope ./prog --bisect
	ends_with_status 125
	pstat -o --bisect
	ends_with_status 125
	pstat --nope -e --bisect-check ./prog
	ends_with_status 125
}

@test "128+n: a signal interrupts the runs, which decide nothing" {
	local name

	# shellcheck disable=SC2016 # for other shells
	for name in INT TERM; do
		: >log
		program logs 'echo >>log'
		timeout --foreground --kill-after=5 "$patience" env --default-signal=INT,QUIT \
			sh -c 'echo $$ >pid && exec "$@"' sh "$PSTAT" --bisect "${undecided[@]}" -c ./logs -c ./logs \
			>out 2>err </dev/null 3>&- &
		pstat_job=$!
		eventually '[ "$(wc -l <log)" -ge 40 ]'
		kill "-$name" "$(<pid)"
		finish
		ends_with_status $((128 + $(kill -l "$name")))
		grep -qE '^pstat: interrupted: [0-9]+ rounds$' err || fail "standard error:" "$(<err)"
		! grep -q -- '--bisect:' err || fail "a result is reported:" "$(<err)"
	done
}

@test "--baseline replaces the good build" {
	needs_documents
	pstat --quiet -r 20 -e page-faults:u --save good.json "$programs/faults" 500
	ends_with_status 0
	ends 0 '--bisect: good (status 0)' --bisect --baseline good.json --fail-if "$gate" "$programs/faults" 500
	ends 1 '--bisect: bad (status 1)' --bisect --baseline good.json --fail-if "$gate" "$programs/faults" 4000
	ends 125 "--bisect: skip: './none' is missing or failed (status 125)" --bisect --baseline good.json \
		--fail-if "$gate" ./none
	ends 255 '--bisect: abort: pstat failed, see the message above (status 255)' --bisect \
		--baseline none.json --fail-if "$gate" ./good
}

@test "a baseline with few runs cannot decide, which is reported" {
	needs_documents
	pstat --quiet -r 1 -e page-faults:u --save one.json "$programs/faults" 500
	wrong "--baseline one.json has only 1 run, which cannot decide a gate; save it again with more" \
		--bisect --baseline one.json --fail-if "$gate" touch started
	pstat --quiet -r 2 -e task-clock:u --save two.json "$programs/faults" 500
	pstat --bisect --baseline two.json --duration 1 --confidence 99.9999 --fail-if 'task-clock:u>+0.0001%' \
		"$programs/faults" 500
	ends_with_status 125
	tail -n 1 err | grep -qE '^pstat: --bisect: skip: undecided after [0-9]+ runs; save the baseline with more runs \(status 125\)$' ||
		fail "standard error:" "$(<err)"
}

@test "--quiet prints neither good nor bad, but the reasons of the other statuses" {
	pstat --bisect --quiet "${faults[@]}" -c "${few[@]}" -c "${few[@]}"
	ends_with_status 0
	says
	pstat --bisect --quiet "${faults[@]}" -c "${few[@]}" -c "${many[@]}"
	ends_with_status 1
	is "lines" "$(grep -c '^pstat: page-faults:u +.*, limit +20 %: crossed$' err) $(wc -l <err)" "1 1"
	ends 125 "--bisect: skip: './none' is missing or failed (status 125)" --bisect --quiet "${faults[@]}" \
		-c ./good -c ./none
}

@test "a step prints a line for each gate and its status; the comparison only on request" {
	local option

	ends 0 '--bisect: good (status 0)' --bisect -e page-faults:u --fail-if "$gate" \
		--fail-if 'page-faults:u<-20%' -c "${few[@]}" -c "${few[@]}"
	[ ! -s out ] || fail "standard output:" "$(<out)"
	is "lines" "$(grep -cE '^pstat: page-faults:u .*, limit [-+]20 %: kept$' err) $(wc -l <err)" "2 3"
	ends 1 '--bisect: bad (status 1)' --bisect -e page-faults:u --fail-if "$gate" -c "${few[@]}" -c "${many[@]}"
	[ ! -s out ] || fail "standard output:" "$(<out)"
	is "lines" "$(grep -c '^pstat: page-faults:u .*, limit +20 %: crossed$' err) $(wc -l <err)" "1 2"
	for option in -v '-o out' '--format markdown'; do
		# shellcheck disable=SC2086 # an option with its argument
		pstat --bisect $option -e page-faults:u --fail-if "$gate" -c "${few[@]}" -c "${few[@]}"
		grep -q 'page-faults:u' out || fail "$option:" "$(<out)"
	done
}

@test "--save keeps the comparison of the last time that the gates were judged" {
	needs_documents
	ends 1 '--bisect: bad (status 1)' --bisect "${faults[@]}" --save last.json -c "${few[@]}" -c "${many[@]}"
	pstat --compare last.json
	ends_with_status 1
}

@test "--bisect-check: 0 if the gates separate the two builds" {
	ends 0 '--bisect-check: ready: GOOD keeps the gates, and BAD does not (8 rounds)' --bisect-check -r 8 \
		"${faults[@]}" "${few[@]}" "${many[@]}"
	grep -q '^good again' out || fail "standard output:" "$(<out)"
	pstat --bisect-check -e page-faults:u --fail-if "$gate" "${few[@]}" "${many[@]}"
	ends_with_status 0
	grep -q '^pstat: good again: page-faults:u .*, limit +20 %: kept$' err || fail "$(<err)"
	grep -q '^pstat: bad: page-faults:u .*, limit +20 %: crossed$' err || fail "$(<err)"
	pstat --quiet --no-aslr --input /dev/null --setup true --shell sh --bisect-check "${faults[@]}" "${few[@]}" "${many[@]}"
	ends_with_status 0
}

@test "--bisect-check: 1 if they do not" {
	ends 1 '--bisect-check: not ready: BAD keeps the gates; choose a smaller limit' --bisect-check \
		-e page-faults:u --fail-if 'page-faults:u>+9900%' "${few[@]}" "${many[@]}"
}

@test "--bisect-check: 1 if BAD is not worse than GOOD" {
	local message='--bisect-check: not ready: BAD is not worse than GOOD; exchange them, or choose another event'

	ends 1 "$message" --bisect-check -e page-faults:u --fail-if 'page-faults:u>+20%' "${many[@]}" "${few[@]}"
	ends 1 "$message" --bisect-check -e page-faults:u --fail-if 'page-faults:u>+2000' "${many[@]}" "${few[@]}"
	ends 1 "$message" --bisect-check -e page-faults:u --fail-if 'page-faults:u<-20%' "${few[@]}" "${many[@]}"
	ends 1 "$message" --bisect-check -e dummy:u --fail-if 'dummy:u>+1' ./good ./good
}

@test "--bisect-check: 125 and 255 as --bisect" {
	ends 125 "--bisect: skip: 'bad' is missing or failed (status 125)" --bisect-check "${faults[@]}" ./good ./none
	ends 255 "--bisect: abort: the reference 'good' is missing or failed (status 255)" --bisect-check \
		"${faults[@]}" ./none ./good
	ends 125 '--bisect: skip: undecided after 10 runs of each command; see -r (status 125)' --bisect-check \
		-r 10 "${undecided[@]}" "${few[@]}" "${few[@]}"
	wrong '--bisect-check needs two commands: pstat --bisect-check --fail-if GATE GOOD BAD' --bisect-check \
		--fail-if "$gate" 'touch started'
	wrong '--bisect-check needs two commands: pstat --bisect-check --fail-if GATE GOOD BAD' --bisect-check \
		--fail-if "$gate" 'touch started' a b
	wrong '--bisect-check needs --fail-if' --bisect-check 'touch started' true
	wrong '--bisect-check cannot be combined with -c; use pstat --bisect-check --fail-if GATE GOOD BAD' \
		--bisect-check --fail-if "$gate" -c true 'touch started' true
	wrong '--bisect-check cannot be combined with --baseline' --bisect-check --fail-if "$gate" --baseline a.json \
		'touch started' true
	wrong '--bisect-check cannot be combined with --bisect' --bisect --bisect-check --fail-if "$gate" \
		'touch started' true
}

@test "git bisect run finds the commit that adds 0.7 % of page faults, on a busy machine" {
	needs_command git
	needs_command make
	needs_command cc
	"${TOP_SRCDIR:?}/tests/bench/bisect" "$PSTAT" 2 >table 2>log || fail "$(<log)" "$(<table)"
	is "commits found" "$(awk -F ' *[|] *' 'END { print $3 }' table)" "2 of 2"
}

# git_bisect COMMAND: bisect four new commits with this shell command; the output goes to the file log
git_bisect()
{
	local i

	export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null PSTAT programs
	rm -rf repository && git init -q repository && cd repository || return
	for i in 1 2 3 4; do
		git -c user.name=A -c user.email=a@example.com commit -q --allow-empty -m "commit $i"
	done
	git bisect start HEAD HEAD~3 >/dev/null
	status=0
	git bisect run sh -c "$1" >../log 2>&1 </dev/null || status=$?
	cd ..
}

@test "git bisect run skips commits whose command fails, and stops if the reference is missing" {
	needs_command git
	# shellcheck disable=SC2016 # for the shell of git
	git_bisect '"$PSTAT" --bisect --fail-if "page-faults:u>+20%" -c true -c false'
	is "skipped" "$(grep -c '^pstat: --bisect: skip: ' log)" 2
	grep -q 'could be any of:' log || fail "$(<log)"
	# shellcheck disable=SC2016 # for the shell of git
	git_bisect '"$PSTAT" --bisect --fail-if "page-faults:u>+20%" -c ../none -c true'
	is "steps" "$(grep -c '^pstat: --bisect: abort: ' log)" 1
	[ "$status" -ne 0 ] || fail "status 0" "$(<log)"
	grep -q 'bisect run failed' log || fail "$(<log)"
}
