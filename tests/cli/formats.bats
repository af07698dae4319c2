#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# --format csv, csv-summary, markdown and openmetrics, read by programs that consume these formats.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

manual=${TOP_SRCDIR:?}/man/pstat-formats.5

# Debian's python3 has Debian's modules. Another python3 in PATH may not have them.
python()
{
	PATH=/usr/bin:$PATH python3 "$@"
}

# A command of the name $nasty: a comma, quotes, a backslash, a newline, valid and invalid UTF-8;
# python's reader must return $nasty_as_text, in which the two characters \n replace the newline.
make_nasty()
{
	nasty=$'./a,"b" \'c\'\\\n|d`é\xff'
	nasty_as_text=$'./a,"b" \'c\'\\\\n|d`é\xef\xbf\xbd'
	cp "$(type -P true)" "$nasty"
}

# csv FILE COLUMN [ROW]: of a file that is strictly RFC 4180: the fields of a column, or of one row,
# each with its end marked
csv()
{
	python - "$@" <<-'END'
		import csv, sys
		with open(sys.argv[1], newline="", encoding="utf-8") as f:
		    text = f.read()
		rows = list(csv.reader(text.splitlines(keepends=True), strict=True))
		assert text.endswith("\r\n"), "the last line has no end"
		assert len({len(row) for row in rows}) == 1, "lines of several lengths"
		column = rows[0].index(sys.argv[2])
		rows = rows[1:] if len(sys.argv) < 4 else [rows[int(sys.argv[3])]]
		for row in rows:
		    print(row[column] + "$")
	END
}

# sql QUERY: of the file result.csv, read into the table r without any option
sql()
{
	sqlite3 :memory: '.import --csv result.csv r' "$1"
}

@test "csv: each run and event has a line, with the times and the end of the run" {
	needs_command sqlite3
	pstat --format csv -o result.csv -r 3 -e duration_time,user_time,max_rss sh -c 'exit 0'
	ends_with_status 0
	sed -i '/^pstat: max_rss: [0-9]* of/d' err
	says
	is "lines" "$(sql 'SELECT count(*), count(DISTINCT run), count(DISTINCT event) FROM r')" '9|3|3'
	is "the command" "$(sql 'SELECT DISTINCT command FROM r')" 'sh -c exit 0'
	is "value of the clock" "$(sql "SELECT count(*) FROM r WHERE
		event = 'duration_time' AND unit = 'ns' AND state = 'counted' AND value = raw AND
		abs(value - elapsed_s * 1e9) < 0.5 AND value > 0")" 3
	is "the same of user_time" "$(sql "SELECT count(*) FROM r WHERE event = 'user_time' AND
		abs(value - user_s * 1e9) < 0.5")" 3
	is "exit statuses" "$(sql 'SELECT DISTINCT exit_status, signal FROM r')" '0|'
	is "where" "$(sql 'SELECT DISTINCT place_kind, place, cgroup, time_s FROM r')" 'target|||'
}

# peak ARGUMENT...: set kib to the mean max_rss of 10 runs of pstat with these arguments. The max_rss
# of one run also depends on its addresses: a page fault maps the pages around it, too.
peak()
{
	pstat -x, -r 10 "$@"
	kib=$(field 1 max_rss)
}

@test "an event or a limit for max_rss measures the program, even if it has less memory than pstat" {
	needs_command jq
	local kib small large page

	page=$(($(getconf PAGESIZE) / 1024))
	pstat -n --save document true
	[ "$(jq .settings.max_rss_floor_kib document)" -lt 8192 ] || skip "a copy with sanitizers is large"
	peak -e max_rss "$programs/faults" 100
	small=$kib
	peak -e max_rss "$programs/faults" 300
	# the kernel adds up the pages in batches
	within "200 pages" $((136 * page)) $((kib - small)) $((264 * page))
	large=$kib
	peak -e max_rss "$programs/faults" -c 2 300
	within "with children" $((large - 64 * page)) "$kib" $((large + 128 * page))
	peak -a -e duration_time,max_rss "$programs/faults" 100
	within "on all CPUs" $((small - 64 * page)) "$kib" $((small + 64 * page))
	pstat -n -r 6 --fail-if 'max_rss>+5%' --quiet -c "$programs/faults 100" -c "$programs/faults 300"
	ends_with_status 1
}

