# SPDX-License-Identifier: GPL-2.0-or-later
# Metrics and events of perf's tables: --metrics-file.

load lib

# The objects of a file; they use events that every machine has, except no_such_event.
write_table()
{
	cat >table.json <<'END'
[
{"MetricName": "fault_rate", "MetricExpr": "page\\-faults:u / duration_time", "MetricGroup": "Mem;Both",
 "BriefDescription": "Page faults in a second", "ScaleUnit": "1e-3K/s", "MetricThreshold": "fault_rate > 1"},
{"MetricName": "Faults_Twice", "MetricExpr": "2 * page\\-faults:u if #num_cpus > 0 else no_such_event",
 "MetricGroup": "Both ; Other"},
{"MetricName": "all_faults", "MetricExpr": "faults_twice + max(minor_faults_rusage, 1)", "MetricGroup": ""},
{"MetricName": "share", "MetricExpr": "page\\-faults:u / page\\-faults:u", "ScaleUnit": "100%", "MetricThreshold": "share < 0.5"},
{"MetricName": "constant", "MetricExpr": "3 * (1 if has_event(page\\-faults) else 2)"},
{"MetricName": "unknown", "MetricExpr": "no_such_event / duration_time", "MetricGroup": "Mem"},
{"MetricName": "broken", "MetricExpr": "1 +", "MetricGroup": "Mem"},
{"MetricName": "only_unknown", "MetricExpr": "no_such_event", "MetricGroup": "Lost"},
{"MetricName": "without", "MetricExpr": "page\\-faults:u / (duration_time - duration_time)"},
{"MetricName": "no_expression"}, {"other": "object"}
]
END
}

setup_file()
{
	bats_require_minimum_version 1.5.0
}

# metric NAME: its value in perf's form -x,
metric()
{
	awk -F, -v name="$1" '$7 ~ "(^|  )" name "$" { print $6 }' err
}

table()
{
	[ -e table.json ] || write_table
	pstat --metrics-file table.json "$@"
}

@test "a metric of a table has the value of its expression, and the unit of the table" {
	needs_counting user
	table -x, -M FAULT_RATE,faults_twice,share true
	ends_with_status 0
	is "twice" "$(metric Faults_Twice)" "$((2 * $(field 1 page-faults:u))).000"
	is "the share" "$(metric share)" 100.000
	grep -q ',100.000,%  share$' err || fail "$(<err)"
	is "faults per millisecond" "$(awk -F, -v rate="$(metric fault_rate)" '
		$3 == "page-faults:u" { faults = $1 }
		$3 == "duration_time" { ns = $1 }
		END { value = faults / (ns / 1e6); print (rate > 0.99 * value && rate < 1.01 * value) }' err)" 1
}

@test "a metric may use other metrics, and one without events has a value, too" {
	needs_counting user
	table -x, -M all_faults,constant true
	ends_with_status 0
	is "the sum" "$(metric all_faults)" "$((2 * $(field 1 page-faults:u) + $(field 1 minor_faults_rusage))).000"
	is "the constant" "$(metric constant)" 3.000
}

@test "the name of a group stands for its metrics; those with unknown events are left out" {
	needs_counting user
	table -M both true
	ends_with_status 0
	grep -q ' K/s  fault_rate' err
	grep -q ' Faults_Twice' err
	table -M mem true
	ends_with_status 0
	grep -q ' fault_rate' err
	grep -qx "pstat: metric 'unknown' is left out: unknown event 'no_such_event'" err || fail "$(<err)"
	grep -qx "pstat: metric 'broken' is left out: a number or an event is missing here" err || fail "$(<err)"
	echo '[{"MetricName": "nothing", "MetricGroup": "Mem"}]' >more.json
	table --metrics-file more.json -M mem true
	ends_with_status 0
	grep -q ' fault_rate' err
	grep -qx "pstat: metric 'nothing' is left out: it has no MetricExpr" err || fail "$(<err)"
	table --metrics-file more.json --explain mem
	ends_with_status 0
	is "the metrics" "$(grep '^metric' out)" "metric          fault_rate"
	is "the notes" "$(<err)" "pstat: metric 'broken' is left out: a number or an event is missing here
pstat: metric 'nothing' is left out: it has no MetricExpr
pstat: metric 'unknown' is left out: unknown event 'no_such_event'"
	table --explain lost
	ends_with_status 125
	is "the reason" "$(tail -n 1 err)" "pstat: --explain 'lost': this machine cannot count any of these metrics"
}

