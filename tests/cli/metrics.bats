#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# -M: metrics by name and by expression, and the notes about metrics without a value.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

# metric UNIT: print the value of the metric from the output of -x; it may have its own line
metric()
{
	awk -F, -v unit="$1" '$NF == unit { print $(NF - 1) }' err
}

@test "a metric is computed from its own events, which have rows" {
	needs_counting user
	pstat -x, -M 'twice=page-faults:u * 2' "$programs/faults" 500
	ends_with_status 0
	is "the rows" "$(grep -v '^,' err | cut -d, -f3)" page-faults:u
	is "the value" "$(metric twice)" "$(($(field 1 page-faults:u) * 2)).000"
}

@test "arithmetic has the usual precedence, parentheses, signs, decimals and exponents" {
	local pages value

	needs_counting user
	for value in '1+2*3:7.000' '(1+2)*3:9.000' '10-2-3:5.000' '12/2/3:2.000' '-2*-3:6.000' \
		'-(1 - 2):1.000' '1.5e1 + .5:15.500' '2*(3+(4-1))/4:3.000' '1e3*1e-3:1.000'; do
		pstat -x, -M "v=0*page-faults:u + ${value%:*}" true
		ends_with_status 0
		is "${value%:*}" "$(metric v)" "${value#*:}"
	done
	pages=$(count page-faults:u -e page-faults:u true)
	within "page faults" 1 "$pages" 10000
}

@test "time is in seconds, cpus is the number of counted CPUs, clocks are in nanoseconds" {
	needs_counting user
	pstat -x, -M 't=time+0*task-clock:u,c=cpus+0*dummy:u,ns=0*page-faults:u+1*task-clock:u' -e duration_time \
		sleep 0.3
	ends_with_status 0
	within "time" 0.3 "$(metric t)" 50
	within "time, beside the elapsed one" "$(($(field 1 duration_time) / 1000000 - 1))" \
		"$(metric t | awk '{ print $1 * 1000 }')" "$(($(field 1 duration_time) / 1000000 + 1))"
	is "cpus" "$(metric c)" "$(getconf _NPROCESSORS_ONLN).000"
	within "nanoseconds" 1000 "$(metric ns)" 300000000000
}

@test "with -C the metric cpus is the number of counted CPUs" {
	local start

	needs_cpus
	start=$(uptime_ms)
	pstat -x, -C 0 -M 'c=cpus+0*cs,t=time+0*cs,busy=cpu-clock/1e9/time' sleep 0.2
	ends_with_status 0
	is "cpus" "$(metric c)" 1.000
	# the CPU is counted a little longer than the command runs
	within "how many are counted at a time" 0.9 "$(metric busy)" \
		"$(awk -v all=$(($(uptime_ms) - start + 20)) -v time="$(metric t)" 'BEGIN { print all / 1000 / (time - 0.001) }')"
}

@test "the metric cpus is task-clock / elapsed time, and no row shows a number twice" {
	needs_counting user
	pstat -M cpus "$programs/busy" 200
	ends_with_status 0
	is "number of times shown" "$(grep -cE '# +[0-9.]+ cpus *$' err)" 1
	! grep -q 'CPUs utilized' err || fail "$(<err)"
	within "cpus" 0.001 "$(awk '/ cpus *$/ { print $(NF - 1) }' err)" 1.1
}

@test "the name of a metric is its label in every format" {
	local format

	needs_counting user
	for format in '-x,' '-j' '--metric-only' '--metric-only -x,' '--metric-only -j' '--format table' '--format json' \
		'--format csv' '--format csv-summary' '--format markdown' '--format openmetrics'; do
		# shellcheck disable=SC2086 # words
		pstat $format -o text -M 'cpus,own=page-faults:u*2' true
		ends_with_status 0
		grep -qw cpus text && grep -qw own text || fail "$format:" "$(<text)"
		! grep -q 'CPUs utilized' text || fail "$format:" "$(<text)"
	done
}

@test "-r gives metrics a spread; csv has a line for each run, csv-summary their distribution" {
	needs_command jq
	needs_counting user
	pstat -r 3 -M 'f=page-faults:u / time' --save saved true
	ends_with_status 0
	grep -qE '# +[0-9.]+ f \+- +[0-9.]+% ' err || fail "$(<err)"
	pstat --show saved --format csv -o text
	is "the runs" "$(awk -F, '$8 == "f" { print $2 }' text | tr '\n' ' ')" "1 2 3 "
	is "values" "$(awk -F, 'NR == FNR { if ($8 == "page-faults:u") count[$2] = $11 / $16; next }
		$8 == "f" && $11 / count[$2] > 0.999 && $11 / count[$2] < 1.001' text text | wc -l)" 3
	pstat --show saved --format csv-summary -o summary
	is "runs and values" "$(awk -F, '$8 == "f" { print $11, $12 }' summary)" "3 3"
	is "the mean" "$(awk -F, '$8 == "f" { sum += $11 } END { printf "%.6f", sum / 3 }' text)" \
		"$(awk -F, '$8 == "f" { printf "%.6f", $13 }' summary)"
	is "the mean in the document" "$(jq -r '.summary.rows[].metrics[] | select(.unit == "f") | .mean | . * 1000 | round' saved)" \
		"$(awk -F, '$8 == "f" { printf "%.0f", $13 * 1000 }' summary)"
}

