// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * usage: shifting KIND MILLISECONDS SEED
 *
 * A program that executes instructions in user mode at a rate that changes: while the rate is low,
 * it spends most of its time in the kernel. KIND is like one of the kinds in tests/bench/multiplex:
 *
 *	steady		the rate does not change
 *	below		two phases alternate, each 0.15 to 1 ms
 *	at		the same, 2 to 10 ms: near the 4 ms of the kernel's rotation
 *	above		the same, 25 to 250 ms
 *	random		phases of random length, 1 to 300 ms, with random rates
 *	burst		one burst of 10 to 50 % of the time
 *	children	processes of 2 to 60 ms, one after the other
 *	threads		four threads that share the CPU, each with its own phases
 *	step		12 ms and 36 ms, exactly: in step with a rotation of 12 events
 *	bursts		2 to 15 ms, about every 100 ms
 *	growing		the rate grows
 *	startup		a high rate in the first 5 to 35 % of the time
 *	spike		one burst of 5 to 30 ms
 *	waits		two phases of 5 to 25 ms; in one of them, it sleeps 65 % of the time
 *	execs		it executes itself every 2 to 60 ms
 *	walk		a random walk of the rate
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MS UINT64_C(1000000)
#define SLICE (MS / 20)

static int zero;
static uint64_t end_ns;
static uint64_t state;

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* xorshift64* (Vigna 2016, ACM Transactions on Mathematical Software 42(4)); 0 to 1. */
static double uniform(uint64_t *s)
{
	*s ^= *s >> 12;
	*s ^= *s << 25;
	*s ^= *s >> 27;
	return (double)(*s * UINT64_C(2685821657736338717) >> 11) * 0x1p-53;
}

static uint64_t ns_between(uint64_t *s, double low_ms, double high_ms)
{
	double x = uniform(s);

	/* x * x: short lengths are more frequent */
	return (uint64_t)((low_ms + (high_ms - low_ms) * x * x) * (double)MS);
}

/* Spend this share of the time in user mode. */
static void work(double share, uint64_t length_ns)
{
	static char buffer[16384];
	uint64_t start = now_ns(), now = start;

	while (now < start + length_ns && now < end_ns) {
		uint64_t slice = now;

		while (now_ns() < slice + (uint64_t)(share * SLICE))
			for (volatile int i = 0; i < 50; i++)
				;
		while ((now = now_ns()) < slice + SLICE)
			if (read(zero, buffer, sizeof(buffer)) < 0)
				exit(1);
	}
}

static void alternate(double low_ms, double high_ms)
{
	uint64_t first = ns_between(&state, low_ms, high_ms);
	uint64_t second = ns_between(&state, low_ms, high_ms);

	/* no program repeats itself to the nanosecond for seconds: the lengths vary by 5 % */
	while (now_ns() < end_ns) {
		work(0.95, (uint64_t)((double)first * (0.95 + 0.1 * uniform(&state))));
		work(0.1, (uint64_t)((double)second * (0.95 + 0.1 * uniform(&state))));
	}
}

static void be_random(uint64_t *s, double low_ms, double high_ms)
{
	while (now_ns() < end_ns)
		work(uniform(s), ns_between(s, low_ms, high_ms));
}

static void burst(uint64_t total_ns)
{
	double length = 0.1 + 0.4 * uniform(&state), first = (1 - length) * uniform(&state);

	work(0.2, (uint64_t)((double)total_ns * first));
	work(0.95, (uint64_t)((double)total_ns * length));
	work(0.2, total_ns);
}

/* Work until this time after `from`. */
static void work_until(double share, uint64_t from, uint64_t length_ns)
{
	uint64_t now = now_ns();

	if (from + length_ns > now)
		work(share, from + length_ns - now);
}

static void step(void)
{
	uint64_t from = now_ns();

	for (; now_ns() < end_ns; from += 48 * MS) {
		work_until(0.95, from, 12 * MS);
		work_until(0.05, from, 48 * MS);
	}
}

static void bursts(void)
{
	while (now_ns() < end_ns) {
		work(0.05, ns_between(&state, 20, 300));
		work(0.95, ns_between(&state, 2, 15));
	}
}

static void growing(uint64_t total_ns)
{
	uint64_t from = now_ns();

	for (int i = 1; i <= 50; i++)
		work_until(0.05 + 0.018 * i, from, total_ns * (uint64_t)i / 50);
}

