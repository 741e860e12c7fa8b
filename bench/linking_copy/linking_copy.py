#!/usr/bin/env python3
# What a merged pair's linking copy costs when nothing is in flight.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times echort's linking copies, kind by kind, on the CPU device."""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import common  # noqa: E402


def main():
    options = common.arguments(__doc__, runs=5).parse_args()
    times = {}
    with common.scratch() as folder:
        binary = f"{folder}/linking_copy"
        common.run([common.echo_cc(options), "--device=cpu", "-O3",
                    f"-I{common.ROOT}", HERE / "linking_copy.cu",
                    "-o", binary])
        for _ in range(options.runs):
            for line in common.run([binary]).stdout.splitlines():
                name, time = line.split()
                times.setdefault(name, []).append(float(time))
    rows = {name: {"ns": common.median(values),
                   "spread": common.spread(values)}
            for name, values in times.items()}
    for name, row in rows.items():
        print(f"  {name:20} {row['ns']:9.1f} ns")
    others = ("foreign-free", "plain-copy-4-bytes")
    value = max(row["ns"] for name, row in rows.items()
                if name not in others) / 1000
    common.finish(options, "linking_copy", {
        "what": "time of a linking copy with nothing in flight, worst kind",
        "value": value, "unit": "us", "target": "under 1", "met": value < 1,
        "runs": options.runs, "rows": rows})


if __name__ == "__main__":
    main()
