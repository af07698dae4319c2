/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file capabilities of the pstat executable (setcap(8)), which every user who runs it gets.
 * pstat uses them for perf_event_open(2) only. With CAP_DAC_OVERRIDE, -o could replace files of
 * other users, and with CAP_SYS_PTRACE, --input could read their /proc/PID/environ. The
 * capabilities are therefore effective only during perf_event_open(2).
 *
 * Root keeps all its capabilities, because every other command of root has them, too.
 */
#ifndef PSTAT_BASE_PRIVILEGE_H
#define PSTAT_BASE_PRIVILEGE_H

#include <linux/capability.h>
#include <stdbool.h>

#ifndef CAP_PERFMON
#	define CAP_PERFMON 38 /* Linux 5.8 */
#endif

/* Make the capabilities from pstat's file ineffective. 0 or -errno. */
int privilege_lower(void);

/*
 * Make the capabilities that perf_event_open(2) checks effective until privilege_lower() is called.
 * 0 or -errno.
 */
int privilege_raise(void);

/* Whether pstat calls perf_event_open(2) with this capability. */
bool privilege_has(unsigned int capability);

#endif
