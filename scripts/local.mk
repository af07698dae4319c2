# SPDX-License-Identifier: GPL-2.0-or-later

EXTRA_DIST += \
	scripts/check \
	scripts/house \
	scripts/lib.sh \
	scripts/lint \
	scripts/record-machine \
	scripts/try \
	scripts/completion/_pstat \
	scripts/completion/pstat.bash \
	scripts/completion/pstat.fish

# Each shell looks for a file of its own name, so they are renamed on the way.
bashcompdir = $(datadir)/bash-completion/completions
zshcompdir = $(datadir)/zsh/site-functions
fishcompdir = $(datadir)/fish/vendor_completions.d

install-data-local:
	$(MKDIR_P) '$(DESTDIR)$(bashcompdir)' '$(DESTDIR)$(zshcompdir)' '$(DESTDIR)$(fishcompdir)'
	$(INSTALL_DATA) $(srcdir)/scripts/completion/pstat.bash '$(DESTDIR)$(bashcompdir)/pstat'
	$(INSTALL_DATA) $(srcdir)/scripts/completion/_pstat '$(DESTDIR)$(zshcompdir)/_pstat'
	$(INSTALL_DATA) $(srcdir)/scripts/completion/pstat.fish '$(DESTDIR)$(fishcompdir)/pstat.fish'

uninstall-local:
	rm -f '$(DESTDIR)$(bashcompdir)/pstat' '$(DESTDIR)$(zshcompdir)/_pstat' \
		'$(DESTDIR)$(fishcompdir)/pstat.fish'