@test "the name of a metric may contain blanks and %, also in a saved result and a gate" {
	needs_counting user
	needs_documents
	needs_math
	cat >more.json <<'JSON'
[{"MetricName": "info _%_faults", "MetricExpr": "2 * page\\-faults", "MetricGroup": "Odd"},
 {"MetricName": "info(x)", "MetricExpr": "page\\-faults", "MetricGroup": "Odd"}]
JSON
	pstat --metrics-file more.json -x, -M 'INFO _%_faults:u' --save run.json true
	ends_with_status 0
	is "the value" "$(metric 'info _%_faults:u')" "$((2 * $(field 1 page-faults:u))).000"
	pstat --show run.json -x,
	ends_with_status 0
	grep -q ',info _%_faults:u$' out || fail "$(<out)"
	pstat --metrics-file more.json -M odd:u true
	ends_with_status 0
	grep -q ' info _%_faults:u *$' err || fail "$(<err)"
	grep -qx "pstat: metric 'info(x)' is left out: its name has a character that -M does not allow" err || fail "$(<err)"
	pstat --metrics-file more.json --no-output-check -r 8 -M 'info _%_faults:u' -c "${programs:?}/faults 100" \
		-c "$programs/faults 200" --fail-if 'info _%_faults:u>+10%'
	ends_with_status 1
	refuses "-M 'info _%_fault', column 1: Cannot find metric or group \`info _%_fault'; did you mean 'info _%_faults'? --list metric lists all" \
		--metrics-file more.json -M 'info _%_fault' touch started
}

@test "modifiers after a name are those of the events" {
	needs_counting user
	table -x, -M faults_twice:u,ipc:u true
	ends_with_status 0
	is "the events" "$(cut -d, -f 3 err | sort | tr '\n' ' ')" "cycles:u instructions:u page-faults:u "
	is "its name" "$(metric Faults_Twice:u)" "$((2 * $(field 1 page-faults:u))).000"
}

@test "a metric without a value here is refused, or its value is missing with a reason" {
	write_table
	refuses "-M 'nothing', column 1: Cannot find metric or group \`nothing'; use ipc, cpi, branch-miss-rate, l1d-miss-rate, llc-miss-rate, dtlb-miss-rate, ghz, cpus or NAME=EXPRESSION" \
		--metrics-file table.json -M nothing touch started
	refuses "-M 'ipc,broken', column 5: metric broken: a number or an event is missing here" \
		--metrics-file table.json -M ipc,broken touch started
	pstat --metrics-file table.json -M unknown touch started
	ends_with_status 125
	grep -q "column 1: metric unknown: unknown event 'no_such_event'" err || fail "$(<err)"
	refuses "-M 'fault-rates', column 1: Cannot find metric or group \`fault-rates'; did you mean 'fault_rate'? --list metric lists all" \
		--metrics-file table.json -M fault-rates touch started
	refuses "-M 'no_expression', column 1: metric no_expression: it has no MetricExpr" \
		--metrics-file table.json -M no_expression touch started
	pstat --metrics-file table.json -M lost touch started
	ends_with_status 125
	grep -q "^pstat: -M 'lost': this machine cannot count any of these metrics$" err || fail "$(<err)"
	needs_counting user
	table -M without true
	ends_with_status 0
	grep -q '^pstat: -M: without is left out: ' err || fail "$(<err)"
}

@test "a file that is not a table is refused" {
	needs_documents
	echo '{"MetricName": "a"}' >object.json
	echo '[1, 2]' >numbers.json
	echo '[{"MetricName":' >cut.json
	echo '[{"Metric": "a", "MetricExpr": "1"}]' >misspelt.json
	refuses "--metrics-file missing.json: No such file or directory" --metrics-file missing.json -M ipc touch started
	refuses "--metrics-file object.json: not an array" --metrics-file object.json -M ipc touch started
	refuses "--metrics-file numbers.json: [0]: not an object" --metrics-file numbers.json -M ipc touch started
	refuses "--metrics-file misspelt.json: no object has a MetricName or an EventName" \
		--metrics-file misspelt.json -M ipc touch started
	pstat --metrics-file cut.json -M ipc touch started
	ends_with_status 125
	grep -q '^pstat: --metrics-file cut.json: not valid JSON: line 2, ' err || fail "$(<err)"
}

@test "an object that is not valid JSON is refused when it is needed" {
	needs_documents
	echo '[{"EventName": "bad", "EventCode": 0x1}, {"EventName": "good", "EventCode": "0x1"}]' >table.json
	echo '[{"EventName": "loop", "ArchStdEvent": "LOOP"}]' >loop.json
	printf '[\n{"EventName":"bad","EventCode": 0x1},\n{"EventName":"other","ArchStdEvent":"bad"}]' >bad.json
	refuses "-e 'bad', column 1: unknown event 'bad' (table.json: 'bad', from line 1 on: not valid JSON: line 1, column 36: '}' expected near 'x')" \
		--metrics-file table.json -e bad touch started
	refuses "-e 'loop', column 1: unknown event 'loop' ('loop' has the ArchStdEvent 'LOOP', which no table has)" \
		--metrics-file loop.json -e loop touch started
	refuses "-e 'other', column 1: unknown event 'other' (bad.json: 'bad', from line 2 on: not valid JSON: line 1, column 34: '}' expected near 'x')" \
		--metrics-file bad.json -e other touch started
	echo '[{"MetricName": "worse", "MetricExpr": "1", "MetricExpr": "2"}]' >table.json
	refuses "-M 'worse', column 1: metric worse: table.json: 'worse', from line 1 on: not valid JSON: line 1, column 55: duplicate object key near '\"MetricExpr\"'" \
		--metrics-file table.json -M worse touch started
}

