# Tests of the suite's statistics and of what they are made from, with fixed numbers.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers in, numbers out: nothing is measured here."""

import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench"))
from suite import catalog, energy, machine, process, summary, trace  # noqa: E402


class Statistics(unittest.TestCase):
    def test_percentiles_interpolate(self):
        values = [40, 10, 30, 20]
        self.assertEqual(summary.percentile(values, 0), 10)
        self.assertEqual(summary.percentile(values, 50), 25)
        self.assertEqual(summary.percentile(values, 100), 40)
        self.assertAlmostEqual(summary.percentile(list(range(101)), 99), 99)
        self.assertEqual(summary.percentile([7], 99), 7)

    def test_deviation_is_over_process_means(self):
        self.assertEqual(summary.mean_and_sd([2, 4]), (3, 2 ** 0.5))
        self.assertEqual(summary.mean_and_sd([5]), (5, None))

    def test_recovered(self):
        self.assertAlmostEqual(summary.recovered(10, 5, 5, 0.1), 1)
        self.assertAlmostEqual(summary.recovered(10, 6, 5, 0.1), 0.8)
        self.assertAlmostEqual(summary.recovered(10, 4, 5, 0.1), 1.2)
        self.assertIsNone(summary.recovered(10, 9.9, 9.9, 0.2), "a gain within the noise")
        self.assertIsNone(summary.recovered(10, 5, 5, None), "nothing says what the noise is")
        self.assertIsNone(summary.recovered(10, 11, 12, 0.0), "by hand it is slower")

    def test_amdahl_exact(self):
        points = [(f, 1 / (1 - f)) for f in (0.1, 0.4, 0.8)]
        fit = summary.amdahl(points)
        self.assertAlmostEqual(fit["r2"], 1)
        self.assertAlmostEqual(fit["a"], 1)
        self.assertEqual(fit["points"], 3)

    def test_amdahl_half_of_the_copies(self):
        fit = summary.amdahl([(f, 1 / (1 - f / 2)) for f in (0.2, 0.5, 0.9)])
        self.assertAlmostEqual(fit["a"], 0.5)
        self.assertAlmostEqual(fit["r2_fit"], 1)
        self.assertLess(fit["r2"], 0)

    def test_amdahl_by_hand(self):
        # Mean 2; spread 2; residuals 1 - 1, 2 - 2 and 3 - 4.
        fit = summary.amdahl([(0, 1), (0.5, 2), (0.75, 3)])
        self.assertAlmostEqual(fit["r2"], 0.5)

    def test_amdahl_needs_three_points(self):
        self.assertIsNone(summary.amdahl([(0.1, 1.1), (0.2, None), (None, 3), (0.3, 1.4)])["r2"])

    def test_checksums(self):
        self.assertTrue(summary.same(1000.009, 1000))
        self.assertFalse(summary.same(1000.011, 1000))
        self.assertIsNone(summary.same(None, 1000))


