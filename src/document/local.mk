# SPDX-License-Identifier: GPL-2.0-or-later

pstat_common += \
	src/document/document.c \
	src/document/document.h \
	src/document/load.c \
	src/document/load.h \
	src/document/schema.c \
	src/document/schema.h \
	src/document/write.c \
	src/document/write.h

# The rest of the reader of documents.
if HAVE_JANSSON
pstat_common += \
	src/document/load_json.c \
	src/document/load_json.h \
	src/document/load_result.c \
	src/document/load_result.h
endif

dist_pkgdata_DATA = \
	src/document/pstat-comparison-2.schema.json \
	src/document/pstat-result-2.schema.json
