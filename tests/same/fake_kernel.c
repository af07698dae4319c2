/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For LD_PRELOAD: a system in which pstat always sees the same numbers. FAKE_ROOT is a folder with
 * the machine's sys/ and proc/. The programs that pstat starts are real, and do not see this
 * library.
 *
 * Time passes only when pstat waits: it jumps to the first deadline of a timer, or to the end of
 * the command. The duration of a command depends only on its arguments: `true ms35` takes about 35
 * ms. The value of a counter depends on the event, the target (the command's arguments, a task or a
 * CPU), the number of earlier runs of that command, and the time. It does not depend on the number
 * or order of pstat's opens, reads and calls for the time.
 *
 * The PMU has three fixed counters (cycles, instructions, ref-cycles) and GENERAL_COUNTERS others.
 * More events than these are multiplexed. The table `refusals` has the numbers of refused events.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	GENERAL_COUNTERS = 4,
	BREAKPOINTS = 4,
	CPUS = 8,
	FDS_MAX = 4096,
	CHILDREN_MAX = 1 << 16,
	PMUS_MAX = 256,
	FIRST_TASK = 4194290, /* tasks from here on are fake */
	BRIEF_TASK = 4194290, /* it ends BRIEF_NS after pstat first reads its state */
	WHOLE = 1000000, /* of a share */
};

#define NS_OF_MS UINT64_C(1000000)
#define NS_OF_S UINT64_C(1000000000)
#define BRIEF_NS (70 * NS_OF_MS)
#define START_NS (1000 * NS_OF_S)
#define START_DATE 1700000000

/* The lowest byte of a raw event's or of a PMU event's number, and the error. */
static const struct {
	unsigned char number;
	int error;
} refusals[] = {
	{ 0xea, ENOSPC }, { 0xeb, EOPNOTSUPP }, { 0xec, EBUSY },
	{ 0xed, ENOENT }, { 0xee, EACCES },	{ 0xef, EINVAL },
};

/* A program that pstat has started. */
struct child {
	pid_t pid;
	uint64_t key; /* of the arguments */
	unsigned int run; /* the number of earlier programs with these arguments */
	uint64_t start_ns, end_ns;
	int killed_by;
	bool reaped;
};

/* Shared with the children until they are executed. */
struct world {
	uint64_t now_ns;
	size_t children_n;
	struct child children[CHILDREN_MAX];
};

enum kind { CLOSED, COUNTER, DEADLINE };

/* The meaning of a descriptor of pstat. */
struct slot {
	enum kind kind;
	uint64_t due_ns; /* DEADLINE; 0: none */
	struct perf_event_attr attr;
	pid_t pid;
	int cpu;
	int leader; /* the slot of its leader; its own slot if it is a leader */
	int order; /* its number among all opened counters */
	uint64_t key; /* a hash of the target */
	uint64_t event; /* a hash of the event */
	bool on, by_exec, on_command, on_cgroup;
	size_t first_child;
	uint64_t last_ns; /* the time of the values below */
	uint64_t enabled_ns;
	__uint128_t running, count; /* running: in WHOLEths; count: in WHOLEths, for NS_OF_S */
};

static struct world *world;
static struct slot slots[FDS_MAX];
static int opened_n, fds_n; /* fds_n: one more than the highest counter that was ever open */
static char root[4096];
static struct {
	unsigned int type;
	bool whole_cpus, is_core;
} pmus[PMUS_MAX];
static size_t pmus_n;
static bool has_core; /* whether there is a PMU for hardware events */

/* The real functions. */
#define REAL(name) ((__typeof__(&(name)))real_function(#name))

static void *real_function(const char *name)
{
	void *function = dlsym(RTLD_NEXT, name);

	if (!function)
		abort();
	return function;
}

