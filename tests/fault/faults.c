/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For LD_PRELOAD: faults that strace cannot inject. FAULT="CALL N" makes the Nth CALL of the
 * process fail, and "CALL N+" also all later ones. CALL is
 *
 *	alloc	malloc(3), calloc(3) and realloc(3): no memory
 *	close	close(2): closes the file and returns EIO
 *	read	read(2): at most one byte
 *	write	write(2): at most one byte
 *
 * The library appends "fault" to the file FAULT_LOG at the first fault, and the number of each CALL
 * at the end. It does not affect programs that the process starts.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum call { ALLOC, CLOSE, READ, WRITE, CALLS_N };

static const char *const names[] = { "alloc", "close", "read", "write" };

/* glibc's functions, by names that do not need dlsym(3), which allocates memory. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *memory, size_t size);

static unsigned long counts[CALLS_N];
static enum call faulty;
static unsigned long first = -1UL, last;
static char log_file[4096];
static pid_t process;

static void append(const char *text)
{
	long fd = syscall(SYS_openat, AT_FDCWD, log_file, O_WRONLY | O_APPEND | O_CREAT, 0600);

	syscall(SYS_write, fd, text, strlen(text));
	syscall(SYS_close, fd);
}

static int fails(enum call call)
{
	if (!process || getpid() != process)
		return 0;
	counts[call]++;
	if (call != faulty || counts[call] < first || counts[call] > last)
		return 0;
	if (counts[call] == first)
		append("fault\n");
	return 1;
}

static void *no_memory(void)
{
	errno = ENOMEM;
	return NULL;
}

void *malloc(size_t size)
{
	return fails(ALLOC) ? no_memory() : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	return fails(ALLOC) ? no_memory() : __libc_calloc(n, size);
}

void *realloc(void *memory, size_t size)
{
	return fails(ALLOC) ? no_memory() : __libc_realloc(memory, size);
}

int close(int fd)
{
	int fault = fails(CLOSE);
	long result = syscall(SYS_close, fd);

	if (result == 0 && fault) {
		errno = EIO;
		return -1;
	}
	return (int)result;
}

ssize_t read(int fd, void *bytes, size_t n)
{
	return syscall(SYS_read, fd, bytes, n > 1 && fails(READ) ? 1 : n);
}

/* Programs built with _FORTIFY_SOURCE call this one for some buffers. */
ssize_t __read_chk(int fd, void *bytes, size_t n, size_t size);

ssize_t __read_chk(int fd, void *bytes, size_t n, size_t size)
{
	if (n > size)
		abort();
	return read(fd, bytes, n);
}

ssize_t write(int fd, const void *bytes, size_t n)
{
	return syscall(SYS_write, fd, bytes, n > 1 && fails(WRITE) ? 1 : n);
}

__attribute__((constructor)) static void read_environment(void)
{
	const char *fault = getenv("FAULT");
	const char *file = getenv("FAULT_LOG");
	const char *number = fault ? strchr(fault, ' ') : NULL;
	char *end;

	if (!number || !file)
		return;
	snprintf(log_file, sizeof(log_file), "%s", file);
	while (strncmp(names[faulty], fault, strlen(names[faulty])) != 0 && faulty + 1 < CALLS_N)
		faulty++;
	first = strtoul(number, &end, 10);
	last = *end == '+' ? -1UL : first;
	unsetenv("FAULT");
	unsetenv("FAULT_LOG");
	unsetenv("LD_PRELOAD");
	process = getpid();
}

__attribute__((destructor)) static void log_numbers(void)
{
	char text[256];

	if (!process || getpid() != process)
		return;
	snprintf(text, sizeof(text), "%lu %lu %lu %lu\n", counts[ALLOC], counts[CLOSE],
		 counts[READ], counts[WRITE]);
	append(text);
}
