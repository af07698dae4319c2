#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# --compare compares saved results; --baseline compares a saved result with a command that runs now.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

source_dir=${TOP_SRCDIR:?}
schemas=$source_dir/src/document

# saves FILE ARG...: save a document to FILE, with status 0
saves()
{
	pstat --save "$1" -o shown "${@:2}"
	ends_with_status 0
}

# changes FILE FILTER NEW: write NEW, the document FILE after a jq filter
changes()
{
	jq "$2" "$1" >"$3"
}

# compare ARG...: run pstat ARG... with status 0
compare()
{
	pstat "$@"
	ends_with_status 0
}

# checks DOCUMENT: check it against the schema
checks()
{
	local problems

	python3 -c 'import jsonschema' 2>/dev/null || return 0
	problems=$(python3 "$source_dir/tests/cli/comparison.py" "$schemas" "$1") || fail "$1: $problems" "$(<"$1")"
}

# holds FILTER EXPECTED: check what jq finds in the file document
holds()
{
	is "$1" "$(jq -cr "$1" document)" "$2"
}

# messages LINE...: check pstat's messages, except those about events that this machine cannot count
messages()
{
	is "messages" "$(grep '^pstat:' err | grep -v -e 'not supported' -e 'counted in user mode' || true)" "$(printf '%s\n' "$@")"
}

# The same, also except those about commands, memory, and too few runs.
warnings()
{
	sed -i -e '/differ in command/d' -e '/^pstat: max_rss of/d' -e '/^pstat: -r .*: too few runs for a verdict/d' err
	messages "$@"
}

# Two documents, old and new, with six runs of true each and the same spread. Their max_rss is 1000
# and 2000 KiB, their duration 1 and 2 seconds. The peak RSS of pstat itself is removed.
make_documents()
{
	saves made -n -r 6 true
	changes made 'del(.settings.max_rss_floor_kib) | .runs[].max_rss = 1500' base
	changes base '.runs[] |= (.max_rss = 1000 | .duration_time = 1000000000)' old
	changes base '.runs[] |= (.max_rss = 2000 | .duration_time = 2000000000)' new
}

setup()
{
	cd "$BATS_TEST_TMPDIR" || return
	needs_documents
	needs_command jq
	needs_math
}

@test "the first document is the reference" {
	make_documents
	compare --compare old new base --details
	messages ""
	is "the sides" "$(grep -E '^(old|new|base) +true ' out)" "old   true  6 runs, reference
new   true  6 runs
base  true  6 runs"
	grep -qE '^ +worse .*\+100\.?0* % exactly \+1\.0*$' out || fail "$(<out)"
	grep -q 'each side run separately' out || fail "$(<out)"
	compare --compare new old --fail-if 'max_rss>+1%'
	grep -qE '^max_rss .* -50\.?0* % exactly -1000 +better$' out || fail "$(<out)"
	[ ! -s err ]
}

@test "saved results are compared in each format, in the page and in the document" {
	make_documents
	for format in table markdown github csv csv-summary json; do
		compare --compare old new --format $format --save document --html page -o result
		[ -s result ] || fail "no $format"
		[ ! -s out ] && [ ! -s err ]
		checks document
		compare --show document --format $format -o shown
		cmp result shown || fail "$format differs from the saved result:" "$(diff result shown)"
	done
	cmp result document
	compare --show page --format json
	cmp out document
	holds '.paired, .order, .seed' $'false\nnull\n0'
	holds '[.sides[].name]' '["old","new"]'
	is "their runs" "$(jq -c '[.sides[].result.runs]' document)" "$(jq -cs '[.[].runs]' old new)"
	is "the first report" "$(jq -S '.sides[0].result | del(.summary)' document)" "$(jq -S 'del(.summary)' old)"
	compare --compare old new --seed 7 --confidence 99 --format json
	mv out document
	holds '.seed, .confidence' $'7\n0.99'
}

@test "gates decide the status" {
	make_documents
	pstat --compare old new --fail-if 'max_rss>+150%' --format github
	ends_with_status 0
	pstat --compare old new --fail-if 'max_rss>+50%' --fail-if 'max_rss>+150%' --format github
	ends_with_status 1
	pstat --compare old new --fail-if 'max_rss>+50%' --fail-if 'max_rss>+150%' --quiet
	ends_with_status 1
	[ ! -s out ]
	messages "pstat: max_rss +1000 KiB exactly (+100 %), limit +50 %: crossed"
	pstat --compare old new --fail-if 'max_rss>+150%' --quiet
	ends_with_status 0
	[ ! -s out ] && [ ! -s err ]
	changes new '.runs |= .[0:1]' few
	pstat --compare old few --fail-if 'max_rss>+50%' --format github
	ends_with_status 2
	pstat --compare old new --fail-if 'cs>+1%'
	ends_with_status 125
	is "standard error" "$(<err)" \
		"pstat: --fail-if 'cs>+1%': 'cs' is not compared; choose from duration_time, user_time, system_time, max_rss"
	[ ! -s out ]
}

