# Runs one process of one variant.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gives back what the process measured of itself: times, checksum, what echort did. A process
that fails, hangs or cannot run on this device is a result, too."""

import csv
import dataclasses
import pathlib
import re
import subprocess
import tempfile
import threading

NOT_HERE = 3  # bench.h: this variant does not exist on this device
CHECKSUM = re.compile(r"checksum (\S+?),? ")
PAIR_BYTES = re.compile(r"(\d+) bytes in pairs")
TIME = re.compile(r"^time: ([\d.]+) ms", re.M)
PAIR = re.compile(r"^echo: .+ \+ .+?: (?:merged \(([\w-]+)\)|host side pinned, .*\(([\w-]+)\)|"
                  r"(split))", re.M)


def samples(path):
    """(region, complete iteration) in ms, and the regions' (start, end) in ns."""
    with open(path, encoding="utf-8") as file:
        rows = [{k: int(v) for k, v in row.items()} for row in csv.DictReader(file)]
    return ([(r["region_end"] - r["region_start"]) / 1e6 for r in rows],
            [(r["loop_end"] - r["loop_start"]) / 1e6 for r in rows],
            [(r["region_start"], r["region_end"]) for r in rows])


class Watch:
    """Reads a process's stderr as it comes, and the energy counter where it says so."""

    def __init__(self, child, meter):
        self.lines, self.marks = [], {}
        for line in child.stderr:
            if meter is not None and line.startswith(("bench: timed", "bench: done")):
                try:
                    self.marks[line.split()[1]] = meter.total()
                except OSError:
                    pass
            self.lines.append(line)

    def energy(self):
        if {"timed", "done"} <= set(self.marks):
            return self.marks["done"] - self.marks["timed"]
        return None


def arguments(kind, iterations, warmup, output):
    """What a program of the suite is told beside its sizes."""
    if kind == "loop":
        return ["--time"]
    return ["--iterations", str(iterations), "--warmup", str(warmup), "--output", str(output)]


@dataclasses.dataclass(frozen=True)
class Ended:
    """A process that ended: its exit status, what it printed on either stream, whether it was stopped, as it took too
    long, and the millijoules between the marks of bench.h (None where it sets none, or nothing measures)."""
    status: int
    out: str
    said: str
    late: bool
    energy: float


def watched(command, environment, timeout, meter=None):
    """Runs `command` to its end, and reads the energy counter at its marks. OSError if it does not start."""
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as out:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, text=True, stderr=subprocess.PIPE,
                                 env=environment, errors="replace")
        timer = threading.Timer(timeout, child.kill)
        timer.start()
        with child:
            watch = Watch(child, meter)
        late = not timer.is_alive()
        timer.cancel()
        out.seek(0)
        return Ended(child.returncode, out.read(), "".join(watch.lines), late, watch.energy())


def run(command, kind, environment, iterations, warmup, timeout, meter=None, output=None):
    """One process. {"error"} or {"not_here"} or its measurements. Its samples go to `output`, or
    to a file that nobody keeps."""
    with tempfile.TemporaryDirectory(prefix="bench-") as work:
        output = pathlib.Path(output or pathlib.Path(work) / "samples.csv")
        output.unlink(missing_ok=True)
        command = [str(word) for word in command] + arguments(kind, iterations, warmup, output)
        try:
            ended = watched(command, environment, timeout, meter)
        except OSError as error:
            return {"error": str(error)}
        if ended.status == NOT_HERE and kind != "loop":
            return {"not_here": ended.said.strip().splitlines()[-1]}
        if ended.status:
            why = f"stopped after {timeout} s" if ended.late else f"exit status {ended.status}"
            return {"error": f"{why}: {(ended.said or ended.out).strip()[-500:]}"}
        return outcome(kind, ended.out, ended.said, output, ended.energy, iterations)


def outcome(kind, text, said, output, energy, iterations):
    """What a process that ended well says about itself."""
    checksum, size = CHECKSUM.search(text + " "), PAIR_BYTES.search(text)
    backings = ["".join(found) for found in PAIR.findall(said)]
    result = {"checksum": float(checksum[1]) if checksum else None,
              "pair_bytes": int(size[1]) if size else None,
              "merged": sum("split" not in b for b in backings),
              "got": "+".join(sorted(set(backings))) or None,
              "energy_mj": None, "regions": []}
    refused = [line[len("echo: error: "):] for line in said.splitlines()
               if line.startswith("echo: error: ")]
    if refused:
        return {"not_here": refused[0]}
    if kind == "loop":
        time = TIME.search(said)
        if not time:
            return {"error": f"no time in: {said[-300:]}"}
        result["region_ms"] = result["loop_ms"] = [float(time[1])]
        return result
    try:
        result["region_ms"], result["loop_ms"], result["regions"] = samples(output)
    except (OSError, KeyError, ValueError) as error:
        return {"error": f"no samples: {error}"}
    if energy is not None:
        result["energy_mj"] = energy / iterations
    return result