@test "a copy of pstat leaves the other counts of a command as they are" {
	local counts="minor_faults_rusage,voluntary_switches,involuntary_switches,in_block"
	local without

	pstat -x, -e "$counts" "$programs/faults" 100
	without=$(field 1 minor_faults_rusage)
	pstat -x, -e "$counts,max_rss" "$programs/faults" 100
	within "the faults" $((without - 10)) "$(field 1 minor_faults_rusage)" $((without + 20))
}

@test "a max_rss that may be that of pstat is not counted, in every format" {
	needs_command jq
	local format

	needs_command sqlite3
	pstat --format csv -o result.csv -r 3 -e max_rss "$programs/faults" 20000
	is "of a large program" "$(sql "SELECT count(*) FROM r WHERE state = 'counted' AND
		value = max_rss_kib AND value > 80000")" 3
	pstat --format csv -o result.csv -r 3 -e page-faults:u --save document true
	is "of a small one without the event" "$(sql "SELECT count(*) FROM r WHERE max_rss_kib = ''")" 3
	is "in the document" "$(jq -c '[.runs[].max_rss]' document)" '[null,null,null]'
	needs_documents
	pstat -r 3 -e max_rss --save measured true
	jq '.settings.max_rss_floor_kib = 1e9' measured >below
	pstat --show below --format csv -o result.csv
	is "of a small one" "$(sql "SELECT count(*) FROM r WHERE state = 'not counted' AND value = '' AND
		max_rss_kib = ''")" 3
	pstat --show below --format json
	ends_with_status 0
	mv out document
	is "in the document" "$(jq -c '[.runs[].max_rss]' document)" '[null,null,null]'
	grep -q "^pstat: max_rss is unknown in 3 of 3 runs, which did not exceed pstat's own [0-9]* KiB" err ||
		fail "$(<err)"
	for format in '--format table' '-x ,' -j; do
		# shellcheck disable=SC2086 # words
		pstat --show document $format
		grep -q '<not counted>.*max_rss' out || fail "$format:" "$(<out)"
	done
	pstat --show document --format csv-summary
	grep -q ',max_rss,KiB,not counted,3,0,,' out || fail "$(<out)"
	pstat --show document --format openmetrics
	! grep -qE '^pstat_[a-z_]*count.*max_rss.*} [0-9]{4}' out || fail "$(<out)"
}

@test "csv: a status and a signal are in different columns" {
	needs_command sqlite3
	pstat --format csv -o result.csv -n sh -c 'exit 7'
	ends_with_status 7
	is "status and signal" "$(sql 'SELECT exit_status, signal, event, value FROM r')" '7|||'
	pstat --format csv -o result.csv -n sh -c 'kill -KILL $$'
	ends_with_status 137
	is "status and signal" "$(sql 'SELECT exit_status, signal FROM r')" '|9'
}

@test "csv and csv-summary: a missing count is empty, and the state shows the cause" {
	needs_command sqlite3
	needs_counting user
	pstat --format csv -o result.csv -e breakpoint/config=77/,page-faults:u true
	ends_with_status 0
	is "states and values" "$(sql "SELECT state, value = '', raw = '', running_percent = '' FROM r
		ORDER BY state")" 'counted|0|0|0
not supported|1|1|1'
	pstat --format csv-summary -o result.csv -r 2 -e breakpoint/config=77/,page-faults:u true
	is "states and values" "$(sql "SELECT state, runs, n, mean = '', median = '', min = '', stddev = ''
		FROM r ORDER BY state")" 'counted|2|2|0|0|0|0
not supported|2|0|1|1|1|1'
	pstat --format csv -o result.csv -D 20000 -e page-faults:u true
	is "the share of no time" "$(sql "SELECT state, enabled_ns, running_percent = '' FROM r")" 'not counted|0|1'
}

