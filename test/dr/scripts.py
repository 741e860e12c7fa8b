#!/usr/bin/env python3
# Random life around a steady loop, under libecho-dr.so on the CPU device: buffers that are
# freed, allocated anew, refilled, and change partners once the pair looked safe. What passes
# validation is made one buffer, and the output must stay what it was.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts.py --seed WORD --scripts N: scripts 0 to N-1 of that seed; --show prints one. Plans are
of all pairs, and those of echo-run, which leaves some out; with --device sm_90 (the program is
there, or nvcc) these alone, on a GPU. Ends with "N passed, N failed" and how many were merged."""
import argparse
import glob
import json
import os
import random
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE]
import fuzz  # noqa: E402
import run  # noqa: E402
import tracefile  # noqa: E402

# Setup and a loop that most often passes: in place, up, down, with the host's part in it.
LOOPS = (("h0 w0 d0", "u00 k0 l00"), ("h0 d0", "w0 u00 k0 l00 r0"), ("d0 h0 m0", "k0 l00 r0"),
         ("h0 d0", "w0 u00 k0 s"), ("h0 w0 d0", "u00 k0 s l00 o0"), ("h0 w0 d0 d5 m5", "u00 k0 k5 l00 r0"),
         ("h0 w0 d0 h5 d5", "u00 k0 x05 l55 r5 l00"))


DISCRETE = {"ECHO_CPU_DEVICE": "discrete"}


class Script:
    """Writes operations that read nothing that nobody wrote."""

    def __init__(self, seed, number):
        self.random = random.Random("%s:%d" % (seed, number))
        self.host, self.device, self.words = {}, {}, []  # number -> whether it was written
        self.setup, self.loop = self.random.choice(LOOPS)
        for text in (self.setup, self.loop):
            for word in text.split():
                self.note(word)
        self.words = []
        # Of one site each, and few: so that each is in question more often.
        self.numbers, self.most = (range(5), 3) if self.random.random() < 0.6 else (range(10), 4)
        for _ in range(self.random.randint(4, 16)):
            self.step()
        for number in [n for n, written in self.host.items() if written]:
            self.note("r%d" % number)

    def command(self, program):
        return [program, self.setup, self.loop, "4", " ".join(self.words)]

    def note(self, word):
        """Adds an operation, and what it makes of the buffers."""
        what, numbers = word[0], [int(digit) for digit in word[1:]]
        first, last = (numbers[0], numbers[-1]) if numbers else (None, None)
        if what in "hz":
            self.host[first] = what == "z"
        elif what == "d":
            self.device[first] = False
        elif what == "H":
            del self.host[first]
        elif what == "D":
            del self.device[first]
        elif what == "w":
            self.host[first] = True
        elif what == "c":
            self.host[last] = True
        elif what == "l":
            self.host[first] = True
        elif what in "ux":
            self.device[last] = True
        elif what == "m":
            self.device[first] = True
        self.words.append(word)

    def step(self):
        """One more operation, of those that can be; one pair's own are more frequent."""
        full = [n for n, written in self.host.items() if written]
        filled = [n for n, written in self.device.items() if written]
        can = ["s"]
        free = [n for n in self.numbers if n not in self.host and len(self.host) < self.most]
        can += ["%s%d" % (what, n) for n in free[:1] + free[-1:] for what in "hhhz"]
        free = [n for n in self.numbers if n not in self.device and len(self.device) < self.most]
        can += ["d%d" % n for n in free[:1] + free[-1:] for _ in range(3)]
        can += ["%s%d" % (what, n) for n in self.host for what in "Hw"]
        can += ["%s%d" % (what, n) for n in full for what in "orr"]
        can += ["%s%d" % (what, n) for n in self.device for what in "DDm"]
        can += ["k%d" % n for n in filled for _ in range(3)]
        can += ["c%d%d" % (a, b) for a in full for b in self.host if a != b]
        can += ["x%d%d" % (a, b) for a in filled for b in self.device if a != b]
        for a in self.host:
            for b in self.device:
                weight = 3 if (a < 5) == (b < 5) else 1
                can += ["u%d%d" % (a, b)] * weight * (a in full) + ["l%d%d" % (a, b)] * weight * (b in filled)
        word = self.random.choice(can)
        self.note(word)
        if word[0] == "u" and self.random.random() < 0.6:
            self.note("k" + word[2])
            self.note("l" + word[1:])


def by_tool(tool, runner, command, tally):
    """Why a run with a plan of echo-run's is not as it should be; each choice where validation passed."""
    work = os.path.join(runner.work, "tool")
    shutil.rmtree(work, ignore_errors=True)
    os.mkdir(work)
    env = {"ECHO_PLAN_DIR": work, "TMPDIR": work, **fuzz.TINY, **({} if runner.on_gpu else DISCRETE)}

    def call(*words):
        return runner.run([tool, *words], preload=False, **env)
    plain, _ = runner.run(command, preload=False)
    for words in (("profile", "-o", work + "/traces", "--", *command), ("analyze", work + "/traces"),
                  ("validate", "--", *command)):
        (status, _), said = call(*words)
        if status:
            return "%s: status %d: %s" % (words[0], status, said[-300:])
    plan, = glob.glob(work + "/*.json") or [None]
    whole = json.load(open(plan)) if plan else {"pairs": []}
    merged = [pair for pair in whole["pairs"] if pair["validated"]]
    tally["merged by echo-run's plan"] = tally.get("merged by echo-run's plan", 0) + len(merged)
    for choice in ("mapped", "managed", "system", "pinned-queued", "pinned-split"):
        changed = [pair for pair in whole["pairs"] if choice.replace("queued", "split") in pair["open"]
                   and (pair["validated"] or choice == "pinned-split")]
        for pair in changed:
            pair["choice"] = choice
        if not changed:
            continue
        tracefile.write_plan({**whole, "enabled": True, "why": "a test says so"}, plan)
        try:
            result, said = call("run", "--watch=0", *command)
        except subprocess.TimeoutExpired:
            return "%s by echo-run: hangs" % choice
        if result != plain:
            return "%s by echo-run: the output changes (%s)" % (choice, said.strip()[-300:])
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=os.path.join(tracefile.ROOT, "build"))
    parser.add_argument("--seed", default="1")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--scripts", type=int, default=20)
    parser.add_argument("--device", default="cpu", help="cpu, or an architecture such as sm_90")
    parser.add_argument("--echo", help="where bin/echo-run is (default: --build)")
    parser.add_argument("--show", type=int, metavar="NUMBER")
    args = parser.parse_args()
    if args.show is not None:
        print(" | ".join(Script(args.seed, args.show).command("script")))
        return 0
    work = os.path.join(os.path.abspath(args.build), "test", "dr-scripts")
    os.makedirs(work, exist_ok=True)
    runner = run.Runner(os.path.abspath(args.build), work, args.device, "shared", 60)
    tool = os.path.join(os.path.abspath(args.echo or args.build), "bin", "echo-run")
    program, tally, failed = runner.compile(os.path.join(HERE, "programs", "script.cu")), {}, 0
    for number in range(args.first, args.first + args.scripts):
        command = Script(args.seed, number).command(program)
        why = None if runner.on_gpu else fuzz.examine(runner, command, tally)
        why = why or by_tool(tool, runner, command, tally)
        if why:
            failed += 1
            print("FAIL %s:%d: %s\n    %s" % (args.seed, number, why, " | ".join(command[1:])), flush=True)
    print(", ".join("%s %d" % item for item in sorted(tally.items())))
    print("%d passed, %d failed" % (args.scripts - failed, failed))
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
