#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The answer of a comparison: the conclusion and a short table, the same live and of a saved document.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

setup()
{
	cd "$BATS_TEST_TMPDIR" || return
	needs_documents
	needs_command jq
	needs_math
}

# made NAME MS...: write a document with these elapsed times of true, in ms
made()
{
	[ -e base ] || pstat -n -r 1 --save base true
	jq --argjson ms "[$(IFS=,; echo "${*:2}")]" '.target.subject = "'"'./$1'"'" | .target.argv = ["./'"$1"'"] |
		del(.settings.max_rss_floor_kib) | .runs = [.runs[0] as $run | $ms[] | $run +
			{duration_time: (. * 1000000), user_time: (. * 1000000), system_time: 0, max_rss: 1500}]' \
		base >"$1"
}

# pick WORD...: one of them, by the next random number
pick()
{
	random=$(((random * 1103515245 + 12345) % 2147483648))
	picked=${*:random / 65536 % $# + 1:1}
}

# shown ARG...: print the table, without the empty lines around it
shown()
{
	LC_ALL=C.UTF-8 pstat "$@"
	sed -e '1{/^$/d}' out
}

@test "two sides: one sentence, and one row for each measure" {
	made old 100 101 99 100 102 98 100 101 99 100
	made new 103 104 102 103 105 101 103 104 102 103
	is "the answer" "$(shown --compare old new)" \
"new is 3.0 % slower than old: elapsed time +3.0 % [+1.9, +4.1], 10 and 10 runs
The sides were measured at different times: a change in the machine looks like a
  difference (-c OLD -c NEW runs both in turn)

                    old        new  change [95 %]
elapsed time  100.00 ms  103.00 ms  +3.0 % [+1.9, +4.1]  worse"
}

@test "three sides: one row for each, the best first, with the ratios to the best and to the reference" {
	made old 100 101 99 100 102 98 100 101 99 100
	made new 103 104 102 103 105 101 103 104 102 103
	made best 50 51 49 50 52 48 50 51 49 50
	is "the answer" "$(shown --compare old new best | grep -v -e '^The sides' -e '^  difference')" \
"Best: best (elapsed time); the next, old, takes 2.0 times as long, 10, 10 and
  10 runs

      elapsed time  of best   change [95 %]
best      50.00 ms     1.00  -50.0 % [-50.9, -49.1]  better
old      100.00 ms     2.00                          reference
new      103.00 ms     2.06   +3.0 % [+1.9, +4.1]    worse"
}

@test "a default comparison fits the upper half of a small screen, and ends with no chart" {
	pstat -r 7 -c true -c 'sh -c :'
	ends_with_status 0
	within "lines" 5 "$(wc -l <out)" 13
	within "the longest line" 20 "$(wc -L <out)" 80
	is "rows that nobody asked for" "$(grep -cE 'user_time|system_time|max_rss|migrations|switches' out || true)" 0
	grep -q '^elapsed time ' out && grep -q '^CPU time ' out && grep -q '^page-faults' out
}

@test "--details, or -v, shows medians, spreads, outliers and hints; --draw shows charts" {
	local option

	pstat -n -r 6 -c true -c 'sh -c :' --save saved
	! grep -qE 'median|spread|outliers|confidence' out || fail "details:" "$(<out)"
	for option in '--show saved --details' '-v -n -r 6 -c true -c true'; do
		# shellcheck disable=SC2086 # words
		pstat $option
		grep -qE 'mean .* median +spread +min .* max +outliers' out || fail "$option:" "$(<out)"
		grep -q '^6 rounds of both commands; ' out
		! grep -qE '\[?-*\+-*\]?$' out || fail "$option draws:" "$(<out)"
	done
	pstat --show saved --draw --ascii
	grep -q "^duration_time (" out || fail "no chart:" "$(<out)"
	! grep -q 'median' out || fail "details:" "$(<out)"
}

@test "no line ends between a number and its unit or interval" {
	local names

	for names in a,b aa,bbbbbbbb ccccccccccccccc,dddddddddddd eeeeeeeeeeeeeeeeeeeeeeeee,ffffffffffffffffffffffffffff; do
		pstat -n -r 6 -c true -c 'sh -c :' --names $names
		! grep -E '([0-9]|\[[^]]*),?$' out | grep -vE '\]$' || fail "$names:" "$(<out)"
	done
}

@test "Markdown of two sides: the sentence, a row for each measure, and the rest in a block" {
	pstat --label commit=1a2b3c4 -r 7 -c true -c 'sh -c :' --names 'old,new|1' --format markdown
	ends_with_status 0
	# shellcheck disable=SC2016 # Markdown's code
	sed -n 2p out | grep -qE '^<code>new&#124;1</code> (is|takes|has|uses) .*`old`: .*, 7 rounds in [0-9.]+ s\.$' ||
		fail "no sentence:" "$(<out)"
	sed '/^<details>$/,$d' out >answer
	# shellcheck disable=SC2016
	grep -q '^| measure | `old` | <code>new&#124;1</code> | change | verdict |$' answer
	is "rows" "$(sed -n 's/^| \([`a-zA-Z][^|]*\) |.*/\1/p' answer | tr -d '`' | sed 's/:u$//' | tr '\n' , |
		sed 's/instructions,cycles,branch-misses,//')" "measure,elapsed time,CPU time,page-faults,"
	! grep -qE ' -r [0-9]|needed|to resolve' answer || fail "advice:" "$(<answer)"
	# shellcheck disable=SC2016
	for text in '- `old`: `true`, 7 runs, commit `1a2b3c4`' '- <code>new&#124;1</code>: `sh -c :`, 7 runs, commit `1a2b3c4`' \
		'- 7 rounds of both commands; ± and [ ]: ≥ 95 % confidence intervals' '</details>'; do
		grep -qxF -e "$text" out || fail "not in the block: $text" "$(<out)"
	done
	# all characters with a meaning are escaped
	grep -q "^- machine: .*Linux $(uname -r | sed 's/[_~#]/.&/g')\$" out || fail "no machine:" "$(<out)"
}

