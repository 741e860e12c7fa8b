# The record of long campaigns: one row a seed and commit, other rows as they were; and
# what a campaign takes without words on the command line.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import re
import tempfile
import unittest

import script  # noqa: F401  (the path of the modules)
import campaign
import recall
import record


class Recording(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "results", "campaigns.md")

    def row(self, seed, hours, programs, names=()):
        tally = recall.Tally()
        tally.counts["programs"] = programs
        tally.counts["unsafe merges"] = len(names)
        return record.row_of(seed, hours * 3600, tally, list(names))

    def test_one_row_a_seed(self):
        record.write(self.row("a", 1, 100), self.path)
        record.write(self.row("b", 2, 50, ["b:7"]), self.path)
        record.write(self.row("a", 1, 300), self.path)
        table = record.rows(self.path)
        self.assertEqual([(row[2], row[3], row[4], row[-1]) for row in table],
                         [("a", "2.0", "300", "nothing"), ("b", "2.0", "50", "b:7")])

    def test_another_commit_is_another_row(self):
        first, second = self.row("a", 1, 100), self.row("a", 1, 100)
        second[1] += "x"
        record.write(first, self.path)
        record.write(second, self.path)
        self.assertEqual(len(record.rows(self.path)), 2)

    def test_columns(self):
        self.assertEqual(len(self.row("a", 1, 1)), len(record.COLUMNS))


class Options(unittest.TestCase):
    def test_fresh_seed_beside_the_fixed_one(self):
        short = campaign.parse_options([])
        self.assertEqual((short.seed, short.programs, short.fresh), ("1", 160, 60))
        self.assertEqual(campaign.parse_options(["--programs", "9"]).fresh, 9)

    def test_no_fresh_seed_beside_a_chosen_one(self):
        for words in (["--seed", "7"], ["--hours", "2"], ["--whole"]):
            self.assertEqual(campaign.parse_options(words).fresh, 0)

    def test_seed_of_the_day(self):
        self.assertTrue(re.fullmatch(r"day-\d{4}-\d\d-\d\d", campaign.fresh_seed()))


if __name__ == "__main__":
    unittest.main()
