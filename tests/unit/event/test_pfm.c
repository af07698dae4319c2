/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of libpfm4. The expected encodings are from the documents of the vendors: Intel's event
 * lists (event select, unit mask, counter mask …) and AMD's Processor Programming References. The
 * events are encoded for other CPUs than this one: LIBPFM_ENCODE_INACTIVE, which libpfm4 reads once
 * at its start.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "event/resolve.h"
#include "unit/test.h"
#include "unit/tree.h"

static char nowhere[] = "/nonexistent";
static const struct machine machine = { .root = nowhere };

#ifdef HAVE_LIBPFM

#	include "event/source_pfm.c"

/* IA32_PERFEVTSELx and PERF_CTLx: the bits that perf takes from config. */
#	define X86(event, umask) ((event) | (umask) << 8)
#	define EDGE (1 << 18)
#	define ANY_THREAD (1 << 21)
#	define INVERT (1 << 23)
#	define CMASK(n) ((n) << 24)
#	define IN_TX (UINT64_C(1) << 32)
#	define IN_TXCP (UINT64_C(1) << 33)

static const struct {
	int line;
	const char *name;
	uint64_t config, config1;
	const char *excluded; /* modes, from u k h */
} names[] = {
	{ ROW, "skl::INST_RETIRED:ANY_P", X86(0xc0, 0), 0, "" },
	{ ROW, "skl::inst_retired.any_p", X86(0xc0, 0), 0, "" },
	{ ROW, "skl::INST_RETIRED:ANY_P:u", X86(0xc0, 0), 0, "k" },
	{ ROW, "skl::INST_RETIRED:ANY_P:k", X86(0xc0, 0), 0, "u" },
	{ ROW, "skl::INST_RETIRED:ANY_P:u:k", X86(0xc0, 0), 0, "" },
	{ ROW, "skl::INST_RETIRED:ANY_P:intx", X86(0xc0, 0) | IN_TX, 0, "" },
	{ ROW, "skl::UNHALTED_CORE_CYCLES", X86(0x3c, 0), 0, "" },
	{ ROW, "skl::CPU_CLK_THREAD_UNHALTED:THREAD_P:t=1", X86(0x3c, 0) | ANY_THREAD, 0, "" },
	{ ROW, "skl::CPU_CLK_THREAD_UNHALTED:REF_XCLK", X86(0x3c, 0x01), 0, "" },
	{ ROW, "skl::CYCLE_ACTIVITY:STALLS_TOTAL", X86(0xa3, 0x04) | CMASK(4), 0, "" },
	{ ROW, "skl::MEM_LOAD_RETIRED:L3_MISS", X86(0xd1, 0x20), 0, "" },
	{ ROW, "skl::L2_RQSTS:ALL_DEMAND_DATA_RD", X86(0x24, 0xe1), 0, "" },
	{ ROW, "skl::DTLB_LOAD_MISSES:WALK_COMPLETED", X86(0x08, 0x0e), 0, "" },
	{ ROW, "skl::IDQ_UOPS_NOT_DELIVERED:CORE", X86(0x9c, 0x01), 0, "" },
	{ ROW, "skl::UOPS_RETIRED:RETIRE_SLOTS", X86(0xc2, 0x02), 0, "" },
	{ ROW, "skl::LONGEST_LAT_CACHE:MISS", X86(0x2e, 0x41), 0, "" },
	{ ROW, "skl::UOPS_ISSUED:ANY:c=1:i=1", X86(0x0e, 0x01) | CMASK(1) | INVERT, 0, "" },
	{ ROW, "skl::BR_INST_RETIRED:CONDITIONAL", X86(0xc4, 0x01), 0, "" },
	{ ROW, "skl::BR_INST_RETIRED", X86(0xc4, 0), 0, "" }, /* the default unit mask */
	{ ROW, "skl::BR_MISP_RETIRED:ALL_BRANCHES", X86(0xc5, 0), 0, "" },
	{ ROW, "skl::UOPS_DISPATCHED_PORT:PORT_0", X86(0xa1, 0x01), 0, "" },
	/* config1: MSR_OFFCORE_RSP_x, MSR_PEBS_FRONTEND, MSR_PEBS_LD_LAT_THRESHOLD */
	{ ROW, "skl::OFFCORE_RESPONSE_1:DMND_DATA_RD", X86(0xbb, 0x01), 0x10001, "" },
	{ ROW, "skl::OFFCORE_RESPONSE_0:DMND_DATA_RD:L3_HIT:SNP_ANY", X86(0xb7, 0x01), 0x3f801c0001,
	  "" },
	{ ROW, "skl::FRONTEND_RETIRED:DSB_MISS", X86(0xc6, 0x01), 0x11, "" },
	{ ROW, "skl::FRONTEND_RETIRED:IDQ_4_BUBBLES:FE_THRES=12", X86(0xc6, 0x01), 0x400c06, "" },
	{ ROW, "skl::MEM_TRANS_RETIRED:LOAD_LATENCY:ldlat=128", X86(0xcd, 0x01), 128, "" },
	{ ROW, "hsw_ep::INST_RETIRED:ANY_P:intx:intxcp", X86(0xc0, 0) | IN_TX | IN_TXCP, 0, "" },
	{ ROW, "hsw_ep::OFFCORE_RESPONSE_0:any_data:L3_miss_local", X86(0xb7, 0x01), 0x3f80400091,
	  "" },
	{ ROW, "icl::INST_RETIRED:ANY", X86(0x00, 0x01), 0, "" }, /* the fixed counter */
	{ ROW, "icl::TOPDOWN:SLOTS_P", X86(0xa4, 0x01), 0, "" },
	{ ROW, "spr::INST_RETIRED:ANY_P", X86(0xc0, 0), 0, "" },
	{ ROW, "spr::TOPDOWN:SLOTS", X86(0x00, 0x04), 0, "" },
	{ ROW, "spr::OCR:DEMAND_DATA_RD_L3_MISS", X86(0x2a, 0x01), 0x3fbfc00001, "" },
	{ ROW, "spr::BR_MISP_RETIRED:COND", X86(0xc5, 0x11), 0, "" },
	{ ROW, "spr::BR_INST_RETIRED:NEAR_CALL:k", X86(0xc4, 0x02), 0, "u" },
	{ ROW, "spr::FRONTEND_RETIRED:DSB_MISS", X86(0xc6, 0x01), 0x11, "" },
	{ ROW, "spr::EXE_ACTIVITY:BOUND_ON_STORES", X86(0xa6, 0x40) | CMASK(2), 0, "" },
	{ ROW, "spr::ARITH:DIV_ACTIVE", X86(0xb0, 0x09) | CMASK(1), 0, "" },
	{ ROW, "spr::CYCLE_ACTIVITY:STALLS_L3_MISS", X86(0xa3, 0x06) | CMASK(6), 0, "" },
	{ ROW, "spr::UOPS_ISSUED:ANY:i=1:c=1", X86(0xae, 0x01) | CMASK(1) | INVERT, 0, "" },
	{ ROW, "amd64_fam19h_zen3::RETIRED_INSTRUCTIONS", X86(0xc0, 0), 0, "" },
	{ ROW, "amd64_fam19h_zen3::CYCLES_NOT_IN_HALT:u", X86(0x76, 0), 0, "kh" },
	{ ROW, "amd64_fam19h_zen3::CYCLES_NOT_IN_HALT:h", X86(0x76, 0), 0, "uk" },
	{ ROW, "amd64_fam19h_zen3::RETIRED_TAKEN_BRANCH_INSTRUCTIONS:k", X86(0xc4, 0), 0, "uh" },
	{ ROW, "amd64_fam19h_zen3::RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED", X86(0xc3, 0), 0, "" },
	{ ROW, "amd64_fam19h_zen3::RETIRED_SSE_AVX_FLOPS:ANY", X86(0x03, 0x0f), 0, "" },
	{ ROW, "amd64_fam19h_zen3::LS_DISPATCH:LD_ST_DISPATCH", X86(0x29, 0x04), 0, "" },
	{ ROW, "amd64_fam19h_zen3::MISALIGNED_LOADS:MA64", X86(0x47, 0x01), 0, "" },
	{ ROW, "amd64_fam19h_zen4::RETIRED_INSTRUCTIONS:e=1:c=1", X86(0xc0, 0) | EDGE | CMASK(1), 0,
	  "" },
	{ ROW, "amd64_fam19h_zen4::RETIRED_SSE_AVX_FLOPS:ANY", X86(0x03, 0x1f), 0, "" },
	{ ROW, "amd64_fam19h_zen4::RETIRED_OPS:c=8:i=1", X86(0xc1, 0) | CMASK(8) | INVERT, 0, "" },
	{ ROW, "amd64_fam19h_zen4::L1_DTLB_MISS:TLB_RELOAD_4K_L2_HIT", X86(0x45, 0x01), 0, "" },
	{ ROW, "amd64_fam19h_zen4::REQUESTS_TO_L2_GROUP1:RD_BLK_L", X86(0x60, 0x80), 0, "" },
	{ ROW, "amd64_fam19h_zen4::CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS:IC_FILL_MISS",
	  X86(0x64, 0x01), 0, "" },
};

