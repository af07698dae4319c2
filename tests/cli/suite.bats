#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Several cases: the same sides are compared in each.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

setup()
{
	cd "$BATS_TEST_TMPDIR" || return
	needs_math
	needs_counting kernel
	cp "$programs/faults" old
	# shellcheck disable=SC2016 # for the program
	program new 'exec ./old $(($1 * 3 / 2))' # half as many pages more
	program say 'echo "$*" >>log'
}

# program NAME LINE...: write a shell script
program()
{
	printf '%s\n' '#!/bin/sh' "${@:2}" >"$1"
	chmod +x "$1"
}

# faults ARG...: compare page faults, which no time changes
faults()
{
	pstat --no-output-check -e page-faults -r 12 "$@"
}

# The cases of the table, in its order
cases()
{
	sed -nE '/^geometric mean /d; s/^([^ ]+( [^ ]+)*)  +[0-9].* (better|worse|same|unclear)$/\1 \3/p' out | tr '\n' ','
}

# logged TEXT: the arguments of the runs so far, sorted; then forget them
logged()
{
	is "the runs" "$(sort log | uniq -c | awk '{ printf "%s*%s ", $1, substr($0, 9) }')" "$1"
	rm log
}

@test "each combination of -L is a case, in which all commands run" {
	pstat --no-output-check -n -r 3 -L n=1,2 -L m=x,y -c './say a {n} {m}' -c './say b {n}'
	ends_with_status 0
	logged "3*a 1 x 3*a 1 y 3*a 2 x 3*a 2 y 6*b 1 6*b 2 "
	grep -qF './say b {n} against ./say a {n} {m} in 4 cases: ' out
}

@test "a parameter of --pre alone makes cases, too" {
	pstat --no-output-check -n -r 3 -L n=1,2 --pre './say pre {n}' -c './say a' -c './say b'
	ends_with_status 0
	logged "6*a 6*b 6*pre 1 6*pre 2 "
	is "cases" "$(grep -oE '^n=[12] ' out | sort | tr -d '\n')" "n=1 n=2 "
}

@test "with one command, or one without parameters, the values of -L are sides" {
	pstat -n -r 3 -L n=1,2 ./say '{n}'
	ends_with_status 0
	is "cases" "$(grep -c cases out || true)" 0
	pstat -n -r 3 -L n=1,2 -c './say a' -c './say {n}'
	ends_with_status 0
	is "cases" "$(grep -c cases out || true)" 0
}

@test "the cases have a line each, the largest change first, and the means follow" {
	faults -L n=1000,4000 -c './old {n}' -c './new {n}' --names old,new
	ends_with_status 0
	is "cases" "$(cases)" "n=1000 worse,n=4000 worse," # the shell of ./new has faults, too
	grep -qE '^new against old in 2 cases: page-faults 2 worse; geometric mean \+[0-9]+' out
	grep -qE '^page-faults +old +new +change \[(≥|>=) 95 %\]$' out
	grep -qE '^geometric mean +\+[0-9.]+ % \[\+[0-9.]+, \+[0-9.]+\] +worse$' out
}

@test "the geometric mean is that of the ratios of the cases" {
	needs_command jq
	faults -L n=1000,2000,4000 -c './old {n}' -c './new {n}' --format json
	ends_with_status 0
	is "the difference of the logarithms is small" "$(jq '
		[.rows[] | select(.name == "page-faults") | .contrasts[0].ratio | log] as $logs |
		(.geometric_means[] | select(.leading) | .ratio | log) - ($logs | add / length) |
		. < 1e-12 and . > -1e-12' out)" true
	is "cases" "$(jq -c '[.cases[].name]' out)" '["n=1000","n=2000","n=4000"]'
	is "worse" "$(jq '.geometric_means[] | select(.leading) | .worse' out)" 3
}

