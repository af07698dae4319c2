#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# --show prints a saved result exactly as it was printed first, in every format.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

formats=(--format=table "-x," -j --format=csv --format=csv-summary --format=markdown
	--format=openmetrics --format=json)

# shows_again ARG...: in each format, check that --show prints the saved document as pstat ARG...
# printed the result, and that --show --format json prints the document itself
shows_again()
{
	local format

	for format in "${formats[@]}"; do
		rm -f saved shown live
		# shellcheck disable=SC2086 # words
		pstat --save saved -o live $format "$@"
		mv err live-err
		[ -s saved ] || fail "nothing was saved" "$(<live-err)"
		# shellcheck disable=SC2086 # words
		pstat --show saved $format -o shown
		ends_with_status 0
		if [ ! -e live ] && [ "$format" = --format=openmetrics ] && [ ! -s shown ]; then
			continue # no interval ended
		fi
		sed -i -e '/^# pstat: -I: .* ended late/d' -e '/^# pstat: run .* exited with/d' live
		cmp live shown || fail "$format: --show differs from the first output:" "$(diff live shown)"
		grep -v -e 'killed by' -e 'exited with' -e '-I: ' live-err >live-reasons || true
		is "standard error of --show" "$(<err)" "$(<live-reasons)"
		pstat --show --format json saved
		cmp out saved || fail "the document changed:" "$(diff saved out)"
	done
}

@test "--show prints the result of a command" {
	needs_documents
	shows_again true
	shows_again -e task-clock,page-faults,context-switches true
	shows_again -e '{page-faults,faults}:u' -e duration_time,max_rss,user_time,system_time true
}

@test "--show prints a series, and one with failed runs" {
	needs_documents
	shows_again -r 5 -e task-clock,page-faults true
	shows_again -r 3 --ignore-failure -e page-faults,max_rss sh -c 'exit 3'
	shows_again -r 2 --ignore-failure -e page-faults sh -c 'kill -9 $$'
	shows_again -e page-faults sh -c 'exit 7'
}

@test "--show prints a result without counters" {
	needs_documents
	shows_again -n true
	shows_again -n -r 3 true
}

@test "--show prints whole CPUs, split in each way" {
	needs_documents
	needs_cpus
	for split in -A --per-core --per-die --per-socket --per-node; do
		shows_again -a $split -e context-switches,task-clock,duration_time sleep 0.01
	done
	shows_again -a -e context-switches sleep 0.01
	shows_again -C 0 -e context-switches sleep 0.01
}

@test "--show prints intervals, with and without a summary" {
	needs_documents
	shows_again -I 20 -e page-faults,task-clock sleep 0.07
	shows_again -I 20 --summary -e page-faults,duration_time sleep 0.05
	shows_again -I 20 -r 2 -e page-faults sleep 0.05
	shows_again -I 10000 -e page-faults true
}

@test "--show prints intervals of CPUs" {
	needs_documents
	needs_cpus
	shows_again -I 20 -a -A -e context-switches sleep 0.05
}

@test "--show prints threads" {
	needs_documents
	needs_counting user
	serve server
	shows_again --per-thread -p "${server[server]}" --timeout 20 -e page-faults,task-clock
	shows_again -p "${server[server]}" -I 20 --interval-count 2 -e page-faults
}

@test "--show prints the processes of a command" {
	needs_documents
	needs_counting user
	shows_again --per-process -e page-faults:u,task-clock:u sh -c 'ls; (exit 2); exec sh -c "kill -9 \$\$"'
	shows_again --per-process -r 2 --ignore-failure -e page-faults:u sh -c 'ls; exit 3'
}

