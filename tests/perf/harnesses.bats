#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Harnesses in several languages call perf stat and read its output. They work with pstat, unchanged.
# They also work with perf itself, so they expect nothing that only pstat does.

. "${TOP_SRCDIR:?}/tests/cli/lib.bash"

harnesses=${BATS_TEST_DIRNAME:?}/harness
machine=intel-icelake-server

# A folder with the shim as perf, for this machine (real) and for the fake kernel (invented)
setup()
{
	local mode

	cd "$BATS_TEST_TMPDIR" || return
	needs_cpus
	export XDG_CACHE_HOME=$PWD/cache
	for mode in real invented; do
		mkdir -p $mode/bin $mode/as-perf
		cp "$TOP_SRCDIR/scripts/perf-stat-shim" $mode
		ln -s ../perf-stat-shim $mode/bin/perf
	done
	ln -s "$TOP_BUILDDIR/as-perf/perf" real/as-perf/perf
	make_machine
	printf '%s\n' '#!/bin/sh' "exec env ${invented[*]@Q} '$TOP_BUILDDIR/as-perf/perf' \"\$@\"" >invented/as-perf/perf
	mkdir talkative
	printf '%s\n' '#!/bin/sh' 'echo "perf: a message" >&2' "exec '$PWD/invented/bin/perf' \"\$@\"" >talkative/perf
	chmod +x invented/as-perf/perf talkative/perf
	PATH=$programs:$PATH
}

# Make the recorded machine, and set $invented to the variables for a pstat on the fake kernel.
make_machine()
{
	"${FIXTURES:?}/unpack" $machine root
	mkdir -p root/proc/self
	touch root/proc/self/mounts root/proc/mounts root/proc/self/clear_refs root/proc/self/status
	invented=("FAKE_ROOT=$PWD/root" "LD_PRELOAD=$TOP_BUILDDIR/tests/same/fake_kernel.so")
}

# use HARNESS: compile it if it is not a script, and set $harness
use()
{
	harness=$harnesses/$1
	case $1 in
	*.py)	needs_command python3 ;;
	*.cc)	needs_command g++
		g++ -std=c++17 -Wall -Wextra -Werror -o compiled "$harness" 2>log || fail "g++ failed" "$(<log)"
		harness=$PWD/compiled ;;
	esac
}

# passes FOLDER EXPECTED...: run $harness with FOLDER first in PATH
passes()
{
	mkdir -p work
	(cd work && PATH=$1:$PATH timeout "$patience" "$harness" "${@:2}") >log 2>&1 </dev/null
}

# Set $expected to the counts of `faults 3000` on this machine.
expect_real_counts()
{
	expected=(3000 3200 any)
	[[ "$(count cycles:u -e cycles:u true)" != "<not "* ]] || expected[2]=none
}

# Set $expected to the counts on the fake kernel, according to pstat's own CSV.
expect_invented_counts()
{
	local faults cycles

	env "${invented[@]}" "$bare_pstat" --format csv -e page-faults:u,cycles:u faults 3000 2>rows
	{ read -r; IFS=, read -r -a faults; IFS=, read -r -a cycles; } <rows
	expected=("${faults[10]}" "${faults[10]}" "${cycles[10]}")
}

# works_with_pstat HARNESS: it passes with pstat, and fails if anything is different
works_with_pstat()
{
	use "$1"
	expect_real_counts
	passes "$PWD/real/bin" "${expected[@]}" || fail "on this machine (${expected[*]}):" "$(<log)"
	expect_invented_counts
	passes "$PWD/invented/bin" "${expected[@]}" || fail "on the fake kernel (${expected[*]}):" "$(<log)"
	! passes "$PWD/invented/bin" $((expected[0] + 1)) $((expected[1] + 1)) "${expected[2]}" ||
		fail "it does not notice another number of page faults"
	! passes "$PWD/invented/bin" "${expected[@]:0:2}" $((expected[2] + 1)) ||
		fail "it does not notice another number of cycles"
	! passes "$PWD/talkative" "${expected[@]}" || fail "it does not notice a message"
}

@test "a harness in Python reads CSV, JSON and the table" {
	works_with_pstat harness.py
}

@test "a harness in C++ reads pipes and files" {
	works_with_pstat harness.cc
}

@test "a harness in Perl matches the whole output with patterns" {
	works_with_pstat harness.pl
}

@test "a harness in shell uses grep, awk, cut and sed" {
	works_with_pstat harness.sh
}

@test "the profilers of JMH, a harness for Java, find and read their events" {
	works_with_pstat perfnorm.sh
}

@test "events of uncore PMUs have perf's names and perf's title" {
	local events=uncore_imc/cas_count_read/,duration_time

	env "${invented[@]}" "$bare_pstat" -x, --no-merge -e uncore_imc/cas_count_read/ true 2>rows
	is "names" "$(cut -d, -f 3 rows | sort -V | sed -n '1p;$p' | tr '\n' ' ')" \
		"uncore_imc_0/cas_count_read/ uncore_imc_11/cas_count_read/ "
	env "${invented[@]}" "$bare_pstat" -x, --no-merge -e cas_count_read true 2>rows
	is "plain names" "$(grep -c ',cas_count_read \[uncore_imc_[0-9]*\],' rows)" 12
	env "${invented[@]}" "$bare_pstat" -e "$events" --save document true 2>table
	grep -qx " Performance counter stats for 'system wide':" table || fail "$(<table)"
	is "lines of user and system time" "$(grep -cE 'seconds (user|sys)' table || true)" 0
	"$PSTAT" --show document >shown
	grep -qx " Performance counter stats for 'system wide':" shown || fail "$(<shown)"
	env "${invented[@]}" "$bare_pstat" -e "$events,cs" true 2>table
	grep -qx " Performance counter stats for 'true':" table || fail "$(<table)"
	is "lines of user and system time" "$(grep -cE 'seconds (user|sys)' table || true)" 2
}

# perf 6.1 sometimes loses the counts after the last full interval of -I, so perf has three attempts.
@test "the harnesses pass with perf itself" {
	local name attempt

	needs_command perf
	expect_real_counts
	for name in harness.py harness.cc harness.pl harness.sh perfnorm.sh; do
		use $name
		for attempt in 1 2 3; do
			! passes /nowhere "${expected[@]}" || continue 2
		done
		fail "$name, attempt $attempt:" "$(<log)"
	done
}
