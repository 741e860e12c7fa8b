# Adds up what a campaign found: programs, pairs, merges, failures, and the share of
# the oracle-safe pairs that Echo merged, by idiom. Compares that share with the
# committed baseline. It judges nothing; differential.py does.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tallies and recall."""
import json
from collections import Counter

COUNTS = ("programs", "pairs", "safe", "merged", "unsafe merges", "differing outputs", "races", "memory errors",
          "other failures")
FAILURE_COUNT = {"unsafe": "unsafe merges", "output": "differing outputs", "plain-output": "differing outputs",
                 "fault": "differing outputs", "plain-fault": "differing outputs",
                 "race": "races", "plain-race": "races", "memory": "memory errors",
                 "plain-memory": "memory errors"}
GROUPS = ("basic", "wide", "overlap", "odd", "mixed", "life")
ABSENT = "not-in-report"


class Tally:
    """Counts that can be added and stored as JSON."""

    def __init__(self):
        self.counts = Counter()
        self.idioms = {}          # "group idiom" -> [safe, merged, rival]
        self.missed = Counter()   # reason id -> safe pairs that were declined
        self.declined = Counter()  # reason id -> all pairs that were declined

    def add(self, other):
        self.counts += other.counts
        self.missed += other.missed
        self.declined += other.declined
        for key, row in other.idioms.items():
            mine = self.idioms.setdefault(key, [0, 0, 0])
            self.idioms[key] = [a + b for a, b in zip(mine, row)]
        return self

    def to_data(self):
        return {"counts": self.counts, "idioms": self.idioms, "missed": self.missed, "declined": self.declined}

    @staticmethod
    def from_data(data):
        tally = Tally()
        tally.counts, tally.idioms = Counter(data["counts"]), dict(data["idioms"])
        tally.missed, tally.declined = Counter(data["missed"]), Counter(data["declined"])
        return tally

    def without_pairs(self):
        """Programs and failures only."""
        self.idioms, self.missed, self.declined = {}, Counter(), Counter()
        for name in ("pairs", "safe", "merged"):
            del self.counts[name]
        return self

    @property
    def failures(self):
        return sum(self.counts[name] for name in COUNTS[4:])

    def count_batch(self, batch, levels):
        """Takes in an examined batch; a pair counts as merged if it is at every one of `levels`."""
        for number in batch.valid:
            reports = [batch.verdicts[level][number] for level in levels
                       if level in batch.verdicts and batch.verdicts[level][number] is not None]
            if reports:
                self.program(batch.programs[number], batch.truths[number], reports)
        self.counts["programs"] += len(batch.programs)
        for failure in batch.failures:
            self.counts[FAILURE_COUNT.get(failure.kind, "other failures")] += 1
        return self

    def program(self, program, truth, reports):
        row = self.idioms.setdefault(f"{program.group} {program.idiom}", [0, 0, 0])
        for pair in truth.pairs:
            status = pair_status(pair, reports)
            self.counts["pairs"] += 1
            self.counts["merged"] += status is None
            if status is not None:
                self.declined[status] += 1
            if not truth.safe(pair):
                continue
            self.counts["safe"] += 1
            row[0] += 1
            if status is None:
                row[1] += 1
            elif status == "rival":
                row[2] += 1
            else:
                self.missed[status] += 1

    # What to print.
    def shares(self):
        """{name: (safe, merged, rival)} for every idiom, every group and in all."""
        rows = {key: tuple(row) for key, row in sorted(self.idioms.items()) if row[0]}
        for group in GROUPS:
            mine = [row for key, row in self.idioms.items() if key.split()[0] == group]
            rows[group] = tuple(map(sum, zip(*mine))) if mine else (0, 0, 0)
        rows["overall"] = tuple(map(sum, zip(*self.idioms.values()))) if self.idioms else (0, 0, 0)
        return rows

    def table(self):
        lines = [f"{'group':8} {'idiom':20} {'safe':>6} {'merged':>7} {'rival':>6} {'recall':>7}"]
        for key, (safe, merged, rival) in self.shares().items():
            group, _, idiom = key.partition(" ")
            lines.append(f"{group if idiom else '':8} {idiom or 'all ' + group:20} {safe:6} {merged:7} {rival:6} "
                         f"{percent(share((safe, merged, rival))):>7}")
        lines.append(f"{'declined':>8} {'missed':>6} reason")
        lines += [f"{count:8} {self.missed[reason]:6} {reason}" for reason, count in self.declined.most_common()]
        return "\n".join(lines)

    def closing(self):
        rows = self.shares()
        counts = ", ".join(f"{self.counts[name]} {name}" for name in COUNTS)
        return (f"{counts}, recall basic {percent(share(rows['basic']))}, "
                f"overall {percent(share(rows['overall']))}")


def pair_status(pair, reports):
    """None if `pair` is merged in every report, else why it is not in the first that declines it.

    "rival" only where a pair that shares one of the buffers was merged."""
    for report in reports:
        verdict = report.get(pair)
        if verdict is None:
            return ABSENT
        if verdict.merged:
            continue
        if verdict.reason == "rival" and not any(
                other != pair and v.merged and (other[0] == pair[0] or other[1] == pair[1])
                for other, v in report.items()):
            return "rival-of-none"
        return verdict.reason
    return None


def share(row):
    """Merged of the safe ones; what lost to a rival counts neither way."""
    safe, merged, rival = row
    return merged / (safe - rival) if safe > rival else 1.0


def percent(value):
    return f"{100 * value:.1f}%"


def compare(tally, path, same):
    """What fell below the baseline at `path`; [] if nothing. `same` is what the campaign ran."""
    with open(path) as file:
        baseline = json.load(file)
    if baseline["campaign"] != same:
        return []
    now = {key: round(share(row), 4) for key, row in tally.shares().items()}
    return [f"recall of '{key}' fell from {percent(old)} to {percent(now.get(key, 0.0))}"
            for key, old in baseline["share"].items() if now.get(key, 0.0) < old]


def update(tally, path, same, force):
    """Raises the baseline; says what would fall, and lowers it only if `force`."""
    try:
        fallen = compare(tally, path, same)
    except (OSError, ValueError):
        fallen = []
    if fallen and not force:
        return fallen
    data = {"campaign": same, "share": {key: round(share(row), 4) for key, row in tally.shares().items()}}
    with open(path, "w") as file:
        json.dump(data, file, indent=1)
        file.write("\n")
    return []
