/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading a result: every field, and the message for each error. In the texts, ' stands for ". */
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "document/load.h"
#include "unit/test.h"

/* The largest size that is read: SSIZE_MAX. */
#if SIZE_MAX > UINT32_MAX
#	define SIZE_LIMIT "9223372036854775807"
#else
#	define SIZE_LIMIT "2147483647"
#endif

#ifdef HAVE_JANSSON

/* Two cgroups with two events each, on one CPU. */
static const char usual[] =
	"{'schema':'pstat-result','version':2,'later':{},\n"
	"'pstat':{'version':'0.1','libpfm4':null,'seed':'18446744073709551615'},\n"
	"'target':{'subject':'the command','argv':['prog',{'bytes':'ff41','text':'?A'}],'cwd':'/tmp'},\n"
	"'started':'2026-02-28T13:05:59+01:00',\n"
	"'host':{'name':'h','kernel':null,'machine':null,'cpu_model':null,'cpus_online':'0-1',\n"
	"'pmus':['cpu','power'],'governors':[],'turbo':false,'aslr':2,'perf_event_paranoid':-1},\n"
	"'settings':{'place_kind':'cpu','scaled':true,'min_running_percent':2.5,'passes':2,'cpus':4,'cgroups':2,\n"
	"'null_run':false,'only_counted':true,'has_usage':true,'max_rss_floor_kib':'9223372036854775809','interval_ms':100,'show_summary':true},\n"
	"'metrics':[{'text':'ipc','events':[1,0]}],\n"
	"'events':[\n"
	"{'name':'cycles','source':'generic','pmu':'cpu','unit':'','factor':1,'tool':null,\n"
	"'attr':{'type':0,'config':'0x0','config1':'0x0','config2':'0x0','precise_ip':2,'flags':['exclude_kernel','pinned']},'cgroup':'/a',\n"
	"'opening':{'refused':false,'user_only':true,'ungrouped':false,'first_task_only':false,'reason':'no permission'}},\n"
	"{'name':'in','source':'sysfs','pmu':null,'unit':'x','factor':0.5,'tool':null,\n"
	"'attr':{'type':0,'config':'0x1','config1':'0x0','config2':'0x0','precise_ip':2,'flags':['exclude_kernel','pinned']},'cgroup':'/a','merged':true,\n"
	"'opening':{'refused':false,'user_only':true,'ungrouped':false,'first_task_only':false,'reason':'no permission'}},\n"
	"{'name':'cycles','source':'generic','pmu':'cpu','unit':'','factor':1,'tool':null,\n"
	"'attr':{'type':0,'config':'0xffffffffffffffff','config1':'0x0','config2':'0x0','config3':'0xf','precise_ip':2,'flags':['exclude_kernel','pinned']},'cgroup':'/b',\n"
	"'opening':{'refused':false,'user_only':true,'ungrouped':false,'first_task_only':false,'reason':'no permission'}},\n"
	"{'name':'rss','source':'tool','pmu':'tool','unit':'KiB','factor':1,'tool':'max_rss',\n"
	"'attr':null,'cgroup':'/b',\n"
	"'opening':{'refused':false,'user_only':true,'ungrouped':false,'first_task_only':false,'reason':'no permission'}}\n"
	"],'groups':[{'name':'g','first':0,'n':3,'weak':true,'pass':1},\n"
	"{'name':null,'first':3,'n':1,'weak':false,'pass':null}],\n"
	"'rows':[{'event':0,'place':0,'label':'CPU0','counters':1},\n"
	"{'event':1,'place':0,'label':'CPU0','counters':1},\n"
	"{'event':2,'place':0,'label':'CPU0','counters':1},\n"
	"{'event':3,'place':0,'label':'CPU0','counters':0}],\n"
	"'runs':[{'exit_status':3,'signal':null,\n"
	"'duration_time':1300,'user_time':1,'system_time':2,'max_rss':3,'minor_faults_rusage':4,'major_faults_rusage':5,\n"
	"'voluntary_switches':6,'involuntary_switches':7,'in_block':8,'out_block':9,\n"
	"'state':['counted','scaled','not counted','not supported'],\n"
	"'raw':[9007199254740993,'18446744073709551615',0,0],'enabled_ns':[10,20,30,0],'running_ns':[10,5,0,0],\n"
	"'estimate':[null,25.5,null,null],'half_width':[null,2,null,null]},\n"
	"{'exit_status':null,'signal':9,\n"
	"'duration_time':1300,'user_time':1,'system_time':2,'max_rss':3,'minor_faults_rusage':4,'major_faults_rusage':5,\n"
	"'voluntary_switches':6,'involuntary_switches':7,'in_block':8,'out_block':9,\n"
	"'state':['failed','in another pass','counted','counted'],'raw':[0,0,1,2],\n"
	"'enabled_ns':[1,2,3,4],'running_ns':[1,2,3,4]}],\n"
	"'intervals':[{'run':5,'end_ns':100,'missed':1,'duration_time':99,\n"
	"'state':['counted','counted','counted','counted'],\n"
	"'raw':[1,2,3,4],'enabled_ns':[5,6,7,8],'running_ns':[5,6,7,8]}],\n"
	"'summary':{}}\n";

