#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Each system call of pstat made to fail in turn, by strace. Not under the sanitizers, which make many of
# their own, and do not live with those that fail.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

# More than a pipe holds, and than a buffer of stdio's.
large=duration_time$(printf ',duration_time%.0s' {1..2999})

setup()
{
	cd "$BATS_TEST_TMPDIR" || return
}

# Nothing but what the tests make.
is_clean()
{
	is "$format: what else is there" \
		"$(find . -mindepth 1 ! -name out ! -name err ! -name old)" ""
}

needs_strace()
{
	needs_command strace
	strace -o /dev/null true 2>/dev/null || skip "strace may not trace here"
}

# fails_at CALL ERROR N FILE: the Nth CALL of pstat is that error, with the result in FILE. False: there is
# none. The result is the whole file, or 125, the reason and the old one; and nothing else is there.
fails_at()
{
	status=0
	echo before >old
	ASAN_OPTIONS=detect_leaks=0 strace -qq -o trace -e "trace=$1" -e "inject=$1:error=$2:when=$3" \
		"$bare_pstat" -x, -e "$large" -o old true >out 2>err </dev/null || status=$?
	grep -q INJECTED trace || return
	rm trace
	case $status in
	0)	is "$*: lines" "$(grep -cE '^[0-9]+,ns,duration_time,[0-9]+,100\.00,,$' old)" 3000 ;;
	125)	is "$*: the file" "$(<old)" before
		grep -q '^pstat: .' err || fail "$*: not told" "$(<err)" ;;
	*)	fail "$*: status $status" "$(<err)" ;;
	esac
	is_clean
}

@test "whichever system call fails, the file is the old one or the new one, and nothing is left" {
	local call n error failures=0

	needs_strace
	for call in write:ENOSPC write:EIO write:EDQUOT fsync:EIO fsync:EDQUOT close:EIO close:EINTR \
		rename:ENOSPC rename:EIO rename:EBUSY rename:EPERM fchmod:EPERM fchmod:EIO \
		getxattr:EIO getxattr:EACCES fremovexattr:EPERM openat:EMFILE openat:ENOSPC \
		mmap:ENOMEM brk:ENOMEM ftruncate:EIO fallocate:ENOSPC; do
		error=${call#*:}
		# the first calls of mmap and openat are the loader's
		for ((n = 1; ; n++)); do
			[[ $call != mmap* && $call != openat* && $call != brk* ]] || [ "$n" -gt 1 ] || n=10
			format="$call $n"
			fails_at "${call%:*}" "$error" "$n" || break
			[ "$status" -eq 0 ] || failures=$((failures + 1))
		done
		rm -f trace
	done
	within "calls whose error is one of pstat's" 8 "$failures" 1000
}
