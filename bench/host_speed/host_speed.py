#!/usr/bin/env python3
# What merging costs the code that the host runs.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times host loops of one program, plain and by echo-cc, merged and where nothing merges.

That is on the CPU device, or, with --gpu, on the first GPU: its programs may be made elsewhere (--make).

The variants take turns in random order, each as two processes, one right after the other: the plain program's and its
own. Their ratio in a turn depends little on what else the machine does at that time; a variant's ratio is the median
over all turns. A variant that is the plain program itself, "plain again", shows what the machine's noise is. The
target is missed by loops whose median is over it with 97.5 % confidence.

What time cannot show, the machine code does: innermost.py counts which innermost loops of the merged object are the
plain one's.

Where buffers lie in their pages and lines decides by how much the same code is slower (up to 1.5 times here), and that
is chance. So all variants have it in common. Loops start at multiples of 64 bytes. Every buffer of malloc is a mapping
of its own, 16 bytes from a page's start. "placed" is the plain program with the host buffers of pairs at a page's
start, as merged ones are. A loop's ratio is by the slower of these two.
"""

import json
import os
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import common  # noqa: E402
import innermost  # noqa: E402

DISCRETE = "integrated=0,pageableMemoryAccess=0,pageableMemoryAccessUsesHostPageTables=0"
VARIANTS = {
    "plain again": ("plain", {}),
    "placed": ("placed", {}),
    "merged": ("merged", {}),
    "split": ("merged", {"ECHO_BACKING": "split"}),
    "discrete": ("merged", {"ECHO_CPU_ATTR": DISCRETE}),
    "no-unify": ("merged", {"ECHO_NO_UNIFY": "1"}),
}
GPU_VARIANTS = {
    **{name: VARIANTS[name] for name in ("plain again", "placed", "split", "no-unify")},
    "auto": ("merged", {}),
    "pinned-split": ("merged", {"ECHO_BACKING": "pinned-split"}),
    "mapped": ("merged", {"ECHO_BACKING": "mapped"}),
    "managed": ("merged", {"ECHO_BACKING": "managed"}),
}
LEVELS = ("-O2", "-O3")
TARGET = 1.03
CONTROLS = ("plain again", "placed")
MALLOC = {"MALLOC_MMAP_THRESHOLD_": "65536"}  # a fixed one: glibc's own moves with what the program frees


def text_size(path):
    """The bytes of code in an object: all its sections .text*."""
    lines = (line.split() for line in common.run([common.LLVM / "llvm-size", "-A", path]).stdout.splitlines())
    return sum(int(line[1]) for line in lines if line and line[0].startswith(".text"))


def make(options, device, folder):
    """Compiles all programs into a folder; writes there what became of the objects' code."""
    code = {}
    for level in LEVELS:
        sizes = {}
        for name, more in (("plain", ["--no-unify"]), ("placed", ["--no-unify", "-DPLACED"]), ("merged", [])):
            command = [common.echo_cc(options), "-w", *device, level, "-falign-loops=64", "--min-bytes=1",
                       HERE / "loops.cu", *more]
            common.run([*command, "-c", "-o", f"{folder}/{name}{level}.o"])
            common.run([*command, "-o", f"{folder}/{name}{level}"])
            sizes[name] = text_size(f"{folder}/{name}{level}.o")
        loops, same = innermost.compare(f"{folder}/plain{level}.o", f"{folder}/merged{level}.o")
        code[level] = {"growth": round(sizes["merged"] / sizes["plain"], 3), "loops": loops, "same": same}
    pathlib.Path(folder, "code.json").write_text(json.dumps(code), encoding="utf-8")


def measure(options, variants, level, folder):
    """{variant: {loop: [ratio to plain in a turn]}} of the programs in a folder, at one level."""
    turns = {name: {} for name in variants}
    order, rng = list(variants.items()), random.Random(1)
    clean = {k: v for k, v in os.environ.items() if not k.startswith("ECHO_")} | MALLOC

    def times(binary, settings):
        lines = common.run([f"{folder}/{binary}{level}"], env={**clean, **settings}).stdout.splitlines()
        return {loop: float(time) for loop, time in map(str.split, lines)}
    for _ in range(options.runs):
        rng.shuffle(order)
        for name, (binary, settings) in order:
            plain = times("plain", {})
            for loop, time in times(binary, settings).items():
                turns[name].setdefault(loop, []).append(time / plain[loop])
    return turns


def surely(ratios):
    """What the median of `ratios` is at least, with 97.5 % confidence: an order statistic, by the sign test."""
    lower, chance = 0, 0.5 ** len(ratios)
    total = chance
    while total <= 0.025:
        lower += 1
        chance = chance * (len(ratios) - lower + 1) / lower
        total += chance
    return sorted(ratios)[lower - 1] if lower else 0


def compare(rows, level, turns):
    """Adds the ratios of all variants to `rows`; returns the worst of those that are no control, the worst of plain
    runs, and which loops are slower than the target beyond chance."""
    medians = {name: {loop: common.median(ratios) for loop, ratios in loops.items()} for name, loops in turns.items()}
    worst, over = 0, []
    for name in turns:
        by = {loop: 1 if name in CONTROLS else max(1, placed) for loop, placed in medians["placed"].items()}
        ratios = {loop: round(ratio / by[loop], 3) for loop, ratio in medians[name].items()}
        rows[f"{level} {name}"] = ratios
        slowest = max(ratios, key=ratios.get)
        print(f"  {level} {name:12} worst {ratios[slowest]:.3f} ({slowest}), median {common.median(ratios.values()):.3f}")
        if name not in CONTROLS:
            worst = max(worst, ratios[slowest])
            over += [f"{level} {name} {loop}" for loop, found in turns[name].items() if surely(found) > TARGET * by[loop]]
    again = rows[f"{level} plain again"].values()
    return worst, max(*again, *(1 / ratio for ratio in again)), over


def main():
    parser = common.arguments(__doc__, runs=41)
    parser.add_argument("--make", type=pathlib.Path, help="only make the programs for a GPU, in this folder")
    parser.add_argument("--gpu", type=pathlib.Path, help="time the programs in this folder on the GPU")
    options = parser.parse_args()
    if options.make:
        options.make.mkdir(parents=True, exist_ok=True)
        make(options, [], options.make)
        return
    rows, worst, noise, over = {}, 0, 0, []
    variants = GPU_VARIANTS if options.gpu else VARIANTS
    with common.scratch() as folder:
        if not options.gpu:
            make(options, ["--device=cpu"], folder)
        folder = options.gpu or folder
        code = json.loads(pathlib.Path(folder, "code.json").read_text(encoding="utf-8"))
        for level in LEVELS:
            found = compare(rows, level, measure(options, variants, level, folder))
            worst, noise = max(worst, found[0]), max(noise, round(found[1], 3))
            over += found[2]
            rows[f"{level} code"] = code[level]
            print(f"  {level} code of the object {code[level]['growth']:.3f}, "
                  f"{code[level]['same']} of {code[level]['loops']} innermost loops are plain's")
    where = ", on a GPU" if options.gpu else ""
    common.finish(options, "host_speed", {
        "what": f"time of a host loop by the plain program's, worst loop and variant{where}",
        "value": worst, "unit": "x", "target": "at most 1.03", "met": not over, "over": over,
        "noise": noise, "runs": options.runs, "rows": rows})


if __name__ == "__main__":
    main()