@test "several files are read as one; the first metric of a name is taken" {
	needs_counting user
	echo '[{"MetricName": "More", "MetricExpr": "faults_twice / 2"}, {"MetricName": "share", "MetricExpr": "0"}]' >more.json
	table -x, --metrics-file more.json -M more true
	ends_with_status 0
	is "the value" "$(metric More)" "$(field 1 page-faults:u).000"
	table -x, --metrics-file more.json -M share true
	is "the first one" "$(metric share)" 100.000
}

@test "a metric may be given twice" {
	needs_counting user
	table -x, -M share -M share,faults_twice true
	ends_with_status 0
	is "the share" "$(metric share)" 100.000
}

@test "a value above its threshold is highlighted" {
	needs_counting user
	table --color always -M fault_rate,share true
	ends_with_status 0
	grep -q $'\e\[[0-9;]*m *[0-9.]*.*K/s  fault_rate' err || fail "$(cat -v err)"
	! grep -q $'\e\[[0-9;]*m *[0-9.]*.*%  share' err || fail "$(cat -v err)"
}

@test "a threshold that is not valid is ignored with a note" {
	needs_counting user
	cat >more.json <<'END'
[{"MetricName": "half", "MetricExpr": "page\\-faults:u", "MetricThreshold": "half >"},
 {"MetricName": "misspelt", "MetricExpr": "page\\-faults:u", "MetricThreshold": "mispelt > 0"}]
END
	pstat --metrics-file more.json -M half -M half true
	ends_with_status 0
	is "the note" "$(grep pstat err)" "pstat: metric half: its MetricThreshold is ignored: a number or an event is missing here"
	pstat --metrics-file more.json -M misspelt true
	ends_with_status 0
	is "the note" "$(grep pstat err)" "pstat: metric misspelt: its MetricThreshold is ignored: unknown event 'mispelt'"
	pstat --metrics-file more.json --explain half misspelt
	ends_with_status 0
	is "the notes" "$(<err)" "pstat: metric half: its MetricThreshold is ignored: a number or an event is missing here
pstat: metric misspelt: its MetricThreshold is ignored: unknown event 'mispelt'"
}

@test "a metric of the user's file replaces a built-in one of the same name" {
	needs_counting user
	cat >mine.json <<'END'
[{"MetricName": "ipc", "MetricExpr": "page\\-faults:u"}, {"MetricName": "CPI", "MetricExpr": "2 * page\\-faults:u"}]
END
	pstat --metrics-file mine.json -x, -M ipc,CPI true
	ends_with_status 0
	is "its value" "$(metric ipc)" "$(field 1 page-faults:u).000"
	is "another case" "$(metric CPI)" "$((2 * $(field 1 page-faults:u))).000"
	pstat --metrics-file mine.json --explain ipc
	grep -qx 'expression      page-faults:u' out || fail "$(<out)"
	pstat --metrics-file mine.json --explain cpi
	grep -qx 'expression      cycles / instructions' out || fail "$(<out)"
}

@test "each format has the unit of a metric" {
	needs_command jq
	needs_counting user
	table --metric-only -x, -M fault_rate true
	grep -qx 'K/s  fault_rate,' err || fail "$(<err)"
	table --format markdown -M fault_rate true
	grep -qE '\| [0-9.]+ K/s \| fault' err || fail "$(<err)"
	table --format csv -M fault_rate -o one.csv true
	is "the unit" "$(awk -F, '$8 == "fault_rate" { print $9 }' one.csv)" K/s
	table --format benchmark-action -M fault_rate -o action.json true
	is "the unit" "$(jq -r '.[] | select(.name | endswith("fault_rate")) | .unit' action.json)" K/s
	needs_math
	table --no-output-check -r 5 -M fault_rate -c true -c true
	grep -qE '^fault_rate +[0-9.]+ K/s ' out || fail "$(<out)"
}

@test "a page has the unit and the digits of a metric" {
	needs_command chromium
	needs_command python3
	needs_counting user
	needs_documents
	table --html page.html -M share,small=page-faults:u/1e9 true
	ends_with_status 0
	python3 "$TOP_SRCDIR/tests/cli/page.py" check page.html
	python3 "$TOP_SRCDIR/tests/cli/page.py" show page.html >shown
	grep -qE '^share %.*100\.000' shown || fail "$(<shown)"
	grep -qE '^small.*0\.0{6,}[1-9]' shown || fail "$(<shown)"
}

@test "a metric has a value at each place, also with the elapsed time" {
	needs_cpus
	table -a -A -x, -M fault_rate sleep 0.01
	ends_with_status 0
	is "the places" "$(grep -c fault_rate err)" "$(grep -c ',page-faults:u,' err)"
}

