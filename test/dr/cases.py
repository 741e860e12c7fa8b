# Runs named checks, tells which failed, and counts.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the test programs of this folder share: how a check fails, and their main loop."""
import concurrent.futures
import os
import subprocess
import sys
import time

sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "e2e"))
import precompiled  # noqa: E402,F401  (the end-to-end tests' own)


class Failure(Exception):
    """What was seen is not what should be."""


def expect(holds, what, *seen):
    if not holds:
        raise Failure("%s: %r" % (what, seen))


def same(got, expected, what):
    if got != expected:
        raise Failure("%s: exit status and output are %r, plain %r" % (what, got, expected))


def attempt(check):
    """Why a check failed, or None; and its seconds."""
    start = time.monotonic()
    try:
        check()
    except (Failure, subprocess.TimeoutExpired) as error:
        return str(error), time.monotonic() - start
    return None, time.monotonic() - start


def run_all(checks, wanted=lambda name: True, jobs=1, times=False):
    """Runs the checks, (name, function) each, that are wanted, so many at a time. Prints those that
    fail (with times: all) and, last, "N passed, N failed". Returns the exit status: 0 if some ran and
    all passed."""
    chosen = [c for c in checks if wanted(c[0])]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        running = [(name, pool.submit(attempt, check)) for name, check in chosen]
        for name, future in running:
            why, seconds = future.result()
            failed += why is not None
            if times:
                print("%5.1f s  %s" % (seconds, name), flush=True)
            if why is not None:
                print("FAIL %s: %s" % (name, why), flush=True)
    print("%d passed, %d failed" % (len(chosen) - failed, failed))
    return int(failed != 0 or not chosen)


def any_of(filters):
    """Wants the checks whose name contains one of the filters; all of them without filters."""
    return lambda name: not filters or any(f in name for f in filters)
