#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs that read the output of perf stat can read that of pstat: each test is one such reader.
# They read all of standard error, which includes an event that no kernel counts.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

setup()
{
	cd "$BATS_TEST_TMPDIR" || return
	needs_counting user
	events=task-clock:u,page-faults:u,1:999:u,minor-faults:u
}

# json CODE: run Python code with the JSON objects of standard error in the list rows; other lines
# are errors
json()
{
	needs_command python3
	python3 -c '
import json, sys

def refuse(text):
    raise ValueError(text)

def unique(pairs):
    assert len(dict(pairs)) == len(pairs), pairs
    return dict(pairs)

rows = [json.loads(line, parse_constant=refuse, object_pairs_hook=unique)
        for line in open("err", encoding="utf-8", errors="strict").read().splitlines()]
assert all(isinstance(row, dict) for row in rows)
'"$1" || fail "standard error:" "$(<err)"
}

@test "a JSON parser on every line: keys, and values as strings" {
	local words

	pstat -j -e "$events" true
	ends_with_status 0
	json '
assert [row["event"] for row in rows] == ["task-clock:u", "page-faults:u", "1:999:u", "minor-faults:u"]
assert float(rows[1]["counter-value"]) > 0
assert rows[2]["counter-value"] == "<not supported>"
assert rows[0]["unit"] == "msec" and rows[1]["unit"] == ""
assert float(rows[0]["metric-value"]) > 0 and rows[0]["metric-unit"] == "CPUs utilized"
assert float(rows[2]["metric-value"]) == 0 and rows[2]["metric-unit"] == ""
assert all(row["pcnt-running"] == 100 and isinstance(row["event-runtime"], int) for row in rows)'
	for words in '-r 3' '-I 20' '-I 20 --summary' '--metric-only' '--metric-only -I 20' '-M x=page-faults/0' \
		'-n' '--no-scale' '--json'; do
		[[ $words = -n ]] || words+=" -e $events"
		# shellcheck disable=SC2086 # words
		pstat -j $words sleep 0.05
		ends_with_status 0
		json ''
	done
}

@test "a file of JSON has no other lines, also after --append" {
	pstat -j -o result -e "$events" true
	pstat -j -o result --append -e "$events" true
	mv result err
	json 'assert len(rows) == 8'
}

@test "JSON is strict whatever names the threads and events have" {
	local name=$'a"\\{\n\t\xff' thread

	needs_counting kernel
	needs_command python3
	cp "$(command -v sleep)" "$name"
	"./$name" 100 3>&- &
	thread=$!
	eventually "grep -q '^a' /proc/$thread/comm"
	pstat -j --per-thread -p "$thread" -e "software/config=2,name='q\"\\,{}'/u" true
	kill "$thread"
	ends_with_status 0
	json 'assert rows[0]["thread"].startswith("a\"\\{\n\t\ufffd-"), rows
assert rows[0]["event"].startswith("q\"\\"), rows'
}

@test "CSV: a reader that counts separators and skips comments and empty lines" {
	local line

	pstat -x, -e "$events" true
	ends_with_status 0
	is "events" "$(awk -F, '!/^#/ && NF { print NF, $3 }' err)" \
		"7 task-clock:u
7 page-faults:u
7 1:999:u
7 minor-faults:u"
	pstat -x, -r 3 -o result -e "$events" true
	is "numbers of fields" "$(awk -F, '!/^#/ && NF { print NF }' result | sort -u)" 8
	pstat -x, -I 20 -e "$events" sleep 0.05
	is "numbers of fields" "$(awk -F, '!/^#/ && NF { print NF }' err | sort -u)" 8
	pstat '-x\t' -e "$events" true
	is "numbers of fields" "$(awk -F '\t' '!/^#/ && NF { print NF }' err | sort -u)" 7
	while IFS=$'\t' read -r -a line; do
		case ${line[0]} in
		'#'* | '' | '<not supported>' | '<not counted>') ;;
		*) within "a value" 0 "${line[0]}" 1000000 ;;
		esac
	done <err
}

