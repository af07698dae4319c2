# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# Helpers for the guest's tests, which source this file first. One test is one function, which
# check() runs in a subshell under `set -e`: any command that fails makes the test fail, and then
# check() shows its output.

tmp=$(mktemp -d)
chmod 755 "$tmp"
# pstat writes its result to this folder, also as the plain user.
mkdir -m 1777 "$tmp/result"

# plan N MACHINE: the number of tests in this file and the machine that they need. tests/lab/run and
# init read this line in the file, and run checks the number of results.
plan()
{
	:
}

# check NAME FUNCTION [ARG...]: run a test, and print its result
check()
{
	name=$1
	shift
	rm -f "$tmp"/result/* "$tmp/rows" "$tmp/out" "$tmp/err"
	(
		set -e
		"$@"
	) >"$tmp/log" 2>&1
	# Not `if ( ... )`: set -e does nothing in a condition.
	# shellcheck disable=SC2181
	if [ $? -eq 0 ]; then
		echo "ok - $name"
		return
	fi
	echo "not ok - $name"
	sed 's/^/#   /' "$tmp/log"
	for file in rows err; do
		[ -s "$tmp/$file" ] && head -n 20 "$tmp/$file" | sed "s/^/#   $file: /"
	done
	# Processes of this test would disturb the next one.
	# shellcheck disable=SC2046 # the programs' names
	killall -q -KILL pstat $(find /lab/programs -type f ! -name "*.*" -exec basename {} \;)
}

# program NAME: print the path of a program.
program()
{
	echo "/lab/programs/$1"
}

# expected PROGRAM [PART]: print the number of instructions of PROGRAM, or expected_PART of its
# source.
expected()
{
	cat "/lab/programs/$1.expected${2:+_$2}"
}

# as_plain_user COMMAND [ARG...]: run COMMAND as the plain user
as_plain_user()
{
	su -s /bin/sh -c 'exec "$@"' plain -- sh "$@"
}

# run_pstat ARG...: run pstat, with the prefix command $via if it is set, and with the option $format
# instead of -x, if that is set. Its status is in $status, the rows of the CSV are in $tmp/rows, standard output and error in $tmp/out and $tmp/err.
run_pstat()
{
	status=0
	# shellcheck disable=SC2086 # $via is a command's name or nothing
	${via-} /lab/programs/limited /usr/bin/pstat -v "${format--x,}" -o "$tmp/result/csv" "$@" \
		>"$tmp/out" 2>"$tmp/calls" </dev/null || status=$?
	grep '^pstat: ' "$tmp/calls" >"$tmp/err" || true
	[ -f "$tmp/result/csv" ] || return 1
	sed '/^#/d; /^$/d' "$tmp/result/csv" >"$tmp/rows"
}

# count ARG...: the same, and check that the status is 0.
count()
{
	run_pstat "$@"
	equal "status of pstat $*" 0 "$status"
}

# The common part of rows() and sum(): is_row_of() sets the variables for conditions. The event is
# the first field with its name after at least two other fields, the count and the unit.
# shellcheck disable=SC2016 # awk's variables
fields='
	function near(a, b) { return a > 0.98 * b && a < 1.02 * b }
	function is_row_of(name, i, first) {
		for (i = 3; i <= NF && $i != name; i++)
			continue
		if (i > NF)
			return 0
		first = 1
		summary = i > 3 && $1 ~ /summary$/
		time = i > 3 && $1 ~ /^ *[0-9]+\.[0-9]+$/ ? $1 + 0 : -1
		if (summary || time >= 0)
			first++
		place = first < i - 2 ? $first : ""
		cpus = first < i - 3 ? $(first + 1) + 0 : -1
		state = $(i - 2)
		value = state ~ /^[0-9]+(\.[0-9]+)?$/ ? state + 0 : -1
		cgroup = $(i + 1) ~ /^[0-9.]+%?$/ ? "" : $(++i)
		repeated = $(i + 1) ~ /%$/
		spread = repeated ? $(i + 1) + 0 : -1
		running = $(i + (repeated ? 3 : 2)) + 0
		return 1
	}'

# rows EVENT N CONDITION [FILTER]: check that EVENT has N rows, and that CONDITION is true for each.
# With FILTER, only rows for which it is true count. Both are awk expressions with these variables:
#   value     the count, -1 if there is none
#   state     the field of the count, unchanged
#   spread    the spread of -r in percent, -1 without -r
#   running   the part of its time that the event was on the PMU, in percent
#   place     the place of the row: "CPU1", "S0-D0", "N0", "known-123"; "" if rows are not split
#   cpus      the number of CPUs in that place, -1 if the row does not have it
#   cgroup    its name, "" if there is none
#   time      the time of -I in seconds, -1 if there is none
#   summary   whether it is a row of --summary
# and near(a, b), which is true when a and b differ by less than 2 %.
rows()
{
	awk -F, -v event="$1" -v wanted="$2" -v condition="$3" "$fields"'
		is_row_of(event) && ('"${4-1}"') {
			found++
			if (!('"$3"')) {
				printf "%s: not %s\n", $0, condition
				failed = 1
			}
		}
		END {
			if (found + 0 != wanted) {
				printf "%d rows of %s, not %d\n", found, event, wanted
				failed = 1
			}
			exit failed
		}' "$tmp/rows"
}

# sum EVENT [FILTER]: print the sum of the counts of EVENT in the rows for which FILTER is true.
sum()
{
	awk -F, -v event="$1" "$fields"'
		is_row_of(event) && ('"${2-1}"') && value > 0 { total += value }
		END { printf "%.0f\n", total }' "$tmp/rows"
}

# figure NAME...: print "# figure: NAME..." and, for the estimates in the CSV file: how many there
# are, how many have an interval, and how many intervals contain the truth, which is the exact row;
# then the sums of the squared relative errors of the estimates and of the scaled counts. All rows
# have to count the same event.
figure()
{
	awk -F, -v name="$*" '
		{ sub(/\r$/, "") }
		NR == 1 {
			for (i = 1; i <= NF; i++)
				column[$i] = i
			next
		}
		{ value = $(column["value"]); state = $(column["estimator"]) }
		value == "" { next } # it never had a counter
		state == "exact" { truth = value; next }
		{
			n++
			low[n] = $(column["value_low"])
			high[n] = $(column["value_high"])
			ours[n] = value
			scaled[n] = $(column["raw"]) * $(column["enabled_ns"]) / $(column["running_ns"])
		}
		END {
			if (!truth)
				exit 1
			for (i = 1; i <= n; i++) {
				shown += low[i] != ""
				covered += low[i] != "" && low[i] <= truth && truth <= high[i]
				a += (ours[i] / truth - 1) * (ours[i] / truth - 1)
				b += (scaled[i] / truth - 1) * (scaled[i] / truth - 1)
			}
			printf "# figure: %s %d %d %d %.8f %.8f\n", name, n, shown, covered, a, b
		}' "$tmp/result/csv"
}

# equal WHAT EXPECTED ACTUAL: fail if the two values differ
equal()
{
	[ "$2" = "$3" ] || {
		echo "$1 is $3, but should be $2"
		return 1
	}
}

# said REGEX: check that a line of standard error matches.
said()
{
	grep -q -E -e "$1" "$tmp/err" || {
		echo "not on standard error: $1"
		return 1
	}
}

# in_state STATE NAME: wait until the process NAME is in STATE, and print its PID and its CPU.
in_state()
{
	for _ in $(seq 1000); do
		awk -v state="$1" '$3 == state { print $1, $39 }' "/proc/$(pidof "$2")/stat" \
			2>/dev/null | grep . && return
		usleep 1000
	done
	echo "$2 never reached the state $1" >&2
	return 1
}

# open_events PID: print the number of open events of the process.
open_events()
{
	# shellcheck disable=SC2010 # the targets of the links matter
	ls -l "/proc/$1/fd" 2>/dev/null | grep -c 'perf_event' || :
}

# counting N: wait until pstat has N open events and sleeps.
counting()
{
	for _ in $(seq 100); do
		found=$(pidof pstat) && [ "$(open_events "$found")" -ge "$1" ] &&
			in_state S pstat >"$tmp/state" && return
		usleep 1000
	done
	echo "pstat never had $1 events open" >&2
	return 1
}

# refused REGEX ARG...: check that pstat refuses ARG... with one line before it runs a command.
refused()
{
	regex=$1
	shift
	status=0
	pstat "$@" echo it ran >"$tmp/out" 2>"$tmp/err" || status=$?
	equal "status of pstat $*" 125 "$status"
	equal 'standard output' '' "$(cat "$tmp/out")"
	equal 'lines on standard error' 1 "$(wc -l <"$tmp/err")"
	said "$regex"
}

# printed_no_messages: check that standard error is empty.
printed_no_messages()
{
	[ ! -s "$tmp/err" ]
}
