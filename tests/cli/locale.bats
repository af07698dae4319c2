#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Locales with a decimal comma and points between thousands: the table follows the locale, the
# formats for programs do not.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

setup()
{
	cd "$BATS_TEST_TMPDIR" || return
	needs_command localedef
	needs_counting user
	needs_locale de_DE
}

german()
{
	in_locale LC_ALL=de_DE "$@"
}

# Print a result with its numbers masked: digits and at most one point. Line breaks in a JSON
# document depend on the numbers.
shape()
{
	sed -E 's/^# started on .*/DATE/; s/[0-9]+(\.[0-9]+)?(e[-+][0-9]+)?/N/g; s/ +/ /g
		s/"[^"]*(plain|local)(-pstat)?"/"FILE"/g' "$1" |
		if [ "$(head -n 1 "$1")" = '{' ]; then tr -s ' \n' ' '; else cat; fi
}

# Every format for programs, as an option.
machine_formats()
{
	printf '%s\n' -x, '-x;' -j
	"$bare_pstat" --format nosuch true 2>&1 |
		sed 's/.*choose from: /--format=/; s/, /\n--format=/g' | grep -v table
}

@test "every format for programs has the same bytes in every locale" {
	local variable format n=0 words

	for format in $(machine_formats); do
		for words in '' '-r 3'; do
			# shellcheck disable=SC2086 # words
			pstat "$format" -o plain $words -e page-faults:u,task-clock:u,duration_time \
				"$programs/faults" 1500
			ends_with_status 0
			shape plain >plain.shape
			for variable in LC_ALL LC_NUMERIC LANG; do
				# shellcheck disable=SC2086 # words
				in_locale "$variable=de_DE" "$format" -o local $words \
					-e page-faults:u,task-clock:u,duration_time "$programs/faults" 1500
				ends_with_status 0
				shape local >local.shape
				diff plain.shape local.shape >&2 || fail "$format $words in $variable=de_DE"
				n=$((n + 1))
			done
		done
	done
	[ "$n" -ge 48 ] || fail "only $n were compared"
}

@test "a saved document is shown the same in every locale, to the byte" {
	local format

	pstat --save saved.json -r 3 -e page-faults:u,task-clock:u,duration_time "$programs/faults" 1500
	ends_with_status 0
	for format in $(machine_formats | grep '^--format='); do
		# valgrind computes long double as double, so the last digits of means differ
		PSTAT=$bare_pstat pstat --show saved.json "$format"
		ends_with_status 0
		cp out plain
		german --show saved.json "$format"
		ends_with_status 0
		cmp plain out || fail "$format differs"
	done
}

@test "the table has the digit groups and the decimal point of the locale" {
	local locale number point option

	while read -r locale number point; do
		needs_locale "$locale"
		for option in '' -B; do
			# shellcheck disable=SC2086 # words
			in_locale "LC_NUMERIC=$locale" $option -e page-faults:u "$programs/faults" 123456
			ends_with_status 0
			grep -qE "^ +$number +page-faults:u" err || fail "$locale $option: the number" "$(<err)"
			grep -qE "^ +[0-9]+${point}[0-9]{9} seconds time elapsed" err ||
				fail "$locale $option: the point" "$(<err)"
		done
	done <<-'END'
		de_DE 123\.[45][0-9]{2} ,
		de_CH 123’[45][0-9]{2} \.
		en_IN 1,23,[45][0-9]{2} \.
		hi_IN 123,[45][0-9]{2} \.
		pt_PT 123[45][0-9]{2} ,
		ps_AF 123٬[45][0-9]{2} ٫
		ar_SA 123[45][0-9]{2} \.
	END
}

@test "-x is the same as in the C locale" {
	german -x, -r 2 -e page-faults:u,task-clock:u "$programs/faults" 1500
	ends_with_status 0
	is "fields of each line" "$(awk -F, '{ print NF }' err | sort -u)" 8
	grep -qxE '[0-9]{4},,page-faults:u,[0-9]+\.[0-9]{2}%,[0-9]+,100\.00,,' err &&
		grep -qxE '[0-9]+\.[0-9]{2},msec,task-clock:u,[0-9]+\.[0-9]{2}%,[0-9]+,100\.00,[0-9]+\.[0-9]{3},CPUs utilized' err ||
		fail "not the C locale's" "$(<err)"
}

@test "the table has the locale's point and separator" {
	german -e page-faults:u,task-clock:u "$programs/faults" 1500
	ends_with_status 0
	grep -qE '^ +1\.[0-9]{3}      page-faults:u *$' err &&
		grep -qE '^ +[0-9]+,[0-9]{2} msec task-clock:u +# +[0-9]+,[0-9]{3} CPUs utilized *$' err ||
		fail "not the locale's" "$(<err)"
}

@test "the table's footer has the locale's point and separator" {
	german -n true
	is "points" "$(grep -c '[0-9]\.[0-9]' err || true)" 0
	is "times with a comma" "$(grep -cE '^ +[0-9]+,[0-9]{9} seconds ' err)" 3
	german -n -r 2 true
	is "points" "$(grep -c '[0-9]\.[0-9]' err || true)" 0
}

@test "--no-big-num omits the separators but keeps the locale's decimal point" {
	german --no-big-num -e page-faults:u,task-clock:u "$programs/faults" 1500
	grep -qE '^ +1[0-9]{3}      page-faults:u' err || fail "separated" "$(<err)"
	grep -qE '^ +[0-9]+,[0-9]{2} msec task-clock:u' err || fail "not the locale's point" "$(<err)"
}

@test "numbers on the command line do not depend on the locale" {
	"${FIXTURES:?}/unpack" intel-skylake-server machine
	german -v --sysroot machine --explain power/energy-pkg/
	ends_with_status 0
	cp out german
	pstat -v --sysroot machine --explain power/energy-pkg/
	diff out german >&2 || fail "the explanations differ"
	grep -qE '^scale +2\.3283064365386963e-10$' out || fail "no scale" "$(<out)"
}

@test "--format csv, csv-summary, openmetrics and markdown are the same as in the C locale" {
	local format

	for format in csv csv-summary; do
		german --format "$format" -r 2 -e page-faults:u,task-clock:u "$programs/faults" 1500
		ends_with_status 0
		is "fields of each line of $format" "$(awk -F, '{ print NF }' err | sort -u | wc -l)" 1
		grep -qE ',page-faults:u,,counted,.*[^0-9.][0-9]{4}(\.5)?,.*,[0-9]+\.[0-9]{9},' err &&
			grep -qE ',task-clock:u,msec,counted,.*[^0-9.][0-9]+\.[0-9]+,' err ||
			fail "not the C locale's" "$(<err)"
	done
	german --format openmetrics -e page-faults:u "$programs/faults" 1500
	grep -qE '^pstat_event_value\{.*\} [0-9]{4}$' err &&
		grep -qE '^pstat_elapsed_seconds\{.*\} [0-9]+\.[0-9]+$' err ||
		fail "not the C locale's" "$(<err)"
	german --format markdown -e page-faults:u,task-clock:u "$programs/faults" 1500
	# shellcheck disable=SC2016 # Markdown's
	grep -qE '^. `page-faults:u` \| [0-9],[0-9]{3} \|' err &&
		grep -qE '^. `task-clock:u` \| [0-9]+\.[0-9]{2} \| msec \|' err &&
		grep -qE '^[0-9]+\.[0-9]{9} s elapsed' err || fail "not the C locale's" "$(<err)"
}
