#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pstat without /proc and /sys, in a mount namespace. The sanitizers and valgrind need /proc
# themselves.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

# unmounted ARG...: run pstat with empty folders as /proc and /sys
unmounted()
{
	status=0
	timeout --foreground --kill-after=5 "$patience" unshare -m sh -c \
		'mount -t tmpfs none /proc && mount -t tmpfs none /sys && exec "$@"' sh "$bare_pstat" "$@" \
		>out 2>err </dev/null || status=$?
}

setup()
{
	cd "$BATS_TEST_TMPDIR" || return
	needs_root
	unshare -m mount -t tmpfs none /proc || skip "nothing may be mounted here"
}

@test "the message about a missing PMU reports that /sys is not mounted" {
	unmounted -e uprobe:/bin/sh:main true
	ends_with_status 125
	says "pstat: -e 'uprobe:/bin/sh:main', column 1: the PMU 'uprobe' cannot be found: /sys is not mounted (mount -t sysfs sysfs /sys)"
	unmounted -e msr/tsc/ true
	ends_with_status 125
	says "pstat: -e 'msr/tsc/', column 1: unknown event 'msr/tsc/' (/sys is not mounted, so no PMU can be found: mount -t sysfs sysfs /sys)"
	unmounted -e cycles true
	ends_with_status 0
	grep -q 'pstat: cycles: not supported: ' err || skip "this machine counts cycles"
	grep -q ', and /sys, which lists the PMUs, is not mounted$' err || fail "no message:" "$(<err)"
}

@test "the message about a missing task reports that /proc is not mounted" {
	unmounted -e cs -p 1 --timeout 10
	ends_with_status 125
	says "pstat: -p 1: /proc is not mounted, so no process can be found (mount -t proc proc /proc)"
	unmounted -e cs -t 1 --timeout 10
	ends_with_status 125
	says "pstat: -t 1: /proc is not mounted, so no thread can be found (mount -t proc proc /proc)"
}

@test "a command is counted even without /proc and /sys" {
	needs_counting kernel
	unmounted -x, -e page-faults true
	ends_with_status 0
	within "page faults" 1 "$(field 1 page-faults)" 100000
}
