#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The page of --html: when it is written, what it contains, that it is valid, and that a browser
# shows it.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

checker=${TOP_SRCDIR:?}/tests/cli/page.py

# valid PAGE...: check that the pages are valid
valid()
{
	local faults

	needs_command python3
	faults=$(python3 "$checker" "$@") || fail "$faults"
}

# has TEXT...: check that the page contains each TEXT unchanged
has()
{
	local text

	for text; do
		grep -qF -e "$text" page || fail "not in the page:" "$text"
	done
}

# compares ARG...: compare two commands by their times only, and write a page
compares()
{
	pstat --html page -n -c true -c 'true x' --names old,new --seed 7 "$@"
}

@test "the pages of all the fixed comparisons are valid" {
	needs_reports
	valid reports/*.html
}

@test "the checker finds mistakes" {
	local wrong

	needs_command python3
	for wrong in '<script>x</script>' '<b><i>x</b></i>' '<p>&nbsp;</p>' '<img src="x.png"/>' '<div/>' \
		'<table><tr><td>1</td></tr></table><th>x</th>' '<a href="#nowhere">x</a>' \
		'<svg><path d="M0 0"/></svg>' '<a href="http://localhost/">x</a>' '<p onclick="x">y</p>' \
		'<table><tr><td>1</td></tr><tr><td>1</td><td>2</td></tr></table>'; do
		printf '<!DOCTYPE html>\n<html lang="en">\n<head><style>a{}</style></head><body>%s</body></html>\n' \
			"$wrong" >wrong
		! python3 "$checker" wrong >faults || fail "not found: $wrong"
	done
}

@test "a page has the numbers and words of the table, and the provenance" {
	compares -r 8 --fail-if 'duration_time>+90000%' --format markdown
	ends_with_status 0
	valid page
	has '<h1><bdi>new</bdi> compared with <bdi>old</bdi></h1>' '<code><bdi>true x</bdi></code>' \
		'8 rounds of both commands; ± and [ ]: 95 % confidence intervals' \
		'<h2>Gates: kept</h2>' ' within allowed +90000 %' \
		'>Also measured</th>' 'class="word unasked"' \
		"<bdi>$(uname -n)</bdi>" "<bdi>$(uname -r)</bdi>" "<bdi>$(uname -m)</bdi>" "<bdi>$PWD</bdi>" \
		'Order of runs</th><td colspan="2">' '>7</td></tr>'
	# shellcheck disable=SC2016 # "| `duration_time` | 0.52 ± 0.01 ms | 0.53 ± 0.02 ms | +1.2 % [...] | **worse** |"
	sed -n '/^| `duration_time`/s/[^0-9.,+-]/\n/gp' out | sed 's/[.,-]*$//' | grep '[0-9]' >numbers
	within "numbers of a row" 6 "$(wc -l <numbers)" 12
	while read -r number; do
		grep -qF -e "$number" page || fail "the page has no $number of" "$(<out)"
	done <numbers
}

@test "a page begins with the conclusion and the origin, and ends with the terms" {
	local line

	compares -r 8 --min-effect duration_time=3% --save new.json
	ends_with_status 0
	valid page
	line=$(sed -n 's/^new: //p' out)
	[ -n "$line" ] || fail "no conclusion:" "$(<out)"
	sed '/<main>/q' page >top
	sed -n 's/.*<bdi>new<\/bdi><\/strong>: <bdi>\(.*\)<\/bdi><\/li>/\1/p' top >conclusion
	is "the conclusion" "$(<conclusion)" "$line"
	for line in "Host</dt><dd><bdi>$(uname -n)<" "Kernel</dt><dd><bdi>$(uname -r)<" \
		"Started</dt><dd><bdi>$(date +%Y)-" "pstat</dt><dd><bdi>$("$PSTAT" --version | awk 'NR == 1 { print $NF }')<"; do
		grep -qF -e "$line" top || fail "not at the top: $line" "$(<top)"
	done
	has '"hint">minimum effect 3 %<' '"hint">minimum effect 1 %<' '>Seed</th><td colspan="2">7<' \
		'<dt>better</dt>' '<dt>worse</dt>' '<dt>same</dt>' '<dt>unclear</dt>' '<dt>too few runs</dt>' \
		'<dt>Interval</dt>' '<dt>Minimum effect</dt>' '<dt>Scaled</dt>' '<dt>Not counted</dt>'
}

@test "a page has a point for each run, or groups of many runs" {
	compares -r 6
	ends_with_status 0
	is "points of duration_time" "$(grep -c '<title>old, run [1-6]: .*[mµ]s</title>' page)" \
		"$((2 * 6 * $(grep -c 'id="strip[0-9]*t"' page)))"
	compares -r 130
	ends_with_status 0
	valid page
	has '<title>old, runs 1 to '
	within "points of 130 runs" 0 "$(grep -c '<title>old, run [0-9]*: ' page)" 30
	needs_reports
	within "bytes of a page of 2,000 runs" 100000 "$(wc -c <reports/compare-thousand-runs.html)" 400000
}

# grows ARG...: count a command that has more page faults in each run or interval, and write a page
grows()
{
	rm -f n
	# shellcheck disable=SC2016 # the command expands it
	pstat --html page --save new.json -e page-faults,task-clock "$@" \
		sh -c 'for k in 1 2 3; do echo x >>n; for i in $(cat n); do /bin/true; done; sleep 0.1; done'
}

# values WORD: print the counts of page-faults at the marks of the drawing of the order, which are
# named "WORD N: COUNT"
values()
{
	local row

	row=$(sed -n 's/^<h3 id="e\([0-9]*\)"><bdi>page-faults.*/\1/p' page)
	sed -n "/id=\"order${row}t\"/,/<\/svg>/s/.*<title>$1 [0-9]*: \(.*\)<\/title>.*/\1/p" page | tr -d ,
}

