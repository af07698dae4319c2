#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A locale whose decimal point is a comma and whose thousands are separated by points: the table is
# the user's, what a program reads is not.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

setup()
{
	cd "$BATS_TEST_TMPDIR" || return
	needs_command localedef
	needs_counting user
	mkdir "$BATS_FILE_TMPDIR/locales" 2>/dev/null || [ -d "$BATS_FILE_TMPDIR/locales" ]
	[ -d "$BATS_FILE_TMPDIR/locales/de_DE.UTF-8" ] ||
		localedef -i de_DE -f UTF-8 "$BATS_FILE_TMPDIR/locales/de_DE.UTF-8" >log 2>&1 ||
		skip "localedef cannot make de_DE.UTF-8: $(tail -n 1 log)"
}

# german ARG...: pstat in that locale; this shell stays in its own
german()
{
	# What LOCPATH says is never freed by newlocale(3) of glibc: neither sanitizer nor valgrind is to
	# take it for a leak of pstat.
	echo leak:argz_add_sep >leaks
	cat >german-pstat <<-END
		#!/bin/sh
		LSAN_OPTIONS=suppressions=leaks:print_suppressions=0 LOCPATH=$BATS_FILE_TMPDIR/locales LC_ALL=de_DE.UTF-8 exec $bare_pstat "\$@"
	END
	chmod +x german-pstat
	PSTAT=./german-pstat pstat "$@"
}

@test "-x is the same as in the C locale" {
	german -x, -r 2 -e page-faults:u,task-clock:u "$programs/faults" 1500
	ends_with_status 0
	is "fields of each line" "$(awk -F, '{ print NF }' err | sort -u)" 8
	grep -qxE '[0-9]{4},,page-faults:u,[0-9]+\.[0-9]{2}%,[0-9]+,100\.00,[0-9]+\.[0-9]{3},[KMG]?/sec' err &&
		grep -qxE '[0-9]+\.[0-9]{2},msec,task-clock:u,[0-9]+\.[0-9]{2}%,[0-9]+,100\.00,[0-9]+\.[0-9]{3},CPUs utilized' err ||
		fail "not the C locale's" "$(<err)"
}

@test "the table has the locale's point and separator" {
	german -e page-faults:u,task-clock:u "$programs/faults" 1500
	ends_with_status 0
	grep -qE '^ +1\.[0-9]{3}      page-faults:u +# +[0-9.]+,[0-9]{3} [KMG]?/sec$' err &&
		grep -qE '^ +[0-9]+,[0-9]{2} msec task-clock:u +# +[0-9]+,[0-9]{3} CPUs utilized$' err ||
		fail "not the locale's" "$(<err)"
}

@test "so has its footer" {
	german -n true
	is "points" "$(grep -c '[0-9]\.[0-9]' err || true)" 0
	is "times with a comma" "$(grep -cE '^ +[0-9]+,[0-9]{9} seconds ' err)" 3
	german -n -r 2 true
	is "points" "$(grep -c '[0-9]\.[0-9]' err || true)" 0
}

@test "--no-big-num leaves the separators out, and the point in" {
	german --no-big-num -e page-faults:u,task-clock:u "$programs/faults" 1500
	grep -qE '^ +1[0-9]{3}      page-faults:u' err || fail "separated" "$(<err)"
	grep -qE '^ +[0-9]+,[0-9]{2} msec task-clock:u' err || fail "not the locale's point" "$(<err)"
}

@test "what is read on the command line is not the locale's" {
	"${FIXTURES:?}/unpack" intel-skylake-server machine
	german --sysroot machine --explain power/energy-pkg/
	ends_with_status 0
	cp out german
	pstat --sysroot machine --explain power/energy-pkg/
	diff out german >&2 || fail "another explanation"
	grep -qE '^scale +2\.3283064365386963e-10$' out || fail "no scale" "$(<out)"
}
