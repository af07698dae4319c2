/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
/* for their static functions */
#include "event/source_sysfs.c"
#include "machine/pmu.c"
#include "unit/test.h"
#include "unit/tree.h"

#define DEVICES "sys/bus/event_source/devices/"

static const struct {
	int line;
	const char *text;
	unsigned int word, width;
	uint64_t value;
	uint64_t filled; /* the word after the value is filled in */
} accepted[] = {
	{ ROW, "config:0-7", 0, 8, 0xab, 0xab },
	{ ROW, "config:0", 0, 1, 1, 1 },
	{ ROW, "config:63", 0, 1, 1, UINT64_C(1) << 63 },
	{ ROW, "config:8-15", 0, 8, 0xab, 0xab00 },
	{ ROW, "config1:0-63", 1, 64, UINT64_MAX, UINT64_MAX },
	{ ROW, "config2:4", 2, 1, 1, 0x10 },
	{ ROW, "config3:0-1", 3, 2, 3, 3 },
	{ ROW, "config4:5", 4, 1, 1, 0x20 },
	/* scattered: the bits of the value, lowest first, go to the ranges from left to right */
	{ ROW, "config1:1,6-10,44", 1, 7, 0x7f, 0x1000000007c2 },
	{ ROW, "config1:1,6-10,44", 1, 7, 0x01, 0x2 },
	{ ROW, "config1:1,6-10,44", 1, 7, 0x02, 0x40 },
	{ ROW, "config1:1,6-10,44", 1, 7, 0x20, 0x400 },
	{ ROW, "config1:1,6-10,44", 1, 7, 0x40, 0x100000000000 },
	{ ROW, "config:0-7,32-35", 0, 12, 0x5c3, 0x5000000c3 }, /* the event field of AMD */
	{ ROW, "config:21,18", 0, 2, 1, 0x200000 }, /* in the order of the text, not sorted */
	{ ROW, "config:0-7,21", 0, 9, 0x1ff, 0x2000ff },
};

static void values_go_to_the_bits_of_their_format(void **state)
{
	for (size_t i = 0; i < N_OF(accepted); i++) {
		uint64_t words[PMU_CONFIG_WORDS] = { 0 };
		struct pmu_format format;

		row_int(&accepted[i], pmu_format_parse(accepted[i].text, &format), 0);
		row_int(&accepted[i], format.word, accepted[i].word);
		row_int(&accepted[i], format.width, accepted[i].width);
		row_int(&accepted[i], pmu_format_fill(&format, accepted[i].value, words), 0);
		for (size_t j = 0; j < PMU_CONFIG_WORDS; j++)
			row_int(&accepted[i], words[j],
				j == accepted[i].word ? accepted[i].filled : 0);
	}
}

static void other_bits_do_not_change(void **state)
{
	uint64_t words[PMU_CONFIG_WORDS] = { 1, 0x10, 2, 3 };
	struct pmu_format format;

	assert_int_equal(pmu_format_parse("config1:1,6-10,44", &format), 0);
	assert_int_equal(pmu_format_fill(&format, 0x41, words), 0);
	assert_int_equal(words[0], 1);
	assert_int_equal(words[1], 0x100000000012);
	assert_int_equal(words[2], 2);
	assert_int_equal(words[3], 3);
}

static void a_value_that_is_too_wide_is_refused_and_changes_nothing(void **state)
{
	static const struct {
		int line;
		const char *text;
		uint64_t value;
	} rows[] = {
		{ ROW, "config:0", 2 },
		{ ROW, "config:0-7", 0x100 },
		{ ROW, "config1:1,6-10,44", 0x80 },
		{ ROW, "config:0-62", UINT64_C(1) << 63 },
		{ ROW, "config:0-7", UINT64_MAX },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		uint64_t words[PMU_CONFIG_WORDS] = { 5, 5, 5, 5, 5 };
		struct pmu_format format;

		row_int(&rows[i], pmu_format_parse(rows[i].text, &format), 0);
		row_int(&rows[i], pmu_format_fill(&format, rows[i].value, words), -ERANGE);
		for (size_t j = 0; j < PMU_CONFIG_WORDS; j++)
			row_int(&rows[i], words[j], 5);
	}
}