@test "--side names what differs, and each -c or line of --suite is a case" {
	printf '%s\n' '# a comment' '' 'small: {side} 1000' 'large:  {side} {n}000' >suite
	faults --suite suite --side old=./old --side new=./new -L n=2,3
	ends_with_status 0
	is "cases" "$(cases)" "small worse,large n=2 worse,large n=3 worse,"
	faults --side old=./old --side new=./new -c '{side} 1000' -c '{side} 2000'
	ends_with_status 0
	grep -qE '^\{side\} 2000 ' out
	faults --side old=./old --side new=./new -c '{side} 1000'
	ends_with_status 0
	is "cases" "$(grep -c cases out || true)" 0
	grep -q '^new has more page-faults than old: ' out || fail "$(<out)"
}

@test "a parameter of -L may be named side" {
	pstat --no-output-check -n -r 3 -L side=1,2 -c './say a {side}' -c './say b {side}'
	ends_with_status 0
	logged "3*a 1 3*a 2 3*b 1 3*b 2 "
}

@test "one combination of values is one comparison, with the values in its names" {
	pstat --no-output-check -n -r 8 -L n=5 -c 'true a{n}' -c 'true b{n}'
	ends_with_status 0
	tr -s '\n ' ' ' <out | grep -qE '^ ?true (a5|b5) .* true (a5|b5)' || fail "$(<out)"
	program one 'echo 1'
	pstat -n -r 3 --side a=2 --side b=3 -L n=5 -c './say {n} {side}' --same-output
	ends_with_status 0
}

@test "wrong suites are refused before anything runs" {
	echo 'no colon' >bad
	echo 'x:  ' >empty
	printf '#\n' >comments
	printf 'a: ./say\n' >without
	printf 'good: ./say {side}\nbad: ./say {side} | ./say\n' >shell
	local two=(--side a=1 --side b=2)

	refuses "--suite bad: 'no colon' is not NAME: COMMAND" --suite bad "${two[@]}"
	refuses "--suite empty: 'x:  ' is not NAME: COMMAND" --suite empty "${two[@]}"
	refuses "--suite comments has no cases" --suite comments "${two[@]}"
	refuses "--suite 'none': none: No such file or directory" --suite none "${two[@]}"
	refuses "--suite './say 1 | ./say', column 9: '|' is shell syntax, but no shell is run; quote it, or write sh -c '...'" \
		--suite shell "${two[@]}"
	refuses "--side: './say' does not contain {side}" --suite without "${two[@]}"
	printf 'a: ./say {side}\nb: ./say {sid}\n' >partly
	refuses "--side: './say {sid}' does not contain {side}" --suite partly "${two[@]}"
	refuses "--suite cannot be combined with -c" --suite without "${two[@]}" -c './say {side}'
	refuses "--suite cannot be combined with COMMAND" --suite without "${two[@]}" ./say '{side}'
	refuses "-p cannot be combined with --suite" --suite without "${two[@]}" -p 1
	refuses "--suite needs --side" --suite without
	refuses "--side needs -c or --suite" "${two[@]}"
	refuses "--side cannot be combined with --names" "${two[@]}" --names a,b -c './say {side}'
	refuses "--side cannot be combined with --baseline" "${two[@]}" --baseline none -c './say {side}'
	refuses "there is only one side to compare; give another --side NAME=VALUE" \
		--side a=1 -c './say {side}'
	refuses "--side x: not NAME=VALUE" --side x --side b=2 -c './say {side}'
	refuses "--side a=2: 'a' is used twice" --side a=1 --side a=2 -c './say {side}'
	refuses "-L side=... and --side name the same {side}" -L side=1,2 "${two[@]}" -c './say {side}'
	refuses "--names a: needs 2 names, one for each -c (1 given)" --names a -L n=1,2 -c './say {n}' -c './say x{n}'
	refuses "-L: no command contains {m}" -L m=1,2 -c './say 1' -c './say x'
	[ ! -e log ] || fail "something ran"
}

