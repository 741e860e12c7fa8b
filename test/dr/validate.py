#!/usr/bin/env python3
# Runs the cases of tricks/*.cu on the CPU device in validate mode, with a plan
# of all pairs that the plain loop has, and compares what was said of each pair, the
# output and the exit status. Ends with "N passed, N failed".
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""End-to-end tests of validate mode: what it passes, what it must reject."""
import argparse
import glob
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

SOURCE = os.path.join(HERE, "tricks", "tricks.cu")
BYPASS_SOURCE = os.path.join(HERE, "tricks", "bypass.cu")
STREAMS_SOURCE = os.path.join(HERE, "tricks", "streams.cu")
GLANCES_SOURCE = os.path.join(HERE, "tricks", "glances.cu")
READERS_SOURCE = os.path.join(HERE, "tricks", "readers.cu")
LOADERS_SOURCE = os.path.join(HERE, "tricks", "loaders.cu")
OPENED_SOURCE = os.path.join(HERE, "tricks", "opened.cu")
TRIED_SOURCE = os.path.join(HERE, "tricks", "tried.cu")
PATHS_SOURCE = os.path.join(HERE, "tricks", "paths.cu")
VARIABLE_SOURCE = os.path.join(HERE, "tricks", "variable.cu")
BUSY_SOURCE = os.path.join(HERE, "tricks", "busy.cu")
RELEASED_SOURCE = os.path.join(HERE, "programs", "released.cu")
LOOKED_UP_SOURCE = os.path.join(HERE, "programs", "looked-up.cu")
GRAPHS_SOURCE = os.path.join(HERE, "tricks", "graphs.cu")
LIBRARY_SOURCE = os.path.join(HERE, "tricks", "library.cu")


def named(whole):
    """in and out -> number of the pair; one with copies in both directions is in."""
    return {"in" if any(c["direction"] == "H2D" for c in p["copies"]) else "out": p["id"] for p in whole["pairs"]}


def said(traces, number):
    """pass, lost, a trap's name (and why the pair dropped out), or - for a pair of which nothing was said."""
    traps, reasons, verdict = tracefile.table("DR_TRAP"), tracefile.table("DR_REASON"), "-"
    for trace in traces:
        for kind, flags, _, _, _, _, _, a, b, _, why in trace.records:
            if b == number and kind == "Trap":
                return traps[flags] + (" " + reasons[why] if traps[flags] == "DroppedOut" else "")
            if b == number and kind == "Rounds" and a >= 2:
                verdict = "pass"
    return "lost" if any(t.dropped for t in traces) else verdict


def located(traces):
    """True if every access that was caught names a module and an offset."""
    modules = {r[7] for t in traces for r in t.records if r[0] == "Module"}
    traps = tracefile.table("DR_TRAP")
    return all(r[6] in modules and r[9] for t in traces for r in t.records
               if r[0] == "Trap" and traps[r[1]] in ("HostAccess", "SystemCall", "Child"))


def check(runner, program, case, wanted, **env):
    command = [program, case]
    name = ".".join([os.path.basename(program), case, *env])  # of its files: cases run side by side
    plain, _ = runner.run(command, preload=False)
    _, traces = runner.profile(command, name)
    trace = max(traces, key=lambda t: t.count("Copy"))
    plan, pairs = os.path.join(runner.work, name + ".json"), {}

    def keep(whole):
        whole["pairs"] = [p for p in whole["pairs"] if p["bytes"] == p["device_bytes"]]
        pairs.update(named(whole))
    tracefile.plan(trace, "system", plan, keep)
    for schedule in run.SCHEDULES[runner.on_gpu:]:
        folder = os.path.join(runner.work, name + ".validate")
        shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(folder)
        got, text = runner.run(command, ECHO_DR_MODE="validate", ECHO_DR_PLAN=plan,
                               ECHO_DR_TRACE=folder, ECHO_CPU_SCHED=schedule, **env)
        run.same(got, plain, "validated, %s: %s" % (schedule, text))
        traces = [tracefile.Trace(f) for f in sorted(glob.glob(folder + "/*.echo"))]
        for pair, expected in wanted:
            if pair not in pairs:
                raise cases.Failure("profiling saw no pair '%s'" % pair)
            verdict = said(traces, pairs[pair])
            if not set(verdict.split()) & set(expected.split("|")) and expected != "any":
                raise cases.Failure("%s, %s is %s, not %s" % (schedule, pair, verdict, expected))
        if not located(traces):
            raise cases.Failure("%s: an access does not say where it is" % schedule)


