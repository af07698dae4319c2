/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The page of --html: page.html with the document of --save in it. The script of the page draws the
 * document. load_saved() takes the document out of the page again.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "format/format.h"

/* In page_html.c, which embed.awk makes of page.html. */
extern const char page_html[];

/* The place of the document in page.html. */
static const char page_place[] = "DOCUMENT</script>";

/* The part of a document that was written so far. */
struct page_writer {
	FILE *out;
	bool in_string, after_backslash;
};

/*
 * Write JSON within a script element: "</script" or "<!--" must not appear. In JSON, < is only a
 * part of strings, which may escape it. Leave out the white space between the values.
 */
static ssize_t page_write_json(void *cookie, const char *text, size_t n)
{
	struct page_writer *writer = cookie;

	for (size_t i = 0; i < n; i++) {
		if (text[i] == '<')
			fputs("\\u003c", writer->out);
		else if (writer->in_string || (text[i] != ' ' && text[i] != '\n'))
			putc(text[i], writer->out);
		if (text[i] == '"' && !writer->after_backslash)
			writer->in_string = !writer->in_string;
		writer->after_backslash = text[i] == '\\' && !writer->after_backslash;
	}
	return ferror(writer->out) ? 0 : (ssize_t)n;
}

/* What the page draws: one of these. */
struct page_content {
	const struct table *table;
	const struct suite *suite;
	const struct history *history;
};

static int page_write_document(const struct page_content *content, const struct format_style *style,
			       FILE *out)
{
	struct format_style of_document = *style;

	of_document.only_sums = true;
	if (content->history)
		return format_json.write_history(content->history, &of_document, out);
	if (content->suite)
		return format_json.write_comparison(content->suite, &of_document, out);
	return format_json.write(content->table, &of_document, out);
}

static int page_write_content(const struct page_content *content, const struct format_style *style,
			      FILE *out)
{
	const char *place = strstr(page_html, page_place);
	const size_t before = (size_t)(place - page_html);
	struct page_writer writer = { .out = out };
	FILE *document = NULL;
	int err;

	if (fwrite(page_html, 1, before, out) == before)
		document = fopencookie(&writer, "w",
				       (cookie_io_functions_t){ .write = page_write_json });
	err = document ? page_write_document(content, style, document) : -errno;

	if (document && fclose(document) != 0 && err == 0)
		err = errno ? -errno : -EIO;
	if (err == 0 && fputs(place + strlen("DOCUMENT"), out) == EOF)
		err = errno ? -errno : -EIO;
	return err;
}

static int page_write(const struct table *table, const struct format_style *style, FILE *out)
{
	return page_write_content(&(struct page_content){ .table = table }, style, out);
}

static int page_write_comparison(const struct suite *suite, const struct format_style *style,
				 FILE *out)
{
	return page_write_content(&(struct page_content){ .suite = suite }, style, out);
}

static int page_write_history(const struct history *history, const struct format_style *style,
			      FILE *out)
{
	return page_write_content(&(struct page_content){ .history = history }, style, out);
}

const struct format format_html = {
	.name = "html",
	.audience = AUDIENCE_READERS,
	.destination = DESTINATION_FILE,
	.notes = NOTES_LINES,
	.intervals = INTERVALS_INSIDE,
	.appendable = APPENDABLE_NEVER,
	.locale = LOCALE_C,
	.is_document = true,
	.write = page_write,
	.write_comparison = page_write_comparison,
	.has_cases = true,
	.write_history = page_write_history,
};
