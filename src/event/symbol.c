/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/dlopen.h"
#include "base/file.h"
#include "base/str.h"
#include "base/why.h"
#include "event/symbol.h"

static void symbol_release(struct symbol *symbol)
{
	free(symbol->name);
}

void symbol_list_release(struct symbol_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		symbol_release(&list->v[i]);
	free(list->v);
	*list = (struct symbol_list){ 0 };
}

#ifdef HAVE_LIBELF
#	include <gelf.h>
#	include <libelf.h>

/* The functions of libelf that are used. The header declares them. */
#	define ELF_FUNCTIONS(X)                                                                   \
		X(elf_version)                                                                     \
		X(elf_begin)                                                                       \
		X(elf_end)                                                                         \
		X(elf_kind)                                                                        \
		X(elf_errmsg)                                                                      \
		X(elf_nextscn)                                                                     \
		X(elf_getdata)                                                                     \
		X(elf_strptr)                                                                      \
		X(elf_getphdrnum)                                                                  \
		X(elf_getshdrstrndx)                                                               \
		X(gelf_getehdr)                                                                    \
		X(gelf_getphdr)                                                                    \
		X(gelf_getshdr)                                                                    \
		X(gelf_getsym)                                                                     \
		X(gelf_getversym)

struct libelf {
#	define X(name) __typeof__(name) *(name);
	ELF_FUNCTIONS(X)
#	undef X
};

DLOPEN_LIBRARY(libelf_library, "libelf.so.1", "libelf", "libelf1", "symbols",
	       "Finds functions and variables of programs by name, for probes and breakpoints");

static int symbol_libelf_load(struct libelf *lib, struct why *why)
{
	const struct dlopen_function functions[] = {
#	define X(name) DLOPEN_FUNCTION(lib, name),
		ELF_FUNCTIONS(X)
#	undef X
	};
	int err = dlopen_load(&libelf_library, functions, sizeof(functions) / sizeof(functions[0]),
			      why);

	if (err == 0)
		lib->elf_version(EV_CURRENT);
	return err;
}

/* An open ELF file. */
struct image {
	const struct libelf *lib;
	int fd;
	Elf *elf;
};

static void symbol_image_close(struct image *image)
{
	if (image->elf)
		image->lib->elf_end(image->elf);
	if (image->fd >= 0)
		close(image->fd);
}

static int symbol_image_open(struct image *image, const struct libelf *lib, const char *path)
{
	struct stat st;

	image->lib = lib;
	image->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a FIFO would block */
	if (image->fd < 0 || fstat(image->fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -ENOEXEC;
	image->elf = lib->elf_begin(image->fd, ELF_C_READ_MMAP, NULL);
	return image->elf && lib->elf_kind(image->elf) == ELF_K_ELF ? 0 : -ENOEXEC;
}

/* A search and its results. */
struct search {
	const struct symbol_query *query;
	struct symbol_list *list;
	const struct image *program; /* its segments give the file offsets */
	bool stripped; /* the only symbol table is the dynamic one */
	char nearest[STR_DISTANCE_MAX + 1]; /* the name most like the pattern; "": none is near */
	unsigned int distance; /* between the two */
};

/* The file offset of the byte that is loaded at address; 0 if there is none. */
static uint64_t symbol_file_offset(const struct image *image, uint64_t address)
{
	size_t n;

	if (image->lib->elf_getphdrnum(image->elf, &n) < 0)
		return 0;
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr segment;

		if (image->lib->gelf_getphdr(image->elf, (int)i, &segment) &&
		    segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
		    address < segment.p_vaddr + segment.p_filesz)
			return address - segment.p_vaddr + segment.p_offset;
	}
	return 0;
}

static bool symbol_is_of_kind(const GElf_Sym *symbol, enum symbol_kind kind)
{
	unsigned int type = GELF_ST_TYPE(symbol->st_info);

	if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx == SHN_ABS || symbol->st_value == 0)
		return false;
	if (kind == SYMBOL_FUNCTION)
		return type == STT_FUNC || type == STT_GNU_IFUNC;
	return type == STT_OBJECT;
}

