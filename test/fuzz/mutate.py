# Shows that the campaign can fail: turns off one rule of Echo at a time (the test
# compiler echo-cc-mutant does) and demands that the campaign's own checks notice.
# It changes nothing of Echo; the list of rules is lib/Support/Checks.def, and checked.py
# has mistakes of the library of --check.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutation of the analysis.

mutants.json holds for every rule a program that shows its absence: one that the campaign
found and reduced, or the name of a hand-written one (test/e2e/programs, test/fuzz/traps).
It is tried first; where it fails, the programs of the campaign are searched for a while. "limit" is there where the
program without the rule never ends: after so many seconds it counts as caught.
"""
import concurrent.futures as futures
import importlib.util
import json
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import time

import checked
import reduce
from differential import Batch, Failure, Plan
from model import Program
from toolchain import ROOT, Toolchain, clean_environment, say

HERE = os.path.dirname(os.path.abspath(__file__))
KNOWN = os.path.join(HERE, "mutants.json")
COMPILER = "echo-cc-mutant"
# Rules whose absence does not change what merges: the program has to run.
RUN = ("sync(c)", "quiescence", "waits")
# Absent only where a call of a hand-written program fails.
FAULTS = "faults"
# Mistakes of --check: what a checked program says differs from the oracle.
CHECKER = "check"
# The host faults where it touches managed memory beside GPU work.
SCHEDULES = ("lazy", "eager", "lazy@orin", "lazy@thor@managed", "random:1", "random:2", "random:3", "random:4", "random:5")
CAUGHT_BY = ("unsafe", "output", "race")
REDUCE_LIMIT = 40  # seconds

sys.path.insert(0, os.path.join(ROOT, "test", "e2e"))
import precompiled  # noqa: E402
import run as e2e  # noqa: E402  (the runner of the hand-written programs)


class Result:
    def __init__(self):
        self.caught, self.escaped, self.searched = {}, [], []  # caught: id -> Catch

    def table(self):
        lines = [f"checks turned off: {len(self.caught)} caught, {len(self.escaped)} not caught"]
        lines += [f"  {name:26} {catch.found:24} {catch.how[:90]}" for name, catch in sorted(self.caught.items())]
        lines += [f"FAIL without {name} the campaign notices nothing" for name in self.escaped]
        return "\n".join(lines)


def checks(build):
    """[(id, condition)] of everything that can be turned off."""
    done = subprocess.run([os.path.join(build, "bin", COMPILER)], stdout=subprocess.PIPE, check=True,
                          env=clean_environment({"ECHO_TEST_WITHOUT": "list"}))
    return [tuple(line.split("\t")[:2]) for line in done.stdout.decode().splitlines()]


class Catch:
    """A failure that a mutant causes: in a program of the campaign, or in a hand-written one."""

    def __init__(self, found, how, failure=None, program=None):
        self.found, self.how, self.failure, self.program = found, how, failure, program

    def to_data(self):
        data = {"found": self.found}
        if self.program:
            data.update(kind=self.failure.kind, level=self.failure.level, schedule=self.failure.schedule,
                        program=json.loads(self.program.to_json()))
        return data


class Hunter:
    """Looks for a program that catches one mutant; one in every worker process."""

    def __init__(self, build, folder, pools, end):
        self.build, self.folder = build, folder
        self.pools, self.end = pools, end  # [[(name, Program)]]: programs of one kind each
        self.reports = {}  # what is wrong with hand-written programs when all checks are on

    def toolchain(self, check):
        return Toolchain(self.build, COMPILER, {"ECHO_TEST_WITHOUT": check})

    def hunt(self, check, condition, known):
        """(Catch or None, True if it is the known one)."""
        if condition == CHECKER:
            return self.hunt_checker(check, known)
        if condition == FAULTS:
            return (known and self.with_faults(check, known["found"])), True
        if known and "program" in known:
            program = Program.from_json(json.dumps(known["program"]))
            found = self.examine(check, self.plan_of(known), [(known["found"], program)], known.get("limit"))
        else:
            found = known and self.hand_written(check, known["found"])
        if found:
            return found, True
        for pool in self.pools:
            for plan in self.plans(condition):
                if time.monotonic() > self.end:
                    return None, False
                found = self.examine(check, plan, pool)
                if found:
                    return found, False
        return None, False

    def hunt_checker(self, check, known):
        """The same for a mistake of the checker."""
        if known:
            program = Program.from_json(json.dumps(known["program"]))
            found = self.examine_checked(check, [(known["found"], program)])
            if found:
                return found, True
        for pool in self.pools:
            if time.monotonic() > self.end:
                break
            found = self.examine_checked(check, pool)
            if found:
                return found, False
        return None, False

    def examine_checked(self, check, pool):
        folder = os.path.join(self.folder, check)
        result = checked.compare(pool, checked.Checker(self.build, check), folder, "-O1", ["eager"])
        shutil.rmtree(folder, ignore_errors=True)
        for difference in result.differences:
            failure = Failure("checked", 0, "-O1", "eager", str(difference))
            return Catch(difference.name, describe(failure), failure, dict(pool)[difference.name])
        return None

    @staticmethod
    def plan_of(known):
        if known["kind"] == "unsafe":
            return Plan((known["level"],))
        return reduce.plan_of(known["kind"], known["level"], known["schedule"])

    @staticmethod
    def plans(condition):
        if condition in RUN:
            return [Plan(("-O1",), SCHEDULES), Plan(schedules=("eager", "random:1"), races=("-O1",))]
        return [Plan(("-O0",))]

    def examine(self, check, plan, pool, limit=None):
        """The first failure of `pool`; a run that takes `limit` seconds is one."""
        folder = os.path.join(self.folder, check)
        batch = Batch([program for _, program in pool], self.toolchain(check), folder)
        batch.limit = limit or batch.limit
        batch.examine(plan)
        shutil.rmtree(folder, ignore_errors=True)
        for failure in batch.failures:
            if failure.kind in CAUGHT_BY:
                name, program = pool[failure.program]
                return Catch(name, describe(failure), failure, program)
        return None

    def reduce(self, check, catch):
        """The catch with a smaller program."""
        failure = catch.failure
        plan = reduce.plan_of(failure.kind, failure.level, failure.schedule)
        test = reduce.Test(failure.kind, failure.detail, plan, self.toolchain(check),
                           os.path.join(self.folder, check))
        if test([catch.program])[0]:
            catch.program = reduce.Reducer(catch.program, test, REDUCE_LIMIT).run()
        return catch

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
        return None if self.reports[name] else Catch(name, f"report: {after[0]}")

    def compile(self, program, check, *options):
        """Compiles a hand-written program without `check`."""
        include = ["-I" + program.include] if program.include else []
        subprocess.run([*precompiled.command(self.build, COMPILER), "--device=cpu", "-arch=sm_75", *program.flags,
                        *include, *options, program.source], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, timeout=120, check=True,
                       env=clean_environment({"ECHO_TEST_WITHOUT": check}))

    def with_faults(self, check, name):
        """What a hand-written program does wrong where one of its copies fails, or None."""
        program = next((p for p in e2e.discover() if p.name == name), None)
        if program is None:
            return None
        folder = os.path.join(self.folder, check)
        os.makedirs(folder, exist_ok=True)
        built = []
        for more in (["--no-unify"], []):
            built.append(os.path.join(folder, "merged" if built else "plain"))
            self.compile(program, check, "-O1", *more, "-o", built[-1])
        problem = e2e_faults().Faults(*built, program.args).check(["copy"])
        shutil.rmtree(folder, ignore_errors=True)
        return problem and Catch(name, f"faults: {problem}")

    def report(self, program, check):
        folder = os.path.join(self.folder, f"{os.getpid()}-{program.name.replace('/', '-')}")
        os.makedirs(folder, exist_ok=True)
        report = os.path.join(folder, "report.json")
        try:
            self.compile(program, check, "-O0", "-c", "-emit-llvm", f"--report-json={report}",
                         "-o", os.path.join(folder, "out.bc"))
            return e2e.check_report(program, report)
        except subprocess.SubprocessError as error:
            return [] if check else [str(error)]
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def e2e_faults():
    """The module that has calls of hand-written programs fail. There is another one of its name here."""
    spec = importlib.util.spec_from_file_location("e2e_faults", os.path.join(ROOT, "test", "e2e", "faults.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def describe(failure):
    said = re.search(r"SUMMARY: .*", failure.detail)
    return f"{failure.kind} {failure.schedule} {said.group(0) if said else failure.detail}".replace("\n", " ")


_hunter = None


def _start(*arguments):
    global _hunter
    _hunter = Hunter(*arguments)


def _hunt(task):
    check, condition, known, smaller = task
    found, old = _hunter.hunt(check, condition, known)
    if found and not old and smaller and found.program and condition != CHECKER:
        found = _hunter.reduce(check, found)
    return check, found, old


def _hunt_by_hand(task):
    """{check: Catch} of one hand-written program."""
    name, checks_off = task
    if not checks_off or not _hunter.hand_written(",".join(checks_off), name):
        return {}
    found = {check: _hunter.hand_written(check, name) for check in checks_off}
    return {check: catch for check, catch in found.items() if catch}


def load_known():
    try:
        with open(KNOWN) as file:
            return json.load(file)
    except OSError:
        return {}


def store_known(known):
    """One rule a line."""
    rows = [f"{json.dumps(check)}: {json.dumps(data)}" for check, data in sorted(known.items())]
    with open(KNOWN, "w") as file:
        file.write("{\n" + ",\n".join(rows) + "\n}\n")


def run(build, folder, pools, jobs, update=False, limit=150):
    """Every rule of Checks.def and mistake of checked.py; `pools` are the programs of the campaign, searched for
    `limit` seconds, or with `update` to the end, and the hand-written programs too."""
    result, known = Result(), load_known()
    conditions = {**dict(checks(build)), **dict.fromkeys(checked.BLIND, CHECKER)}
    end = time.monotonic() + (limit if not update else 1e9)
    context = multiprocessing.get_context("fork")
    with futures.ProcessPoolExecutor(jobs, context, _start, (build, folder, pools, end)) as pool:
        hunts = [pool.submit(_hunt, (check, condition, known.get(check), update))
                 for check, condition in conditions.items()]
        for hunt in futures.as_completed(hunts):
            check, found, old = hunt.result()
            if found:
                result.caught[check] = found
            if found and not old:
                known[check] = found.to_data()
                result.searched.append(check)
                if update:
                    store_known(known)
        left = [check for check in conditions
                if check not in result.caught and conditions[check] not in (*RUN, CHECKER)]
        names = [p.name for p in e2e.discover()] if update and left else []
        for found in pool.map(_hunt_by_hand, [(name, left) for name in names]):
            for check, catch in found.items():
                if result.caught.setdefault(check, catch) is catch:
                    known[check] = catch.to_data()
    result.escaped = [check for check in conditions if check not in result.caught]
    if update:
        store_known({check: data for check, data in known.items() if check in conditions})
    elif result.searched:
        say("note: mutants.json knows nothing for " + ", ".join(result.searched)
            + "; scripts/fuzz --update-mutants makes the campaign faster")
    return result
