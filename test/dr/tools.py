#!/usr/bin/env python3
# Runs echo-run's subcommands on a program for the shared CPU device. Whatever
# echo-run does, the program's output and exit status must be those of the plain
# run. Ends with "N passed, N failed".
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""End-to-end tests of echo-run on the CPU device."""
import argparse
import json
import os
import re
import shutil
import signal
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "checks")]
import cases  # noqa: E402
import tracefile  # noqa: E402
from cases import expect  # noqa: E402
import compared  # noqa: E402
import keys  # noqa: E402
import outputs  # noqa: E402
import preparing  # noqa: E402
import unseen  # noqa: E402
from harness import Tools, choose, mapped_files, validated  # noqa: E402

PARTS = {"tools": sys.modules[__name__], "compared": compared, "keys": keys, "outputs": outputs,
         "preparing": preparing, "unseen": unseen}


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
    worths = [pair["worth"] for pair in report["pairs"]]
    expect(all(w["bytes_per_iteration"] > 0 and w["ns_per_iteration"] > 0 and w["speedup_bound"] > 1 for w in worths),
           "worth", worths)
    expect(report["all_pairs"]["speedup_bound"] >= max(w["speedup_bound"] for w in worths), "all pairs", report)
    expect(report["mend_first"] == [], "both can merge", report["mend_first"])
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
        expect(whole["mend_first"] == list(range(len(whole["pairs"]))), "to mend", whole["mend_first"])
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


def check_watch(t):
    """run --watch: what a watched window sees goes into the plan, which then leaves the pair."""
    device = {"ECHO_CPU_ATTR": "integrated=0,pageableMemoryAccess=0,pageableMemoryAccessUsesHostPageTables=0"}
    program = t.compile("tricks/tricks.cu", "-lpthread")

    def merge(whole):  # as if validation had not seen the round in which it reads
        whole.update(enabled=True, why="a test says so")
        for pair in whole["pairs"]:
            pair.update(choice="mapped", validated=True, joins=["device"], rejected=None)
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


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=os.path.join(tracefile.ROOT, "build"))
    parser.add_argument("--part", choices=PARTS, help="only the checks of one file, in a folder of their own")
    parser.add_argument("filter", nargs="*", help="only checks whose name contains one of these")
    args = parser.parse_args()
    found = {name: check for part, module in PARTS.items() if args.part in (None, part)
             for name, check in vars(module).items() if name.startswith("check_")}
    tools = Tools(os.path.abspath(args.build), "dr-" + (args.part or "all-tools"))

    def fresh(check):
        tools.forget()
        check(tools)
    checks = [(name, lambda c=check: fresh(c)) for name, check in sorted(found.items())]
    return cases.run_all(checks, cases.any_of(args.filter), times=True)


if __name__ == "__main__":
    sys.exit(main())