static long real_syscall(long number, ...)
{
	static long (*real)(long, ...);
	long a[6];
	va_list args;

	va_start(args, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(args, long);
	va_end(args);
	if (!real)
		real = (long (*)(long, ...))real_function("syscall");
	return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static _Noreturn void give_up(const char *why)
{
	static const char name[] = "fake kernel: ";

	real_syscall(SYS_write, STDERR_FILENO, name, sizeof(name) - 1, 0, 0, 0);
	real_syscall(SYS_write, STDERR_FILENO, why, strlen(why), 0, 0, 0);
	real_syscall(SYS_exit_group, 99, 0, 0, 0, 0, 0);
	abort();
}

/* Hashes. */

static uint64_t mix(uint64_t a, uint64_t b)
{
	uint64_t x = a ^ (b + UINT64_C(0x9e3779b97f4a7c15) + (a << 6) + (a >> 2));

	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = mix(hash, (unsigned char)*text);
	return hash;
}

/* A number from least to most. */
static uint64_t between(uint64_t hash, uint64_t least, uint64_t most)
{
	return least + hash % (most - least + 1);
}

/* Files. */

static bool begins(const char *path, const char *with)
{
	return strncmp(path, with, strlen(with)) == 0;
}

/* The path to use in the place of this one. */
static const char *redirect(const char *path, char buffer[static 8192])
{
	static const char *const prefixes[] = {
		"/sys/",	"/proc/cpuinfo",     "/proc/version",	      "/proc/sys/",
		"/proc/mounts", "/proc/self/mounts", "/proc/self/status",     "/proc/kallsyms",
		"/.dockerenv",	"/proc/device-tree", "/proc/self/clear_refs", "/run/.containerenv",
	};

	if (!root[0] || path[0] != '/')
		return path;
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (begins(path, prefixes[i])) {
			snprintf(buffer, 8192, "%s%s", root, path);
			return buffer;
		}
	if (strcmp(path, "/proc") == 0 || strcmp(path, "/sys") == 0 ||
	    (begins(path, "/proc/") && atoi(path + strlen("/proc/")) >= FIRST_TASK)) {
		snprintf(buffer, 8192, "%s%s", root, path);
		return buffer;
	}
	return path;
}

static int open_at(int folder, const char *path, int flags, mode_t mode)
{
	char buffer[8192];

	return (int)real_syscall(SYS_openat, folder, redirect(path, buffer), flags, mode, 0, 0);
}

static mode_t mode_of(int flags, va_list args)
{
	return (flags & (O_CREAT | __O_TMPFILE)) ? va_arg(args, mode_t) : 0;
}

int open(const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = mode_of(flags, args);
	va_end(args);
	return open_at(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = mode_of(flags, args);
	va_end(args);
	return open_at(folder, path, flags, mode);
}

FILE *fopen(const char *path, const char *mode)
{
	char buffer[8192];

	return REAL(fopen)(redirect(path, buffer), mode);
}

DIR *opendir(const char *path)
{
	char buffer[8192];

	// cppcheck-suppress CastIntegerToAddressAtReturn ; it does not see the type of REAL()
	return REAL(opendir)(redirect(path, buffer));
}

int access(const char *path, int mode)
{
	char buffer[8192];

	return REAL(access)(redirect(path, buffer), mode);
}

int faccessat(int folder, const char *path, int mode, int flags)
{
	char buffer[8192];

	return REAL(faccessat)(folder, redirect(path, buffer), mode, flags);
}

int stat(const char *path, struct stat *st)
{
	char buffer[8192];

	return REAL(stat)(redirect(path, buffer), st);
}

int lstat(const char *path, struct stat *st)
{
	char buffer[8192];

	return REAL(lstat)(redirect(path, buffer), st);
}

int fstatat(int folder, const char *path, struct stat *st, int flags)
{
	char buffer[8192];

	return REAL(fstatat)(folder, redirect(path, buffer), st, flags);
}

/* Time, random numbers and facts of this machine. */

static void set_time(struct timespec *t, uint64_t ns)
{
	t->tv_sec = (time_t)(ns / NS_OF_S);
	t->tv_nsec = (long)(ns % NS_OF_S);
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
	set_time(t, world->now_ns);
	if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)
		t->tv_sec += START_DATE;
	return 0;
}

time_t time(time_t *t)
{
	time_t now = START_DATE + (time_t)(world->now_ns / NS_OF_S);

	if (t)
		*t = now;
	return now;
}

int nanosleep(const struct timespec *length, struct timespec *rest)
{
	(void)rest;
	world->now_ns += (uint64_t)length->tv_sec * NS_OF_S + (uint64_t)length->tv_nsec;
	return 0;
}

ssize_t getrandom(void *bytes, size_t n, unsigned int flags)
{
	(void)flags;
	memset(bytes, 42, n);
	return (ssize_t)n;
}

/* fsync() does nothing: tests do not need durable files, and the disk is slow. */
int fsync(int fd)
{
	(void)fd;
	return 0;
}

void sync(void)
{
}

int uname(struct utsname *names)
{
	*names = (struct utsname){ .sysname = "Linux",
				   .nodename = "fake",
				   .release = "6.1.0-fake",
				   .version = "#1",
				   .machine = "x86_64" };
	return 0;
}

int sched_getcpu(void)
{
	return 0;
}

/* Programs. */

static uint64_t length_of_run(char *const argv[], uint64_t key, unsigned int run)
{
	uint64_t ms = 10;

	for (size_t i = 0; argv[i]; i++)
		for (const char *word = argv[i]; (word = strstr(word, "ms")); word += 2)
			if (word[2] >= '0' && word[2] <= '9')
				ms = strtoull(word + 2, NULL, 10);
	return ms * NS_OF_MS * between(mix(key, 1), 9800, 10200) *
	       between(mix(mix(key, 2), run), 9900, 10100) / 100000000;
}

/* In the child, which may share all memory with pstat: nothing is allocated here. */
int execve(const char *path, char *const argv[], char *const environment[])
{
	struct child *child = &world->children[world->children_n];
	long result;

	if (world->children_n == CHILDREN_MAX)
		give_up("too many programs\n");
	*child = (struct child){ .pid = (pid_t)real_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0),
				 .start_ns = world->now_ns };
	for (size_t i = 0; argv[i]; i++)
		child->key = mix(mix_text(child->key, argv[i]), i);
	for (size_t i = 0; i < world->children_n; i++)
		child->run += world->children[i].key == child->key;
	child->end_ns = child->start_ns + length_of_run(argv, child->key, child->run);
	world->children_n++;
	result = real_syscall(SYS_execve, path, argv, environment, 0, 0, 0);
	world->children_n--;
	return (int)result;
}

static struct child *find_child(pid_t pid)
{
	for (size_t i = world->children_n; i-- > 0;)
		if (world->children[i].pid == pid && !world->children[i].reaped)
			return &world->children[i];
	return NULL;
}

/* The program that ends first. */
static struct child *first_to_end(void)
{
	struct child *first = NULL;

	for (size_t i = world->children_n; i-- > 0 && i + 64 > world->children_n;) {
		struct child *child = &world->children[i];

		if (!child->reaped && (!first || child->end_ns < first->end_ns))
			first = child;
	}
	return first;
}

static void pass_to(uint64_t ns)
{
	if (ns > world->now_ns)
		world->now_ns = ns;
}

/* Let the program run to its end. */
static void run_to_end(const struct child *child)
{
	siginfo_t info;

	while (waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR)
		;
	pass_to(child->end_ns);
}

static struct timeval time_of(uint64_t ns)
{
	return (struct timeval){ (time_t)(ns / NS_OF_S), (suseconds_t)(ns % NS_OF_S / 1000) };
}

static void fill_usage(const struct child *child, struct rusage *usage)
{
	uint64_t hash = mix(child->key, child->run), ns = child->end_ns - child->start_ns;

	*usage = (struct rusage){
		.ru_utime = time_of(ns * between(mix(hash, 3), 600, 700) / 1000),
		.ru_stime = time_of(ns * between(mix(hash, 4), 200, 300) / 1000),
		.ru_maxrss = (long)(between(mix(child->key, 5), 3000, 9000) +
				    between(mix(hash, 5), 0, 40)),
		.ru_minflt = (long)between(mix(hash, 6), 100, 150),
		.ru_majflt = (long)between(mix(hash, 7), 0, 3),
		.ru_inblock = (long)between(mix(hash, 8), 0, 900),
		.ru_oublock = (long)between(mix(hash, 9), 0, 900),
		.ru_nvcsw = (long)between(mix(hash, 10), 1, 50),
		.ru_nivcsw = (long)between(mix(hash, 11), 0, 9),
	};
}

pid_t wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
	struct child *child = pid > 0 ? find_child(pid) : NULL;
	pid_t reaped;

	if (!child)
		return (pid_t)real_syscall(SYS_wait4, pid, status, options, usage, 0, 0);
	if (options & WNOHANG && world->now_ns < child->end_ns)
		return 0;
	do
		reaped = (pid_t)real_syscall(SYS_wait4, pid, status, options & ~WNOHANG, usage, 0,
					     0);
	while (reaped < 0 && errno == EINTR);
	if (reaped != pid || WIFSTOPPED(*status))
		return reaped;
	pass_to(child->end_ns);
	child->reaped = true;
	if (child->killed_by)
		*status = child->killed_by;
	if (usage)
		fill_usage(child, usage);
	return reaped;
}