@test "a small metric has digits, also in a comparison" {
	needs_counting user
	needs_math
	pstat --no-output-check -r 5 -M small=page-faults:u/1e12 -c true -c true
	ends_with_status 0
	grep -qE '^small +0\.0{5,}[1-9][0-9]* +0\.0{5,}[1-9][0-9]* ' out || fail "$(<out)"
}

@test "--compare computes metrics from saved counts" {
	needs_counting user
	needs_documents
	needs_math
	write_table
	pstat -r 5 --save old.json -e page-faults:u "${programs:?}/faults" 100
	pstat -r 5 --save new.json -e page-faults:u "$programs/faults" 200
	pstat --compare old.json new.json --metrics-file table.json -M mem,faults_twice
	ends_with_status 0
	grep -qE '^Faults_Twice +[0-9.]+ +[0-9.]+ +\+[0-9.]+ %.* worse$' out || fail "$(<out)"
	is "a note for both" "$(grep -c "metric 'unknown' is left out" err)" 1
	refuses "--metrics-file missing.json: No such file or directory" --compare old.json new.json --metrics-file missing.json
}

@test "a metric that is not defined in some runs says so, and its number is that of the others" {
	needs_counting user
	needs_documents
	cat >sometimes <<-END
		#!/bin/sh
		if [ -e been ]; then rm been; else touch been; exec "$programs/faults" 1000; fi
	END
	chmod +x sometimes
	pstat -r 4 --save four.json -M 'y=page-faults:u / (page-faults:u > 400)' ./sometimes
	ends_with_status 0
	is "the note" "$(grep 'no value' err)" "pstat: y: no value in 2 of 4 runs"
	pstat --show four.json --format csv-summary
	is "the runs" "$(awk -F, '$8 == "y" { print $12 }' out)" 2
}

@test "a gate on a metric without a value is not judged, and the result is kept" {
	needs_counting user
	needs_documents
	needs_math
	pstat --no-output-check -r 6 -M 'z=page-faults:u/0' --fail-if 'z>+5%' --save kept.json -c true -c true
	ends_with_status 2
	grep -q '^pstat: z not counted, limit +5 %: not judged$' err || fail "$(<err)"
	pstat --show kept.json
	ends_with_status 0
}

@test "a saved threshold is read back, whatever is constant in it" {
	needs_counting user
	needs_documents
	cat >more.json <<'END'
[{"MetricName": "folded", "MetricExpr": "page\\-faults:u", "MetricThreshold": "folded > 1 & source_count(page\\-faults:u) > 5"},
 {"MetricName": "chosen", "MetricExpr": "page\\-faults:u if source_count(page\\-faults:u) > 1 else minor_faults_rusage"}]
END
	pstat --metrics-file more.json --save run.json -M folded,chosen true
	ends_with_status 0
	pstat --show run.json --color always
	ends_with_status 0
	! grep -q $'\e\[[0-9;]*m *[0-9.]*.*  *folded' out || fail "$(cat -v out)"
	grep -q ' chosen' out || fail "$(<out)"
}

@test "csv-summary: the interval of a metric is around the mean of its runs" {
	needs_counting user
	table --format csv-summary -r 5 -M fault_rate -o five.csv true
	ends_with_status 0
	is "the interval" "$(tr -d '\r' <five.csv | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
		$column["event"] == "fault_rate" {
			print $column["estimator"], $column["value_low"] == $column["mean"], $column["value_high"] == $column["mean"]
		}')" "exact 1 1"
}

@test "a threshold with further events is used if these are counted for other metrics" {
	needs_counting user
	cat >more.json <<'END'
[{"MetricName": "guarded", "MetricExpr": "page\\-faults:u",
  "MetricThreshold": "guarded > 0 & minor_faults_rusage > 0"},
 {"MetricName": "other", "MetricExpr": "minor_faults_rusage + 0 * page\\-faults:u"}]
END
	table --metrics-file more.json --color always -M guarded true
	ends_with_status 0
	! grep -q $'\e\[[0-9;]*m *[0-9.]*.*  *guarded' err || fail "$(cat -v err)"
	! grep -q ^pstat: err || fail "$(<err)"
	table --metrics-file more.json -v -M guarded true
	grep -qx "pstat: metric guarded: its MetricThreshold is ignored: it needs 'minor_faults_rusage', which no metric of -M counts" err ||
		fail "$(<err)"
	table --metrics-file more.json -v -M guarded,other true
	! grep -q MetricThreshold err || fail "$(<err)"
	table --metrics-file more.json --color always -M guarded,other true
	ends_with_status 0
	grep -q $'\e\[[0-9;]*m *[0-9.]*.*  *guarded' err || fail "$(cat -v err)"
}