static void startup(uint64_t total_ns)
{
	work(0.95, (uint64_t)((double)total_ns * (0.05 + 0.3 * uniform(&state))));
	work(0.1, total_ns);
}

static void spike(uint64_t total_ns)
{
	uint64_t from = now_ns(), length = ns_between(&state, 5, 30);

	work_until(0.1, from, (uint64_t)((double)(total_ns - length) * uniform(&state)));
	work(0.95, length);
	work(0.1, total_ns);
}

static void waits(void)
{
	const struct timespec rest = { .tv_nsec = (long)(0.65 * MS) };
	uint64_t first = ns_between(&state, 5, 25), second = ns_between(&state, 5, 25);

	while (now_ns() < end_ns) {
		uint64_t start;

		work(0.95, first);
		start = now_ns();
		while (now_ns() < start + second && now_ns() < end_ns) {
			work(0.3, (uint64_t)(0.35 * MS));
			nanosleep(&rest, NULL);
		}
	}
}

/* Pass on the random state as SEED, and the time that is left as MILLISECONDS. */
static void execs(void)
{
	char ms[24], seed[24];
	uint64_t now;

	work(uniform(&state), ns_between(&state, 2, 60));
	now = now_ns();
	if (now + MS >= end_ns)
		return;
	snprintf(ms, sizeof(ms), "%llu", (unsigned long long)((end_ns - now) / MS));
	snprintf(seed, sizeof(seed), "%llu", (unsigned long long)(state % 1000000));
	execl("/proc/self/exe", "shifting", "execs", ms, seed, NULL);
	exit(1);
}

static void walk(void)
{
	double share = 0.5;

	while (now_ns() < end_ns) {
		work(share, 5 * MS);
		share += 0.1 * (uniform(&state) - 0.5);
		share = share < 0.05 ? 0.05 : share > 0.95 ? 0.95 : share;
	}
}

static void children(void)
{
	while (now_ns() < end_ns) {
		uint64_t length = ns_between(&state, 2, 60);
		double share = 0.4 + 0.6 * uniform(&state);
		pid_t child = fork();

		if (child == 0) {
			work(0.1, MS);
			work(share, length);
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
}

static void *run_thread(void *seed)
{
	uint64_t own = (uint64_t)(uintptr_t)seed;

	be_random(&own, 5, 200);
	return NULL;
}

static void threads(void)
{
	pthread_t ids[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&ids[i], NULL, run_thread,
			       (void *)(uintptr_t)(state + 7919 * (uint64_t)(i + 1)));
	for (int i = 0; i < 4; i++)
		pthread_join(ids[i], NULL);
}

int main(int argc, char *argv[])
{
	const char *kind = argc == 4 ? argv[1] : "";
	uint64_t total_ns = argc == 4 ? strtoull(argv[2], NULL, 10) * MS : 0;

	state = 88172645463325252 + (argc == 4 ? strtoull(argv[3], NULL, 10) * 1000003 : 0);
	for (int i = 0; i < 20; i++)
		uniform(&state);
	zero = open("/dev/zero", O_RDONLY);
	end_ns = now_ns() + total_ns;
	if (strcmp(kind, "steady") == 0)
		work(0.5, total_ns);
	else if (strcmp(kind, "below") == 0)
		alternate(0.15, 1);
	else if (strcmp(kind, "at") == 0)
		alternate(2, 10);
	else if (strcmp(kind, "above") == 0)
		alternate(25, 250);
	else if (strcmp(kind, "random") == 0)
		be_random(&state, 1, 300);
	else if (strcmp(kind, "burst") == 0)
		burst(total_ns);
	else if (strcmp(kind, "children") == 0)
		children();
	else if (strcmp(kind, "threads") == 0)
		threads();
	else if (strcmp(kind, "step") == 0)
		step();
	else if (strcmp(kind, "bursts") == 0)
		bursts();
	else if (strcmp(kind, "growing") == 0)
		growing(total_ns);
	else if (strcmp(kind, "startup") == 0)
		startup(total_ns);
	else if (strcmp(kind, "spike") == 0)
		spike(total_ns);
	else if (strcmp(kind, "waits") == 0)
		waits();
	else if (strcmp(kind, "execs") == 0)
		execs();
	else if (strcmp(kind, "walk") == 0)
		walk();
	else
		return 2;
	return 0;
}
