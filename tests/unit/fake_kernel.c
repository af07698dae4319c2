/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "count/kernel.h"
#include "unit/fake_kernel.h"
#include "unit/test.h"

enum {
	RULES_MAX = 16,
	CPUS_MAX = 4096,
	GROUP_MAX = 128,
	FIRST_NUMBER = 1 << 20, /* the first number that is not a descriptor */
};

/* No call. */
#define NONE SIZE_MAX

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

/* The private facts about a call. */
struct life {
	size_t next, last; /* the next member of its group; of a leader: the last one */
	uint64_t since_ns; /* the time when it was switched on */
	uint64_t enabled_ns, running_ns; /* the times before that */
	bool off; /* it was switched off, or opened so; a member also needs its leader on */
	bool dead; /* its CPU is offline */
};

struct fake_open fake_opens[FAKE_OPENS_MAX];
size_t fake_opens_n;
size_t fake_reads_n;
size_t fake_switches_n;

static struct life lives[FAKE_OPENS_MAX];
static size_t call_of[FAKE_OPENS_MAX]; /* by descriptor: the last call, plus 1 */
static struct rule rules[RULES_MAX];
static size_t rules_n;
static struct script scripts[RULES_MAX];
static size_t scripts_n;
const char *fake_filters[8];
size_t fake_filters_n;

static bool cpu_is_gone[CPUS_MAX];
static int filter_error;
static bool filtered;
static bool breakpoints_broken;
static bool has_budget;
static size_t budget;
static bool no_descriptors;
static int reading_error;
static size_t refused_readings_n;
static int switching_error;
static int unswitchable_cpu;
static int next_number;
static uint64_t now_ns, step_ns;
static unsigned int age;
static bool accepts_clocks;

void fake_reset(void)
{
	memset(fake_opens, 0, fake_opens_n * sizeof(*fake_opens));
	memset(call_of, 0, sizeof(call_of));
	memset(scripts, 0, sizeof(scripts));
	memset(cpu_is_gone, 0, sizeof(cpu_is_gone));
	fake_opens_n = fake_reads_n = fake_switches_n = fake_filters_n = rules_n = scripts_n = 0;
	filter_error = switching_error = 0;
	filtered = breakpoints_broken = false;
	has_budget = no_descriptors = false;
	refused_readings_n = 0;
	next_number = FIRST_NUMBER;
	now_ns = step_ns = 0;
	age = UINT_MAX;
	accepts_clocks = false;
}

void fake_accept_clocks(void)
{
	accepts_clocks = true;
}

void fake_kernel_version(unsigned int version)
{
	age = version;
}

size_t fake_bytes(void)
{
	return fake_opens_n * (sizeof(*fake_opens) + sizeof(*lives)) + sizeof(call_of);
}

void fake_hand_out_numbers(void)
{
	no_descriptors = true;
}

void fake_advance_clock(uint64_t ns)
{
	now_ns += ns;
}

void fake_pass_with_each_reading(uint64_t ns)
{
	step_ns = ns;
}

