#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""usage: page.py check PAGE...
       page.py show [--width PIXELS] [--dark] [--png FILE] PAGE [EXPRESSION]

check prints a line for each fault of a page of --html, and then exits with 1. Nothing may be loaded or run
except the page's own script, and a browser has to show the numbers of the document in the page. The document
of X.html has to be that of X.json, if there is such a file.

show prints the value of a JavaScript expression in the page; without it, the visible text. Console
messages and requests of the page go to standard error, and then the exit status is 1.

The browser is Chromium. No request leaves this machine.
"""
import argparse
import base64
import hashlib
import html.parser
import json
import os
import re
import subprocess
import sys
import tempfile
import time

PATIENCE = 60  # seconds, for the browser to start and to answer
ELEMENT = '<script type="application/json" id="document">'
POLICY = ("default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-{}'; "
          "script-src 'sha256-{}'")
# Elements that make a browser fetch something.
FORBIDDEN = {"link", "img", "iframe", "object", "embed", "base", "audio", "video", "source", "form"}
TIMES = {"sec": 1, "s": 1, "msec": 1e-3, "ms": 1e-3, "usec": 1e-6, "us": 1e-6, "µs": 1e-6, "nsec": 1e-9, "ns": 1e-9}
OWN = {"duration_time": 1e-6, "user_time": 1e-6, "system_time": 1e-6, "max_rss": 1}

# What a reader sees in an element, as JSON.
SHOWN = """const root = document.querySelector("ROOT"); JSON.stringify({
    text: root.innerText,
    measures: [...root.querySelectorAll("[data-measure]")].map(group => ({
        name: group.dataset.measure, unit: group.querySelector(".unit")?.innerText.trim() ?? "",
        rows: (group.tagName === "TR" ? [group] : [...group.querySelectorAll("tr")]).map(row =>
            [...row.children].map(cell => cell.innerText.trim()))})),
    drawings: [...root.querySelectorAll("details")].flatMap(part => [...part.querySelectorAll("svg[role]")].map(
        svg => ({name: part.querySelector("summary bdi").textContent, label: svg.getAttribute("aria-label"),
            width: Number(svg.getAttribute("width")), dots: svg.querySelectorAll(".dots").length,
            marks: [...svg.querySelectorAll(".mark")].map(mark => [mark.textContent,
                ...mark.getAttribute("transform").match(/-?[0-9.]+/g).map(Number)])}))),
    metrics: [...root.querySelectorAll("[data-metric]")].map(row =>
        [row.dataset.metric, ...[...row.children].slice(1).map(cell => cell.innerText.trim())]),
    changed: root.querySelectorAll(".mark.s1").length,
    bars: [...root.querySelectorAll(".bar")].map(bar => bar.querySelector("title").textContent),
    cases: [...root.querySelectorAll("[id^=cases]")].map(title => [...title.parentNode.querySelectorAll("tbody tr")].map(
        row => ({case: Number(row.dataset.case ?? -1), name: row.querySelector("bdi").textContent,
            cells: [...row.children].slice(1).map(cell => cell.innerText.trim())}))),
})"""


class Browser:
    """Chromium, which answers commands through a pipe."""

    def __init__(self):
        to_read, self.out = os.pipe()
        self.incoming, to_write = os.pipe()
        self.folder = tempfile.TemporaryDirectory(prefix="pstat-browser-", ignore_cleanup_errors=True)
        self.log = open(self.folder.name + "/log", "w+", encoding="utf-8", errors="replace")

        def place():
            # 3 and 4 may be among the pipes
            spare = [os.dup(to_read), os.dup(to_write)]
            os.dup2(spare[0], 3)
            os.dup2(spare[1], 4)

        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
             "--disable-component-update", "--disable-sync", "--no-first-run", "--hide-scrollbars",
             "--host-resolver-rules=MAP * ~NOTFOUND", "--user-data-dir=" + self.folder.name + "/profile",
             "--remote-debugging-pipe"], close_fds=False, preexec_fn=place,
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        os.close(to_read)
        os.close(to_write)
        os.set_blocking(self.incoming, False)
        self.buffer, self.last, self.session, self.events = b"", 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def close(self):
        self.session = None
        self.call("Browser.close")
        self.process.wait(PATIENCE)
        self.log.close()
        self.folder.cleanup()

    def receive(self, wanted):
        """Return the first message that is wanted, and keep the events before it."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            message, found, rest = self.buffer.partition(b"\0")
            if found:
                self.buffer = rest
                message = json.loads(message)
                if wanted(message):
                    return message
                if "method" in message:
                    self.events.append(message)
                continue
            try:
                part = os.read(self.incoming, 1 << 20)
            except BlockingIOError:
                time.sleep(0.005)
                continue
            if not part:
                break
            self.buffer += part
        self.log.seek(0)
        sys.exit("the browser does not answer: " + self.log.read()[-2000:])

    def call(self, method, **parameters):
        self.last += 1
        message = {"id": self.last, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        answer = self.receive(lambda message: message.get("id") == self.last)
        if "error" in answer:
            sys.exit(f"{method}: {answer['error']}")
        return answer["result"]

    def open(self, path):
        """Open a page, and return its console messages and requests."""
        self.events = []
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        if not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self.receive(lambda message: message.get("method") == "Page.loadEventFired")
        self.evaluate("new Promise(requestAnimationFrame)")
        return list(self.trouble())

    def trouble(self):
        for event in self.events:
            parameters = event["params"]
            if event["method"] == "Runtime.exceptionThrown":
                details = parameters["exceptionDetails"]
                yield details.get("exception", {}).get("description", details["text"])
            if event["method"] == "Runtime.consoleAPICalled":
                yield f"console.{parameters['type']}"
            if event["method"] == "Log.entryAdded":
                yield parameters["entry"]["text"]
            if event["method"] == "Network.requestWillBeSent" and parameters["type"] != "Document":
                yield "a request for " + parameters["request"]["url"]

    def evaluate(self, expression):
        # in a block, so that its names are not those of the page's script
        answer = self.call("Runtime.evaluate", expression="{" + expression + "\n}", awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            sys.exit(f"{expression}: {answer['exceptionDetails']['exception']['description']}")
        return answer["result"].get("value")


# ---- The file.

class Elements(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.faults, self.scripts = [], 0

    def handle_starttag(self, tag, attrs):
        self.scripts += tag == "script"
        if tag in FORBIDDEN:
            self.faults.append(f"<{tag}>")
        for name, value in attrs:
            if name.startswith("on") or name in ("src", "style", "href"):
                self.faults.append(f"<{tag} {name}={value!r}>")


def digest(text):
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def document_of(text):
    return json.loads(text.partition(ELEMENT)[2].partition("</script>")[0])


def faults_of_file(text):
    if not text.startswith("<!DOCTYPE html>\n") or not text.endswith("</html>\n"):
        yield "it is not a whole page"
    elements = Elements()
    elements.feed(text)
    elements.close()
    yield from elements.faults
    if elements.scripts != 2:
        yield f"{elements.scripts} script elements"
    style = text.partition("<style>")[2].partition("</style>")[0]
    script = text.partition("\n<script>")[2].partition("</script>")[0]
    policy = POLICY.format(digest(style), digest(script))
    if f'content="{policy}">' not in text:
        yield "the policy has to be: " + policy
    if re.search(r"url\(|@import|https?:(?!//www.w3.org/2000/svg')", style + script):
        yield "its style or its script refers to something"


# ---- What the browser shows.

def text_of(value):
    """A text of the document as the page shows it."""
    value = value["text"] if isinstance(value, dict) else str(value if value is not None else "")
    return re.sub(r"[\0-\x1f\x7f-\x9f]", lambda match: f"\\x{ord(match[0]):02x}", value)


def name_of(*parts):
    return " ".join(filter(None, map(text_of, parts)))


def squeeze(text):
    return " ".join(text.split())


def number_of(text):
    """A number and the worth of half its last digit; None: there is none."""
    match = re.search(r"-?[0-9][0-9,]*(?:\.([0-9]+))?", text)
    if not match:
        return None, 0
    return float(match[0].replace(",", "")), 0.5 * 10 ** -len(match[1] or "") + 1e-9


def is_shown(value, text, factor=1):
    shown, half = number_of(text)
    value *= factor
    return shown is not None and abs(shown - value) <= half + abs(value) * 1e-12


def side_of(distribution, factor, values):
    """The numbers of a distribution in the unit of its row."""
    side = {key: distribution[key] and distribution[key] * factor if distribution[key] is not None else None
            for key in ("mean", "median", "min", "max", "stddev")}
    side["ci_half_width"] = distribution["ci_half_width"] and distribution["ci_half_width"] * factor
    side["n"], side["state"] = distribution["n"], distribution.get("state", "counted")
    side["values"] = [value if value is None else float(value) * factor for value in values]
    return side


def measures_of_result(document):
    """The name, the unit and the side of each row that has to be shown."""
    is_interval = "interval_summary" in document
    summary = document["interval_summary" if is_interval else "summary"]
    runs = document["intervals" if is_interval else "runs"]
    for row in summary["rows"]:
        place = document["rows"][row["row"]]
        event = document["events"][place["event"]]
        where = (place["label"], event.get("cgroup"))
        yield (name_of(row["name"], *where), row["unit"], [side_of(row, event["factor"], row.get("values", []))])
        for metric in row["metrics"]:
            if "n" in metric:
                side = side_of(metric, 1, metric.get("values", []))
                yield name_of(metric["unit"], *where), metric.get("value_unit", ""), [side | {"mean": metric["value"]}]
    for name, factor in OWN.items():
        if summary.get(name) and name not in [event["tool"] for event in document["events"]]:
            values = [run[name] for run in runs]
            yield name, "KiB" if name == "max_rss" else "msec", [side_of(summary[name], factor, values)]


def shown_rows(document):
    return [row for row in document["rows"]
            if row.get("shown", True) and (row["asked"] or any(side["n"] for side in row["sides"]))]


def measures_of(document):
    if "sides" not in document:
        return list(measures_of_result(document))
    return [(name_of(row["name"], row["place"], row["cgroup"]), text_of(row["unit"]), row["sides"])
            for row in shown_rows(document)]


def factor_of(unit, shown_unit):
    return TIMES[unit] / TIMES[shown_unit] if unit in TIMES and shown_unit in TIMES else 1


def faults_of_cells(where, side, cells, factor):
    """cells: from the mean on, without change and verdict."""
    if side["n"] == 0:
        if not re.match("<not (counted|supported)>", cells[0]):
            yield f"{where}: {cells[0]} instead of {side['state']}"
        return
    mean, _, half = cells[0].partition("±")
    keys = ["mean"] if len(cells) == 1 else ["mean", "median", "spread", "min", "max"]
    spread = 100 * side["stddev"] / side["mean"] if side["n"] > 1 and side["mean"] > 0 else None
    for key, cell in zip(keys, [mean] + cells[1:]):
        value = spread if key == "spread" else side[key]
        if value is None:
            if cell:
                yield f"{where}: {key} {cell}"
        elif not is_shown(value, cell, 1 if key == "spread" else factor):
            yield f"{where}: {key} is {value * factor}, not {cell}"
    if ("≈" in mean) != (side["state"] == "scaled" or side["mean"] * factor > 2 ** 53):
        yield f"{where}: {mean} is {side['state']}"
    if half and "?" not in half and side["state"] != "scaled" and not is_shown(side["ci_half_width"], half, factor):
        yield f"{where}: ± {side['ci_half_width'] * factor}, not {half}"
    if len(cells) > 5 and cells[5] and not is_shown(side["outliers"], cells[5]):
        yield f"{where}: {side['outliers']} outliers, not {cells[5]}"


def faults_of_contrast(where, contrast, cells):
    change, verdict = map(squeeze, cells)
    if change != text_of(contrast.get("text", "")):
        yield f"{where}: the change is {contrast.get('text')}, not {change}"
    signs = {"better": "✓", "worse": "✗", "same": "=", "unclear": "?", "too few runs": "…", "not counted": "–"}
    hint = squeeze(text_of(contrast.get("hint", "")))
    word = "" if contrast["verdict"] == "none" else f"{signs[contrast['verdict']]} {contrast['verdict']}"
    if verdict != f"{word} {hint}".strip():
        yield f"{where}: the verdict is {contrast['verdict']} {hint}, not {verdict}"


def faults_of_table(document, shown):
    measures = measures_of(document)
    if [name for name, _, _ in measures] != [group["name"] for group in shown["measures"]]:
        yield f"the table has {[group['name'] for group in shown['measures']]}"
        return
    contrasts = [row["contrasts"] for row in shown_rows(document)] if "sides" in document else []
    for i, ((name, unit, sides), group) in enumerate(zip(measures, shown["measures"])):
        factor = factor_of(unit, group["unit"])
        if "sides" not in document:
            yield from faults_of_cells(name, sides[0], group["rows"][0][1:], factor)
            continue
        for k, (side, row) in enumerate(zip(sides, group["rows"][-len(sides):])):
            where = f"{name}, side {k}"
            yield from faults_of_cells(where, side, row[1:2] + row[4:], factor)
            if k > 0:
                yield from faults_of_contrast(where, contrasts[i][k - 1], row[2:4])


def line_faults(where, marks, at):
    """marks: a value and a coordinate for each; one is a linear function of the other, except at the ends."""
    inside = [mark for mark in marks if at[0] < mark[1] < at[1]]
    if len({mark[0] for mark in inside}) < 2:
        return
    low, high = min(inside), max(inside)
    slope = (high[1] - low[1]) / (high[0] - low[0])
    for value, coordinate in inside:
        if abs(low[1] + slope * (value - low[0]) - coordinate) > 0.2:
            yield f"{where}: {value} is at {coordinate}"


def faults_of_drawings(document, shown):
    kind = "interval" if "interval_summary" in document else "run"
    named = {}
    for name, unit, sides in measures_of(document):
        named.setdefault(name, []).append((unit, sides))
    for drawing in shown["drawings"]:
        of_name = named[drawing["name"]]
        if len(of_name) > 1 or any(sum(value is not None for value in side["values"]) > 120 for side in of_name[0][1]):
            continue
        unit, sides = of_name[0]
        names = [text_of(side["name"]) + ", " for side in document["sides"]] if "sides" in document else [""]
        titles = iter(drawing["marks"])
        points = []
        for name, side in zip(names, sides):
            for run, value in enumerate(side["values"]):
                if value is None:
                    continue
                title, x, y = next(titles, ["", 0, 0])
                start, _, number = title.rpartition(": ")
                shown_unit = number.rpartition(" ")[2] if unit else ""
                if start != f"{name}{kind} {run + 1}" or not is_shown(value, number, factor_of(unit, shown_unit)):
                    yield f"{drawing['label']}: {value} of {name}{kind} {run + 1} is {title}"
                points.append((value, x, y))
        if next(titles, None):
            yield f"{drawing['label']}: more marks than runs"
        over_time = "over time" in drawing["label"]
        coordinates = [(value, y if over_time else x) for value, x, y in points]
        ends = (18, max(120, 66 * len(sides))) if over_time else (24, drawing["width"] - 24)
        yield from line_faults(drawing["label"], coordinates, ends)


def faults_of_texts(document, shown):
    text = squeeze(shown["text"])
    keys = ("different_work", "conclusions", "remarks", "notes")
    wanted = [text_of(sentence) for key in keys for sentence in document.get(key, [])]
    wanted += [text_of(outcome["text"]) for outcome in document.get("outcomes", [])]
    for side in document.get("sides", [{"result": document, "name": ""}]):
        result = side["result"]
        wanted += [text_of(side["name"]), text_of(result["target"]["subject"]).strip("'"), result["started"].replace("T", " "),
                   f"{len(result['runs']):,} run"] if "sides" in document else [text_of(result["target"]["subject"]).strip("'")]
        wanted += [text_of(result["host"][key]) for key in ("name", "kernel", "cpu_model")]
    for sentence in wanted:
        if squeeze(sentence) not in text:
            yield f"not shown: {sentence}"
    if document.get("processes") and document["processes"][0]["pid"] is not None and "sides" not in document:
        first = [process for process in document["processes"] if process["first"] == process["place"]]
        if len(first) != len(shown["bars"]):
            yield f"{len(shown['bars'])} bars of {len(first)} processes"


def without_processes(document):
    """The page has no finished numbers of single processes."""
    single = {process["place"] for process in document.get("processes", []) if process["pid"] is not None}
    if single:
        document["summary"]["rows"] = [row for row in document["summary"]["rows"]
                                       if document["rows"][row["row"]]["place"] not in single]
    return document


def faults_of(path, browser):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    yield from faults_of_file(text)
    document = document_of(text)
    saved = os.path.splitext(path)[0] + ".json"
    if saved != path and os.path.exists(saved):
        with open(saved, encoding="utf-8") as file:
            if without_processes(json.load(file)) != document:
                yield f"its document is not that of {saved}"
    yield from browser.open(path)
    if "cases" in document:
        yield from faults_of_cases(document, browser)
        return
    shown = shown_in("body", browser)
    is_history = document["schema"] == "pstat-history"
    for part in (faults_of_history,) if is_history else (faults_of_table, faults_of_drawings, faults_of_texts):
        yield from part(document, shown)


def shown_in(root, browser):
    return json.loads(browser.evaluate(SHOWN.replace("ROOT", root)))


def faults_of_cases(document, browser):
    """The tables of all cases, and the section of each case, which is the page of a comparison."""
    yield from faults_of_case_tables(document, shown_in("body", browser))
    n = len(document["sides"]) // len(document["cases"])
    for i, case in enumerate(document["cases"]):
        part = document | {key: [each for each in document[key] if each["case"] == i] for key in ("rows", "outcomes")}
        part |= {"sides": document["sides"][i * n:(i + 1) * n], "different_work": [], "conclusions": [], "notes": []}
        browser.evaluate(f"""const section = document.getElementById("c{i}");
            new Promise(done => {{ section.addEventListener("toggle", done); section.open = true; }})""")
        shown = shown_in(f"#c{i}", browser)
        if not squeeze(shown["text"]).startswith(squeeze(text_of(case["name"]))):
            yield f"section {i} is not that of {case['name']}"
        if not shown["drawings"] and any(side["n"] > 1 and side["stddev"] for row in part["rows"] for side in row["sides"]):
            yield f"section {i} has no drawings"
        for faults in (faults_of_table, faults_of_drawings, faults_of_texts):
            yield from (f"{text_of(case['name'])}: {fault}" for fault in faults(part, shown))


def faults_of_case_tables(document, shown):
    kept = [outcome for outcome in document["outcomes"] if outcome["outcome"] == "kept"]
    listed = [outcome for outcome in document["outcomes"] if outcome not in kept] + document["geometric_mean_outcomes"]
    yield from faults_of_texts({"outcomes": listed, "sides": [],
                                **{key: document.get(key, []) for key in ("different_work", "conclusions", "notes")}}, shown)
    if kept and f"{len(kept):,} of {len(document['outcomes']):,} limit" not in squeeze(shown["text"]):
        yield f"{len(kept)} kept limits are not shown"
    leading = [mean for mean in document["geometric_means"] if mean["leading"]]
    if len(shown["cases"]) != len(leading):
        yield f"{len(shown['cases'])} tables of cases"
    for lead, lines in zip(leading, shown["cases"]):
        side = lead["side"]
        rows = [next(row for row in document["rows"] if row["case"] == i and
                     all(row[key] == lead[key] for key in ("name", "place", "cgroup"))) for i in range(len(document["cases"]))]
        rows.sort(key=lambda row: row["contrasts"][side - 1]["ratio"] or -1, reverse=True)
        means = [mean for mean in document["geometric_means"] if mean["side"] == side and "text" in mean]
        means.sort(key=lambda mean: mean["leading"], reverse=True)
        if [line["case"] for line in lines] != [row["case"] for row in rows] + [-1] * len(means):
            yield f"side {side}: the lines are {lines}"
            continue
        for row, line in zip(rows, lines):
            name = text_of(document["cases"][row["case"]]["name"])
            if line["name"] != name:
                yield f"side {side}: {line['name']} is not {name}"
            for of, shown_mean in zip((row["sides"][0], row["sides"][side]), line["cells"]):
                unit = re.search(r"[^0-9.,≈ ]*$", squeeze(shown_mean.partition("±")[0]))[0]
                yield from faults_of_cells(name, of, [shown_mean], factor_of(row["unit"], unit))
            yield from faults_of_contrast(name, row["contrasts"][side - 1], line["cells"][2:])
        for mean, line in zip(means, lines[len(rows):]):
            name = name_of(mean["name"], mean["place"], mean["cgroup"])
            if line["name"] != name:
                yield f"side {side}: {line['name']} is not the mean of {name}"
            counts = [f"{mean[verdict]:,} {verdict}" for verdict in ("worse", "better", "same", "unclear") if mean[verdict]]
            if line["cells"][0] != ", ".join(counts):
                yield f"{name}: {line['cells'][0]} is not {counts}"
            yield from faults_of_contrast(name, mean, line["cells"][1:])


def faults_of_history(document, shown):
    """Each metric with its last value, its change and its limit; each change beyond its limit has a mark."""
    metrics = [metric for metric in document["metrics"] if any(value is not None for value in metric["values"])]
    if [text_of(metric["name"]) for metric in metrics] != [row[0] for row in shown["metrics"]]:
        yield f"the table has {shown['metrics']}"
        return
    for metric, (name, entries, value, change, limit) in zip(metrics, shown["metrics"]):
        factor = factor_of(metric["unit"], value.partition(" ")[2])
        known = len([value for value in metric["values"] if value is not None])
        wanted = [(known, entries, 1), (metric["values"][-1], value, factor), (metric["changes"][-1], change, 100),
                  (metric["next_limit"], limit, 100)]
        for number, cell, scale in wanted:
            if bool(cell) != (number is not None) or (cell and not is_shown(number, cell, scale)):
                yield f"{name}: {cell} instead of {number}"
    changed = sum(metric["exceeded"].count(True) for metric in metrics)
    if changed != shown["changed"]:
        yield f"{shown['changed']} marks of {changed} changes"


# ----

def check(browser, pages):
    status = 0
    for path in pages:
        for fault in faults_of(path, browser):
            print(f"{path}: {fault}")
            status = 1
    return status


def show(browser, arguments):
    # A window of a headless browser has at least 500 pixels, but a screen may be as narrow as a telephone.
    browser.call("Emulation.setDeviceMetricsOverride", width=arguments.width, height=900, deviceScaleFactor=1,
                 mobile=False)
    browser.call("Emulation.setEmulatedMedia", features=[
        {"name": "prefers-color-scheme", "value": "dark" if arguments.dark else "light"}])
    trouble = browser.open(arguments.page)
    print(browser.evaluate(arguments.expression))
    if arguments.png:
        with open(arguments.png, "wb") as file:
            file.write(base64.b64decode(browser.call("Page.captureScreenshot")["data"]))
    for line in trouble:
        print(line, file=sys.stderr)
    return 1 if trouble else 0


def main():
    if sys.argv[1:2] == ["check"]:
        work = lambda browser: check(browser, sys.argv[2:])
    else:
        parser = argparse.ArgumentParser()
        parser.add_argument("--width", type=int, default=1200)
        parser.add_argument("--dark", action="store_true")
        parser.add_argument("--png")
        parser.add_argument("page")
        parser.add_argument("expression", nargs="?", default="document.body.innerText")
        arguments = parser.parse_args(sys.argv[2:])
        work = lambda browser: show(browser, arguments)
    browser = Browser()
    try:
        status = work(browser)
    finally:
        browser.close()
    sys.exit(status)


main()
