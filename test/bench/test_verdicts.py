# Compiles the suite's programs and looks at which pairs merge.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exactly the pairs that the catalog names merge, two in each benchmark, and nothing else is a
pair. NC, the twin of C1 with one managed buffer for each pair, has none. A benchmark whose
library has no header here is left out."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bench"))
from suite import build, catalog  # noqa: E402

BUILD = pathlib.Path(os.environ.get("BENCH_BUILD", ROOT / "build"))


class Verdicts(unittest.TestCase):
    def verdicts(self, bench):
        with tempfile.TemporaryDirectory(prefix="bench-verdicts-") as work:
            report = pathlib.Path(work) / "pairs.json"
            command = [BUILD / "bin" / "echo-c++", "--device=cpu", "-O2", "-c",
                       *catalog.build_flags(bench, "sr", "gpu"), f"--report-json={report}",
                       bench.source, "-o", pathlib.Path(work) / "unit.o"]
            done = subprocess.run([str(word) for word in command], cwd=ROOT, text=True,
                                  capture_output=True, check=False)
            if done.returncode and ".h' file not found" in done.stderr:
                self.skipTest(f"{bench.library} is not installed")
            self.assertEqual(done.returncode, 0, done.stderr)
            return build.verdicts(report)

    def check(self, name):
        bench = catalog.bench(name)
        self.assertEqual(self.verdicts(bench), [bench.pairs, bench.pairs])

    def test_m1(self):
        self.check("M1")

    def test_m2(self):
        self.check("M2")

    def test_m3(self):
        self.check("M3")

    def test_c1(self):
        self.check("C1")

    def test_e1(self):
        self.check("E1")

    def test_e2(self):
        self.check("E2")

    def test_nc(self):
        self.check("NC")


if __name__ == "__main__":
    unittest.main()
