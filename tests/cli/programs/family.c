/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family HOW [ARG...]
 *
 * Creates processes in some way, and calls called() a known number of times in each of them. The
 * program is not position-independent, so that called() has the same address in each process.
 *
 *   calls N [STATUS]       calls called() N times, and exits with STATUS
 *   many N                 N processes, one after the other, with one call each
 *   fork N                 a process with N calls before its exec of "calls N"
 *   vfork N, spawn N       a process of vfork(2) or posix_spawn(3) that executes "calls N"
 *   clone FLAGS N          a process of clone(2) with these flags in hexadecimal and N calls
 *   again N                executes itself three times in one process, with N calls before each
 *   thread-fork N          a second thread creates a process with N calls, and makes N calls
 *   thread-exec N          a second thread makes N calls, and executes "calls N"
 *   leader-exit N          the first thread ends; a second one makes N calls, and executes "calls N"
 *   double N               a process creates another one and ends; that one has N calls
 *   daemon N FILE          the same in a session of its own; it creates FILE and waits for a signal
 *   wait N DEPTH FILE      N children with one call each; each has DEPTH descendants with one call each,
 *                          one below the other. All wait until FILE exists
 *   live N DEPTH FILE      the same, but creates FILE when all descendants exist
 *   unreaped N             N children with one call each, for which their parent does not wait
 *   signals SIGNAL...      a child with one call for each SIGNAL, which ends by it
 *   reuse N                a process with N calls, and then another one with the same process ID
 *   vfork-wait READY FILE  a child creates a process of vfork(2), which creates READY and waits until
 *                          FILE exists; nobody waits for the child
 *   exec FILE [ARG...]     executes FILE after one call
 *   exec-at HOW FILE ARG   a child executes FILE: HOW is "fd" (fexecve(3)), "folder" (execveat(2)), "32" or
 *                          "x32" (system calls of 32-bit and x32 programs; ARG is not passed on)
 *
 * Each HOW except "calls" and "exec" also makes one call before everything else.
 */
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "called.h"

enum { EXIT_TROUBLE = 99, STEP_NS = 10000000 };

static char *self;

static void call(long n)
{
	for (long i = 0; i < n; i++)
		called();
}

static void await(pid_t child)
{
	if (child < 0)
		err(EXIT_TROUBLE, "fork");
	if (waitpid(child, NULL, __WALL) < 0)
		err(EXIT_TROUBLE, "waitpid");
}

static void await_file(const char *file)
{
	const struct timespec step = { .tv_nsec = STEP_NS };

	while (access(file, F_OK) < 0)
		nanosleep(&step, NULL);
}

static void create_file(const char *file)
{
	int fd = open(file, O_CREAT | O_WRONLY | O_CLOEXEC, 0666);

	if (fd < 0)
		err(EXIT_TROUBLE, "%s", file);
	close(fd);
}

static _Noreturn void become(const char *how, const char *n)
{
	static char words[2][32];
	char *argv[] = { self, words[0], words[1], NULL };

	snprintf(words[0], sizeof(words[0]), "%s", how);
	snprintf(words[1], sizeof(words[1]), "%s", n);
	execv(self, argv);
	_exit(EXIT_TROUBLE);
}

static void many(long n)
{
	for (long i = 0; i < n; i++) {
		pid_t child = fork();

		if (child == 0) {
			called();
			_exit(0);
		}
		await(child);
	}
}

static void fork_exec(char *n)
{
	pid_t child = fork();

	if (child == 0) {
		call(atol(n));
		become("calls", n);
	}
	await(child);
}

static void vfork_exec(char *n)
{
	pid_t child = vfork();

	if (child == 0)
		become("calls", n);
	await(child);
}

static void spawn(char *n)
{
	char how[] = "calls", *argv[] = { self, how, n, NULL }, *environment[] = { NULL };
	pid_t child;

	if (posix_spawn(&child, self, NULL, NULL, argv, environment) != 0)
		errx(EXIT_TROUBLE, "posix_spawn failed");
	await(child);
}

static void clone_child(unsigned long flags, long n)
{
	int ends[2];
	pid_t child;
	char byte;

	if (pipe(ends) < 0)
		err(EXIT_TROUBLE, "pipe");
	child = (pid_t)syscall(SYS_clone, flags, NULL, NULL, NULL, 0);
	if (child == 0) {
		call(n);
		_exit(0);
	}
	if (child < 0)
		err(EXIT_TROUBLE, "clone");
	if (flags & CLONE_PARENT) { /* a child of the parent */
		close(ends[1]);
		(void)!read(ends[0], &byte, 1);
	} else {
		await(child);
	}
}

