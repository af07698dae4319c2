/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>

#include "base/put.h"

int put_text(const struct str *text, FILE *out)
{
	if (text->failed)
		return -ENOMEM;
	return fwrite(str_text(text), 1, text->len, out) < text->len ? -errno : 0;
}
