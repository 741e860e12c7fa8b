#!/usr/bin/env python3
# Builds and runs programs as written, merged, and followed by --check, and says which static
# verdicts the runs bear out: a merged pair that a run refutes, or a merged program that puts
# out something else, is a failure. A run that shows nothing wrong proves nothing.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/judge FOLDER|LIST.json... : static verdicts against what runs show.

A folder stands for all programs below it that have a Makefile and a CUDA source; a list names programs with their
commands (docs/internals/verification.md). Exit status: 0 if no program failed, 1 if one did, 2 if nothing could be judged.
"""
import argparse
import concurrent.futures
import json
import os
import random
import re
import shutil
import sys

import outputs
import pairs
import programs
import sizes
import smaller
import suggestions
import tables
import variants

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
# Programs print what device they run on, so that each device has its own runs as written: (schedules as written,
# schedules merged). On thor merged blocks are system memory, on orin mapped.
DEVICES = {"thor": (("eager", "lazy", "random:1"), ("eager", "lazy")), "orin": (("eager", "lazy"), ("lazy",))}
CONFIRM = 4        # more runs of the program as written before a difference counts
AGAIN = 3          # more runs of the other build that must show it, too: a time may be 0 in all runs as written
LINES = 3          # command lines of a program that are tried
CHECKED_COST = 40  # times the limit that a followed run may take


class Judge:
    """Judges one program after the other; all of them share the builds' folders."""

    def __init__(self, options, cuda):
        self.options = options
        flags = dict.fromkeys(("merged", "control"), options.flag + options.merged_flag)
        self.variants = {kind: variants.Variant(kind, options.out, options.build, cuda, flags.get(kind, options.flag))
                         for kind in variants.KINDS + (variants.MORE_KINDS if options.suggest else ())}

    def prepare(self, trees):
        for variant in self.variants.values():
            variant.prepare()
            for tree in trees if variant.kind not in variants.TREES else ():
                variant.copy(tree)

    def record_path(self, program):
        name = re.sub(r"[^\w.\-]", ",", program.name)
        return os.path.join(self.options.out, "records", program.corpus, name + ".json")

    def judge(self, program):
        """The record of `program`: an earlier one, if there is one, else that of judging it now."""
        path = self.record_path(program)
        if os.path.exists(path) and not self.options.again:
            with open(path) as file:
                return json.load(file)
        record = {"corpus": program.corpus, "program": program.name, "stage": "found", "failures": [], "notes": [],
                  "pairs": []}
        try:
            self.steps(program, record, os.path.splitext(path)[0])
        except variants.BuildError as error:
            record["why"] = str(error)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + ".part", "w") as file:
            json.dump(record, file, indent=1)
        os.rename(path + ".part", path)
        return record

    def steps(self, program, record, stem):
        """found -> built -> ran -> compared -> judged: the stage that is reached stands in the record."""
        reports = {"merged": stem + ".merged.report", "checked": stem + ".checked.report"}
        os.makedirs(os.path.dirname(stem), exist_ok=True)
        for path in reports.values():
            if os.path.exists(path):
                os.remove(path)
        self.variants["plain"].build(program, os.devnull, self.options.build_limit)
        record["stage"] = "built"
        plain = self.as_written(program, record)
        if plain is None and self.options.smaller and record["why"].endswith(outputs.TOO_LONG):
            program, plain = self.made_smaller(program, record)
        if plain is None:
            return
        record["stage"] = "ran"
        if self.options.suggest and not self.patched(program, record, stem + ".suggested.report", plain):
            return
        if self.built("merged", program, record, reports["merged"]):
            self.compare("merged", program, record, plain)
            record["stage"] = "compared"
        if self.options.suggest:
            record["suggestions"]["merged with them"] = suggestions.counts(reports["merged"])["merged"]
        record["pairs"] = [pair.to_data() for pair in self.joined(program, reports)]
        if not record["pairs"]:
            record["stage"] = "judged" if record["stage"] == "compared" else record["stage"]
            return
        if self.built("checked", program, record, reports["checked"]):
            self.compare("checked", program, record, plain,
                         {"ECHO_CHECK_JSON": reports["checked"], "ECHO_CHECK_REPORT": os.devnull})
        record["pairs"] = [pair.to_data() for pair in self.joined(program, reports)]
        if os.path.exists(reports["checked"]):
            record["stage"] = "judged"
        for pair in record["pairs"]:
            if pair["merged"] == "yes" and pair["result"] == "refuted":
                record["failures"].append(f"merged, but refuted ({pair['condition']}): {pair['host']} + {pair['device']}")

    def patched(self, program, record, report, plain):
        """Whether --suggest has patches for `program`. With them it must do the same when it is built as written; all
        later builds have them."""
        program.patches, record["suggestions"] = suggestions.find(self.variants["suggest"], program, report,
                                                                  self.options.build_limit)
        record["suggestions"]["patches"] = program.patches
        if program.patches and self.built("patched", program, record, os.devnull):
            self.compare("patched", program, record, plain)
        return program.patches

    def joined(self, program, reports):
        return pairs.join(reports["merged"], self.variants["merged"].where(program), reports["checked"],
                          self.variants["checked"].where(program))

    def built(self, kind, program, record, report):
        """Builds one of the other two; a program that builds as written must build so, too."""
        try:
            self.variants[kind].build(program, report, self.options.build_limit)
            return True
        except variants.BuildError as error:
            record["failures"].append(f"does not build {kind}: {error}")
            return False

    def made_smaller(self, program, record):
        """The first copy of `program` with smaller constants that ends well in time, and its runs. A copy that takes
        too long ends the search: the next ones do more work."""
        for recipe in smaller.RECIPES:
            copy = program.smaller(recipe)
            try:
                said = self.variants["plain"].build(copy, os.devnull, self.options.build_limit)
            except variants.BuildError as error:
                record["why"] = f"made smaller: {error}"
                continue
            if plain := self.as_written(copy, record):
                record["smaller"] = said
                return copy, plain
            if record["why"].endswith(outputs.TOO_LONG):
                break
        return program, None

    def as_written(self, program, record):
        """{device: runs of the program as written}, with the first command line that ends well in time; None: there is
        none."""
        record["why"] = "nothing to run"
        for line in variants.run_lines(self.variants["plain"], program)[:LINES]:
            for shorter in sizes.smaller(line):
                if runs := self.on_devices(program, shorter, record):
                    record["line"], record["devices"] = shorter, list(runs)
                    del record["why"]
                    return runs
        return None

    def on_devices(self, program, line, record):
        """{device: runs} of the devices on which `line` ends well under every schedule: a program may need what another
        device does not have."""
        found = {}
        for device, (schedules, _) in DEVICES.items():
            runs = []
            for schedule in schedules:
                runs.append(self.run("plain", program, line, device, schedule))
                if not runs[-1].good:
                    break
            if runs[-1].good:
                found[device] = runs
            # How a line fails that another line's time led to says less.
            elif not record["why"].endswith(outputs.TOO_LONG) or runs[-1].status is None:
                record["why"] = f"{line}: {runs[-1].ending}"
            if runs[-1].status is None:
                return {}
        return found

    def run(self, kind, program, line, device, schedule, settings=None):
        limit = self.options.limit * {"merged": 8, "patched": 8, "checked": CHECKED_COST, "sanitized": CHECKED_COST}.get(kind, 1)
        return outputs.run(line, self.variants[kind].where(program), limit,
                           {"ECHO_CPU_DEVICE": device, "ECHO_CPU_SCHED": schedule, **(settings or {})})

    def compare(self, kind, program, record, plain, settings=None):
        """Runs one of the other builds and notes what differs from the program as written, again and again."""
        same = kind in ("merged", "patched")
        devices = {d: DEVICES[d] for d in plain} if same else {next(iter(plain)): ((), ("lazy",))}
        for device, schedule in ((d, s) for d, (_, schedules) in devices.items() for s in schedules):
            def once(kind=kind, device=device, schedule=schedule, settings=settings):
                return self.run(kind, program, record["line"], device, schedule, settings)

            got = once()
            if kind == "checked" and got.status is None:
                record["why"] = "the checked run took too long"
                return
            first = outputs.differences(plain[device], got)
            if not first:
                continue
            plain[device] += [self.run("plain", program, record["line"], device, ("eager", "lazy")[i % 2])
                              for i in range(CONFIRM)]
            if found := again(first, plain[device], once):
                # Followed code is optimized in other ways, so that the last digits of its numbers may differ.
                why = self.undefined(program, record, device, schedule, plain[device], found) if same else ""
                where = record["failures"] if same and not why else record["notes"]
                where.append(f"{kind} differs on {device}, {schedule}: {found[:3]}{why}")
                return

    def undefined(self, program, record, device, schedule, plain, found):
        """Why a program has no behaviour that a merge could keep, for a note; "" if that is not known. What was `found`
        of the merged build shows with its options alone, again and again, or AddressSanitizer stops the program as it
        was written."""
        why = ""
        try:
            for kind in variants.TREES:
                self.variants[kind].build(program, os.devnull, self.options.build_limit)

                def once(kind=kind):
                    return self.run(kind, program, record["line"], device, schedule)

                if kind == "sanitized" and "AddressSanitizer:" in once().texts["stderr"]:
                    why = "; AddressSanitizer stops it as it was written"
                if kind == "control" and again(found, plain, once):
                    why = "; so does a build with the same options and --no-unify"
                if why:
                    break
        except variants.BuildError:
            pass
        self.variants["plain"].build(program, os.devnull, self.options.build_limit)
        return why