static void again(char *n)
{
	static char left[] = "LEFT=0";
	const char *value = getenv("LEFT");
	int times = value ? atoi(value) : 3;

	call(atol(n));
	if (times == 0)
		return;
	left[strlen(left) - 1] = (char)('0' + times - 1);
	putenv(left);
	become("again", n);
}

static void *fork_in_thread(void *n)
{
	pid_t child = fork();

	call(atol(n));
	if (child == 0)
		_exit(0);
	await(child);
	return NULL;
}

static void *exec_in_thread(void *n)
{
	call(atol(n));
	become("calls", n);
}

static void *exec_after_leader(void *n)
{
	const struct timespec step = { .tv_nsec = STEP_NS };
	char path[64], state = 'R';
	FILE *stat;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", (int)getpid());
	while (state != 'Z' && (stat = fopen(path, "re"))) {
		if (fscanf(stat, "%*d (%*[^)]) %c", &state) != 1)
			state = 'Z';
		fclose(stat);
		nanosleep(&step, NULL);
	}
	return exec_in_thread(n);
}

static void in_thread(void *(*run)(void *), char *n)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run, n) != 0)
		errx(EXIT_TROUBLE, "pthread_create failed");
	pthread_join(thread, NULL);
}

static void exit_before_thread(char *n)
{
	static char path[4096];
	pthread_t thread;

	/* /proc/self has no program after the end of the first thread */
	if (readlink(self, path, sizeof(path) - 1) < 0)
		err(EXIT_TROUBLE, "readlink");
	self = path;
	if (pthread_create(&thread, NULL, exec_after_leader, n) != 0)
		errx(EXIT_TROUBLE, "pthread_create failed");
	pthread_exit(NULL);
}

/* file: NULL: the second process ends. */
static void double_fork(long n, const char *file)
{
	int ends[2];
	pid_t child;
	char byte;

	if (pipe(ends) < 0)
		err(EXIT_TROUBLE, "pipe");
	child = fork();
	if (child == 0) {
		if (file)
			setsid();
		if (fork() != 0)
			_exit(0);
		call(n);
		if (file) {
			create_file(file);
			close(ends[0]);
			close(ends[1]);
			pause();
		}
		_exit(0);
	}
	close(ends[1]);
	await(child);
	if (file)
		await_file(file);
	(void)!read(ends[0], &byte, 1); /* until both have closed it */
}

/* The last descendant writes a byte to the pipe. */
static void descend(long depth, const char *file, int born)
{
	called();
	if (depth > 0) {
		pid_t child = fork();

		if (child == 0) {
			descend(depth - 1, file, born);
			_exit(0);
		}
		await(child);
		return;
	}
	if (write(born, "", 1) != 1)
		err(EXIT_TROUBLE, "write");
	await_file(file);
}

static void live(long n, long depth, const char *file, bool creates)
{
	int born[2];
	char byte;

	if (pipe(born) < 0)
		err(EXIT_TROUBLE, "pipe");
	for (long i = 0; i < n; i++) {
		pid_t child = fork();

		if (child < 0)
			err(EXIT_TROUBLE, "fork");
		if (child == 0) {
			descend(depth, file, born[1]);
			_exit(0);
		}
	}
	for (long i = 0; creates && i < n; i++)
		if (read(born[0], &byte, 1) != 1)
			err(EXIT_TROUBLE, "read");
	if (creates)
		create_file(file);
	while (wait(NULL) > 0)
		;
}

static void unreaped(long n)
{
	for (long i = 0; i < n; i++) {
		siginfo_t info;
		pid_t child = fork();

		if (child == 0) {
			called();
			_exit(0);
		}
		if (child < 0 || waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT) < 0)
			err(EXIT_TROUBLE, "waitid");
	}
}

static void die(int sig)
{
	const struct rlimit no_core = { 0, 0 };
	pid_t child = fork();

	if (child == 0) {
		setrlimit(RLIMIT_CORE, &no_core);
		called();
		kill(getpid(), sig);
		_exit(EXIT_TROUBLE);
	}
	await(child);
}

/* The next process gets this number. Only root may choose it. */
static void choose_next(pid_t pid)
{
	FILE *last = fopen("/proc/sys/kernel/ns_last_pid", "we");

	if (!last || fprintf(last, "%d", pid - 1) < 0 || fclose(last) == EOF)
		err(EXIT_TROUBLE, "ns_last_pid");
}

