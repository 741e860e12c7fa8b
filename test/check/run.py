#!/usr/bin/env python3
# Builds every program of this folder with --check, at -O0 and -O2, and runs each
# case as it should be and with its fault under several schedules: the pair must
# be safe, or refuted by the condition and the lines that the case names. Ends
# with "N passed, N failed".
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of echo-cc --check.

Lines that the runner reads in a program:
  // FLAGS: -lcufft    further flags of the file's compilation
  CASE(name)           one case, up to the next
  // BAD: S1           at an allocation that is of this pair alone: what refutes it when it is run with its fault;
                       "none": nothing does; "not-followed": nothing can be said
  // BECAUSE           the finding names such a line, and else none but those of cases.h
"""
import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SCHEDULES = ("eager", "lazy", "random:1", "random:2")


class Case:
    """What one case says of itself."""

    def __init__(self, name):
        self.name = name
        self.line, self.bad, self.because = None, None, set()

    def read(self, number, line):
        found = re.search(r"// BAD: (\S+)", line)
        if found:
            self.line, self.bad = number, found.group(1)
        if "// BECAUSE" in line:
            self.because.add(number)


def flags_of(path):
    with open(path) as file:
        return [word for line in file if line.startswith("// FLAGS: ") for word in line.split()[2:]]


def cases_of(path):
    cases = []
    with open(path) as file:
        for number, line in enumerate(file, 1):
            found = re.match(r"CASE\((\w+)\)", line)
            if found:
                cases.append(Case(found.group(1)))
            elif cases:
                cases[-1].read(number, line)
    return cases


class Runner:
    def __init__(self, options):
        self.options, self.passed, self.failed = options, 0, 0

    def fail(self, what):
        self.failed += 1
        print("FAIL", what)

    def build(self, folder, path, level):
        target = os.path.join(folder, os.path.basename(path) + level)
        compiler = os.path.join(self.options.build, "bin", "echo-cc")
        plain = os.path.join(folder, "mystery.o")
        subprocess.run(["cc", "-c", os.path.join(HERE, "mystery.c"), "-o", plain], check=True)
        done = subprocess.run([compiler, "--check", "-w", "-arch=sm_75", "--min-bytes=0", level, path, plain, "-o", target,
                               *flags_of(path)], capture_output=True, text=True, check=False)
        if done.returncode or done.stderr:
            self.fail(f"{path} {level} does not compile: {done.stderr[-2000:]}")
            return None
        return target

    def run(self, path, case, target, how, schedule):
        """None if the run says what it must, or what is wrong."""
        report = target + ".json"
        environment = {**os.environ, "ECHO_CPU_SCHED": schedule, "ECHO_CHECK_JSON": report,
                       "ECHO_CHECK_REPORT": target + ".txt"}
        done = subprocess.run([target, case.name, how], capture_output=True, env=environment, timeout=100, check=False)
        if done.returncode:
            return f"status {done.returncode} {done.stderr[-500:]}"
        with open(report) as file:
            pairs = json.load(file)["pairs"]
        mine = [p for p in pairs if case.line in (p["host"]["line"], p["device"]["line"]) and p["result"] != "not-run"]
        if len(mine) != 1:
            return f"{len(mine)} pairs with a result at line {case.line}"
        wanted = case.bad if how == "bad" and case.bad != "none" else "safe"
        got = mine[0]["condition"] or mine[0]["result"]
        if got != wanted:
            return f"{got} instead of {wanted}: {mine[0]['because']}"
        own = {c["line"] for c in mine[0]["because"] if os.path.basename(c["file"] or "") == os.path.basename(path)}
        if mine[0]["because"] and (not own <= case.because or (case.because and not own)):
            return f"names {mine[0]['because']}, which are not lines {sorted(case.because)}"
        return None

    def without_room(self, target, case):
        """Where memory for what is followed is short, no pair may be said to be safe."""
        report = target + ".json"
        environment = {**os.environ, "ECHO_CHECK_JSON": report, "ECHO_CHECK_REPORT": os.devnull}
        most = 8 << 30
        done = subprocess.run([target, case.name, "good"], capture_output=True, env=environment, timeout=100, check=False,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (most, most)))
        with open(report) as file:
            results = {pair["result"] for pair in json.load(file)["pairs"]}
        if done.returncode or results != {"not-followed"}:
            self.fail(f"{target} with 8 GiB of data: status {done.returncode}, {results}")
        else:
            self.passed += 1

    def program(self, folder, path):
        for level in ("-O0", "-O2"):
            target = self.build(folder, path, level)
            if target and level == "-O0":
                self.without_room(target, cases_of(path)[0])
            for case in cases_of(path) if target else ():
                if self.options.filter and not re.search(self.options.filter, case.name):
                    continue
                for how in ("good", "bad"):
                    for schedule in SCHEDULES:
                        wrong = self.run(path, case, target, how, schedule)
                        if wrong:
                            self.fail(f"{os.path.basename(path)} {case.name} {how} {level} {schedule}: {wrong}")
                        else:
                            self.passed += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(os.path.dirname(os.path.dirname(HERE)), "build"))
    parser.add_argument("--filter", help="regular expression: only these cases")
    options = parser.parse_args()
    runner = Runner(options)
    with tempfile.TemporaryDirectory() as folder:
        for name in sorted(os.listdir(HERE)):
            if name.endswith(".cu"):
                runner.program(folder, os.path.join(HERE, name))
    print(f"{runner.passed} passed, {runner.failed} failed")
    return 1 if runner.failed else 0


if __name__ == "__main__":
    sys.exit(main())
