# The tables of results: the latest file of each machine and benchmark counts, and a page that is not up to date
# differs.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of scripts/results_tables.py."""
import os
import sys
import unittest

import pages

sys.path.insert(0, os.path.join(pages.ROOT, "scripts"))
import results_tables as tables  # noqa: E402


def measured(name, value, met=True, **machine):
    """A file of bench/run with one measurement."""
    part = {"what": "time", "value": value, "unit": "x", "target": "at most 2", "met": met, "machine": machine}
    return tables.Result(name, {"speed": part})


def suite(name, date, *entries):
    """A file of the suite: (bench, variant, backing, ms)."""
    results = [{"bench": bench, "variant": variant, "backing": backing, "mean_ms": mean, "recovered": 0.5,
                "speedup": entries[0][3] / mean, "processes": 3, "got": None, "energy_mj": 10 * mean}
               for bench, variant, backing, mean in entries]
    return tables.Result(name, {"machine": {"date": date, "device": "NVIDIA H200", "scale": "gpu"},
                                "what": {"M1": "SGEMM"}, "results": results})


class Selection(unittest.TestCase):
    """Which file a row comes from."""

    def test_latest_of_each_machine(self):
        epyc = {"cpu": "AMD EPYC", "threads": 2}
        files = [measured("2026-01-02-cpu-amd-epyc-host-speed.json", 1.5, date="2026-01-02T10:00Z", **epyc),
                 measured("2026-01-03-cpu-amd-epyc-host-speed-2.json", 1.2, date="2026-01-03T10:00Z", **epyc),
                 measured("2026-01-01-cpu-intel-xeon-host-speed.json", 3, met=False, date="2026-01-01T10:00Z")]
        for order in (files, files[::-1]):
            folder = "../../bench/results"
            self.assertEqual(tables.measures(order).splitlines()[2:], [
                "| time | 1.2x | at most 2 | AMD EPYC, 2 cores "
                f"| [2026-01-03]({folder}/2026-01-03-cpu-amd-epyc-host-speed-2.json) |",
                "| time | 3x | at most 2 (missed) | Intel Xeon "
                f"| [2026-01-01]({folder}/2026-01-01-cpu-intel-xeon-host-speed.json) |"])

    def test_latest_of_each_variant(self):
        old = suite("2026-01-01-nvidia-h200-suite.json", "2026-01-01T10:00Z", ("M1", "baseline", "none", 4.0),
                    ("M1", "sr", "auto", 2.0), ("M1", "dr", "plan", 2.5), ("M1", "manual", "pinned", 1.6))
        new = suite("2026-01-01-nvidia-h200-suite-2.json", "2026-01-01T11:00Z", ("M1", "baseline", "none", 3.0),
                    ("M1", "sr", "auto", 1.0))
        self.assertEqual(tables.suite([new, old], "sr", "auto").splitlines()[2:], [
            "| NVIDIA H200 | M1: SGEMM | 3.00 ms | 1.00 ms | 3.00x | - | 50.0 % | 30 / 10 mJ | - | 3 | "
            "[2026-01-01](../../bench/results/2026-01-01-nvidia-h200-suite-2.json) |"])
        self.assertEqual(tables.suite([new, old], "dr", "plan").splitlines()[2:], [
            "| NVIDIA H200 | M1: SGEMM | 4.00 ms | 2.50 ms | 1.60x | 2.50x | 50.0 % | 40 / 25 mJ | - | 3 | "
            "[2026-01-01](../../bench/results/2026-01-01-nvidia-h200-suite.json) |"])

    def test_other_names_are_refused(self):
        with self.assertRaises(ValueError):
            tables.Result("results.json", {})


class Pages(unittest.TestCase):
    """The blocks of a page."""

    def test_blocks(self):
        text = "before\n<!-- table: measures -->\nold\n<!-- end of table -->\nafter\n"
        filled = tables.fill(text, [measured("2026-01-01-cpu-intel-xeon-host-speed.json", 1)])
        self.assertNotEqual(filled, text)
        self.assertTrue(filled.startswith("before\n<!-- table: measures -->\n\n| what |"))
        self.assertTrue(filled.endswith("|\n\n<!-- end of table -->\nafter\n"))
        self.assertEqual(tables.fill(filled, [measured("2026-01-01-cpu-intel-xeon-host-speed.json", 1)]), filled)
        self.assertNotEqual(tables.fill(filled, [measured("2026-01-01-cpu-intel-xeon-host-speed.json", 2)]), filled)

    def test_unknown_table(self):
        with self.assertRaises(ValueError):
            tables.fill("<!-- table: gone -->\n<!-- end of table -->\n", [])

    def test_every_table_is_on_a_page_that_is_up_to_date(self):
        results = tables.read(os.path.join(pages.ROOT, "bench", "results"))
        self.assertGreater(len(results), 10)
        named = []
        folder = os.path.join(pages.ROOT, "docs", "results")
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                text = file.read()
            self.assertEqual(text, tables.fill(text, results), f"{name}: run scripts/generate-docs")
            found = [match[1] for match in tables.BLOCK.findall(text)]
            self.assertEqual(len(found), text.count("<!-- table:"), f"{name}: a block without its end")
            named += found
        self.assertEqual(sorted(named), sorted(tables.TABLES))


if __name__ == "__main__":
    unittest.main()