static void reuse(long n)
{
	pid_t first = 0;

	for (int i = 0; i < 2; i++) {
		pid_t child;

		if (first)
			choose_next(first);
		child = fork();
		if (child == 0) {
			call(n);
			_exit(0);
		}
		await(child);
		if (first && child != first)
			errx(EXIT_TROUBLE, "the number was not used again");
		first = child;
	}
}

/* Execute a file in other ways than execve(2). */
static void exec_at(const char *how, char **args)
{
	char *slash = strrchr(args[0], '/');
	pid_t child = fork();

	if (child != 0) {
		await(child);
		return;
	}
	if (strcmp(how, "fd") == 0) {
		fexecve(open(args[0], O_RDONLY | O_CLOEXEC), args, environ);
	} else if (strcmp(how, "folder") == 0 && slash) {
		*slash = '\0';
		syscall(SYS_execveat, open(args[0], O_PATH | O_DIRECTORY), slash + 1, args, environ,
			0);
	}
#ifdef __x86_64__
	static char path[4096]; /* its address fits 32 bits: the program has a fixed place */
	static uint32_t words[2];
	long result = 11; /* execve */

	snprintf(path, sizeof(path), "%s", args[0]);
	words[0] = (uint32_t)(uintptr_t)path;
	if (strcmp(how, "32") == 0)
		__asm__ volatile("int $0x80"
				 : "+a"(result)
				 : "b"(path), "c"(words), "d"(0)
				 : "memory", "r8", "r9", "r10", "r11");
	if (strcmp(how, "x32") == 0)
		syscall(__X32_SYSCALL_BIT | 520, path, words, NULL);
#endif
	_exit(EXIT_TROUBLE);
}

static void vfork_wait(const char *ready, const char *file)
{
	pid_t child = fork();

	if (child == 0) {
		pid_t waits;

		setsid();
		waits = vfork();
		if (waits == 0) {
			create_file(ready);
			await_file(file);
			_exit(0);
		}
		await(waits);
		_exit(0);
	}
	await_file(ready);
}

static bool is(const char *how, const char *name)
{
	return strcmp(how, name) == 0;
}

static void do_one(const char *how, char **args)
{
	if (is(how, "many"))
		many(atol(args[0]));
	else if (is(how, "fork"))
		fork_exec(args[0]);
	else if (is(how, "vfork"))
		vfork_exec(args[0]);
	else if (is(how, "spawn"))
		spawn(args[0]);
	else if (is(how, "again"))
		again(args[0]);
	else if (is(how, "thread-fork"))
		in_thread(fork_in_thread, args[0]);
	else if (is(how, "thread-exec"))
		in_thread(exec_in_thread, args[0]);
	else if (is(how, "leader-exit"))
		exit_before_thread(args[0]);
	else if (is(how, "double"))
		double_fork(atol(args[0]), NULL);
	else if (is(how, "unreaped"))
		unreaped(atol(args[0]));
	else if (is(how, "reuse"))
		reuse(atol(args[0]));
	else if (is(how, "exec-at") && args[1])
		exec_at(args[0], args + 1);
	else if (is(how, "vfork-wait") && args[1])
		vfork_wait(args[0], args[1]);
	else if (is(how, "clone") && args[1])
		clone_child(strtoul(args[0], NULL, 16), atol(args[1]));
	else if (is(how, "daemon") && args[1])
		double_fork(atol(args[0]), args[1]);
	else if ((is(how, "live") || is(how, "wait")) && args[1] && args[2])
		live(atol(args[0]), atol(args[1]), args[2], is(how, "live"));
	else if (is(how, "signals"))
		for (; *args; args++)
			die(atoi(*args));
	else
		errx(EXIT_TROUBLE, "%s: unknown, or too few arguments", how);
}

int main(int argc, char **argv)
{
	static char exe[] = "/proc/self/exe";

	if (argc < 3)
		errx(EXIT_TROUBLE, "too few arguments");
	self = exe;
	if (is(argv[1], "calls")) {
		call(atol(argv[2]));
		return argc > 3 ? atoi(argv[3]) : 0;
	}
	called();
	if (is(argv[1], "exec")) {
		execv(argv[2], argv + 2);
		err(EXIT_TROUBLE, "%s", argv[2]);
	}
	do_one(argv[1], argv + 2);
	return 0;
}
