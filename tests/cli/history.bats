#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# --format history and --history: a file of earlier results, and the limits that follow from it.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

setup()
{
	cd "$BATS_TEST_TMPDIR" || return
	needs_counting user
	export LC_ALL=C.UTF-8
	one=(-e page-faults:u -M 'one=page-faults:u/page-faults:u') # exactly 1 in each run
}

# record ARG...: append a result to history.csv
record()
{
	pstat --format history --append -o history.csv "${one[@]}" "$@" true
	ends_with_status 0
}

# history VALUE...: write history.csv with these values of the metric one, a day apart
history()
{
	local day=1 value

	echo 'time,commit,command,one' >history.csv
	for value; do
		printf '2026-01-%02dT12:00:00+01:00,c%d,true,%s\n' $day $day "$value" >>history.csv
		((++day))
	done
}

# steady LAST: a history with changes of 1 % and LAST as its last value
steady()
{
	history 1 1.01 1 1.01 1 1.01 1 1.01 1 1.01 1 1.01 "$1"
}

@test "each invocation appends a line, and the file has one header" {
	record --label commit=a1 --label branch=main
	record --label branch='x,"y"' --label commit=b2
	is "lines" "$(wc -l <history.csv)" 3
	is "the header" "$(head -n 1 history.csv)" \
		'time,commit,branch,command,page-faults:u,page-faults:u #2,one,duration_time,user_time,system_time,max_rss'
	grep -qE '^20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\+00:00,a1,main,true,[0-9.]+,' history.csv
	grep -qF ',b2,"x,""y""",true,' history.csv
	pstat --format history -o history.csv "${one[@]}" true
	is "lines of a new file" "$(wc -l <history.csv)" 2
	is "a missing commit" "$(tail -n 1 history.csv | cut -d , -f 2)" ''
}

# As the importer of Apache Otava reads a CSV: it looks up the columns by name, and converts the times and
# each value of the metrics.
@test "Apache Otava reads the file: times, attributes and metrics by the names of columns" {
	needs_command python3
	record --label commit=a1 --label branch=main
	record --label commit=b2 --label branch=main
	python3 - <<-'END' || fail "$(<history.csv)"
		import csv
		from datetime import datetime
		with open("history.csv", newline="") as f:
		    reader = csv.reader(f, delimiter=",", quotechar='"')
		    headers = next(reader)
		    time = headers.index("time")
		    attributes = [headers.index(c) for c in ("commit", "branch")]
		    metrics = [headers.index(c) for c in ("one", "page-faults:u", "duration_time")]
		    rows = list(reader)
		assert len(rows) == 2
		for row in rows:
		    assert len(row) == len(headers)
		    assert datetime.fromisoformat(row[time]).tzinfo is not None
		    assert [float(row[i]) for i in metrics][0] == 1
		assert [row[attributes[0]] for row in rows] == ["a1", "b2"]
	END
}

@test "a row without a count is an empty field, and a message gives the reason" {
	local way

	for way in "-o history.csv" "--append -o history.csv" "--discard"; do
		# shellcheck disable=SC2086 # several words
		pstat --format history $way -e 1:999:u,duration_time true
		ends_with_status 0
		[ -s out ] || cp history.csv out
		is "the count, $way" "$(tail -n 1 out | cut -d , -f 4)" ''
		grep -q '^pstat: 1:999:u: not supported: ' err || fail "$way: $(<err)"
		is "messages, $way" "$(wc -l <err)" 1
	done
	pstat --quiet --format history -o history.csv -e 1:999:u true
	says
	"$PSTAT" --format history -e 1:999:u true >>mixed 2>&1
	is "lines that are not of the history" "$(grep -vcE '^(time,|2[0-9]{3}-)' mixed || true)" 0
	needs_documents
	pstat --save saved --quiet -e 1:999:u,duration_time true
	pstat --show saved --format history -o history.csv
	grep -q '^pstat: 1:999:u: not supported: ' err || fail "$(<err)"
}

