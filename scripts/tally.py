#!/usr/bin/env python3
# Adds up the results of ctest (counting the cases inside lit, Catch2 and unittest)
# and of the runners that say "N passed, N failed", and prints such a line. Fails
# if anything failed.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import re
import sys


def count_case(text):
    """(passed, failed) of one ctest test from its output."""
    # A test with a pass expression says why it passed.
    good = "\nTest Passed." in text or "\nTest Pass Reason:" in text
    # lit: "  Passed: 12 (100.00%)"
    lit = {k: int(n) for k, n in re.findall(r"^\s*(Passed|Failed|Unresolved|Timed Out|"
                                            r"Unexpectedly Passed)\s*:\s*(\d+)", text, re.M)}
    if lit:
        passed = lit.pop("Passed", 0)
        failed = sum(lit.values())
    elif ran := re.findall(r"^Ran (\d+) tests? in ", text, re.M):
        # unittest: "Ran 12 tests in 0.1s", then "OK" or "FAILED (failures=1, errors=2)"
        failed = sum(int(n) for n in re.findall(r"(?:failures|errors)=(\d+)", text))
        passed = int(ran[-1]) - failed
    else:
        # Catch2: "All tests passed (9 assertions in 3 test cases)" or
        # "test cases: 12 | 11 passed | 1 failed"
        passed = failed = 0
        for n in re.findall(r"All tests passed \(.* in (\d+) test cases?\)", text):
            passed += int(n)
        for line in re.findall(r"^test cases:.*", text, re.M):
            passed += sum(int(n) for n in re.findall(r"(\d+) passed", line))
            failed += sum(int(n) for n in re.findall(r"(\d+) failed", line))
    if good:
        return max(passed, 1), failed
    return passed, max(failed, 1)


def count_ctest(path):
    try:
        text = open(path, errors="replace").read()
    except OSError:
        return 0, 1
    # Tests are separated by lines "N/M Testing: NAME".
    cases = re.split(r"^\d+/\d+ Testing: ", text, flags=re.M)[1:]
    if not cases:
        return 0, 1
    passed = failed = 0
    for case in cases:
        p, f = count_case(case)
        passed, failed = passed + p, failed + f
    return passed, failed


def count_runner(path):
    try:
        found = re.findall(r"^(\d+) passed, (\d+) failed$", open(path).read(), re.M)
    except OSError:
        found = []
    return tuple(map(int, found[-1])) if found else (0, 1)


def main():
    # The log of ctest and its exit status, then output and status of every runner.
    parts = list(zip(sys.argv[1::2], sys.argv[2::2]))
    passed = failed = 0
    for i, (path, status) in enumerate(parts):
        p, f = count_runner(path) if i else count_ctest(path)
        passed += p
        failed += f if f or status == "0" else 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
