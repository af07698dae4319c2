# SPDX-License-Identifier: GPL-2.0-or-later
# Additional macros for configure.ac

# PSTAT_TRY_FLAG(FLAG, VARIABLE, IF-YES, [IF-NO])
# Test whether an empty program compiles and links without a warning, with FLAG in VARIABLE (CFLAGS
# or LDFLAGS). -Werror is necessary because clang only warns about an unknown flag. gcc ignores an
# unknown -Wno-..., so the test uses the positive form.
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

# PSTAT_ADD_FLAG(FLAG, VARIABLE, [IF-NO]): add FLAG to AM_VARIABLE if the test passes, otherwise
# IF-NO.
AC_DEFUN([PSTAT_ADD_FLAG], [
	AC_SUBST([AM_$2])
	PSTAT_TRY_FLAG([$1], [$2], [AS_VAR_APPEND([AM_$2], [" $1"])], [$3])
])

# PSTAT_PROBE_CFLAGS(FLAGS), PSTAT_PROBE_LDFLAGS(FLAGS): add the known flags to AM_CFLAGS or
# AM_LDFLAGS.
AC_DEFUN([PSTAT_PROBE_CFLAGS],
	[m4_map_args_w([$1], [PSTAT_ADD_FLAG(], [, [CFLAGS])])])
AC_DEFUN([PSTAT_PROBE_LDFLAGS],
	[m4_map_args_w([$1], [PSTAT_ADD_FLAG(], [, [LDFLAGS])])])

# PSTAT_REQUIRE_CFLAG(FLAG, PURPOSE): add FLAG to AM_CFLAGS, which automake also passes to the
# linker, or stop with an error.
AC_DEFUN([PSTAT_REQUIRE_CFLAG],
	[PSTAT_ADD_FLAG([$1], [CFLAGS], [AC_MSG_ERROR([$2: $CC cannot build with $1])])])

# PSTAT_TIME_BITS: use a time_t of 64 bits on 32-bit machines with glibc 2.34 or later.
# AC_SYS_LARGEFILE must precede it, because glibc requires large files for this. Autoconf 2.72 has
# AC_SYS_YEAR2038.
AC_DEFUN([PSTAT_TIME_BITS], [
	AC_CACHE_CHECK([whether time_t has 64 bits], [pstat_cv_time_bits],
		[AC_COMPILE_IFELSE([AC_LANG_SOURCE([[
			#include <time.h>
			_Static_assert(sizeof(time_t) >= 8, "time_t is too small");
			]])], [pstat_cv_time_bits=yes], [pstat_cv_time_bits=no])])
	AS_VAR_IF([pstat_cv_time_bits], [no],
		[AC_DEFINE([_TIME_BITS], [64], [Define to 64 if time_t has 32 bits otherwise.])])
])

# PSTAT_PIE: build a position-independent executable if the compiler does not do so by default, and
# the user does not request another kind.
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

# PSTAT_FORTIFY: set fortify_level to the highest _FORTIFY_SOURCE that the compiler and the C
# library support, or to no. The end of config.h enables it in each optimised file, so that make
# CFLAGS=-O0 works without a new configure and without warnings of the C library. The user's flags
# win: config.h does not change a defined _FORTIFY_SOURCE. It cannot detect -U_FORTIFY_SOURCE, so
# this macro looks for it.
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

# PSTAT_CHECK_CMOCKA: set have_cmocka to yes or no, the conditional HAVE_CMOCKA, and CMOCKA_LIBS.
# Only the unit tests need cmocka. The test uses the compiler, so that neither autoreconf nor a
# cross build needs pkg-config.
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
