#!/usr/bin/env python3
# How much of the gain of merging by hand echo-cc gets by itself.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs every example plain, merged by echo-cc and merged by hand, in turn, on
the CPU device. Gain recovered = (plain - merged) / (plain - hand)."""

import os
import re

import common


def build(options, name, folder):
    source = common.ROOT / "examples" / name / f"{name}.cu"
    flags = ["--device=cpu", "-O3",
             f"-I{common.ROOT / 'examples' / 'common'}", source]
    sides = {"plain": ["--no-unify"], "merged": [],
             "hand": ["--no-unify", "-DECHO_HAND_MERGED"]}
    for side, more in sides.items():
        common.run([common.echo_cc(options), *flags, *more,
                    "-o", f"{folder}/{name}-{side}"])
    return {side: f"{folder}/{name}-{side}" for side in sides}


def measure(binary):
    """One process: its own time in ms, its output, its merged pairs."""
    done = common.run([binary, "--time"],
                      env={**os.environ, "ECHO_STATS": "1"})
    time = re.search(r"^time: ([\d.]+) ms", done.stderr, re.M)
    if not time:
        common.fail(f"{binary} --time printed no time:\n{done.stderr}")
    pairs = re.search(r"^echo: (\d+) pair", done.stderr, re.M)
    return float(time[1]), done.stdout, int(pairs[1]) if pairs else 0


def example(options, name, folder):
    binaries = build(options, name, folder)
    times = {side: [] for side in binaries}
    outputs, pairs = set(), 0
    for turn in range(options.runs + 1):
        order = list(binaries)
        order = order[turn % 3:] + order[:turn % 3]
        for side in order:
            time, output, merged = measure(binaries[side])
            outputs.add(output)
            if side == "merged":
                pairs = merged
            if turn:  # the first round warms up
                times[side].append(time)
    if len(outputs) != 1:
        common.fail(f"{name}: outputs differ: {sorted(outputs)}")
    plain, merged, hand = (common.median(times[side])
                           for side in ("plain", "merged", "hand"))
    noise = max(common.spread(values) or 0 for values in times.values())
    row = {"plain_ms": plain, "merged_ms": merged, "hand_ms": hand,
           "pairs": pairs, "noise": noise, "recovered": None}
    # A gain that the noise hides is no base for a ratio.
    if pairs and plain - hand > 2 * noise * plain:
        row["recovered"] = (plain - merged) / (plain - hand)
    share = row["recovered"]
    print(f"  {name:10} plain {plain:9.3f}  merged {merged:9.3f}  by hand "
          f"{hand:9.3f} ms  pairs {pairs}  noise {100 * noise:4.1f} %  "
          + (f"recovered {100 * share:6.1f} %" if share is not None
             else "gain is not above the noise" if pairs else "nothing merges"))
    return row


def main():
    options = common.arguments(__doc__, runs=15).parse_args()
    with common.scratch() as folder:
        rows = {name: example(options, name, folder)
                for name in common.EXAMPLES}
    shares = [row["recovered"] for row in rows.values()
              if row["recovered"] is not None]
    if not shares:
        common.fail("no example gained more than the noise")
    value = min(shares)
    common.finish(options, "recovered", {
        "what": "share of the hand-merged gain, worst example", "value": value,
        "unit": "", "target": "at least 0.99", "met": value >= 0.99,
        "runs": options.runs, "rows": rows})


if __name__ == "__main__":
    main()
