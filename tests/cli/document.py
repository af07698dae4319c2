#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# usage: document.py SCHEMA DOCUMENT [CSV]
#
# Checks that a document matches SCHEMA, that its parts are consistent, and that its summary follows
# from its runs (computed again with fractions). CSV is the output of -x, for the same runs: it must
# have the same rows. Prints mistakes, and then exits with 1. The SCHEMA '-' omits the first check,
# which needs the Python module jsonschema.

import json
import math
import sys
from fractions import Fraction

COUNTED = ("counted", "scaled")
problems = []


def check(true, *what):
    if not true:
        problems.append(" ".join(str(word) for word in what))


def strictly(text):
    """No NaN and no repeated keys: not all readers of JSON accept them, or treat them alike."""

    def unique(pairs):
        keys = [key for key, _ in pairs]
        check(len(keys) == len(set(keys)), "a key is repeated:", keys)
        return dict(pairs)

    def refuse(word):
        check(False, word, "is not JSON")

    return json.loads(text, object_pairs_hook=unique, parse_constant=refuse)


def validate(schema, document):
    import jsonschema

    with open(schema, encoding="utf-8") as file:
        schema = json.load(file)
    validator = jsonschema.Draft202012Validator(schema)
    validator.check_schema(schema)
    for error in validator.iter_errors(document):
        check(False, "/".join(map(str, error.absolute_path)), error.message)


def text(value):
    return value["text"] if isinstance(value, dict) else value


def is_near(got, expected):
    return math.isclose(got, expected, rel_tol=1e-12, abs_tol=0 if expected else 1e-9)