@test "the table: a reader that extracts columns with awk, and finds the elapsed time" {
	pstat -e "$events" sleep 0.05
	ends_with_status 0
	within "task-clock" 0.01 "$(awk '$3 == "task-clock:u" { print $1 }' err)" 1000
	within "page-faults" 1 "$(awk '$2 == "page-faults:u" { gsub(",", "", $1); print $1 }' err)" 1000
	is "not supported" "$(awk '$3 == "1:999:u" { print $1, $2 }' err)" "<not supported>"
	within "elapsed" 0.05 "$(awk '/seconds time elapsed/ { print $1 }' err)" 60
	within "user" 0 "$(sed -n 's/^ *\([0-9.]*\) seconds user$/\1/p' err)" 60
	within "sys" 0 "$(sed -n 's/^ *\([0-9.]*\) seconds sys$/\1/p' err)" 60
	within "CPUs utilized" 0 "$(sed -nE 's/.*# +([0-9.]+) CPUs utilized.*/\1/p' err)" 2
	pstat -r 3 -e "$events" true
	within "elapsed" 0.0001 "$(awk '/seconds time elapsed/ { print $1 }' err)" 60
	is "text after it" "$(awk '/seconds time elapsed/ { print $2, $4, $5, $6 }' err)" \
		"+- seconds time elapsed"
}

@test "--metric-only -x: names in the first line, and as many fields in the next one" {
	pstat -x, --metric-only -M 'ratio=page-faults:u/page-faults:u,x=page-faults:u*2' true
	ends_with_status 0
	is "names" "$(sed -n 1p err)" ratio,x,
	is "fields" "$(sed -n 2p err | awk -F, '{ print NF, $1 }')" "3 1.000"
	is "lines" "$(wc -l <err)" 2
}

@test "-j: the number of CPUs has the key of the version of perf that PSTAT_PERF_VERSION names" {
	local version

	needs_cpus
	for version in 5.19 6.1 6.12 6.12.48; do
		PSTAT_PERF_VERSION=$version pstat -j -a --per-core -e cs true
		is "$version" "$(grep -c '"aggregate-number" : [1-9]' err)" "$(wc -l <err)"
	done
	for version in 6.13 7.1 mine ''; do
		PSTAT_PERF_VERSION=$version pstat -j -a --per-core -e cs true
		is "$version" "$(grep -c '"counters" : [1-9]' err)" "$(wc -l <err)"
		[ -s err ] || fail "no rows"
	done
}

@test "--metric-only: events without a ratio print a message, not empty lines" {
	local message="--metric-only: the events have no ratio; count cycles and instructions, or use -M"

	pstat --metric-only -e page-faults:u -o result true
	ends_with_status 0
	is "standard error with -o" "$(<err)" ""
	is "the note of the file" "$(grep '^# pstat' result)" "# pstat: $message"
	pstat -n -o nothing true # without the empty line between rows and times, and without the note
	is "lines of the table" "$(wc -l <result)" "$(($(wc -l <nothing) + 2))"
	pstat --metric-only -e page-faults:u true
	is "notes of the table" "$(grep -cxF "pstat: $message" err)" 1
	pstat -x, --metric-only -e page-faults:u true
	ends_with_status 0
	is "standard error with -x" "$(<err)" ""
	pstat -x, --metric-only -I 20 -e page-faults:u sleep 0.1
	is "standard error with -I" "$(<err)" ""
	pstat --metric-only -M 'x=page-faults:u*2' true
	ends_with_status 0
	is "messages if there is a ratio" "$(grep -c -e "$message" err)" 0
}

@test "a saved document is shown as perf's formats would have been" {
	local words

	for words in -j '-x,' --table '--table -x,' --metric-only '--metric-only -x,' '--metric-only -j'; do
		# shellcheck disable=SC2086 # words
		pstat $words -o result --save saved.json -r 3 -M x=page-faults:u/2 -e "$events" true
		ends_with_status 0
		# shellcheck disable=SC2086 # words
		pstat --show $words -o shown saved.json
		ends_with_status 0
		is "output with $words" "$(grep -v '^# started' shown)" "$(grep -v '^# started' result)"
	done
}
