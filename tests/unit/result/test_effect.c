/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The minimum effect of events, for all spellings of their names. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "event/event.h"
#include "unit/resolve.h"
#include "unit/test.h"
#include "unit/tree.h"

/* The minimum effects in the manual: of events that repeat exactly, and of all others. */
#define REPEATS 0.001
#define VARIES 0.01

struct spelling {
	int line;
	const char *text;
	double minimum;
};

/* All events that match the spelling on the recorded machine. */
static void check(const char *name, const struct spelling *rows, size_t n)
{
	struct machine machine = { .root = tree_of_machine(name) };

	for (size_t i = 0; i < n; i++) {
		cleanup_with(event_list_release) struct event_list list = { 0 };

		resolve_on(&machine, rows[i].text, &list);
		row_true(&rows[i], list.n > 0);
		for (size_t k = 0; k < list.n; k++)
			row_true(&rows[i], event_is_repeatable(&list.events[k]) ==
						   (rows[i].minimum == REPEATS));
	}
	tree_remove(machine.root);
}

static const struct spelling everywhere[] = {
	{ ROW, "instructions", REPEATS },
	{ ROW, "instructions:u", REPEATS },
	{ ROW, "instructions:ppk", REPEATS },
	{ ROW, "branches", REPEATS },
	{ ROW, "branch-instructions:u", REPEATS },
	{ ROW, "0:1", REPEATS }, /* PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS */
	{ ROW, "page-faults", REPEATS },
	{ ROW, "faults:u", REPEATS },
	{ ROW, "minor-faults", REPEATS },
	{ ROW, "alignment-faults", REPEATS },
	{ ROW, "minor_faults_rusage", REPEATS },
	{ ROW, "mem:0x601040/4:rw", REPEATS },
	{ ROW, "mem:0x401000:x:u", REPEATS },

	{ ROW, "cycles", VARIES },
	{ ROW, "cpu-cycles:u", VARIES },
	{ ROW, "ref-cycles", VARIES },
	{ ROW, "branch-misses:u", VARIES },
	{ ROW, "cache-references", VARIES },
	{ ROW, "cache-misses", VARIES },
	{ ROW, "L1-dcache-loads", VARIES }, /* config is 0, like that of cycles */
	{ ROW, "L1-icache-load-misses", VARIES },
	{ ROW, "LLC-load-misses:u", VARIES },
	{ ROW, "task-clock", VARIES },
	{ ROW, "cpu-clock", VARIES },
	{ ROW, "context-switches", VARIES },
	{ ROW, "cs", VARIES },
	{ ROW, "cpu-migrations", VARIES },
	{ ROW, "major-faults", VARIES },
	{ ROW, "duration_time", VARIES },
	{ ROW, "user_time", VARIES },
	{ ROW, "system_time", VARIES },
	{ ROW, "max_rss", VARIES },
	{ ROW, "major_faults_rusage", VARIES },
	{ ROW, "0:0", VARIES },
	{ ROW, "1:1", VARIES }, /* task-clock: only numbers of a core PMU are event numbers */
};

static void the_kernels_own_names(void **state)
{
	check("vm-no-pmu", everywhere, N_OF(everywhere));
	check("intel-skylake-server", everywhere, N_OF(everywhere));
	check("intel-hybrid", everywhere, 3);
}

static const struct spelling on_intel[] = {
	{ ROW, "cpu/instructions/", REPEATS },
	{ ROW, "cpu/instructions/u", REPEATS },
	{ ROW, "cpu/branch-instructions/", REPEATS },
	{ ROW, "cpu/event=0xc0/", REPEATS },
	{ ROW, "cpu/event=0xc0,umask=0x0/u", REPEATS },
	{ ROW, "cpu/event=0xc0,umask=0x1,name=precise/", REPEATS },
	{ ROW, "cpu/instructions,name=all/", REPEATS },
	{ ROW, "cpu/event=0x00,umask=0x1/", REPEATS }, /* the fixed counter */
	{ ROW, "cpu/event=0xc4,umask=0x20/", REPEATS }, /* near taken branches */
	{ ROW, "cpu/config=0xc0/", REPEATS },
	{ ROW, "cpu/rc0/", REPEATS },
	{ ROW, "rc0", REPEATS },
	{ ROW, "r00c0:u", REPEATS },
	{ ROW, "rc4", REPEATS },
	{ ROW, "r20c4", REPEATS },
	{ ROW, "4:0xc0", REPEATS },

	{ ROW, "cpu/cpu-cycles/", VARIES },
	{ ROW, "cpu/cache-misses/", VARIES },
	{ ROW, "cpu/branch-misses/", VARIES },
	{ ROW, "cpu/event=0x3c/", VARIES },
	/*
	 * the number of instructions, but it counts cycles in which instructions retire or do not
	 */
	{ ROW, "cpu/event=0xc0,cmask=1/", VARIES },
	{ ROW, "cpu/instructions,cmask=1,inv/", VARIES },
	{ ROW, "cpu/instructions,event=0x3c/", VARIES },
	{ ROW, "r10000c0", VARIES },
	{ ROW, "rc5", VARIES },
	{ ROW, "r3c", VARIES },
	{ ROW, "msr/tsc/", VARIES },
	{ ROW, "uncore_imc_0/event=0xc0/", VARIES },
	{ ROW, "power/energy-pkg/", VARIES },
};