# of MAX_RSS... <DOCUMENT: print the document, with these values of max_rss in its runs
of()
{
	jq --argjson of "[$(IFS=,; echo "$*")]" \
		'del(.settings.max_rss_floor_kib) | .runs = ([.runs, $of] | transpose | map(.[0] + {max_rss: .[1]}))'
}

@test "failed gates are also reported on standard error, unless the table is there" {
	local gates=(--fail-if 'max_rss>+50%' --fail-if 'max_rss>+150%')

	make_documents
	pstat --compare old new "${gates[@]}" --format markdown
	ends_with_status 1
	messages "pstat: max_rss +1000 KiB exactly (+100 %), limit +50 %: crossed"
	pstat --compare old new "${gates[@]}" -o table
	ends_with_status 1
	messages "pstat: max_rss +1000 KiB exactly (+100 %), limit +50 %: crossed"
	is "the gates in the table" "$(grep -c '^pstat: max_rss' table)" 2
	status=0
	"$PSTAT" --compare old new "${gates[@]}" >both 2>&1 || status=$?
	ends_with_status 1
	is "the gates in one log" "$(grep '^pstat: max_rss' both)" \
		"pstat: max_rss +1000 KiB exactly (+100 %), limit +50 %: crossed
pstat: max_rss +1000 KiB exactly (+100 %), limit +150 %: kept"
}

@test "a gate on time, elapsed or wall is refused with a hint to duration_time" {
	local hint="is not compared; did you mean 'duration_time'?"

	make_documents
	for name in time elapsed wall; do
		refuses "--fail-if '$name>+3%': '$name' $hint" --compare old new --fail-if "$name>+3%"
		refuses "--fail-if '$name>+3%': '$name' $hint" --baseline old --fail-if "$name>+3%" touch started
		refuses "--fail-if '$name>+3%': '$name' $hint" -c 'touch started' -c true --fail-if "$name>+3%"
		refuses "--fail-if '$name>+3%': '$name' $hint" -n -c 'touch started' -c true --fail-if "$name>+3%"
	done
}

@test "a difference that only one of the two tests finds does not cross a limit" {
	saves base -n -r 6 true
	of 1070 1190 1080 1030 1090 1010 <base >old
	of 1160 1230 1230 1230 1170 1030 <base >new
	pstat --compare old new --details --fail-if 'max_rss>+0%' --save document
	ends_with_status 2
	grep -q '^max_rss .* unclear ' out && grep -q 'the two statistical tests disagree' out || fail "$(<out)"
	checks document
	holds '.outcomes[0].outcome' unclear
	holds '.rows[] | select(.name == "max_rss").contrasts[0] | .verdict, .p < 0.05, (.p_permutation * 924 | round)' \
		$'unclear\ntrue\n54'
	jq '.runs[5].max_rss = 1130' new >further
	pstat --compare old further --fail-if 'max_rss>+0%' --quiet
	ends_with_status 1
}

@test "a gate that is unclear although the interval is beyond the limit shows the cause and the runs needed" {
	saves base -n -r 6 true
	of 1000 1000 1000 1000 1000 1000 <base >old
	of 1030 1031 1032 1030 1031 1004 <base >new
	pstat --compare old new --fail-if 'max_rss>+2%' --fail-if 'max_rss<-50%' --save document
	jq '.paired = true | .order = [0,1,0,1,0,1,0,1,0,1,0,1]' document >paired
	pstat --compare paired --fail-if 'max_rss>+0.5%'
	ends_with_status 2
	tail -n 1 out >last
	grep -qE '^pstat: max_rss \+2\.6 % \[.*\], limit \+0\.5 %: unclear \(the two statistical tests disagree; to decide: -r [0-9]+, about [0-9]+ s\)$' last ||
		fail "$(<out)"
	of 0 0 0 0 0 0 <base >old
	of 1 2 1 2 1 1 <base >new
	pstat --compare old new --save document
	jq '.paired = true | .order = [0,1,0,1,0,1,0,1,0,1,0,1]' document >paired
	pstat --compare paired --fail-if 'max_rss>+0' --fail-if 'max_rss>+1' --fail-if 'max_rss>+3'
	ends_with_status 2
	grep -qE '^pstat: max_rss .*, limit \+0 KiB: unclear \(corrected for 3 limits; at least 7 runs of each side needed; a count that varies needs a margin: max_rss>\+1%\)$' out ||
		fail "$(<out)"
}

