# How prepare runs a program: its input, limits, progress, leftovers, scripts and launchers, plans for
# other machines, and what happens where something fails or somebody interrupts.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of echo-run prepare."""
import glob
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from cases import expect  # noqa: E402
from harness import CHOICES, choose, DISCRETE, Terminal  # noqa: E402


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
    for choice, watched in (("system", False), ("mapped", False), ("mapped", True), ("pinned-split", True)):
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
            if choice == "pinned-split" and pair["choice"] != "leave" and pair["validated"]:  # whether uploads go on
                uploads = any(c["direction"] == "H2D" for c in pair["copies"])
                expect((proved or failed) == uploads, "uploads that may go on were not compared", pair)
                expect(proved == (pair["choice"] == "pinned-queued"), "chosen without a proof", choice, pair)
                asked += proved
                continue
            asked += proved
        shown = t.run("plans", "show", os.path.basename(t.plan_file())[:-5])[0][1]
        for output in (text, shown):
            expect(output.count(b"cannot be watched, but takes") == asked, "not said", choice, output)


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


def check_polls(t):
    """Where the program asks of a name again and again, others may change it while it runs: no two buffers are one."""
    program, before = t.compile("tools/polls.cu"), os.getcwd()
    folder = os.path.join(t.work, "polled")

    def enter():
        os.chdir(before)
        t.forget()
        shutil.rmtree(folder, ignore_errors=True)
        for name in ("spool", "logs"):
            os.makedirs(os.path.join(folder, name))
        os.chdir(folder)

    def why(name):
        return ("the program looks at %s again and again, which others may change while it runs"
                % os.path.join(folder, name))
    polled = ["access", "stat", "opens", "link", "rename", "removes", "locks", "waits", "lists"]
    alone = ["before", "twice", "others", "appends", "own", "moves", "scratch", "unnamed", "itself"]
    try:
        for how in polled + alone:
            enter()
            t.run("profile", "--", program, how)
            t.run("analyze")
            context = json.load(open(t.plan_file()))["context"]
            expected = why("spool" if how == "lists" else "ctl") if how in polled else None
            expect(context["unseen"] == expected, how, context["unseen"])
        # Of a folder that was there before, others may take it away.
        enter()
        os.mkdir("ctl")
        t.run("profile", "--", program, "folder")
        t.run("analyze")
        expect(json.load(open(t.plan_file()))["context"]["unseen"] == why("ctl"), "a folder")
        # One line apart, to the end.
        for how, more in (("access", []), ("access", ["--accept"]), ("before", [])):
            enter()
            (status, text), said = t.run("prepare", "--runs", "3", *more, "--", program, how)
            expect(status == 0, how, text, said)
            merging = how == "before" or bool(more)
            line = "no two buffers are made one: %s; --accept allows it" % why("ctl")
            expect((line in said) != merging and ("no two buffers" in said) != merging, how, more, said)
            pairs = json.load(open(t.plan_file()))["pairs"]
            expect(len(pairs) == 2 and all(pair["validated"] for pair in pairs), how, pairs)
            tried = any("ratio_" + choice in pair["evidence"] for pair in pairs for choice in CHOICES[1:])
            expect(tried == merging, "one buffer was tried, or not", how, more, pairs)
    finally:
        os.chdir(before)
