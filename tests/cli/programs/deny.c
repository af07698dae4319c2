/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * deny EPERM|ENOSYS|ptrace COMMAND...
 *
 * Runs COMMAND under a seccomp filter that makes perf_event_open(2) fail with this error, like the
 * filters of containers. With "ptrace", ptrace(2) fails with EPERM instead.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { EXIT_TROUBLE = 99 };

int main(int argc, char **argv)
{
	const unsigned int error = argc > 1 && strcmp(argv[1], "ENOSYS") == 0 ? ENOSYS : EPERM;
	const unsigned int call =
		argc > 1 && strcmp(argv[1], "ptrace") == 0 ? SYS_ptrace : SYS_perf_event_open;
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = { sizeof(filter) / sizeof(filter[0]), filter };

	if (argc < 3)
		return EXIT_TROUBLE;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0) {
		perror("deny: seccomp");
		return EXIT_TROUBLE;
	}
	execvp(argv[2], argv + 2);
	perror(argv[2]);
	return EXIT_TROUBLE;
}
