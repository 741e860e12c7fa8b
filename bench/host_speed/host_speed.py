#!/usr/bin/env python3
# What merging costs the code that the host runs.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times host loops of one program, plain and by echo-cc, merged and where nothing merges, on the CPU device.

Runs of all variants take turns. A loop's time in a variant is the median of its processes, and the least of them:
what else the machine does makes a loop slower, and medians with it. "placed" is the plain
program with host buffers at multiples of 4,096 bytes: there the processor takes accesses to two buffers for accesses
to one. Where an allocator puts buffers is chance, so a loop's ratio is by the slower of these two. A second group of
plain runs shows what the machine's noise is. Loops start at multiples of 64 bytes in all variants.
"""

import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import common  # noqa: E402

DISCRETE = "integrated=0,pageableMemoryAccess=0,pageableMemoryAccessUsesHostPageTables=0"
VARIANTS = {
    "plain": ("plain", {}),
    "plain again": ("plain", {}),
    "placed": ("placed", {}),
    "merged": ("merged", {}),
    "split": ("merged", {"ECHO_BACKING": "split"}),
    "discrete": ("merged", {"ECHO_CPU_ATTR": DISCRETE}),
    "no-unify": ("merged", {"ECHO_NO_UNIFY": "1"}),
}
CONTROLS = ("plain again", "placed")
STATISTICS = {"median": common.median, "least": min}


def text_size(path):
    return int(common.run([common.LLVM / "llvm-size", path]).stdout.splitlines()[1].split()[0])


def measure(options, level, folder):
    """({statistic: {variant: {loop: ns}}}, growth of the object's text) at one level."""
    sizes = {}
    for name, more in (("plain", ["--no-unify"]), ("placed", ["--no-unify", "-DPLACED"]), ("merged", [])):
        command = [common.echo_cc(options), "-w", "--device=cpu", level, "-falign-loops=64", "--min-bytes=1",
                   HERE / "loops.cu", *more]
        common.run([*command, "-c", "-o", f"{folder}/{name}.o"])
        common.run([*command, "-o", f"{folder}/{name}"])
        sizes[name] = text_size(f"{folder}/{name}.o")
    times = {name: {} for name in VARIANTS}
    clean = {k: v for k, v in os.environ.items() if not k.startswith("ECHO_")}
    for _ in range(options.runs):
        for name, (binary, settings) in VARIANTS.items():
            for line in common.run([f"{folder}/{binary}"], env={**clean, **settings}).stdout.splitlines():
                loop, time = line.split()
                times[name].setdefault(loop, []).append(float(time))
    statistics = {what: {name: {loop: of(ts) for loop, ts in loops.items()} for name, loops in times.items()}
                  for what, of in STATISTICS.items()}
    return statistics, sizes["merged"] / sizes["plain"]


def compare(rows, level, what, best):
    """Adds the ratios of all variants to `rows`; returns the worst of those that are no control, and of plain runs."""
    slower = {loop: max(time, best["placed"][loop]) for loop, time in best["plain"].items()}
    worst = 0
    for name in list(VARIANTS)[1:]:
        plain = best["plain"] if name in CONTROLS else slower
        ratios = {loop: round(time / plain[loop], 3) for loop, time in best[name].items()}
        rows[f"{level} {what} {name}"] = ratios
        slowest = max(ratios, key=ratios.get)
        print(f"  {level} {what:6} {name:12} worst {ratios[slowest]:.3f} ({slowest}), "
              f"median {common.median(ratios.values()):.3f}")
        if name not in CONTROLS:
            worst = max(worst, ratios[slowest])
    again = rows[f"{level} {what} plain again"].values()
    return worst, max(*again, *(1 / ratio for ratio in again))


def main():
    options = common.arguments(__doc__, runs=9).parse_args()
    rows, worst, noise = {}, dict.fromkeys(STATISTICS, 0), dict.fromkeys(STATISTICS, 0)
    for level in ("-O2", "-O3"):
        with common.scratch() as folder:
            statistics, growth = measure(options, level, folder)
        for what, best in statistics.items():
            found = compare(rows, level, what, best)
            worst[what], noise[what] = max(worst[what], found[0]), max(noise[what], round(found[1], 3))
        rows[f"{level} text"] = round(growth, 3)
        print(f"  {level} text of the object {growth:.3f}")
    common.finish(options, "host_speed", {
        "what": "least time of a host loop by the plain program's, worst loop and variant",
        "value": worst["least"], "unit": "x", "target": "at most 1.03", "met": worst["least"] <= 1.03,
        "of_medians": worst["median"], "noise": noise, "runs": options.runs, "rows": rows,
        "machine": common.machine()})


if __name__ == "__main__":
    main()
