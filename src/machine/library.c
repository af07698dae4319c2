/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "machine/library.h"
#include "machine/program.h"

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
	bool any_abi; /* the ABI of the target is unknown */
};

/*
 * The ABI of the target is that of its program, or of pstat if there is no program yet. On another
 * machine (--sysroot), accept any ABI.
 */
static void find_abi(struct search *search)
{
	const char *target = search->machine->program;

	search->any_abi = search->machine->mixed_abis;
	if (search->any_abi || (target && program_abi_of_command(target, &search->abi) == 0))
		return;
	search->any_abi = !machine_is_here(search->machine) ||
			  program_abi_of_file("/proc/self/exe", &search->abi) < 0;
}

/*
 * Whether the target could load path. Folders and linker scripts can have names of libraries, too.
 */
static bool is_loadable(const struct search *search, const char *path)
{
	struct program_abi abi;

	return program_abi_of_file(path, &abi) == 0 &&
	       (search->any_abi || program_abi_equal(&abi, &search->abi));
}

/* Use candidate (NULL: out of memory) as the result if the target could load it. */
static int try_file(const struct search *search, char *candidate, char **path)
{
	if (!candidate)
		return -ENOMEM;
	if (is_loadable(search, candidate)) {
		*path = candidate;
		return 0;
	}
	free(candidate);
	return -ENOENT;
}

/* folders: separated by colons; NULL for none. root: a prefix for each folder. */
static int try_folders(const struct search *search, const char *root, const char *folders,
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
			err = try_file(search, candidate, path);
		folders += n + (folders[n] == ':');
	}
	return err;
}

static const char *cache_string(const char *map, size_t size, uint32_t at)
{
	return at < size && memchr(map + at, '\0', size - at) ? map + at : NULL;
}

/*
 * Find the first entry of the name whose file the target could load. The cache lists the installed
 * libraries of all ABIs, in an order that depends on their folders.
 */
static int search_cache(const struct search *search, const char *map, size_t size, char **path)
{
	const struct cache_header *header = (const void *)map;
	int err = -ENOENT;

	if (size < sizeof(*header) ||
	    memcmp(header->magic, CACHE_MAGIC, sizeof(header->magic)) != 0 ||
	    (size - sizeof(*header)) / sizeof(header->entries[0]) < header->entries_n)
		return -ENOENT;
	for (uint32_t i = 0; err == -ENOENT && i < header->entries_n; i++) {
		const struct cache_entry *entry = &header->entries[i];
		const char *found = cache_string(map, size, entry->name);
		const char *file = cache_string(map, size, entry->path);

		if (found && file && strcmp(found, search->name) == 0)
			err = try_file(search, machine_path(search->machine, "%s", file), path);
	}
	return err;
}

static int try_cache(const struct search *search, char **path)
{
	cleanup_free char *cache = machine_path(search->machine, CACHE_FILE);
	cleanup_fd int fd = cache ? open(cache, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	struct stat st;
	void *map;
	int err;

	if (fd < 0 || fstat(fd, &st) < 0 || st.st_size == 0)
		return cache ? -ENOENT : -ENOMEM;
	map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED)
		return -ENOENT;
	err = search_cache(search, map, (size_t)st.st_size, path);
	munmap(map, (size_t)st.st_size);
	return err;
}

int library_find(const struct machine *m, const char *name, char **path)
{
	struct search search = { .machine = m, .name = name };
	int err = -ENOENT;

	find_abi(&search);
	if (machine_is_here(m))
		err = try_folders(&search, "", secure_getenv("LD_LIBRARY_PATH"), path);
	if (err == -ENOENT)
		err = try_cache(&search, path);
	if (err == -ENOENT)
		err = try_folders(&search, m->root, "/lib64:/usr/lib64:/lib:/usr/lib", path);
	if (err < 0 || !m->mixed_abis)
		return err;
	free(*path);
	*path = NULL;
	return -ENOTUNIQ;
}