@test "--show adds up the processes of a command in each way" {
	local words

	needs_documents
	needs_counting user
	for words in '--by process' '--by exec' '--by name' '--by tree' '--by name --sort task-clock:u' \
		'--by exec --top 2' '--by tree --format csv' '--by tree -x,'; do
		rm -f saved
		# shellcheck disable=SC2086 # words
		pstat --per-process $words --save saved -o live -e page-faults:u,task-clock:u \
			sh -c 'ls; (ls; true); exec sh -c "exit 0"'
		# shellcheck disable=SC2086 # words
		pstat --show saved $words -o shown
		ends_with_status 0
		cmp live shown || fail "$words: --show differs from the first output:" "$(diff live shown)"
	done
	pstat --per-process -r 2 --save saved -e page-faults:u true
	pstat --show saved --by tree
	ends_with_status 125
	says "pstat: --by: the runs were added up by name"
}

@test "--show refuses --by, --top and --sort if a document has no rows of processes" {
	local words

	needs_documents
	pstat --save plain true
	pstat --per-process --save processes true
	pstat --per-process -r 1 -c true -c true --save compared
	for words in '--by tree' '--by name' '--top 2' '--sort task-clock'; do
		# shellcheck disable=SC2086 # words
		refuses "${words% *} needs --per-process, but plain has no rows of processes" \
			--show processes plain $words
		# shellcheck disable=SC2086 # words
		refuses "${words% *} needs the result of one command, but compared is a comparison" \
			--show compared $words
	done
}

@test "--show prints metrics" {
	needs_documents
	shows_again -M 'x=page-faults/task-clock*1e9, cpus' -e page-faults true
	shows_again -M "y=1/(page-faults - page-faults),z='page-faults'/time" true
	shows_again -M ipc,ghz true
}

@test "--show prints events that are not supported or counted in user mode only" {
	needs_documents
	shows_again -e cycles,page-faults,L1-dcache-load-misses,instructions:u true
	shows_again -d true
}

@test "--show prints cgroups" {
	needs_documents
	needs_cpus
	shows_again -a --for-each-cgroup / -e context-switches,page-faults sleep 0.01
	shows_again -a -e context-switches -e page-faults -G / sleep 0.01
}

@test "--show prints passes, and counts that are not scaled" {
	needs_documents
	shows_again --no-multiplex -e page-faults,cycles,task-clock true
	shows_again --no-multiplex -r 2 -e page-faults true
	shows_again --no-scale --min-running 50 -e page-faults true
}

@test "--show prints the other formats of perf" {
	local formats=(--metric-only "-x, --metric-only" "-j --metric-only" --color=always --no-big-num)

	needs_documents
	shows_again -e task-clock,page-faults true
	shows_again -I 20 --summary -e task-clock,page-faults sleep 0.05
	formats=(--table "--table --color=always")
	shows_again -r 3 -e page-faults true
	formats=("-x, --no-csv-summary" "-x,")
	shows_again -I 20 --summary -e page-faults sleep 0.05
}

@test "--show prints names and arguments of any bytes" {
	needs_documents
	shows_again -e page-faults sh -c : $'\xff\xfe' $'new\nline' '"' ',' 'ä中' $'\x1b[31m'
	shows_again -e 'cs' -M $'a.b=\'cs\'*2' true
}

# saved_with RAW: write a document with the count RAW of one event, page-faults
saved_with()
{
	pstat --save saved -e page-faults true
	sed -i -E "s/\"raw\": \[[^]]*\]/\"raw\": [$1]/" saved
	grep -qF "\"raw\": [$1]" saved
}

@test "a count keeps all its digits" {
	needs_documents
	for count in 9007199254740993 9223372036854775807 \"9223372036854775808\" \
		\"18446744073709551615\"; do
		saved_with "$count"
		pstat --show saved -x,
		is "the count" "$(field 1 page-faults out || field 1 page-faults:u out)" "${count//\"/}"
		pstat --show saved --format json
		grep -qF "\"raw\": [$count]" out || fail "no such raw count" "$(grep raw out)"
		mv out again
		pstat --show again --format json
		cmp out again
	done
}

