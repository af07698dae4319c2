/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/module.h"
#include "base/path.h"
#include "base/str.h"
#include "base/why.h"
#include "event/symbol.h"

void symbol_list_release(struct symbol_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->v[i].name);
	free(list->v);
	*list = (struct symbol_list){ 0 };
}

#ifdef HAVE_LIBELF
#	include <gelf.h>
#	include <libelf.h>

/* Each function of libelf that is used: its declaration comes from the header. */
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
		X(gelf_getversym)                                                                  \
		X(gelf_getverdef)                                                                  \
		X(gelf_getverdaux)

struct libelf {
#	define X(name) __typeof__(name) *name;
	ELF_FUNCTIONS(X)
#	undef X
};

static int libelf_load(struct libelf *lib, struct why *why)
{
	static const struct module module = { "libelf.so.1", "libelf", "libelf1" };
	const struct module_function functions[] = {
#	define X(name) MODULE_FUNCTION(lib, name),
		ELF_FUNCTIONS(X)
#	undef X
	};
	int err = module_load(&module, functions, sizeof(functions) / sizeof(functions[0]), why);

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

static void image_close(struct image *image)
{
	if (image->elf)
		image->lib->elf_end(image->elf);
	if (image->fd >= 0)
		close(image->fd);
}

static int image_open(struct image *image, const struct libelf *lib, const char *path)
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

/* What is looked for, and where it goes. */
struct search {
	const char *name; /* a pattern, without its version */
	const char *version; /* NULL for any */
	enum symbol_kind kind;
	struct symbol_list *list;
	const struct image *program; /* whose segments give the file offsets */
};

/* The place in the file of what is loaded at address; 0 for none. */
static uint64_t file_offset(const struct image *image, uint64_t address)
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

static bool is_of_kind(const GElf_Sym *symbol, enum symbol_kind kind)
{
	unsigned int type = GELF_ST_TYPE(symbol->st_info);

	if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx == SHN_ABS || symbol->st_value == 0)
		return false;
	if (kind == SYMBOL_FUNCTION)
		return type == STT_FUNC; /* an STT_GNU_IFUNC's code only chooses the function */
	return type == STT_OBJECT;
}

static int add_symbol(const struct search *search, const char *name, const GElf_Sym *symbol)
{
	struct symbol_list *list = search->list;
	struct symbol found = {
		.address = symbol->st_value,
		.offset = file_offset(search->program, symbol->st_value),
		.size = symbol->st_size,
	};

	for (size_t i = 0; i < list->n; i++)
		if (list->v[i].address == found.address)
			return 0;
	if (array_grow(&list->v, list->n, &list->size, sizeof(*list->v)) < 0)
		return -ENOMEM;
	found.name = strdup(name);
	if (!found.name)
		return -ENOMEM;
	list->v[list->n++] = found;
	return 0;
}

/* The sections a symbol table needs: its names, and, for versions, .gnu.version and .gnu.version_d. */
struct table {
	const struct image *image;
	Elf_Data *symbols;
	size_t symbols_n;
	size_t names; /* section index of the string table */
	Elf_Data *versions; /* NULL for none */
	Elf_Data *definitions; /* NULL for none */
	size_t definitions_n;
	size_t definition_names;
};

/* The version that this file gives its symbol i, or NULL. */
static const char *version_of(const struct table *t, size_t i)
{
	const struct libelf *lib = t->image->lib;
	GElf_Versym index;
	int offset = 0;

	if (!t->versions || !t->definitions || !lib->gelf_getversym(t->versions, (int)i, &index))
		return NULL;
	for (size_t j = 0; j < t->definitions_n; j++) {
		GElf_Verdef definition;
		GElf_Verdaux name;

		if (!lib->gelf_getverdef(t->definitions, offset, &definition))
			return NULL;
		if (definition.vd_ndx == (index & 0x7fff) &&
		    lib->gelf_getverdaux(t->definitions, offset + (int)definition.vd_aux, &name))
			return lib->elf_strptr(t->image->elf, t->definition_names, name.vda_name);
		if (!definition.vd_next)
			return NULL;
		offset += (int)definition.vd_next;
	}
	return NULL;
}

static bool has_version(const struct table *t, size_t i, const char *version)
{
	const char *found;

	if (!version)
		return true;
	found = version_of(t, i);
	return found && strcmp(found, version) == 0;
}

static int search_table(const struct search *search, const struct table *t)
{
	for (size_t i = 0; i < t->symbols_n; i++) {
		const char *name;
		GElf_Sym symbol;
		int err;

		if (!t->image->lib->gelf_getsym(t->symbols, (int)i, &symbol) ||
		    !is_of_kind(&symbol, search->kind))
			continue;
		name = t->image->lib->elf_strptr(t->image->elf, t->names, symbol.st_name);
		if (!name || fnmatch(search->name, name, 0) != 0 ||
		    !has_version(t, i, search->version))
			continue;
		err = add_symbol(search, name, &symbol);
		if (err < 0)
			return err;
	}
	return 0;
}

