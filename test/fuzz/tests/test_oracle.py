# The oracle and the machine on programs whose answers are known: each condition
# with a safe and an unsafe program that differ in one thing, and each kind of wait
# with the race that it prevents.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import unittest

from script import (alloc, clear, copy, fill, launch, loop, produce, program, read, record, round_trip, scale, wait,
                    wait_event, when)
import machine
from model import Program, ref
from truth import Truth


def sites(p, *names):
    found = {s["var"]: s["id"] for s in p.statements() if s["op"] in ("alloc_h", "alloc_d")}
    return tuple(found[name] for name in names)


class Merging(unittest.TestCase):
    def judge(self, p, *pairs):
        """The condition that merging all of `pairs` breaks, or None."""
        truth = Truth(p)
        self.assertIsNone(truth.race(), "the program itself races")
        wrong = truth.unsafe({sites(p, *pair.split("~")) for pair in pairs or ("h~d",)})
        return wrong and wrong[0].condition

    def safe(self, p, *pairs):
        self.assertIsNone(self.judge(p, *pairs))

    def unsafe(self, condition, p, *pairs):
        self.assertEqual(self.judge(p, *pairs), condition)

    def test_round_trip(self):
        self.safe(round_trip())

    def test_one_place_of_two(self):
        """A helper's pair that only merges where the copies named link it."""
        p = Program()
        p.variables = {name: {"kind": "host" if name[0] == "h" else "dev", "home": "local"}
                       for name in ("h1", "d1", "h2", "d2")}
        p.helpers = [{"name": "make", "params": [["h", "host&"], ["d", "dev&"]],
                      "body": [{"op": "alloc_h", "var": "h", "how": "malloc", "count": 16},
                               {"op": "alloc_d", "var": "d", "how": "malloc", "count": 16}]}]
        call = [{"op": "call", "helper": "make", "args": [ref("h" + n), ref("d" + n)]} for n in "12"]
        first = [call[0], produce("d1"), fill("h1"), copy("d1", "h1")]
        second = [call[1], fill("h2"), copy("d2", "h2"), scale("d2"), copy("h2", "d2"), read("h2")]
        p.body = first + second
        truth = Truth(p.number())
        self.assertIsNone(truth.race())
        pair = sites(p, "h", "d")
        self.assertEqual(truth.unsafe({pair})[0].condition, "S2")
        self.assertEqual(truth.unsafe({pair}, (), {pair: {first[3]["id"]}})[0].condition, "S2")
        self.assertIsNone(truth.unsafe({pair}, (), {pair: {second[2]["id"], second[4]["id"]}}))

    def test_s1_host_write_of_a_snapshot(self):
        body = [fill("h"), copy("d", "h"), fill("h", seed=9), scale("d"), copy("h", "d"), read("h")]
        self.unsafe("S1", program("h d", *body))
        body[2] = read("h")
        self.safe(program("h d", *body))

    def test_s1_kernel_write_under_a_live_host_buffer(self):
        start = [fill("h"), copy("d", "h"), scale("d"), wait()]
        self.unsafe("S1", program("h d", *start, read("h")))
        self.safe(program("h d", *start, copy("h", "d"), read("h")))

    def test_s1_one_byte_is_enough(self):
        start = [fill("h"), copy("d", "h"), wait()]
        poke = {"op": "poke", "ref": ref("h", 15), "value": 3}
        kernel = launch("scale", "d", 15, 1)
        self.safe(program("h d", *start, poke, kernel))
        self.unsafe("S1", program("h d", *start, poke, scale("d")))

    def test_s1_clearing_late(self):
        late = {"op": "alloc_h", "var": "h", "how": "calloc", "count": 16}
        end = [copy("h", "d"), read("h")]
        self.unsafe("S1", program("h d", produce("d"), wait(), late, *end, made="h"))
        self.safe(program("h d", late, produce("d"), wait(), *end, made="h"))

    def test_s1_next_iteration(self):
        self.unsafe("S1", program("h d", fill("h"), loop(2, copy("d", "h"), scale("d"), wait())))
        self.safe(program("h d", loop(2, fill("h"), copy("d", "h"), scale("d"), wait())))

    def test_s1_on_one_input_only(self):
        body = [fill("h"), copy("d", "h"), scale("d"), wait(), when("arg == 1", read("h"))]
        self.safe(program("h d", *body, inputs=[0]))
        self.unsafe("S1", program("h d", *body, inputs=[0, 1]))

    def test_s1_exempts_linking_copies_only_between_the_two(self):
        self.safe(program("h d", fill("h"), copy("d", "h"), copy("h", "d"), copy("d", "h"), wait(), read("h")))
        self.unsafe("S1", program("h d hx", fill("h"), fill("hx"), copy("d", "h"), copy("d", "hx"), wait(), read("h")))

    def test_s2_host_read_under_a_kernel(self):
        start = [fill("h"), copy("d", "h"), produce("d")]
        self.unsafe("S2", program("h d", *start, read("h"), copy("h", "d"), read("h")))
        self.safe(program("h d", *start, copy("h", "d"), read("h")))

    def test_s2_host_write_under_a_kernel(self):
        body = [loop(2, fill("h"), copy("d", "h"), launch("map", "dx", "d", 16, 1)), copy("hx", "dx"), read("hx")]
        self.unsafe("S2", program("h d hx dx", *body))
        body[0]["body"].append(wait())
        self.safe(program("h d hx dx", *body))

    def test_s2_two_streams(self):
        start = [fill("p"), copy("d", "p", "n1"), wait(), produce("d", "n1")]
        self.unsafe("S2", program("p d dx n1 n2", *start, copy("dx", "p", "n2"), wait()), "p~d")
        order = [record("e", "n1"), wait_event("n2", "e")]
        self.safe(program("p d n1 n2 e", *start, *order, copy("p", "d", "n2"), wait(), read("p")), "p~d")

    def test_s3_address(self):
        look = {"op": "observe", "what": "compare", "a": "h", "b": "hx"}
        body = [fill("h"), copy("d", "h"), scale("d"), copy("h", "d"), read("h")]
        self.unsafe("S3", program("h d hx", *body, look))
        self.safe(program("h d hx hy", *body, {**look, "a": "hy"}))

    def test_s3_shifted_copy(self):
        body = [fill("h"), copy("d", "h"), wait()]
        self.unsafe("S3", program("h d", *body, copy("h", "d", count=8, to=4, at=0), read("h")))
        self.safe(program("h d", *body, copy("h", "d", count=8, to=4, at=4), read("h")))

    def test_s4_partners_of_other_iterations(self):
        body = [fill("h"), copy("d", "h"), scale("d"), copy("h", "d"), read("h")]
        end = [{"op": "free_h", "var": "h", "how": "malloc"}, {"op": "free_d", "var": "d"}]
        self.safe(program("h d", loop(2, alloc("h"), alloc("d"), *body, *end), made="h d"))
        self.unsafe("S4", program("h d", loop(1, alloc("h")), loop(2, alloc("d"), *body, end[1]), end[0], made="h d"))

    def test_one_device_buffer_after_the_other(self):
        body = [fill("h"), copy("d", "h"), scale("d"), copy("h", "d"), read("h"), {"op": "free_d", "var": "d"}]
        self.safe(program("h d", loop(2, alloc("d"), *body), made="d"))
        # The host reads what the next one overwrites.
        late = [copy("d", "h"), scale("d"), wait(), read("h"), {"op": "free_d", "var": "d"}]
        self.unsafe("S1", program("h d", fill("h"), loop(2, alloc("d"), *late), made="d"))
        # Not freed: the second stays apart, and the first has the host's block.
        self.safe(program("h d", loop(2, alloc("d"), *body[:-1]), made="d"))

    def test_one_host_buffer_after_the_other(self):
        body = [fill("h"), copy("d", "h"), scale("d"), copy("h", "d"), read("h"),
                {"op": "free_h", "var": "h", "how": "malloc"}]
        self.safe(program("h d", loop(2, alloc("h"), *body), made="h"))
        # The next one is filled while the device needs what it has.
        late = [fill("h"), scale("d"), copy("h", "d"), read("h"), body[-1]]
        self.unsafe("S1", program("h d", produce("d"), wait(), loop(2, alloc("h"), *late), made="h"))
        # Not freed: the second stays apart, and the first has the device's block.
        self.safe(program("h d", loop(2, alloc("h"), *body[:-1]), made="h"))

    def test_group_of_two_hosts(self):
        body = [fill("h"), fill("hx", seed=5), copy("d", "h"), scale("d"), copy("hx", "d"), read("hx")]
        self.safe(program("h hx d", *body), "h~d")
        self.unsafe("S1", program("h hx d", *body), "h~d", "hx~d")


