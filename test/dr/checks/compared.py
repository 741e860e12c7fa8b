# What prepare compares of plain runs and runs with a plan, and what it says where it cannot.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of what is compared."""
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from cases import expect  # noqa: E402
from harness import CHOICES  # noqa: E402


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


LEFT = {"symlink": "with another target", "unlink": "it leaves a file at", "leaves": "it leaves nothing at",
        "folder": "with another mode", "rename": "it leaves nothing at", "mode": "with another mode",
        "opened": "with another mode", "mtime": "with another modification time",
        "futimens": "with another modification time", "xattr": "with another extended attribute"}


def check_names_compared(t):
    """What is left at each name that the program changes, beside the contents of files."""
    program, folder = t.compile("tools/leaves.cu"), os.path.join(t.work, "left")
    os.makedirs(folder, exist_ok=True)
    for how, what in LEFT.items():
        for same in ([], ["--same"]):
            t.forget()
            name = os.path.join(folder, how)
            if how in ("opened", "futimens", "xattr"):
                os.makedirs(name, exist_ok=True)
            if how == "xattr" and not has_attributes(name):
                continue
            (status, _), said = t.run("prepare", "--runs", "3", "--", program, *same, how, name)
            expect(status == 0 and "NOTHING" not in said and "CANNOT" not in said, how, said)
            expect("what is left at 1 of 1 name that it changes" in said, "not said", how, said)
            whole = json.load(open(t.plan_file()))
            wrong = [pair["rejected"] or "" for pair in whole["pairs"]]
            expect(all((what in why) if same else not why for why in wrong), how, same, wrong)
            expect(name in whole["context"]["changed"] and whole["context"]["unseen"] is None, "context", whole["context"])


def has_attributes(name):
    """Whether the file may have extended attributes of the user's."""
    try:
        os.setxattr(name, "user.took", b"0")
    except OSError:
        return False
    return True


def check_names_differ(t):
    """Where plain runs leave something else each time, that is left out and said."""
    program, name = t.compile("tools/leaves.cu"), os.path.join(t.work, "latest")
    (status, _), said = t.run("prepare", "--runs", "3", "--", program, "--same", "run link", name)
    expect(status == 0 and "what is left at 0 of 1 name that it changes (in part at the others" in said, "not said", said)
    wrong = [pair["rejected"] for pair in json.load(open(t.plan_file()))["pairs"]]
    expect(not any(wrong), "rejected", wrong)


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
