#!/usr/bin/env python3
# How much of the gain of merging by hand echo-cc gets by itself.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs every example plain, merged by echo-cc and merged by hand, in turn, on
the CPU device. Gain recovered = (plain - merged) / (plain - hand).

Where the gain in time is well above the noise, it is a gain in time. Where the
kernels take so long that copies hardly show, it is the gain in bytes copied,
which is exact; the result says which one it is."""

import os
import re

import common


# Sizes that leave the copies a share worth measuring, in little time.
SIZES = {"conv2d": (512, 2), "fft": (256, 4), "nbody": (60000, 1, 1, 6),
         "pipeline": (1280, 720, 6), "sgemm": (256, 4), "spmv": (240, 2, 80)}
WRAP = ["--unify-wrapped", "-Wl,--wrap=cudaMemcpy", "-Wl,--wrap=cudaMemcpyAsync"]


def build(options, name, folder):
    source = common.ROOT / "examples" / name / f"{name}.cu"
    flags = ["--device=cpu", "-O3",
             f"-I{common.ROOT / 'examples' / 'common'}"]
    sides = {"plain": ["--no-unify"], "merged": [],
             "hand": ["--no-unify", "-DECHO_HAND_MERGED"]}
    counter = f"{folder}/count_copies.o"
    common.run([common.LLVM / "clang", "-O2", "-c",
                common.ROOT / "bench" / "count_copies.c", "-o", counter])
    for side, more in sides.items():
        unit = f"{folder}/{name}-{side}.o"
        common.run([common.echo_cc(options), *flags, *more, "-c", source,
                    "-o", unit])
        for binary, link in ((f"{folder}/{name}-{side}", [unit]),
                             (f"{folder}/{name}-{side}-count",
                              [unit, counter, *WRAP])):
            common.run([common.echo_cc(options), "--device=cpu", *link,
                        "-o", binary])
    return {side: f"{folder}/{name}-{side}" for side in sides}


def copied(binary, sizes):
    done = common.run([f"{binary}-count", *sizes])
    return int(re.search(r"^copied: (\d+) bytes", done.stderr, re.M)[1])


def measure(binary, sizes):
    """One process: its own time in ms, its output, its merged pairs."""
    done = common.run([binary, *sizes, "--time"],
                      env={**os.environ, "ECHO_STATS": "1"})
    time = re.search(r"^time: ([\d.]+) ms", done.stderr, re.M)
    if not time:
        common.fail(f"{binary} --time printed no time:\n{done.stderr}")
    pairs = re.search(r"^echo: (\d+) pair", done.stderr, re.M)
    return float(time[1]), done.stdout, int(pairs[1]) if pairs else 0


def example(options, name, folder):
    binaries = build(options, name, folder)
    sizes = SIZES[name]
    times = {side: [] for side in binaries}
    outputs, pairs = set(), 0
    for turn in range(options.runs + 1):
        order = list(binaries)
        order = order[turn % 3:] + order[:turn % 3]
        for side in order:
            time, output, merged = measure(binaries[side], sizes)
            outputs.add(output)
            if side == "merged":
                pairs = merged
            if turn:  # the first round warms up
                times[side].append(time)
    if len(outputs) != 1:
        common.fail(f"{name}: outputs differ: {sorted(outputs)}")
    plain, merged, hand = (common.median(times[side])
                           for side in ("plain", "merged", "hand"))
    # Too few runs tell no noise: then nothing is above it.
    spreads = [common.spread(values) for values in times.values()]
    noise = None if None in spreads else max(spreads)
    moved = {side: copied(binary, sizes) for side, binary in binaries.items()}
    row = {"plain_ms": plain, "merged_ms": merged, "hand_ms": hand,
           "copied_bytes": moved, "pairs": pairs, "noise": noise,
           "sizes": sizes, "recovered": None, "measured_in": None}
    # A gain that the noise hides is no base for a ratio.
    if (pairs and noise is not None and
            plain - hand > 20 * noise * plain):
        row["measured_in"] = "time"
        row["recovered"] = (plain - merged) / (plain - hand)
    elif pairs and moved["plain"] > moved["hand"]:
        row["measured_in"] = "bytes"
        row["recovered"] = ((moved["plain"] - moved["merged"]) /
                            (moved["plain"] - moved["hand"]))
    share = row["recovered"]
    print(f"  {name:9} plain {plain:8.2f}  merged {merged:8.2f}  by hand "
          f"{hand:8.2f} ms  noise {100 * (noise or 0):4.1f} %  pairs {pairs}  "
          + ("nothing merges" if share is None else
             f"recovered {100 * share:5.1f} % ({row['measured_in']})"),
          flush=True)
    return row


def main():
    options = common.arguments(__doc__, runs=15).parse_args()
    with common.scratch() as folder:
        rows = {name: example(options, name, folder)
                for name in common.EXAMPLES}
    shares = [row["recovered"] for row in rows.values()
              if row["recovered"] is not None]
    if not shares:
        common.fail("no example merges")
    value = min(shares)
    common.finish(options, "recovered", {
        "what": "share of the hand-merged gain, worst example", "value": value,
        "unit": "", "target": "at least 0.99", "met": value >= 0.99,
        "runs": options.runs, "rows": rows})


if __name__ == "__main__":
    main()
