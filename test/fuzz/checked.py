# Compares what programs of --check say of their pairs with the oracle: generated
# programs are compiled with --check and run on each of their inputs, and for each
# pair of the report the two verdicts must agree. It decides nothing about Echo's
# static verdicts.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The checker against the oracle.

Run as a program: test/fuzz/checked.py --programs N --seed S [--build DIR] [--level -O2]
Every difference is a bug of one of the two.
"""
import argparse
import collections
import json
import os
import subprocess
import sys

import generate
import machine
import oracle
from toolchain import CompileError, Source, clean_environment, split_output
from truth import Truth

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


# Functions of runtime/check that a test replaces: id -> (symbol, what stands in its place).
BLIND = {"checked-order": ("_ZN4echo5check8isBeforeEjRNS0_5AgentE",
                           'extern "C" bool {name}(unsigned, void *) {{ return true; }}\n')}


class Difference:
    """The two verdicts about one pair in one run."""

    def __init__(self, name, arg, lines, mine, theirs):
        self.name, self.arg, self.lines, self.mine, self.theirs = name, arg, lines, mine, theirs

    def __str__(self):
        return f"program {self.name} arg {self.arg} pair of lines {self.lines}: checked {self.mine}, oracle {self.theirs}"


class Checker:
    """What compiles with --check. A checker with a mistake, which the campaign must notice, is the compiler without
    a check (Checks.def), or a library in which a function of BLIND says what it always says."""

    def __init__(self, build, without=None):
        self.build, self.without = build, without

    def command(self, target):
        """(how a command line begins, what it ends with, further environment)."""
        compiler = os.path.join(self.build, "bin", "echo-cc")
        if self.without is None:
            return [compiler], [], {}
        if self.without not in BLIND:
            return [compiler + "-mutant"], [], {"ECHO_TEST_WITHOUT": self.without}
        name, text = BLIND[self.without]
        path = target + ".blind.cpp"
        with open(path, "w") as file:
            file.write(text.format(name="__wrap_" + name))
        return [compiler], [path, "-Wl,--wrap=" + name], {}

    def compile(self, source, target, level, per_thread):
        """Builds `source` with --check."""
        command, end, environment = self.command(target)
        command += ["--check", "-arch=sm_75", level, "-w", "--min-bytes=0"]
        if per_thread:
            command.append("--default-stream=per-thread")
        command += [*source.files, *end, "-o", target]
        done = subprocess.run(command, capture_output=True, text=True, env=clean_environment(environment), check=False)
        if done.returncode:
            raise CompileError(command, done.returncode, done.stderr)


def run_checked(target, word, schedule):
    """(status, lines that the program printed, [pairs of its JSON report])."""
    report = target + ".checked.json"
    environment = clean_environment({"ECHO_CHECK_JSON": report, "ECHO_CHECK_REPORT": "/dev/null",
                                     "ECHO_CPU_SCHED": schedule})
    if os.path.exists(report):
        os.remove(report)
    try:
        done = subprocess.run([target, word], capture_output=True, text=True, env=environment, timeout=120,
                              errors="replace", check=False)
    except subprocess.TimeoutExpired:
        return "timeout", [], []
    pairs = []
    if os.path.exists(report):
        with open(report) as file:
            pairs = json.load(file)["pairs"]
    return done.returncode, split_output(done.stdout).get(word, []), pairs


class Comparison:
    def __init__(self):
        self.counts, self.differences, self.failures = collections.Counter(), [], []

    def program(self, name, number, truth, sites, target, schedule):
        """Runs program `number` of a batch on all inputs, and compares its pairs."""
        for arg in truth.program.inputs:
            status, lines, pairs = run_checked(target, f"{number}:{arg}", schedule)
            if (status, lines) != (truth.statuses[arg], truth.outputs[arg]):
                self.failures.append(f"program {name} arg {arg}: status {status}, printed {lines}, "
                                     f"expected {truth.statuses[arg]}, {truth.outputs[arg]}")
                continue
            self.counts["runs"] += 1
            for entry in pairs:
                sides = [sites.get(entry[side]["line"]) for side in ("host", "device")]
                if None in sides or any(side[0] != number for side in sides):
                    continue
                self.pair(name, arg, truth.traces[arg], entry, (sides[0][1], sides[1][1]))

    def pair(self, name, arg, trace, entry, pair):
        wrong = oracle.check(trace, {pair})
        # That a machine may lack atomics that reach the host is no matter of one run.
        if wrong and wrong.condition == "S3" and wrong.statement["op"] == "launch":
            self.counts["left out: system-wide atomics"] += 1
            return
        mine = entry["result"] + (" " + entry["condition"] if entry["condition"] else "")
        theirs = f"{wrong}" if wrong else "safe"
        self.counts[f"{entry['result']} / {wrong.condition if wrong else 'safe'}"] += 1
        if entry["result"] in ("not-run", "not-followed"):
            return
        # The oracle takes no reset beside a pair, the checker one after which nobody asks for what the pair held.
        if wrong and wrong.statement["op"] == "reset" and entry["result"] == "safe":
            self.counts["left out: resets"] += 1
            return
        # The checker does not follow what becomes of an address that is printed.
        if not wrong and any("looks at the address" in c["what"] for c in entry["because"]):
            self.counts["left out: addresses"] += 1
            return
        # The oracle tells writes apart, the checker values: another write of the same is seen by nobody.
        if wrong and wrong.condition == "S1" and entry["result"] == "safe" and entry["equal_bytes"]:
            self.counts["left out: equal values"] += 1
            return
        if (entry["result"] == "refuted") != (wrong is not None):
            because = "; ".join(f"{c['line']}:{c['column']} {c['what']}" for c in entry["because"])
            self.differences.append(Difference(name, arg, (entry["host"]["line"], entry["device"]["line"]),
                                               f"{mine} ({because})", theirs))


def valid(named):
    """Those of (name, Program) that are defined and race-free, with their truth."""
    for name, program in named:
        try:
            truth = Truth(program)
            if not truth.race() and not program.relies:
                yield name, truth
        except machine.Invalid:
            continue


def compare(named, checker, folder, level, schedules, batch=25):
    """Compares the programs `named` in batches."""
    result = Comparison()
    os.makedirs(folder, exist_ok=True)
    known = list(valid(named))
    for per_thread in (False, True):
        group = [(n, t) for n, t in known if bool(t.program.per_thread) == per_thread]
        for first in range(0, len(group), batch):
            some = group[first:first + batch]
            stem = os.path.join(folder, f"c{int(per_thread)}-{first}")
            source = Source([t.program for _, t in some], stem + ".cu")
            try:
                checker.compile(source, stem, level, per_thread)
            except CompileError as error:
                result.failures.append(str(error))
                continue
            for number, (name, truth) in enumerate(some):
                for schedule in schedules:
                    result.program(name, number, truth, source.sites, stem, schedule)
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=50)
    parser.add_argument("--first", type=int, default=0, help="number of the first one")
    parser.add_argument("--seed", default="checked")
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--level", default="-O2")
    parser.add_argument("--schedules", default="eager", help="of the CPU device, by comma")
    parser.add_argument("--without", metavar="ID", help="a checker with a mistake: a check of the compiler, or one of "
                        + ", ".join(BLIND))
    options = parser.parse_args()
    named = [(f"{options.seed}:{k}", generate.numbered(options.seed, k))
             for k in range(options.first, options.first + options.programs)]
    build = os.path.abspath(options.build)
    result = compare(named, Checker(build, options.without), os.path.join(build, "fuzz", "checked"), options.level,
                     options.schedules.split(","))
    for line in [*result.failures, *result.differences]:
        print("FAIL", line)
    for key, count in sorted(result.counts.items()):
        print(f"{count:7} {key}")
    print(f"{len(result.failures) + len(result.differences)} failed")
    return 1 if result.failures or result.differences else 0


if __name__ == "__main__":
    sys.exit(main())