int kill(pid_t pid, int sig)
{
	struct child *child = pid > 0 ? find_child(pid) : NULL;

	if (child && sig && world->now_ns < child->end_ns) {
		child->killed_by = sig;
		child->end_ns = world->now_ns;
	}
	return (int)real_syscall(SYS_kill, pid, sig, 0, 0, 0, 0);
}

int sigwaitinfo(const sigset_t *set, siginfo_t *info)
{
	const struct child *child = first_to_end();

	if (child)
		run_to_end(child);
	return REAL(sigwaitinfo)(set, info);
}

/* Waiting. */

static bool is_slot(int fd, enum kind kind)
{
	return fd >= 0 && fd < FDS_MAX && slots[fd].kind == kind;
}

int timerfd_create(clockid_t clock, int flags)
{
	int fd = (int)real_syscall(SYS_timerfd_create, clock, flags, 0, 0, 0, 0);

	if (fd >= FDS_MAX)
		give_up("too many files\n");
	if (fd >= 0)
		slots[fd] = (struct slot){ .kind = DEADLINE };
	return fd;
}

// cppcheck-suppress constParameter ; as <sys/timerfd.h> declares it
int timerfd_settime(int fd, int flags, const struct itimerspec *new, struct itimerspec *old)
{
	if (!is_slot(fd, DEADLINE) || !(flags & TFD_TIMER_ABSTIME) || old)
		give_up("a timer that is not absolute\n");
	slots[fd].due_ns =
		(uint64_t) new->it_value.tv_sec *NS_OF_S + (uint64_t) new->it_value.tv_nsec;
	return 0;
}

