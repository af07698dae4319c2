#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# --explain: how an event is encoded, on this machine and on recorded machines.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

keys="event meaning kernel counts source pmu type config config1 config2 config3 read_format exclude_user exclude_kernel \
exclude_hv exclude_idle exclude_host exclude_guest precise pinned exclusive cpus unit scale"

explain()
{
	pstat --explain "$@"
	ends_with_status 0 && is "standard error" "$(<err)" ""
}

# explain_all ARG...: the same with every field. The calls of -v go to standard error.
explain_all()
{
	pstat -v --explain "$@"
	ends_with_status 0
}

# value KEY: print the value of KEY in the file out
value()
{
	awk -v key="$1" '$1 == key { sub(/^[^ ]+ +/, ""); print }' out
}

@test "--explain prints what people need; the fields of the attr only with -v" {
	explain page-faults:u
	is "the keys" "$(awk '{ print $1 }' out | tr '\n' ' ')" "event meaning kernel counts source "
	explain task-clock
	is "the keys" "$(awk '{ print $1 }' out | tr '\n' ' ')" "event meaning kernel counts source unit "
	explain 4294967295:1
	is "the keys" "$(awk '{ print $1 }' out | tr '\n' ' ')" "event here would source "
	explain_all 4294967295:1
	grep -q '^kernel ' out && grep -q '^type ' out || fail "$(<out)"
}

@test "an event that the machine cannot count has a line with what to count instead" {
	needs_command jq
	local event

	explain cycles instructions:u LLC-loads page-faults:u
	for event in cycles instructions:u LLC-loads page-faults:u; do
		awk -v RS= -v event="$event" '$2 == event' out >one
		if grep -q '^here ' one; then
			grep -qE '^instead +task-clock, the CPU time' one || fail "$(<one)"
		else
			! grep '^instead' one || fail "$(<one)"
		fi
	done
	pstat --format json --explain cycles
	jq -e '(.here == null) == (.instead == null)' out
}

@test "on a terminal, the values of --explain break between words, in their column" {
	# shellcheck disable=SC2016 # for the other shell
	"$programs/on-terminal" never /bin/sh -c 'stty cols 60; exec "$@"' - "$PSTAT" --explain cycles page-faults \
		>raw </dev/null 3>&-
	tr -d '\r' <raw >screen
	within "columns" 30 "$(wc -L <screen)" 60
	explain cycles page-faults
	is "the words" "$(tr -s ' \n' ' ' <screen)" "$(tr -s ' \n' ' ' <out)"
	[ "$(wc -l <screen)" -gt "$(wc -l <out)" ] || fail "$(<screen)"
	is "lines in no column" "$(grep -vcE '^$|^(event|meaning|here|instead|kernel|counts|would count|source) +[^ ]|^ {16}[^ ]' screen ||
		true)" 0
}

@test "--explain -v prints its keys in a fixed order" {
	explain_all page-faults:u
	is "the keys" "$(awk '{ print $1 }' out | tr '\n' ' ')" "$keys "
	is "lines whose value is not in column 17" "$(grep -vc '^[a-z_0-9]* *[^ ]' out || true)" 0
	is "values in column 17" "$(grep -cE '^.{15} [^ ]' out)" "$(wc -l <out)"
}

@test "a software event is explained" {
	needs_counting user
	explain_all page-faults:u
	is source "$(value source)" generic
	is pmu "$(value pmu)" software
	is meaning "$(value meaning)" "accesses to pages that were not mapped yet, minor and major"
	is type "$(value type)" 1
	is config "$(value config)" 0x2
	is exclude_user "$(value exclude_user)" 0
	is exclude_kernel "$(value exclude_kernel)" 1
	is kernel "$(value kernel)" "accepts it"
	is counts "$(value counts)" \
		"page-faults:u of PMU software in user mode, for the command and everything it starts"
}

@test "modifiers are explained" {
	explain_all cs:kHIDepp
	is exclude_user "$(value exclude_user)" 1
	is exclude_kernel "$(value exclude_kernel)" 0
	is exclude_hv "$(value exclude_hv)" 1
	is exclude_guest "$(value exclude_guest)" 1
	is exclude_host "$(value exclude_host)" 0
	is exclude_idle "$(value exclude_idle)" 1
	explain_all cs
	is "a guest without a modifier" "$(value exclude_guest)" 1
	explain_all cs:GH
	is "a guest" "$(value exclude_guest)" 0
	is "the host" "$(value exclude_host)" 0
	explain_all cs:kHIDepp
	is precise "$(value precise)" 2
	is pinned "$(value pinned)" 1
	is exclusive "$(value exclusive)" 1
}

@test "the symbol of a breakpoint is looked up in the program that is the last word" {
	local fixed=$programs/calls-fixed

	needs_symbols
	needs_command nm
	explain mem:written:w
	is "the answer" "$(value kernel)" \
		"not tried: the address depends on the program; write its path after the events"
	is "lines that say it cannot be counted" "$(grep -c '^here' out || true)" 0
	explain_all cs mem:written:w:u "$fixed"
	is "the events" "$(value event)" $'cs\nmem:written:w:u'
	is "the address" "$(value config1 | tail -n 1)" \
		"0x$(nm "$fixed" | awk '$3 == "written" { sub(/^0+/, "", $1); print $1 }')"
	is "the length" "$(value config2 | tail -n 1)" 0x4
	explain mem:written:w "$programs/calls"
	is "the answer" "$(value kernel)" "not tried: the address differs in each run"
	pstat --explain mem:nowhere:w "$fixed"
	ends_with_status 125
	says "pstat: --explain 'mem:nowhere:w', column 5: $fixed has no variable 'nowhere' in its symbol tables"
	pstat --explain mem:written:w ./nosuch
	ends_with_status 125
	says "pstat: --explain 'mem:written:w', column 5: ./nosuch: No such file or directory"
}

