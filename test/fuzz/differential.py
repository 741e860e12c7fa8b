# Examines a batch of programs: builds it plain and merged, judges every merge of the
# report by the oracle, compares all outputs with the machine's, and has sanitizers
# look for races and bad accesses. It decides what counts as a failure.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All checks of one batch.

kinds of failure
  unsafe        Echo merges pairs that the oracle does not allow
  output        the merged program prints something else, crashes or hangs
  race          ThreadSanitizer reports the merged program
  memory        AddressSanitizer or UBSan reports the merged program
  compile       the compiler fails
  fault         a merged program in which a call fails prints something else than the program as written may
  report        an entry of the report belongs to no allocation of the batch
  plain-output, plain-race, plain-memory, plain-fault   the same of the program as written: a bug of
                the CPU device or of the generator
  generator     the program is not valid
  campaign      the campaign itself fails on the batch
"""
import os
import random
import traceback
from collections import Counter

import faults
import life_emit
import machine
from emit import splits
from toolchain import SANITIZER_STATUS, CompileError, Source, run
from truth import Truth

REPORT_ONLY = ["-c", "-emit-llvm"]
AGAIN = 3  # runs of what printed the wrong thing
SANITIZERS = {"race": "-fsanitize=thread", "memory": "-fsanitize=address,undefined"}


class Plan:
    """What is built and run of a batch; every list may be empty.

    levels           at which programs are built merged and plain
    schedules        of the merged programs; without one, only the report is made
    plain_schedules  of the programs as written; without one, these are not built
    races, memory    levels of the builds with sanitizers
    whole            levels at which the programs are built as two files, merged
    solo             of how many programs the same is built alone, too
    repair           levels of merged builds with --repair, which only have to print the right thing
    faults           levels of builds in which calls fail, of `failing` calls a program
    """

    def __init__(self, levels=(), schedules=(), plain_schedules=(), races=(), memory=(), merged=True,
                 whole=(), solo=0, repair=(), faults=(), failing=6):
        self.faults, self.failing = faults, failing
        self.whole, self.solo, self.repair = whole, solo, repair
        self.levels, self.schedules, self.plain_schedules = levels, schedules, plain_schedules
        self.sanitized = {"race": races, "memory": memory}
        self.sanitized_schedules = list(dict.fromkeys([*schedules[:1], *schedules[-1:]]
                                                      or plain_schedules[:2]))
        self.merged = merged


class Failure:
    def __init__(self, kind, program, level="", schedule="", detail=""):
        self.kind, self.program, self.level = kind, program, level
        self.schedule, self.detail = schedule, detail

    def __str__(self):
        return " ".join(filter(None, (self.kind, self.level, self.schedule, self.detail)))


class Built:
    """An executable that holds the programs `numbers` of the batch."""

    def __init__(self, source, target, numbers):
        self.source, self.target, self.numbers = source, target, numbers


class Batch:
    """Programs of one kind (all per-thread or none) and what came out of them."""

    def __init__(self, programs, toolchain, folder):
        self.programs, self.toolchain, self.folder = programs, toolchain, folder
        self.failures, self.truths, self.valid = [], [None] * len(programs), []
        self.verdicts = {}  # level -> [{pair: Verdict}]
        self.built, self.counted = 0, Counter()
        self.limit = 60.0  # seconds of a run
        os.makedirs(folder, exist_ok=True)
        for i, program in enumerate(programs):
            self.judge(i, program)

    def judge(self, i, program):
        try:
            truth = Truth(program)
            race = truth.race()
        except machine.Invalid as error:
            return self.fail("generator", i, detail=f"invalid: {error.why}")
        except Exception:  # a reducer's or generator's program may be anything
            return self.fail("generator", i, detail=traceback.format_exc())
        if race:
            return self.fail("generator", i, detail=f"race of statements {race.first['id']} and "
                             f"{race.second['id']}")
        self.truths[i] = truth
        self.valid.append(i)
        return None

    def fail(self, kind, program, level="", schedule="", detail=""):
        self.failures.append(Failure(kind, program, level, schedule, detail))

    def build(self, numbers, level, merged, flags=(), form="batch", marks=False):
        """Builds programs `numbers`; what does not compile is found by halving."""
        if not numbers:
            return []
        self.built += 1
        stem = os.path.join(self.folder, f"b{self.built}")
        source = Source([self.programs[i] for i in numbers], stem + ".cu", form, marks)
        try:
            self.toolchain.compile(source, stem, level, merged, flags)
            return [Built(source, stem, numbers)]
        except CompileError as error:
            if len(numbers) == 1:
                self.fail("compile", numbers[0], level, "merged" if merged else "plain",
                          " ".join(flags) + " " + str(error)[-1500:])
                return []
        middle = len(numbers) // 2
        return (self.build(numbers[:middle], level, merged, flags, form, marks)
                + self.build(numbers[middle:], level, merged, flags, form, marks))

    def read(self, built, level):
        """Takes the report of a merged build, and judges what was merged."""
        verdicts, lost = self.toolchain.verdicts(built.source, built.target)
        for entry in lost:
            self.fail("report", built.numbers[0], level, detail=f"no such sites: {entry['host']} "
                      f"{entry['device']}")
        known = self.verdicts.setdefault(level, [None] * len(self.programs))
        for number, found in zip(built.numbers, verdicts):
            known[number] = found
            merged = {pair for pair, verdict in found.items() if verdict.merged}
            guarded = {pair for pair, verdict in found.items() if verdict.guarded}
            only = {pair: verdict.only for pair, verdict in found.items() if verdict.only is not None}
            truth = self.truths[number]
            wrong = truth.unsafe(merged, guarded, only, truth.unread()) if merged else None
            if wrong:
                self.fail("unsafe", number, level, detail=f"{wrong[0]}, arg {wrong[1]}, merged {sorted(merged)}")

    def outputs(self, built, level, schedules, kind, sanitizer=None):
        """Runs a build under schedules; every program must print what the machine says."""
        done = set()  # one failure a program is enough
        for schedule in schedules:
            words = [w for w in built.source.words if int(w.split(":")[0]) not in done]
            results = run(built.target, words, schedule, self.limit)
            for word, (status, lines, errors) in results.items():
                index, arg = map(int, word.split(":"))
                number = built.numbers[index]
                if (status, lines) == (self.truths[number].statuses[arg], self.truths[number].outputs[arg]):
                    continue
                if index in done:
                    continue
                done.add(index)
                reported = sanitizer and status == SANITIZER_STATUS
                detail = f"{'of ' + sanitizer + ', ' if sanitizer else ''}arg {arg}, status {status}, printed {lines}, " \
                         f"expected {self.truths[number].outputs[arg]}{self.again(built, words, word, schedule)}"
                self.fail(sanitizer if reported else kind, number, level, schedule,
                          errors if reported else f"{detail} {errors[-500:]}")

    def again(self, built, words, word, schedule):
        """Says how often the same process prints the wrong thing again: what depends on time may not."""
        index, arg = map(int, word.split(":"))
        truth = self.truths[built.numbers[index]]
        runs = [run(built.target, words, schedule, self.limit)[word][:2] for _ in range(AGAIN)]
        wrong = sum(result != (truth.statuses[arg], truth.outputs[arg]) for result in runs)
        return f", wrong again in {wrong} of {AGAIN} runs"

    def examine(self, plan):
        """Everything that `plan` asks for; `failures` and `verdicts` are the result."""
        try:
            self.examine_all(plan)
        except Exception:
            self.fail("campaign", 0, detail=traceback.format_exc())
        return self

    def examine_whole(self, plan, level):
        """Builds as whole programs: Echo decides at link time."""
        numbers = [i for i in self.valid if splits(self.programs[i])]
        builds = [(self.build(numbers, level, True, form="split"), f"{level} split")]
        # Those whose pointers are at file scope say most.
        alone = sorted(numbers, key=lambda i: not self.programs[i].has_globals())[:plan.solo]
        builds += [(self.build([i], level, True, form="solo"), f"{level} solo") for i in alone]
        for all_built, name in builds:
            for built in all_built:
                self.read(built, name)
                self.outputs(built, name, plan.schedules[:3], "output")

    def examine_faults(self, plan, level):
        """Has calls fail one at a time: plain and merged must do what the machine does then."""
        rng = random.Random(f"{level} {self.folder}")
        for merged in (False, True):
            for built in self.build(self.valid, level, merged, marks=True):
                if merged:
                    self.read(built, f"{level} faults")
                for index, number in enumerate(built.numbers):
                    self.program_with_faults(built, index, number, plan, level, merged, rng)

    def program_with_faults(self, built, index, number, plan, level, merged, rng):
        """Runs one program of a build with a call that fails, several times."""
        program = self.programs[number]
        arg = rng.choice(program.inputs)
        possible = faults.possible(program, arg)
        rng.shuffle(possible)
        for fault in possible[:plan.failing]:
            expected = faults.outcomes(program, arg, fault)
            if expected is None:
                continue
            self.counted["faults"] += 1
            schedule = rng.choice(plan.schedules)
            if fault[0] == "memory" and merged:  # a block may stand for more, or for less, than the device buffer
                expected = self.any_allocation(program, arg, possible, expected)
            # A block that takes none of the device's memory leaves more of it for the buffers of other pairs.
            spares = self.merges if fault[0] == "memory" else self.takes_part_at(expected[0])
            wrong = self.run_with_fault(built, f"{index}:{arg}", schedule, fault, expected,
                                        merged and spares(level, number))
            # Merging may rest on what that call would have written.
            if wrong and merged and self.merges(level, number) and \
                    faults.outcomes(program, arg, fault, leaves_open=True) is None:
                continue
            if wrong:
                kind = "fault" if merged else "plain-fault"
                return self.fail(kind, number, level, schedule, f"arg {arg}, {fault[0]}@{fault[1]}: {wrong}")
        return None

    @staticmethod
    def any_allocation(program, arg, possible, expected):
        """What may happen where any one of the allocations fails."""
        found = [faults.outcomes(program, arg, other) for other in possible if other[0] == "alloc"]
        return expected[0], expected[1] + [one for some in found if some for one in some[1]]

    def merges(self, level, number):
        return any(verdict.merged for verdict in self.verdicts[f"{level} faults"][number].values())

    def takes_part_at(self, statement):
        return lambda level, number: self.takes_part(level, number, statement)

    def takes_part(self, level, number, statement):
        """True if Echo may have left out what statement does: in a pair that it merges, as far as it knows. Of a copy
        where buffers change places run time alone knows that."""
        found = self.verdicts[f"{level} faults"][number]
        return any(verdict.merged and (statement["op"] == "copy" or statement["id"] in (*pair, *verdict.links))
                   for pair, verdict in found.items())

    def run_with_fault(self, built, word, schedule, fault, expected, may_differ):
        """What is wrong, or None. A call that Echo left out cannot fail: then nothing does. Where the merged
        block is what failed, the program runs as written and may not see it either."""
        setting = f"{fault[0]}@{fault[1]}"
        more = {"ECHO_CPU_MEMORY": str(fault[1])} if fault[0] == "memory" else {"ECHO_CPU_FAIL": setting}
        status, lines, errors = run(built.target, [word], schedule, more=more)[word]
        happened = fault[0] == "memory" or f"note: {setting} failed" in errors
        index, arg = map(int, word.split(":"))
        allowed = expected[1][:] if happened else []
        if may_differ and (not happened or fault[0] in ("alloc", "memory")):
            truth = self.truths[built.numbers[index]]
            allowed.append((truth.statuses[arg], truth.outputs[arg]))
        if (status, lines) in allowed:
            return None
        return f"{'' if happened else 'did not happen, '}status {status}, printed {lines}, expected {allowed} " \
               f"{errors[-500:]}"

    def examine_all(self, plan):
        for level in plan.levels:
            if plan.merged:
                # Without a schedule the report is all that is asked for.
                flags = [] if plan.schedules else REPORT_ONLY
                for built in self.build(self.valid, level, True, flags):
                    self.read(built, level)
                    self.outputs(built, level, plan.schedules, "output")
            if plan.plain_schedules:
                for built in self.build(self.valid, level, False):
                    self.outputs(built, level, plan.plain_schedules, "plain-output")
        if plan.merged:
            for level in plan.whole:
                self.examine_whole(plan, level)
            for level in plan.faults:
                self.examine_faults(plan, level)
            for level in plan.repair:
                for built in self.build(self.valid, level, True, ["--repair"]):
                    self.outputs(built, f"{level} repair", plan.schedules, "output")
        for kind, levels in plan.sanitized.items():
            # What a program relies on beyond CUDA's promises is a race by these. A flag that the host sets for a kernel
            # that polls is volatile, not atomic: a race by C++.
            numbers = [i for i in self.valid
                       if kind != "race" or not (self.programs[i].relies or life_emit.polls(self.programs[i]))]
            for level in levels:
                if plan.merged:
                    for built in self.build(numbers, level, True, [SANITIZERS[kind]]):
                        self.read(built, f"{level} {kind}")
                        self.outputs(built, level, plan.sanitized_schedules, "output", kind)
                if plan.plain_schedules:
                    for built in self.build(numbers, level, False, [SANITIZERS[kind]]):
                        self.outputs(built, level, plan.sanitized_schedules, "plain-output", "plain-" + kind)
