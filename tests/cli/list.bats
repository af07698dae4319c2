#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# --list, and what it has in common with --explain: JSON, and the examples of the manual.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

# list ARG...: run pstat --list ARG... with status 0 and no message, except the one that users get who
# may not read tracefs
list()
{
	pstat --list "$@"
	sed -i '/^pstat: --list: no tracepoints: tracefs is not readable/d' err
	ends_with_status 0 && is "standard error" "$(<err)" ""
}

# events: print the names in the list
events()
{
	awk '/^  / { print $1 }' out
}

# Evaluate a Python expression over the JSON on standard input, and print the value.
json()
{
	needs_command python3
	python3 -c 'import json, sys; d = json.load(sys.stdin); print('"$1"')'
}

needs_libpfm()
{
	pstat --version
	grep -q '^libpfm4 names: yes' out || skip "built without libpfm4"
	LIBPFM_FORCE_PMU=skl pstat --explain INST_RETIRED
	[ "$status" -eq 0 ] || skip "libpfm4 has no events of Skylake here"
}

@test "the kernel's and the tool's own events are listed, by PMU, with their descriptions" {
	list
	is "the PMU of cs" "$(awk '/^[^ ]/ { pmu = $0 } $1 == "context-switches" { print pmu }' out)" \
		"software (generic):"
	is "the PMU of max_rss" "$(awk '/^[^ ]/ { pmu = $0 } $1 == "max_rss" { print pmu }' out)" \
		"tool (tool):"
	is "max_rss" "$(grep '^  max_rss ' out)" \
		"  max_rss                                          largest resident set of one process"
	is "repeated events" \
		"$(awk '/^[^ ]/ { pmu = $1 } /^  / { print pmu, $1 }' out | sort | uniq -d)" ""
	is "lines that are neither event nor heading" \
		"$(grep -vcE '^$|^  [^ ]|^[^ ].* \([a-z0-9]+\)(, not here)?:$' out || true)" 0
}

