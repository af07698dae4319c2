#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What a terminal shows (tmux, 80x24 and 120x40): each result of ./screens is whole on its screen, with
# the command line above it and the next prompt below it. The results are documents with fixed numbers.
# With UPDATE_GOLDEN=1 the files are written, not compared.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

golden=$BATS_TEST_DIRNAME/screens

setup()
{
	cd "$BATS_TEST_TMPDIR" || return
	needs_documents
	needs_command jq
	needs_command tmux
	needs_math
	needs_reports
	documents
}

# Write the documents whose names the screens show.
documents()
{
	local day

	cp reports/one-run.json run.json
	cp reports/five-runs.json runs.json
	cp reports/not-supported.json vm.json
	cp reports/compare-by-default.json compared.json
	cp reports/compare-matrix.json values.json
	cp reports/build.json make.json
	echo 'time,commit,command,task-clock,page-faults' >history.csv
	for day in {1..14}; do
		printf '2026-01-%02dT12:00:00Z,c0ffee%02d,./prog,%s,%d\n' "$day" "$day" \
			"$((100 + day % 3)).$day" $((day < 12 ? 345 : 385)) >>history.csv
	done
}

# terminal WIDTH HEIGHT ARG...: print what a terminal of this size shows after `pstat ARG...`, and check
# that nothing of it has left the screen
terminal()
{
	local line="pstat ${*:3}" socket

	# a tmux server that is shutting down still accepts clients
	socket=$(mktemp -u screen.XXXXXX)
	rm -f finished
	echo 'set -g status off' >conf
	cat >shell <<-EOF
		printf '%s\n' '$ ${line//\'/\'\\\'\'}'
		$PSTAT ${*:3}
		printf '$ '
		touch finished
		exec sleep 100
	EOF
	TZ=UTC SHELL=/bin/sh LC_ALL=C.UTF-8 tmux -u -S "$socket" -f conf new-session -d -x "$1" -y "$2" sh shell
	eventually '[ -e finished ]'
	# the last line is the prompt
	# shellcheck disable=SC2016 # for later
	eventually 'tmux -S '"$socket"' capture-pane -p | sed -e :a -e "/^\n*$/{\$d;N;ba" -e "}" >shown; tail -n 1 shown | grep -qx "\$ *"'
	tmux -S "$socket" kill-server
	[ "$(head -n 1 shown)" = "$ $line" ] || fail "$line: the first line has left the screen:" "$(<shown)"
	cat shown
}

# screens WIDTH HEIGHT: compare all screens of this size with their golden text
screens()
{
	local size=$1x$2

	{
		terminal "$@" --show run.json
		terminal "$@" --show runs.json
		terminal "$@" --show vm.json
		terminal "$@" --show compared.json
		terminal "$@" --show values.json
		terminal "$@" --compare compared.json --fail-if "'task-clock>+10%'"
		terminal "$@" --compare compared.json --fail-if "'task-clock>+1%'"
		terminal "$@" --compare compared.json --fail-if "'task-clock>+3%'"
		terminal "$@" --show make.json --by process --top 9
		terminal "$@" --show make.json --by name
		terminal "$@" --show make.json --by tree --top 9
		terminal "$@" --history history.csv
	} >"$size"
	[ -z "${UPDATE_GOLDEN-}" ] || cp "$size" "$golden/$size"
	cmp -s "$size" "$golden/$size" || fail "$size differs:" "$(diff -u "$golden/$size" "$size")"
}

@test "80 columns of 24 lines" {
	screens 80 24
}

@test "120 columns of 40 lines" {
	screens 120 40
}
