#!/usr/bin/env python3
# Compile CPU time and peak memory of echo-cc against clang++, same flags.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles every example, or the programs of a list, for the GPU with both
compilers, in turn.

A list (--programs FILE) is a JSON object: for each program its "folder" and,
under "clang" and "echo", its commands: lists of arguments, without the
compiler's name. Programs that one of the compilers does not compile are named,
not measured. Memory is that of the largest process of a program's commands."""

import json
import pathlib

import common


def examples(options, folder):
    """The examples in the form of a list of programs."""
    programs = {}
    for name in common.EXAMPLES:
        source = common.ROOT / "examples" / name / f"{name}.cu"
        flags = ["-x", "cuda", "-O3", f"--cuda-gpu-arch={options.arch}",
                 f"--cuda-path={common.cuda_home()}",
                 "-Wno-unknown-cuda-version",
                 f"-I{common.ROOT / 'examples' / 'common'}",
                 "-c", source, "-o", f"{folder}/{name}.o"]
        programs[name] = {"folder": folder, "clang": [flags], "echo": [flags]}
    return programs


def measure(compilers, program, options):
    """Times of all commands together and the peak memory, for each side, the
    sides in turn."""
    def once(side):
        costs = [common.cost([compilers[side], *command],
                             cwd=program["folder"])
                 for command in program[side]]
        return sum(time for time, _ in costs), max(peak for _, peak in costs)

    runs = {"clang": [], "echo": []}
    if not options.best:
        for side in runs:  # warms the file cache
            once(side)
    for turn in range(options.runs):
        for side in ("clang", "echo") if turn % 2 else ("echo", "clang"):
            runs[side].append(once(side))
    middle = min if options.best else common.median
    time = {side: middle([run[0] for run in runs[side]]) for side in runs}
    peak = {side: middle([run[1] for run in runs[side]]) for side in runs}
    return {"clang_s": time["clang"], "echo_s": time["echo"],
            "ratio": time["echo"] / time["clang"],
            "spread": common.spread([run[0] for run in runs["echo"]]),
            "clang_mib": round(peak["clang"] / 1024, 1),
            "echo_mib": round(peak["echo"] / 1024, 1),
            "memory_ratio": peak["echo"] / peak["clang"]}


def main():
    parser = common.arguments(__doc__, runs=5)
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--programs", type=pathlib.Path, metavar="FILE",
                        help="measure these programs, not the examples")
    parser.add_argument("--best", action="store_true",
                        help="each side's fastest run, not the median, and no "
                             "run before them: for a busy machine")
    options = parser.parse_args()
    compilers = {"clang": str(common.LLVM / "clang++"),
                 "echo": common.echo_cc(options)}
    rows, failed = {}, []
    with common.scratch() as folder:
        programs = (json.loads(options.programs.read_text(encoding="utf-8"))
                    if options.programs else examples(options, folder))
        wide = max(map(len, programs), default=0)
        for name, program in programs.items():
            try:
                row = rows[name] = measure(compilers, program, options)
            except common.Failed as reason:
                if not options.programs:
                    common.fail(reason)
                failed.append(name)
                print(f"  {name:{wide}} not measured: "
                      f"{str(reason).splitlines()[0]}", flush=True)
                continue
            print(f"  {name:{wide}} clang++ {row['clang_s']:6.3f} s   echo-cc "
                  f"{row['echo_s']:6.3f} s   {row['ratio']:5.3f}x   memory "
                  f"{row['memory_ratio']:5.3f}x", flush=True)
    if not rows:
        common.fail("no program was measured")
    ratios = [row["ratio"] for row in rows.values()]
    memory = [row["memory_ratio"] for row in rows.values()]
    value, worst = common.median(ratios), max(ratios)
    most = sorted(ratios)[int(0.9 * (len(ratios) - 1))]
    result = {
        "what": "CPU time of echo-cc -c by that of clang++ -c, median over "
                "the examples", "value": value, "unit": "x",
        "target": "at most 1.10", "met": value <= 1.10,
        "runs": options.runs, "rows": rows,
        "memory": {"median": common.median(memory), "worst": max(memory)}}
    if options.programs:
        result |= {
            "what": "CPU time of a program's compile commands with echo-cc by "
                    "that with clang++, median over the programs",
            "of_90_percent": most, "worst": worst, "not_measured": failed,
            "of_each_side": "the fastest run" if options.best else "median",
            "target": "at most 1.05, 90 % at most 1.10, worst at most 1.25, "
                      "memory at most 1.15",
            "met": (value <= 1.05 and most <= 1.1 and worst <= 1.25
                    and max(memory) <= 1.15)}
    common.finish(options, "compile_time", result)


if __name__ == "__main__":
    main()