static bool is_signal_fd(int fd)
{
	char path[64], target[64];
	long n;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	n = real_syscall(SYS_readlinkat, AT_FDCWD, path, target, sizeof(target), 0, 0);
	return n == (long)strlen("anon_inode:[signalfd]") &&
	       memcmp(target, "anon_inode:[signalfd]", (size_t)n) == 0;
}

/* Whether a signal other than SIGCHLD is pending. */
static bool other_signal_waits(void)
{
	sigset_t pending;

	sigpending(&pending);
	for (int sig = 1; sig <= SIGRTMAX; sig++)
		if (sig != SIGCHLD && sigismember(&pending, sig) == 1)
			return true;
	return false;
}

/* The descriptors that are ready now, apart from children and deadlines. */
static int poll_now(struct pollfd *fds, nfds_t n, int signal_fd)
{
	struct pollfd *copies = malloc((n + 1) * sizeof(*copies));
	int ready = 0;

	if (!copies)
		give_up("no memory\n");
	for (nfds_t i = 0; i < n; i++) {
		bool left_out = is_slot(fds[i].fd, DEADLINE) ||
				(fds[i].fd == signal_fd && !other_signal_waits());

		copies[i] = fds[i];
		copies[i].fd = left_out ? -1 : fds[i].fd;
	}
	real_syscall(SYS_poll, copies, n, 0, 0, 0, 0);
	for (nfds_t i = 0; i < n; i++) {
		fds[i].revents = copies[i].fd < 0 ? 0 : copies[i].revents;
		ready += fds[i].revents != 0;
	}
	free(copies);
	return ready;
}

static uint64_t first_deadline(const struct pollfd *fds, nfds_t n)
{
	uint64_t first = 0;

	for (nfds_t i = 0; i < n; i++)
		if (is_slot(fds[i].fd, DEADLINE)) {
			uint64_t due = slots[fds[i].fd].due_ns;

			if (due && (!first || due < first))
				first = due;
		}
	return first;
}

int poll(struct pollfd *fds, nfds_t n, int timeout)
{
	const struct child *child = first_to_end();
	int signal_fd = -1, ready;
	uint64_t due;

	if (timeout == 0)
		return (int)real_syscall(SYS_poll, fds, n, 0, 0, 0, 0);
	for (nfds_t i = 0; i < n; i++)
		if (fds[i].fd >= 0 && !is_slot(fds[i].fd, DEADLINE) && is_signal_fd(fds[i].fd))
			signal_fd = fds[i].fd;
	ready = poll_now(fds, n, signal_fd);
	if (ready > 0)
		return ready;
	due = first_deadline(fds, n);
	if (!due && (!child || signal_fd < 0))
		give_up("nothing will ever happen\n");
	if (child && signal_fd >= 0 && (!due || child->end_ns <= due)) {
		run_to_end(child);
		for (nfds_t i = 0; i < n; i++)
			if (fds[i].fd == signal_fd)
				fds[i].revents = POLLIN;
		return 1;
	}
	pass_to(due);
	for (nfds_t i = 0; i < n; i++)
		if (is_slot(fds[i].fd, DEADLINE) && slots[fds[i].fd].due_ns &&
		    slots[fds[i].fd].due_ns <= world->now_ns) {
			fds[i].revents = POLLIN;
			ready++;
		}
	return ready;
}

/* Counters. */

static bool is_core(unsigned int type)
{
	if (type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE || type == PERF_TYPE_RAW)
		return true;
	for (size_t i = 0; i < pmus_n; i++)
		if (pmus[i].type == type)
			return pmus[i].is_core;
	return false;
}

static bool counts_whole_cpus(unsigned int type)
{
	for (size_t i = 0; i < pmus_n; i++)
		if (pmus[i].type == type)
			return pmus[i].whole_cpus;
	return false;
}

static bool is_known(unsigned int type)
{
	if (type <= PERF_TYPE_BREAKPOINT)
		return true;
	for (size_t i = 0; i < pmus_n; i++)
		if (pmus[i].type == type)
			return true;
	return false;
}

