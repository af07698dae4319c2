# SPDX-License-Identifier: GPL-2.0-or-later

pstat_common += \
	src/event/attr_fields.c \
	src/event/attr_fields.h \
	src/event/event.c \
	src/event/event.h \
	src/event/modifiers.c \
	src/event/modifiers.h \
	src/event/resolve.c \
	src/event/resolve.h \
	src/event/source.h \
	src/event/source_breakpoint.c \
	src/event/source_generic.c \
	src/event/source_pfm.c \
	src/event/source_probe.c \
	src/event/source_sysfs.c \
	src/event/source_table.c \
	src/event/source_tool.c \
	src/event/source_tracepoint.c \
	src/event/spec.c \
	src/event/spec.h \
	src/event/symbol.c \
	src/event/symbol.h
