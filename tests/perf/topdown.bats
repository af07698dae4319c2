#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# --topdown on a recorded machine with invented counts (tests/perf/counts.c). The formulas of other
# machines are in tests/unit/job/test_topdown.c.

. "${TOP_SRCDIR:?}/tests/cli/lib.bash"
. "${TOP_SRCDIR:?}/tests/perf/machine.bash"

# The parts that counts.so invents are 57, 71, 20 and 34 of 182.
@test "the parts have a line each, and the largest one is explained" {
	needs_recorded_machine
	on intel-icelake-server --topdown true
	ends_with_status 0
	is "the parts" "$(sed -n '4,10p' err)" \
"    31.3 %           tma_retiring
    39.0 %           tma_bad_speculation
    11.0 %           tma_frontend_bound
    18.7 %           tma_backend_bound

 bad speculation 39.0 %: work is thrown away, mostly after mispredicted branches
 next: pstat -M branch-miss-rate"
	on intel-icelake-server --topdown -r 3 true
	ends_with_status 0
	grep -qx '    31.3 %           tma_retiring' err || fail "$(<err)"
	grep -q ' seconds time elapsed ' err || fail "$(<err)"
}

# The parts of three runs differ; the counts of a saved result are replaced for this.
@test "with several runs, each part and the explanation have a half-width" {
	needs_command jq
	needs_recorded_machine
	needs_documents
	on intel-icelake-server --topdown -r 3 --save three.json true
	jq '.runs[0].raw = [100, 40, 10, 10, 40] | .runs[1].raw = [100, 42, 10, 10, 38] |
		.runs[2].raw = [100, 44, 10, 10, 36]' three.json >other.json
	pstat --show other.json
	ends_with_status 0
	is "the parts" "$(sed -n '4,10p' out)" \
"    42.0 % ± 5.0     tma_retiring
    10.0 %           tma_bad_speculation
    10.0 %           tma_frontend_bound
    38.0 % ± 5.0     tma_backend_bound

 backend bound 38.0 % ± 5.0: the core waits for data or execution units
 next: pstat -M l1d-miss-rate,dtlb-miss-rate"
}

@test "--topdown -p shows the parts of a running process" {
	needs_recorded_machine
	on intel-icelake-server --topdown -p $$ sleep 0.05
	ends_with_status 0
	is "the parts" "$(grep -oE '^ +[0-9.]+ % +tma_.*' err)" \
"    31.3 %           tma_retiring
    39.0 %           tma_bad_speculation
    11.0 %           tma_frontend_bound
    18.7 %           tma_backend_bound"
}

@test "a page has the parts with their unit" {
	needs_command chromium
	needs_command python3
	needs_recorded_machine
	needs_documents
	on intel-icelake-server --topdown -r 3 --html page.html true
	ends_with_status 0
	python3 "$TOP_SRCDIR/tests/cli/page.py" check page.html
	python3 "$TOP_SRCDIR/tests/cli/page.py" show page.html >shown
	grep -qE '^tma_backend_bound %.*18\.681' shown || fail "$(<shown)"
}

@test "a hybrid machine has the parts of each kind of core, and the second level" {
	needs_recorded_machine
	on intel-hybrid --topdown true
	ends_with_status 0
	is "the lines" "$(awk '/% .*tma_/ { print $NF }' err | tr '\n' ' ')" "tma_retiring.cpu_core tma_bad_speculation.cpu_core \
tma_frontend_bound.cpu_core tma_backend_bound.cpu_core tma_retiring.cpu_atom tma_bad_speculation.cpu_atom \
tma_frontend_bound.cpu_atom tma_backend_bound.cpu_atom "
	grep -qx ' cpu_core: bad speculation [0-9.]* %: work is thrown away.*' err || fail "$(<err)"
	grep -qx ' next: pstat --topdown=2' err || fail "$(<err)"
	on intel-hybrid --topdown --td-level 2 true
	ends_with_status 0
	is "all parts" "$(grep -c '^ .* % .*tma_' err)" 16
	grep -qx '    34.1 %             tma_branch_mispredicts.cpu_core' err || fail "$(<err)"
	grep -qx ' cpu_core: branch mispredicts 34.1 %: work is thrown away after mispredicted branches' err || fail "$(<err)"
}

