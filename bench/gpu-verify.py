#!/usr/bin/env python3
# Runs every program of a folder made by bench/prepare-gpu-verification: plain, and
# merged with each backing. Compares what they print and their exit status, says what
# differs, and writes verification.json and outputs.json. Needs python3 and the driver.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifies merged programs on a GPU.

A difference of the plain program from what is expected says that the expectation, thus
the model of CUDA, is wrong; one of a merged program from the plain one says that Echo is.
What differs is run again, alone, and the shares are recorded.
"""
import argparse
import collections
import concurrent.futures as futures
import datetime
import json
import os
import platform
import re
import signal
import subprocess
import sys
import tarfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
MODES = ("plain", "managed", "mapped", "split", "pinned-split", "auto")
# What is run, in this order, until the time is over. "slow": kernels take their time.
ROUNDS = (("batches", "fast", "plain"), ("batches", "fast", "managed"), ("batches", "fast", "mapped"),
          ("batches", "slow", "plain"), ("batches", "slow", "managed"), ("batches", "slow", "mapped"),
          ("batches", "slow", "pinned-split"),
          ("programs", "fast", "plain"), ("programs", "slow", "managed"), ("programs", "slow", "mapped"),
          ("programs", "slow", "pinned-split"), ("batches", "fast", "pinned-split"),
          ("programs", "fast", "auto"), ("batches", "fast", "split"), ("batches", "fast", "auto"),
          ("programs", "fast", "split"), ("programs", "fast", "managed"), ("programs", "fast", "mapped"),
          ("programs", "slow", "plain"))
ATTRIBUTES = {"integrated": 18, "hostNativeAtomicSupported": 86, "pageableMemoryAccess": 88,
              "concurrentManagedAccess": 89, "pageableMemoryAccessUsesHostPageTables": 100}
STATS = re.compile(r"^echo: (\d+) pairs? merged.*?, (\d+) bytes? not copied, (\d+) waits? kept$", re.M)
BATCH_LIMIT = 30
AGAIN = 5          # runs of what differs
GRACE = 40         # seconds for that after the limit
PROCESSES = 20     # for one batch, at most

Result = collections.namedtuple("Result", "status out errors")
# One program of a file, one way to build it, one way to run it.
Case = collections.namedtuple("Case", "name variant binary words expected exit source")


def environment(mode):
    env = {k: v for k, v in os.environ.items() if not k.startswith("ECHO_") or k.startswith("ECHO_CPU_")}
    env["LD_LIBRARY_PATH"] = os.path.join(HERE, "lib") + ":" + env.get("LD_LIBRARY_PATH", "")
    if mode != "plain":
        env.update(ECHO_BACKING=mode, ECHO_STATS="1")
    return env


def execute(binary, mode, words, limit):
    """One process; status None is a run without end."""
    path = os.path.join(HERE, "bin", binary + (".plain" if mode == "plain" else ".merged"))
    process = subprocess.Popen([path, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, env=environment(mode), cwd=HERE,
                               start_new_session=True)
    try:
        out, errors = process.communicate(timeout=limit)
        status = process.returncode
    except subprocess.TimeoutExpired:
        # A child process of the program holds the pipes too.
        os.killpg(process.pid, signal.SIGKILL)
        out, errors = process.communicate()
        status = None
    return Result(status, out.decode("latin-1"), errors.decode("latin-1"))


class Verification:
    def __init__(self, options, manifest):
        self.options, self.manifest = options, manifest
        self.start = time.monotonic()
        self.runs, self.skipped = 0, 0
        self.late_rounds = collections.Counter()
        self.totals = {mode: collections.Counter() for mode in MODES}
        self.results = {}                       # (name, variant) -> {mode: (status, output)}
        self.cases = {}                         # (name, variant) -> Case
        self.crowded = []                       # right alone, wrong in its batch

    def late(self, grace=0):
        return time.monotonic() - self.start > self.options.limit + grace

    def run(self, binary, mode, words, limit):
        result = execute(binary, mode, words, limit)
        self.runs += 1
        total = self.totals[mode]
        total["runs"] += 1
        total["failed"] += result.status is None or result.status < 0
        for pairs, size, waits in STATS.findall(result.errors)[-1:]:
            total.update(merged=int(pairs), bytes=int(size), waits=int(waits))
        return result

    # Programs.
    def program(self, entry, variant, mode):
        """One hand-written program, once."""
        stem = entry["name"].replace("/", "-") + "." + variant
        case = Case(entry["name"], variant, stem, entry["args"], entry["expected"], entry["exit"],
                    entry["from"])
        result = self.run(stem, mode, case.words, self.options.timeout)
        return [(case, mode, result)]

    # Batches.
    def batch(self, entry, variant, mode):
        """All programs of one file in one process. The first that is wrong or missing runs again,
        alone, and what follows it in a new process: what one breaks is its own."""
        binary = f"{entry['name']}.{variant}"
        todo, done = list(entry["expected"]), []
        for _ in range(PROCESSES):
            whole = self.run(binary, mode, todo, BATCH_LIMIT)
            parts = re.split(r"^== (\d+:\d+)\n", whole.out, flags=re.M)
            found = dict(zip(parts[1::2], parts[2::2]))
            wrong = False
            while todo and not wrong:
                word = todo.pop(0)
                name = f"{entry['programs'][int(word.split(':')[0])]} arg {word.split(':')[1]}"
                expected = "".join(line + "\n" for line in entry["expected"][word])
                case = Case(name, variant, binary, [word], expected, 0, "machine")
                result = Result(0, found.get(word), "")
                wrong = result.out != expected or (whole.status != 0 and not todo)
                if wrong:
                    result = self.alone(case, mode)
                    if (result.status, result.out) == (0, expected):
                        self.crowded.append({"program": name, "variant": variant, "mode": mode,
                                             "status": whole.status, "printed": found.get(word),
                                             "errors": whole.errors[-400:], "binary": binary})
                done.append((case, mode, result))
            if not todo or self.late():
                break
        self.skipped += len(todo)
        return done

    def alone(self, case, mode):
        """One program of a batch in a process of its own, or a hand-written one again."""
        result = self.run(case.binary, mode, case.words, self.options.timeout)
        if " arg " in case.name:
            result = result._replace(out=re.sub(r"^== \d+:\d+\n", "", result.out))
        return result

    # All of it.
    def tasks(self):
        """(what to call, entry, variant, mode), in the order of the rounds. A build in which
        nothing merges is one program with every backing."""
        for part, variant, mode in ROUNDS:
            for entry in self.manifest[part]:
                built = entry.get(variant)
                if built is None or mode not in self.options.modes or self.options.only not in ("", part) \
                        or not re.search(self.options.filter, entry["name"]) \
                        or (mode not in ("plain", "auto") and built[0] == 0):
                    continue
                yield self.program if part == "programs" else self.batch, entry, variant, mode

    def work(self, task):
        function, *arguments = task
        if self.late():
            self.skipped += 1
            self.late_rounds.update([" ".join([function.__name__, *arguments[1:]])])
            return []
        return function(*arguments)

    def all(self):
        with futures.ThreadPoolExecutor(self.options.jobs) as pool:
            tasks = [pool.submit(self.work, task) for task in self.tasks()]
            for i, task in enumerate(futures.as_completed(tasks)):
                for case, mode, result in task.result():
                    key = case.name, case.variant
                    self.cases[key] = case
                    self.results.setdefault(key, {})[mode] = result
                if i % 500 == 499 or i + 1 == len(tasks):
                    print(f"{time.monotonic() - self.start:.0f} s: {i + 1} of {len(tasks)}", flush=True)

    def judge(self):
        """(plain results that are not as expected, merged results that are not as plain)."""
        plain, merged = [], []
        for key, results in sorted(self.results.items()):
            case = self.cases[key]
            wanted = case.exit, case.expected
            own = results.get("plain") or self.results.get((case.name, "fast"), {}).get("plain")
            for mode, result in results.items():
                reference = wanted if mode == "plain" or own is None else (own.status, own.out)
                if (result.status, result.out) == reference:
                    continue
                about = {"program": case.name, "variant": case.variant, "mode": mode,
                         "status": result.status, "printed": result.out[-2000:],
                         "errors": result.errors[-600:], "expected_status": reference[0],
                         "expected": reference[1][-2000:], "binary": case.binary}
                if mode == "plain":
                    about["expected_from"] = case.source
                (plain if mode == "plain" else merged).append(about)
                about["again"] = self.again(case, mode, reference)
        return plain, merged

    def again(self, case, mode, reference):
        """How often it differs, and how often the plain program does."""
        if self.late(GRACE):
            return "not run"
        share = {}
        for name in dict.fromkeys((mode, "plain")):
            with futures.ThreadPoolExecutor(self.options.jobs) as pool:
                results = list(pool.map(lambda _: self.alone(case, name), range(AGAIN)))
            share[name] = sum((r.status, r.out) != reference for r in results)
        return {name: f"{n} of {AGAIN} differ" for name, n in share.items()}


def machine(options, holder):
    def query(what):
        try:
            return subprocess.run(["nvidia-smi", "--query-gpu=" + what, "--format=csv,noheader"], text=True,
                                  stdout=subprocess.PIPE).stdout.splitlines()[0]
        except (OSError, IndexError):
            return None
    cpu = re.search(r"^model name\s*: (.*)$", open("/proc/cpuinfo").read(), re.M)
    return {"device": query("name"), "driver": query("driver_version"), "attributes": holder,
            "cpu": cpu.group(1) if cpu else platform.machine(), "cores": os.cpu_count(),
            "kernel": platform.release()}


HOLDER = """
import ctypes, json, sys
runtime = ctypes.CDLL(sys.argv[1])
values = {}
for name, number in json.loads(sys.argv[2]).items():
    value = ctypes.c_int(-1)
    failed = runtime.cudaDeviceGetAttribute(ctypes.byref(value), number, 0)
    values[name] = None if failed else value.value