@test "a file with other columns is refused before anything runs, and stays as it is" {
	local wrong="use another file, or the same events and labels"

	record --label commit=a1
	cp history.csv before
	refuses "history.csv has a column 'page-faults:u #2'; $wrong" \
		--format history --append -o history.csv -e page-faults:u touch started
	refuses "history.csv has no column 'branch'; $wrong" \
		--format history --append -o history.csv "${one[@]}" --label branch=x touch started
	pstat --format history -e page-faults:u touch started >>history.csv
	cmp history.csv before
	rm started
	sed -i '1s/one,duration_time/duration_time,one/' history.csv
	refuses "history.csv has its columns in another order: 'duration_time' before 'one'" \
		--format history --append -o history.csv "${one[@]}" touch started
	echo '{"a": 1}' >history.csv
	refuses "history.csv: not a history: line 1 is not CSV; --format history writes one" \
		--format history --append -o history.csv "${one[@]}" touch started
	printf 'time,commit,command' >history.csv
	refuses "history.csv: the last line has no line end; append one: echo >>FILE" \
		--format history --append -o history.csv "${one[@]}" touch started
}

@test "--history reads a last line without a line end, and --append does not continue that line" {
	record --label commit=a1
	truncate -s -1 history.csv
	cp history.csv before
	pstat --history history.csv
	ends_with_status 0
	grep -qE '^one +1 +1 ' out || fail "no entry" "$(<out)"
	refuses "history.csv: the last line has no line end; append one: echo >>FILE" \
		--format history --append -o history.csv "${one[@]}" --label commit=b touch started
	cmp history.csv before
	echo >>history.csv
	pstat --format history --append -o history.csv "${one[@]}" --label commit=b true
	ends_with_status 0
	is "lines" "$(wc -l <history.csv)" 3
}

# at_once N FILE ARG...: N processes of pstat ARG... open FILE; then their commands end at once
at_once()
{
	local n=$1 file=$2 i pids=()

	rm -f go ready.* "$file"
	for ((i = 0; i < n; i++)); do
		# shellcheck disable=SC2016 # for the other shell
		"$PSTAT" "${@:3}" sh -c ': >"ready.$0"; until [ -e go ]; do sleep 0.02; done' $i \
			>>"$file" 2>>errors </dev/null &
		pids+=($!)
	done
	eventually "[ \"\$(find . -name 'ready.*' | wc -l)\" -eq $n ]"
	: >go
	for i in "${pids[@]}"; do
		wait "$i" || fail "status $?" "$(<errors)"
	done
	is "lines of $file, $*" "$(wc -l <"$file")" $((n + 1))
	is "headers of $file, $*" "$(grep -cE '^(time|command),' "$file")" 1
	head -n 1 "$file" | grep -qE '^(time|command),'
}

@test "a file that several processes create at once has one header" {
	local round

	for round in 1 2 3; do
		at_once 20 h.csv --format history --append -o h.csv -e page-faults:u --label commit=$round
		pstat --history h.csv
		ends_with_status 0
	done
	at_once 10 c.csv --format csv --append -o c.csv -e page-faults:u
	at_once 10 s.csv --format csv-summary --append -o s.csv -e page-faults:u
	at_once 10 h.csv --discard --format history -e page-faults:u
}

@test "a result is not appended to a file that got other columns while the command ran" {
	# shellcheck disable=SC2016 # for the other shell
	pstat --format history --append -o h.csv -e page-faults:u \
		sh -c '"$0" --format history --append -o h.csv -e duration_time true' "$PSTAT"
	ends_with_status 125
	says "pstat: h.csv has no column 'page-faults:u'; use another file, or the same events and labels"
	is "lines" "$(wc -l <h.csv)" 2
	pstat --history h.csv
	ends_with_status 0
}

@test "a result is appended under the name of the file, even if the file was replaced or removed" {
	record
	cp history.csv other
	# shellcheck disable=SC2016 # for the other shell
	pstat --format history --append -o history.csv "${one[@]}" sh -c 'mv other history.csv'
	ends_with_status 0
	is "lines of the new file" "$(wc -l <history.csv)" 3
	pstat --format history --append -o history.csv "${one[@]}" rm history.csv
	ends_with_status 0
	is "lines of the file that was removed" "$(wc -l <history.csv)" 2
	pstat --history history.csv
	ends_with_status 0
}