/* Whether the event needs a general counter. */
static bool is_general(const struct perf_event_attr *attr)
{
	uint32_t config = (uint32_t)attr->config;

	if (attr->type == PERF_TYPE_HARDWARE)
		return config != PERF_COUNT_HW_CPU_CYCLES && config != PERF_COUNT_HW_INSTRUCTIONS &&
		       config != PERF_COUNT_HW_REF_CPU_CYCLES;
	return is_core(attr->type);
}

/* The events of a hybrid machine have their PMU in the upper half. */
static int refuse_generic(const struct perf_event_attr *attr)
{
	uint32_t config = (uint32_t)attr->config;

	if (attr->type == PERF_TYPE_SOFTWARE)
		return config > PERF_COUNT_SW_BPF_OUTPUT ? ENOENT : 0;
	if (attr->type == PERF_TYPE_HARDWARE)
		return config == PERF_COUNT_HW_STALLED_CYCLES_FRONTEND ||
				       config == PERF_COUNT_HW_STALLED_CYCLES_BACKEND ||
				       config > PERF_COUNT_HW_REF_CPU_CYCLES ?
			       ENOENT :
			       0;
	if ((config >> 8 & 0xff) == PERF_COUNT_HW_CACHE_OP_PREFETCH)
		return EINVAL;
	if ((config & 0xff) == PERF_COUNT_HW_CACHE_NODE ||
	    (config & 0xffff00) ==
		    (PERF_COUNT_HW_CACHE_OP_WRITE << 8 | PERF_COUNT_HW_CACHE_RESULT_MISS << 16))
		return ENOENT;
	return 0;
}

static int refuse_event(const struct perf_event_attr *attr)
{
	if (!is_known(attr->type) || (is_core(attr->type) && !has_core))
		return ENOENT;
	if (attr->precise_ip > 2)
		return EOPNOTSUPP;
	if (attr->type == PERF_TYPE_TRACEPOINT || attr->type == PERF_TYPE_BREAKPOINT)
		return 0;
	if (attr->type <= PERF_TYPE_HW_CACHE)
		return refuse_generic(attr);
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++)
		if ((attr->config & 0xff) == refusals[i].number)
			return refusals[i].error;
	return 0;
}

static int refuse_target(const struct perf_event_attr *attr, pid_t pid, int cpu,
			 unsigned long flags)
{
	char path[64], buffer[8192];

	if (cpu >= CPUS)
		return ENODEV;
	if (pid == -1 && cpu < 0)
		return EINVAL;
	if (counts_whole_cpus(attr->type) && (pid >= 0 || cpu < 0))
		return EINVAL;
	if (flags & PERF_FLAG_PID_CGROUP)
		return pid < 0 || cpu < 0 ? EINVAL : 0;
	if (pid < FIRST_TASK)
		return 0;
	snprintf(path, sizeof(path), "/proc/%d", pid);
	return faccessat(AT_FDCWD, redirect(path, buffer), F_OK, 0) < 0 ? ESRCH : 0;
}

/*
 * The number of events of a group, or of all events on the same target, that have a counter of this
 * kind.
 */
static int count_members(int leader, bool (*wanted)(const struct perf_event_attr *))
{
	int n = 0;

	for (int fd = 0; fd < fds_n; fd++)
		n += is_slot(fd, COUNTER) && slots[fd].leader == leader && wanted(&slots[fd].attr);
	return n;
}

static bool is_breakpoint(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_BREAKPOINT;
}

static int refuse_group(const struct perf_event_attr *attr, int leader)
{
	if (leader < 0)
		return 0;
	if (!is_slot(leader, COUNTER) || slots[leader].leader != leader)
		return EINVAL;
	if (is_general(attr) && count_members(leader, is_general) >= GENERAL_COUNTERS)
		return EINVAL;
	if (is_breakpoint(attr) && count_members(leader, is_breakpoint) >= BREAKPOINTS)
		return ENOSPC;
	return 0;
}

static bool is_probe(unsigned int type)
{
	static int uprobe = -1, kprobe = -1;

	for (int i = 0; uprobe < 0 && i < 2; i++) {
		char path[8192], text[16] = "0";
		int fd;

		snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type",
			 i ? "uprobe" : "kprobe");
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd >= 0) {
			real_syscall(SYS_read, fd, text, sizeof(text) - 1, 0, 0, 0);
			real_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
		}
		*(i ? &uprobe : &kprobe) = atoi(text);
	}
	return type > PERF_TYPE_BREAKPOINT && ((int)type == uprobe || (int)type == kprobe);
}

/* The hash leaves out pointers and addresses, because they change from run to run. */
static uint64_t hash_event(const struct perf_event_attr *attr)
{
	uint64_t hash = mix(attr->type, is_probe(attr->type) ? attr->config & 1 : attr->config);

	if (!is_probe(attr->type) && !is_breakpoint(attr)) {
		hash = mix(hash, attr->config1);
		hash = mix(hash, attr->config2);
	}
	if (is_breakpoint(attr))
		hash = mix(hash, attr->bp_type);
	hash = mix(hash, attr->exclude_user | attr->exclude_kernel << 1 | attr->exclude_idle << 2);
	return mix(hash, attr->precise_ip);
}

