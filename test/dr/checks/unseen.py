# Writers that the preloaded library does not see, but echo-run does: system calls of the program's own.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of what only echo-run sees."""
import json
import os
import re
import shutil
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from cases import expect  # noqa: E402
from harness import HERE, expect_said  # noqa: E402


def check_bypass(t):
    """The report of validation names what gets past page protection."""
    program = t.compile("tricks/bypass.cu", "-lpthread")
    expect_said(t, program, [("memory-file", "/proc/PID/mem"), ("filter-protect", "vm.max_map_count"),
                             ("query", "watches the GPU at work"), ("status-file", "passes")])


def check_calls(t):
    """Validation names system calls that use memory past the preloaded library, and minds no others."""
    program = t.compile("tricks/calls.cu")
    shutil.copy(program, program + ".helper")
    source = open(os.path.join(HERE, "tricks", "calls.cu")).read()
    expect_said(t, program, re.findall(r"^// UNSEEN: (\S+)\s*\| (.*)$", source, re.M))


def check_calls_later(t):
    """A process that outlives a validated run opens files as ever."""
    late = os.path.join(t.work, "late")
    words = ["sh", "-c", "(sleep 2; cat /etc/passwd >>%s) & %s 6" % (late, t.frames)]
    for step in ("profile", "analyze", "validate"):
        (status, _), said = t.run(step, *([] if step == "analyze" else ["--", *words]))
        expect(status == 0, step, said)
    expect(said.count("passes") == 2, "validated", said)
    time.sleep(3)
    whole = open("/etc/passwd", "rb").read()
    # Profiled, plain three times, validated.
    expect(open(late, "rb").read() == 5 * whole, "what came late", open(late, "rb").read())


def check_tricks(t):
    """What echo-run lets become one buffer may: output stays what it was."""
    program = t.compile("tricks/tricks.cu", "-lpthread")
    source = open(os.path.join(HERE, "tricks", "tricks.cu")).read()
    passed = 0
    for case, verdicts in re.findall(r"^// VALIDATE: (\S+)\s*\|(.*)$", source, re.M):
        t.forget()
        plain = t.plain(program, case)
        t.run("profile", "--", program, case)
        if t.run("analyze")[0][0] != 0 or not json.load(open(t.plan_file()))["pairs"]:
            continue
        (status, _), said = t.run("validate", "--", program, case)
        expect(status == 0, "validate " + case, said)
        wanted = dict(re.findall(r"(\w+)=(\S+)", verdicts))

        def merge(whole):
            whole.update(enabled=True, why="a test says so")
            for pair in whole["pairs"]:
                name = "in" if pair["copies"][0]["direction"] == "H2D" else "out"
                expect(not pair["validated"] or wanted.get(name, "any") in ("pass", "any"),
                       "%s: %s passes" % (case, name), said)
                if pair["validated"]:
                    pair["choice"] = "system"
        t.change_plan(merge)
        passed += sum(p["validated"] for p in json.load(open(t.plan_file()))["pairs"])
        for schedule in ("eager", "lazy"):
            expect(t.run(program, case, ECHO_CPU_SCHED=schedule)[0] == plain, case + " " + schedule)
    expect(passed >= 20, "pairs that pass", passed)


def check_lines(t):
    """A trap names the line of the source where there is debug information, else the function alone."""
    source = open(os.path.join(HERE, "tricks", "tricks.cu")).read().split("\n")
    line = 1 + [i for i, text in enumerate(source) if 'is("read-once") && I == 4' in text][0]
    if not shutil.which("addr2line"):
        return
    for flag, wanted in (("-g", r"\(.*, tricks\.cu:%d\)" % (line + 1)), ("-g0", r"\([^:,]*(\(.*\))?\)")):
        program = t.compile("tricks/tricks.cu", "-lpthread", flag)
        t.forget()
        t.run("profile", "--", program, "read")
        t.run("analyze")
        (status, _), said = t.run("validate", "--", program, "read")
        expect(status == 0 and re.search(r"while the GPU could, at tricks\+0x\w+ " + wanted, said), flag, wanted, said)
