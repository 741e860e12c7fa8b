#!/usr/bin/env python3
# Measures echo-run on binaries that Echo did not build: nvcc's, with the CUDA runtime
# linked statically, and PyTorch's.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""prebuilt.py FOLDER [NAME...]: for each program makes a plan with echo-run prepare, then runs it
as it is, preloaded without a plan, with its plan, pinned by hand, and so with the copies as they are
written ("pinned-same-calls": by hand they are asynchronous), in rotating order, and writes
FOLDER/prebuilt.json: medians over processes of the mean iteration (PyTorch: of the median frame),
ratios within this run. Names: m1 m2 m3 (built here by nvcc), fcn detect reid e1 e2 train graph
(PyTorch), cupy, jax. Needs a GPU."""

import argparse
import glob
import hashlib
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

BENCH = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(BENCH))
sys.path.insert(0, str(BENCH.parent / "test" / "dr"))
from suite import energy, machine, plans, process  # noqa: E402
import tracefile  # noqa: E402

SOURCES = {"m1": ("m1_sgemm.cu", "cublas"), "m2": ("m2_ofdm.cu", "cufft"),
           "m3": ("m3_convolution.cu", "cudnn")}
# Python's programs: their scripts, and whether they can pin by hand.
NETS = {**{name: ("torch_loops.py", True) for name in ("fcn", "detect", "reid", "e1", "e2", "train", "graph")},
        "cupy": ("array_loops.py", True), "jax": ("array_loops.py", False)}


def packages():
    """Folders of CUDA's libraries that came as Python packages."""
    return [place for place in machine.candidates() if "/nvidia/" in place]


PINNED = {"pinned": ("-DHAND=pinned",), "pinned-same-calls": ("-DHAND=pinned", "-DSAME_CALLS")}


def build(folder, name, flags=()):
    """The program by nvcc; None if it does not build."""
    source, library = SOURCES[name]
    target = folder / (name + "".join(flags))
    places = packages() + ["/usr/local/cuda/lib64"]
    found = [f for p in places for f in sorted(glob.glob(f"{p}/lib{library}.so*"))]
    if not found:
        return None
    includes = [f"-I{os.path.dirname(p)}/include" for p in packages()]
    command = ["nvcc", "-O2", "-std=c++17", "-arch=native", "-cudart", "static", *includes,
               str(BENCH / "programs" / source), "-L" + os.path.dirname(found[0]),
               "-l:" + os.path.basename(found[0]), "-o", str(target)]
    done = subprocess.run([*command, *flags], capture_output=True, text=True)
    if done.returncode:
        print(f"{name}: {done.stderr[-800:]}", file=sys.stderr)
        return None
    return str(target)


