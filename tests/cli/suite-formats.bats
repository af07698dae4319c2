#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The documents of several cases, and the formats that cannot show them.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

schemas=${TOP_SRCDIR:?}/src/document
cases=(--no-output-check -c 'true {n}' -c 'true {n} x' -L 'n=1,2,3')

# checks DOCUMENT: check it against the schema, and check that its parts agree
checks()
{
	local problems

	needs_module jsonschema
	problems=$(python3 "$TOP_SRCDIR/tests/cli/comparison.py" "$schemas" "$1") || fail "$1: $problems" "$(<"$1")"
}

# compares ARG...: compare three sides in the cases of --side, and save the document
compares()
{
	printf '%s: true %s\n' 'one' '{side}' 'two words' '{side} 2' '<b>"three"' '{side} 3' >suite
	pstat --no-output-check --suite suite --side old=a --side new=b --side other=c --save document "$@"
}

setup()
{
	cd "$BATS_TEST_TMPDIR" || return
	needs_math
}

# ---- Documents

@test "the document of several cases matches the schema, and its parts agree" {
	needs_command jq
	compares -r 12 -e '{page-faults,task-clock}' --min-effect 2 \
		--fail-if 'task-clock>+500%' --fail-if 'geomean task-clock>+400%' --fail-if 'geomean page-faults<-90%'
	[ "$status" -ne 125 ] || fail "no comparison:" "$(<err)"
	checks document
	is "cases" "$(jq -c '[.cases[].name]' document)" '["one","two words","<b>\"three\""]'
	is "sides" "$(jq -c '[.sides[].name]' document)" \
		'["old","new","other","old","new","other","old","new","other"]'
	is "sides of a row" "$(jq '[.rows[].sides | length] | unique[]' document)" 3
	is "outcomes" "$(jq '.outcomes | length' document)" 6
	is "outcomes on means" "$(jq -c '[.geometric_mean_outcomes[] | [.gate, .side]]' document)" \
		'[[1,1],[1,2],[2,1],[2,2]]'
	is "conclusions" "$(jq '.conclusions | length' document)" 2
}

@test "the documents of -L, of one round, and of absent events match the schema" {
	pstat "${cases[@]}" -r 1 --format json
	ends_with_status 0
	checks out
	pstat --no-output-check -c 'true {n} {m}' -c 'true {m}' -L n=1,2 -L 'm=a,b' -r 6 -n --format json
	ends_with_status 0
	checks out
	pstat "${cases[@]}" -r 6 -e cycles,duration_time --order sequential --format json
	ends_with_status 0
	checks out
}

@test "--show --format json prints the document of several cases as it was saved" {
	needs_documents
	compares -r 12 --fail-if 'geomean duration_time>+900%' --format json
	[ "$status" -ne 125 ] || fail "no comparison:" "$(<err)"
	cmp out document
	pstat --show document --format json
	ends_with_status 0
	cmp out document
}

# ---- Formats

# one_message PATTERN: check that pstat refused, with one line that matches, before anything ran
one_message()
{
	ends_with_status 125
	is "lines" "$(wc -l <err)" 1
	grep -qE -e "^pstat: $1" err || fail "not the message $1:" "$(<err)"
	[ ! -e started ] || fail "the command was started"
}

@test "formats that cannot show several cases are refused before anything runs" {
	local format started=(-c 'touch started {n}' -c 'true {n}' -L 'n=1,2')

	for format in github bmf benchmark-action influx; do
		pstat --format "$format" "${started[@]}"
		one_message "--format $format cannot show several cases$"
	done
	for format in openmetrics history; do
		pstat --format "$format" "${started[@]}"
		one_message "--format $format: not for comparisons; choose from: "
	done
	pstat -x, "${started[@]}"
	one_message '-x.* cannot be combined with '
}

@test "formats that cannot show several cases are refused for a saved document, too" {
	needs_documents
	pstat "${cases[@]}" -n -r 2 --save document
	ends_with_status 0
	for format in github bmf benchmark-action influx; do
		pstat --show document --format "$format"
		one_message "--format $format cannot show several cases$"
	done
	pstat --show document --format openmetrics
	one_message "--format openmetrics: not for comparisons; "
	for format in table json csv csv-summary markdown; do
		pstat --show document --format "$format"
		ends_with_status 0
		[ -s out ] || fail "no output of $format"
	done
}
