# What a plan's key holds: whatever the program's result may depend on. A plan that does not fit is
# not used, and a line says which part does not.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of plans' keys."""
import json
import os
import shutil
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from cases import expect  # noqa: E402
from harness import besides_watch, choose, choose_each, parted, unchanged, used, validated  # noqa: E402


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
        expect([c["wait"] for c in copies] == ["stream", "stream"], "waits", copies)
        next(c for c in copies if c["direction"] == "H2D")["wait"] = "none"
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
    # One of the same build-id, from another place: its contents may be others.
    elsewhere = os.path.join(t.work, "elsewhere")
    os.makedirs(elsewhere, exist_ok=True)
    shutil.copy(library, elsewhere)
    got, said = t.run(program, LD_PRELOAD=os.path.join(elsewhere, "libstep.so"))
    expect(got == t.plain(program) and "elsewhere/libstep.so is not what it was" in said, "elsewhere", got, said)


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
    shared, semaphore, listed = ("/dev/shm/" + name for name in ("echo-test-around", "sem.echo-test-around", "echo-listed"))

    def write(name, text):
        open(name, "w").write(text)

    def away():  # the same file, but by a link
        os.rename("ini", "other")
        os.symlink("other", "ini")

    def back_again():
        os.unlink("ini")
        os.rename("other", "ini")

    def fill(*names):  # tmpfs lists the last one first
        shutil.rmtree(listed, ignore_errors=True)
        os.mkdir(listed)
        [write(os.path.join(listed, name), "") for name in names]
        lead(listed)

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
                ("new", None, lambda: write("flag", ""), lambda: os.unlink("flag"), "flag was not there"),
                ("writable", lambda: write("flag", ""), lambda: os.unlink("flag"), lambda: None,
                 "flag is not there any more"),
                ("makes", lambda: os.mkdir("below"), lambda: os.rmdir("below"), lambda: os.mkdir("below"),
                 "below is not there any more"),
                ("unnamed", None, lambda: os.rmdir("below"), lambda: None, "below is not there any more"),
                ("appends", lambda: write("flag", ""), lambda: write("flag", "1"), lambda: os.unlink("flag"),
                 "flag has changed since"),
                ("journal", None, lambda: write("flag", "1"), lambda: os.unlink("flag"), "flag was not there"),
                ("waits", None, lambda: write("flag", ""), lambda: os.unlink("flag"), "flag was not there"),
                ("alias", lambda: write("ini", "0"), lambda: write("ini", "1"), lambda: write("ini", "0"),
                 "ini has changed since"),
                ("numbered", lambda: write("ini", "0"), lambda: write("ini", "1"), lambda: write("ini", "0"),
                 "ini has changed since"),
                ("instruction", lambda: write("ini", "0"), lambda: write("ini", "1"), lambda: write("ini", "0"),
                 "ini has changed since"),
                ("mode", None, lambda: write("flag", ""), lambda: os.unlink("flag"), "flag was not there"),
                ("kind", lambda: (os.mkdir("folder"), write("folder/flag", "")),
                 lambda: (os.unlink("folder/flag"), os.mkdir("folder/flag")), lambda: shutil.rmtree("folder"),
                 "folder has changed since"),
                ("enters", lambda: (os.makedirs("A/in"), os.makedirs("B/in"), write("B/here", ""), lead("A/in")),
                 lambda: lead("B/in"), lambda: os.unlink("link"), "link has changed since"),
                ("list", None, lambda: write("flag", ""), lambda: os.unlink("flag"), folder + "/. has changed since"),
                ("entries", None, lambda: write("flag", ""), lambda: os.unlink("flag"), folder + " has changed since"),
                ("first", lambda: fill("b", "a"), lambda: fill("a", "b"), lambda: shutil.rmtree(listed), "link has changed since"),
                ("names", None, lambda: write("flag", ""), lambda: os.unlink("flag"), folder + " has changed since"),
                ("climbs", None, lambda: write("flag", ""), lambda: os.unlink("flag"), "flag was not there"),
                ("no link", lambda: write("ini", "0"), away, back_again, "ini has changed since"),
                ("unfollowed", lambda: write("ini", "0"), away, back_again, "ini has changed since"),
                ("library", None, lambda: write("flag", ""), lambda: os.unlink("flag"), "flag was not there"),
                ("link", lambda: lead("A"), lambda: lead("B"), lambda: lead("A"), "link has changed since"),
                ("descriptor", lambda: write("ini", "0"), lambda: write("ini", "1"), lambda: write("ini", "0"),
                 "ini has changed since"),
                ("own link", lambda: write("ini", "0"), lambda: write("ini", "1"), lambda: write("ini", "0"),
                 "ini has changed since"),
                ("below", lambda: write("ini", "0"), lambda: write("ini", "1"), lambda: write("ini", "0"),
                 "ini has changed since"),
                ("working folder", lambda: write("ini", "0"), lambda: write("ini", "1"), lambda: write("ini", "0"),
                 "ini has changed since"),
                ("filesystem", None, lambda: write("flag", ""), lambda: os.unlink("flag"), "flag was not there"),
                ("semaphore", None, lambda: write(semaphore, "\0" * 32), lambda: os.unlink(semaphore),
                 semaphore + " was not there"),
                ("shared", lambda: write(shared, "0"), lambda: write(shared, "1"), lambda: os.unlink(shared),
                 shared + " has changed since"),
                ("left over", None, lambda: write(shared, "1"), lambda: None, shared + " was not there"),
                ("lock", None, lambda: write("flag", ""), lambda: None, "flag was not there")):
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
        os.mkdir("kept")
        for how in ("remade", "once", "anew", "replaced", "asks by number"):
            validated(t, "system", program, "--look", how, "none")
            expect(json.load(open(t.plan_file()))["context"]["unseen"] is None, how, "unseen")
            used(t, program, "--look", how, "none")
        for how, why in (("took", "mine, which it writes, too"), ("second name", "mine, which it writes, too"),
                         ("kept on", "ini, which it writes, too"), ("fork", "makes child processes"), ("popen", "starts a shell"), ("handed", "is handed"),
                         ("long", "more files than are recorded"), ("goes by number", "more files than are recorded"),
                         ("counted", "another name each time"), ("pattern", "more files than are recorded"),
                         ("command", "starts a command by wordexp")):
            validated(t, "system", program, "--look", how, "none")
            unseen = json.load(open(t.plan_file()))["context"]["unseen"]
            expect(unseen and why in unseen, how, unseen)
        os.mkfifo("pipe")

        def feed(path=os.path.abspath("pipe")):  # after the check, too, in whatever folder: nothing is made
            while True:
                with os.fdopen(os.open(path, os.O_WRONLY), "w") as pipe:
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
    # Of no terminal and of no part of Echo, though they begin so.
    validated(t, "system", script)
    for name in ("TERM_LIMIT", "ECHO_SERVER_MODE", "SSH_HOSTS"):
        unchanged(t, "the environment variable %s was not set" % name, script, **{name: "1"})
    # Those that it reads otherwise, and that the C library reads.
    for how, name in (("words", "MINE"), ("environ", "MINE"), ("symbol", "MINE"), ("locale", "LC_ALL"), ("zone", "TZ"),
                      ("paper", "LC_PAPER"), ("options", "POSIXLY_CORRECT"), ("zone", "MALLOC_ARENA_MAX")):
        words = [program, "--look", how, "none"]
        validated(t, "system", *words)
        used(t, *words)
        unchanged(t, "the environment variable %s was not set" % name, *words, **{name: "EST5" if name == "TZ" else "C.UTF-8"})
    rules = os.path.join(t.work, "zone")
    open(rules, "w").write("0")
    words = [program, "--look", "zone", "none"]
    validated(t, "system", *words, TZ=":" + rules)
    used(t, *words, TZ=":" + rules)
    open(rules, "w").write("1")
    unchanged(t, rules + " has changed since", *words, TZ=":" + rules)
    validated(t, "system", script)
    expect("AROUND" not in open(t.plan_file()).read() or "value" not in open(t.plan_file()).read(), "values are kept")


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
                ("umask $(cat config); %s none", "022", "077", "its umask, limits, CPUs, user"),
                ("$(cat config) %s none", "env", "setarch --uname-2.6", "its umask, limits, CPUs, user"),
                ("$(cat config) %s none", "env", "setpriv --no-new-privs", "its umask, limits, CPUs, user"),
                ("case $(cat config) in with) sleep 3 & esac; exec %s none", "without", "with", "its umask, limits, CPUs, user"),
                ("case $(cat config) in with) cp zero/input.txt cfg;; esac; %s cfg", "without", "with",
                 "cfg was changed after it was compared")):
            shutil.copy("zero/input.txt", "cfg")
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