@test "a process that removes its unused file does not lose the line of another one" {
	# shellcheck disable=SC2016 # for the other shell
	"$PSTAT" --format history --append -o h.csv "${one[@]}" \
		sh -c ': >ready; until [ -e go ]; do sleep 0.02; done; exit 1' >log 2>&1 &
	eventually '[ -e ready ]'
	# the failed command writes nothing, and its pstat ends while the second one runs
	# shellcheck disable=SC2016 # for the other shell
	pstat --format history --append -o h.csv "${one[@]}" \
		sh -c ': >go; while kill -0 "$0" 2>/dev/null; do sleep 0.02; done; test ! -e h.csv' $!
	ends_with_status 0
	wait $! || true
	is "lines" "$(wc -l <h.csv)" 2
	pstat --history h.csv
	ends_with_status 0
}

@test "saved documents become a history" {
	needs_documents
	for i in 1 2 3; do
		pstat --save "$i.json" --label commit=c$i "${one[@]}" true
	done
	pstat --show 2.json 3.json 1.json --format history # they are sorted by time
	ends_with_status 0
	is "commits" "$(cut -d , -f 2 out)" $'commit\nc1\nc2\nc3'
	pstat --save 4.json -e duration_time -o table true
	pstat --show 1.json 4.json --format history
	ends_with_status 125
	says "pstat: the result has a column 'page-faults:u'; use another file, or the same events and labels"
}

@test "documents with rows of processes or threads are not a history" {
	local trouble="rows of --per-process and --per-thread cannot be part of a history"

	needs_documents
	mkdir results
	pstat --save results/1.json "${one[@]}" true
	for split in --per-process --per-thread; do
		pstat "$split" --save results/2.json "${one[@]}" true
		refuses "--show results/2.json: $trouble" \
			--show results/1.json results/2.json --format history
		refuses "--history results/2.json: $trouble" --history results
		refuses "--history results/2.json: $trouble" \
			--history results --fail-if 'one>+1%' touch started
	done
}

@test "--history alone shows the changes, and which exceeded their limit" {
	history 1 1.01 1 1.01 1 1.01 1 1.01 1 1.01 1 1.2 1.21
	pstat --history history.csv
	ends_with_status 0
	is "standard error" "$(<err)" ''
	is "the metric" "$(grep '^one ' out | tr -s ' ')" 'one 13 1.210 +0.83 % ±1.03 % ▁▁▁▁▁▁▁▁▁▁▁██'
	is "what exceeded" "$(sed -n '/^Changes/,$p' out)" \
		$'Changes beyond their limits (UTC):\n  2026-01-12  c12  one +20.00 % (limit ±1.03 %)'
	history 1 1.01 1
	pstat --history history.csv -o table
	is "too little" "$(grep '^one ' table | tr -s ' ')" 'one 3 1 -0.99 % (2 of 10) ▁█▁'
	is "nothing was judged" "$(tail -n 2 table)" \
		$'No change exceeded a limit.\nChanges without a limit: 2 (metrics with fewer than 10 changes)'
}

# work: a history of three metrics, in which the commits c5 and c13 changed two of them or one
work()
{
	local day n

	echo 'time,commit,command,task-clock,page-faults:u,duration_time,max_rss' >history.csv
	for ((day = 1; day <= 14; day++)); do
		n=$((day % 2))
		printf '2026-01-%02dT12:00:00+00:00,c%d,prog,%s,%s,%s,3000\n' $day $day \
			$((day < 5 ? 10 : 20)).$n $((day < 13 ? 1000 : 1697)) $((day < 5 ? 11 : 21))${n}00000
	done >>history.csv
}

@test "--history prints units, a curve for each metric, and a line for each commit with a change" {
	work
	pstat --history history.csv
	ends_with_status 0
	diff - out <<-END
		              entries    last value     change      limit  latest
		task-clock         14     20.000 ms    -0.50 %    ±2.47 %  ▁▁▁▁██████████
		page-faults:u      14         1,697    +0.00 %    ±0.10 %  ▁▁▁▁▁▁▁▁▁▁▁▁██
		duration_time      14     21.000 ms    -0.47 %    ±2.18 %  ▁▁▁▁██████████
		max_rss            14     3,000 KiB    +0.00 %    ±0.10 %  ▁▁▁▁▁▁▁▁▁▁▁▁▁▁

		Changes beyond their limits (UTC):
		  2026-01-05  c5   task-clock +101.00 % (limit ±2.47 %)  duration_time +91.82 % (limit ±2.18 %)
		  2026-01-13  c13  page-faults:u +69.70 % (limit ±0.10 %)
	END
}