static const struct spelling on_hybrid[] = {
	{ ROW, "cpu_core/instructions/", REPEATS },
	{ ROW, "cpu_atom/instructions/u", REPEATS },
	{ ROW, "cpu_atom/event=0xc0/", REPEATS },
	{ ROW, "cpu_*/branch-instructions/", REPEATS },
	{ ROW, "rc0", REPEATS },
	{ ROW, "cpu_atom/event=0x3c/", VARIES },
	{ ROW, "cpu_core/cycles/", VARIES },
};

static const struct spelling on_amd[] = {
	{ ROW, "cpu/instructions/", REPEATS },
	{ ROW, "cpu/event=0xc0/", REPEATS },
	{ ROW, "rc0:u", REPEATS },
	{ ROW, "cpu/branch-instructions/", REPEATS },
	{ ROW, "cpu/event=0xc2/", REPEATS },
	{ ROW, "cpu/event=0x1c2/", VARIES }, /* another event: the bits above bit 8 differ */
	{ ROW, "cpu/event=0xc3/", VARIES },
	{ ROW, "r76", VARIES },
};

static const struct spelling on_arm[] = {
	{ ROW, "armv8_pmuv3_0/inst_retired/", REPEATS },
	{ ROW, "inst_retired:u", REPEATS },
	{ ROW, "armv8_pmuv3_0/event=0x8/", REPEATS },
	{ ROW, "armv8_pmuv3_0/br_retired/", REPEATS },
	{ ROW, "armv8_pmuv3_0/event=0x21/u", REPEATS },
	{ ROW, "r08", REPEATS },
	{ ROW, "armv8_pmuv3_0/inst_spec/", VARIES },
	{ ROW, "armv8_pmuv3_0/br_mis_pred_retired/", VARIES },
	{ ROW, "armv8_pmuv3_0/cpu_cycles/", VARIES },
	{ ROW, "r11", VARIES },
	{ ROW, "r2", VARIES }, /* L1I_TLB_REFILL; instructions on POWER */
};

static const struct spelling on_power[] = {
	{ ROW, "cpu/instructions/", REPEATS },	{ ROW, "cpu/event=0x2/", REPEATS },
	{ ROW, "cpu/event=0x4d05e/", REPEATS }, { ROW, "r500fa", REPEATS },
	{ ROW, "cpu/cpu-cycles/", VARIES },	{ ROW, "r100fc", VARIES },
};

static const struct spelling on_s390[] = {
	{ ROW, "cpum_cf/INSTRUCTIONS/", REPEATS },
	{ ROW, "INSTRUCTIONS", REPEATS },
	{ ROW, "cpum_cf/PROBLEM_STATE_INSTRUCTIONS/", REPEATS },
	{ ROW, "cpum_cf/event=0x1/", REPEATS },
	{ ROW, "cpum_cf/CPU_CYCLES/", VARIES },
	{ ROW, "cpum_cf/event=0x2/", VARIES },
};

static void names_and_numbers_of_core_pmus(void **state)
{
	check("intel-skylake-server", on_intel, N_OF(on_intel));
	check("intel-hybrid", on_hybrid, N_OF(on_hybrid));
	check("amd-zen3", on_amd, N_OF(on_amd));
	check("arm64-server", on_arm, N_OF(on_arm));
	check("power9", on_power, N_OF(on_power));
	check("s390x", on_s390, N_OF(on_s390));
}