/* A symbol table of a file. */
struct table {
	const struct image *image;
	Elf_Data *symbols;
	size_t symbols_n;
	size_t names; /* the section index of the string table */
	/* of a dynamic symbol table: one for each symbol; NULL: there are no versions */
	Elf_Data *versions;
};

enum { VERSION_HIDDEN = 0x8000 }; /* in .gnu.version: not the default version of the name */

/* Programs that are linked today do not use an old version of a function. */
static bool symbol_is_old_version(const struct table *t, size_t i, const char *name)
{
	const char *in_name = strchr(name, '@'); /* "old@V1" or "default@@V2" in .symtab */
	GElf_Versym version = 0;

	if (in_name)
		return in_name[1] != '@';
	if (t->versions)
		t->image->lib->gelf_getversym(t->versions, (int)i, &version);
	return version & VERSION_HIDDEN;
}

/* Remember this name, which does not match, if few letters differ: two, or up to half of them. */
static void symbol_keep_if_nearer(struct search *search, const char *name)
{
	const char *pattern = search->query->pattern;
	const size_t n = strlen(name), pattern_n = strlen(pattern);
	const unsigned int limit = pattern_n < 5 ? (unsigned int)(pattern_n + 1) / 2 : 3;
	unsigned int distance;

	/* the length is compared first, because a file may have many symbols */
	if (n > STR_DISTANCE_MAX || n + 2 < pattern_n || n > pattern_n + 2)
		return;
	distance = str_distance(name, n, pattern, pattern_n);
	if (distance >= (search->nearest[0] ? search->distance : limit))
		return;
	strcpy(search->nearest, name);
	search->distance = distance;
}

/* Append the symbols that match. 0 or -ENOMEM. */
static int symbol_search_table(struct search *search, const struct table *t)
{
	const struct libelf *lib = t->image->lib;
	struct symbol_list *list = search->list;

	for (size_t i = 0; i < t->symbols_n; i++) {
		cleanup_with(symbol_release) struct symbol found = { 0 };
		const char *name;
		GElf_Sym symbol;

		if (!lib->gelf_getsym(t->symbols, (int)i, &symbol) ||
		    !symbol_is_of_kind(&symbol, search->query->kind))
			continue;
		name = lib->elf_strptr(t->image->elf, t->names, symbol.st_name);
		if (!name)
			continue;
		found.name = strndup(name, strcspn(name, "@"));
		if (!found.name)
			return -ENOMEM;
		if (fnmatch(search->query->pattern, found.name, 0) != 0) {
			symbol_keep_if_nearer(search, found.name);
			continue;
		}
		if (array_grow(&list->v, list->n, &list->size, sizeof(*list->v)) < 0)
			return -ENOMEM;
		found.address = symbol.st_value;
		found.offset = symbol_file_offset(search->program, found.address);
		found.size = symbol.st_size;
		found.indirect = GELF_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC;
		found.old = symbol_is_old_version(t, i, name);
		list->v[list->n++] = found;
		found.name = NULL; /* the list owns it now */
	}
	return 0;
}

/* The content of a section by name, or NULL. */
static Elf_Data *symbol_section_named(const struct image *image, const char *wanted)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (image->lib->elf_getshdrstrndx(image->elf, &names) < 0)
		return NULL;
	while ((section = image->lib->elf_nextscn(image->elf, section))) {
		GElf_Shdr header;
		const char *name;

		if (!image->lib->gelf_getshdr(section, &header))
			continue;
		name = image->lib->elf_strptr(image->elf, names, header.sh_name);
		if (name && strcmp(name, wanted) == 0 && header.sh_type != SHT_NOBITS)
			return image->lib->elf_getdata(section, NULL);
	}
	return NULL;
}

/* Search both symbol tables of a file. */
static int symbol_search_image(struct search *search, const struct image *image)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = image->lib->elf_nextscn(image->elf, section))) {
		struct table table = { .image = image };
		int err;

		if (!image->lib->gelf_getshdr(section, &header) || header.sh_entsize == 0 ||
		    (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM))
			continue;
		table.symbols = image->lib->elf_getdata(section, NULL);
		if (!table.symbols)
			continue;
		table.symbols_n = header.sh_size / header.sh_entsize;
		table.names = header.sh_link;
		if (header.sh_type == SHT_SYMTAB)
			search->stripped = false;
		else
			table.versions = symbol_section_named(image, ".gnu.version");
		err = symbol_search_table(search, &table);
		if (err < 0)
			return err;
	}
	return 0;
}

