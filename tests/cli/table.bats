#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The table and -x, checked alone and against the output of perf stat for the same command.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

names="task-clock context-switches cpu-migrations page-faults cycles instructions branches branch-misses"

# needs_perf: skip without a perf that can count on this machine
needs_perf()
{
	needs_command perf
	needs_counting kernel
	perf stat -e page-faults true 2>/dev/null || skip "perf stat does not run here"
}

# row_names FILE: print the event names of a table in order, without the :u of unprivileged users
row_names()
{
	awk '/Performance counter stats/ { rows = 1; next }
		/ seconds time elapsed/ { exit }
		rows && NF { sub(/:u($| )/, " "); sub(/<not [a-z]*>/, "absent"); print $2 ~ /^(msec|ns|KiB)$/ ? $3 : $2 }' "$1"
}

# shape FILE: print a table with its digits masked, and without blanks at the ends of lines
shape()
{
	sed -E '/^pstat: /d; s/ +$//; s/[0-9]/9/g; s/[KMG]\/sec/?\/sec/; s/ ( ?)9\/sec/\1/; /^$/d' "$1" |
		sed -E 's/ +[9,.]+/ N/g; s/ +/ /g; s/ N [KMG?]?\/sec/ N \/sec/; s/\( \+- N% \)//; s/ +$//'
}

@test "the default events are perf's eight, in perf's order" {
	pstat true
	ends_with_status 0
	is "the rows" "$(row_names err | tr '\n' ' ')" "$names "
}

@test "-d counts the two events of each ratio in a weak group, and keeps the order of the rows" {
	needs_command jq
	local pairs='cycles instructions, branches branch-misses, L1-dcache-loads L1-dcache-load-misses'

	pstat -d --save document true
	ends_with_status 0
	is "weak groups" "$(jq -r '. as $d | [.groups[] | select(.weak) |
		[$d.events[.first:.first + .n][].name] | join(" ")] | join(", ")' document)" \
		"$pairs, LLC-loads LLC-load-misses"
	pstat --save document true
	is "weak groups without -d" "$(jq '[.groups[] | select(.weak)] | length' document)" 0
}

@test "each -d adds cache events, as perf's does" {
	local details="L1-dcache-loads L1-dcache-load-misses LLC-loads LLC-load-misses"

	pstat -d true
	is "the rows" "$(row_names err | tr '\n' ' ')" "$names $details "
	details="$details L1-icache-loads L1-icache-load-misses dTLB-loads dTLB-load-misses iTLB-loads iTLB-load-misses"
	pstat -dd true
	is "the rows" "$(row_names err | tr '\n' ' ')" "$names $details "
	details="$details L1-dcache-prefetches L1-dcache-prefetch-misses"
	pstat -d -d -d true
	is "the rows" "$(row_names err | tr '\n' ' ')" "$names $details "
	pstat -ddd -d true
	is "the rows" "$(row_names err | tr '\n' ' ')" "$names $details "
}

@test "rows, footer and the text next to the numbers are perf's" {
	local option

	needs_perf
	for option in '' -d -ddd; do
		# shellcheck disable=SC2086 # words
		perf stat $option "$programs/busy" 30 2>perf.err
		# shellcheck disable=SC2086 # words
		pstat $option "$programs/busy" 30
		row_names perf.err >perf.rows
		row_names err | diff perf.rows - >&2 || fail "the rows differ from those of perf $option"
		shape perf.err >perf.shape
		shape err | diff perf.shape - >&2 || fail "the shape differs from that of perf $option"
	done
}

@test "the columns begin at the positions of perf's columns" {
	needs_perf
	perf stat -e page-faults,task-clock "$programs/busy" 30 2>perf.err
	pstat -e page-faults,task-clock "$programs/busy" 30
	# The columns in which the names, the '#' and the text of the footer begin.
	for word in page-faults task-clock '#' msec 'seconds time elapsed' 'seconds user' 'seconds sys'; do
		is "columns of $word" "$(awk -v w="$word" 'index($0, w) { print index($0, w) }' err)" \
			"$(awk -v w="$word" 'index($0, w) { print index($0, w) }' perf.err)"
	done
}

