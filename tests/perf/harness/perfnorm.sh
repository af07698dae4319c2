#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# usage: perfnorm.sh LEAST MOST CYCLES
#
# The calls of perf stat that JMH, the benchmark harness of Java, makes in its profilers perfnorm and
# perf, and JMH's way to read them: it splits a line at each comma, and ignores a line whose time or
# count does not begin with a number. `faults 3000` must have from LEAST to MOST page faults, and
# CYCLES cycles: a number, "none" or "any".
set -eu -o pipefail

least=$1
most=$2
cycles=$3
csv='--log-fd 2 --field-separator ,'

die()
{
	printf '%s\n' "$*" >&2
	exit 1
}

# try WORD...: JMH considers perf unusable if it fails
try()
{
	perf stat "$@" echo 1 >out 2>err || die "perf stat $*: status $?: $(<err)"
	[ "$(<out)" = 1 ] || die "the command printed $(<out)"
}

# sum EVENT: print the sum of the counts of EVENT in the intervals in err
sum()
{
	awk -F, -v event="$1" '
		/^#/ || NF < 3 { next }
		{ name = NF == 3 ? $3 : $4 }
		$1 ~ /^ *[0-9]/ && $2 ~ /^[0-9]/ && name == event { n += $2 }
		END { printf "%.0f\n", n }' err
}

# Each line is a row of CSV with a time and one of the events.
only_intervals_of()
{
	awk -F, -v events=" $* " 'NF < 7 || $1 !~ /^ *[0-9]+\.[0-9]+$/ || !index(events, " " $4 " ") { exit 1 }' \
		err || die "unexpected lines:" "$(<err)"
}

# 1 and 2. whether perf works, with and without intervals
# shellcheck disable=SC2086 # words
try $csv
# shellcheck disable=SC2086 # words
try $csv --interval-print 100

# 3 to 7. which events the machine has
supported=
for event in page-faults:u cycles:u instructions:u branch-misses L1-dcache-load-misses; do
	# shellcheck disable=SC2086 # words
	try $csv --event $event
	grep -q "$event" err || die "no row for $event"
	grep "$event" err | grep -q '<not supported>' || supported=$supported,$event
done
case $cycles in
none)	[ "$supported" = ,page-faults:u ] || die "supported: $supported" ;;
*)	[[ $supported = *,cycles:u,instructions:u* ]] || die "supported: $supported" ;;
esac

# 8. the benchmark with these events
# shellcheck disable=SC2086 # words
perf stat $csv --event "${supported#,}" -I 10 faults 3000 2>err
# shellcheck disable=SC2086 # words
only_intervals_of ${supported//,/ }
faults=$(sum page-faults:u)
if [ "$faults" -lt "$least" ] || [ "$faults" -gt "$most" ]; then
	die "$faults page faults in all intervals"
fi
case $cycles in
none|any)	;;
*)		[ "$(sum cycles:u)" -eq "$cycles" ] || die "$(sum cycles:u) cycles in all intervals" ;;
esac

# 9. the benchmark with the default events
# shellcheck disable=SC2086 # words
perf stat $csv --detailed --detailed --detailed -I 100 faults 3000 2>err
[ "$(sum page-faults)" -ge "$least" ] || die "$(sum page-faults) page faults by default"

# 10. the table of the profiler perf: a delay with a space, and each count before a "#"
perf stat -d -d -d '-D 1' sleep 0.1 2>err
grep -q "Performance counter stats for 'sleep 0.1':" err || die "$(<err)"
counts=$(sed -n 's/^\(.*\)#.*/\1/p' err | tr -d , | awk '/ cycles/ || / instructions/ { print $1 }')
case $cycles in
none)	[ -z "$counts" ] || die "counts without hardware: $counts" ;;
*)	[[ $counts =~ ^[0-9]+$'\n'[0-9]+$ ]] || die "counts of cycles and instructions: $counts" ;;
esac
