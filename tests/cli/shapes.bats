#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# perf stat 6.1 and pstat print the same for each line of options of shapes.tsv, except for numbers.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

table=$BATS_TEST_DIRNAME/shapes.tsv

# result TOOL WORD...: run TOOL with the options, and write its result to the file TOOL.result, even
# with -o or --log-fd. With --append there are two results.
result()
{
	local tool=$1 out=$1.result times=1
	local -a run=("$bare_pstat")

	shift
	[ "$tool" = pstat ] || run=(perf stat)
	[[ " $* " != *" --append "* ]] || times=2
	rm -f result fd9 "$out"
	while ((times-- > 0)); do
		LC_ALL=C "${run[@]}" "$@" >"$tool.out" 2>"$tool.err" </dev/null 3>&- 9>>fd9 || true
	done
	cat "$tool.err" fd9 >"$out"
	[ ! -e result ] || cat result >>"$out"
	# Remove pstat's notes about the counts. perf's CSV and JSON have none.
	[[ " $* " = *" -j"* || " $* " = *" --json"* || " $* " = *" -x"* ]] ||
		sed -i -E '/^(# )?pstat: /d' "$out"
}

# compare NUMBER WORDS DIFFERENCES: print a line for shape.py, with the results of both tools
compare()
{
	local kind=table separator='' tool word

	if [[ $2 = *\$loop* ]]; then
		sh -c 'while :; do :; done' 3>&- &
		loop=$!
	fi
	eval "set -- $1 $(printf %q "$3") $(printf %q "$2") $2"
	for word in "${@:4}"; do
		case $word in
		-x*) kind=csv separator=${word#-x} ;;
		-j | -j? | --json*) kind=json ;;
		esac
	done
	for tool in perf pstat; do
		result "$tool" "${@:4}"
		mv "$tool.result" "$1.$tool"
	done
	if [ -n "${loop:-}" ]; then
		kill "$loop"
		wait "$loop" 2>/dev/null || true
		loop=
	fi
	printf '%s\tperf\t%s\t%s\t%s\t%s\t%s\n' "$3" "$kind" "$separator" "$2" "$1.perf" "$1.pstat"
}

# is_of_cgroup WORDS: some kernels and versions of perf do not count the root cgroup in short runs
is_of_cgroup()
{
	[[ $1 = *cgroup* || $1 = *" -G "* ]]
}

@test "perf stat and pstat print the same, except for numbers and listed differences" {
	local words differences n=0 version

	needs_command perf
	needs_command python3
	needs_counting kernel
	needs_cpus
	version=$(perf version)
	[[ $version = "perf version 6.1"* ]] ||
		skip "the table describes perf 6.1, but this machine has $version"
	sleep 1000 3>&- &
	# shellcheck disable=SC2034 # the words of the table use it
	idle=$!
	while IFS=$'\t' read -r words differences; do
		if is_of_cgroup "$words" && ! grep -q ' - cgroup2\? ' /proc/self/mountinfo; then
			echo "not compared, there are no cgroups: $words"
			continue
		fi
		compare "$((++n))" "$words" "$differences" >pair
		if is_of_cgroup "$words" && grep -q '<not counted>' "$n.perf"; then
			echo "not compared, perf did not count the cgroup: $words"
			continue
		fi
		if [[ $words = *\$loop* ]] && grep -q '<not counted>' "$n.perf" "$n.pstat"; then
			echo "not compared, the loop had no CPU while one of the two counted: $words"
			continue
		fi
		cat pair >>pairs
	done < <(grep -v '^#' "$table")
	python3 "$BATS_TEST_DIRNAME/shape.py" <pairs >wrong
	is "mistakes" "$(<wrong)" ""
	within "the number of compared command lines" 60 "$n" 1000
	is "repeated rows" "$(grep -v '^#' "$table" | cut -f 1 | sort | uniq -d)" ""
}

# changed KIND EDIT...: for each sed script EDIT, print a line for shape.py with the result before
# and after EDIT
changed()
{
	local edit n

	for edit in "${@:2}"; do
		n=$1-$((++edits))
		cp pstat.result "$n.before"
		sed -E "$edit" pstat.result >"$n.after"
		printf '%s %s\tpstat\t%s\t,\t-\t%s\t%s\n' "$1" "$edit" "$1" "$n.before" "$n.after"
	done
}

@test "the comparison notices each change that matters to a reader" {
	local edits=0

	needs_command python3
	needs_counting kernel # rates need all modes
	result pstat -r 2 -e task-clock,faults true
	changed table 's/task-clock/cpu-clock/' 's/msec/ms/' '/faults/d' 's/utilized/used/' 's/^ /  /' \
		's/ # /#/' 's/elapsed/passed/' 's/^$/ x/' 's/\( \+-/(+-/' 's/\(2 runs\)//' 's/\.([0-9])/,\1/' >>pairs
	result pstat -x, -e task-clock,faults true
	changed csv 's/msec//' 's/,[^,]*$//' 's/$/,/' 's/task-clock/cpu-clock/' 's/100.00/100/' 's/^/ /' \
		's/([0-9]),/\1;/' 's/CPUs/CPU/' '1!G' 's/\/sec$/s/' >>pairs
	result pstat -j -r 2 -e task-clock,faults true
	changed json 's/"unit" : "msec", //' 's/"counter-value" : "([^"]*)"/"counter-value" : \1/' \
		's/variance/spread/' 's/(.*)(, "event-runtime" : [0-9]*)(.*)}/\1\3\2}/' 's/100.00/100/' \
		's/}$/,}/' 's/^/# /' '1!G' 's/"event"/"unit"/' >>pairs
	python3 "$BATS_TEST_DIRNAME/shape.py" <pairs >different
	is "changes noticed" "$(sed -n 's/^== //p' different)" "$(cut -f 1 pairs)"
}
