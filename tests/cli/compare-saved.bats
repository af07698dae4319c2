#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Comparisons as documents, and in the formats for programs.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

source_dir=${TOP_SRCDIR:?}
schemas=$source_dir/src/document

# checks DOCUMENT: check it against the schema, and check that each side's result is itself a
# document
checks()
{
	local problems i

	needs_module jsonschema
	needs_command jq
	problems=$(python3 "$source_dir/tests/cli/comparison.py" "$schemas" "$1") || fail "$1: $problems" "$(<"$1")"
	for ((i = 0; i < $(jq '.sides | length' "$1"); i++)); do
		jq ".sides[$i].result" "$1" >side
		problems=$(python3 "$source_dir/tests/cli/document.py" "$schemas/pstat-result-2.schema.json" side) ||
			fail "side $i of $1: $problems" "$(<side)"
	done
}

# holds FILTER EXPECTED: check what jq finds in the file document
holds()
{
	is "$1" "$(jq -cr "$1" document)" "$2"
}

# compare ARG...: run pstat ARG... with status 0
compare()
{
	pstat "$@"
	ends_with_status 0
}

setup()
{
	cd "$BATS_TEST_TMPDIR" || return
	needs_math
}

@test "--save keeps all sides with their runs, order, seed, gates and minimum effects" {
	needs_command jq
	pstat --save document -e page-faults:u,duration_time -r 3 --seed 18446744073709551615 \
		--confidence 99 --names 'old,"new"' --fail-if 'page-faults:u>+50%' --fail-if 'max_rss<-1000000000' \
		--min-effect 2 --min-effect max_rss=0.5 --more-is-better page-faults:u --gate-scaled \
		-c "sh -c 'exit 0'" -c true
	is "status: three runs are too few for a gate" "$status" 2
	checks document
	holds .schema pstat-comparison
	holds .confidence 0.99
	holds '[.seed, .sides[].result.pstat.seed] | unique' '["18446744073709551615"]'
	holds '.paired, .gate_scaled' $'true\ntrue'
	holds '.order | sort' '[0,0,0,1,1,1]'
	holds '[.sides[].name]' '["old","\"new\""]'
	holds '[.sides[].result.target.argv]' '[["sh","-c","exit 0"],["true"]]'
	holds '[.sides[].result.runs | length]' '[3,3]'
	holds '.effects[] | [.name, .minimum_effect, .more_is_better]' \
		$'[null,0.02,false]\n["max_rss",0.005,false]\n["page-faults:u",null,true]'
	holds '.gates[] | [.text, .name, .above, .relative, .limit]' \
		$'["page-faults:u>+50%","page-faults:u",true,true,0.5]\n["max_rss<-1000000000","max_rss",false,false,-1000000000]'
	holds '[.rows[].name] | index("page-faults:u", "max_rss") != null' $'true\ntrue'
}

@test "--format json prints the saved document and nothing else" {
	compare -n -r 2 --format json --save document -o shown -c true -c false --ignore-failure
	diff document shown >&2 || fail "the result differs from the saved document"
	checks document
	compare -n -r 1 --format json -c true -c true
	mv out alone
	checks alone
	holds '.sides[1].result.runs[].exit_status' $'1\n1'
	compare -n -r 2 --order sequential --save document -c true -c true -c true
	checks document
	holds '.paired, .order' $'false\n[0,0,1,1,2,2]'
	compare -n -r 2 --quiet --save document -c true -c true
	is "standard error" "$(<err)" ""
	checks document
	needs_counting user
	compare -M 'x=page-faults:u/task-clock:u' -r 2 --save document -c true -c true
	checks document
	holds '[.rows[].name][1:4]' '["page-faults:u","task-clock:u","x"]'
}

@test "a document that cannot be written is pstat's failure, and the comparison is still shown" {
	mkdir folder
	pstat -n -r 2 --save folder -c true -c true
	ends_with_status 125
	pstat -n -r 2 --save /dev/full -c true -c true
	ends_with_status 125
	grep -q '^elapsed time' out
	grep -q '^pstat: .*/dev/full: No space left on device' err
	echo old >document
	pstat -n -r 2 --save document -o document -c true -c true
	ends_with_status 125
	is "the file" "$(<document)" old
}