@test "the rows of -e follow the parts, with the other metrics" {
	needs_recorded_machine
	on intel-icelake-server --topdown -M ipc -e page-faults:u true
	ends_with_status 0
	grep -qx '    31.3 %           tma_retiring' err || fail "$(<err)"
	grep -qx '   2.000             ipc' err || fail "$(<err)"
	grep -qE '^ +[0-9]+ +page-faults:u' err || fail "$(<err)"
	! grep -q slots err || fail "$(<err)"
}

@test "each CPU and each interval has a line with all parts" {
	needs_recorded_machine
	needs_cpus
	on intel-icelake-server --topdown -a -A true
	ends_with_status 0
	grep -qE '^CPU0 +31\.319 +39\.011 +10\.989 +18\.681 ?$' err || fail "$(<err)"
	on intel-icelake-server --topdown -I 50 sleep 0.12
	ends_with_status 0
	grep -qE '^ +0\.[0-9]+ +31\.319 +39\.011 +10\.989 +18\.681 ?$' err || fail "$(<err)"
}

@test "parts are metrics: in csv, JSON, saved results and gates" {
	needs_command jq
	needs_recorded_machine
	needs_documents
	needs_math
	on intel-icelake-server --topdown -x, true
	is "perf's csv" "$(<err)" "%  tma_retiring,%  tma_bad_speculation,%  tma_frontend_bound,%  tma_backend_bound,
31.319,39.011,10.989,18.681,"
	on intel-icelake-server --topdown --save saved.json true
	ends_with_status 0
	is "a metric" "$(jq '.summary.rows[].metrics[] | select(.unit == "tma_backend_bound").value' saved.json | cut -c1-6)" 18.681
	mv err printed
	pstat --show saved.json
	ends_with_status 0
	is "the result shown" "$(<out)" "$(<printed)"
	pstat --show saved.json -x,
	ends_with_status 0
	grep -q ',18.681,%  tma_backend_bound$' out || fail "$(<out)"
	jq '.metrics[2].set = 0' saved.json >wrong.json
	refuses '--show wrong.json: metrics[2].set: not from 1 to 1024' --show wrong.json
	jq '.metrics[0].topdown = "new" | .metrics[1].next = "-e x"' saved.json >other.json
	pstat --show other.json
	ends_with_status 0
	grep -qE '^ +31.319 % +tma_retiring$' out || fail "$(<out)"
	grep -q '^ bad speculation 39.0 %: work is thrown away' out || fail "$(<out)"
	! grep -q 'next:' out || fail "$(<out)"
	jq 'del(.metrics[1].set)' saved.json >wrong.json
	refuses '--show wrong.json: metrics[1].set: missing' --show wrong.json
	on intel-icelake-server -M topdown1 -e page-faults:u --save counts.json true
	ends_with_status 0
	grep -qE '^ +[0-9]+ +page-faults:u' err || fail "$(<err)"
	mv err printed
	pstat --show counts.json
	is "the counts shown" "$(<out)" "$(<printed)"
	on intel-icelake-server --topdown --no-output-check -r 8 --fail-if 'tma_backend_bound>+2' -c true -c 'sh -c :' --save both.json
	ends_with_status 0
	grep -qE '^tma_retiring +31\.319 % +31\.319 % ' out || fail "$(<out)"
	is "more useful work is better" "$(jq -r '.rows[] | select(.name == "tma_retiring").more_is_better' both.json)" true
}

@test "--merge of results of --topdown prints the table of ranks" {
	local rank

	needs_recorded_machine
	needs_documents
	for rank in 0 1; do
		OMPI_COMM_WORLD_RANK=$rank OMPI_COMM_WORLD_SIZE=2 on intel-icelake-server --topdown \
			--save "rank$rank.json" true
		ends_with_status 0
	done
	pstat --merge rank0.json rank1.json
	ends_with_status 0
	grep -qE '^ +114000000000 .* topdown-retiring$' out || fail "$(<out)"
}