static void an_invalid_format_is_refused(void **state)
{
	static const struct {
		int line;
		const char *text;
	} rows[] = {
		{ ROW, "" },
		{ ROW, "config" },
		{ ROW, "config:" },
		{ ROW, "config:," },
		{ ROW, "config:0," },
		{ ROW, "config:,0" },
		{ ROW, "config:0,,1" },
		{ ROW, "config:64" },
		{ ROW, "config:60-64" },
		{ ROW, "config:7-0" },
		{ ROW, "config:0-" },
		{ ROW, "config:-7" },
		{ ROW, "config:0-7-9" },
		{ ROW, "config:a" },
		{ ROW, "config:0x1" },
		{ ROW, "config: 0" },
		{ ROW, "config:0 " },
		{ ROW, "config5:0" },
		{ ROW, "config10:0" },
		{ ROW, "confi:0" },
		{ ROW, "Config:0" },
		{ ROW, "config:0-7 8" },
		{ ROW, "config:0;1" },
		{ ROW, "config:99999999999999999999" },
		{ ROW, "config:0-9,20-13" },
		/* two bits of the value for one bit of the word */
		{ ROW, "config:0,0" },
		{ ROW, "config:0-7,7" },
		{ ROW, "config:0-63,0" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		struct pmu_format format;

		row_int(&rows[i], pmu_format_parse(rows[i].text, &format), -EINVAL);
	}
}

/* Whole machines. */

static void types_are_read_from_sysfs(void **state)
{
	static const struct {
		int line;
		const char *machine, *pmu;
		int err;
		uint32_t type;
	} rows[] = {
		{ ROW, "intel-hybrid", "cpu_core", 0, 4 },
		{ ROW, "intel-hybrid", "cpu_atom", 0, 10 },
		{ ROW, "intel-hybrid", "power", 0, 26 },
		{ ROW, "intel-hybrid", "cpu", -ENOENT, 0 },
		{ ROW, "intel-hybrid", "", -ENOENT, 0 },
		{ ROW, "intel-hybrid", ".", -ENOENT, 0 },
		{ ROW, "intel-hybrid", "..", -ENOENT, 0 },
		{ ROW, "intel-hybrid", "../devices/cpu_core", -ENOENT, 0 },
		{ ROW, "intel-hybrid", "cpu_core/format", -ENOENT, 0 },
		{ ROW, "vm-no-pmu", "msr", 0, 8 },
		{ ROW, "vm-no-pmu", "cpu", -ENOENT, 0 },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		const struct machine m = { .root = tree_of_machine(rows[i].machine) };
		uint32_t type = 0;

		row_int(&rows[i], pmu_type(&m, rows[i].pmu, &type), rows[i].err);
		row_int(&rows[i], type, rows[i].type);
		tree_remove(m.root);
	}
}

static void a_name_stays_in_its_folder(void **state)
{
	const struct machine m = { .root = tree_new() };
	struct pmu_format format;
	char *terms = NULL;
	uint32_t type;

	tree_add(m.root, DEVICES "cpu/events/.hidden", "event=1\n");
	tree_add(m.root, DEVICES "cpu/format/.hidden", "config:0\n");
	tree_add(m.root, "sys/bus/event_source/type", "7\n");
	assert_int_equal(pmu_type(&m, "..", &type), -ENOENT);
	assert_int_equal(sysfs_read_event_terms(&m, "cpu", ".hidden", &terms), -ENOENT);
	assert_int_equal(pmu_format(&m, "cpu", ".hidden", &format), -ENOENT);
	tree_remove(m.root);
}

static void core_pmus_are_recognised(void **state)
{
	static const struct {
		int line;
		const char *machine, *core[2], *other;
	} rows[] = {
		{ ROW, "intel-skylake-server", { "cpu" }, "uncore_imc_0" },
		{ ROW, "intel-hybrid", { "cpu_core", "cpu_atom" }, "uncore_imc_0" },
		{ ROW, "amd-zen4", { "cpu" }, "msr" },
		{ ROW, "power9", { "cpu" }, "software" },
		{ ROW, "s390x", { "cpum_cf" }, "software" },
		{ ROW, "vm-no-pmu", { NULL }, "msr" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		const struct machine m = { .root = tree_of_machine(rows[i].machine) };

		row_int(&rows[i], pmu_any_core(&m), rows[i].core[0] != NULL);
		for (size_t j = 0; j < 2 && rows[i].core[j]; j++)
			row_true(&rows[i], pmu_is_core(&m, rows[i].core[j]));
		row_true(&rows[i], !pmu_is_core(&m, rows[i].other));
		tree_remove(m.root);
	}
}

static void formats_and_events_are_read(void **state)
{
	const struct machine m = { .root = tree_of_machine("intel-hybrid") };
	cleanup_free char *terms = NULL;
	struct pmu_format format;

	assert_int_equal(pmu_format(&m, "cpu_core", "umask", &format), 0);
	assert_int_equal(format.width, 8);
	assert_int_equal(pmu_format(&m, "cpu_core", "nothing", &format), -ENOENT);
	assert_int_equal(pmu_format(&m, "cpu_core", "../type", &format), -ENOENT);
	assert_int_equal(pmu_format(&m, "cpu_core", "", &format), -ENOENT);
	assert_int_equal(sysfs_read_event_terms(&m, "cpu_core", "slots", &terms), 0);
	assert_string_equal(terms, "event=0x00,umask=0x4");
	free(take_ptr(terms));
	assert_int_equal(sysfs_read_event_terms(&m, "cpu_core", "nothing", &terms), -ENOENT);
	assert_int_equal(sysfs_read_event_terms(&m, "cpu_core", "../type", &terms), -ENOENT);
	tree_remove(m.root);
}

static void units_and_scales_are_read(void **state)
{
	static const struct {
		int line;
		const char *event, *unit;
		double scale;
	} rows[] = {
		{ ROW, "energy", "Joules", 2.3283064365386962890625e-10 },
		{ ROW, "plain", NULL, 1 },
		{ ROW, "scaled", NULL, 64 },
		{ ROW, "comma", NULL, 1 }, /* an invalid scale is ignored */
		{ ROW, "zero", NULL, 1 },
		{ ROW, "negative", NULL, 1 },
		{ ROW, "nothing", NULL, 1 },
		{ ROW, "infinite", NULL, 1 },
		{ ROW, "nan", NULL, 1 },
	};
	const struct machine m = { .root = tree_new() };

	tree_add(m.root, DEVICES "p/events/energy.unit", "Joules\n");
	tree_add(m.root, DEVICES "p/events/energy.scale", "2.3283064365386962890625e-10\n");
	tree_add(m.root, DEVICES "p/events/scaled.scale", "64\n");
	tree_add(m.root, DEVICES "p/events/comma.scale", "2,5\n");
	tree_add(m.root, DEVICES "p/events/zero.scale", "0\n");
	tree_add(m.root, DEVICES "p/events/negative.scale", "-1\n");
	tree_add(m.root, DEVICES "p/events/nothing.scale", "\n");
	tree_add(m.root, DEVICES "p/events/infinite.scale", "inf\n");
	tree_add(m.root, DEVICES "p/events/nan.scale", "nan\n");
	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(sysfs_build_release) struct build b = { .m = &m, .pmu = "p" };

		row_int(&rows[i], sysfs_read_unit(&b, rows[i].event), 0);
		row_string(&rows[i], b.unit ? b.unit : "none",
			   rows[i].unit ? rows[i].unit : "none");
		row_true(&rows[i], b.factor == rows[i].scale);
	}
	tree_remove(m.root);
}

static void lists_are_sorted_and_have_only_events(void **state)
{
	const struct machine m = { .root = tree_new() };
	cleanup_str_list struct str_list names = { 0 };

	tree_add(m.root, DEVICES "b/events/two", "event=2\n");
	tree_add(m.root, DEVICES "b/events/two.unit", "Joules\n");
	tree_add(m.root, DEVICES "b/events/two.scale", "1\n");
	tree_add(m.root, DEVICES "b/events/two.per-pkg", "1\n");
	tree_add(m.root, DEVICES "b/events/two.snapshot", "1\n");
	tree_add(m.root, DEVICES "b/events/one", "event=1\n");
	tree_add(m.root, DEVICES "a/type", "9\n");
	assert_int_equal(pmu_list(&m, &names), 0);
	assert_int_equal(sysfs_list_events(&m, "b", &names), 0);
	assert_int_equal(sysfs_list_events(&m, "a", &names), 0); /* this PMU has no events */
	assert_int_equal(sysfs_list_formats(&m, "a", &names), 0);
	assert_int_equal(names.n, 4);
	assert_string_equal(names.v[0], "a");
	assert_string_equal(names.v[1], "b");
	assert_string_equal(names.v[2], "one");
	assert_string_equal(names.v[3], "two");
	tree_remove(m.root);
}

static void add_list(struct str *out, const struct str_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		str_addf(out, "%s%s", i ? " " : "", list->v[i]);
}

static void a_name_stands_for_a_pmu_or_its_instances(void **state)
{
	static const char *const pmus[] = {
		"cpu",
		"cpu_atom",
		"cpu_core",
		"imc",
		"uncore_cbox_0",
		"uncore_cbox_1",
		"uncore_cbox_10",
		"uncore_imc_0",
		"uncore_imc_1",
		"uncore_imc_10",
		"uncore_imc_2",
		"uncore_imc_free_running_0",
		"uncore_pcu",
		"nest_mcs01_imc",
		"amd_l3",
		"hisi_sccl1_ddrc0",
		"hisi_sccl1_ddrc1",
	};
	static const struct {
		int line;
		const char *name, *found;
	} rows[] = {
		/* the exact name has precedence */
		{ ROW, "cpu", "cpu" },
		{ ROW, "imc", "imc" },
		{ ROW, "uncore_imc_1", "uncore_imc_1" },
		/* numbered instances, with or without "uncore_" */
		{ ROW, "uncore_imc", "uncore_imc_0 uncore_imc_1 uncore_imc_2 uncore_imc_10" },
		{ ROW, "cbox", "uncore_cbox_0 uncore_cbox_1 uncore_cbox_10" },
		{ ROW, "uncore_cbox_", "uncore_cbox_0 uncore_cbox_1 uncore_cbox_10" },
		{ ROW, "pcu", "uncore_pcu" },
		{ ROW, "imc_free_running", "uncore_imc_free_running_0" },
		{ ROW, "hisi_sccl1_ddrc", "hisi_sccl1_ddrc0 hisi_sccl1_ddrc1" },
		/* but not the remaining digits of a number */
		{ ROW, "imc_1", "uncore_imc_1" },
		{ ROW, "cbox_1", "uncore_cbox_1" },
		/* globs */
		{ ROW, "cpu_*", "cpu_atom cpu_core" },
		{ ROW, "uncore_imc_[02]", "uncore_imc_0 uncore_imc_2" },
		{ ROW, "imc_?", "uncore_imc_0 uncore_imc_1 uncore_imc_2" },
		{ ROW, "*_imc", "nest_mcs01_imc" },
		/* the beginning of a name is not enough */
		{ ROW, "cp", "" },
		{ ROW, "uncore", "" },
		{ ROW, "cpu_", "" },
		{ ROW, "gpu", "" },
		{ ROW, "", "" },
	};
	const struct machine m = { .root = tree_new() };

	for (size_t i = 0; i < N_OF(pmus); i++) {
		cleanup_str struct str path = { 0 };

		str_addf(&path, DEVICES "%s/type", pmus[i]);
		tree_add(m.root, str_text(&path), "9\n");
	}
	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_str_list struct str_list list = { 0 };
		cleanup_str struct str found = { 0 };

		row_int(&rows[i], sysfs_match_pmus(&m, rows[i].name, &list), 0);
		add_list(&found, &list);
		row_string(&rows[i], str_text(&found), rows[i].found);
	}
	tree_remove(m.root);
}