def check_distribution(what, d, values):
    """values: fractions"""
    n = len(values)
    check(d["n"] == n, what, "n", d["n"], n)
    for key in ("mean", "median", "min", "max"):
        check((d[key] is None) == (n == 0), what, key, d[key], "of", n)
    for key in ("stddev", "stderr"):
        check((d[key] is None) == (n < 2), what, key, d[key], "of", n)
    if n == 0:
        return
    values = sorted(values)
    mean = sum(values) / n
    median = (values[(n - 1) // 2] + values[n // 2]) / 2
    expected = {"mean": mean, "median": median, "min": values[0], "max": values[-1]}
    if n > 1:
        variance = sum((value - mean) ** 2 for value in values) / (n - 1)
        expected["stddev"] = math.sqrt(variance)
        expected["stderr"] = math.sqrt(variance / n)
    for key, value in expected.items():
        check(is_near(d[key], float(value)), what, key, d[key], "but should be", float(value))


def count_of(document, run, rows):
    """The count of one row, or of several merged rows; None if there is no count."""
    states = [run["state"][row] for row in rows]
    if any(state not in COUNTED for state in states):
        return None
    raw, enabled, running = (sum(int(run[key][row]) for row in rows)
                             for key in ("raw", "enabled_ns", "running_ns"))
    if not document["settings"]["scaled"] or enabled == running or running == 0:
        return Fraction(raw)
    if 100 * running < document["settings"]["min_running_percent"] * enabled:
        return None
    parts = estimates_of(run, rows)
    if parts:
        return sum(Fraction(count) for count, _ in parts)
    return Fraction(raw * enabled, running)


def estimates_of(run, rows):
    """The estimate and half-width of each row; None if some scaled row has no interval."""
    nothing = [None] * len(run["state"])
    estimates, half_widths = run.get("estimate", nothing), run.get("half_width", nothing)
    parts = [(int(run["raw"][row]), 0) if run["state"][row] == "counted" else
             (estimates[row], half_widths[row]) for row in rows]
    return None if any(None in part for part in parts) else parts


def estimator_of(document, runs, rows):
    """The estimator of the least certain run; None if there is no count."""
    order = (None, "exact", "model", "scaling", "unscaled")
    least = None
    for run in runs:
        word = "exact"
        if count_of(document, run, rows) is None:
            continue
        if any(run["state"][row] == "scaled" for row in rows):
            word = "model" if estimates_of(run, rows) else "scaling"
            word = word if document["settings"]["scaled"] else "unscaled"
        least = max(least, word, key=order.index)
    return least


def check_bounds(document, row, rows, factor):
    """The bounds of one run are checked. Those of several runs only have to contain the value.
    There are none if the half-width of a run is unknown."""
    name, value, low, high = row["name"], row["value"], row["value_low"], row["value_high"]
    expected = estimator_of(document, document["runs"], rows) if value is not None else None
    check(row["estimator"] == expected, name, row["estimator"], "but should be", expected)
    if expected == "exact":
        check(low == value == high, name, "exact, but", low, value, high)
        return
    halves = [None]
    if expected == "model":
        counted = [r for r in document["runs"] if count_of(document, r, rows) is not None]
        halves = [half for run in counted for _, half in estimates_of(run, rows)]
    if None in halves:
        check(low is None and high is None, name, expected, "has the bounds", low, high)
    elif row["n"] == 1:
        half = sum(halves) * factor
        check(is_near(low, max(value - half, 0)), name, "value_low", low)
        check(is_near(high, value + half), name, "value_high", high)
    else:
        check(0 <= low <= value <= high, name, "is not in its bounds:", low, value, high)


def check_samples(document, samples):
    keys = ["state", "raw", "enabled_ns", "running_ns"]
    keys += [key for key in ("estimate", "half_width") if key in samples]
    for key in keys:
        check(len(samples[key]) == len(document["rows"]), key, "does not have one value for each row")
    for i, count in enumerate(samples.get("estimate", [])):
        check(count is None or samples["state"][i] == "scaled", "an estimate of row", i)
    for i, state in enumerate(samples["state"]):
        if state not in COUNTED:
            check(samples["raw"][i] == 0, "a raw value although the row has no count, row", i)


def check_summary(document):
    summary = document["summary"]
    check(summary["runs"] == len(document["runs"]), "summary of", summary["runs"])
    for key in ("duration_time", "user_time", "system_time"):
        if summary[key] is not None:
            check_distribution(key, summary[key], [Fraction(int(r[key])) for r in document["runs"]])
    for row in summary["rows"]:
        first = row["row"]
        rows = [first]
        while rows[-1] + 1 < len(document["rows"]) and document["events"][
                document["rows"][rows[-1] + 1]["event"]].get("merged"):
            rows.append(rows[-1] + 1)
        event = document["events"][document["rows"][first]["event"]]
        counts = [count_of(document, run, rows) for run in document["runs"]]
        counts = [count for count in counts if count is not None]
        floor = document["settings"].get("max_rss_floor_kib", 0)
        if event["name"] == "max_rss" and any((r["max_rss"] or 0) <= floor for r in document["runs"]):
            counts = []  # a value may be the peak of pstat
        check_distribution(text(row["name"]), row, counts)
        check((row["value"] is None) == (not counts), row["name"], "value", row["value"])
        if counts:
            mean = float(sum(counts) / len(counts))
            check(is_near(row["value"], mean * event["factor"]), row["name"], row["value"])
        check_bounds(document, row, rows, event["factor"])


def check_csv(document, lines):
    rows = document["summary"]["rows"]
    # A second metric has a line without an event. Comments and empty lines are not data.
    lines = [line.split(",") for line in lines]
    lines = [fields for fields in lines if any(text(row["name"]) in fields for row in rows)]
    check(len(lines) == len(rows), len(lines), "lines of CSV,", len(rows), "rows")
    for fields, row in zip(lines, rows):
        event = document["events"][document["rows"][row["row"]]["event"]]
        name = text(row["name"])
        check(name in fields, name, "is not in", fields)
        if name not in fields:
            continue
        shown = fields[fields.index(name) - 2]
        if row["value"] is None:
            absent = "supported" if row["state"] == "not supported" else "counted"
            check(shown == f"<not {absent}>", name, row["state"], shown)
            continue
        whole = event["factor"] >= 1 and event["factor"] == int(event["factor"])
        check(shown == f"{row['value']:.{0 if whole else 2}f}", name, row["value"], shown)
        check(str(row["running_ns"]) in fields, name, row["running_ns"], fields)
        check(f"{row['running_percent']:.2f}" in fields, name, row["running_percent"], fields)
        metric = row["metrics"][0]["unit"] if row["metrics"] else ""
        check(fields[-1] == metric, name, metric, fields[-1])


def main():
    schema, path = sys.argv[1:3]
    with open(path, encoding="utf-8") as file:
        document = strictly(file.read())
    if schema != "-":
        validate(schema, document)
    events = len(document["events"])
    for i, row in enumerate(document["rows"]):
        check(row["event"] == i % events and row["place"] == i // events, "row", i, row)
    check(sum(group["n"] for group in document["groups"]) == events, "groups", document["groups"])
    for samples in document["runs"] + document["intervals"]:
        check_samples(document, samples)
    check_summary(document)
    if len(sys.argv) > 3:
        with open(sys.argv[3], encoding="utf-8") as file:
            check_csv(document, file.read().splitlines())
    print("\n".join(problems))
    sys.exit(1 if problems else 0)


main()
