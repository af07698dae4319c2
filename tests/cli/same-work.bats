#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Before a comparison, each command runs once, and its output is compared with that of the first one.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

setup()
{
	cd "$BATS_TEST_TMPDIR" || return
	needs_math
	program a 'echo one' 'echo a >>log'
	program b 'echo two' 'echo b >>log'
}

# program NAME LINE...: write a shell script
program()
{
	printf '%s\n' '#!/bin/sh' "${@:2}" >"$1"
	chmod +x "$1"
}

# compare ARG...: pstat -n -r 2 --format csv ARG...; keep only the notes about the work
compare()
{
	rm -f log
	pstat -n -r 2 --format csv "$@"
	grep -E "different output|different statuses|the same arguments|varies from run to run" err >notes || true
}

# runs N_OF_A N_OF_B: the commands ran so many times
runs()
{
	is "runs of a" "$(grep -c a log)" "$1"
	is "runs of b" "$(grep -c b log)" "$2"
}

differ="pstat: './a' and './b' write different output (4 and 4 bytes); see diff <(./a) <(./b)"

@test "different outputs are noted, and the rounds follow" {
	compare -c ./a -c ./b
	ends_with_status 0
	is "notes" "$(<notes)" "$differ"
	runs 4 3 # ./a runs once more, to see whether its output varies
}