static int load_from_text(struct saved *saved, const char *text, struct why *why)
{
	cleanup_free char *json = strdup(text);
	FILE *in;
	int err;

	assert_non_null(json);
	for (char *p = json; *p; p++)
		*p = *p == '\'' ? '"' : *p;
	in = fmemopen(json, strlen(json) + (*json == '\0'), "r");
	assert_non_null(in);
	if (*json == '\0')
		fgetc(in);
	err = load_saved(saved, in, why);
	fclose(in);
	return err;
}

/* Load the usual document with every occurrence of `from` replaced with `to`. */
static int load_changed(struct saved *saved, const char *from, const char *to, struct why *why)
{
	cleanup_str struct str text = { 0 };
	const char *p = usual;
	const char *found = strstr(p, from);

	assert_non_null(found);
	for (; found; found = strstr(p, from)) {
		str_add_n(&text, p, (size_t)(found - p));
		str_add(&text, to);
		p = found + strlen(from);
	}
	str_add(&text, p);
	return load_from_text(saved, str_text(&text), why);
}

static void load_usual(struct saved *saved)
{
	cleanup_why struct why why = { 0 };
	int err = load_from_text(saved, usual, &why);

	if (err < 0)
		fail_msg("%s", why_text(&why, err));
}

static void settings_and_provenance_are_read(void **state)
{
	cleanup_with(saved_release) struct saved saved = { 0 };
	const struct provenance *p;
	const struct series *series;

	load_usual(&saved);
	p = &saved.documents->provenance;
	series = &saved.documents->series;
	assert_string_equal(series->subject, "the command");
	assert_int_equal(series->split, PLACE_CPU);
	assert_int_equal(series->scaling, SCALE_BY_TIME);
	assert_double(series->min_running, 2.5);
	assert_int_equal(series->passes_n, 2);
	assert_double(series->cpus, 4);
	assert_int_equal(series->cgroups_n, 2);
	assert_true(series->only_counted && series->has_usage && series->summary_asked);
	assert_false(series->null_run);
	assert_int_equal(series->interval_ms, 100);
	assert_true(series->max_rss_floor_kib == 9223372036854775809ULL);
	assert_int_equal(series->started, 1772280359);
	assert_int_equal(p->zone_s, 3600);
	assert_true(p->has_seed && p->seed == UINT64_MAX);
	assert_null(p->libpfm4);
	assert_int_equal(p->argv.n, 2);
	assert_string_equal(p->argv.v[1], "\xff"
					  "A");
	assert_int_equal(p->pmus.n, 2);
	assert_true(p->turbo.known && !p->turbo.value);
	assert_true(p->paranoid.known && p->paranoid.value == -1);
}

