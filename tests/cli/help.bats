#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck source-path=SCRIPTDIR
# --help-all, the manual and the completions have the options of the option table, and the
# completions work.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

completions=${TOP_SRCDIR:?}/scripts/completion
manual=$TOP_SRCDIR/man/pstat.1

read_bash_completion()
{
	# shellcheck source=../../scripts/completion/pstat.bash
	. "$completions/pstat.bash"
}

# The next three functions print the sorted options: "SECTION: NAME LETTER takes", or "plain"
# instead of "takes" if the argument is missing or optional. LETTER is "-" if the option has none.

options_of_table()
{
	"$programs/option-table" |
		awk -F '\t' '{ print $1 ": " $3, $2, $4 == "=" ? "takes" : "plain" }' | sort
}

options_of_help()
{
	pstat --help-all
	awk '/^[A-Z].*:$/ { section = $0 }
	/^  (-[A-Za-z],|   ) --/ {
		letter = substr($0, 3, 1) == "-" ? substr($0, 4, 1) : "-"
		match($0, /--[a-z-]+/)
		rest = substr($0, RSTART + RLENGTH)
		print section, substr($0, RSTART + 2, RLENGTH - 2), letter, rest ~ /^ [A-Z]/ ? "takes" : "plain"
	}' out | sort
}

options_of_manual()
{
	awk '/^\.S[hs] / { section = substr($0, 5) ":" }
	/^\.It Fl / {
		name = letter = "-"
		for (i = 2; i < NF; i++)
			if ($i == "Fl" && $(i + 1) ~ /^-/)
				name = substr($(i + 1), 2)
			else if ($i == "Fl")
				letter = $(i + 1)
		print section, name, letter, / Ar / && !/ Op / ? "takes" : "plain"
	}' "$manual" | sort
}

@test "--help goes to standard output, with status 0 and nothing on standard error" {
	pstat --help
	ends_with_status 0
	is "standard error" "$(<err)" ""
	is "the first line" "$(head -n 1 out)" "Usage: pstat [OPTIONS] [--] COMMAND [ARG...]"
	awk 'length > 79 { exit 1 }' out || fail "a line is too wide" "$(<out)"
	mv out long
	pstat -h
	diff long out >&2 || fail "-h differs from --help"
	pstat --help-all
	ends_with_status 0
	is "the first line" "$(head -n 1 out)" "$(head -n 1 long)"
	awk 'length > 79 { exit 1 }' out || fail "a line is too wide" "$(<out)"
}

@test "--help and the next prompt fit on a terminal of 24 lines, and its options exist" {
	local known option

	pstat --help
	within "the number of lines" 15 "$(wc -l <out)" 23
	is "the number of options" "$(grep -cE '^ {2,6}-' out)" 10
	known=" $("$programs/option-table" | awk -F '\t' '{ printf "-%s --%s ", $2, $3 }')"
	grep -oE '(^| )--?[A-Za-z][a-z-]*' out >options
	while read -r option; do
		[[ $known == *" $option "* ]] || fail "no such option: $option"
	done <options
}

@test "--version prints the version" {
	pstat --version
	ends_with_status 0
	is "standard error" "$(<err)" ""
	is "the first line" "$(head -n 1 out)" \
		"pstat $(sed -n 's/^#define PACKAGE_VERSION "\(.*\)"$/\1/p' "$TOP_BUILDDIR/config.h")"
	is "the last line" "$(tail -n 1 out)" \
		"comparisons: yes, libRmath is loaded when results are compared"
}

@test "--help-all lists the options of the table, under the same headings" {
	within "the number of options" 80 "$(options_of_table | wc -l)" 120
	is "--help-all" "$(options_of_help)" "$(options_of_table)"
}

@test "the manual has exactly the options of the table, under the same headings" {
	is "the manual" "$(options_of_manual)" "$(options_of_table)"
}

@test "--help ignores options of a result" {
	pstat --help -o x --format bogus
	ends_with_status 0
	grep -q '^Usage: pstat' out
}

@test "the manual names no option that does not exist" {
	local known

	known=" $("$programs/option-table" | awk -F '\t' '{ printf "-%s %s ", $3, $2 }')- "
	awk -v known="$known" '/^\./ {
		for (i = 1; i < NF; i++)
			if ($i == "Fl" || $i == ".Fl") {
				seen++
				if (!index(known, " " $(i + 1) " "))
					print "line " FNR ": " $0
			}
	} END { if (seen < 40) print "only " seen + 0 " options are named" }' "$TOP_SRCDIR"/man/*.[157] >wrong
	is "the list of wrong lines" "$(<wrong)" ""
}

