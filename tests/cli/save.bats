#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The documents of --save and --format json match the schema, for every kind of event and target.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

checker=${TOP_SRCDIR:?}/tests/cli/document.py
schema=$TOP_SRCDIR/src/document/pstat-result-2.schema.json

clean_up()
{
	[ -z "${own_cgroup:-}" ] || rmdir "$own_cgroup" || true
}

needs_schema()
{
	needs_module jsonschema
	needs_command jq
}

# checks DOCUMENT [CSV]: check DOCUMENT against the schema and the lines of CSV, which may contain
# messages
checks()
{
	local problems csv=()

	if [ $# -gt 1 ]; then
		grep -v '^pstat: ' "$2" >csv || true
		csv=(csv)
	fi
	problems=$(python3 "$checker" "$schema" "$1" "${csv[@]}") ||
		fail "$1: $problems" "$(<"$1")" "standard error:" "$(<err)"
}

# saves STATUS ARG...: check that the file document is valid and has the same numbers as the output
# of -x,
saves()
{
	rm -f document
	pstat --save document -x, "${@:2}"
	ends_with_status "$1"
	[ -s document ] || fail "there is no document" "$(<err)"
	checks document err
}

# holds FILTER EXPECTED: check what jq finds in the document
holds()
{
	is "$1" "$(jq -cr "$1" document)" "$2"
}

@test "the documents of all fixed results and comparisons match the schemas" {
	local document problems checked=0

	needs_schema
	needs_reports
	for document in reports/*.json; do
		checked=$((checked + 1))
		[[ $document == */compare-* ]] || checks "$document"
		[[ $document == */compare-* ]] || continue
		problems=$(python3 "$TOP_SRCDIR/tests/cli/comparison.py" "${schema%/*}" "$document") ||
			fail "$document: $problems"
	done
	within "documents" 60 "$checked" 200
}

@test "a command: its times, its exit status and the machine are saved" {
	needs_schema
	saves 0 -e duration_time,user_time,max_rss sh -c 'exit 0' "a'b" 'c"d'
	holds .schema pstat-result
	holds .version 2
	holds .target.argv '["sh","-c","exit 0","a'\''b","c\"d"]'
	holds .target.cwd "$PWD"
	holds .host.kernel "$(uname -r)"
	holds .host.machine "$(uname -m)"
	holds .host.name "$(uname -n)"
	holds .host.perf_event_paranoid "$(cat /proc/sys/kernel/perf_event_paranoid 2>/dev/null || echo null)"
	holds .host.aslr "$(cat /proc/sys/kernel/randomize_va_space)"
	holds .host.cpus_online "$(cat /sys/devices/system/cpu/online)"
	holds '[.host.pmus[]] | length' "$(find /sys/bus/event_source/devices -mindepth 1 | wc -l)"
	holds '[.runs[] | .exit_status, .signal]' '[0,null]'
	holds '[.events[].tool]' '["duration_time","user_time","max_rss"]'
	holds '.runs[0] | .raw[:2] == [.duration_time, .user_time] and (.max_rss == null or .max_rss == .raw[2])' true
	holds .intervals '[]'
	holds .pstat.seed null
}

@test "the peak RSS before the exec is saved, and a note reports a max_rss that does not exceed it" {
	needs_schema
	pstat -e page-faults:u --save document true
	ends_with_status 0
	checks document
	holds '.runs[0].max_rss' null
	pstat -e max_rss --save measured true
	checks measured
	[ "$(jq .settings.max_rss_floor_kib measured)" -lt "$(jq .settings.max_rss_floor_kib document)" ] ||
		fail "$(jq -c .settings measured document)"
	jq '.settings.max_rss_floor_kib = 1e9' measured >document
	needs_documents
	pstat --show document
	is "messages of --show" "$(grep '^pstat' err)" \
		"pstat: max_rss is unknown in 1 of 1 runs, which did not exceed pstat's own 1000000000 KiB"
	pstat -e max_rss --save document "$programs/faults" 20000
	! grep '^pstat:' err || fail "max_rss exceeds the floor, but there is a note"
	holds '.settings.max_rss_floor_kib < .runs[0].max_rss' true
	pstat -n --save document true
	! grep '^pstat:' err || fail "no option requests max_rss, but there is a note"
	holds '.settings | has("max_rss_floor_kib")' true
}

