/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * serve COMMANDS ANSWERS
 *
 * A process that pstat attaches to, with called() at a fixed address for breakpoints. It reads
 * commands from the FIFO COMMANDS. After each command, it writes a line to ANSWERS: how often the
 * command called called(). Each call also touches a new page. The commands:
 *	call N		call called() N times
 *	threads K N	start K threads named "worker", which call it N times each and then wait
 *	each N		each waiting thread calls it N times
 *	fork N		a child calls it N times
 *	churn MS K	keep K threads running for MS milliseconds, and until 1000 have ended: each calls it
 *			once, starts its successor and ends
 *	leave		the waiting threads end
 *	quit		answer, and exit
 */
#include <err.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "called.h"

enum { EXIT_TROUBLE = 99, WORKERS_MAX = 20000, STACK_SIZE = 64 * 1024, CHURN_MIN = 1000 };

/* The task of the workers: each worker does each round once. */
static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	unsigned long round, calls, busy;
	int leave;
} work = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };

static pthread_t workers[WORKERS_MAX];
static size_t workers_n;
static pthread_attr_t small;

static struct timespec churn_end;
static atomic_ulong churn_calls, churn_threads;

static void call(unsigned long n)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *memory = n ? mmap(NULL, n * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				-1, 0) :
			   NULL;

	if (memory == MAP_FAILED)
		err(EXIT_TROUBLE, "mmap");
	madvise(memory, n * page, MADV_NOHUGEPAGE);
	for (unsigned long i = 0; i < n; i++) {
		called();
		*(volatile char *)&memory[i * page] = 1;
	}
	if (n)
		munmap(memory, n * page);
}

/* A round ends when the last worker is done. */
static void done(void)
{
	if (--work.busy == 0)
		pthread_cond_broadcast(&work.changed);
}

static void *worker(void *unused)
{
	unsigned long seen;

	(void)unused;
	prctl(PR_SET_NAME, "worker");
	pthread_mutex_lock(&work.lock);
	for (;;) {
		unsigned long calls = work.calls;

		seen = work.round;
		pthread_mutex_unlock(&work.lock);
		call(calls);
		pthread_mutex_lock(&work.lock);
		done();
		while (work.round == seen && !work.leave)
			pthread_cond_wait(&work.changed, &work.lock);
		if (work.leave)
			break;
	}
	pthread_mutex_unlock(&work.lock);
	return NULL;
}

static void await_round(void)
{
	while (work.busy)
		pthread_cond_wait(&work.changed, &work.lock);
	pthread_mutex_unlock(&work.lock);
}

static unsigned long start_workers(unsigned long n, unsigned long calls)
{
	pthread_mutex_lock(&work.lock);
	work.calls = calls;
	work.busy = n;
	for (unsigned long i = 0; i < n; i++)
		if (workers_n == WORKERS_MAX ||
		    pthread_create(&workers[workers_n++], &small, worker, NULL))
			errx(EXIT_TROUBLE, "too many threads");
	await_round();
	return n * calls;
}

static unsigned long each_worker(unsigned long calls)
{
	pthread_mutex_lock(&work.lock);
	work.calls = calls;
	work.busy = workers_n;
	work.round++;
	pthread_cond_broadcast(&work.changed);
	await_round();
	return workers_n * calls;
}

static unsigned long end_workers(void)
{
	pthread_mutex_lock(&work.lock);
	work.leave = 1;
	pthread_cond_broadcast(&work.changed);
	pthread_mutex_unlock(&work.lock);
	while (workers_n > 0)
		pthread_join(workers[--workers_n], NULL);
	work.leave = 0;
	return 0;
}

static unsigned long in_child(unsigned long calls)
{
	pid_t child = fork();
	int status;

	if (child < 0)
		err(EXIT_TROUBLE, "fork");
	if (child == 0) {
		call(calls);
		_exit(0);
	}
	if (waitpid(child, &status, 0) < 0 || status)
		errx(EXIT_TROUBLE, "the child failed");
	return calls;
}