@test "the completions are up to date with 'make completions'" {
	"$programs/option-table" >options
	cp "$completions"/{_pstat,pstat.bash,pstat.fish} .
	"$completions/update" options .
	for file in _pstat pstat.bash pstat.fish; do
		diff "$completions/$file" "$file" >&2 || fail "run make completions"
	done
	# The update also works: it changes files that lack options.
	sed -i '/--interval-clear/d; /-l interval-clear/d' _pstat pstat.bash pstat.fish
	"$completions/update" options .
	diff "$completions/pstat.fish" pstat.fish >&2
}

# formats_of ARG...: print the formats that --format accepts with ARG..., one on each line
formats_of()
{
	pstat --format nonsense "$@"
	ends_with_status 125
	sed -n 's/^pstat: --format nonsense: unknown format; choose from: //p' err | tr -s ', ' '\n'
}

@test "the table and the manual have all formats of results and of comparisons" {
	local known

	known=$({
		formats_of true
		formats_of -c true -c true
	} | sort -u)
	within "the number of formats" 6 "$(wc -l <<<"$known")" 20
	is "the table" "$("$programs/option-table" | awk -F '\t' '$3 == "format" { print $7 }' |
		tr ' ' '\n' | sort)" "$known"
	is "the manual" "$(sed -n '/^\.It Fl -format Ar FMT/,/^\.El/s/^\.It Cm //p' "$manual" | sort)" "$known"
	pstat --help-all
	is "--help-all" "$(sed -n '/^  *--format FMT/,/--/p' out | grep -v -- '^  *--quiet' |
		sed 's/.*FMT//; s/ or / /' | tr -s ', \n' '\n' | sed '/^$/d' | sort)" "$known"
}

@test "the table and the manual have all named metrics" {
	local metrics metric

	metrics=$("$programs/option-table" | awk -F '\t' '$3 == "metrics" { print $7 }')
	is "the source" "$(tr ' ' '\n' <<<"$metrics" | sort)" "$(sed -n \
		's/^	{ "\([a-z0-9-]*\)", "[^"]*", METRIC_.*/\1/p' "$TOP_SRCDIR/src/metric/metric_list.c" | sort)"
	for metric in $metrics; do
		grep -qE "(^|[ ,])$metric( |\$)" "$TOP_SRCDIR"/man/*.[157] ||
			fail "not in the manual: $metric"
	done
}

@test "the events of the completions exist, and the manual names them" {
	local names

	read_bash_completion
	mapfile -t names < <(_pstat_candidates names)
	[ "${#names[@]}" -gt 60 ] || fail "too few: ${names[*]}"
	pstat --explain "${names[@]}"
	ends_with_status 0
	is "the events" "$(awk '$1 == "event" { print $2 }' out)" "$(printf '%s\n' "${names[@]}")"
	is "the sources" "$(awk '$1 == "source" { print $2 }' out | sort -u)" $'cache\ngeneric\ntool'
	awk '$1 == "event" { name = $2 } $1 == "source" && $2 != "cache" { print name }' out >plain
	while read -r name; do
		grep -qE "(^|[ ,])$name( |\$)" "$TOP_SRCDIR"/man/*.[157] || fail "not in the manual: $name"
	done <plain
}

# press_tab LINE: complete LINE like bash after TAB. readline also splits words at ':' and '='. Put
# the candidates into $reply, one on each line, and the arguments of compopt into $asked.
press_tab()
{
	local COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDS COMP_CWORD COMPREPLY word

	mapfile -t COMP_WORDS < <(printf '%s\n' "$1" | sed 's/[:=]/ & /g; s/  */ /g' | tr ' ' '\n')
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	word=${COMP_WORDS[COMP_CWORD]}
	asked=
	_pstat pstat "${word#[\'\"]}" "${COMP_WORDS[COMP_CWORD - 1]}"
	reply=$(printf '%s\n' "${COMPREPLY[@]}" | sort)
}

compopt()
{
	asked+=" $*"
}

# completes LINE CANDIDATE...: check the candidates for LINE
completes()
{
	press_tab "$1"
	is "after $1" "$reply" "$(printf '%s\n' "${@:2}" | sort)"
}

@test "bash completes options" {
	read_bash_completion
	is "completion of pstat" "$(complete -p pstat)" "complete -F _pstat pstat"
	completes 'pstat --verb' --verbose
	completes 'pstat -n --s' --same-output --save --scale --seed --setup --shell --show --show-output --side --skip-unknown --sort --strict \
		--strict-scaling --suite --summary --sync --sysroot
	completes 'pstat --per-c' --per-cache --per-cluster --per-core
	completes 'pstat -e cycles:u --verb' --verbose
	completes 'pstat --nothing-such'
	press_tab 'pstat -'
	is "all of them" "$reply" "$("$programs/option-table" |
		awk -F '\t' '{ print "--" $3; if ($2 != "-") print "-" $2 }' | sort)"
}

