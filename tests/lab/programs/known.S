/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One task that counts down from LOOPS. With 1,000,000 it executes 2,000,004 instructions. */

#include "lab.h"

_start:
	spin	x0, LOOPS
	finish

	.set	expected, SPIN_INSNS(LOOPS) + FINISH_INSNS
