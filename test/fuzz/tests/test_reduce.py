# The reducer: what it makes of a large program whose failure is known, that every
# step gives a simpler program, and that programs survive being stored.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import random
import tempfile
import unittest

from script import copy, fill, launch, loop, program, read, round_trip, scale, wait, when
import generate
import reduce
import simplify
from model import ref
from truth import Truth


def s1_unsafe(programs):
    """Fails where a whole pair breaks S1."""
    found = []
    for p in programs:
        truth = Truth(p)
        wrong = [truth.unsafe({pair}) for pair, whole in truth.pairs.items() if whole]
        found.append(any(w and w[0].condition == "S1" for w in wrong))
    return found


class Reducing(unittest.TestCase):
    def test_large_program(self):
        body = [fill("h"), fill("hx"), copy("d", "h"), loop(2, scale("d"), wait()),
                when("arg == 1", read("h"), read("hx")), copy("dx", "hx"),
                {"op": "call", "helper": "f", "args": [ref("hx"), ref("dx"), 3]}, read("hx")]
        p = program("h d hx dx s e", *body, inputs=[0, 1, 6])
        inner = [launch("set", "d", 16, 0), copy("h", "d")]
        inner[0]["args"] = [ref("b"), 16, "n"]
        inner[1]["dst"], inner[1]["src"] = ref("a"), ref("b")
        p.helpers = [{"name": "f", "params": [["a", "host"], ["b", "dev"], ["n", "int"]], "body": inner}]
        p.number()
        self.assertEqual(s1_unsafe([p]), [True])
        small = reduce.Reducer(p, s1_unsafe).run()
        self.assertEqual(s1_unsafe([small]), [True])
        self.assertEqual(small.helpers, [])
        self.assertEqual(len(small.inputs), 1)
        # Two allocations, one fill, two copies or a launch and a read: no more is needed.
        self.assertLessEqual(len(list(small.statements())), 7)

    def test_only_valid_programs_are_tried(self):
        tried = []

        def fails(programs):
            tried.extend(programs)
            return [True] * len(programs)
        reduce.Reducer(round_trip(), fails).run()
        self.assertTrue(tried)
        for p in tried:
            self.assertIsNone(Truth(p).race())

    def test_nothing_simpler_fails(self):
        p = round_trip()
        small = reduce.Reducer(p, lambda programs: [False] * len(programs)).run()
        self.assertEqual(small.to_json(), p.to_json())

    def test_every_step_on_generated_programs(self):
        for k in range(200):
            p = generate.generate(random.Random(f"steps:{k}"))
            before = p.to_json()
            for step in simplify.STEPS:
                for candidate in step(p):
                    simplify.cost(candidate)
                    if k < 20:
                        simplify.valid(candidate)
            self.assertEqual(p.to_json(), before, "a step changed the program it was given")

    def test_stored(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x.json")
            p = round_trip()
            reduce.store(path, p, {"kind": "unsafe", "note": "n"})
            again, story = reduce.load(path)
            self.assertEqual(again.to_json(), p.to_json())
            self.assertEqual(story, {"kind": "unsafe", "note": "n"})

    def test_signature(self):
        self.assertEqual(reduce.signature("unsafe", "S2: not ordered: x"), "S2")
        first = reduce.signature("compile", "status -6: cc\nx.cpp:12: Assertion `a' failed")
        self.assertEqual(first, reduce.signature("compile", "status -6: dd\nx.cpp:99: Assertion `a' failed"))
        self.assertNotEqual(first, reduce.signature("compile", "b.cu:3:1: error: no such thing"))


if __name__ == "__main__":
    unittest.main()
