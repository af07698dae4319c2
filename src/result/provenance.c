/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "base/str.h"
#include "result/provenance.h"

void provenance_release(struct provenance *p)
{
	char *const texts[] = { p->pstat,   p->libpfm4,	  p->cwd,	  p->host, p->kernel,
				p->machine, p->cpu_model, p->cpus_online, p->job };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		free(texts[i]);
	str_list_release(&p->argv);
	str_list_release(&p->pmus);
	str_list_release(&p->governors);
	*p = (struct provenance){ 0 };
}
