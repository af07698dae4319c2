/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ABI of a program or library. The loader loads only libraries of the program's ABI. */
#ifndef PSTAT_MACHINE_ABI_H
#define PSTAT_MACHINE_ABI_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The fields of an ELF header that tell ABIs apart. x86-64, x32 (32-bit class, x86-64 machine) and
 * i386 all differ.
 */
struct abi {
	unsigned char class; /* ELFCLASS32 or ELFCLASS64 */
	unsigned char data; /* the byte order */
	uint16_t machine; /* in the file's byte order */
};

/* The ABI of an ELF file. 0, -ENOEXEC if path is not one, or another -errno. */
int abi_of_file(const char *path, struct abi *abi);

/* The same, but the ABI of a script is that of its interpreter. */
int abi_of_program(const char *path, struct abi *abi);

/* The same for the program of a command, as execvp(3) would find it. */
int abi_of_command(const char *name, struct abi *abi);

bool abi_equal(const struct abi *a, const struct abi *b);

#endif