def check_failed_allocation(t):
    """Where the device lacks memory that it had before, the program may go another way: no buffer is made one."""
    words = [t.compile("tools/around.cu"), "--look", "memory", "none"]
    validated(t, "system", *words)
    used(t, *words)
    got, said = t.run(*words, ECHO_CPU_MEMORY="32M", ECHO_VERBOSE="1")
    expect(got == t.plain(*words, ECHO_CPU_MEMORY="32M"), "another result", got)
    expect("runs as written from now on: the device has not the memory" in said, "the line", said)


def check_key_group(t):
    """Whether it leads its group, as prepare's runs do, however it asks."""
    program = t.compile("tools/around.cu")
    for how in ("leads", "signals its group", "signals group", "rates"):
        t.forget()
        (status, _), said = t.run("prepare", "--runs", "3", "--", program, "--look", how, "none")
        expect(status == 0, "prepare", how, said)
        choose_each(t, "system")
        parted(t, "the answer of getpgrp() is another one", program, "--look", how, "none")


def check_key_room(t):
    """Variables and arguments which leave no room for Echo's own: the program runs without it."""
    program = t.compile("tools/around.cu")
    validated(t, "system", program, "none")
    words = (program, "none")

    def padded(size):
        return {"PAD%d" % at: "x" * min(100000, size - at) for at in range(0, size, 100000)}

    least, most = 0, 8 << 20
    while least + 1 < most:  # the most with which echo-run starts
        size = (least + most) // 2
        try:
            t.run("--version", " " * len("".join(words)), **padded(size))
            least = size
        except OSError:
            most = size
    size = least - 100  # of the list of arguments, and of what the system adds
    used(t, *words, **padded(size - 20000))
    unchanged(t, "its environment and arguments are too long", *words, **padded(size))


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


