/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usage: harness LEAST MOST CYCLES
 *
 * Counts with perf stat, and reads its output from pipes and files. `faults 3000` must have from LEAST
 * to MOST page faults, and CYCLES cycles: a number, "none" or "any".
 */
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

using words = std::vector<std::string>;

static double least, most;
static std::string cycles;

static void require(bool condition, const std::string &what)
{
	if (!condition)
		throw std::runtime_error(what);
}

static words split(const std::string &text, char separator)
{
	std::istringstream stream(text);
	words result;

	for (std::string word; std::getline(stream, word, separator);)
		result.push_back(word);
	if (!text.empty() && text.back() == separator)
		result.emplace_back();
	return result;
}

/* What perf stat writes to the descriptor `fd`, which may be its standard error. */
static std::string perf(const std::string &options, int fd = STDERR_FILENO, int expected_status = 0)
{
	words arguments = split("perf stat " + options, ' ');
	std::vector<char *> pointers;
	std::string text;
	char buffer[4096];
	int ends[2], status;
	ssize_t n;

	for (auto &argument : arguments)
		pointers.push_back(argument.data());
	pointers.push_back(nullptr);
	require(pipe2(ends, O_CLOEXEC) == 0, "pipe2");
	pid_t child = fork();
	require(child >= 0, "fork");
	if (child == 0) {
		dup2(ends[1], fd);
		execvp(pointers[0], pointers.data());
		_exit(127);
	}
	close(ends[1]);
	while ((n = read(ends[0], buffer, sizeof(buffer))) > 0)
		text.append(buffer, static_cast<size_t>(n));
	close(ends[0]);
	require(waitpid(child, &status, 0) == child && WIFEXITED(status) &&
			WEXITSTATUS(status) == expected_status,
		"perf stat " + options + " failed: " + text);
	return text;
}

/* The rows of a text, each of which has this number of fields. */
static std::vector<words> rows(const std::string &text, char separator, size_t fields)
{
	std::vector<words> result;

	require(!text.empty() && text.back() == '\n', "the last line is not complete: " + text);
	for (auto &line : split(text.substr(0, text.size() - 1), '\n')) {
		result.push_back(split(line, separator));
		require(result.back().size() == fields, "the number of fields: " + line);
	}
	return result;
}

static void check(const std::string &faults, const std::string &counted)
{
	require(std::stod(faults) >= least && std::stod(faults) <= most, faults + " page faults");
	if (cycles == "any")
		require(std::stod(counted) > 0, counted + " cycles");
	else
		require(counted == (cycles == "none" ? "<not supported>" : cycles), counted + " cycles");
}

/* The rows of page-faults:u and cycles:u, without other rows. */
static void check_rows(const std::vector<words> &r)
{
	require(r.size() == 2 && r[0][2] == "page-faults:u" && r[1][2] == "cycles:u", "other rows");
	check(r[0][0], r[1][0]);
}

static std::string contents(const std::string &file)
{
	std::ifstream stream(file);

	return { std::istreambuf_iterator<char>(stream), {} };
}

static void count(void)
{
	const std::string events = "-e page-faults:u -e cycles:u faults 3000";

	/* 1 to 3: CSV on standard error, on another descriptor, and with another separator */
	check_rows(rows(perf("-x , " + events), ',', 7));
	check_rows(rows(perf("--log-fd 9 -x, " + events, 9), ',', 7));
	check_rows(rows(perf("--field-separator=; --no-big-num " + events), ';', 7));

	/* 4 and 5: two results in one file */
	require(perf("--output csv -x, " + events).empty(), "output next to the file");
	perf("--output csv --append -x, " + events);
	std::regex comment("# started on [^\n]*\n\n");
	std::string text = std::regex_replace(contents("csv"), comment, "");
	require(rows(text, ',', 7).size() == 4, "the file is: " + contents("csv"));

	/* 6: five runs */
	auto r = rows(perf("--repeat 5 -x, -e page-faults:u faults 3000"), ',', 8);
	require(r.size() == 1 && std::regex_match(r[0][3], std::regex("\\d+\\.\\d\\d%")), "no spread");

	/* 7: intervals, whose counts have the count of the whole run as their sum */
	double sum = 0, last = 0;
	for (auto &row : rows(perf("--interval-print 10 -x, -e page-faults:u faults 3000"), ',', 8)) {
		require(std::stod(row[0]) > last && row[3] == "page-faults:u", "time " + row[0]);
		last = std::stod(row[0]);
		sum += row[1][0] == '<' ? 0 : std::stod(row[1]);
	}
	require(sum >= least && sum <= most, std::to_string(sum) + " page faults in all intervals");

	/* 8: the table */
	std::regex table("\n Performance counter stats for 'faults 3000':\n\n"
			 " +(\\d+) +page-faults:u *\n +(\\d+|<not supported>) +cycles:u *\n"
			 "\n +[\\d.]+ seconds time elapsed\n"
			 "\n +[\\d.]+ seconds user\n +[\\d.]+ seconds sys\n\n\n");
	std::smatch match;
	text = perf("--no-big-num " + events);
	require(std::regex_match(text, match, table), "the table is: " + text);
	check(match[1], match[2]);

	/* 9: the exit status of the command */
	rows(perf("-x, -e page-faults:u false", STDERR_FILENO, 1), ',', 7);

	/* 10: each core, with the number of its CPUs */
	for (auto &row : rows(perf("-a --per-core -x, -e task-clock faults 3000"), ',', 9)) {
		require(std::regex_match(row[0], std::regex("S\\d+-D\\d+-C\\d+")), row[0]);
		require(std::stoi(row[1]) > 0 && row[4] == "task-clock", row[4]);
	}
}

int main(int argc, char *argv[])
{
	try {
		require(argc == 4, "usage: harness LEAST MOST CYCLES");
		least = std::stod(argv[1]);
		most = std::stod(argv[2]);
		cycles = argv[3];
		count();
	} catch (const std::exception &error) {
		std::cerr << error.what() << '\n';
		return 1;
	}
	return 0;
}