@test "the start time has the time zone of the table's date" {
	needs_schema
	TZ=XYZ-05:30 pstat -n --save document -o table true
	ends_with_status 0
	holds '.started | endswith("+05:30")' true
	is "the moment" "$(date -d "$(jq -r .started document)" +%s)" \
		"$(TZ=UTC-05:30 date -d "$(sed -n 's/^# started on //p' table) UTC -330 minutes" +%s)"
	TZ=XYZ03:00 pstat -n --save document true
	holds '.started | endswith("-03:00")' true
}

@test "the document has runs that exit, fail and are killed" {
	needs_schema
	saves 3 -n sh -c 'exit 3'
	holds '[.runs[] | .exit_status, .signal]' '[3,null]'
	# shellcheck disable=SC2016 # for the other shell
	saves 137 -n sh -c 'kill -9 $$'
	holds '[.runs[] | .exit_status, .signal]' '[null,9]'
	# shellcheck disable=SC2016 # for the other shell
	saves 2 -r 4 -e duration_time sh -c \
		'echo >>log; n=$(wc -l <log); exit $((n % 2 ? 0 : n))'
	holds '[.runs[].exit_status]' '[0,2,0,4]'
	rm log
	# shellcheck disable=SC2016 # for the other shell
	pstat --save document -r 4 -e duration_time sh -c 'echo >>log; [ $(wc -l <log) -lt 3 ]'
	ends_with_status 1
	checks document
	holds '[.runs[].exit_status]' '[0,0,1]'
}

@test "the document has series, groups, metrics and events that are not supported" {
	needs_schema
	needs_counting user
	saves 0 -r 5 -e '{page-faults:u,task-clock:u},g{dummy:u}:W' -e duration_time \
		-M 'rate=page-faults:u / time,double=2*page-faults:u' true
	holds '[.groups[] | [.first, .n]] | .[:3]' '[[0,2],[2,1],[3,1]]'
	holds '[.metrics[] | [.text, .events]]' '[["rate=page-faults:u / time",[4]],["double=2*page-faults:u",[4]]]'
	holds '.summary.rows[4].metrics | map(.unit) | contains(["rate"])' true
	saves 0 -e page-faults:u,r7fffffff:u,cycles:p true
	saves 0 -r 3 -e breakpoint/config=99/ -e page-faults:u true
	holds '.events[0].opening.refused' true
	holds '.events[0].opening.reason == null' false
	holds '[.runs[].state[0]] | unique' '["not supported"]'
	holds '.summary.rows[0] | [.state, .value, .n, .mean]' '["not supported",null,0,null]'
}

@test "the document has the default events, those of -ddd, or no events" {
	needs_schema
	saves 0 true
	saves 0 -ddd -r 2 true
	saves 0 -n -r 3 true
	holds '[.events, .rows, .summary.rows]' '[[],[],[]]'
	holds '.settings.null_run' true
	holds '.summary.duration_time.n' 3
	holds '.runs[0] | [.state, .raw]' '[[],[]]'
}

@test "the document has events of every source, with their special fields" {
	needs_schema
	needs_counting user
	saves 0 --no-scale -e mem:0x401000:x:u -e "mem:0x1000/4:rw:u,1:2:u,software/config=9,name=x y/u" true
	holds '.events[0].attr | [.type, .bp_type, .config2]' '[5,4,"0x8"]'
	holds '.events[1].attr | [.config1, .config2, .bp_type]' '["0x1000","0x4",3]'
	holds '.events[0].attr.flags | contains(["exclude_kernel", "exclude_hv"])' true
	holds '.settings.scaled' false
	holds '.events[3].name' 'x y'
	pstat --version
	grep -q '^libpfm4 names: yes' out || return 0
	saves 0 -e perf::PERF_COUNT_SW_PAGE_FAULTS:u true
	holds '.events[0].source' libpfm4
	holds '.events[0].libpfm4_name | startswith("perf::PERF_COUNT_SW_PAGE_FAULTS")' true
	holds '.pstat.libpfm4 | test("^[0-9]+([.][0-9]+)*$")' true
	saves 0 -e page-faults:u true
	holds .pstat.libpfm4 null
}

