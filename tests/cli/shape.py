# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the shapes of results, that is, their lines with masked numbers, for shapes.bats.

usage: shape.py <PAIRS

A line of PAIRS has these fields, separated by tabs: a name; the tool of the first result, perf or pstat;
table, csv or json; the separator; the listed differences; the file of the first result; the file of the
second result, which is always pstat's. For each pair of different shapes, the program prints "== NAME"
and the difference.

Each number becomes N, with an n for each decimal, and keeps its width if blanks precede it. Intervals of
-I with the same shape become one, because a loaded machine may merge some. Only differences_of(), with
the functions that it calls, knows the intended differences from perf 6.1. Everything else must match.
"""

import difflib
import json
import re
import sys

NUMBER = re.compile(r"(?<![\w./-])[0-9]+(\.[0-9]+)?(?![\w/]|\.[0-9])")
TIME = r" *[0-9]+\.[0-9]{9}"
DATE = r"^# started on [A-Z][a-z]{2} [A-Z][a-z]{2} [ 123][0-9] [0-9:]{8} [0-9]{4}$"


def mask_number(match):
    decimals = match[1] or ""
    return "N" + re.sub("[0-9]", "n", decimals)


def mask(text):
    """Keep the width of right-aligned numbers."""
    text = re.sub(
        r" +" + NUMBER.pattern,
        lambda m: NUMBER.sub(mask_number, m[0].lstrip()).rjust(len(m[0])),
        text,
    )
    # The next column begins in the same place with each prefix of a rate.
    text = re.sub(r"[KMG]/sec(?= )", "/sec ", text)
    return re.sub(r"[KMG]/sec", "/sec", NUMBER.sub(mask_number, text))


def leading_time(line):
    match = re.match(TIME, line)
    return match[0] if match and "seconds" not in line else None


def without_repeats(lines):
    """The shapes of the lines, without intervals of -I that have the shape of an earlier one."""
    seen, interval, now, out = [], [], None, []
    for line in [*lines, ""]:
        time = leading_time(line)
        if time != now and interval and interval not in seen:
            seen.append(interval)
            out += interval
        if time != now:
            interval, now = [], time
        if time is None:
            out.append(mask(line))
        else:
            interval.append(mask(line.replace(time, "N" * len(time), 1)))
    return out[:-1]


def table(lines):
    out = []
    for line in lines:
        if re.match(DATE, line):
            line = "# started on DATE"
        # The number of decimals depends on the spread.
        line = re.sub(r"[0-9]+\.[0-9]+ \+- [0-9]+\.[0-9]+", "N +- N", line)
        # --table: the width of the time, the decimals and the marks depend on the times.
        line = re.sub(r"^ +# (Table of individual|Final result)", r"# \1", line)
        line = re.sub(r"^ +[0-9]+\.[0-9]+ \([+-][0-9]+\.[0-9]+\) #+$", "TIME (OFF) #", line)
        # A count that is equal in all runs has no spread; task-clock and the times always vary.
        if " task-clock " not in line and "seconds time elapsed" not in line:
            line = re.sub(r"  \( \+- *[0-9]+\.[0-9]{2}% \)$", "", line)
        # From 100 % on, the number fills the space before it.
        line = re.sub(r"\( \+- *[0-9]+\.[0-9]{2}% \)$", "( +-  N.nn% )", line)
        out.append(line)
    return [re.sub(r" +N \+- N", "  N +- N", line) for line in without_repeats(out)]


def csv(lines, separator):
    out = []
    for line in lines:
        if re.match(DATE, line):
            line = "# started on DATE"
        out.append("|".join(line.split(separator)))
    return without_repeats(out)


class Number(str):
    """A number of JSON with its original digits."""


def strictly(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError(f"a key is repeated: {keys}")
    return pairs


def refuse_constant(text):
    raise ValueError(f"{text} is not JSON")


def json_lines(lines):
    """Strict: every line is an object."""
    return [
        json.loads(line, object_pairs_hook=strictly, parse_float=Number, parse_int=Number,
                   parse_constant=refuse_constant)
        for line in lines
    ]


def json_shape(objects):
    """Each line of an interval once: it has the place and the event."""
    out = []
    for pairs in objects:
        line = ", ".join(
            f"{key}: {mask(value) if isinstance(value, Number) else json.dumps(mask(value))}"
            for key, value in pairs
        )
        if "interval: " not in line or line not in out:
            out.append(line)
    return out


# ---- Intended differences


def newer_json(pairs):
    """pstat prints the -j of newer versions of perf. 6.1 calls the number of CPUs aggregate-number,
    prints metric-value as a number, and sometimes the unit "(null)" if there is no metric."""
    out = []
    for key, value in pairs:
        if key == "metric-value" and isinstance(value, Number):
            value = str(value)
        if key == "metric-unit" and value == "(null)":
            value = ""
        out.append(("counters" if key == "aggregate-number" else key, value))
    return out


def whole(lines):
    """A small mean of counts, which pstat prints with two decimals, has none."""
    return [re.sub(r"^( +)([0-9])\.[0-9]{2}(?=      \w)", r"\1   \2", line) for line in lines]


def usage(lines):
    """With -r, pstat also prints the mean user and system time, as both tools do without -r. Two empty
    lines follow."""
    text = "\n".join(lines)
    return re.sub(r"\n.* seconds user\b.*\n.* seconds sys\b.*\n\n", "", text).split("\n")


def undated(lines):
    """perf 6.1 also begins JSON with a date and an empty line, which are not JSON."""
    return [
        line for i, line in enumerate(lines)
        if not re.match(DATE, line) and not (line == "" and i > 0 and re.match(DATE, lines[i - 1]))
    ]


def rate(lines):
    """perf divides the tool's own times by the task clock, as if they were counts."""
    return [re.sub(r"(?<=duration_time).*# +[0-9.]+ [KMG]?/sec", lambda m: " " * len(m[0]), line)
            for line in lines]


