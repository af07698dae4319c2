# SPDX-License-Identifier: GPL-2.0-or-later
"""What results look like: their lines with the numbers masked, for shapes.bats.

usage: shape.py <PAIRS

A line of PAIRS has, between tabs: a name; whose the first result is, perf or pstat; table, csv or json;
the separator; differences; and the files of the first result and of the second, which is pstat's. Pairs
that do not look the same are printed: "== NAME", and how they differ.

Numbers become N, with as many n behind the point as they have decimals, and as wide as they were where
blanks stand before them. The blocks of -I that look the same become one, since a loaded machine may lose
some. What pstat does otherwise than perf 6.1 on purpose is in differences_of() and in the named functions
that it calls, and nowhere else; everything else has to be the same.
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
    """As wide as before, where it is right-aligned."""
    text = re.sub(
        r" +" + NUMBER.pattern,
        lambda m: NUMBER.sub(mask_number, m[0].lstrip()).rjust(len(m[0])),
        text,
    )
    return re.sub(r"[KMG]?/sec", "/sec", NUMBER.sub(mask_number, text))


def leading_time(line):
    match = re.match(TIME, line)
    return match[0] if match and "seconds" not in line else None


def without_repeats(lines):
    """The shapes of the lines, those of blocks of -I that look like one before left out."""
    seen, block, now, out = [], [], None, []
    for line in [*lines, ""]:
        time = leading_time(line)
        if time != now and block and block not in seen:
            seen.append(block)
            out += block
        if time != now:
            block, now = [], time
        if time is None:
            out.append(mask(line))
        else:
            block.append(mask(line.replace(time, "N" * len(time), 1)))
    return out[:-1]


def table(lines):
    out = []
    for line in lines:
        line = line.rstrip()
        if re.match(DATE, line):
            line = "# started on DATE"
        # As many decimals as the spread calls for.
        line = re.sub(r"[0-9]+\.[0-9]+ \+- [0-9]+\.[0-9]+", "N +- N", line)
        # --table: indented by the time's width, with decimals and marks that depend on the times.
        line = re.sub(r"^ +# (Table of individual|Final result)", r"# \1", line)
        line = re.sub(r"^ +[0-9]+\.[0-9]+ \([+-][0-9]+\.[0-9]+\) #+$", "TIME (OFF) #", line)
        # A count that was the same in all runs has no spread; task-clock and the time never are.
        if " task-clock " not in line and "seconds time elapsed" not in line:
            line = re.sub(r" *\( \+- *[0-9]+\.[0-9]{2}% \)$", "", line)
        out.append(line)
    while out and out[-1] == "":
        out.pop()
    return [re.sub(r" +N \+- N", "  N +- N", line) for line in without_repeats(out)]


def csv(lines, separator):
    out = []
    for line in lines:
        if re.match(DATE, line):
            line = "# started on DATE"
        out.append("|".join(line.split(separator)))
    return without_repeats(out)


class Number(str):
    """A number of JSON, as it was written."""


def strictly(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError(f"a key stands twice: {keys}")
    return pairs


def refuse_constant(text):
    raise ValueError(f"{text} is no JSON")


def json_lines(lines):
    """Strictly: every line is an object."""
    return [
        json.loads(line, object_pairs_hook=strictly, parse_float=Number, parse_int=Number,
                   parse_constant=refuse_constant)
        for line in lines
    ]


def json_shape(objects):
    """Each line of a block once: it holds the place and the event."""
    out = []
    for pairs in objects:
        line = ", ".join(
            f"{key}: {mask(value) if isinstance(value, Number) else json.dumps(mask(value))}"
            for key, value in pairs
        )
        if "interval: " not in line or line not in out:
            out.append(line)
    return out


# ---- What is different on purpose.


def newer_json(pairs):
    """-j as newer versions of perf have it. 6.1 calls the number of CPUs aggregate-number, has
    metric-value as a number, and "(null)" or "" with a value of 0 where there is no metric."""
    out = []
    keys = dict(pairs)
    for key, value in pairs:
        if key in ("metric-value", "metric-unit") and keys["metric-unit"] in ("(null)", ""):
            continue
        if key == "metric-value" and isinstance(value, Number):
            value = str(value)
        out.append(("counters" if key == "aggregate-number" else key, value))
    return out


def without_reason(pairs):
    """pstat says why there is no count, behind all that perf says."""
    return pairs[:-1] if pairs and pairs[-1][0] == "reason" else pairs


def usage(lines):
    """With -r pstat says the mean user and system time, too, as perf and pstat do without."""
    out = []
    for i, line in enumerate(lines):
        if re.search(r"seconds (user|sys)\b", line):
            continue
        if line == "" and i > 0 and re.search(r"seconds sys\b", lines[i - 1]):
            continue
        out.append(line)
    return out


def last_line(lines):
    """Behind user and system time perf has two empty lines."""
    return [
        line for i, line in enumerate(lines)
        if not (line == "" and i > 1 and lines[i - 1] == "" and "seconds sys" in lines[i - 2])
    ]


def undated(lines):
    """perf 6.1 dates JSON, too, by a line that is none, and an empty one."""
    return [
        line for i, line in enumerate(lines)
        if not re.match(DATE, line) and not (line == "" and i > 0 and re.match(DATE, lines[i - 1]))
    ]


def rate(lines):
    """perf divides the tool's own times by the task clock, as if they were counts of something."""
    return [re.sub(r"(duration_time.*?) *# +[0-9.]+ [KMG]?/sec", r"\1", line) for line in lines]


def cgroup(lines):
    """perf pads the event to 32 columns before a cgroup where there is a count, and to 25 where not."""
    return [re.sub(r" +(/( |$))", r" \1", line) for line in lines]


def thread(lines):
    """What stands in the column is a thread's number: comm-tid."""
    return [line.replace("comm-pid", "comm-tid") for line in lines]


METRICS = r"(GHz|insn per cycle|branch-misses of all branches)"


def metrics(lines, kind, separator):
    """--metric-only: perf has a field for each event that is not supported, though it may have no
    metric; puts names not above their columns; and in the header of -x has a blank before "time", no
    separator behind "cpus", and no "cpus" behind "node"."""
    if kind == "table":
        lines = [re.sub(rf"^ +{METRICS}", r"\1", line.rstrip()) for line in lines]
        return [re.sub(" +", " ", line) if re.match("# +time", line) else line for line in lines]
    return [re.sub(r"^ ?(time.)?node$", r"\1node,cpus", line.rstrip(separator).removeprefix(" "))
            if not leading_time(line) else line.rstrip(separator) for line in lines]


def nameless(lines, separator):
    """Without -A perf 6.1.187 leaves the names of the metrics away."""
    return [re.sub(rf"[ {separator}]*{METRICS}([ {separator}]+{METRICS})*[ {separator}]*$", "", line)
            for line in lines]


def differences_of(tool, kind, separator, names, lines):
    """The lines without what differs."""
    lines = nameless(lines, separator) if "nameless" in names else lines
    lines = metrics(lines, kind, separator) if "metrics" in names else lines
    if tool == "perf":
        lines = undated(lines) if kind == "json" else lines
        lines = last_line(lines)
        lines = thread(lines) if "thread" in names else lines
        lines = rate(lines) if "rate" in names else lines
    elif "usage" in names:
        lines = usage(lines)
    return cgroup(lines) if "cgroup" in names else lines


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
        return json_shape([newer_json(o) if tool == "perf" else without_reason(o) for o in objects])
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
            print(f"== {name}", "nothing was printed", sep="\n")


main()