@test "metrics of tables are saved, shown, compared and gated without the table" {
	needs_command jq
	needs_counting user
	needs_documents
	needs_math
	cat >rest.json <<-'END'
		[{"MetricName": "rest",
		  "MetricExpr": "(no_such if #num_cpus < 1 else minor_faults_rusage) - (0 * page\\-faults:u + 1)"}]
	END
	table --metrics-file rest.json --save run.json -M faults_twice,fault_rate,rest,constant,share true
	ends_with_status 0
	pstat --show run.json -x,
	mv out err
	is "the rest" "$(metric rest)" "$(($(field 1 minor_faults_rusage) - 1)).000"
	is "the constant" "$(metric constant)" 3.000
	pstat --show run.json -x,
	ends_with_status 0
	mv out err
	is "the value" "$(metric Faults_Twice)" "$((2 * $(field 1 page-faults:u))).000"
	grep -q ',K/s  fault_rate$' err || fail "$(<err)"
	pstat --show run.json --color always
	grep -q $'\e\[[0-9;]*m *[0-9.]*.*K/s  fault_rate' out || fail "$(cat -v out)"
	! grep -q $'\e\[[0-9;]*m *[0-9.]*.*%  share' out || fail "$(cat -v out)" # it is above its limit
	grep -q '%  share' out || fail "$(<out)"
	pstat --no-output-check -r 5 --baseline run.json --save again.json true
	is "the unit and the threshold" "$(jq -c '[.sides[].result.metrics[1] | .unit, .threshold.text]' again.json)" \
		"$(jq -c '.metrics[1] | [.unit, .threshold.text] | . + .' run.json)"
	pstat --no-output-check -M X=page-faults:u -c true -c true --fail-if 'x>+10%'
	is "another case" "$(<err)" "pstat: --fail-if 'x>+10%': 'x' is not compared; did you mean 'X'?"
	table --no-output-check -r 8 -M faults_twice -c "${programs:?}/faults 100" -c "$programs/faults 200" \
		--fail-if 'Faults_Twice>+10%'
	ends_with_status 1
	grep -q '^Faults_Twice ' out || fail "$(<out)"
}

@test "--show computes metrics from saved counts" {
	needs_counting user
	needs_documents
	needs_math
	write_table
	pstat --save run.json -e page-faults:u,minor_faults_rusage true
	ends_with_status 0
	pstat --show run.json --metrics-file table.json -M 'faults_twice,x=faults:u / minor_faults_rusage' -x,
	ends_with_status 0
	mv out err
	is "the metric of a table" "$(metric Faults_Twice)" "$(awk -F, '$3 == "page-faults:u" { print 2 * $1 ".000"; exit }' err)"
	[ "$(metric x)" ] || fail "$(<err)"
	pstat --show run.json --metrics-file table.json -M mem
	ends_with_status 125
	is "the reason" "$(tail -n 1 err)" "pstat: -M 'mem': the result has none of these metrics"
	grep -q "^pstat: metric 'fault_rate' is left out: 'duration_time' was not counted; the result has page-faults:u, " err ||
		fail "$(<err)"
	table --save again.json -M faults_twice true
	pstat --show again.json --metrics-file table.json -M faults_twice -M x=page-faults:u -M x=page-faults:u -x,
	ends_with_status 0
	is "each metric once" "$(grep -c 'Faults_Twice\|,x$' out)" 2
	pstat --show run.json -M ipc
	ends_with_status 125
	is "the reason" "$(<err)" \
		"pstat: -M 'ipc': 'instructions' was not counted; the result has page-faults:u, minor_faults_rusage"
	pstat --no-output-check -r 8 --save both.json -e page-faults:u -c "${programs:?}/faults 100" -c "$programs/faults 200"
	pstat --show both.json -M 'double=page-faults:u * 2'
	ends_with_status 0
	grep -qE '^double +[0-9.]+ +[0-9.]+ .* worse$' out || fail "$(<out)"
	refuses "--metrics-file nofile.json: No such file or directory" --show run.json --metrics-file nofile.json
}

@test "--list metric and --explain know the metrics of tables" {
	needs_command jq
	needs_documents
	write_table
	pstat --metrics-file table.json --list metric
	ends_with_status 0
	grep -qE '^  ipc +instructions / cycles$' out
	grep -qE '^  fault_rate +Page faults in a second$' out
	pstat --metrics-file table.json --format json --explain fault_rate
	ends_with_status 0
	is "the metric" "$(jq -r 'select(.metric) | .metric, .meaning, .groups, .expression, .threshold' out)" \
"fault_rate
Page faults in a second
Mem;Both
page-faults:u / (duration_time / 1e+09) * 0.001
fault_rate > 1"
	pstat --metrics-file table.json --list both
	ends_with_status 0
	is "the group" "$(sed -n 's/^  \([^ ]*\).*/\1/p' out)" "fault_rate
Faults_Twice"
	pstat --metrics-file table.json --format json --explain BOTH
	ends_with_status 0
	is "the group" "$(jq -r 'select(.metric) | .metric' out)" "fault_rate
Faults_Twice"
}

# explained FIELD NAME: a field of the event on the recorded machine
explained()
{
	pstat -v --sysroot machine "${table[@]}" --explain "$2"
	ends_with_status 0
	sed -nE "s/^$1 +(0x[0-9a-f]+|[^ ]+).*/\1/p" out | head -n 1
}