@test "csv-summary: the statistics are those of the lines of csv" {
	needs_command sqlite3
	pstat --format csv-summary -o result.csv -r 4 -e duration_time true
	ends_with_status 0
	is "the numbers" "$(sql 'SELECT runs, n, min * 1 <= median * 1, median * 1 <= max * 1,
		abs(mean - elapsed_s * 1e9) < 1, abs(stderr - stddev / 2) < 0.001,
		abs(stderr_percent - 100 * stderr / mean) < 0.001,
		abs(stderr - elapsed_stderr_s * 1e9) < 0.001 FROM r')" '4|4|1|1|1|1|1|1'
	pstat --format csv-summary -o result.csv -e duration_time true
	is "the spread of one run" "$(sql "SELECT stddev || stderr || stderr_percent ||
		elapsed_stderr_s || user_stderr_s FROM r")" ''
}

@test "csv: hostile names are read back unchanged, except line breaks and bytes that are not UTF-8" {
	needs_command sqlite3
	needs_counting user
	needs_command python3
	make_nasty
	pstat --format csv -o result.csv -e "software/config=2,name='x, \"y\" | é'/u" "$nasty"
	ends_with_status 0
	is "the command" "$(csv result.csv command)" "$nasty_as_text\$"
	is "the event" "$(csv result.csv event)" 'x, "y" | é$'
	is "the command to sqlite" "$(sql 'SELECT command FROM r')" "$nasty_as_text"
	is "the event to sqlite" "$(sql 'SELECT event FROM r')" 'x, "y" | é'
}

# no_command FILE WHAT: check that no line of FILE is a workflow command of GitHub, which ignores
# leading blanks
no_command()
{
	! grep -aE '^[[:space:]]*::(error|warning|notice|set-output|add-mask)' "$1" ||
		fail "a line is a command: $2"
}

@test "no line of any output is a command to a CI service" {
	local format name

	needs_counting user
	cp "$(type -P true)" "::error::x"
	for name in $'./a\n::error::b' $'./a\r\n ::error::b'; do
		cp "$(type -P true)" "$name"
	done
	# shellcheck disable=SC2030,SC2031 # each test has its own shell
	PATH=$PATH:$PWD
	for format in table csv csv-summary history markdown openmetrics influx json bmf benchmark-action; do
		for name in "::error::x" $'./a\n::error::b' $'./a\r\n ::error::b'; do
			"$PSTAT" --format "$format" -e "software/config=2,name='$name'/u" "$name" >out 2>&1
			no_command out "$format"
			grep -aq error out || fail "$format has no name"
			[ "$format" != history ] || continue # it has no processes
			"$PSTAT" --format "$format" --per-process -e page-faults:u sh -c "'$name'; true" >out 2>&1
			no_command out "$format"
		done
	done
	for format in table csv csv-summary markdown json; do
		"$PSTAT" --format "$format" -r 2 -e "software/config=2,name=::error::e/u" -c "::error::x" \
			-c "'./a"$'\n'"::error::b'" -c true >out 2>&1
		no_command out "$format"
		grep -aq error out || fail "$format has no name"
	done
	"$PSTAT" -x, -e "software/config=2,name='./a"$'\n'"::error::b'/u" true >out 2>&1
	no_command out "$format"
	"$PSTAT" -x, --per-thread -e page-faults:u "::error::x" >out 2>&1
	no_command out "$format"
	grep -q '^\\x3a:error::x-[0-9]*,' out || fail "no thread" "$(<out)"
}

@test "csv: the times of an event that counts only user mode include the kernel" {
	needs_command sqlite3
	needs_counting user
	pstat --format csv -o result.csv -e page-faults:u head -c 400000000 /dev/zero
	ends_with_status 0
	within "the part of CPU time that the event was enabled, in percent" 90 \
		"$(sql 'SELECT enabled_ns / 1e7 / (user_s + system_s) FROM r')" 1000
	within "the user time, in percent of the time enabled" 0 \
		"$(sql 'SELECT user_s * 1e11 / enabled_ns FROM r')" 90
}

