/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The minimal program that counts a command: open four software events on itself, vfork, exec,
 * wait, read, print. The additional time of pstat is its own cost.
 *
 *	minimal COMMAND [ARG...]
 */
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int open_event(unsigned long long config)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = config,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
		.disabled = 1,
		.inherit = 1,
		.enable_on_exec = 1,
		.exclude_guest = 1,
	};

	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

int main(int argc, char **argv)
{
	static const unsigned long long configs[] = {
		PERF_COUNT_SW_TASK_CLOCK,
		PERF_COUNT_SW_CONTEXT_SWITCHES,
		PERF_COUNT_SW_CPU_MIGRATIONS,
		PERF_COUNT_SW_PAGE_FAULTS,
	};
	struct timespec start, end;
	struct rusage usage;
	uint64_t values[4][3];
	int fds[4];
	int status;
	pid_t pid;

	if (argc < 2)
		return 125;
	for (int i = 0; i < 4; i++)
		fds[i] = open_event(configs[i]);
	clock_gettime(CLOCK_MONOTONIC, &start);
	pid = vfork();
	if (pid == 0) {
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &usage) < 0)
		return 125;
	clock_gettime(CLOCK_MONOTONIC, &end);
	for (int i = 0; i < 4; i++)
		if (read(fds[i], values[i], sizeof(values[i])) != sizeof(values[i]))
			return 125;
	for (int i = 0; i < 4; i++)
		fprintf(stderr, "%llu %llu\n", (unsigned long long)values[i][0], configs[i]);
	fprintf(stderr, "%f seconds\n",
		(double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 125;
}
