/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "machine/program.h"

/* access(2) for the effective user. 0 or -errno. */
static int program_check_access(const char *path, int mode)
{
	if (faccessat(AT_FDCWD, path, mode, AT_EACCESS) == 0)
		return 0;
	/* Seccomp profiles older than Linux 5.8 answer the unknown faccessat2(2) with EPERM. */
	if (errno == EPERM && access(path, mode) == 0)
		return 0;
	return -errno;
}

int program_check_file(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return -errno;
	return S_ISDIR(st.st_mode) ? -EISDIR : program_check_access(path, X_OK);
}

static int program_explain_not_found(const char *name, int err, struct why *why)
{
	switch (err) {
	case -ENOENT:
	case -ENOTDIR:
		return why_set(why, -ENOENT, "%s: command not found%s", name,
			       strchr(name, ' ') ? "; the quotes make one word of it: remove them, "
						   "or use -c" :
						   "");
	case -EISDIR:
		return why_set(why, err, "%s: is a directory, not a command", name);
	case -EACCES:
		return why_set(why, err, "%s: found, but not executable", name);
	default:
		return why_set(why, err, "%s: %s", name, strerror(-err));
	}
}

int program_find(const char *name, char **path, struct why *why)
{
	const char *folders = getenv("PATH");
	int found = -ENOENT; /* -EACCES if a file was found that is not executable */

	if (strchr(name, '/')) {
		found = program_check_file(name);
		if (found < 0)
			return program_explain_not_found(name, found, why);
		*path = strdup(name);
		return *path ? 0 : -ENOMEM;
	}
	if (!folders)
		folders = "/bin:/usr/bin"; /* confstr(3), _CS_PATH */
	while (name[0]) {
		size_t n = strcspn(folders, ":");
		cleanup_free char *candidate = NULL;
		int err;

		/* an empty folder is the current one */
		if (asprintf(&candidate, "%.*s%s%s", (int)n, folders, n ? "/" : "./", name) < 0) {
			candidate = NULL;
			return -ENOMEM;
		}
		folders += n;
		err = program_check_file(candidate);
		if (err == 0) {
			*path = take_ptr(candidate);
			return 0;
		}
		if (err == -EACCES && access(candidate, F_OK) == 0)
			found = err; /* the file itself, not a folder on its path, denies access */
		if (*folders++ == '\0')
			break;
	}
	return program_explain_not_found(name, found, why);
}

/* Set-group-ID on a file that its group may not execute means mandatory locking. */
static bool program_sets_id(const struct stat *st)
{
	const mode_t set_gid = S_ISGID | S_IXGRP;

	return (st->st_mode & S_ISUID && st->st_uid != geteuid()) ||
	       ((st->st_mode & set_gid) == set_gid && st->st_gid != getegid());
}

/* Whether pstat's user namespace has this ID. Assume so without /proc. */
static bool program_is_mapped(const char *map, uint32_t id)
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

/* Whether an exec of this file can raise privileges at all. */
static bool program_can_raise_privileges(const char *path)
{
	struct statvfs fs;

	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1 && statvfs(path, &fs) == 0 &&
	       !(fs.f_flag & ST_NOSUID);
}

enum program_guard program_guard(const char *path)
{
	struct stat st;

	/* the kernel ignores both bits if the user namespace lacks the owner or group */
	if (stat(path, &st) == 0 && program_sets_id(&st) &&
	    program_is_mapped("/proc/self/uid_map", st.st_uid) &&
	    program_is_mapped("/proc/self/gid_map", st.st_gid) &&
	    program_can_raise_privileges(path))
		return PROGRAM_SET_ID;
	if (geteuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0 &&
	    program_can_raise_privileges(path))
		return PROGRAM_CAPABILITIES;
	return program_check_access(path, R_OK) == -EACCES ? PROGRAM_UNREADABLE : PROGRAM_OPEN;
}

bool program_gains_privileges(enum program_guard guard)
{
	return guard == PROGRAM_SET_ID || guard == PROGRAM_CAPABILITIES;
}

enum {
	HEAD_SIZE = 256, /* the kernel does not look further for an interpreter, either */
	INTERPRETERS_MAX = 4, /* the interpreter of a script may be a script */
};

/* Read the beginning of a regular file. NUL bytes follow its end. 0 or -errno. */
static int program_read_head(const char *path, char head[HEAD_SIZE + 1])
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

static int program_parse_header(const char *head, struct program_abi *abi)
{
	if (memcmp(head, ELFMAG, SELFMAG) != 0)
		return -ENOEXEC;
	abi->class = (unsigned char)head[EI_CLASS];
	abi->data = (unsigned char)head[EI_DATA];
	/* e_machine has the same offset in both classes. */
	memcpy(&abi->machine, head + offsetof(Elf64_Ehdr, e_machine), sizeof(abi->machine));
	return 0;
}

/* The ABI of an ELF file, a program or a library. 0; -ENOEXEC if path is not one; -errno. */
static int program_abi_of_file(const char *path, struct program_abi *abi)
{
	char head[HEAD_SIZE + 1];
	int err = program_read_head(path, head);

	return err < 0 ? err : program_parse_header(head, abi);
}

