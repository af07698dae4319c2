/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "job/sides.c" /* for its static functions */
#include "unit/test.h"

#define HINT "no shell is run; quote it, or write sh -c '...'"
#define MEANS(c) "'" c "' is shell syntax, but " HINT

/* Words as text: each between < and >. They are dash's and bash -o posix +B's too. */
static const struct {
	int line;
	const char *text, *words;
} accepted[] = {
	{ ROW, "true", "<true>" },
	{ ROW, "echo a  b\tc", "<echo><a><b><c>" },
	{ ROW, " \t echo a \t", "<echo><a>" },
	/* single quotes */
	{ ROW, "sh -c 'a | b > \"$c\" \\ *'", "<sh><-c><a | b > \"$c\" \\ *>" },
	{ ROW, "a'b c'd", "<ab cd>" },
	{ ROW, "a '' b", "<a><><b>" },
	{ ROW, "''", "<>" },
	{ ROW, "'a\nb'", "<a\nb>" },
	{ ROW, "'it'\\''s'", "<it's>" },
	/* double quotes */
	{ ROW, "a \"b  c\" d", "<a><b  c><d>" },
	{ ROW, "a \"\"", "<a><>" },
	{ ROW, "\"it's # ~ | *\"", "<it's # ~ | *>" },
	{ ROW, "\"\\$a \\` \\\" \\\\\"", "<$a ` \" \\>" },
	{ ROW, "\"\\a \\' \\ \\*\"", "<\\a \\' \\ \\*>" },
	{ ROW, "\"a\\\nb\"", "<ab>" },
	{ ROW, "\"a\nb\"", "<a\nb>" },
	{ ROW, "\"a\"'b'c\\d", "<abcd>" },
	/* backslash */
	{ ROW, "a\\ b \\\\ \\' \\\" \\n", "<a b><\\><'><\"><n>" },
	{ ROW, "\\| \\$a \\* \\? \\[a] \\#a \\~ \\;", "<|><$a><*><?><[a]><#a><~><;>" },
	{ ROW, "a\\\nb", "<ab>" },
	{ ROW, "a \\\n b", "<a><b>" },
	{ ROW, "a \\\n", "<a>" },
	{ ROW, "\\\na", "<a>" },
	/* no beginning of a word, and so letters */
	{ ROW, "a#b a~ ''#", "<a#b><a~><#>" },
	{ ROW, "a ! { } {a,b} a] % ^ @ : + -", "<a><!><{><}><{a,b}><a]><%><^><@><:><+><->" },
	{ ROW, "[ -e a ]", "<[><-e><a><]>" },
	{ ROW, "test [", "<test><[>" },
	/* no assignment: not the first word, or not of a name, or quoted */
	{ ROW, "env A=1 dd if=a", "<env><A=1><dd><if=a>" },
	{ ROW, "1A=b", "<1A=b>" },
	{ ROW, "=a", "<=a>" },
	{ ROW, "a-b=c", "<a-b=c>" },
	{ ROW, "'A'=b", "<A=b>" },
	{ ROW, "A\\=b", "<A=b>" },
	{ ROW, "A'='b", "<A=b>" },
	{ ROW, "echo if", "<echo><if>" },
	{ ROW, "'if' a", "<if><a>" },
	{ ROW, "ifconfig", "<ifconfig>" },
	{ ROW,
	  "gr\xc3\xbc\xc3\x9f"
	  "e \xff\x01",
	  "<gr\xc3\xbc\xc3\x9f"
	  "e><\xff\x01>" },
};