@test "--show prints several documents one after the other, and - is standard input" {
	needs_documents
	pstat --save a -e page-faults true
	pstat --save b -n sleep 0
	pstat --show a
	mv out shown
	pstat --show b
	cat out >>shown
	pstat --show a b
	cmp out shown
	pstat --show a -x, b --no-big-num
	is "lines" "$(wc -l <out)" 1
	pstat --show a b --format csv
	is "headers" "$(grep -c '^command,' out)" 1
	pstat --save intervals -I 20 -e page-faults sleep 0.01
	pstat --show intervals intervals --format markdown
	is "tables" "$(grep -c '^| time ' out)" 2
	pstat --save intervals -I 20 -M 'm=page-faults*2' sleep 0.01
	pstat --show intervals intervals -x, --metric-only
	is "their names" "$(grep -c "^time," out)" 2
	is "from standard input" "$("$PSTAT" --show - <a)" "$("$PSTAT" --show a)"
	pstat --format table --show -- a
	grep -q "stats for 'true'" out
}

@test "--summary can be given to --show" {
	needs_documents
	pstat --save saved -I 20 -e page-faults sleep 0.05
	pstat --show saved
	is "summaries" "$(grep -c elapsed out || true)" 0
	pstat --show saved --summary
	grep -q elapsed out
}

@test "--show has a destination, and reports if it cannot be written" {
	needs_documents
	pstat --save saved -e page-faults true
	"$PSTAT" --show saved --log-fd 3 3>shown >out
	[ -s shown ] && [ ! -s out ]
	printf 'before\n' >shown
	pstat --show saved -x, -o shown --append
	is "the first line" "$(head -n 1 shown)" before
	status=0
	"$PSTAT" --show saved >/dev/full 2>err || status=$?
	ends_with_status 125
	is "standard error" "$(<err)" \
		"pstat: cannot write the result to standard output: No space left on device"
	status=0
	"$PSTAT" --show saved >&- 2>err || status=$?
	ends_with_status 125
	refuses "--show saved and -o saved are the same file: use another file for the result" \
		--show saved --format json -o saved
	pstat --show saved
	ends_with_status 0
}

@test "--show --html writes the page of one document" {
	needs_documents
	needs_math
	pstat -r 3 --save saved --html page -e page-faults true
	pstat --show saved --html again
	ends_with_status 0
	cmp page again
	pstat -r 3 --save compared --html page -e page-faults -c true -c 'echo a'
	pstat --show compared --html again
	ends_with_status 0
	cmp page again
	refuses "--show with --html takes one FILE" --show saved saved --html page
	refuses "--show saved and --html saved are the same file: use another file for the page" \
		--show saved --html saved
	refuses "--compare saved and --save saved are the same file: use another file for the document" \
		--compare saved saved --save saved
}

@test "pstat refuses an endless input without reading all of it" {
	needs_documents
	refuses "--show /dev/zero: not valid JSON: line 1, column 1: '[' or '{' expected near end of file" \
		--show /dev/zero
}

@test "an unreadable document is refused, and nothing is printed" {
	needs_documents
	pstat --save saved -e page-faults true
	refuses "--show nowhere: No such file or directory" --show saved nowhere
	refuses "--show .: Is a directory" --show saved .
	: >damaged
	refuses "--show damaged: the file is empty" --show saved damaged
	head -n 3 saved >damaged
	refuses "--show damaged: not valid JSON: line 4, column 0: string or '}' expected near end of file" \
		--show damaged
	echo '{"schema": "other"}' >damaged
	refuses "--show damaged: not a pstat document; --save FILE and --format json write one" \
		--show damaged
	sed 's/"version": 2,/"version": 3,/' saved >damaged
	refuses "--show damaged: version: this pstat reads version 2, not 3" \
		--show damaged
	sed 's/"raw": \[.*\]/"raw": [-1]/' saved >damaged
	refuses "--show damaged: runs[0].raw[0]: not a number from 0 to 2^64-1" --show damaged
}

@test "a document is refused wherever it is truncated" {
	needs_documents
	pstat --save saved -n true
	size=$(stat -c %s saved)
	for ((n = 1; n < size - 2; n += 97)); do
		head -c "$n" saved >damaged
		pstat --show damaged
		ends_with_status 125
		grep -q '^pstat: --show damaged: not valid JSON: line [0-9]*, column [0-9]*: ' err || fail "$(<err)"
		[ ! -s out ]
	done
}