@test "--format csv and csv-summary have the runs of all sides, and their names" {
	needs_command python3
	for format in csv csv-summary; do
		compare -e page-faults:u,cs -r 3 --names 'a,"b" c' --format $format -o $format -c true -c 'echo "x y"'
		compare -e page-faults:u,cs -r 3 --names d,e --format $format -o $format --append -c true -c true
		python3 - $format >columns <<-'END'
			import csv, sys
			with open(sys.argv[1], newline="") as file:
			    lines = list(csv.DictReader(file, strict=True))
			for line in lines:
			    assert None not in line and None not in line.values(), line
			    print(line["side"], line["command"], line["event"], line.get("run") or line["runs"], sep="|")
		END
		is "the last columns of $format" "$(head -n 1 $format | tr -d '\r' | grep -o ',side,.*')" \
			,side,value_low,value_high,estimator
		is "lines that name the columns" "$(grep -c '^command,' $format)" 1
		is "sides of $format" "$(cut -d '|' -f 1,2 columns | uniq)" $'a|true\n"b" c|echo x y\nd|true\ne|true'
	done
	is "lines of csv-summary" "$(wc -l <columns)" 8
	is "lines of csv" "$(wc -l <csv)" $((1 + 4 * 3 * 2))
}

# shows_again ARG...: check in each format that --show prints a saved comparison as pstat ARG...
# printed it
shows_again()
{
	local format

	for format in table json csv csv-summary markdown github; do
		rm -f saved shown live
		pstat --save saved -o live --format $format "$@"
		mv err live-err
		[ -s saved ] || fail "nothing was saved" "$(<live-err)"
		pstat --show saved --format $format -o shown
		ends_with_status 0
		sed -i '/^# pstat: .*too few runs for a verdict/d' live
		cmp live shown || fail "$format: --show differs from the first output:" "$(diff live shown)"
		grep -v -e 'exited with' -e ', limit ' live-err >live-reasons || true
		is "standard error of --show" "$(<err)" "$(<live-reasons)"
		pstat --show saved --format json
		cmp out saved || fail "the document changed:" "$(diff saved out)"
	done
}

# columns FROM: print the columns of the CSV file "out" from FROM up to the interval columns,
# separated by bars and without repeated lines
columns()
{
	needs_command python3
	python3 -c '
import csv, sys

rows = list(csv.reader(open("out", newline="")))
first = rows[0].index(sys.argv[1])
last = None
for row in rows:
    assert len(row) == len(rows[0]), row
    if row[first:-3] != last:
        last = row[first:-3]
        print("|".join(last), end=" ")
' "$1"
}

@test "csv and csv-summary: each parameter of -L has a column" {
	for format in csv csv-summary; do
		compare --format $format -n -r 2 -L n=1,2 -L m=x,y -c true -c 'echo {m} {n}' --names r,s,t,u,v
		is $format "$(columns side)" \
			"side|param_n|param_m r|| s|1|x t|1|y u|2|x v|2|y "
		compare --format $format -n -r 2 -c true -c 'echo x'
		is $format "$(columns side)" "side true echo x "
	done
}

@test "--save keeps the parameters of -L, for --show and --compare" {
	needs_documents
	needs_command jq
	local parameters='[null,{"n":"1","m":"x"},{"n":"1","m":"y,z"},{"n":"2","m":"x"},{"n":"2","m":"y,z"}]'

	compare --save document -n -r 2 -L n=1,2 -L 'm=x,y\,z' -c true -c "echo '{m}' {n}"
	checks document
	holds '[.sides[].parameters]' "$parameters"
	holds '[.sides[].name]' '["true","n=1,m=x","n=1,m=y,z","n=2,m=x","n=2,m=y,z"]'
	holds '.sides[0] | has("parameters")' false
	compare --compare document --save second
	is "--compare" "$(jq -c '[.sides[].parameters]' second)" "$parameters"
	compare --compare document --format csv
	is columns "$(columns param_n)" 'param_n|param_m | 1|x 1|y,z 2|x 2|y,z '
	compare --save other -n -r 2 -L k=3,4 echo '{k}'
	compare --show document other --format csv-summary
	is columns "$(columns param_n)" \
		'param_n|param_m|param_k || 1|x| 1|y,z| 2|x| 2|y,z| ||3 ||4 '
	compare --format json -n -r 2 -L n=5,6 echo '{n}'
	is json "$(jq -c '[.sides[].parameters]' out)" '[{"n":"5"},{"n":"6"}]'
}

@test "--show prints a comparison again as it was" {
	needs_documents
	shows_again -n -r 3 --no-output-check -c true -c 'echo x'
	shows_again -e cycles,page-faults,context-switches -M 'x=page-faults/task-clock' -r 4 --no-output-check --seed 3 -c true \
		-c 'sh -c "exit 1"' --ignore-failure --names $'a,\xff b'
	shows_again -n -r 2 --order sequential -L n=1,2,3 --confidence 90 echo '{n}'
	shows_again -r 6 -e page-faults:u --fail-if 'page-faults:u>+0.1%' --fail-if 'max_rss<-5%' --min-effect 3 \
		--min-effect max_rss=0 --more-is-better duration_time --gate-scaled -c true -c "sh -c 'exit 0'"
}

