# What the measuring scripts share: the machine's facts, medians, runs.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every number is a ratio of two things measured in one run, interleaved."""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

from suite.machine import facts

ROOT = pathlib.Path(__file__).resolve().parent.parent
LLVM = pathlib.Path(os.environ.get("ECHO_LLVM_DIR", "/usr/lib/llvm-22/bin"))
LOAD = os.getloadavg()[0]
EXAMPLES = ("conv2d", "fft", "nbody", "pipeline", "sgemm", "spmv")


def fail(text):
    sys.exit(f"{pathlib.Path(sys.argv[0]).name}: error: {text}")


def arguments(purpose, runs):
    """The options all scripts take."""
    parser = argparse.ArgumentParser(description=purpose)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build",
                        help="build tree of Echo (default: build/)")
    parser.add_argument("--runs", type=int, default=runs,
                        help=f"processes for each side (default: {runs})")
    parser.add_argument("--json", type=pathlib.Path,
                        help="also write the result to this file")
    parser.add_argument("--commit", help="what was built, where the working tree cannot say it")
    return parser


def echo_cc(options):
    compiler = options.build / "bin" / "echo-cc"
    if not compiler.exists():
        fail(f"{compiler} is not there; run scripts/build first")
    return str(compiler)


def cuda_home():
    for place in (os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"),
                  "/usr/local/cuda", "/usr/lib/cuda"):
        if place and pathlib.Path(place, "include/cuda.h").exists():
            return place
    fail("no CUDA toolkit found; set CUDA_HOME")


def run(command, **more):
    """Runs a command that must succeed; returns the finished process."""
    done = subprocess.run([str(word) for word in command], text=True,
                          capture_output=True, **more)
    if done.returncode:
        fail(f"{' '.join(map(str, command))} failed "
             f"({done.returncode}):\n{done.stdout}{done.stderr}")
    return done


class Failed(Exception):
    """A command that was to be measured did not succeed."""


def cost(command, **more):
    """User and system time of a command and all its children, and the peak
    memory of the largest of them, in KiB."""
    with tempfile.TemporaryFile("w+") as said:
        child = subprocess.Popen([str(word) for word in command],
                                 stdout=said, stderr=said, **more)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            said.seek(0)
            raise Failed(f"{' '.join(map(str, command))} failed "
                         f"({child.returncode}):\n{said.read()}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss


def median(values):
    return statistics.median(values)


def spread(values):
    """Half the distance between the quartiles, relative to the median."""
    if len(values) < 4:
        return None
    low, _, high = statistics.quantiles(values, n=4)
    return (high - low) / 2 / median(values) if median(values) else None


def first_line(command):
    try:
        return subprocess.run(command, text=True, capture_output=True,
                              check=True).stdout.splitlines()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return None


def machine(options):
    """Facts of the machine, as the suite records them, and of the compiler and the commit."""
    commit = options.commit or first_line(["git", "-C", str(ROOT), "rev-parse", "HEAD"])
    on_gpu = getattr(options, "nvcc", None) or getattr(options, "gpu", None)
    return {**facts("cuda" if on_gpu else "cpu", {"commit": commit}), "load_before": round(LOAD, 2),
            "clang": first_line([str(LLVM / "clang"), "--version"])}


def scratch():
    return tempfile.TemporaryDirectory(prefix="echo-bench-")


def finish(options, name, result):
    """Prints the verdict and writes the JSON with the machine's facts, if asked for."""
    if options.json:
        record = {"machine": machine(options), name: result}
        options.json.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    verdict = "met" if result["met"] else "MISSED"
    print(f"{name}: {result['value']:.3f} {result['unit']}, "
          f"target {result['target']}: {verdict}")