class Case:
    """One program in its variants."""

    def __init__(self, name, options):
        self.name, self.samples, self.faults, self.energy = name, {}, {}, {}
        self.whole = {}  # ms of complete iterations: a video's frames are made ready on the host
        self.meter, self.iterations = options.meter, options.iterations
        self.plan_by = "profile and analyze, all pairs pinned" if options.pin_all else None
        self.csv = str(options.folder / f"{name}.csv")
        self.outputs = {}
        if name in NETS:
            self.commands = {"baseline": [sys.executable, str(BENCH / "programs" / NETS[name][0]), name,
                                          "--warmup", str(options.warmup), "--frames", str(options.iterations)]}
        else:
            binaries = {"baseline": build(options.folder, name),
                        **{variant: build(options.folder, name, flags) for variant, flags in PINNED.items()}}
            self.commands = {k: [b, "--warmup", str(options.warmup), "--iterations", str(options.iterations),
                                 "--output", self.csv] for k, b in binaries.items() if b}
        if "baseline" not in self.commands:
            raise RuntimeError("its binary does not build")
        self.run, library = options.echo / "bin" / "echo-run", options.echo / "lib" / "echo" / "libecho-dr.so"
        self.environment = plans.environment_of(os.environ, options.folder / f"{name}.plans")
        plain = self.commands["baseline"]
        self.commands["dr"] = [str(self.run), "-q", *plain]
        self.commands["no plan"] = ["env", f"LD_PRELOAD={library}", *plain]
        if name in NETS and NETS[name][1]:
            self.commands["pinned"] = [*plain, "--pinned"]

    def prepare(self, runs, limit):
        """Makes the plan; what echo-run said, without the single runs."""
        # The times that a loop writes to its file differ; its result is on standard output.
        accepted = () if self.name in NETS else ("--accept",)
        plan = plans.prepare(self.run, self.commands["baseline"], self.environment, limit,
                             ("--runs", str(runs), *accepted))
        said = pathlib.Path(self.environment["ECHO_PLAN_DIR"], "prepare.log").read_text(errors="replace").splitlines()
        if "not_here" in plan:
            raise RuntimeError("\n".join([plan["not_here"], *said[-40:]]))
        return [line for line in said if ": run " not in line]

    def pin_all(self, limit):
        """Makes a plan that pins the host buffer of every pair of one profiled run, unmeasured."""
        folder = pathlib.Path(self.environment["ECHO_PLAN_DIR"])
        said = []
        for words in (["profile", "--", *self.commands["baseline"]], ["analyze"]):
            done = subprocess.run([self.run, *words], capture_output=True, text=True, timeout=limit, env=self.environment)
            if done.returncode:
                raise RuntimeError(f"echo-run {words[0]}: {done.stderr[-600:]}")
            said += done.stdout.splitlines()
        for path in folder.glob("*.json"):
            whole = json.loads(path.read_text())
            for pair in whole["pairs"]:
                pair["choice"] = "pinned-split" if "pinned-split" in pair["open"] else "leave"
            tracefile.write_plan({**whole, "enabled": True}, path)
        return said

    def once(self, variant, limit):
        done = process.watched(self.commands[variant], self.environment, limit, self.meter)
        if done.status:
            why = f"did not end within {limit} s" if done.late else f"exit status {done.status}"
            raise RuntimeError(f"{variant}: {why}: {done.said[-600:]}")
        self.outputs[variant] = hashlib.sha256(done.out.encode()).hexdigest()
        if done.energy is not None:
            self.energy.setdefault(variant, []).append(done.energy / self.iterations)
        if self.name in NETS:
            said = next(line.split()[2] for line in done.said.splitlines() if " frame_ms:region_ms:faults " in line)
            whole, value, faults = map(float, said.split(":"))
            self.faults.setdefault(variant, []).append(faults)
            self.whole.setdefault(variant, []).append(whole)
        else:
            rows = [list(map(int, l.split(","))) for l in open(self.csv) if l[0].isdigit()]
            value = statistics.mean((r[1] - r[0]) / 1e6 for r in rows)
        self.samples.setdefault(variant, []).append(value)

    @staticmethod
    def median_of(samples, variant):
        """The median over processes; None where nothing was measured."""
        return statistics.median(samples[variant]) if variant in samples else None

    def results(self):
        medians = {k: statistics.median(v) for k, v in self.samples.items()}
        base = medians["baseline"]

        def share(variant, hand):
            """What the plan gains of what pinning by hand does."""
            best = medians.get(hand)
            return (base - medians[variant]) / (base - best) if best and variant == "dr" and base > best else None
        for variant, value in medians.items():
            yield {"bench": self.name, "variant": variant, "median_ms": value, "processes_ms": self.samples[variant],
                   "page_faults": self.faults.get(variant), "energy_mj": self.median_of(self.energy, variant),
                   "loop_ms": self.median_of(self.whole, variant), "speedup": base / value, "recovered": share(variant, "pinned"),
                   "recovered_same_calls": share(variant, "pinned-same-calls"),
                   "plan_by": self.plan_by if variant == "dr" else None,
                   "output_equal": self.outputs[variant] == self.outputs["baseline"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join([*SOURCES, *NETS])} (default: all)")
    parser.add_argument("--echo", type=pathlib.Path, default=BENCH.parent / "build",
                        help="where bin/echo-run and lib/echo/libecho-dr.so are (default: build)")
    parser.add_argument("--processes", type=int, default=5, help="per variant (default: 5)")
    parser.add_argument("--plan-runs", type=int, default=5, help="of prepare (default: 5)")
    parser.add_argument("--pin-all", action="store_true",
                        help="no echo-run prepare: pin the host buffer of every pair, unmeasured")
    parser.add_argument("--variants", default="baseline,pinned,pinned-same-calls,dr,no plan",
                        help="default: %(default)s")
    parser.add_argument("--warmup", type=int, default=100)
    parser.add_argument("--iterations", type=int, default=100)
    parser.add_argument("--time-limit", type=float, default=float("inf"), metavar="SECONDS")
    parser.add_argument("--commit", default=None, help="what is recorded")
    options = parser.parse_args()
    options.names = options.names or [*SOURCES, *NETS]
    if unknown := set(options.names) - set(SOURCES) - set(NETS):
        parser.error(f"no program {', '.join(sorted(unknown))}")
    if not shutil.which("nvcc") and set(options.names) & set(SOURCES):
        sys.exit("prebuilt.py: error: no nvcc on the path")
    options.folder.mkdir(parents=True, exist_ok=True)
    options.folder = options.folder.resolve()
    end = time.monotonic() + options.time_limit
    os.environ["LD_LIBRARY_PATH"] = ":".join(packages() + [os.environ.get("LD_LIBRARY_PATH", "")])
    facts = machine.facts("cuda", {"commit": options.commit, "scale": "gpu"})
    options.meter, reason = energy.meter()
    facts["energy"] = options.meter.name if options.meter else None
    notes = [reason] if reason else []
    notes += ["pinned-split for every pair, not calibrated"] if options.pin_all else []
    notes += [f"{name}={value}" for name, value in sorted(os.environ.items()) if name.startswith("MALLOC_")]
    record = {"machine": facts, "results": [], "notes": notes}
    for name in options.names:
        try:
            case = Case(name, options)
            left = min(max(end - time.monotonic(), 1), 3600)
            said = case.pin_all(left) if options.pin_all else case.prepare(options.plan_runs, left)
            print("\n".join(said), flush=True)
            order = [v for v in case.commands if v in options.variants.split(",")]
            for i in range(options.processes):
                for variant in order[i % len(order):] + order[:i % len(order)]:
                    if time.monotonic() < end:
                        case.once(variant, 300)
            record["results"] += case.results()
        except subprocess.TimeoutExpired as error:
            record["notes"].append(f"{name}: a command did not end within {error.timeout:.0f} s")
        except (RuntimeError, KeyError) as error:
            record["notes"].append(f"{name}: {str(error)[-4000:]}")
        (options.folder / "prebuilt.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    for r in record["results"]:
        print(f"{r['bench']:7} {r['variant']:9} {r['median_ms']:9.3f} ms {r['speedup']:6.3f}x"
              + "".join(f" {share} {r[share]:.3f}" for share in ("recovered", "recovered_same_calls")
                        if r[share] is not None)
              + ("" if r["output_equal"] else "  OUTPUT DIFFERS"))
    for note in record["notes"]:
        print("note:", note)
    return 0 if all(r["output_equal"] for r in record["results"]) else 1


if __name__ == "__main__":
    sys.exit(main())
