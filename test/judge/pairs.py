# Puts the static verdict of each pair of a program beside what its checked run showed.
# Pairs are the same if their two allocations stand at the same places of the source.
# It never calls a pair safe that the run did not see.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Static verdicts against runs."""
import json
import os

MERGED = ("unified", "guarded")
# The worst first: of two entries of one pair of places, the one that counts.
RESULTS = ("refuted", "not-followed", "safe", "not-run")
NOT_CHECKED = "not-checked"  # a pair of whole programs that one unit does not show


class Pair:
    """One pair of places. verdicts: all static verdicts, from the merged build; reasons: ids of the declined."""

    def __init__(self, host, device):
        self.host, self.device = host, device
        self.verdicts, self.reasons, self.entries = set(), [], []

    @property
    def merged(self):
        """Merged wherever it stands, in part (a helper's buffers in one caller and not in another), or not."""
        here = {verdict in MERGED for verdict in self.verdicts}
        return "in part" if len(here) == 2 else "yes" if True in here else "no"

    @property
    def result(self):
        results = {entry["result"] for entry in self.entries}
        return next((result for result in RESULTS if result in results), NOT_CHECKED)

    def to_data(self):
        refuted = [entry for entry in self.entries if entry["result"] == "refuted"]
        return {"host": self.host, "device": self.device, "merged": self.merged, "verdicts": sorted(self.verdicts),
                "reason": self.reasons[0] if self.reasons else None, "result": self.result,
                "condition": refuted[0].get("condition") if refuted else None,
                "because": refuted[0].get("because") if refuted else None}


def place(side, folder):
    """file:line:column, with the file's path as seen from the program's folder."""
    path = side["file"] or "?"
    path = os.path.relpath(os.path.normpath(os.path.join(folder, path)), folder)
    return f"{path}:{side['line']}:{side['column']}"


def entries(path):
    """The pairs of a report of either form; none if it is not there."""
    if not os.path.exists(path):
        return []
    with open(path, errors="replace") as file:
        data = json.load(file)
    return [pair for unit in data.get("units", [data]) for pair in unit.get("pairs", [])]


def join(merged_report, merged_folder, check_report, check_folder):
    """[Pair] of the merged build's report, each with what the checked run says of it."""
    found = {}
    for entry in entries(merged_report):
        key = place(entry["host"], merged_folder), place(entry["device"], merged_folder)
        pair = found.setdefault(key, Pair(*key))
        pair.verdicts.add(entry["verdict"])
        if entry["verdict"] not in MERGED:
            pair.reasons.append(entry.get("id") or entry["verdict"])
    for entry in entries(check_report):
        key = place(entry["host"], check_folder), place(entry["device"], check_folder)
        if key in found:
            found[key].entries.append(entry)
    return list(found.values())