class Rows(unittest.TestCase):
    def run_of(self, times, **more):
        return {"region_ms": times, "loop_ms": [2 * t for t in times], "checksum": 1.0,
                "pair_bytes": 100, "energy_mj": None, **more}

    def rows(self):
        m1 = catalog.bench("M1")
        base, auto, hand = (next(v for v in catalog.VARIANTS if v.key == k)
                            for k in ("baseline", "sr:auto", "manual:unified"))
        parts = {"copy_fraction": 0.5, "copy_bytes": 100, "region_ms": 10}
        none = {"copy_fraction": 0.0, "copy_bytes": 0, "region_ms": 5}
        return [summary.row(m1, base, [self.run_of([10, 10]), self.run_of([10, 12])], parts),
                summary.row(m1, auto, [self.run_of([5, 5], merged=2, got="system"),
                                       self.run_of([5.5, 5.5], merged=2, got="system")], none),
                summary.row(m1, hand, [self.run_of([5, 5]), self.run_of([5, 5])], none)]

    def test_compare(self):
        base, auto, hand = rows = self.rows()
        summary.compare(rows)
        self.assertEqual(base["mean_ms"], 10.5)
        self.assertEqual(base["capacity_bytes"], 200)
        self.assertEqual(auto["capacity_bytes"], 100)
        self.assertEqual(auto["got"], "system")
        self.assertEqual(auto["speedup"], 2)
        self.assertEqual(auto["loop_speedup"], 2)
        self.assertEqual(auto["copy_bytes_removed"], 100)
        self.assertAlmostEqual(auto["recovered"], 5.25 / 5.5)
        self.assertEqual(auto["recovered_bytes"], 1)
        self.assertAlmostEqual(auto["undisturbed_ms"], 5)
        self.assertAlmostEqual(auto["undisturbed_speedup"], 2)
        self.assertAlmostEqual(auto["undisturbed_recovered"], 1)
        self.assertIsNone(hand["undisturbed_recovered"])
        self.assertAlmostEqual(base["throughput"], 1000 / 21)
        self.assertIsNone(hand["recovered"], "is what others are measured by")
        self.assertTrue(auto["checksum_ok"])

    def test_only_a_part_merged(self):
        m1, auto = catalog.bench("M1"), catalog.VARIANTS[1]
        row = summary.row(m1, auto, [self.run_of([5], merged=1)], None)
        self.assertIsNone(row["capacity_bytes"])
        self.assertIsNone(row["copy_fraction"])

    def test_nothing_measured(self):
        row = summary.row(catalog.bench("M1"), catalog.VARIANTS[1], [{"error": "no GPU"}], None)
        self.assertEqual(row["problem"], "no GPU")
        self.assertIsNone(row["mean_ms"])
        summary.compare([row])

    def test_fit_takes_what_lost_its_copies(self):
        rows = []
        for name, f, left in (("a", 0.1, 0), ("b", 0.5, 0), ("c", 0.8, 0), ("d", 0.5, 64)):
            rows.append({"bench": name, "variant": "baseline", "backing": "none",
                         "copy_fraction": f, "copy_bytes": 64, "speedup": 1})
            rows.append({"bench": name, "variant": "sr", "backing": "auto", "copy_fraction": 0,
                         "copy_bytes": left, "speedup": 1 / (1 - f) if not left else 9})
        fit = summary.fit(rows)
        self.assertEqual(fit["points"], 3)
        self.assertAlmostEqual(fit["r2"], 1)
        for r in rows:
            r["undisturbed_speedup"] = r["speedup"] ** 0.5
            r["undisturbed_copy_fraction"] = r["copy_fraction"]
        self.assertLess(summary.fit(rows, "undisturbed_")["r2"], 0.5)


class Traces(unittest.TestCase):
    def test_unions(self):
        self.assertEqual(trace.union([(5, 9), (0, 2), (1, 3), (7, 7)]), [(0, 3), (5, 9)])
        self.assertEqual(trace.common([(0, 10), (20, 30)], [(5, 25)]), [(5, 10), (20, 25)])

    def test_breakdown(self):
        # Region 0 to 100: copy 0-20 within its call 0-30; kernel 25-60; the call of the
        # download waits 50-90, in which the copy runs 60-80; another copy is outside.
        recorded = {"kernel": [(25, 60, 0)], "call": [(0, 30, 0), (50, 90, 0)],
                    "copy": [(0, 20, 7), (60, 80, 5), (200, 210, 99)]}
        parts = trace.breakdown(recorded, [(0, 100)])
        self.assertAlmostEqual(parts["kernel_ms"] * 1e6, 35)
        self.assertAlmostEqual(parts["copy_ms"] * 1e6, 25 + 30)
        self.assertAlmostEqual(parts["overlap_ms"], 0)
        self.assertAlmostEqual(parts["other_ms"] * 1e6, 10)
        self.assertAlmostEqual(parts["copy_fraction"], 0.55)
        self.assertEqual(parts["copy_bytes"], 12)

    def test_overlap(self):
        recorded = {"kernel": [(0, 60, 0)], "call": [], "copy": [(40, 80, 1)]}
        parts = trace.breakdown(recorded, [(0, 100)])
        self.assertEqual([round(parts[k] * 1e6) for k in
                          ("kernel_ms", "copy_ms", "overlap_ms", "other_ms")], [40, 20, 20, 20])
        self.assertAlmostEqual(parts["copy_fraction"], 0.4)

    def test_several_processes(self):
        # Ten regions a process: copies take 30 of 100 ns, in the quickest one 30 of 60.
        def process_of(quickest):
            ends = [(i * 1000, i * 1000 + (60 if i == quickest else 100)) for i in range(10)]
            copies = [(start + 10, start + 40, 8) for start, _ in ends]
            return trace.breakdown({"kernel": [], "call": [], "copy": copies}, ends)
        parts = trace.combine([process_of(3), None, process_of(7)])
        self.assertAlmostEqual(parts["region_ms"] * 1e6, 96)
        self.assertAlmostEqual(parts["copy_fraction"], 30 / 96)
        self.assertAlmostEqual(parts["undisturbed_copy_fraction"], 0.5)
        self.assertEqual(parts["copy_bytes"], 8)
        self.assertIsNone(trace.combine([None]))
        bytes_alone = {"copy_bytes": 64, "copy_fraction": None, "region_ms": None}
        self.assertEqual(trace.combine([bytes_alone]), bytes_alone)

    def test_whole_process(self):
        recorded = {"kernel": [(0, 300_000, 0)], "call": [(250_000, 400_000, 0)],
                    "copy": [(310_000, 390_000, 64)]}
        parts = trace.whole(recorded, 1.0)
        self.assertAlmostEqual(parts["kernel_ms"], 0.3)
        self.assertAlmostEqual(parts["copy_ms"], 0.1)
        self.assertAlmostEqual(parts["other_ms"], 0.6)
        self.assertEqual(parts["copy_bytes"], 64)
        parts = trace.whole(recorded, 0.2)  # kernels ran before the loop, too
        self.assertEqual((parts["copy_bytes"], parts["copy_fraction"]), (64, None))


