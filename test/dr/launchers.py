#!/usr/bin/env python3
# Runs echo-run before launchers and after them, on a program for the shared CPU
# device: mpirun where there is one, a shell script that starts processes as launchers
# do, and what torchrun does. Whatever echo-run does, the lines and the exit status must
# be those of the plain run. Ends with "N passed, N failed"; what is not here is skipped,
# with a line that says so.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""End-to-end tests of echo-run with programs of several processes."""
import argparse
import glob
import os
import shutil
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import cases  # noqa: E402
import harness  # noqa: E402
import tracefile  # noqa: E402
from cases import expect  # noqa: E402

MARK = "TORCHELASTIC_LAUNCHED"  # of no plan's key


def lines(text):
    return sorted(text.splitlines())


def own(said):
    """echo-run's lines of what went to standard error: launchers write there, too."""
    return [line for line in said.splitlines() if line.startswith("echo-run: ")]


def left():
    """Processes that a check started, and that are still there."""
    found = []
    for folder in glob.glob("/proc/[0-9]*"):
        try:
            if (MARK + "=" + str(os.getpid())).encode() in open(folder + "/environ", "rb").read().split(b"\0"):
                found.append((int(folder[6:]), open(folder + "/cmdline").read().replace("\0", " ")))
        except OSError:
            continue
    return found


def expect_none_left(what):
    until = time.monotonic() + 10
    while left():
        if time.monotonic() > until:
            there = left()
            for process, _ in there:
                os.kill(process, signal.SIGKILL)
            raise cases.Failure("%s: processes are left: %r" % (what, there))
        time.sleep(0.05)


class Launcher:
    """A launcher's words, and the program that it starts twice, as words with arguments to follow."""

    def __init__(self, t, words, program, other=None, only=None, hosts=1):
        self.t, self.words, self.program, self.only, self.hosts = t, words, program, only, hosts
        self.other = other or words  # where what is started is no script

    def command(self, *arguments):
        return self.words + self.program + list(arguments)

    def run(self, *words, tool=True, **more):
        (status, out), said = self.t.run(*words, tool=tool, **dict({MARK: str(os.getpid())}, **more))
        return (status, lines(out)), said

    def plain(self, *arguments):
        return self.run(*self.command(*arguments), tool=False)[0]


def check_before(launcher):
    """echo-run starts the launcher: no plan, profile, analyze."""
    t, words = launcher.t, launcher.command("8", "keep")
    plain = launcher.plain("8", "keep")
    expect(plain[0] == 0 and len(plain[1]) == 2, "plain", plain)
    got, said = launcher.run(*words)
    expect(got == plain and len(own(said)) == 1 and "no plan for this command" in said, "no plan", got, said)
    got, said = launcher.run("-q", *words)
    expect(got == plain and not own(said), "quiet", got, said)
    got, said = launcher.run("profile", "--", *words)
    expect(got == plain and "of 2 processes in" in said, "profile", got, said)
    expect(len(glob.glob(t.plans + "/traces/*/*.echo")) == 2, "not one trace for each process")
    (_, text), said = t.run("analyze")
    expect(b", 2 processes" in text and text.count(b"open: pinned-split, mapped, managed, system") == 2,
           "analyze", text, said)


def check_prepare(launcher):
    """All in one, and each choice in each process."""
    t, words = launcher.t, launcher.command("8", "keep")
    plain = launcher.plain("8", "keep")
    (status, text), said = t.run("prepare", "--runs", "3", "--", *words)
    expect(status == 0 and text.count(b" yes ") == 2 and b"the program's output" not in text, "prepare", text, said)
    expect_none_left("prepare")
    for choice in ("pinned-split", "mapped"):
        t.change_plan(harness.choose(choice))
        got, said = launcher.run(*words, ECHO_VERBOSE="1")
        expect(got == plain and not own(said), choice, got, said)
        expect(said.count("copied from or to pinned memory") >= 2, choice + " is not in both processes", said)
        if choice == "mapped":
            expect(said.count(" 16 copies of ") == 2, "copies were made", said)