@test "-x has perf's fields, with -r and without, for counts and for their absence" {
	local option

	needs_perf
	for option in '' '-r 2'; do
		# shellcheck disable=SC2086 # words
		perf stat -x, $option -e task-clock,page-faults,cs,4294967295:1 "$programs/busy" 20 \
			2>perf.err || true
		grep -q page-faults perf.err || {
			# Other versions of perf refuse the last event.
			# shellcheck disable=SC2086 # words
			perf stat -x, $option -e task-clock,page-faults,cs "$programs/busy" 20 2>perf.err
		}
		# shellcheck disable=SC2086 # words
		pstat -x, $option -e task-clock,page-faults,cs "$programs/busy" 20
		ends_with_status 0
		# The number of fields, the unit, the event, and the unit of the metric without K, M
		# or G.
		for file in perf.err err; do
			awk -F, -v OFS=, '/task-clock|page-faults|cs/ {
				sub(/^[KMG]/, "", $NF); print NF, $2, $3, $NF }' $file >$file.fields
		done
		diff perf.err.fields err.fields >&2 || fail "the fields differ from those of perf -x, $option"
	done
}

@test "-x: value, unit, event, run time, percentage, metric, unit of the metric" {
	needs_counting user
	pstat -x, -e page-faults:u,task-clock:u "$programs/busy" 20
	ends_with_status 0
	grep -qxE '[0-9]+,,page-faults:u,[0-9]+,100\.00,,' err &&
		grep -qxE '[0-9]+\.[0-9]{2},msec,task-clock:u,[0-9]+,100\.00,[0-9]+\.[0-9]{3},CPUs utilized' err ||
		fail "not the fields" "$(<err)"
	is "lines" "$(wc -l <err)" 2
}

@test "-x with -r has the spread after the event" {
	needs_counting user
	pstat -x, -r 3 -e page-faults:u,task-clock:u "$programs/busy" 20
	ends_with_status 0
	grep -qxE '[0-9]+,,page-faults:u,[0-9]+\.[0-9]{2}%,[0-9]+,100\.00,,' err &&
		grep -qxE '[0-9.]+,msec,task-clock:u,[0-9]+\.[0-9]{2}%,[0-9]+,100\.00,[0-9]+\.[0-9]{3},CPUs utilized' err ||
		fail "not the fields" "$(<err)"
	pstat -x, -r 1 -e page-faults:u true
	is "fields of one run" "$(awk -F, '{ print NF }' err)" 7
}

@test "-x: an event that cannot be counted keeps its line" {
	pstat -x, -e 4294967295:1,duration_time true
	ends_with_status 0
	is "its line" "$(grep '^<' err)" "<not supported>,,4294967295:1,0,100.00,,"
}

@test "-x accepts a tab, and separators of several characters" {
	local separator

	pstat -x '\t' -e duration_time true
	is "fields" "$(awk -F'\t' '{ print NF, $2, $3 }' err)" "7 ns duration_time"
	for separator in '|' ' :: ' ';' 'ab'; do
		pstat -x "$separator" -e duration_time true
		ends_with_status 0
		is "fields of $separator" "$(awk -v s="$separator" '
			{ n = 1; for (t = $0; i = index(t, s); t = substr(t, i + length(s))) n++; print n }' err)" 7
		is "the name" "$(awk -v s="ns$separator" '{ print substr($0, index($0, s) + length(s), 13) }' err)" \
			duration_time
	done
}

@test "-n shows only the times" {
	pstat -n "$programs/busy" 20
	ends_with_status 0
	is "the lines with words" "$(sed -nE 's/^ +[0-9]+\.[0-9]{9} (seconds .*)/\1/p' err)" \
		"seconds time elapsed
seconds user
seconds sys"
	is "rows" "$(row_names err)" ""
	is "lines of the tool" "$(grep -c '^pstat' err || true)" 0
}

@test "the header has the command, its arguments and the number of runs" {
	pstat -n sh -c 'exit 0' one two
	grep -qxF " Performance counter stats for 'sh -c exit 0 one two':" err || fail "$(<err)"
	pstat -n -r 3 true
	grep -qxF " Performance counter stats for 'true' (3 runs):" err || fail "$(<err)"
}

@test "with -r the footer has a mean and its standard error" {
	pstat -n -r 3 "$programs/busy" 20
	grep -qE '^ +[0-9]+\.[0-9]+ \+- [0-9]+\.[0-9]+ seconds time elapsed( +\( \+- +[0-9.]+% \))?$' err ||
		fail "no such line" "$(<err)"
}