static void instances_differ_only_in_their_number(void **state)
{
	static const struct {
		int line;
		const char *a, *b;
		bool same;
	} rows[] = {
		{ ROW, "uncore_imc_0", "uncore_imc_1", true },
		{ ROW, "uncore_imc_9", "uncore_imc_10", true },
		{ ROW, "hisi_sccl1_ddrc0", "hisi_sccl1_ddrc3", true },
		{ ROW, "power", "power", true },
		{ ROW, "uncore_imc_0", "uncore_cha_0", false },
		{ ROW, "uncore_imc_0", "uncore_imc_free_running_0", false },
		{ ROW, "hisi_sccl1_ddrc0", "hisi_sccl3_ddrc0", false },
		{ ROW, "power", "power_core", false },
		{ ROW, "cpu_core", "cpu_atom", false },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		row_int(&rows[i], sysfs_are_instances(rows[i].a, rows[i].b), rows[i].same);
		row_int(&rows[i], sysfs_are_instances(rows[i].b, rows[i].a), rows[i].same);
	}
}

static void kinds_of_cores_are_found_by_their_pmus(void **state)
{
	static const struct {
		int line;
		const char *pmus[4], *hybrid, *kernel;
	} rows[] = {
		{ ROW, { "cpu_atom", "cpu_core" }, "cpu_core cpu_atom" },
		{ ROW,
		  { "cpu_atom", "cpu_core", "cpu_lowpower" },
		  "cpu_core cpu_atom cpu_lowpower" },
		{ ROW, { "cpu" }, "" },
		{ ROW, { "cpu_core" }, "" }, /* the other cores are switched off */
		{ ROW, { "cpu_atom" }, "" },
		{ ROW, { "armv8_cortex_a53", "armv8_cortex_a72" }, "" },
		{ ROW, { "armv8_cortex_a53", "armv8_cortex_a72" }, "", "6.1.0-47-arm64" },
		{ ROW, { "armv8_cortex_a53", "armv8_cortex_a72" }, "", "5.15" },
		{ ROW,
		  { "armv8_cortex_a53", "armv8_cortex_a72", "arm_dsu_0" },
		  "armv8_cortex_a53 armv8_cortex_a72",
		  "6.6.0-rc1" },
		{ ROW,
		  { "apple_icestorm_pmu", "apple_firestorm_pmu" },
		  "apple_firestorm_pmu apple_icestorm_pmu",
		  "7.0" },
		{ ROW, { "armv8_pmuv3_0", "arm_cmn_0" }, "", "6.12.95" },
		{ ROW, { NULL }, "" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		const struct machine m = { .root = tree_new() };
		cleanup_str_list struct str_list list = { 0 };
		cleanup_str struct str hybrid = { 0 };

		for (size_t j = 0; j < N_OF(rows[i].pmus) && rows[i].pmus[j]; j++) {
			cleanup_str struct str type = { 0 }, cpus = { 0 };

			str_addf(&type, DEVICES "%s/type", rows[i].pmus[j]);
			tree_add(m.root, str_text(&type), "9\n");
			str_addf(&cpus, DEVICES "%s/cpus", rows[i].pmus[j]);
			tree_add(m.root, str_text(&cpus), "0-3\n");
		}
		if (rows[i].kernel)
			tree_add(m.root, "proc/sys/kernel/osrelease", rows[i].kernel);
		row_int(&rows[i], pmu_hybrid(&m, &list), 0);
		add_list(&hybrid, &list);
		row_string(&rows[i], str_text(&hybrid), rows[i].hybrid);
		tree_remove(m.root);
	}
}

static void a_snapshot_file_marks_a_level(void **state)
{
	static const struct {
		int line;
		const char *event;
		bool snapshot;
	} rows[] = {
		{ ROW, "level", true },
		{ ROW, "sum", false },
		{ ROW, "odd", false },
		{ ROW, "plain", false },
	};
	const struct machine m = { .root = tree_new() };

	tree_add(m.root, DEVICES "p/events/level.snapshot", "1\n");
	tree_add(m.root, DEVICES "p/events/sum.snapshot", "0\n");
	tree_add(m.root, DEVICES "p/events/odd.snapshot", "yes\n");
	for (size_t i = 0; i < N_OF(rows); i++) {
		struct build b = { .m = &m, .pmu = "p" };

		row_int(&rows[i], sysfs_read_unit(&b, rows[i].event), 0);
		row_int(&rows[i], b.snapshot, rows[i].snapshot);
	}
	tree_remove(m.root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_go_to_the_bits_of_their_format),
		cmocka_unit_test(other_bits_do_not_change),
		cmocka_unit_test(a_value_that_is_too_wide_is_refused_and_changes_nothing),
		cmocka_unit_test(an_invalid_format_is_refused),
		cmocka_unit_test(types_are_read_from_sysfs),
		cmocka_unit_test(a_name_stays_in_its_folder),
		cmocka_unit_test(core_pmus_are_recognised),
		cmocka_unit_test(formats_and_events_are_read),
		cmocka_unit_test(units_and_scales_are_read),
		cmocka_unit_test(lists_are_sorted_and_have_only_events),
		cmocka_unit_test(a_name_stands_for_a_pmu_or_its_instances),
		cmocka_unit_test(instances_differ_only_in_their_number),
		cmocka_unit_test(kinds_of_cores_are_found_by_their_pmus),
		cmocka_unit_test(a_snapshot_file_marks_a_level),
	};

	return cmocka_run_group_tests_name("pmu", tests, NULL, NULL);
}
