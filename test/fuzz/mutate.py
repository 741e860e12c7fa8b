# Shows that the campaign can fail: turns off one rule of Echo at a time (the test
# compiler echo-cc-mutant does) and demands that the campaign's own checks notice.
# It changes nothing of Echo; the list of rules is lib/Analysis/Checks.def.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutation of the analysis.

mutants.json names for every rule the program that is known to catch it: "SEED:NUMBER" of
the generator, or the name of a regression or of a program in test/e2e/programs. It is
tried first; where it fails, the programs of the campaign are searched for a while.
"""
import concurrent.futures as futures
import json
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import time

import generate
from differential import Batch, Plan
from toolchain import ROOT, Toolchain, clean_environment, say

HERE = os.path.dirname(os.path.abspath(__file__))
KNOWN = os.path.join(HERE, "mutants.json")
COMPILER = "echo-cc-mutant"
# Rules whose absence does not change what merges: the program has to run.
RUN = ("sync(c)", "quiescence")
NO_CMA = "@concurrentManagedAccess=0"
SCHEDULES = ("lazy", "eager", "lazy" + NO_CMA, "random:1", "random:2", "random:3", "random:4", "random:5")
CAUGHT_BY = ("unsafe", "output", "race")

sys.path.insert(0, os.path.join(ROOT, "test", "e2e"))
import run as e2e  # noqa: E402  (the runner of the hand-written programs)


class Result:
    def __init__(self):
        self.caught, self.escaped = {}, []  # id -> (program, how)

    def table(self):
        lines = [f"checks turned off: {len(self.caught)} caught, {len(self.escaped)} not caught"]
        lines += [f"  {name:26} {program:24} {how[:90]}" for name, (program, how) in sorted(self.caught.items())]
        lines += [f"FAIL without {name} the campaign notices nothing" for name in self.escaped]
        return "\n".join(lines)


def checks(build):
    """[(id, condition)] of everything that can be turned off."""
    done = subprocess.run([os.path.join(build, "bin", COMPILER)], stdout=subprocess.PIPE, check=True,
                          env=clean_environment({"ECHO_TEST_WITHOUT": "list"}))
    return [tuple(line.split("\t")[:2]) for line in done.stdout.decode().splitlines()]


class Hunter:
    """Looks for a program that catches one mutant; one in every worker process."""

    def __init__(self, build, folder, pools, end):
        self.build, self.folder = build, folder
        self.pools = pools  # [[(name, Program)]]: programs of one kind each
        self.named = {name: program for pool in pools for name, program in pool}
        self.end = end
        self.reports = {}  # what is wrong with hand-written programs when all checks are on

    def toolchain(self, check):
        return Toolchain(self.build, COMPILER, {"ECHO_TEST_WITHOUT": check})

    def hunt(self, check, condition, known):
        """(name of the program, how it fails), or None."""
        if known:
            found = self.try_known(check, condition, known)
            if found:
                return known, found
        for pool in self.pools:
            if time.monotonic() > self.end:
                return None
            found = self.examine(check, condition, pool)
            if found:
                return found
        return None

    def try_known(self, check, condition, name):
        if name in self.named:
            program = self.named[name]
        elif ":" in name:
            program = generate.numbered(*name.split(":"))
        else:
            return self.hand_written(check, name)
        found = self.examine(check, condition, [(name, program)])
        return found and found[1]

    def examine(self, check, condition, pool):
        folder = os.path.join(self.folder, check)
        batch = Batch([program for _, program in pool], self.toolchain(check), folder)
        plans = [Plan(("-O0",))]
        if condition in RUN:
            plans = [Plan(("-O1",), SCHEDULES), Plan(schedules=("eager", "random:1"), races=("-O1",))]
        try:
            for plan in plans:
                batch.examine(plan)
                for failure in batch.failures:
                    if failure.kind in CAUGHT_BY:
                        return pool[failure.program][0], describe(failure)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return None

    def hand_written(self, check, name):
        """What is wrong with the report of a program of test/e2e or test/fuzz/traps, or None."""
        program = next((p for p in e2e.discover() if p.name == name), None)
        if program is None or program.expect == ["any"]:
            return None
        # Its EXPECT lines hold with all checks on.
        after = self.report(program, check)
        if not after:
            return None
        if name not in self.reports:
            self.reports[name] = self.report(program, "")
        return None if self.reports[name] else f"report: {after[0]}"

    def report(self, program, check):
        folder = os.path.join(self.folder, f"{check}-{program.name.replace('/', '-')}")
        os.makedirs(folder, exist_ok=True)
        report = os.path.join(folder, "report.json")
        include = ["-I" + program.include] if program.include else []
        command = [os.path.join(self.build, "bin", COMPILER), "--device=cpu", "-arch=sm_75", "-O0", "-c",
                   "-emit-llvm", *program.flags, *include, f"--report-json={report}", program.source,
                   "-o", os.path.join(folder, "out.bc")]
        try:
            subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                           timeout=120, env=clean_environment({"ECHO_TEST_WITHOUT": check}), check=True)
            return e2e.check_report(program, report)
        except subprocess.SubprocessError as error:
            return [] if check else [str(error)]
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def describe(failure):
    said = re.search(r"SUMMARY: .*", failure.detail)
    return f"{failure.kind} {failure.schedule} {said.group(0) if said else failure.detail}".replace("\n", " ")


_hunter = None


def _start(*arguments):
    global _hunter
    _hunter = Hunter(*arguments)


def _hunt(task):
    return task[0], _hunter.hunt(*task)


def _hunt_by_hand(task):
    """{check: how it fails} of one hand-written program."""
    name, checks_off = task
    if not checks_off or not _hunter.hand_written(",".join(checks_off), name):
        return name, {}
    found = {check: _hunter.hand_written(check, name) for check in checks_off}
    return name, {check: how for check, how in found.items() if how}


def load_known():
    try:
        with open(KNOWN) as file:
            return json.load(file)
    except OSError:
        return {}


def run(build, folder, pools, jobs, update=False, limit=150):
    """Every rule of Checks.def; `pools` are the programs of the campaign, searched for
    `limit` seconds, or with `update` to the end, and the hand-written programs too."""
    result, known = Result(), load_known()
    conditions = dict(checks(build))
    end = time.monotonic() + (limit if not update else 1e9)
    context = multiprocessing.get_context("fork")
    with futures.ProcessPoolExecutor(jobs, context, _start, (build, folder, pools, end)) as pool:
        tasks = [(check, condition, known.get(check)) for check, condition in conditions.items()]
        for check, found in pool.map(_hunt, tasks):
            if found:
                result.caught[check] = found
        left = [check for check in conditions if check not in result.caught and conditions[check] not in RUN]
        names = [p.name for p in e2e.discover()] if update else []
        for name, found in pool.map(_hunt_by_hand, [(name, left) for name in names]):
            for check, how in found.items():
                result.caught.setdefault(check, (name, how))
    result.escaped = [check for check in conditions if check not in result.caught]
    if update:
        known = {check: program for check, (program, _) in result.caught.items()}
        with open(KNOWN, "w") as file:
            json.dump(dict(sorted(known.items())), file, indent=1)
            file.write("\n")
    elif any(known.get(check) != program for check, (program, _) in result.caught.items()):
        say("note: mutants.json is out of date; scripts/fuzz --update-mutants makes the campaign faster")
    return result
