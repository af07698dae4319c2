#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# scripts/record-machine: a recording of this machine behaves like this machine.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

@test "a recorded machine lists and encodes events as the machine itself does" {
	"${TOP_SRCDIR:?}/scripts/record-machine" "A test." >this.tree
	is "the first line" "$(head -n 1 this.tree)" "# A test."
	"${FIXTURES:?}/unpack" ./this.tree recorded
	for list in '--list *-clock' '--list msr/*' '--explain software/config=2/u'; do
		# shellcheck disable=SC2086 # words
		pstat $list
		grep -v '^kernel ' out >here || true
		# shellcheck disable=SC2086
		pstat --sysroot recorded $list
		grep -v '^kernel ' out >there || true
		is "$list" "$(<there)" "$(<here)"
		[ -s here ] || [[ $list == *msr* ]] || fail "no output from $list"
	done
}

@test "a recorded machine does not contain the name of the host" {
	"${TOP_SRCDIR:?}/scripts/record-machine" >this.tree
	is "host names" "$(grep -cF hostname this.tree || true)" 0
	is "recordings of /proc/cpuinfo" "$(grep -c '^proc/cpuinfo' this.tree)" 1
}
