# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A recorded machine with invented counts (tests/perf/counts.c), for the bats files of this folder.
# shellcheck disable=SC2034 # used by the files that source this one

devices=sys/bus/event_source/devices

# on MACHINE ARG...: run pstat, or $pstat_on, with ARG... where the PMUs are those of the recorded machine
on()
{
	local machine=$1 device name number=1000 core=900

	shift
	[ -d "$machine" ] || {
		"$FIXTURES/unpack" "$machine" "$machine"
		for device in "$machine/$devices"/*; do
			name=${device##*/}
			case $name in
			cpu|cpu_core|software|tracepoint|breakpoint)	;;
			cpu_atom)	echo $((core++)) >"$device/type" ;;
			*)		echo $((number++)) >"$device/type" ;;
			esac
		done
	}
	status=0
	# shellcheck disable=SC2016 # for the other shell
	unshare -m sh -c 'mount --bind "$0" "/$1" && shift && exec env "$@"' "$machine/$devices" "$devices" \
		LD_PRELOAD="$TOP_BUILDDIR/tests/perf/counts.so" COUNT_RUNS=1 "${pstat_on:-$PSTAT}" "$@" \
		>out 2>err </dev/null || status=$?
}

needs_recorded_machine()
{
	needs_root
	unshare -m mount --bind / / 2>/dev/null || skip "no file system can be mounted here"
	needs_counting user
}