static int program_abi(const char *path, struct program_abi *abi)
{
	/* one holds the path of the file that is read into the other */
	char heads[2][HEAD_SIZE + 1];

	for (size_t i = 0; i <= INTERPRETERS_MAX; i++) {
		char *head = heads[i % 2], *interpreter;
		int err = program_read_head(path, head);

		if (err < 0)
			return err;
		if (strncmp(head, "#!", 2) != 0)
			return program_parse_header(head, abi);
		interpreter = head + 2 + strspn(head + 2, " \t");
		interpreter[strcspn(interpreter, " \t\r\n")] = '\0';
		path = interpreter;
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

/* ---- Libraries */

/* The cache of the loader in the format of glibc 2.32 and later (sysdeps/generic/dl-cache.h). */
#define CACHE_FILE "/etc/ld.so.cache"
#define CACHE_MAGIC "glibc-ld.so.cache1.1"

struct cache_entry {
	int32_t flags;
	uint32_t name, path; /* offsets from the start of the file */
	uint32_t os_version;
	uint64_t capabilities;
};

struct cache_header {
	char magic[20];
	uint32_t entries_n;
	uint32_t strings_size;
	uint32_t unused[5];
	struct cache_entry entries[];
};

/* One search for a library. */
struct search {
	const struct machine *machine;
	const char *name;
	struct program_abi abi; /* of the target */
	bool any_abi; /* the ABI of the target is unknown, for example with --sysroot */
};

/*
 * Use candidate (NULL: out of memory) as the result if the target could load it. Folders and linker
 * scripts can have names of libraries, too.
 */
static int program_try_file(const struct search *search, char *candidate, char **path)
{
	struct program_abi abi;

	if (!candidate)
		return -ENOMEM;
	if (program_abi_of_file(candidate, &abi) == 0 &&
	    (search->any_abi || program_abi_equal(&abi, &search->abi))) {
		*path = candidate;
		return 0;
	}
	free(candidate);
	return -ENOENT;
}

/* folders: separated by colons; NULL for none. root: a prefix for each folder. */
static int program_try_folders(const struct search *search, const char *root, const char *folders,
			       char **path)
{
	int err = -ENOENT;

	while (err == -ENOENT && folders && *folders) {
		size_t n = strcspn(folders, ":");
		char *candidate;

		if (n > 0 &&
		    asprintf(&candidate, "%s%.*s/%s", root, (int)n, folders, search->name) < 0)
			candidate = NULL;
		if (n > 0)
			err = program_try_file(search, candidate, path);
		folders += n + (folders[n] == ':');
	}
	return err;
}

static const char *program_cache_string(const char *map, size_t size, uint32_t at)
{
	return at < size && memchr(map + at, '\0', size - at) ? map + at : NULL;
}

/*
 * Find the first entry of the name whose file the target could load. The cache lists the installed
 * libraries of all ABIs, in an order that depends on their folders.
 */
static int program_search_cache(const struct search *search, char **path)
{
	cleanup_free char *cache = machine_path(search->machine, CACHE_FILE);
	cleanup_fd int fd = cache ? open(cache, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	const struct cache_header *header;
	void *map;
	struct stat st;
	uint32_t entries_n = 0;
	size_t size;
	int err = -ENOENT;

	if (fd < 0 || fstat(fd, &st) < 0 || (size_t)st.st_size < sizeof(*header))
		return cache ? -ENOENT : -ENOMEM;
	size = (size_t)st.st_size;
	map = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED)
		return -ENOENT;
	header = map;
	if (memcmp(header->magic, CACHE_MAGIC, sizeof(header->magic)) == 0 &&
	    (size - sizeof(*header)) / sizeof(header->entries[0]) >= header->entries_n)
		entries_n = header->entries_n;
	for (uint32_t i = 0; err == -ENOENT && i < entries_n; i++) {
		const char *found = program_cache_string(map, size, header->entries[i].name);
		const char *file = program_cache_string(map, size, header->entries[i].path);

		if (found && file && strcmp(found, search->name) == 0)
			err = program_try_file(search, machine_path(search->machine, "%s", file),
					       path);
	}
	munmap(map, size);
	return err;
}

int program_find_library(const struct machine *m, const char *name, char **path)
{
	struct search search = { .machine = m, .name = name, .any_abi = m->mixed_abis };
	int err = -ENOENT;

	/* the ABI of the target is that of its program, or of pstat if there is no program yet */
	if (!search.any_abi && (!m->program || program_abi_of_command(m->program, &search.abi) < 0))
		search.any_abi = !machine_is_here(m) ||
				 program_abi_of_file("/proc/self/exe", &search.abi) < 0;
	if (machine_is_here(m))
		err = program_try_folders(&search, "", secure_getenv("LD_LIBRARY_PATH"), path);
	if (err == -ENOENT)
		err = program_search_cache(&search, path);
	if (err == -ENOENT)
		err = program_try_folders(&search, m->root, "/lib64:/usr/lib64:/lib:/usr/lib",
					  path);
	if (err < 0 || !m->mixed_abis)
		return err;
	free(*path);
	*path = NULL;
	return -ENOTUNIQ;
}