@test "--min-effect and --more-is-better apply to saved results" {
	needs_counting user
	make_documents
	compare --compare old new --min-effect max_rss=200 --more-is-better duration_time --format json \
		--fail-if 'max_rss>+900%'
	mv out document
	holds '.rows[] | select(.name == "max_rss").contrasts[0].verdict' same
	holds '.rows[] | select(.name == "duration_time").contrasts[0].verdict' better
	saves counted -r 2 -e page-faults:u true
	compare --compare counted counted --min-effect faults=5 --more-is-better page-faults --format json
	mv out document
	holds '.rows[] | select(.name == "page-faults:u") | .minimum_effect, .more_is_better' $'0.05\ntrue'
	refuses "--min-effect: 'cs' is not compared: no document has it" --compare old new --min-effect cs=1
	refuses "--more-is-better: 'cs' is not compared: no document has it" --compare old new --more-is-better cs
}

@test "a row that only one document has is <not counted> on the other side" {
	needs_counting user
	saves a -r 4 -e page-faults:u,duration_time true
	saves b -r 4 -e minor-faults:u true
	sed -i '/"max_rss_floor_kib"/d; s/"max_rss": null/"max_rss": 1500/' a b
	pstat --compare a b --format json --fail-if 'page-faults:u>+900%'
	ends_with_status 2
	mv out document
	checks document
	holds '[.rows[].name]' \
		'["page-faults:u","duration_time","minor-faults:u","user_time","system_time","max_rss"]'
	holds '[.rows[] | [.sides[].n]]' '[[4,0],[4,4],[0,4],[4,4],[4,4],[4,4]]'
	holds '.rows[0].contrasts[0].verdict, .rows[0].sides[1].state' $'not counted\nnot counted'
	compare --compare a b
	is "without counts" "$(grep -c '<not counted>' out)" 2
}

@test "each difference between the measurements has its own note" {
	make_documents
	changes old '.host |= (.name = "a" | .kernel = "6.1.0" | .machine = "x86_64" | .cpu_model = "X" |
		.cpus_online = "0-1" | .governors = ["performance"] | .turbo = false | .aslr = 2) |
		.pstat.version = "0.1"' a.json
	changes new '.host |= (.name = "b" | .kernel = "6.6.2" | .machine = "aarch64" | .cpu_model = "Y" |
		.cpus_online = "0-3" | .governors = ["powersave"] | .turbo = true | .aslr = 0) |
		.pstat.version = "0.2" | .target |= (.argv = ["sleep", "1"] | .subject = "'\''sleep 1'\''") |
		.settings.scaled = false' b.json
	compare --compare a.json b.json
	is "standard error" "$(<err)" "pstat: a.json and b.json differ in command: 'true' and 'sleep 1'
pstat: a.json and b.json differ in counts of multiplexed events: scaled and not scaled
pstat: a.json and b.json differ in host: a and b
pstat: a.json and b.json differ in kernel: 6.1.0 and 6.6.2
pstat: a.json and b.json differ in architecture: x86_64 and aarch64
pstat: a.json and b.json differ in processor: X and Y
pstat: a.json and b.json differ in CPUs online: 0-1 and 0-3
pstat: a.json and b.json differ in frequency governor: performance and powersave
pstat: a.json and b.json differ in turbo: off and on
pstat: a.json and b.json differ in ASLR: on (randomize_va_space 2) and off (randomize_va_space 0)
pstat: a.json and b.json differ in version of pstat: 0.1 and 0.2"
	changes a.json '.host |= (.kernel = "6.6.2" | .turbo = null | .governors = [])' c.json
	compare --compare a.json c.json --names old,new --format markdown
	is "standard error" "$(<err)" "pstat: old and new differ in kernel: 6.1.0 and 6.6.2"
	compare --compare a.json c.json --quiet
	[ ! -s err ]
}

@test "the encodings of events with the same name are compared" {
	needs_counting user
	saves a -r 2 -e page-faults:u,dummy:u -M 'x=page-faults/time' true
	changes a '(.events[] | select(.name == "page-faults:u").attr) |= (.config = "0x5" | .flags += ["exclude_idle"]) |
		.metrics[0].text = "x=page-faults*time"' b
	compare --compare a b --format markdown
	is "standard error" "$(grep '^pstat: .* differ in' err)" \
		"pstat: a and b differ in event page-faults:u: software/config=0x2/ exclude_kernel exclude_hv exclude_guest \
and software/config=0x5/ exclude_kernel exclude_hv exclude_idle exclude_guest
pstat: a and b differ in metric x: x=page-faults/time and x=page-faults*time"
}