@test "Markdown of a matrix: a row for each side, the best first" {
	pstat -n -r 6 -c 'sleep 0.3' -c 'sleep 0.01' -c 'sleep 0.6' --names a,b,c --format markdown
	sed '/^<details>$/,$d' out >answer
	# shellcheck disable=SC2016
	is "rows" "$(sed -n 's/^| \([^|]*\) |.*/\1/p' answer | tr '\n' ' ')" 'side :--- `b` `a` `c` '
	grep -q '^| side | elapsed time | of best | change | verdict |$' answer
	grep -q '^Best: b (elapsed time); the next, a, takes ' answer
}

# In a random comparison, all texts of the live run and of its document are the same.
@test "live and shown conclusions are the same strings in random comparisons" {
	local i format random=${PSTAT_TEST_SEED:-1} n=${PSTAT_TEST_COMPARISONS:-20} args

	for ((i = 1; i <= n; i++)); do
		args=()
		pick '-n' '-e page-faults:u' '-e task-clock,page-faults' '' '-e duration_time' '-M x=page-faults/task-clock'
		args+=("$picked")
		pick '-r 1' '-r 3' '-r 6' '-r 9' '--duration 0.05' '--duration 0.2 --precision 20' '--duration 1'
		args+=("$picked")
		pick '' '--rows all' '--rows asked' '--confidence 99' '--order sequential' '--seed 5'
		args+=("$picked")
		pick '' '--min-effect 5' '--min-effect 30' '--more-is-better duration_time' '--fail-if duration_time>+3%' '--fail-if max_rss>+1'
		args+=("$picked")
		pick '-c true' '-c true -c true'
		args+=("$picked")
		pick 'sh -c :' 'true x' 'sleep 0.002'
		# shellcheck disable=SC2048,SC2086 # words
		set -- ${args[*]} -c true -c "$picked"
		pick table 'table --details' markdown
		format=$picked
		rm -f saved live again
		# shellcheck disable=SC2086 # a format and an option
		pstat "$@" --save saved -o live --format $format
		[ -s saved ] || fail "$i: $*: nothing was saved" "$(<err)"
		sed -i '/^# pstat: /d' live
		# shellcheck disable=SC2086
		pstat --show saved -o again --format $format
		sed -i '/^# pstat: /d' again
		cmp -s live again || fail "$i: $*: $format differs:" "$(diff live again)"
		# --compare judges again, so it says the same only if the document has all that it needs
		pstat --compare saved --save judged --quiet
		is "$i: $*: the conclusions" "$(jq -c '.conclusions, .remarks' judged)" "$(jq -c '.conclusions, .remarks' saved)"
	done
}

# ended_early: whether the values decided when the rounds of the document "saved" ended
ended_early()
{
	jq -r '.any_time // false' saved
}

@test "without -r, gates end the rounds when they are decided, and are judged at any time" {
	local rounds arg

	pstat -n --save saved --fail-if 'duration_time>+50%' -c true -c 'sleep 0.05'
	ends_with_status 1
	grep -q '^pstat: duration_time .*, limit +50 %: crossed$' out || fail "not crossed:" "$(<out)"
	is "decided by the values" "$(ended_early)" true
	grep -qx '\[ \] and verdicts are valid at any time' out || fail "$(<out)"
	for arg in --details '--format markdown'; do
		# shellcheck disable=SC2086 # words
		pstat --show saved $arg
		is "sentences with $arg" "$(grep -c 'valid at any time' out)" 1
	done
	rounds=$(jq '.sides[1].result.runs | length' saved)
	within "rounds" 5 "$rounds" 300
	pstat -n --save saved --fail-if 'duration_time>+900%' -c 'sleep 0.02' -c 'sleep 0.02'
	ends_with_status 0
	grep -q ': kept$' out || fail "not kept:" "$(<out)"
	is "decided by the values" "$(ended_early)" true
}

