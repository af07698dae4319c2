#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Metrics whose events need more counters than there are, with invented counts (tests/perf/counts.c):
# each run has larger counts than the one before it.

. "${TOP_SRCDIR:?}/tests/cli/lib.bash"
. "${TOP_SRCDIR:?}/tests/perf/machine.bash"

write_table()
{
	cat >table.json <<'END'
[{"MetricName": "apart", "MetricExpr": "r1 / r2 + 0 * page\\-faults:u", "MetricConstraint": "NO_GROUP_EVENTS"},
 {"MetricName": "soft", "MetricExpr": "0 * page\\-faults:u + r1 / r2", "MetricConstraint": "NO_GROUP_EVENTS"}]
END
}

# The counts of r1 and r2 in the same run are 49 and 25.
@test "--no-multiplex counts the events of a metric in one pass, whether or not they are a group" {
	needs_recorded_machine
	needs_documents
	write_table
	COUNTERS=2 on intel-icelake-server --metrics-file table.json --no-multiplex -e r9 -M apart true
	ends_with_status 0
	grep -q ' 2 passes of the command ' err || fail "$(<err)"
	grep -qE '^.* 1\.960 +apart' err || fail "$(<err)"
}

@test "a metric does not combine counts of different passes, even if its first event is in each of them" {
	needs_recorded_machine
	needs_documents
	write_table
	COUNTERS=1 on intel-icelake-server --metrics-file table.json --no-multiplex -M soft true
	ends_with_status 0
	! grep -qE '[0-9] +soft' err || fail "$(<err)"
	grep -qx 'pstat: -M: soft is left out: it needs 2 counters at once, but r2 was counted separately' err ||
		fail "$(<err)"
}

@test "a note says how many counters a metric needs" {
	needs_command jq
	needs_recorded_machine
	needs_documents
	write_table
	on intel-icelake-server --metrics-file table.json -M apart --save saved.json true
	ends_with_status 0
	jq '.runs[0].state[1] = "scaled" | .runs[0].running_ns[1] /= 2 | .runs[0].running_ns[1] |= floor' saved.json >half.json
	pstat --show half.json
	ends_with_status 0
	is "the note" "$(<err)" \
		"pstat: -M: apart is left out: it needs 2 counters at once, but r2 was counted separately; use --no-multiplex"
}

@test "--explain says how many counters a metric needs, and whether it can be counted" {
	needs_recorded_machine
	needs_documents
	write_table
	on intel-icelake-server --metrics-file table.json --explain apart
	ends_with_status 0
	is "the metric" "$(sed -n '3,4p' out)" "counters        2
here            can be counted"
	COUNTERS=1 on intel-icelake-server --explain ipc
	is "the metric" "$(sed -n '3,4p' out)" "counters        2
here            too few counters for all events at once, so the value is an estimate"
	on intel-icelake-server --sysroot intel-icelake-server --format json --explain ipc
	is "another machine" "$(sed -n 1p out)" \
		'{"metric" : "ipc", "expression" : "instructions / cycles", "counters" : "2"}'
}