@test "bash completes events, the last of a list, without a blank after it" {
	read_bash_completion
	completes 'pstat -e inst' instructions
	is "the options of compopt" "$asked" " -o nospace"
	completes 'pstat -e cycles,{page-f' 'cycles,{page-faults'
	completes "pstat -e '{cycles,page-f" '{cycles,page-faults'
	completes 'pstat -e {cycles:u,page-f' 'u,page-faults'
	completes 'pstat --event page-f' page-faults
	completes 'pstat --event=cycles,page-f' cycles,page-faults
	completes 'pstat -dnecycles,page-f' -dnecycles,page-faults
	completes 'pstat -e iTLB-' iTLB-load-misses iTLB-loads
	completes 'pstat -e cpu/event=1,page-f'
	completes 'pstat -e cpu/event=1/,page-f' 1/,page-faults
	completes 'pstat -e uprobe:/a/b:c,page-f' c,page-faults
	completes 'pstat -e upr' uprobe:
	completes 'pstat --explain cycles:u page-f' page-faults
	completes 'pstat --list page-f' page-faults
}

@test "bash completes files and folders for options that take them, and nothing for numbers" {
	read_bash_completion
	mkdir results
	touch result 'result 2'
	completes 'pstat -o res' result 'result 2' results
	is "the options of compopt" "$asked" " -o filenames"
	completes 'pstat --output=res' result 'result 2' results
	completes 'pstat -nores' -noresult '-noresult 2' -noresults
	completes 'pstat --sysroot res' results
	completes 'pstat --format j' json
	completes 'pstat --format=t' table
	completes 'pstat --format=c' csv csv-summary
	completes 'pstat --format ' benchmark-action bmf csv csv-summary github history influx json markdown \
		openmetrics table
	completes 'pstat --filter '
	completes 'pstat -r '
	completes 'pstat --log-fd '
	completes 'pstat -x '
	completes 'pstat -I '
	completes 'pstat --timeout '
}

@test "bash completes saved documents and folders, or other files if there are none" {
	read_bash_completion
	mkdir saved
	touch save.json saved.json saved.csv other.csv 'two words.json'
	completes 'pstat --baseline sav' save.json saved saved.json
	completes 'pstat --baseline=sav' save.json saved saved.json
	completes 'pstat --show sav' save.json saved saved.json
	completes 'pstat --compare save.json sav' save.json saved saved.json
	is "the options of compopt" "$asked" " -o filenames"
	completes 'pstat --compare tw' 'two words.json'
	completes 'pstat --show oth' other.csv
	touch result 'result 2'
	mkdir results
	completes 'pstat --show res' result 'result 2' results
	touch result.json 'result 3.json'
	completes 'pstat --show res' result.json 'result 3.json' results
	completes 'pstat --compare result.json res' result.json 'result 3.json' results
	completes 'pstat --save sav' save.json saved saved.csv saved.json
}

# tracepoints_of SYSTEM NAME: print the tracepoints that begin with SYSTEM:NAME, or nothing if tracefs
# is not readable
tracepoints_of()
{
	local tracefs

	tracefs=$(awk '$3 == "tracefs" { print $2; exit }' /proc/self/mounts)
	find "$tracefs/events/$1" -mindepth 1 -maxdepth 1 -type d -name "$2*" -printf '%f\n' 2>/dev/null |
		sort
}

@test "bash completes tracepoints" {
	read_bash_completion
	press_tab 'pstat -e sched:sched_s'
	is "the tracepoints" "$reply" "$(tracepoints_of sched sched_s)"
	press_tab 'pstat -e cycles:u,{cs,sched:sched_s'
	is "the tracepoints" "$reply" "$(tracepoints_of sched sched_s)"
	completes 'pstat -e nothing_such:sched_s'
	if [ -n "$(tracepoints_of sched sched_switch)" ]; then
		completes 'pstat -e sche' sched:
		completes 'pstat -e sched:sched_switch:u' uG uH uI uP uS uD uW ub ue uh uk up
	fi
}

