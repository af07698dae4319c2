#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Hardware breakpoints. On a machine where they never count, each test is skipped, and scripts/check
# --full leaves this file out; tests/lab/guest/breakpoints.sh makes the same checks in the lab.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

pie=$programs/calls
fixed=$programs/calls-fixed

@test "1000 writes to a named variable count as 1000, at any load address" {
	needs_symbols
	needs_breakpoints
	counts_exactly 1000 mem:written:w:u "$fixed" 1000
	counts_exactly 1000 mem:written:w:u "$pie" 1000
	counts_exactly 1000 mem:written/4:w:u "$pie" 1000
	counts_exactly 0 mem:written:w:u "$pie" 0
	# The program reads the last value once.
	counts_exactly 1001 mem:written:rw:u "$pie" 1000
	counts_exactly 1001 mem:written:u "$fixed" 1000
}

@test "1000 writes to an address count as 1000" {
	local address

	needs_breakpoints
	needs_command nm
	address=$(nm "$fixed" | awk '$3 == "written" { sub(/^0+/, "0x", $1); print $1 }')
	[ -n "$address" ] || fail "calls-fixed has no symbol 'written'"
	counts_exactly 1000 "mem:$address/4:w:u" "$fixed" 1000
	counts_exactly 1000 "mem:$address:w:u" "$fixed" 1000
}

@test "1000 executions of a function count as 1000" {
	needs_symbols
	needs_breakpoints
	counts_exactly 1000 mem:called:x:u "$fixed" 1000
	counts_exactly 500 mem:called_half:x:u "$pie" 1000
}

@test "a stop after the exec does not change the status, signals, arguments or threads of the command" {
	needs_symbols
	needs_breakpoints
	pstat -e mem:environ:u sh -c 'kill -TERM $$'
	is "the status" "$status" 143
	pstat -e mem:environ:u sh -c 'echo "$#"; exit 7' sh a b
	ends_with_status 7
	is "output" "$(<out)" 2
}

@test "breakpoints count next to probes and other events, in one run and one group" {
	needs_probes
	needs_breakpoints
	counted -x, -r 2 -e "{cs,mem:called:x:u},duration_time,uprobe:$pie:called,mem:written:w:u" "$pie" 1000
	is "the exact ones" "$(awk -F, '$3 ~ /called|written/ { print $1 }' err | tr '\n' ' ')" "1000 1000 1000 "
	is "the rows" "$(wc -l <err)" 5
}

# Build a 32-bit program that writes 1000 times to a variable, whose address is unknown until it
# runs.
make_32_bit()
{
	cat >writes.s <<-'END'
		.globl _start, written
		_start:	call	1f
		1:	popl	%ebx
			leal	written-1b(%ebx), %ebx
			movl	$1000, %ecx
		2:	movl	%ecx, (%ebx)
			decl	%ecx
			jnz	2b
			movl	$1, %eax
			xorl	%ebx, %ebx
			int	$0x80
			.data
			.type	written, @object
			.size	written, 4
		written: .long	0
	END
	as --32 -o writes.o writes.s &&
		ld -m elf_i386 -pie --no-dynamic-linker -o writes writes.o
}

@test "pstat finds a variable of a 32-bit program wherever it is loaded" {
	needs_symbols
	needs_breakpoints
	needs_command as
	needs_command ld
	[ "$(uname -m)" = x86_64 ] || skip "this is not x86-64"
	make_32_bit || fail "the program cannot be built"
	./writes || skip "this kernel does not run 32-bit programs"
	is "writes" "$(count mem:written:w:u -e mem:written:w:u ./writes)" 1000
}