@test "gates are on each case, and on the geometric mean" {
	local both=(-L 'n=1000,4000' -c './old {n}' -c './new {n}')

	faults "${both[@]}" --fail-if 'page-faults>+80%'
	ends_with_status 0
	grep -qx 'pstat: 2 of 2 limits of the cases: kept' out || fail "$(<out)"
	faults "${both[@]}" --fail-if 'page-faults>+20%'
	ends_with_status 1
	grep -qE '^pstat: n=4000: page-faults \+.*, limit \+20 %: crossed' out || fail "$(<out)"
	faults "${both[@]}" --fail-if 'geomean page-faults>+80%'
	ends_with_status 0
	grep -qE '^pstat: geometric mean of page-faults \+.*, limit \+80 %: kept$' out || fail "$(<out)"
	faults "${both[@]}" --fail-if 'geomean page-faults>+20%' -o table
	ends_with_status 1
	grep -qE '^pstat: geometric mean of page-faults \+.*, limit \+20 %: crossed$' err || fail "$(<err)"
}

@test "a limit at the true value, or with too few runs, is unclear: status 2" {
	local same=(-L 'n=100,200' -c './old {n}' -c './old {n}')

	# At this confidence, chance does not decide the gate.
	pstat --no-output-check -e task-clock -r 24 --confidence 99.9999 --fail-if 'geomean task-clock>+0%' -o table "${same[@]}"
	ends_with_status 2
	grep -qE '^pstat: geometric mean of task-clock .* \[.*\], limit \+0 %: unclear$' err || fail "$(<err)"
	is "the gate in the table" "$(tail -n 1 table)" "$(tail -n 1 err)"
	faults -r 3 --fail-if 'page-faults>+80%' --quiet "${same[@]}"
	ends_with_status 2
	is "the gates" "$(sed 's/: page-faults .*limit/: page-faults ... limit/' err)" \
"pstat: n=100: page-faults ... limit +80 %: not judged (too few runs: 7 needed)
pstat: n=200: page-faults ... limit +80 %: not judged (too few runs: 7 needed)"
	is "the table" "$(<out)" ""
}

@test "a crossed limit of a case decides, although another case and the mean keep theirs" {
	# shellcheck disable=SC2016 # for the program
	program mixed 'exec ./old $((3000 - $1))' # 1000: twice as many pages; 2000: half as many
	faults -L n=1000,2000 -c './old {n}' -c './mixed {n}' --fail-if 'page-faults>+50%' --fail-if 'geomean page-faults>+50%'
	ends_with_status 1
	is "cases" "$(cases)" "n=1000 worse,n=2000 better,"
	is "the gates" "$(grep '^pstat: ' out | sed -E 's/(page-faults) .*, limit/\1 ... limit/')" \
"pstat: n=1000: page-faults ... limit +50 %: crossed
pstat: 1 of 2 limits of the cases: kept
pstat: geometric mean of page-faults ... limit +50 %: kept"
}

@test "gates without -r end when they are decided" {
	pstat --no-output-check -e page-faults -L n=1000,4000 -c './old {n}' -c './new {n}' \
		--fail-if 'geomean page-faults>+20%' --format csv-summary
	ends_with_status 1
	within "the runs of a side" 5 "$(tail -n 1 out | cut -d , -f 11)" 60
}

@test "a gate on a mean that few runs cannot decide is not judged" {
	faults -r 2 -L n=100,200,300,400,500,600 -c './old {n}' -c './new {n}' --fail-if 'geomean page-faults>+1%'
	ends_with_status 2
	grep -qE '^pstat: geometric mean of page-faults .*, limit \+1 %: not judged \(too few runs\)$' out || fail "$(<out)"
}

@test "a gate on a mean that can never be known ends the runs" {
	SECONDS=0
	pstat --no-output-check -e major-faults -L n=1,2 -c 'true {n}' -c 'true {n}' --fail-if 'geomean major-faults>+5%' \
		--format csv-summary
	ends_with_status 2
	within "the runs of a side" 2 "$(tail -n 1 out | cut -d , -f 11)" 12
}

@test "the verdicts of cases whose runs a gate on a mean ends have enough runs" {
	pstat --no-output-check -e page-faults -L n=1000,4000 -c './old {n}' -c './new {n}' --fail-if 'geomean page-faults>+80%'
	ends_with_status 0
	is "cases" "$(cases)" "n=1000 worse,n=4000 worse,"
}

