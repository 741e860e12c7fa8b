#!/usr/bin/env python3
# What profiling and validating a prebuilt program cost.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs loop.cu under libecho-dr.so: plain, profiled and validated, in turns.

The kernel does nothing and the CPU device copies by memcpy, so that these are the highest costs that a loop of
copies can show. With --nvcc the loop runs on the machine's GPU instead. Of each kind the least processor time counts:
other load makes a run slower, never faster."""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent.parent / "test" / "dr")]
import common  # noqa: E402
import tracefile  # noqa: E402

# Words of a run: the modes that are measured, and what each may cost at most. Validation's waits for a GPU that comes
# late are at most a fixed number (Lateness.cpp), which shorter loops would show most.
MEBI = 1 << 20
RUNS = {
    ("copies", MEBI // 4, 8000): {"validate": 3}, ("copies", MEBI // 2, 4000): {"validate": 3},
    ("copies", MEBI, 2000): {"validate": 3}, ("copies", 16 * MEBI, 120): {"validate": 3},
    ("waits", MEBI, 2000): {"validate": 3}, ("launches", MEBI // 4, 600000): {"profile": 1.05, "validate": 3},
    ("buffers", MEBI // 4, 100000): {"profile": 1.05},
}


def environment(options, mode, folder):
    env = {"PATH": "/usr/bin:/bin", "ECHO_CPU_SCHED": "eager"}
    if mode != "plain":
        env.update(LD_PRELOAD=str((options.build / "lib" / "echo" / "libecho-dr.so").resolve()), ECHO_DR_MODE=mode,
                   ECHO_DR_TRACE=str(folder), ECHO_DR_PLAN=str(folder / "plan.json"), ECHO_DR_TRACE_BYTES="1000000000")
    return env


def time_of(options, mode, folder, command):
    done = common.run(command, env=environment(options, mode, folder))
    seconds = float(done.stdout)
    traces = [tracefile.Trace(str(path)) for path in folder.glob("*.echo")] if mode == "validate" else []
    if mode == "validate" and (not any(t.count("Rounds") for t in traces) or any(t.count("Trap") for t in traces)):
        common.fail(f"{command}: the pair was not watched")
    return seconds


def build_loop(options, program):
    """loop.cu, for the CPU device or by nvcc for the GPU."""
    words = [common.echo_cc(options), "-w", "--device=cpu", "--no-unify"]
    if options.nvcc:
        words = [options.nvcc, "-arch=native"]
    common.run([*words, "-cudart", "shared", "-O3", HERE / "loop.cu", "-o", program])


def measure(options, folder, command, modes):
    """Least seconds by mode."""
    least = {}
    for turn in range(options.runs):
        kinds = ["plain", *modes]
        for kind in kinds[turn % len(kinds):] + kinds[:turn % len(kinds)]:
            seconds = time_of(options, kind, folder, command)
            least[kind] = min(seconds, least.get(kind, seconds))
            for trace in folder.glob("*.echo"):
                trace.unlink()
    return least


def main():
    parser = common.arguments(__doc__, runs=7)
    parser.add_argument("--nvcc", type=pathlib.Path, help="builds the loop for the GPU")
    parser.add_argument("--only", metavar="KIND", choices=sorted({words[0] for words in RUNS}),
                        help="measures this kind of loop alone")
    options = parser.parse_args()
    rows = {}
    with common.scratch() as scratch:
        folder = pathlib.Path(scratch)
        build_loop(options, folder / "loop")
        for words, limits in RUNS.items():
            if options.only not in (None, words[0]):
                continue
            command = [folder / "loop", *words]
            if "validate" in limits:
                common.run([folder / "loop", words[0], words[1], 5], env=environment(options, "profile", folder))
                trace = next(folder.glob("*.echo"))
                tracefile.plan(tracefile.Trace(str(trace)), "system", str(folder / "plan.json"))
                trace.unlink()
            least = measure(options, folder, command, limits)
            for mode, limit in limits.items():
                name = f"{mode}: {' '.join(map(str, words))}"
                rows[name] = {"plain_s": least["plain"], "ratio": least[mode] / least["plain"], "target": limit}
                print(f"  {name:32} {rows[name]['ratio']:6.3f} of plain, {least['plain']:.3f} s (target {limit})",
                      flush=True)
    worst = max(row["ratio"] / row["target"] for row in rows.values())
    common.finish(options, "dr_cost", {
        "what": "processor time of profiled and validated loops, by that of plain ones", "value": worst,
        "unit": "of its target, the worst", "target": "1 or less", "met": worst <= 1, "runs": options.runs, "rows": rows})


if __name__ == "__main__":
    main()
