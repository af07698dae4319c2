/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/privilege.h"

#define BIT(capability) (UINT64_C(1) << (capability))

/* Before Linux 5.9, counting processes of other users needs CAP_SYS_PTRACE. */
static const uint64_t perf_capabilities =
	BIT(CAP_PERFMON) | BIT(CAP_SYS_ADMIN) | BIT(CAP_SYS_PTRACE);

struct capabilities {
	struct __user_cap_data_struct words[_LINUX_CAPABILITY_U32S_3];
};

static struct __user_cap_header_struct privilege_header(void)
{
	return (struct __user_cap_header_struct){ .version = _LINUX_CAPABILITY_VERSION_3 };
}

static int privilege_read_own_capabilities(struct capabilities *own)
{
	struct __user_cap_header_struct h = privilege_header();

	return syscall(SYS_capget, &h, own->words) < 0 ? -errno : 0;
}

/* Whether an exec of pstat's file added capabilities: the kernel sets AT_SECURE (getauxval(3)). */
static bool privilege_has_file_capabilities(void)
{
	return getauxval(AT_SECURE) != 0 && geteuid() != 0;
}

/* Make the permitted capabilities in set effective, and no others. */
static int privilege_make_effective(uint64_t set)
{
	struct __user_cap_header_struct h = privilege_header();
	struct capabilities own;
	int err;

	if (!privilege_has_file_capabilities())
		return 0;
	err = privilege_read_own_capabilities(&own);
	if (err < 0)
		return err;
	for (unsigned int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++)
		own.words[i].effective = own.words[i].permitted & (uint32_t)(set >> (32 * i));
	return syscall(SYS_capset, &h, own.words) < 0 ? -errno : 0;
}

int privilege_lower(void)
{
	return privilege_make_effective(0);
}

int privilege_raise(void)
{
	return privilege_make_effective(perf_capabilities);
}

bool privilege_has(unsigned int capability)
{
	bool from_file = privilege_has_file_capabilities();
	const struct __user_cap_data_struct *word;
	struct capabilities own;

	if (privilege_read_own_capabilities(&own) < 0 ||
	    (from_file && (perf_capabilities & BIT(capability)) == 0))
		return false;
	word = &own.words[CAP_TO_INDEX(capability)];
	return ((from_file ? word->permitted : word->effective) & CAP_TO_MASK(capability)) != 0;
}
