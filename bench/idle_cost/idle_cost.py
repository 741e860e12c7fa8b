#!/usr/bin/env python3
# What echort costs a program for which it does nothing.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares a merged program that runs split with the plain one, and the objects of a program in
which nothing merges (NC) with those of --no-unify.

A loop of whole rounds (idle_cost.cu) runs plain, plain once more, and rewritten: with
ECHO_BACKING=split, and as echort decides for small buffers of a discrete device. They take turns,
and of each the least processor time of a round counts, over all batches of all processes: other
load makes a round slower, never faster. What echort adds does not depend on the size; it is
measured with buffers of 4 KiB, where it stands out, and compared with a round of 256 KiB, about the
smallest that merge by default. The second plain run says how far two measurements of one thing lie
apart; that is added on top."""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import common  # noqa: E402
from suite import catalog  # noqa: E402

# Bytes of a buffer: (batches, rounds of a batch).
SMALL, LEAST = 4096, 262144
SIZES = {SMALL: (200, 50), LEAST: (60, 10)}
DISCRETE = ("integrated=0,pageableMemoryAccess=0,"
            "pageableMemoryAccessUsesHostPageTables=0")
# What runs: binary, ECHO_BACKING.
KINDS = {"plain": ("plain", "auto"), "again": ("plain", "auto"), "split": ("rewritten", "split"),
         "auto": ("rewritten", "auto")}


def arguments():
    parser = common.arguments(__doc__, runs=15)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--prepare", type=pathlib.Path, metavar="FOLDER",
                        help="only build, for --prepared on another machine")
    parser.add_argument("--prepared", type=pathlib.Path, metavar="FOLDER",
                        help="run what --prepare built")
    return parser.parse_args()


def build(options, folder):
    """The loop twice, and NC's object twice: 1 if Echo left that as it was, else 0."""
    compiler = [common.echo_cc(options), "-w", f"--device={options.device}", "-O3", "-std=c++17"]
    if options.device == "cuda":
        compiler += ["-arch=sm_90", "-cudart", "static", "-static-libstdc++", "-static-libgcc"]
    common.run([*compiler, "--no-unify", HERE / "idle_cost.cu", "-o", folder / "plain"])
    common.run([*compiler, "--min-bytes=0", f"--report={folder}/report.txt",
                HERE / "idle_cost.cu", "-o", folder / "rewritten"])
    if "1 unified" not in (folder / "report.txt").read_text(encoding="utf-8"):
        common.fail("the pair of idle_cost.cu does not merge")
    nothing = catalog.bench("NC")
    objects = []
    for build_name in ("baseline", "sr"):
        objects.append(folder / f"nc.{build_name}.o")
        common.run([*compiler, *catalog.build_flags(nothing, build_name, "gpu"),
                    "-c", common.ROOT / nothing.source, "-o", objects[-1]], cwd=common.ROOT)
    same = objects[0].read_bytes() == objects[1].read_bytes()
    (folder / "nc.same").write_text(str(int(same)), encoding="utf-8")


def measure(folder, runs):
    """Least times of a round, by size and kind. Only small buffers are left alone in auto."""
    least = {}
    for size, (batches, rounds) in SIZES.items():
        kinds = [k for k in KINDS if k != "auto" or size == SMALL]
        for turn in range(runs):
            shift = turn % len(kinds)
            for kind in kinds[shift:] + kinds[:shift]:
                binary, backing = KINDS[kind]
                time = float(common.run(
                    [folder / binary, size, batches, rounds],
                    env={"ECHO_BACKING": backing, "ECHO_CPU_ATTR": DISCRETE}).stdout)
                least[size, kind] = min(time, least.get((size, kind), time))
    return least


def main():
    options = arguments()
    if options.prepare:
        options.prepare.mkdir(parents=True, exist_ok=True)
        build(options, options.prepare)
        return
    with common.scratch() as scratch:
        folder = options.prepared or pathlib.Path(scratch)
        if not options.prepared:
            build(options, folder)
        least = measure(folder.resolve(), options.runs)
        same = (folder / "nc.same").read_text(encoding="utf-8") == "1"
    plain = min(least[SMALL, "plain"], least[SMALL, "again"])
    apart = abs(least[SMALL, "plain"] - least[SMALL, "again"])
    rows = {kind: {"ns": time - plain, "percent": 100 * (time - plain + apart) / least[LEAST, "plain"]}
            for kind in ("split", "auto") for time in [least[SMALL, kind]]}
    for kind, row in rows.items():
        print(f"  {kind:6} adds {row['ns']:7.0f} ns to a round: with {apart:.0f} ns for noise "
              f"{row['percent']:.3f} % of one with {LEAST >> 10} KiB")
    print(f"  NC     objects {'equal' if same else 'DIFFER'}")
    value = max(row["percent"] for row in rows.values())
    common.finish(options, "idle_cost", {
        "what": "processor time that echort adds to a round in which it does nothing, by that of a "
                "plain round with buffers of 256 KiB; and NC's object is that of --no-unify",
        "value": value, "unit": "%", "target": "under 0.5", "met": value < 0.5 and same,
        "runs": options.runs, "nc_objects_equal": same, "noise_ns": apart, "rows": rows,
        "round_ns": {f"{kind} {size}": time for (size, kind), time in least.items()}})


if __name__ == "__main__":
    main()