class Processes(unittest.TestCase):
    def test_what_echort_said(self):
        said = ("bench: timed\necho: a.cu:1:2 h + a.cu:3:4 d: merged (system)\n"
                "echo: a.cu:1:3 i + a.cu:3:5 c: host side pinned, copies stay (pinned-split)\n"
                "echo: a.cu:5:6 g + a.cu:7:8 e: split: too small\nbench: done\n")
        with tempfile.TemporaryDirectory() as work:
            path = pathlib.Path(work) / "samples.csv"
            path.write_text("region_start,region_end,loop_start,loop_end\n"
                            "1000000,3000000,0,4000000\n")
            found = process.outcome("iterations", "M1: checksum 12.5, 64 bytes in pairs\n", said,
                                    path, 30.0, 10)
        self.assertEqual(found["checksum"], 12.5)
        self.assertEqual(found["pair_bytes"], 64)
        self.assertEqual((found["merged"], found["got"]), (1, "pinned-split+split+system"))
        self.assertEqual(found["energy_mj"], 3.0)
        self.assertEqual((found["region_ms"], found["loop_ms"]), ([2.0], [4.0]))

    def test_example(self):
        found = process.outcome("loop", "sgemm: checksum -3.25 PASS\n", "time: 17.250 ms\n", None,
                                None, 1)
        self.assertEqual((found["checksum"], found["region_ms"]), (-3.25, [17.25]))
        self.assertIn("error", process.outcome("loop", "", "no clock\n", None, None, 1))

    def test_missing_program(self):
        found = process.run(["/nonexistent/program"], "loop", {}, 1, 0, 5)
        self.assertIn("error", found)

    def test_program_that_hangs(self):
        found = process.run(["/bin/sh", "-c", "exec sleep 60"], "loop", {}, 1, 0, 0.2)
        self.assertIn("stopped after", found["error"])

    def test_not_on_this_device(self):
        found = process.run(["/bin/sh", "-c", "echo not here >&2; exit 3"], "iterations", {}, 1, 0, 5)
        self.assertEqual(found, {"not_here": "not here"})


class Machines(unittest.TestCase):
    def test_ina3221(self):
        with tempfile.TemporaryDirectory() as root:
            folder = pathlib.Path(root, "bus/i2c/drivers/ina3221/1-0040/hwmon/hwmon3")
            folder.mkdir(parents=True)
            for number, name in (("1", "VDD_IN"), ("2", "NC"), ("7", "sum of shunt voltages")):
                (folder / f"in{number}_label").write_text(name + "\n")
                (folder / f"in{number}_input").write_text("5000\n")
                (folder / f"curr{number}_input").write_text("2000\n")
            self.assertEqual([v.name for v, _ in energy.channels(root)], ["in1_input"])
            meter = energy.Ina3221(root)
            self.assertEqual(meter.milliwatts(), 10000)
            meter.close()
        with self.assertRaises(OSError):
            energy.Ina3221("/nonexistent")

    def test_names(self):
        facts = {"date": "2026-11-22T01:02:03Z", "device": "NVIDIA H200", "gpu": {}, "cpu": "x"}
        self.assertEqual(machine.file_name(facts), "2026-11-22-nvidia-h200-suite.json")

    def test_catalog(self):
        for bench in catalog.BENCHES:
            self.assertEqual(set(bench.args), set(catalog.SCALES))
            keys = [v.key for v in catalog.variants(bench)]
            self.assertEqual(len(keys), len(set(keys)))
            self.assertIn("baseline", keys)
            self.assertIn("sr:auto", keys)
            self.assertIn("--no-unify", catalog.build_flags(bench, "baseline", "small"))
            self.assertNotIn("--no-unify", catalog.build_flags(bench, "sr", "small"))
        self.assertEqual([v.key for v in catalog.variants(catalog.bench("NC"))],
                         ["baseline", "sr:auto"])


if __name__ == "__main__":
    unittest.main()