# has_plots: check that each row of the table has a drawing of the order, or a reason
has_plots()
{
	local rows

	rows=$(grep -c '<tr><th scope="row" class="side"><a href="#e' page)
	within "rows" 3 "$rows" 20
	is "drawings" "$(grep -cE '<svg .*aria-labelledby="order|are equal, so there is no drawing' page)" "$rows"
}

@test "the page of one command has a mark for each run, with the counts of the document" {
	needs_command jq
	grows -r 6
	ends_with_status 0
	valid page
	has '<h1><bdi>sh -c ' '6 runs; ±: 95 % confidence intervals' "Host</dt><dd><bdi>$(uname -n)<" \
		'<th scope="col">Fact' '<dt>Scaled</dt>'
	has_plots
	pstat --show new.json --format json
	is "counts" "$(values run)" "$(jq '.runs[].raw[0]' out)"
	is "strips" "$(grep -c 'aria-labelledby="strip' page)" "$(grep -c 'aria-labelledby="order' page)"
	! grep -qE '<dt>(better|Minimum effect)|Verdict|class="reference"' page || fail "the page compares" "$(<page)"
}

@test "the page of -I has a mark for each interval, with the counts of the document" {
	needs_command jq
	grows -I 100
	ends_with_status 0
	valid page
	has ' intervals of 100 ms</p>' '<h2>Intervals</h2>'
	has_plots
	pstat --show new.json --format json
	within "intervals" 3 "$(jq '.intervals | length' out)" 100
	# on a busy machine, the command does not run in each interval
	is "counts" "$(values interval)" "$(jq '.intervals[] | select(.state[0] == "counted") | .raw[0]' out)"
	! grep -qE '± |aria-labelledby="strip' page || fail "intervals have a confidence interval" "$(<page)"
}

@test "the page of one run is a table" {
	needs_command jq
	grows
	ends_with_status 0
	valid page
	has '<p class="hint">1 run</p>' '>Count</th>'
	pstat --show new.json --format json
	is "the count" "$(sed -n 's/.*<bdi>page-faults[:u]*<\/bdi>.*<td class="number">\([0-9,]*\)<.*/\1/p' page | tr -d ,)" \
		"$(jq '.runs[0].raw[0]' out)"
	! grep -qE 'role="img"|<article' page || fail "there is a drawing"
}

# has_bars N: check that the timeline has N processes, and that their counts add up to the table's
has_bars()
{
	valid page
	is "bars" "$(grep -c '<g class="bar p[0-8]">' page)" "$1"
	is "page faults" "$(sed -n 's/^page-faults\(:u\)\? \([0-9,]*\).*/\2/p' page | tr -d , | awk '{ n += $1 } END { print n }')" \
		"$(sed -n 's|.*>all</th><td class="number">[0-9,]*</td><td class="number">\([0-9,]*\)<.*|\1|p' page | tr -d ,)"
}

