#!/usr/bin/env python3
# How the time of Echo's passes grows with the size of the program.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates programs of 1k to 100k IR instructions in several shapes, compiles
each, and fits the growth of Echo's host pass over the shape's program of one
unit."""

import collections
import json
import math
import os
import re
import subprocess

import common
import scaling_shapes

SIZES = (1000, 3000, 10000, 30000, 100000)
# Echo's passes do the same at every level; the rest is quickest here.
LEVEL = "-O0"


def instructions(source):
    """Host IR instructions of a program, as clang emits them."""
    text = common.run([common.LLVM / "clang++", "-x", "cuda", LEVEL,
                       "--cuda-host-only", "-S", "-emit-llvm", "-Xclang",
                       "-disable-llvm-passes", "-Wno-unknown-cuda-version",
                       f"--cuda-path={common.cuda_home()}", source, "-o",
                       "-"]).stdout
    # Two spaces open an instruction; more, the cases of a switch and the like.
    return len(re.findall(r"^  [^ \]]", text, re.M))


def sizes_of(shape, path):
    """Instructions by units, which are linear: counted for two programs."""
    counts = []
    for units in (4, 12):
        path.write_text(shape(units), encoding="utf-8")
        counts.append(instructions(path))
    each = (counts[1] - counts[0]) / 8
    return lambda units: round(counts[0] + (units - 4) * each), each


def compile_once(command):
    """(CPU seconds, peak MiB, standard error)"""
    child = subprocess.Popen([str(word) for word in command],
                             stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, text=True)
    errors = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        common.fail(f"{' '.join(map(str, command))} failed:\n{errors}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, errors


def pass_seconds(report):
    """User and system time of the host pass, out of -ftime-report."""
    row = re.search(r"^(.*)::HostPass", report, re.M)
    if not row:
        common.fail("-ftime-report has no line of Echo's host pass")
    user_system = re.findall(r"([\d.]+) \( *[\d.]+%\)", row.group(1))[:2]
    return sum(map(float, user_system))


def exponent(points, base=(0, 0)):
    """Slope of log time over log size, both less those of \\p base. A power of
    the whole size says less: where the time is a*size - b, as when a frame of
    templates costs less per instruction than what is added to it, it is above
    1 though nothing grows worse than linearly."""
    points = [(math.log(n - base[0]), math.log(t - base[1])) for n, t in points
              if n > base[0] and t > base[1]]
    if len(points) < 2:
        return None
    x = sum(p[0] for p in points) / len(points)
    y = sum(p[1] for p in points) / len(points)
    return (sum((a - x) * (b - y) for a, b in points) /
            sum((a - x) ** 2 for a, _ in points))


def measure(options, folder, shape, units):
    path = folder / f"{shape.__name__}.cu"
    path.write_text(shape(units), encoding="utf-8")
    tail = [LEVEL, "-Wno-unknown-cuda-version",
            f"--cuda-path={common.cuda_home()}",
            f"--cuda-gpu-arch={options.arch}", "-x", "cuda", "-c", path, "-o",
            folder / "out.o"]
    report = folder / "report.txt"
    report.unlink(missing_ok=True)
    got = collections.defaultdict(list)
    for _ in range(options.runs):
        seconds, mib, errors = compile_once(
            [common.echo_cc(options), "-ftime-report", "--min-bytes=1",
             "--report", report, *tail])
        got["echo_s"].append(seconds)
        got["echo_mib"].append(mib)
        got["pass_s"].append(pass_seconds(errors))
        if options.clang:
            seconds, mib, _ = compile_once([common.LLVM / "clang++", *tail])
            got["clang_s"].append(seconds)
            got["clang_mib"].append(mib)
    # Other load makes a compilation slower, never faster.
    row = {key: round(min(values), 4) for key, values in got.items()}
    found = re.search(r"^(\d+) pairs?: (.*)$",
                      report.read_text(encoding="utf-8"), re.M)
    return row | {"pairs": found.group(0) if found else "no pairs"}


def main():
    parser = common.arguments(__doc__, runs=3)
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--shape", action="append",
                        choices=[s.__name__ for s in scaling_shapes.SHAPES])
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--clang", action="store_true",
                        help="compile with clang++, too")
    options = parser.parse_args()
    facts, shapes = common.machine(options), {}
    with common.scratch() as name:
        folder = common.pathlib.Path(name)
        for shape in scaling_shapes.SHAPES:
            if options.shape and shape.__name__ not in options.shape:
                continue
            rows = []
            size_of, each = sizes_of(shape, folder / "units.cu")
            counts = {1} | {max(1, round((size - size_of(0)) / each))
                            for size in options.sizes}
            for units in sorted(counts):
                row = {"instructions": size_of(units), "units": units}
                row |= measure(options, folder, shape, units)
                rows.append(row)
                print(f"  {shape.__name__:18} {row['instructions']:7} IR   "
                      f"pass {row['pass_s']:8.3f} s of "
                      f"{row['echo_s']:7.2f} s   {row['pairs']}", flush=True)
            points = [(r["instructions"], r["pass_s"]) for r in rows]
            shapes[shape.__name__] = {
                "what": shape.__doc__.replace("\n", " ").strip(),
                "exponent": exponent(points[1:], points[0]),
                "exponent_of_whole": exponent(points[1:]), "rows": rows}
            print(f"  {shape.__name__:18} grows with the power "
                  f"{shapes[shape.__name__]['exponent']:.2f}", flush=True)
    write_results(options, facts, shapes)


def write_results(options, facts, shapes):
    value = max(row["exponent"] for row in shapes.values())
    result = {
        "what": "power of the instructions added to a shape's smallest program "
                "with which the time added to its host pass grows, of the "
                "shape that grows most",
        "value": value, "unit": "", "target": "at most 1.10",
        "met": value <= 1.10, "runs": options.runs, "level": LEVEL,
        "shapes": shapes}
    device = re.sub(r"[^a-z0-9]+", "-", f"cpu-{facts['cpu']}".lower())
    target = options.json or (
        common.ROOT / "bench" / "results" /
        f"{facts['date'][:10]}-{device.strip('-')}-scaling.json")
    target.write_text(json.dumps({"machine": facts, "scaling": result},
                                 indent=2) + "\n", encoding="utf-8")
    print(f"scaling: {value:.2f}, target at most 1.10: "
          f"{'met' if result['met'] else 'MISSED'}; written: {target}")


if __name__ == "__main__":
    main()