@test "--history writes Markdown, CSV and JSON" {
	work
	pstat --history history.csv --format markdown
	ends_with_status 0
	# shellcheck disable=SC2016 # Markdown's code
	grep -qx '| `page-faults:u` | 14 | 1,697 | +0.00 % | ±0.10 % | ▁▁▁▁▁▁▁▁▁▁▁▁██ |' out || fail "$(<out)"
	# shellcheck disable=SC2016
	grep -q '^- 2026-01-13 12:00:00 +00:00 `c13`: `page-faults:u` \*\*+69.70 %\*\* (limit ±0.10 %)$' out || fail "$(<out)"
	pstat --history history.csv --format csv -o csv
	is "the header" "$(head -n 1 csv | tr -d '\r')" time,commit,command,metric,unit,value,change,limit,exceeded
	is "the changes" "$(tr -d '\r' <csv | sed -n 's/^.*,\(c[0-9]*\),prog,\([^,]*\),.*,true$/\1 \2/p')" \
		$'c5 task-clock\nc5 duration_time\nc13 page-faults:u'
	is "lines" "$(wc -l <csv)" 57
	needs_command jq
	pstat --history history.csv --format json
	is "the schema" "$(jq -r '"\(.schema) \(.version)"' out)" 'pstat-history 1'
	is "entries" "$(jq -c '.entries[12]' out)" '{"time":"2026-01-13T12:00:00+00:00","commit":"c13","command":"prog"}'
	is "units" "$(jq -c '[.metrics[] | [.name, .unit]]' out)" \
		'[["task-clock","msec"],["page-faults:u",""],["duration_time","ns"],["max_rss","KiB"]]'
	is "what exceeded" "$(jq -c '[.metrics[] | [.exceeded | indices(true)[]]]' out)" '[[4],[12],[4],[]]'
	is "a value, its change and limit" "$(jq -c '.metrics[1] | [.values[12], .changes[12], .limits[12], .limits[0]]' out)" \
		'[1697,0.697,0.001,null]'
}

@test "a change with too few changes before it is judged by the whole history" {
	history 1 1.01 1 1.2 1.21 1.2 1.21 1.2 1.21 1.2 1.21
	pstat --history history.csv
	ends_with_status 0
	is "what exceeded" "$(sed -n '/^Changes/,$p' out)" \
		$'Changes beyond their limits (UTC):\n  2026-01-04  c4   one +20.00 % (limit ±1.32 %)'
}

@test "a command is compared with the last entry, with the limit of the history" {
	needs_math
	steady 1
	pstat -r 3 "${one[@]}" --history history.csv --fail-if 'one>auto' -o table true
	ends_with_status 0
	grep -qE '^# pstat: one 0 %, limit \+1.[0-9]{2} % \(from 12 changes\): kept$' table || fail "$(<table)" "$(<err)"
	grep -q '^# pstat: compared with the last entry of history.csv, commit c13, which is one number: ' table
	steady 0.5
	pstat -r 3 "${one[@]}" --history history.csv --fail-if 'one>auto' -o table true
	ends_with_status 1
	says "$(sed -n 's/^pstat: one.*/&/p' err)"
	grep -qE '^pstat: one \+100(\.0+)? %.*, limit \+1.[0-9]{2} % \(from 12 changes\): crossed$' err || fail "$(<err)"
	for runs in 1 2; do
		refuses "--history needs at least 3 runs to judge a gate; give -r 5" \
			-r $runs "${one[@]}" --history history.csv --fail-if 'one>auto' touch started
	done
	pstat -r 3 "${one[@]}" --history history.csv --fail-if 'one>auto' -o table sh -c 'exit 7'
	ends_with_status 7
}

# Overlapping jobs append in the order in which they end, and a clock may step back.
@test "lines that are not sorted by time are sorted, and lines of the same second keep their order" {
	needs_math
	history 1 1.01 1 1.01 1 1.01 1 1.01 1 1.01 1 1.2 1.21
	pstat --history history.csv
	mv out sorted
	{ head -n 1 history.csv; tail -n +2 history.csv | tac; } >reversed.csv
	pstat --history reversed.csv
	ends_with_status 0
	sed 's/reversed/history/' out | cmp - sorted
	pstat -r 3 "${one[@]}" --history reversed.csv --fail-if 'one>+5%' -o table true
	grep -q '^# pstat: compared with the last entry of reversed.csv, commit c13,' table || fail "$(<table)"
	sed -i 's/2026-01-../2026-01-01/' history.csv
	pstat -r 3 "${one[@]}" --history history.csv --fail-if 'one>+5%' -o table true
	grep -q '^# pstat: compared with the last entry of history.csv, commit c13,' table || fail "$(<table)"
}

