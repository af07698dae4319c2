# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# What the guest's tests share; each of them begins by reading it. One test is one function given
# to check(), which runs it in a shell of its own under `set -e`: whatever fails in it fails the
# test, and what it printed until then is shown.

tmp=$(mktemp -d)
chmod 755 "$tmp"
# pstat writes its result from here, also when it runs as the plain user.
mkdir -m 1777 "$tmp/result"

# plan N MACHINE: the number of tests in this file and the machine they need. tests/lab/run and init
# read it in the file, and run notices when another number of results comes.
plan()
{
	:
}

# check NAME FUNCTION [ARG...]
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
}

# program NAME: its path.
program()
{
	echo "/lab/programs/$1"
}

# expected PROGRAM [first|calls]: the instructions PROGRAM executes (its first task alone), or its calls.
expected()
{
	cat "/lab/programs/$1.expected${2:+_$2}"
}

# as_plain_user COMMAND [ARG...]
as_plain_user()
{
	su -s /bin/sh -c 'exec "$@"' plain -- sh "$@"
}

# run_pstat ARG...: runs pstat, as the argument of the command in $via if there is one. Leaves its
# status in $status, the rows of the CSV in $tmp/rows, standard output and error in $tmp/out and
# $tmp/err.
run_pstat()
{
	status=0
	# shellcheck disable=SC2086 # $via is a command's name or nothing
	${via-} timeout -s KILL 120 pstat -x, -o "$tmp/result/csv" "$@" \
		>"$tmp/out" 2>"$tmp/err" </dev/null || status=$?
	[ -f "$tmp/result/csv" ] || return 1
	sed '/^#/d; /^$/d' "$tmp/result/csv" >"$tmp/rows"
}

# count ARG...: the same, and the status has to be 0.
count()
{
	run_pstat "$@"
	equal "status of pstat $*" 0 "$status"
}

# rows EVENT N CONDITION: there are N rows of EVENT and CONDITION holds for each of them. It is an
# awk expression over
#   value     the count, -1 where there is none
#   state     the first field as it is
#   spread    the spread of -r in percent, -1 without -r
#   running   the part of its time that the event was on the PMU, in percent
# and near(a, b), which is true when a and b differ by less than 2 %.
rows()
{
	awk -F, -v event="$1" -v wanted="$2" -v condition="$3" '
		function near(a, b) { return a > 0.98 * b && a < 1.02 * b }
		$3 == event {
			found++
			state = $1
			value = state ~ /^[0-9]+(\.[0-9]+)?$/ ? state + 0 : -1
			repeated = $4 ~ /%$/
			spread = repeated ? $4 + 0 : -1
			running = (repeated ? $6 : $5) + 0
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

# equal WHAT WANTED GOT
equal()
{
	[ "$2" = "$3" ] || {
		echo "$1: $3 instead of $2"
		return 1
	}
}

# said REGEX: pstat said it on standard error.
said()
{
	grep -q -E -e "$1" "$tmp/err" || {
		echo "not on standard error: $1"
		return 1
	}
}

# said_nothing: pstat had nothing to say.
said_nothing()
{
	[ ! -s "$tmp/err" ]
}
