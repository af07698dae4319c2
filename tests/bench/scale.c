/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cost of pstat itself for 64, 256 and 1,024 CPUs x 16 events, with a kernel that costs almost
 * nothing (tests/unit/fake_kernel.c): the time of each step from the CPUs in /sys to the printed
 * result, and peak memory. Each step runs several times, and the shortest time counts.
 *
 *	scale		prints a table
 */
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "format/format.h"
#include "unit/fake_kernel.h"
#include "unit/scale.h"
#include "unit/test.h"

enum { ROUNDS = 7 };

enum step { FIND, OPEN, SWITCH, READ, AGGREGATE, TABLE, CSV, CLOSE, STEPS_N };

static const char *const names[STEPS_N] = {
	[FIND] = "find the CPUs", [OPEN] = "open",	     [SWITCH] = "switch on and off",
	[READ] = "read",	  [AGGREGATE] = "aggregate", [TABLE] = "format (table)",
	[CSV] = "format (-x)",	  [CLOSE] = "close",
};

enum { MACHINES_N = 3, SPLITS_N = 3 };

static const int machines[MACHINES_N] = { 64, 256, 1024 };

static const struct {
	enum place_kind kind;
	const char *option;
} splits[SPLITS_N] = {
	{ PLACE_TARGET, "-a" },
	{ PLACE_CPU, "-a -A" },
	{ PLACE_SOCKET, "-a --per-socket" },
};

struct measurement {
	double ns[STEPS_N]; /* the shortest of all rounds */
	long peak_kib, fake_kib;
};

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void note(struct measurement *m, enum step step, double *since)
{
	double now = now_ns(), ns = now - *since;

	if (m->ns[step] == 0 || ns < m->ns[step])
		m->ns[step] = ns;
	*since = now;
}

static void measure(struct measurement *m, struct scale *s, enum place_kind split)
{
	FILE *out = fopen("/dev/null", "w");
	double since = now_ns();

	assert_non_null(out);
	fake_reset();
	fake_hand_out_numbers();
	scale_find_cpus(s, split);
	note(m, FIND, &since);
	scale_open(s, scale_singles);
	note(m, OPEN, &since);
	scale_switch(s, true);
	fake_advance_clock(SCALE_NS);
	scale_switch(s, false);
	note(m, SWITCH, &since);
	scale_read(s, s->after);
	note(m, READ, &since);
	scale_aggregate(s);
	note(m, AGGREGATE, &since);
	scale_format(s, &format_table, out);
	note(m, TABLE, &since);
	scale_format(s, &format_perf_csv, out);
	note(m, CSV, &since);
	scale_close(s);
	note(m, CLOSE, &since);
	fclose(out);
}

/* In a separate process, so that its peak memory belongs to these CPUs. */
static int measure_machine(int cpus, struct measurement *results)
{
	struct rusage usage;
	struct scale s;

	scale_make_machine(&s, cpus);
	for (size_t i = 0; i < N_OF(splits); i++)
		for (int round = 0; round < ROUNDS; round++) {
			struct machine machine = s.machine;

			measure(&results[i], &s, splits[i].kind);
			s = (struct scale){ .machine = machine };
			getrusage(RUSAGE_SELF, &usage);
			results[i].peak_kib = usage.ru_maxrss;
			results[i].fake_kib = (long)(fake_bytes() / 1024);
		}
	scale_remove_machine(&s);
	return 0;
}

static double sum_of(const struct measurement *m)
{
	double all = 0;

	for (size_t i = 0; i < STEPS_N; i++)
		all += m->ns[i];
	return all;
}

/*
 * One step for all machines: the time on the largest, and for each counter; the ratio of the last.
 */
static void print(const char *option, const char *name, const double ns[MACHINES_N])
{
	double each[MACHINES_N];

	for (size_t i = 0; i < MACHINES_N; i++)
		each[i] = ns[i] / ((double)machines[i] * SCALE_EVENTS_N);
	printf("| %s | %s | %.3f ms | %.3f ms | %.3f ms | %.0f ns | %.0f ns | %.0f ns | %.2f |\n",
	       option, name, ns[0] / 1e6, ns[1] / 1e6, ns[2] / 1e6, each[0], each[1], each[2],
	       each[2] / each[0]);
}

static void print_all(struct measurement results[MACHINES_N][SPLITS_N])
{
	printf("| rows | step | 64 CPUs | 256 CPUs | 1,024 CPUs | for each counter | | | 1,024 / 64 |\n"
	       "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
	for (size_t i = 0; i < SPLITS_N; i++) {
		double ns[MACHINES_N];

		for (size_t step = 0; step < STEPS_N; step++) {
			for (size_t j = 0; j < MACHINES_N; j++)
				ns[j] = results[j][i].ns[step];
			print(splits[i].option, names[step], ns);
		}
		for (size_t j = 0; j < MACHINES_N; j++)
			ns[j] = sum_of(&results[j][i]);
		print(splits[i].option, "all", ns);
	}
	/* the first two steps need the most */
	printf("| peak memory | of that the fake kernel | %ld KiB | %ld KiB | %ld KiB | %ld KiB | %ld KiB "
	       "| %ld KiB | |\n",
	       results[0][1].peak_kib, results[1][1].peak_kib, results[2][1].peak_kib,
	       results[0][1].fake_kib, results[1][1].fake_kib, results[2][1].fake_kib);
}

int main(void)
{
	struct measurement(*results)[SPLITS_N] =
		mmap(NULL, MACHINES_N * sizeof(*results), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (results == MAP_FAILED)
		return 1;
	for (size_t i = 0; i < MACHINES_N; i++) {
		pid_t child = fork();
		int status;

		if (child == 0)
			_exit(measure_machine(machines[i], results[i]));
		if (waitpid(child, &status, 0) != child || status != 0)
			return 1;
	}
	print_all(results);
	return 0;
}