@test "csv: processes have columns after all others" {
	needs_command sqlite3
	needs_counting user
	pstat --per-process --format csv -o result.csv -e page-faults:u \
		sh -c 'ls / >/dev/null; (exit 2); sh -c "kill -9 \$\$"; true'
	ends_with_status 0
	is "the last columns" "$(head -n 1 result.csv | tr -d '\r' | sed 's/.*,estimator,//')" \
		"pid,parent_pid,program,program_command,start_s,process_elapsed_s,process_exit_status,process_signal,processes,with_children"
	is "processes" "$(sql 'SELECT place = program || "-" || pid, program, program_command,
		process_exit_status, process_signal, processes, with_children FROM r LIMIT -1 OFFSET 1')" \
'1|ls|ls /|0||1|0
1|sh|sh -c ls / >/dev/null; (exit 2); sh -c "kill -9 \$\$"; true|2||1|0
1|sh|sh -c kill -9 $$||9|1|0'
	is "children of the first" "$(sql 'SELECT count(*) FROM r JOIN r AS p ON r.parent_pid = p.pid
		WHERE p.parent_pid = "" AND p.start_s <= r.start_s AND r.process_elapsed_s > 0')" 3
	pstat --format csv-summary -o result.csv --per-process --by name -e page-faults:u \
		sh -c 'ls / >/dev/null; ls / >/dev/null; true'
	is "names" "$(sql 'SELECT place, program, pid, start_s, processes FROM r ORDER BY place')" \
		$'ls|ls|||2\nsh|sh|||1'
}

@test "csv: all lines have the columns of processes if some result has processes" {
	needs_command sqlite3
	needs_counting user
	needs_documents
	pstat --save plain -e page-faults:u true
	pstat --save processes --per-process -e page-faults:u sh -c 'ls >/dev/null; true'
	pstat --show plain processes --format csv -o result.csv
	ends_with_status 0
	is "programs" "$(csv result.csv program)" $'$\nsh$\nls$'
	pstat --compare processes plain --format csv -o result.csv
	is "programs" "$(csv result.csv program | sort -u)" $'$\nls$\nsh$'
	pstat --per-process -r 6 --format csv -o result.csv -e page-faults:u \
		-c 'ls' -c 'sh -c "ls; true"'
	is "the sum and the programs" "$(sql "SELECT DISTINCT program FROM r WHERE event = 'page-faults:u'
		ORDER BY program")" $'\nls\nsh'
}

@test "--by tree: a row that includes children is marked, and -x and -j have none" {
	local format

	needs_command sqlite3
	needs_counting user
	needs_command jq
	pstat --per-process --by tree --format csv -o result.csv -e page-faults:u \
		sh -c 'ls / >/dev/null; true'
	ends_with_status 0
	is "rows" "$(sql 'SELECT program, with_children FROM r')" $'sh|0\nsh|1\nls|0'
	is "the sum" "$(sql 'SELECT sum(value) FILTER (WHERE with_children = 0) =
		sum(value) FILTER (WHERE with_children = 1) FROM r')" 1
	pstat --per-process --by tree -x, -o /dev/stdout -e page-faults:u sh -c 'ls / >/dev/null; true'
	is "rows of -x" "$(grep -o '^[a-z]*-' out)" $'sh-\nls-'
	pstat --per-process --by tree -j -o result -e page-faults:u sh -c 'ls / >/dev/null; true'
	is "rows of -j" "$(jq -r .process result | sed 's/-.*//')" $'sh\nls'
}