/* A busy machine must also start and end some threads. */
static int is_over(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (atomic_load(&churn_calls) < CHURN_MIN)
		return 0;
	return now.tv_sec > churn_end.tv_sec ||
	       (now.tv_sec == churn_end.tv_sec && now.tv_nsec >= churn_end.tv_nsec);
}

static void *relay(void *unused);

/* If the system cannot start another thread now, there is one thread less. */
static void start_relay(void)
{
	pthread_t thread;

	atomic_fetch_add(&churn_threads, 1);
	if (pthread_create(&thread, &small, relay, NULL) == 0)
		pthread_detach(thread);
	else
		atomic_fetch_sub(&churn_threads, 1);
}

static void *relay(void *unused)
{
	(void)unused;
	call(1);
	atomic_fetch_add(&churn_calls, 1);
	if (!is_over())
		start_relay();
	atomic_fetch_sub(&churn_threads, 1);
	return NULL;
}

static unsigned long churn(unsigned long ms, unsigned long threads)
{
	const struct timespec nap = { .tv_nsec = 1000000 };

	clock_gettime(CLOCK_MONOTONIC, &churn_end);
	churn_end.tv_sec += (time_t)(ms / 1000);
	churn_end.tv_nsec += (long)(ms % 1000) * 1000000;
	churn_end.tv_sec += churn_end.tv_nsec / 1000000000;
	churn_end.tv_nsec %= 1000000000;
	atomic_store(&churn_calls, 0);
	while (threads-- > 0)
		start_relay();
	while (atomic_load(&churn_threads) > 0)
		nanosleep(&nap, NULL);
	return atomic_load(&churn_calls);
}

static unsigned long obey(const char *command, unsigned long a, unsigned long b)
{
	if (strcmp(command, "call") == 0)
		return call(a), a;
	if (strcmp(command, "threads") == 0)
		return start_workers(a, b);
	if (strcmp(command, "each") == 0)
		return each_worker(a);
	if (strcmp(command, "fork") == 0)
		return in_child(a);
	if (strcmp(command, "churn") == 0)
		return churn(a, b);
	if (strcmp(command, "leave") == 0)
		return end_workers();
	if (strcmp(command, "quit") != 0)
		errx(EXIT_TROUBLE, "no such command: %s", command);
	return 0;
}

/*
 * In a virtual machine, a thread that moves to another CPU may get the trap of a breakpoint that
 * the kernel has already removed there, as a signal (seen in Linux 6.18). The instruction is
 * executed, and counted, again.
 */
static void go_on(int signal)
{
	(void)signal;
}

int main(int argc, char **argv)
{
	const struct sigaction trapped = { .sa_handler = go_on, .sa_flags = SA_RESTART };
	FILE *in = argc == 3 ? fopen(argv[1], "r+") : NULL;
	FILE *out = argc == 3 ? fopen(argv[2], "r+") : NULL;
	char line[64], command[16] = "";

	if (!in || !out)
		errx(EXIT_TROUBLE, "usage: serve COMMANDS ANSWERS");
	if (pthread_attr_init(&small) || pthread_attr_setstacksize(&small, STACK_SIZE))
		errx(EXIT_TROUBLE, "pthread_attr_setstacksize failed");
	sigaction(SIGTRAP, &trapped, NULL);
	while (strcmp(command, "quit") != 0 && fgets(line, sizeof(line), in)) {
		char *rest = line + strcspn(line, " \n");
		unsigned long a = strtoul(rest, &rest, 10);
		unsigned long b = strtoul(rest, NULL, 10);

		snprintf(command, sizeof(command), "%.*s", (int)strcspn(line, " \n"), line);
		fprintf(out, "%lu\n", obey(command, a, b));
		fflush(out);
	}
	return 0;
}