@test "a decrease crosses its own limit" {
	needs_math
	steady 2
	pstat -r 3 "${one[@]}" --history history.csv --fail-if 'one<auto' true
	ends_with_status 1
	pstat -r 3 "${one[@]}" --history history.csv --fail-if 'one>auto' true
	ends_with_status 0
}

@test "the columns of the table are aligned under any name, and no line is a command to a CI service" {
	local wide=命令数

	needs_command python3
	history 1 1
	sed -i "1s/one/one,né,$wide,::error::x/; 2,\$s/\$/,1,1,1/" history.csv
	pstat --history history.csv
	ends_with_status 0
	python3 - <<-'END' >widths
		import re, unicodedata
		for line in list(open("out", encoding="utf-8"))[:4]:
		    line = re.sub(r"  (latest|[▁-█]+)$", "", line)
		    print(sum(1 + (unicodedata.east_asian_width(c) == "W") for c in line.rstrip("\n")))
	END
	is "the widths" "$(uniq widths)" 54
	is "the name" "$(sed -n 5p out | cut -d ' ' -f 1)" '\x3a:error::x'
}

@test "labels that a spreadsheet takes for formulas are written as they are" {
	pstat --format history -o history.csv "${one[@]}" --label a==1+1 --label b=-2 --label c=+3 --label d=@x true
	ends_with_status 0
	is "the labels" "$(cut -d , -f 3-6 history.csv)" $'a,b,c,d\n=1+1,-2,+3,@x'
}

@test "line breaks of commands and names are written as \\n, and a file that has them is still read" {
	local name=$'a\n::error::b' command=$'exit 0\n::error::two'
	local event=(-e "software/config=2,name='a"$'\n'"::error::b'/u")

	needs_math
	printf 'time,commit,command,"%s",duration_time,user_time,system_time,max_rss\n%s,c1,"sh -c %s",50,1,1,1,\n' \
		"$name" 2026-01-01T12:00:00+00:00 "$command" >history.csv
	pstat --history history.csv
	ends_with_status 0
	is "standard error" "$(<err)" ""
	is "the name" "$(sed -n 2p out | cut -d ' ' -f 1)" 'a\n::error::b'
	pstat --format history --append -o history.csv "${event[@]}" sh -c "$command"
	ends_with_status 0
	says
	is "the new line" "$(tail -n 1 history.csv | cut -d , -f 2-3)" ',sh -c exit 0\n::error::two'
	pstat --history history.csv
	ends_with_status 0
	is "standard error" "$(<err)" ""
	is "the entries" "$(awk 'NR == 2 { print $2 }' out)" 2
	pstat -r 3 "${event[@]}" --history history.csv --fail-if "$name>+900%" sh -c "$command"
	ends_with_status 0
	! grep -q 'of another command' err || fail "another command" "$(<err)"
}

@test "with too little history, 5 % is the limit, or 1 % of a count that a program repeats" {
	local note="too little history of"

	needs_math
	history 1 1.01 0.9
	pstat -r 3 "${one[@]}" --history history.csv --fail-if 'one>auto' -o table true
	ends_with_status 1
	grep -qE ', limit \+5 % \(too little history: 2 of 10 changes\): crossed$' err || fail "$(<err)"
	grep -qx "# pstat: --history history.csv: $note 'one' (2 of 10 changes): the limit is 5 %" table
	pstat -r 6 -e page-faults:u,task-clock --history history.csv --fail-if 'faults:u>auto' --fail-if 'task-clock<auto' \
		-c true -c true --save document
	grep -qx "pstat: --history history.csv: $note 'faults:u' (0 of 10 changes): the limit is 1 %" err || fail "$(<err)"
	grep -qx "pstat: --history history.csv: $note 'task-clock' (0 of 10 changes): the limit is -5 %" err || fail "$(<err)"
	grep -q ', limit +1 % (too little history: 0 of 10 changes): ' out || fail "$(<out)"
	needs_command jq
	is "saved limits" "$(jq -c '[.gates[].limit]' document)" '[0.01,-0.05]'
	pstat --compare document document --history history.csv --fail-if 'page-faults:u>auto'
	grep -qx "pstat: --history history.csv: $note 'page-faults:u' (0 of 10 changes): the limit is 1 %" err || fail "$(<err)"
}