def thread(lines):
    """The column has the thread ID: comm-tid."""
    return [line.replace("comm-pid", "comm-tid") for line in lines]


METRICS = r"(GHz|insn per cycle|branch-misses of all branches)"


def metrics(lines, kind, separator):
    """--metric-only: perf has a field for each event that is not supported, even without a metric. It
    does not align names with their columns. In the header of -x, it has a blank before "time", no
    separator after "cpus", and no "cpus" after "node"."""
    if kind == "table":
        lines = [re.sub(rf"^ +{METRICS}", r"\1", line.rstrip()) for line in lines]
        return [re.sub(" +", " ", line) if re.match("# +time", line) else line for line in lines]
    return [re.sub(r"^ ?(time.)?node$", r"\1node,cpus", line.rstrip(separator).removeprefix(" "))
            if not leading_time(line) else line.rstrip(separator) for line in lines]


def nameless(lines, separator):
    """Without -A, perf 6.1.187 omits the names of the metrics."""
    return [re.sub(rf"[ {separator}]*{METRICS}([ {separator}]+{METRICS})*[ {separator}]*$", "", line)
            for line in lines]


def differences_of(tool, kind, separator, names, lines):
    """The lines without the listed differences."""
    lines = nameless(lines, separator) if "nameless" in names else lines
    lines = metrics(lines, kind, separator) if "metrics" in names else lines
    if tool == "perf":
        lines = undated(lines) if kind == "json" else lines
        lines = thread(lines) if "thread" in names else lines
        lines = rate(lines) if "rate" in names else lines
    elif "usage" in names:
        lines = usage(whole(lines))
    return lines


def shape(tool, kind, separator, names, path):
    with open(path, encoding="utf-8", newline="\n") as file:
        lines = file.read().split("\n")
    if lines[-1] == "":
        lines.pop()
    else:
        lines[-1] += "(no newline)"
    lines = differences_of(tool, kind, separator, names.split(","), lines)
    if kind == "json":
        objects = json_lines(lines)
        return json_shape([newer_json(o) if tool == "perf" else o for o in objects])
    return csv(lines, separator) if kind == "csv" else table(lines)


def main():
    for line in sys.stdin.read().splitlines():
        name, tool, kind, separator, names, first, second = line.split("\t")
        separator = separator.replace("\\t", "\t")
        try:
            shapes = (shape(tool, kind, separator, names, first),
                      shape("pstat", kind, separator, names, second))
        except ValueError as error:
            print(f"== {name}", error, sep="\n")
            continue
        if shapes[0] != shapes[1]:
            print(f"== {name}", *difflib.unified_diff(*shapes, tool, "pstat", n=0, lineterm=""), sep="\n")
        elif not shapes[0] and " -n " not in name:
            print(f"== {name}", "the output is empty", sep="\n")


main()
