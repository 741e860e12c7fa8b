#!/usr/bin/env python3
# Runs the cases of tricks/tricks.cu on the CPU device with every pair in one buffer, though
# many of them must not be, and every window watched: the output must be that of the plain run,
# the plan must leave the pairs alone that validation rejects, and no others. Of streams.cu those
# that validation passes: a library's work, however long it lasts, must not end what is watched.
# Ends with "N passed, N failed".
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""End-to-end tests of ECHO_DR_WATCH: what a watched window sees, and what the program gets."""
import argparse
import json
import os
import re
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import cases  # noqa: E402
import run  # noqa: E402
import tracefile  # noqa: E402
import validate  # noqa: E402

# A child has memory of its own also where a window is watched, so nothing is lost; nor does anything
# wait for work that waits for the host.
HARMLESS = ("pass", "Child", "lost", "Held")
# A child that is made past fork, or a buffer that is freed in the order of a stream, is no access: the buffers go
# apart, and the plan stays.
PARTED = ("fork-raw", "fork-clone", "anew-in-order")
# What they do comes after the windows that are all watched.
LATE = ("grows", "read-once")
DEVICE = {"ECHO_CPU_ATTR": run.DISCRETE}


def check(runner, program, case, wanted, every="1"):
    command = [program, case]
    plain, _ = runner.run(command, preload=False, **DEVICE)
    _, traces = runner.profile(command, "watch." + case, **DEVICE)
    trace = max(traces, key=lambda t: t.count("Copy"))
    plan, pairs = os.path.join(runner.work, "watch.%s.json" % case), {}

    def keep(whole):
        whole["pairs"] = [p for p in whole["pairs"] if p["bytes"] == p["device_bytes"]]
        pairs.update(validate.named(whole))
    for schedule in run.SCHEDULES:
        tracefile.plan(trace, "mapped", plan, keep)
        got, said = runner.optimize(command, plan, ECHO_CPU_SCHED=schedule, ECHO_DR_WATCH=every, **DEVICE)
        what = "%s, watched: %s" % (schedule, said)
        run.same(got, plain, what)
        whole = json.load(open(plan))
        left = {p["id"]: p["disabled"] for p in whole["pairs"]}
        for name, verdict in wanted:
            if case in PARTED:
                verdict = "pass"
            if name in pairs and verdict != "any" and bool(left[pairs[name]]) == (verdict in HARMLESS):
                raise cases.Failure("%s: %s is %s" % (what, name, left[pairs[name]]))
        if any(left.values()) != ("is left from now on" in said):
            raise cases.Failure(what)
        if not re.search(r"^echo: [1-9]\d* windows of GPU use watched$", said, re.M) and \
                not any(left.values()) and case not in ("crash", "exec", *PARTED):
            raise cases.Failure("no window was watched: " + what)
        # The file is a plan as before, and the pairs that it leaves are not watched again.
        got, said = runner.optimize(command, plan, ECHO_CPU_SCHED=schedule, ECHO_DR_WATCH=every, **DEVICE)
        run.same(got, plain, "again: " + said)
        if "is left from now on" in said or "program runs unchanged" in said:
            raise cases.Failure("again: " + said)


def check_queued(runner, program, case, words, every="1"):
    """Uploads of pinned-queued that are watched: who writes what one that goes on might read is seen."""
    command = [program, case]
    plain, _ = runner.run(command, preload=False, **DEVICE)
    _, traces = runner.profile(command, "watch.queued." + case, **DEVICE)
    plan = os.path.join(runner.work, "watch.queued.%s.json" % case)
    for schedule in run.SCHEDULES:
        tracefile.plan(traces[0], "pinned-queued", plan)
        for again in (False, True):
            got, said = runner.optimize(command, plan, ECHO_CPU_SCHED=schedule, ECHO_DR_WATCH=every, **DEVICE)
            run.same(got, plain, "%s, again %d: %s" % (schedule, again, said))
            left = sum(bool(p["disabled"]) for p in json.load(open(plan))["pairs"])
            if left != ("left" in words) or ("is left from now on" in said) != (left and not again):
                raise cases.Failure("%s, again %d: %d pairs left: %s" % (schedule, again, left, said))
            seen = re.search(r"^echo: [1-9]\d* windows of GPU use watched$", said, re.M)
            if bool(seen) == (again and left > 0):
                raise cases.Failure("%s, again %d: %s" % (schedule, again, said))
            if not left and "as-written" not in words and bool(run.queued(said)) == (every == "1"):
                raise cases.Failure("%s: uploads that went on: %s" % (schedule, said))


def check_seldom(runner, program):
    """One window in many, after the first ones, and nothing breaks."""
    check(runner, program, "plain", [("in", "pass"), ("out", "pass")], every="1000000")


def check_usual(runner, program):
    """Windows are watched unless the user turns that off."""
    command = [program, "plain"]
    plain, _ = runner.run(command, preload=False, **DEVICE)
    _, traces = runner.profile(command, "watch.usual", **DEVICE)
    plan = os.path.join(runner.work, "watch.usual.json")
    for env, watched in (({}, True), ({"ECHO_DR_WATCH": ""}, True), ({"ECHO_DR_WATCH": "0"}, False)):
        tracefile.plan(traces[0], "mapped", plan)
        got, said = runner.optimize(command, plan, **env, **DEVICE)
        run.same(got, plain, said)
        if bool(re.search(r"^echo: [1-9]\d* windows of GPU use watched$", said, re.M)) != watched:
            raise cases.Failure("%r: %s" % (env, said))


def check_unwatched(runner, program):
    """Where closed pages would be in the device's way, or memory has one mapping, a line says so."""
    command = [program, "plain"]
    plain, _ = runner.run(command, preload=False)
    _, traces = runner.profile(command, "watch.unwatched")
    plan = os.path.join(runner.work, "watch.unwatched.json")
    for choice, env, line in (("mapped", {}, "nothing is watched: the device reaches"),
                              ("managed", DEVICE, "managed memory cannot be closed"),
                              ("pinned-split", DEVICE, "nothing is watched: the plan has no pair")):
        tracefile.plan(traces[0], choice, plan)
        got, said = runner.optimize(command, plan, ECHO_DR_WATCH="1", **env)
        run.same(got, plain, choice)
        if said.count(line) < 1 or "is left" in said:
            raise cases.Failure("%s: %s" % (choice, said))
    # Where nobody asked for it, what cannot be watched still says so, and pinned-split has nothing to watch.
    for choice, env, line in (("mapped", {}, "nothing is watched: the device reaches"),
                              ("managed", DEVICE, "managed memory cannot be closed"), ("pinned-split", DEVICE, "")):
        tracefile.plan(traces[0], choice, plan)
        got, said = runner.optimize(command, plan, **env)
        run.same(got, plain, choice)
        if line not in said or ("watched:" in said) != bool(line):
            raise cases.Failure("%s: %s" % (choice, said))
    got, said = runner.optimize(command, plan, ECHO_DR_WATCH="often")
    if got != plain or "is not a number" not in said:
        raise cases.Failure(said)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=os.path.join(tracefile.ROOT, "build"))
    parser.add_argument("filter", nargs="*", help="only these cases")
    args = parser.parse_args()
    work = os.path.join(os.path.abspath(args.build), "test", "dr-watch")
    os.makedirs(work, exist_ok=True)
    runner = run.Runner(os.path.abspath(args.build), work, "cpu", "shared")
    program = runner.compile(validate.SOURCE, "-lpthread")
    checks = [(case, lambda c=case, w=wanted: check(runner, program, c, w))
              for case, wanted in validate.expected_of(validate.SOURCE)]
    streams = validate.compile_streams(runner)
    checks += [(case, lambda c=case, w=wanted: check(runner, streams, c, w))
               for case, wanted in validate.expected_of(validate.STREAMS_SOURCE)
               if all(verdict == "pass" for _, verdict in wanted)]
    # The first windows of each pair are all watched, whatever N is.
    checks += [("early/" + case, lambda c=case, w=wanted: check(runner, program, c, w, every="64"))
               for case, wanted in validate.expected_of(validate.SOURCE) if case not in LATE]
    queued = runner.compile(os.path.join(HERE, "tricks", "queued.cu"), "-lpthread")
    for name, every in (("queued/", "1"), ("queued-early/", "64")):
        checks += [(name + case, lambda c=case, w=words, e=every: check_queued(runner, queued, c, w, e))
                   for case, words in run.cases_of(os.path.join(HERE, "tricks", "queued.cu"))
                   if every == "1" or "watched-all" not in words]
    checks += [(name, lambda c=c: c(runner, program)) for name, c in
               (("usual", check_usual), ("seldom", check_seldom), ("unwatched", check_unwatched))]
    return cases.run_all(checks, lambda name: not args.filter or name in args.filter)


if __name__ == "__main__":
    sys.exit(main())