/* Why these names cannot be tested here, or NULL. */
static const char *what_is_missing(void)
{
	cleanup_with(event_list_release) struct event_list list = { 0 };
	cleanup_why struct why why = { 0 };
	int err = resolve_events(&machine, RESOLVE_BY_ALL, "skl::INST_RETIRED:ANY_P", &list, &why);

	if (err == -ELIBACC)
		return "libpfm4 cannot be loaded";
	return err == -ENOENT ? "this libpfm4 has no x86 PMUs" : NULL;
}

static void an_event_has_the_encoding_of_the_vendor(void **state)
{
	for (size_t i = 0; i < N_OF(names); i++) {
		cleanup_with(event_list_release) struct event_list list = { 0 };
		cleanup_why struct why why = { 0 };
		cleanup_str struct str excluded = { 0 };
		const struct perf_event_attr *attr;

		if (resolve_events(&machine, RESOLVE_BY_ALL, names[i].name, &list, &why) < 0)
			print_error("%s\n", why_text(&why, 0));
		row_int(&names[i], list.n, 1);
		attr = &list.events[0].attr;
		row_int(&names[i], attr->type, PERF_TYPE_RAW);
		row_int(&names[i], attr->config, names[i].config);
		row_int(&names[i], attr->config1, names[i].config1);
		row_int(&names[i], attr->config2, 0);
		row_int(&names[i], attr->precise_ip, 0);
		row_int(&names[i], attr->size, sizeof(*attr));
		str_add(&excluded, attr->exclude_user ? "u" : "");
		str_add(&excluded, attr->exclude_kernel ? "k" : "");
		str_add(&excluded, attr->exclude_hv ? "h" : "");
		row_string(&names[i], str_text(&excluded), names[i].excluded);
		row_string(&names[i], list.events[0].name, names[i].name);
		row_string(&names[i], list.events[0].source, "libpfm4");
	}
}

