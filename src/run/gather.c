/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "event/source.h"
#include "machine/cpulist.h"
#include "machine/host.h"
#include "machine/launcher.h"
#include "machine/pmu.h"
#include "run/gather.h"

static int gather_names(struct provenance *p)
{
	struct utsname names;

	if (uname(&names) < 0)
		return 0;
	p->host = strdup(names.nodename);
	p->kernel = strdup(names.release);
	p->machine = strdup(names.machine);
	return p->host && p->kernel && p->machine ? 0 : -ENOMEM;
}

static int add_cpus(struct provenance *p, const struct machine *m)
{
	cleanup_with(cpulist_release) struct cpulist online = { 0 };
	cleanup_str struct str text = { 0 };
	int err = host_cpu_model(m, &p->cpu_model);

	if (err != -ENOMEM)
		err = cpulist_online(m, &online);
	if (err == 0)
		err = cpulist_format(&online, &text);
	if (err == 0)
		p->cpus_online = take_ptr(text.text);
	if (err != -ENOMEM)
		err = host_cpu_governors(m, &p->governors);
	return err;
}

int gather_provenance(struct provenance *p, char *const *argv, const struct machine *m,
		      time_t started)
{
	bool turbo = false;
	struct tm local;
	int err = 0;

	for (size_t i = 0; err == 0 && argv[i]; i++)
		err = str_list_add(&p->argv, argv[i]);
	p->pstat = strdup(PACKAGE_VERSION);
	p->libpfm4 = source_pfm_version();
	p->cwd = getcwd(NULL, 0);
	p->rank.value = launcher_rank();
	p->rank.known = p->rank.value >= 0 && p->rank.value < RANKS_MAX;
	p->ranks.value = launcher_ranks();
	p->ranks.known = p->ranks.value > 0 && p->ranks.value <= RANKS_MAX;
	if (p->rank.known && launcher_job())
		p->job = strdup(launcher_job());
	if (localtime_r(&started, &local))
		p->zone_s = (int)local.tm_gmtoff;
	p->turbo.known = host_cpu_turbo(m, &turbo) == 0;
	p->turbo.value = turbo;
	p->aslr.known = host_aslr(m, &p->aslr.value) == 0;
	p->paranoid.known = host_paranoid(m, &p->paranoid.value) == 0;
	if (err == 0)
		err = p->pstat ? gather_names(p) : -ENOMEM;
	if (err == 0)
		err = add_cpus(p, m);
	if (err == 0 && pmu_list(m, &p->pmus) == -ENOMEM)
		err = -ENOMEM;
	return err;
}
