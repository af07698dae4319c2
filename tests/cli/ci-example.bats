#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# scripts/ci-example: a continuous integration step, with each of its outcomes, whatever this
# machine can count, and the workflows of GitHub and GitLab that run this step.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

example=${TOP_SRCDIR:?}/scripts/ci-example
versions=$example
# shellcheck disable=SC2016 # code and Markdown
build='cp "$(pstat/scripts/package)" pstat.deb' table='| event | `old` | `new` | change | verdict |'
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

@test "the name of the folder for temporary files may contain a blank and a quote" {
	mkdir "it's a folder"
	status=0
	TMPDIR="$PWD/it's a folder" "$example/gate" "$versions/words-new.c" "$versions/words-old.c" \
		>out 2>err </dev/null || status=$?
	ends_with_status 0
	summary within
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
	can_count_only max_rss
	larger_versions # than a copy of pstat with sanitizers
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

# commands FILE KEY...: write the shell commands at the path KEY... of a YAML file to ./commands. A KEY
# is a key of a mapping, or the name of a step.
commands()
{
	python3 - "$@" >commands <<-'END'
		import sys, yaml
		node = yaml.safe_load(open(sys.argv[1]))
		for key in sys.argv[2:]:
		    if isinstance(node, list):
		        node, = (step for step in node if step.get("name") == key)
		    else:
		        node = node[key]
		for line in [node] if isinstance(node, str) else node:
		    print(line)
	END
	bash -n commands
	sed -i "s,/usr/share/doc/pstat/examples/ci-example,$example," commands
}

# run_commands: run ./commands in a copy of a repository, like a runner; the output goes to out and err
run_commands()
{
	status=0
	PATH=$PWD/bin:$PATH bash -e commands >out 2>err </dev/null || status=$?
}

# A repository in which the new version of prog.c does more, and the old version is in base/.
repository()
{
	needs_command python3
	needs_module yaml
	mkdir bin base
	ln -s "$PSTAT" bin/pstat
	cp "$example/words-new.c" prog.c
	cp "$example/words-old.c" base/prog.c
}

@test "the GitHub workflow fails, and writes a table to the summary" {
	repository
	export GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=$PWD/summary
	commands "$example/github.yml" jobs compare steps "install pstat" run
	grep -qF "$build" commands
	commands "$example/github.yml" jobs compare steps compare run
	run_commands
	ends_with_status 1
	grep -q '^::error title=pstat%3A ' out
	commands "$example/github.yml" jobs compare steps summary run
	run_commands
	ends_with_status 0
	grep -qxF "$table" summary
	grep -q 'worse than allowed' summary
}

@test "the GitLab job fails, and its artifacts are the result and a table" {
	repository
	git init -q . 2>/dev/null || skip "git is not installed"
	commands "$example/gitlab.yml" performance before_script
	grep -qF "$build" commands
	commands "$example/gitlab.yml" performance script
	git add prog.c base/prog.c
	mv base/prog.c prog.c
	rmdir base
	git -c user.name=test -c user.email=test@example.org commit -qm old prog.c
	CI_MERGE_REQUEST_DIFF_BASE_SHA=$(git rev-parse HEAD)
	export CI_MERGE_REQUEST_DIFF_BASE_SHA
	cp "$example/words-new.c" prog.c
	run_commands
	ends_with_status 1
	commands "$example/gitlab.yml" performance after_script
	run_commands
	ends_with_status 0
	commands "$example/gitlab.yml" performance artifacts paths
	diff commands - <<-END
		comparison.json
		comparison.md
	END
	grep -qxF "$table" comparison.md
	jq -e .sides comparison.json >json
}