static void events_and_groups_are_read(void **state)
{
	cleanup_with(saved_release) struct saved saved = { 0 };
	const struct event *events;

	load_usual(&saved);
	events = saved.documents->events.events;
	assert_int_equal(saved.documents->events.n, 4);
	assert_string_equal(events[1].name, "in");
	assert_string_equal(events[1].source, "sysfs");
	assert_string_equal(events[2].source, "generic");
	assert_null(events[1].pmu);
	assert_double(events[1].factor, 0.5);
	assert_true(events[1].merged && !events[2].merged);
	assert_true(events[2].attr.config == UINT64_MAX);
	assert_int_equal(events[1].config3, 0);
	assert_int_equal(events[2].config3, 15);
	assert_true(events[2].attr.exclude_kernel && events[2].attr.pinned);
	assert_false(events[2].attr.exclude_user);
	assert_int_equal(events[2].attr.precise_ip, 2);
	assert_int_equal(events[3].tool, TOOL_MAX_RSS);
	assert_string_equal(saved.documents->openings[3].reason.text, "no permission");
	assert_int_equal(saved.documents->events.groups_n, 2);
	assert_string_equal(saved.documents->events.groups[0].name, "g");
	assert_int_equal(saved.documents->events.groups[0].n, 3);
	assert_true(saved.documents->events.groups[0].pinned &&
		    !saved.documents->events.groups[0].exclusive);
	assert_false(saved.documents->events.groups[1].pinned);
	assert_int_equal(saved.documents->passes[0], 1);
	assert_true(saved.documents->passes[1] == SIZE_MAX);
	assert_string_equal(saved.documents->metrics.v[0].name, "ipc");
	assert_int_equal(metric_list_at(&saved.documents->metrics.v[0]), 1);
}

static void readings_are_read_to_their_last_digit(void **state)
{
	cleanup_with(saved_release) struct saved saved = { 0 };
	const struct series *series;

	load_usual(&saved);
	series = &saved.documents->series;
	assert_int_equal(series->rows_n, 4);
	assert_string_equal(series->places[0].label, "CPU0");
	assert_int_equal(series->places[0].kind, PLACE_CPU);
	assert_int_equal(series->runs_n, 2);
	assert_true(series->runs[0].readings[0].counts.raw == 9007199254740993);
	assert_true(series->runs[0].readings[1].counts.raw == UINT64_MAX);
	assert_int_equal(series->runs[0].readings[1].state, SCALED);
	assert_false(series->runs[0].readings[0].has_estimate);
	assert_true(series->runs[0].readings[1].has_estimate);
	assert_true(series->runs[0].readings[1].estimate.count == 25.5);
	assert_true(series->runs[0].readings[1].estimate.half_width == 2);
	assert_int_equal(series->runs[1].readings[1].state, ELSEWHERE);
	assert_int_equal(WEXITSTATUS(series->runs[0].wait_status), 3);
	assert_int_equal(WTERMSIG(series->runs[1].wait_status), 9);
	assert_int_equal(series->runs[0].tool[TOOL_OUT_BLOCK], 9);
	assert_int_equal(series->intervals_n, 1);
	assert_int_equal(series->intervals[0].run.readings[3].counts.enabled_ns, 8);
	assert_int_equal(series->intervals[0].of_run, 5);
	assert_int_equal(series->intervals[0].at_ns, 100);
	assert_int_equal(series->intervals[0].run.tool[TOOL_DURATION_TIME], 99);
}

static const struct {
	int line;
	const char *text, *why;
} no_documents[] = {
	{ ROW, "", "the file is empty" },
	{ ROW, "x", "not valid JSON: line 1, column 1: '[' or '{' expected near 'x'" },
	{ ROW, "{'a':1}\n{'a':2}",
	  "not valid JSON: line 2, column 1: end of file expected near '{'" },
	{ ROW, "{'a':1,\n'a':2}",
	  "not valid JSON: line 2, column 3: duplicate object key near '\"a\"'" },
	{ ROW, "{'a':1,\n 'b'", "not valid JSON: line 2, column 4: ':' expected near end of file" },
	{ ROW, "{'a':'\x01'}",
	  "not valid JSON: line 1, column 6: control character 0x1 near '\"'" },
	{ ROW, "{'a':'\xff'}",
	  "not valid JSON: line 1, column 6: unable to decode byte 0xff near '\"'" },
	{ ROW, "{'a':1e999}",
	  "not valid JSON: line 1, column 10: real number overflow near '1e999'" },
	{ ROW, "{'a':99999999999999999999}",
	  "not valid JSON: line 1, column 25: too big integer near '99999999999999999999'" },
	{ ROW, "[]", "not a pstat document; --save FILE and --format json write one" },
	{ ROW, "{}", "not a pstat document; --save FILE and --format json write one" },
	{ ROW, "{'schema':'x','version':2}",
	  "not a pstat document; --save FILE and --format json write one" },
	{ ROW, "{'schema':'pstat-result'}", "version: missing" },
	{ ROW, "{'schema':'pstat-result','version':0}",
	  "version: not an integer from 1 to 2147483647" },
	{ ROW, "{'schema':'pstat-result','version':1}",
	  "version: this pstat reads version 2, not 1" },
	{ ROW, "{'schema':'pstat-result','version':3}",
	  "version: this pstat reads version 2, not 3" },
	{ ROW, "{'schema':'pstat-result','version':2}", "settings: missing" },
};

