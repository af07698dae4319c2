# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh source-path=SCRIPTDIR/.. source=lib.sh
# Two builds of a program have 2,000,000 and 2,001,000 instructions. Two runs of each are enough to
# find the difference.
. /lab/lib.sh
plan 6 single

old=$(program old)
new=$(program new)

# compare STATUS ARG...: run both twice, put the table into $tmp/rows, and check that pstat ends
# with STATUS
compare()
{
	wanted=$1
	shift
	status=0
	/lab/programs/limited /usr/bin/pstat -o "$tmp/result/table" -e instructions:u,cycles:u -r 2 \
		--seed 1 --ascii --details --names old,new "$@" >"$tmp/out" 2>"$tmp/err" </dev/null || status=$?
	cp "$tmp/result/table" "$tmp/rows"
	equal "status of pstat $*" "$wanted" "$status"
	equal "standard error without crossed gates" "" "$(grep -v ': crossed$' "$tmp/err")"
	equal "the note" "# pstat: -r 2: too few runs for a verdict on counts that vary; each side needs N" \
		"$(sed -n 's/needs [0-9]*$/needs N/; /^# pstat/p' "$tmp/rows")"
}

# shown REGEX: check that a line of the table matches, whatever its number of blanks
shown()
{
	tr -s ' ' <"$tmp/rows" | grep -q -E -e "$1" || {
		echo "not in the table: $1"
		return 1
	}
}

# each COMMAND: print its count, which does not vary
each()
{
	n=$(expected "$1")
	shown "^ $1 $n \+- 0 $n 0 % $n \.\. $n 0$"
}

difference_is_exact()
{
	equal "instructions of old" 2000000 "$(expected old)"
	equal "instructions of new" 2001000 "$(expected new)"
	compare 0 --min-effect 0 -c "$old" -c "$new"
	shown '^instructions:u worse \+0\.050 % exactly \+1000$'
	each old
	each new
	shown '^cycles:u worse \+0\.050 % exactly \+2000$'
}

other_way_round()
{
	compare 0 --min-effect 0 --names new,old -c "$new" -c "$old"
	shown '^instructions:u better -0\.050 % exactly -1000$'
}

too_small_to_matter()
{
	compare 0 -c "$old" -c "$new"
	shown '^instructions:u same \+0\.050 % exactly \+1000$'
}

itself()
{
	compare 0 --min-effect 0 -c "$old" -c "$old"
	shown '^instructions:u same 0 % exact$'
}

one_after_the_other()
{
	compare 0 --order sequential --min-effect 0 -c "$old" -c "$new"
	shown '^instructions:u worse \+0\.050 % exactly \+1000$'
}

gates()
{
	compare 1 --fail-if 'instructions:u>+999' -c "$old" -c "$new"
	shown '^pstat: instructions:u \+1000 exactly, limit \+999: crossed$'
	equal 'standard error' 'pstat: instructions:u +1000 exactly, limit +999: crossed' "$(cat "$tmp/err")"
	compare 0 --fail-if 'instructions:u>+1000' -c "$old" -c "$new"
	shown '^pstat: instructions:u \+1000 exactly, limit \+1000: kept$'
	compare 1 --fail-if 'instructions:u>+0.049%' -c "$old" -c "$new"
	compare 0 --fail-if 'instructions:u>+0.05%' -c "$old" -c "$new"
}

check "a difference of 1,000 in 2,000,000 instructions is found exactly, by two runs" difference_is_exact
check "with the sides exchanged the verdict is better" other_way_round
check "a difference of 0.05 % is below the minimum effect, and shown exactly" too_small_to_matter
check "a program is the same as itself" itself
check "the same in runs without rounds" one_after_the_other
check "a limit is crossed by the first instruction beyond it" gates
