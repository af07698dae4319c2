#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# usage: kill-saving.py PSTAT TIMES [SEED]
#
# Kills PSTAT --save FILE by SIGKILL at TIMES random moments, or at more until each outcome was seen, and looks at FILE, which was there before:
# it is to be the old document, byte for byte, or the new one, whole. Prints what it saw.
#
# A kill after the file next to FILE is made and before it is renamed leaves that one file, named
# .pstat-PID-N: nobody is left to remove it. O_TMPFILE would leave none while it is written; but a file
# without a name cannot be renamed over another: it needs a name first (linkat), so that the same can
# be left, whole, and where there is no O_TMPFILE (NFS, FUSE, overlayfs before Linux 6.1) the name is
# needed all along. The document is in memory before the file is made, so this is a matter of a few
# milliseconds as it is.

import json
import os
import random
import re
import signal
import subprocess
import sys
import time

FILE = "document"
# A document of a megabyte, that takes no time to count.
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
    """How long it takes, in seconds."""
    times = []
    for i in range(5):
        began = time.monotonic()
        assert start(pstat, i).wait() == 0, "pstat fails"
        times.append(time.monotonic() - began)
    return min(times)


def leftovers(pids):
    """How many files there are beside the document, of killed processes, one of each."""
    names = [re.fullmatch(r"\.pstat-(\d+)-\d+", name) for name in os.listdir(".") if name != FILE]
    assert all(names), f"strange files: {os.listdir('.')}"
    of = [int(name[1]) for name in names]
    assert len(of) == len(set(of)) and set(of) <= pids, f"{of} are not of {pids}"
    return len(of)


def main():
    pstat, times = sys.argv[1], int(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.SystemRandom().getrandbits(32)
    print(f"seed {seed}")
    rng = random.Random(seed)
    whole = measure(pstat)
    killed, old, new = set(), 0, 0
    number = beside = 0
    # Half of the moments are to come before the renaming, however busy the machine becomes.
    while number < times or old < times // 10 or new < times // 10 or beside == 0:
        assert number < 20 * times, f"{old} old and {new} new documents, {beside} files beside: the moments are all alike"
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
        beside = leftovers(killed)
        number += 1
    print(f"{len(killed)} killed, {old} old and {new} new documents, {beside} files beside")


main()
