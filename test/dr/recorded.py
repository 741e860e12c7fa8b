# What a trace holds of threads and of launches in a row.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks of run.py that read the records of a profiled program."""
from cases import Failure, same


def check_at_once(runner, program):
    """The first records of several threads are all there, whoever makes the file."""
    plain, _ = runner.run([program], preload=False)
    for _ in range(5):
        result, traces = runner.profile([program], "at-once")
        same(result, plain, "profiled")
        if traces[0].count("HostAlloc") != 8 or traces[0].dropped:
            raise Failure("%d of 8 allocations are recorded" % traces[0].count("HostAlloc"))


def check_launches(runner, program):
    """One record stands for launches in a row only where nothing of the process lies between."""
    plain, _ = runner.run([program], preload=False)
    result, traces = runner.profile([program], "launches")
    same(result, plain, "profiled")
    runs = [1 + r[9] for r in traces[0].records if r[0] == "Launch"]
    expected = [100, 50, 51] + 9 * [1] + [4, 20, 65, 1] + [1]  # the last is the other thread's
    if len(traces) != 1 or runs != expected:
        raise Failure("launches in a row: %s, not %s" % (runs, expected))