@test "metrics that share an event count it once; a metric may be requested twice" {
	needs_counting user
	pstat -x, -M 'a=page-faults:u*2,b=page-faults:u/dummy:u,a=page-faults:u*2' true
	ends_with_status 0
	is "the rows" "$(grep -v '^,' err | cut -d, -f3 | tr '\n' ' ')" "page-faults:u dummy:u "
	refuses "-M 'a=cs,a=faults', column 6: metric 'a' has two expressions; give one of them another name" \
		-M 'a=cs,a=faults' touch started
}

@test "a small value has at least three digits" {
	needs_counting user
	pstat -x, -M 'v=page-faults:u/page-faults:u*2.5e-7' true
	is "the value" "$(metric v)" 0.000000250
}

@test "--list and --explain know metrics, and -e points to -M" {
	needs_command jq
	pstat --list 'l1d-miss-r*'
	ends_with_status 0
	is "the list" "$(<out)" "-M (metric):
  l1d-miss-rate                                    100 * L1-dcache-load-misses / L1-dcache-loads"
	pstat --explain ghz
	is "the metric" "$(sed -n '1,2p' out)" "metric          ghz
expression      cycles / task-clock"
	is "its events" "$(awk '$1 == "event" { print $2 }' out | tr '\n' ' ')" "cycles task-clock "
	pstat --format json --explain ghz
	is "its events in JSON" "$(jq -r '.metric // .event' out | tr '\n' ' ')" "ghz cycles task-clock "
	refuses "-e 'cs,ipc', column 4: 'ipc' is a metric; use -M ipc" -e cs,ipc touch started
}

@test "several -M and several metrics add up, also with -e" {
	needs_counting user
	pstat -x, -e minor-faults:u -M 'a=page-faults:u,b=page-faults:u / (2)' -M 'c=dummy:u + 1' true
	ends_with_status 0
	is "the rows" "$(grep -v '^,' err | cut -d, -f3 | tr '\n' ' ')" \
		"minor-faults:u page-faults:u dummy:u "
	is "the names" "$(awk -F, '$NF ~ /^[abc]$/ { print $NF }' err | tr '\n' ' ')" "a b c "
}

@test "an event that is not a plain word needs quotes; 'time' in quotes is an event" {
	needs_counting user
	pstat -x, -M "v='software/config=2,name=mine/u' * 1" true
	ends_with_status 0
	is "the row" "$(grep -v '^,' err | cut -d, -f3)" mine
	is "the value" "$(metric v)" "$(field 1 mine).000"
	refuses "-M 'v='time'', column 4: metric v: unknown event 'time'; did you mean 'duration_time', 'user_time' or 'system_time'?" \
		-M "v='time'" touch started
}

@test "a metric without a value is left out, and a note has the reason" {
	needs_counting user
	pstat -v -x, -M 'v=page-faults:u / (1 - 1)' true
	ends_with_status 0
	is "messages" "$(grep '^pstat:' err)" "pstat: -M: v is left out: it is a division by zero or too large"
	is "the value" "$(metric v)" ""
	pstat -v -x, -D 20000 -M 'v=page-faults:u * 2' true
	is "messages" "$(grep '^pstat: -M' err)" "pstat: -M: v is left out: page-faults:u has no count"
	[ -e /sys/bus/event_source/devices/cpu ] || ls /sys/bus/event_source/devices/armv* 2>/dev/null ||
		{
			pstat -v -x, -M ipc true
			ends_with_status 0
			is "messages" "$(grep '^pstat: -M' err)" \
				"pstat: -M: ipc is left out: instructions has no count"
		}
}

@test "-I computes a metric for each interval" {
	pstat -x, -I 100 --interval-count 2 -M 't=time+0*duration_time' sh -c "$(until_intervals 2 duration_time)"
	ends_with_status 0
	within "the second interval in seconds, less what its times say, plus 1" 0.998 \
		"$(awk -F, -v t="$(metric t | tail -n 1)" '$4 == "duration_time" { first = last; last = $1 }
			END { print 1 + t - (last - first) }' err)" 1.002
	is "values" "$(metric t | wc -l)" 2
}

@test "the manual lists exactly the metrics of pstat" {
	local name

	refuses "-M 'nope', column 1: Cannot find metric or group \`nope'; use ipc, cpi, branch-miss-rate, l1d-miss-rate, llc-miss-rate, dtlb-miss-rate, ghz, cpus or NAME=EXPRESSION" \
		-M nope touch started
	for name in ipc cpi branch-miss-rate l1d-miss-rate llc-miss-rate dtlb-miss-rate ghz cpus; do
		grep -q "^\.It Cm $name Ta " "${TOP_SRCDIR:?}/man/pstat-events.7" || fail "not in the manual: $name"
		pstat -M "$name" true
		ends_with_status 0
	done
}
