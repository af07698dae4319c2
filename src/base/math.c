/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/math.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

double math_exp_minus(double x)
{
	double y, power = 1;
	int halvings = 0;

	if (x > 700)
		return 0;
	for (; x > 0.03125; halvings++)
		x /= 2;
	/* the Padé approximant of order 3 */
	y = x * x;
	power = (120 + 12 * y - x * (60 + y)) / (120 + 12 * y + x * (60 + y));
	while (halvings-- > 0)
		power *= power;
	return power;
}

double math_log(double x)
{
	uint64_t bits;
	int exponent;
	double y, square;

	memcpy(&bits, &x, sizeof(bits));
	exponent = (int)(bits >> 52) - 1023;
	bits = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1023) << 52;
	memcpy(&x, &bits, sizeof(x));
	if (x > M_SQRT2) {
		x /= 2;
		exponent++;
	}
	y = (x - 1) / (x + 1);
	square = y * y;
	return exponent * M_LN2 +
	       2 * y *
		       (1 + square * (1.0 / 3 +
				      square * (1.0 / 5 +
						square * (1.0 / 7 +
							  square * (1.0 / 9 + square / 11)))));
}

bool math_is_whole(long double x)
{
	return x >= 0 && x < 0x1p64L && math_truncate(x) == x;
}