@test "the command in the manual sums by program" {
	needs_counting user
	needs_command sqlite3
	pstat --per-process --by exec --format csv -o build.csv -e page-faults:u \
		sh -c 'ls / >/dev/null; ls / >/dev/null; exec sh -c true'
	sh -c "$(awk '/formats\.bats sums by program/ { on = 1 }
		on && /^\.Ed/ { exit }
		/^\$ / { mine = on && $2 == "sqlite3" }
		mine { sub(/^\$ /, ""); sub(/\\e$/, "\\"); print }' "$manual")" >sums || fail "sqlite3 failed"
	is "programs" "$(cut -d'|' -f1 sums | sort)" $'ls\nsh'
	is "sums" "$(awk -F'|' '{ n += $3 } END { print n }' sums)" \
		"$(csv build.csv value | awk '{ n += $1 } END { print n }')"
}

@test "csv: the columns are named once, with -I and in a file that is appended to" {
	local format

	for format in csv csv-summary; do
		pstat --format "$format" -o result.csv --append -e duration_time true
		pstat --format "$format" -o result.csv --append -e duration_time true
		is "names and lines" "$(grep -c ^command, result.csv) $(wc -l <result.csv)" '1 3'
		: >result.csv
		"$PSTAT" --format "$format" --log-fd 9 -e duration_time true 9>>result.csv
		"$PSTAT" --format "$format" --log-fd 9 -e duration_time true 9>>result.csv
		is "names and lines" "$(grep -c ^command, result.csv) $(wc -l <result.csv)" '1 3'
		rm result.csv
	done
}

@test "csv: messages before the result do not count as content of the file" {
	local format

	for format in csv csv-summary; do
		rm -f result
		"$PSTAT" -v --format "$format" -e duration_time,4294967295:0 true 2>>result
		grep -q '^pstat: 4294967295:0: not supported' result || fail "no message:" "$(<result)"
		is "lines of names" "$(grep -c '^command,run,' result)" 1
	done
}

@test "appending: a Markdown table and --metric-only name their columns again" {
	needs_counting user
	local n=0

	echo 'What I found:' >result
	for n in 1 2; do
		pstat --format markdown -I 50 --append -o result -e page-faults:u sleep 0.07
		ends_with_status 0
		is "tables" "$(grep -c '^| time | event |' result)" "$n"
	done
	for n in 1 2; do
		pstat -x, --metric-only --append -o fields -M "m$n=page-faults:u" true
		ends_with_status 0
		is "names" "$(grep "^m" fields | tail -1)" "m${n},"
	done
}

@test "csv: with -I each interval has its time, and the summary has none" {
	needs_command sqlite3
	needs_counting user
	pstat --format csv -o result.csv -r 2 -I 40 --summary -e page-faults:u sleep 0.1
	ends_with_status 0
	is "names" "$(grep -c ^command, result.csv)" 1
	is "runs of intervals and of totals" "$(sql "SELECT group_concat(DISTINCT run),
		count(DISTINCT run) FROM r GROUP BY time_s = ''")" '1,2|2
1,2|2'
	is "intervals add up to their run" "$(sql "SELECT CAST(sum(CASE time_s WHEN '' THEN -value ELSE value END) AS INT)
		FROM r GROUP BY run")" $'0\n0'
	is "the last interval is read after the end of the run" "$(sql "SELECT count(*) FROM (SELECT
		max(CASE time_s WHEN '' THEN elapsed_s * 1 END) AS whole, max(time_s * 1) AS last
		FROM r GROUP BY run) WHERE last >= whole - 0.000001 AND whole >= 0.1")" 2
	is "intervals have no resource usage" "$(sql "SELECT DISTINCT user_s || max_rss_kib || exit_status FROM r
		WHERE time_s <> ''")" ''
}

@test "csv: places and their numbers of CPUs" {
	needs_command sqlite3
	needs_cpus
	pstat --format csv -o result.csv -a -A -e cs sleep 0.02
	ends_with_status 0
	is "CPUs" "$(sql "SELECT count(*) FROM r WHERE place_kind = 'cpu' AND place LIKE 'CPU%' AND
		counters = 1 AND command = 'system wide' AND user_s = '' AND exit_status = ''")" \
		"$(getconf _NPROCESSORS_ONLN)"
	pstat --format csv-summary -o result.csv -a --per-socket -e cs sleep 0.02
	is "CPUs of all sockets" "$(sql "SELECT sum(counters) FROM r WHERE place_kind = 'socket'")" \
		"$(getconf _NPROCESSORS_ONLN)"
}