uint64_t fake_rate(__u64 config, pid_t pid, int cpu)
{
	if (cpu >= 0)
		return (config + 1) * ((uint64_t)cpu + 1);
	return (config + 1) * (pid > 0 ? (uint64_t)pid : 1);
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

void fake_refuse_readings(int error, size_t n)
{
	reading_error = error;
	refused_readings_n = n;
}

static bool needs_counter(const struct perf_event_attr *attr)
{
	return !old_kernel_is_software(attr);
}

static size_t *slot_of(int fd)
{
	size_t slot = (size_t)(fd >= FIRST_NUMBER ? fd - FIRST_NUMBER : fd);

	if (slot < FAKE_OPENS_MAX)
		return &call_of[slot];
	fail_msg("descriptor %d is too high", fd);
	return &call_of[0];
}

/* Whether the descriptor is from new_descriptor(). Its number may belong to a pipe now. */
static bool is_eventfd(int fd)
{
	char path[64], link[64];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	n = readlink(path, link, sizeof(link) - 1);
	link[n > 0 ? n : 0] = '\0';
	return strstr(link, "eventfd");
}

/* Whether the call's event is still open: its descriptor is open, and no later call returned it. */
static bool is_open(size_t i)
{
	int fd = fake_opens[i].result;

	if (fd < 0 || *slot_of(fd) != i + 1)
		return false;
	return fd >= FIRST_NUMBER || (fcntl(fd, F_GETFD) >= 0 && (!has_budget || is_eventfd(fd)));
}

/* The call that returned this open descriptor, or NONE. */
static size_t opened_as(int fd)
{
	size_t call = fd < 0 ? 0 : *slot_of(fd);

	return call > 0 && is_open(call - 1) ? call - 1 : NONE;
}

static bool is_leader(size_t i)
{
	return fake_opens[i].group_fd < 0;
}

/* All open events of a leader's group. */
static size_t counters_needed(size_t leader)
{
	size_t n = 0;

	for (size_t i = leader; i != NONE; i = lives[i].next)
		n += is_open(i) && needs_counter(&fake_opens[i].attr);
	return n;
}

static int check_budget(const struct fake_open *call)
{
	size_t leader = opened_as(call->group_fd);
	size_t needed = needs_counter(&call->attr);

	if (!has_budget || !needed)
		return 0;
	if (leader != NONE)
		needed += counters_needed(leader);
	return needed > budget ? -EINVAL : 0;
}

static int check_age(const struct fake_open *call, const struct perf_event_attr *attr,
		     enum old_kernel_step step)
{
	size_t leader = opened_as(call->group_fd);
	struct old_kernel_call old = { .attr = attr };

	if (leader != NONE && !needs_counter(&fake_opens[leader].attr))
		old.leader_moved = counters_needed(leader) > 0;
	return old_kernel_refuses(age, step, &old);
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
	if (call->cpu >= 0 && call->cpu < CPUS_MAX && cpu_is_gone[call->cpu])
		return -ENODEV;
	return check_budget(call);
}

/* A new event becomes active, as a leader or after the last member of its group. */
static void begin(size_t i)
{
	struct fake_open *call = &fake_opens[i];
	size_t leader = opened_as(call->group_fd);

	lives[i] = (struct life){
		.next = NONE, .last = i, .since_ns = now_ns, .off = call->attr.disabled
	};
	*slot_of(call->result) = i + 1;
	call->on = !call->attr.disabled;
	if (call->group_fd < 0)
		return;
	assert_true(leader != NONE);
	lives[lives[leader].last].next = i;
	lives[leader].last = i;
	call->on = fake_opens[leader].on;
}

static int new_descriptor(void)
{
	int fd;

	if (no_descriptors)
		return next_number++;
	fd = eventfd(0, EFD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static bool is_clock(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE && attr->config == PERF_COUNT_SW_DUMMY &&
	       attr->inherit;
}

int kernel_open(const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
		unsigned long flags)
{
	struct fake_open *call = &fake_opens[fake_opens_n];

	if (is_clock(attr) && !accepts_clocks)
		return -EMFILE;
	assert_true(fake_opens_n < FAKE_OPENS_MAX);
	*call = (struct fake_open){
		.attr = *attr, .pid = pid, .cpu = cpu, .group_fd = group_fd, .flags = flags
	};
	call->result = check_age(call, attr, OLD_COPIES_ATTR);
	if (call->result == 0)
		call->result = check_rules(call);
	if (call->result == 0)
		call->result = check_age(call, attr, OLD_OPENS_EVENT);
	if (call->result == 0)
		call->result = new_descriptor();
	if (call->result >= 0)
		begin(fake_opens_n);
	fake_opens_n++;
	return call->result;
}

/*
 * Whether an open event is in the hardware context. A hardware event moves its whole group there.
 */
static bool in_hardware_context(size_t i)
{
	size_t leader = is_leader(i) ? i : opened_as(fake_opens[i].group_fd);

	return age < LINUX(6, 2) && leader != NONE && counters_needed(leader) > 0;
}

/* Whether an event of pstat's own task is open in a context, inherited or not. */
static bool has_event(bool hardware, bool inherited)
{
	for (size_t i = 0; i < fake_opens_n; i++)
		if (is_open(i) && fake_opens[i].pid == 0 && fake_opens[i].cpu < 0 &&
		    fake_opens[i].attr.inherit == inherited && in_hardware_context(i) == hardware)
			return true;
	return false;
}

bool fake_context_may_be_swapped(void)
{
	return (has_event(false, true) && !has_event(false, false)) ||
	       (has_event(true, true) && !has_event(true, false));
}

void fake_filter_calls(void)
{
	filtered = true;
}

void fake_break_breakpoints(void)
{
	breakpoints_broken = true;
}

bool kernel_counts_breakpoints(void)
{
	return !breakpoints_broken;
}

bool kernel_is_reached(void)
{
	return !filtered;
}

bool kernel_refuses_user_mode(void)
{
	const struct fake_open call = { .attr = { .type = PERF_TYPE_SOFTWARE,
						  .config = PERF_COUNT_SW_DUMMY,
						  .exclude_kernel = 1,
						  .exclude_hv = 1 },
					.cpu = -1,
					.group_fd = -1 };
	int error = check_rules(&call);

	return error == -EACCES || error == -EPERM;
}

/* How long the event has been enabled so far. */
static uint64_t enabled_until_now(size_t i)
{
	bool counts = fake_opens[i].on && !lives[i].dead;

	return lives[i].enabled_ns + (counts ? now_ns - lives[i].since_ns : 0);
}

/* Whether there are enough counters for this leader's group and all events opened before it. */
static bool is_scheduled(size_t leader)
{
	size_t used = counters_needed(leader);

	if (!has_budget || used == 0)
		return true;
	for (size_t i = 0; i < leader; i++)
		if (is_open(i) && is_leader(i) && fake_opens[i].on)
			used += counters_needed(i);
	return used <= budget;
}

/* How long the event has been on a counter so far. */
static uint64_t running_until_now(size_t i)
{
	const size_t leader = is_leader(i) ? i : opened_as(fake_opens[i].group_fd);
	const bool runs = leader != NONE && is_scheduled(leader);

	return lives[i].running_ns + (runs ? enabled_until_now(i) - lives[i].enabled_ns : 0);
}

/* Add the time until now, because the event is about to be switched. */
static void settle(size_t i)
{
	lives[i].running_ns = running_until_now(i);
	lives[i].enabled_ns = enabled_until_now(i);
	lives[i].since_ns = now_ns;
}

/* Switching an event may give its counter to another one, so bring the times of all up to date. */
static void settle_all(void)
{
	for (size_t i = 0; has_budget && i < fake_opens_n; i++)
		if (is_open(i))
			settle(i);
}

int kernel_switch(int fd, enum kernel_switch to)
{
	size_t opened = opened_as(fd), leader;

	assert_true(opened != NONE);
	fake_switches_n++;
	if (switching_error && fake_opens[opened].cpu == unswitchable_cpu)
		return -switching_error;
	settle_all();
	lives[opened].off = to == KERNEL_OFF;
	leader = is_leader(opened) ? opened : opened_as(fake_opens[opened].group_fd);
	assert_true(leader != NONE);
	for (size_t i = leader; i != NONE; i = lives[i].next)
		if (opened == leader || opened == i) {
			settle(i);
			fake_opens[i].on = !lives[leader].off && !lives[i].off;
		}
	return 0;
}

void fake_refuse_switching(int error, int cpu)
{
	switching_error = error;
	unswitchable_cpu = cpu;
}

void fake_cpu_offline(int cpu)
{
	cpu_is_gone[cpu] = true;
	for (size_t i = 0; i < fake_opens_n; i++)
		if (fake_opens[i].cpu == cpu && is_open(i)) {
			settle(i);
			lives[i].dead = true;
		}
}

void fake_cpu_online(int cpu)
{
	cpu_is_gone[cpu] = false;
}

void fake_refuse_filter(int error)
{
	filter_error = error;
}

int kernel_set_filter(int fd, const char *filter)
{
	assert_true(opened_as(fd) != NONE);
	assert_true(fake_filters_n < N_OF(fake_filters));
	fake_filters[fake_filters_n++] = filter;
	return -filter_error;
}

static struct counts counts_from_clock(size_t i)
{
	const struct fake_open *call = &fake_opens[i];
	struct counts counts = { .enabled_ns = enabled_until_now(i),
				 .running_ns = running_until_now(i) };

	counts.raw = counts.running_ns * fake_rate(call->attr.config, call->pid, call->cpu);
	return counts;
}

static struct counts next_reading(size_t i)
{
	const struct perf_event_attr *attr = &fake_opens[i].attr;
	struct script *script = script_of(attr->type, attr->config);

	if (!script || !script->readings)
		return counts_from_clock(i);
	if (script->next == script->n)
		fail_msg("there is no reading %zu of event %u:%llu", script->n, script->type,
			 (unsigned long long)script->config);
	return script->readings[script->next++];
}

/* The layouts of perf_event_open(2), "Reading results". */
static size_t read_group(size_t leader, uint64_t *values)
{
	size_t n = 0;

	for (size_t i = leader; i != NONE; i = lives[leader].dead ? NONE : lives[i].next) {
		struct counts reading;

		if (!is_open(i))
			continue;
		assert_true(n < GROUP_MAX);
		reading = next_reading(i);
		if (n == 0) {
			values[1] = reading.enabled_ns;
			values[2] = reading.running_ns;
		}
		values[3 + 2 * n] = reading.raw;
		values[4 + 2 * n] = 1000 + i;
		n++;
	}
	values[0] = n;
	return (3 + 2 * n) * sizeof(*values);
}

static size_t read_single(size_t i, uint64_t *values)
{
	const struct counts reading = next_reading(i);
	size_t n = 1;

	values[0] = reading.raw;
	if (fake_opens[i].attr.read_format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		values[n++] = reading.enabled_ns;
	if (fake_opens[i].attr.read_format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		values[n++] = reading.running_ns;
	return n * sizeof(*values);
}

ssize_t kernel_read(int fd, void *buffer, size_t size)
{
	uint64_t values[3 + 2 * GROUP_MAX];
	const struct perf_event_attr *attr;
	const struct script *script;
	size_t call = opened_as(fd);
	size_t n;

	if (call == NONE) {
		fail_msg("descriptor %d is read, but is not an open event", fd);
		return -EBADF;
	}
	fake_reads_n++;
	now_ns += step_ns;
	if (refused_readings_n > 0) {
		refused_readings_n--;
		return -reading_error;
	}
	attr = &fake_opens[call].attr;
	script = script_of(attr->type, attr->config);
	if (script && script->has_result && script->result < 0)
		return script->result;
	if (attr->read_format & PERF_FORMAT_GROUP)
		n = read_group(call, values);
	else
		n = read_single(call, values);
	if (n > size)
		return -ENOSPC;
	if (script && script->has_result && (size_t)script->result < n)
		n = (size_t)script->result;
	memcpy(buffer, values, n);
	return (ssize_t)n;
}
