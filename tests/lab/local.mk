# SPDX-License-Identifier: GPL-2.0-or-later
# The emulated machine with a real PMU

lab_tests = tests/lab/run

lab_files = \
	tests/lab/README \
	tests/lab/build \
	tests/lab/fetch \
	tests/lab/guest/attach.sh \
	tests/lab/guest/breakpoints.sh \
	tests/lab/guest/by-name/cost.sh \
	tests/lab/guest/by-name/errors.sh \
	tests/lab/guest/by-name/times.sh \
	tests/lab/guest/cgroup.sh \
	tests/lab/guest/compare.sh \
	tests/lab/guest/enabled.sh \
	tests/lab/guest/groups.sh \
	tests/lab/guest/hotplug.sh \
	tests/lab/guest/interval.sh \
	tests/lab/guest/known.sh \
	tests/lab/guest/multiplex.sh \
	tests/lab/guest/names.sh \
	tests/lab/guest/paranoid.sh \
	tests/lab/guest/passes.sh \
	tests/lab/guest/per-process.sh \
	tests/lab/guest/pinned.sh \
	tests/lab/guest/probes.sh \
	tests/lab/guest/region.sh \
	tests/lab/guest/short-intervals.sh \
	tests/lab/guest/system.sh \
	tests/lab/guest/tasks.sh \
	tests/lab/guest/topdown.sh \
	tests/lab/init \
	tests/lab/lib.sh \
	tests/lab/programs/calls.S \
	tests/lab/programs/children.S \
	tests/lab/programs/crowd.S \
	tests/lab/programs/entering.S \
	tests/lab/programs/growing.S \
	tests/lab/programs/known.S \
	tests/lab/programs/lab.h \
	tests/lab/programs/limited.S \
	tests/lab/programs/pausing.S \
	tests/lab/programs/phases.S \
	tests/lab/programs/region.c \
	tests/lab/programs/shifting.c \
	tests/lab/programs/sleeping.S \
	tests/lab/programs/threads.S \
	tests/lab/programs/touching.S \
	tests/lab/programs/tree.S \
	tests/lab/programs/turns.S

EXTRA_DIST += $(lab_tests) $(lab_files)

# The files that tests/lab/build creates.
clean-local:
	rm -rf tests/lab/work