@test "the page of --per-process has a bar for each process, with its counts" {
	# shellcheck disable=SC2016 # the command expands it
	pstat --per-process --html page -e page-faults,task-clock sh -c 'echo $$ >pid; /bin/true; /bin/false; sleep 0.05'
	ends_with_status 0
	has_bars 4
	has "<title>sh $(<pid)" "<title>sleep " ", parent $(<pid)" '/bin/false' 'sleep 0.05' ', exit status 1' \
		'<option>page-faults' '<option>task-clock' '<bdi>sleep</bdi> <span class="dim">× 1' '<bdi>duration_time</bdi>'
	grep -qE '^at [0-9.]+ ms, for [0-9.]+ ms, exit status 0$' page || fail "no times:" "$(<page)"
	! grep -qE '<bdi>(page-faults|task-clock)[:u]* sh-' page || fail "the processes are also in the table of the events"
	pstat --per-process -r 2 --html page -e page-faults true
	ends_with_status 0
	valid page
	! grep -qE 'class="(timeline|bar)' page || fail "several runs have a timeline"
}

@test "a bar changes its colour at an exec, and has an open end if the process still runs" {
	# shellcheck disable=SC2016 # the command expands it
	pstat --per-process --html page -e page-faults \
		sh -c 'sleep 9 & echo $! >pid; (sleep 0.1; kill -9 $$) & exec sleep 8'
	kill "$(<pid)"
	has_bars 4
	sed -n '/<title>sleep /,/<.g>/p' page >bars
	grep -qE '^sh [0-9.]+ [^ ]+, then sleep [0-9.]+ [^ ]+$' bars || fail "no programs:" "$(<bars)"
	grep -qE '^<rect class="e0-[0-8] p[0-8]" x="[0-9.]+%"' bars || fail "no second colour:" "$(<bars)"
	grep -q ', signal 9$' bars || fail "no signal:" "$(<bars)"
	within "processes that still run" 1 "$(grep -c ', still running$' page)" 2
	is "parts of open ends" "$(grep -c 'class="open"' page)" "$((3 * $(grep -c ', still running$' page)))"
}

@test "the command and name of a process never become markup" {
	local hostile=$'a<b>&"\'\n\xff'

	ln -s "$(command -v sleep)" "$hostile"
	pstat --per-process --html page -e page-faults -- "./$hostile" 0 0.01
	ends_with_status 0
	has_bars 1
	has '<bdi>a&lt;b&gt;&amp;&quot;&#39;\x0a�</bdi>' '<title>a&lt;b&gt;&amp;&quot;&#39;\x0a� ' '&lt;b&gt;&amp;&quot;&#39;\x0a� 0 0.01'
}

@test "the page of 2,000 processes is valid and small" {
	# shellcheck disable=SC2016 # the command expands it
	pstat --per-process --html page -e page-faults,task-clock \
		sh -c 'for i in 1 2 3 4; do sleep 500 & sleeps="$sleeps $!"; done
			while [ $i -lt 2004 ]; do /bin/true; i=$((i + 1)); done; kill $sleeps'
	ends_with_status 0
	has_bars 2005
	within "bytes of the page" 200000 "$(wc -c <page)" 800000
	within "lanes" 5 "$(grep -c '<g transform=' page)" 60
}

@test "a page of one command that cannot be written is reported, and the result is printed" {
	[ -c /dev/full ] || skip "there is no /dev/full"
	pstat --html /dev/full -e page-faults true
	ends_with_status 125
	grep -qx 'pstat: cannot write the result to /dev/full: No space left on device' err ||
		fail "no message:" "$(<err)"
	grep -q 'page-faults' err || fail "no table:" "$(<err)"
}

@test "names may have any bytes, and none of them becomes markup" {
	local hostile=$'a\xff<script>alert("1")</script>&amp;\x01\'-->]]>\xc2\x85'

	pstat --html page -n -r 2 -c "true '<b>'" -c true --names "x,$hostile"
	ends_with_status 0
	valid page
	has '<bdi>a�&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;amp;\x01&#39;--&gt;]]&gt;\xc2\x85</bdi>' \
		"<code><bdi>true &lt;b&gt;</bdi></code>"
}

@test "with --quiet the page is still written" {
	compares -r 2 --quiet
	ends_with_status 0
	says
	valid page
}

@test "a page that cannot be written is reported before anything runs" {
	refuses "cannot write the result to nowhere/page: No such file or directory" \
		--html nowhere/page -c 'touch started' -c true
	refuses "-o one and --html one are the same file: use another file for the page" \
		-o one --html one -c 'touch started' -c true
	: >one
	ln -s one two
	refuses "-o one and --html two are the same file: use another file for the page" \
		-o one --html two -c 'touch started' -c true
	status=0
	# shellcheck disable=SC2094 # that is the point
	"$PSTAT" --html one -c 'touch started' -c true 2>one || status=$?
	is "the status" "$status" 125
	is "the message" "$(<one)" \
		"pstat: --html one is the file that descriptor 2 writes to: use another file for the page"
	[ ! -e started ] || fail "the command was started"
}

