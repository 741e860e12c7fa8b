#!/usr/bin/env python3
# Has the calls of every hand-written program and example fail, one at a time, plain and
# merged, on every device. A merged program makes other calls than the one as written, so
# what it does must be what the program as written does where one call of that kind fails,
# or none; for launches, of which both make as many, where the same one fails. Ends with
# "N passed, N failed".
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Faults in the end-to-end tests.

What a program as written does with a fault counts only where it is the same under every schedule and whatever fresh
device memory holds: else the program goes on with something undefined.
"""
import argparse
import os
import re
import shutil
import sys

import run as e2e

KINDS = ("alloc", "copy", "set", "create", "launch")
# Echo makes as many of these as the program as written, and in the same order.
SAME = ("launch",)
DEVICES = [e2e.on("orin"), e2e.on("thor"), e2e.on("gb10", "managed"), e2e.on("gh200"), e2e.on("discrete")]
PLAIN = [{"ECHO_CPU_SCHED": "eager", "ECHO_CPU_POISON": "0"}, {"ECHO_CPU_SCHED": "lazy", "ECHO_CPU_POISON": "1"},
         {"ECHO_CPU_SCHED": "random:1", "ECHO_CPU_POISON": "1"}]


class Faults:
    """The faults of one program that was built plain and merged."""

    def __init__(self, program, plain, merged, options):
        self.program, self.plain, self.merged, self.options = program, plain, merged, options
        self.compared = self.open = 0

    def once(self, binary, setting, fault):
        """(what the program did, whether the fault happened)."""
        extra = {"ECHO_CPU_FAIL": fault} if fault else {}
        status, text, errors = e2e.run([binary, *self.program.args], self.options.timeout, {**setting, **extra})
        return (status, text), f"note: {fault} failed" in errors

    def as_written(self, fault):
        """What the program as written does: None where it is undefined, and whether the fault happened."""
        found = [self.once(self.plain, setting, fault) for setting in PLAIN]
        did = {what for what, _ in found}
        defined = len(did) == 1 and found[0][0][0] is not None and found[0][0][0] >= 0
        return (found[0][0] if defined else None), any(happened for _, happened in found)

    def numbers(self, kind, ask):
        """What `ask` says of the faults 1, 2, ... of a kind, as long as they happen."""
        found = []
        for number in range(1, self.options.most + 1):
            did, happened = ask(f"{kind}:{number}")
            if not happened:
                break
            found.append(did)
        return found

    def check(self):
        """What is wrong with the merged program."""
        clean, _ = self.as_written("")
        if clean is None:
            return ["the program as written is not the same under every schedule"]
        for kind in KINDS:
            allowed = self.numbers(kind, self.as_written)
            for device in DEVICES:
                setting = {"ECHO_CPU_SCHED": "lazy", "ECHO_CPU_POISON": "1", **device}
                got = self.numbers(kind, lambda fault, s=setting: self.once(self.merged, s, fault))
                if problem := self.compare(kind, got, allowed, clean):
                    return [f"{device}: {problem}"]
        return []

    def compare(self, kind, got, allowed, clean):
        if kind in SAME and len(got) != len(allowed):
            return f"{kind}: {len(got)} calls, as written {len(allowed)}"
        for number, did in enumerate(got):
            choice = [allowed[number]] if kind in SAME else [clean, *allowed]
            if did in choice:
                self.compared += 1
            elif None in choice:
                self.open += 1
            else:
                return (f"{kind}:{number + 1}: exit status {did[0]}, which no fault of the program as written gives\n"
                        + did[1][-400:].decode(errors="replace"))
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(e2e.ROOT, "build"), help="build folder")
    parser.add_argument("--filter", default="", help="regular expression of program names")
    parser.add_argument("--levels", default="-O2", help="optimization level")
    parser.add_argument("--timeout", type=float, default=20, help="seconds per run")
    parser.add_argument("--most", type=int, default=40, help="calls of each kind that fail, one at a time")
    options = parser.parse_args()
    options.build, options.schedules, options.no_precompiled = os.path.abspath(options.build), 0, False
    tester = e2e.Tester(options)
    tester.out = os.path.join(options.build, "e2e-faults")
    tester.prepare()
    passed = failed = compared = left = 0
    for program in e2e.discover():
        if not re.search(options.filter, program.name) or e2e.missing_libraries(program, options.build):
            continue
        folder = tester.fresh_folder(program, options.levels)
        plain, problem = tester.compile(program, options.levels, folder, False)
        merged, problem = tester.compile(program, options.levels, folder, True) if not problem else (None, problem)
        faults = Faults(program, plain, merged, options)
        problems = [problem] if problem else faults.check()
        compared, left = compared + faults.compared, left + faults.open
        passed, failed = passed + (not problems), failed + bool(problems)
        if problems:
            print(f"FAIL {program.name} (kept: {folder})\n    " + problems[0].rstrip().replace("\n", "\n    "),
                  flush=True)
        else:
            shutil.rmtree(folder, ignore_errors=True)
    print(f"{compared} runs with a fault compared, {left} of programs that go on with something undefined")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