static void a_file_that_is_not_a_document_is_refused(void **state)
{
	for (size_t i = 0; i < N_OF(no_documents); i++) {
		cleanup_with(saved_release) struct saved saved = { 0 };
		cleanup_why struct why why = { 0 };

		row_int(&no_documents[i], load_from_text(&saved, no_documents[i].text, &why),
			-EINVAL);
		row_string(&no_documents[i], why_text(&why, 0), no_documents[i].why);
	}
}

static const struct {
	int line;
	const char *from, *to, *why;
} refused[] = {
	{ ROW, "'place_kind':'cpu'", "'place_kind':'town'", "settings.place_kind: unknown value" },
	{ ROW, "'place_kind':'cpu'", "'place_kind':1", "settings.place_kind: not a string" },
	{ ROW, "'place_kind':'cpu',", "", "settings.place_kind: missing" },
	{ ROW, "'scaled':true", "'scaled':1", "settings.scaled: not true or false" },
	{ ROW, "'min_running_percent':2.5", "'min_running_percent':101",
	  "settings.min_running_percent: not a number from 0 to 100" },
	{ ROW, "'passes':2", "'passes':-1",
	  "settings.passes: not an integer from 0 to " SIZE_LIMIT },
	{ ROW, "'passes':2", "'passes':2.0",
	  "settings.passes: not an integer from 0 to " SIZE_LIMIT },
	{ ROW, "'passes':2", "'passes':1",
	  "groups[0].pass: not a pass; the number of passes is 1" },
	{ ROW, "'max_rss_floor_kib':'9223372036854775809'", "'max_rss_floor_kib':-1",
	  "settings.max_rss_floor_kib: not a number from 0 to 2^64-1" },
	{ ROW, "'cpus':4", "'cpus':-1", "settings.cpus: not a number from 0 to 1.79769e+308" },
	{ ROW, "'cgroups':2", "'cgroups':0",
	  "settings.cgroups: the number of events, 4, is not a multiple of this number" },
	{ ROW, "'cgroups':2", "'cgroups':3",
	  "settings.cgroups: the number of events, 4, is not a multiple of this number" },
	{ ROW, "'cgroups':2", "'cgroups':" SIZE_LIMIT,
	  "settings.cgroups: the number of events, 4, is not a multiple of this number" },
	{ ROW, "'cgroup':'/a'", "'x':0", "events[0].cgroup: missing" },
	{ ROW, "'cgroup':'/b'", "'cgroup':null",
	  "events[2].cgroup: null, but there are 2 cgroups" },
	{ ROW, "'cgroups':2", "'cgroups':4",
	  "events[1].merged: has to be false: there is no earlier event to merge with" },
	{ ROW, "'interval_ms':100", "'interval_ms':4294967296",
	  "settings.interval_ms: not an integer from 0 to 4294967295" },
	{ ROW, "'text':'ipc'", "'text':'ipc,cpi'", "metrics[0].text: more than one metric" },
	{ ROW, "'text':'ipc'", "'text':'x=a/'",
	  "metrics[0].text: a number or an event is missing here" },
	{ ROW, "'events':[1,0]", "'events':[1]",
	  "metrics[0].events: 1 events, but the expression has 2" },
	{ ROW, "'events':[1,0]", "'events':[1,2]",
	  "metrics[0].events[1]: not an event; the number of events is 2" },
	{ ROW, "'events':[1,0]", "'events':[1,null]",
	  "metrics[0].events[1]: not an integer from 0 to " SIZE_LIMIT },
	{ ROW, "'name':'in'", "'name':null", "events[1].name: not a string" },
	{ ROW, "'name':'in'", "'name':{'bytes':'00'}",
	  "events[1].name.bytes: not pairs of hexadecimal digits, or contains the pair 00" },
	{ ROW, "'name':'in'", "'name':{'bytes':'123'}",
	  "events[1].name.bytes: not pairs of hexadecimal digits, or contains the pair 00" },
	{ ROW, "'name':'in'", "'name':{}", "events[1].name.bytes: missing" },
	{ ROW, "'source':'sysfs'", "'source':{'bytes':'41'}", "events[1].source: not a string" },
	{ ROW, "'factor':0.5", "'factor':-1e308",
	  "events[1].factor: not a number from -1e+100 to 1e+100" },
	{ ROW, "'factor':0.5", "'factor':'0.5'",
	  "events[1].factor: not a number from -1e+100 to 1e+100" },
	{ ROW, "'tool':'max_rss'", "'tool':'min_rss'", "events[3].tool: unknown value" },
	{ ROW, "'tool':'max_rss'", "'tool':null", "events[3].attr: not an object" },
	{ ROW, "'tool':null,\n'attr':{'type':0,'config':'0x1'",
	  "'tool':'max_rss',\n'attr':{'type':0,'config':'0x1'",
	  "events[1].attr: has to be null, because the kernel does not count this event" },
	{ ROW, "'config':'0x1'", "'config':1",
	  "events[1].attr.config: not a hexadecimal number (example: \"0x1f\")" },
	{ ROW, "'config':'0x1'", "'config':'0x10000000000000000'",
	  "events[1].attr.config: not a hexadecimal number (example: \"0x1f\")" },
	{ ROW, "'precise_ip':2", "'precise_ip':4",
	  "events[0].attr.precise_ip: not an integer from 0 to 3" },
	{ ROW, "'pinned'", "'pined'", "events[0].attr.flags[1]: unknown flag" },
	{ ROW, "'reason':'no permission'", "'reason':1", "events[0].opening.reason: not a string" },
	{ ROW, "'first':3", "'first':2",
	  "groups[1].first: has to be 3, because groups list all events in order" },
	{ ROW, "'n':3", "'n':0", "groups[0].n: not from 1 to 4, the number of remaining events" },
	{ ROW, "'n':3", "'n':5", "groups[0].n: not from 1 to 4, the number of remaining events" },
	{ ROW, "'n':3", "'n':" SIZE_LIMIT,
	  "groups[0].n: not from 1 to 4, the number of remaining events" },
	{ ROW, ",\n{'name':null,'first':3,'n':1,'weak':false,'pass':null}", "",
	  "groups: have 3 events in total, not 4" },
	{ ROW, "'pass':1", "'pass':2", "groups[0].pass: not a pass; the number of passes is 2" },
	{ ROW, "{'event':2,'place':0", "{'event':1,'place':0",
	  "rows[2].event: has to be 2, because each place has one row for each event" },
	{ ROW, "{'event':2,'place':0", "{'event':2,'place':1",
	  "rows[2].place: has to be 0, because the rows are in the order of places" },
	{ ROW, "'event':3,'place':0,'label':'CPU0'", "'event':3,'place':0,'label':null",
	  "rows[3].label: differs from the label of the first row at this place" },
	{ ROW, ",\n{'event':3,'place':0,'label':'CPU0','counters':0}", "",
	  "rows: not one row for each of 4 events at each place" },
	{ ROW, "'label':'CPU0'", "'label':0", "rows[0].label: not a string" },
	{ ROW, "'runs':[", "'runs':[],'x':[", "runs: no runs" },
	{ ROW, "'exit_status':3", "'exit_status':256",
	  "runs[0].exit_status: not an integer from 0 to 255" },
	{ ROW, "'signal':9", "'signal':0", "runs[1].signal: not an integer from 1 to 64" },
	{ ROW, "'exit_status':null,'signal':9", "'exit_status':1,'signal':9",
	  "runs[1].exit_status: has to be null, because there is a signal" },
	{ ROW, "'raw':[0,0,1,2]", "'raw':[0,0,-1,2]",
	  "runs[1].raw[2]: not a number from 0 to 2^64-1" },
	{ ROW, "'raw':[0,0,1,2]", "'raw':[0,0,1.5,2]",
	  "runs[1].raw[2]: not a number from 0 to 2^64-1" },
	{ ROW, "'raw':[0,0,1,2]", "'raw':[0,0,'1',2]",
	  "runs[1].raw[2]: not a number from 0 to 2^64-1" },
	{ ROW, "'raw':[0,0,1,2]", "'raw':[0,0,'18446744073709551616',2]",
	  "runs[1].raw[2]: not a number from 0 to 2^64-1" },
	{ ROW, "'raw':[0,0,1,2]", "'raw':[0,0,'0xffffffffffffffff',2]",
	  "runs[1].raw[2]: not a number from 0 to 2^64-1" },
	{ ROW, "'raw':[0,0,1,2]", "'raw':[0,0,1]",
	  "runs[1].raw: does not have 4 elements, one for each row" },
	{ ROW, "'state':['failed','in another pass','counted','counted'],", "",
	  "runs[1].state: missing" },
	{ ROW, "'failed'", "'lost'", "runs[1].state[0]: unknown value" },
	{ ROW, "'estimate':[null,25.5,null,null],", "'estimate':[null,25.5,null],",
	  "runs[0].estimate: does not have 4 elements, one for each row" },
	{ ROW, ",'half_width':[null,2,null,null]", "", "runs[0].half_width: missing" },
	{ ROW, "'half_width':[null,2,null,null]", "'half_width':[null,-1,null,null]",
	  "runs[0].half_width[1]: not a number from 0 to 1e+100" },
	{ ROW, "'estimate':[null,25.5", "'estimate':[null,'x'",
	  "runs[0].estimate[1]: not a number from 0 to 1e+100" },
	{ ROW, "'estimate':[null,25.5", "'estimate':[9,25.5",
	  "runs[0].estimate[0]: has to be null, because the count is not scaled" },
	{ ROW, "'max_rss':3", "'max_rss':'x'", "runs[0].max_rss: not a number from 0 to 2^64-1" },
	{ ROW, "'user_time':1,", "'user_time':null,",
	  "runs[0].user_time: not a number from 0 to 2^64-1" },
	{ ROW, "'raw':[1,2,3,4]", "'raw':[1,2,3,4,5]",
	  "intervals[0].raw: does not have 4 elements, one for each row" },
	{ ROW, "'missed':1", "'missed':true",
	  "intervals[0].missed: not an integer from 0 to " SIZE_LIMIT },
	{ ROW, "'intervals':[", "'intervals':{},'x':[", "intervals: not an array" },
	{ ROW, "13:05:59", "13:05:60",
	  "started: not a time (example: \"2026-02-28T13:05:59+01:00\")" },
	{ ROW, "02-28T", "02-29T", "started: not a time (example: \"2026-02-28T13:05:59+01:00\")" },
	{ ROW, "+01:00", "", "started: not a time (example: \"2026-02-28T13:05:59+01:00\")" },
	{ ROW, "+01:00", "+1:00", "started: not a time (example: \"2026-02-28T13:05:59+01:00\")" },
	{ ROW, "+01:00", "+01:00 ",
	  "started: not a time (example: \"2026-02-28T13:05:59+01:00\")" },
	{ ROW, "2026-", "12026-", "started: not a time (example: \"2026-02-28T13:05:59+01:00\")" },
	{ ROW, "'aslr':2", "'aslr':2147483648",
	  "host.aslr: not an integer from -2147483648 to 2147483647" },
	{ ROW, "'argv':['prog'", "'argv':[1", "target.argv[0]: not a string" },
	{ ROW, "'pmus':['cpu'", "'pmus':[null", "host.pmus[0]: not a string" },
};

