#!/usr/bin/env python3
# Runs echo-run's subcommands on a program for the shared CPU device. Whatever
# echo-run does, the program's output and exit status must be those of the plain
# run. Ends with "N passed, N failed".
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""End-to-end tests of echo-run on the CPU device."""
import argparse
import fcntl
import glob
import json
import os
import pty
import re
import resource
import select
import shutil
import signal
import struct
import subprocess
import sys
import termios
import threading
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import cases  # noqa: E402
import tracefile  # noqa: E402
from cases import expect  # noqa: E402

CHOICES = ("pinned-split", "mapped", "managed", "system")
DISCRETE = "integrated=0,pageableMemoryAccess=0,pageableMemoryAccessUsesHostPageTables=0"


class Tools:
    def __init__(self, build, name="dr-tools"):
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


def check_run(t):
    """Without a plan: the program as it is, and one line."""
    words = [t.frames, "4", "keep", "7"]
    plain = t.plain(*words)
    got, said = t.run(*words)
    expect(got == plain and plain[0] == 7, "no plan", got, plain)
    expect(said.count("\n") == 1 and "no plan for this command" in said, "hint", said)
    got, said = t.run("-q", *words)
    expect((got, said) == (plain, ""), "quiet", got, said)
    # The process is the plain one: what runs in it costs nothing more.
    expect(t.run("-q", "cat", "/proc/self/environ")[0] == t.plain("cat", "/proc/self/environ"), "environment")
    expect(mapped_files(t.run("-q", "cat", "/proc/self/maps")[0]) == mapped_files(t.plain("cat", "/proc/self/maps")),
           "files in memory")
    given = bytes(range(256)) * 1000
    expect(t.run("-q", "cat", given=given) == ((0, given), ""), "input and output")
    expect(t.run("-q", "--", "sh", "-c", "kill -TERM $$")[0][0] == -signal.SIGTERM, "signal")
    expect(t.run("no-such-program")[0][0] == 127, "not found")
    expect(t.run("run", "--quite", "true")[0][0] not in (0, 127), "unknown option")


def check_steps(t):
    """profile, analyze, report, validate, calibrate, one after the other."""
    words = [t.frames, "12", "keep", "3"]
    plain = t.plain(*words)
    got, said = t.run("profile", "--", *words)
    expect(got == plain and "next: echo-run analyze" in said, "profile", got, said)
    (status, text), said = t.run("analyze")
    expect(status == 0 and text.count(b"open: pinned-split, mapped, managed, system") == 2, "analyze", text, said)
    expect(b"new memory" not in text, "no buffer is new", text)
    expect("next: echo-run validate -- " in said, "analyze says", said)
    got, said = t.run(*words)
    expect(got == plain and "it was not calibrated yet" in said, "not calibrated", got, said)
    (status, text), _ = t.run("report", "--json")
    report = json.loads(text)
    expect(status == 0 and len(report["pairs"]) == 2 and report["loop"]["iterations"] == 12, "report --json", report)
    expect("(main)" in report["pairs"][0]["host"]["frames"][0], "no function name", report["pairs"][0])
    page, viewer = os.path.join(t.work, "report.html"), os.path.join(t.work, "viewer.json")
    expect(t.run("report", "--html", page, "--perfetto", viewer)[0] == (0, b""), "report to files")
    expect("<svg" in open(page).read(), "no timeline")
    expect(json.load(open(viewer))["traceEvents"], "no events")
    (status, _), said = t.run("validate", "--", *words)
    expect(status == 0 and said.count("passes, 12 windows") == 2, "validate", said)
    (status, text), said = t.run("calibrate", "--runs", "3", "--", *words)
    expect(status == 0 and b"plan " in text, "calibrate", text, said)
    expect(t.run(*words)[0] == plain, "after calibration")


def check_library_streams(t):
    """A library's streams and kernels by name, lines of the program, and what unordered work closes."""
    shutil.move(t.compile("tricks/keeps.cu", "-shared", "-fPIC"), os.path.join(t.work, "libkeeps.so"))
    program = t.compile("tricks/streams.cu", "-g")

    def report(case):
        t.forget()
        t.run("profile", "--", program, case)
        (status, text), said = t.run("report", "--json")
        expect(status == 0, "report", said)
        return json.loads(text)
    whole = report("own-joined")
    expect([p["open"][1:] for p in whole["pairs"]] == [["mapped", "managed", "system"]] * 2, "joined", whole["pairs"])
    streams = {s["library"]: s for s in whole["streams"]}
    kernels = {k["name"].split("(")[0]: (k["module"], k["launches"])
               for s in whole["streams"] for k in s["kernels"]}
    expect(set(streams) == {"", "libkeeps.so"}, "streams", whole["streams"])
    expect(re.match(r"stream \d+ of libkeeps.so$", streams["libkeeps.so"]["name"]), "its stream", streams)
    expect(kernels == {"count": ("libkeeps.so", 6), "work": ("streams", 6)}, "kernels", kernels)
    place = whole["pairs"][0]["copies"][0]["frames"][0]
    line = re.search(r"\(main, streams\.cu:(\d+)\)$", place)
    source = open(os.path.join(HERE, "tricks", "streams.cu")).read().splitlines()
    expect(line and "cudaMemcpyAsync" in source[int(line[1]) - 1], "no line of the source", place)
    page, viewer = os.path.join(t.work, "streams.html"), os.path.join(t.work, "streams.json")
    t.run("report", "--html", page, "--perfetto", viewer)
    page = open(page).read()
    expect("of libkeeps.so</text>" in page and "<td>count(unsigned char*, unsigned long)</td>" in page, "page", page)
    events = json.load(open(viewer))["traceEvents"]
    tracks = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
    found = {tracks[e["tid"]].split(" ", 2)[-1] for e in events if e["name"] == "count"}
    expect("of libkeeps.so" in found and len(found) == 2, "tracks", found)
    for case in ("own-alone", "own-early", "own-wrong", "thread-non-blocking"):
        whole = report(case)
        expect(all(p["open"] == ["pinned-split"] and "unjoined" in p["obstacles"] for p in whole["pairs"]), case, whole)
        expect(len(whole["notes"]) == 1 and " covers the work of " in whole["notes"][0], case, whole["notes"])
    for case in ("starts", "ordered", "own-blocking", "own-host-waits", "thread-legacy", "set-own", "copy-own"):
        whole = report(case)
        expect(all(len(p["open"]) == 4 for p in whole["pairs"]) and not whole["notes"], case, whole)


def check_refused_plan(t):
    """A plan that the program's runs do not use cannot be measured."""
    words = [t.frames, "12", "keep", "3"]
    for step in ("profile", "analyze", "validate"):
        t.run(step, *([] if step == "analyze" else ["--", *words]))
    t.change_plan(lambda p: p["context"].update(driver=1))
    before = open(t.plan_file(), "rb").read()
    (status, text), said = t.run("calibrate", "--runs", "3", "--", *words)
    expect(status == 1 and not text and "nothing can be measured: the plan is not used: it was made with another driver" in said,
           "calibrate", text, said)
    expect(open(t.plan_file(), "rb").read() == before, "the plan has changed")


def check_prepare(t):
    """A prepared plan, and what each choice does to the program."""
    words = [t.frames, "10", "keep", "5"]
    plain = t.plain(*words)
    (status, text), said = t.run("prepare", "--runs", "3", "--", *words)
    expect(status == 0 and b"yes" in text and "4 of 4: calibrate" in said, "prepare", text, said)
    expect(not os.listdir(os.path.join(t.work, "tmp")), "files are left")
    for choice in CHOICES:
        t.change_plan(choose(choice))
        got, said = t.run(*words, ECHO_VERBOSE="1")
        expect(got == plain, choice, got, said)
        expect("copies" in said, choice + " changes nothing", said)
    t.change_plan(lambda whole: whole["pairs"][0].update(validated=False))
    got, said = t.run(*words)
    expect(got == plain and "without validation" in said, "a plan nobody validated", got, said)


