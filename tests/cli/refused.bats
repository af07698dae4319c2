#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Each list of refused.tsv and each line of options of refused-options.tsv is refused: one line with the
# place and the reason, 125, and no command was started.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

table=$BATS_TEST_DIRNAME/refused.tsv
options=$BATS_TEST_DIRNAME/refused-options.tsv

# Under valgrind each row takes its time.
# shellcheck disable=SC2034 # used by bats
BATS_TEST_TIMEOUT=${TEST_TIME_LIMIT:-280}

# needs_uprobe MESSAGE: whether it is given only where the kernel has the PMU
needs_uprobe()
{
	[[ $1 = *": no such file, library or program" || $1 = *": is no ELF file" ]]
}

@test "each list of the table is refused with its message, and nothing is started" {
	local row list column message expected symbols n=0

	pstat --version
	symbols=$(grep '^symbols of ELF files: yes' out || true)
	while IFS= read -r row; do
		list=${row%%$'\t'*}
		message=${row##*$'\t'}
		column=${row#*$'\t'}
		column=${column%%$'\t'*}
		if needs_uprobe "$message" && [ ! -e /sys/bus/event_source/devices/uprobe ]; then
			echo "not tried, this kernel has no PMU uprobe: $list"
			continue
		fi
		if [[ -z $symbols && $message = *": is no ELF file" ]]; then
			echo "not tried, built without libelf: $list"
			continue
		fi
		pstat -e "$list" touch started
		expected="125 pstat: -e '$list', column $column: $message"
		[ "$status $(<err)" = "$expected" ] && [ "$(wc -l <err)" -eq 1 ] && [ ! -s out ] ||
			printf '%s\n' "wanted $expected" "got    $status $(<err)" >>wrong
		[ ! -e started ] || echo "started: $list" >>wrong
		rm -f started
		((++n))
	done < <(grep -v '^#' "$table")
	[ ! -e wrong ] || fail "$(<wrong)"
	within "how many were tried" 80 "$n" 10000
}

@test "options that make no sense are refused with their message, and nothing is started" {
	local words message n=0

	while IFS=$'\t' read -r words message; do
		eval "set -- $words"
		pstat "$@"
		[ "$status $(<err)" = "125 pstat: $message" ] && [ "$(wc -l <err)" -eq 1 ] && [ ! -s out ] ||
			printf '%s\n' "$words" "wanted 125 pstat: $message" "got    $status $(<err)" >>wrong
		[ ! -e started ] || echo "started: $words" >>wrong
		rm -f started
		((++n))
	done < <(grep -v '^#' "$options")
	[ ! -e wrong ] || fail "$(<wrong)"
	within "how many were tried" 150 "$n" 10000
	is "rows that stand twice" "$(grep -v '^#' "$options" | cut -f 1 | sort | uniq -d)" ""
}

@test "each reason that options_check.c has is in the table, or in another test" {
	# What the table says, and the bats files, without what stands between.
	cat "$options" "$BATS_TEST_DIRNAME"/*.bats | tr -s '\\"\n\t ' ' ' >said
	tr -d '\n\t' <"${TOP_SRCDIR:?}/src/cli/options_check.c" | sed 's/""//g' |
		grep -oE '(return|trouble =|: ) ?"[^"]{20,}"' | sed 's/^[^"]*"//; s/"$//' >reasons
	while read -r reason; do
		grep -qF -- "$reason" said || echo "$reason" >>untested
	done <reasons
	[ ! -e untested ] || fail "$(<untested)"
	within "how many reasons there are" 25 "$(wc -l <reasons)" 200
}

@test "no row of the table stands twice, and each column is inside its list, or right behind it" {
	is "rows that stand twice" "$(grep -v '^#' "$table" | cut -f 1 | sort | uniq -d)" ""
	is "rows with a wrong column" "$(grep -v '^#' "$table" |
		awk -F '\t' 'NF != 3 || $2 < 1 || $2 > length($1) + 1')" ""
}

# tracepoint SYSTEM NAME: add a tracepoint to the machine in the folder machine
tracepoint()
{
	mkdir -p "machine/sys/kernel/tracing/events/$1/$2"
	echo 1 >"machine/sys/kernel/tracing/events/$1/$2/id"
}

@test "the suggestion for a mistyped name does not depend on the machine's tracepoints" {
	tracepoint sched sched_switch
	tracepoint kvmmmu kvm_mmu_pagetable_walk
	tracepoint xfs xfs_attr_list_sf_all
	refuses "--explain 'wall', column 1: unknown event 'wall'; did you mean 'duration_time'?" \
		--sysroot machine --explain wall
	refuses "--explain 'sched_swich', column 1: unknown event 'sched_swich'; did you mean 'sched:sched_switch'?" \
		--sysroot machine --explain sched_swich
	refuses "--explain 'shed:sched_switch', column 1: unknown event 'shed:sched_switch'; did you mean 'sched:sched_switch'? (there is no tracepoint group 'shed')" \
		--sysroot machine --explain shed:sched_switch
}

@test "an event of perf probe that does not exist is not mistaken for an event of an old CPU" {
	tracepoint sched sched_switch
	refuses "--explain 'probe:foo', column 1: unknown event 'probe:foo' (no such 'perf probe' event; count calls with uprobe:FILE:FUNCTION or kprobe:FUNCTION)" \
		--sysroot machine --explain probe:foo
	rm -r machine/sys/kernel
	refuses "--explain 'probe:foo', column 1: unknown event 'probe:foo' (tracefs is not mounted: mount -t tracefs nodev /sys/kernel/tracing)" \
		--sysroot machine --explain probe:foo
}
