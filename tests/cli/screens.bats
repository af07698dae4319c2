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
	build
	echo 'time,commit,command,task-clock,page-faults' >history.csv
	for day in {1..9} {10..14}; do
		printf '2026-01-%02dT12:00:00Z,c0ffee%02d,./prog,%s,%d\n' "$day" "$day" \
			"$((100 + day % 3)).$day" $((345 + day / 12 * 40)) >>history.csv
	done
}

# A build of 12 files with 2 processes each, as --per-process saves it.
build()
{
	jq '.' reports/processes.json >make.json
}

# screen WIDTH HEIGHT ARG...: print what a terminal of this size shows after `pstat ARG...`, and check
# that nothing of it has left the screen
screen()
{
	local line="pstat ${*:3}"

	rm -f finished
	printf 'set -g history-limit 9999\nset -g status off\n' >conf
	cat >shell <<-EOF
		printf '%s\n' '$ ${line//\'/\'\\\'\'}'
		$PSTAT ${*:3}
		printf '$ '
		touch finished
		exec sleep 100
	EOF
	TZ=UTC SHELL=/bin/sh LC_ALL=C.UTF-8 tmux -u -S screen -f conf new-session -d -x "$1" -y "$2" sh shell
	eventually '[ -e finished ]'
	eventually 'tmux -S screen capture-pane -p -S - >captured; tail -n 1 captured >/dev/null; grep -qx "\$ *" captured'
	tmux -S screen kill-server
	sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' captured >shown
	[ "$(head -n 1 shown)" = "$ $line" ] || fail "the command line is not on the screen:" "$(<shown)"
	[ "$(wc -l <shown)" -le "$2" ] || fail "$line: $(wc -l <shown) lines on $2:" "$(<shown)"
	cat shown
}

# screens WIDTH HEIGHT: compare all screens of this size with their golden text
screens()
{
	local size=$1x$2

	{
		screen "$@" --show run.json
		screen "$@" --show runs.json
		screen "$@" --show vm.json
		screen "$@" --show compared.json
		screen "$@" --show values.json
		screen "$@" --compare compared.json --fail-if "'task-clock>+10%'"
		screen "$@" --compare compared.json --fail-if "'task-clock>+1%'"
		screen "$@" --compare compared.json --fail-if "'task-clock>+3%'"
		screen "$@" --show make.json --by process --top 9
		screen "$@" --show make.json --by name
		screen "$@" --show make.json --by tree --top 9
		screen "$@" --history history.csv
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
