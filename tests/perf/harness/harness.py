#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# usage: harness.py LEAST MOST CYCLES
#
# Counts with perf stat and reads its CSV, JSON and table. `faults 3000` must have from LEAST to MOST
# page faults, and CYCLES cycles: a number, "none" or "any".

import csv
import json
import re
import subprocess
import sys

LEAST, MOST, CYCLES = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
EVENTS = ["-e", "page-faults:u,cycles:u"]
COMMAND = ["faults", "3000"]


def perf(*words):
    """The output of perf stat and of its command, which succeeds."""
    done = subprocess.run(["perf", "stat", *words], capture_output=True, text=True, check=True)
    return done.stderr, done.stdout


def check(faults, cycles, spread=0.0):
    """Check the counts of a run, or the mean of runs with this spread."""
    assert LEAST * (1 - spread) <= float(faults) <= MOST * (1 + spread), faults
    if CYCLES == "none":
        assert cycles == "<not supported>", cycles
    elif CYCLES == "any":
        assert float(cycles) > 0, cycles
    else:
        assert abs(float(cycles) / int(CYCLES) - 1) <= spread, cycles


def read_csv(text, separator=",", fields=7):
    rows = list(csv.reader(text.splitlines(), delimiter=separator))
    assert {len(row) for row in rows} == {fields}, rows
    return rows


def read_table(text):
    """The count of each event, without commas, and the seconds."""
    assert re.match(r"\n Performance counter stats for 'faults 3000'( \(3 runs\))?:\n\n", text), text
    counts = re.findall(r"^ +([\d,.]+|<not \w+>) +([\w:-]+) .*$", text, re.M)
    seconds = re.search(r"^ +(\d+\.\d+) (\+- \d+\.\d+ )?seconds time elapsed", text, re.M)
    return {event: count.replace(",", "") for count, event in counts}, float(seconds[1])


# 1. CSV
rows = read_csv(perf("-x", ",", *EVENTS, *COMMAND)[0])
assert [row[2] for row in rows] == ["page-faults:u", "cycles:u"], rows
check(rows[0][0], rows[1][0])

# 2. CSV of three runs, with the spread after the event
rows = read_csv(perf("-r3", "-x,", *EVENTS, "--", *COMMAND)[0], fields=8)
assert re.fullmatch(r"\d+\.\d\d%", rows[0][3]), rows
check(rows[0][0], rows[1][0], spread=0.05)

# 3. CSV in a file, which begins with a comment, and nothing on standard error
assert perf("-o", "csv", "-x;", *EVENTS, *COMMAND) == ("", "")
with open("csv", encoding="utf-8") as file:
    assert file.readline().startswith("# started on ") and file.readline() == "\n"
    rows = read_csv(file.read(), ";")
check(rows[0][0], rows[1][0])

# 4. a second result in the same file
perf("-o", "csv", "--append", "-x;", *EVENTS, *COMMAND)
with open("csv", encoding="utf-8") as file:
    assert sum(line.startswith("# started on ") for line in file) == 2

# 5. JSON: one object in each line
rows = [json.loads(line) for line in perf("-j", *EVENTS, *COMMAND)[0].splitlines()]
assert [row["event"] for row in rows] == ["page-faults:u", "cycles:u"], rows
check(*(row["counter-value"] for row in rows))

# 6. JSON of three runs
rows = [json.loads(line) for line in perf("-j", "-r", "3", *EVENTS, *COMMAND)[0].splitlines()]
assert all(0 <= float(row["variance"]) < 50 for row in rows), rows
check(*(row["counter-value"] for row in rows), spread=0.05)

# 7. JSON of intervals, whose counts have the count of the whole run as their sum
rows = [json.loads(line) for line in perf("-j", "-I", "10", *EVENTS, *COMMAND)[0].splitlines()]
times = [float(row["interval"]) for row in rows]
assert times == sorted(times) and rows[0]["event"] == "page-faults:u", rows
counts = {event: [row["counter-value"] for row in rows if row["event"] == event]
          for event in ("page-faults:u", "cycles:u")}
sums = [sum(float(count) for count in column if not count.startswith("<")) for column in counts.values()]
check(sums[0], sums[1] or counts["cycles:u"][0])

# 8. the table
counts, seconds = read_table(perf(*EVENTS, *COMMAND)[0])
check(counts["page-faults:u"], counts["cycles:u"])
assert seconds > 0

# 9. the table of three runs
counts, seconds = read_table(perf("-r", "3", *EVENTS, *COMMAND)[0])
check(counts["page-faults:u"], counts["cycles:u"], spread=0.05)

# 10. each CPU, with its name in the first field
rows = read_csv(perf("-a", "-A", "-x,", "-e", "task-clock,page-faults", *COMMAND)[0], fields=8)
cpus = [row[0] for row in rows if row[3] == "task-clock"]
assert cpus == [f"CPU{n}" for n in range(len(cpus))], rows
assert cpus == [row[0] for row in rows if row[3] == "page-faults"] and len(rows) == 2 * len(cpus), rows
