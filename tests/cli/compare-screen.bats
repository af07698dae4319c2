#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Comparisons on a terminal (tmux): the tables of the fixed comparisons are aligned, however the
# terminal draws wide characters and braille.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

# on_screen WIDTH HEIGHT COMMAND...: run COMMAND in a terminal of that size, and wait for its end
on_screen()
{
	needs_command tmux
	# a tmux server that is shutting down still accepts clients
	socket=$(mktemp -u screen.XXXXXX)
	printf 'set -g history-limit 9999\nset -g status off\n' >conf
	SHELL=/bin/sh LC_ALL=C.UTF-8 tmux -u -S "$socket" -f conf new-session -d -x "$1" -y "$2" \
		"${*:3}; touch finished; exec sleep 100"
	eventually '[ -e finished ]'
}

# captures FILE...: copy the screen to the file captured, without colours and without the empty
# lines below, and check that it shows the content of FILE. tmux may be slow: callers repeat this.
captures()
{
	tmux -S "$socket" capture-pane -p -S - | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' >captured
	cmp -s "$1" captured
}

# stands WIDTH HEIGHT VARIANT...: check that a screen of that size shows each of these files
# unchanged, except for lines of logs: no line is broken, and nothing overlaps
stands()
{
	local file

	[ -d reports ] || needs_reports
	for file in "${@:3}"; do
		file=reports/compare-$file
		[ -s "$file" ] || fail "$file is missing" || return
		grep -v '^pstat: ' "$file" >text
		on_screen "$1" "$2" cat text
		sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' text >wanted
		eventually 'captures wanted' || fail "$file differs at $1x$2:" "$(diff -u wanted captured)" || return
		tmux -S "$socket" kill-server
		rm -f finished
	done
}

@test "80 columns of 24 lines" {
	stands 80 24 {two-sides,three-sides,far-outlier,wide-sides,long-and-wide-names}.table-80
	stands 80 24 {two-sides,wide-sides}.table-80-ascii
}

@test "100 columns of 30 lines" {
	stands 100 30 {two-sides,gates,wide-sides,long-and-wide-names}.table-100
}

@test "200 columns of 50 lines" {
	stands 200 50 {two-sides,thousand-runs,wide-sides,long-and-wide-names}.table-200
}

@test "pstat draws for the width of its terminal, and in ASCII if the locale requires it" {
	local options

	for options in '' --ascii; do
		# shellcheck disable=SC2086 # none, or one
		on_screen 120 30 "$PSTAT" $options --draw --details -r 6 -c true -c "'true x'" -e task-clock
		eventually 'tmux -S '"$socket"' capture-pane -p -S - >captured; grep -qE "^ +mean (±|[+]-) 95 % " captured'
		# if runs are beyond the axis, the axis ends earlier, and their number follows it
		sed '1,/^task-clock/d' captured | sed -n '/^task-clock/,$p' >chart
		[ -s chart ] || fail "no strip:" "$(<captured)"
		is "the width of the strip" "$(LC_ALL=C.UTF-8 wc -L <chart)" 120
		grep -qE '^ +mean (±|[+]-) 95 % ' captured || fail "no table:" "$(<captured)"
		is "braille and others" "$(LC_ALL=C grep -c '[^ -~]' captured | sed 's/^[1-9].*/some/')" \
			"$([ "$options" ] && echo 0 || echo some)"
		tmux -S "$socket" kill-server
		rm -f finished
	done
	LC_ALL=C pstat -r 6 -c true -c 'true x' -e task-clock
	ends_with_status 0
	is "lines of anything but ASCII in the C locale" "$(LC_ALL=C grep -c '[^ -~]' out)" 0
}

# In each line that has SIGN and names a side, the column of the cursor after the text before SIGN.
# CSI 6 n requests the position of the cursor; the terminal answers with CSI row ; column R.
@test "the numbers of sides with wide names are aligned" {
	alone_on_dev_tty
	cat >ask <<-'EOF'
		while IFS= read -r line; do
			case $line in
			'  旧い '*' ± '* | '  新しい '*' ± '* | '  #'*' ± '*) ;;
			*)	continue ;;
			esac
			printf '\r%s\e[6n' "${line%% ± *}" >/dev/tty
			IFS='[;R' read -rsd R _ _ column </dev/tty
			echo "$column"
		done <"$1" >columns
	EOF
	needs_reports
	for file in wide-sides.table-80 long-and-wide-names.table-{80,200}; do
		on_screen 200 24 bash ask "reports/compare-$file"
		is "the columns of $file" "$(sort -u columns | wc -l)" 1
		within "rows of $file" 4 "$(wc -l <columns)" 100
		tmux -S "$socket" kill-server
		rm -f finished
	done
}
