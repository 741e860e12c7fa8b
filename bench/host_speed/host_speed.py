#!/usr/bin/env python3
# What merging costs the code that the host runs.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times host loops of one program, plain and by echo-cc, merged and where nothing merges, on the CPU device.

Runs of all variants take turns. A loop's time in a variant is the smallest of all its processes; its ratio is that by
the plain program's. Two groups of plain runs show what the machine's noise is.
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
    "merged": ("merged", {}),
    "split": ("merged", {"ECHO_BACKING": "split"}),
    "discrete": ("merged", {"ECHO_CPU_ATTR": DISCRETE}),
    "no-unify": ("merged", {"ECHO_NO_UNIFY": "1"}),
}


def text_size(path):
    return int(common.run([common.LLVM / "llvm-size", path]).stdout.splitlines()[1].split()[0])


def measure(options, level, folder):
    """({variant: {loop: ns}}, growth of the object's text) at one level."""
    sizes = {}
    for name, more in (("plain", ["--no-unify"]), ("merged", [])):
        command = [common.echo_cc(options), "-w", "--device=cpu", level, "--min-bytes=1", HERE / "loops.cu", *more]
        common.run([*command, "-c", "-o", f"{folder}/{name}.o"])
        common.run([*command, "-o", f"{folder}/{name}"])
        sizes[name] = text_size(f"{folder}/{name}.o")
    best = {name: {} for name in VARIANTS}
    clean = {k: v for k, v in os.environ.items() if not k.startswith("ECHO_")}
    for _ in range(options.runs):
        for name, (binary, settings) in VARIANTS.items():
            for line in common.run([f"{folder}/{binary}"], env={**clean, **settings}).stdout.splitlines():
                loop, time = line.split()
                best[name][loop] = min(float(time), best[name].get(loop, 1e30))
    return best, sizes["merged"] / sizes["plain"]


def main():
    options = common.arguments(__doc__, runs=9).parse_args()
    rows, worst = {}, 0
    for level in ("-O2", "-O3"):
        with common.scratch() as folder:
            best, growth = measure(options, level, folder)
        for name in list(VARIANTS)[1:]:
            ratios = {loop: round(time / best["plain"][loop], 3) for loop, time in best[name].items()}
            rows[f"{level} {name}"] = ratios
            slowest = max(ratios, key=ratios.get)
            print(f"  {level} {name:12} worst {ratios[slowest]:.3f} ({slowest}), "
                  f"median {common.median(ratios.values()):.3f}")
            if name != "plain again":
                worst = max(worst, ratios[slowest])
        rows[f"{level} text"] = round(growth, 3)
        print(f"  {level} text of the object {growth:.3f}")
    common.finish(options, "host_speed", {
        "what": "time of a host loop by the plain program's, worst loop and variant",
        "value": worst, "unit": "x", "target": "at most 1.03", "met": worst <= 1.03,
        "runs": options.runs, "rows": rows, "machine": common.machine()})


if __name__ == "__main__":
    main()
