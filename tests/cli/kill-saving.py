#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# usage: kill-saving.py PSTAT TIMES [SEED]
#
# Kills PSTAT --save FILE with SIGKILL at TIMES random moments, or at more moments until each
# outcome occurred. FILE exists before: afterwards, it must be the complete old document or the
# complete new one. Prints the numbers of the outcomes.
#
# pstat writes a temporary file .pstat-PID-N next to FILE, and renames it. A kill between the two
# leaves the temporary file. O_TMPFILE would not prevent this: a file needs a name (linkat) before a
# rename can replace another file, and some file systems lack O_TMPFILE (NFS, FUSE, overlayfs before
# Linux 6.1). The document is complete in memory before pstat creates the file, so the gap is a few
# milliseconds.

import json
import os
import random
import re
import signal
import subprocess
import sys
import time

FILE = "document"
# Events for a document of a megabyte, which cost no time to count.
EVENTS = ",".join(["duration_time"] * 1500)


def start(pstat, number):
    return subprocess.Popen([pstat, "-e", EVENTS, "--save", FILE, "-o", "/dev/null", "true", str(number)])


def read():
    with open(FILE, "rb") as file:
        return file.read()


def is_document_of(text, number):
    document = json.loads(text)
    return document["target"]["argv"] == ["true", str(number)] and \
        len(document["summary"]["rows"]) == 1500


def measure(pstat):
    """The duration of one run in seconds."""
    times = []
    for i in range(5):
        began = time.monotonic()
        assert start(pstat, i).wait() == 0, "pstat fails"
        times.append(time.monotonic() - began)
    return min(times)


def leftovers(pids):
    """The number of temporary files next to the document: at most one for each killed process."""
    names = [re.fullmatch(r"\.pstat-(\d+)-\d+", name) for name in os.listdir(".") if name != FILE]
    assert all(names), f"unexpected files: {os.listdir('.')}"
    of = [int(name[1]) for name in names]
    assert len(of) == len(set(of)) and set(of) <= pids, f"{of} are not among {pids}"
    return len(of)


def main():
    pstat, times = sys.argv[1], int(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.SystemRandom().getrandbits(32)
    print(f"seed {seed}")
    rng = random.Random(seed)
    whole = measure(pstat)
    killed, old, new = set(), 0, 0
    number = temporary = 0
    # Half of the moments must precede the rename, however busy the machine becomes.
    while number < times or old < times // 10 or new < times // 10 or temporary == 0:
        assert number < 20 * times, f"{old} old and {new} new documents, {temporary} temporary files: some outcome is too rare"
        before = read()
        process = start(pstat, number)
        time.sleep(rng.uniform(0.3, 1.7) * whole)
        process.send_signal(signal.SIGKILL)
        if process.wait() == -signal.SIGKILL:
            killed.add(process.pid)
        after = read()
        if after == before:
            old += 1
            whole *= 1.02
        else:
            assert is_document_of(after, number), f"the document of {number} is none"
            new += 1
            whole *= 0.98
        temporary = leftovers(killed)
        number += 1
    print(f"{len(killed)} killed, {old} old and {new} new documents, {temporary} temporary files")


main()