@test "--show fits the terminal's width and characters, and accepts several files and standard input" {
	needs_documents
	compare -n -r 2 --save document -c true -c 'echo x'
	compare --show document --ascii
	! grep -q '[^ -~]' out || fail "not only ASCII:" "$(<out)"
	compare --show document document
	is "tables" "$(grep -c '  change \[95 %\]$' out)" 2
	compare --show document document --format csv
	is "lines that name the columns" "$(grep -c '^command,' out)" 1
	is "lines" "$(wc -l <out)" 9
	"$PSTAT" --show - <document >shown
	compare --show document
	cmp out shown
}

@test "--show refuses formats that comparisons do not have" {
	needs_documents
	compare -n -r 2 --save document -c true -c true
	compare -n --save report true
	refuses "--show: a saved comparison cannot be printed with -x, -j, --metric-only or --table; use --format" \
		--show document -x,
	refuses "--show: a saved comparison cannot be printed with -x, -j, --metric-only or --table; use --format" \
		--show document --metric-only
	refuses "--format openmetrics: not for comparisons; choose from: table, json, csv, csv-summary, markdown, github, bmf, benchmark-action, influx" \
		--show document --format openmetrics
	refuses "--format github: only for comparisons; choose from: table, json, csv, csv-summary, markdown, openmetrics, bmf, benchmark-action, influx, history" \
		--show report --format github
	refuses "--show: document is a comparison, but report is not: show them one after the other" \
		--show report document
	refuses "--show: document is a comparison, but report is not: show them one after the other" \
		--show document report
	sed -i 's/"version": 2/"version": 3/' document
	refuses "--show document: version: this pstat reads version 2, not 3" --show document
}

@test "the schema of comparisons is installed" {
	needs_command jq
	jq -e . "$schemas/pstat-comparison-2.schema.json" >schema
	grep -q 'pstat-comparison-2.schema.json' "$source_dir/src/document/local.mk"
}

@test "one numeric parameter: the charts end with the curve of the elapsed time" {
	local at

	needs_documents
	needs_command jq
	compare --draw --ascii --save document -n -r 4 -c true -c 'true {t}' -L t=0.2,0.01,0.11
	mv out live
	compare --show document --draw --ascii
	is "curve of --show" "$(sed -n '/ over t$/,/0[.]2$/p' out)" "$(sed -n '/ over t$/,/0[.]2$/p' live)"
	# t seconds, and less than a millisecond, which differs from run to run
	jq '.sides |= map(. as $side | if .parameters.t then .result.runs |=
		map(.duration_time = .duration_time % 1000000 + ($side.parameters.t | tonumber) * 1000000000) else . end)' \
		document >fixed
	compare --show fixed --draw --ascii
	is title "$(grep ' over ' out)" 'duration_time (ms) over t'
	sed -n '/ over t$/,$p' out | sed -n 2,13p >curve
	# the values are from left to right at their distances, larger times above smaller
	at=$(head -n 10 curve | awk '
		{ for (i = 1; i <= length; i++) if (substr($0, i, 1) == "+") { x[++n] = i; y[n] = NR } }
		END { printf "%d %.1f %d", n, (x[2] - x[3]) / (x[1] - x[3]), (y[1] < y[2] && y[2] < y[3] && x[1] > x[3]) }')
	is "points, share of the width, and order of the times" "$at" '3 0.5 1'
	is "values" "$(sed -n 12p curve | xargs)" '0.01 0.11 0.2'
	! grep -q '[^ -~]' out || fail "not only ASCII:" "$(<out)"
	compare --compare document --no-draw
	! grep -q ' over t' out || fail "drawn although nothing is to be drawn" "$(<out)"
}

@test "there is no curve over two values, words, equal numbers or two parameters" {
	local list

	for list in 't=0,1' 't=0,1,x' 't=0,1,1.0' 't=0,1, 2' 't=0,1,'; do
		compare --draw -n -r 2 -c 'echo {t}' -L "$list"
		! grep -q ' over ' out || fail "$list:" "$(<out)"
	done
	compare --draw -n -r 2 -c 'echo {t} {u}' -L t=1,2,3 -L u=0
	! grep -q ' over ' out || fail "two parameters:" "$(<out)"
}