@test "if the page cannot be written at the end, pstat gives 125 whatever the gates, and prints the table" {
	[ -c /dev/full ] || skip "there is no /dev/full"
	pstat --html /dev/full -n -r 2 -c true -c true
	ends_with_status 125
	grep -qx 'pstat: cannot write the result to /dev/full: No space left on device' err ||
		fail "no message:" "$(<err)"
	grep -q '^duration_time' out || fail "no table:" "$(<out)"
}

@test "an old page is replaced when the new one is complete" {
	echo old >page
	compares -r 2
	ends_with_status 0
	valid page
	is "files" "$(find . -name '*page*')" ./page
	echo old >page
	compares -r 2 --setup false
	ends_with_status 125
	is "the page" "$(<page)" old
}

# ---- In a browser

# browse FILE OPTION...: open FILE in the browser. Its output goes to the file shown; console
# messages and requests go to the file trouble, without those that the browser makes by itself. No
# request leaves this machine.
browse()
{
	needs_command chromium
	timeout "$patience" chromium --headless=new --no-sandbox --disable-gpu --disable-background-networking \
		--disable-component-update --disable-sync --no-first-run \
		--user-data-dir="$PWD/profile" --host-resolver-rules='MAP * ~NOTFOUND' \
		--enable-logging=stderr --log-net-log="$PWD/net.json" "${@:2}" "file://$1" \
		>shown 2>log </dev/null || fail "chromium failed:" "$(<log)"
	{
		grep -a ':CONSOLE:' log
		grep -oE '"url":"[a-z]+:[^"]*"' net.json | sort -u |
			grep -vE '"url":"https?://[a-z0-9.]*\.(google|googleapis|gvt1)\.com/'
	} >trouble || true
}

# has_pixels PNG: check that the picture exists and has several colours
has_pixels()
{
	within "bytes of $1" 20000 "$(wc -c <"$1")" 10000000
}

@test "a browser reports no error in a page, and fetches nothing" {
	needs_command chromium
	printf '<!DOCTYPE html><html lang="en"><p>x</p><img src="http://192.0.2.1/a.png" alt=""><script>no()</script>' \
		>bad.html
	browse "$PWD/bad.html" --dump-dom
	grep -q CONSOLE trouble || fail "an error was not noticed:" "$(<log)"
	grep -q 192.0.2.1 trouble || fail "a request was not noticed:" "$(<trouble)"
	needs_reports
	for page in "$PWD"/reports/compare-{gates,long-and-wide-names,thousand-runs,apart}.html; do
		browse "$page" --dump-dom
		is "messages of the browser about $page" "$(<trouble)" ""
		grep -q '<h2>Runs</h2>' shown || fail "not shown: $page"
		is "drawings" "$(grep -c 'role="img"' shown)" "$(grep -c 'role="img"' "$page")"
	done
}

@test "a browser shows the page in light, dark and narrow" {
	needs_command chromium
	compares -r 12 --fail-if 'duration_time>+50%'
	mv page page.html
	browse "$PWD/page.html" --blink-settings=preferredColorScheme=1 --window-size=1280,2400 \
		--hide-scrollbars --screenshot="$PWD/light.png"
	browse "$PWD/page.html" --blink-settings=preferredColorScheme=0 --window-size=1280,2400 \
		--hide-scrollbars --screenshot="$PWD/dark.png"
	browse "$PWD/page.html" --window-size=520,2400 --hide-scrollbars --screenshot="$PWD/narrow.png"
	for look in light dark narrow; do
		has_pixels "$look.png"
	done
	! cmp -s light.png dark.png || fail "light and dark are the same"
}

# widths PAGE PIXELS: print "CONTENT/BOX" widths of each box that may scroll; the last one is the
# page
widths()
{
	local script='const seen = [...document.querySelectorAll(".scroll"), document.documentElement];
		document.body.textContent = "widths " + seen.map(x => x.scrollWidth + "/" + x.clientWidth).join(" ")'

	sed -e '/Content-Security-Policy/d' -e "s|</body>|<script>${script//$'\n'/ }</script></body>|" "$1" >measured.html
	browse "$PWD/measured.html" --window-size="$2",900 --dump-dom
	grep -o 'widths [0-9/ ]*' shown | sed 's/^widths //'
}

