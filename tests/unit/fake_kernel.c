/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/eventfd.h>

#include "count/kernel.h"
#include "unit/fake_kernel.h"
#include "unit/test.h"

enum { RULES_MAX = 16 };

struct rule {
	int error;
	fake_when *when; /* NULL: by type and config */
	__u32 type;
	__u64 config;
};

struct script {
	__u32 type;
	__u64 config;
	const struct counts *readings;
	size_t n, next;
	bool has_result;
	ssize_t result;
};

struct fake_open fake_opens[FAKE_OPENS_MAX];
size_t fake_opens_n;
size_t fake_reads_n;

static struct rule rules[RULES_MAX];
static size_t rules_n;
static struct script scripts[RULES_MAX];
static size_t scripts_n;
const char *fake_filters[8];
size_t fake_filters_n;

static int filter_error;
static bool has_budget;
static size_t budget;

void fake_reset(void)
{
	fake_opens_n = fake_reads_n = rules_n = scripts_n = 0;
	has_budget = false;
	fake_filters_n = 0;
	filter_error = 0;
	memset(fake_opens, 0, sizeof(fake_opens));
	memset(scripts, 0, sizeof(scripts));
}

void fake_refuse(int error, fake_when *when)
{
	assert_true(rules_n < RULES_MAX);
	rules[rules_n++] = (struct rule){ .error = error, .when = when };
}

void fake_refuse_event(int error, __u32 type, __u64 config)
{
	assert_true(rules_n < RULES_MAX);
	rules[rules_n++] = (struct rule){ .error = error, .type = type, .config = config };
}

bool fake_counts_kernel(const struct fake_open *call)
{
	return !call->attr.exclude_kernel;
}

bool fake_excludes_guest(const struct fake_open *call)
{
	return call->attr.exclude_guest;
}

bool fake_group_inherited(const struct fake_open *call)
{
	return call->attr.inherit && call->attr.read_format & PERF_FORMAT_GROUP;
}

void fake_pmu_counters(size_t n)
{
	has_budget = true;
	budget = n;
}

static struct script *script_of(__u32 type, __u64 config)
{
	for (size_t i = 0; i < scripts_n; i++)
		if (scripts[i].type == type && scripts[i].config == config)
			return &scripts[i];
	return NULL;
}

static struct script *make_script(__u32 type, __u64 config)
{
	struct script *script = script_of(type, config);

	if (script)
		return script;
	assert_true(scripts_n < RULES_MAX);
	scripts[scripts_n] = (struct script){ .type = type, .config = config };
	return &scripts[scripts_n++];
}

void fake_readings(__u32 type, __u64 config, const struct counts *readings, size_t n)
{
	struct script *script = make_script(type, config);

	script->readings = readings;
	script->n = n;
	script->next = 0;
}

void fake_read_result(__u32 type, __u64 config, ssize_t result)
{
	struct script *script = make_script(type, config);

	script->has_result = true;
	script->result = result;
}

static bool needs_counter(const struct perf_event_attr *attr)
{
	return attr->type != PERF_TYPE_SOFTWARE && attr->type != PERF_TYPE_TRACEPOINT &&
	       attr->type != PERF_TYPE_BREAKPOINT;
}

/* Whether the call's event is still open: its descriptor is, and was not handed out again. */
static bool is_open(size_t i)
{
	if (fake_opens[i].result < 0 || fcntl(fake_opens[i].result, F_GETFD) < 0)
		return false;
	for (size_t j = i + 1; j < fake_opens_n; j++)
		if (fake_opens[j].result == fake_opens[i].result)
			return false;
	return true;
}

static bool is_in_group(size_t i, int leader_fd)
{
	return is_open(i) &&
	       (fake_opens[i].result == leader_fd || fake_opens[i].group_fd == leader_fd);
}