def check_key_rights(t):
    """A user without rights gets plans, too, though watching calls takes rights away; and filters of others count."""
    program, plain = t.compile("tools/around.cu"), ["none"]
    for before in ("setpriv --bounding-set=-sys_admin", "setpriv --no-new-privs"):
        t.forget()
        for step in ("profile -- %s none" % program, "analyze", "validate -- %s none" % program):
            expect(t.shell("%s %s %s" % (before, t.tool, step))[0] == 0, before, step)
        choose_each(t, "system")
        got = t.shell("%s %s %s none 2>%s/said" % (before, t.tool, program, t.work))
        expect(got == t.plain(program, *plain) and "unchanged" not in open(t.work + "/said").read(), before)
    unfit = "rights or signals are others"
    got, said = t.run(program, *plain)
    expect(got == t.plain(program, *plain) and unfit in said, "with other rights", said)


def check_key_name(t):
    """The name by which a launcher starts the program, whatever the first argument says."""
    folder, program = os.path.join(t.work, "named"), t.compile("tools/around.cu")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    script, other, which = (os.path.join(folder, name) for name in ("run.sh", "other", "which"))
    os.symlink(program, other)
    open(script, "w").write("#!/bin/bash\nexec -a named $(cat %s) none\n" % which)
    os.chmod(script, 0o755)
    open(which, "w").write(program)
    validated(t, "system", script)
    used(t, script)
    open(which, "w").write(other)
    parted(t, "its arguments are others", script)


def check_key_cache(t):
    """What lies in a cache that the program does not fill, or works in, is a part of the key."""
    home = os.path.join(t.work, "home")
    shutil.rmtree(home, ignore_errors=True)
    os.makedirs(os.path.join(home, ".cache"))
    words = [t.compile("tools/around.cu"), "--look", "cache", "none"]
    validated(t, "system", *words, HOME=home)
    used(t, *words, HOME=home)
    open(os.path.join(home, ".cache", "flag"), "w").close()
    unchanged(t, "flag was not there", *words, HOME=home)
    # A folder that is worked in is no cache, whatever a variable says.
    program, before, folder = t.compile("tools/around.cu"), os.getcwd(), os.path.join(t.work, "worked")
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    try:
        open("input.txt", "w").write("0\n")
        validated(t, "system", program, "input.txt", CUDA_CACHE_PATH=folder)
        used(t, program, "input.txt", CUDA_CACHE_PATH=folder)
        open("input.txt", "w").write("1\n")
        unchanged(t, "input.txt", program, "input.txt", CUDA_CACHE_PATH=folder)
    finally:
        os.chdir(before)


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
                                ("lists", [around, "--look", "listed input", "none"], True),
                                ("links", [around, "--look", "linked input", "none"], True),
                                ("below", [around, "--look", "input below", "none"], True),
                                ("enters", [around, "--look", "input entered", "none"], True),
                                ("accepts", [around, "--look", "input accepts", "none"], True),
                                ("writes", [around, "--look", "input writes", "none"], True),
                                ("copied", [around, "--look", "input copied", "none"], True),
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
        if name == "deaf":  # what it opens would be standard input
            code = "%s %s <&- 2>%s/said" % (t.tool, " ".join(command), t.work)
            expect(t.shell(code) == t.shell(" ".join(command) + " <&-"), "closed")
            expect("the files and pipes that it inherits are others" in open(t.work + "/said").read(), "closed says")
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
