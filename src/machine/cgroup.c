/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "machine/cgroup.h"

/* All mount points of cgroup hierarchies, as paths below the root. */
struct hierarchies {
	struct str_list mounts;
	size_t chosen; /* the hierarchy that perf events use */
	enum { NONE, VERSION_2, PERF_EVENT } kind; /* of the chosen hierarchy */
};

static void cgroup_hierarchies_release(struct hierarchies *h)
{
	str_list_release(&h->mounts);
}

static void cgroup_cleanup_file_value(FILE **file)
{
	if (*file)
		fclose(*file);
}

static bool cgroup_is_octal(char c)
{
	return c >= '0' && c <= '7';
}

/*
 * Decode \ooo. The kernel writes blanks, tabs, line feeds and backslashes in this form
 * (getmntent(3)).
 */
static void cgroup_unescape(char *text)
{
	char *to = text;

	for (const char *p = text; *p; p++) {
		if (p[0] == '\\' && cgroup_is_octal(p[1]) && cgroup_is_octal(p[2]) &&
		    cgroup_is_octal(p[3])) {
			*to++ = (char)((p[1] - '0') * 64 + (p[2] - '0') * 8 + (p[3] - '0'));
			p += 3;
		} else {
			*to++ = *p;
		}
	}
	*to = '\0';
}

/* Parse a line of /proc/self/mounts: source, mount point, type, options. */
static int cgroup_add_mount(struct hierarchies *h, char *line)
{
	char *save;
	const char *mounted = strtok_r(line, " \n", &save);
	char *folder = mounted ? strtok_r(NULL, " \n", &save) : NULL;
	const char *type = folder ? strtok_r(NULL, " \n", &save) : NULL;
	char *options = type ? strtok_r(NULL, " \n", &save) : NULL;
	int kind = NONE;

	if (!options || (strcmp(type, "cgroup") != 0 && strcmp(type, "cgroup2") != 0))
		return 0;
	if (strcmp(type, "cgroup2") == 0)
		kind = VERSION_2;
	else
		for (char *option = strtok_r(options, ",", &save); option;
		     option = strtok_r(NULL, ",", &save))
			if (strcmp(option, "perf_event") == 0)
				kind = PERF_EVENT;
	cgroup_unescape(folder);
	if (kind > (int)h->kind) {
		h->kind = kind;
		h->chosen = h->mounts.n;
	}
	return str_list_add(&h->mounts, folder);
}

static int cgroup_find_hierarchies(const struct machine *m, struct hierarchies *h, struct why *why)
{
	cleanup_free char *path = machine_path(m, "/proc/self/mounts");
	cleanup_with(cgroup_cleanup_file_value) FILE *mounts = path ? fopen(path, "re") : NULL;
	cleanup_free char *line = NULL;
	size_t size = 0;
	int err = path ? 0 : -ENOMEM;

	if (path && !mounts && errno != ENOENT)
		err = -errno;
	while (mounts && err == 0 && getline(&line, &size, mounts) > 0)
		err = cgroup_add_mount(h, line);
	if (err < 0)
		return why_set(why, err, "/proc/self/mounts: %s", strerror(-err));
	if (h->mounts.n == 0)
		return why_set(why, -ENOENT,
			       "no cgroup hierarchy is mounted; run mount -t cgroup2 none "
			       "/sys/fs/cgroup");
	if (h->kind == NONE)
		return why_set(
			why, -ENOENT,
			"no mounted cgroup hierarchy supports perf events; run mount -t cgroup -o "
			"perf_event none DIR");
	return 0;
}

static bool cgroup_has_parent_component(const char *name)
{
	for (const char *part = name; *part; part += strspn(part, "/")) {
		size_t n = strcspn(part, "/");

		if (n == 2 && strncmp(part, "..", 2) == 0)
			return true;
		part += n;
	}
	return false;
}