@test "a typed limit is the limit, also in the unit of the event" {
	needs_math
	steady 1
	pstat -r 3 "${one[@]}" --history history.csv --fail-if 'one>+0.5%' -o table true
	ends_with_status 0
	grep -qE '^# pstat: one .*, limit \+0.5 %: kept$' table || fail "$(<table)"
	steady 0.5
	pstat -r 3 "${one[@]}" --history history.csv --fail-if 'one>+0.4' -o table true
	ends_with_status 1
	grep -qE '^pstat: one \+0\.5.*, limit \+0.4: crossed$' err || fail "$(<err)"
	pstat -r 3 "${one[@]}" --history history.csv --fail-if 'one>+0.6' -o table true
	ends_with_status 0
	pstat -r 6 "${one[@]}" --history history.csv --fail-if 'one>+3%' -c true -c true
	ends_with_status 0
	grep -q ', limit +3 %: kept$' out || fail "$(<out)"
	grep -qx "pstat: --history history.csv is not used: no --fail-if 'EVENT>auto' takes its limit from it" err ||
		fail "$(<err)"
}

@test "a limit on a time is in milliseconds, even if -e names the time" {
	local e

	needs_math
	printf '%s\n' time,commit,command,duration_time '2026-01-01T12:00:00+01:00,a,sleep 0.01,1000000' >history.csv
	for e in page-faults:u duration_time; do
		pstat -r 3 -e $e --history history.csv --fail-if 'duration_time>+5' sleep 0.1
		ends_with_status 1
		grep -qE '^pstat: duration_time \+[0-9]{2,4}(\.[0-9]+)? ms .*, limit \+5 ms: crossed$' err || fail "$(<err)"
		pstat -r 3 -e $e --history history.csv --fail-if 'duration_time>+60000' sleep 0.1
		ends_with_status 0
		pstat -r 3 -e $e --fail-if 'duration_time>+60000' -c 'sleep 0.1' -c 'sleep 0.1'
		grep -q ', limit +60000 ms: ' out || fail "$(<out)"
	done
}

@test "a value that the history or the command lacks is inconclusive" {
	needs_math
	history 1 1 ''
	pstat -r 3 "${one[@]}" --history history.csv --fail-if 'one>+1%' true
	ends_with_status 2
	grep -q 'one not counted, limit +1 %: not judged' err || fail "$(<err)"
	history 1 1 0
	pstat -r 3 "${one[@]}" --history history.csv --fail-if 'one>+1%' true
	ends_with_status 2
	grep -qx "pstat: 'one' is not above 0 in the last entry: a change has no percentage" err || fail "$(<err)"
}

@test "a gate counts its event, and the entry can be appended in the same run" {
	needs_math
	record --label commit=a
	pstat -r 3 --format history --append -o history.csv "${one[@]}" --label commit=b --history history.csv \
		--fail-if 'one>+1%' true
	ends_with_status 0
	is "commits" "$(cut -d , -f 2 history.csv)" $'commit\na\nb'
	pstat -r 3 -e duration_time --history history.csv --fail-if 'page-faults:u>+900%' -x, true
	ends_with_status 0
	grep -q ',page-faults:u,' err || fail "$(<err)"
	pstat -r 3 "${one[@]}" --history history.csv --fail-if 'one>+1%' -x, sh -c 'echo >>runs; exit 3'
	ends_with_status 3
	is "runs of a command that fails" "$(wc -l <runs)" 1
}

@test "a gate may use the other name of an event that is counted or in the history" {
	local names

	needs_math
	pstat --format history -o history.csv -e page-faults:u true
	for names in 'page-faults:u faults:u' 'faults:u page-faults:u'; do
		pstat -r 3 -e "${names% *}" --history history.csv --fail-if "${names#* }>+900%" -x, true
		ends_with_status 0
		is "the events, $names" "$(cut -d , -f 3 err)" "${names% *}"
	done
}

