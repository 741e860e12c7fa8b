#!/usr/bin/env python3
# Builds every program, example and trap of test/fuzz/traps (names "trap/...") plain
# and merged, at -O0 or -O2 in turns from day to day, runs the merged one on the CPU
# device under many schedules, and compares what it prints and its exit status with
# the plain run, and that with what a GPU printed. Compares the report with the EXPECT
# lines of the program, and has some calls fail (faults.py). Ends with
# "N passed, N failed".
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""End-to-end tests of echo-cc on the CPU device.

Lines that the runner reads in a program (or in examples/NAME.expect):
  EXPECT: HOST DEVICE VERDICT [REASON|REASON] [or VERDICT ...]
          names as in the report, None for a buffer that has none
          VERDICT is unified, guarded, assumed, declined, skipped, or several with |
  EXPECT: none          no candidate pairs at all
  EXPECT: no-unified    no pair merges
  EXPECT: all-unified   at least one pair, and every pair merges
  EXPECT: at-most N     no more than N pairs merge
  EXPECT: at-least N    no fewer than N pairs merge
  EXPECT: any           only the output counts
  ASSUME: HOST DEVICE   the user vouches for this pair (--assume)
  WATCH: same|differs   whether a run with ECHO_WATCH=1 says that one block would differ
  EXIT: N               exit status of the plain run
  FLAGS: ...            further compiler flags
  EXTRA: FILE           another source file
  ARGS: ...             arguments of the program
  FAULT-ARGS: ...       its arguments in faults.py, where those make too many calls
  NEEDS: NAME ...       CUDA libraries; skipped where the CPU device was built without one
  NO-FAULT: KIND ...    calls that faults.py does not have fail here; the program says why