/* Modifiers that libpfm4 does not know. */
static void modifiers_of_perf_may_follow_a_name(void **state)
{
	static const char text[] = "skl::INST_RETIRED:ANY_P:u:D,{skl::INST_RETIRED:ANY_P:pp,"
				   "skl::INST_RETIRED:ANY_P:u}:W";
	cleanup_with(event_list_release) struct event_list list = { 0 };
	cleanup_why struct why why = { 0 };

	assert_int_equal(resolve_events(&machine, RESOLVE_BY_ALL, text, &list, &why), 0);
	assert_int_equal(list.events[0].attr.pinned, 1);
	assert_int_equal(list.events[0].attr.exclude_kernel, 1);
	assert_int_equal(list.events[1].attr.precise_ip, 2);
	assert_true(list.groups[1].weak);
}

static void the_modes_of_the_user_are_kept(void **state)
{
	static const struct {
		int line;
		const char *name;
		bool chosen;
	} rows[] = {
		{ ROW, "skl::INST_RETIRED:ANY_P", false },
		{ ROW, "skl::INST_RETIRED:ANY_P:u", true },
		{ ROW, "skl::INST_RETIRED:ANY_P:k", true },
		{ ROW, "skl::INST_RETIRED:ANY_P:u:k", true },
		{ ROW, "skl::UOPS_ISSUED:ANY:c=1", false },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(event_list_release) struct event_list list = { 0 };
		cleanup_why struct why why = { 0 };

		row_int(&rows[i],
			resolve_events(&machine, RESOLVE_BY_ALL, rows[i].name, &list, &why), 0);
		row_int(&rows[i], list.events[0].modes_chosen, rows[i].chosen);
	}
}

static void the_full_name_is_libpfm4s(void **state)
{
	cleanup_with(event_list_release) struct event_list list = { 0 };
	cleanup_why struct why why = { 0 };

	assert_int_equal(
		resolve_events(&machine, RESOLVE_BY_ALL, "skl::br_inst_retired:u", &list, &why), 0);
	assert_string_equal(list.events[0].name, "skl::br_inst_retired:u");
	assert_memory_equal(list.events[0].full_name, "skl::BR_INST_RETIRED:ALL_BRANCHES:", 34);
	assert_string_equal(list.events[0].pmu, "skl");
}