@test "the gates of a comparison take their limits from the history" {
	needs_math
	needs_documents
	steady 5 # only the changes matter
	pstat -r 6 "${one[@]}" --history history.csv --fail-if 'one>auto' -c true -c true --save document
	ends_with_status 0
	grep -qE 'one 0 exactly, limit \+1.[0-9]{2} % \(from 12 changes\): kept' out || fail "$(<out)"
	pstat --show document
	grep -qE 'one 0 exactly, limit \+1.[0-9]{2} % \(from 12 changes\): kept' out || fail "$(<out)"
	pstat -r 6 "${one[@]}" --save old.json true
	pstat -r 6 --history history.csv --fail-if 'one>auto' --baseline old.json true
	ends_with_status 0
	grep -q '(from 12 changes)' out || fail "$(<out)"
	pstat --compare old.json old.json --history history.csv --fail-if 'one>auto'
	ends_with_status 0
	grep -q '(from 12 changes)' out || fail "$(<out)"
}

@test "a folder of documents is a history, ordered by the start of the results" {
	needs_math
	needs_documents
	needs_command jq
	mkdir results
	pstat --save a.json --label commit=x -r 3 "${one[@]}" true
	for i in 13 12 11 10 9 8 7 6 5 4 3 2 1; do
		jq --arg i "$i" '.labels.commit = "c" + $i | .started = "2026-01-" + ("0" + $i)[-2:] + "T00:00:00Z"' \
			a.json >"results/$((20 - i)).json"
	done
	echo ignored >results/README
	pstat --history results
	ends_with_status 0
	is "the metric" "$(grep '^one ' out | tr -s ' ')" 'one 13 1 +0.00 % ±0.10 % ▁▁▁▁▁▁▁▁▁▁▁▁▁'
	pstat -r 3 "${one[@]}" --history results --fail-if 'one>auto' -o table true
	ends_with_status 0
	grep -q '^# pstat: compared with the last entry of results, commit c13,' table || fail "$(<table)"
	grep -qF 'limit +0.10 % (from 12 changes)' table || fail "$(<table)"
}

@test "entries of other commands are reported" {
	history 1 1
	sed -i '2s/,true,/,false,/' history.csv
	pstat --history history.csv
	says_first="pstat: --history history.csv: 1 of 2 entries are of other commands than 'true'"
	is "standard error" "$(<err)" "$says_first"
}

@test "a note reports that the last entry is of another command" {
	needs_math
	history 1 1
	sed -i '3s/,true,/,false,/' history.csv
	pstat -r 3 "${one[@]}" --history history.csv --fail-if 'one>+5%' true
	ends_with_status 0
	says_first="pstat: --history history.csv: the last entry is of another command, 'false'"
	grep -qxF "$says_first" err || fail "$(<err)"
}

@test "a metric that the last entry lacks is named" {
	needs_math
	history 1 1
	pstat -r 3 -e page-faults:u --history history.csv --fail-if 'page-faults:u>+5%' -o table true
	ends_with_status 2
	grep -qxF "# pstat: --history history.csv: the last entry has no 'page-faults:u'" table || fail "$(<table)"
}

@test "a failed run is not added to the history without --ignore-failure" {
	local why="failed: result not written; use --ignore-failure"

	record
	cp history.csv before
	pstat --format history --append -o history.csv "${one[@]}" false
	ends_with_status 1
	says "pstat: --format history: false $why"
	cmp history.csv before
	pstat --format history --append -o history.csv "${one[@]}" --timeout 20 sleep 60
	ends_with_status 0
	is "lines after a run that --timeout ended" "$(wc -l <history.csv)" 3
	# shellcheck disable=SC2016 # for the other shell
	pstat --format history --append -o history.csv "${one[@]}" sh -c 'kill -TERM $$'
	ends_with_status 143
	is "lines after another SIGTERM" "$(wc -l <history.csv)" 3
	pstat --format history --append -o history.csv "${one[@]}" --ignore-failure false
	ends_with_status 1
	is "lines with --ignore-failure" "$(wc -l <history.csv)" 4
}