"""
import argparse
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import sys
import time

import faults
from precompiled import Header
from process import on, run

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TRAPS = os.path.join(ROOT, "test", "fuzz", "traps")
MERGED = ("unified", "guarded", "assumed")


# What random schedules run on in turns: "auto" is system memory on the first, thor and gh200.
PLACES = [{}, on("thor", "managed"), on("gb10", "mapped"), on("gh200"), on("discrete", "managed"),
          on("discrete", "mapped")]
# Devices that every program runs on. On orin, where the host must not touch managed memory while the GPU works,
# "auto" chooses managed or mapped memory; "discrete" merges nothing, pins large buffers, or at once all.
DEVICES = [on("orin"), on("orin", "mapped"), on("discrete"), on("discrete", "pinned-split")]
TRAP_DEVICES = [on("thor", "managed"), on("thor", "mapped"), *DEVICES]


class Program:
    """A source file with its expectations."""

    def __init__(self, name, source, expect_file, include=None):
        self.name, self.source, self.include = name, source, include
        self.trap = name.startswith("trap/")
        self.expect, self.flags, self.extra, self.args, self.needs, self.no_fault, self.exit = [], [], [], [], [], [], 0
        self.fault_args = self.watch = None
        self.assume = []  # names of pairs
        self.gpu = None  # what it printed on a GPU
        for line in open(expect_file):
            match = re.match(r"(?://\s*)?(EXPECT|ASSUME|WATCH|EXIT|FLAGS|EXTRA|ARGS|FAULT-ARGS|NEEDS|NO-FAULT):"
                             r"\s*(.*?)\s*$", line)
            if not match:
                continue
            key, value = match.groups()
            if key == "EXPECT":
                self.expect.append(value)
            elif key == "ASSUME":
                self.assume.append(tuple(value.split()))
            elif key == "WATCH":
                self.watch = value
            elif key == "EXIT":
                self.exit = int(value)
            elif key == "EXTRA":
                self.extra.append(os.path.join(os.path.dirname(source), value))
            else:
                setattr(self, key.lower().replace("-", "_"), shlex.split(value))
        if self.fault_args is None:
            self.fault_args = self.args


def gpu_outputs():
    """Program name -> what it printed on a GPU."""
    parts = re.split(rb"^=== (\S+) \d+\n", open(os.path.join(HERE, "gpu-outputs.txt"), "rb").read(),
                     flags=re.M)
    return {name.decode(): text for name, text in zip(parts[1::2], parts[2::2])}


def discover():
    """All programs, then all examples."""
    programs, on_gpu = [], gpu_outputs()
    folder = os.path.join(HERE, "programs")
    for name in sorted(os.listdir(folder)):
        if name.endswith(".cu"):
            path = os.path.join(folder, name)
            programs.append(Program(name[:-3], path, path))
            programs[-1].gpu = on_gpu.get(name[:-3])
    folder = os.path.join(ROOT, "examples")
    for name in sorted(os.listdir(folder)):
        source = os.path.join(folder, name, name + ".cu")
        if os.path.exists(source):
            expect = os.path.join(HERE, "examples", name + ".expect")
            programs.append(Program("example-" + name, source, expect,
                                    os.path.join(folder, "common")))
    for name in sorted(os.listdir(TRAPS)):
        if name.endswith(".cu") and not name.endswith(".extra.cu"):
            path = os.path.join(TRAPS, name)
            programs.append(Program("trap/" + name[:-3], path, path,
                                    os.path.join(HERE, "programs")))
            programs[-1].gpu = on_gpu.get("trap/" + name[:-3])
    return programs


def check_index(programs):
    """Problems of the list of traps: a program that is not there, not listed, or expects nothing."""
    problems, listed = [], set()
    problems += [p.name + " has no EXPECT line" for p in programs if not p.expect]
    for line in open(os.path.join(TRAPS, "INDEX.txt")):
        if line.startswith("#") or not line.strip():
            continue
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) != 3:
            problems.append("not 'trap | program | safe twin': " + line.strip())
        for path in cells[1:]:
            listed.add(path)
            if not os.path.exists(os.path.join(ROOT, "test", path)):
                problems.append("no program " + path)
    problems += [f"{name} is not listed" for name in sorted(os.listdir(TRAPS))
                 if re.search(r"(?<!\.extra)\.cu$", name) and "fuzz/traps/" + name not in listed]
    return problems


def parse_verdicts(words):
    """["declined", "a|b", "or", "unified"] -> [({"declined"}, {"a","b"}), ...]"""
    choices, current = [], []
    for word in words + ["or"]:
        if word != "or":
            current.append(word)
            continue
        reasons = set(current[1].split("|")) if len(current) > 1 else None
        choices.append((set(current[0].split("|")), reasons))
        current = []
    return choices


def names_of(pair):
    return str(pair["host"]["name"]), str(pair["device"]["name"])


def describe(pair):
    reason = f" {pair.get('id')}" if pair.get("id") else ""
    return f"{pair['host']['name']} + {pair['device']['name']} {pair['verdict']}{reason}"


def check_report(program, path):
    """The differences between the report and the EXPECT lines."""
    try:
        report = json.load(open(path))
        pairs = [p for unit in report["units"] for p in unit["pairs"]]
    except (OSError, ValueError, KeyError) as error:
        return [f"report {path}: {error}"]
    problems = []
    merged = [p for p in pairs if p["verdict"] in MERGED]
    named, names_count = set(), False
    for line in program.expect:
        words = line.split()
        if words[0] == "any":
            return []
        if words[0] == "none":
            if pairs:
                problems.append("expected no candidates, got " + "; ".join(map(describe, pairs)))
        elif words[0] == "no-unified":
            if merged:
                problems.append("must not merge: " + "; ".join(map(describe, merged)))
        elif words[0] == "all-unified":
            if not pairs or len(merged) != len(pairs):
                problems.append("expected every pair to merge, got "
                                + ("; ".join(map(describe, pairs)) or "no pairs"))
        elif words[0] == "at-most":
            if len(merged) > int(words[1]):
                problems.append(f"at most {words[1]} may merge: " + "; ".join(map(describe, merged)))
        elif words[0] == "at-least":
            if len(merged) < int(words[1]):
                problems.append(f"at least {words[1]} must merge, got "
                                + ("; ".join(map(describe, pairs)) or "no pairs"))
        else:
            names_count = True
            named.add((words[0], words[1]))
            found = [p for p in pairs
                     if names_of(p) == (words[0], words[1])]
            good = bool(found)
            for pair in found:
                good = good and any(pair["verdict"] in verdicts
                                    and (reasons is None or pair.get("id") in reasons)
                                    for verdicts, reasons in parse_verdicts(words[2:]))
            if not good:
                problems.append(f"expected {line}; got " + (
                    "; ".join(map(describe, found)) if found else
                    "no such pair, but " + ("; ".join(map(describe, pairs)) or "none")))
    if names_count:
        for pair in merged:
            if names_of(pair) not in named:
                problems.append("merges, but no EXPECT line names it: " + describe(pair))
    return problems


class Tester:
    def __init__(self, options):
        self.options = options
        self.seconds = {}  # by program
        self.compiler = os.path.join(options.build, "bin", "echo-cc")
        self.out = os.path.join(options.build, "e2e")
        self.schedules = [{"ECHO_CPU_SCHED": s} for s in ("eager", "lazy")]
        # Where merged blocks live takes turns, too.
        self.schedules += [{"ECHO_CPU_SCHED": f"random:{i}", **PLACES[i % len(PLACES)]}
                           for i in range(1, options.schedules + 1)]
        self.headers = {}

    def prepare(self):
        """Precompiles e2e.h; before the first test. Raises RuntimeError."""
        self.headers = {level: self.precompile(level) for level in self.options.levels.split(",")}

    def flags(self, level):
        # LLD takes half the time of GNU ld, which lit's tests link with.
        return ["--device=cpu", *level.split("+"), "-arch=sm_75", "-fuse-ld=lld"]

    def precompile(self, level):
        """e2e.h for one level; None where the compiler is to see it as text each time."""
        if self.options.no_precompiled:
            return None
        return Header(self.compiler, self.flags(level), os.path.join(HERE, "programs", "e2e.h"),
                      os.path.join(self.out, "precompiled" + level))

    def header_flags(self, program, level):
        """Flags of a program choose language and macros; other sources have other headers."""
        header = self.headers[level]
        return [] if not header or program.flags or program.extra else header.flags_for(program.source)

    def compile(self, program, level, folder, merged):
        target = os.path.join(folder, "merged" if merged else "plain")
        command = [self.compiler, *self.flags(level), *self.header_flags(program, level),
                   *program.flags]
        if program.include:
            command.append("-I" + program.include)
        if merged:
            command.append("--report-json=" + os.path.join(folder, "report.json"))
            if program.assume:
                command.append("--assume=" + self.pairs_file(program))
        else:
            command.append("--no-unify")
            if program.assume:
                command.append("--report-json=" + os.path.join(folder, "plain.json"))
        command += [program.source, *program.extra, "-o", target]
        with open(os.path.join(folder, "commands.txt"), "a") as log:
            log.write(shlex.join(command) + "\n")
        status, _, errors = run(command, 180)
        if status != 0:
            return None, f"{'merged' if merged else 'plain'} build failed ({status}):\n" + errors[-2000:]
        if program.assume and not merged:
            self.write_pairs(program, os.path.join(folder, "plain.json"))
        return target, None

    def pairs_file(self, program):
        return os.path.join(self.out, program.name + ".pairs")

    def write_pairs(self, program, report):
        """Writes what --assume gets: a line for each pair of the report that an ASSUME line names."""
        def place(buffer):
            return f"{buffer['file']}:{buffer['line']}:{buffer['column']} {buffer['name']}"
        pairs = [p for unit in json.load(open(report))["units"] for p in unit["pairs"]]
        with open(self.pairs_file(program), "w") as out:
            for pair in pairs:
                if names_of(pair) in program.assume:
                    out.write(f"{place(pair['host'])} + {place(pair['device'])}\n")

    def outputs(self, program, plain, merged):
        """Compares the merged program with the plain one; a list of problems."""
        limit = self.options.timeout
        status, wanted, errors = run([plain, *program.args], limit, {"ECHO_CPU_SCHED": "eager"})
        if status != program.exit:
            return [f"plain run: exit status {status}, expected {program.exit}\n{errors[-500:]}"
                    f"{wanted[-500:].decode(errors='replace')}"]
        problems = []
        settings = list(self.schedules)
        if program.trap:
            del settings[2 + self.options.trap_schedules:]
        settings[2:2] = [{"ECHO_CPU_SCHED": "lazy", **device}
                         for device in (TRAP_DEVICES if program.trap else DEVICES)]
        if program.trap:
            # A trap must itself be sound: the plain program is run in the same way. It has no merged blocks.
            for setting in map(dict, sorted({tuple(sorted((k, v) for k, v in s.items() if k != "ECHO_BACKING"))
                                             for s in settings[1:]})):
                got_status, got, errors = run([plain, *program.args], limit, setting)
                if (got_status, got) != (status, wanted):
                    return [f"plain run, {setting}: exit status {got_status}, not as plain eager\n"
                            f"{got[-400:].decode(errors='replace')}{errors[-400:]}"]
        if program.gpu is not None and wanted != program.gpu:
            problems.append("plain run differs from a GPU's\n--- GPU\n"
                            f"{program.gpu.decode(errors='replace')}--- CPU device\n"
                            f"{wanted[-400:].decode(errors='replace')}")
        for setting in settings:
            got_status, got, errors = run([merged, *program.args], limit, setting)
            if got_status != status or got != wanted:
                problems.append(
                    f"{setting}: exit status {got_status} (plain {status}), output "
                    f"{'equal' if got == wanted else 'differs'}\n--- plain\n"
                    f"{wanted[-400:].decode(errors='replace')}--- merged\n"
                    f"{got[-400:].decode(errors='replace')}{errors[-400:]}")
                break
        if program.watch:
            problems += self.watched(program, merged, wanted)
        return problems

    def watched(self, program, merged, wanted):
        """As outputs, of runs in which assumed pairs stay apart and their copies are compared."""
        problems = []
        for setting in self.schedules[:4]:
            _, got, errors = run([merged, *program.args], self.options.timeout, {**setting, "ECHO_WATCH": "1"})
            differs = ": one block would differ: " in errors
            if got != wanted or differs != (program.watch == "differs"):
                problems.append(f"ECHO_WATCH=1, {setting}: output {'equal' if got == wanted else 'differs'}, expected "
                                f"{program.watch}, got\n{errors[-400:]}")
        return problems

    def test(self, program, levels):
        """[(level, what, problems)] of one program. The plain one is built at the first level
        only: what it prints depends on none."""
        results, plain, folders, start = [], None, [], time.monotonic()
        for level in levels:
            folders.append(self.fresh_folder(program, level))
            plain, found = self.test_at(program, level, folders[-1], plain)
            results += [(level, what, problems) for what, problems in found]
        if not any(problems for _, _, problems in results):
            for folder in folders:
                shutil.rmtree(folder, ignore_errors=True)
        self.seconds[program.name] = time.monotonic() - start
        return results

    def fresh_folder(self, program, level):
        folder = os.path.join(self.out, program.name + level)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        return folder

    def test_at(self, program, level, folder, plain):
        """(the plain program, [(what, problems)]) at one optimization level."""
        results, problem, merged = [], None, None
        if not plain:
            plain, problem = self.compile(program, level, folder, False)
        if not problem:
            merged, problem = self.compile(program, level, folder, True)
        results.append(("build", [problem] if problem else []))
        if not problem:
            if program.expect != ["any"]:
                results.append(("verdicts", check_report(
                    program, os.path.join(folder, "report.json"))))
            problems = self.outputs(program, plain, merged)
            results.append(("output", problems))
            if not problems and level == levels_of(program, self.options)[-1]:
                problem = faults.short(program, plain, merged, self.options.timeout)
                results.append(("faults", [problem] if problem else []))
        return plain, results


def missing_libraries(program, build):
    """The CUDA libraries that a program needs and the CPU device was built without."""
    return [name for name in program.needs
            if not os.path.exists(os.path.join(build, "lib", "echo", f"libecho_cpu_{name}.a"))]


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(ROOT, "build"), help="build folder")
    parser.add_argument("--filter", default="", help="regular expression of program names")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="programs at a time")
    parser.add_argument("--schedules", type=int, default=12, help="random schedules per program")
    parser.add_argument("--trap-schedules", type=int, default=4, help="random schedules per trap")
    parser.add_argument("--program-levels", choices=["one", "all"], default="one",
                        help="optimization levels per program: all, or one that changes from day to day")
    parser.add_argument("--trap-levels", choices=["one", "all"], default="one",
                        help="the same of traps")
    parser.add_argument("--day", type=int, default=int(time.time()) // 86400,
                        help="the day whose levels are taken; default: today's number")
    parser.add_argument("--levels", default="-O0,-O2", help="optimization levels; more flags follow a plus: -O2+-flto")
    parser.add_argument("--timeout", type=float, default=60, help="seconds per run")
    parser.add_argument("--no-precompiled", action="store_true",
                        help="let the compiler read e2e.h anew for each program")
    parser.add_argument("--long", action="store_true", help="200 random schedules, all of -O0 to -O3, traps too")
    options = parser.parse_args()
    if options.long:
        options.schedules, options.levels = max(options.schedules, 200), "-O0,-O1,-O2,-O3"
        options.trap_schedules, options.program_levels, options.trap_levels = options.schedules, "all", "all"
    options.build = os.path.abspath(options.build)
    return options


def levels_of(program, options):
    """One level, unless all are asked for; the same for a program and its twin. Each has its turn in as many days."""
    # What such a program has in another file stays out of sight.
    levels = [level for level in options.levels.split(",")
              if "-flto" not in level or not program.extra]
    if not levels or (options.trap_levels if program.trap else options.program_levels) == "all":
        return levels
    family = re.sub(r"_(safe|blocked|ok)$", "", program.name)
    return [levels[(sum(map(ord, family)) + options.day) % len(levels)]]


def main():
    options = parse_options()
    tester = Tester(options)
    if not os.access(tester.compiler, os.X_OK):
        sys.exit(f"error: {tester.compiler} is not there; run scripts/build")
    try:
        tester.prepare()
    except RuntimeError as error:
        sys.exit(f"error: no precompiled header: {error}")
    everything = discover()
    programs = [p for p in everything if re.search(options.filter, p.name)]
    lacking = [p for p in programs if missing_libraries(p, options.build)]
    for program in lacking:
        print(f"skipped {program.name}: the CPU device was built without "
              + ", ".join(missing_libraries(program, options.build)))
    programs = [p for p in programs if p not in lacking]
    start = time.monotonic()
    passed = failed = 0
    if problems := check_index(everything):
        failed += 1
        print("FAIL traps/INDEX.txt\n    " + "\n    ".join(problems))
    else:
        passed += 1
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        tasks = {pool.submit(tester.test, program, levels_of(program, options)): program
                 for program in programs}
        for task in concurrent.futures.as_completed(tasks):
            program = tasks[task]
            for level, what, problems in task.result():
                if not problems:
                    passed += 1
                    continue
                failed += 1
                print(f"FAIL {program.name} {level} {what} "
                      f"(kept: {os.path.join(tester.out, program.name + level)})")
                for problem in problems:
                    print("    " + problem.rstrip().replace("\n", "\n    "), flush=True)
    slowest = sorted(tester.seconds.items(), key=lambda item: -item[1])[:5]
    print(f"{len(programs)} programs, {time.monotonic() - start:.0f} s; slowest: "
          + ", ".join(f"{name} {seconds:.0f} s" for name, seconds in slowest))
    if "one" in (options.program_levels, options.trap_levels) and len(options.levels.split(",")) > 1:
        print(f"levels of day {options.day}; the same again: test/e2e/run.py --day {options.day}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