@test "sides are named by their files, or by --names" {
	make_documents
	mkdir folder
	cp new folder/old
	compare --compare old folder/old old - --save document --quiet </dev/null || true
	compare --compare old folder/old old --save document --quiet
	holds '[.sides[].name]' '["old","folder/old","old #2"]'
	compare --compare old new --names 'a,b c' --save document --quiet
	holds '[.sides[].name]' '["a","b c"]'
	refuses "--names a: needs 2 names, one for each side (1 given)" --compare old new --names a
	refuses "--names a,a: 'a' is used twice" --compare old new --names a,a
	refuses "--names a,b,c: needs 2 names, one for each side (3 given)" --compare old new --names a,b,c
}

@test "a single comparison is judged again, within its rounds" {
	saves first -n -r 6 --seed 5 -c true -c 'sh -c :' --fail-if 'duration_time<-99.9%'
	checks first
	compare --compare first --save document -o again --format json
	warnings ""
	cmp first document || fail "the document differs:" "$(diff first document)"
	cmp first again
	holds '.paired' true
	changes first 'del(.sides[].result.settings.max_rss_floor_kib) | .sides[1].result.runs[].max_rss = 3000 | .sides[0].result.runs[].max_rss = 1000' second
	pstat --compare second --format json --fail-if 'max_rss>+50%' --confidence 99 --names a,b --min-effect 3
	ends_with_status 1
	mv out document
	checks document
	holds '.paired, .confidence, .seed' $'true\n0.99\n5'
	holds '[.gates[].text]' '["max_rss>+50%"]'
	holds '[.sides[].name]' '["a","b"]'
	holds '.effects[-1].minimum_effect' 0.03
	is "the order" "$(jq -c .order document)" "$(jq -c .order first)"
	changes second '.gates[0] |= (.text = "max_rss>+50%" | .name = "max_rss" | .above = true | .limit = 0.5)' third
	pstat --compare third --quiet
	ends_with_status 1
}

@test "if there are other documents, all sides of a comparison take part" {
	make_documents
	saves comparison -n -r 6 -c true -c 'sh -c :'
	compare --compare comparison old --save document --quiet
	checks document
	holds '.paired' false
	holds '[.sides[].name]' '["true","sh -c :","old"]'
	compare --compare old comparison comparison --save document --format github
	holds '[.sides[].name]' '["old","true","sh -c :","true #2","sh -c : #2"]'
	# the commands of one comparison may differ
	compare --compare comparison old --format github
	warnings ""
	refuses "--compare: old is not a comparison, and there is nothing to compare it with; give another FILE" \
		--compare old
}

@test "one of the documents may be standard input" {
	make_documents
	"$PSTAT" --compare old - --save document <new >shown
	holds '[.sides[].name]' '["old","standard input"]'
	grep -q '^elapsed time .* worse' shown
	status=0
	"$PSTAT" --compare - - <new >out 2>err || status=$?
	ends_with_status 125
	says "pstat: --compare: standard input can be read only once; give - once"
	"$PSTAT" --baseline - -n -r 2 --save document true <new >out 2>err
	holds '[.sides[].name]' '["standard input","true"]'
}

@test "rows are matched by name and place, and a gate applies to each row" {
	needs_counting user
	saves a -r 4 -e page-faults:u true
	# shellcheck disable=SC2016 # jq's
	split='.settings.place_kind = "cpu" | .rows = [0, 1 | {event: 0, place: ., label: "CPU\(.)", counters: 1}] |
		.runs[] |= (.state = ["counted", "counted"] | .raw = [$a, $b] | .enabled_ns = [1, 1] | .running_ns = [1, 1])'
	jq --argjson a 1000 --argjson b 1000 "$split" a >old
	jq --argjson a 1000 --argjson b 1500 "$split" a >new
	pstat --compare old new --fail-if 'page-faults:u>+10%' --format github --save document
	ends_with_status 1
	checks document
	holds '[.rows[1:3][] | .place]' '["CPU0","CPU1"]'
	holds '[.outcomes[] | [.row, .outcome]]' '[[1,"kept"],[2,"crossed"]]'
	pstat --compare a new --format json
	mv out document
	holds '[.rows[1:4][] | [.place, .sides[0].n, .sides[1].n]]' '[["",4,0],["CPU0",0,4],["CPU1",0,4]]'
}

