# How reports and outputs are read: no verdict may get lost and no crash may hide
# what the other programs of a batch print. A shell script stands in for the program.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import os
import stat
import tempfile
import unittest

from script import round_trip
import toolchain
from differential import Batch, Plan

PROGRAM = """#!/bin/sh
for word; do
  echo "== $word"
  case $word in
  $CRASH) echo half; echo bad >&2; exit 3 ;;
  $HANG) exec sleep 100 ;;
  esac
  echo "out of $word $ECHO_CPU_SCHED"
done
"""


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, name, text, mode=0o644):
        path = os.path.join(self.folder.name, name)
        with open(path, "w") as file:
            file.write(text)
        os.chmod(path, mode | stat.S_IRUSR)
        return path


class Running(Folder):
    def run_words(self, words, crash="no", hang="no"):
        text = PROGRAM.replace("$CRASH", crash).replace("$HANG", hang)
        return toolchain.run(self.write("p", text, 0o755), words, "lazy", limit=1)

    def test_output(self):
        self.assertEqual(self.run_words(["0:1", "1:0"]),
                         {"0:1": (0, ["out of 0:1 lazy"], ""), "1:0": (0, ["out of 1:0 lazy"], "")})

    def test_a_crash_is_of_one_program(self):
        results = self.run_words(["0:1", "1:0", "2:0", "3:0"], crash="1:0|2:0")
        self.assertEqual([results[w][0] for w in ("0:1", "1:0", "2:0", "3:0")], [0, 3, 3, 0])
        self.assertEqual(results["1:0"][1:], (["half"], "bad\n"))

    def test_a_hang_is_of_one_program(self):
        results = self.run_words(["0:1", "1:0", "2:0"], hang="1:0")
        self.assertEqual([results[w][0] for w in ("0:1", "1:0", "2:0")], [0, None, 0])

    def test_a_program_that_does_not_start(self):
        path = self.write("q", "#!/bin/sh\nexit 4\n", 0o755)
        self.assertEqual([r[0] for r in toolchain.run(path, ["0:0", "1:0"], "lazy").values()], [4, 4])


class Reports(Folder):
    SITES = {10: (0, 1), 11: (0, 2), 20: (1, 1), 21: (1, 2)}

    def read(self, *entries):
        pairs = [{"host": {"line": h}, "device": {"line": d}, "verdict": verdict, "id": reason,
                  "links": [{"line": 21}]} for h, d, verdict, reason in entries]
        path = self.write("r.json", json.dumps({"units": [{"pairs": pairs}]}))
        return toolchain.read_report(path, self.SITES, 2)

    def test_verdicts(self):
        verdicts, lost = self.read((10, 11, "unified", None), (20, 21, "declined", "rival"))
        self.assertEqual(lost, [])
        self.assertTrue(verdicts[0][1, 2].merged)
        self.assertEqual((verdicts[1][1, 2].merged, verdicts[1][1, 2].reason), (False, "rival"))

    def test_one_place_twice(self):
        for order in ((("declined", "x"), ("guarded", None)), (("guarded", None), ("declined", "x"))):
            verdicts, _ = self.read(*((10, 11, *entry) for entry in order))
            self.assertTrue(verdicts[0][1, 2].merged)
            self.assertEqual(verdicts[0][1, 2].only, {2})

    def test_one_verdict_is_for_all_places(self):
        verdicts, _ = self.read((10, 11, "unified", None), (20, 21, "declined", "x"))
        self.assertIsNone(verdicts[0][1, 2].only)
        self.assertIsNone(verdicts[1][1, 2].only)

    def test_guarded_only_if_every_merge_is(self):
        for others, guarded in (((), True), (("guarded",), True), (("declined",), True), (("unified",), False)):
            entries = [(10, 11, verdict, None) for verdict in ("guarded", *others)]
            for order in (entries, entries[::-1]):
                verdicts, _ = self.read(*order)
                self.assertEqual(verdicts[0][1, 2].guarded, guarded)

    def test_what_belongs_nowhere_is_kept(self):
        _, lost = self.read((10, 12, "unified", None), (10, 21, "unified", None), (None, 11, "declined", "x"))
        self.assertEqual(len(lost), 3)


class FakeToolchain:
    """A compiler that takes statement 0 and 1 of every program for a pair, and fails on some."""

    def __init__(self, bad=(), lines=True):
        self.bad, self.lines = bad, lines

    def compile(self, source, target, level, merged, flags=()):
        if any(id(p) in self.bad for p in source.programs):
            raise toolchain.CompileError(["cc"], 1, "Assertion failed")

    def verdicts(self, source, target):
        verdict = toolchain.Verdict(True)
        lost = [] if self.lines else [{"host": "h", "device": "d"}]
        return [{(0, 1): verdict} for _ in source.programs], lost


class Batches(Folder):
    def batch(self, programs, **options):
        return Batch(programs, FakeToolchain(**options), self.folder.name).examine(Plan(("-O1",)))

    def unsafe(self):
        p = round_trip()
        del p.body[-2]
        p.body.insert(-1, {"op": "sync", "how": "device", "obj": ""})
        return p.number()

    def test_unsafe_merge_is_a_failure(self):
        batch = self.batch([round_trip(), self.unsafe()])
        self.assertEqual([(f.kind, f.program) for f in batch.failures], [("unsafe", 1)])
        self.assertTrue(batch.failures[0].detail.startswith("S1:"))

    def test_compile_failure_is_of_one_program(self):
        programs = [round_trip() for _ in range(5)]
        batch = self.batch(programs, bad=[id(programs[3])])
        self.assertEqual([(f.kind, f.program) for f in batch.failures], [("compile", 3)])
        self.assertEqual([v is not None for v in batch.verdicts["-O1"]], [True, True, True, False, True])

    def test_entry_without_a_place_is_a_failure(self):
        self.assertEqual([f.kind for f in self.batch([round_trip()], lines=False).failures], ["report"])

    def test_invalid_program_is_a_failure(self):
        bad = round_trip()
        del bad.body[2]
        batch = self.batch([bad.number(), round_trip()])
        self.assertEqual([(f.kind, f.program) for f in batch.failures], [("generator", 0)])


if __name__ == "__main__":
    unittest.main()
