# Cuts a failing program down to a small one that still fails in the same way: it
# removes and simplifies, keeps only what is still valid, and tries many candidates
# in one compilation. What "fails" means is differential.py's.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The reducer.

  reduce.py FILE -o OUT.json [--build DIR] [--note TEXT]   reduces a stored failure
  reduce.py FILE --show                                    prints it as CUDA
"""
import argparse
import json
import os
import re
import shutil
import sys
import time

import simplify
from differential import Batch, Plan
from emit import Emitter
from model import Program
from toolchain import ROOT, Toolchain, say

KINDS = ("unsafe", "output", "race", "memory", "fault", "plain-fault", "plain-output", "plain-race", "plain-memory", "compile")
AT_ONCE = 40  # candidates in one compilation


def load(path):
    """(Program, the rest) of a stored failure or regression."""
    with open(path) as file:
        story = json.load(file)
    return Program.from_json(json.dumps(story.pop("program"))), story


def store(path, program, story):
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path, "w") as file:
        json.dump({**story, "program": json.loads(program.to_json())}, file, indent=1)
        file.write("\n")


def plan_of(kind, level, schedule):
    """The cheapest examination that can show a failure of this kind."""
    schedules = list(dict.fromkeys([schedule or "lazy", "eager", "lazy", "random:1", "random:2", "random:3"]))
    if kind == "unsafe":
        return Plan((level,))
    if kind.endswith("fault"):
        return Plan(schedules=[schedule], faults=(level,), failing=1000)
    plain = kind.startswith("plain-")
    what = kind.removeprefix("plain-")
    sides = {"schedules": () if plain else schedules, "plain_schedules": schedules if plain else (),
             "merged": not plain}
    if what in ("race", "memory"):
        return Plan(**sides, **{"races" if what == "race" else "memory": (level,)})
    if kind == "compile":
        sides = {"merged": schedule != "plain", "plain_schedules": ("eager",) if schedule == "plain" else ()}
    return Plan((level,), **sides)


def signature(kind, detail):
    """What must stay the same of a failure beside its kind."""
    if kind == "unsafe":
        return detail.split(":")[0]
    if kind == "compile":
        said = re.search(r"Assertion.*|error:.*|UNREACHABLE.*", detail)
        return re.sub(r"\d+", "N", said.group(0) if said else detail[:40])
    return ""


class Test:
    """Says which of some programs fail as the first one did."""

    def __init__(self, kind, detail, plan, toolchain, folder):
        self.kind, self.plan, self.toolchain, self.folder = kind, plan, toolchain, folder
        self.signature = signature(kind, detail)
        self.compilations = 0

    def __call__(self, programs):
        self.compilations += 1
        batch = Batch(programs, self.toolchain, self.folder)
        batch.examine(self.plan)
        shutil.rmtree(self.folder, ignore_errors=True)
        bad = {f.program for f in batch.failures
               if f.kind == self.kind and signature(f.kind, f.detail) == self.signature}
        return [i in bad for i in range(len(programs))]


class Reducer:
    """`fails` takes a list of programs and returns a list of bools."""

    def __init__(self, program, fails, limit=600):
        self.program, self.fails = program, fails
        self.end = time.monotonic() + limit

    def in_time(self):
        return time.monotonic() < self.end

    def batches(self, candidates):
        """Candidates that are simpler and valid, some at a time."""
        now, chosen, seen = simplify.cost(self.program), [], set()
        for candidate in candidates:
            text = candidate.to_json()
            if text in seen or simplify.cost(candidate) >= now:
                continue
            seen.add(text)
            if not simplify.valid(candidate):
                continue
            chosen.append(candidate)
            if len(chosen) == AT_ONCE:
                yield chosen
                chosen = []
        if chosen:
            yield chosen

    def improve(self, step):
        """Takes the simplest program that `step` offers and that fails; False if none does."""
        for chosen in self.batches(step(self.program)):
            if not self.in_time():
                return False
            failing = [c for c, bad in zip(chosen, self.fails(chosen)) if bad]
            if failing:
                self.program = min(failing, key=simplify.cost)
                return True
        return False

    def run(self):
        changed = True
        while changed and self.in_time():
            changed = False
            for step in simplify.STEPS:
                while self.in_time() and self.improve(step):
                    changed = True
        return self.program


def reduce_file(path, out, build, limit=600, note=None, compiler="echo-cc", environment=None):
    """Reduces the failure stored at `path` into `out`; None if it does not fail any more."""
    program, story = load(path)
    kind, level = story["kind"], story.get("level") or "-O1"
    folder = os.path.join(build, "fuzz", f"reduce-{os.getpid()}")
    toolchain = Toolchain(build, compiler, environment)
    test = Test(kind, story.get("detail", ""), plan_of(kind, level, story.get("schedule")), toolchain, folder)
    if not test([program])[0]:
        say(f"{path}: does not fail any more")
        return None
    before = sum(1 for _ in program.statements())
    small = Reducer(program, test, limit).run()
    story = {**story, "note": note or story.get("note", "")}
    store(out, small, story)
    say(f"{path}: {before} statements, now {sum(1 for _ in small.statements())}, "
        f"{test.compilations} compilations: {out}")
    return small


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("-o", "--output")
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--note")
    parser.add_argument("--limit", type=float, default=600, help="seconds")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    if options.show:
        program, story = load(options.file)
        say("".join(f"// {key}: {value}\n" for key, value in story.items() if value) + Emitter().batch([program]))
        return 0
    if not options.output:
        parser.error("-o OUT.json is missing")
    return 0 if reduce_file(options.file, options.output, os.path.abspath(options.build), options.limit,
                            options.note) else 1


if __name__ == "__main__":
    sys.exit(main())
