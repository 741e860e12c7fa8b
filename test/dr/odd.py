#!/usr/bin/env python3
# Runs the cases of odd/odd.cu on the CPU device in every mode, with a plan that was made of the
# plain loop: output and exit status must be those of the plain run. Ends with "N passed, N failed".
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""End-to-end tests of libecho-dr.so in programs that do odd things to their process."""
import argparse
import os
import re
import shutil
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import cases  # noqa: E402
import run  # noqa: E402
import tracefile  # noqa: E402

SOURCE = os.path.join(HERE, "odd", "odd.cu")
DEVICE = {"ECHO_CPU_ATTR": run.DISCRETE}


def check(runner, command, trace):
    plain, errors = runner.run(command, preload=False, **DEVICE)
    plan, folder = os.path.join(runner.work, "odd.json"), os.path.join(runner.work, "odd.traces")

    def same(mode, lines, **env):
        """As the plain run, and at most so many lines of Echo's."""
        shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(folder)
        got, said = runner.run(command, **DEVICE, **env)
        run.same(got, plain, "%s (%s)" % (mode, said.strip()))
        more = said.replace(errors, "", 1).splitlines()
        if len(more) > lines or not all(line.startswith("echo: ") for line in more):
            raise cases.Failure("%s says: %s" % (mode, said))
    traced = {"ECHO_DR_TRACE": folder, "ECHO_DR_PLAN": plan}
    same("preloaded", 0)
    same("profile", 1, ECHO_DR_MODE="profile", **traced)
    tracefile.plan(trace, "system", plan)
    same("validate", 1, ECHO_DR_MODE="validate", **traced)
    for choice, watch in (("pinned-split", ""), ("mapped", ""), ("mapped", "1")):
        tracefile.plan(trace, choice, plan)
        # Without its environment the device is one whose buffers cannot be watched, and a line says so. What uses
        # a buffer in the first windows, which are watched, is said.
        lines = bool(watch) or (choice == "mapped" and bool({"unset-environment", "small-stack"} & set(command)))
        same(choice + watch, lines, ECHO_DR_MODE="optimize", ECHO_DR_PLAN=plan, ECHO_DR_WATCH=watch)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=os.path.join(tracefile.ROOT, "build"))
    parser.add_argument("filter", nargs="*", help="only these cases")
    args = parser.parse_args()
    work = os.path.join(os.path.abspath(args.build), "test", "dr-odd")
    os.makedirs(work, exist_ok=True)
    runner = run.Runner(os.path.abspath(args.build), work, "cpu", "shared", limit=60)
    program = runner.compile(SOURCE, "-lpthread")
    _, traces = runner.profile([program, "plain"], "odd.plain", **DEVICE)
    names = " ".join(re.findall(r"^// ODD: (.*)$", open(SOURCE).read(), re.M)).split()
    checks = [(name + late, lambda n=name, w=late: check(runner, [program, n] + w.split(), traces[0]))
              for name in names for late in ("", " late")]
    return cases.run_all(checks, lambda name: not args.filter or name.split()[0] in args.filter)


if __name__ == "__main__":
    sys.exit(main())