@test "gates on a mean need cases and a percentage" {
	refuses "--fail-if 'geomean page-faults>+1%' needs cases: several -c with -L, or --suite" \
		--fail-if 'geomean page-faults>+1%' -c ./say -c './say x'
	refuses "--fail-if 'geomean page-faults>auto', column 20: the limit of a geometric mean is a percentage, as in >+1%" \
		--fail-if 'geomean page-faults>auto' -L n=1,2 -c './say {n}' -c './say x{n}'
	refuses "--fail-if 'geomean >+1%', column 9: the name of an event or a metric is missing here" \
		--fail-if 'geomean >+1%' -L n=1,2 -c './say {n}' -c './say x{n}'
	refuses "--fail-if 'geomean elapsed>+1%': 'elapsed' is not compared; did you mean 'duration_time'?" \
		--fail-if 'geomean elapsed>+1%' -L n=1,2 -c './say {n}' -c './say x{n}'
	refuses "--fail-if 'geomean 1:999:u>+1%': this kernel has no such software event; use 'geomean task-clock>+5%'" \
		--fail-if 'geomean 1:999:u>+1%' -L n=1,2 -c './say {n}' -c './say x{n}'
	refuses "--fail-if 'geomean page-faults>+100', column 20: the limit of a geometric mean is a percentage, as in >+1%" \
		--fail-if 'geomean page-faults>+100' -L n=1,2 -c './say {n}' -c './say x{n}'
	[ ! -e log ] || fail "something ran"
}

@test "CSV has the case after the side, and a saved suite is shown and judged again" {
	needs_documents
	faults -L n=1000,4000 -c './old {n}' -c './new {n}' --names old,new --save suite.json
	ends_with_status 0
	cp out live
	pstat --show suite.json
	ends_with_status 0
	cmp out live
	pstat --show suite.json --format csv-summary
	is "the columns" "$(head -n 1 out | tr -d '\r' | grep -o ',side,case,param_n,')" ",side,case,param_n,"
	is "sides and cases" "$(sed 1d out | grep -oE ',(old|new),n=[0-9]+,[0-9]+,' | tr '\n' ' ')" \
		",old,n=1000,1000, ,new,n=1000,1000, ,old,n=4000,4000, ,new,n=4000,4000, "
	pstat --compare suite.json --fail-if 'geomean page-faults>+20%'
	ends_with_status 1
	refuses "--baseline suite.json has several cases; give a result of one" --baseline suite.json ./say
}

@test "the output of the sides is compared in each case" {
	program one 'echo 1'
	pstat -n -r 3 -L n=1,2 -c 'echo {n}' -c './one {n}' --names a,b
	ends_with_status 0
	is "sentences" "$(grep -c 'different output' out)" 1
	tr -s ' \n' ' ' <out |
		grep -qF "case n=2: 'a' and 'b' write different output (2 and 2 bytes); see diff <(echo 2) <(./one 2) b against a" ||
		fail "$(<out)"
	pstat -n -r 3 -L n=1,2 -c 'echo {n}' -c './one {n}' --same-output
	ends_with_status 125
}

@test "--details adds the comparison of each case" {
	faults -L n=1000,4000 -c './old {n}' -c './new {n}' --details
	ends_with_status 0
	grep -qx ' n=1000' out
	grep -qE '^page-faults' out
	within "the tables of the sides" 2 "$(grep -c 'median' out)" 8
	faults -L n=1000,4000 -c './old {n}' -c './new {n}' --details --fail-if 'page-faults>+20%'
	ends_with_status 1
	is "the sentences about gates" "$(grep -c '^pstat: ' out)" 2
}

@test "the orders of the runs also work with cases" {
	for order in alternate sequential random; do
		pstat --no-output-check -n -r 4 --order $order -L n=1,2 -c './say a {n}' -c './say b {n}'
		ends_with_status 0
		logged "4*a 1 4*a 2 4*b 1 4*b 2 "
	done
}

@test "forty cases fit on a screen of 50 lines" {
	faults -r 8 -L "n=$(seq -s , 41 80)" -c './old {n}' -c './old {n}' --names a,b
	ends_with_status 0
	within "lines" 42 "$(wc -l <out)" 49
}