@test "the commands in the manual read the file without changes" {
	local program expected

	needs_counting user
	needs_command python3
	mkdir bin
	ln -s "$PSTAT" bin/pstat
	# one_liner PROGRAM: print the manual's example for this program
	one_liner() {
		awk -v program="$1" '/formats\.bats runs the lines/ { on = 1 }
			on && /^\.Ed/ { exit }
			/^\$ / { mine = on && $2 == program }
			mine { sub(/^\$ /, ""); sub(/\\e$/, "\\"); print }' "$manual"
	}
	for program in pstat python3 Rscript sqlite3 duckdb; do
		[ -n "$(one_liner "$program")" ] || fail "the manual has no example for $program"
	done
	# shellcheck disable=SC2031
	PATH=$PWD/bin:$PATH sh -c "$(one_liner pstat)" || fail "pstat failed"
	expected=$(csv runs.csv value | head -c -1 | tr -d '$' | paste - - |
		awk '{ sum += $1 } END { printf "%.6f", sum / NR }')
	# means PROGRAM: check the mean of the page faults that PROGRAM computes
	means() {
		# shellcheck disable=SC2031
		PATH=/usr/bin:$PATH sh -c "$(one_liner "$1")" >means || fail "$1 failed"
		within "the mean of $1" "$(awk -v e="$expected" 'BEGIN { print e - 0.001 }')" \
			"$(tr '|' ' ' <means | awk '{ for (i = 1; i < NF; i++)
				if ($i == "page-faults") print $(i + 1) }')" \
			"$(awk -v e="$expected" 'BEGIN { print e + 0.001 }')"
	}
	needs_command sqlite3
	means sqlite3
	needs_module pandas
	means python3
	needs_command Rscript
	means Rscript
}

@test "pandas and R read columns with the right types" {
	needs_counting user
	needs_module pandas
	make_nasty
	pstat --format csv -o result.csv -r 2 -e breakpoint/config=77/,page-faults:u,duration_time "$nasty"
	ends_with_status 0
	python - <<-'END'
		import pandas
		d = pandas.read_csv("result.csv")
		assert list(d.run) == [1, 1, 1, 2, 2, 2], d.run
		assert d.value.isna().sum() == 2 and d.value.dtype == "float64", d.value
		assert d.elapsed_s.dtype == "float64" and d.max_rss_kib.dtype in ("int64", "float64"), d.dtypes
		assert set(d.state) == {"counted", "not supported"}, d.state
		assert d.command[0].startswith("./a,\"b\" 'c'\\\\n|d`\u00e9"), d.command[0]
	END
	needs_command Rscript
	# shellcheck disable=SC2016 # R's
	Rscript -e 'd <- read.csv("result.csv")
		stopifnot(is.integer(d$run), sum(is.na(d$value)) == 2, is.numeric(d$value),
			is.numeric(d$elapsed_s), is.character(d$event), nrow(d) == 6,
			d$command[1] == d$command[6], grepl("^./a,\"b\" ", d$command[1]))' >log 2>&1 ||
		fail "R reads other values:" "$(<log)"
}