runtime.cudaFree(None)
print(json.dumps(values), flush=True)
sys.stdin.read()
"""


def hold():
    """A process that keeps the device awake, and what it reads of its attributes."""
    library = os.path.join(HERE, "lib", "libcudart.so.13")
    if not os.path.exists(library):
        return None, None
    process = subprocess.Popen([sys.executable, "-c", HOLDER, library, json.dumps(ATTRIBUTES)],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        return process, json.loads(process.stdout.readline())
    except ValueError:
        return process, None


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=8, help="processes at a time")
    parser.add_argument("--timeout", type=float, default=10, help="seconds per process")
    parser.add_argument("--limit", type=float, default=300, help="seconds after which nothing new is started")
    parser.add_argument("--modes", default=",".join(MODES), help="comma-separated")
    parser.add_argument("--only", choices=("", "programs", "batches"), default="", help="one part")
    parser.add_argument("--filter", default="", help="regular expression of programs and batches")
    parser.add_argument("--out", default=os.environ.get("OUT", HERE), help="folder of the results")
    options = parser.parse_args()
    options.modes = options.modes.split(",")
    return options


def show(title, entries):
    print(f"\n{title}: {len(entries)}")
    for entry in entries[:60]:
        print(f"  {entry['program']} {entry['variant']} {entry['mode']}: status {entry['status']}"
              f" ({entry['expected_status']}), {entry['printed'][-160:]!r}, not {entry['expected'][-160:]!r};"
              f" {entry['again']} {entry['errors'][-160:]!r}")


def main():
    options = parse_options()
    with open(os.path.join(HERE, "manifest.json")) as file:
        manifest = json.load(file)
    if not os.path.exists(os.path.join(HERE, "bin")):
        with tarfile.open(os.path.join(HERE, "bin.tar.xz")) as archive:
            archive.extractall(HERE)
    holder, attributes = hold()
    verification = Verification(options, manifest)
    facts = machine(options, attributes)
    print(json.dumps(facts), flush=True)
    verification.all()
    plain, merged = verification.judge()
    if holder:
        holder.communicate("")
    written, generated = set(), set()
    for name, _ in verification.results:
        (generated if " arg " in name else written).add(name)
    counts = {"programs": len(written), "generated": len({n.split(" arg ")[0] for n in generated}),
              "generated_with_inputs": len(generated), "processes": verification.runs,
              "compared": sum(len(r) for r in verification.results.values()),
              "not_run": verification.skipped, "rounds_not_run": dict(verification.late_rounds), "plain_differ": len(plain), "merged_differ": len(merged),
              "wrong_in_batch_only": len(verification.crowded),
              "seconds": round(time.monotonic() - verification.start)}
    result = {"date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
              **facts, "commit": manifest["commit"], "seed": manifest["seed"],
              "counts": counts, "modes": {mode: dict(t) for mode, t in verification.totals.items()},
              "plain_differ": plain, "merged_differ": merged, "wrong_in_batch_only": verification.crowded}
    with open(os.path.join(options.out, "verification.json"), "w") as file:
        json.dump(result, file, indent=1)
        file.write("\n")
    with open(os.path.join(options.out, "outputs.json"), "w") as file:
        json.dump({name: [r["plain"].status, r["plain"].out] for (name, variant), r
                   in sorted(verification.results.items()) if variant == "fast" and "plain" in r}, file)
    show("plain is not as expected", plain)
    show("merged is not as plain", merged)
    print(f"\nwrong in their batch, right alone: {len(verification.crowded)}")
    for entry in verification.crowded[:10]:
        print(f"  {entry}")
    print(json.dumps(result["modes"], indent=1))
    print(json.dumps(counts, indent=1))
    return 1 if plain or merged or verification.crowded or verification.skipped else 0


if __name__ == "__main__":
    sys.exit(main())
