# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# For the bats files of this folder, which read it in their first lines. A test runs in an empty folder
# of its own, under a time limit.
# shellcheck disable=SC2034 # used by the files that read this

: "${PSTAT:?}" "${TOP_BUILDDIR:?}"

# pstat itself, for a test that looks at its process: tests/valgrind stands before it otherwise.
bare_pstat=${REAL_PSTAT:-$PSTAT}
programs=$TOP_BUILDDIR/tests/cli/programs
BATS_TEST_TIMEOUT=${TEST_TIME_LIMIT:-120}
status=

setup()
{
	cd "$BATS_TEST_TMPDIR" || return
}

fail()
{
	printf '%s\n' "$@" >&2
	return 1
}

# pstat ARG...: its standard output and error are in the files out and err, its status in $status
pstat()
{
	status=0
	timeout --foreground --kill-after=5 60 "$PSTAT" "$@" >out 2>err </dev/null || status=$?
}

# is WHAT ACTUAL EXPECTED
is()
{
	[ "$2" = "$3" ] || fail "$1 is:" "$2" "and not:" "$3"
}

# within WHAT LEAST ACTUAL MOST: numbers
within()
{
	awk -v least="$2" -v actual="$3" -v most="$4" \
		'BEGIN { exit !(actual ~ /^[0-9.]+$/ && actual + 0 >= least && actual + 0 <= most) }' ||
		fail "$1 is '$3', and not from $2 to $4"
}

ends_with_status()
{
	[ "$status" -eq "$1" ] || fail "status $status, not $1; standard error:" "$(<err)"
}

# says LINE...: these lines, and no others, are on standard error; nothing is on standard output
says()
{
	is "standard error" "$(<err)" "$(printf '%s\n' "$@")"
	is "standard output" "$(<out)" ""
}

# refuses MESSAGE ARG...: that one line, status 125, and the command in ARGs, "touch started" at the
# most, was not started
refuses()
{
	pstat "${@:2}"
	ends_with_status 125
	says "pstat: $1"
	[ ! -e started ] || fail "the command was started"
}

# field N EVENT [FILE]: of the line of EVENT that -x, has printed
field()
{
	awk -F, -v n="$1" -v event="$2" '$3 == event { print $n }' "${3:-err}"
}

# count EVENT ARG...: what pstat counts with -x, and ARGs, of an EVENT that is among them
count()
{
	pstat -x, "${@:2}"
	ends_with_status 0 && field 1 "$1"
}

# A test that needs software events: in user mode, or of the kernel too.
needs_counting()
{
	local reason

	reason=$("$programs/can-count" "$1") || skip "$reason"
}

needs_command()
{
	command -v "$1" >/dev/null || skip "$1 is not installed"
}

needs_root()
{
	[ "$(id -u)" -eq 0 ] || skip "only root can become somebody else"
}

# eventually SHELL-CONDITION: it becomes true within ten seconds
eventually()
{
	local i

	for ((i = 0; i < 500; i++)); do
		eval "$1" && return
		sleep 0.02
	done
	fail "not within ten seconds: $1"
}