def check_behind(launcher):
    """The launcher starts echo-run: what all would say, one says."""
    t = launcher.t
    words = launcher.other + [t.tool, t.frames, "8", "keep"]
    plain = launcher.run(*launcher.other, t.frames, "8", "keep", tool=False)[0]
    got, said = launcher.run(*words, tool=False)
    expect(got == plain and len(own(said)) == 1 and "no plan for this command" in said, "no plan", got, said)
    t.run("profile", "--", t.frames, "8", "keep")
    t.run("analyze")
    got, said = launcher.run(*words, tool=False)
    expect(got == plain and len(own(said)) == launcher.hosts and said.count("it was not calibrated yet") == launcher.hosts,
           "not enabled", got, said)
    t.change_plan(harness.choose("pinned-split"))
    got, said = launcher.run(*words, tool=False, ECHO_VERBOSE="1", ECHO_CPU_ATTR="integrated=0")
    expect(got == plain and not own(said), "with a plan", got, said)
    expect(said.count("copied from or to pinned memory") >= 2, "not in both processes", said)
    # Two at a time cannot profile one command; the line says what to do.
    many = launcher.other + [t.tool, "profile", "--", t.frames, "4000", "keep"]
    (status, _), said = launcher.run(*many, tool=False)
    expect(status != 0 and "give it the launcher that started this process" in said, "profile", status, said)
    expect_none_left("behind")


def check_status(launcher):
    """The exit status is the launcher's own, as without echo-run."""
    plain = launcher.plain("4", "keep", "7")
    expect(plain[0] not in (0, None), "plain", plain)
    got, said = launcher.run(*launcher.command("4", "keep", "7"))
    expect(got[0] == plain[0], "status", got, plain, said)


def check_input(launcher):
    """What the launcher does with standard input, it does under echo-run."""
    given = bytes(range(32, 127)) * 50 + b"\n"
    words = launcher.other + ["cat"]
    plain = launcher.t.run(*words, tool=False, given=given)[0]
    expect(launcher.t.run("-q", *words, given=given)[0] == plain, "input")


def interrupt(launcher, words):
    """The exit status of a command that is interrupted, and what it wrote to standard error."""
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               env=launcher.t.environment(**{MARK: str(os.getpid())}), start_new_session=True)
    until = time.monotonic() + 20
    while sum("100000000" in text for _, text in left()) < 3:  # the launcher's, and two
        expect(time.monotonic() < until, "not started", left())
        time.sleep(0.05)
    time.sleep(0.3)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=60)
    expect_none_left("interrupted")
    return process.returncode, said.decode()


def check_interrupt(launcher):
    """SIGINT ends all processes, and the launcher ends as without echo-run."""
    words = launcher.command("100000000")
    plain, _ = interrupt(launcher, words)
    got, said = interrupt(launcher, [launcher.t.tool, "-q"] + words)
    expect(got == plain, "run", got, plain, said)
    got, said = interrupt(launcher, [launcher.t.tool, "profile", "--"] + words)
    expect(got == plain, "profile", got, plain, said)
    got, said = interrupt(launcher, [launcher.t.tool, "prepare", "--"] + words)
    expect(got == -signal.SIGINT and "stopped" in said, "prepare", got, said)
    expect(not os.listdir(os.path.join(launcher.t.work, "tmp")), "files are left")


def check_limit(launcher):
    """A run that takes too long is killed with all that it started, in whatever session."""
    (status, _), said = launcher.run("prepare", "--limit", "2", "--", *launcher.command("100000000"))
    expect(status == 1 and "it takes more than 2 s" in said, "limit", status, said)
    expect_none_left("limit")
    expect(not os.listdir(os.path.join(launcher.t.work, "tmp")), "files are left")
    # One that does not end when it is asked, and what it started in a session of its own.
    deaf = "trap '' TERM; setsid sh -c \"trap '' TERM; sleep 100 & wait; sleep 100\" & wait; sleep 100"
    (status, _), said = launcher.run("prepare", "--limit", "1", "--", *launcher.other, "sh", "-c", deaf)
    expect(status == 1 and "it takes more than 1 s" in said, "deaf", status, said)
    expect_none_left("deaf")
    # What was there before is not echo-run's to end, though it is its child.
    words = [launcher.t.tool, "prepare", "--limit", "1", "--"] + launcher.other + ["sleep", "100"]
    jobs = "sleep 50 > /dev/null 2>&1 & echo $!; exec \"$@\" 2>&1"
    (_, out), _ = launcher.run("sh", "-c", jobs, "sh", *words, tool=False)
    job = int(next(line for line in out if line.isdigit()))
    expect([process for process, _ in left()] == [job] and any(b"takes more than 1 s" in line for line in out), "a job", out)
    os.kill(job, signal.SIGKILL)
    expect_none_left("a job")


