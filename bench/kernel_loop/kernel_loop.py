#!/usr/bin/env python3
# Barrier-free kernels on the CPU device against plain C++ loops.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the same loops as kernels and as plain C++ over as many threads."""

import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import common  # noqa: E402


def lines(command, **more):
    rows = {}
    for line in common.run(command, **more).stdout.splitlines():
        name, time, checksum = line.split()
        rows[name] = (float(time), float(checksum))
    return rows


def main():
    options = common.arguments(__doc__, runs=5).parse_args()
    threads = len(os.sched_getaffinity(0))
    with common.scratch() as folder:
        common.run([common.echo_cc(options), "--device=cpu", "-O3",
                    HERE / "kernels.cu", "-o", f"{folder}/device"])
        common.run([common.LLVM / "clang++", "-O3", "-std=c++17", "-pthread",
                    HERE / "plain.cpp", "-o", f"{folder}/plain"])
        environment = {**os.environ, "ECHO_CPU_THREADS": str(threads)}
        times = {"device": {}, "plain": {}}
        for _ in range(options.runs):
            both = {"device": lines([f"{folder}/device"], env=environment),
                    "plain": lines([f"{folder}/plain", threads])}
            for side, rows in both.items():
                for name, (time, _) in rows.items():
                    times[side].setdefault(name, []).append(time)
            for name, (_, checksum) in both["plain"].items():
                other = both["device"][name][1]
                if abs(checksum - other) > 1e-4 * abs(checksum):
                    common.fail(f"{name}: results differ: {checksum} as C++, "
                                f"{other} as kernel")
    rows = {}
    for name in times["plain"]:
        plain = common.median(times["plain"][name])
        device = common.median(times["device"][name])
        rows[name] = {"plain_ms": plain, "device_ms": device,
                      "ratio": device / plain,
                      "spread": common.spread(times["device"][name])}
        print(f"  {name:10} plain C++ {plain:9.3f} ms   kernel {device:9.3f} "
              f"ms   {device / plain:5.3f}x")
    value = max(row["ratio"] for row in rows.values())
    common.finish(options, "kernel_loop", {
        "what": "time of a barrier-free kernel on the CPU device by that of "
                "the same loop in C++ -O3, worst kernel", "value": value,
        "unit": "x", "target": "at most 1.5", "met": value <= 1.5,
        "threads": threads, "runs": options.runs, "rows": rows})


if __name__ == "__main__":
    main()