/* Fill the version sections of a dynamic symbol table. */
static void find_versions(struct table *t)
{
	const struct libelf *lib = t->image->lib;
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = lib->elf_nextscn(t->image->elf, section))) {
		if (!lib->gelf_getshdr(section, &header))
			continue;
		if (header.sh_type == SHT_GNU_versym) {
			t->versions = lib->elf_getdata(section, NULL);
		} else if (header.sh_type == SHT_GNU_verdef) {
			t->definitions = lib->elf_getdata(section, NULL);
			t->definitions_n = header.sh_info;
			t->definition_names = header.sh_link;
		}
	}
}

/* Both symbol tables of a file. */
static int search_image(const struct search *search, const struct image *image)
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
		if (header.sh_type == SHT_DYNSYM)
			find_versions(&table);
		err = search_table(search, &table);
		if (err < 0)
			return err;
	}
	return 0;
}

/* The contents of a section by name, or NULL. */
static Elf_Data *section_named(const struct image *image, const char *wanted)
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

/* "/usr/lib/debug/.build-id/ab/cdef….debug" of the note "GNU" in .note.gnu.build-id. */
static char *debug_path_by_id(const struct image *image)
{
	Elf_Data *note = section_named(image, ".note.gnu.build-id");
	const unsigned char *id;
	struct str path = { 0 };
	GElf_Nhdr header;

	if (!note || note->d_size < 17)
		return NULL;
	memcpy(&header, note->d_buf, sizeof(header));
	id = (const unsigned char *)note->d_buf + 16; /* behind the note's header and "GNU" */
	str_addf(&path, "/usr/lib/debug/.build-id/%02x/", id[0]);
	for (size_t i = 1; i < header.n_descsz && i < note->d_size - 16; i++)
		str_addf(&path, "%02x", id[i]);
	str_add(&path, ".debug");
	return path.text;
}

/* The file named in .gnu_debuglink, beside the program, in its .debug/ or below /usr/lib/debug. */
static char *debug_path_by_link(const struct image *image, const char *path)
{
	Elf_Data *link = section_named(image, ".gnu_debuglink");
	int folder = (int)path_folder_length(path);

	if (!link || !memchr(link->d_buf, '\0', link->d_size))
		return NULL;
	for (int i = 0; i < 3; i++) {
		struct str candidate = { 0 };

		str_addf(&candidate, "%s%.*s%s%s", i == 2 ? "/usr/lib/debug" : "", folder, path,
			 i == 1 ? ".debug/" : "", (const char *)link->d_buf);
		if (!candidate.failed && access(candidate.text, R_OK) == 0)
			return candidate.text;
		str_release(&candidate);
	}
	return NULL;
}

static int search_debug_file(const struct search *search, const struct image *program,
			     char *debug_path)
{
	cleanup_free char *path = debug_path;
	cleanup_with(image_close) struct image debug = { .fd = -1 };

	if (!path || image_open(&debug, program->lib, path) < 0)
		return 0;
	return search_image(search, &debug);
}

static int compare_symbols(const void *a, const void *b)
{
	return strcmp(((const struct symbol *)a)->name, ((const struct symbol *)b)->name);
}

static int search_all(struct search *search, const struct image *program, const char *path)
{
	int err = search_image(search, program);

	if (err == 0)
		err = search_debug_file(search, program, debug_path_by_id(program));
	if (err == 0)
		err = search_debug_file(search, program, debug_path_by_link(program, path));
	if (search->list->n > 1)
		qsort(search->list->v, search->list->n, sizeof(*search->list->v), compare_symbols);
	return err;
}

int symbol_find(const char *path, const char *pattern, enum symbol_kind kind,
		struct symbol_list *list, struct why *why)
{
	size_t n = strcspn(pattern, "@");
	cleanup_free char *name = strndup(pattern, n);
	cleanup_with(image_close) struct image program = { .fd = -1 };
	struct search search = { .name = name, .kind = kind, .list = list, .program = &program };
	struct libelf lib;
	GElf_Ehdr header;
	int err;

	if (!name)
		return -ENOMEM;
	err = libelf_load(&lib, why);
	if (err < 0)
		return err;
	if (pattern[n])
		search.version = pattern + n + strspn(pattern + n, "@");
	err = image_open(&program, &lib, path);
	if (err < 0 || !lib.gelf_getehdr(program.elf, &header))
		return why_set(why, err < 0 ? err : -ENOEXEC, "%s: %s", path,
			       err < 0 && err != -ENOEXEC ? strerror(-err) : "is no ELF file");
	list->position_independent = header.e_type == ET_DYN;
	list->entry = header.e_entry;
	err = search_all(&search, &program, path);
	if (err == 0 && list->n == 0)
		return why_set(why, -ENOENT, "%s has no %s '%s' in its symbol tables%s", path,
			       kind == SYMBOL_FUNCTION ? "function" : "variable", pattern,
			       section_named(&program, ".symtab") ?
				       "" :
				       " (it is stripped: only what it "
				       "exports can be found)");
	return err;
}

#else

int symbol_find(const char *path, const char *pattern, enum symbol_kind kind,
		struct symbol_list *list, struct why *why)
{
	(void)kind;
	(void)list;
	return why_set(why, -ENOSYS,
		       "'%s' of %s cannot be looked up: this pstat was built without "
		       "libelf",
		       pattern, path);
}

#endif