def check_order(launcher):
    """The lines of several processes may come in any order; what they say must stay."""
    t = launcher.t
    script = os.path.join(t.work, "order.sh")
    # Each process writes a line; under Echo the second one comes first.
    text = (
        "#!/bin/sh\n"
        "test \"${RANK:-${PMI_RANK:-$OMPI_COMM_WORLD_RANK}}\" = 0 && rank=0 || rank=1\n"
        "late=1; test -n \"$ECHO_DR_MODE\" && late=0\n"
        + t.frames + " 6 > /dev/null\n"
        "test $rank = $late && sleep 0.5\n"
        "echo rank $rank of %s\n")
    open(script, "w").close()
    os.chmod(script, 0o755)
    words = launcher.other + [script]
    for says, rounds, line in (("$HOME", 2, "passes, "), ("$ECHO_DR_MODE", 1, "under validation it writes something else")):
        open(script, "w").write(text % says)
        t.run("profile", "--", *words)
        t.run("analyze")
        (status, _), said = t.run("validate", "--", *words)
        expect(status == 0 and said.count(line) == rounds, says, said)


def launchers(t):
    """Name -> launcher, and the names that are not here with the reason."""
    script, library = os.path.join(HERE, "launchers", "app.py"), t.compile("launchers/library.cu", "-shared", "-fPIC")
    imitation = os.path.join(HERE, "launchers", "launch.py")
    found = {
        "shell": Launcher(t, ["sh", os.path.join(HERE, "launchers", "launch.sh")], [t.frames]),
        "torchrun": Launcher(t, [sys.executable, imitation], [script, library],
                             [sys.executable, imitation, "--no-python"]),
    }
    why = "there is no mpirun" if not shutil.which("mpirun") else \
        "these take minutes: set ECHO_TEST_MPIRUN=1" if not os.environ.get("ECHO_TEST_MPIRUN") else None
    if why:
        return found, {"mpirun": why, "daemons": why}
    said = subprocess.run(["mpirun", "--version"], capture_output=True, text=True).stdout
    words = ["mpirun", "-n", "2"]
    if "Open MPI" not in said:
        found["mpirun"] = Launcher(t, words, [t.frames])
        return found, {"daemons": "this mpirun is not Open MPI's"}
    words[1:1] = ["--oversubscribe"] + (["--allow-run-as-root"] if os.getuid() == 0 else [])
    found["mpirun"] = Launcher(t, words, [t.frames])
    agent = os.path.join(HERE, "launchers", "rsh.sh")
    far = words + ["--mca", "plm", "rsh", "--mca", "plm_rsh_agent", agent, "--host", "echo-a,echo-b"]
    found["daemons"] = Launcher(t, far, [t.frames], only=("before", "behind", "status"), hosts=2)
    return found, {}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=os.path.join(tracefile.ROOT, "build"))
    parser.add_argument("filter", nargs="*", help="only checks whose name contains one of these")
    args = parser.parse_args()
    t = harness.Tools(os.path.abspath(args.build), "dr-launchers")
    found, missing = launchers(t)

    def fresh(check, launcher):
        t.forget()
        check(launcher)
    wanted = cases.any_of(args.filter)
    skipped = [name for name in missing if wanted(name)]
    for name in skipped:
        print("SKIPPED %s: %s" % (name, missing[name]))
    checks = [("%s.%s" % (name, check[6:]), lambda f=function, l=launcher: fresh(f, l))
              for name, launcher in sorted(found.items())
              for check, function in sorted(globals().items())
              if check.startswith("check_") and (not launcher.only or check[6:] in launcher.only)]
    if skipped and not any(wanted(name) for name, _ in checks):
        return 77  # nothing was tested: ctest says that it was skipped
    return cases.run_all(checks, wanted, times=True)


if __name__ == "__main__":
    sys.exit(main())
