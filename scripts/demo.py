#!/usr/bin/env python3
# Compiles the examples plain and merged, prints the report of each, runs both
# on the CPU device and compares what they print. Fails if anything differs.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RUNS = 3


def build(compiler, name, out, merged):
    """Compiles examples/NAME through its Makefile, as a user would."""
    report = os.path.join(out, name + ".txt")
    extra = ["--device=cpu"]
    if merged:
        extra += [f"--report={report}", f"--report-json={report[:-4]}.json"]
        for path in (report, report[:-4] + ".json"):
            if os.path.exists(path):
                os.remove(path)
    else:
        extra.append("--no-unify")
    folder = os.path.join(ROOT, "examples", name)
    target = os.path.join(out, f"{name}-{'merged' if merged else 'plain'}")
    command = ["make", "-s", "-B", "-C", folder, f"NVCC={compiler}", f"EXTRA={' '.join(extra)}",
               f"OUT={target}"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"error: {name} does not compile:\n{done.stdout}")
    return target, report


def run(binary):
    """(stdout, exit status, best time in ms, bytes not copied) over RUNS runs."""
    environment = dict(os.environ, ECHO_STATS="1")
    best, saved = float("inf"), 0
    for _ in range(RUNS):
        done = subprocess.run([binary, "--time"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=environment, text=True)
        time = re.search(r"time: ([\d.]+) ms", done.stderr)
        if time:
            best = min(best, float(time.group(1)))
        account = re.search(r"(\d+) bytes not copied", done.stderr)
        if account:
            saved = int(account.group(1))
        if done.returncode != 0:
            print(done.stderr)
            break
    return done.stdout, done.returncode, best, saved


def size(count):
    for unit in ("B", "KiB", "MiB"):
        if count < 1024 or unit == "MiB":
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024


def verdicts(report):
    """(pairs that merge, pairs) of a JSON report."""
    pairs = [p for unit in json.load(open(report))["units"] for p in unit["pairs"]]
    return sum(p["verdict"] in ("unified", "guarded", "assumed") for p in pairs), len(pairs)


def main():
    build_folder = os.path.abspath(sys.argv[1])
    compiler = os.path.join(build_folder, "bin", "echo-cc")
    out = os.path.join(build_folder, "demo")
    os.makedirs(out, exist_ok=True)
    folder = os.path.join(ROOT, "examples")
    names = sorted(n for n in os.listdir(folder) if os.path.exists(f"{folder}/{n}/Makefile"))
    rows, good = [], True
    for name in names:
        print(f"\n== {name}")
        plain, _ = build(compiler, name, out, False)
        merged, report = build(compiler, name, out, True)
        print(open(report).read().rstrip() if os.path.exists(report) else "no report")
        plain_out, plain_status, plain_time, _ = run(plain)
        merged_out, merged_status, merged_time, saved = run(merged)
        print(merged_out.rstrip())
        agree = plain_out == merged_out and plain_status == merged_status == 0
        good = good and agree
        if not agree:
            print(f"DIFFERENT: plain (status {plain_status}) printed:\n{plain_out}", end="")
        merges, pairs = verdicts(report[:-4] + ".json")
        rows.append((name, f"{merges} of {pairs}", "equal" if agree else "DIFFERENT", size(saved),
                     f"{plain_time:.1f} ms", f"{merged_time:.1f} ms",
                     f"{plain_time / merged_time:.2f}x"))
    head = ("program", "pairs merged", "output", "not copied", "plain", "merged", "speed-up")
    widths = [max(len(row[i]) for row in rows + [head]) for i in range(len(head))]
    print(f"\nPlain against merged on the CPU device, best of {RUNS} runs:\n")
    for row in [head] + rows:
        cells = [row[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(row[1:], widths[1:])]
        print("  ".join(cells))
    print("\nall outputs agree" if good else "\nerror: outputs differ")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