static int check_budget(const struct fake_open *call)
{
	size_t needed = needs_counter(&call->attr);

	if (!has_budget || !needed)
		return 0;
	for (size_t i = 0; call->group_fd >= 0 && i < fake_opens_n; i++)
		needed += is_in_group(i, call->group_fd) && needs_counter(&fake_opens[i].attr);
	return needed > budget ? -EINVAL : 0;
}

static int check_rules(const struct fake_open *call)
{
	for (size_t i = 0; i < rules_n; i++) {
		const struct rule *rule = &rules[i];
		bool meant = rule->when ? rule->when(call) :
					  call->attr.type == rule->type &&
						  call->attr.config == rule->config;

		if (meant)
			return -rule->error;
	}
	return check_budget(call);
}

int kernel_open(const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd)
{
	struct fake_open call = { .attr = *attr, .pid = pid, .cpu = cpu, .group_fd = group_fd };

	assert_true(fake_opens_n < FAKE_OPENS_MAX);
	call.result = check_rules(&call);
	if (call.result == 0) {
		call.result = eventfd(0, EFD_CLOEXEC);
		if (call.result < 0)
			call.result = -errno;
	}
	fake_opens[fake_opens_n++] = call;
	return call.result;
}

static const struct fake_open *opened_as(int fd)
{
	for (size_t i = 0; i < fake_opens_n; i++)
		if (fake_opens[i].result == fd && is_open(i))
			return &fake_opens[i];
	return NULL;
}

void fake_refuse_filter(int error)
{
	filter_error = error;
}

int kernel_set_filter(int fd, const char *filter)
{
	const struct fake_open *call = opened_as(fd);

	assert_non_null(call);
	assert_true(fake_filters_n < N_OF(fake_filters));
	fake_filters[fake_filters_n++] = filter;
	return -filter_error;
}

static const struct counts *next_reading(const struct perf_event_attr *attr)
{
	static const struct counts nothing = { 0 };
	struct script *script = script_of(attr->type, attr->config);

	if (!script || !script->readings)
		return &nothing;
	if (script->next == script->n)
		fail_msg("there is no reading %zu of event %u:%llu", script->n, script->type,
			 (unsigned long long)script->config);
	return &script->readings[script->next++];
}

/* The layouts of perf_event_open(2), "Reading results". */
static size_t read_group(int fd, uint64_t *values)
{
	size_t n = 0;

	for (size_t i = 0; i < fake_opens_n; i++) {
		const struct counts *reading;

		if (!is_in_group(i, fd))
			continue;
		reading = next_reading(&fake_opens[i].attr);
		if (n == 0) {
			values[1] = reading->enabled_ns;
			values[2] = reading->running_ns;
		}
		values[3 + 2 * n] = reading->raw;
		values[4 + 2 * n] = 1000 + i;
		n++;
	}
	values[0] = n;
	return (3 + 2 * n) * sizeof(*values);
}

static size_t read_single(const struct perf_event_attr *attr, uint64_t *values)
{
	const struct counts *reading = next_reading(attr);

	values[0] = reading->raw;
	values[1] = reading->enabled_ns;
	values[2] = reading->running_ns;
	return 3 * sizeof(*values);
}

ssize_t kernel_read(int fd, void *buffer, size_t size)
{
	const struct fake_open *call = opened_as(fd);
	uint64_t values[3 + 2 * FAKE_OPENS_MAX];
	const struct perf_event_attr *attr;
	const struct script *script;
	size_t n;

	if (!call) {
		fail_msg("descriptor %d is read and is no open event", fd);
		return -EBADF;
	}
	fake_reads_n++;
	attr = &call->attr;
	script = script_of(attr->type, attr->config);
	if (script && script->has_result && script->result < 0)
		return script->result;
	n = (attr->read_format & PERF_FORMAT_GROUP) ? read_group(fd, values) :
						      read_single(attr, values);
	if (n > size)
		return -ENOSPC;
	if (script && script->has_result && (size_t)script->result < n)
		n = (size_t)script->result;
	memcpy(buffer, values, n);
	return (ssize_t)n;
}
