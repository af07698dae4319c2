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

/* The loader's cache, as glibc has written it since 2.32 (its sysdeps/generic/dl-cache.h). */
#define CACHE_FILE "/etc/ld.so.cache"
#define CACHE_MAGIC "glibc-ld.so.cache1.1"

struct cache_entry {
	int32_t flags;
	uint32_t name, path; /* places in the file, from its start */
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

/* The bits of flags that tell the kind of ELF file: those of what pstat itself is linked with. */
enum { CACHE_ABI = 0xff00 };

/* Not a folder: /usr/lib/gcc, /usr/lib/bash and more stand where libraries do. */
static bool is_readable_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, R_OK) == 0;
}

static int try_folder(const char *folder, size_t n, const char *name, char **path)
{
	if (asprintf(path, "%.*s/%s", (int)n, folder, name) < 0)
		return -ENOMEM;
	if (is_readable_file(*path))
		return 0;
	free(*path);
	*path = NULL;
	return -ENOENT;
}

static int try_folders(const char *folders, const char *name, char **path)
{
	int err = -ENOENT;

	while (err == -ENOENT && folders && *folders) {
		size_t n = strcspn(folders, ":");

		if (n > 0)
			err = try_folder(folders, n, name, path);
		folders += n + (folders[n] == ':');
	}
	return err;
}

static const char *cache_string(const char *map, size_t size, uint32_t at)
{
	return at < size && memchr(map + at, '\0', size - at) ? map + at : NULL;
}

/* The first entry of the name whose file is of this machine's own ABI; the libc's entry tells which. */
static int search_cache(const char *map, size_t size, const char *name, char **path)
{
	const struct cache_header *header = (const void *)map;
	int32_t abi = -1;

	if (size < sizeof(*header) ||
	    memcmp(header->magic, CACHE_MAGIC, sizeof(header->magic)) != 0 ||
	    (size - sizeof(*header)) / sizeof(header->entries[0]) < header->entries_n)
		return -ENOENT;
	for (uint32_t i = 0; i < header->entries_n; i++) {
		const struct cache_entry *entry = &header->entries[i];
		const char *found = cache_string(map, size, entry->name);
		const char *file = cache_string(map, size, entry->path);

		if (!found || !file || strcmp(found, name) != 0)
			continue;
		if (abi == -1)
			abi = entry->flags & CACHE_ABI;
		if ((entry->flags & CACHE_ABI) != abi || !is_readable_file(file))
			continue;
		*path = strdup(file);
		return *path ? 0 : -ENOMEM;
	}
	return -ENOENT;
}

static int try_cache(const char *name, char **path)
{
	cleanup_fd int fd = open(CACHE_FILE, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *map;
	int err;

	if (fd < 0 || fstat(fd, &st) < 0 || st.st_size == 0)
		return -ENOENT;
	map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED)
		return -ENOENT;
	err = search_cache(map, (size_t)st.st_size, name, path);
	munmap(map, (size_t)st.st_size);
	return err;
}

int library_find(const char *name, char **path)
{
	int err = try_folders(secure_getenv("LD_LIBRARY_PATH"), name, path);

	if (err == -ENOENT)
		err = try_cache(name, path);
	if (err == -ENOENT)
		err = try_folders("/lib64:/usr/lib64:/lib:/usr/lib", name, path);
	return err;
}
