# SPDX-License-Identifier: GPL-2.0-or-later
# What configure.ac needs beyond autoconf and automake.

# PSTAT_TRY_FLAG(FLAG, VARIABLE, IF-YES, [IF-NO])
# Does compiling and linking an empty program with FLAG in VARIABLE (CFLAGS or LDFLAGS) pass without
# a warning? -Werror, because clang only warns about an unknown flag. gcc ignores an unknown -Wno-...,
# so the positive form is tried.
AC_DEFUN([PSTAT_TRY_FLAG], [
	AS_VAR_PUSHDEF([cached], [pstat_cv_flag_$2_$1])
	AC_CACHE_CHECK([whether $CC accepts $1], [cached], [
		pstat_saved=$$2
		$2="$$2 -Werror m4_bpatsubst([$1], [^-Wno-], [-W])"
		AC_LINK_IFELSE([AC_LANG_SOURCE([int main(void) { return 0; }])],
			[AS_VAR_SET([cached], [yes])], [AS_VAR_SET([cached], [no])])
		$2=$pstat_saved
	])
	AS_VAR_IF([cached], [yes], [$3], [$4])
	AS_VAR_POPDEF([cached])
])

# PSTAT_ADD_FLAG(FLAG, VARIABLE, [IF-NO]): into AM_VARIABLE if it passes, else IF-NO.
AC_DEFUN([PSTAT_ADD_FLAG], [
	AC_SUBST([AM_$2])
	PSTAT_TRY_FLAG([$1], [$2], [AS_VAR_APPEND([AM_$2], [" $1"])], [$3])
])

# PSTAT_PROBE_CFLAGS(FLAGS), PSTAT_PROBE_LDFLAGS(FLAGS): those that are known, into AM_CFLAGS or
# AM_LDFLAGS.
AC_DEFUN([PSTAT_PROBE_CFLAGS],
	[m4_map_args_w([$1], [PSTAT_ADD_FLAG(], [, [CFLAGS])])])
AC_DEFUN([PSTAT_PROBE_LDFLAGS],
	[m4_map_args_w([$1], [PSTAT_ADD_FLAG(], [, [LDFLAGS])])])

# PSTAT_REQUIRE_CFLAG(FLAG, WHAT-FOR): into AM_CFLAGS, which automake also gives to the linker, or
# the end.
AC_DEFUN([PSTAT_REQUIRE_CFLAG],
	[PSTAT_ADD_FLAG([$1], [CFLAGS], [AC_MSG_ERROR([$2: $CC cannot build with $1])])])

# PSTAT_TIME_BITS: a time_t of 64 bits on a 32-bit machine, which glibc 2.34 and later have. AC_SYS_LARGEFILE
# comes first, because glibc refuses the one without the other. Autoconf 2.72 has AC_SYS_YEAR2038 for this.
AC_DEFUN([PSTAT_TIME_BITS], [
	AC_CACHE_CHECK([whether time_t has 64 bits], [pstat_cv_time_bits],
		[AC_COMPILE_IFELSE([AC_LANG_SOURCE([[
			#include <time.h>
			_Static_assert(sizeof(time_t) >= 8, "time_t is too small");
			]])], [pstat_cv_time_bits=yes], [pstat_cv_time_bits=no])])
	AS_VAR_IF([pstat_cv_time_bits], [no],
		[AC_DEFINE([_TIME_BITS], [64], [Define to 64 if time_t has 32 bits otherwise.])])
])

# PSTAT_PIE: a position-independent executable, if the compiler does not make one by itself and the
# user does not ask for another kind.
AC_DEFUN([PSTAT_PIE], [
	AS_CASE([" $CFLAGS $LDFLAGS "],
		[*' -fno-pie '*|*' -fno-PIE '*|*' -no-pie '*|*' -static '*], [],
		[AC_PREPROC_IFELSE([AC_LANG_SOURCE([[
			#ifndef __PIE__
			#error "not by default"
			#endif
			]])], [],
			[PSTAT_PROBE_CFLAGS([-fPIE])
			PSTAT_PROBE_LDFLAGS([-pie])])])
])

# PSTAT_FORTIFY: sets fortify_level to the highest _FORTIFY_SOURCE that the compiler and the C library
# know, or to no. The end of config.h turns it on, file by file: make CFLAGS=-O0 needs no configure to
# turn it off again, and the C library warns of it only in files that are not optimised. The user's flags
# win: config.h leaves a _FORTIFY_SOURCE that is defined alone. It cannot see -U, so this looks for that.
AC_DEFUN([PSTAT_FORTIFY], [
	AC_CACHE_CHECK([for the highest _FORTIFY_SOURCE], [pstat_cv_fortify_level], [
		pstat_cv_fortify_level=no
		pstat_saved=$CFLAGS
		CFLAGS="-O2 -Werror"
		for pstat_level in 2 3; do
			AC_COMPILE_IFELSE([AC_LANG_SOURCE([[
				#undef _FORTIFY_SOURCE
				#define _FORTIFY_SOURCE $pstat_level
				#include <string.h>
				#if __USE_FORTIFY_LEVEL != $pstat_level
				#error "not this level"
				#endif
				]])], [pstat_cv_fortify_level=$pstat_level])
		done
		CFLAGS=$pstat_saved
	])
	fortify_level=$pstat_cv_fortify_level
	AS_CASE([" $CC $CPPFLAGS $CFLAGS "], [*" -U_FORTIFY_SOURCE "*], [fortify_level=no])
	AS_IF([test "x$fortify_level" != xno], [
		AC_DEFINE_UNQUOTED([FORTIFY_LEVEL], [$fortify_level],
			[Define to the highest _FORTIFY_SOURCE that the compiler and the C library know.])
	])
	AH_BOTTOM([/* AddressSanitizer and its kind replace the functions that fortify replaces. */
#if defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer)
#define BUILT_WITH_SANITIZER 1
#endif
#endif
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define BUILT_WITH_SANITIZER 1
#endif
#if defined FORTIFY_LEVEL && defined __OPTIMIZE__ && !defined _FORTIFY_SOURCE && !defined BUILT_WITH_SANITIZER
#define _FORTIFY_SOURCE FORTIFY_LEVEL
#endif])
])

# PSTAT_CHECK_CMOCKA: sets have_cmocka to yes or no, the conditional HAVE_CMOCKA and CMOCKA_LIBS.
# Only the unit tests need it. Asked of the compiler, so that neither autoreconf nor a cross build
# depends on pkg-config.
AC_DEFUN([PSTAT_CHECK_CMOCKA], [
	have_cmocka=no
	AC_CHECK_HEADER([cmocka.h],
		[AC_CHECK_LIB([cmocka], [_cmocka_run_group_tests], [have_cmocka=yes])], [],
		[#include <setjmp.h>
		 #include <stdarg.h>
		 #include <stddef.h>
		 #include <stdint.h>])
	AC_SUBST([CMOCKA_LIBS])
	AS_IF([test "x$have_cmocka" = xyes], [CMOCKA_LIBS=-lcmocka])
	AM_CONDITIONAL([HAVE_CMOCKA], [test "x$have_cmocka" = xyes])
])
