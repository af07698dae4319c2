#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# --format bmf, benchmark-action and influx, checked with the readers of these formats or with what
# the readers publish, and --label.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

setup()
{
	cd "$BATS_TEST_TMPDIR" || return
	needs_counting user
	events=page-faults:u,1:999:u # the kernel does not count the second event
}

# bmf CODE: check the file result against the JSON schema of bencher.dev/bmf.json, and run Python code
# with its benchmarks in b
bmf()
{
	needs_module jsonschema
	python3 -c '
import json, jsonschema, sys
metric = {"type": "object", "required": ["value"],
          "properties": {"value": {"type": "number"}, "lower_value": {"type": "number"},
                         "upper_value": {"type": "number"}}}
schema = {"type": "object",
          "patternProperties": {".+": {"type": "object", "patternProperties": {".+": metric}}}}
def unique(pairs):
    assert len(dict(pairs)) == len(pairs), pairs
    return dict(pairs)
b = json.load(open(sys.argv[1], encoding="utf-8"), object_pairs_hook=unique)
jsonschema.Draft7Validator(schema).validate(b)
for metrics in b.values():
    for m in metrics.values():
        assert m.get("lower_value", m["value"]) <= m["value"] <= m.get("upper_value", m["value"]), m
'"$1" "${2:-result}" || fail "$(<"${2:-result}")"
}

# action CODE: check the file result as github-action-benchmark reads it with customSmallerIsBetter, and run
# Python code with its entries in e, by name. The action takes the number after the sign of a range.
action()
{
	needs_command python3
	python3 -c '
import json, re, sys
entries = json.load(open(sys.argv[1], encoding="utf-8"))
assert isinstance(entries, list)
e = {}
for entry in entries:
    assert set(entry) <= {"name", "unit", "value", "range", "extra"}, entry
    assert isinstance(entry["value"], (int, float)) and isinstance(entry["unit"], str), entry
    assert entry["name"] not in e, entry
    e[entry["name"]] = entry
    if "range" in entry:
        entry["range"] = float(re.match("(?:\\+-|\u00b1)\\s*(\\d.*)$", entry["range"]).group(1))
'"$1" "${2:-result}" || fail "$(<"${2:-result}")"
}

# influx CODE [FILE]: read the file with the parser of InfluxDB, and run Python code with its points
influx()
{
	needs_command python3
	needs_command go
	[ -d /usr/share/gocode/src/github.com/influxdata/influxdb1-client ] ||
		skip "golang-github-influxdata-influxdb1-client-dev is not installed"
	[ -x line-protocol ] ||
		HOME=$PWD GO111MODULE=off GOPATH=/usr/share/gocode GOFLAGS='' \
			go build -o line-protocol "$BATS_TEST_DIRNAME/programs/line-protocol.go"
	./line-protocol <"${2:-result}" >points || fail "the parser refuses" "$(<"${2:-result}")"
	python3 -c '
import json
points = [json.loads(line) for line in open("points", encoding="utf-8")]
assert all(p["name"] == "pstat" and isinstance(p["fields"]["runs"], int) for p in points)
assert all(isinstance(p["fields"]["value"], (int, float)) for p in points)
'"$1" || fail "$(<"${2:-result}")"
}

@test "bmf: a measure for each counted row, with the interval of the mean" {
	pstat --format bmf -o result -r 3 -e "$events" -M 'one=page-faults:u/page-faults:u' true
	ends_with_status 0
	bmf '
assert list(b) == ["true"], b
m = b["true"]
assert "1:999:u" not in m
assert m["one"] == {"value": 1, "lower_value": 1, "upper_value": 1}, m
for name in "page-faults:u", "duration_time", "user_time", "system_time":
    assert set(m[name]) == {"value", "lower_value", "upper_value"}, m[name]
'
	pstat --format bmf -o result -e page-faults:u true
	bmf 'assert set(b["true"]["page-faults:u"]) == {"value"}'
}

@test "a comparison has an entry for each side, and a saved document the same numbers" {
	local format

	pstat --format bmf -o result -r 3 -e "$events" --names old,new -c true -c 'true x' --save document
	ends_with_status 0
	bmf 'assert list(b) == ["old", "new"] and all("page-faults:u" in m for m in b.values())'
	needs_documents
	for format in bmf benchmark-action influx; do
		pstat --format "$format" -o first --show document
		ends_with_status 0
		pstat --format json --show document
		mv out again
		pstat --format "$format" -o second --show again
		cmp first second
	done
	pstat --show document --format bmf
	mv out third
	pstat --show again --format bmf
	cmp out third
	pstat --show document --format benchmark-action
	action 'assert "old: page-faults:u" in e and "new: duration_time" in e' out
}