@test "the document has probes and filters" {
	needs_schema
	needs_probes
	serve one
	saves 0 -e "uprobe:./one:called" true
	holds '.events[0] | [.probed | endswith("/one")]' '[true]'
	holds '.events[0].attr.config1' 0x0
	[ -e /sys/kernel/tracing/events/sched/sched_switch/id ] || return 0
	saves 0 -e sched:sched_switch --filter 'prev_pid > 0' true
	holds '.events[0].filter' 'prev_pid > 0'
}

@test "the document has CPUs, split in every way" {
	local split

	needs_schema
	needs_cpus
	for split in '' -A --per-core --per-cluster --per-cache --per-die --per-socket --per-node; do
		# shellcheck disable=SC2086 # a word or none
		saves 0 -a $split -e cpu-clock,cs,duration_time sleep 0.02
	done
	holds .settings.place_kind node
	saves 0 -C 0 -A -r 2 -e cs sleep 0.02
	holds '[.rows[].label]' '["CPU0"]'
	holds .settings.place_kind cpu
	saves 0 -a --timeout 20 -e cs
	holds .target.argv null
	holds '.runs[0] | [.exit_status, .signal]' '[null,null]'
	holds '[.summary.user_time, .settings.has_usage]' '[null,false]'
}

@test "the document has processes and threads" {
	needs_schema
	needs_counting user
	serve one
	saves 0 -p "${server[one]}" -e task-clock:u,dummy:u sleep 0.02
	holds .target.subject "process id '${server[one]}'"
	saves 0 -t "${server[one]}" --timeout 20 -e task-clock:u
	saves 0 --per-thread -p "${server[one]}" -e task-clock:u,page-faults:u sleep 0.02
	holds .settings.place_kind thread
	holds '[.rows[].label] | unique' "[\"one-${server[one]}\"]"
}

@test "the document has each program that each process of a command executed" {
	needs_schema
	needs_counting user
	pstat --per-process --save document -o /dev/null -e page-faults:u,task-clock:u \
		sh -c 'ls >/dev/null; (exit 2); exec sh -c "kill -9 \$\$"'
	ends_with_status 137
	checks document
	holds .settings.place_kind process
	holds '[.processes[].place]' '[0,1,2,3,4]'
	holds '[.processes[].name]' '["sh","sh","ls","sh","sh"]'
	holds '[.processes[].parent]' '[null,0,0,0,null]'
	holds '[.processes[].first]' '[0,1,1,3,0]'
	holds '[.processes[].end]' '["executed","executed","ended","ended","ended"]'
	holds '[.processes[] | [.exit_status, .signal]]' '[[null,null],[null,null],[0,null],[2,null],[null,9]]'
	holds '.processes[2].command' ls
	holds '[.processes[] | .start_ns <= .end_ns] | unique' '[true]'
	holds '.processes[1].end_ns == .processes[2].start_ns' true
	pstat --per-process -D 500 --save document -o /dev/null -e page-faults:u \
		sh -c 'sleep 0.02; sleep 2; sleep 0.01; true'
	holds '[.processes[] | .start_ns <= .end_ns] | unique' '[true]' # the time starts after -D
	holds '[.processes[] | select(.name == "sleep") | .start_ns > 0]' '[false,false,true]'
	pstat --per-process -r 2 --save document -o /dev/null -e page-faults:u sh -c 'ls >/dev/null; true'
	ends_with_status 0
	checks document
	holds '[.rows[].label]' '["","sh","ls"]'
	holds '[.processes[] | [.place, .pid, .name]]' '[[1,null,"sh"],[2,null,"ls"]]'
	holds '.runs[0].raw | .[0] == .[1] + .[2]' true
	pstat --save document -o /dev/null -e page-faults:u true
	holds 'has("processes")' false
}