def check_unwatched_choice(t):
    """Memory that cannot be watched is chosen only if it is clearly better than what can be, and that is said."""
    words = [t.frames, "60", "keep", "5"]
    for choice, watched in (("system", False), ("mapped", False), ("mapped", True)):
        # A device that reaches the host's memory itself lets none be watched.
        device = {"ECHO_CPU_ATTR": DISCRETE if watched else "integrated=1,pageableMemoryAccess=1"}
        t.forget()
        for step in ("profile", "analyze", "validate"):
            t.run(step, *([] if step == "analyze" else ["--", *words]), **device)

        def keep(whole):
            for pair in whole["pairs"]:
                pair["open"] = [choice]
        t.change_plan(keep)
        (status, text), said = t.run("calibrate", "--runs", "3", "--", *words, **device)
        expect(status == 0, "calibrate", text, said)
        asked = 0
        for pair in json.load(open(t.plan_file()))["pairs"]:
            evidence = pair["evidence"]
            proved, failed = "over_watched" in evidence, "not_over_watched" in evidence
            expect(not (watched and (proved or failed)), "proved what needs no proof", choice, pair)
            expect(watched or proved == (pair["choice"] == choice), "chosen without a proof", choice, pair)
            asked += proved
        shown = t.run("plans", "show", os.path.basename(t.plan_file())[:-5])[0][1]
        for output in (text, shown):
            expect(output.count(b"cannot be watched, but takes") == asked, "not said", choice, output)


def check_relative_folders(t):
    """Folders that are named from here, and processes that go elsewhere."""
    script = os.path.join(t.work, "moves.sh")
    open(script, "w").write("#!/bin/sh\ncd /\n%s 6\ntrue\n" % t.frames)
    os.chmod(script, 0o755)
    plain, here = t.plain(script), {"ECHO_PLAN_DIR": os.path.relpath(t.plans), "TMPDIR": os.path.relpath(t.work + "/tmp")}
    (status, text), said = t.run("prepare", "--runs", "3", "--", script, **here)
    expect(status == 0 and text.count(b"yes") == 2, "prepare", text, said)
    t.change_plan(choose("pinned-split"))
    got, said = t.run(script, ECHO_VERBOSE="1", **here)
    expect(got == plain and "copied from or to pinned memory" in said and "cannot be read" not in said, "run", got, said)
    got, said = t.run("--plan", os.path.relpath(t.plan_file()), script, **here)
    expect((got, said) == (plain, ""), "--plan", got, said)


