#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# perf stat 6.1 and pstat make the same requests to the kernel for each event string of perf.tsv.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

table=$BATS_TEST_DIRNAME/perf.tsv

# attrs FILE: print the fields of each opened attr on one line, sorted, without pstat's sentinels,
# which are not inherited. For breakpoints, perf prints shared fields under both of their names.
attrs()
{
	awk '
		function finish(   i, n, fields, line) {
			n = split(text, fields, "\n")
			for (i = 1; i < n; i++)
				line = line fields[i] "\n"
			if (line ~ /(^|\n)inherit /) {
				sort = "sort | tr \"\\n\" \" \""
				printf "%s", line | sort
				close(sort)
				print ""
			}
		}
		/^perf_event_attr:/ { inside = 1; text = ""; next }
		/^-----/ && inside { inside = 0; finish() }
		inside && $1 != "size" && $1 != "sample_type" {
			sub(/^ +/, "")
			sub(/^\{ bp_addr, config1 \}/, "config1")
			sub(/^\{ bp_len, config2 \}/, "config2")
			gsub(/ +/, " ")
			text = text $0 "\n"
		}' "$1"
}

# Print the number of events in the string $1. Commas between slashes do not separate events.
events_in()
{
	awk -v text="$1" 'BEGIN { gsub("/[^/]*/", "", text); print gsub(",", "", text) + 1 }'
}

# check_row EVENT DIFFERENCE: print the mistakes
check_row()
{
	local n

	n=$(events_in "$1")
	[ "$2" != leader ] || n=1
	perf stat -vv -e "$1" true >perf.out 2>&1 || true
	pstat -v -e "$1" true
	attrs perf.out | head -n "$n" >perf.attrs
	attrs err | head -n "$n" >pstat.attrs
	if [ ! -s perf.attrs ]; then
		echo "$1: perf opened nothing: $(head -n 1 perf.out)"
		return
	fi
	if [ "$2" = guest ]; then
		! cmp -s perf.attrs pstat.attrs || echo "$1: no difference, although the table lists one"
		sed -i 's/exclude_guest 1 //' perf.attrs pstat.attrs
	fi
	diff perf.attrs pstat.attrs >difference || printf '%s\n' "$1:" "$(<difference)"
}

@test "perf stat and pstat open the same attrs, except for listed differences" {
	local event difference n=0 version

	needs_command perf
	needs_counting kernel
	version=$(perf version)
	[[ $version = "perf version 6.1"* ]] ||
		skip "the table describes perf 6.1, but this machine has $version"
	while IFS=$'\t' read -r event difference; do
		if [[ $event = *sched:sched_* || $event = *syscalls:sys_* ]] &&
			[[ ! -r /sys/kernel/tracing/events ]]; then
			echo "not compared, tracefs cannot be read: $event"
			continue
		fi
		if [[ $event = msr/* && ! -e /sys/bus/event_source/devices/msr ]]; then
			echo "not compared, there is no PMU msr: $event"
			continue
		fi
		if [[ $event = mem:* || $event = breakpoint/* ]] && ! "$programs/can-count" breakpoint >/dev/null; then
			echo "not compared, pstat opens no breakpoint on this machine: $event"
			continue
		fi
		check_row "$event" "$difference" >>wrong
		((++n))
	done < <(grep -v '^#' "$table")
	is "mistakes" "$(<wrong)" ""
	within "the number of compared events" 60 "$n" 1000
}