/* The debug files that the packages of a distribution install are below this folder. */
#	define DEBUG_FOLDER "/usr/lib/debug"

/* The length of the query's root if the file is below that root; otherwise 0. */
static size_t symbol_root_length(const struct symbol_query *query)
{
	size_t n = strlen(query->root);

	while (n > 0 && query->root[n - 1] == '/')
		n--;
	return strncmp(query->path, query->root, n) == 0 && query->path[n] == '/' ? n : 0;
}

/* "/usr/lib/debug/.build-id/ab/cdef….debug" from the note "GNU" in .note.gnu.build-id. */
static char *symbol_debug_path_by_id(const struct image *image, const struct symbol_query *query)
{
	Elf_Data *note = symbol_section_named(image, ".note.gnu.build-id");
	const unsigned char *id;
	struct str path = { 0 };
	GElf_Nhdr header;

	if (!note || note->d_size < 17)
		return NULL;
	memcpy(&header, note->d_buf, sizeof(header));
	id = (const unsigned char *)note->d_buf + 16; /* after the header of the note and "GNU" */
	str_addf(&path, "%.*s" DEBUG_FOLDER "/.build-id/%02x/", (int)symbol_root_length(query),
		 query->root, id[0]);
	for (size_t i = 1; i < header.n_descsz && i < note->d_size - 16; i++)
		str_addf(&path, "%02x", id[i]);
	str_add(&path, ".debug");
	return path.text;
}

/*
 * Find the file that .gnu_debuglink names: next to the program, in .debug/ next to it, or below
 * /usr/lib/debug.
 */
static char *symbol_debug_path_by_link(const struct image *image, const struct symbol_query *query)
{
	Elf_Data *link = symbol_section_named(image, ".gnu_debuglink");
	size_t root = symbol_root_length(query), folder = file_folder_length(query->path);

	if (!link || !link->d_buf || !memchr(link->d_buf, '\0', link->d_size))
		return NULL;
	for (int i = 0; i < 3; i++) {
		struct str candidate = { 0 };

		str_add_n(&candidate, query->path, root);
		str_add(&candidate, i == 2 ? DEBUG_FOLDER : "");
		str_add_n(&candidate, query->path + root, folder - root);
		str_addf(&candidate, "%s%s", i == 1 ? ".debug/" : "", (const char *)link->d_buf);
		if (!candidate.failed && access(candidate.text, R_OK) == 0)
			return candidate.text;
		str_release(&candidate);
	}
	return NULL;
}

static int symbol_search_debug_file(struct search *search, const struct image *program,
				    char *debug_path)
{
	cleanup_free char *path = debug_path;
	cleanup_with(symbol_image_close) struct image debug = { .fd = -1 };

	if (!path || symbol_image_open(&debug, program->lib, path) < 0)
		return 0;
	return symbol_search_image(search, &debug);
}

/* Compare by name. The default version of a name comes first. */
static int symbol_compare_names(const void *one, const void *two)
{
	const struct symbol *a = one, *b = two;
	int order = strcmp(a->name, b->name);

	return order ? order : a->old - b->old;
}

/*
 * Compare by address. At the same address, an indirect function comes before the function that
 * chooses for it; otherwise the shortest name, which has no prefix, comes first.
 */
static int symbol_compare_addresses(const void *one, const void *two)
{
	const struct symbol *a = one, *b = two;
	size_t a_length, b_length;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	if (a->indirect != b->indirect)
		return a->indirect ? -1 : 1;
	a_length = strlen(a->name);
	b_length = strlen(b->name);
	if (a_length != b_length)
		return a_length < b_length ? -1 : 1;
	return symbol_compare_names(a, b);
}

static void symbol_sort_all(struct symbol_list *list, int (*compare)(const void *, const void *))
{
	if (list->n > 1)
		qsort(list->v, list->n, sizeof(*list->v), compare);
}

enum symbol_drop {
	DROP_OLD, /* versions of a name that has a default version; sorted by name */
	DROP_SAME_ADDRESS, /* sorted by address */
	DROP_INDIRECT,
};

