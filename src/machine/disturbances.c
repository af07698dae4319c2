/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/math.h"
#include "base/str.h"
#include "machine/disturbances.h"
#include "machine/host.h"
#include "machine/tasks.h"

#define CPUS "/sys/devices/system/cpu"
#define HUGE_PAGES "/sys/kernel/mm/transparent_hugepage/enabled"

int findings_add(struct findings *list, struct finding finding)
{
	if (!finding.text || array_grow(&list->v, list->n, &list->size, sizeof(*list->v)) < 0) {
		free(finding.text);
		return -ENOMEM;
	}
	list->v[list->n++] = finding;
	return 0;
}

void findings_release(struct findings *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->v[i].text);
	free(list->v);
	*list = (struct findings){ 0 };
}

/* Append a finding, with a copy of the text. remedy: ignored unless it disturbs. */
static int disturbances_add_setting(struct findings *list, const char *name, bool disturbs,
				    const char *text, const char *remedy)
{
	return findings_add(list, (struct finding){ .name = name,
						    .text = strdup(text),
						    .remedy = disturbs ? remedy : NULL,
						    .disturbs = disturbs });
}

/* ---- Settings. */

static int disturbances_add_governors(const struct machine *m, struct findings *list)
{
	cleanup_str_list struct str_list governors = { 0 };
	cleanup_str struct str text = { 0 };
	int err = host_cpu_governors(m, &governors);

	if (err < 0 || governors.n == 0)
		return err;
	for (size_t i = 0; i < governors.n; i++)
		str_add_listed(&text, governors.v[i]);
	if (governors.n == 1 && strcmp(governors.v[0], "performance") == 0)
		return disturbances_add_setting(list, "CPU frequency", false, str_text(&text),
						NULL);
	str_add(&text, ": it changes while programs run");
	return disturbances_add_setting(list, "CPU frequency", true, str_text(&text),
					"cpupower frequency-set -g performance");
}

static int disturbances_add_turbo(const struct machine *m, struct findings *list)
{
	const bool of_intel = machine_has(m, CPUS "/intel_pstate/no_turbo");
	bool on;

	if (host_cpu_turbo(m, &on) < 0)
		return 0;
	return disturbances_add_setting(
		list, "turbo", on,
		on ? "on: the frequency depends on the load of other cores" : "off",
		of_intel ? "echo 1 >" CPUS "/intel_pstate/no_turbo" :
			   "echo 0 >" CPUS "/cpufreq/boost");
}

static int disturbances_add_smt(const struct machine *m, struct findings *list)
{
	int on;

	if (machine_read_int(m, &on, CPUS "/smt/active") < 0)
		return 0;
	return disturbances_add_setting(list, "SMT", on,
					on ? "on: two programs share a core" : "off",
					"--cpu-list with one CPU of each core, or echo off >" CPUS
					"/smt/control");
}

static int disturbances_add_huge_pages(const struct machine *m, struct findings *list)
{
	cleanup_free char *text = NULL;
	bool always;

	if (machine_read(m, &text, HUGE_PAGES) < 0)
		return 0;
	always = strstr(text, "[always]");
	return disturbances_add_setting(
		list, "huge pages", always,
		always			? "always: fragmentation decides which memory gets them" :
		strstr(text, "[never]") ? "never" :
					  "only on request",
		"echo madvise >" HUGE_PAGES);
}

static int disturbances_add_aslr(const struct machine *m, struct findings *list)
{
	int level;

	if (host_aslr(m, &level) < 0)
		return 0;
	return disturbances_add_setting(list, "ASLR", level != 0,
					level ? "on: each run has other addresses" : "off",
					"pstat --no-aslr");
}

static int disturbances_add_watchdog(const struct machine *m, struct findings *list)
{
	if (!host_nmi_watchdog(m))
		return 0;
	return disturbances_add_setting(list, "NMI watchdog", true,
					"on: it uses a counter of each CPU",
					"sysctl kernel.nmi_watchdog=0");
}

int disturbances_of_settings(const struct machine *m, struct findings *list)
{
	static int (*const add[])(const struct machine *m, struct findings *list) = {
		disturbances_add_watchdog, disturbances_add_governors,	disturbances_add_turbo,
		disturbances_add_smt,	   disturbances_add_huge_pages, disturbances_add_aslr,
	};
	int err = 0;

	for (size_t i = 0; err == 0 && i < sizeof(add) / sizeof(add[0]); i++)
		err = add[i](m, list);
	return err;
}

/* ---- Activity. */

/* The sum of the numbers after the names in a file of lines "NAME NUMBER". */
static uint64_t disturbances_sum_of_lines(const struct machine *m, const char *path,
					  const char *const *names)
{
	cleanup_free char *text = NULL;
	uint64_t sum = 0;

	if (machine_read(m, &text, "%s", path) < 0)
		return 0;
	for (; *names; names++) {
		const size_t n = strlen(*names);
		const char *line = text;

		while (line && (strncmp(line, *names, n) != 0 || line[n] != ' ')) {
			line = strchr(line, '\n');
			line += line != NULL;
		}
		sum += line ? strtoull(line + n, NULL, 10) : 0;
	}
	return sum;
}