@test "no part of a page is wider than a window of 500 pixels" {
	local arguments

	needs_command chromium
	for arguments in '-r 6' '-I 100' ''; do
		# shellcheck disable=SC2086 # several words
		grows $arguments
		widths "$PWD/page" 500 | tr ' ' '\n' >all
		within "boxes" 3 "$(wc -l <all)" 100
		is "additional parts of the page of '$arguments'" "$(tail -n 1 all | awk -F/ '{ print $1 - $2 }')" 0
	done
	pstat --per-process --html page -e page-faults,task-clock,context-switches sh -c 'true; /bin/true'
	widths "$PWD/page" 500 | tr ' ' '\n' >all
	is "additional parts of the page of --per-process" "$(tail -n 1 all | awk -F/ '{ print $1 - $2 }')" 0
}

@test "the selected event gives the heights of the bars, and the shares" {
	# shellcheck disable=SC2016 # JavaScript expands it
	local script='const heights = () => [...document.querySelectorAll(".bar rect+rect")].map(x =>
			getComputedStyle(x).transform.split(",")[3] * 8).join("/");
		const shown = () => [...document.querySelectorAll(".timeline [class^=v]")].filter(x =>
			x.checkVisibility()).map(x => x.className).join("");
		const width = () => document.querySelector(".chart svg").getBoundingClientRect().width;
		const event = document.querySelector(".event"), zoom = document.querySelector(".zoom");
		const first = heights() + " " + shown(), narrow = width();
		event.selectedIndex = 1; zoom.selectedIndex = 2;
		document.body.textContent = `${first} ${heights()} ${shown()} ${width() > 4 * narrow} done`'

	needs_command chromium
	# shellcheck disable=SC2016 # the command expands it
	pstat --per-process --html page -e task-clock,page-faults \
		sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done; /bin/true'
	ends_with_status 0
	valid page
	mv page page.html
	browse "$PWD/page.html" --dump-dom
	is "messages of the browser" "$(<trouble)" ""
	is "bars" "$(grep -c 'class="bar' shown)" 2
	sed -e '/Content-Security-Policy/d' -e "s|</body>|<script>${script//$'\n'/ }</script></body>|" page.html >measured.html
	browse "$PWD/measured.html" --dump-dom
	# the loop uses the CPU all the time, and has almost no page faults
	grep -qE '<body>8/[0-9./]+ (v0)+ (0\.48|1)/[0-9./]+ (v1)+ true done' shown || fail "shown:" "$(<shown)"
}

@test "tables fit a window of 1,200 pixels; a narrower one scrolls the tables, not the page" {
	local page

	needs_command chromium
	needs_reports
	for page in "$PWD"/reports/compare-{gates,long-and-wide-names,three-sides}.html; do
		widths "$page" 1200 | tr ' ' '\n' >all
		within "boxes of $page" 8 "$(wc -l <all)" 100
		is "elements wider than their box in $page" "$(awk -F/ '$1 > $2' all)" ""
		widths "$page" 500 | tr ' ' '\n' >all
		awk -F/ 'NR == 1 && $1 <= $2 { exit 1 }' all || fail "the table fits, so this test proves nothing:" "$(<all)"
		is "additional parts of the page" "$(tail -n 1 all | awk -F/ '{ print $1 - $2 }')" 0
	done
}

@test "one numeric parameter: the page has the curve of the elapsed time" {
	local at

	pstat --html page -n -r 4 -c true -c 'sleep {t}' -L t=0.2,0.01,0.11
	ends_with_status 0
	valid page
	has '<h2>Elapsed time over <bdi>t</bdi></h2>'
	sed -n '/<section class="curve">/,/<.section>/p' page >curve
	# the values are in their order from left to right at their distances, larger times above smaller
	sed -n 's/.*<use href="#m[0-9]*" x="\([0-9.]*\)" y="\([0-9.]*\)"><title>\(t=[0-9.]*\): .*/\3 \1 \2/p' \
		curve >points
	is values "$(cut -d ' ' -f 1 points | xargs)" 't=0.01 t=0.11 t=0.2'
	at=$(awk '{ x[NR] = $2; y[NR] = $3 } END {
		printf "%.2f %d\n", (x[2] - x[1]) / (x[3] - x[1]), (y[1] > y[2] && y[2] > y[3] && x[1] < x[3]) }' points)
	is "share of the width, and order of the times" "$at" '0.53 1'
}