static void symbol_drop_all(struct symbol_list *list, enum symbol_drop what)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->n; i++) {
		struct symbol *symbol = &list->v[i];
		const struct symbol *last = kept ? &list->v[kept - 1] : NULL;
		bool drops = what == DROP_INDIRECT && symbol->indirect;

		if (what == DROP_OLD && last)
			drops = symbol->old && !last->old && strcmp(symbol->name, last->name) == 0;
		if (what == DROP_SAME_ADDRESS && last)
			drops = symbol->address == last->address;
		if (drops)
			symbol_release(symbol);
		else
			list->v[kept++] = *symbol;
	}
	list->n = kept;
}

/*
 * Keep one version of each name, one symbol for each address, and no indirect functions. 0; -ENOENT
 * with why if none is left or the pattern is the name of an indirect function; -ENOMEM.
 */
static int symbol_choose(const struct search *search, struct why *why)
{
	const struct symbol_query *query = search->query;
	struct symbol_list *list = search->list;
	const struct symbol *indirect = NULL;
	cleanup_str struct str hint = { 0 };
	size_t indirect_n = 0;

	symbol_sort_all(list, symbol_compare_names);
	symbol_drop_all(list, DROP_OLD);
	symbol_sort_all(list, symbol_compare_addresses);
	symbol_drop_all(list, DROP_SAME_ADDRESS);
	symbol_sort_all(list, symbol_compare_names);
	for (size_t i = 0; i < list->n; i++) {
		if (!list->v[i].indirect)
			continue;
		if (indirect_n++ == 0)
			indirect = &list->v[i];
	}
	if (indirect && (indirect_n == list->n || !strpbrk(query->pattern, "*?[")))
		return search->stripped ?
			       why_set(why, -ENOENT,
				       "'%s' is an indirect function; install the debug symbols of "
				       "%s, and name one that it can resolve to",
				       indirect->name, query->path) :
			       why_set(why, -ENOENT,
				       "'%s' is an indirect function; name one that it can resolve "
				       "to, or all: '*%s_*'",
				       indirect->name, indirect->name);
	symbol_drop_all(list, DROP_INDIRECT);
	if (list->n > 0)
		return 0;
	if (search->stripped)
		str_add(&hint, " (it is stripped: only exported symbols can be found)");
	if (search->nearest[0])
		str_addf(&hint, "; did you mean '%s'?", search->nearest);
	return why_set(why, -ENOENT, "%s has no %s '%s' in its symbol tables%s", query->path,
		       query->kind == SYMBOL_FUNCTION ? "function" : "variable", query->pattern,
		       str_text(&hint));
}

int symbol_find(const struct symbol_query *query, struct symbol_list *list, struct why *why)
{
	struct libelf lib; /* before program, whose cleanup calls its functions */
	cleanup_with(symbol_image_close) struct image program = { .fd = -1 };
	struct search search = { .query = query, .list = list, .program = &program };
	GElf_Ehdr header;
	int err;

	err = symbol_libelf_load(&lib, why);
	if (err < 0)
		return err;
	err = symbol_image_open(&program, &lib, query->path);
	if (err < 0 || !lib.gelf_getehdr(program.elf, &header))
		return why_set(why, err < 0 ? err : -ENOEXEC, "%s: %s", query->path,
			       err < 0 && err != -ENOEXEC ? strerror(-err) : "is not an ELF file");
	list->position_independent = header.e_type == ET_DYN;
	list->entry = header.e_entry;
	search.stripped = true;
	err = symbol_search_image(&search, &program);
	if (err == 0)
		err = symbol_search_debug_file(&search, &program,
					       symbol_debug_path_by_id(&program, query));
	if (err == 0)
		err = symbol_search_debug_file(&search, &program,
					       symbol_debug_path_by_link(&program, query));
	if (err == 0)
		err = symbol_choose(&search, why);
	if (err < 0)
		symbol_list_release(list);
	return err;
}

#else

int symbol_find(const struct symbol_query *query, struct symbol_list *list, struct why *why)
{
	(void)list;
	return why_set(why, -ENOSYS,
		       "'%s' of %s cannot be looked up: this pstat was built without "
		       "libelf",
		       query->pattern, query->path);
}

#endif
