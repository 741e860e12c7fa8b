# Runs a fuzz campaign: regressions first, then generated programs batch by batch on
# several processes, then the mutants; tallies, reduces what failed, says whether all
# is clean. What a failure is, is decided in differential.py and mutate.py.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The fuzz campaign.

  scripts/fuzz                           the short campaign, as continuous integration runs it: programs of
                                         a fixed seed, and as many of a seed that changes with the day
  scripts/fuzz --programs 2000 --seed 7  programs 0 to 1999 of seed 7
  scripts/fuzz --hours 2 --seed 7        as many as fit; the same command continues
  scripts/fuzz --show 7:12               program 12 of seed 7, and what is true of it
  scripts/fuzz --replay FILE             examines one stored program again
"""
import argparse
import concurrent.futures as futures
import datetime
import json
import os
import random
import shutil
import sys
import time

import generate
import life_emit
import mutate
import recall
import record
import reduce
from differential import Batch, Plan
from model import Program
from toolchain import ROOT, Source, Toolchain, say
from truth import Truth

HERE = os.path.dirname(os.path.abspath(__file__))
LEVELS = ("-O0", "-O1", "-O2", "-O3")
BASELINE = os.path.join(HERE, "recall.json")
REGRESSIONS = os.path.join(HERE, "regressions")
# Other devices: one that faults where the host touches managed memory while the GPU has
# work, and one on which nothing merges but host buffers get pinned; and the other backings.
DEVICES = ("lazy@orin", "lazy@orin@mapped", "lazy@discrete", "lazy@discrete@pinned-split", "lazy@thor@managed",
           "lazy@gb10@mapped")
SMALL = 40  # programs
BLOCK = 500  # programs that are generated at a time
# The fixed seed has the record of recall and mutants; as many programs again are the day's own.
SHORT = {"programs": 160, "seed": 1, "fresh": 60}


def split(numbered, size):
    """Batches of programs of one kind, of about `size`; each a list of (name, Program)."""
    kinds, batches = {}, []
    for item in numbered:
        kinds.setdefault(life_emit.kind(item[1]), []).append(item)
    for _, kind in sorted(kinds.items()):
        pieces = max(1, round(len(kind) / size))
        bounds = [len(kind) * i // pieces for i in range(pieces + 1)]
        batches += [kind[a:b] for a, b in zip(bounds, bounds[1:]) if a < b]
    return batches


def schedules(rng, count):
    return ["eager", "lazy", *DEVICES] + [f"random:{rng.randrange(1 << 30)}" for _ in range(count)]


def plan_for(key, long, whole_only=False, size=SMALL):
    """What is done with a batch. A short campaign builds every level, of a small batch one; a long one builds one of
    them, and every fourth batch also as written and with sanitizers."""
    rng = random.Random(key)
    # As whole programs, too: drawn apart, so that the rest stays what it was.
    apart = random.Random("whole" + key)
    if whole_only:
        return Plan((), schedules(rng, 2), whole=(rng.choice(LEVELS),), solo=20)
    whole = {"whole": (apart.choice(LEVELS),) if not long or apart.random() < 0.3 else (), "solo": 3,
             "repair": (apart.choice(LEVELS),) if apart.random() < 0.3 else (),
             "faults": (apart.choice(LEVELS),) if not long or apart.random() < 0.3 else ()}
    if long and rng.random() < 0.75:
        return Plan((rng.choice(LEVELS),), schedules(rng, 2), **whole)
    if long:
        memory = (rng.choice(LEVELS),) if rng.random() < 0.3 else ()
        return Plan((rng.choice(LEVELS),), schedules(rng, 8), schedules(rng, 2), (rng.choice(LEVELS[:3]),), memory,
                    **whole)
    levels = LEVELS if size >= SMALL else (apart.choice(LEVELS),)
    return Plan(levels, schedules(rng, 6), schedules(rng, 2), (rng.choice(LEVELS[:3]),), (rng.choice(LEVELS),),
                **whole)


def examine(task):
    """One batch, in a worker process: (key, tally data, failures)."""
    key, build, folder, programs, long, whole = task
    names = [name for name, _ in programs]
    batch = Batch([Program.from_json(text) for _, text in programs], Toolchain(build), folder)
    plan = plan_for(key, long, whole, len(programs))
    batch.examine(plan)
    tally = recall.Tally().count_batch(batch, plan.levels or [level + " split" for level in plan.whole])
    failures = [{"name": names[f.program], "kind": f.kind, "level": f.level, "schedule": f.schedule,
                 "detail": f.detail, "program": json.loads(batch.programs[f.program].to_json())}
                for f in batch.failures]
    if not failures:  # else the executables stay: a failure may come once in a thousand runs
        shutil.rmtree(folder, ignore_errors=True)
    return key, tally.to_data(), failures


def regressions():
    """[(name, Program)] of everything that once failed."""
    found = []
    for name in sorted(os.listdir(REGRESSIONS)) if os.path.isdir(REGRESSIONS) else ():
        if name.endswith(".json"):
            found.append((name[:-5], reduce.load(os.path.join(REGRESSIONS, name))[0]))
    return found


def fresh_seed():
    """The seed of this day, in UTC: whoever knows the date can have its programs again."""
    return "day-" + datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")


class Campaign:
    def __init__(self, options):
        self.options = options
        self.folder = os.path.join(options.build, "fuzz")
        self.results, self.failures = {}, []  # key -> tally data
        self.again = recall.Tally()  # of the regressions and the day's seed: they count, but not for recall
        self.day = fresh_seed()
        self.start = time.monotonic()
        self.long = options.hours is not None or options.long
        self.state = os.path.join(self.folder, f"campaign-{options.seed}.json")
        os.makedirs(os.path.join(self.folder, "failures"), exist_ok=True)

    # The state of a long campaign.
    def load(self):
        """Batches of earlier runs; those with failures are examined again."""
        try:
            with open(self.state) as file:
                self.results = json.load(file)
        except (OSError, ValueError):
            return
        kept = {k: d for k, d in self.results.items() if not recall.Tally.from_data(d).failures}
        say(f"continuing {self.state}: {len(kept)} batches are done, "
            f"{len(self.results) - len(kept)} had failures and run again")
        self.results = kept

    def save(self):
        with open(self.state + ".new", "w") as file:
            json.dump(self.results, file)
        os.replace(self.state + ".new", self.state)

    # Batches.
    def programs(self, first, count, seed=None):
        """[(name, Program)] of the generator."""
        seed = seed or self.options.seed
        return [(f"{seed}:{k}", generate.numbered(seed, k)) for k in range(first, first + count)]

    def tasks(self):
        options = self.options
        for i, batch in enumerate(split(regressions(), options.batch)):
            yield self.task(f"regressions:{i}", batch, False)
        yield from self.generated(options.seed, options.programs if options.hours is None else None)
        if options.fresh:
            yield from self.generated(self.day, options.fresh)

    def generated(self, seed, programs):
        """The batches of `programs` programs of a seed, or of all there are."""
        first = 0
        while programs is None or first < programs:
            count = BLOCK if programs is None else min(BLOCK, programs - first)
            for i, batch in enumerate(split(self.programs(first, count, seed), self.options.batch)):
                key = f"{seed}:{first}:{i}"
                if key not in self.results:
                    yield self.task(key, batch, self.long)
            first += count

    def task(self, key, batch, long):
        folder = os.path.join(self.folder, "work", key.replace(":", "-"))
        return key, self.options.build, folder, [(name, p.to_json()) for name, p in batch], long, self.options.whole

    def finish(self, done):
        key, data, failures = done
        if key.startswith(("regressions:", f"{self.day}:")):
            self.again.add(recall.Tally.from_data(data).without_pairs())
        else:
            self.results[key] = data
        for failure in failures:
            self.record(failure)
        if self.long:
            self.save()
            tally = self.tally()
            say(f"{time.monotonic() - self.start:.0f} s, {key}: {tally.closing()}")

    def record(self, failure):
        """Keeps a failure as JSON and as CUDA."""
        stem = os.path.join(self.folder, "failures", f"{failure['name'].replace(':', '-')}-{failure['kind']}")
        self.failures.append((failure, stem + ".json"))
        with open(stem + ".json", "w") as file:
            json.dump(failure, file, indent=1)
        Source([Program.from_json(json.dumps(failure["program"]))], stem + ".cu")
        with open(os.path.join(self.folder, "failures.jsonl"), "a") as file:
            file.write(json.dumps(failure) + "\n")
        say(f"FAIL {failure['kind']} program {failure['name']} {failure['level']} {failure['schedule']} "
            f"{failure['detail'][:700].strip()}\n  kept: {stem}.cu")

    def in_time(self):
        return self.options.hours is None or time.monotonic() - self.start < self.options.hours * 3600

    def run(self):
        """Examines all batches, a few at a time."""
        tasks, waiting = self.tasks(), set()
        with futures.ProcessPoolExecutor(self.options.jobs) as pool:
            more = True
            while more or waiting:
                while more and len(waiting) <= self.options.jobs:
                    task = next(tasks, None) if self.in_time() else None
                    more = task is not None
                    if more:
                        waiting.add(pool.submit(examine, task))
                done, waiting = futures.wait(waiting, return_when=futures.FIRST_COMPLETED)
                for future in done:
                    self.finish(future.result())

    def tally(self):
        total = recall.Tally().add(self.again)
        for data in self.results.values():
            total.add(recall.Tally.from_data(data))
        return total

    def reduce(self):
        """Cuts down the first failure of each sort."""
        sorts = set()
        for failure, path in self.failures:
            sort = failure["kind"], failure["detail"][:12]
            if failure["kind"] not in reduce.KINDS or sort in sorts or len(sorts) >= self.options.reduce:
                continue
            sorts.add(sort)
            out = os.path.join(self.folder, "reduced", os.path.basename(path))
            reduce.reduce_file(path, out, self.options.build, limit=120)

    def mutants(self):
        """Turns off one check of Echo after the other."""
        options = self.options
        if not options.mutants or options.hours is not None:
            return mutate.Result()
        pools = split(regressions() + self.programs(0, options.programs), options.batch)
        result = mutate.run(options.build, os.path.join(self.folder, "mutants"), pools, options.jobs,
                            options.update_mutants)
        say(result.table())
        return result

    def identity(self):
        return {"programs": self.options.programs, "seed": self.options.seed}

    def close(self):
        """Prints the tables; True if all is clean."""
        options, tally = self.options, self.tally()
        say(tally.table())
        problems = []
        if options.whole:
            pass  # its recall is that of other levels
        elif options.hours is None and options.update_baseline:
            problems = recall.update(tally, BASELINE, self.identity(), options.force)
        elif options.hours is None and os.path.exists(BASELINE):
            problems = recall.compare(tally, BASELINE, self.identity())
        for problem in problems:
            say("FAIL " + problem)
        mutants = self.mutants()
        failed = tally.failures + len(problems) + len(mutants.escaped)
        passed = tally.counts["programs"] - len({f["name"] for f, _ in self.failures}) + len(mutants.caught)
        say(f"seed {options.seed}, {time.monotonic() - self.start:.0f} s")
        if options.fresh:
            say(f"seed of the day {self.day}; the same again: "
                f"scripts/fuzz --programs {options.fresh} --seed {self.day} --no-mutants")
        if options.hours is not None:
            record.keep(options, self.start, tally, self.failures)
        say(f"{passed} passed, {failed} failed")
        say(tally.closing())
        return failed == 0


def show(name):
    """Prints program `name` (SEED:NUMBER) and what is true of it."""
    seed, _, number = name.rpartition(":")
    show_program(generate.numbered(seed or str(SHORT["seed"]), int(number)))


def show_program(program):
    truth = Truth(program)
    path = os.path.join(os.environ.get("TMPDIR", "/tmp"), f"fuzz-show-{os.getpid()}.cu")
    source = Source([program], path)
    with open(path) as file:
        say(file.read().rstrip())
    os.remove(path)
    lines = {site: line for line, (_, site) in source.sites.items()}
    say(f"// idiom {program.idiom}, group {program.group}, per-thread default stream: {program.per_thread}")
    for pair, whole in truth.pairs.items():
        wrong = truth.unsafe({pair})
        say(f"// pair of lines {lines[pair[0]]} and {lines[pair[1]]}, {'whole' if whole else 'in part'}: "
            + (f"unsafe for arg {wrong[1]}, {wrong[0]}" if wrong else "safe"))
    for arg, lines in truth.outputs.items():
        say(f"// arg {arg} prints {' '.join(lines)}")


def replay(path, options):
    """All checks of a short campaign for one stored program."""
    program, story = reduce.load(path)
    key, data, failures = examine(("replay", options.build, os.path.join(options.build, "fuzz", "replay"),
                                   [(os.path.basename(path), program.to_json())], False, False))
    for failure in failures:
        say(f"FAIL {failure['kind']} {failure['level']} {failure['schedule']} {failure['detail']}")
    say(story.get("note") or "")
    say(recall.Tally.from_data(data).closing())
    return not failures


def parse_options(arguments):
    parser = argparse.ArgumentParser(prog="scripts/fuzz", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, help="of the seed")
    parser.add_argument("--fresh", type=int, metavar="N",
                        help="programs of a seed that changes with the day; default: where no --seed or --hours is "
                             "given, as many as --programs")
    parser.add_argument("--seed", help="any word; IDIOM@WORD: only that idiom")
    parser.add_argument("--hours", type=float, help="a long campaign that stops after so long")
    parser.add_argument("--long", action="store_true", help="one level a batch, as with --hours")
    parser.add_argument("--whole", action="store_true", help="only as whole programs, decided at link time")
    parser.add_argument("--build", default=os.path.join(ROOT, "build"), help="build folder")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes")
    parser.add_argument("--batch", type=int, default=70, help="programs in one file")
    parser.add_argument("--show", metavar="SEED:NUMBER")
    parser.add_argument("--replay", metavar="FILE")
    parser.add_argument("--reduce", type=int, default=3, metavar="N", help="failures to cut down")
    parser.add_argument("--no-mutants", dest="mutants", action="store_false")
    parser.add_argument("--update-mutants", action="store_true", help="find what catches each mutant anew")
    parser.add_argument("--update-baseline", action="store_true", help="raise recall.json")
    parser.add_argument("--force", action="store_true", help="let --update-baseline lower it")
    options = parser.parse_args(arguments)
    options.build = os.path.abspath(options.build)
    if options.fresh is None:
        short = options.seed is None and options.hours is None and not options.whole
        options.fresh = (options.programs or SHORT["fresh"]) if short else 0
    options.programs = options.programs or SHORT["programs"]
    options.seed = options.seed or str(SHORT["seed"])
    return options


def main(arguments=None):
    options = parse_options(arguments)
    if options.show:
        return show(options.show)
    if not os.access(os.path.join(options.build, "bin", "echo-cc"), os.X_OK):
        sys.exit(f"error: no bin/echo-cc in {options.build}; run scripts/build")
    if options.replay:
        return not replay(options.replay, options)
    campaign = Campaign(options)
    if options.hours is not None:
        campaign.load()
    campaign.run()
    campaign.reduce()
    return 0 if campaign.close() else 1


if __name__ == "__main__":
    sys.exit(main())
