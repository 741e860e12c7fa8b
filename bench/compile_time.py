#!/usr/bin/env python3
# Compile CPU time of echo-cc against clang++ on the same flags.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles every example for the GPU with both compilers, in turn."""

import common


def main():
    parser = common.arguments(__doc__, runs=5)
    parser.add_argument("--arch", default="sm_90")
    options = parser.parse_args()
    compilers = {"clang": str(common.LLVM / "clang++"),
                 "echo": common.echo_cc(options)}
    rows = {}
    with common.scratch() as folder:
        for name in common.EXAMPLES:
            source = common.ROOT / "examples" / name / f"{name}.cu"
            flags = ["-x", "cuda", "-O3", f"--cuda-gpu-arch={options.arch}",
                     f"--cuda-path={common.cuda_home()}",
                     "-Wno-unknown-cuda-version",
                     f"-I{common.ROOT / 'examples' / 'common'}",
                     "-c", source, "-o", f"{folder}/{name}.o"]
            times = {"clang": [], "echo": []}
            for side in ("clang", "echo"):  # warms the file cache
                common.run([compilers[side], *flags])
            for turn in range(options.runs):
                order = ("clang", "echo") if turn % 2 else ("echo", "clang")
                for side in order:
                    times[side].append(
                        common.cpu_seconds([compilers[side], *flags]))
            ratio = common.median(times["echo"]) / common.median(
                times["clang"])
            rows[name] = {"clang_s": common.median(times["clang"]),
                          "echo_s": common.median(times["echo"]),
                          "ratio": ratio,
                          "spread": common.spread(times["echo"])}
            print(f"  {name:10} clang++ {rows[name]['clang_s']:6.3f} s   "
                  f"echo-cc {rows[name]['echo_s']:6.3f} s   {ratio:5.3f}x")
    value = common.median([row["ratio"] for row in rows.values()])
    common.finish(options, "compile_time", {
        "what": "CPU time of echo-cc -c by that of clang++ -c, median over "
                "the examples", "value": value, "unit": "x",
        "target": "at most 1.10", "met": value <= 1.10,
        "runs": options.runs, "rows": rows})


if __name__ == "__main__":
    main()