@test "completions offer no tracepoint and print no message if tracefs is not readable" {
	local as=()

	[ "$EUID" -ne 0 ] || as=(setpriv --reuid=65534 --regid=65534 --clear-groups --bounding-set=-all)
	if "${as[@]}" ls "$(awk '$3 == "tracefs" { print $2; exit }' /proc/self/mounts)/events" >/dev/null; then
		skip "any user may read tracefs"
	fi
	for list in sched:sched_sw cycles,sche; do
		"${as[@]}" sh -s events "$list" <"$completions/candidates" >>out 2>>err
	done
	is "the messages" "$(<err)" ""
	! grep sched out || fail "tracepoints" "$(<out)"
	grep -qx page-faults out
}

@test "bash completes modifiers" {
	local all='D G H I P S W b e h k p pp ppp u'

	read_bash_completion
	# shellcheck disable=SC2046,SC2086 # several words
	{
		completes 'pstat -e cycles:' $all
		completes 'pstat -e cs,{page-faults,cycles:' $all
		completes 'pstat -e {cs,page-faults}:' $all
		completes 'pstat -e msr/tsc/' $(printf 'msr/tsc/%s\n' $all)
	}
	completes 'pstat -e cycles:u' uD uG uH uI uP uS uW ub ue uh uk up
	completes 'pstat -e cycles:pp' ppD ppG ppH ppI ppS ppW ppb ppe pph ppk ppp ppu
	completes 'pstat -e cycles:ukhGHIPSDWe' ukhGHIPSDWeb
	completes 'pstat -e cycles:x'
	completes 'pstat -e uprobe:./prog:main:' h k u
	pstat --explain cycles:{u,k,h,G,H,I,P,p,pp,ppp,S,D,W,e,b}
	ends_with_status 0
}

@test "bash completes the files and functions of probes" {
	needs_command readelf
	read_bash_completion
	cp "$programs/calls" ./prog
	completes 'pstat -e uprobe:./pro' ./prog:
	completes 'pstat -e uprobe:./prog:mai' main
	completes 'pstat -e cs,{uretprobe:./prog:mai' main
	completes 'pstat -e uprobe:./prog:main,page-f' main,page-faults
	completes "pstat -e cs,uretprobe:$programs/calls:called_h" called_half
	completes "pstat -e uprobe:libc.so.6:getprior" getpriority
	completes 'pstat -e uprobe:./none:mai'
	echo text >text
	completes 'pstat -e uprobe:./text:mai'
	# shellcheck disable=SC2016 # a name that a shell might run
	touch 'x$(touch ran)' 'x y' x-1
	completes 'pstat -e uprobe:./x' ./x-1:
	[ ! -e ran ] || fail "the name of a file was run"
	mkdir empty
	ln -s "$(command -v sh)" "$(command -v awk)" "$(command -v sed)" empty
	PATH=$PWD/empty "$completions/candidates" events uprobe:./prog:mai >out 2>err
	is "the functions without readelf" "$(cat out err)" ""
}

@test "bash completes rows, those of -e too" {
	read_bash_completion
	completes 'pstat --fail-if max_' max_rss
	completes 'pstat --fail-if user' user_time
	completes 'pstat --fail-if=page-f' page-faults
	completes "pstat --fail-if 'task" task-clock
	completes 'pstat --min-effect instr' instructions
	completes 'pstat --more-is-better cycles,ip' cycles,ipc
	completes 'pstat --fail-if sched:'
	completes "pstat -e '{cycles,page-faults}' --fail-if page" page-faults
	completes 'pstat --event cs --more-is-better user_time,cs' user_time,cs
	completes 'pstat --min-effect dura' duration_time
	completes "pstat -ne '{cs:u,r1a}' --event=cpu/config=1,r=2/ -er2b --fail-if r" r1a r2b ref-cycles
	completes 'pstat -e cs,my:event --fail-if my:' event
	completes 'pstat -e msr/tsc/ --min-effect ms' msr/tsc/
}