@test "the events of a table have the encoding that perf gives them" {
	needs_documents
	"$FIXTURES/unpack" intel-icelake-server machine
	cat >events.json <<'END'
[
{"EventName": "UOPS_ISSUED.ANY", "EventCode": "0x0e", "UMask": "0x01", "SampleAfterValue": "2000003"},
{"EventName": "stalls", "EventCode": "0x0e", "UMask": "0x1", "CounterMask": "1", "Invert": "1", "EdgeDetect": "1"},
{"EventName": "OCR.READS", "EventCode": "0xB7,0xBB", "UMask": "0x01", "MSRIndex": "0x1a6,0x1a7", "MSRValue": "0x10003C0001"},
{"EventName": "frontend_retired.latency_ge_2", "EventCode": "0xc6", "UMask": "0x1", "MSRIndex": "0x3F7", "MSRValue": "0x500206"},
{"EventName": "INST_RETIRED.ANY", "EventCode": "0x00", "UMask": "0x01"},
{"EventName": "standard", "ArchStdEvent": "uops_issued.any"},
{"EventName": "unc_cha_x", "EventCode": "0x35", "UMask": "0x2", "Unit": "CHA", "Filter": "config1=0x10"},
{"EventName": "by_config", "ConfigCode": "0x1234"},
{"EventName": "bad", "ConfigCode": }
]
END
	table=(--metrics-file events.json)
	is "a plain event" "$(explained config uops_issued.any)" 0x10e
	is "its PMU" "$(explained pmu UOPS_ISSUED.ANY:u)" cpu
	is "conditions" "$(explained config stalls)" 0x184010e
	is "an MSR" "$(explained config1 ocr.reads)" 0x10003c0001
	is "the front end" "$(explained config1 frontend_retired.latency_ge_2)" 0x500206
	is "a fixed counter" "$(explained config inst_retired.any)" 0xc0
	is "a standard event" "$(explained config standard)" 0x10e
	is "an uncore PMU" "$(explained config unc_cha_x)" 0x235
	is "its filter" "$(explained config1 unc_cha_x)" 0x10
	is "a whole config" "$(explained config by_config)" 0x1234
	is "as a term" "$(explained config cpu/uops_issued.any,cmask=2/)" 0x200010e
	is "as a term of its PMU" "$(explained config uncore_cha/unc_cha_x/)" 0x235
	pstat --sysroot machine "${table[@]}" --explain cpu/bad/
	ends_with_status 125
	grep -q "events.json: 'bad', from line 10 on: not valid JSON" err || fail "$(<err)"
	table=()
	is "a fixed counter without a table" "$(explained config cpu_clk_unhalted.thread)" 0x3c
	pstat --sysroot machine --explain cpu/uops_issued.any/
	ends_with_status 125
}

