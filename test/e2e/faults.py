# Has the calls of a program fail, one at a time, plain and merged, and compares what
# it prints and its exit status. A merged program makes other calls than the one as
# written, so what it does must be what the program as written does where one call of
# that kind fails, or none. It decides what of a program with a fault is defined.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Faults in the end-to-end tests.

kinds of faults
  alloc, copy, set, create, launch, wait, trap   the n-th call of ECHO_CPU_FAIL
  memory    the device has a byte too few for all allocations (1), half of that (2), ... (ECHO_CPU_MEMORY)

Launches and traps are as many in both programs and come in the same order: the same one must do the same.

What a program as written does with a fault counts only where it is the same under every schedule and whatever fresh
device memory and downloads from a failed device hold: else the program goes on with something undefined. CUDA leaves
open which call tells of a trap: another one may end the program with the same error.

Run as a program: test/e2e/faults.py [--filter REGEX] builds every hand-written program and example, and goes through
all faults on all devices. Ends with "N passed, N failed". The short form, one fault of each kind on a device in turns,
is a part of run.py.
"""
import argparse
import concurrent.futures
import os
import re
import shutil
import sys
import time

from process import on, run

KINDS = ("alloc", "copy", "set", "create", "launch", "trap", "wait", "memory")
# Echo makes as many of these as the program as written, and in the same order.
SAME = ("launch", "trap")
# A wait of echort's for a copy that it left out fails as the copy would after a trap; memory may end at any
# allocation.
ALSO = {"wait": ("trap",), "memory": ("alloc",)}
DEVICES = [on("orin"), on("thor"), on("thor", "mapped"), on("gb10", "managed"), on("gh200"), on("discrete"),
           on("discrete", "pinned-split")]
LAZY = {"ECHO_CPU_SCHED": "lazy", "ECHO_CPU_POISON": "2"}
PLAIN = [LAZY, {"ECHO_CPU_SCHED": "eager", "ECHO_CPU_POISON": "0"},
         {"ECHO_CPU_SCHED": "random:1", "ECHO_CPU_POISON": "2"}]
SEARCHED = 200  # calls of each kind of the program as written that may fail instead
MOST_MEMORY = 1 << 40
SHORTEST_LIMIT = 3  # seconds for a run with a fault


def told_elsewhere(did, what):
    """True if `did` and `what` are the same but for the call that tells of the device's error, and what is printed
    between these two."""
    if did[0] != what[0] or not did[0]:
        return False
    lines, others = did[1].splitlines(), what[1].splitlines()
    ends = [re.search(rb"cudaError\w+$", some[-1]) if some else None for some in (lines, others)]
    if None in ends or ends[0].group() != ends[1].group():
        return False
    common = min(len(lines), len(others)) - 1
    return lines[:common] == others[:common]


def crashed(what):
    """True for a run that a signal ended, or nothing did: after a fault, the program uses what it does not have."""
    return what[0] is None or what[0] < 0


class Did:
    """What a program as written does with one fault: the runs that were made of it."""

    def __init__(self, what, happened):
        self.all, self.happened = [what], happened
        self.complete = False


class Faults:
    """The faults of one program that was built plain and merged."""

    def __init__(self, plain, merged, arguments=(), timeout=20, most=40, devices=DEVICES):
        self.plain, self.merged, self.arguments = plain, merged, list(arguments)
        self.timeout, self.most, self.devices = timeout, most, devices
        self.known = {}
        self.limits = None
        self.cut = False  # the program as written makes more than SEARCHED calls of a kind
        self.compared = self.open = 0

    def once(self, binary, setting, kind="", number=0):
        """((exit status, output, errors), whether the fault happened)."""
        fault = f"{kind}:{number}"
        extra = {}
        if kind == "memory":
            extra = {"ECHO_CPU_MEMORY": str(self.limits[number - 1])}
        elif kind:
            extra = {"ECHO_CPU_FAIL": fault}
        status, text, errors = run([binary, *self.arguments], self.timeout, {**setting, **extra})
        happened = kind == "memory" or f"note: {fault} failed\n" in errors
        # Messages of the device name addresses.
        errors = "".join(line for line in errors.splitlines(True) if not line.startswith("echo-cpu: "))
        return (status, text, errors), happened

    def as_written(self, kind="", number=0):
        """What the program as written does, by its first run."""
        if (kind, number) not in self.known:
            self.known[kind, number] = Did(*self.once(self.plain, PLAIN[0], kind, number))
        return self.known[kind, number]

    def more(self, kind="", number=0):
        """The same with all its runs."""
        did = self.as_written(kind, number)
        if not did.complete:
            did.all += [self.once(self.plain, setting, kind, number)[0] for setting in PLAIN[1:]]
            did.complete = True
        return did

    def choices(self, kind, number):
        """The faults of the program as written by which a merged one may fail, the likeliest first."""
        if self.as_written(kind, number).happened:
            yield kind, number
        if kind in SAME:
            return
        yield "", 0
        for other in (kind, *ALSO.get(kind, ())):
            for n in range(1, (len(self.limits) if other == "memory" else SEARCHED) + 1):
                if not self.as_written(other, n).happened:
                    break
                yield other, n
            else:
                self.cut = self.cut or other != "memory"

    def allows(self, did, kind, number):
        """True if the program as written does the same with a fault; None if what it does is undefined."""
        found = []
        for choice in self.choices(kind, number):
            if did == self.as_written(*choice).all[0]:
                return True
            found.append(choice)
        every = [self.more(*choice).all for choice in found]
        if any(did in some for some in every):
            return True
        if kind in ("trap", "wait") and any(told_elsewhere(did, what) for some in every for what in some):
            return True
        if crashed(did) and not any(crashed(what) for some in every for what in some):
            return False
        return None if any(len(set(some)) != 1 or crashed(some[0]) for some in every) else False

    def find_limits(self):
        """Amounts of memory that are too small: a byte less than what is enough, and parts of that."""
        clean = self.as_written().all[0]

        def enough(limit):
            self.limits = [limit]
            return self.once(self.plain, PLAIN[0], "memory", 1)[0] == clean

        low, high = 0, 1
        while high < MOST_MEMORY and not enough(high):
            low, high = high, high * 16
        while high < MOST_MEMORY and high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if enough(middle) else (middle, high)
        self.limits = list(dict.fromkeys(limit for limit in (low, low // 2, low // 4) if limit and high < MOST_MEMORY))

    def check(self, kinds=KINDS):
        """What is wrong with the merged program, or None."""
        start = time.monotonic()
        clean = self.as_written().all[0]
        if crashed(clean):
            return None  # it ends by a signal as it is
        # After a fault, some programs ask for ever whether work is done.
        self.timeout = min(self.timeout, max(SHORTEST_LIMIT, 30 * (time.monotonic() - start)))
        if "memory" in kinds:
            self.find_limits()
        for kind in kinds:
            for device in self.devices:
                if problem := self.check_kind(kind, {**LAZY, **device}):
                    return f"{device}: {problem}"
        return None

    def check_kind(self, kind, setting):
        """Faults 1, 2, ... of a kind, as long as they happen."""
        most = min(self.most, len(self.limits)) if kind == "memory" else self.most
        for number in range(1, most + 1):
            did, happened = self.once(self.merged, setting, kind, number)
            if kind in SAME and happened != self.as_written(kind, number).happened:
                return f"{kind}:{number} happens in only one of the programs"
            if not happened:
                return None
            allowed = self.allows(did, kind, number)
            if allowed is False:
                cut = f" (only the first {SEARCHED} calls were tried; see FAULT-ARGS)" if self.cut else ""
                return (f"{kind}:{number}: exit status {did[0]}, which no fault of the program as written gives{cut}\n"
                        f"{did[1][-400:].decode(errors='replace')}{did[2][-400:]}")
            self.compared += allowed is True
            self.open += allowed is None
        return None


def kinds_of(program):
    """The kinds of faults of a program, without those of its NO-FAULT line."""
    return [kind for kind in KINDS if kind not in program.no_fault]


def short(program, plain, merged, timeout):
    """What is wrong with the first fault of each kind but memory, on a device that depends on the name; or None."""
    device = DEVICES[sum(map(ord, program.name)) % len(DEVICES)]
    kinds = [kind for kind in kinds_of(program) if kind != "memory"]
    return Faults(plain, merged, program.fault_args, timeout, most=1, devices=[device]).check(kinds)


def examine(tester, program, options):
    """(problem, runs compared, runs left open) of one program."""
    folder = tester.fresh_folder(program, options.levels)
    plain, problem = tester.compile(program, options.levels, folder, False)
    merged, problem = tester.compile(program, options.levels, folder, True) if not problem else (None, problem)
    if problem:
        return problem, 0, 0
    faults = Faults(plain, merged, program.fault_args, options.timeout, options.most)
    problem = faults.check(kinds_of(program))
    if problem:
        return f"{problem} (kept: {folder})", faults.compared, faults.open
    shutil.rmtree(folder, ignore_errors=True)
    return None, faults.compared, faults.open


def main():
    import run as e2e  # which has the short form of this
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(e2e.ROOT, "build"), help="build folder")
    parser.add_argument("--filter", default="", help="regular expression of program names")
    parser.add_argument("--levels", default="-O2", help="optimization level")
    parser.add_argument("--timeout", type=float, default=20, help="seconds per run")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="programs at a time")
    parser.add_argument("--most", type=int, default=40, help="calls of each kind that fail, one at a time")
    options = parser.parse_args()
    options.build, options.schedules, options.no_precompiled = os.path.abspath(options.build), 0, False
    tester = e2e.Tester(options)
    tester.out = os.path.join(options.build, "e2e-faults")
    tester.prepare()
    programs = [p for p in e2e.discover()
                if re.search(options.filter, p.name) and not e2e.missing_libraries(p, options.build)]
    passed = failed = compared = left = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        tasks = {pool.submit(examine, tester, program, options): program for program in programs}
        for task in concurrent.futures.as_completed(tasks):
            problem, some, others = task.result()
            compared, left = compared + some, left + others
            passed, failed = passed + (not problem), failed + bool(problem)
            if problem:
                print(f"FAIL {tasks[task].name}\n    " + problem.rstrip().replace("\n", "\n    "), flush=True)
    print(f"{compared} runs with a fault compared, {left} of programs that go on with something undefined")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
