#!/usr/bin/env python3
# Random programs of the fuzz campaign under libecho-dr.so, on the CPU device: every pair
# that copies link is validated, those that pass are made one buffer, and output must stay
# what it was under every schedule. What passes and changes the output is a bug.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fuzz.py --seed WORD --programs N: programs 0 to N-1 of that seed. Each runs several times in
a process, with each of its inputs. Ends with "N passed, N failed" and how many pairs were merged."""
import argparse
import glob
import json
import os
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "fuzz")]
import emit  # noqa: E402
import generate  # noqa: E402
import run  # noqa: E402
import tracefile  # noqa: E402

RUNS = 9  # of a program in a process, over its inputs: with others it may do what is undefined
SCHEDULES = ("eager", "lazy", "random:1", "random:2")
CHOICES = ("system", "managed", "mapped")
TINY = {"ECHO_MIN_BYTES": "16"}  # the programs' buffers are small


def verdicts(traces):
    """(ids that passed, ids that were trapped -> name)."""
    traps, rounds, trapped = tracefile.table("DR_TRAP"), {}, {}
    for trace in traces:
        for kind, flags, _, _, _, _, _, a, b, _, _ in trace.records:
            if kind == "Rounds":
                rounds[b] = max(a, rounds.get(b, 0))
            elif kind == "Trap":
                trapped[b] = traps[flags]
    return {i for i, n in rounds.items() if n >= 2 and i not in trapped}, trapped


def traced(runner, command, name, mode, **env):
    folder = os.path.join(runner.work, name + ".traces")
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)
    result, said = runner.run(command, ECHO_DR_MODE=mode, ECHO_DR_TRACE=folder, **TINY, **env)
    return result, said, [tracefile.Trace(f) for f in glob.glob(folder + "/*.echo")]


def keep(ids=None):
    """Leaves the pairs that could be one buffer; of these only `ids`, if given."""
    def change(whole):
        whole["pairs"] = [p for p in whole["pairs"] if p["bytes"] == p["device_bytes"]
                          and (ids is None or p["id"] in ids)]
    return change


def apart(result):
    """A run's result with the lines of kernels by themselves: a wait that the library adds may bring them earlier."""
    status, text = result
    lines = text.splitlines()
    return status, [x for x in lines if not x.startswith(b"says ")], [x for x in lines if x.startswith(b"says ")]


def optimized(runner, command, plan, plain, what, schedules=SCHEDULES, **env):
    """Why a run with the plan is not as it should be."""
    for schedule in schedules:
        try:
            result, said = runner.run(command, ECHO_DR_MODE="optimize", ECHO_DR_PLAN=plan,
                                      ECHO_VERBOSE="1", ECHO_CPU_SCHED=schedule, **TINY, **env)
        except subprocess.TimeoutExpired:
            return "%s, %s: hangs" % (what, schedule)
        if apart(result) != apart(plain):
            return "%s, %s: the output changes (%s)" % (what, schedule, said.strip()[-300:])
    return None


def pinned(runner, command, plain, choice="pinned-split", change=None):
    """Every pair pinned, which needs no validation, or uploads of those that passed going on."""
    device, plan = {"ECHO_CPU_ATTR": run.DISCRETE}, os.path.join(runner.work, "pinned.json")
    _, _, traces = traced(runner, command, "profile", "profile", **device)
    trace = max(traces, key=lambda t: t.count("Copy"), default=None)
    if not trace or not tracefile.plan(trace, choice, plan, change):
        return None
    return (optimized(runner, command, plan, plain, choice, ("eager", "lazy"), ECHO_DR_WATCH="0", **device) or
            optimized(runner, command, plan, plain, choice + ", watched", ("eager", "lazy"), ECHO_DR_WATCH="1", **device))


def examine(runner, command, tally):
    """Problems of one program, as text."""
    plain, _ = runner.run(command, preload=False)
    if runner.run(command, preload=False, MALLOC_PERTURB_="90")[0] != plain:
        return None  # with some argument it reads what nobody wrote
    why = pinned(runner, command, plain)
    if why:
        return why
    result, said, traces = traced(runner, command, "profile", "profile")
    if result != plain:
        return "profiling changes the output (%s)" % said
    trace = max(traces, key=lambda t: t.count("Copy"), default=None)
    plan = os.path.join(runner.work, "plan.json")
    if not trace or not tracefile.plan(trace, "system", plan, keep()):
        return None
    result, said, traces = traced(runner, command, "validate", "validate", ECHO_DR_PLAN=plan,
                                  ECHO_CPU_SCHED="lazy")
    passed, trapped = verdicts(traces)
    for why in trapped.values():
        tally[why] = tally.get(why, 0) + 1
    if apart(result) != apart(plain):
        return "validation changes the output (%s)" % said.strip()[-300:]
    tally["merged"] = tally.get("merged", 0) + len(passed)
    if not passed:
        return None
    for choice in CHOICES:
        tracefile.plan(trace, choice, plan, keep(passed))
        why = optimized(runner, command, plan, plain, "%s of pairs %s" % (choice, sorted(passed)))
        if why:
            return why
    why = pinned(runner, command, plain, "pinned-queued", keep(passed))
    if why:
        return why
    # Every window watched, in programs of which validation saw nothing.
    tracefile.plan(trace, "mapped", plan, keep(passed))
    why = optimized(runner, command, plan, plain, "watched pairs %s" % sorted(passed), SCHEDULES,
                    ECHO_DR_WATCH="1", ECHO_CPU_ATTR=run.DISCRETE)
    if not why and any(p["disabled"] for p in json.load(open(plan))["pairs"]):
        why = "a watched pair that passed validation is left: %s" % open(plan).read()
    return why


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=os.path.join(tracefile.ROOT, "build"))
    parser.add_argument("--seed", default="1")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--programs", type=int, default=20)
    args = parser.parse_args()
    work = os.path.join(os.path.abspath(args.build), "test", "dr-fuzz")
    os.makedirs(work, exist_ok=True)
    runner = run.Runner(os.path.abspath(args.build), work, "cpu", "shared")
    numbers = range(args.first, args.first + args.programs)
    made = [(k, generate.numbered(args.seed, k)) for k in numbers]
    # No run with two buffers shows that a program looks at addresses.
    made = [(k, p) for k, p in made if not p.per_thread
            and not any(s["op"] == "observe" for s in p.statements())]
    source = os.path.join(work, "batch.cu")
    with open(source, "w") as out:
        out.write(emit.Emitter().batch([p for _, p in made]))
    program, tally, failed = runner.compile(source), {}, 0
    for number, (k, p) in enumerate(made):
        words = ["%d:%s" % (number, a) for a in p.inputs for _ in range(RUNS // len(p.inputs))]
        why = examine(runner, [program, *words], tally)
        if why:
            failed += 1
            print("FAIL %s:%d: %s" % (args.seed, k, why), flush=True)
    print(", ".join("%s %d" % item for item in sorted(tally.items())))
    print("%d passed, %d failed" % (len(made) - failed, failed))
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