@test "import-metrics reads the tables of a perf program, without the values that perf cuts to 32 bits" {
	needs_command jq
	needs_documents
	needs_command python3
	cat >perf <<'END'
#!/bin/sh
[ "$PERF_CPUID" = GenuineIntel-6-6A-6 ] && cat <<'LIST'

cache:
  ocr.reads                                         
       [Reads that met a line in another core's cache [in any state]]
        cpu/event=0xb7,period=0x186a3,umask=0x1,offcore_rsp=0x3c0002/ 
  uops_issued.any                                   
       [Uops that the allocation table
        issues]
        cpu/event=0xe,period=0x1e8483,umask=0x1/ 
  unc_cha_x                                         
       [A count of an uncore unit. Unit: uncore_cha]
        uncore_cha_0/event=0x35,umask=0x2/ 

Backend:
  waiting                                           
       [How long it waits]
       [uops_issued.any / ocr.reads]
LIST
END
	chmod +x perf
	"$FIXTURES/../../scripts/import-metrics" --cpu GenuineIntel-6-6A-6 "$PWD/perf" >table.json
	is "the objects" "$(jq -r '.[] | [.EventName // .MetricName, .EventCode, .Filter, .Unit, .MetricExpr, .MetricGroup] |
		join("|")' table.json)" 'uops_issued.any|0xe|umask=0x1|||
unc_cha_x|0x35|umask=0x2|CHA||
waiting||||uops_issued.any / ocr.reads|Backend'
	run "$FIXTURES/../../scripts/import-metrics" --cpu GenuineIntel-6-8F-4 "$PWD/perf"
	ends_with_status 1
}

# The files have the same members as those of https://github.com/intel/perfmon.
@test "import-metrics reads a perfmon checkout and keeps the kinds of cores of a hybrid machine apart" {
	needs_command jq
	needs_documents
	needs_command python3
	mkdir -p perfmon/ADL/events perfmon/ADL/metrics/perf
	cat >perfmon/mapfile.csv <<'END'
Family-model,Version,Filename,EventType,Core Type,Native Model ID,Core Role Name
GenuineIntel-6-8F,V1.39,/SPR/events/sapphirerapids_core.json,core,,,
GenuineIntel-6-97,V1.40,/ADL/events/gracemont_core.json,hybridcore,0x20,0x000001,Atom
GenuineIntel-6-97,V1.40,/ADL/events/goldencove_core.json,hybridcore,0x40,0x000001,Core
GenuineIntel-6-97,V1.40,/ADL/events/crestmont_core.json,hybridcore,0x20,0x000002,LowPower_Atom
GenuineIntel-6-97,V1.40,/ADL/events/uncore.json,uncore,,,
GenuineIntel-6-97,V1.1,/ADL/metrics/metrics_goldencove_core.json,metrics,0x40,0x000001,Core
END
	cat >perfmon/ADL/events/gracemont_core.json <<'END'
{"Header": {"Version": "1.29"}, "Events": [
  {"EventCode": "0x00", "UMask": "0x01", "EventName": "INST_RETIRED.ANY", "MSRIndex": "0x00", "MSRValue": "0x00",
   "CounterMask": "0", "Invert": "0", "EdgeDetect": "0", "Errata": "null", "Deprecated": "0"}]}
END
	cat >perfmon/ADL/events/goldencove_core.json <<'END'
{"Header": {"Version": "1.29"}, "Events": [
  {"EventCode": "0xc2", "UMask": "0x04", "EventName": "UOPS_RETIRED.MS", "MSRIndex": "0x3F7", "MSRValue": "0x8",
   "CounterMask": "0"}]}
END
	echo '{"Events": [{"EventCode": "0xc3", "UMask": "0x01", "EventName": "X"}]}' >perfmon/ADL/events/crestmont_core.json
	cat >perfmon/ADL/events/uncore.json <<'END'
{"Header": {"Version": "1.29"}, "Events": [
  {"Unit": "CHA", "EventCode": "0x35", "UMask": "0x01", "UMaskExt": "0xC001FE", "EventName": "UNC_CHA_X"}]}
END
	echo '{"Header": {"Version": "1.1"}, "Metrics": [{"MetricName": "for other tools"}]}' \
		>perfmon/ADL/metrics/metrics_goldencove_core.json
	echo '[{"MetricName": "other", "MetricExpr": "1"}]' >perfmon/ADL/metrics/perf/metrics_gracemont_core_perf.json
	cat >perfmon/ADL/metrics/perf/metrics_goldencove_core_perf.json <<'END'
[{"MetricName": "tma_x", "MetricExpr": "topdown\\-fe\\-bound / cpu@UOPS_RETIRED.MS\\,cmask\\=0x1@",
  "MetricGroup": "TopdownL1", "MetricGroupnoGroup": "TopdownL1;Default"}]
END
	"$FIXTURES/../../scripts/import-metrics" --cpu GenuineIntel-6-97-2 "$PWD/perfmon" >table.json
	is "the objects" "$(jq -r '.[] | [.EventName // .MetricName, .UMask, .Unit, .MetricExpr, .MetricgroupNoGroup] |
		join("|")' table.json)" 'INST_RETIRED.ANY|0x01|cpu_atom||
UOPS_RETIRED.MS|0x04|cpu_core||
X|0x01|cpu_lowpower||
UNC_CHA_X|0xc001fe01|CHA||
tma_x||cpu_core|topdown\-fe\-bound / cpu_core@UOPS_RETIRED.MS\,cmask\=0x1@|TopdownL1;Default'
	"$FIXTURES/unpack" intel-hybrid machine
	pstat --sysroot machine --metrics-file table.json --explain inst_retired.any,uops_retired.ms
	ends_with_status 0
	is "the PMUs" "$(grep -o 'of PMU cpu_[a-z]*' out | tr '\n' ' ')" "of PMU cpu_atom of PMU cpu_core "
}

@test "a metric of one kind of core uses its PMU for the events of cores only" {
	needs_documents
	"$FIXTURES/unpack" intel-hybrid machine
	cat >table.json <<'END'
[{"MetricName": "rate", "MetricExpr": "cycles:u / TSC + duration_time", "Unit": "cpu_atom"},
 {"MetricName": "lost", "MetricExpr": "no_such_event / TSC", "Unit": "cpu_atom"}]
END
	pstat --sysroot machine --metrics-file table.json --explain rate
	ends_with_status 0
	grep -qx "expression      'cpu_atom/cycles/u' / TSC + duration_time / 1e+09" out || fail "$(<out)"
	grep -q '^counts          TSC of PMU msr ' out || fail "$(<out)"
	pstat --sysroot machine --metrics-file table.json --explain lost
	ends_with_status 125
	is "the reason" "$(<err)" "pstat: --explain: metric lost.cpu_atom: unknown event 'no_such_event'"
}

@test "an event of a table without a PMU counts on each kind of core that has it" {
	local devices=machine/sys/bus/event_source/devices pmu type=8

	needs_documents
	for pmu in armv8_cortex_a53 armv8_cortex_a72; do
		mkdir -p "$devices/$pmu/format" "$devices/$pmu/events"
		echo $((type++)) >"$devices/$pmu/type"
		echo 0-3 >"$devices/$pmu/cpus"
		echo config:0-15 >"$devices/$pmu/format/event"
		echo event=0x08 >"$devices/$pmu/events/inst_retired"
	done
	mkdir -p machine/proc/sys/kernel
	echo 6.6.0 >machine/proc/sys/kernel/osrelease
	echo '[{"EventName": "INST_RETIRED", "EventCode": "0x08"}, {"EventName": "A53_ONLY", "EventCode": "0xc8"}]' >table.json
	pstat -v --sysroot machine --metrics-file table.json --explain INST_RETIRED
	ends_with_status 0
	is "the kinds" "$(grep -o '[A-Z_]* of PMU armv8_[a-z0-9_]*' out)" \
"INST_RETIRED of PMU armv8_cortex_a53
INST_RETIRED of PMU armv8_cortex_a72"
	pstat -v --sysroot machine --metrics-file table.json --explain A53_ONLY
	ends_with_status 0
	is "one kind" "$(grep -o 'of PMU armv8_[a-z0-9_]*' out)" "of PMU armv8_cortex_a53"
}

# The objects of PMUs outside the cores are in tables for all machines. Compat is a regular expression
# for the file identifier of the PMU.
@test "objects with a Compat are used only for PMUs with a matching identifier" {
	needs_command jq
	local arch=linux/tools/perf/pmu-events/arch/arm64 devices=machine/sys/bus/event_source/devices pmu

	needs_documents
	needs_command python3
	mkdir -p "$arch/arm/core" "$arch/soc/sys"
	echo '0x00000000410fd0c0,v1,arm/core,core' >"$arch/mapfile.csv"
	echo '[{"EventName": "CORE", "EventCode": "0x11"}]' >"$arch/arm/core/core.json"
	cat >"$arch/soc/sys/all.json" <<'END'
[{"EventName": "misses", "EventidCode": "0x1", "NodeType": "0x5", "Unit": "arm_cmn", "Compat": "(434|436).*"},
 {"EventName": "misses", "EventidCode": "0x2", "NodeType": "0x6", "Unit": "arm_cmn", "Compat": "43c.*"},
 {"MetricName": "rate", "MetricExpr": "misses / 2", "Unit": "arm_cmn", "Compat": "(434|436).*"},
 {"MetricName": "rate", "MetricExpr": "misses / 3", "Unit": "arm_cmn", "Compat": "43c.*"},
 {"EventName": "cpa_cycles", "ConfigCode": "0x7", "Unit": "hisi_sicl,cpa", "Compat": "0x00000030"},
 {"EventName": "ddr.old", "EventCode": "0x0", "Unit": "imx8_ddr", "Compat": "i.MX8"},
 {"EventName": "ddr.cycles", "EventCode": "0x0", "Unit": "imx8_ddr", "Compat": "i.MX8MQ"}]
END
	"$FIXTURES/../../scripts/import-metrics" --cpu 0x00000000413fd0c1 "$PWD/linux" >table.json
	is "the objects" "$(jq -r '.[] | .EventName // .MetricName' table.json | tr '\n' ' ')" \
		'CORE misses misses rate rate cpa_cycles ddr.old ddr.cycles '
	while read -r pmu type identifier; do
		mkdir -p "$devices/$pmu/format"
		echo "$type" >"$devices/$pmu/type"
		echo "$identifier" >"$devices/$pmu/identifier"
		echo config:0-15 | tee "$devices/$pmu/format/event" >"$devices/$pmu/format/type"
		echo config:16-26 >"$devices/$pmu/format/eventid"
	done <<-END
		arm_cmn_0 11 43c01
		hisi_sicl2_cpa0 12 0x00000030
		imx8_ddr0 13 i.MX8MQ
	END
	table=(--metrics-file table.json)
	is "the event for this identifier" "$(explained config misses)" 0x20006
	is "a PMU with a number in its name" "$(explained pmu cpa_cycles) $(explained config cpa_cycles)" \
		'hisi_sicl2_cpa0 0x7'
	is "a PMU of numbered instances" "$(explained pmu ddr.cycles)" imx8_ddr0
	pstat --sysroot machine --metrics-file table.json --explain rate
	ends_with_status 0
	grep -qx 'expression  *misses / 3' out || fail "$(<out)"
	refuses "--explain 'ddr.old', column 1: unknown event 'ddr.old'" \
		--sysroot machine --metrics-file table.json --explain ddr.old
	pstat --sysroot machine --metrics-file table.json --list 'ddr.*'
	ends_with_status 0
	is "the list" "$(grep -o 'ddr\.[a-z]*' out)" ddr.cycles
	# each PMU has the event for its own identifier
	cp -r "$devices/arm_cmn_0" "$devices/arm_cmn_1"
	echo 43401 >"$devices/arm_cmn_1/identifier"
	pstat -v --sysroot machine --metrics-file table.json --explain misses
	ends_with_status 0
	is "the events" "$(sed -n 's/^config  *//p' out | tr '\n' ' ')" '0x20006 0x10005 '
}
