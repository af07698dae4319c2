/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "machine/program.h"

/* access(2) for the effective user. 0 or -errno. */
static int check_access(const char *path, int mode)
{
	if (faccessat(AT_FDCWD, path, mode, AT_EACCESS) == 0)
		return 0;
	/* Seccomp profiles older than Linux 5.8 answer the unknown faccessat2(2) with EPERM. */
	if (errno == EPERM && access(path, mode) == 0)
		return 0;
	return -errno;
}

/* Whether path is an executable file. 0 or -errno. */
static int check_file(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return -errno;
	return S_ISDIR(st.st_mode) ? -EISDIR : check_access(path, X_OK);
}

static int explain_not_found(const char *name, int err, struct why *why)
{
	switch (err) {
	case -ENOENT:
	case -ENOTDIR:
		return why_set(why, -ENOENT, "%s: command not found", name);
	case -EISDIR:
		return why_set(why, err, "%s: is a directory, not a command", name);
	case -EACCES:
		return why_set(why, err, "%s: found, but not executable", name);
	default:
		return why_set(why, err, "%s: %s", name, strerror(-err));
	}
}

static int check_path(const char *name, char **path, struct why *why)
{
	int err = check_file(name);

	if (err < 0)
		return explain_not_found(name, err, why);
	*path = strdup(name);
	return *path ? 0 : -ENOMEM;
}

/* Join the next folder of PATH with name. An empty folder is the current one. */
static char *next_candidate(const char **folders, const char *name)
{
	size_t n = strcspn(*folders, ":");
	char *path;

	if (asprintf(&path, "%.*s%s%s", (int)n, *folders, n ? "/" : "./", name) < 0)
		return NULL;
	*folders += n;
	return path;
}

int program_find(const char *name, char **path, struct why *why)
{
	const char *folders = getenv("PATH");
	int found = -ENOENT; /* -EACCES if a file was found that is not executable */

	if (strchr(name, '/'))
		return check_path(name, path, why);
	if (!folders)
		folders = "/bin:/usr/bin"; /* confstr(3), _CS_PATH */
	while (name[0]) {
		cleanup_free char *candidate = next_candidate(&folders, name);
		int err;

		if (!candidate)
			return -ENOMEM;
		err = check_file(candidate);
		if (err == 0) {
			*path = take_ptr(candidate);
			return 0;
		}
		if (err == -EACCES && access(candidate, F_OK) == 0)
			found = err; /* the file itself, not a folder on its path, denies access */
		if (*folders++ == '\0')
			break;
	}
	return explain_not_found(name, found, why);
}

/* Set-group-ID on a file that its group may not execute means mandatory locking. */
static bool sets_id(const struct stat *st)
{
	const mode_t set_gid = S_ISGID | S_IXGRP;

	return (st->st_mode & S_ISUID && st->st_uid != geteuid()) ||
	       ((st->st_mode & set_gid) == set_gid && st->st_gid != getegid());
}

/* Whether pstat's user namespace has this ID. Assume so without /proc. */
static bool is_mapped(const char *map, uint32_t id)
{
	uint32_t first, outside, n;
	bool mapped = false;
	FILE *file = fopen(map, "re");

	if (!file)
		return true;
	while (!mapped && fscanf(file, "%" SCNu32 "%" SCNu32 "%" SCNu32, &first, &outside, &n) == 3)
		mapped = id - first < n;
	fclose(file);
	return mapped;
}

/*
 * The kernel ignores set-user-ID and set-group-ID if the user namespace lacks the owner or group.
 */
static bool owner_is_mapped(const struct stat *st)
{
	return is_mapped("/proc/self/uid_map", st->st_uid) &&
	       is_mapped("/proc/self/gid_map", st->st_gid);
}

/* Whether an exec of this file can raise privileges at all. */
static bool can_raise_privileges(const char *path)
{
	struct statvfs fs;

	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1 && statvfs(path, &fs) == 0 &&
	       !(fs.f_flag & ST_NOSUID);
}

enum program_guard program_guard(const char *path)
{
	struct stat st;

	if (check_access(path, R_OK) == -EACCES)
		return PROGRAM_UNREADABLE;
	if (!can_raise_privileges(path))
		return PROGRAM_OPEN;
	if (stat(path, &st) == 0 && sets_id(&st) && owner_is_mapped(&st))
		return PROGRAM_SET_ID;
	if (geteuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0)
		return PROGRAM_CAPABILITIES;
	return PROGRAM_OPEN;
}

enum {
	HEAD_SIZE = 256, /* the kernel does not look further for an interpreter, either */
	INTERPRETERS_MAX = 4, /* the interpreter of a script may be a script */
};

/* Read the beginning of a regular file. NUL bytes follow its end. 0 or -errno. */
static int read_head(const char *path, char head[HEAD_SIZE + 1])
{
	cleanup_fd int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a FIFO would block */
	struct stat st;

	memset(head, 0, HEAD_SIZE + 1);
	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -ENOEXEC;
	return read(fd, head, HEAD_SIZE) < 0 ? -errno : 0;
}

static int parse_header(const char *head, struct program_abi *abi)
{
	if (memcmp(head, ELFMAG, SELFMAG) != 0)
		return -ENOEXEC;
	abi->class = (unsigned char)head[EI_CLASS];
	abi->data = (unsigned char)head[EI_DATA];
	/* e_machine has the same offset in both classes. */
	memcpy(&abi->machine, head + offsetof(Elf64_Ehdr, e_machine), sizeof(abi->machine));
	return 0;
}

/*
 * The interpreter in the first line of a script, terminated in place. NULL if this is not a script.
 */
static const char *interpreter(char *head)
{
	char *path;

	if (strncmp(head, "#!", 2) != 0)
		return NULL;
	path = head + 2 + strspn(head + 2, " \t");
	path[strcspn(path, " \t\r\n")] = '\0';
	return path;
}

int program_abi_of_file(const char *path, struct program_abi *abi)
{
	char head[HEAD_SIZE + 1];
	int err = read_head(path, head);

	return err < 0 ? err : parse_header(head, abi);
}

static int program_abi(const char *path, struct program_abi *abi)
{
	char heads[2]
		  [HEAD_SIZE + 1]; /* one holds the path of the file that is read into the other */

	for (size_t i = 0; i <= INTERPRETERS_MAX; i++) {
		char *head = heads[i % 2];
		int err = read_head(path, head);

		if (err < 0)
			return err;
		path = interpreter(head);
		if (!path)
			return parse_header(head, abi);
	}
	return -ELOOP;
}

int program_abi_of_command(const char *name, struct program_abi *abi)
{
	cleanup_free char *path = NULL;
	cleanup_why struct why why = { 0 };
	int err = program_find(name, &path, &why);

	return err < 0 ? err : program_abi(path, abi);
}

bool program_abi_equal(const struct program_abi *a, const struct program_abi *b)
{
	return a->class == b->class && a->data == b->data && a->machine == b->machine;
}