def check_unfit_plans(t):
    """Plans that do not fit: unchanged, with one line that says why."""
    words = [t.frames, "6"]
    plain = t.plain(*words)
    t.run("profile", "--", *words)
    t.run("analyze")
    t.change_plan(choose("pinned-split"))
    whole = open(t.plan_file(), "rb").read()
    expect(t.run(*words) == (plain, ""), "a plan that fits")
    for cut in (0, 1, len(whole) // 2, len(whole) - 1):
        open(t.plan_file(), "wb").write(whole[:cut])
        got, said = t.run(*words)
        expect(got == plain and said.count("\n") == 1 and "runs unchanged" in said, "torn", got, said)
        expect(t.run("-q", *words) == (plain, ""), "torn, quietly")
    open(t.plan_file(), "wb").write(whole)
    expect("no plan" in t.run(t.frames, "7")[1], "other arguments")
    got, said = t.run(*words, CUDA_VISIBLE_DEVICES="0")
    expect(got == plain and "CUDA_VISIBLE_DEVICES was ''" in said, "other devices", got, said)
    t.change_plan(lambda p: p["context"].update(host="elsewhere", machine="0123456789abcdef"))
    expect("it is for the host elsewhere" in t.run(*words)[1], "another host")
    open(t.plan_file(), "wb").write(whole)
    other = os.path.join(t.work, "other")
    shutil.copy(t.frames, other)
    shutil.copy("/bin/true", t.frames)
    try:
        got, said = t.run(*words)
        expect(got == (0, b"") and "has changed since" in said, "another program", got, said)
    finally:
        shutil.copy(other, t.frames)
    expect(t.run(*words) == (plain, ""), "the program again")


def check_changed_library(t):
    """Where a library is not the one that validation saw, no buffers are made one."""
    library = os.path.join(t.work, "libstep.so")

    def build(*flags):
        t.compile("tools/step.cpp", "-shared", "-fPIC", "-o", library, *flags)
    build()
    program = t.compile("tools/stepped.cu", library, "-Wl,-rpath," + t.work, "-lstdc++")
    t.run("profile", "--", program)
    t.run("analyze")
    t.run("validate", "--", program)

    def change(whole):  # its call copies both ways: the stronger wait holds, in whichever order
        choose("system")(whole)
        copies = whole["pairs"][0]["copies"]
        expect(sorted(c["wait"] for c in copies) == ["none", "stream"], "waits", copies)
        copies.sort(key=lambda c: c["wait"], reverse=True)
    t.change_plan(change)
    for schedule in ("eager", "lazy"):
        got, said = t.run(program, ECHO_CPU_SCHED=schedule)
        expect((got, besides_watch(said)) == (t.plain(program), ""), "as it was, " + schedule, got, said)
    expect(" 16 copies of" in t.run(program, ECHO_VERBOSE="1")[1], "no copy was spared")
    build("-DLOOKS")
    got, said = t.run(program)
    expect(got == t.plain(program), "another library", got, said)
    expect(said.count("\n") == 1 and "libstep.so has changed since" in said, "another library says", said)
    # One of another name, which no list of files has, is seen when it is loaded.
    build()
    other = os.path.join(t.work, "preloaded.so")
    shutil.copy("/lib/x86_64-linux-gnu/libdl.so.2", other) if os.path.exists("/lib/x86_64-linux-gnu/libdl.so.2") else \
        t.compile("tools/step.cpp", "-shared", "-fPIC", "-o", other)
    got, said = t.run(program, LD_PRELOAD=other)
    expect(got == t.plain(program) and "preloaded.so is not what it was" in said, "preloaded", got, said)
    got, said = t.run(program)
    expect((got, besides_watch(said)) == (t.plain(program), ""), "as it was again", got, said)


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


def check_key_files(t):
    """Files that the result depends on: contents count, and nothing else."""
    program = t.compile("tools/around.cu")
    folder = os.path.join(t.work, "here")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    given, config, before = os.path.join(folder, "input.txt"), os.path.join(folder, "around.ini"), os.getcwd()
    open(given, "w").write("0\n")
    os.chdir(folder)
    try:
        for words in ([program, "input.txt"], [program, given], ["sh", "-c", "exec %s input.txt" % program]):
            validated(t, "system", *words)
            used(t, *words)
            times = os.stat(given)
            open(given, "w").write("1\n")  # of the same size, at the same time
            os.utime(given, ns=(times.st_atime_ns, times.st_mtime_ns))
            unchanged(t, given + " has changed since", *words)
            open(given, "w").write("0\n")
            os.utime(given)
            used(t, *words)  # the same contents again
            open(config, "w").write("1\n")  # it looks for that one, which was not there
            unchanged(t, config + " was not there", *words)
            os.unlink(config)
            os.unlink(given)
            unchanged(t, given + " is not there any more", *words)
            open(given, "w").write("0\n")
            used(t, *words)
        other = os.path.join(t.work, "there")
        shutil.rmtree(other, ignore_errors=True)
        os.makedirs(other)
        open(os.path.join(other, "input.txt"), "w").write("1\n")
        validated(t, "system", program, "input.txt")
        os.chdir(other)
        unchanged(t, "it is for the folder " + folder, program, "input.txt")
        os.chdir(folder)
        used(t, program, "input.txt")
    finally:
        os.chdir(before)


def check_key_looks(t):
    """What the program learns of files without reading them, and of files in memory or by descriptors."""
    program, before = t.compile("tools/around.cu", "-lrt"), os.getcwd()
    folder = os.path.join(t.work, "looks")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    os.chdir(folder)
    shared, semaphore = "/dev/shm/echo-test-around", "/dev/shm/sem.echo-test-around"

    def write(name, text):
        open(name, "w").write(text)

    def lead(to):
        if os.path.lexists("link"):
            os.unlink("link")
        os.symlink(to, "link")
    try:
        for how, first, then, back, why in (
                ("stat", None, lambda: write("flag", ""), lambda: os.unlink("flag"), "flag was not there"),
                ("access", None, lambda: write("flag", ""), lambda: os.unlink("flag"), "flag was not there"),
                ("size", lambda: write("flag", "0"), lambda: write("flag", "00000"), lambda: os.unlink("flag"),
                 "flag has changed since"),
                ("excl", None, lambda: write("flag", ""), lambda: os.unlink("flag"), "flag was not there"),
                ("mkdir", None, lambda: os.mkdir("flag"), lambda: os.rmdir("flag"), "flag was not there"),
                ("list", None, lambda: write("flag", ""), lambda: os.unlink("flag"), folder + "/. has changed since"),
                ("library", None, lambda: write("flag", ""), lambda: os.unlink("flag"), "flag was not there"),
                ("link", lambda: lead("A"), lambda: lead("B"), lambda: lead("A"), "link has changed since"),
                ("descriptor", lambda: write("ini", "0"), lambda: write("ini", "1"), lambda: write("ini", "0"),
                 "ini has changed since"),
                ("filesystem", None, lambda: write("flag", ""), lambda: os.unlink("flag"), "flag was not there"),
                ("semaphore", None, lambda: write(semaphore, "\0" * 32), lambda: os.unlink(semaphore),
                 semaphore + " was not there"),
                ("shared", lambda: write(shared, "0"), lambda: write(shared, "1"), lambda: os.unlink(shared),
                 shared + " has changed since")):
            if first:
                first()
            words = [program, "--look", how, "none"]
            validated(t, "system", *words)
            expect(json.load(open(t.plan_file()))["context"]["unseen"] is None, how, "unseen")
            used(t, *words)
            then()
            unchanged(t, why, *words)
            back()
        write("ini", "0")
        for how, why in (("fork", "makes child processes"), ("popen", "starts a shell")):
            validated(t, "system", program, "--look", how, "none")
            unseen = json.load(open(t.plan_file()))["context"]["unseen"]
            expect(unseen and why in unseen, how, unseen)
        os.mkfifo("pipe")

        def feed():
            while True:
                with open("pipe", "w") as pipe:
                    pipe.write("0\n")
                time.sleep(0.01)  # else the next writer may meet the same reader
        threading.Thread(target=feed, daemon=True).start()
        validated(t, "system", program, "pipe")
        unseen = json.load(open(t.plan_file()))["context"]["unseen"]
        expect(unseen and "reads the pipe" in unseen, "pipe", unseen)
    finally:
        os.chdir(before)
        if os.path.exists(shared):
            os.unlink(shared)


def check_forked(t):
    """What a child of fork does with CUDA of its own is not validated: it merges nothing."""
    program = t.compile("tools/forked.cu")
    for choice in ("mapped", "system"):
        validated(t, choice, program)
        used(t, program)


def check_key_variables(t):
    """Variables that the program asks for, and no others; all where a script may ask."""
    program = t.compile("tools/around.cu")
    script = os.path.join(t.work, "around.sh")
    open(script, "w").write("#!/bin/sh\nAROUND=${MINE:-0} exec %s none\n" % program)
    os.chmod(script, 0o755)
    validated(t, "system", program, "none")
    used(t, program, "none", OTHER="1", TERM="dumb", SSH_TTY="x")
    unchanged(t, "the environment variable AROUND was not set", program, "none", AROUND="1")
    validated(t, "system", program, "none", AROUND="0")
    used(t, program, "none", AROUND="0")
    unchanged(t, "AROUND is not what it was", program, "none", AROUND="2")
    unchanged(t, "AROUND is not set, and was", program, "none")
    validated(t, "system", script)
    used(t, script, TERM="dumb")
    unchanged(t, "the environment variable MINE was not set", script, MINE="1")
    # Those that it reads otherwise, and that the C library reads.
    for how, name in (("words", "MINE"), ("environ", "MINE"), ("symbol", "MINE"), ("locale", "LC_ALL"), ("zone", "TZ"),
                      ("options", "POSIXLY_CORRECT")):
        words = [program, "--look", how, "none"]
        validated(t, "system", *words)
        used(t, *words)
        unchanged(t, "the environment variable %s was not set" % name, *words, **{name: "EST5" if name == "TZ" else "C.UTF-8"})
    validated(t, "system", script)
    expect("AROUND" not in open(t.plan_file()).read() or "value" not in open(t.plan_file()).read(), "values are kept")


def parted(t, why, *words, **env):
    """The process is none that was validated: its buffers stay two, and one line says why."""
    got, said = t.run(*words, **env)
    expect(got == t.plain(*words, **env), "another result", why, got, said)
    expect(said.count("no buffers are made one") == 1 and why in said, "the line", why, said)


def check_key_process(t):
    """What a script gives to the program: the process itself compares it with what was validated."""
    program, before = t.compile("tools/around.cu"), os.getcwd()
    folder = os.path.join(t.work, "given")
    shutil.rmtree(folder, ignore_errors=True)
    for name in ("zero", "one"):
        os.makedirs(os.path.join(folder, name))
        open(os.path.join(folder, name, "input.txt"), "w").write("%d\n" % (name == "one"))
    script, config = os.path.join(folder, "run.sh"), os.path.join(folder, "config")
    os.chdir(folder)
    try:
        for text, zero, one, why in (
                ("%s $(cat config)", "zero/input.txt", "one/input.txt", "its arguments are others"),
                ("AROUND=$(cat config) %s none", "0", "1", "its environment variable AROUND is another one"),
                ("cd $(cat config) && %s input.txt", "zero", "one", "its working folder is another one"),
                ("%s none < $(cat config)", "zero/input.txt", "one/input.txt", "its standard input is another one"),
                ("%s none 7< $(cat config)", "zero/input.txt", "one/input.txt", "files and pipes that it inherits"),
                ("umask $(cat config); %s none", "022", "077", "its umask, limits, CPUs, user")):
            open(script, "w").write("#!/bin/sh\n" + text % program + "\n")
            os.chmod(script, 0o755)
            open(config, "w").write(zero)
            validated(t, "system", script)
            for words in ([script], [script]):
                got, said = t.run(*words, ECHO_VERBOSE="1")
                expect(got == t.plain(*words) and " copies of " in said and "made one" not in said, "not used", text, said)
            open(config, "w").write(one)
            parted(t, why, script)
            open(config, "w").write(zero)
            got, said = t.run(script, ECHO_VERBOSE="1")
            expect(got == t.plain(script) and "made one" not in said, "as it was again", text, said)
        # What a script writes for the program has other contents before than when it is read.
        open(script, "w").write("#!/bin/sh\ncp $(cat config) copy.txt\n%s copy.txt\n" % program)
        open(config, "w").write("zero/input.txt")
        validated(t, "system", script)
        unseen = json.load(open(t.plan_file()))["context"]["unseen"]
        expect(unseen and "copy.txt, which is written in each run" in unseen, "a copy", unseen)
    finally:
        os.chdir(before)


# What the looks of around.cu at a terminal ask for.
ASKED = {"terminal": "isatty(1)", "pipe": "isatty(1)", "window": "TIOCGWINSZ(1)", "wide": "TIOCGWINSZ(1)"}


def check_key_terminal(t):
    """Whether its output is a terminal, where the program asks."""
    for how in ("terminal", "window"):
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


def check_prepare_at_a_terminal(t):
    """The runs of prepare have a terminal where prepare has one, and what they write there is compared."""
    words = [t.compile("tools/around.cu"), "--look", "wide", "none"]
    here = Terminal(80)
    t.forget()
    (status, text), said = here.run(t, t.tool, "prepare", "--runs", "3", "--", *words)
    expect(status == 0 and "tokens of standard output" in said, "compared", text, said)
    asked = {v["name"] for p in json.load(open(t.plan_file()))["context"]["processes"] for v in p["variables"]}
    expect("TIOCGWINSZ(1)" in asked, "asked", asked)
    expect(b"pair " in text, "validated", text)
    here.close()


def check_failed_allocation(t):
    """Where the device lacks memory that it had before, the program may go another way: no buffer is made one."""
    words = [t.compile("tools/around.cu"), "--look", "memory", "none"]
    validated(t, "system", *words)
    used(t, *words)
    got, said = t.run(*words, ECHO_CPU_MEMORY="32M", ECHO_VERBOSE="1")
    expect(got == t.plain(*words, ECHO_CPU_MEMORY="32M"), "another result", got)
    expect("runs as written from now on: the device has not the memory" in said, "the line", said)


def check_key_code(t):
    """The whole program file and libraries, also without build-id, and in their middles."""
    library = os.path.join(t.work, "libearly.so")

    def build(early):
        t.compile("tools/early.cpp", "-shared", "-fPIC", "-o", library, "-Wl,--build-id=none", "-DEARLY=%d" % early)
    build(0)
    program = t.compile("tools/around.cu", "-DWITH_LIBRARY", library, "-Wl,-rpath," + t.work, "-Wl,--build-id=none")
    validated(t, "system", program, "none")
    used(t, program, "none")
    build(1)
    unchanged(t, library + " has changed since", program, "none")
    build(0)
    used(t, program, "none")
    # What is appended to a program, as installers do: the build-id is the same.
    program = t.compile("tools/around.cu", "-Wl,--build-id")
    for words in ([program, "none"], ["sh", "-c", program + " none; true"]):
        validated(t, "system", *words)
        used(t, *words)
        whole = open(program, "rb").read()
        os.unlink(program)
        open(program, "wb").write(whole + b"E")
        os.chmod(program, 0o755)
        unchanged(t, program + " has changed since", *words)
        open(program, "wb").write(whole)
        used(t, *words)


def check_key_constructors(t):
    """What a library of the program learns, and writes, before Echo's own constructor runs."""
    library, before = os.path.join(t.work, "liblooks.so"), os.getcwd()
    t.compile("tools/early.cpp", "-shared", "-fPIC", "-o", library, "-DLOOKS")
    words = [t.compile("tools/around.cu", "-DWITH_LIBRARY", library, "-Wl,-rpath," + t.work), "none"]
    folder = os.path.join(t.work, "constructors")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    os.chdir(folder)
    try:
        open("early.ini", "w").write("0")
        for then, back, why in (
                (lambda: open("flag", "w").write(""), lambda: os.unlink("flag"), "flag was not there"),
                (lambda: open("early.ini", "w").write("1"), lambda: open("early.ini", "w").write("0"),
                 "early.ini has changed since")):
            validated(t, "system", *words)
            written = json.load(open(t.plan_file()))["context"]["written"]
            expect(any("early.out" in str(each) for each in written), "not among what is written", written)
            used(t, *words)
            then()
            unchanged(t, why, *words)
            back()
        validated(t, "system", *words, EARLY_SHELL="1")
        unseen = json.load(open(t.plan_file()))["context"]["unseen"]
        expect(unseen and "starts a shell" in unseen, "a shell", unseen)
    finally:
        os.chdir(before)


def check_key_input(t):
    """What comes on standard input: the same contents, as a file; nothing where there was nothing."""
    words = "sh -c 'read n; exec %s ${n:-3}'" % t.frames
    four, same, five = (os.path.join(t.work, name) for name in ("four", "same", "five"))
    for path, text in ((four, "4\n"), (same, "4\n"), (five, "5\n")):
        open(path, "w").write(text)

    for given, others in (("%s <" + four, (("%s <" + five, "standard input is not what it was"),
                                           ("%s </dev/null", "nothing comes on standard input, and something did"),
                                           ("echo 4 | %s", "standard input is a pipe"))),
                          ("%s </dev/null", (("%s <" + four, "something comes on standard input, and nothing did"),
                                             ("echo 4 | %s", "something comes on standard input")))):
        t.forget()
        redirect = given[2:]
        for step in ("profile -- " + words, "analyze", "validate -- " + words):
            expect(t.shell("%s %s %s" % (t.tool, step, redirect))[0] == 0, step)
        t.change_plan(choose("pinned-split"))
        for fits in (redirect, redirect.replace(four, same)):
            got = t.shell("%s %s %s 2>%s/said" % (t.tool, words, fits, t.work))
            expect(got == t.shell(words + fits) and "runs unchanged" not in open(t.work + "/said").read(), "fits", fits)
        for other, why in others:
            before, behind = other.split("%s")
            got = t.shell("%s %s %s %s 2>%s/said" % (before, t.tool, words, behind, t.work))
            line = open(t.work + "/said").read()
            expect(got == t.shell(before + words + behind) and why in line, "does not fit", other, got, line)


def check_key_gpu(t):
    """Two GPUs of one name are told apart by their UUID; the driver is the fake one."""
    program = os.path.join(t.build, "test", "unit", "dr", "driver", "programs", "driver-static")
    if not os.path.exists(program):
        return  # built where there is a toolkit
    fake = {"LD_LIBRARY_PATH": os.path.join(t.build, "test", "unit", "dr", "driver", "fake-libcuda")}
    words = [program, "linked"]
    validated(t, "mapped", *words, ECHO_FAKE_UUID="1f", **fake)
    context = json.load(open(t.plan_file()))["context"]
    expect(context["uuid"] == "00000000-0000-0000-0000-00000000001f", "uuid", context)
    used(t, *words, ECHO_FAKE_UUID="1f", **fake)
    for uuid in ("2f", "", "0"):
        got, said = t.run(*words, ECHO_FAKE_UUID=uuid, ECHO_VERBOSE="1", **fake)
        expect(got == t.plain(*words, **fake) and "another GPU of the same name" in said and " 0 copies of 0 bytes" in said,
               "another GPU", uuid, got, said)


def check_doctor(t):
    """doctor -- PROGRAM: part by part."""
    program = t.compile("tools/around.cu")
    (status, text), _ = t.run("doctor", "--", program, "none")
    expect(status == 1 and text.startswith(b"no plan for this command; "), "no plan", text)
    validated(t, "system", program, "none")
    (status, text), _ = t.run("doctor", "--", program, "none")
    expect(status == 0 and b"differs" not in text and text.endswith(b"the plan is used\n"), "it fits", text)
    (status, text), _ = t.run("doctor", program, "none", AROUND="1", CUDA_VISIBLE_DEVICES="3")
    text = text.decode()
    expect(status == 1 and text.count("differs") == 2 and "CUDA_VISIBLE_DEVICES was ''" in text and
           "the environment variable AROUND was not set" in text and "not used" in text, "it does not", text)
    t.change_plan(lambda whole: whole.update(enabled=False, why="no reason"))
    (status, text), _ = t.run("doctor", "--", program, "none")
    expect(status == 1 and text.endswith(b"the plan is not enabled: no reason\n"), "not enabled", text)


def check_compared(t):
    """What a plan changed is seen in each place where the program writes; a time beside it hides nothing."""
    program = t.compile("tools/around.cu")
    out = os.path.join(t.work, "out.bin")
    for words, where in ((["--time"], "tokens of standard output (of 1 more plain runs differ)"),
                         (["--errors", "--time"], "tokens of standard error (of 1 more plain runs differ)"),
                         (["--quiet", "--out", out], "1 of 1 file that it writes"),
                         ([], "2 tokens of standard output")):
        for same in ([], ["--same"]):
            t.forget()
            command = [program, *same, *words, "none"]
            (status, _), said = t.run("prepare", "--runs", "3", "--", *command)
            expect(status == 0 and where in said and "NOTHING" not in said, "prepare", words, said)
            whole = json.load(open(t.plan_file()))
            expect(all(pair["open"] == list(CHOICES) for pair in whole["pairs"]), "open", whole)
            # One buffer shows in the program's table of addresses.
            wrong = [pair["rejected"] or "" for pair in whole["pairs"]]
            if same:
                expect(all("it writes something else" in why for why in wrong), "not seen", words, wrong)
            else:
                expect(not any(wrong), "rejected", words, wrong)
            expect(whole["context"]["unseen"] is None, "unseen", whole["context"]["unseen"])


def check_files_compared(t):
    """A file that differs between plain runs is compared token by token, or needs --accept."""
    program, out = t.compile("tools/around.cu"), os.path.join(t.work, "out")
    os.makedirs(out, exist_ok=True)
    (status, _), said = t.run("prepare", "--runs", "3", "--", program, "--out", os.path.join(out, "same"), "none")
    expect(status == 0 and "CANNOT BE COMPARED" not in said and "1 of 1 file" in said, "the same", said)
    t.forget()
    for same in ([], ["--same"]):
        t.forget()
        words = [program, "--quiet", *same, "--text", os.path.join(out, "timed"), "none"]
        (status, _), said = t.run("prepare", "--runs", "3", "--", *words)
        expect(status == 0 and "CANNOT BE COMPARED" not in said and "1 of 1 file" in said, "timed", said)
        wrong = [pair["rejected"] or "" for pair in json.load(open(t.plan_file()))["pairs"]]
        expect(all(bool(same) == ("it writes something else to " in why) for why in wrong), "timed", same, wrong)
    log = os.path.join(out, "log")
    for same in ([], ["--same"]):  # each run adds a line, which is compared
        t.forget()
        open(log, "w").write("once more: 1\n")
        (status, _), said = t.run("prepare", "--runs", "3", "--", program, "--quiet", *same, "--log", log, "none")
        expect(status == 0 and "CANNOT BE COMPARED" not in said and "1 of 1 file" in said, "log", said)
        wrong = [pair["rejected"] or "" for pair in json.load(open(t.plan_file()))["pairs"]]
        expect(all(bool(same) == ("it writes something else to " in why) for why in wrong), "log", same, wrong)
    t.forget()
    (status, _), said = t.run("prepare", "--runs", "3", "--", program, "--named", os.path.join(out, "run"), "none")
    expect(status == 0 and "CANNOT BE COMPARED" in said and "--accept allows it" in said, "named", said)
    t.forget()
    (status, _), said = t.run("prepare", "--runs", "3", "--accept", "--", program, "--named", os.path.join(out, "run"),
                              "none")
    expect(status == 0 and "CANNOT BE COMPARED" in said and "--accept allows it" not in said, "accepted", said)


def check_chance(t):
    """Tokens that three plain runs agree on by chance make no plan wrong; a result is not taken for chance."""
    program = t.compile("tools/around.cu")
    counter, script = os.path.join(t.work, "ticks"), os.path.join(t.work, "ticks.sh")
    open(script, "w").write("#!/bin/sh\necho x >> %s\necho tick $(($(wc -l < %s) / 5))\nexec %s none\n"
                            % (counter, counter, program))
    os.chmod(script, 0o755)
    open(counter, "w").close()
    (status, text), said = t.run("prepare", "--runs", "3", "--", script)
    expect(status == 0 and b"writes something else" not in text and "writes something else" not in said,
           "chance", text, said)


def check_nothing_compared(t):
    """Where nothing but the exit status can be compared, prepare says so, and makes no two buffers one."""
    program = t.compile("tools/around.cu")
    words = [program, "--quiet", "none"]
    for accept in ([], ["--accept"]):
        t.forget()
        (status, _), said = t.run("prepare", "--runs", "3", *accept, "--", *words)
        expect(status == 0 and "NOTHING BUT THE EXIT STATUS CAN BE COMPARED" in said, "not said", said)
        whole = json.load(open(t.plan_file()))
        merged = [name for pair in whole["pairs"] for name in pair["evidence"] if name in
                  ("ratio_mapped", "ratio_managed", "ratio_system")]
        expect(bool(merged) == bool(accept), "tried", accept, merged)
        expect(accept or not any(pair["choice"] in CHOICES[1:] for pair in whole["pairs"]), "merged", whole)
        expect(("--accept allows it" in said) != bool(accept), "hint", said)


def check_side_effects(t):
    """Files that each run changes are listed; what the next run reads of them is no part of a key."""
    program = t.compile("tools/around.cu")
    log, state = os.path.join(t.work, "log.txt"), os.path.join(t.work, "state.txt")
    for path in (log, state):
        open(path, "w").write("0\n")
    (status, _), said = t.run("prepare", "--runs", "3", "--", program, "--log", log, "none")
    expect(status == 0 and "warning: each run of the program changes %s;" % log in said, "log", said)
    expect("--accept" not in said, "a log is only written", said)
    t.forget()
    (status, _), said = t.run("prepare", "--runs", "3", "--", program, "--state", state, "none")
    expect(status == 0 and "no two buffers are made one: the program reads %s, which it writes, too" % state in said,
           "state", said)
    t.forget()
    (status, _), said = t.run("prepare", "--runs", "3", "--", program, "none")
    expect(status == 0 and "warning" not in said, "no effects", said)


def check_input(t):
    """A pipe that does not end is bounded; one that is slow is waited for, and said."""
    started = time.monotonic()
    for writer, line in (("(echo 3; sleep 100)", b"error: the program cannot be compared: its standard input does not end"),
                         ("sleep 100", b"nothing comes on standard input within a second"),
                         ("(for i in 1 2 3 4 5; do sleep 0.5; echo $i; done; sleep 100)", b"standard input does not end")):
        done = subprocess.Popen(["bash", "-c", "%s | %s prepare --limit 2 --runs 3 -- %s 4 2>&1 >/dev/null" % (
            writer, t.tool, t.frames)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=t.environment(),
            start_new_session=True)
        said = b""
        while line not in said and time.monotonic() < started + 60:
            said += os.read(done.stdout.fileno(), 4096)
        os.killpg(done.pid, signal.SIGKILL)
        done.wait()
        done.stdout.close()
        expect(line in said, writer, said)
    for left in glob.glob(os.path.join(t.work, "tmp", "*")):
        shutil.rmtree(left)
    done = subprocess.run(["bash", "-c", "(for i in 1 2 3; do sleep 0.7; echo $i; done) | %s prepare --runs 3 -- sh -c 'cat; "
                           "%s 4'" % (t.tool, t.frames)], stdin=subprocess.DEVNULL, capture_output=True,
                          env=t.environment(), timeout=200)
    said = done.stderr.decode()
    expect(done.returncode == 0 and said.count("reading standard input") == 1, "slow", said)
    expect("4 tokens of standard output" in said, "all of it", said)


def check_first_run(t):
    """A first run that never ends is bounded. The test lets the time be up."""
    pipe = os.path.join(t.work, "never")
    os.mkfifo(pipe)
    for command in ("prepare", "validate"):
        words = ["sh", "-c", "%s 4; test -e %s.open || cat %s" % (t.frames, pipe, pipe)]
        if command == "validate":  # a plan of a run that did end
            open(pipe + ".open", "w").close()
            t.run("profile", "--", *words)
            t.run("analyze")
            os.unlink(pipe + ".open")
        process = subprocess.Popen([t.tool, command, "--", *words], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=t.environment())
        time.sleep(2)
        process.send_signal(signal.SIGALRM)
        said = process.communicate(timeout=60)[1].decode()
        expect(process.returncode == 1 and said.count("error: ") == 1 and
               "it does not end within 600 s" in said, command, process.returncode, said)


def check_leftovers(t):
    """What a killed echo-run left in TMPDIR is removed by the next one, if it is nobody's and not young."""
    tmp = os.path.join(t.work, "tmp")

    def killed():
        process = subprocess.Popen([t.tool, "prepare", "--", t.frames, "100000000"], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=t.environment())
        process.stderr.readline()  # "1 of 4"
        return process
    first = killed()
    mine, = os.listdir(tmp)
    os.utime(os.path.join(tmp, mine), (0, 0))
    t.run("prepare", "--", "true")
    expect(os.listdir(tmp) == [mine], "removed while it is in use")
    first.kill()
    first.wait()
    first.stderr.close()
    foreign = os.path.join(tmp, "echo-run.0badcafe.abcdef")  # another machine's
    os.makedirs(foreign)
    os.utime(foreign, (0, 0))
    os.utime(os.path.join(tmp, mine))
    t.run("prepare", "--", "true")
    expect(mine in os.listdir(tmp), "removed while it is young")
    os.utime(os.path.join(tmp, mine), (0, 0))
    t.run("prepare", "--", "true")
    expect(os.listdir(tmp) == [os.path.basename(foreign)], "left", os.listdir(tmp))
    shutil.rmtree(foreign)


def check_stopped(t):
    """Whoever stops prepare stops all that it started, in other sessions, too."""
    mark = "4%d" % os.getpid()
    script = "setsid sleep %s & exec %s 100000000" % (mark, t.frames)
    process = subprocess.Popen([t.tool, "prepare", "--", "sh", "-c", script], stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=t.environment())

    def words(path):
        try:
            return open(path, "rb").read()
        except OSError:  # it has ended
            return b""

    def sleeping():
        return any(words(path) == b"sleep\0%s\0" % mark.encode() for path in glob.glob("/proc/[0-9]*/cmdline"))
    for _ in range(100):
        if sleeping():
            break
        time.sleep(0.1)
    expect(sleeping(), "nothing was started")
    process.send_signal(signal.SIGTERM)
    process.stderr.read()
    process.wait()
    process.stderr.close()
    expect(not sleeping(), "it goes on")


def check_progress(t):
    """One line of progress where nobody looks; one that is written again on a terminal."""
    words = [t.frames, "4"]
    (status, _), said = t.run("prepare", "--runs", "3", "--", *words)
    expect(status == 0 and said.count("calibrate: run ") == 1, "a file", said)
    master, slave = os.openpty()
    done = subprocess.Popen([t.tool, "calibrate", "--runs", "3", "--", *words], stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL, stderr=slave, env=t.environment())
    os.close(slave)
    said = b""
    try:
        while part := os.read(master, 4096):
            said += part
    except OSError:
        pass  # it has ended
    os.close(master)
    expect(done.wait() == 0 and said.count(b"\r\x1b[K") > 3, "a terminal", said)


def check_portable(t):
    """A portable plan is used where it was calibrated."""
    words = [t.frames, "5"]
    plain = t.plain(*words)
    t.run("profile", "--", *words)
    expect(t.run("analyze", "--portable")[0][0] == 0, "analyze --portable")
    host = os.uname().nodename
    for where, fits in ((host, True), ("elsewhere", False)):
        def change(whole):
            choose("pinned-split")(whole)
            whole["calibrated_on"] = where
        t.change_plan(change)
        got, said = t.run(*words, given=b"")  # from a pipe nothing is measured
        expect(got == plain, where, got)
        expect(("it was calibrated on elsewhere; 'echo-run calibrate" in said) != fits, where, said)


def check_portable_elsewhere(t):
    """--portable: the first use on a host measures there, if that takes nothing from the program."""
    counter, script = os.path.join(t.work, "runs"), os.path.join(t.work, "counted.sh")
    open(script, "w").write("#!/bin/sh\necho run >> %s\nexec %s 5\n" % (counter, t.frames))
    os.chmod(script, 0o755)
    plain = t.plain(script)
    t.run("profile", "--", script)
    t.run("analyze", "--portable")

    def change(whole):
        choose("pinned-split")(whole)
        whole["calibrated_on"] = "elsewhere"
    t.change_plan(change)
    portable = t.plan_file()

    def use(*words, **env):
        """Runs the script with /dev/null; how often it ran, its result, what was said."""
        open(counter, "w").close()
        done = subprocess.run([t.tool, *words, script], stdin=subprocess.DEVNULL, capture_output=True,
                              env=t.environment(**env), timeout=300)
        return len(open(counter).readlines()), (done.returncode, done.stdout), done.stderr.decode()

    open(counter, "w").close()
    got, said = t.run(script, given=b"")  # standard input is a pipe
    expect(got == plain and "'echo-run calibrate -- " in said and len(open(counter).readlines()) == 1, "pipe", got, said)
    for words, env in (((), {"PMI_RANK": "0"}), (("-q",), {}), (("--plan", portable), {})):
        runs, got, said = use(*words, **env)
        expect((runs, got) == (1, plain) and "measured here" not in said, words, env, runs, said)
    runs, got, said = use()
    expect(got == plain and runs > 3 and said.count("measured here: ") == 1, "elsewhere", runs, got, said)
    own = json.load(open([f for f in glob.glob(t.plans + "/*.json") if f != portable][0]))
    host = os.uname().nodename
    expect((own["portable"], own["context"]["host"], own["calibrated_on"]) == (False, host, host), "own plan", own)
    expect(json.load(open(portable))["calibrated_on"] == "elsewhere", "the portable plan stays")
    runs, got, said = use()
    expect((runs, got) == (1, plain) and "measured" not in said, "once", runs, got, said)


def check_scripts(t):
    """The program of a plan may be one that a script starts."""
    script = os.path.join(t.work, "app.sh")
    open(script, "w").write("#!/bin/sh\necho before\n%s 8 \"$1\" || exit 2\n" % t.frames)
    os.chmod(script, 0o755)
    for words in ([script, "fresh"], ["sh", script, "fresh"]):
        t.forget()
        plain = t.plain(*words)
        t.run("profile", "--", *words)
        (_, text), _ = t.run("analyze")
        expect(b"h is allocated anew" in text and b"what new memory costs" in text, "fresh buffers", text)
        t.change_plan(choose("pinned-split") if b"mapped" not in text else lambda whole: whole.update(enabled=True))
        expect(json.load(open(t.plan_file()))["context"]["executable"]["path"] == t.frames, "whose plan")
        expect(t.run(*words) == (plain, ""), "a script")
    open(script, "a").write("exit 4\n")
    got, said = t.run("sh", script, "fresh")
    expect(got[0] == 4 and "app.sh has changed since" in said, "a changed script", got, said)


def expect_said(t, program, cases):
    """Validation of each case must say its text of both pairs."""
    for case, why in cases:
        t.forget()
        t.run("profile", "--", program, case)
        t.run("analyze")
        (status, _), said = t.run("validate", "--", program, case)
        expect(status == 0 and said.count(why) == 2, "validate " + case, said)


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


def check_watch(t):
    """run --watch: what a watched window sees goes into the plan, which then leaves the pair."""
    device = {"ECHO_CPU_ATTR": "integrated=0,pageableMemoryAccess=0,pageableMemoryAccessUsesHostPageTables=0"}
    program = t.compile("tricks/tricks.cu", "-lpthread")

    def merge(whole):  # as if validation had not seen the round in which it reads
        whole.update(enabled=True, why="a test says so")
        for pair in whole["pairs"]:
            pair.update(choice="mapped", validated=True, rejected=None)
    for case, unsafe, words, env in (("read-once", 1, ["--watch=1"], {}), ("read-after-wait", 0, ["--watch=1"], {}),
                                     ("read-once", 1, [], {"ECHO_DR_WATCH": "1"}),
                                     ("read-once", 0, [], {"ECHO_DR_WATCH": "0"})):
        t.forget()
        plain = t.plain(program, case)
        t.run("profile", "--", program, case, **device)
        t.run("analyze", **device)
        t.change_plan(merge)
        got, said = t.run(*words, program, case, **device, **env)
        off = env.get("ECHO_DR_WATCH") == "0"  # then nobody sees that it is wrong
        expect((off or got == plain) and said.count("is left from now on, in later runs, too: the host used") == unsafe,
               f"watched {case} {words} {env}", got, said)
        if off:
            continue
        name = os.path.basename(t.plan_file())[:-5]
        (status, text), _ = t.run("plans", "show", name)
        expect(status == 0 and text.count(b"left alone: watched in a run with the plan: the host used the buffer "
                                          b"while the GPU could, at tricks+0x") == unsafe, "show", text)
        expect(t.run("--watch", program, case, **device) == (plain, ""), "watched again " + case)
    for words, every, watched in (([], None, True), ([], "0", False), (["--watch"], "0", True),
                                  (["--watch=0"], "1", False)):
        t.change_plan(merge)
        env = {"ECHO_DR_WATCH": every} if every else {}
        got, said = t.run(*words, program, case, ECHO_VERBOSE="1", **device, **env)
        expect(bool(re.search(r"^echo: [1-9]\d* windows of GPU use watched$", said, re.M)) == watched,
               f"watches {words} {every}", got, said)
    expect(t.run("--watch=0", program, "plain")[0] == t.plain(program, "plain"), "every 0")
    expect(t.run("--watch", "-q", "true") == ((0, b""), ""), "no plan")


def check_late_input(t):
    """What may still come on standard input keeps a plan away from a program that asks for it, and from no other."""
    program, around = t.compile("tricks/tricks.cu", "-lpthread"), t.compile("tools/around.cu")

    def merge(whole):
        whole.update(enabled=True, why="a test says so")
        for pair in whole["pairs"]:
            pair.update(choice="mapped")
    for name, command, asks in (("deaf", [program, "plain"], False),
                                ("reads", ["sh", "-c", "cat; exec %s plain" % program], True),
                                ("opens", ["sh", "-c", "read x </dev/stdin; exec %s plain" % program], True),
                                ("seek", [around, "--look", "seek", "none"], True),
                                ("poll", [around, "--look", "poll", "none"], True),
                                ("stat", [around, "--look", "input", "none"], True),
                                ("epoll", [around, "--look", "epoll", "none"], True)):
        t.forget()
        for step in ("profile", "analyze", "validate"):
            words = [] if step == "analyze" else ["--", *command]
            t.run(step, *words)
        t.change_plan(merge)
        expect(json.load(open(t.plan_file()))["context"]["uses_input"] == asks, name)
        plain = t.plain(*command)
        got, said = t.run(*command, ECHO_VERBOSE="1")
        expect(got == plain and " copies of " in said, name, got, said)
        read, write = os.pipe()
        done = subprocess.Popen([t.tool, *command], stdin=read, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                env=t.environment(ECHO_VERBOSE="1"))
        os.close(read)
        time.sleep(0.3)
        try:
            os.write(write, b"late\n")
        except BrokenPipeError:
            pass  # who does not read may have ended
        os.close(write)
        out, said = (text.decode() for text in done.communicate(timeout=100))
        expect(plain[1].decode() in out and ("something may come on standard input" in said) == asks
               and (" copies of " in said) != asks, name + " later", out, said)


def check_nobody_reads(t):
    """Echo's own lines end no program where nobody reads standard error any more."""
    program = t.compile("tricks/tricks.cu", "-lpthread")
    t.forget()
    t.run("profile", "--", program, "plain")
    t.run("analyze")
    for plan in (True, False):
        if not plan:
            t.forget()
        read, write = os.pipe()
        os.close(read)
        done = subprocess.run([t.tool, program, "plain"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=write,
                              env=t.environment(ECHO_VERBOSE="1"), timeout=100)
        os.close(write)
        expect((done.returncode, done.stdout) == t.plain(program, "plain"), "plan" if plan else "no plan", done)
        # Nor where standard error is a file that may not grow.
        with open(os.path.join(t.work, "full"), "w") as full:
            done = subprocess.run(["bash", "-c", 'ulimit -f 0; exec "$@"', "-", t.tool, program, "plain"],
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=full,
                                  env=t.environment(ECHO_VERBOSE="1"), timeout=100)
        expect((done.returncode, done.stdout) == t.plain(program, "plain"), "full", plan, done)


def check_usage(t):
    """Wrong words: one line that says what, and what to do; the exit status tells echo-run's own errors apart."""
    folder, none = os.path.join(t.work, "folder"), {"ECHO_PLAN_DIR": "", "XDG_CACHE_HOME": "", "HOME": ""}
    os.makedirs(folder, exist_ok=True)
    for status, line, words, env in (
            (2, "a command is missing; 'echo-run --help'", [], {}),
            (125, "no program is given", ["-q"], {}),
            (125, "--watch: '1000001' is no number from 0 to 1000000; 'echo-run run --help'",
             ["--watch=1000001", "true"], {}),
            (125, "not expected here: --nonsense", ["--nonsense", "true"], {}),
            (125, "--plan needs a value", ["--plan"], {}),
            (126, folder + ": cannot be executed: it is a folder", [folder], {}),
            (127, "no-such: no such program in PATH", ["no-such"], {}),
            (127, "./no-such: not found", ["./no-such"], {}),
            (2, "--runs: 'x' is no number from 3 to 1000; 'echo-run prepare --help'", ["prepare", "--runs", "x", "--", "true"], {}),
            (2, "--limit: '-3' is no number", ["calibrate", "--limit", "-3", "--", "true"], {}),
            (2, "--trace-bytes: '-5' is no number of bytes", ["profile", "--trace-bytes", "-5", "--", "true"], {}),
            (2, "--most: '3 parsec' is no number of bytes", ["doctor", "--probe", "--most", "3 parsec"], {}),
            (1, "there is no trace in /nowhere: No such file or directory; 'echo-run profile'", ["report", "/nowhere"], {}),
            (1, "nothing was profiled yet; 'echo-run profile", ["analyze"], {}),
            (1, "there is no plan for this command; 'echo-run profile", ["validate", "--", "true"], {}),
            (1, "argument 1 is not UTF-8", ["prepare", "--", "true", b"\xff"], {}),
            (2, "no plan is named; 'echo-run plans list'", ["plans", "remove"], {}),
            (1, "there is no plan 'x'; 'echo-run plans list'", ["plans", "show", "x"], {}),
            (1, "set ECHO_PLAN_DIR, XDG_CACHE_HOME or HOME", ["plans", "list"], none),
            (1, "set ECHO_PLAN_DIR, XDG_CACHE_HOME or HOME", ["prepare", "--", "true"], none),
            (1, "/etc/passwd: Not a directory", ["plans", "remove", "--all"], {"ECHO_PLAN_DIR": "/etc/passwd"}),
            (1, "cannot make the folder /etc/passwd/", ["profile", "--", "true"], {"ECHO_PLAN_DIR": "/etc/passwd"})):
        (got, text), said = t.run(*words, **env)
        last = said.splitlines()[-1]
        expect(got == status and text == b"" and last.startswith("echo-run: error: ") and line in last and
               said.count("error: ") == 1, words, got, text, said)


def check_streams(t):
    """Closed or full standard files are the program's; echo-run does not fail by them."""
    words = [t.frames, "4"]
    plain = t.plain(*words)
    t.run("profile", "--", *words)
    t.run("analyze")
    for redirect in ("2>&-", "2>/dev/full", "<&- 2>&-"):
        for command in (words, [t.frames, "5"]):  # with a plan that is not enabled; without a plan
            got = t.shell("%s %s %s" % (t.tool, " ".join(command), redirect))
            expect(got == t.plain(*command), redirect, got)
    expect(t.shell("%s %s >&-; echo $?" % (t.tool, " ".join(words))) == (0, b"0\n"), ">&-")
    expect(t.shell("%s plans list 2>/dev/null >/dev/full || echo $?" % t.tool) == (0, b"1\n"), "full")
    expect(t.shell("%s prepare --runs 3 -- %s <&- >&- 2>&-; echo $?" % (t.tool, " ".join(words))) == (0, b"0\n"), "none")
    expect(json.load(open(t.plan_file()))["calibrated_on"] != "", "not prepared")
    expect(t.run(*words)[0] == plain, "after it")


def check_full_disk(t):
    """What echo-run cannot write says nothing about the program: the plan stays, and a line says why."""
    words = [t.frames, "4"]
    t.run("profile", "--", *words)
    t.run("analyze")
    before = open(t.plan_file(), "rb").read()

    def small():  # as if the disk were full, for echo-run and what it starts
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))
    for command in ("prepare", "validate", "calibrate"):
        done = subprocess.run([t.tool, command, "--", *words], stdin=subprocess.DEVNULL, capture_output=True,
                              env=t.environment(), timeout=300, preexec_fn=small)
        said = done.stderr.decode().splitlines()
        line = "the process may not write a file of" if command == "prepare" else "File too large"
        expect(done.returncode == 1 and said[-1].startswith("echo-run: error: ") and line in said[-1],
               command, done.returncode, said)
    expect(open(t.plan_file(), "rb").read() == before, "the plan has changed")
    expect(not os.listdir(os.path.join(t.work, "tmp")), "files are left")


def check_two_at_once(t):
    """One echo-run at a time profiles a command; the other says so."""
    first = subprocess.Popen([t.tool, "prepare", "--", t.frames, "100000000"], stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=t.environment())
    first.stderr.readline()  # "1 of 4"
    try:
        for command in ("prepare", "profile"):
            (status, _), said = t.run(command, "--", t.frames, "100000000")
            expect(status == 1 and "another echo-run profiles into" in said, command, said)
    finally:
        first.kill()  # not even so does the program go on
        first.wait()
        first.stderr.close()
    started = time.monotonic()
    while subprocess.run(["pgrep", "-f", t.frames + " 100000000"], capture_output=True).returncode == 0:
        expect(time.monotonic() < started + 10, "the program goes on")
        time.sleep(0.05)
    for left in glob.glob(os.path.join(t.work, "tmp", "*")):
        shutil.rmtree(left)


def check_no_plan_possible(t):
    """Programs that cannot be prepared say why."""
    (status, _), said = t.run("prepare", "--", "true")
    expect(status == 1 and "no process wrote a trace" in said, "no CUDA", said)
    counter = os.path.join(t.work, "counter")
    (status, _), said = t.run("prepare", "--", "sh", "-c", "echo x >> %s; exit $(wc -l < %s)" % (counter, counter))
    expect(status == 1 and "it ends with status 2 instead of status 1" in said, "unsteady", said)
    hangs = "test -z \"$ECHO_DR_MODE\" || sleep 1000 & wait"
    (status, _), said = t.run("prepare", "--limit", "2", "--", "sh", "-c", hangs)
    expect(status == 1 and "it does not end within 2 s" in said, "hangs", said)
    (status, _), said = t.run("prepare", "--", t.frames, "4", TMPDIR="/nowhere")
    expect(status == 1 and "cannot be kept in TMPDIR" in said, "no folder for output", said)
    (status, text), said = t.run("prepare", "--", t.frames, "1")
    expect(status == 0 and "no pair of buffers recurs" in said, "one frame", text, said)
    got, said = t.run(t.frames, "1")
    expect(got == t.plain(t.frames, "1") and "no pair of buffers recurs" in said, "one frame", said)


def check_interrupt(t):
    """SIGINT stops the program and the preparation, and leaves nothing."""
    process = subprocess.Popen([t.tool, "prepare", "--", t.frames, "100000000"], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env=t.environment(), start_new_session=True)
    process.stderr.readline()  # "1 of 4"
    time.sleep(0.5)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=60)
    expect(process.returncode == -signal.SIGINT and b"stopped" in said, "interrupt", process.returncode, said)
    expect(not os.listdir(os.path.join(t.work, "tmp")), "files are left")
    expect(not glob.glob(t.plans + "/*.json"), "a plan is left")


