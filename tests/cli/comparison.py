#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# usage: comparison.py SCHEMAS DOCUMENT
#
# Checks that the document of a comparison and the results of its sides match the schemas in the
# folder SCHEMAS, and that the comparison is consistent with these results. Prints mistakes, and
# then exits with 1.

import json
import math
import sys

import jsonschema

COMPARISON, RESULT = "pstat-comparison-2.schema.json", "pstat-result-2.schema.json"
problems = []


def check(true, *what):
    if not true:
        problems.append(" ".join(str(word) for word in what))


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def validator_of(schema):
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def check_schemas(folder, document):
    """Check the results of the sides by their own schema, because old jsonschemas cannot follow a URN."""
    comparison, result = read(f"{folder}/{COMPARISON}"), read(f"{folder}/{RESULT}")
    side = comparison["properties"]["sides"]["items"]["properties"]
    check(side["result"]["$ref"] == result["$id"], "the schema of a side's result is", side["result"]["$ref"])
    side["result"] = {}
    validators = [(validator_of(comparison), document)]
    validators += [(validator_of(result), each["result"]) for each in document["sides"]]
    for validator, instance in validators:
        for error in validator.iter_errors(instance):
            check(False, "/".join(map(str, error.absolute_path)), error.message)


def check_order(document):
    if document["order"] is None:
        return
    for i, side in enumerate(document["sides"]):
        runs = len(side["result"]["runs"])
        check(document["order"].count(i) == runs, "side", i, "has", runs, "runs in", document["order"])


def check_row(document, row):
    sides = document["sides"]
    check(len(row["sides"]) == len(sides), row["name"], "is missing on some side")
    check([c["side"] for c in row["contrasts"]] == list(range(1, len(sides))), row["name"], "contrasts")
    for side, found in zip(sides, row["sides"]):
        rows = side["result"]["summary"]["rows"]
        same = [r for r in rows if r["name"] == row["name"]]
        if len(same) != 1 or (row["name"] == "max_rss" and "max_rss_floor_kib" in side["result"]["settings"]):
            continue  # a metric, one of pstat's own, or split; or not known
        check(found["n"] == same[0]["n"], row["name"], found, same[0])
        factor = 1e-6 if (row["unit"], same[0]["unit"]) == ("msec", "ns") else 1  # pstat's own times
        check(found["mean"] == same[0]["value"] or
              math.isclose(found["mean"], same[0]["value"] * factor, rel_tol=1e-12), row["name"], found, same[0])
        check(found["state"] == same[0]["state"], row["name"], found, same[0])
    for contrast in row["contrasts"]:
        if contrast["ratio"] is not None:
            check(contrast["ratio_low"] <= contrast["ratio"] <= contrast["ratio_high"], contrast)
        check_tests(document, row, contrast)


# A count that varies is better or worse only if both tests agree.
def check_tests(document, row, contrast):
    p, p_permutation = contrast["p"], contrast["p_permutation"]
    # a row without verdicts has no permutation test
    check(p_permutation is None if p is None or not row["asked"] else 0 < p_permutation <= 1, contrast)
    check(p is None or 0 <= p <= 1, contrast)
    check(row["asked"] or contrast["verdict"] in ("none", "not counted"), contrast)
    check(row["asked"] or not row["first"], row["name"])
    if contrast["verdict"] not in ("better", "worse"):
        return
    varies = any(row["sides"][side]["stddev"] for side in (0, contrast["side"]))
    check((p_permutation if varies else 0) <= 1 - document["confidence"] and p <= 1 - document["confidence"], contrast)


# Each gate is judged on each row of its name (or its name with :u), and on each side except the
# reference.
def check_outcomes(document):
    others = range(1, len(document["sides"]))
    judged = [(o["gate"], o["row"], o["side"]) for o in document["outcomes"]]
    for i, gate in enumerate(document["gates"]):
        if gate.get("geomean"):
            continue
        rows = {row for which, row, _ in judged if which == i}
        check(rows, gate, "is judged on no row")
        for row in rows:
            name = document["rows"][row]["name"]
            check(name.startswith(gate["name"]), gate, "is judged on", name)
        check(sorted(j for j in judged if j[0] == i) ==
              sorted((i, row, side) for row in rows for side in others), gate, judged)


def case_of(document, i):
    """The comparison of one case."""
    n = len(document["sides"]) // len(document["cases"])
    rows = [row for row in document["rows"] if row["case"] == i]
    first = next(k for k, row in enumerate(document["rows"]) if row["case"] == i)
    return document | {
        "sides": document["sides"][i * n:(i + 1) * n], "rows": rows, "conclusions": [], "remarks": [], "notes": [],
        "confidence": min(row["confidence"] for row in rows),
        "order": document["order"] and [side - i * n for side in document["order"] if side // n == i],
        "outcomes": [o | {"row": o["row"] - first} for o in document["outcomes"] if o["case"] == i],
    }


# The geometric means agree with the ratios of the cases.
def check_means(document):
    n = len(document["cases"])
    for mean in document["geometric_means"]:
        name = [mean[key] for key in ("name", "place", "cgroup")]
        first = {}  # in each case: an event may be in several groups
        for row in document["rows"]:
            if row["shown"] and [row[key] for key in ("name", "place", "cgroup")] == name:
                first.setdefault(row["case"], row["contrasts"][mean["side"] - 1])
        found = list(first.values())
        check(len(found) == n, name, "is in", len(found), "cases")
        for verdict in ("better", "worse", "same", "unclear"):
            check(mean[verdict] == sum(c["verdict"] == verdict for c in found), name, mean)
        check((mean["ratio"] is not None) == ("text" in mean), name, mean)
        if mean["ratio"] is None:
            continue
        check(all(c["ratio"] for c in found), name, mean, "is not of", found)
        ratio = math.exp(sum(math.log(c["ratio"]) for c in found) / n)
        check(math.isclose(mean["ratio"], ratio, rel_tol=1e-9), name, mean, "is", ratio)
        check(mean["ratio_low"] <= mean["ratio"] <= mean["ratio_high"], name, mean)
    others = len(document["sides"]) // n - 1
    check(sum(mean["leading"] for mean in document["geometric_means"]) in (0, others), "leading means")
    for outcome in document["geometric_mean_outcomes"]:
        mean = document["geometric_means"][outcome["mean"]]
        gate = document["gates"][outcome["gate"]]
        check(gate["geomean"] and mean["name"].startswith(gate["name"]) and mean["side"] == outcome["side"], outcome)


def main():
    folder, path = sys.argv[1:]
    document = read(path)
    check_schemas(folder, document)
    check_order(document)
    cases = [case_of(document, i) for i in range(len(document["cases"]))] if "cases" in document else [document]
    for case in cases:
        check_order(case)
        for row in case["rows"]:
            check_row(case, row)
        check_outcomes(case)
    if "cases" in document:
        check_means(document)
    print("\n".join(problems))
    sys.exit(1 if problems else 0)


main()
