# What the tests of echo-run's subcommands share: a folder of programs and plans, commands that run
# with or without a plan, a terminal, and what is expected of a plan that fits or does not.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs echo-run's subcommands on a program for the shared CPU device."""
import fcntl
import glob
import json
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import termios

import cases
import tracefile
from cases import expect

HERE = os.path.dirname(os.path.abspath(__file__))
CHOICES = ("pinned-split", "mapped", "managed", "system")
DISCRETE = "integrated=0,pageableMemoryAccess=0,pageableMemoryAccessUsesHostPageTables=0"


class Tools:
    def __init__(self, build, name):
        self.build = build
        self.work = os.path.join(build, "test", name)
        shutil.rmtree(self.work, ignore_errors=True)
        os.makedirs(os.path.join(self.work, "tmp"))
        self.plans = os.path.join(self.work, "plans")
        self.tool = os.path.join(build, "bin", "echo-run")
        self.built = {}  # (source, flags) -> what was built of them
        self.frames = self.compile("tools/frames.cu")

    def compile(self, source, *flags):
        """The program of a source, as new; it is built once with the same flags, unless these name other files."""
        program = os.path.join(self.work, os.path.splitext(os.path.basename(source))[0])
        if not all(re.match("-[lg]", flag) for flag in flags):
            return self.build_program(source, program, flags)
        kept = self.built.get((source, flags))
        if kept is None:
            kept = os.path.join(self.work, "built-%d" % len(self.built))
            os.replace(self.build_program(source, program, flags), kept)
            self.built[source, flags] = kept
        if os.path.exists(program):
            os.remove(program)  # its pages may be those of a program that still runs
        shutil.copy(kept, program)
        return program

    def build_program(self, source, program, flags):
        done = subprocess.run(
            [*cases.precompiled.command(self.build), "--no-unify", "--device=cpu", "-cudart", "shared",
             "-w", "-O1", os.path.join(HERE, source), "-o", program, *flags],
            capture_output=True, text=True, stdin=subprocess.DEVNULL)
        expect(done.returncode == 0, source + " does not compile", done.stderr)
        return program

    def environment(self, **more):
        env = {k: v for k, v in os.environ.items() if not k.startswith("ECHO_")}
        env.update(ECHO_PLAN_DIR=self.plans, TMPDIR=os.path.join(self.work, "tmp"))
        env.update(more)
        return env

    def run(self, *words, tool=True, given=None, **env):
        """(exit status, output), errors."""
        source = {"stdin": subprocess.DEVNULL} if given is None else {"input": given}
        done = subprocess.run(([self.tool] if tool else []) + list(words), **source,
                              capture_output=True, env=self.environment(**env), timeout=300)
        return (done.returncode, done.stdout), done.stderr.decode()

    def plain(self, *words, given=None, **env):
        return self.run(*words, tool=False, given=given, **env)[0]

    def shell(self, text):
        """(exit status, output) of a shell's command, whose errors go where it says."""
        done = subprocess.run(["sh", "-c", text], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, env=self.environment(), timeout=300)
        return done.returncode, done.stdout

    def forget(self):
        shutil.rmtree(self.plans, ignore_errors=True)

    def plan_file(self):
        files = glob.glob(self.plans + "/*.json")
        expect(len(files) == 1, "not one plan", files)
        return files[0]

    def change_plan(self, change):
        """Changes the only plan, with the checksum that belongs to it."""
        whole = json.load(open(self.plan_file()))
        change(whole)
        del whole["checksum"]
        text = json.dumps(whole, indent=2)[:-2] + ",\n  "
        text += '"checksum": "%016x"\n}\n' % tracefile.fnv1a(text.encode())
        open(self.plan_file(), "w").write(text)


def choose(choice):
    def change(whole):
        whole.update(enabled=True, why="a test says so")
        for pair in whole["pairs"]:
            expect(choice in pair["open"], "not open", choice, pair)
            pair["choice"] = choice
    return change


def besides_watch(said):
    """What was said, but for lines that a kind of memory cannot be watched."""
    return "".join(line for line in said.splitlines(True) if " watched" not in line)


def mapped_files(result):
    """The files in the memory of the program that printed its own maps."""
    return result[0], {line.split()[5] for line in result[1].decode().splitlines() if "/" in line}


def validated(t, choice, *words, **env):
    """Makes a plan for the command in which each pair that passes gets the choice. Its plain result."""
    t.forget()
    for step in ("profile", "analyze", "validate"):
        (status, _), said = t.run(step, *([] if step == "analyze" else ["--", *words]), **env)
        expect(status == 0, step, said)

    choose_each(t, choice)
    return t.plain(*words, **env)


def choose_each(t, choice):
    """Each pair that passes gets the choice."""
    def merge(whole):
        whole.update(enabled=True, why="a test says so")
        for pair in whole["pairs"]:
            if pair["validated"]:
                pair["choice"] = choice
        expect(any(pair["validated"] for pair in whole["pairs"]), "no pair passes", whole)
    t.change_plan(merge)


def unchanged(t, why, *words, **env):
    """The program runs unchanged, and the one line says why."""
    got, said = t.run(*words, **env)
    expect(got == t.plain(*words, **env), "another result", why, got, said)
    expect(said.count("\n") == 1 and "runs unchanged" in said and why in said, "the line", why, said)


def used(t, *words, **env):
    """The plan is used, and the result is that of the plain run."""
    got, said = t.run(*words, ECHO_VERBOSE="1", **env)
    expect(got == t.plain(*words, **env), "another result", got, said)
    expect(" copies of " in said and "echo-run: " not in said, "not used", said)


def parted(t, why, *words, **env):
    """The process is none that was validated: its buffers stay two, and one line says why."""
    got, said = t.run(*words, **env)
    expect(got == t.plain(*words, **env), "another result", why, got, said)
    expect(said.count("no buffers are made one") == 1 and why in said, "the line", why, said)


class Terminal:
    """A terminal of so many columns, on which commands write what they print."""

    def __init__(self, columns):
        self.master, self.end = pty.openpty()
        fcntl.ioctl(self.end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))

    def run(self, t, *words, **env):
        """((exit status, output), errors) of a command whose output is this terminal."""
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=self.end, stderr=subprocess.PIPE, text=True,
                              env=t.environment(**env), timeout=300)
        got = b""
        while select.select([self.master], [], [], 0)[0]:
            got += os.read(self.master, 1 << 16)
        return (done.returncode, got), done.stderr

    def close(self):
        os.close(self.end)
        os.close(self.master)


def expect_said(t, program, cases):
    """Validation of each case must say its text of both pairs."""
    for case, why in cases:
        t.forget()
        t.run("profile", "--", program, case)
        t.run("analyze")
        (status, _), said = t.run("validate", "--", program, case)
        expect(status == 0 and said.count(why) == 2, "validate " + case, said)
