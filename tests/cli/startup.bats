#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The start of pstat: the libraries that it loads, and the programs that it executes.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

# loads ARG...: print the libraries that pstat loads, according to the dynamic linker
loads()
{
	# ld.so writes one file for each process. The file of pstat contains its name.
	LD_DEBUG=files LD_DEBUG_OUTPUT=$PWD/loaded "$bare_pstat" "$@" >out 2>err </dev/null || true
	cat loaded.* >all
	rm loaded.*
	sed -nE 's/.*calling init: (.*)/\1/p' all
}

@test "libpfm4 is not loaded unless a name needs it" {
	local words

	pstat --version
	for words in '-n true' '-e page-faults,r1a,1:2,software/config=1/,L1-dcache-loads,user_time true' \
		'true' '-ddd true' --help --version '--explain cs'; do
		# shellcheck disable=SC2086 # words
		! loads $words | grep pfm >&2 || fail "loaded by: $words"
	done
	grep -q '^libpfm4 names: yes' out || pstat --version
	grep -q '^libpfm4 names: yes' out || skip "built without libpfm4: it is never loaded"
	loads -e perf::PERF_COUNT_SW_PAGE_FAULTS true | grep -q pfm || fail "not loaded for its own event name"
}

@test "a refused string does not load libpfm4 if the mistake precedes any name that needs it" {
	! loads -e '{cs' true | grep pfm >&2 || fail "loaded"
	! loads -e 'cs:z' true | grep pfm >&2 || fail "loaded"
}

@test "the command is found as execvp finds it: in the folders of PATH, in their order" {
	mkdir one two
	printf '#!/bin/sh\necho one\n' >one/tool
	printf '#!/bin/sh\necho two\n' >two/tool
	chmod +x two/tool
	PATH=$PWD/none:$PWD/one:$PWD/two:$PATH pstat -n tool
	ends_with_status 0
	is "the second is executable" "$(<out)" two
	chmod +x one/tool
	PATH=$PWD/one:$PWD/two:$PATH pstat -n tool
	is "the first now is" "$(<out)" one
	printf '#!/bin/sh\necho here\n' >tool
	chmod +x tool
	PATH=:$PWD/one:$PATH pstat -n tool
	is "an empty folder is this one" "$(<out)" here
	pstat -n ./one/tool
	is "a name with a slash" "$(<out)" one
	mkdir folder folder/tool
	PATH=$PWD/folder:$PWD/two:$PATH pstat -n tool
	is "a folder of that name is none" "$(<out)" two
}

@test "without PATH, the system's default folders are searched" {
	status=0
	env -u PATH "$bare_pstat" -n true >out 2>err </dev/null || status=$?
	ends_with_status 0
}

@test "exactly one program is executed, and no shell" {
	local option

	needs_command strace
	strace -o trace true 2>/dev/null || skip "strace may not trace here"
	for option in '' -i; do
		# LeakSanitizer cannot examine a traced process.
		# shellcheck disable=SC2016,SC2086 # a word to be left alone; words
		ASAN_OPTIONS=detect_leaks=0 strace -f -e trace=execve -o trace "$bare_pstat" $option \
			-e page-faults:u true '$HOME' >out 2>err </dev/null
		is "programs executed under pstat" "$(grep -c 'execve(.* = 0' trace)" 2
		is "the last one" "$(sed -nE 's/.*execve\("([^"]*)".* = 0$/\1/p' trace | tail -n 1)" \
			"$(type -P true)"
	done
}

@test "one more run needs one more process" {
	needs_command strace
	strace -o trace true 2>/dev/null || skip "strace may not trace here"
	ASAN_OPTIONS=detect_leaks=0 strace -f -e trace=clone,clone3,fork,vfork -o trace \
		"$bare_pstat" -e page-faults:u true >out 2>err </dev/null
	is "processes started" "$(grep -cE '(clone3?|v?fork)\(.* = [0-9]+$|resumed.* = [0-9]+$' trace)" 1
}
