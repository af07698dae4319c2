#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""usage: page.py PAGE...

Prints a line for each fault of a page of --html, and then exits with 1. A page must be well-formed XML and
HTML at the same time. It must not refer to anything outside it, and every reference within it must have
a target. Tables, drawings and marks must have labels for readers who cannot see them.
"""
import html.parser
import re
import sys
import xml.etree.ElementTree

VOID = {"meta", "br", "hr", "link", "img", "input", "col"}
FOREIGN = {"use", "circle", "path", "line", "rect"}
# Elements that make a browser fetch or run something.
FORBIDDEN = {"script", "link", "img", "iframe", "object", "embed", "base", "audio", "video", "source"}


class Page(html.parser.HTMLParser):
    """Checks that each tag of HTML has its own closing tag."""

    def __init__(self):
        super().__init__()
        self.open = []
        self.faults = []

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        if tag not in VOID | FOREIGN:
            self.faults.append(f"<{tag}/> is open in HTML")

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"line {self.getpos()[0]}: </{tag}> closes nothing")


def faults_of_element(element, ids):
    attributes = element.attrib
    if element.tag in FORBIDDEN:
        yield f"<{element.tag}>"
    for name, value in attributes.items():
        if name.startswith("on") or name in ("src", "style", "xlink:href"):
            yield f"<{element.tag} {name}={value!r}>"
        if name == "href" and (not value.startswith("#") or value[1:] not in ids):
            yield f"a reference to {value}"
        if name == "aria-labelledby":
            yield from (f"no element has the id {i}" for i in value.split() if i not in ids)
    if element.tag == "th" and attributes.get("scope") not in ("col", "row", "rowgroup"):
        yield "a <th> without its scope"
    if element.tag == "svg" and attributes.get("aria-hidden") != "true":
        inside = [child.tag for child in element[:2]]
        if attributes.get("role") != "img" or inside != ["title", "desc"]:
            yield "a drawing without role, title and description"


def faults_of_table(table):
    widths, spans = set(), []
    for row in table.iter("tr"):
        width = sum(int(cell.get("colspan", 1)) for cell in row)
        spans = [rest - 1 for rest in spans if rest > 1]
        widths.add(width + len(spans))
        spans += [int(cell.get("rowspan")) for cell in row if cell.get("rowspan")]
    if len(widths) != 1:
        yield f"rows of {sorted(widths)} columns in one table"


def faults_of(path):
    with open(path, "rb") as file:
        data = file.read()
    text = data.decode("utf-8")
    if not text.startswith('<!DOCTYPE html>\n<html lang="en">\n'):
        yield "it does not begin as a page in English"
    if re.search(r"url\(|@import|https?:", re.search("<style>(.*?)</style>", text, re.S)[1]):
        yield "its style refers to something"
    page = Page()
    page.feed(text)
    page.close()
    yield from page.faults + [f"<{tag}> is not closed" for tag in page.open]
    root = xml.etree.ElementTree.fromstring(data)
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    if len(ids) != len(set(ids)):
        yield "an id is there twice"
    for element in root.iter():
        yield from faults_of_element(element, set(ids))
    for table in root.iter("table"):
        yield from faults_of_table(table)


def main():
    status = 0
    for path in sys.argv[1:]:
        try:
            faults = list(faults_of(path))
        except (UnicodeDecodeError, xml.etree.ElementTree.ParseError) as error:
            faults = [str(error)]
        for fault in faults:
            print(f"{path}: {fault}")
            status = 1
    sys.exit(status)


main()
