#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs each example of the README and of the manual: a line that begins with "$ ", or with "# " for
# root, with its continuation lines. The examples of a page run in their order, in one folder that has
# the programs and files that they name.
#
# An example has to end with status 0, and the lines that the page shows below it have to be part of
# its output, in this order, with any numbers. examples.tsv has the exceptions: the status and a
# regular expression for the output, or "-" and the reason why the example does not run here.
# A COMMAND that ends in "*" stands for all commands that begin with the text before it.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

table=$BATS_TEST_DIRNAME/examples.tsv
here=$BATS_TEST_DIRNAME/../..

# examples PAGE: write the command N of a page to the file N.command, its one-line form to N.line,
# and the text that the page shows below it to N.shown
examples()
{
	awk -v page="${1##*/}" '
		{ line = $0 }
		page == "README" { inside = sub(/^    /, "", line) }
		/^\.Bd -literal/ { inside = 1; next }
		/^\.Ed/ { inside = open = 0; shown = "" }
		sub(/^\.Dl /, "", line) { inside = 1; shown = "" }
		!inside { open = 0; if (line != "") shown = ""; next }
		page != "README" { gsub(/\\e/, "\\", line); gsub(/\\\(aq/, "\047", line); gsub(/\\&/, "", line) }
		!open && line !~ /^[$#] [^ ]/ { if (shown != "") print line >shown; next }
		{
			text = open ? text "\n" line : line
			rest = text
			gsub(/\047[^\047]*\047/, "", rest)
			gsub(/"[^"]*"/, "", rest)
			open = rest ~ /[\047"]|[\\|]$/
			if (open) next
			sub(/ +# .*/, "", text)
			name = sprintf("%03d", ++n)
			shown = name ".shown"
			printf "" >shown
			print substr(text, 3) >(name ".command")
			gsub(/\\?\n */, " ", text)
			gsub(/  +/, " ", text)
			print text >(name ".line")
		}
		/^\.Dl/ { inside = 0; shown = "" }' "$1"
}

# row LINE: print the row of the table for a command
row()
{
	LINE=$1 awk -F '\t' '{ line = ENVIRON["LINE"] }
		$3 == line || sub(/\*$/, "", $3) && index(line, $3) == 1 { print $1 "\t" $2; exit }' "$table"
}

script() # FILE LINE...
{
	printf '%s\n' '#!/bin/sh' "${@:2}" >"$1"
	chmod +x "$1"
}

# What the examples name: ./prog, ./old and ./new, which does three times as much; ./server, which
# runs; a repository with the tags GOOD and BAD; make, pgrep and mpirun with 4 ranks.
make_world()
{
	# shellcheck disable=SC2016 # for the other shell
	local loop='i=0; while [ $i -lt 9000 ]; do i=$((i + 1)); done' less more name commit

	less=$loop
	more="${loop/9/27}; exec $programs/faults 900"

	mkdir -p bin good bad work/old.d work/new.d
	cd work || return
	seq 20000 >FILE
	for name in prog old ../good/prog old.d/prog; do script "$name" "$less"; done
	for name in new ../bad/prog new.d/prog; do script "$name" "$more"; done
	script server 'while :; do sleep 0.02; done'
	printf 'ls\n(ls; ls)\n' >both
	printf 'all:\n\t./prog\n\tls; ls\nclean:\n\trm -f x\nprog: prog.sh\n\tcp prog.sh prog\n' >Makefile
	cp Makefile old.d
	cp Makefile new.d
	sed -n '/^#include <pstat-region.h>/,/^}/p' "$here/man/pstat.1" >region.c
	for name in old new other; do "$PSTAT" -r 9 --quiet --save "$name.json" "./${name/other/old}"; done
	script ../bin/pstat "exec '$PSTAT' \"\$@\""
	script ../bin/pgrep "echo \$SERVER"
	# shellcheck disable=SC2016 # for the other shell
	script ../bin/mpirun 'shift 2' 'for rank in 0 1 2 3; do' \
		'OMPI_COMM_WORLD_RANK=$rank OMPI_COMM_WORLD_SIZE=4 "$@" || exit; done'
	{
		git init -q . && git config user.name x && git config user.email x@example.org
		for commit in "$less" "$less # 2" "$more" "$more # 2"; do
			script prog.sh "$commit"
			git add prog.sh && git commit -qm "$commit"
			[ "$commit" != "$less" ] || git tag GOOD
		done
		git tag BAD && git bisect start BAD GOOD
	} >log 2>&1 || fail "git failed" "$(<log)"
}

# shape: numbers become N, and blanks are single
shape()
{
	sed -E 's/[0-9][0-9.,]*/N/g; s/[[:space:]]+/ /g; s/^ //; s/ $//; /^(\.\.\.)?$/d' "$1"
}

# check WANTED PATTERN: the status and the output of the example $file
check()
{
	[[ $status =~ ^($1)$ ]] || fail "status $status of '$line':" "$(<printed)" || return
	if [ -n "$2" ]; then
		grep -qE -- "$2" printed || fail "no '$2' in the output of '$line':" "$(<printed)"
	else
		shape "$file.shown" >wanted
		shape printed | awk 'FILENAME == "wanted" { wanted[++n] = $0; next } $0 == wanted[i + 1] { i++ }
			END { exit i < n }' wanted - || fail "other output of '$line':" "$(<printed)" "wanted:" "$(<wanted)"
	fi
}

run_page() # PAGE
{
	local file line command wanted pattern server

	needs_counting kernel
	needs_math
	needs_documents
	for command in git make gzip jq sqlite3 cc; do needs_command "$command"; done
	make_world
	./server &
	server=$!
	(cd .. && examples "$here/$1")
	for file in ../[0-9]*.command; do
		file=${file%.command}
		line=$(<"$file.line")
		IFS=$'\t' read -r wanted pattern <<<"$(row "$line")" || true
		[ "$wanted" != - ] || continue
		[[ $line != "# "* ]] || "$PSTAT" --strict -a -e cs true >/dev/null 2>&1 || continue
		command=$(<"$file.command")
		"$PSTAT" --strict -e instructions:u true >/dev/null 2>&1 ||
			command=${command//instructions:u/page-faults:u}
		[[ $command =~ (-c\ [\'.]|-L\ ) && ! $command =~ -(r|-duration|-bisect.*)\ |--html ]] &&
			command=${command/pstat /pstat -r 12 }
		for _ in 1 2; do
			status=0
			SERVER=$server CPATH=$here/src PATH=$PWD/../bin:$PATH TMPDIR=$PWD timeout -k 5 "$patience" \
				bash -o pipefail -c "$command" >printed 2>&1 </dev/null 3>&- || status=$?
			grep -q 'skip: undecided after' printed || break
			# times vary too much on this machine; a count does not
			command=${command/task-clock/page-faults:u}
		done
		check "${wanted:-0}" "$pattern"
	done
	kill "$server"
}

@test "the examples of the README" { run_page README; }

@test "the examples of pstat(1)" { run_page man/pstat.1; }

@test "the examples of pstat-compare(1)" { run_page man/pstat-compare.1; }

@test "the examples of the other pages" {
	local page

	for page in pstat-formats.5 pstat-events.7 pstat-perf.7 pstat-internals.7; do
		(mkdir "$page" && cd "$page" && run_page "man/$page")
	done
}

@test "each row of the table is an example" {
	local page command

	for page in README man/pstat.1 man/pstat-{compare.1,formats.5,events.7,perf.7,internals.7}; do
		examples "$here/$page"
		cat [0-9]*.line >>lines
		rm [0-9]*
	done
	within "the number of examples" 90 "$(wc -l <lines)" 300
	while IFS=$'\t' read -r _ _ command; do
		grep -qF -- "${command%\*}" lines || fail "not in a page: $command"
	done < <(sed 1d "$table")
}