@test "lines of a suite may be indented, equal names get numbers, and --shell runs the lines" {
	# shellcheck disable=SC2016 # for the shell that pstat runs
	printf '%s\n' '  # a comment' '   ' '  one: ./say {side}' 'one: ./say {side} $((1 + 1)) a:b' >suite
	pstat --no-output-check -n -r 8 --suite suite --side a=1 --side 'b=3 4' --shell sh
	ends_with_status 0
	logged "8*1 8*1 2 a:b 8*3 4 8*3 4 2 a:b "
	is "cases" "$(cases | tr ',' '\n' | sed 's/ [a-z]*$//' | sort | xargs)" "one one #2"
}

@test "without --shell, each value of --side is split into words like the rest of the line" {
	printf '%s\n' 'x: ./say {side} "a  b"' 'y: ./say <{n}> {side}' >suite
	sed -i "s/<{n}>/'<{n}>'/" suite
	pstat --no-output-check -n -r 2 --suite suite --side a=1 --side b='3   4' -L n='p q'
	ends_with_status 0
	logged "2*1 a  b 2*3 4 a  b 2*<p q> 1 2*<p q> 3 4 "
}

@test "three sides: a table for each side except the reference" {
	faults -r 8 --side a=1000 --side b=3000 --side c=9000 -c './old {side}' -c './old 1{side}' --save suite.json
	ends_with_status 0
	grep -qE '^b against a in 2 cases: page-faults 2 worse; geometric mean \+' out
	grep -qE '^c against a in 2 cases: page-faults 2 worse; geometric mean \+' out
	is "columns" "$(grep '^page-faults' out | awk '{ print $2, $3 }' | xargs)" "a b a c"
	needs_documents
	pstat --compare suite.json --names x,y,z
	ends_with_status 0
	is "columns" "$(grep '^page-faults' out | awk '{ print $2, $3 }' | xargs)" "x y x z"
	refuses "--names x,y: needs 3 names, one for each side (2 given)" --compare suite.json --names x,y
}

@test "long names of sides are cut and numbered, and each case keeps its line" {
	faults -r 8 -L n=1000,2000 -c 'env A_LONG_NAME_OF_A_VARIABLE=1 ./old {n}' -c 'env A_LONG_NAME_OF_A_VARIABLE=2 ./new {n}'
	ends_with_status 0
	within "the longest line" 40 "$(wc -L <out)" 80
	grep -qE '^page-faults +#1 env A_LO.* +#2 env A_LO.* +change ' out || fail "$(<out)"
	is "cases" "$(cases)" "n=1000 worse,n=2000 worse,"
}

