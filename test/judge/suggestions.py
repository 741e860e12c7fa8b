# Finds what echo-cc --suggest proposes for one program, and applies it to copies of its
# sources. It judges nothing.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Suggested changes of programs."""
import json
import os
import shutil
import subprocess
import tempfile
# In front of echo-cc in the toolkit that --suggest builds with: each call writes a patch of its own, and says where it
# ran. Names in a patch are as on the command line.
WRAPPER = 'pwd >"$JUDGE_PATCHES/$$.folder"; set -- --suggest "$JUDGE_PATCHES/$$.patch" "$@"\n'


class PatchError(Exception):
    """A patch that does not apply; the text is what patch(1) said."""


def find(variant, program, report, limit):
    """Builds `program` with --suggest: ([(folder under the program's, patch)], counts of pairs)."""
    if os.path.exists(report):
        os.remove(report)
    with tempfile.TemporaryDirectory() as folder:
        variant.patches_go_to = folder
        variant.build(program, report, limit)
        found = []
        for name in sorted(os.listdir(folder)):
            if not name.endswith(".patch"):
                continue
            # A patch has the line ends of its file.
            with open(os.path.join(folder, name), newline="") as patch:
                text = patch.read()
            with open(os.path.join(folder, name[:-5] + "folder")) as where:
                place = os.path.relpath(where.read().strip(), variant.where(program))
            if text and (place, text) not in found:
                found.append((place, text))
    return found, counts(report)


def counts(report):
    """How many pairs of a report merge, are declined, and have a suggestion; the suggestions' reasons."""
    found = {"merged": 0, "declined": 0, "suggested": [], "reasons": {}}
    if not os.path.exists(report):
        return found
    with open(report, errors="replace") as file:
        units = json.load(file).get("units", [])
    for pair in (pair for unit in units for pair in unit["pairs"]):
        found["merged"] += pair["verdict"] in ("unified", "guarded")
        if pair["verdict"] != "declined":
            continue
        found["declined"] += 1
        found["reasons"][pair["id"]] = found["reasons"].get(pair["id"], 0) + 1
        if "suggested" in pair:
            found["suggested"].append([pair["id"], pair["suggested"]["what"]])
    return found


def files_of(patch):
    """The names of the files that a patch changes."""
    return [line[4:] for line in patch.splitlines() if line.startswith("+++ ")]


def apply(patches, folder, fresh):
    """Applies `patches` in the program's `folder`, whose sources come from `fresh` first; None: they are new."""
    for place, patch in patches:
        for name in files_of(patch):
            target = os.path.join(folder, place, name)
            if fresh:
                shutil.copyfile(os.path.join(fresh, place, name), target)
        done = subprocess.run(["patch", "-p0", "-s", "-f", "--no-backup-if-mismatch"], cwd=os.path.join(folder, place),
                              input=patch.encode(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode:
            raise PatchError("a suggested patch does not apply: " + done.stdout.decode(errors="replace"))
