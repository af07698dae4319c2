# SPDX-License-Identifier: GPL-2.0-or-later

pstat_common += \
	src/document/document.c \
	src/document/document.h \
	src/document/saved.c \
	src/document/saved.h \
	src/document/schema.c \
	src/document/schema.h \
	src/document/write_comparison.c \
	src/document/write_result.c \
	src/document/write_result.h

# The reader of saved documents.
if HAVE_JANSSON
pstat_common += \
	src/document/load.c \
	src/document/load_comparison.c \
	src/document/load_events.c \
	src/document/load_json.c \
	src/document/load_json.h \
	src/document/load_parts.h \
	src/document/load_runs.c \
	src/document/load_settings.c
else
pstat_common += src/document/load_none.c
endif

dist_pkgdata_DATA = \
	src/document/pstat-comparison-1.schema.json \
	src/document/pstat-report-1.schema.json
