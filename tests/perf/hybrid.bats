#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A machine with two kinds of cores and invented counts: the command spends 25 % of its time on the
# cores of cpu_atom. The count of an event on one kind of core is proportional to the event's rate
# and to the share of the time on this kind.

. "${TOP_SRCDIR:?}/tests/cli/lib.bash"
. "${TOP_SRCDIR:?}/tests/perf/machine.bash"

export ATOM_PERCENT=25

# Let `on` run pstat as perf-stat-shim does.
as_perf()
{
	pstat_on=$TOP_BUILDDIR/as-perf/perf
}

@test "a generic event is the sum over all kinds of cores, without scaling" {
	needs_recorded_machine
	on intel-hybrid -x, -e cycles,instructions,page-faults:u true
	ends_with_status 0
	is "the rows" "$(grep -v page-faults err | cut -d, -f 1,3,5-)" \
"100000000000,cycles,100.00,,
200000000000,instructions,100.00,2.00,insn per cycle"
	on intel-hybrid -e '{cycles,instructions}' -r 3 true
	ends_with_status 0
	grep -qE '^ +200000000000 +cycles ' err || fail "$(<err)"
}

# Their rates are those of the raw events 0xc0 and 0x3c on both kinds of cores (counts.c).
@test "a fixed counter, whose name needs no table, is the sum over all kinds of cores" {
	needs_recorded_machine
	on intel-hybrid -x, -e inst_retired.any,cpu_clk_unhalted.thread true
	ends_with_status 0
	is "the rows" "$(cut -d, -f 3,5 err)" "inst_retired.any,100.00
cpu_clk_unhalted.thread,100.00"
	is "the count" "$(sed -n '/inst/s/,.*//p' err)" "$(sum_of event=0xc0)"
	on intel-hybrid -x, --no-hybrid-merge -e inst_retired.any:u true
	is "each kind" "$(cut -d, -f 3,5 err)" "cpu_core/inst_retired.any/u,100.00
cpu_atom/inst_retired.any/u,100.00"
	on intel-hybrid -x, -M 'x=inst_retired.any/cpu_clk_unhalted.thread' true
	ends_with_status 0
	grep -q ',x$' err || fail "$(<err)"
}

# sum_of TERMS: the counts of both kinds of cores
sum_of()
{
	(
		on intel-hybrid -x, -e "{cpu_core/$1/},{cpu_atom/$1/}" true
		awk -F, '{ sum += $1 } END { printf "%.0f", sum }' err
	)
}

@test "-v prints what each kind of core counted" {
	needs_recorded_machine
	on intel-hybrid -v -e instructions:u true
	ends_with_status 0
	is "the kinds" "$(grep -oE '^cpu_.*: [0-9]+' err)" "cpu_core/instructions/u: 150000000000
cpu_atom/instructions/u: 50000000000"
}

@test "--no-hybrid-merge has a row for each kind of core, which counts its own time only" {
	needs_recorded_machine
	on intel-hybrid -x, --no-hybrid-merge -e cycles:u true
	ends_with_status 0
	is "the rows" "$(cut -d, -f 1,3,5 err)" "75000000000,cpu_core/cycles/u,100.00
25000000000,cpu_atom/cycles/u,100.00"
	on intel-hybrid -x, --no-hybrid-merge --hybrid-merge -e cycles:u true
	is "the row" "$(cut -d, -f 1,3 err)" 100000000000,cycles:u
	on intel-hybrid --no-hybrid-merge -M x=instructions true
	grep -qE '^ +200000000000 +instructions ' err || fail "$(<err)"
}

@test "as perf, there is a row for each kind of core, unless --hybrid-merge is given" {
	needs_recorded_machine
	as_perf
	on intel-hybrid stat -x, -e cycles:u true
	ends_with_status 0
	is "the rows" "$(cut -d, -f 3 err | tr '\n' ' ')" "cpu_core/cycles/u cpu_atom/cycles/u "
	on intel-hybrid stat --hybrid-merge -x, -e cycles:u true
	is "the row" "$(cut -d, -f 1,3 err)" 100000000000,cycles:u
}

@test "events of one kind of core are not scaled to the time on the others" {
	needs_recorded_machine
	on intel-hybrid -x, -e cycles,slots true
	ends_with_status 0
	is "slots" "$(grep slots err | cut -d, -f 3,5)" slots,100.00
	on intel-hybrid -x, -e slots true
	grep -qE ',slots,[0-9]+,7[45]\.[0-9]+,,$' err || fail "without the times of both kinds" "$(<err)"
}

