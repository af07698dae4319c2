# SPDX-License-Identifier: GPL-2.0-or-later

EXTRA_DIST += \
	scripts/check \
	scripts/house \
	scripts/import-metrics \
	scripts/lib.sh \
	scripts/lint \
	scripts/package \
	scripts/perf-stat-shim \
	scripts/record-machine \
	scripts/release \
	scripts/try \
	scripts/ci-example/gate \
	scripts/ci-example/github.yml \
	scripts/ci-example/gitlab.yml \
	scripts/ci-example/words-new.c \
	scripts/ci-example/words-old.c \
	scripts/completion/_pstat \
	scripts/completion/candidates \
	scripts/completion/completion.awk \
	scripts/completion/pstat.bash \
	scripts/completion/pstat.fish \
	scripts/completion/update \
	scripts/debian/README.Debian \
	scripts/debian/control \
	scripts/debian/copyright \
	scripts/debian/docs \
	scripts/debian/examples \
	scripts/debian/rules

# Run this after a change of the option table.
completions: tests/cli/programs/option-table
	tests/cli/programs/option-table >option-table.tmp
	$(srcdir)/scripts/completion/update option-table.tmp
	rm -f option-table.tmp
.PHONY: completions

# Each shell looks for its own file name, so the installed names differ from those in the source
# tree.
bashcompdir = $(datadir)/bash-completion/completions
zshcompdir = $(datadir)/zsh/site-functions
fishcompdir = $(datadir)/fish/vendor_completions.d

install-data-local:
	$(MKDIR_P) '$(DESTDIR)$(bashcompdir)' '$(DESTDIR)$(zshcompdir)' '$(DESTDIR)$(fishcompdir)'
	$(INSTALL_DATA) $(srcdir)/scripts/completion/pstat.bash '$(DESTDIR)$(bashcompdir)/pstat'
	$(INSTALL_DATA) $(srcdir)/scripts/completion/_pstat '$(DESTDIR)$(zshcompdir)/_pstat'
	$(INSTALL_DATA) $(srcdir)/scripts/completion/pstat.fish '$(DESTDIR)$(fishcompdir)/pstat.fish'

# The shim finds the installed pstat. It is installed as perf in its own folder, which users put
# first in PATH.
install-exec-local:
	$(MKDIR_P) '$(DESTDIR)$(pkglibexecdir)/shim' '$(DESTDIR)$(pkglibexecdir)/as-perf'
	sed "s,^bindir=[^ ]*,bindir='$(bindir)'," $(srcdir)/scripts/perf-stat-shim \
		>'$(DESTDIR)$(pkglibexecdir)/perf-stat-shim'
	chmod 755 '$(DESTDIR)$(pkglibexecdir)/perf-stat-shim'
	rm -f '$(DESTDIR)$(pkglibexecdir)/shim/perf'
	$(LN_S) ../perf-stat-shim '$(DESTDIR)$(pkglibexecdir)/shim/perf'
	ln -srf '$(DESTDIR)$(bindir)/pstat' '$(DESTDIR)$(pkglibexecdir)/as-perf/perf'

# The same link for the shim in the source tree.
all-local: as-perf/perf
as-perf/perf:
	$(MKDIR_P) as-perf
	ln -sf ../pstat $@
CLEANFILES += as-perf/perf

uninstall-local:
	rm -f '$(DESTDIR)$(pkglibexecdir)/shim/perf' '$(DESTDIR)$(pkglibexecdir)/perf-stat-shim' \
		'$(DESTDIR)$(pkglibexecdir)/as-perf/perf'
	-rmdir '$(DESTDIR)$(pkglibexecdir)/shim' '$(DESTDIR)$(pkglibexecdir)/as-perf' \
		'$(DESTDIR)$(pkglibexecdir)'
	rm -f '$(DESTDIR)$(bashcompdir)/pstat' '$(DESTDIR)$(zshcompdir)/_pstat' \
		'$(DESTDIR)$(fishcompdir)/pstat.fish'
