# SPDX-License-Identifier: GPL-2.0-or-later

dist_man1_MANS += man/pstat.1 man/pstat-compare.1
dist_man5_MANS += man/pstat-formats.5
dist_man7_MANS += man/pstat-events.7 man/pstat-internals.7 man/pstat-perf.7
