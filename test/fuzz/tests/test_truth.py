# What truth.py says of programs, and what recall.py makes of verdicts.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import os
import tempfile
import unittest

from script import copy, fill, produce, program, read, round_trip, scale, wait, when
import recall
from toolchain import Verdict
from truth import Truth


class TruthOfPrograms(unittest.TestCase):
    def test_outputs(self):
        p = program("h d", fill("h", seed="arg"), copy("d", "h"), scale("d"), copy("h", "d"),
                    {"op": "print"}, read("h"), inputs=[0, 1])
        truth = Truth(p)
        acc = 0
        for i in range(16):
            acc = (acc * 31 + 3 * 3 * i + 1) & 0xffffffff
        self.assertEqual(truth.outputs[0], ["0", str(acc)])
        self.assertNotEqual(truth.outputs[0], truth.outputs[1])

    def test_pairs_of_all_inputs(self):
        p = program("h d hx", fill("h"), copy("d", "h"), when("arg == 1", copy("hx", "d"), read("hx")),
                    inputs=[0, 1])
        self.assertEqual(set(Truth(p).pairs), {(0, 1), (2, 1)})
        p.inputs = [0]
        self.assertEqual(set(Truth(p).pairs), {(0, 1)})

    def test_whole(self):
        self.assertEqual(Truth(round_trip()).pairs, {(0, 1): True})
        p = program("h d", fill("h"), copy("d", "h", count=8), wait())
        self.assertEqual(Truth(p).pairs, {(0, 1): False})

    def test_safe_pairs(self):
        p = program("h d", fill("h"), copy("d", "h"), scale("d"), wait(), when("arg == 6", read("h")), inputs=[0, 6])
        truth = Truth(p)
        self.assertEqual(truth.safe_pairs(), [])
        violation, arg = truth.unsafe({(0, 1)})
        self.assertEqual((violation.condition, arg), ("S1", 6))

    def test_guarded_pairs_of_other_sizes_stay_apart(self):
        p = program("h d", fill("h"), copy("d", "h", count=8), copy("h", "d", count=8, to=4, at=0), wait())
        merged = {(0, 1)}
        self.assertIsNotNone(Truth(p).unsafe(merged, merged))
        p.body[1]["count"] = 32
        self.assertIsNotNone(Truth(p).unsafe(merged))
        self.assertIsNone(Truth(p).unsafe(merged, merged))

    def test_fills_that_nobody_reads(self):
        late = {"op": "alloc_h", "var": "h", "how": "calloc", "count": 16}
        end = [copy("h", "d"), read("h")]
        for middle, gone in (([], 1), ([fill("h", 8)], 2), ([read("h", 1)], 0)):
            truth = Truth(program("h d", produce("d"), wait(), late, *middle, *end, made="h"))
            self.assertEqual(len(truth.unread()), gone)
            self.assertIsNotNone(truth.unsafe(set(truth.pairs)))
            self.assertEqual(truth.unsafe(set(truth.pairs), gone=truth.unread()) is None, gone > 0)

    def test_what_no_copy_overwrites_stays(self):
        p = program("h d", fill("h"), copy("d", "h"), wait(), fill("h", seed=9), scale("d"))
        self.assertEqual(Truth(p).unread(), set())

    def test_groups_are_judged_together(self):
        p = program("h d hx", fill("h"), copy("d", "h"), scale("d"),
                    copy("hx", "d"), read("hx"), read("h"))
        truth = Truth(p)
        self.assertFalse(truth.safe((0, 1)))
        self.assertTrue(truth.safe((2, 1)))
        self.assertIsNotNone(truth.unsafe({(0, 1), (2, 1)}))


class Recall(unittest.TestCase):
    MERGED, DECLINED, RIVAL = Verdict(True), Verdict(False, "partial-copy"), Verdict(False, "rival")

    def test_status(self):
        status = recall.pair_status
        self.assertIsNone(status((0, 1), [{(0, 1): self.MERGED}]))
        self.assertEqual(status((0, 1), [{(0, 1): self.MERGED}, {(0, 1): self.DECLINED}]), "partial-copy")
        self.assertEqual(status((0, 1), [{}]), recall.ABSENT)
        self.assertEqual(status((0, 1), [{(0, 1): self.RIVAL, (2, 1): self.MERGED}]), "rival")
        self.assertEqual(status((0, 1), [{(0, 1): self.RIVAL, (2, 3): self.MERGED}]), "rival-of-none")
        self.assertEqual(status((0, 1), [{(0, 1): self.RIVAL, (2, 1): self.DECLINED}]), "rival-of-none")

    def tally(self, verdict):
        p = round_trip()
        tally = recall.Tally()
        tally.program(p, Truth(p), [{(0, 1): verdict}])
        return tally

    def test_tally(self):
        both = self.tally(self.MERGED).add(self.tally(self.DECLINED)).add(self.tally(self.RIVAL))
        self.assertEqual(both.counts["safe"], 3)
        self.assertEqual(both.counts["merged"], 1)
        self.assertEqual(both.missed, {"partial-copy": 1, "rival-of-none": 1})
        self.assertAlmostEqual(recall.share(both.shares()["overall"]), 1 / 3)
        again = recall.Tally.from_data(json.loads(json.dumps(both.to_data())))
        self.assertEqual(again.table(), both.table())

    def test_baseline_only_rises(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "recall.json")
            self.assertEqual(recall.update(self.tally(self.MERGED), path, "c", False), [])
            low = self.tally(self.DECLINED)
            self.assertIn("fell from 100.0% to 0.0%", recall.compare(low, path, "c")[0])
            self.assertTrue(recall.update(low, path, "c", False))
            self.assertTrue(recall.compare(low, path, "c"))
            self.assertEqual(recall.compare(low, path, "another campaign"), [])
            self.assertEqual(recall.update(low, path, "c", True), [])
            self.assertEqual(recall.compare(low, path, "c"), [])


if __name__ == "__main__":
    unittest.main()