@test "sums take part in metrics, saved results and comparisons" {
	needs_command jq
	needs_recorded_machine
	needs_documents
	on intel-hybrid -M 'x=instructions/cycles' --save saved.json true
	ends_with_status 0
	grep -qE '^ +# +2\.000 x' err || fail "$(<err)"
	pstat --show saved.json -x,
	ends_with_status 0
	is "the saved rows" "$(grep -c ',cycles,' out)" 1
	needs_math
	on intel-hybrid --no-output-check -r 7 -e '{slots,cycles},instructions' -c true -c 'sh -c :' --save both.json
	ends_with_status 0
	is "the rows and how they were counted" \
		"$(jq -r '.rows[] | select(.asked) | .name, (.sides[].state)' both.json | tr '\n' ' ')" \
		"slots counted counted cycles counted counted instructions counted counted "
}

@test "a sum ignores kinds of cores that have no counted or online CPU" {
	needs_recorded_machine
	on intel-hybrid -C 0 -x, -e cycles,cpu_atom/cycles/ sleep 0.01
	ends_with_status 0
	is "the rows" "$(grep cycles err | cut -d, -f 1,3 | sed 's/^[0-9]*,/N,/')" "N,cycles
<not supported>,cpu_atom/cycles/"
	on intel-hybrid -a -e cycles true
	is "a note" "$(grep -c ^pstat: err || true)" 0
	on intel-hybrid -a -x, --no-hybrid-merge -e cycles true
	is "the rows" "$(cut -d, -f 3 err | tr '\n' ' ')" "cpu_core/cycles/ cpu_atom/cycles/ "
}

@test "an event of no core PMU counts on all kinds of cores, outside their groups" {
	needs_recorded_machine
	on intel-hybrid -x, -e '{cycles,page-faults:u}' true
	ends_with_status 0
	is "how long they ran" "$(cut -d, -f 3,5 err)" "cycles,100.00
page-faults:u,100.00"
	on intel-hybrid -M 'x=page-faults:u/instructions' true
	is "scaled rows" "$(grep -c '(.*%)$' err || true)" 0
}

@test "--no-multiplex counts all kinds of cores in one pass" {
	needs_recorded_machine
	on intel-hybrid --no-multiplex -x, -e cycles,instructions true
	ends_with_status 0
	is "the rows" "$(cut -d, -f 1,3,5 err)" "100000000000,cycles,100.00
200000000000,instructions,100.00"
}

@test "--baseline counts the events and metrics of the saved result, in the same rows" {
	needs_recorded_machine
	needs_documents
	needs_math
	on intel-hybrid -r 4 --save old.json -M 'x=instructions/cycles,y=branches/instructions' true
	on intel-hybrid --no-output-check -r 4 --baseline old.json true
	ends_with_status 0
	is "the metrics" "$(awk '/^[xy] / { print $1, $2, $3 }' out)" "x 2.000 2.000
y 0.200 0.200"
	on intel-hybrid -r 4 --save old.json --no-hybrid-merge -e cycles true
	on intel-hybrid --no-output-check -r 4 --baseline old.json true
	is "the kinds" "$(awk '/^cpu_/ { print $1, $2, $3 }' out)" \
"cpu_core/cycles/ 187500000000 187500000000
cpu_atom/cycles/ 62500000000 62500000000"
}

# Its instances are switched one after the other, so their times differ a little.
@test "an event that is switched by name is corrected by its own times" {
	local n

	needs_recorded_machine
	mkfifo control
	# shellcheck disable=SC2016 # for the shell of the command
	on intel-hybrid --control fifo:control -x, -e cycles,instructions \
		sh -c 'echo disable instructions >control; i=0; while [ $i -lt 3000 ]; do i=$((i + 1)); done'
	ends_with_status 0
	is "the others" "$(grep cycles err | cut -d, -f 1,3,5)" 100000000000,cycles,100.00
	n=$(grep instructions err | cut -d, -f 1)
	[ "$n" -ge 200000000000 ] && [ "$n" -lt 300000000000 ] || fail "scaled twice: $n"
}

@test "a ratio does not combine a sum with the count of one kind" {
	needs_recorded_machine
	on intel-hybrid -x, -e cpu_core/cycles/,instructions true
	ends_with_status 0
	is "the metrics" "$(cut -d, -f 3,6- err)" "cpu_core/cycles/,,
instructions,,"
	on intel-hybrid -x, --no-hybrid-merge -e '{cycles,instructions}' true
	is "of each kind" "$(cut -d, -f 1,3,6- err)" "75000000000,cpu_core/cycles/,,
150000000000,cpu_core/instructions/,2.00,insn per cycle
25000000000,cpu_atom/cycles/,,
50000000000,cpu_atom/instructions/,2.00,insn per cycle"
}

@test "without the times of all kinds, a count is scaled even after very short periods of counting" {
	local n

	needs_recorded_machine
	mkfifo control
	# shellcheck disable=SC2016 # for the shell of the command
	on intel-hybrid --control fifo:control -D -1 -x, -e slots \
		sh -c 'i=0; while [ $i -lt 1000 ]; do echo enable >control; echo disable >control; i=$((i + 1)); done'
	ends_with_status 0
	n=$(grep slots err | cut -d, -f 5)
	[ "${n%.*}" -lt 80 ] || fail "slots ran for $n % of the time" "$(<err)"
}
