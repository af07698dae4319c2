# SPDX-License-Identifier: GPL-2.0-or-later
# Faults and signals: a sample as a test, all of them by hand (tests/fault/run --all).

fault_tests = tests/fault/run

# Preloaded, not linked.
faults_library = tests/fault/faults.so
$(faults_library): tests/fault/faults.c
	$(AM_V_GEN)$(MKDIR_P) tests/fault && $(CC) $(cli_program_cflags) $(CFLAGS) -fPIC -shared \
		$(LDFLAGS) -o $@ $(srcdir)/tests/fault/faults.c
check_DATA += $(faults_library)
CLEANFILES += $(faults_library)

EXTRA_DIST += $(fault_tests) \
	tests/fault/commands \
	tests/fault/errnos \
	tests/fault/faults.c