# libpfm4 also lists some events without the unit mask that they need.
@test "pstat accepts every event that it lists" {
	local names

	list
	mapfile -t names < <(awk '/^[^ ]/ { other = /\((libpfm4|metric)\)/ }
		/^  / && !other && n++ % 7 == 0 { print $1 }' out)
	[ ${#names[@]} -gt 2 ] || fail "too few" "${names[@]}"
	pstat --sysroot / --explain "${names[@]}"
	ends_with_status 0
	is "the events" "$(awk '$1 == "event" { print $2 }' out)" "$(printf '%s\n' "${names[@]}")"
}

@test "a glob matches the whole name, a word matches any part of it, both in any case" {
	list '*_block'
	is "the tool's events" "$(events | grep -v :)" $'in_block\nout_block'
	list 'in_*'
	is "events" "$(events)" in_block
	list DURATION_T
	is "events" "$(events)" duration_time
	list 'user_tim?'
	is "events" "$(events)" user_time
	pstat --list 'ser_tim?'
	ends_with_status 125
}

@test "a glob without a match gives 125" {
	pstat --list no-such-event-at-all
	ends_with_status 125
	says "pstat: --list: no event matches 'no-such-event-at-all'; --all also lists events of absent PMUs"
	pstat --list --all no-such-event-at-all
	ends_with_status 125
	says "pstat: --list: no event matches 'no-such-event-at-all'"
	pstat --list cs faults
	ends_with_status 125
	says "pstat: --list takes one GLOB; quote it, so that the shell does not expand it"
}

@test "--all needs --list, and --list prints only table and json" {
	refuses "--all needs --list" --all touch started
	refuses "--format yaml: --list and --explain print only table and json" --format yaml --list
}

@test "-v adds the encodings" {
	list -v page-f
	is "page-faults" "$(grep '^  page-faults' out)" \
		"  page-faults  type=1 config=0x2 config1=0x0 config2=0x0"
	list -v max_rss
	! grep -q 'config=' out || fail "an encoding of an event without one:" "$(<out)"
}

@test "--sysroot lists the events of another machine" {
	"${FIXTURES:?}/unpack" intel-skylake-server machine
	list --sysroot machine -v 'cpu/cpu-cycles/'
	grep -q '^  cpu/cpu-cycles/ .*config=0x3c' out || fail "not listed:" "$(<out)"
	list --sysroot machine 'uncore_imc*'
	[ -n "$(events)" ] || fail "no events"
}

@test "text from sysfs stays within its line and does not move the cursor" {
	local devices=machine/sys/bus/event_source/devices name=$'tick\342\200\256\e[2J'

	mkdir -p $devices/clock/events machine/proc
	echo 7 >$devices/clock/type
	printf 'event=1\n\302\2332Jevil (sysfs):\n' >"$devices/clock/events/$name"
	list --sysroot machine tick
	is "the list" "$(<out)" 'clock (sysfs):
  clock/tick\xe2\x80\xae\x1b[2J/                   event=1\x0a\xc2\x9b2Jevil (sysfs):'
	mkdir $devices/clock/format
	echo config:0-7 >$devices/clock/format/event
	echo event=1 >$devices/clock/events/tick
	printf 'a\nb\342\200\256' >$devices/clock/events/tick.unit
	pstat --sysroot machine --explain clock/tick/
	ends_with_status 0
	is "the unit" "$(grep '^unit' out)" 'unit            a\x0ab\xe2\x80\xae'
}

@test "--all: libpfm4's events of other PMUs too, with descriptions and unit masks" {
	needs_libpfm
	list --all 'skl::INST_RETIRED*'
	events | grep -qx skl::INST_RETIRED:ANY_P || fail "not listed:" "$(<out)"
	grep -q '^skl (libpfm4)' out || fail "no heading" "$(<out)"
	grep -qE '^  skl::INST_RETIRED +Number of instructions' out || fail "no description" "$(<out)"
	list --all
	within "how many" 5000 "$(events | wc -l)" 1000000
}

@test "--format json: one array of objects with the content of the table" {
	local names

	list
	names=$(events)
	list --format json
	is "the events" "$(json '"\n".join(e["event"] for e in d)' <out)" "$names"
	list --format json page-faults
	is "page-faults" "$(json '[(e["event"], e["pmu"], e["source"], e["present"]) for e in d]' <out)" \
		"[('page-faults', 'software', 'generic', True)]"
	list -v --format json page-faults
	is "its encoding" "$(json '(d[0]["type"], d[0]["config"], d[0]["config1"], d[0]["config2"])' <out)" \
		"(1, '0x2', '0x0', '0x0')"
}

@test "--format json: without a match, an empty array and 125" {
	pstat --list --format json no-such-event-at-all
	ends_with_status 125
	is "the array" "$(<out)" "[]"
}

@test "--format json: the same as the table, for --explain" {
	pstat -v --explain page-faults:u '{cs,user_time}'
	ends_with_status 0
	awk -v RS= 'NR == 1' out | sed 's/^\([^ ]*\) */\1=/' >table
	pstat --explain --format json page-faults:u '{cs,user_time}'
	ends_with_status 0
	is "objects" "$(wc -l <out)" 3
	is "the first" "$(head -n 1 out | json '"\n".join(k + "=" + v for k, v in d.items())')" "$(<table)"
	is "the third" "$(tail -n 1 out | json '(d["event"], d["unit"])')" "('user_time', 'ns')"
}

@test "--format json: names with quotes and backslashes stay JSON" {
	pstat --explain --format json 'software/config=2,name="a\b'"'"'c"/u'
	ends_with_status 0
	is "the name" "$(json 'd["event"]' <out)" 'a\b'"'"'c'
}

@test "the examples of --list and --explain in the manual print what the manual shows" {
	local n=0 command

	needs_libpfm
	mkdir bin
	printf '#!/bin/sh\nexec "%s" "$@"\n' "$PSTAT" >bin/pstat
	chmod +x bin/pstat
	# One file for each example: its command on one line, and then the output.
	awk '/^\.Bd -literal/ { block = 1; next }
		/^\.Ed/ { block = 0; file = "" }
		!block { next }
		{ gsub(/\\&/, ""); gsub(/\\e/, "\\") }
		/^\$ / {
			file = /--list|--explain/ ? "example" ++n : ""
			sub(/^\$ /, "")
			open_command = file != ""
		}
		file == "" { next }
		open_command && /[\\|]$/ { sub(/\\$/, ""); printf "%s ", $0 >file; next }
		{ print >file; open_command = 0 }' "${TOP_SRCDIR:?}"/man/*.[157]
	for file in example*; do
		command=$(head -n 1 "$file")
		case $command in
		*--list*) ((++n)) ;;
		esac
		PATH=$PWD/bin:$PATH bash -c "$command" >out 2>err || fail "failed: $command" "$(<err)"
		is "output of '$command'" "$(<out)" "$(tail -n +2 "$file")"
	done
	within "examples of --list" 2 "$n" 100
	within "examples" 3 "$(find . -name 'example*' | wc -l)" 100
}