static const struct {
	int line;
	const char *text;
	int error;
	size_t position;
	const char *parts[3]; /* of the message */
} refused[] = {
	{ ROW, "skl::NOSUCH", -ENOENT, 0, { "unknown event 'skl::NOSUCH'" } },
	{ ROW, "cs,nopmu::CYCLES", -ENOENT, 3, { "unknown event 'nopmu::CYCLES'" } },
	{ ROW,
	  "cs,skl::INST_RETIRED:NOSUCH",
	  -EINVAL,
	  21,
	  { "libpfm4 refuses 'skl::INST_RETIRED:NOSUCH'", "unit masks of INST_RETIRED: ANY",
	    "attributes: " } },
	{ ROW, "skl::CYCLE_ACTIVITY", -EINVAL, 19, { "unit mask", "STALLS_TOTAL" } },
	{ ROW, "skl::INST_RETIRED:ANY_P:c=300", -EINVAL, 18, { "c=300", "attributes: " } },
	{ ROW,
	  "skl::INST_RETIRED:ANY_P:pppp",
	  -EINVAL,
	  27,
	  { "modifier 'p' may be given at most three times" } },
	{ ROW, "skl::INST_RETIRED:ANY_P:freq=100", -EINVAL, 0, { "are for sampling" } },
	{ ROW, "cs,skl::INST_RETIRED:ANY_P:period=100", -EINVAL, 3, { "are for sampling" } },
};

static void an_error_has_a_position(void **state)
{
	for (size_t i = 0; i < N_OF(refused); i++) {
		cleanup_with(event_list_release) struct event_list list = { 0 };
		cleanup_why struct why why = { 0 };

		row_int(&refused[i],
			resolve_events(&machine, RESOLVE_BY_ALL, refused[i].text, &list, &why),
			refused[i].error);
		for (size_t j = 0; j < N_OF(refused[i].parts) && refused[i].parts[j]; j++)
			if (!strstr(why_text(&why, -EINVAL), refused[i].parts[j]))
				row_string(&refused[i], why_text(&why, -EINVAL),
					   refused[i].parts[j]);
		row_int(&refused[i], why.position, refused[i].position);
	}
}

/* A libpfm4 that has one event, of the PMU with this name. */
static const char *only_pmu;

static pfm_err_t only_event_info(int event, pfm_os_t os, pfm_event_info_t *out)
{
	(void)os;
	out->pmu = PFM_PMU_NONE;
	return event == 0 ? PFM_SUCCESS : PFM_ERR_INVAL;
}

static pfm_err_t only_pmu_info(pfm_pmu_t pmu, pfm_pmu_info_t *out)
{
	(void)pmu;
	out->name = only_pmu;
	return PFM_SUCCESS;
}

static void the_type_is_that_of_the_described_machine(void **state)
{
	static const struct {
		int line;
		const char *machine, *pmu;
		uint32_t type;
	} rows[] = {
		{ ROW, "intel-hybrid", "adl_glc", PERF_TYPE_RAW },
		{ ROW, "intel-hybrid", "adl_grt", 10 },
		{ ROW, "intel-hybrid", "skl", PERF_TYPE_RAW },
		{ ROW, "intel-skylake-server", "adl_grt", PERF_TYPE_RAW },
	};
	const struct pfm pfm = { .event_info = only_event_info, .pmu_info = only_pmu_info };

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(event_list_release) struct event_list list = { 0 };
		const struct machine described = { .root = tree_of_machine(rows[i].machine) };
		struct encoding encoding = { .attr.type = PERF_TYPE_RAW, .cpu = -1 };

		only_pmu = rows[i].pmu;
		row_int(&rows[i], pfm_add_event(&described, &pfm, "EVENT", &encoding, &list), 0);
		row_int(&rows[i], list.events[0].attr.type, rows[i].type);
		row_string(&rows[i], list.events[0].pmu, rows[i].pmu);
		tree_remove(described.root);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_event_has_the_encoding_of_the_vendor),
		cmocka_unit_test(modifiers_of_perf_may_follow_a_name),
		cmocka_unit_test(the_modes_of_the_user_are_kept),
		cmocka_unit_test(the_full_name_is_libpfm4s),
		cmocka_unit_test(an_error_has_a_position),
		cmocka_unit_test(the_type_is_that_of_the_described_machine),
	};
	const char *missing;

	if (setenv("LIBPFM_ENCODE_INACTIVE", "1", 1) < 0)
		return 99;
	missing = what_is_missing();
	if (missing) {
		printf("skipped: %s\n", missing);
		return 77;
	}
	return cmocka_run_group_tests_name("pfm", tests, NULL, NULL);
}

#else

static void without_libpfm4_its_names_say_so(void **state)
{
	cleanup_with(event_list_release) struct event_list list = { 0 };
	cleanup_why struct why why = { 0 };

	assert_int_equal(resolve_events(&machine, RESOLVE_BY_ALL, "cs,skl::UOPS:u", &list, &why),
			 -EINVAL);
	assert_string_equal(why_text(&why, -EINVAL),
			    "'skl::UOPS:u' needs libpfm4; this pstat was built without it");
	assert_int_equal(why.position, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_libpfm4_its_names_say_so),
	};

	return cmocka_run_group_tests_name("pfm", tests, NULL, NULL);
}

#endif
