# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh source-path=SCRIPTDIR/.. source=lib.sh
# Twelve events share the seven counters of the PMU in turns: six for any event, one for cycles.
. /lab/lib.sh
plan 5 single

# Scaled counts are accurate only after many turns. A short program is enough to show the turns.
long=$(expected long)
medium=$(expected medium)
six=instructions:u,instructions:u,instructions:u,instructions:u,instructions:u,instructions:u
twelve=$six,cycles:u,r8:u,r8:u,r8:u,r8:u,r8:u

scaled_to_the_truth()
{
	count -e "$twelve" "$(program long)"
	rows instructions:u 6 "near(value, $long)"
	rows r8:u 5 "near(value, $long)"
	rows cycles:u 1 "near(value, 2 * $long)"
}

running_in_csv()
{
	count -e "$twelve" "$(program medium)"
	for event in instructions:u=6 r8:u=5 cycles:u=1; do
		rows "${event%=*}" "${event#*=}" 'running > 30 && running < 80'
	done
}

running_in_table()
{
	pstat -o "$tmp/result/table" -e "$twelve" "$(program medium)"
	marked=$(grep -c -E '(instructions|cycles|r8):u .*\([3-7][0-9]\.[0-9][0-9]%\)$' \
		"$tmp/result/table") || :
	sed 's/^/table: /' "$tmp/result/table"
	equal 'rows with a running %' 12 "$marked"
}

unscaled()
{
	count --no-scale -e "$twelve" "$(program long)"
	rows instructions:u 6 "value > 0 && near(value, $long * running / 100)"
	rows r8:u 5 "value > 0 && near(value, $long * running / 100)"
}

as_many_as_fit()
{
	count -e "$six,cycles:u" "$(program medium)"
	rows instructions:u 6 "value == $medium && running == 100"
	rows cycles:u 1 "value == 2 * $medium && running == 100"
}

check "12 events on 7 counters are scaled to within 2 % of the truth" scaled_to_the_truth
check "the CSV has the running % of all 12 events" running_in_csv
check "the table marks all 12 events with their running %" running_in_table
check "--no-scale gives the raw counts of the part that ran" unscaled
check "7 events on 7 counters are exact and run all the time" as_many_as_fit
