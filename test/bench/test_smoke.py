# Runs the benchmark suite for real, with the smallest sizes, on the CPU device.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds one example in all its variants, runs the suite, and draws the report. What the times
are nobody looks at. BENCH_BUILD names the build tree."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = os.environ.get("BENCH_BUILD", str(ROOT / "build"))
FIELDS = ("bench", "variant", "backing", "mean_ms", "sd_ms", "p50_ms", "p99_ms", "speedup",
          "recovered", "copy_fraction", "throughput", "capacity_bytes", "copy_bytes", "energy_mj")
BENCH = "fft"


def run(*command):
    done = subprocess.run([sys.executable, *map(str, command)], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        raise AssertionError(f"{command}: {done.returncode}\n{done.stdout}")
    return done.stdout


class Smoke(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.work = tempfile.TemporaryDirectory(prefix="bench-smoke-")
        cls.folder = pathlib.Path(cls.work.name)
        run(ROOT / "bench" / "prepare-suite", cls.folder, "--build", BUILD, "--device", "cpu",
            "--scale", "small", "--bench", BENCH, "--jobs", "1", "--commit", "none")
        cls.said = run(cls.folder / "run-suite", "--processes", "2", "--time-limit", "300")
        cls.result = json.loads((cls.folder / "out" / "results.json").read_text())
        cls.rows = {(r["variant"], r["backing"]): r for r in cls.result["results"]}

    @classmethod
    def tearDownClass(cls):
        cls.work.cleanup()

    def test_fields(self):
        self.assertEqual(self.result["machine"]["commit"], "none")
        for row in self.result["results"]:
            self.assertLessEqual(set(FIELDS), set(row))

    def test_every_variant_ran(self):
        for key in (("baseline", "none"), ("sr", "auto"), ("sr", "split"), ("sr", "managed"),
                    ("manual", "managed")):
            row = self.rows[key]
            self.assertEqual(row["processes"], 2, row)
            self.assertTrue(row["checksum_ok"], row)
            self.assertGreater(row["mean_ms"], 0)

    def test_copies_are_counted(self):
        base, auto, split = (self.rows[k] for k in (("baseline", "none"), ("sr", "auto"),
                                                    ("sr", "split")))
        self.assertGreater(base["copy_bytes"], 0)
        self.assertEqual(split["copy_bytes"], base["copy_bytes"])
        self.assertEqual(auto["copy_bytes"], 0)
        self.assertEqual(auto["copy_bytes_removed"], base["copy_bytes"])
        self.assertEqual((auto["got"], split["got"]), ("system", "split"))

    def test_goes_on_where_it_stopped(self):
        said = run(self.folder / "run-suite", "--processes", "2")
        self.assertIn("going on", said)
        lines = (self.folder / "out" / "runs.jsonl").read_text().splitlines()
        turns = [json.loads(line) for line in lines]
        good = [t for t in turns if t["kind"] == "run" and t["variant"] == "baseline"]
        self.assertEqual(len(good), 2)

    def test_report(self):
        out = self.folder / "drawn"
        run(self.folder / "report", self.folder / "out" / "results.json", "--out", out)
        page = (out / "report.html").read_text()
        self.assertIn("<svg", page)
        self.assertIn("Echo, managed", page)
        for name in ("latency", "breakdown"):
            xml.parse(out / f"results-{name}.svg")


if __name__ == "__main__":
    unittest.main()