@test "for documents of -I the totals are compared, and the intervals are kept" {
	saves a -I 20 -r 2 -e page-faults:u sleep 0.05
	compare --compare a a --save document --format csv
	checks document
	is "lines" "$(wc -l <out)" 5
	is "their intervals" "$(jq -c '.sides[0].result.intervals' document)" "$(jq -c .intervals a)"
	compare --show document --format json
	cmp out document
}

@test "a damaged document is refused with the place of the damage, and nothing is printed" {
	make_documents
	refuses "--compare nowhere: No such file or directory" --compare old nowhere
	: >damaged
	refuses "--compare damaged: the file is empty" --compare old damaged
	changes new 'del(.runs[2].max_rss)' damaged
	refuses "--compare damaged: runs[2].max_rss: missing" --compare old damaged
	changes new '.version = 3' damaged
	refuses "--compare damaged: version: this pstat reads version 2, not 3" --compare damaged new
	refuses "--baseline damaged: version: this pstat reads version 2, not 3" \
		--baseline damaged touch started
	head -c 100 new >damaged
	pstat --baseline damaged touch started
	ends_with_status 125
	grep -q '^pstat: --baseline damaged: not valid JSON: line [0-9]*, column [0-9]*: ' err
	[ ! -e started ] && [ "$(wc -l <err)" -eq 1 ]
}

@test "a document that cannot be written is pstat's failure, and the result is still shown" {
	make_documents
	pstat --compare old new --save /dev/full
	ends_with_status 125
	grep -q '^elapsed time' out
	grep -q '/dev/full: No space left on device' err
	pstat --compare old new --html /dev/full --fail-if 'max_rss>+50%'
	ends_with_status 125
	grep -q '^max_rss' out
	refuses "-o x and --save x are the same file: use another file for the document" --compare old new -o x --save x
	status=0
	# shellcheck disable=SC2094 # that is what is tried
	"$PSTAT" --compare old new --save x >x 2>err || status=$?
	ends_with_status 125
	is "standard error" "$(<err)" \
		"pstat: --save x is the file that descriptor 1 writes to: use another file for the document"
	status=0
	"$PSTAT" --compare old new >/dev/full 2>err || status=$?
	ends_with_status 125
}

@test "--baseline: the command is run and compared with the document" {
	make_documents
	pstat --baseline old -n -r 6 --save document --html page --format markdown true
	ends_with_status 0
	checks document
	warnings ""
	grep '^|' out >live
	holds '.paired' false
	holds '[.sides[].name]' '["old","true"]'
	holds '.order' '[0,0,0,0,0,0,1,1,1,1,1,1]'
	is "the baseline" "$(jq -S '.sides[0].result | del(.summary)' document)" "$(jq -S 'del(.summary)' old)"
	holds '.sides[1].result.runs | length' 6
	compare --show page --format json
	cmp out document
	compare --show document --format markdown
	grep '^|' out >again
	cmp live again
	pstat --baseline old -n -r 2 -c true -c 'sh -c :' --names a,b,c --save document --seed 3 --quiet
	ends_with_status 0
	[ ! -s err ]
	holds '[.sides[].name]' '["a","b","c"]'
	holds '.order[0:6], (.order[6:] | sort)' $'[0,0,0,0,0,0]\n[1,1,2,2]'
	holds '[.sides[1:][].result.pstat.seed] | unique' '[3]'
	pstat --baseline old -n -r 2 -L n=1,2 --save document --quiet echo '{n}'
	holds '[.sides[].name]' '["old","n=1","n=2"]'
	pstat --baseline old -n -r 1 --names a true
	ends_with_status 125
	messages "pstat: --names a: needs 2 names, one for the baseline and each command (1 given)"
	pstat --baseline old -n -r 1 --names a,a true
	ends_with_status 125
	messages "pstat: --names a,a: 'a' is used twice"
	pstat --baseline old -n -r 1 -L n=1,2 --names a,b,c --save document --quiet echo '{n}'
	holds '[.sides[].name]' '["a","b","c"]'
}

@test "--baseline: gates decide the status, and a failing run gives 125" {
	saves base -n -r 6 true
	changes base '.runs[] |= (.duration_time = 1000000000000)' slow
	changes base '.runs[] |= (.duration_time = 1)' fast
	pstat --baseline slow -n -r 6 --fail-if 'duration_time>+10%' --quiet true
	ends_with_status 0
	pstat --baseline fast -n -r 6 --fail-if 'duration_time>+10%' --quiet true
	ends_with_status 1
	pstat --baseline fast -n -r 1 --fail-if 'duration_time>+10%' --quiet true
	ends_with_status 2
	pstat --baseline fast -n -r 6 --fail-if 'duration_time>+10%' --quiet false
	ends_with_status 125
	pstat --baseline fast -n -r 6 --quiet nowhere-such
	ends_with_status 127
	refuses "--fail-if 'cs>+1%': --baseline fast has no 'cs'; choose from duration_time, user_time, system_time, max_rss" \
		--baseline fast -r 2 --fail-if 'cs>+1%' touch started
}