@test "a tool event has no attr" {
	explain_all duration_time
	is "the keys" "$(awk '{ print $1 }' out | tr '\n' ' ')" \
		"event meaning kernel counts source pmu cpus unit scale "
	is source "$(value source)" tool
	is unit "$(value unit)" ns
}

@test "several events and groups are explained in order, with an empty line between them" {
	explain_all cs '{faults:u,cs}:D,user_time' r1a
	is "the events" "$(value event)" "cs
faults:u
cs
user_time
r1a"
	is "empty lines" "$(grep -c '^$' out)" 4
	is "first and last line" "$(sed -n '1p;$p' out | grep -c '^$' || true)" 0
	is "pinned: the leader alone" "$(value pinned | tr '\n' ' ')" "0 1 0 0 "
	is "read in one" "$(value read_format | tr '\n' ' ')" "0x3 0xf 0xf 0x3 "
	value counts | sed -n 2p | grep -q ', together with cs$' || fail "no partner" "$(<out)"
	value counts | sed -n 3p | grep -q ', together with faults:u$' || fail "no partner" "$(<out)"
}

@test "an event that the kernel refuses is still explained, with the reason" {
	needs_command jq
	explain_all 4294967295:1
	is type "$(value type)" 4294967295
	[ -n "$(value kernel)" ] && [ "$(value kernel)" != "accepts it" ] || fail "no reason" "$(<out)"
	is here "$(value here)" "cannot be counted: $(value kernel)"
	explain --format json 4294967295:1
	jq -e '.here == "cannot be counted: " + .kernel' out
}

@test "an event that cannot be counted here says so after its meaning" {
	explain_all cycles
	if [ "$(value kernel)" = "accepts it" ]; then
		is here "$(value here)" ""
	else
		is "the third line" "$(sed -n 3p out)" "here            cannot be counted: $(value kernel)"
	fi
}

@test "an unknown event is refused with its position in its argument" {
	pstat --explain cs 'faults,nonesuch@'
	ends_with_status 125
	says "pstat: --explain 'faults,nonesuch@', column 8: unknown event 'nonesuch@'"
}

@test "the events of each recorded machine have the recorded encodings" {
	local table machine events

	for table in "${FIXTURES:?}"/encodings/*.tsv; do
		machine=$(basename "$table" .tsv)
		"$FIXTURES/unpack" "$machine" "$machine"
		# One line for each PMU on which an event is opened.
		grep -v -e '^#' -e '^!' -e '^$' "$table" |
			awk -F '\t' -v OFS='\t' '{ for (i = 2; i < NF; i += 4)
				print $1, $i, $(i + 1), $(i + 2), $(i + 3) }' >want
		mapfile -t events < <(grep -v -e '^#' -e '^!' -e '^$' "$table" | cut -f1)
		explain_all --sysroot "$machine" "${events[@]}"
		awk -v OFS='\t' '
			$1 == "type" { type = $2 }
			$1 == "config" { config = $2 }
			$1 == "config1" { config1 = $2 }
			$1 == "config2" { print type, config, config1, $2 }' out >encoded
		paste <(cut -f1 want) encoded | diff want - >&2 || fail "$machine: see above"
		is "answer of the kernel" "$(value kernel | sort -u)" \
			"not tried: --sysroot describes another machine"
	done
}

@test "an event that a recorded machine does not support is refused by name" {
	local table machine event name

	for table in "${FIXTURES:?}"/encodings/*.tsv; do
		machine=$(basename "$table" .tsv)
		"$FIXTURES/unpack" "$machine" "$machine"
		grep '^!' "$table" | cut -f2-3 >refused
		while IFS=$'\t' read -r event name; do
			pstat --sysroot "$machine" --explain "$event"
			ends_with_status 125
			is "lines for $event" "$(wc -l <err)" 1
			grep -qF "pstat: --explain '$event', column " err && grep -qF "$name" err ||
				fail "$machine, $event: wrong message:" "$(<err)"
		done <refused
	done
}

@test "explaining the events of another machine needs no permission on this one" {
	"${FIXTURES:?}/unpack" amd-zen4 machine
	explain --sysroot machine cycles
	is kernel "$(value kernel)" "not tried: --sysroot describes another machine"
}

@test "--explain shows the modes of --all-user; options that name events are refused" {
	pstat --all-user -v --explain page-faults:k
	ends_with_status 0
	is exclude_kernel "$(value exclude_kernel)" 1
	is exclude_user "$(value exclude_user)" 0
	for options in '-e cs' -d -n; do
		# shellcheck disable=SC2086 # two words
		pstat $options --explain cs
		ends_with_status 125
		says "pstat: ${options%% *} cannot be combined with --explain"
	done
}