@test "Markdown has a row for each case and for the mean" {
	faults -L n=1000,4000 -c './old {n}' -c './new {n}' --names old,new --format markdown --fail-if 'geomean page-faults>+20%'
	ends_with_status 1
	is "the rows" "$(grep '^|' out | sed -E 's/[0-9,.]+ ± [0-9,.]+/N/g; s/\+[0-9.]+ % \[[^]]*\]/C/')" \
"| \`page-faults\` | \`old\` | \`new\` | change | verdict |
| :--- | ---: | ---: | ---: | :--- |
| \`n=1000\` | N | N | C | **worse** |
| \`n=4000\` | N | N | C | **worse** |
| geometric mean of \`page-faults\` | | | C | **worse** |"
	grep -qE '^- geometric mean of page-faults .*, limit \+20 %: crossed$' out || fail "$(<out)"
}

@test "rounds of all cases are mixed, and the seed repeats their order" {
	local first n

	pstat --no-output-check -n -r 30 --seed 5 -L n=1,2,3 -c './say {n} a' -c './say {n} b'
	ends_with_status 0
	# each pair of runs is a round of one case, and each three rounds are those of all cases
	is "the rounds" "$(paste - - <log | awk '{ print $1, $3, $2 < $4 ? $2 $4 : $4 $2 }' | sort | uniq -c | xargs)" \
		"30 1 1 ab 30 2 2 ab 30 3 3 ab"
	is "rounds of all cases" "$(awk 'NR % 2 { print $1 }' log | paste -d ' ' - - - |
		while read -r round; do tr ' ' '\n' <<<"$round" | sort | tr -d '\n'; echo; done | uniq -c | xargs)" "30 123"
	n=$(awk 'NR % 2 { print $1 }' log | paste -d ' ' - - - | sort -u | wc -l)
	within "orders of the cases" 4 "$n" 6
	first=$(<log)
	rm log
	pstat --no-output-check -n -r 30 --seed 5 -L n=1,2,3 -c './say {n} a' -c './say {n} b'
	is "the order" "$(<log)" "$first"
}

@test "the order is alternate in each case, or sequential case by case" {
	local two=(--no-output-check -n -r 2 -L 'n=1,2' -c './say a{n}' -c './say b{n}')

	pstat --order alternate "${two[@]}"
	is "the order" "$(xargs <log)" "a1 b1 a2 b2 b1 a1 b2 a2"
	rm log
	pstat --order sequential --setup './say s{n}' "${two[@]}"
	is "the order" "$(xargs <log)" "s1 a1 a1 s1 b1 b1 s2 a2 a2 s2 b2 b2"
}

@test "a decided case gets no further rounds, and the others get the rest of the time" {
	# In the case far, the sides always count the same. In near, each side is the larger one in every other round.
	# shellcheck disable=SC2016 # for the program
	program near 'echo >>near$1' 'exec ./old $((1000 + 600 * (($(wc -l <near$1) + $1) % 2)))'
	# shellcheck disable=SC2016 # for the program
	program far 'echo >>far$1' 'exec ./old ${1}000'
	printf '%s: ./%s {side}\n' near near far far >suite
	pstat --no-output-check --no-aslr -e page-faults:u --duration 3 --suite suite --side a=1 --side b=2
	ends_with_status 0
	is "cases" "$(cases)" "far worse,near unclear,"
	within "the runs of the undecided case" "$(($(wc -l <far1) * 3))" "$(wc -l <near1)" 100000
	is "the runs of the other side" "$(wc -l <near2)" "$(wc -l <near1)"
	tr -s ' \n' ' ' <out | grep -qE "; $(wc -l <far1) to $(wc -l <near1) rounds of each case " || fail "$(<out)"
}

@test "after an interrupt, the finished rounds of all cases are compared" {
	needs_command jq
	# Run N of this script waits for the signal, and ends by itself.
	# shellcheck disable=SC2016 # for the program
	program waits 'echo >>log' '[ "$(wc -l <log)" -eq "$1" ] || exit 0' 'trap got=1 INT' 'touch begun' \
		'until [ "${got:-}" ]; do sleep 0.02; done'
	interrupt INT --no-output-check -n -r 50 --order alternate -L n=1,2 -c './waits 6 {n}' -c 'true {n}' --names a,b --save saved
	ends_with_status 130
	is "valid at any time" "$(jq -c '[.any_time, .cases[].any_time]' saved)" '[true,true,true]'
	grep -qx '\[ \] and verdicts are valid at any time' out || fail "$(<out)"
	grep -qx 'pstat: interrupted: 2 of 50 rounds' err || fail "$(<err)"
	grep -qE '^b against a in 2 cases: .*too few runs' out || fail "$(<out)"
	is "cases" "$(grep -cE '^n=[12] .* too few runs$' out)" 2
	rm log
	interrupt INT --no-output-check -n -r 50 --order alternate -L n=1,2 -c './waits 2 {n}' -c 'true {n}' --names a,b
	ends_with_status 130
	grep -q '^pstat: interrupted before each command had a run: nothing to compare' err || fail "$(<err)"
	is "the table" "$(<out)" ""
}

@test "messages about a run name its case" {
	# shellcheck disable=SC2016 # for the program
	program fails '[ "$1" != 2 ] || exit 3'
	pstat --no-output-check -n -r 2 --order alternate -L n=1,2 -c 'true {n}' -c './fails {n}' --names a,b
	ends_with_status 125
	grep -qE "^pstat: case n=2: 'b': run 1: .*/?fails: exited with status 3; the series ends" err || fail "$(<err)"
}
