"""Fails unless each line that a page shows after "$ echo-survey" is a line of a report: shown.py PAGE REPORT."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import re
import sys

page, report = (open(name, encoding="utf-8").read() for name in sys.argv[1:])
block = re.search(r"^    \$ echo-survey .*\n((?:    .*\n)+)", page, re.M).group(1)
printed = {line.strip() for line in report.splitlines()}
shown = [line.strip() for line in block.splitlines()]
missing = [line for line in shown if line not in printed]
if len(shown) < 3 or missing:
    sys.exit("the page shows what the survey does not print:\n" + "\n".join(missing or shown))
