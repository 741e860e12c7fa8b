# Questions about its outputs that a program asks, which a plan's key holds where it asks: whether they are
# terminals, how large, what files, and whether they are one.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of what plans' keys say of outputs."""
import fcntl
import json
import os
import pty
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from cases import expect  # noqa: E402
from harness import choose_each, Terminal, used, validated  # noqa: E402


ASKED = {"terminal": "isatty(1)", "terminal again": "isatty(1)", "pipe": "isatty(1)", "window": "TIOCGWINSZ(1)", "wide": "TIOCGWINSZ(1)"}


def check_key_terminal(t):
    """Whether its output is a terminal, where the program asks."""
    for how in ("terminal", "terminal again", "window"):
        key_terminal(t, ASKED[how], [t.compile("tools/around.cu"), "--look", how, "none"])


def key_terminal(t, asked, words):
    """The same for one way to ask."""
    validated(t, "system", *words)
    used(t, *words)
    results = []
    for command in (words, [t.tool, *words]):
        terminal, end = pty.openpty()
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=end, stderr=subprocess.PIPE, text=True,
                              env=t.environment(), timeout=300)
        results.append((done.returncode, os.read(terminal, 1 << 16)))
        os.close(end)
        os.close(terminal)
    expect(results[0] == results[1], "another result", results)
    expect("the answer of %s is another one" % asked in done.stderr, "the line", done.stderr)


def check_key_output(t):
    """What file its output is, where the program asks; prepare's runs have such a one as prepare has."""
    for how in ("file", "named", "opened", "again", "ready", "place", "tell", "append"):
        words = [t.compile("tools/around.cu"), "--look", how, "none"]
        validated(t, "system", *words)  # its output is a pipe
        used(t, *words)
        results = []
        for command in (words, [t.tool, *words]):
            with open(os.path.join(t.work, "output.txt"), "wb+") as out:
                if how == "append":
                    fcntl.fcntl(out, fcntl.F_SETFL, os.O_APPEND)
                done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE,
                                      text=True, env=t.environment(), timeout=300)
                out.seek(0)
                results.append((done.returncode, out.read()))
        expect(results[0] == results[1], "another result", how, results)
        expect("the answer of fstat(1) is another one" in done.stderr, "the line", how, done.stderr)


def check_key_one_output(t):
    """Whether both outputs are one file: prepare's runs have one where the command has."""
    program, out = t.compile("tools/around.cu"), os.path.join(t.work, "one.txt")
    words, to = "%s --look one none" % program, " >%s 2>&1" % out
    t.forget()
    for step in ("profile -- " + words, "analyze", "validate -- " + words):
        expect(t.shell("%s %s %s" % (t.tool, step, to))[0] == 0, step, open(out).read())
    expect(json.load(open(t.plan_file()))["pairs"][0]["validated"] is False, "one file: the host writes while the GPU works")
    t.forget()
    for step in ("profile -- " + words, "analyze", "validate -- " + words):
        expect(t.shell("%s %s >%s 2>%s.errors" % (t.tool, step, out, out))[0] == 0, step)
    choose_each(t, "system")
    results = []
    for command in (words, "%s %s" % (t.tool, words)):
        expect(t.shell(command + to)[0] == 0, command)
        results.append(open(out).read())
    expect(results[0] in results[1] and "the answer of fstat(" in results[1], "another result", results)


def check_key_at_a_terminal(t):
    """What was validated at a terminal is for terminals: of any size, unless the program asks for that."""
    for how in ("pipe", "wide"):
        words = [t.compile("tools/around.cu"), "--look", how, "none"]
        here, wide = Terminal(80), Terminal(100)
        t.forget()
        for step in ("profile", "analyze", "validate"):
            (status, _), said = here.run(t, t.tool, step, *([] if step == "analyze" else ["--", *words]))
            expect(status == 0, step, said)
        choose_each(t, "system")
        (plain, _), (got, said) = here.run(t, *words), here.run(t, t.tool, *words, ECHO_VERBOSE="1")
        expect(got == plain and " copies of " in said, "not used", how, got, said)
        (plain, _), (got, said) = wide.run(t, *words), wide.run(t, t.tool, *words, ECHO_VERBOSE="1")
        expect(got == plain, "another result", how, got, said)
        line = "the answer of %s is another one" % ASKED[how]
        expect(line in said if how == "wide" else " copies of " in said, "of another size", how, said)
        got, said = t.run(*words, ECHO_VERBOSE="1")
        expect(got == t.plain(*words) and line in said, "a pipe", how, got, said)
        here.close(), wide.close()
