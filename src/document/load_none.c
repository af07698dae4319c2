/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader of documents, where pstat is built without jansson. */
#include <errno.h>

#include "base/why.h"
#include "document/saved.h"

int saved_load(struct saved *saved, FILE *in, struct why *why)
{
	(void)in;
	*saved = (struct saved){ 0 };
	return why_set(why, -ENOSYS, "this pstat was built without jansson, which reads JSON");
}
