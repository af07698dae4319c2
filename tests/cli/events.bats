#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Refused event strings: one line with the position in the string, status 125, and no command
# starts. The PMUs of this machine do not matter: every machine has "software" and the kernel's
# names.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

# refuses_event LIST COLUMN MESSAGE: check that pstat -e LIST is refused with MESSAGE
refuses_event()
{
	refuses "-e '$1', column $2: $3" -e "$1" touch started
}

# accepts_event LIST: check that LIST is valid, whether or not this machine supports its events
accepts_event()
{
	pstat --explain "$1"
	ends_with_status 0
}

@test "an unknown name is refused at every position of a list and of a group" {
	local before list

	while read -r list; do
		before=${list%%@*}
		refuses_event "$list" $((${#before} + 1)) "unknown event '@@@@@@@@@@'"
	done <<-'END'
		@@@@@@@@@@
		@@@@@@@@@@,cs,faults
		cs,@@@@@@@@@@,faults
		cs,faults,@@@@@@@@@@
		{@@@@@@@@@@}
		{@@@@@@@@@@,cs,faults}
		{cs,@@@@@@@@@@,faults}
		{cs,faults,@@@@@@@@@@}
		{cs,faults},@@@@@@@@@@
		{cs,faults},{@@@@@@@@@@,cs}
		first{cs},second{faults,@@@@@@@@@@}
		cs:u,{faults:k,@@@@@@@@@@},cs
	END
}

@test "the message names the list with the mistake" {
	refuses "-e 'nonesuch@', column 1: unknown event 'nonesuch@'" -e cs -e nonesuch@ -e faults \
		touch started
}

@test "the message about a misspelled name lists the most similar names" {
	pstat -e cylces touch started
	ends_with_status 125
	is "number of lines" "$(wc -l <err)" 1
	grep -qF "pstat: -e 'cylces', column 1: unknown event 'cylces'; did you mean 'cycles', " err ||
		fail "no suggestion:" "$(<err)"

	pstat -e cs,page-fault touch started
	ends_with_status 125
	is "number of lines" "$(wc -l <err)" 1
	grep -qF "column 4: unknown event 'page-fault'; did you mean 'page-faults'" err ||
		fail "no suggestion:" "$(<err)"
}

@test "the message about another tool's name for time or memory suggests pstat's name" {
	local name

	for name in elapsed wall walltime wall-clock real time; do
		pstat -e "$name" touch started
		ends_with_status 125
		grep -qE "unknown event '$name'; did you mean .*'duration_time'" err ||
			fail "no suggestion:" "$(<err)"
	done
	for name in memory rss maxrss; do
		pstat -c true -c true --fail-if "$name>+1%"
		ends_with_status 125
		grep -qE "^pstat: --fail-if '$name', column 1: unknown event '$name'; did you mean 'max_rss'" err ||
			fail "no suggestion:" "$(<err)"
	done
	[ ! -e started ] || fail "the command was started"
}

@test "a list with an empty item is refused" {
	refuses_event '' 1 "an event is missing here"
	refuses_event 'cs,' 4 "an event is missing here"
	refuses_event ',cs' 1 "an event is missing here"
	refuses_event 'cs,,faults' 4 "an event is missing here"
	refuses_event '{cs,}' 5 "an event is missing here"
	refuses_event '{,cs}' 2 "an event is missing here"
	accepts_event 'cs, faults'
}

@test "unbalanced braces are refused" {
	refuses_event '{cs,faults' 1 "the '{' is not closed"
	refuses_event 'cs,two{faults' 7 "the '{' is not closed"
	refuses_event '{' 2 "an event is missing here"
	refuses_event '{}' 2 "an event is missing here"
	refuses_event 'cs}' 3 "this '}' has no matching '{'"
	refuses_event '{cs}}' 5 "this '}' has no matching '{'"
	refuses_event '{cs,{faults}}' 5 "groups cannot be nested"
	refuses_event '{cs}faults' 5 "a ',' is missing here"
	refuses "-e '{cs', column 1: the '{' is not closed" -e '{cs' -e 'faults}' touch started
	accepts_event '{cs,faults},one{cs}'
}

@test "unknown and repeated modifiers are refused with their position" {
	local known="choose from u k h G H I p P S D e W b"

	refuses_event 'cs:z' 4 "unknown modifier 'z'; $known"
	refuses_event 'faults,cs:uz' 12 "unknown modifier 'z'; $known"
	refuses_event 'cs:uu' 5 "modifier 'u' is given twice"
	refuses_event 'cs:ukhu' 7 "modifier 'u' is given twice"
	refuses_event 'cs:pup' 6 "modifier 'p' is given twice"
	refuses_event 'cs:pppp' 7 "modifier 'p' may be given at most three times"
	refuses_event 'cs:pP' 4 "modifiers 'p' and 'P' cannot be combined"
	refuses_event 'cs:u:k' 6 "nothing may follow the modifiers"
	refuses_event 'cs:' 4 "modifiers are missing after ':'"
	refuses_event '{cs,faults}:' 13 "modifiers are missing after ':'"
	refuses_event '{cs,faults}:z' 13 "unknown modifier 'z'; $known"
	refuses_event '{cs,faults}:DD' 14 "modifier 'D' is given twice"
	refuses_event 'r1a:z' 5 "unknown modifier 'z'; $known"
	refuses_event '1:2:z' 5 "unknown modifier 'z'; $known"
	refuses_event 'duration_time:z' 15 "unknown modifier 'z'; $known"
	refuses_event 'L1-dcache-loads:z' 17 "unknown modifier 'z'; $known"
	accepts_event 'cs:ukhGHIpppSDeW'
}

@test "D and e follow the brace of a group, not a member" {
	refuses_event '{cs,faults:D}' 1 \
		"'faults:D': D and e apply to a whole group; write them after its '}'"
	accepts_event '{cs,faults}:D'
}

@test "an unknown PMU is refused, and the message lists the PMUs" {
	local devices=machine/sys/bus/event_source/devices

	mkdir -p machine/proc "$devices"/{cpu,software}
	echo 4 >"$devices/cpu/type"
	echo 1 >"$devices/software/type"
	refuses "--explain 'cs,no_such_pmu/event=1/', column 4: this machine has no PMU 'no_such_pmu'; it has cpu, software" \
		--sysroot machine --explain cs,no_such_pmu/event=1/
}

@test "a PMU's slashes, names and values have to be complete" {
	refuses_event 'software/config=1' 9 "the '/' is not closed"
	refuses_event '/config=1/' 1 "the name of a PMU is missing before '/'"
	refuses_event 'software/config=/' 17 "a value is missing after 'config='"
	refuses_event 'software/=1/' 10 "the name of a term is missing"
	refuses_event 'software/config=1,/' 19 "a term is missing after the ','"
	refuses_event 'software/name="x/' 10 "a quote is not closed"
	refuses_event 'software/config=2/cs' 19 \
		"unknown modifier 'c'; choose from u k h G H I p P S D e W b"
}

@test "an unknown term is refused with its position" {
	pstat -e 'software/config=2,colour=3/' touch started
	ends_with_status 125
	is "number of lines" "$(wc -l <err)" 1
	grep -qF "pstat: -e 'software/config=2,colour=3/', column 19: PMU software has no term or event 'colour'" err ||
		fail "wrong message:" "$(<err)"
}

@test "terms that do not concern counting are accepted, and a note of -v says that they have no effect" {
	local event

	needs_counting user
	for event in software/config=2,period=3/u faults/freq=3/u faults/percore,metric-id=a/u; do
		pstat -v -x, -e "$event" true
		ends_with_status 0
		within "$event" 1 "$(sed -n 's/^\([0-9]*\),,.*/\1/p' err)" 1000
		grep -qxF "pstat: $event: period, freq, percore and metric-id have no effect" err ||
			fail "no note" "$(<err)"
	done
	refuses_event 'software/config=2,call-graph=fp/' 19 "'call-graph' is for sampling; pstat only counts"
}

@test "terms can follow the names and numbers of events" {
	needs_counting user
	pstat -x, -e 'faults/name=a/u,1:2/name=b/u,faults//u,{ faults , faults/name=c/:u }:ub' true
	ends_with_status 0
	is "the names" "$(cut -d, -f 3 err | tr '\n' ' ')" "a b faults//u faults c "
}

# The headers of Linux 6.2 and older end before config3, those of 6.18 before config4.
@test "config3 and config4 go to the kernel, whatever headers pstat was built with" {
	local field

	needs_counting user
	for field in config3 config4; do
		pstat -v -x, -e "software/config=2,$field=7,name=new/u,faults:u" true
		ends_with_status 0
		grep -qE "^  $field +0x7\$" err || fail "$field is not in the attr" "$(<err)"
		within "page faults" 1 "$(field 1 faults:u)" 100000
		[[ $(field 1 new) =~ ^[1-9] ]] ||
			grep -qE "^pstat: new: not supported: $field needs Linux 6\.[0-9]+, and this kernel is older\$" err ||
			fail "$field: neither a count nor the reason" "$(<err)"
	done
}

@test "numbers that do not fit are refused" {
	refuses_event 'r10000000000000000' 1 "'r10000000000000000' does not fit in 64 bits"
	refuses_event '4294967296:1' 1 "'4294967296' does not fit in 32 bits"
	refuses_event 'cs,1:18446744073709551616' 6 "'18446744073709551616' does not fit in 64 bits"
	refuses_event 'software/config=0x10000000000000000/' 17 \
		"'0x10000000000000000' for 'config' does not fit in 64 bits"
	accepts_event 'rffffffffffffffff'
	accepts_event '4294967295:18446744073709551615'
}

@test "a value that does not fit its term is refused" {
	"${FIXTURES:?}/unpack" intel-skylake-server machine
	pstat --sysroot machine --explain 'cpu/event=0x3c,umask=0x100/'
	ends_with_status 125
	is "number of lines" "$(wc -l <err)" 1
	grep -q "^pstat: --explain 'cpu/event=0x3c,umask=0x100/', column 22: .*0x100.*umask" err ||
		fail "wrong message:" "$(<err)"
}

@test "names of libpfm4: the message lists the valid names" {
	pstat --version
	grep -q '^libpfm4 names: yes' out || skip "built without libpfm4"
	export LIBPFM_ENCODE_INACTIVE=1

	pstat -e 'cs,skl::INST_RETIRED:NONE' touch started
	ends_with_status 125
	is "number of lines" "$(wc -l <err)" 1
	grep -qF "pstat: -e 'cs,skl::INST_RETIRED:NONE', column 22: " err || fail "no position:" "$(<err)"
	grep -q "INST_RETIRED: ANY_P, .*PREC_DIST" err || fail "no unit masks:" "$(<err)"

	pstat -e 'cs,skl::INST_RETIRD' touch started
	ends_with_status 125
	is "number of lines" "$(wc -l <err)" 1
	grep -qF "column 4: unknown event 'skl::INST_RETIRD'" err || fail "wrong message:" "$(<err)"

	refuses_event 'skl::BR_MISP_RETIRED:period=3' 1 \
		"'skl::BR_MISP_RETIRED:period=3': freq= and period= are for sampling; pstat only counts"
	[ ! -e started ] || fail "the command was started"
}
