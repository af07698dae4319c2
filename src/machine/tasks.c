/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/num.h"
#include "base/str.h"
#include "base/why.h"
#include "machine/tasks.h"

int task_list_add(struct task_list *list, pid_t task)
{
	if (array_grow(&list->v, list->n, &list->size, sizeof(*list->v)) < 0)
		return -ENOMEM;
	list->v[list->n++] = task;
	return 0;
}

void task_list_release(struct task_list *list)
{
	free(list->v);
	*list = (struct task_list){ 0 };
}

/* Parse n bytes at item, which is place bytes after the start of the list. */
static int tasks_parse_line(const char *item, size_t n, size_t place, pid_t *task, struct why *why)
{
	uint64_t number;

	if (strspn(item, "0123456789") < n)
		return why_at(why, -EINVAL, place, "'%.*s' is not a process or thread ID", (int)n,
			      item);
	if (num_parse(item, n, &number) < 0 || number > TASK_MAX)
		return why_at(why, -EINVAL, place,
			      "no process or thread has the ID %.*s: %d is the highest", (int)n,
			      item, TASK_MAX);
	if (number == 0)
		return why_at(why, -EINVAL, place, "no process or thread has the ID 0");
	*task = (pid_t)number;
	return 0;
}

int tasks_parse(const char *text, struct task_list *list, struct why *why)
{
	static const char separators[] = ", \t\n";
	const size_t from = list->n;

	for (const char *item = text;;) {
		size_t n, known = from;
		pid_t task = 0;
		int err;

		item += strspn(item, separators);
		if (*item == '\0')
			break;
		n = strcspn(item, separators);
		err = tasks_parse_line(item, n, (size_t)(item - text), &task, why);
		if (err < 0)
			return err;
		while (known < list->n && list->v[known] != task)
			known++;
		if (known == list->n && task_list_add(list, task) < 0)
			return -ENOMEM;
		item += n;
	}
	if (list->n == from)
		return why_set(why, -EINVAL,
			       "the list of processes or threads is empty; give their IDs, such as "
			       "1234,5678");
	return 0;
}

static int tasks_compare(const void *a, const void *b)
{
	return *(const pid_t *)a - *(const pid_t *)b;
}

/* Append the task numbers among the entries of a folder, sorted. path includes the root. */
static int tasks_list_folder(const char *path, struct task_list *list)
{
	cleanup_dir DIR *dir = opendir(path);
	size_t from = list->n;
	struct dirent *entry;

	if (!dir)
		return -errno;
	while ((entry = readdir(dir))) {
		const char *name = entry->d_name;
		uint64_t task;

		if (name[0] < '1' || name[0] > '9' || num_parse(name, strlen(name), &task) < 0 ||
		    task > TASK_MAX)
			continue;
		if (task_list_add(list, (pid_t)task) < 0)
			return -ENOMEM;
	}
	if (list->n > from)
		qsort(list->v + from, list->n - from, sizeof(*list->v), tasks_compare);
	return 0;
}

int tasks_of_process(const struct machine *m, pid_t pid, struct task_list *list)
{
	cleanup_free char *path = machine_path(m, "/proc/%d/task", (int)pid);
	size_t from = list->n;
	int err = path ? tasks_list_folder(path, list) : -ENOMEM;

	if (err == -ENOENT)
		return -ESRCH;
	if (err == 0 && list->n == from) /* the process ended between opendir() and readdir() */
		return -ESRCH;
	return err;
}

int tasks_of_machine(const struct machine *m, struct task_list *list)
{
	cleanup_with(task_list_release) struct task_list processes = { 0 };
	cleanup_free char *path = machine_path(m, "/proc");
	int err = path ? tasks_list_folder(path, &processes) : -ENOMEM;

	for (size_t i = 0; err == 0 && i < processes.n; i++) {
		err = tasks_of_process(m, processes.v[i], list);
		if (err == -ESRCH) /* the process has ended */
			err = 0;
	}
	return err;
}

bool task_exists(const struct machine *m, pid_t tid)
{
	return machine_has(m, "/proc/%d", (int)tid);
}

/* Read a file of the task. The caller frees *text. */
static int tasks_read_one(const struct machine *m, pid_t tid, const char *name, char **text)
{
	int err = machine_read(m, text, "/proc/%d/%s", (int)tid, name);

	return err == -ENOENT ? -ESRCH : err;
}

/* Read the beginning of a file of the task, without allocating memory for it. Returns the number of
 * bytes, or -errno. */