@test "bash completes processes, CPUs, cgroups, metrics and channels, the last of a list" {
	local cgroups

	read_bash_completion
	completes "pstat -p 1,$$" "1,$$"
	completes "pstat --pid=$$" "$$"
	completes "pstat -t $$" "$$"
	COMP_TYPE=63 completes "pstat -p 1,$$" "1,$$ ($(</proc/$$/comm))"
	COMP_TYPE=63 completes "pstat -t $$" "$$ ($(</proc/$$/comm))"
	press_tab 'pstat -aC 0,'
	grep -qx 0,0 <<<"${reply//-aC/}" || fail "no CPU 0" "$reply"
	press_tab 'pstat -C 0-'
	grep -qx 0-0 <<<"$reply" || fail "no CPU 0" "$reply"
	completes 'pstat -M ipc,br' ipc,branch-miss-rate
	completes 'pstat -M c' cpi cpus
	completes 'pstat --metrics=gh' ghz
	completes 'pstat --control r' region
	completes 'pstat --control=fi' fifo:
	completes 'pstat --per-cache=L' L1 L2 L3
	cgroups=$(awk '$3 == "cgroup2" && !found { found = $2 }
		$3 == "cgroup" && $4 ~ /(^|,)perf_event(,|$)/ { found = $2 }
		END { print found }' /proc/self/mounts)
	[ -n "$cgroups" ] || return 0
	press_tab 'pstat -e cs -G '
	is "the topmost cgroups" "$reply" "$(cd "$cgroups" && find . -mindepth 1 -maxdepth 1 -type d |
		sed 's,^\./,,' | sort)"
	is "the options of compopt" "$asked" " -o nospace"
}

@test "bash completes the command, and uses the command's own completion for its arguments" {
	read_bash_completion
	mkdir bin
	printf '#!/bin/sh\n' >bin/counted-command
	chmod +x bin/counted-command
	PATH=$PWD/bin:$PATH
	completes 'pstat counted-c' counted-command
	completes 'pstat -r 3 -e cycles:u,cs -x , counted-c' counted-command
	completes 'pstat -de cycles --output=a:b -- counted-c' counted-command
	completes 'pstat counted-command --verb'
	is "the options of compopt" "$asked" " -o bashdefault -o default"

	# A function of bash-completion. Its argument is the word of readline at which the command
	# begins.
	_command_offset()
	{
		asked=$1
	}
	completes 'pstat -e cycles:u counted-command --verb'
	is "start of the command" "$asked" 5
}

@test "zsh reads its completion, and completes events and rows" {
	needs_command zsh
	is "the first line" "$(head -n 1 "$completions/_pstat")" "#compdef pstat"
	zsh -n "$completions/_pstat"
	# zsh's own functions of completion work only in an editor.
	# shellcheck disable=SC2016 # zsh's
	zsh -f -c '
		_arguments() { state= }
		compset() { }
		compadd() { print -rl -- ${(P)argv[-1]} }
		. $1
		PREFIX=cs,cycles:ukhGHIPSDWe
		_pstat_events
		BUFFER="pstat -e msr/tsc/ --fail-if ms"
		_pstat_rows some-metric | grep -E "^(max_rss|msr/tsc/|some-metric)$"
		_pstat_tids | grep -x $2' zsh "$completions/_pstat" "$$" >replies
	is "the replies" "$(<replies)" "cycles:ukhGHIPSDWeb
max_rss
msr/tsc/
some-metric
$$"
}

@test "fish reads its completion, and completes options and events" {
	local line

	needs_command fish
	fish --no-execute "$completions/pstat.fish"
	touch saved.json
	for line in 'pstat --verb' 'pstat -e cycles,page-f' "pstat -n -e '{cycles:u,page-f" \
		'pstat --explain page-f' 'pstat -aAe cycles:u -I 3 -- ./counted-c' \
		'pstat -M ipc,br' "pstat -p 1,$$" 'pstat -C 0-1,0' 'pstat --control re' \
		'pstat -e cs,cycles:ukhGHIPSDWe' 'pstat -e msr/tsc/ --fail-if ms' \
		'pstat -e uprobe:./counted-c' 'pstat --baseline save' 'pstat --show saved' \
		"pstat -e cs,uprobe:$programs/calls:called_h" 'pstat --baseline=save'; do
		touch counted-command
		chmod +x counted-command
		# shellcheck disable=SC2016 # fish's
		HOME=$PWD fish --no-config -c 'source $argv[1]; complete -C $argv[2]' \
			"$completions/pstat.fish" "$line"
	done | cut -f 1 | grep -v "^1,$$[0-9]" >replies # other processes
	is "the replies" "$(<replies)" "--verbose
cycles,page-faults
{cycles:u,page-faults
page-faults
./counted-command
ipc,branch-miss-rate
1,$$
0-1,0
region
cs,cycles:ukhGHIPSDWeb
msr/tsc/
uprobe:./counted-command:
saved.json
saved.json
cs,uprobe:$programs/calls:called_half
--baseline=saved.json"
	# shellcheck disable=SC2016 # fish's
	HOME=$PWD fish --no-config -c 'source $argv[1]; complete -C $argv[2]' \
		"$completions/pstat.fish" "pstat -t $$" >replies
	grep -qx "$$	$(</proc/$$/comm)" replies || fail "no name of the thread" "$(<replies)"
}
