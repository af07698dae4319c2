#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# scripts/ci-example: a continuous integration step, with each of its outcomes, whatever this
# machine can count.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

example=${TOP_SRCDIR:?}/scripts/ci-example
versions=$example
real_pstat=$PSTAT

setup()
{
	cd "$BATS_TEST_TMPDIR" || return
	needs_command cc
	pstat -n -r 1 -c true -c true
	! grep -q 'libRmath' err || skip "libRmath is not installed"
	unset GITHUB_ACTIONS CC CFLAGS RUNS
}

# gate OLD NEW: compare these versions; the output goes to the files out and err
gate()
{
	status=0
	TMPDIR=$PWD "$example/gate" "$versions/words-$1.c" "$versions/words-$2.c" >out 2>err \
		</dev/null || status=$?
	is "remaining files" "$(find . -mindepth 1 -type d)" ""
}

# Both versions, with 16 MiB more memory.
larger_versions()
{
	local version

	for version in old new; do
		cat "$example/words-$version.c" - >"words-$version.c" <<-'END'
			#include <string.h>
			static char more[16 << 20];
			static __attribute__((constructor)) void touch(void)
			{
				memset(more, 1, sizeof(more));
			}
		END
	done
	versions=$PWD
}

# can_count_only GLOB: write ./limited, a pstat that finds only the events that match GLOB
can_count_only()
{
	cat >limited <<-END
		#!/bin/sh
		case \$* in
		"--strict -e "$1" "*) ;;
		"--strict -e "*) echo "pstat: not here" >&2; exit 125 ;;
		esac
		exec "$real_pstat" "\$@"
	END
	chmod +x limited
	PSTAT=$PWD/limited
}

# summary WORDS: the last line is about the limit and contains WORDS
summary()
{
	tail -n 1 out >last
	grep -qE "^pstat: (instructions:u|page-faults:u|max_rss) .* $1 allowed \+[0-9.]+ %" last ||
		fail "the last line is:" "$(<last)"
}

@test "a version that does more crosses the limit: 1" {
	gate old new
	ends_with_status 1
	summary "worse than"
}

@test "a version that does less keeps the limit: 0" {
	gate new old
	ends_with_status 0
	summary within
}

@test "the same version keeps the limit: 0" {
	setarch -R true 2>/dev/null || skip "personality(ADDR_NO_RANDOMIZE) is refused here"
	gate old old
	ends_with_status 0
	summary within
}

@test "one run of each version is inconclusive: 2" {
	RUNS=1 gate old new
	ends_with_status 2
	summary "not judged,"
	grep -q 'too few runs: 8 needed' last
}

@test "without hardware counters the limit applies to page faults; without any events, to memory" {
	needs_counting user
	can_count_only page-faults:u
	gate old new
	ends_with_status 1
	grep -qx 'gate: instructions:u is not used as the limit, because it cannot be counted here:' err
	grep -qx 'pstat: not here' err
	grep -q '^pstat: page-faults:u .* worse than allowed +1 %$' out
	# max_rss is unknown below pstat's own
	can_count_only max_rss
	gate old new
	ends_with_status 2
	grep -q '^pstat: max_rss of old is unknown' err
	larger_versions
	gate old new
	ends_with_status 1
	grep -q '^pstat: max_rss .* worse than allowed +5 %$' out
	gate new old
	ends_with_status 0
	can_count_only nothing
	gate old new
	ends_with_status 125
	grep -qx 'gate: nothing can be counted here' err
}

@test "in a GitHub workflow the outcome is an annotation" {
	GITHUB_ACTIONS=true gate old new
	ends_with_status 1
	grep -qE '^::error title=pstat%3A .* worse than allowed \+' out
	GITHUB_ACTIONS=true gate new old
	ends_with_status 0
	grep -qE '^::notice title=pstat%3A .* within allowed \+' out
	GITHUB_ACTIONS=true RUNS=1 gate new old
	ends_with_status 2
	grep -qE '^::warning title=pstat%3A ' out
}

@test "a failed build does not count as a crossed limit: 125" {
	CC=false gate old new
	ends_with_status 125
	grep -q '/words-old.c cannot be built$' err
}
