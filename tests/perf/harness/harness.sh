#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# usage: harness.sh LEAST MOST CYCLES
#
# Counts with perf stat and reads its output with grep, awk, cut and sed. `faults 3000` must have from
# LEAST to MOST page faults, and CYCLES cycles: a number, "none" or "any".
set -eu -o pipefail

least=$1
most=$2
cycles=$3
events=page-faults:u,cycles:u

die()
{
	printf '%s\n' "$*" >&2
	exit 1
}

check_faults()
{
	if [ "$1" -lt "$least" ] || [ "$1" -gt "$most" ]; then
		die "$1 page faults"
	fi
}

# check FAULTS CYCLES
check()
{
	check_faults "$1"
	case $cycles in
	none)	[ "$2" = "<not supported>" ] || die "$2 cycles" ;;
	any)	[ "$2" -gt 0 ] || die "$2 cycles" ;;
	*)	[ "$2" -eq "$cycles" ] || die "$2 cycles, but should be $cycles" ;;
	esac
}

# has_lines FILE NUMBER: nothing else is in the file
has_lines()
{
	[ "$(wc -l <"$1")" -eq "$2" ] || die "$1 has other lines:" "$(<"$1")"
}

# 1. CSV on standard error
perf stat -x, -e $events faults 3000 2>err
has_lines err 2
check "$(grep page-faults err | cut -d, -f1)" "$(grep cycles err | cut -d, -f1)"

# 2. CSV on another descriptor, next to the output of the command
perf stat --log-fd 3 -x, -e $events sh -c 'echo out; echo err >&2; exec faults 3000' 3>log >out 2>err
[ "$(<out) $(<err)" = "out err" ] || die "the command printed $(<out) and $(<err)"
has_lines log 2
[ "$(awk -F, '$3 == "page-faults:u" { print $1 }' log)" -gt 100 ] || die "too few page faults"

# 3. a file, whose first two lines are a comment
perf stat -o file -x ';' -e $events faults 3000
has_lines file 4
check "$(awk -F';' '/page-faults/ { print $1 }' file)" "$(awk -F';' '/cycles/ { print $1 }' file)"

# 4. the table in a pipe
perf stat -e $events faults 3000 2>&1 >/dev/null |
	awk '$2 == "page-faults:u" { gsub(",", "", $1); n = $1 } / seconds time elapsed/ { t = $1 }
		END { print n, t }' >out
read -r n seconds <out
check_faults "$n"
awk -v t="$seconds" 'BEGIN { exit !(t > 0 && t < 100) }' || die "$seconds seconds"

# 5. the mean time of some runs, and its spread
perf stat -r 3 -e page-faults:u faults 3000 2>&1 | grep 'time elapsed' >out
sed -E -n 's/^ *([0-9.]+) \+- ([0-9.]+) seconds time elapsed  \( \+- +([0-9.]+)% \) *$/\1 \2 \3/p' out >mean
has_lines mean 1

# 6. the exit status of the command
status=0
perf stat -e page-faults:u sh -c 'exit 7' 2>err || status=$?
[ $status -eq 7 ] || die "the status is $status"

# 7. a running process
sleep 30 &
task=$!
perf stat -x, -e page-faults:u,task-clock:u -p $task sleep 0.1 2>err
kill $task
has_lines err 2
grep -q -E '^(0|<not counted>),,page-faults:u,[0-9]+,100\.00,,$' err || die "$(<err)"

# 8. each CPU for a tenth of a second
perf stat -a -A -x, -e task-clock sleep 0.1 2>err
awk -F, 'NF != 8 || !/^CPU[0-9]+,[0-9.]+,msec,task-clock,/ || $2 <= 0 { exit 1 }' err || die "$(<err)"
[ -z "$(cut -d, -f1 err | uniq -d)" ] || die "$(<err)"

# 9. intervals with their time in the first field
perf stat -x, -I 50 -e task-clock:u sleep 0.12 2>err
awk -F, 'NF != 8 || $4 != "task-clock:u" || $1 <= last { exit bad = 1 } { last = $1 }
	END { exit bad || NR == 0 }' err || die "$(<err)"

# 10. a group, whose events have the same time
perf stat -x, -e '{page-faults:u,task-clock:u}' faults 3000 2>err
has_lines err 2
[ "$(cut -d, -f4 err | sort -u | wc -l)" -eq 1 ] || die "the events of the group have two times"
