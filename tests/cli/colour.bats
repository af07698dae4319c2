#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Colour in the table: when it is used and when it is not.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

escape=$'\033'

# shows ARG...: run pstat on its own terminal, and copy what appears there to the file screen,
# without carriage returns
shows()
{
	"$programs/on-terminal" never "$PSTAT" "$@" >raw </dev/null 3>&- || fail "status $?" "$(<raw)"
	tr -d '\r' <raw >screen
}

is_coloured()
{
	grep -qF "${escape}[" "$1" || fail "no colour:" "$(cat -v "$1")"
}

is_plain()
{
	! grep -qF "$escape" "$1" || fail "an escape sequence:" "$(cat -v "$1")"
}

setup()
{
	cd "$BATS_TEST_TMPDIR" || return
	unset NO_COLOR
	export TERM=xterm
}

# No machine has a PMU of the largest type number.
unknown=4294967295:1

@test "a row that is not supported stands out on a terminal" {
	shows -e $unknown true
	is "the row" "$(grep -a '4294967295:1 *$' screen | sed 's, *$,,')" "   ${escape}[2m<not supported>${escape}[m      4294967295:1"
}

@test "colour takes no column" {
	shows -e $unknown true
	sed "s/${escape}\[[0-9]*m//g; /seconds/d" screen >without
	shows --color never -e $unknown true
	is_plain screen
	diff <(sed '/seconds/d' screen) without
}

@test "the running share of a scaled count, and values beyond their limits, are coloured" {
	needs_reports
	grep -qF "(${escape}[33m33.33%${escape}[m)" "reports/multiplexed.table-colour"
	grep -qF "${escape}[31m200.00%${escape}[m of all branches" "reports/derived.table-colour"
	grep -qF "${escape}[35m 33.33%${escape}[m" "reports/derived.table-colour" &&
		fail "blanks are coloured too"
	grep -qF "${escape}[33m33.33%${escape}[m backend cycles idle" "reports/derived.table-colour"
	grep -qF "${escape}[31m<not counted>${escape}[m" "reports/not-counted.table-colour"
}

@test "without a terminal there is no colour" {
	pstat -e $unknown true
	ends_with_status 0
	is_plain err
	shows -o result -e $unknown true
	is_plain result
	is_plain screen
}

@test "NO_COLOR turns colour off unless it is empty, and --color always overrides it" {
	NO_COLOR=1 shows -e $unknown true
	is_plain screen
	NO_COLOR='' shows -e $unknown true
	is_coloured screen
	NO_COLOR=1 shows --color auto -e $unknown true
	is_plain screen
	NO_COLOR=1 shows --color=always -e $unknown true
	is_coloured screen
}

@test "a terminal without escape sequences gets none" {
	TERM=dumb shows -e $unknown true
	is_plain screen
	TERM='' shows -e $unknown true
	is_plain screen
	unset TERM
	shows -e $unknown true
	is_plain screen
}

@test "--color always also colours a file, but not the formats for programs" {
	pstat --color always -e $unknown true
	is_coloured err
	pstat --color always -o result -e $unknown true
	is_coloured result
	pstat --color always -x, -e $unknown true
	is_plain err
}

@test "--color takes one of three words" {
	refuses "--color: unknown value ''; choose from: auto always never" --color= touch started
	pstat --color auto -n true
	ends_with_status 0
}

@test "escape sequences in a name do not reach the terminal" {
	needs_counting user
	cp "$programs/busy" "$(printf 'a\033[31mb')"
	shows -e $unknown "./$(printf 'a\033[31mb')" 1
	grep -qF "'./a\\x1b[31mb 1'" screen || fail "not escaped:" "$(cat -v screen)"
}