# on_terminal COLUMNS ARG...: run pstat on its own terminal of this width; its text goes to screen
on_terminal()
{
	# shellcheck disable=SC2016 # for the other shell
	TERM=xterm "$programs/on-terminal" never /bin/sh -c 'stty cols "$0"; exec "$@"' "$1" "$PSTAT" --color never \
		"${@:2}" >raw </dev/null 3>&- || fail "status $?" "$(<raw)"
	tr -d '\r' <raw >screen
}

@test "in the C locale thousands are separated on a terminal, not with --no-big-num, and -B is the default" {
	local option

	needs_counting user
	for option in '' -B '--no-big-num -B'; do
		# shellcheck disable=SC2086 # words
		LC_ALL=C pstat $option -e page-faults:u "$programs/faults" 1500
		grep -qE '^ +1[0-9]{3}      page-faults:u' err || fail "separated with '$option'" "$(<err)"
		# shellcheck disable=SC2086 # words
		LC_ALL=C on_terminal 80 $option -e page-faults:u "$programs/faults" 1500
		grep -qE '^ +1,[0-9]{3}      page-faults:u' screen || fail "not separated with '$option'" "$(<screen)"
	done
	LC_ALL=C on_terminal 80 --no-big-num -e page-faults:u "$programs/faults" 1500
	grep -qE '^ +1[0-9]{3}      page-faults:u' screen || fail "separated" "$(<screen)"
	pstat -B -x, -e page-faults:u "$programs/faults" 1500
	within "-x, with -B" 1500 "$(field 1 page-faults:u)" 1999
}

widest()
{
	grep -v '^pstat:' screen | wc -L
}

@test "the rows fit a terminal of 80 columns, and keep perf's layout where it fits" {
	local events=task-clock,context-switches,cpu-migrations,page-faults

	on_terminal 80 -e $events true
	grep -qE '^ +[0-9.,]+ msec task-clock +#  +[0-9.]+ CPUs utilized$' screen || fail "$(<screen)"
	within "columns" 60 "$(widest)" 80
	on_terminal 80 -r 3 -e $events true
	within "columns" 60 "$(widest)" 80
	on_terminal 60 -e $events true
	within "columns" 50 "$(widest)" 60
	on_terminal 50 -e '{page-faults}',alignment-faults,software/config=2,name=a-name-that-is-longer-than-the-terminal-is-wide/ true
	grep -q '\.\.\.$' screen || fail "the name is not cut:" "$(<screen)"
	within "columns" 30 "$(widest)" 50
	on_terminal 120 -e $events true
	pstat -e $events true
	is "the rows" "$(sed -n 's/^ *[0-9.,]* *\([a-z ]*[a-z]-[a-z]* *#\).*/\1/p' screen)" \
		"$(sed -n 's/^ *[0-9.,]* *\([a-z ]*[a-z]-[a-z]* *#\).*/\1/p' err)"
}

@test "without hardware counters, one footnote follows perf's rows, on a terminal and in a file" {
	local note="pstat: this .*(without hardware counters|no hardware PMU).*; see --explain cycles"

	[ ! -d /sys/bus/event_source/devices/cpu ] || skip "this machine has hardware counters"
	on_terminal 100 true
	is "the rows" "$(row_names screen | tr '\n' ' ')" "$names "
	tail -n 1 screen | grep -qE "^$note" || fail "$(<screen)"
	pstat true
	is "the rows" "$(row_names err | tr '\n' ' ')" "$names "
	is "messages" "$(grep -c '^pstat: ' err)" 1
	tail -n 1 err | grep -qxE "$note" || fail "$(<err)"
	pstat -o table true
	pstat -x, true
	! grep '^pstat' err || fail "-x has a note"
}

@test "a message on a terminal breaks between words, and continues below its first word" {
	on_terminal 60 -D -1 -e page-faults,minor-faults,major-faults --format json -o document true
	grep -q '^pstat: ' screen && [ "$(wc -l <screen)" -gt 1 ] || fail "$(<screen)"
	is "lines that begin elsewhere" "$(grep -vcE '^(pstat: |       )[^ ]' screen || true)" 0
	within "columns" 30 "$(wc -L <screen)" 60
	pstat -D -1 -e page-faults,minor-faults,major-faults true
	is "the words" "$(tr -s ' \n' ' ' <screen)" "$(grep '^pstat: ' err | tr -s ' \n' ' ')"
	is "lines in a file" "$(grep -c '^pstat: ' err)" "$(grep -c '^pstat: ' screen)"
}
