# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh source-path=SCRIPTDIR/.. source=lib.sh
# --topdown with real counters. These cores do not count speculative instructions. They count stalled
# cycles, of which the emulation has none.
. /lab/lib.sh
plan 3 smp

parts()
{
	run_pstat --topdown "$@"
	equal status 0 "$status"
	equal parts "%  not_stalled,%  frontend_bound,%  backend_bound," "$(sed -n 1p "$tmp/rows")"
	equal values 100.000,0.000,0.000, "$(sed -n 2p "$tmp/rows")"
}

# A pinned group keeps all counters.
without_counters()
{
	status=0
	pstat --topdown -e '{r8,r8,r8,r8,r8,r8,r11}:D' -o "$tmp/result/csv" \
		"$(program known)" 2>"$tmp/err" || status=$?
	equal status 0 "$status"
	equal parts 3 "$(grep -c '^ *? ' "$tmp/result/csv")"
	grep -q 'cpu_cycles.*counter' "$tmp/result/csv"
}

check "the parts of a command" parts "$(program known)"
check "the mean of three runs" parts -r 3 "$(program known)"
check "without free counters, the values are missing, with a reason" without_counters