/* A place that is kept for a CPU that may come online. */
static void an_unused_place_has_no_label(void **state)
{
	cleanup_with(saved_release) struct saved saved = { 0 };
	cleanup_why struct why why = { 0 };

	assert_int_equal(load_changed(&saved, "'label':'CPU0'", "'label':null", &why), 0);
	assert_null(saved.documents->series.places[0].label);
}

static void parts_that_do_not_fit_together_are_refused(void **state)
{
	for (size_t i = 0; i < N_OF(refused); i++) {
		cleanup_with(saved_release) struct saved saved = { 0 };
		cleanup_why struct why why = { 0 };

		row_int(&refused[i], load_changed(&saved, refused[i].from, refused[i].to, &why),
			-EINVAL);
		row_string(&refused[i], why_text(&why, 0), refused[i].why);
		row_int(&refused[i], saved.n, 0);
	}
}

static const struct {
	int line;
	const char *from, *to;
} accepted[] = {
	{ ROW, "+01:00", "Z" },
	{ ROW, "+01:00", "-11:30" },
	{ ROW, "'exit_status':3", "'exit_status':null" },
	{ ROW, "'max_rss':3", "'max_rss':null" },
	{ ROW, "'intervals'", "'x'" },
	{ ROW, "'metrics'", "'x'" },
	{ ROW, "'bytes':'ff41'", "'bytes':'FF0a'" },
	{ ROW, "'factor':1", "'factor':-1e100" },
	{ ROW, "9007199254740993", "9223372036854775807" },
	{ ROW, "'later':{}", "'later':[[[[{}]]]]" },
};

