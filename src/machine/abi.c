/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "machine/abi.h"
#include "machine/program.h"

enum {
	HEAD_SIZE = 256, /* the kernel does not read further for an interpreter, either */
	INTERPRETERS_MAX = 4, /* a script may be the interpreter of a script */
};

/* The beginning of a regular file, with NUL bytes after its end. 0 or -errno. */
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

static int parse_header(const char *head, struct abi *abi)
{
	if (memcmp(head, ELFMAG, SELFMAG) != 0)
		return -ENOEXEC;
	abi->class = (unsigned char)head[EI_CLASS];
	abi->data = (unsigned char)head[EI_DATA];
	/* at the same offset in both classes */
	memcpy(&abi->machine, head + offsetof(Elf64_Ehdr, e_machine), sizeof(abi->machine));
	return 0;
}

/* The interpreter in the first line of a script, terminated in place. NULL if head is not a
 * script's. */
static const char *interpreter(char *head)
{
	char *path;

	if (strncmp(head, "#!", 2) != 0)
		return NULL;
	path = head + 2 + strspn(head + 2, " \t");
	path[strcspn(path, " \t\r\n")] = '\0';
	return path;
}

int abi_of_file(const char *path, struct abi *abi)
{
	char head[HEAD_SIZE + 1];
	int err = read_head(path, head);

	return err < 0 ? err : parse_header(head, abi);
}

int abi_of_program(const char *path, struct abi *abi)
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

int abi_of_command(const char *name, struct abi *abi)
{
	cleanup_free char *path = NULL;
	cleanup_why struct why why = { 0 };
	int err = program_find(name, &path, &why);

	return err < 0 ? err : abi_of_program(path, abi);
}

bool abi_equal(const struct abi *a, const struct abi *b)
{
	return a->class == b->class && a->data == b->data && a->machine == b->machine;
}