@test "--history leaves out the failed runs of a folder" {
	needs_documents
	mkdir results
	pstat --save results/1.json "${one[@]}" -o table true
	# shellcheck disable=SC2016 # for the other shell
	pstat --save results/2.json "${one[@]}" -o table sh -c 'kill -TERM $$'
	pstat --history results
	ends_with_status 0
	is "standard error" "$(<err)" \
		"pstat: --history results: documents left out because their command failed: 1 of 2"
	is "the metric" "$(grep '^one ' out | tr -s ' ')" 'one 1 1 (0 of 10) ▁'
	pstat --save results/2.json "${one[@]}" -o table --timeout 20 sleep 60
	pstat --history results
	is "notes about a run that --timeout ended" "$(<err)" \
		"pstat: --history results: 1 of 2 entries are of other commands than 'sleep 60'"
	pstat --save results/2.json "${one[@]}" -o table false
	pstat --history results --ignore-failure
	ends_with_status 0
	is "the metric" "$(grep '^one ' out | tr -s ' ')" 'one 2 1 +0.00 % (1 of 10) ▁▁'
}

@test "what is not a history is refused with its line, before anything runs" {
	local line

	while IFS='|' read -r line message; do
		printf 'time,commit,command,one\n2026-01-02T12:00:00Z,a,true,1\n%b' "$line" >history.csv
		refuses "--history history.csv: $message" --history history.csv --fail-if 'one>+1%' touch started
	done <<-'END'
		2026-01-03T12:00:00Z,a,true\n|line 3: expected 4 fields, as in line 1, but found 3
		2026-01-03T12:00:00Z,a,true,1,2\n|line 3: expected 4 fields, as in line 1, but found 5
		2026-01-03T12:00:00Z,a,true,x\n|line 3: 'x' is not a number (column 'one')
		tomorrow,a,true,1\n|line 3: 'tomorrow' is not a time (example: 2026-02-28T13:05:59+01:00)
		2026-01-03T12:00:00Z,a,tr|line 3: expected 4 fields, as in line 1, but found 3
		2026-01-03T12:00:00Z,"a,true,1\n|line 3: a quote is not closed
	END
	echo 'date,one' >history.csv
	refuses "--history history.csv: not a history: line 1 has no column 'time'; --format history writes one" \
		--history history.csv
	echo '{"schema": "other"}' >history.csv
	refuses "--history history.csv: not a history: line 1 is not CSV; --format history writes one" \
		--history history.csv
	head -c 1000 "$PSTAT" >history.csv
	refuses "--history history.csv: not a text file: it contains a zero byte" --history history.csv
	: >history.csv
	refuses "--history history.csv: the file is empty" --history history.csv
	refuses "--history nowhere: No such file or directory" --history nowhere
	echo 'time,commit,command,one' >history.csv
	refuses "--history history.csv: no entries, so there is nothing to compare with" \
		--history history.csv --fail-if 'one>+1%' touch started
}

@test "documents that are not results are refused by name" {
	needs_documents
	mkdir results
	refuses "--history results: the folder has no documents (*.json)" --history results
	pstat -n -r 2 -c true -c true --save results/b.json
	refuses "--history results/b.json: a comparison, not a result of one command" --history results
	echo '{"schema": "other"}' >results/a.json
	refuses "--history results/a.json: not a pstat document; --save FILE and --format json write one" \
		--history results
	echo 'no' >results/a.json
	pstat --history results
	ends_with_status 125
	is "messages" "$(grep -c '^pstat: --history results/a.json: not valid JSON: line 1, ' err)" 1
}

@test "options that do not fit --history or --format history are refused" {
	history 1 1
	refuses "--history needs --fail-if, unless it is used alone" --history history.csv touch started
	refuses "--fail-if 'one>auto' needs --history FILE; or give a limit: 'one>+1%'" \
		--fail-if 'one>auto' -c 'touch started' -c true
	refuses "--format history: not for comparisons; choose from: table, json, csv, csv-summary, markdown, github, bmf, benchmark-action, influx" \
		--format history -c true -c true
	refuses "rows of --per-process and --per-thread cannot be part of a history" \
		--format history --per-process touch started
	refuses "--fail-if cannot be combined with --history without a command; give a command to count" \
		--history history.csv --fail-if 'one>+5%'
	refuses "--format bmf: not for --history alone; choose from: table, json, csv, markdown" \
		--history history.csv --format bmf
}
