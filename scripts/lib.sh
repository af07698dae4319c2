# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Helpers for the scripts in this folder: packages, builds outside the source tree, and copies of the
# sources. The scripts that source this file run in the top folder.

# The Debian packages that the build needs. gcc only recommends libc6-dev and linux-libc-dev, which
# have the headers of the C library and of the kernel.
# shellcheck disable=SC2034 # used by the scripts that source this file
packages_build='autoconf automake gcc libc6-dev libelf-dev libjansson-dev libpfm4-dev linux-libc-dev make'

say()
{
	printf '%s\n' "$*" >&2
}

die()
{
	say "$0: $*"
	exit 1
}

# missing_packages PACKAGE...: print the packages that are not installed
missing_packages()
{
	for package; do
		state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)
		[ "$state" = installed ] || printf ' %s' "$package"
	done
}

# need_packages PACKAGE...: install missing packages as root or with sudo; otherwise print the
# command
need_packages()
{
	if ! command -v dpkg-query >/dev/null; then
		say "$0: not a Debian system: not checking for the packages $*"
		return
	fi
	missing=$(missing_packages "$@")
	[ -n "$missing" ] || return 0

	if [ "$(id -u)" -eq 0 ]; then
		sudo=
	elif command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
		sudo=sudo
	else
		say "$0: packages are missing, and only root can install them:"
		say "apt-get update && apt-get install -y --no-install-recommends$missing"
		exit 1
	fi

	say "$0: installing$missing"
	log=$(mktemp) || exit 1
	# apt-get update may fail for a source that is not needed. The installation shows that.
	# shellcheck disable=SC2086 # words
	if ! {
		$sudo apt-get -q update
		$sudo env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
			-o DPkg::Lock::Timeout=300 install --no-install-recommends $missing
	} </dev/null >"$log" 2>&1; then
		cat "$log" >&2
		rm -f "$log"
		die "apt-get failed"
	fi
	rm -f "$log"
}

# logged FILE COMMAND...: write the output to FILE; if COMMAND fails, print the last lines of FILE
logged()
{
	logfile=$1
	shift
	"$@" </dev/null >"$logfile" 2>&1 && return
	status=$?
	tail -n 200 "$logfile" >&2
	say "$0: command failed with status $status: $* (full output: $logfile)"
	return "$status"
}

configure_in()
(
	dir=$1
	shift
	cd "$dir" && "$OLDPWD/configure" "$@"
)

# build DIR [CONFIGURE-ARGUMENT...]: build in DIR. If packages were installed or removed since the
# last time, configure runs again. make itself notices changes of configure.ac and local.mk.
build()
{
	dir=$1
	shift
	mkdir -p "$dir" || return
	if [ ! -x configure ]; then
		logged "$dir/autoreconf.log" autoreconf -fi || return
	fi
	if [ ! -f "$dir/Makefile" ] ||
		[ -n "$(find /var/lib/dpkg/status -newer "$dir/config.status" 2>/dev/null)" ]; then
		logged "$dir/configure.log" configure_in "$dir" "$@" || return
	fi
	logged "$dir/make.log" make -C "$dir" -j "$(nproc)"
}

# version: print the version of pstat
version()
{
	sed -n 's/^AC_INIT(\[pstat\], \[\(.*\)\])$/\1/p' configure.ac
}

# source_date: print the time of the sources, in seconds since 1970. Without a commit, this is the time
# of configure.ac: scripts/release gives every file of the tarball the time of its commit.
source_date()
{
	if [ -n "${SOURCE_DATE_EPOCH-}" ]; then
		echo "$SOURCE_DATE_EPOCH"
	elif [ ! -e .git ] || ! git log -1 --format=%ct 2>/dev/null; then
		stat -c %Y configure.ac
	fi
}

# sources: print the files of this tree that are not built, according to .gitignore. A temporary
# repository makes this also work in an exported tree.
sources()
{
	scratch=$(mktemp -d) || return
	git init -q "$scratch" &&
		git --git-dir="$scratch/.git" --work-tree=. -c core.quotePath=false ls-files --others \
			--exclude-per-directory=.gitignore | LC_ALL=C sort
	rm -rf "$scratch"
}

# copy_sources DIR: create DIR with a copy of the sources
copy_sources()
{
	mkdir -p "$1" && sources >"$1.list" && [ -s "$1.list" ] &&
		tar -cf "$1.tar" --no-recursion --files-from="$1.list" && tar -C "$1" -xf "$1.tar" &&
		rm "$1.list" "$1.tar"
}
