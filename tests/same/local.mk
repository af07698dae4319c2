# SPDX-License-Identifier: GPL-2.0-or-later
# Checks whether two pstat programs give the same numbers on a fake kernel. Run it by hand:
#	make tests/same/fake_kernel.so && tests/same/run OLD NEW

# A library for LD_PRELOAD.
fake_kernel = tests/same/fake_kernel.so
$(fake_kernel): tests/same/fake_kernel.c
	$(AM_V_GEN)$(MKDIR_P) tests/same && $(CC) $(cli_program_cflags) $(CFLAGS) -fPIC -shared \
		$(LDFLAGS) -o $@ $(srcdir)/tests/same/fake_kernel.c
CLEANFILES += $(fake_kernel)

EXTRA_DIST += \
	tests/same/commands \
	tests/same/fake_kernel.c \
	tests/same/run