@test "benchmark-action: names, ranges, and labels as extra lines; not what is better if it grows" {
	pstat --format benchmark-action -o result -r 3 -e "$events" -M 'one=page-faults:u/page-faults:u' -M cpus \
		--label commit=abc --label branch=main true
	ends_with_status 0
	action '
assert e["true: one"] == {"name": "true: one", "unit": "", "value": 1, "range": 0,
                          "extra": "3 runs\ncommit=abc\nbranch=main"}, e
assert e["true: duration_time"]["unit"] == "ns" and e["true: duration_time"]["range"] > 0
assert "true: cpus" not in e and "true: 1:999:u" not in e
'
}

@test "influx: tags for the event, its unit and the labels, and the time of the result" {
	local now

	now=$(date +%s)
	pstat --format influx -o result -r 3 -e "$events" --label commit=abc --label 'a.b=x, =y"z' "$(type -P true)" 'a b'
	ends_with_status 0
	influx "now = $now"'
byname = {p["tags"]["event"]: p for p in points}
assert set(byname) >= {"page-faults:u", "duration_time", "user_time", "system_time"}, byname
assert "1:999:u" not in byname
t = byname["duration_time"]["tags"]
assert t["unit"] == "ns" and t["commit"] == "abc" and t["a.b"] == "x, =y\"z", t
assert t["command"].endswith("/true a b"), t
assert set(byname["page-faults:u"]["fields"]) == {"value", "lower", "upper", "runs"}
assert all(now * 10**9 <= p["time"] <= (now + 60) * 10**9 for p in points)
'
	pstat --format influx -o result --append -e page-faults:u true
	influx 'assert len({p["tags"]["command"] for p in points}) == 2'
}

@test "influx: two results of one second have different times" {
	needs_documents
	pstat --format influx -o result --save 1.json -e page-faults:u true
	pstat --format influx -o result --append -e page-faults:u true
	influx 'assert len({p["time"] for p in points if p["tags"]["event"] == "page-faults:u"}) == 2'
	grep page-faults result | head -n 1 >first
	pstat --show 1.json --format influx
	grep page-faults out | cmp - first
}

@test "the result of a failed run is not written for trackers" {
	for format in bmf benchmark-action influx; do
		echo before >result
		pstat --format $format -o result -e page-faults:u false
		ends_with_status 1
		says "pstat: --format $format: false failed: result not written; use --ignore-failure"
		is "the file" "$(<result)" before
	done
	needs_documents
	pstat -n -r 2 -c true -c false --ignore-failure --save compared
	pstat --show compared --format bmf
	ends_with_status 125
	grep -q '^pstat: --format bmf: false failed: result not written;' err || fail "$(<err)"
	[ ! -s out ] || fail "$(<out)"
}

@test "influx: each interval has its own time" {
	pstat --format influx -o result -I 50 -e duration_time sleep 0.12
	ends_with_status 0
	influx 'assert len({p["time"] for p in points}) == len(points) >= 2'
}

@test "rows of places are measures of their own, and tags" {
	needs_cpus
	pstat --format bmf -o result -a -A -e cs true
	ends_with_status 0
	bmf 'assert "cs CPU0" in b["system wide"], b'
	pstat --format influx -o result -a -A -e cs true
	influx 'assert any(p["tags"].get("place") == "CPU0" and p["tags"]["place_kind"] == "cpu" for p in points)'
}

@test "every fixed result is accepted by the three readers" {
	local file

	needs_reports
	for file in reports/*.bmf; do
		bmf '' "$file"
	done
	for file in reports/*.benchmark-action; do
		action '' "$file"
	done
	cat reports/*.influx >all
	influx 'assert len(points) > 300' all
	is "lines and points" "$(wc -l <all)" "$(wc -l <points)"
}

@test "--label is part of each document, and --show keeps it" {
	needs_documents
	needs_command jq
	needs_module jsonschema
	pstat --save document -e page-faults:u --label commit=abc --label b=1 --label commit=def true
	ends_with_status 0
	is "labels" "$(jq -c .labels document)" '{"commit":"def","b":"1"}'
	problems=$(python3 "$TOP_SRCDIR/tests/cli/document.py" "$TOP_SRCDIR/src/document/pstat-result-2.schema.json" \
		document) || fail "$problems"
	pstat --show document --format json
	cmp out document
	pstat --save document -r 2 -n --label commit=abc -c true -c true
	is "of the sides" "$(jq -c '[.sides[].result.labels.commit] | unique' document)" '["abc"]'
	pstat --save document true
	is "without --label" "$(jq -c 'has("labels")' document)" false
}

@test "labels, and options that a tracker format cannot have, are refused" {
	refuses "--label 'commit', column 7: a '=' is missing here: NAME=VALUE; NAME has letters, digits, _ . -" \
		--label commit touch started
	refuses "--label 'commit=', column 8: a value is missing here" --label commit= touch started
	refuses "--label 'event=x', column 1: pstat itself uses the name 'event'" --label event=x touch started
	refuses "--append cannot be combined with --format json, bmf or benchmark-action" \
		--format bmf -o x --append touch started
}