@test "with -r, --precision or --duration alone, no difference ends the rounds of a planned test" {
	pstat -n --save saved -r 8 --fail-if 'duration_time>+50%' -c true -c 'sleep 0.05'
	ends_with_status 1
	is "decided by the values" "$(ended_early)" false
	is "rounds" "$(jq '.sides[1].result.runs | length' saved)" 8
	! grep -q 'valid at any time' out || fail "$(<out)"
	pstat -n --save saved --precision 0.0001 --duration 0.5 -c true -c 'sleep 0.02'
	ends_with_status 0
	is "decided by the values" "$(ended_early)" false
	# by default a difference does
	pstat -n --save saved --min-effect 0.001 -c true -c 'sleep 0.02'
	ends_with_status 0
	is "decided by the values" "$(ended_early)" true
}

@test "-d and gates name rows, but not the first one" {
	# the CPU time leads if an outlier makes the elapsed time unclear
	pstat -r 7 -d -c true -c 'sleep 0.1'
	ends_with_status 0
	grep -Eq '^sleep 0.1 .*: (elapsed|CPU) time' out || fail "the conclusion:" "$(<out)"
	pstat -r 7 --fail-if 'page-faults:u>+5%' -c true -c 'sleep 0.1'
	grep -Eq '^sleep 0.1 .*: (elapsed|CPU) time' out || fail "the conclusion:" "$(<out)"
}

@test "if the first measure does not vary, there are still enough rounds for verdicts on the others" {
	needs_counting user
	setarch -R true 2>/dev/null || skip "personality(ADDR_NO_RANDOMIZE) is refused here"
	pstat --no-aslr --save saved -e page-faults:u,task-clock -c "$programs/faults 1000" -c "$programs/faults 1000"
	ends_with_status 0
	within "rounds" 6 "$(jq '.sides[1].result.runs | length' saved)" 10000
	! grep -q 'too few' out || fail "too few:" "$(<out)"
}

@test "without hardware counters, a comparison with -e cycles also shows the CPU time" {
	pstat -r 8 --save saved -e cycles -c true -c "$programs/faults 1000"
	ends_with_status 0
	is "events" "$(jq -c '[.sides[].result.events[] | [.name, .implied == true]] | unique' saved | sed 's/cycles:u/cycles/')" \
		'[["cycles",false],["task-clock",true]]'
	if jq -e '.sides[0].result.events[0].opening.refused | not' saved >/dev/null; then
		! grep -q 'CPU time' out || fail "a row that no option names:" "$(<out)"
	else
		grep -q '^CPU time .* worse$' out || fail "no row of the CPU time:" "$(<out)"
	fi
	# if an event does not need a counter, the CPU time is not added
	pstat -r 8 --save saved -e cycles,cs -c true -c true
	is "events" "$(jq -r '[.sides[0].result.events[].name] | index("task-clock")' saved)" null
}

@test "rounds go on while the best two of three sides are undecided" {
	pstat -n --duration 3 --save saved -c 'sleep 0.1' -c 'sleep 0.01' -c 'sleep 0.01'
	ends_with_status 0
	if tr '\n' ' ' <out | grep -q '^ *Best: sleep .* these *are not *distinguishable'; then
		within "ms of all runs" 2600 "$(jq '[.sides[].result.runs[].duration_time] | add / 1000000 | floor' saved)" 100000
	fi
}

@test "interrupted runs and a saved reference: a note says that the verdicts are less certain" {
	local remark="The runs ended when somebody interrupted them"

	pstat -n -r 6 --save base true
	status=0
	timeout --preserve-status --foreground -s INT 1 "$PSTAT" --no-progress -n -r 0 --baseline base --save saved true >out 2>err || status=$?
	ends_with_status 0
	grep -q "^$remark" out || fail "no remark:" "$(<out)"
	is "saved" "$(jq -c '[.any_time, .paired, .reference_runs]' saved)" '[true,false,6]'
	pstat --show saved
	grep -q "^$remark" out || fail "no remark of --show:" "$(<out)"
}

@test "Markdown: the unit of a change is escaped" {
	pstat -n -r 6 --save saved -M 'x=page-faults:u/page-faults:u - 1' -c true -c 'sh -c :' >/dev/null
	jq '(.. | .unit? // empty) |= "a|<b>"' saved >changed
	pstat --show changed --rows all --format markdown
	grep -q 'a.*b' out && ! grep -q '<b>' out || fail "not escaped:" "$(<out)"
}