def expected_of(source):
    """The cases that a program names, each with what is said of its pairs."""
    return [(case, re.findall(r"(\w+)=(\S+)", verdicts))
            for case, verdicts in re.findall(r"^// VALIDATE: (\S+)\s*\|(.*)$", open(source).read(), re.M)]


def compile_streams(runner):
    """The program of streams.cu, with its library beside it."""
    shutil.copy(runner.compile(os.path.join(HERE, "tricks", "keeps.cu"), "-shared", "-fPIC"),
                os.path.join(runner.work, "libkeeps.so"))
    return runner.compile(STREAMS_SOURCE, "-lpthread")


def compile_looked_up(runner):
    """The program of looked-up.cu, linked with its library."""
    library = run.compile_library(runner, LOOKED_UP_SOURCE)
    return runner.compile(LOOKED_UP_SOURCE, library, "-Wl,-rpath," + runner.work)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=os.path.join(tracefile.ROOT, "build"))
    parser.add_argument("--jobs", type=int, default=3, help="cases at a time; a case mostly waits")
    parser.add_argument("filter", nargs="*", help="only these cases")
    args = parser.parse_args()
    work = os.path.join(os.path.abspath(args.build), "test", "dr-validate")
    os.makedirs(work, exist_ok=True)
    runner = run.Runner(os.path.abspath(args.build), work, "cpu", "shared")
    asks = runner.compile(os.path.join(HERE, "tricks", "asks.cu"), "-shared", "-fPIC")
    for name in ("libcublas-0a5c.so.12", "libcublas_asks.so"):
        shutil.copy(asks, os.path.join(work, name))
    checks, with_library = [], {STREAMS_SOURCE: compile_streams, LOOKED_UP_SOURCE: compile_looked_up}
    for source in (SOURCE, BYPASS_SOURCE, STREAMS_SOURCE, READERS_SOURCE, GLANCES_SOURCE, OPENED_SOURCE, LOADERS_SOURCE, TRIED_SOURCE,
                   BUSY_SOURCE, PATHS_SOURCE, VARIABLE_SOURCE, RELEASED_SOURCE, LOOKED_UP_SOURCE, GRAPHS_SOURCE):
        program = with_library[source](runner) if source in with_library else runner.compile(source, "-lpthread")
        checks += [(case, lambda p=program, c=case, w=wanted: check(runner, p, c, w))
                   for case, wanted in expected_of(source)]
        if source == BYPASS_SOURCE:  # by a process that echo-run did not start
            unwatched = [("in", "CallsUnseen"), ("out", "CallsUnseen")]
            checks.append(("calls-unwatched", lambda p=program, w=unwatched: check(runner, p, "plain", w,
                                                                                   ECHO_DR_CALLS="1")))
    # The CPU device may have been built without OpenBLAS.
    if os.path.exists(os.path.join(args.build, "lib", "echo", "libecho_cpu_cublas.a")):
        library = runner.compile(LIBRARY_SOURCE, "-lcublas")
        checks += [(case, lambda c=case, w=wanted: check(runner, library, c, w))
                   for case, wanted in expected_of(LIBRARY_SOURCE)]
    return cases.run_all(checks, lambda name: not args.filter or name in args.filter, args.jobs)


if __name__ == "__main__":
    sys.exit(main())
