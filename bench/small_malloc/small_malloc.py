#!/usr/bin/env python3
# What libecho-dr.so costs where it does nothing: small blocks, and a round while profiling.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares programs as they are with the same under libecho-dr.so.

small_malloc.cpp makes and frees small blocks: plain, preloaded without a mode, and preloaded while
profiling, in turns; the median over the processes of the least time of a round. Where valgrind is there
it counts the instructions of a round as well, which other load does not change: of two runs of different
length, so that the start does not count.

idle_cost.cu's loop of whole rounds on the CPU device (seven calls that are recorded) runs plain, plain
once more and while profiling; the least time of a round counts, as in idle_cost.py. What profiling adds
does not depend on the size: it is measured with buffers of 4 KiB, where it stands out, and compared with a
round of 256 KiB; the distance of the two plain runs is added on top."""

import pathlib
import re
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import common  # noqa: E402

SMALL, LEAST = 4096, 262144
KINDS = ("plain", "preloaded", "profiling")


def arguments():
    return common.arguments(__doc__, runs=11).parse_args()


def environment(options, kind, folder):
    env = {"PATH": "/usr/bin:/bin", "ECHO_CPU_SCHED": "eager"}
    if kind in KINDS[1:]:
        env["LD_PRELOAD"] = str((options.build / "lib" / "echo" / "libecho-dr.so").resolve())
    if kind == "profiling":
        env.update(ECHO_DR_MODE="profile", ECHO_DR_TRACE=str(folder), ECHO_DR_TRACE_BYTES="1000000000")
    return env


def times(options, folder, kinds, command):
    """What the command prints, by kind, in processes that take turns."""
    seen = {kind: [] for kind in kinds}
    for turn in range(options.runs):
        for kind in kinds[turn % len(kinds):] + kinds[:turn % len(kinds)]:
            env = {**environment(options, kind, folder), "ECHO_MIN_BYTES": str(SMALL)}
            seen[kind].append(float(common.run(command, env=env).stdout))
            for trace in folder.glob("*.echo"):
                trace.unlink()
    return seen


def instructions(options, folder, binary, kind):
    """Instructions of one round."""
    counts = []
    for rounds in (20000, 120000):
        done = common.run(["valgrind", "--tool=callgrind",
                           "--callgrind-out-file=/dev/null", binary, 1, rounds],
                          env=environment(options, kind, folder))
        counts.append(int(re.search(r"Collected : (\d+)", done.stderr).group(1)))
    return (counts[1] - counts[0]) / 100000


def main():
    options = arguments()
    with common.scratch() as scratch:
        folder = pathlib.Path(scratch)
        common.run(["c++", "-O2", "-fno-builtin", HERE / "small_malloc.cpp", "-o", folder / "small"])
        common.run([common.echo_cc(options), "-w", "--device=cpu", "--no-unify", "-cudart", "shared", "-O3",
                    "-std=c++17", HERE.parent / "idle_cost" / "idle_cost.cu", "-o", folder / "rounds"])
        block = {kind: common.median(values) for kind, values in
                 times(options, folder, KINDS, [folder / "small", 40, 100000]).items()}
        count = {kind: instructions(options, folder, folder / "small", kind) for kind in KINDS} \
            if shutil.which("valgrind") else None
        loop = {kind: min(values) for kind, values in
                times(options, folder, ("plain", "again", "profiling"), [folder / "rounds", SMALL, 200, 50]).items()}
        whole = min(times(options, folder, ("plain",), [folder / "rounds", LEAST, 60, 10])["plain"])
    for kind in KINDS[1:]:
        more = f", {count[kind] - count['plain']:.1f} instructions" if count else ""
        print(f"  a small block {kind:9} {block[kind] - block['plain']:+6.2f} ns{more} (plain {block['plain']:.1f} ns)")
    more, apart = loop["profiling"] - min(loop["plain"], loop["again"]), abs(loop["plain"] - loop["again"])
    percent = 100 * (more + apart) / whole
    print(f"  a round profiling      {more:+6.0f} ns: with {apart:.0f} ns for noise {percent:.2f} % of one with {LEAST >> 10} KiB")
    value = max(block[kind] for kind in KINDS[1:]) - block["plain"]
    common.finish(options, "small_malloc", {
        "what": "what libecho-dr.so adds to a small malloc and its free; and to a round of 256 KiB while profiling",
        "value": value, "unit": "ns", "target": "under 5, and under 1 % of a round", "met": value < 5 and percent < 1,
        "runs": options.runs, "block_ns": block, "block_instructions": count, "round_ns": {**loop, "256 KiB": whole},
        "round_percent": percent})


if __name__ == "__main__":
    main()
