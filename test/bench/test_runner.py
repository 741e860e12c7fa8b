# Tests of the order in which the suite's runner starts processes, with no process at all.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""process.run is replaced: each call takes a second of an invented clock."""

import argparse
import contextlib
import io
import os
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench"))
from suite import catalog, runner  # noqa: E402

BUILDS = catalog.bench("M1").builds


class Order(unittest.TestCase):
    def setUp(self):
        self.work = tempfile.TemporaryDirectory()
        self.addCleanup(self.work.cleanup)
        self.clock, self.calls, self.answers = 0.0, [], {}
        self.echo_run, self.plan, self.prepared = "echo/bin/echo-run", {"got": "mapped", "merged": 2}, []

    def answer(self, command, kind, environment, **_more):
        traced = "BENCH_TRACE" in environment
        planned = pathlib.Path(command[0]).name == "echo-run"
        if planned:
            self.assertEqual(command[1:3], ["run", "-q"])
            self.assertEqual(environment["ECHO_PLAN_DIR"], str(pathlib.Path(_more["output"]).parent))
        build = "dr" if planned else pathlib.Path(command[0]).name.split(".")[1]
        key = f"sr:{environment['ECHO_BACKING']}" if build == "sr" else build
        self.clock += 1
        self.calls.append("trace " + key if traced else key)
        good = {"region_ms": [1.0], "loop_ms": [2.0], "checksum": 5.0, "pair_bytes": 8, "merged": 0,
                "got": None, "energy_mj": None, "regions": [(0, 100)]}
        return {**good, **self.answers.get(key, {})}

    def go(self, limit=float("inf"), processes=2, error=None, out="out"):
        builds = {b: {"binary": f"bin/M1.{b}", "traced": f"bin/M1.{b}.trace"} for b in BUILDS}
        if error:
            builds[error]["error"] = "cc app.cu\napp.cu:1: error: no such thing\n1 error"
        manifest = {"device": "cpu", "notes": [], "echo_run": self.echo_run,
                    "benches": {"M1": {"args": [], "builds": builds}}}
        options = argparse.Namespace(out=pathlib.Path(self.work.name, out), bench=None, variants=None, time_limit=limit,
                                     processes=processes, warmup=1, iterations=1, timeout=9)

        def run(command, kind, environment, iterations=1, warmup=1, timeout=9, meter=None,
                output=None):
            return self.answer(command, kind, environment, output=output)

        def prepare(echo_run, command, environment, timeout):
            self.prepared.append(command[1:])
            return self.plan
        with mock.patch.object(runner.process, "run", run), \
                mock.patch.object(runner.plans, "prepare", prepare), \
                mock.patch.object(runner.time, "monotonic", lambda: self.clock), \
                contextlib.redirect_stdout(io.StringIO()):
            result = runner.Runner(options, self.work.name, manifest).all()
        return result, {f"{r['variant']}:{r['backing']}": r for r in result["results"]}

    def test_all_take_turns(self):
        result, rows = self.go()
        timed = [c for c in self.calls if not c.startswith("trace")]
        self.assertEqual(len(timed), 2 * len(catalog.VARIANTS))
        half = len(catalog.VARIANTS)
        self.assertEqual(set(timed[:half]), set(timed[half:]))
        self.assertEqual(timed[half], timed[1], "the second turn starts with the next variant")
        self.assertEqual(self.calls.count("trace baseline"), 2, "in each turn")
        self.assertEqual(sum(c.startswith("trace") for c in self.calls), half, "no trace of dr")
        self.assertEqual({r["processes"] for r in rows.values()}, {2})
        self.assertEqual(result["protocol"]["processes"], 2)

    def test_primary_first_when_time_is_short(self):
        primary = sum(v.primary for v in catalog.VARIANTS)
        whole = len(catalog.VARIANTS) + primary  # the first turn and the traces of some
        result, rows = self.go(limit=whole + primary + 1.5)
        self.assertEqual(rows["baseline:none"]["processes"], 2)
        self.assertEqual(rows["sr:auto"]["processes"], 2)
        self.assertEqual(rows["sr:managed"]["processes"], 1)
        self.assertTrue(any("last" in n for n in result["notes"]))
        self.assertTrue(any("left out" in n for n in result["notes"]))

    def test_what_fails_is_tried_once(self):
        self.answers = {"mapped": {"error": "exit status 2: no memory"},
                        "sr:system": {"got": "split"}}
        _, rows = self.go(error="unified")
        self.assertEqual(self.calls.count("mapped"), 1)
        self.assertNotIn("trace mapped", self.calls)
        self.assertNotIn("unified", self.calls)
        self.assertIn("no memory", rows["manual:mapped"]["problem"])
        self.assertIn("no such thing", rows["manual:unified"]["problem"])
        self.assertIn("refuses system", rows["sr:system"]["problem"])
        self.assertIsNone(rows["sr:system"]["mean_ms"])
        self.assertEqual(rows["sr:auto"]["processes"], 2)

    def test_plans(self):
        _, rows = self.go()
        self.assertEqual((rows["dr:plan"]["got"], rows["dr:plan"]["processes"]), ("mapped", 2))
        self.assertEqual(rows["dr:plan"]["capacity_bytes"], 8)
        self.assertEqual(len(self.prepared), 1, "one plan, for what is timed")
        output = pathlib.Path(self.work.name, "out", "plans", "M1", "samples.csv").resolve()
        self.assertEqual(self.prepared[0],
                         ["--iterations", "1", "--warmup", "1", "--output", str(output)])

    def test_no_plan(self):
        for plan, echo_run, why in (({"not_here": "it failed"}, "echo/bin/echo-run", "it failed"),
                                    (self.plan, None, "not built")):
            self.plan, self.echo_run, self.prepared = plan, echo_run, []
            _, rows = self.go(out=why)
            self.assertIn(why, rows["dr:plan"]["problem"])
            self.assertNotIn("dr", self.calls)
            self.assertEqual(rows["baseline:none"]["processes"], 2)

    def test_wrong_checksum_shows(self):
        self.answers = {"sr:auto": {"checksum": 5.1}}
        _, rows = self.go()
        self.assertIs(rows["sr:auto"]["checksum_ok"], False)
        self.assertIs(rows["sr:split"]["checksum_ok"], True)

    def test_goes_on(self):
        self.go(processes=1)
        path = pathlib.Path(self.work.name, "out", "runs.jsonl")
        path.write_text(path.read_text() + '{"kind": "run", "ben')  # killed while writing
        before = len(self.calls)
        self.go(processes=2)
        self.assertEqual(len(self.calls) - before, len(catalog.VARIANTS) + 1,
                         "no trace again, but of the baseline")
        torn = [line for line in path.read_text().splitlines() if not line.endswith("}")]
        self.assertEqual(len(torn), 1, "and nothing was written behind it on its line")


if __name__ == "__main__":
    unittest.main()
