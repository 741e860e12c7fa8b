#!/usr/bin/env python3
# What --check costs the programs that it follows.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times the examples on the CPU device, as they are and compiled with --check.

Runs of both take turns. A program's time is the median of its processes, user and system time of all threads.
"""

import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import common  # noqa: E402

KINDS = {"plain": ["--device=cpu", "--no-unify"], "checked": ["--check"]}


def measure(options, name, folder):
    """{kind: median time in s} of one example."""
    folder = pathlib.Path(folder)
    source = common.ROOT / "examples" / name
    for kind, more in KINDS.items():
        common.run([common.echo_cc(options), "-O2", "-w", f"-I{common.ROOT}/examples/common", *more,
                    *sorted(source.glob("*.cu")), "-o", folder / kind])
    clean = {k: v for k, v in os.environ.items() if not k.startswith("ECHO_")}
    clean["ECHO_CHECK_REPORT"] = str(folder / "report")
    times = {kind: [] for kind in KINDS}
    for _ in range(options.runs):
        for kind in KINDS:
            times[kind].append(common.cost([folder / kind], env=clean)[0])
    if "pair" not in (folder / "report").read_text():
        common.fail(f"{name}: --check followed no pair")
    return {kind: common.median(all) for kind, all in times.items()}


def main():
    options = common.arguments(__doc__, runs=3).parse_args()
    rows = {}
    for name in common.EXAMPLES:
        with common.scratch() as folder:
            times = measure(options, name, folder)
        ratio = times["checked"] / times["plain"]
        rows[name] = {"plain_s": round(times["plain"], 3), "checked_s": round(times["checked"], 3),
                      "ratio": round(ratio, 2)}
        print(f"  {name:10} plain {times['plain']:7.2f} s, checked {times['checked']:7.2f} s, {ratio:6.2f}x")
    worst = max(row["ratio"] for row in rows.values())
    common.finish(options, "check_cost", {
        "what": "CPU time of an example compiled with --check by the plain program's, the worst example",
        "value": worst, "unit": "x", "target": "at most 30", "met": worst <= 30,
        "runs": options.runs, "rows": rows})


if __name__ == "__main__":
    main()