#ifdef HAVE_LIBPFM
static const struct spelling of_libpfm4[] = {
	{ ROW, "skl::INST_RETIRED:ANY_P", REPEATS },
	{ ROW, "skl::inst_retired.any_p:u", REPEATS },
	{ ROW, "skl::INST_RETIRED:ANY_P:u=1", REPEATS },
	{ ROW, "skl::INSTRUCTION_RETIRED", REPEATS },
	{ ROW, "skl::INSTRUCTIONS_RETIRED:u", REPEATS },
	{ ROW, "skl::BR_INST_RETIRED", REPEATS },
	{ ROW, "skl::BR_INST_RETIRED:CONDITIONAL", REPEATS },
	{ ROW, "skl::BRANCH_INSTRUCTIONS_RETIRED", REPEATS },
	{ ROW, "icl::INST_RETIRED:ANY", REPEATS },
	{ ROW, "spr::BR_INST_RETIRED:NEAR_CALL:k", REPEATS },
	{ ROW, "amd64_fam19h_zen4::RETIRED_INSTRUCTIONS", REPEATS },
	{ ROW, "amd64_fam19h_zen4::RETIRED_BRANCH_INSTRUCTIONS:u", REPEATS },
	{ ROW, "skl::INST_RETIRED:ANY_P:c=1", VARIES },
	{ ROW, "skl::BR_MISP_RETIRED:ALL_BRANCHES", VARIES },
	{ ROW, "skl::UNHALTED_CORE_CYCLES", VARIES },
	{ ROW, "skl::UOPS_RETIRED:RETIRE_SLOTS", VARIES },
	{ ROW, "nhm::INST_QUEUE_WRITE_CYCLES", VARIES },
	{ ROW, "amd64_fam10h_barcelona::INSTRUCTION_CACHE_FETCHES", VARIES },
	{ ROW, "amd64_fam10h_barcelona::RETIRED_MISPREDICTED_BRANCH_INSTRUCTIONS", VARIES },
};

static void names_of_libpfm4(void **state)
{
	check("vm-no-pmu", of_libpfm4, N_OF(of_libpfm4));
}
#endif

/* Events that do not belong to a PMU, as they are resolved. */
static const struct {
	int line;
	const char *name, *probed;
	unsigned int type;
	double minimum;
} made[] = {
	{ ROW, "syscalls:sys_enter_read", NULL, PERF_TYPE_TRACEPOINT, REPEATS },
	{ ROW, "exceptions:page_fault_user:u", NULL, PERF_TYPE_TRACEPOINT, REPEATS },
	{ ROW, "2:315", NULL, PERF_TYPE_TRACEPOINT, REPEATS },
	{ ROW, "schedule:mine", NULL, PERF_TYPE_TRACEPOINT, REPEATS },
	/* context-switches by another name, and events with external causes */
	{ ROW, "sched:sched_switch", NULL, PERF_TYPE_TRACEPOINT, VARIES },
	{ ROW, "irq:softirq_entry:k", NULL, PERF_TYPE_TRACEPOINT, VARIES },
	{ ROW, "timer:timer_start", NULL, PERF_TYPE_TRACEPOINT, VARIES },
	{ ROW, "uprobe:./prog:work", "./prog", 9, REPEATS },
	{ ROW, "kretprobe:do_sys_openat2", "do_sys_openat2", 8, REPEATS },
	{ ROW, "50:0x8", NULL, 50, VARIES },
};

static void callbacks_and_interruptions(void **state)
{
	for (size_t i = 0; i < N_OF(made); i++) {
		cleanup_free char *name = strdup(made[i].name);
		cleanup_free char *probed = made[i].probed ? strdup(made[i].probed) : NULL;
		struct event event = { .name = name, .probed = probed };

		event.attr.type = made[i].type;
		event.attr.config = 8;
		row_true(&made[i], event_is_repeatable(&event) == (made[i].minimum == REPEATS));
	}
}

/* Events without a PMU's name, as in a document that was written by hand. */
static void an_event_need_not_name_its_pmu(void **state)
{
	struct event event = { .attr = { .type = PERF_TYPE_RAW, .config = 0xc0 } };
	cleanup_free char *name = strdup("rc0");

	event.name = name;
	assert_true(event_is_repeatable(&event));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_kernels_own_names),
		cmocka_unit_test(names_and_numbers_of_core_pmus),
#ifdef HAVE_LIBPFM
		cmocka_unit_test(names_of_libpfm4),
#endif
		cmocka_unit_test(callbacks_and_interruptions),
		cmocka_unit_test(an_event_need_not_name_its_pmu),
	};

	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
