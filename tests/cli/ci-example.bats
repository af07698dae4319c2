#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# scripts/ci-example: a continuous integration step, with each of its outcomes, whatever this
# machine can count, and the workflows of GitHub and GitLab that run this step.

# shellcheck disable=SC2030,SC2031 # a test is a shell of its own
. "${BATS_TEST_DIRNAME:?}/lib.bash"

example=${TOP_SRCDIR:?}/scripts/ci-example
versions=$example
# shellcheck disable=SC2016 # code and Markdown
build='cp "$(pstat/scripts/package)" pstat.deb' table='| measure | `old` | `new` | change | verdict |'
real_pstat=$PSTAT

setup()
{
	cd "$BATS_TEST_TMPDIR" || return
	needs_command cc
	needs_math
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

# cannot_count NAME...: write ./limited, a pstat for which the gates on these events are on an event
# that no kernel has
cannot_count()
{
	local name

	{
		echo '#!/bin/bash'
		for name; do
			echo "set -- \"\${@//$name>/1:999:u>}\""
		done
		echo "exec '$real_pstat' \"\$@\""
	} >limited
	chmod +x limited
	PSTAT=$PWD/limited
}

# summary OUTCOME: the last line is about the limit and has OUTCOME
summary()
{
	tail -n 1 out >last
	grep -qE "^pstat: (instructions:u|task-clock|user_time) .*, limit \+[0-9.]+ %: $1" last ||
		fail "the last line is:" "$(<last)"
}

@test "a version that does more crosses the limit: 1" {
	gate old new
	ends_with_status 1
	summary crossed
}

@test "the name of the folder for temporary files may contain a blank and a quote" {
	mkdir "it's a folder"
	status=0
	TMPDIR="$PWD/it's a folder" "$example/gate" "$versions/words-new.c" "$versions/words-old.c" \
		>out 2>err </dev/null || status=$?
	ends_with_status 0
	summary kept
}

@test "a version that does less keeps the limit: 0" {
	gate new old
	ends_with_status 0
	summary kept
}

@test "the same version keeps the limit: 0; or 2, if only times can be counted" {
	setarch -R true 2>/dev/null || skip "personality(ADDR_NO_RANDOMIZE) is refused here"
	gate old old
	if grep -q '^pstat: instructions:u .*, limit ' out; then
		ends_with_status 0
		summary kept
	else
		[ "$status" -ne 1 ] || fail "crossed" "$(<out)"
	fi
}

@test "one run of each version is inconclusive: 2" {
	RUNS=1 gate old new
	ends_with_status 2
	summary "not judged"
	grep -qE 'too few runs: [6-8] needed' last
}

@test "without hardware counters the limit is on the CPU time; without any events, in user mode" {
	needs_counting user
	cannot_count instructions:u
	gate old new
	ends_with_status 1
	grep -q "^pstat: --fail-if '1:999:u>+0.5%': .*; the gate is 'task-clock>+5%'$" err || fail "$(<err)"
	grep -q '^pstat: task-clock .*, limit +5 %: crossed$' out
	gate new old
	ends_with_status 0
	cannot_count instructions:u task-clock
	gate old new
	grep -q "; the gate is 'user_time>+5%'$" err || fail "$(<err)"
	grep -q '^pstat: user_time .*, limit +5 %: ' out
}

@test "with HISTORY the limits follow from earlier results" {
	echo 'time,commit,command,instructions:u,task-clock' >history.csv
	printf '2026-01-%02dT12:00:00Z,c%d,words,1000,10\n' 1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 8 9 9 10 10 11 11 >>history.csv
	HISTORY=history.csv gate old new
	ends_with_status 1
	grep -qE '^pstat: (instructions:u|task-clock) .*, limit \+0.10 % \(from 10 changes\): crossed$' out ||
		fail "$(<out)"
}

@test "in a GitHub workflow the outcome is an annotation" {
	GITHUB_ACTIONS=true gate old new
	ends_with_status 1
	grep -qE '^::error title=pstat%3A .*: crossed' out
	GITHUB_ACTIONS=true gate new old
	ends_with_status 0
	grep -qE '^::notice title=pstat%3A .*: kept' out
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
	grep -q ': crossed' summary
}

@test "inconclusive runs are a warning in both workflows" {
	repository
	export GITHUB_ACTIONS=true RUNS=1
	commands "$example/github.yml" jobs compare steps compare run
	run_commands
	ends_with_status 0
	grep -q '^::warning title=pstat%3A ' out
	python3 - "$example/gitlab.yml" <<-'END'
		import sys, yaml
		assert yaml.safe_load(open(sys.argv[1]))["performance"]["allow_failure"] == {"exit_codes": 2}
	END
}

@test "the GitLab job fails, and its artifacts are the result and a table" {
	needs_command jq
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