@test "--baseline: its events are counted unless options request others" {
	needs_counting user
	saves base -r 4 -e '{page-faults,minor-faults}:u,g{task-clock:u,dummy:u}:W,max_rss' -M 'x=page-faults/time' \
		--all-user true
	pstat --baseline base -r 4 --save document --quiet true
	ends_with_status 0
	checks document
	is "the events" "$(jq -S '[.sides[1].result.events[] | del(.opening)]' document)" \
		"$(jq -S '[.events[] | del(.opening)]' base)"
	is "the groups" "$(jq -S '.sides[1].result.groups' document)" "$(jq -S .groups base)"
	is "the metrics" "$(jq -S '.sides[1].result.metrics' document)" "$(jq -S .metrics base)"
	pstat --baseline base -r 4 --save document --format github true
	warnings "pstat: task-clock:u: a clock counts all modes; use user_time and system_time"
	pstat --baseline base -r 4 -e faults:u --save document --quiet true
	holds '[.sides[1].result.events[].name]' '["faults:u"]'
	holds '.rows[] | select(.name == "faults:u") | [.sides[].n]' '[0,4]'
	pstat --baseline base -r 4 -n --save document --quiet true
	holds '.sides[1].result.events' '[]'
}

@test "--baseline and --compare: a gate may use the other name of an event" {
	needs_counting user
	saves base -r 4 -e faults:u true
	pstat --baseline base -r 4 --fail-if 'page-faults:u>+900%' --save document --quiet true
	ends_with_status 0
	holds '[.sides[1].result.events[].name]' '["faults:u"]'
	pstat --baseline base -e faults:u,task-clock:u -r 4 --fail-if 'page-faults:u>+900%' --save document \
		--quiet true
	ends_with_status 0
	holds '[.sides[1].result.events[].name]' '["faults:u","task-clock:u"]'
	# the name that the baseline has is counted
	pstat --baseline base -e page-faults:u -r 4 --fail-if 'faults:u>+900%' --save document --quiet true
	ends_with_status 0
	holds '[.sides[1].result.events[].name]' '["page-faults:u","faults:u"]'
	compare --compare base base --fail-if 'page-faults:u>+900%'
	saves base -r 4 -e faults true
	changes base '.events[0].opening |= (.user_only = true | .reason = "no right")' user
	compare --baseline user -r 4 --fail-if 'page-faults>+900%' --save document --quiet true
	holds '[.sides[1].result.events[].name]' '["faults:u"]'
}

@test "--baseline: a group is pinned and exclusive as in the document" {
	needs_counting user
	saves base -e '{task-clock:u,page-faults:u}:De,{duration_time,minor-faults:u}:D,{faults:Du,task-clock:Du}:D,cpu-clock:u' true
	pstat -vv --baseline base -r 1 true
	ends_with_status 0
	# The sentinel of the software events is opened after the first event, and has neither.
	is "open events" "$(sed -nE 's/^  (pinned|exclusive) +1$/\1/p; s/^sys_perf_event_open.*/;/p' err | tr -d '\n')" \
		'pinnedexclusive;;;pinned;pinned;;;'
	pstat --baseline base -r 1 --save document --quiet true
	is "the groups" "$(jq -S '.sides[1].result.groups' document)" "$(jq -S .groups base)"
}

@test "--baseline: events that were counted in user mode only are counted in user mode again" {
	needs_counting user
	saves base -r 4 -e page-faults,task-clock:u true
	changes base '(.events[] | select(.name == "page-faults").opening) |= (.user_only = true | .reason = "no right")' user
	pstat --baseline user -r 4 --fail-if 'page-faults>+900%' --save document --format github true
	ends_with_status 0
	warnings "pstat: task-clock:u: a clock counts all modes; use user_time and system_time"
	holds '[.rows[1:3][].name]' '["page-faults:u","task-clock:u"]'
	holds '[.rows[1].sides[].n]' '[4,4]'
}

