# What the statements of real life mean to the machine: holders, owners, host functions,
# threads, prints, polling kernels, device variables, exits. Programs that would hang or
# whose output is open are not valid.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import random
import unittest

from script import copy, fill, launch, program, read, round_trip, scale, wait
import life
import machine
import oracle
import repair
from life_tables import FREES, HOLDERS, OWNERS, PIECES, VALUES
from model import ref
from truth import Truth


def run(p, arg=0):
    m = machine.Machine(p, arg)
    trace = m.run()
    return [str(line) for line in trace.output], m.status, trace


def held(*body):
    p = program("h d", *body)
    p.variables["c"] = {"kind": "hold", "home": "local", "how": "list"}
    return p


class Meaning(unittest.TestCase):
    def test_a_holder_is_a_second_name(self):
        p = held({"op": "hold", "var": "c", "ref": ref("h")}, fill("c"), copy("d", "h"), scale("d"), copy("h", "d"),
                 read("c"))
        plain = round_trip()
        self.assertEqual(run(p)[0], run(plain)[0])
        self.assertIsNone(Truth(p).unsafe({(0, 1)}))

    def test_a_holder_of_freed_memory(self):
        p = held({"op": "hold", "var": "c", "ref": ref("h")}, {"op": "free_h", "var": "h", "how": "malloc"}, read("c"))
        self.assertRaises(machine.Invalid, run, p)

    def test_an_owner_frees_once(self):
        p = round_trip()
        p.variables["h"].update(owner="unique", how="malloc")
        self.assertEqual(run(p)[2].events[-1].kind, "free")
        p.body.append({"op": "free_h", "var": "h", "how": "malloc"})
        self.assertEqual(sum(e.kind == "free" for e in run(p.number())[2].events), 1)

    def test_an_owner_of_what_a_reset_took(self):
        p = program("h d", {"op": "reset"})
        p.variables["d"].update(owner="unique", how="cudaMalloc")
        self.assertRaises(machine.Invalid, run, p)

    def test_a_host_function_is_work_of_its_stream(self):
        work = {"op": "hostfunc", "how": "launch", "ref": ref("p"), "count": 16, "k": 1, "adds": False, "stream": "s"}
        p = program("p d s", work, copy("d", "p", "s"), wait("stream", "s"))
        self.assertIsNone(oracle.races(run(p)[2]))
        p = program("p d s", work, read("p"))
        self.assertIsNotNone(oracle.races(run(p)[2]))

    def test_an_asynchronous_upload_may_read_pageable_memory_at_once(self):
        work = {"op": "hostfunc", "how": "launch", "ref": ref("h"), "count": 16, "k": 1, "adds": False, "stream": "s"}
        self.assertRaises(machine.Invalid, run, program("h d s", work, copy("d", "h", "s"), wait("stream", "s")))

    def test_a_thread_works_in_its_place(self):
        p = program("h d", {"op": "thread", "how": "turns", "body": [fill("h"), copy("d", "h"), scale("d")]},
                    copy("h", "d"), read("h"))
        self.assertEqual(run(p)[0], run(round_trip())[0])

    def test_prints_come_at_calls_that_flush(self):
        p = program("d s", {"op": "say", "value": 4, "stream": "s"}, {"op": "print"}, wait("stream", "s"),
                    {"op": "print"})
        self.assertEqual(run(p)[0], ["0", "says 4", "0", "0"])

    def test_a_flush_may_write_what_the_host_does_not_know_to_be_done(self):
        other = program("d s n", {"op": "say", "value": 4, "stream": "n"}, wait("stream", "s"), wait(),
                        {"op": "print"})
        self.assertEqual(run(other)[0], ["says 4", "0", "0"])
        between = program("d s n", {"op": "say", "value": 4, "stream": "n"}, wait("stream", "s"), {"op": "print"},
                          wait())
        self.assertRaises(machine.Invalid, run, between)
        lost = program("d s n", {"op": "say", "value": 4, "stream": "n"}, wait("stream", "s"),
                       {"op": "exit", "cond": "1", "status": 3})
        self.assertRaises(machine.Invalid, run, lost)

    def test_a_polling_kernel_is_launched_like_any(self):
        p = program("d n", {"op": "say", "value": 4, "stream": ""}, {"op": "free_d", "var": "d"},
                    {"op": "poll", "flag": "f", "how": "volatile", "stream": "n"}, {"op": "print"},
                    {"op": "raise", "flag": "f"})
        p.variables["f"] = {"kind": "flag", "home": "local"}
        # A launch prints what is known to have ended; CUDA leaves open whether a free makes it known.
        self.assertRaises(machine.Invalid, run, p.number())

    def test_open_prints(self):
        both = [{"op": "say", "value": 1, "stream": "n"}, {"op": "say", "value": 2, "stream": "n2"}]
        self.assertRaises(machine.Invalid, run, program("n n2", *both, wait()))

    def test_nothing_waits_for_a_polling_kernel(self):
        def made(*body):
            p = program("h d n", fill("h"), {"op": "poll", "flag": "f", "how": "atomic", "stream": "n"}, *body)
            p.variables["f"] = {"kind": "flag", "home": "local"}
            return p.number()
        release = {"op": "raise", "flag": "f"}
        self.assertEqual(run(made(copy("d", "h"), release, wait()))[1], 0)
        self.assertRaises(machine.Invalid, run, made(wait(), release))
        self.assertRaises(machine.Invalid, run, made({"op": "free_d", "var": "d"}, release))
        self.assertRaises(machine.Invalid, run, made())
        # The legacy stream waits for blocking ones, and an upload for the legacy stream.
        p = program("h d s", fill("h"), {"op": "poll", "flag": "f", "how": "atomic", "stream": "s"}, copy("d", "h"),
                    release, wait())
        p.variables["f"] = {"kind": "flag", "home": "local"}
        self.assertRaises(machine.Invalid, run, p.number())
        legacy = {"op": "sync", "how": "stream", "obj": ""}
        for stream, holds in (("s", True), ("n", False)):
            p = program("h d " + stream, {"op": "poll", "flag": "f", "how": "atomic", "stream": stream}, legacy, release,
                        wait())
            p.variables["f"] = {"kind": "flag", "home": "local"}
            if holds:
                self.assertRaises(machine.Invalid, run, p.number())
            else:
                self.assertEqual(run(p.number())[1], 0)

    def test_a_reset_frees_flags(self):
        poll = [{"op": "poll", "flag": "f", "how": "atomic", "stream": ""}, {"op": "raise", "flag": "f"}]
        p = program("h", {"op": "reset"}, *poll)
        p.variables["f"] = {"kind": "flag", "home": "local"}
        self.assertRaises(machine.Invalid, run, p.number())

    def test_a_thread_has_its_own_thread_local_holder(self):
        for how in ("thread_local", "union"):
            p = program("h d", {"op": "hold", "var": "c", "ref": ref("h")},
                        {"op": "thread", "how": "turns", "body": [fill("c")]})
            p.variables["c"] = {"kind": "hold", "home": "local", "how": how}
            if how == "union":
                run(p.number())
            else:
                self.assertRaises(machine.Invalid, run, p.number())

    def test_a_device_variable(self):
        def symbol(direction, name, side):
            return {"op": "symbol", "dir": direction, "side": side, "ref": ref(name), "count": 16, "kind": "default"}
        p = program("h d", fill("h"), symbol("to", "h", "h"), symbol("from", "d", "d"), scale("d"), copy("h", "d"),
                    read("h"))
        self.assertEqual(run(p)[0], run(round_trip())[0])
        self.assertRaises(machine.Invalid, run, program("h d", symbol("from", "h", "h"), read("h")))

    def test_an_exit(self):
        p = program("h d", {"op": "exit", "cond": "arg == 1", "status": 7}, fill("h"), read("h"), inputs=[0, 1])
        truth = Truth(p)
        self.assertEqual((truth.statuses, truth.outputs[1]), ({0: 0, 1: 7}, ["1"]))


class Changes(unittest.TestCase):
    def test_every_kind_of_change_is_possible(self):
        for kind in set(life.KINDS + life.APART):
            rng, done = random.Random(kind.__name__), False
            for _ in range(40):
                p = program("h p d s", fill("h"), fill("p"), copy("d", "h"), scale("d"), copy("h", "d"), read("h"),
                            copy("d", "p"), launch("scale", "d", 16, 2), copy("p", "d"), read("p"))
                p.group = "wide"
                done = done or (kind(p, rng) and repair.mend(p, rng, 6))
            self.assertTrue(done, kind.__name__)

    def test_tables(self):
        for name, (declaration, put, get) in HOLDERS.items():
            texts = [declaration.format(c="c"), put.format(c="c", p="h"), get.format(c="c")]
            self.assertTrue(all("c" in text for text in texts) and "h" in texts[1], name)
        for name, (body, value) in PIECES.items():
            self.assertTrue("return" in body and (value or name in VALUES), name)
        self.assertTrue(all(how in FREES for _, hows in OWNERS.values() for how in hows))


if __name__ == "__main__":
    unittest.main()
