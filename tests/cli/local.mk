# SPDX-License-Identifier: GPL-2.0-or-later
# The command line: bats files.

cli_tests =

cli_files =

EXTRA_DIST += $(cli_tests) $(cli_files)
