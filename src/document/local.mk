# SPDX-License-Identifier: GPL-2.0-or-later

pstat_common += \
	src/document/history_csv.c \
	src/document/history_csv.h \
	src/document/load.c \
	src/document/load.h \
	src/document/schema.c \
	src/document/schema.h \
	src/document/write.c \
	src/document/write.h

dist_pkgdata_DATA = \
	src/document/pstat-comparison-2.schema.json \
	src/document/pstat-result-2.schema.json
