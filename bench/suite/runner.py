# Runs the suite: which process when, results as they come.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Processes of the variants take turns, so that what changes on the machine meets all of them.
Every finished process is a line of runs.jsonl; a suite that is started again in the same output
folder goes on where it stopped. A failing variant is recorded, and tried once."""

import json
import os
import pathlib
import tempfile
import time

from . import build as builder
from . import catalog, energy, machine, plans, process, summary, trace

PREPARING = 10  # times what one process may take is what preparing a plan may take
TRACED = (5, 20)  # at most so many (warm-up, timed) iterations in a traced process


class Runner:
    def __init__(self, options, folder, manifest):
        self.options, self.folder, self.manifest = options, pathlib.Path(folder), manifest
        self.device = manifest["device"]
        self.out = pathlib.Path(options.out)
        self.out.mkdir(parents=True, exist_ok=True)
        self.started = time.monotonic()
        self.notes = list(manifest.get("notes", []))
        self.machine = machine.facts(self.device, manifest)
        self.environment = self.make_environment()
        self.meter, reason = energy.meter() if self.device == "cuda" else \
            (None, "no energy: the CPU device has no counter")
        self.note(reason)
        if isinstance(self.meter, energy.Nvml):
            self.machine["driver"] = self.meter.driver()
        self.machine["energy"] = self.meter.name if self.meter else None
        self.runs, self.traces, self.plans, self.costs, self.jobs = {}, {}, {}, {}, []
        self.load()

    def note(self, text):
        if text and text not in self.notes:
            self.notes.append(text)
            print(f"note: {text}", flush=True)

    def make_environment(self):
        environment = {k: v for k, v in os.environ.items()
                       if not k.startswith("ECHO_") or k.startswith("ECHO_CPU_")}
        # What echort learns about the device stays in this suite's folder.
        environment["ECHO_PROFILE_DIR"] = str(self.out / "profile")
        environment["LC_ALL"] = "C"
        if self.device == "cuda":
            environment["LD_LIBRARY_PATH"], missing = machine.library_path(self.folder)
            self.note(f"not found: {', '.join(missing)}" if missing else None)
        return environment

    # --- What there is to run -------------------------------------------------------------

    def available(self, bench):
        """The variants of a benchmark that were asked for."""
        wanted = self.options.variants
        builds = self.manifest["benches"][bench.name]["builds"]
        for variant in catalog.variants(bench):
            if variant.build in builds and \
                    (not wanted or {variant.name, variant.backing, variant.key} & set(wanted)):
                yield variant

    def benches(self):
        return [b for b in catalog.BENCHES if b.name in self.manifest["benches"] and
                (not self.options.bench or b.name in self.options.bench)]

    def broken(self, key):
        return any("error" in r or "not_here" in r for r in self.runs.get(key, []))

    def remaining(self):
        return self.options.time_limit - (time.monotonic() - self.started)

    def iterations(self, bench):
        """(warm-up, timed) iterations of a process."""
        most = bench.most.get(self.manifest.get("scale"), (float("inf"),) * 2)
        return min(self.options.warmup, most[0]), min(self.options.iterations, most[1])

    def timeout(self):
        """Seconds that a process gets: one that hangs must not use up what others need."""
        return min(self.options.timeout, max(self.remaining(), 5))

    # --- One process ----------------------------------------------------------------------

    def variant_environment(self, variant):
        environment = dict(self.environment)
        if variant.name == "sr":
            environment.update(ECHO_BACKING=variant.backing, ECHO_VERBOSE="1")
        return environment

    def command(self, bench, variant, traced=False):
        entry = self.manifest["benches"][bench.name]
        build = entry["builds"][variant.build]
        binary = build["traced"] if traced and "traced" in build else build["binary"]
        return [self.folder / binary, *entry["args"]]

    def planned(self, bench, variant):
        """One process under echo-run, with a plan that is made before the first."""
        echo_run, key = self.manifest.get("echo_run"), (bench.name, variant.key)
        if not echo_run:
            return {"not_here": "echo-run is not built"}
        folder = (self.out / "plans" / bench.name).resolve()
        environment = plans.environment_of(self.variant_environment(variant), folder)
        echo_run, command = (self.folder / echo_run).resolve(), self.command(bench, variant)
        command[0], output = command[0].resolve(), folder / "samples.csv"
        warmup, iterations = self.iterations(bench)
        if key not in self.plans:
            words = command + process.arguments(bench.kind, iterations, warmup, output)
            self.keep(self.plans, key, 0, "plan", plans.prepare(
                echo_run, words, environment, PREPARING * self.timeout()))
        plan = self.plans[key][-1]
        if "not_here" in plan:
            return dict(plan)
        result = process.run([echo_run, "run", "-q", *command], bench.kind, environment, iterations,
                             warmup, self.timeout(), self.meter, output)
        return {**result, **plan} if "region_ms" in result else result

    def one(self, bench, variant, turn):
        """A timed process, unless the variant failed to build."""
        key = (bench.name, variant.key)
        build = self.manifest["benches"][bench.name]["builds"][variant.build]
        if "error" in build:
            result = {"error": f"not built: {builder.reason(build)}"}
        elif variant.name == "dr":
            result = self.planned(bench, variant)
            self.costs[key] = result["seconds"] = sum(result.get("loop_ms", [])) / 1000
        else:
            begin = time.monotonic()
            warmup, iterations = self.iterations(bench)
            result = process.run(self.command(bench, variant), bench.kind,
                                 self.variant_environment(variant), iterations, warmup,
                                 self.timeout(), self.meter)
            self.costs[key] = result["seconds"] = time.monotonic() - begin
        result.pop("regions", None)
        if variant.name == "sr" and variant.backing not in ("auto", "split") and \
                result.get("got") == "split":
            result = {"not_here": f"echort refuses {variant.backing} here: the pairs stay split"}
        self.keep(self.runs, key, turn, "run", result)
        problem = result.get("error") or result.get("not_here")
        if problem:
            print(f"{bench.name} {variant.key}: {problem.splitlines()[0]}", flush=True)

    def traced(self, bench, variant):
        """The breakdown of one more process, which records its copies and kernels."""
        tracer = self.manifest.get("tracer")
        build = self.manifest["benches"][bench.name]["builds"][variant.build]
        # A plan holds for the timed processes' own words only.
        if self.device == "cuda" and not tracer or "error" in build or variant.name == "dr":
            return
        environment = self.variant_environment(variant)
        with tempfile.TemporaryDirectory(prefix="bench-trace-") as work:
            path = pathlib.Path(work) / "trace.csv"
            environment["BENCH_TRACE"] = str(path)
            if tracer:
                environment["CUDA_INJECTION64_PATH"] = str((self.folder / tracer).resolve())
            warmup, iterations = map(min, self.iterations(bench), TRACED)
            result = process.run(self.command(bench, variant, True), bench.kind, environment,
                                 iterations, warmup, self.timeout())
            found = None
            if "error" in result:
                self.note(f"{bench.name} {variant.key}: the traced process failed: "
                          f"{result['error'].splitlines()[-1]}")
            elif "not_here" not in result:
                found = self.divide(bench, variant, path, result)
        self.keep(self.traces, (bench.name, variant.key), 0, "trace", found)

    def divide(self, bench, variant, path, result):
        if not path.exists():
            # A wrapped program that neither copies nor waits writes none.
            if self.device == "cuda":
                self.note("CUPTI recorded nothing: no copy fractions")
                return None
            recorded = {"kernel": [], "copy": [], "call": []}
        else:
            recorded = trace.read(path)
        if bench.kind == "loop":
            return trace.whole(recorded, result["region_ms"][0])
        return trace.breakdown(recorded, result["regions"])

    # --- What was found -------------------------------------------------------------------

    def keep(self, store, key, turn, kind, result):
        store.setdefault(key, []).append(result)
        with open(self.out / "runs.jsonl", "a", encoding="utf-8") as file:
            file.write(json.dumps({"kind": kind, "bench": key[0], "variant": key[1],
                                   "turn": turn, "result": result}) + "\n")

    def load(self):
        """Takes up what an earlier start left in the output folder."""
        path = self.out / "runs.jsonl"
        if not path.exists():
            return
        text = path.read_text(encoding="utf-8")
        if not text.endswith("\n"):
            with open(path, "a", encoding="utf-8") as file:
                file.write("\n")
        for line in text.splitlines():
            try:
                entry = json.loads(line)
            except ValueError:
                continue  # a line that a killed run did not finish
            store = {"run": self.runs, "trace": self.traces, "plan": self.plans}[entry["kind"]]
            key, result = (entry["bench"], entry["variant"]), entry["result"]
            store.setdefault(key, []).append(result)
            if entry["kind"] == "run" and "seconds" in result:
                self.costs[key] = result["seconds"]
        print(f"going on: {sum(map(len, self.runs.values()))} processes were measured before")

    def write(self):
        """results.json of all that is known by now."""
        rows = []
        for bench in self.benches():
            mine = [summary.row(bench, v, self.runs[bench.name, v.key],
                                trace.combine(self.traces.get((bench.name, v.key), [])))
                    for v in self.available(bench) if (bench.name, v.key) in self.runs]
            summary.compare(mine)
            rows += mine
        result = {"machine": self.machine, "notes": self.notes,
                  "protocol": {"processes": self.options.processes,
                               "warmup": self.options.warmup,
                               "iterations": self.options.iterations},
                  "what": {b.name: b.what for b in self.benches()},
                  "results": rows, "amdahl": summary.fit(rows),
                  "amdahl_undisturbed": summary.fit(rows, "undisturbed_")}
        temporary = self.out / "results.json.new"
        temporary.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
        os.replace(temporary, self.out / "results.json")
        return result

    # --- The order of things --------------------------------------------------------------

    def pending(self, turn):
        """The processes of a turn that still have to run, the variants in rotated order."""
        for bench in self.benches():
            variants = list(self.available(bench))
            shift = turn % max(len(variants), 1)
            for variant in variants[shift:] + variants[:shift]:
                key = (bench.name, variant.key)
                if len(self.runs.get(key, [])) <= turn and not self.broken(key):
                    yield bench, variant

    def cost(self, turn, primary):
        """Seconds that the processes of a turn will take, as far as is known."""
        return sum(self.costs.get((b.name, v.key), 0) for b, v in self.pending(turn)
                   if v.primary == primary)

    def turn(self, number, kinds=(True, False)):
        """One process of each variant, of the primary ones, or of the others."""
        for bench, variant in list(self.pending(number)):
            if variant.primary not in kinds:
                continue
            if self.remaining() < self.costs.get((bench.name, variant.key), 0):
                self.note(f"the time limit left out process {number + 1} of some variants")
                continue
            self.one(bench, variant, number)
        self.write()
        print(f"process {number + 1} of {self.options.processes}: "
              f"{time.monotonic() - self.started:.0f} s", flush=True)

    def trace(self, kinds, turn=0):
        """Traces what has no trace yet. The baseline, of whose copies all else is a share, is traced in
        every turn."""
        for bench in self.benches():
            for variant in self.available(bench):
                key = (bench.name, variant.key)
                wanted = turn + 1 if variant.name == "baseline" else 1
                if variant.primary not in kinds or len(self.traces.get(key, [])) >= wanted or \
                        key not in self.runs or self.broken(key):
                    continue
                if self.remaining() < self.costs.get(key, 0) + 1:
                    self.note("the time limit left out copy fractions of some variants")
                    return
                self.traced(bench, variant)
        self.write()

    def all(self):
        """All processes. Where the time is too short for that, forced backings and slower
        hand-made variants wait until the primary ones are done."""
        later = range(1, self.options.processes)
        self.turn(0)
        self.trace((True,))
        everything = sum(self.cost(t, p) for t in later for p in (True, False))
        if everything + sum(self.costs.values()) <= self.remaining():
            self.trace((False,))
            for number in later:
                self.turn(number)
                self.trace((True,), number)
        else:
            self.note("the time limit put forced backings and slower hand-made variants last: their "
                      "processes did not take turns with the others")
            for number in later:
                self.turn(number, (True,))
                self.trace((True,), number)
            self.trace((False,))
            for number in later:
                self.turn(number, (False,))
        if self.meter:
            self.meter.close()
        return self.write()


def table(result):
    """The results as text."""
    lines = [f"{'bench':9}{'variant':18}{'got':14}{'n':>2}{'mean ms':>10}{'sd':>8}{'p99':>10}"
             f"{'speedup':>9}{'recov.':>8}{'copies':>8}{'MiB':>7}{'sum':>5}"]

    def cell(value, form):
        return "-" if value is None else format(value, form)
    for r in result["results"]:
        name = r["variant"] if r["variant"] == "baseline" else f"{r['variant']}:{r['backing']}"
        moved = None if r["copy_bytes"] is None else r["copy_bytes"] / 2**20
        good = {True: "ok", False: "BAD", None: "-"}[r["checksum_ok"]]
        problem = f"  {r['problem'].splitlines()[0]}" if r.get("problem") else ""
        lines.append(
            f"{r['bench']:9}{name:18}{(r['got'] or '-')[:13]:14}{r['processes']:>2}"
            f"{cell(r['mean_ms'], '.3f'):>10}{cell(r['sd_ms'], '.3f'):>8}"
            f"{cell(r['p99_ms'], '.3f'):>10}{cell(r['speedup'], '.3f'):>9}"
            f"{cell(r['recovered'], '.3f'):>8}{cell(r['copy_fraction'], '.3f'):>8}"
            f"{cell(moved, '.1f'):>7}{good:>5}{problem}")
    fit = result["amdahl"]
    lines.append("Amdahl: " + (f"R2 {fit['r2']:.3f} over {fit['points']} points" if fit["r2"] is not None
                               else f"no fit, {fit['points']} points"))
    return "\n".join(lines)