static int cgroup_open_below(const struct machine *m, const char *mount, const char *name)
{
	cleanup_free char *path = machine_path(m, "%s/%s", mount, name);
	int fd;

	if (!path)
		return -ENOMEM;
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* Open name. If it does not exist and begins with the mount point, open the rest of it. */
static int cgroup_open_below_or_stripped(const struct machine *m, const char *mount,
					 const char *name)
{
	size_t n = strlen(mount);
	bool stripped = strncmp(name, mount, n) == 0 && (name[n] == '\0' || name[n] == '/');
	int fd = cgroup_open_below(m, mount, name);

	return fd == -ENOENT && stripped ? cgroup_open_below(m, mount, name + n) : fd;
}

static int cgroup_explain_not_opened(const struct machine *m, const struct hierarchies *h,
				     const char *name, int err, struct why *why)
{
	const char *mount = h->mounts.v[h->chosen];

	for (size_t i = 0; err == -ENOENT && i < h->mounts.n; i++) {
		cleanup_fd int fd = -1;

		if (i == h->chosen)
			continue;
		fd = cgroup_open_below_or_stripped(m, h->mounts.v[i], name);
		if (fd >= 0)
			return why_set(
				why, err,
				"cgroup '%s' is in %s, but perf events use the cgroups in %s", name,
				h->mounts.v[i], mount);
	}
	if (err == -ENOENT)
		return why_set(why, err, "there is no cgroup '%s' in %s", name, mount);
	if (err == -ENOTDIR)
		return why_set(why, err, "'%s' in %s is a file, not a cgroup", name, mount);
	return why_set(why, err, "cgroup '%s' in %s: %s", name, mount, strerror(-err));
}

int cgroup_open(const struct machine *m, const char *name, struct why *why)
{
	cleanup_with(cgroup_hierarchies_release) struct hierarchies h = { 0 };
	int err = cgroup_find_hierarchies(m, &h, why);
	int fd;

	if (err < 0)
		return err;
	if (cgroup_has_parent_component(name))
		return why_set(why, -EINVAL, "cgroup '%s': a cgroup name cannot contain '..'",
			       name);
	fd = cgroup_open_below_or_stripped(m, h.mounts.v[h.chosen], name);
	return fd < 0 ? cgroup_explain_not_opened(m, &h, name, fd, why) : fd;
}

/* Whether the entry is a folder. A symbolic link to a folder does not count as one, because links
 * can form a loop. */
static bool cgroup_is_folder(DIR *dir, const struct dirent *entry)
{
	struct stat st;

	if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
		return false;
	if (entry->d_type != DT_UNKNOWN)
		return entry->d_type == DT_DIR;
	return fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISDIR(st.st_mode);
}

/* Append the paths of the folders in this folder. 0 or -errno. */
static int cgroup_list_children(const char *path, const char *parent, struct str_list *children)
{
	cleanup_dir DIR *dir = opendir(path);
	const struct dirent *entry;

	if (!dir)
		return -errno;
	while ((entry = readdir(dir))) {
		cleanup_str struct str name = { 0 };

		if (!cgroup_is_folder(dir, entry))
			continue;
		str_addf(&name, "%s%s%s", parent, *parent ? "/" : "", entry->d_name);
		if (name.failed || str_list_add(children, str_text(&name)) < 0)
			return -ENOMEM;
	}
	return 0;
}

/*
 * Append the descendants of the cgroup parent, which is "" for the topmost one: each before its own
 * descendants, in the order of the folder, as perf does. A cgroup that has just been removed, or
 * that the user may not read, has none.
 */
static int cgroup_list_descendants(const struct machine *m, const char *mount, const char *parent,
				   struct str_list *cgroups)
{
	cleanup_free char *path = machine_path(m, "%s/%s", mount, parent);
	cleanup_str_list struct str_list children = { 0 };
	int err = path ? cgroup_list_children(path, parent, &children) : -ENOMEM;

	if (err < 0 && err != -ENOMEM && *parent)
		return 0;
	for (size_t i = 0; err == 0 && i < children.n; i++) {
		err = str_list_add(cgroups, children.v[i]);
		if (err == 0)
			err = cgroup_list_descendants(m, mount, children.v[i], cgroups);
	}
	return err;
}

enum { PATTERN_MAX = 4096 };

/* The larger of the numbers in "N\}", "N,\}" or "N,M\}". */
static size_t cgroup_largest_repetition(const char *interval)
{
	char *end;
	unsigned long least = strtoul(interval, &end, 10);
	unsigned long most = *end == ',' ? strtoul(end + 1, NULL, 10) : 0;
	unsigned long n = least > most ? least : most;

	return n > PATTERN_MAX ? PATTERN_MAX : n;
}

/* Mark the cgroups that the pattern matches. 1; 0: it matches none; with why: -E2BIG, -EINVAL. */
static int cgroup_mark_matches(const char *pattern, const struct str_list *cgroups, bool *marks,
			       struct why *why)
{
	size_t size = strlen(pattern);
	bool found = false;
	char reason[128];
	regex_t regex;
	int err;

	/* regcomp(3) copies the expression before each "\{N\}" N times, and limits neither its
	 * memory nor its stack */
	for (const char *p = pattern; size <= PATTERN_MAX && (p = strstr(p, "\\{")); p += 2)
		size *= cgroup_largest_repetition(p + 2) + 1;
	if (size > PATTERN_MAX)
		return why_set(why, -E2BIG,
			       "this regular expression is too long: more than %d characters after "
			       "expanding repetitions",
			       PATTERN_MAX);
	err = regcomp(&regex, pattern, REG_NOSUB);
	if (err != 0) {
		regerror(err, &regex, reason, sizeof(reason));
		return why_set(why, -EINVAL, "'%s' is not a regular expression: %s", pattern,
			       reason);
	}
	for (size_t i = 0; i < cgroups->n; i++)
		if (regexec(&regex, cgroups->v[i], 0, NULL, 0) == 0)
			found = marks[i] = true;
	regfree(&regex);
	return found;
}

/* Append the cgroups that match any item. 0; -errno with why. */
static int cgroup_match_patterns(const struct machine *m, const struct str_list *items,
				 struct str_list *names, struct str_list *unmatched,
				 struct why *why)
{
	cleanup_with(cgroup_hierarchies_release) struct hierarchies h = { 0 };
	cleanup_str_list struct str_list cgroups = { 0 };
	cleanup_str struct str list = { 0 };
	cleanup_free bool *marks = NULL;
	size_t before = names->n;
	const char *mount;
	int err = cgroup_find_hierarchies(m, &h, why);

	if (err < 0)
		return err;
	mount = h.mounts.v[h.chosen];
	err = cgroup_list_descendants(m, mount, "", &cgroups);
	if (err < 0)
		return why_set(why, err, "%s: %s", mount, strerror(-err));
	marks = calloc(cgroups.n + 1, sizeof(*marks));
	err = marks ? 0 : -ENOMEM;
	for (size_t i = 0; err >= 0 && i < items->n; i++) {
		if (!*items->v[i])
			continue;
		err = cgroup_mark_matches(items->v[i], &cgroups, marks, why);
		if (err == 0)
			err = str_list_add(unmatched, items->v[i]);
	}
	for (size_t i = 0; err >= 0 && i < cgroups.n; i++)
		if (marks[i])
			err = str_list_add(names, cgroups.v[i]);
	if (err < 0 || names->n > before)
		return err < 0 ? err : 0;
	for (size_t i = 0; i < unmatched->n; i++)
		str_addf(&list, "%s'%s'", i ? " or " : "", unmatched->v[i]);
	return why_set(why, -ENOENT, "no cgroup in %s matches %s", mount, str_text(&list));
}

int cgroup_match(const struct machine *m, const struct str_list *items, struct str_list *names,
		 struct str_list *unmatched, struct why *why)
{
	int err = 0;

	for (size_t i = 0; i < items->n; i++)
		if (strpbrk(items->v[i], "{}[]()|*+?^$"))
			return cgroup_match_patterns(m, items, names, unmatched, why);
	for (size_t i = 0; err == 0 && i < items->n; i++)
		err = str_list_add(names, *items->v[i] ? items->v[i] : "/");
	return err;
}
