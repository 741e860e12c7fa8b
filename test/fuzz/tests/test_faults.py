# What the machine says of calls that fail, by what the program does about errors; and that
# a merged program which loses an error, or reports another, is noticed. A shell script
# stands in for the program.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import stat
import tempfile
import unittest

from script import alloc, copy, fill, launch, produce, program, read, round_trip, scale, wait
from model import ref
import faults
import simplify
from differential import Batch
from toolchain import Source, Verdict


def with_style(style, made=round_trip):
    p = made()
    p.errors = style
    return p


class Outcomes(unittest.TestCase):
    def test_every_marked_call_can_fail(self):
        p = round_trip()
        self.assertEqual(faults.possible(p, 0), [("alloc", 1), ("copy", 2), ("launch", 3), ("copy", 4)])
        p.errors = "exit"
        self.assertIn(("trap", 3), faults.possible(p, 0))

    def test_what_prints_and_polls_has_no_faults_of_the_device(self):
        p = program("h d", fill("h"), copy("d", "h"), {"op": "say", "value": 7, "stream": ""}, copy("h", "d"), wait(),
                    read("h"))
        p.errors = "exit"
        self.assertEqual(faults.possible(p, 0)[:3], [("alloc", 1), ("copy", 2), ("copy", 3)])
        self.assertFalse({"wait", "trap"} & {kind for kind, _ in faults.possible(p, 0)})
        # The download would have written what the kernel printed: it is open if a failed one does.
        self.assertIsNone(faults.outcomes(p, 0, ("copy", 3)))
        self.assertEqual(faults.outcomes(p, 0, ("copy", 2))[1], [(9, ["failed 3 cudaErrorInvalidValue"])])
        symbol = {"op": "symbol", "dir": "from", "side": "d", "ref": ref("d"), "count": 16, "kind": "exact"}
        p = program("h d", fill("h"), copy("d", "h"), {"op": "say", "value": 7, "stream": ""}, symbol, wait())
        p.errors = "exit"
        self.assertIsNone(faults.outcomes(p, 0, ("copy", 3)))

    def test_styles(self):
        at = {"exit": (9, ["failed 3 cudaErrorInvalidValue"]), "return": (0, ["failed 3 cudaErrorInvalidValue", "0"]),
              "goto": (0, ["failed 3 cudaErrorInvalidValue", "0"]),
              "throw": (0, ["failed 3 cudaErrorInvalidValue", "0"])}
        for style, expected in at.items():
            _, found = faults.outcomes(with_style(style), 0, ("copy", 2))
            self.assertEqual(found, [expected], style)

    def test_too_little_memory(self):
        p = program("h d1 d2", fill("h"), copy("d1", "h"), scale("d1"), copy("h", "d1"), read("h"))
        for style in ("", "note", "return"):  # they go on, to allocations that fail as well
            p.errors = style
            self.assertNotIn("memory", [kind for kind, _ in faults.possible(p, 0)])
        p.errors = "exit"
        limits = [bytes for kind, bytes in faults.possible(p, 0) if kind == "memory"]
        most = max(limits) + 1
        self.assertEqual(sorted(limits), [most // 2, most - 1])
        at, found = faults.outcomes(p, 0, ("memory", most - 1))
        last = [s for s in p.statements() if s["op"] == "alloc_d"][-1]
        self.assertIs(at, last)
        self.assertEqual(found, [(9, [f"failed {last['id']} cudaErrorMemoryAllocation"])])
        # What is enough lets nothing fail.
        self.assertEqual(faults.outcomes(p, 0, ("memory", most))[1][0][0], 0)

    def test_what_is_undefined_is_not_compared(self):
        # Nothing was uploaded and the program goes on: the kernel reads what nobody wrote.
        self.assertIsNone(faults.outcomes(with_style(""), 0, ("copy", 2)))
        self.assertIsNone(faults.outcomes(with_style("note"), 0, ("alloc", 1)))

    def test_a_failed_download_leaves_the_destination(self):
        p = program("h d", fill("h"), copy("d", "h"), scale("d"), copy("h", "d"), read("h"))
        _, found = faults.outcomes(p, 0, ("copy", 4))
        acc = 0
        for i in range(16):
            acc = (acc * 31 + 1 + 3 * i) & 0xffffffff
        self.assertEqual(found, [(0, [str(acc)])])
        # Of a merged program nothing is said of that, as it may rest on the download.
        self.assertIsNone(faults.outcomes(p, 0, ("copy", 4), leaves_open=True))
        p.errors = "exit"
        self.assertIsNotNone(faults.outcomes(p, 0, ("copy", 4), leaves_open=True))

    def test_a_failed_allocation_leaves_an_owner_nothing(self):
        p = program("h d", produce("d"), alloc("d"), copy("h", "d"), read("h"), inputs=(5,))
        self.assertEqual(faults.outcomes(p, 5, ("alloc", 3))[1][0][0], 0)
        p.variables["d"].update(owner="unique", how="cudaMalloc")
        self.assertIsNone(faults.outcomes(p, 5, ("alloc", 3)))

    def test_a_failed_wait_is_the_end_of_the_device(self):
        p = program("h d", fill("h"), copy("d", "h"), scale("d"), wait(), copy("h", "d"), {"op": "print"})
        p.errors = "note"
        _, found = faults.outcomes(p, 0, ("wait", 4))
        self.assertEqual(found[0][1][-1], str(5 * 31 + 6))

    def test_a_trap_shows_up_to_the_next_wait(self):
        p = program("h d", produce("d"), produce("d"), copy("h", "d"), read("h"))
        p.errors = "exit"
        _, found = faults.outcomes(p, 0, ("trap", 2))
        self.assertEqual([line for _, (line,) in found],
                         [f"failed {n} cudaErrorLaunchFailure" for n in (2, 3, 4)])

    def test_a_call_that_is_tried_again_does_not_fail(self):
        p = round_trip()
        p.body[3]["again"] = "if"
        _, found = faults.outcomes(p, 0, ("copy", 2))
        self.assertEqual(found, [(0, clean(p))])

    def test_an_earlier_error_is_the_last_one(self):
        p = program("h d", fill("h"), copy("d", "h"), launch("set", "d", 16, 7), copy("h", "d"), read("h"))
        p.errors = "note"
        _, found = faults.outcomes(p, 0, ("copy", 2))
        # The failing copy and the launch after it, whose cudaGetLastError gets the copy's error.
        acc = 3 * 31 + 4
        for i in range(16):
            acc = (acc * 31 + 7 + i) & 0xffffffff
        self.assertEqual(found, [(0, [str(acc)])])


def clean(p):
    import machine
    return [str(line) for line in machine.execute(p, 0).output]


SCRIPT = """#!/bin/sh
echo "== $1"
[ -n "$NOTE" ] && echo "echo-cpu: note: $ECHO_CPU_FAIL failed" >&2
cat "$0.out"
exit $(cat "$0.status")
"""


class Noticing(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        p = with_style("exit")
        self.assertTrue(simplify.valid(p))
        self.batch = Batch([p], None, os.path.join(self.folder, "batch"))
        self.expected = faults.outcomes(p, 0, ("copy", 2))
        self.clean = self.batch.truths[0].outputs[0]

    def wrong(self, lines, status, happened, may_differ=False, kind="copy"):
        """What is wrong with a program that prints `lines`."""
        path = os.path.join(self.folder, "p")
        for suffix, text in (("", SCRIPT.replace("$NOTE", "x" if happened else "")), (".out", "\n".join(lines) + "\n"),
                             (".status", str(status))):
            with open(path + suffix, "w") as file:
                file.write(text)
        os.chmod(path, 0o755 | stat.S_IRUSR)
        built = type("Built", (), {"source": Source(self.batch.programs, path + ".cu"), "target": path, "numbers": [0]})
        return self.batch.run_with_fault(built, "0:0", "lazy", (kind, 2), self.expected, may_differ)

    def test_as_the_machine_says(self):
        self.assertIsNone(self.wrong(["failed 3 cudaErrorInvalidValue"], 9, True))

    def test_a_lost_error(self):
        self.assertIn("expected", self.wrong(self.clean, 0, True))
        self.assertIn("expected", self.wrong(self.clean, 0, True, may_differ=True))

    def test_another_error(self):
        self.assertIn("expected", self.wrong(["failed 5 cudaErrorInvalidValue"], 9, True))

    def test_a_call_that_is_not_made(self):
        self.assertIn("did not happen", self.wrong(self.clean, 0, False))
        self.assertIsNone(self.wrong(self.clean, 0, False, may_differ=True))
        self.assertIn("did not happen", self.wrong(["1"], 0, False, may_differ=True))

    def test_an_allocation_of_a_block_may_fail_unseen(self):
        self.assertIsNone(self.wrong(self.clean, 0, True, may_differ=True, kind="alloc"))
        self.assertIn("expected", self.wrong(self.clean, 0, True, kind="alloc"))

    def test_copies_that_echo_removes_take_part(self):
        verdict = Verdict(merged=True)
        verdict.links = {3}
        self.batch.verdicts["-O1 faults"] = [{(0, 1): verdict}]
        for statement, takes_part in ((0, True), (1, True), (3, True), (5, False)):
            self.assertEqual(self.batch.takes_part("-O1", 0, {"op": "alloc_h", "id": statement}), takes_part)

    def test_any_copy_takes_part_where_a_pair_merges(self):
        copy = {"op": "copy", "id": 5}
        for merged in (True, False):
            self.batch.verdicts["-O1 faults"] = [{(0, 1): Verdict(merged=merged)}]
            self.assertEqual(self.batch.takes_part("-O1", 0, copy), merged)


if __name__ == "__main__":
    unittest.main()