struct activity disturbances_read_activity(const struct machine *m)
{
	static const char *const swaps[] = { "pswpin", "pswpout", NULL };
	enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, FIELDS };
	struct activity a = { .swapped_pages =
				      disturbances_sum_of_lines(m, "/proc/vmstat", swaps) };
	cleanup_str_list struct str_list names = { 0 };
	cleanup_free char *text = NULL;
	char *p;

	if (machine_read(m, &text, "/proc/stat") == 0 && strncmp(text, "cpu ", 4) == 0) {
		p = text + 4;
		for (int i = 0; i < FIELDS; i++) {
			const uint64_t ticks = strtoull(p, &p, 10);

			a.ticks += ticks;
			a.busy_ticks += i != IDLE && i != IOWAIT && i != STEAL ? ticks : 0;
			a.stolen_ticks += i == STEAL ? ticks : 0;
		}
		while ((p = strstr(p, "\ncpu"))) {
			a.cpus++;
			p++;
		}
	}
	if (machine_list(m, &names, CPUS) < 0)
		return a;
	for (size_t i = 0; i < names.n; i++) {
		int n;

		if (machine_read_int(m, &n, CPUS "/%s/thermal_throttle/core_throttle_count",
				     names.v[i]) == 0)
			a.throttled += (uint64_t)n;
	}
	return a;
}

static int disturbances_add_share(struct findings *list, const char *name, double share,
				  const char *of, double harmless, const char *remedy)
{
	cleanup_str struct str text = { 0 };

	str_addf(&text, "%.1f %% of %s", 100 * share, of);
	return text.failed ? -ENOMEM :
			     disturbances_add_setting(list, name, share > harmless, str_text(&text),
						      remedy);
}

int disturbances_of_activity(const struct activity *before, const struct activity *after,
			     uint64_t own_ticks, struct findings *list)
{
	const double ticks = (double)math_gain(before->ticks, after->ticks);
	const uint64_t busy = math_gain(before->busy_ticks, after->busy_ticks);
	const uint64_t stolen = math_gain(before->stolen_ticks, after->stolen_ticks);
	int err = 0;

	if (ticks > 0)
		err = disturbances_add_share(
			list, "other programs",
			(double)math_gain(own_ticks, busy) * after->cpus / ticks,
			"the time of one CPU", 0.05,
			"end them, or give pstat a CPU of its own with --cpu-list");
	if (err == 0 && stolen > 0)
		err = disturbances_add_share(list, "stolen time", (double)stolen / ticks,
					     "the time, in which the host ran something else",
					     0.001, "use a dedicated host, or more runs");
	if (err == 0 && math_gain(before->swapped_pages, after->swapped_pages) > 0)
		err = disturbances_add_setting(list, "swapping", true,
					       "pages were swapped during the test",
					       "end programs that need much memory");
	if (err == 0 && math_gain(before->throttled, after->throttled) > 0)
		err = disturbances_add_setting(list, "temperature", true,
					       "too high: CPUs were slowed down during the test",
					       "cool the machine");
	return err;
}

/* ---- Counters of others. */

enum { USERS_SHOWN = 3 };

/* The number of perf descriptors that a process has. hidden: set if this user may not look. */
static size_t disturbances_count_descriptors(const struct machine *m, const char *pid, bool *hidden)
{
	cleanup_str_list struct str_list names = { 0 };
	size_t n = 0;
	int err = machine_list(m, &names, "/proc/%s/fd", pid);

	*hidden |= err == -EACCES || err == -EPERM;
	if (err < 0)
		return 0;
	for (size_t i = 0; i < names.n; i++) {
		cleanup_free char *path = machine_path(m, "/proc/%s/fd/%s", pid, names.v[i]);
		char target[64];
		ssize_t length = path ? readlink(path, target, sizeof(target) - 1) : -1;

		if (length < 0)
			continue;
		target[length] = '\0';
		n += strcmp(target, "anon_inode:[perf_event]") == 0;
	}
	return n;
}

/* A process with perf descriptors. */
struct counter_user {
	pid_t pid;
	size_t n; /* of its descriptors */
};

/* Insert a process into those that are shown, the largest first. n: of the processes so far. */
static void disturbances_add_user(struct counter_user *shown, size_t n, struct counter_user user)
{
	size_t at = n < USERS_SHOWN ? n : USERS_SHOWN;

	for (; at > 0 && shown[at - 1].n < user.n; at--)
		if (at < USERS_SHOWN)
			shown[at] = shown[at - 1];
	if (at < USERS_SHOWN)
		shown[at] = user;
}

int disturbances_of_counters(const struct machine *m, struct findings *list)
{
	cleanup_str_list struct str_list pids = { 0 };
	cleanup_str struct str text = { 0 };
	struct counter_user shown[USERS_SHOWN];
	bool hidden = false;
	size_t users = 0;

	if (machine_list(m, &pids, "/proc") < 0)
		return 0;
	for (size_t i = 0; i < pids.n; i++) {
		struct counter_user user = { .pid = (pid_t)strtol(pids.v[i], NULL, 10) };

		if (user.pid <= 0 || user.pid == getpid())
			continue;
		user.n = disturbances_count_descriptors(m, pids.v[i], &hidden);
		if (user.n > 0)
			disturbances_add_user(shown, users++, user);
	}
	for (size_t i = 0; i < users && i < USERS_SHOWN; i++) {
		char comm[TASK_COMM_SIZE];

		if (task_comm(m, shown[i].pid, comm) < 0)
			comm[0] = '\0';
		/* the number first: a name cannot begin a line with a command for a CI service */
		str_addf(&text, "%spid %d (%s): %zu", text.len ? ", " : "", (int)shown[i].pid, comm,
			 shown[i].n);
	}
	if (users > USERS_SHOWN)
		str_addf(&text, ", and %zu more", users - USERS_SHOWN);
	if (users == 0)
		str_add(&text, hidden ? "none that this user can see" : "none");
	if (text.failed)
		return -ENOMEM;
	return disturbances_add_setting(list, "other counters", users > 0, str_text(&text),
					"end these processes if events are multiplexed");
}
