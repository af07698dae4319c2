#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# --doctor: what limits and disturbs measurements, and the smallest change that a comparison shows.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

setup()
{
	cd "$BATS_TEST_TMPDIR" || return
}

@test "the page fits a screen, and ends with the smallest changes" {
	pstat --doctor --duration 0.3
	ends_with_status 0
	is "standard error" "$(<err)" ""
	within "lines" 8 "$(wc -l <out)" 40
	is "lines wider than 80 columns" "$(LC_ALL=C.UTF-8 awk 'length > 80' out)" ""
	is "properties" "$(grep -cE '^[! ] (hardware counters|may be counted|other counters|other programs) ' out)" 4
	is "measures" "$(grep -cE '^  (CPU time|elapsed time|page-faults) +([0-9]+\.[0-9]+ %|no run differed)$' out)" 3
	is "disturbances" "$(sed -n 's/^The \(.*\) propert.* marked .*/\1/p; s/^The property marked .*/1/p' out)" \
		"$(grep -c '^! ' out | sed 's/^0$//')"
}

@test "JSON has the same" {
	needs_command jq
	pstat --doctor --duration 0.3 --format json
	ends_with_status 0
	is "findings" "$(jq '[.findings[] | select(.name and .state and (.disturbs | type) == "boolean" and has("remedy"))] |
		length == ($all | length)' --argjson all "$(jq .findings out)" out)" true
	is "measures" "$(jq -r '[.noise.smallest_changes[] | select(.percent >= 0) | .name] | join(",")' out)" \
		"CPU time,elapsed time,page-faults"
	is "enough rounds" "$(jq '.noise.rounds >= 2 and .noise.seconds >= 0.3' out)" true
}

@test "the counters of another process are shown" {
	needs_counting user
	local events # more than other tests have at the same time: the largest are shown

	events=$(printf ',page-faults:u%.0s' {1..200})
	"$PSTAT" -e "${events#,}" sleep 60 2>/dev/null 3>&- &
	pstat_job=$!
	# shellcheck disable=SC2016 # eventually expands it
	eventually '[ "$(ls -l "/proc/$pstat_job/fd" | grep -c perf_event)" -ge 200 ]'
	pstat --doctor --duration 0.1
	kill "$pstat_job"
	tr -s '\n ' ' ' <out | grep -qE "pid $pstat_job \([^)]*\): 2[0-9]{2}\b" || fail "$(<out)"
}

@test "SIGCHLD that is ignored does not matter" {
	(trap '' CHLD && exec "$PSTAT" --doctor --duration 0.1 >out 2>err)
	grep -q '^  CPU time' out || fail "$(cat out err)"
}

@test "another machine: its settings, and nothing that would have to run there" {
	"$BATS_TEST_DIRNAME/../fixtures/unpack" intel-skylake-server machine
	pstat --doctor --sysroot machine
	ends_with_status 0
	is "the page" "$(<out)" "  hardware counters this machine has a PMU
! NMI watchdog      on: it uses a counter of each CPU
                    -> sysctl kernel.nmi_watchdog=0

The property marked with ! limits or disturbs measurements."
	rm -r machine
	"$BATS_TEST_DIRNAME/../fixtures/unpack" vm-no-pmu machine
	pstat --doctor --sysroot machine
	grep -qx '! hardware counters no PMU; this is a virtual machine (QEMU/KVM)' out || fail "$(<out)"
}

@test "a command, and other formats than table and json, are refused" {
	refuses "--doctor takes no command" --doctor true
	refuses "--doctor: the formats are table and json" --doctor --format csv
	refuses "-e cannot be combined with --doctor" --doctor -e cycles
}