def check_plans(t):
    """plans list, show, remove."""
    t.run("profile", "--", t.frames, "6")
    t.run("analyze")
    name = os.path.basename(t.plan_file())[:-5]
    (_, text), _ = t.run("plans", "list")
    expect(re.match(rb"%s  disabled  .*frames 6\n$" % name.encode(), text), "list", text)
    (status, text), _ = t.run("plans", "show", name[:6])
    expect(status == 0 and text.count(b"open: ") == 2, "show", text)
    expect(t.run("plans", "show", "nothing")[0][0] == 1, "show nothing")
    expect(t.run("plans", "remove", name[:6])[0][0] == 0, "remove")
    expect(not glob.glob(t.plans + "/*.json"), "still there")
    (_, text), _ = t.run("plans", "list")
    expect(text.startswith(b"no plans in "), "empty list", text)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=os.path.join(tracefile.ROOT, "build"))
    parser.add_argument("filter", nargs="*", help="only checks whose name contains one of these")
    args = parser.parse_args()
    tools = Tools(os.path.abspath(args.build))

    def fresh(check):
        tools.forget()
        check(tools)
    checks = [(name, lambda c=check: fresh(c)) for name, check in sorted(globals().items()) if name.startswith("check_")]
    return cases.run_all(checks, cases.any_of(args.filter))


if __name__ == "__main__":
    sys.exit(main())
