# Builds the variants of the suite into a folder.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every build is its own program; one that fails is noted in the manifest, and the others go
on. For the CPU device each is linked a second time, with the tracing copies of trace/wrap.c."""

import concurrent.futures as futures
import json
import os
import pathlib
import shutil
import subprocess

from . import catalog

BENCH = pathlib.Path(__file__).resolve().parent.parent
ROOT = BENCH.parent
WRAP = [f"-Wl,--wrap=cuda{name}" for name in ("Memcpy", "MemcpyAsync", "DeviceSynchronize",
                                             "StreamSynchronize", "EventSynchronize")]


class Failed(Exception):
    """A command that failed, with what it said."""


def run(command):
    done = subprocess.run([str(word) for word in command], cwd=ROOT, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        raise Failed(f"{' '.join(map(str, command))}\n{done.stdout[-2000:]}")


def verdicts(report):
    """(pairs that merge, all pairs) of a JSON report."""
    with open(report, encoding="utf-8") as file:
        pairs = [p for unit in json.load(file)["units"] for p in unit["pairs"]]
    return [sum(p["verdict"] != "declined" for p in pairs), len(pairs)]


class Builder:
    def __init__(self, options):
        self.options = options
        self.compiler = pathlib.Path(options.build) / "bin" / "echo-c++"
        self.folder = pathlib.Path(options.folder)
        self.objects = self.folder / "objects"

    def device_flags(self, build):
        if self.options.device == "cpu":
            # echo-run's library stands before a CUDA runtime that is not a part of the program.
            return ["--device=cpu", *(["-cudart", "shared"] if build == "dr" else [])]
        return ["--device=cuda", f"-arch={self.options.arch}", "-cudart", "shared",
                "-static-libstdc++", "-static-libgcc", "-Xlinker", "-s"]

    def one(self, bench, build):
        """The manifest's entry of one build."""
        name = f"{bench.name}.{build}"
        unit, report = self.objects / f"{name}.o", self.objects / f"{name}.json"
        entry = {"binary": f"bin/{name}"}
        try:
            report.unlink(missing_ok=True)
            flags = catalog.build_flags(bench, build, self.options.scale)
            if build == "sr":
                flags.append(f"--report-json={report}")
            run([self.compiler, *self.device_flags(build), "-O3", *flags, "-c", bench.source, "-o", unit])
            libraries = [f"-l{bench.library}"] if bench.library else []
            link = [self.compiler, *self.device_flags(build), unit]
            run([*link, *libraries, "-o", self.folder / entry["binary"]])
            if self.options.device == "cpu" and build != "dr":
                entry["traced"] = entry["binary"] + ".trace"
                run([*link, self.objects / "wrap.o", "--unify-wrapped", *WRAP, *libraries, "-o",
                     self.folder / entry["traced"]])
            if build == "sr":
                entry["pairs"] = verdicts(report)
        except (Failed, OSError) as error:
            entry["error"] = str(error)
        return entry

    def trace_library(self):
        """For a GPU: the library that CUPTI works in; null where this machine has no CUPTI."""
        source = BENCH / "trace" / "cupti.cpp"
        target = self.folder / "lib" / "libbenchtrace.so"
        cuda = pathlib.Path(self.options.cuda)
        places = [cuda, cuda / "extras" / "CUPTI"]
        home = next((p for p in places if (p / "include" / "cupti.h").exists()), None)
        if home is None:
            return None, "no CUPTI in the toolkit: no copy fractions"
        links = [p for p in (home / "lib64", home / "lib") if (p / "libcupti.so").exists()]
        try:
            run([self.options.cxx, "-O2", "-fPIC", "-shared", "-static-libstdc++", "-static-libgcc",
                 f"-I{home}/include", f"-I{cuda}/include", source, "-o", target,
                 *[f"-L{p}" for p in links], "-lcupti"])
        except (Failed, OSError) as error:
            return None, f"the tracing library does not build: {error}"
        return "lib/libbenchtrace.so", None

    def runtime(self):
        """The CUDA runtime travels along."""
        for place in ("lib64", "lib"):
            for library in pathlib.Path(self.options.cuda, place).glob("libcudart.so.*"):
                shutil.copy(library, self.folder / "lib" / library.name)
                return

    def echo_run(self):
        """echo-run and its library travel along; null where they are not built."""
        root = pathlib.Path(self.options.build)
        parts = [pathlib.Path("bin/echo-run"), pathlib.Path("lib/echo/libecho-dr.so")]
        if not all((root / part).exists() for part in parts):
            return None
        for part in parts:
            (self.folder / "echo" / part).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(root / part, self.folder / "echo" / part)
        return f"echo/{parts[0]}"

    def all(self, names):
        """Builds everything and writes manifest.json; returns the manifest."""
        for part in ("bin", "lib", "objects"):
            (self.folder / part).mkdir(parents=True, exist_ok=True)
        manifest = {"device": self.options.device, "scale": self.options.scale,
                    "arch": self.options.arch if self.options.device == "cuda" else None,
                    "commit": self.options.commit or commit(), "tracer": None,
                    "echo_run": self.echo_run(), "notes": [], "benches": {}}
        if self.options.device == "cpu":
            run([self.options.cc, "-O2", "-c", BENCH / "trace" / "wrap.c", "-o",
                 self.objects / "wrap.o"])
        else:
            manifest["tracer"], note = self.trace_library()
            manifest["notes"] += [note] if note else []
            self.runtime()
        with futures.ThreadPoolExecutor(self.options.jobs) as pool:
            tasks = {(b.name, build): pool.submit(self.one, b, build)
                     for b in catalog.BENCHES if b.name in names for build in b.builds
                     if build != "dr" or self.options.device == "cpu"}
            for (name, build), task in tasks.items():
                entry = task.result()
                row = manifest["benches"].setdefault(name, {"builds": {}, "args": list(
                    catalog.bench(name).args[self.options.scale])})
                row["builds"][build] = entry
                print(f"{name:9} {build:9} {describe(entry)}", flush=True)
        for name, row in manifest["benches"].items():
            if "dr" in catalog.bench(name).builds:  # echo-run takes programs as they are
                row["builds"].setdefault("dr", row["builds"]["baseline"])
        shutil.rmtree(self.objects)
        (self.folder / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n",
                                                   encoding="utf-8")
        return manifest


def reason(entry):
    """The line of a failed build that says why."""
    lines = entry["error"].strip().splitlines()
    telling = ("cannot find", "undefined ", "error:")
    return next((line for line in lines if any(t in line for t in telling)), lines[-1])


def describe(entry):
    if "error" in entry:
        return "FAILED: " + reason(entry)
    if "pairs" in entry:
        return "built, {} of {} pairs merge".format(*entry["pairs"])
    return "built"


def commit():
    done = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "HEAD"], text=True,
                          capture_output=True, check=False)
    return done.stdout.strip() or None


def add_arguments(parser):
    """The options of building, for prepare-suite and run-suite."""
    parser.add_argument("--build", default=ROOT / "build", help="build tree of Echo (default: build/)")
    parser.add_argument("--arch", default=os.environ.get("ARCH", "sm_90"),
                        help="of the GPU (default: %(default)s)")
    parser.add_argument("--cuda", default=os.environ.get("CUDA_HOME", "/usr/local/cuda"), help="toolkit")
    parser.add_argument("--cc", default="cc", help="C compiler of the tracing copies")
    parser.add_argument("--cxx", default="c++", help="C++ compiler of the tracing library")
    parser.add_argument("--jobs", type=int, default=2, help="compilations at a time")
    parser.add_argument("--commit", help="what is recorded (default: HEAD)")
