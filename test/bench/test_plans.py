# Tests of what the suite does with echo-run, by a script in its place.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The script is told what to write and how to end; the suite must take a good plan for what it
says, and everything else for a variant that is not there."""

import json
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench"))
from suite import plans  # noqa: E402

SCRIPT = """#!/bin/sh
echo "$@" >"$ECHO_PLAN_DIR/words"
[ -z "$PLAN" ] || echo "$PLAN" >"$ECHO_PLAN_DIR/a.json"
echo "last words"
exit "$STATUS"
"""


def plan(*choices, enabled=True):
    return {"enabled": enabled, "pairs": [{"choice": c} for c in choices]}


class Plans(unittest.TestCase):
    def prepare(self, text, status=0, timeout=20, script=SCRIPT):
        with tempfile.TemporaryDirectory() as work:
            work = pathlib.Path(work)
            echo_run = work / "echo-run"
            echo_run.write_text(script)
            echo_run.chmod(0o755)
            environment = plans.environment_of(
                {**os.environ, "PLAN": text, "STATUS": str(status)}, work / "plans")
            answer = plans.prepare(echo_run, [pathlib.Path("app"), "--x", 1], environment, timeout)
            words = work / "plans" / "words"
            self.words = words.read_text().split() if words.exists() else None
            return answer

    def test_good_plans(self):
        for choices, got, merged in ((("mapped", "mapped"), "mapped", 2),
                                     (("pinned-split", "managed"), "managed+pinned-split", 1),
                                     (("leave", "system"), "system", 1),
                                     (("leave",), "unchanged", 0), ((), "unchanged", 0)):
            self.assertEqual(self.prepare(json.dumps(plan(*choices))),
                             {"got": got, "merged": merged})
        self.assertEqual(self.words, ["prepare", "--", "app", "--x", "1"])

    def test_a_plan_that_is_not_enabled(self):
        self.assertEqual(self.prepare(json.dumps(plan("mapped", enabled=False))),
                         {"got": "unchanged", "merged": 0})

    def test_what_is_no_plan(self):
        self.assertIn("exit status 3: last words", self.prepare("", status=3)["not_here"])
        self.assertIn("made no plan: last words", self.prepare("")["not_here"])
        for text in ("{", "[]", "{}", '{"enabled": true, "pairs": 1}'):
            self.assertIn("not understood", self.prepare(text)["not_here"], text)
        self.assertIn("timed out", self.prepare("", timeout=0.2,
                                                script="#!/bin/sh\nexec sleep 20\n")["not_here"])
        self.assertIn("echo-run prepare", self.prepare("", script="")["not_here"])


if __name__ == "__main__":
    unittest.main()
