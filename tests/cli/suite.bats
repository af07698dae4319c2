#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Several cases: the same sides are compared in each.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

setup()
{
	cd "$BATS_TEST_TMPDIR" || return
	pstat -n -r 1 -c true -c true
	! grep -q 'libRmath' err || skip "libRmath is not installed"
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
	sed -nE 's/^([^ ]+( [^ ]+)*)  +[0-9].* (better|worse|same|unclear)$/\1 \3/p' out | tr '\n' ','
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
	grep -qE '^page-faults +old +new +change \[95 % together\]$' out
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

@test "wrong suites are refused before anything runs" {
	echo 'no colon' >bad
	echo 'x:  ' >empty
	printf '#\n' >comments
	printf 'a: ./say\n' >without
	local two=(--side a=1 --side b=2)

	refuses "--suite bad: 'no colon' is not NAME: COMMAND" --suite bad "${two[@]}"
	refuses "--suite empty: 'x:  ' is not NAME: COMMAND" --suite empty "${two[@]}"
	refuses "--suite comments has no cases" --suite comments "${two[@]}"
	refuses "--suite 'none': none: No such file or directory" --suite none "${two[@]}"
	refuses "--side: no command contains {side}" --suite without "${two[@]}"
	refuses "--suite cannot be combined with -c" --suite without "${two[@]}" -c './say {side}'
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

@test "gates without -r end when they are decided" {
	pstat --no-output-check -e page-faults -L n=1000,4000 -c './old {n}' -c './new {n}' \
		--fail-if 'geomean page-faults>+20%' --format csv-summary
	ends_with_status 1
	within "the runs of a side" 5 "$(tail -n 1 out | cut -d , -f 11)" 60
}

@test "gates on a mean need cases and a percentage" {
	refuses "--fail-if 'geomean page-faults>+1%' needs cases: several -c with -L, or --suite" \
		--fail-if 'geomean page-faults>+1%' -c ./say -c './say x'
	refuses "--fail-if 'geomean page-faults>+100', column 20: the limit of a geometric mean is a percentage, as in >+1%" \
		--fail-if 'geomean page-faults>+100' -L n=1,2 -c './say {n}' -c './say x'
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
	is "notes" "$(grep -c 'different output' err)" 1
	grep -qF "pstat: case n=2: 'a' and 'b' write different output (2 and 2 bytes); see diff <(echo 2) <(./one 2)" err
	pstat -n -r 3 -L n=1,2 -c 'echo {n}' -c './one {n}' --same-output
	ends_with_status 125
}

@test "--details adds the comparison of each case" {
	faults -L n=1000,4000 -c './old {n}' -c './new {n}' --details
	ends_with_status 0
	grep -qx ' n=1000' out
	grep -qE '^page-faults' out
	within "the tables of the sides" 2 "$(grep -c 'median' out)" 8
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
