/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --history alone: print how the metrics of earlier results changed. */
#include <errno.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "job/history_gates.h"
#include "job/jobs.h"
#include "output/outputs.h"

int job_history(const struct options *o)
{
	cleanup_with(history_release) struct history history = { 0 };
	cleanup_with(outputs_release) struct outputs out = OUTPUTS_OF(o);
	cleanup_why struct why why = { 0 };
	int err;

	if (history_open(&history, o) < 0)
		return STATUS_PSTAT;
	err = outputs_open(&out, PRINT_RESULT, &why);
	if (err == 0)
		outputs_history(&out, &history);
	outputs_lose(&out, err, &why);
	return outputs_close(&out);
}
