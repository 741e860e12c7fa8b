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
from harness import choose_each, parted, Terminal, used, validated  # noqa: E402


ASKED = {"buffered": "fstat(1)", "terminal": "isatty(1)", "terminal again": "isatty(1)", "pipe": "isatty(1)", "window": "TIOCGWINSZ(1)", "wide": "TIOCGWINSZ(1)"}


def check_key_terminal(t):
    """Whether its output is a terminal, where the program asks."""
    for how in ("terminal", "terminal again", "window", "buffered"):
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
    for how in ("file", "named", "opened", "again", "ready", "place", "tell", "append", "described",
                "described at"):
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


def check_key_owner(t):
    """For whom its output is, where the program asks."""
    words, name = [t.compile("tools/around.cu"), "--look", "file", "none"], os.path.join(t.work, "owned.txt")
    for mode, fits in ((0o640, True), (0o644, False)):
        with open(name, "wb") as out:
            os.fchmod(out.fileno(), 0o640)
            t.forget()
            for step in ("profile", "analyze", "validate"):
                done = subprocess.run([t.tool, step, *([] if step == "analyze" else ["--", *words])], stdout=out,
                                      stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=t.environment())
                expect(done.returncode == 0, step, done.stderr)
        choose_each(t, "system")
        with open(name, "wb") as out:
            os.fchmod(out.fileno(), mode)
            done = subprocess.run([t.tool, *words], stdout=out, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                  env=t.environment(ECHO_VERBOSE="1"))
        expect(("the answer of fstat(1) is another one" in done.stderr) != fits, "the line", mode, done.stderr)


def check_key_unkept(t):
    """What fails by what its output is asks, too; others share by numbers and names. No key holds that."""
    program = t.compile("tools/around.cu", "-lrt")
    output, shared = "standard error is, past what is recorded", "by number or name, which are not known"
    names = "changes what names of files lead to"
    for how, text in (("session", output), ("advised", output), ("place", None), ("terminal", None),
                      ("segment", shared), ("queue", shared), ("own segment", None),
                      ("root", names), ("mounts", names), ("own folder", names), ("own undos", None)):
        words = [program, "--look", how, "none"]
        validated(t, "system", *words)
        said = json.load(open(t.plan_file()))["context"]["unseen"]
        expect(text in said if text else not said, how, said)


def check_key_input_mode(t):
    """How its standard input was opened, where the program asks; prepare's runs have one like prepare's."""
    words = "%s --look 'input mode' none" % t.compile("tools/around.cu")
    results = {}
    for mode in ("<", "<>"):
        t.forget()
        for step in ("profile -- " + words, "analyze", "validate -- " + words):
            expect(t.shell("%s %s %s/dev/null" % (t.tool, step, mode))[0] == 0, step)
        pairs = json.load(open(t.plan_file()))["pairs"]
        expect(all(pair["validated"] == (mode == "<") for pair in pairs if pair["copies"][0]["direction"] == "H2D"), mode, pairs)
        if mode == "<":
            choose_each(t, "system")
            for given in ("<", "<>"):
                for command in (words, "%s %s" % (t.tool, words)):
                    results[given, command] = t.shell("%s %s/dev/null 2>%s/said" % (command, given, t.work))
                line = "the answer of F_GETFL(0) is another one" in open(t.work + "/said").read()
                expect(results[given, words] == results[given, command] and line == (given == "<>"), "by", given, results)


def check_key_folder_name(t):
    """The folder's name in PWD, where the program asks for it by name; its name without links else."""
    program, before = t.compile("tools/around.cu"), os.getcwd()
    there = os.path.join(t.work, "there")
    os.makedirs(there, exist_ok=True)
    for name in ("one", "other"):
        if not os.path.islink(os.path.join(t.work, name)):
            os.symlink("there", os.path.join(t.work, name))
    try:
        for how in ("folder variable", "folder name", "nothing"):
            words = [program, "--look", how, "none"]
            os.chdir(there)
            validated(t, "system", *words, PWD=os.path.join(t.work, "one"))
            used(t, *words, PWD=os.path.join(t.work, "one"))
            if how == "nothing":
                used(t, *words, PWD=os.path.join(t.work, "other"))
            else:
                parted(t, "the answer of getenv(PWD) is another one", *words, PWD=os.path.join(t.work, "other"))
    finally:
        os.chdir(before)


def check_key_one_output(t):
    """Whether both outputs are one file: prepare's runs have one where the command has."""
    program, out = t.compile("tools/around.cu"), os.path.join(t.work, "one.txt")
    words, to = "%s --look one none" % program, " >%s 2>&1" % out
    t.forget()
    for step in ("profile -- " + words, "analyze", "validate -- " + words):
        expect(t.shell("%s %s %s" % (t.tool, step, to))[0] == 0, step, open(out).read())
    pairs = json.load(open(t.plan_file()))["pairs"]
    expect([pair["validated"] for pair in pairs if pair["copies"][0]["direction"] == "H2D"] == [False],
           "one file: the host writes while the GPU works", pairs)
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