@test "--baseline: an event with name= is counted by its encoding, and an unknown event is refused" {
	needs_counting user
	saves base -n -r 2 true
	changes base '.settings.null_run = false | .events = [{name: "foo", source: "sysfs", pmu: "software", unit: "",
		factor: 1, tool: null, attr: {type: 1, config: "0x2", config1: "0x0", config2: "0x0", precise_ip: 0,
		flags: ["exclude_kernel", "exclude_hv", "exclude_guest"]}, opening: {refused: false, user_only: false,
		ungrouped: false, first_task_only: false, reason: null}}] | .groups = [{name: null, first: 0, n: 1, weak: false,
		pass: null}] | .rows = [{event: 0, place: 0, label: "", counters: 1}] | .runs[] |= (.state = ["counted"] |
		.raw = [50] | .enabled_ns = [9] | .running_ns = [9])' named
	pstat --baseline named -r 2 --save document --quiet true
	ends_with_status 0
	holds '.rows[1].name, ([.rows[1].sides[].n] | tostring)' $'foo\n[2,2]'
	changes named '.events[0] |= (.name = "no-such-event" | .source = "generic")' other
	pstat --baseline other touch started
	ends_with_status 125
	[ ! -e started ]
	grep -q "^pstat: --baseline other: 'no-such-event', column 1: unknown event 'no-such-event'" err || fail "$(<err)"
	changes named '.events[0].cgroup = "web"' group
	changes named '.events[0] |= (.name = "page-faults,cs" | .source = "generic")' two
	refuses "--baseline two: 'page-faults,cs': it is not the name of one event" --baseline two touch started
	refuses "--baseline group: foo was counted in the cgroup web, but commands are not; choose the events with -e" \
		--baseline group touch started
}

# Headers before Linux 6.3 have no config3. A build with them refuses the event.
@test "--baseline: config3 of an event with name= is part of its encoding" {
	needs_counting user
	pstat --save base -r 2 -e software/config=2,name=foo/u true
	changes base '.events[0].attr.config3 = "0x7"' named
	pstat --baseline named -r 2 -v --save document true
	if [ "$status" -eq 0 ]; then
		grep -qE '^  config3 +0x7$' err || fail "not opened with config3" "$(<err)"
		holds '.sides[1].result.events[0].attr.config3' 0x7
	else
		ends_with_status 125
		grep -q '^pstat: --baseline named: .*config3 is newer than the kernel headers' err ||
			fail "$(<err)"
	fi
}

@test "config3 is part of the comparison of two encodings" {
	needs_counting user
	saves old -r 2 -e software/config=2,name=foo/u true
	changes old '.events[0].attr.config3 = "0x7"' new
	pstat --compare --format github old new
	grep -qE 'differ in event foo: .*config=0x2/.* and .*config=0x2,config3=0x7/' err || fail "$(<err)"
}

@test "--baseline: the reference of a saved comparison is used, and a note says so" {
	saves comparison -n -r 3 -c true -c 'sh -c :'
	pstat --baseline comparison -n -r 3 --format github --save document 'true'
	ends_with_status 0
	warnings "pstat: --baseline comparison is a comparison: its reference, 'true', is the baseline"
	holds '[.sides[].name]' '["true","true #2"]'
	holds '.sides[0].result.target.argv' '["true"]'
	compare --baseline document -n -r 3 --quiet true
}

@test "--baseline: each difference is noted once, a different command only if it is another program" {
	saves base -n -r 2 true
	changes base '.host.kernel = "6.1.0"' old
	pstat --baseline old -n -r 2 --format github -c true -c 'sh -c :'
	kernel=$(jq -r .host.kernel base)
	is "standard error" "$(grep '^pstat: .* differ in' err)" "pstat: old and true differ in kernel: 6.1.0 and $kernel
pstat: old and sh -c : differ in command: 'true' and 'sh -c :'"
}

@test "--baseline: the minimum number of runs depends on the runs of the document" {
	local few='pstat: -r 3: too few runs for a verdict on counts that vary; each side needs 4'

	saves short -n -r 3 true
	compare --baseline short -n -r 3 true
	is "beside 3" "$(grep '^pstat: -r' err || true)" "$few"
	saves long -n -r 10 true
	compare --baseline long -n -r 3 true
	is "beside 10" "$(grep '^pstat: -r' err || true)" ""
	! grep 'too few' out || fail "too few runs"
}

@test "--baseline: a max_rss that may be pstat's own is unknown" {
	saves base -n -r 6 true
	changes base 'del(.settings.max_rss_floor_kib) | .runs[].max_rss = 100' old
	pstat --baseline old -n -r 6 --rows all --save document --format github true
	ends_with_status 0
	grep -qE '^pstat: max_rss of true is unknown: some runs did not exceed pstat.s own [0-9]+ KiB' err ||
		fail "$(<err)"
	holds '.rows[] | select(.name == "max_rss") | [.sides[].n]' '[6,0]'
	pstat --compare document --fail-if 'max_rss>+5%' --format github
	ends_with_status 2
	grep -q '^pstat: max_rss of true is unknown' err
	cp "$programs/faults" .
	pstat --baseline old -n -r 6 --fail-if 'max_rss>+5%' --save document --quiet ./faults 20000
	ends_with_status 1
	holds '.rows[] | select(.name == "max_rss") | [.sides[].n]' '[6,6]'
}