@test "the result shows different outputs above the answer, and then there is no note" {
	local sentence=${differ#pstat: }

	needs_documents
	needs_command jq
	pstat -n -r 2 -c ./a -c ./b --save saved --html page.html
	ends_with_status 0
	is "lines of the table" "$(head -n 2 out)" $'\n'"$sentence"
	! grep -q 'different output' err || fail "$(<err)"
	is "saved" "$(jq -c .different_work saved)" "[\"$sentence\"]"
	pstat --show saved --details
	is "lines of the details" "$(head -n 2 out)" $'\n'"$sentence"
	pstat --show page.html --format markdown
	is "the paragraph" "$(sed -n '2s/\\\(.\)/\1/gp' out)" "$sentence."
	pstat --compare saved --format github
	grep -q "^::warning .*$sentence\$" out || fail "$(<out)"
	pstat -n -r 2 -c ./a -c ./b --quiet --save saved
	says ""
	is "saved" "$(jq -c .different_work saved)" "[\"$sentence\"]"
	pstat -n -r 2 -c ./a -c ./a --save saved
	is "of the same work" "$(jq .different_work saved)" null
}

@test "one sentence is about all cases of two sides" {
	local sentence format

	needs_documents
	needs_command jq
	# shellcheck disable=SC2016 # for the programs
	program a 'echo $1'
	# shellcheck disable=SC2016
	program b 'echo $((- $1))'
	sentence="case n=1: './a {n}' and './b {n}' write different output (2 and 3 bytes); see diff <(./a 1) <(./b 1); also in 1 other case"
	for format in table markdown; do
		pstat -n -r 2 -L n=0,1,2 -c './a {n}' -c './b {n}' --format $format --save saved
		ends_with_status 0
		[[ "$(sed 's/\\\(.\)/\1/g' out | tr -s ' \n' ' ')" = " $sentence"* ]] || fail "$(<out)"
	done
	is "saved" "$(jq -r '.different_work[]' saved)" "$sentence"
	compare --same-output -L n=0,1,2 -c './a {n}' -c './b {n}'
	ends_with_status 125
	grep -q "^pstat: --same-output: case n=1: './a" err || fail "$(<err)"
}

@test "equal outputs are not noted, whatever their size" {
	program a 'head -c 3000000 /dev/zero' 'echo a >>log'
	program b 'head -c 1000000 /dev/zero; head -c 2000000 /dev/zero' 'echo b >>log'
	compare -c ./a -c ./b
	ends_with_status 0
	is "notes" "$(<notes)" ""
	runs 3 3
	program b 'head -c 2999999 /dev/zero; echo' 'echo b >>log'
	compare -c ./a -c ./b -c ./a
	is "notes" "$(<notes)" "pstat: './a' and './b' write different output (3000000 and 3000000 bytes); see diff <(./a) <(./b)"
}

@test "output that varies from run to run is not compared" {
	program a 'date +%N' 'echo a >>log'
	compare -c ./a -c ./b
	is "notes" "$(<notes)" ""
	compare -v -c ./a -c ./b
	is "notes" "$(<notes)" "pstat: the output of './a' varies from run to run, so it is not compared"
	compare --same-output -c ./a -c ./b
	ends_with_status 125
	is "notes" "$(<notes)" "pstat: --same-output: the output of './a' varies from run to run; leave out --same-output"
	runs 2 1
}

@test "statuses are compared even if the output varies" {
	program a 'date +%N'
	program b 'date +%N' 'exit 3'
	compare --ignore-failure -c ./a -c ./b
	is "notes" "$(<notes)" "pstat: './b' and './a' end with different statuses"
	program a 'date +%N' 'mkdir made 2>&-'
	compare --ignore-failure -v -c ./a -c ./b
	is "a status that varies" "$(<notes)" "pstat: the exit status of './a' varies from run to run, so it is not compared"
}

@test "--same-output refuses the comparison before the rounds" {
	rm -f log
	pstat -n -r 2 --same-output -c ./a -c ./b
	ends_with_status 125
	says "pstat: -r 2: too few runs for a verdict on counts that vary; each side needs 6" \
		"pstat: --same-output: ${differ#pstat: }"
	runs 2 1
	compare --same-output -c ./a -c ./a
	ends_with_status 0
}

@test "different statuses are noted with --ignore-failure" {
	program b 'echo one' 'exit 3'
	compare --ignore-failure -c ./a -c ./b
	is "notes" "$(<notes)" "pstat: './b' and './a' end with different statuses"
	pstat -n -r 2 -c ./a -c ./b
	ends_with_status 125
	grep -q "^pstat: './b': output check: .*/b: exited with status 3; the series ends" err || fail "$(<err)"
}

@test "a copy of the first program with the same arguments is noted" {
	mkdir old new
	cp a old/prog
	cp a new/prog
	compare -c ./old/prog -c ./new/prog
	is "notes" "$(<notes)" "pstat: './new/prog' runs a copy of the program of './old/prog', with the same arguments"
	compare -c ./old/prog -c './new/prog x'
	is "other arguments" "$(<notes)" ""
	ln -f old/prog new/prog
	compare -c ./old/prog -c ./new/prog
	is "a link" "$(<notes)" "pstat: './new/prog' runs the same file as './old/prog', with the same arguments"
	PATH=$PWD/old:$PATH compare -c prog -c ./old/prog -c './old/prog x'
	is "a path" "$(<notes)" "pstat: './old/prog' runs the same file as 'prog', with the same arguments"
	ln old/prog new/other
	compare -c ./old/prog -c ./new/other
	is "a link of another name" "$(<notes)" ""
	compare -c ./old/prog -c ./old/prog
	is "the same program" "$(<notes)" ""
	rm -f new/prog
	cp a new/prog
	printf '%s\n' 'first: printf %.0s {side}' 'second: ./{side}/prog' 'third: ./{side}/prog 1' >suite
	compare --suite suite --side A=old --side B=new
	is "once for several cases" "$(<notes)" "pstat: 'B' runs a copy of the program of 'A', with the same arguments"
}

@test "the check is left out on request, and where outputs may differ" {
	compare --no-output-check -c ./a -c ./b
	is "notes" "$(<notes)" ""
	runs 2 2
	compare --order sequential -c ./a -c ./b
	is "notes" "$(<notes)" ""
	runs 2 2
	compare --show-output -c ./a -c ./b
	is "notes" "$(<notes)" ""
	runs 2 2
	compare -L n=1,2 -c './a {n}'
	is "notes" "$(<notes)" ""
	runs 4 0
	refuses "--same-output: the outputs of these sides are not compared, see pstat-compare(1)" --same-output -L n=1,2 touch started '{n}'
	refuses "--same-output cannot be combined with --no-output-check" --same-output --no-output-check \
		-c 'touch started' -c true
}

@test "a process that keeps the output open is not waited for" {
	program a 'sleep 60 &' 'echo $! >>pids' 'echo one'
	program b 'sleep 60 &' 'echo $! >>pids' 'echo two'
	timeout "$patience" "$PSTAT" -n -r 1 -c ./a -c ./b >out 2>err </dev/null || fail "status $?" "$(<err)"
	xargs kill <pids
	grep -qF "${differ#pstat: }" out || fail "$(<out)"
}