@test "markdown: all lines of the table have the same number of cells" {
	needs_counting user
	make_nasty
	pstat --format markdown -r 2 -e page-faults:u,breakpoint/config=77/ \
		"$programs/faults" 1500
	ends_with_status 0
	grep '^|' err >rows
	is "lines" "$(wc -l <rows)" 4
	is "cells" "$(awk -F'|' '{ print NF }' rows | sort -u)" "$(head -n 1 rows | awk -F'|' '{ print NF }')"
	# shellcheck disable=SC2016 # Markdown's
	grep -qE '^\| `page-faults:u` \| 1,[0-9]{3} \|  \| [0-9.]+ % \|' rows || fail "no count" "$(<rows)"
	# shellcheck disable=SC2016
	grep -qE '^\| `breakpoint/config=77/` \| not supported \|' rows || fail "no state" "$(<rows)"
	grep -qE '^[0-9.]+ s ± [0-9.]+ % elapsed, .* user, .* sys$' err || fail "no times" "$(<err)"
	pstat --format markdown --no-big-num -e page-faults:u "$programs/faults" 1500
	# shellcheck disable=SC2016
	grep -qE '^\| `page-faults:u` \| 1[0-9]{3} \|' err || fail "no count" "$(<err)"
}

@test "markdown: no name ends a cell or a line" {
	needs_counting user
	make_nasty
	pstat --format markdown -e "software/config=2,name='x|y\`z'/u" "$nasty"
	ends_with_status 0
	is "the command" "$(grep -c '^<code>./a,"b" .c.&#92;&#10;&#124;d&#96;é.*</code>:$' err)" 1
	grep -qF '| <code>x&#124;y&#96;z</code> |' err || fail "no event" "$(<err)"
}

@test "markdown: the intervals of -I are one table" {
	needs_counting user
	# 4: the line with the command also names the event
	pstat --format markdown -I 30 -e page-faults:u sh -c "$(until_intervals 4 page-faults:u)"
	ends_with_status 0
	is "tables" "$(grep -c '^| ---' err)" 1
	is "cells" "$(awk -F'|' '/^\|/ { print NF }' err | sort -u | wc -l)" 1
	[ "$(grep -cE '^\| [0-9]+\.' err)" -ge 3 ] || fail "no intervals:" "$(<err)"
}

# expositions: write several OpenMetrics files, *.prom
expositions()
{
	local by

	make_nasty
	"$PSTAT" --format openmetrics -o plain.prom true
	"$PSTAT" --format openmetrics -r 5 -o runs.prom true
	"$PSTAT" --format openmetrics -o nasty.prom -e cs,cs,task-clock "$nasty"
	"$PSTAT" --format openmetrics -o refused.prom -e cycles,breakpoint/config=77/,page-faults:u true
	"$PSTAT" --format openmetrics -o null.prom -n true
	"$PSTAT" --format openmetrics -o intervals.prom -I 20 -M 'x=cs/duration_time' sleep 0.05
	if ("$programs/can-count" kernel) >/dev/null 2>&1 && [ "$(id -u)" -eq 0 ]; then
		"$PSTAT" --format openmetrics -o cpus.prom -A -a sleep 0.02
		"$PSTAT" --format openmetrics -o cgroups.prom -a -e cs,task-clock --for-each-cgroup / sleep 0.02
		"$PSTAT" --format openmetrics -o thread.prom -a --per-thread -e cs sleep 0.02
	fi
	for by in process exec name tree; do
		"$PSTAT" --format openmetrics -o "by-$by.prom" --per-process --by "$by" -e page-faults \
			sh -c 'ls >/dev/null; exec sh -c "ls >/dev/null; true"'
	done
}

