#!/usr/bin/env python3
# Compile CPU time of echo-cc against clang++ on the same flags.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles every example, or the programs of a list, for the GPU with both
compilers, in turn.

A list (--programs FILE) is a JSON object: for each program its "folder" and,
under "clang" and "echo", its commands: lists of arguments, without the
compiler's name."""

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


def measure(compilers, program, runs):
    """Times of all commands together, for each side, the sides in turn."""
    def once(side):
        return sum(common.cpu_seconds([compilers[side], *command],
                                      cwd=program["folder"])
                   for command in program[side])

    times = {"clang": [], "echo": []}
    for side in times:  # warms the file cache
        once(side)
    for turn in range(runs):
        for side in ("clang", "echo") if turn % 2 else ("echo", "clang"):
            times[side].append(once(side))
    clang, echo = (common.median(times[side]) for side in ("clang", "echo"))
    return {"clang_s": clang, "echo_s": echo, "ratio": echo / clang,
            "spread": common.spread(times["echo"])}


def main():
    parser = common.arguments(__doc__, runs=5)
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--programs", type=pathlib.Path, metavar="FILE",
                        help="measure these programs, not the examples")
    options = parser.parse_args()
    compilers = {"clang": str(common.LLVM / "clang++"),
                 "echo": common.echo_cc(options)}
    rows = {}
    with common.scratch() as folder:
        programs = (json.loads(options.programs.read_text(encoding="utf-8"))
                    if options.programs else examples(options, folder))
        wide = max(map(len, programs), default=0)
        for name, program in programs.items():
            row = rows[name] = measure(compilers, program, options.runs)
            print(f"  {name:{wide}} clang++ {row['clang_s']:6.3f} s   echo-cc "
                  f"{row['echo_s']:6.3f} s   {row['ratio']:5.3f}x", flush=True)
    ratios = [row["ratio"] for row in rows.values()]
    value, worst = common.median(ratios), max(ratios)
    result = {
        "what": "CPU time of echo-cc -c by that of clang++ -c, median over "
                "the examples", "value": value, "unit": "x",
        "target": "at most 1.10", "met": value <= 1.10,
        "runs": options.runs, "rows": rows}
    if options.programs:
        result |= {
            "what": "CPU time of a program's compile commands with echo-cc by "
                    "that with clang++, median over the programs",
            "worst": worst, "target": "at most 1.08, worst at most 1.50",
            "met": value <= 1.08 and worst <= 1.5,
            "machine": common.machine()}
    common.finish(options, "compile_time", result)


if __name__ == "__main__":
    main()