/* The count in one second on one CPU. */
static uint64_t rate_of(const struct perf_event_attr *attr, uint64_t event)
{
	static const uint64_t hardware[] = {
		3000000000, 4500000000, 40000000, 3000000, 700000000,
		8000000,    100000000,	1,	  1,	   2500000000
	};
	static const uint64_t software[] = { 930000000, 910000000, 20000, 400, 20, 19000,
					     700,	0,	   0,	  0,   0,  0 };
	static const uint64_t powers[] = { 0, 1000, 10000, 100000, 1000000, 10000000, 100000000 };
	uint32_t config = (uint32_t)attr->config;
	uint64_t rate;

	if (attr->type == PERF_TYPE_SOFTWARE)
		rate = software[config];
	else if (attr->type == PERF_TYPE_HARDWARE)
		rate = hardware[config];
	else if (attr->type == PERF_TYPE_HW_CACHE) /* fewer misses than accesses */
		rate = between(mix(event, 12), 1, 9) * (config >> 16 ? 1000000 : 100000000);
	else if (counts_whole_cpus(attr->type)) /* some are scaled by 2^-32 */
		rate = between(mix(event, 12), UINT64_C(1000000000), UINT64_C(100000000000));
	else
		rate = powers[event % 7] * between(mix(event, 12), 10, 99) / 10;
	if (attr->exclude_user || attr->exclude_kernel)
		rate = rate * between(mix(event, 13), 300, 900) / 1000;
	return rate;
}

/* The duration of a program, which is a bit slower and faster in turn. */
static uint64_t wobble(uint64_t ns, uint64_t hash)
{
	const uint64_t period = 37 * NS_OF_MS;
	uint64_t at = (ns + hash % period) % period;

	return ns + (at < period / 2 ? at : period - at) / 5;
}

/* The time that the counter is switched on between two moments of the target's time. */
static void pass(struct slot *slot, uint64_t key, unsigned int run, uint64_t from_ns,
		 uint64_t to_ns, uint64_t share)
{
	uint64_t hash = mix(slot->event, key);
	uint64_t rate = rate_of(&slot->attr, slot->event) * between(hash, 900, 1100) / 1000 *
			between(mix(hash, run), 9800, 10200) / 10000;

	slot->enabled_ns += to_ns - from_ns;
	slot->running += (__uint128_t)(to_ns - from_ns) * share;
	slot->count += (__uint128_t)(wobble(to_ns, hash) - wobble(from_ns, hash)) * rate * share;
}

static bool is_active(const struct slot *slot)
{
	return slot->kind == COUNTER && (slot->on || slot->by_exec);
}

/* The share of the time that the event is on the PMU, in WHOLEths. */
static uint64_t share_of(const struct slot *slot)
{
	const struct slot *leader = &slots[slot->leader];
	uint64_t general = 0;

	if (slot->attr.type == PERF_TYPE_HARDWARE &&
	    (uint32_t)slot->attr.config == PERF_COUNT_HW_BUS_CYCLES)
		return 0; /* another user has the only counter that could count it */
	if (slot->attr.type == PERF_TYPE_HARDWARE && !leader->attr.pinned &&
	    (uint32_t)slot->attr.config == PERF_COUNT_HW_CACHE_MISSES)
		return between(mix(slot->event, slot->key), 380000, 420000);
	if (leader->attr.pinned || count_members(slot->leader, is_general) == 0)
		return WHOLE;
	for (int fd = 0; fd < fds_n; fd++) {
		const struct slot *other = &slots[fd];

		general += is_active(&slots[other->leader]) && other->kind == COUNTER &&
			   other->pid == slot->pid && other->cpu == slot->cpu &&
			   is_general(&other->attr);
	}
	if (general <= GENERAL_COUNTERS)
		return WHOLE;
	return WHOLE * UINT64_C(4) / general * between(mix(leader->event, slot->key), 970, 1000) /
	       1000;
}