def again(found, plain, once):
    """Those of the differences `found` from the runs `plain` that AGAIN more runs of a build show, each by once()."""
    for _ in range(AGAIN):
        found = found and outputs.lasting(found, outputs.differences(plain, once()))
    return found


def arguments():
    parser = argparse.ArgumentParser(prog="judge", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", metavar="FOLDER|LIST.json")
    parser.add_argument("--build", default=os.path.join(ROOT, "build"), help="Echo's build or install folder")
    parser.add_argument("--out", default="judged", help="folder of builds and records (default: judged)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="programs at a time")
    parser.add_argument("--limit", type=float, default=5,
                        help="seconds of processor time for a run of the program as written")
    parser.add_argument("--smaller", action="store_true",
                        help="make constants smaller in the sources of programs that take too long")
    parser.add_argument("--build-limit", type=float, default=300, help="seconds for one command of a build")
    parser.add_argument("--flag", action="append", default=[], help="a further option for all compilations")
    parser.add_argument("--merged-flag", action="append", default=[],
                        help="a further option for merged builds alone, such as -flto")
    parser.add_argument("--suggest", action="store_true",
                        help="judge programs with the patches of echo-cc --suggest, and only those that have some")
    parser.add_argument("--only", default="", help="regular expression: programs to judge")
    parser.add_argument("--sample", type=int, help="judge so many programs, drawn at random")
    parser.add_argument("--seed", type=int, default=1, help="of --sample, and of the order")
    parser.add_argument("--again", action="store_true", help="judge programs again that have a record")
    parser.add_argument("--json", help="write all records and the table to this file, too")
    return parser.parse_args()


def chosen(options):
    found = [p for p in programs.find(options.paths) if re.search(options.only, p.name)]
    if options.sample is not None:
        random.Random(options.seed).shuffle(found)
        found = found[:options.sample]
    return found


def main():
    options = arguments()
    options.out = os.path.abspath(options.out)
    if not os.path.exists(os.path.join(options.build, "bin", "echo-cc")):
        sys.exit(f"judge: error: {options.build}/bin/echo-cc is not there; run scripts/build first, or name --build")
    try:
        found = chosen(options)
    except programs.ListError as error:
        sys.exit(f"judge: error: {error}")
    if not found:
        print("judge: error: no program with a Makefile and a CUDA source", file=sys.stderr)
        return 2
    judge = Judge(options, os.environ["CUDA_HOME"])
    os.makedirs(options.out, exist_ok=True)
    judge.prepare(sorted({program.tree for program in found}))
    records = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for record in pool.map(judge.judge, found):
            records.append(record)
            print(tables.line(len(records), len(found), record), flush=True)
    summary = tables.Summary(records)
    print(summary.text(), flush=True)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(summary.to_data(), file, indent=1)
    if not any(record["stage"] == "judged" for record in records):
        return 2
    return 1 if summary.failures else 0


if __name__ == "__main__":
    sys.exit(main())