class Waits(unittest.TestCase):
    """A download to a pinned buffer that the host reads: only a real wait will do."""

    START = [produce("d", "s"), copy("p", "d", "s")]

    def races(self, *between, names="p d s n e e2", start=None):
        p = program(names, *(self.START if start is None else start), *between, read("p"))
        return Truth(p).race() is not None

    def test_waits(self):
        self.assertTrue(self.races())
        self.assertFalse(self.races(wait()))
        self.assertFalse(self.races(wait("stream", "s")))
        self.assertFalse(self.races(wait("query_stream", "s")))
        self.assertFalse(self.races(record("e", "s"), wait("event", "e")))
        self.assertFalse(self.races(record("e", "s"), wait("query_event", "e")))
        self.assertFalse(self.races(record("e", "s"), wait_event("n", "e"), wait("stream", "n")))

    def test_waits_for_something_else(self):
        self.assertTrue(self.races(wait("stream", "n")))
        self.assertTrue(self.races(wait("stream", "")))
        self.assertTrue(self.races(record("e", "n"), wait("event", "e")))
        self.assertTrue(self.races(record("e", "s"), wait("event", "e2")))
        self.assertTrue(self.races(wait_event("n", "e"), record("e", "s"), wait("stream", "n")))
        self.assertTrue(self.races(record("e", "s"), wait_event("n", "e"), wait("stream", "")))

    def test_event_that_came_too_early(self):
        self.assertTrue(self.races(record("e", "s"), self.START[1], wait("event", "e")))
        self.assertTrue(self.races(record("e", "s"), record("e", "n"), wait("event", "e")))

    def test_synchronous_calls(self):
        other = "p d s n e hx dx"
        self.assertFalse(self.races(copy("hx", "dx"), names=other, start=[clear("dx"), *self.START]))
        late = [clear("dx"), produce("d", "n"), copy("p", "d", "n")]
        self.assertTrue(self.races(copy("hx", "dx"), names=other, start=late))
        self.assertTrue(self.races(clear("dx"), names=other))
        self.assertTrue(self.races({"op": "free_d", "var": "dx"}, names=other))
        self.assertTrue(self.races(copy("d2", "dx"), names=other + " d2",
                                   start=[clear("dx"), *self.START]))

    def test_pageable_download(self):
        # What a copy to pageable memory does for the host is not promised.
        p = program("h d s", produce("d", "s"), copy("h", "d", "s"), read("h"))
        self.assertIsNotNone(Truth(p).race())

    def test_a_record_is_no_work(self):
        """After one in a blocking stream, a wait for the stream leaves out the legacy stream's work."""
        for stream, race in (("s", True), ("", False)):
            p = program("d dx s n e", clear("dx"), wait(), produce("d"), record("e", "s"), wait("stream", stream),
                        launch("map", "dx", "d", 16, 1, stream="n"))
            self.assertEqual(Truth(p).race() is not None, race)

    def test_streams_and_the_legacy_stream(self):
        def p(stream):
            return program("h d s n", produce("d", stream), scale("d"), copy("h", "d"), read("h"))
        self.assertIsNone(Truth(p("s")).race())
        self.assertIsNotNone(Truth(p("n")).race())

    def test_per_thread(self):
        p = program("h d n", produce("d", "legacy"), scale("d"), copy("h", "d"), read("h"))
        p.per_thread = True
        self.assertIsNone(Truth(p).race())
        p.body[-3]["stream"] = "n"
        self.assertIsNotNone(Truth(p).race())


class Undefined(unittest.TestCase):
    def invalid(self, why, p):
        with self.assertRaises(machine.Invalid) as caught:
            Truth(p)
        self.assertIn(why, caught.exception.why)

    def test_invalid(self):
        free = {"op": "free_h", "var": "h", "how": "malloc"}
        self.invalid("uninitialized", program("h", read("h")))
        self.invalid("free", program("h", fill("h"), free, read("h")))
        self.invalid("bad free", program("h", free, free))
        early = program("h", free, alloc("h"), free, made="h")
        Truth(early)
        early.variables["h"]["home"] = "global"  # the next run in this process would free it again
        self.invalid("earlier run", early)
        self.invalid("bad free", program("p", {"op": "free_h", "var": "p", "how": "malloc"}))
        self.invalid("bounds", program("h", fill("h", count=17)))
        self.invalid("pageable", program("h", produce("h")))
        self.invalid("host uses a device", program("d", fill("d")))
        self.invalid("overlap", program("d", clear("d"), launch("map", "d", "d", 16, 1)))


if __name__ == "__main__":
    unittest.main()