static const struct refused refused[] = {
	{ ROW, "", 0, "a command is missing here" },
	{ ROW, " \t", 2, "a command is missing here" },
	{ ROW, "\\\n", 2, "a command is missing here" },
	{ ROW, "echo 'a b", 5, "the ' is not closed" },
	{ ROW, "a 'b' c'", 7, "the ' is not closed" },
	{ ROW, "echo \"a b", 5, "the \" is not closed" },
	{ ROW, "echo x\"a\\\"", 6, "the \" is not closed" },
	{ ROW, "\"\\", 0, "the \" is not closed" },
	{ ROW, "echo \\", 5, "nothing follows the '\\'" },
	{ ROW, "a | b", 2, MEANS("|") },
	{ ROW, "a&", 1, MEANS("&") },
	{ ROW, "a;b", 1, MEANS(";") },
	{ ROW, "a <b", 2, MEANS("<") },
	{ ROW, "a 2>b", 3, MEANS(">") },
	{ ROW, "(a)", 0, MEANS("(") },
	{ ROW, "a)", 1, MEANS(")") },
	{ ROW, "echo $HOME", 5, MEANS("$") },
	{ ROW, "echo a$", 6, MEANS("$") },
	{ ROW, "echo `a`", 5, MEANS("`") },
	{ ROW, "ls *", 3, MEANS("*") },
	{ ROW, "ls a?", 4, MEANS("?") },
	{ ROW, "ls [ab]", 3, MEANS("[") },
	{ ROW, "ls a[", 4, MEANS("[") },
	{ ROW, "a # b", 2, MEANS("#") },
	{ ROW, "#", 0, MEANS("#") },
	{ ROW, "ls ~", 3, MEANS("~") },
	{ ROW, "\\\n~", 2, MEANS("~") },
	{ ROW, "a 'b' \"c $d\"", 9, MEANS("$") },
	{ ROW, "\"`a`\"", 1, MEANS("`") },
	{ ROW, "a\nb", 1, "a newline is shell syntax, but " HINT },
	{ ROW, "a\n", 1, "a newline is shell syntax, but " HINT },
	{ ROW, " A=1 b", 1, "no shell is run to set 'A'; write env A=... COMMAND" },
	{ ROW, "_a9=", 0, "no shell is run to set '_a9'; write env _a9=... COMMAND" },
	{ ROW, "A\\\nB=1", 0, "no shell is run to set 'AB'; write env AB=... COMMAND" },
	{ ROW, " if a", 1, "'if' is shell syntax, but no shell is run; write sh -c '...'" },
	{ ROW, "! a", 0, "'!' is shell syntax, but no shell is run; write sh -c '...'" },
};

static void words_are_split_as_a_shell_splits_them(void **state)
{
	for (size_t i = 0; i < N_OF(accepted); i++) {
		cleanup_str_list struct str_list words = { 0 };
		cleanup_why struct why why = { 0 };
		cleanup_str struct str text = { 0 };

		row_int(&accepted[i], sides_words_split(accepted[i].text, &words, &why), 0);
		for (size_t j = 0; j < words.n; j++)
			str_addf(&text, "<%s>", words.v[j]);
		row_string(&accepted[i], str_text(&text), accepted[i].words);
		row_true(&accepted[i], words.v[words.n] == NULL);
	}
}

static void syntax_of_a_shell_is_refused_with_its_position(void **state)
{
	for (size_t i = 0; i < N_OF(refused); i++) {
		struct str_list words = { 0 };
		cleanup_why struct why why = { 0 };

		row_int(&refused[i], sides_words_split(refused[i].text, &words, &why), -EINVAL);
		row_why(&refused[i], &why);
		row_true(&refused[i], words.n == 0 && words.v == NULL);
	}
}

/* The final NULL has room, however many words there are. */
static void any_number_of_words_ends_in_null(void **state)
{
	cleanup_str struct str text = { 0 };

	for (size_t n = 1; n <= 40; n++) {
		cleanup_str_list struct str_list words = { 0 };
		cleanup_why struct why why = { 0 };

		str_add(&text, "a ");
		assert_int_equal(sides_words_split(str_text(&text), &words, &why), 0);
		assert_int_equal(words.n, n);
		assert_null(words.v[n]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_split_as_a_shell_splits_them),
		cmocka_unit_test(syntax_of_a_shell_is_refused_with_its_position),
		cmocka_unit_test(any_number_of_words_ends_in_null),
	};

	return cmocka_run_group_tests_name("words", tests, NULL, NULL);
}