# known N N: max_rss is known in this number of runs of each side
known()
{
	holds '.rows[] | select(.name == "max_rss") | [.sides[].n]' "[$1,$2]"
}

@test "a max_rss that does not exceed the floor of its document is unknown" {
	make_documents
	changes old '.settings.max_rss_floor_kib = 999' above
	changes old '.settings.max_rss_floor_kib = 1000' at
	changes new '.settings.max_rss_floor_kib = 2500' below
	# only the largest values would remain
	changes new '.settings.max_rss_floor_kib = 2500 | .runs[1:][].max_rss = 2501' other
	compare --compare above new --save document
	known 6 6
	[ ! -s err ] || fail "$(<err)"
	compare --compare above at below other --rows all --save document --format github
	holds '.rows[] | select(.name == "max_rss") | [.sides[].n]' '[6,0,0,0]'
	is "standard error" "$(<err)" "pstat: max_rss of at is unknown: some runs did not exceed pstat's own 1000 KiB, which every child inherits
pstat: max_rss of below, other is unknown: some runs did not exceed pstat's own 2500 KiB, which \
every child inherits"
	checks document
	mv err before
	compare --show document --format github
	is "messages of --show" "$(<err)" "$(<before)"
}

@test "a max_rss that may be pstat's own is unknown when commands are compared" {
	cp "$programs/faults" .
	compare -n -r 6 -c true -c './faults 20000'
	[ ! -s err ] || fail "a note about a row that is not shown:" "$(<err)"
	compare -n -r 6 --rows all -c true -c './faults 20000' --save document
	known 0 6
	holds '[.sides[].result.settings.max_rss_floor_kib > 0]' '[true,true]'
	holds '[.sides[0].result | .runs[].max_rss <= .settings.max_rss_floor_kib] | all' true
	checks document
	grep -qE '^pstat: max_rss of true is unknown: some runs did not exceed pstat.s own [0-9]+ KiB, ' err ||
		fail "$(<err)"
	pstat --compare document --fail-if 'max_rss>+5%' --quiet
	ends_with_status 2
	messages "pstat: max_rss not counted, limit +5 %: not judged"
}

@test "a metric of an unknown max_rss is unknown" {
	saves base -r 6 -e max_rss -M 'mb=max_rss/1024' true
	changes base 'del(.settings.max_rss_floor_kib) | .runs[].raw |= map(2048) | .runs[].max_rss = 2048' old
	changes old '.settings.max_rss_floor_kib = 2047' above
	changes old '.settings.max_rss_floor_kib = 2048' at
	pstat --compare old above at --fail-if 'mb>+1%' --save document --format github
	ends_with_status 2
	holds '.rows[] | select(.name == "mb") | [.sides[].n]' '[6,6,0]'
}

@test "a row with missing counts has a note for each side" {
	needs_counting user
	saves base -r 6 -e page-faults:u,task-clock:u -M 'x=page-faults/task-clock' true
	changes base 'del(.settings.max_rss_floor_kib) | .runs[].max_rss = 1500' old
	changes old '.runs[2].running_ns[0] = 1 | .runs[2].enabled_ns[0] = 1000 | .runs[2].state[0] = "scaled"' short
	changes old '.runs[].raw |= map(0)' zero
	compare --compare old short zero --format github
	warnings "pstat: 'short': page-faults:u: counted for less than 5 % of its time (--min-running); count fewer \
events or use --no-multiplex" \
		"pstat: 'zero': -M: x is left out: it is a division by zero or too large"
}

@test "files without a common event are refused, and the message lists their events" {
	local none="the files have no event in common"

	pstat --save a -e page-faults:u true
	pstat --save b -e task-clock true
	pstat --save c -e dummy:u,faults:u true
	pstat --save many -e '{dummy:u,cs:u,alignment-faults:u,emulation-faults:u,major-faults:u}' true
	pstat --save own -e duration_time true
	pstat --save none -n true
	refuses "$none: page-faults:u; task-clock" --compare a b
	refuses "$none: task-clock; dummy:u, faults:u; page-faults:u" --compare b c a
	refuses "$none: task-clock; dummy:u, cs:u, alignment-faults:u, emulation-faults:u, ..." --compare b many
	for files in 'a c' 'a b c' 'a own' 'none b' 'a none'; do
		# shellcheck disable=SC2086 # several words
		pstat --compare $files
		ends_with_status 0
	done
}