static void valid_changes_are_read(void **state)
{
	for (size_t i = 0; i < N_OF(accepted); i++) {
		cleanup_with(saved_release) struct saved saved = { 0 };
		cleanup_why struct why why = { 0 };
		int err = load_changed(&saved, accepted[i].from, accepted[i].to, &why);

		row_string(&accepted[i], err < 0 ? why_text(&why, err) : "", "");
	}
}

/* Wherever the document ends, the parser reports it. */
static void a_truncated_document_is_refused(void **state)
{
	for (size_t n = 1; n < sizeof(usual) - 2; n++) {
		cleanup_with(saved_release) struct saved saved = { 0 };
		cleanup_why struct why why = { 0 };
		cleanup_free char *part = strndup(usual, n);

		assert_non_null(part);
		assert_int_equal(load_from_text(&saved, part, &why), -EINVAL);
		assert_int_equal(strncmp(why_text(&why, 0), "not valid JSON: line ", 14), 0);
	}
}

static void a_read_error_is_reported(void **state)
{
	struct saved saved;
	cleanup_why struct why why = { 0 };
	FILE *in = fopen("/", "r");

	assert_non_null(in);
	assert_int_equal(load_saved(&saved, in, &why), -EISDIR);
	fclose(in);
}

/* A stream that repeats one character without an end. */
static ssize_t repeat(void *character, char *buffer, size_t size)
{
	memset(buffer, *(const char *)character, size);
	return (ssize_t)size;
}

