# The documents: links, pages and result files that are named exist, the index has every page, and lines and pages are
# short.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the documents."""
import os
import re
import tempfile
import unittest

import pages

CONDITIONS = "lib/Analysis/Conditions/Conditions.def"
LINES = {"README.md": 100, "CONTRIBUTING.md": 100, "docs/README.md": 40}


class Repository(unittest.TestCase):
    """What is true of all files of the repository."""

    @classmethod
    def setUpClass(cls):
        cls.files = pages.text_files()
        cls.markdown = {path: text for path, text in cls.files.items() if path.endswith(".md")}

    def test_links(self):
        broken = {path: found for path, text in self.markdown.items() if (found := pages.broken_links(path, text))}
        self.assertEqual(broken, {})

    def test_pages_that_files_name(self):
        own = os.path.relpath(__file__, pages.ROOT)
        missing = {path: found for path, text in self.files.items()
                   if path != own and (found := pages.missing_pages(text))}
        self.assertEqual(missing, {})

    def test_results_that_pages_name(self):
        names = set(os.listdir(os.path.join(pages.ROOT, "bench", "results")))
        missing = {path: found for path, text in self.markdown.items()
                   if (found := pages.missing_results(text, names))}
        self.assertEqual(missing, {})

    def test_index(self):
        index = {os.path.normpath(os.path.join("docs", target))
                 for target in pages.links(self.markdown["docs/README.md"])}
        all_pages = {path for path in self.markdown if path.startswith("docs/") and path != "docs/README.md"}
        self.assertGreater(len(all_pages), 10)
        self.assertEqual(all_pages - index, set())

    def test_lines_of_prose(self):
        long = {path: found for path, text in self.markdown.items() if (found := pages.long_lines(text))}
        self.assertEqual(long, {})

    def test_conditions_have_pages(self):
        rows = re.findall(r'^CONDITION\((\w+), "([\w-]+)", "([\w-]+)"\)', self.files[CONDITIONS], re.M)
        self.assertGreater(len(rows), 3)
        for name, _, page in rows:
            self.assertTrue(re.search(rf"\b{name}\b", self.markdown[f"docs/internals/{page}.md"]), name)

    def test_rooms_have_a_page(self):
        rooms = {os.path.dirname(path) for path in self.files
                 if path.startswith(("lib/", "runtime/", "tools/")) and path.endswith(".cpp")}
        self.assertGreater(len(rooms), 30)
        for room in rooms:
            self.assertLessEqual(self.markdown[room + "/README.md"].count("\n"), 15, room)

    def test_length_of_pages(self):
        for path, most in LINES.items():
            self.assertLessEqual(self.markdown[path].count("\n"), most, path)


class Checks(unittest.TestCase):
    """Each check finds what it is for, and nothing else."""

    def test_long_lines(self):
        long = "word " * 30
        text = f"{long}\n| {long} |\n```\n{long}\n```\n\n    {long}\n\n    {long}\n* a\n    {long}\n"
        self.assertEqual(pages.long_lines(text), [1, 11])

    def test_broken_links(self):
        with tempfile.TemporaryDirectory() as root:
            with open(os.path.join(root, "there.md"), "w") as file:
                file.write("# A title\n\n## `code`, and more\n")
            text = ("[a](there.md) [b](gone.md) [c](there.md#a-title) [d](there.md#gone) [e](https://x.y/z.md)\n"
                    "| [f](lost.md) | [g](there.md#code-and-more) |\n\n    h[i](j)\n")
            self.assertEqual(pages.broken_links("page.md", text, root), ["gone.md", "there.md#gone", "lost.md"])

    def test_missing_pages(self):
        text = "# see docs/README.md and docs/gone.md, other/docs/x.md"
        self.assertEqual(pages.missing_pages(text), ["docs/gone.md"])

    def test_missing_results(self):
        names = {"2026-01-01-cpu-a.json"}
        text = "`bench/results/2026-01-01-cpu-a.json` `...-a.json` `results.json` `...-b.json` `2026-01-02-cpu-a.json`"
        self.assertEqual(pages.missing_results(text, names), ["...-b.json", "2026-01-02-cpu-a.json"])


if __name__ == "__main__":
    unittest.main()
