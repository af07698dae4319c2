# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh source-path=SCRIPTDIR/.. source=lib.sh
# At least a hundred intervals of 1 ms, with 16 events on 8 CPUs. Reading takes most of each
# interval, because only one CPU of this machine runs at a time.
. /lab/lib.sh
plan 5 packages

via='taskset 1'
software='cpu-clock,context-switches,cpu-migrations,page-faults,minor-faults,major-faults'
software=$software,alignment-faults,emulation-faults
hardware=instructions:u,cycles:u,r8:u,r11:u,r8:k,r11:k,instructions:k

# every_interval MS EVENT: check that each multiple of MS has exactly one interval, or that pstat
# reports the number of missing intervals on standard error, including those in the last interval
# ($last).
every_interval()
{
	awk -F, -v ms="$1" -v event="$2" -v end="$last" '$0 ~ "," event "," {
		multiple = int($1 * 1000 / ms + 0.000001)
		if (multiple <= last)
			print "two intervals at one multiple: " $0
		else
			missing += multiple - last - 1
		last = multiple
		n++
	} END {
		merged = int(end * 1000 / ms + 0.000001) - last - 1
		print n + 0, missing + (merged > 0 ? merged : 0)
	}' "$tmp/rows" >"$tmp/found"
	read -r n missing <"$tmp/found"
	[ "$n" -gt 0 ] || {
		cat "$tmp/found"
		return 1
	}
	echo "$n intervals, $missing missing"
	if [ "$missing" -eq 0 ]; then
		printed_no_messages
	else
		said "$missing interval"
	fi
}

# Remove the last interval, which is shorter and may share its multiple.
without_the_last()
{
	last=$(tail -n 1 "$tmp/rows" | cut -d, -f1)
	grep -v "^$last," "$tmp/rows" >"$tmp/some"
	mv "$tmp/some" "$tmp/rows"
}

sixteen_events()
{
	count -a -I 1 -e "$software,$hardware,task-clock" usleep 100000
	without_the_last
	every_interval 1 cpu-clock
	[ $((n + missing)) -ge 99 ]
}

one_event()
{
	count -a -I 1 -e instructions:u usleep 100000
	without_the_last
	every_interval 1 instructions:u
	[ "$missing" -eq 0 ]
	[ "$n" -ge 99 ]
}

# With a program on seven CPUs, and pstat on the eighth, late intervals lose nothing: page faults
# are exact. pstat itself may have some in the first interval.
busy()
{
	count -C 1-7 -I 1 --summary -e "$software,$hardware" "$(program turns7)"
	faults=$((28 * $(expected turns7 faults)))
	rows page-faults 1 "value >= $faults" summary
	for event in page-faults context-switches instructions:u r8:u cycles:u; do
		equal "sum of $event" "$(sum $event summary)" "$(sum $event '!summary')"
	done
	grep -v summary "$tmp/rows" >"$tmp/some"
	mv "$tmp/some" "$tmp/rows"
	without_the_last
	every_interval 1 cpu-clock
}

# The intervals contain the whole time of all CPUs exactly once.
all_the_time()
{
	count -a -I 1 --summary -e cpu-clock,instructions:u usleep 100000
	awk -F, '
		$4 == "cpu-clock" && $1 ~ /summary/ { total = $2 }
		$4 == "cpu-clock" && $1 !~ /summary/ { sum += $2 }
		END {
			print sum, total
			exit !(total > 800 && sum > total - 0.8 && sum < total + 0.8)
		}' "$tmp/rows"
}

split()
{
	count -a -A -I 10 --summary -e page-faults:u,instructions:u "$(program turns7)"
	for cpu in 1 2 3 4 5 6 7; do
		faults=$((cpu * $(expected turns7 faults)))
		rows page-faults:u 1 "value == $faults" "summary && place == \"CPU$cpu\""
		equal "CPU$cpu" "$faults" \
			"$(sum page-faults:u "!summary && place == \"CPU$cpu\"")"
	done
	equal 'sum of instructions' "$(sum instructions:u summary)" \
		"$(sum instructions:u '!summary')"
}

check "-I 1 of 16 events on 8 CPUs reports every missed interval" sixteen_events
check "-I 1 of one event on 8 CPUs has every interval" one_event
check "-I 1 with a program on 7 CPUs loses no event" busy
check "-I 1: the intervals cover all the time" all_the_time
check "-I 10 -A: each CPU's intervals add up" split
