# SPDX-License-Identifier: GPL-2.0-or-later

dist_man1_MANS += man/pstat.1
