#!/usr/bin/env python3
# Builds every program of this folder with its sanitizers, plain and merged, and
# runs each case under many schedules: the clean twin must be silent and print
# the same everywhere, the bad twin must be reported at its lines. Ends with
# "N passed, N failed".
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the CPU device under sanitizers.

Lines that the runner reads in a program:
  // SANITIZE: thread          the value of -fsanitize=; each line is a build
  // FLAGS: ...                further compiler flags
  // ENV: NAME=VALUE ...       environment of every run
  // MERGED: N                 the clean merged build merges N pairs at least
  CASE(name)                   the function name() is one case
  // HERE                      in a case, or between it and the one before:
                               reports of the bad twin name this line
  // PLACE: X, // AT: X        the same, for a line that several cases share
  // ONLY plain                in a case: merging orders what raced
  // LENIENT                   in a case: with ECHO_CPU_LENIENT=1 the bad twin is silent
"""
import argparse
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SCHEDULES = ("eager", "lazy", "random:1", "random:2", "random:3")
REPORT = re.compile(r"ThreadSanitizer|AddressSanitizer|LeakSanitizer|runtime error:")


class Case:
    def __init__(self, name, lines, numbers, places):
        self.name = name
        self.here = [i + 1 for i in numbers if "// HERE" in lines[i]]
        self.here += [places[re.search(r"// AT: (\w+)", lines[i]).group(1)] for i in numbers
                      if "// AT: " in lines[i]]
        self.only_plain = any("// ONLY plain" in lines[i] for i in numbers)
        self.lenient = any("// LENIENT" in lines[i] for i in numbers)


class Program:
    """One source file and its cases."""

    def __init__(self, source, sanitize=None):
        self.source = source
        self.sanitizers, self.flags, self.env, self.merged = [], [], {}, 0
        lines = open(source).read().split("\n")
        for line in lines:
            match = re.match(r"// (SANITIZE|FLAGS|ENV|MERGED): (.*)", line)
            if not match:
                continue
            key, value = match.groups()
            if key == "SANITIZE":
                self.sanitizers.append(value)
            elif key == "FLAGS":
                self.flags = shlex.split(value)
            elif key == "ENV":
                self.env = dict(word.split("=", 1) for word in value.split())
            else:
                self.merged = int(value)
        self.sanitize = sanitize or self.sanitizers[0]
        self.name = os.path.basename(source)[:-3] + "-" + self.sanitize.replace(",", "-")
        places = {m.group(1): i + 1 for i, line in enumerate(lines)
                  for m in [re.search(r"// PLACE: (\w+)", line)] if m}
        self.cases, begin = [], 0
        names = re.findall(r"\bCASE\((\w+)\)", "\n".join(lines))
        for i, line in enumerate(lines):
            match = re.match(r"static long (\w+)\(\)", line)
            if match and match.group(1) in names:
                end = next(j for j in range(i, len(lines)) if lines[j] == "}")
                self.cases.append(Case(match.group(1), lines, range(begin, end), places))
                begin = end
        assert sorted(c.name for c in self.cases) == sorted(names), source


def run(command, env=None, timeout=120):
    """(status, stdout, stderr); a timeout is status None."""
    clean = {k: v for k, v in os.environ.items()
             if not k.startswith("ECHO_") and not k.endswith("SAN_OPTIONS")}
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=timeout,
                              env={**clean, **(env or {})})
        return (done.returncode, done.stdout.decode(errors="replace"),
                done.stderr.decode(errors="replace"))
    except subprocess.TimeoutExpired:
        return None, "", f"no end after {timeout} s"


class Tester:
    def __init__(self, options):
        self.options = options
        self.compiler = os.path.join(options.build, "bin", "echo-cc")
        self.out = os.path.join(options.build, "sanitize")
        os.makedirs(self.out, exist_ok=True)
        self.wanted = {}  # (program, case) -> what the clean plain twin prints

    def build(self, program, merged, bad):
        """(path, problem)."""
        name = f"{program.name}-{'merged' if merged else 'plain'}{'-bad' if bad else ''}"
        target = os.path.join(self.out, name)
        report = target + ".json"
        command = [self.compiler, "--device=cpu", "-arch=sm_75", "-g", "-O1",
                   "-fsanitize=" + program.sanitize, *program.flags]
        if merged:
            command += ["--min-bytes", "0", "--report-json=" + report]
            if os.path.exists(report):
                os.unlink(report)
        else:
            command.append("--no-unify")
        if bad:
            command.append("-DBAD")
        command += [program.source, "-o", target]
        status, _, errors = run(command)
        if status != 0:
            return None, f"build failed ({status}): {shlex.join(command)}\n{errors[-2000:]}"
        if merged and not bad:
            pairs = [p["verdict"] for u in json.load(open(report))["units"] for p in u["pairs"]]
            count = sum(v in ("unified", "guarded") for v in pairs)
            if count < program.merged:
                return target, f"{count} pairs merge, expected {program.merged} at least"
        return target, None

    def clean(self, program, case, target):
        for schedule in SCHEDULES:
            status, output, errors = run([target, case.name],
                                         {**program.env, "ECHO_CPU_SCHED": schedule})
            wanted = self.wanted.setdefault((program.name, case.name), output)
            if status != 0 or REPORT.search(errors):
                return f"{schedule}: exit status {status}, expected silence:\n{errors[:3000]}{output}"
            if output != wanted:
                return f"{schedule}: prints {output!r}, expected {wanted!r}"
        return None

    def bad(self, program, case, target):
        for i, schedule in enumerate(SCHEDULES):
            # Finding the lines takes longer than the run: two schedules must do.
            options = f"symbolize={int(i < 2)}"
            status, output, errors = run([target, case.name], {
                **program.env, "ECHO_CPU_SCHED": schedule, "TSAN_OPTIONS": options,
                "ASAN_OPTIONS": options, "UBSAN_OPTIONS": "halt_on_error=1"})
            if status in (0, None) or not REPORT.search(errors):
                return f"{schedule}: exit status {status}, expected a report:\n{errors[:2000]}{output}"
            file = os.path.basename(program.source)
            missing = [n for n in case.here if not re.search(rf"{file}:{n}\b", errors)]
            if i < 2 and (missing or not case.here):
                return f"{schedule}: the report does not name line {missing}:\n{errors[:4000]}"
        if case.lenient:
            status, _, errors = run([target, case.name],
                                    {**program.env, "ECHO_CPU_LENIENT": "1"})
            if status != 0 or REPORT.search(errors):
                return f"lenient: exit status {status}, expected silence:\n{errors[:3000]}"
        return None

    def job(self, program, merged, bad):
        """[(test name, problem)] of one build."""
        kind = f"{program.name}/{'merged' if merged else 'plain'}/{'bad' if bad else 'clean'}"
        target, problem = self.build(program, merged, bad)
        results = [(kind + "/build", problem)]
        if not target:
            return results
        for case in program.cases:
            if self.options.filter and not re.search(self.options.filter, case.name):
                continue
            if bad and merged and case.only_plain:
                continue
            check = self.bad if bad else self.clean
            results.append((f"{kind}/{case.name}", check(program, case, target)))
        return results


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", default="build", help="build folder")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--program", help="only this file (without .cu)")
    parser.add_argument("--filter", help="only cases that match")
    options = parser.parse_args()
    tester = Tester(options)
    files = [os.path.join(HERE, f) for f in sorted(os.listdir(HERE))
             if f.endswith(".cu") and options.program in (None, f[:-3])]
    programs = [Program(f, s) for f in files for s in Program(f).sanitizers]
    start, passed, failed = time.time(), 0, 0
    # The clean plain twins come first: they say what is right.
    rounds = [(False, False), (True, False), (False, True), (True, True)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for merged, bad in rounds:
            for results in pool.map(lambda p: tester.job(p, merged, bad), programs):
                for name, problem in results:
                    passed, failed = passed + (not problem), failed + bool(problem)
                    if problem:
                        print(f"FAIL {name}: {problem}", flush=True)
    pairs = sum(len(p.cases) for p in programs)
    print(f"{pairs} pairs of cases, {time.time() - start:.0f} s")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
