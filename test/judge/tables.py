# Adds up records of judged programs: how far they came, pairs by static verdict and what
# the runs showed, missed pairs by reason. It judges nothing.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of precision and recall.

Precision: merged pairs that no run refutes, of the merged ones that a run decides about. Recall: merged pairs, of those
that all runs find safe.
"""
import collections

STAGES = ("found", "built", "ran", "compared", "judged")
REASONS = 10  # reasons of missed pairs that the text lists


def reached(record, stage):
    return STAGES.index(record["stage"]) >= STAGES.index(stage)


def essence(text):
    """The first line of a build's text that speaks of an error, else the last line."""
    lines = text.strip().splitlines() or [""]
    return next((each for each in lines if "error" in each), lines[-1]).strip()[:140]


def line(number, total, record):
    """One line on one program, while the others run."""
    safe = [pair for pair in record["pairs"] if pair["result"] == "safe"]
    merged = sum(pair["merged"] != "no" for pair in safe)
    words = f"{merged} of {len(safe)} safe pairs merged" if reached(record, "judged") else record["stage"]
    if why := record.get("why"):
        words += ": " + essence(why)
    failed = "".join("\n  FAILED " + failure[:400] for failure in record["failures"])
    return f"[{number}/{total}] {record['corpus']}/{record['program']}: {words}{failed}"


class Row:
    """The counts of one corpus, or of all."""

    COLUMNS = ("programs", "built", "ran", "judged", "pairs", "safe", "merged of safe", "recall", "merged", "refuted",
               "not followed", "not seen", "declined refuted", "failures")

    def __init__(self, records):
        pairs = [pair for record in records for pair in record["pairs"]]
        safe = [pair for pair in pairs if pair["result"] == "safe"]
        merged = [pair for pair in pairs if pair["merged"] != "no"]
        refuted = [pair for pair in merged if pair["result"] == "refuted" and pair["merged"] == "yes"]
        taken = [pair for pair in safe if pair["merged"] != "no"]
        self.cells = [len(records), *(sum(reached(r, stage) for r in records) for stage in ("built", "ran", "judged")),
                      len(pairs), len(safe), len(taken), f"{100 * len(taken) / len(safe):.1f} %" if safe else "-",
                      len(merged), len(refuted),
                      sum(pair["result"] == "not-followed" for pair in pairs),
                      sum(pair["result"] in ("not-run", "not-checked") for pair in pairs),
                      sum(pair["result"] == "refuted" and pair["merged"] == "no" for pair in pairs),
                      sum(len(record["failures"]) for record in records)]


class Summary:
    """What all records say together."""

    def __init__(self, records):
        self.records = records
        self.failures = [(record, failure) for record in records for failure in record["failures"]]

    def rows(self):
        corpora = sorted({record["corpus"] for record in self.records})
        rows = [(corpus, Row([r for r in self.records if r["corpus"] == corpus])) for corpus in corpora]
        return rows + ([("all", Row(self.records))] if len(rows) != 1 else [])

    def missed(self):
        """Counter of reasons: pairs that are declined and that all runs find safe."""
        return collections.Counter(pair["reason"] for record in self.records for pair in record["pairs"]
                                   if pair["result"] == "safe" and pair["merged"] == "no")

    def text(self):
        """Markdown tables."""
        lines = ["", "| corpus | " + " | ".join(Row.COLUMNS) + " |", "| --- " * (len(Row.COLUMNS) + 1) + "|"]
        lines += [f"| {name} | " + " | ".join(map(str, row.cells)) + " |" for name, row in self.rows()]
        missed = self.missed()
        if missed:
            total = sum(missed.values())
            lines += ["", "| reason of missed pairs | pairs | share |", "| --- | --- | --- |"]
            lines += [f"| `{reason}` | {count} | {100 * count / total:.0f} % |"
                      for reason, count in missed.most_common(REASONS)]
        copies = sum("smaller" in record for record in self.records)
        if copies:
            lines += ["", f"Programs that ran with smaller constants in their sources: {copies}."]
        lines += [""] + [f"note {record['corpus']}/{record['program']}: {note[:300]}"
                         for record in self.records for note in record["notes"]]
        lines += [f"FAILED {record['corpus']}/{record['program']}: {failure[:600]}"
                         for record, failure in self.failures]
        return "\n".join(lines)

    def to_data(self):
        return {"table": [dict(zip(("corpus",) + Row.COLUMNS, [name] + row.cells)) for name, row in self.rows()],
                "missed": dict(self.missed().most_common()),
                "records": self.records}
