/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The capabilities that the file of pstat gives to the users who run it (setcap(8)). They are for
 * perf_event_open(2) only. With CAP_DAC_OVERRIDE, -o could replace the files of others, and with
 * CAP_SYS_PTRACE, --input could read /proc/PID/environ of others. So these capabilities are
 * effective during that system call and at no other time.
 *
 * Root keeps all its capabilities, as every command of root has them too.
 */
#ifndef PSTAT_BASE_PRIVILEGE_H
#define PSTAT_BASE_PRIVILEGE_H

#include <linux/capability.h>
#include <stdbool.h>

#ifndef CAP_PERFMON
#	define CAP_PERFMON 38 /* Linux 5.8 */
#endif

/* Make the capabilities of pstat's file ineffective. 0 or -errno. */
int privilege_lower(void);

/* Make those that perf_event_open(2) checks effective, until privilege_lower(). 0 or -errno. */
int privilege_raise(void);

/* Whether perf_event_open(2) is called with this capability. */
bool privilege_has(unsigned int capability);

#endif