static void an_endless_file_is_refused_after_its_first_bytes(void **state)
{
	char characters[] = { '\0', 'y', ' ' };

	for (size_t i = 0; i < N_OF(characters); i++) {
		cleanup_why struct why why = { 0 };
		struct saved saved;
		const cookie_io_functions_t endless = { .read = repeat };
		FILE *in = fopencookie(&characters[i], "r", endless);

		assert_non_null(in);
		assert_int_equal(load_saved(&saved, in, &why), -EINVAL);
		assert_int_equal(strncmp(why_text(&why, 0), "not valid JSON: line ", 14), 0);
		fclose(in);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(settings_and_provenance_are_read),
		cmocka_unit_test(events_and_groups_are_read),
		cmocka_unit_test(readings_are_read_to_their_last_digit),
		cmocka_unit_test(a_file_that_is_not_a_document_is_refused),
		cmocka_unit_test(an_unused_place_has_no_label),
		cmocka_unit_test(parts_that_do_not_fit_together_are_refused),
		cmocka_unit_test(valid_changes_are_read),
		cmocka_unit_test(a_truncated_document_is_refused),
		cmocka_unit_test(a_read_error_is_reported),
		cmocka_unit_test(an_endless_file_is_refused_after_its_first_bytes),
	};

	if (!dlopen("libjansson.so.4", RTLD_LAZY)) {
		printf("skipped: jansson cannot be loaded\n");
		return 77;
	}
	return cmocka_run_group_tests_name("load", tests, NULL, NULL);
}

#else

static void without_jansson_a_document_cannot_be_read(void **state)
{
	struct saved saved;
	cleanup_why struct why why = { 0 };

	assert_int_equal(load_saved(&saved, stdin, &why), -ENOSYS);
	assert_string_equal(why_text(&why, -ENOSYS),
			    "this pstat was built without jansson, which it needs to read JSON");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_jansson_a_document_cannot_be_read),
	};

	return cmocka_run_group_tests_name("load", tests, NULL, NULL);
}

#endif