@test "the document has cgroups" {
	local mount

	needs_schema
	needs_cpus
	mount=$(awk '$3 == "cgroup2" && !found { found = $2 }
		$3 == "cgroup" && $4 ~ /(^|,)perf_event(,|$)/ { found = $2 } END { print found }' /proc/self/mounts)
	[ -n "$mount" ] || skip "no cgroups are mounted"
	own_cgroup=$mount/pstat-save-$$-$BATS_TEST_NUMBER
	mkdir "$own_cgroup" 2>/dev/null || { own_cgroup=; skip "no cgroup can be made here"; }
	saves 0 -a --for-each-cgroup "${own_cgroup##*/},/" -e cs,page-faults -M 'x=cs/time' sleep 0.02
	holds .settings.cgroups 2
	holds '[.events[].cgroup] | unique' "[\"/\",\"${own_cgroup##*/}\"]"
}

@test "the document has intervals, whether they are shown or not" {
	needs_schema
	needs_counting user
	pstat --save document -x, -I 50 -e page-faults:u,duration_time \
		sh -c "$(until_intervals 3 page-faults:u)"
	ends_with_status 0
	checks document
	holds .settings.interval_ms 50
	holds '(.intervals | length) >= 4' true
	holds '[.intervals[].end_ns] | . == sort' true
	is "lines shown" "$(field 2 page-faults:u err | wc -l)" 0
	is "the counts that were shown" "$(awk -F, '$4 == "page-faults:u" { print $2 }' err)" \
		"$(jq -r '.intervals[] | if .state[0] == "counted" then .raw[0] else "<not counted>" end' document)"
	holds '([.intervals[].raw[0]] | add) == .runs[0].raw[0]' true
	serve one
	pstat --format json -I 50 --interval-count 2 -e page-faults:u -p "${server[one]}"
	ends_with_status 0
	mv out document
	checks document
	holds '.intervals | length' 2
}

@test "--no-multiplex: the document has a run for each pass" {
	needs_schema
	needs_counting user
	saves 0 --no-multiplex -r 2 -e page-faults:u,task-clock:u true
	holds .settings.passes 1
	holds '[.groups[].pass]' '[null,null]'
	holds '[.rows[].counters]' '[1,1]'
}

@test "events that are opened again for each run have one counter" {
	needs_schema
	needs_counting user
	saves 0 --pre true -r 3 -e page-faults:u,duration_time true
	holds '[.rows[].counters]' '[1,0]'
}

@test "the document of an interrupted series has the finished runs" {
	needs_schema
	needs_counting user
	# shellcheck disable=SC2016 # for the other shell
	pstat -r 0 --save document -e page-faults:u sh -c \
		'echo >>log; [ $(wc -l <log) -lt 4 ] || { kill -INT $PPID; sleep 0.1; kill -INT $$; }'
	ends_with_status 130
	"$PSTAT" --show document -x, >shown
	checks document shown
	holds '.runs | length' 3
	rm log
	# shellcheck disable=SC2016 # for the other shell
	pstat -r 0 -I 20 --save document -x, -e page-faults:u sh -c \
		'echo >>log; sleep 0.1; [ $(wc -l <log) -lt 3 ] || { kill -INT $PPID; sleep 0.1; kill -INT $$; }'
	ends_with_status 130
	checks document
	holds '.runs | length' 2
	holds '([.intervals[].raw[0]] | add) == ([.runs[].raw[0]] | add)' true
}

@test "--format json prints the document of --save to every destination" {
	needs_schema
	pstat --format json --save document -e duration_time -r 3 true
	ends_with_status 0
	cmp err document || fail "the documents differ"
	pstat --format json -o shown --save document -e duration_time true
	ends_with_status 0
	says
	cmp shown document || fail "the document in the file differs"
	checks document
}

@test "the document can hold names of any bytes" {
	local name

	needs_schema
	mkdir folder
	for name in 'with "quotes"' $'new\nline' $'tab\tand\\' 'ünï 😀' $'\xff\xfe' $'half \xe2\x82'; do
		cp "$(type -P true)" "folder/$name"
		pstat -n --save document "./folder/$name" "$name"
		ends_with_status 0
		checks document
		python3 - "$name" <<-'END' || fail "$name is not in the document:" "$(<document)"
			import json, os, sys
			word = json.load(open("document"))["target"]["argv"][1]
			if isinstance(word, dict):
			    word = os.fsdecode(bytes.fromhex(word["bytes"]))
			sys.exit(word != sys.argv[1])
		END
	done
}

@test "the complete document replaces the file, and a bad path is refused at the start" {
	needs_command python3
	echo before >document
	chmod 640 document
	pstat -n --save document sh -c 'cp document seen'
	ends_with_status 0
	is "while it ran" "$(<seen)" before
	is "its mode" "$(stat -c %a document)" 640
	python3 -c 'import json; json.load(open("document"))' || fail "no document" "$(<document)"
	is "other files" "$(find . -name 'document?*')" ""
	refuses "cannot write the result to nowhere/x: No such file or directory" \
		-n --save nowhere/x touch started
	refuses "cannot write the result to .: Is a directory" -n --save . touch started
	refuses "-o same and --save ./same are the same file: use another file for the document" \
		-n -o same --save ./same touch started
	echo before >same
	ln -s same link
	refuses "-o link and --save same are the same file: use another file for the document" \
		-n -o link --save same --append touch started
	is "the file" "$(<same)" before
	# shellcheck disable=SC2094 # which is what is to be refused
	"$PSTAT" -n --save same touch started 2>same || status=$?
	# shellcheck disable=SC2094
	"$PSTAT" -n --save same --log-fd 9 touch started 9>>same 2>err || status+=$?
	is "status" "$status" 125125
	is "the messages" "$(cat same err)" "$(printf \
		'pstat: --save same is the file that descriptor %d writes to: use another file for the document\n' 2 9)"
	[ ! -e started ] || fail "the command was started"
	"$PSTAT" -n --save /dev/fd/9 true 9>same 2>&9
	is "documents" "$(grep -c pstat-result same)" 1
}

@test "a document that cannot be written gives 125 and a message, and the result is still shown" {
	pstat --save /dev/full -x, -e duration_time true
	ends_with_status 125
	is "the result" "$(grep -c duration_time err)" 1
	is "the message" "$(grep '^pstat' err)" \
		"pstat: cannot write the result to /dev/full: No space left on device"
	pstat --save /dev/full -o shown -x, -e duration_time sh -c 'exit 3'
	ends_with_status 125
	is "the result" "$(grep -c duration_time shown)" 1
	pstat --save document -o /dev/full -x, -e duration_time true
	ends_with_status 125
	[ -s document ] || fail "no document"
}

@test "the document is saved even if the intervals could not be shown" {
	needs_counting user
	pstat --save document -I 20 -o /dev/full -x, -e page-faults:u sleep 0.1
	ends_with_status 125
	is "messages" "$(grep -c '^pstat: cannot write' err)" 1
	grep -q '"end_ns"' document || fail "no intervals in the document:" "$(<document)"
}

@test "the jq examples of the manual work" {
	local line lines

	needs_schema
	needs_counting user
	pstat -r 20 -e page-faults:u,dummy:u --save runs.json true
	ends_with_status 0
	# shellcheck disable=SC2016 # for awk
	mapfile -t lines < <(awk 'sub(/^\$ jq /, "jq ")' "$TOP_SRCDIR"/man/*.[157])
	[ "${#lines[@]}" -ge 2 ] || fail "the manual has too few examples"
	for line in "${lines[@]}"; do
		sh -c "$line" >>printed || fail "$line"
	done
	is "runs in the first line" "$(head -n 1 printed | jq length)" 20
	is "the rows after it" "$(sed 1d printed | cut -f1)" $'page-faults:u\ndummy:u'
}

@test "without a document, pstat does not collect facts about the machine" {
	local file

	needs_command strace
	ASAN_OPTIONS=detect_leaks=0 strace -f -o trace "$bare_pstat" -e task-clock true >out 2>err </dev/null ||
		skip "strace cannot trace here"
	for file in cpuinfo randomize_va_space cpufreq no_turbo event_source getcwd uname; do
		! grep "$file" trace >&2 || fail "pstat read $file"
	done
	ASAN_OPTIONS=detect_leaks=0 strace -f -o trace "$bare_pstat" --save document -e task-clock true >out 2>err </dev/null
	grep -q randomize_va_space trace || fail "the trace is empty"
}

@test "the schema is installed" {
	needs_command make
	make -s -C "$TOP_BUILDDIR" install-dist_pkgdataDATA DESTDIR="$PWD/root" >out 2>err 3>&- ||
		fail "$(<err)"
	cmp "$schema" "$(find root -name 'pstat-result-2.schema.json')"
}