/* Whether a pinned event has no counter, because earlier events have all of them. */
static bool is_in_error(const struct slot *slot)
{
	int before = 0;

	if (!slots[slot->leader].attr.pinned || !is_general(&slot->attr))
		return false;
	for (int fd = 0; fd < fds_n; fd++) {
		const struct slot *other = &slots[fd];

		before += other->kind == COUNTER && slots[other->leader].attr.pinned &&
			  is_general(&other->attr) && other->pid == slot->pid &&
			  other->cpu == slot->cpu && other->order < slot->order;
	}
	return before >= GENERAL_COUNTERS;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static bool is_slot_on(const struct slot *slot)
{
	return slots[slot->leader].on && slot->on;
}

/* Update the count to the present time. */
static void update(struct slot *slot)
{
	uint64_t now = world->now_ns, share;

	if (slot->last_ns == now)
		return;
	share = share_of(slot);
	if (!slot->on_command) {
		if (is_slot_on(slot) && now > slot->last_ns) {
			uint64_t from = slot->last_ns, to = now;

			if (slot->on_cgroup) { /* it does not always run */
				from = from * 3 / 4;
				to = to * 3 / 4;
			}
			pass(slot, slot->key, 0, from, to, share);
		}
		slot->last_ns = now;
		return;
	}
	for (size_t i = slot->first_child; i < world->children_n; i++) {
		const struct child *child = &world->children[i];
		uint64_t from = later(child->start_ns, slot->last_ns),
			 to = earlier(child->end_ns, now);

		if (slot->pid > 0 && child->pid != slot->pid)
			continue;
		if (from < to && (is_slot_on(slot) || slots[slot->leader].by_exec))
			pass(slot, child->key, child->run, from - child->start_ns,
			     to - child->start_ns, share);
		if (i == slot->first_child && child->reaped)
			slot->first_child++;
	}
	slot->last_ns = now;
}

static void update_all(void)
{
	for (int fd = 0; fd < fds_n; fd++)
		if (slots[fd].kind == COUNTER)
			update(&slots[fd]);
}

static uint64_t hash_cgroup(int fd)
{
	char path[64], target[4096];
	long n;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	n = real_syscall(SYS_readlinkat, AT_FDCWD, path, target, sizeof(target) - 1, 0, 0);
	target[n < 0 ? 0 : n] = '\0';
	return mix_text(14,
			strncmp(target, root, strlen(root)) == 0 ? target + strlen(root) : target);
}

static long open_event(const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
		       unsigned long flags)
{
	bool in_cgroup = flags & PERF_FLAG_PID_CGROUP;
	int error = (flags & ~0xfUL) ? EINVAL : refuse_target(attr, pid, cpu, flags);
	struct slot *slot;
	int fd;

	if (!error)
		error = refuse_event(attr);
	if (!error)
		error = refuse_group(attr, group_fd);
	if (error) {
		errno = error;
		return -1;
	}
	update_all();
	fd = eventfd(0, EFD_CLOEXEC);
	if (fd < 0)
		return -1;
	if (fd >= FDS_MAX)
		give_up("too many files\n");
	if (fd >= fds_n)
		fds_n = fd + 1;
	slot = &slots[fd];
	*slot = (struct slot){
		.kind = COUNTER,
		.attr = *attr,
		.pid = pid,
		.cpu = cpu,
		.leader = group_fd < 0 ? fd : group_fd,
		.order = opened_n++,
		.event = hash_event(attr),
		.on = !attr->disabled,
		.by_exec = attr->enable_on_exec,
		.on_cgroup = in_cgroup,
		.on_command = !in_cgroup && (pid == 0 ? attr->disabled || group_fd >= 0 :
							pid > 0 && pid < FIRST_TASK),
		.first_child = pid > 0 ? 0 : world->children_n,
		.last_ns = world->now_ns,
	};
	slot->key = mix(in_cgroup ? hash_cgroup(pid) : (uint64_t)(pid < FIRST_TASK ? 0 : pid),
			(uint64_t)(cpu + 1));
	/* pstat itself, or a trial on a CPU: pstat takes a moment to read it */
	if (!slots[slot->leader].on_command && pid == 0) {
		slot->on_command = false;
		slot->last_ns -= 1000;
	} else if (pid < 0 && slots[slot->leader].on && slot->on) {
		slot->last_ns -= 1000;
	}
	return fd;
}

/* A program that is executed itself has no events in common with pstat. */
long syscall(long number, ...)
{
	long a[6];
	va_list args;

	va_start(args, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(args, long);
	va_end(args);
	if (number == SYS_perf_event_open)
		return open_event((const struct perf_event_attr *)a[0], (pid_t)a[1], (int)a[2],
				  (int)a[3], (unsigned long)a[4]);
	if (number == SYS_pidfd_open && a[0] >= FIRST_TASK) {
		int fd = eventfd(0, EFD_CLOEXEC);

		if (fd >= 0 && fd < FDS_MAX)
			slots[fd] = (struct slot){
				.kind = DEADLINE,
				.due_ns = a[0] == BRIEF_TASK ? world->now_ns + BRIEF_NS : 0,
			};
		return fd;
	}
	return real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	unsigned long argument;

	va_start(args, request);
	argument = va_arg(args, unsigned long);
	va_end(args);
	if (!is_slot(fd, COUNTER))
		return (int)real_syscall(SYS_ioctl, fd, request, argument, 0, 0, 0);
	update_all();
	switch (request) {
	case PERF_EVENT_IOC_ENABLE:
	case PERF_EVENT_IOC_DISABLE:
		slots[fd].on = request == PERF_EVENT_IOC_ENABLE;
		slots[fd].by_exec = false;
		return 0;
	case PERF_EVENT_IOC_RESET:
		slots[fd].count = 0;
		return 0;
	case PERF_EVENT_IOC_ID:
		*(uint64_t *)argument = (uint64_t)slots[fd].order + 1;
		return 0;
	case PERF_EVENT_IOC_SET_FILTER:
		slots[fd].event = mix_text(slots[fd].event, (const char *)argument);
		return 0;
	default:
		errno = ENOTTY;
		return -1;
	}
}

static uint64_t count_of(const struct slot *slot)
{
	return (uint64_t)(slot->count / WHOLE / NS_OF_S);
}

/* Write a member's value and the words that the read format adds. Returns the number of words. */
static size_t put_value(const struct slot *slot, uint64_t format, uint64_t *to)
{
	size_t n = 0;

	to[n++] = count_of(slot);
	if (!(format & PERF_FORMAT_GROUP)) {
		if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
			to[n++] = slot->enabled_ns;
		if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
			to[n++] = (uint64_t)(slot->running / WHOLE);
	}
	if (format & PERF_FORMAT_ID)
		to[n++] = (uint64_t)slot->order + 1;
	if (format & (1U << 4)) /* PERF_FORMAT_LOST */
		to[n++] = 0;
	return n;
}

static size_t put_group(const struct slot *leader, int fd, uint64_t *to)
{
	uint64_t format = leader->attr.read_format;
	size_t n = 1;
	int order = -1;

	to[0] = 0;
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		to[n++] = leader->enabled_ns;
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		to[n++] = (uint64_t)(leader->running / WHOLE);
	for (;;) { /* in the order in which they were opened */
		const struct slot *next = NULL;

		for (int i = 0; i < fds_n; i++)
			if (is_slot(i, COUNTER) && slots[i].leader == fd &&
			    slots[i].order > order && (!next || slots[i].order < next->order))
				next = &slots[i];
		if (!next)
			return n;
		order = next->order;
		n += put_value(next, format, to + n);
		to[0]++;
	}
}

ssize_t read(int fd, void *bytes, size_t size)
{
	uint64_t values[4 * FDS_MAX];
	struct slot *slot;
	size_t n;

	if (!is_slot(fd, COUNTER))
		return real_syscall(SYS_read, fd, bytes, size, 0, 0, 0);
	slot = &slots[fd];
	update_all();
	if (is_in_error(&slots[slot->leader]))
		return 0;
	n = sizeof(*values) * ((slot->attr.read_format & PERF_FORMAT_GROUP) ?
				       put_group(slot, fd, values) :
				       put_value(slot, slot->attr.read_format, values));
	if (n > size) {
		errno = ENOSPC;
		return -1;
	}
	memcpy(bytes, values, n);
	return (ssize_t)n;
}

int close(int fd)
{
	if (fd >= 0 && fd < FDS_MAX && world && slots[fd].kind != CLOSED) {
		update_all();
		slots[fd].kind = CLOSED;
	}
	return (int)real_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
}

static void read_pmus(void)
{
	static const char folder[] = "/sys/bus/event_source/devices";
	DIR *dir = opendir(folder);
	const struct dirent *entry;

	while (dir && (entry = readdir(dir)) && pmus_n < PMUS_MAX) {
		char path[1024], buffer[8192];
		unsigned int type;
		FILE *file;

		snprintf(path, sizeof(path), "%s/%s/type", folder, entry->d_name);
		file = entry->d_name[0] == '.' ? NULL : fopen(path, "re");
		if (!file)
			continue;
		if (fscanf(file, "%u", &type) == 1) {
			pmus[pmus_n].type = type;
			pmus[pmus_n].is_core =
				begins(entry->d_name, "cpu") || begins(entry->d_name, "armv8");
			has_core |= pmus[pmus_n].is_core;
			snprintf(path, sizeof(path), "%s/%s/cpumask", folder, entry->d_name);
			pmus[pmus_n].whole_cpus = access(redirect(path, buffer), F_OK) == 0;
			pmus_n++;
		}
		fclose(file);
	}
	if (dir)
		closedir(dir);
}

__attribute__((constructor)) static void begin(void)
{
	const char *folder = getenv("FAKE_ROOT");

	world = mmap(NULL, sizeof(*world), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	if (world == MAP_FAILED || !folder)
		give_up("FAKE_ROOT is not set\n");
	world->now_ns = START_NS;
	snprintf(root, sizeof(root), "%s", folder);
	unsetenv("FAKE_ROOT");
	unsetenv("LD_PRELOAD");
	read_pmus();
}