@test "openmetrics: promtool accepts it, and another reader finds every sample" {
	local file

	needs_command promtool
	expositions 2>err
	needs_reports
	for file in *.prom reports/*.openmetrics; do
		promtool check metrics <"$file" >log 2>&1 || fail "$file: status $?" "$(<log)"
		is "messages about $file" "$(<log)" ""
	done
	needs_module prometheus_client
	# The OpenMetrics reader of prometheus_client fails on braces in labels.
	for file in *.prom $(grep -LE '\{.*[{}].*\}' reports/*.openmetrics); do
		python - "$file" <<-'END'
			import sys
			from prometheus_client.openmetrics.parser import text_string_to_metric_families as om
			from prometheus_client.parser import text_string_to_metric_families as old
			text = open(sys.argv[1], newline="").read()
			lines = sum(line[:1] != "#" for line in text.split("\n")[:-1])
			for read in om, old:
			    samples = [s for family in read(text) for s in family.samples]
			    assert len(samples) == lines > 0, (sys.argv[1], len(samples), lines)
			    series = {(s.name, tuple(sorted(s.labels.items()))) for s in samples}
			    assert len(series) == lines, sys.argv[1]
		END
	done
}

@test "openmetrics: an absent count has a state and no value" {
	needs_counting user
	pstat --format openmetrics -e breakpoint/config=77/,page-faults:u true
	ends_with_status 0
	is "values" "$(grep -c '^pstat_event_value{' err)" 1
	is "states" "$(grep -o '^pstat_event_state{.*' err | sed 's/.*event=//')" \
		'"breakpoint/config=77/",state="not supported"} 1
"page-faults:u",state="counted"} 1'
	is "the end" "$(tail -n 1 err)" '# EOF'
}

@test "json and openmetrics are the only output on standard error, unless -v is given" {
	local format

	for format in json openmetrics; do
		pstat --format "$format" -e duration_time,4294967295:0 true
		ends_with_status 0
		is "$format: messages" "$(grep -c '^pstat: ' err)" 0
		pstat --format "$format" -v -e duration_time,4294967295:0 true
		is "$format: messages with -v" "$(grep -c '^pstat: 4294967295:0: not supported' err)" 1
		pstat --format "$format" -o result -e duration_time,4294967295:0 true
		is "$format: messages with a file" "$(<err)" ""
	done
	pstat --format json -e duration_time,4294967295:0 true
	python -c 'import json, sys; json.load(open("err"))' || fail "no document" "$(<err)"
}

@test "openmetrics: pstat_info is the same with and without --save" {
	needs_counting user
	pstat --format openmetrics --save document -o saved -e page-faults:u true
	pstat --format openmetrics -o plain -e page-faults:u true
	is "pstat_info" "$(grep '^pstat_info' plain)" "$(grep '^pstat_info' saved)"
	grep -q '^pstat_info{.*,kernel="' plain
}

@test "openmetrics: with -I each interval replaces the file, which is always complete" {
	local file reads=0 seen=0 last=

	needs_counting user
	echo before >result
	"$PSTAT" --format openmetrics -o result -I 10 -e page-faults:u \
		sh -c 'until [ -e enough ]; do sleep 0.05; done' >out 2>err 3>&- &
	while kill -0 $! 2>/dev/null; do
		file=$(<result)
		reads=$((reads + 1))
		[ "$file" != before ] || continue
		[ "${file:0:13}" = '# HELP pstat_' ] &&
			[ "${file##*$'\n'}" = '# EOF' ] || fail "the file is not complete:" "$file"
		[ "$file" = "$last" ] || seen=$((seen + 1))
		last=$file
		[ "$seen" -lt 5 ] || touch enough
	done
	wait $!
	[ "$seen" -ge 5 ] || fail "only $seen of $reads reads had new content"
	is "other files" "$(find . -name 'result?*')" ""
	is "ends of intervals" "$(grep -c ^pstat_interval_end_seconds result)" 1
	pstat --format openmetrics -o result -I 10 --summary -e page-faults:u sleep 0.05
	is "ends of intervals" "$(grep -c ^pstat_interval_end_seconds result || true)" 0
	is "ends" "$(grep -c '# EOF' result)" 1
}

@test "-B has no effect on formats for programs" {
	needs_counting user
	pstat -B --format csv -o result.csv -e page-faults:u "$programs/faults" 1500
	ends_with_status 0
	grep -qE ',page-faults:u,,counted,1[0-9]{3},1[0-9]{3},' result.csv || fail "not the number" "$(<result.csv)"
	pstat -B --format openmetrics -e page-faults:u "$programs/faults" 1500
	grep -qE '^pstat_event_value\{.*\} 1[0-9]{3}$' err || fail "not the number" "$(<err)"
}