@test "unknown keys are ignored" {
	needs_documents
	pstat --save saved -e page-faults true
	sed 's/"version": 1,/"version": 1, "later": [{"a": null}],/; s/"state": /"more": [1], "state": /' \
		saved >later
	pstat --show later --format json
	cmp out saved
}

@test "--show prints the documents of the fixed results in each format" {
	local document report format shown=0 by

	needs_documents
	needs_reports
	needs_locale en_US
	rm reports/compare-* reports/program-names.* # has a sum, which --show leaves out
	for document in reports/*.json; do
		report=${document%.json}
		by=()
		[ "$report" != reports/processes ] || by=(--by exec)
		for format in table json csv csv-summary markdown openmetrics; do
			in_locale LC_ALL=en_US --show "$document" "${by[@]}" --format "$format"
			ends_with_status 0
			cmp out "$report.$format" || fail "$(diff out "$report.$format")"
		done
		LC_ALL=C "$PSTAT" --show "$document" "${by[@]}" -x, >out 2>err
		cmp out "$report.perf-csv" || fail "$(diff out "$report.perf-csv")"
		shown=$((shown + 1))
	done
	within "documents" 40 "$shown" 100
}

@test "the plus-minus sign of an interval is ASCII if the locale is not UTF-8" {
	needs_documents
	needs_reports
	LC_ALL=C "$PSTAT" --show reports/estimated.json >out 2>err
	grep -q ' cycles .* +- *2\.1%  (33\.33%)$' out || fail "no interval" "$(<out)"
	grep -q ' instructions .* +- ?  *(33\.33%)$' out
	LC_ALL=C.UTF-8 "$PSTAT" --show reports/estimated.json >out 2>err
	grep -q ' cycles .* ± *2\.1%  (33\.33%)$' out || fail "no interval" "$(<out)"
	LC_ALL=C.UTF-8 "$PSTAT" --show reports/estimated.json --ascii >out 2>err
	grep -q ' cycles .* +- *2\.1%  (33\.33%)$' out || fail "no interval" "$(<out)"
	is "characters that are not ASCII" "$(LC_ALL=C grep -c '[^ -~]' out || true)" 0
}

@test "a gate on saved estimates is judged only if they have intervals" {
	needs_documents
	needs_reports
	needs_command jq
	"$PSTAT" --show reports/compare-estimated.json >out 2>err || true
	grep -q 'instructions:u .*, limit +0.5 %: ' out err || fail "not judged" "$(<out)"
	jq 'del(.sides[].result.runs[] | .estimate, .half_width)' reports/compare-estimated.json >old.json
	"$PSTAT" --show old.json >out 2>err || true
	grep -q 'limit +0.5 %: not judged (scaled counts without a confidence interval)' out err ||
		fail "judged" "$(<out)"
}

@test "a unit cannot break a line or become markup" {
	needs_documents
	pstat --save saved -e minor_faults_rusage true
	# shellcheck disable=SC1003 # a newline as JSON has it
	sed 's/"unit": ""/"unit": "<b>@x\\n\\u009b"/' saved >evil
	pstat --show evil -x,
	ends_with_status 0
	is "the unit of -x" "$(cut -d, -f2-3 out)" '<b>@x\x0a\xc2\x9b,minor_faults_rusage'
	pstat --compare evil evil --format markdown --fail-if 'minor_faults_rusage>+1'
	grep -q 'minor_faults_rusage' out err || fail "no row"
	is "units that are markup" "$(grep -cE '<b>|[^\\]@x' out || true)" 0
	is "lines of the gate" "$(grep -c '^pstat: minor_faults_rusage .*, limit +1 <b>@x\\x0a' err)" "$(wc -l <err)"
}

@test "of an endless text that is no document, --show reads only the first line" {
	status=0
	yes | timeout "$patience" "$PSTAT" --show - 2>err || status=$?
	is "status" "$status" 125
	grep -q "not valid JSON: line 1, column 1: .* near 'y'" err || fail "$(<err)"
}
