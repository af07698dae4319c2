/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "unit/descriptors.h"
#include "unit/test.h"

size_t count_descriptors(void)
{
	cleanup_dir DIR *dir = opendir("/proc/self/fd");
	size_t n = 0;

	assert_non_null(dir);
	while (readdir(dir))
		n++;
	return n;
}
