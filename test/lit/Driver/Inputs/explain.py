#!/usr/bin/env python3
"""Compiles the example of every reason that `echo-cc --explain` knows.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    explain.py ECHO_CC FOLDER

Each example is a diff. The program with the lines - must be declined for that
reason; the one with the lines + must merge all pairs. Reasons without example
are named.
"""
import os
import re
import subprocess
import sys

ECHO_CC, FOLDER = sys.argv[1:]
INCLUDES = "csetjmp cstdio cstdlib cstring malloc.h unistd.h".split()


def output(*args):
    done = subprocess.run([ECHO_CC, *args], capture_output=True, text=True)
    return done.stdout + done.stderr


def build(name, sign, programs):
    """The verdicts of the pairs of each program, all compiled as one file."""
    lines, owner = [f"#include <{header}>" for header in INCLUDES], {}
    for reason, diff in programs.items():
        lines.append("namespace " + reason.replace("-", "_") + " {")
        for line in diff:
            if line[:1] in (" ", sign):
                lines.append(line[1:])
                owner[len(lines)] = reason
        lines.append("}")
    source = os.path.join(FOLDER, name + ".cu")
    with open(source, "w") as file:
        file.write("\n".join(lines) + "\n")
    report = os.path.join(FOLDER, name + ".txt")
    if os.path.exists(report):
        os.remove(report)
    flags = ["-w", "--device=cpu", "-c", "-O1", "--min-bytes=4096"]
    print(output(*flags, source, "-o", os.path.join(FOLDER, name + ".o"), "--report", report), end="")
    verdicts = {reason: [] for reason in programs}
    pair = r"^\S+?:(\d+):\d+ .* \+ .*?  (unified|guarded|declined|skipped) +(.*)$"
    for match in re.finditer(pair, open(report).read(), re.M):
        refused = match[2] in ("declined", "skipped")
        known = [word for word in match[3].split() if word in programs]
        if match[2] == "skipped":
            known = ["too-small"]
        verdicts[owner[int(match[1])]].append(known[0] if refused and known else match[2])
    return verdicts


def main():
    listed = output("--explain", "no such reason").splitlines()
    reasons = [line.split()[0] for line in listed if line.startswith("  ")]
    programs, wrong = {}, 0
    for reason in reasons:
        page = output("--explain", reason)
        _, found, example = page.partition("\nexample:")
        if found:
            programs[reason] = example.split("\n")[2:]
        else:
            print("no example:", reason)
    declined, merged = build("declined", "-", programs), build("merged", "+", programs)
    for reason in programs:
        bad = declined[reason].count(reason) != 1 and reason not in set(declined[reason])
        if bad or not merged[reason] or not set(merged[reason]) <= {"unified", "guarded"}:
            wrong += 1
            print(f"wrong: {reason}: {declined[reason]}, then {merged[reason]}")
    print(f"{len(programs)} examples, {wrong} wrong")
    return 1 if wrong or len(programs) < 2 else 0


if __name__ == "__main__":
    sys.exit(main())