static ssize_t tasks_read_start(const struct machine *m, pid_t tid, const char *name, char *bytes,
				size_t size)
{
	cleanup_free char *path = machine_path(m, "/proc/%d/%s", (int)tid, name);
	cleanup_fd int fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) : -1;
	ssize_t n = 0, more = fd < 0 ? -1 : 1;

	if (!path)
		return -ENOMEM;
	while (more > 0 && (size_t)n < size) { /* a read may be short */
		more = read(fd, bytes + n, size - (size_t)n);
		n += more > 0 ? more : 0;
	}
	if (more < 0)
		return errno == ENOENT ? -ESRCH : -errno;
	return n;
}

int task_comm(const struct machine *m, pid_t tid, char comm[TASK_COMM_SIZE])
{
	ssize_t n = tasks_read_start(m, tid, "comm", comm, TASK_COMM_SIZE - 1);

	while (n > 0 && strchr(" \t\r\n", comm[n - 1]))
		n--;
	comm[n > 0 ? n : 0] = '\0';
	return n < 0 ? (int)n : 0;
}

/*
 * Read a number, which is a field of /proc/TID/stat. The state is field 3. Field 2 is the name in
 * parentheses. The name itself can contain blanks and parentheses, so the fields are counted from
 * the last ')'.
 */
static int tasks_read_stat(const struct machine *m, pid_t tid, int number, uint64_t *value)
{
	cleanup_free char *text = NULL;
	int err = tasks_read_one(m, tid, "stat", &text);
	const char *field;

	if (err < 0)
		return err;
	field = strrchr(text, ')');
	if (field && (strncmp(field, ") Z", 3) == 0 || strncmp(field, ") X", 3) == 0))
		return -ESRCH;
	for (int i = 2; field && i < number; i++) {
		field = strchr(field, ' ');
		if (field)
			field++;
	}
	return field ? num_parse(field, strcspn(field, " "), value) : -EINVAL;
}

int task_started(const struct machine *m, pid_t tid, uint64_t *ticks)
{
	return tasks_read_stat(m, tid, 22, ticks);
}

int task_parent(const struct machine *m, pid_t tid, pid_t *parent)
{
	uint64_t number;
	int err = tasks_read_stat(m, tid, 4, &number);

	if (err == 0)
		*parent = (pid_t)number;
	return err;
}

/* The number after a key such as "\nTgid:" of /proc/PID/status. 0; -ENOENT; another -errno. */
static int tasks_parse_status(const char *status, const char *key, uint64_t *number)
{
	const char *digits = strstr(status, key);

	if (!digits)
		return -ENOENT;
	digits += strlen(key) + strspn(digits + strlen(key), " \t");
	return num_parse(digits, strspn(digits, "0123456789"), number);
}

int task_process(const struct machine *m, pid_t tid, pid_t *process)
{
	cleanup_free char *text = NULL;
	int err = tasks_read_one(m, tid, "status", &text);
	uint64_t number;

	if (err == 0)
		err = tasks_parse_status(text, "\nTgid:", &number);
	if (err == 0)
		*process = (pid_t)number;
	return err;
}

/* The kernel cuts the name of a program after 15 characters; the name of its file may be longer. */
int task_program(const struct machine *m, pid_t pid, char **name)
{
	static const char deleted[] = " (deleted)"; /* added by the kernel */
	const ssize_t deleted_n = sizeof(deleted) - 1;
	cleanup_free char *link = machine_path(m, "/proc/%d/exe", (int)pid);
	char comm[TASK_COMM_SIZE], file[PATH_MAX + 1];
	int err = link ? task_comm(m, pid, comm) : -ENOMEM;
	ssize_t n = -1;
	const char *base;

	if (err < 0)
		return err;
	if (strlen(comm) == TASK_PROGRAM_MAX)
		n = readlink(link, file, sizeof(file) - 1);
	file[n > 0 ? n : 0] = '\0';
	if (n > deleted_n && strcmp(file + n - deleted_n, deleted) == 0)
		file[n - deleted_n] = '\0';
	base = file + file_folder_length(file);
	*name = strdup(strncmp(base, comm, strlen(comm)) == 0 ? base : comm);
	return *name ? 0 : -ENOMEM;
}

int task_command(const struct machine *m, pid_t pid, char **command)
{
	char text[TASK_COMMAND_MAX];
	ssize_t n = tasks_read_start(m, pid, "cmdline", text, sizeof(text));

	if (n < 0)
		return (int)n;
	while (n > 0 && text[n - 1] == '\0')
		n--;
	for (ssize_t i = 0; i < n; i++)
		if (text[i] == '\0')
			text[i] = ' ';
	*command = strndup(text, (size_t)n);
	return *command ? 0 : -ENOMEM;
}

/* Documented as "reset the peak resident set size" in proc(5), clear_refs. */
#define FORGET_PEAK "5"

int tasks_forget_own_peak(void)
{
	cleanup_fd int fd = -1;

	malloc_trim(0);
	fd = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
	return fd < 0 || write(fd, FORGET_PEAK, strlen(FORGET_PEAK)) < 0 ? -errno : 0;
}