@test "levels that this machine cannot count are refused before anything runs" {
	refuses "'7' is not a topdown level (1 to 6)" --topdown=7 touch started
	refuses "'two' is not a topdown level (1 to 6)" --td-level two touch started
	needs_recorded_machine
	on intel-icelake-server --topdown=2 touch started
	ends_with_status 125
	is "the reason" "$(<err)" \
		"pstat: --topdown: level 2 is unknown for this CPU; add perf's tables with --metrics-file"
	[ ! -e started ]
}

@test "the default events have perf's parts of the slots" {
	needs_recorded_machine
	on intel-icelake-server -x, true
	ends_with_status 0
	is "the parts" "$(awk -F, '/topdown/ { print $3, $6, $7 }' err)" "topdown-retiring 31.3 Retiring
topdown-bad-spec 39.0 Bad Speculation
topdown-fe-bound 11.0 Frontend Bound
topdown-be-bound 18.7 Backend Bound"
	on intel-hybrid -x, true
	ends_with_status 0
	is "both parts of the front end" "$(grep fetch-lat err | cut -d, -f 3,6-)" \
		"cpu_core/topdown-fetch-lat/,6.6,Fetch Latency,4.4,Fetch Bandwidth"
}

# Like the kernel, counts.so refuses topdown-* outside a group of slots.
@test "topdown-* events join the group of slots: in a list, in a metric without groups, in a weak group that is split" {
	needs_recorded_machine
	needs_documents
	on intel-icelake-server -x, -e slots,cycles,topdown-retiring true
	ends_with_status 0
	is "the rows" "$(cut -d, -f 1,3 err)" "65000000000,slots
57000000000,topdown-retiring
100000000000,cycles"
	on intel-icelake-server -e slots,page-faults,topdown-retiring --filter 'a==1' true
	ends_with_status 125
	grep -q "the preceding event 'topdown-retiring' is not a tracepoint$" err || fail "$(<err)"
	on intel-icelake-server -e topdown-retiring true
	grep -q "counts it only in a group whose leader is slots: {slots,topdown-retiring}$" err || fail "$(<err)"
	on intel-icelake-server --explain topdown-retiring
	ends_with_status 0
	grep -qx 'kernel          the kernel counts it only in a group whose leader is slots: {slots,topdown-retiring}' out ||
		fail "$(<out)"
	! grep -q '^instead' out || fail "$(<out)"
	on intel-icelake-server -x, -e 'slots?,topdown-retiring?' true
	is "the rows" "$(cut -d, -f 3 err | tr '\n' ' ')" "slots topdown-retiring "
	cat >table.json <<'END'
[{"MetricName": "l1", "MetricGroup": "TopdownL1", "MetricgroupNoGroup": "TopdownL1",
  "MetricExpr": "topdown\\-retiring / cycles + 0 * slots"},
 {"MetricName": "large", "MetricExpr": "topdown\\-retiring / (cycles + r1 + r2 + r3 + r4 + r5 + r6 + r7 + r8) + 0 * slots"}]
END
	on intel-icelake-server --metrics-file table.json -M TopdownL1 true
	ends_with_status 0
	grep -q '  0.570 *l1' err || fail "$(<err)"
	# the kernel refuses the group, because 11 events need more than the 8 counters
	COUNTERS=8 on intel-icelake-server --metrics-file table.json -M large true
	ends_with_status 0
	grep -q '^ *57000000000 *topdown-retiring ' err || fail "$(<err)"
}

@test "the message about an unknown event with a dot names --metrics-file" {
	pstat -e idq.mite_cycles_of_nothing touch started
	ends_with_status 125
	grep -qE "unknown event 'idq.mite_cycles_of_nothing'.* \(names of perf's tables need --metrics-file\)$" err ||
		fail "$(<err)"
}
