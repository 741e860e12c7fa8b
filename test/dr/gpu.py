#!/usr/bin/env python3
# The programs under libecho-dr.so on a real GPU, by the driver interposer: nvcc's builds with
# the CUDA runtime inside and beside, and programs of the driver API.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gpu.py build FOLDER   compiles everything, with nvcc; needs no GPU.
gpu.py run FOLDER     runs what is in FOLDER on a GPU; compiles nothing.

Each case runs plain, preloaded, profiled, and with plans that take every pair; the loops
of tricks/ also in validate mode. Ends with "N passed, N failed"."""
import argparse
import glob
import os
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import cases  # noqa: E402
import run  # noqa: E402
import tracefile  # noqa: E402
import validate  # noqa: E402

SOURCES = [(s, HERE + "/" + s) for s in ("programs/loop.cu", "programs/process.cu", "programs/errors.cu",
                                         "programs/small.cu", "programs/answers.cu", "programs/order.cu",
                                         "programs/released.cu",
                                         "programs/stacks.cu", "programs/looked-up.cu", "programs/anew.cu",
                                         "tricks/tricks.cu", "tricks/streams.cu", "tricks/readers.cu", "tricks/opened.cu",
                                         "tricks/loaders.cu", "tricks/tried.cu", "tricks/busy.cu", "tricks/paths.cu",
                                         "tricks/variable.cu",
                                         "gpu/driver.cpp", "gpu/other.cpp")]
RUNTIMES = ("static", "shared")


def binary(folder, source, runtime):
    return os.path.join(folder, os.path.splitext(os.path.basename(source))[0] + "-" + runtime)


def nvcc(*words):
    subprocess.run(["nvcc", "-O1", "-w", "-arch=sm_75", *words], check=True)


def stub(folder, objects):
    """A libcuda.so.1 to link with where no driver is: the symbols, and nothing behind them."""
    listed = subprocess.run(["nm", "-u", *objects], check=True, capture_output=True, text=True)
    names = sorted(set(re.findall(r"U (cu[A-Z]\w+)", listed.stdout)))
    text = "".join("int %s(void) { return 500; }\n" % n for n in names)
    library = os.path.join(folder, "libcuda.so")
    subprocess.run(["cc", "-xc", "-", "-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", "-o", library],
                   input=text, text=True, check=True)
    return library


def build(folder, library):
    os.makedirs(folder, exist_ok=True)
    shutil.copy(library, folder)
    for name, path in SOURCES:
        if name.startswith("gpu/"):
            source = os.path.join(folder, os.path.basename(name)[:-4] + ".o")
            include = os.path.join(os.path.dirname(shutil.which("nvcc")), "..", "include")
            subprocess.run(["c++", "-O1", "-I" + include, "-c", path, "-o", source], check=True)
            linked = stub(folder, [source])
            subprocess.run(["c++", source, "-o", binary(folder, name, "static"), linked, "-ldl"],
                           check=True)
            os.remove(source)
            os.remove(linked)
            continue
        for runtime in RUNTIMES:
            nvcc(path, "-o", binary(folder, name, runtime), "-lpthread", "-cudart", runtime)
    nvcc(HERE + "/tricks/keeps.cu", "-o", os.path.join(folder, "libkeeps.so"), "-shared", "-Xcompiler", "-fPIC",
         "-cudart", "static")  # it has a runtime of its own, as CUDA's libraries have
    print("built in", folder)


def check_reason(runner, name, command, reason):
    """The trace names why the device side of the copies is left alone, and nothing else is."""
    _, traces = runner.profile(command, name)
    trace = max(traces, key=lambda t: t.count("Copy"))
    devices = {r[7] for r in trace.records if r[0] == "DeviceAlloc"}
    reasons = tracefile.table("DR_REASON")
    found = {(reasons[r[1]], r[7] in devices) for r in trace.records if r[0] == "Ineligible"}
    if found != {(reason, True)} or trace.count("Copy") != 16 or not trace.pairs():
        raise cases.Failure("the trace has the reasons %r" % found)


def check_kernel(runner, name, command, kernel):
    """Launches name their kernel, and the program that makes them."""
    _, traces = runner.profile(command, name)
    trace = max(traces, key=lambda t: t.count("Launch"))
    found = {(trace.kernels.get(r[7]), r[8]) for r in trace.records if r[0] == "Launch"}
    if found != {(kernel, trace.executable)}:
        raise cases.Failure("the trace has the launches %r" % found)


def checks(folder, library, fake):
    """(name, function) of every case of the programs that were built."""
    beside = os.path.join(folder, "libecho-dr.so")

    def runner(name):
        work = os.path.join(folder, "work", name)
        os.makedirs(work, exist_ok=True)
        made = run.Runner(folder, work, "gpu", "", limit=60)
        made.library = beside if os.path.exists(beside) else library
        return made
    for source, path in SOURCES:
        for runtime in RUNTIMES:
            program = binary(folder, source, runtime)
            if not os.path.exists(program):
                continue
            stem = os.path.basename(program)
            for case, words in run.cases_of(path):
                name = "%s.%s" % (stem, case)
                if "races" not in words and not (fake and "gpu-only" in words):
                    yield name, lambda n=name, p=program, c=case, w=words: run.check_case(runner(n), n, [p, c], w)
            for case, reason in re.findall(r"^// REASON: (\S+)\s*\| (\S+)$", open(path).read(), re.M):
                name = "%s.reason.%s" % (stem, case)
                yield name, lambda n=name, p=program, c=case, w=reason: check_reason(runner(n), n, [p, c], w)
            for case, kernel in re.findall(r"^// KERNEL: (\S+)\s*\| (\S+)$", open(path).read(), re.M):
                name = "%s.kernel.%s" % (stem, case)
                yield name, lambda n=name, p=program, c=case, k=kernel: check_kernel(runner(n), n, [p, c], k)
            for case, wanted in validate.expected_of(path):
                name = "%s.validate.%s" % (stem, case)
                yield name, lambda n=name, p=program, c=case, w=wanted: validate.check(runner(n), p, c, w)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=("build", "run"))
    parser.add_argument("folder")
    parser.add_argument("filter", nargs="*", help="only cases whose name contains one of these")
    parser.add_argument("--library", default=os.path.join(
        tracefile.ROOT, "build", "lib", "echo", "libecho-dr.so"))
    parser.add_argument("--jobs", type=int, default=1, help="cases at a time; more than one: their times, too")
    parser.add_argument("--fake", action="store_true", help="the driver is that of fake-libcuda")
    args = parser.parse_intermixed_args()
    if args.verb == "build":
        return build(os.path.abspath(args.folder), args.library)
    return cases.run_all(checks(os.path.abspath(args.folder), args.library, args.fake),
                         cases.any_of(args.filter), args.jobs, args.jobs > 1)


if __name__ == "__main__":
    sys.exit(main())
