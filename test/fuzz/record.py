# Keeps the record of long campaigns in docs/results/campaigns.md: one row for each seed
# and commit, from the tally of all its batches. It never changes the row of another one.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The record of long campaigns."""
import datetime
import os
import subprocess
import time

import recall
from toolchain import ROOT, say

PATH = os.path.join(ROOT, "docs", "results", "campaigns.md")
COLUMNS = ("date", "commit", "seed", "hours", "programs", "pairs", "merged", "unsafe merges", "differing outputs",
           "races", "memory errors", "other failures", "recall overall", "found")
HEAD = """\
# Long campaigns

Written by `scripts/fuzz --hours H`; a row is one seed at one commit ("+": with changes that are not committed). "Found"
names the programs that failed; `scripts/fuzz --show SEED:NUMBER` prints one. Rows of earlier campaigns are in
[verification.md](verification.md).
"""
NAMED = 6  # programs that a row names


def commit():
    """The commit of the working tree, with "+" where the code differs from it."""
    def git(*arguments):
        return subprocess.run(["git", "-C", ROOT, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              check=False).stdout.decode().strip()

    changed = git("status", "--porcelain", "--untracked-files=no", "--", "lib", "runtime", "tools", "models",
                  "test/fuzz")
    return (git("rev-parse", "--short", "HEAD") or "unknown") + ("+" if changed else "")


def rows(path=PATH):
    """[[cell]] of the table, without its head."""
    try:
        with open(path) as file:
            lines = [line.strip() for line in file if line.startswith("| ")]
    except OSError:
        return []
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def row_of(seed, seconds, tally, names):
    """The cells of one campaign."""
    counts = [str(tally.counts[name]) for name in COLUMNS[4:12]]
    found = "nothing" if not tally.failures else ", ".join(names[:NAMED]) or "failures of an earlier run"
    return [datetime.date.today().isoformat(), commit(), seed, f"{seconds / 3600:.1f}", *counts,
            recall.percent(recall.share(tally.shares()["overall"])), found]


def write(row, path=PATH):
    """Adds `row`, or puts it in the place of the one of the same seed and commit, whose hours it adds to its own."""
    table = rows(path)
    for i, other in enumerate(table):
        if other[1:3] == row[1:3]:
            row[3] = f"{float(other[3]) + float(row[3]):.1f}"
            table[i] = row
            break
    else:
        table.append(row)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    lines = [COLUMNS, ("---",) * len(COLUMNS), *table]
    with open(path, "w") as file:
        file.write(HEAD + "\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines))


def keep(options, start, tally, failures):
    """Records a campaign that began at `start` (time.monotonic())."""
    names = sorted({failure["name"] for failure, _ in failures})
    write(row_of(options.seed, time.monotonic() - start, tally, names))
    say(f"recorded in {os.path.relpath(PATH, ROOT)}")
