# The glossary defines each term once, in the order of the alphabet, in one or two short sentences.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of docs/glossary.md."""
import os
import re
import unittest

import pages

TERMS = """assumed backing block body candidate condition event identity pair pinned-split plan poll quiescent role root
split verdict view window R1 R2 R3 R4 S1 S2 S3 S4""".split() + ["call path", "erasure check", "linking copy"]
WORDS = 25


def entries(text):
    """[(terms, definition)] of the glossary."""
    items = re.findall(r"^\* (.*?)(?=^\* |\Z)", text, re.M | re.S)
    pairs = (re.split(r"[:,](?= (?!or \*\*))", " ".join(item.split()), maxsplit=1) for item in items)
    return [(re.findall(r"\*\*(.*?)\*\*", head), rest) for head, rest in pairs]


def sentences(definition):
    """The definition's sentences, each a list of words."""
    return [sentence.split() for sentence in re.split(r"(?<=[.;]) ", definition.strip())]


class Glossary(unittest.TestCase):
    """The entries of the page."""

    def setUp(self):
        with open(os.path.join(pages.ROOT, "docs", "glossary.md"), encoding="utf-8") as file:
            self.entries = entries(file.read())

    def test_each_term_once(self):
        self.assertEqual(sorted(term for terms, _ in self.entries for term in terms), sorted(TERMS))

    def test_order(self):
        heads = [terms[0].lower() for terms, _ in self.entries]
        self.assertEqual(heads, sorted(heads))

    def test_sentences(self):
        for terms, definition in self.entries:
            found = sentences(definition)
            self.assertLessEqual(len(found), 2, terms)
            for sentence in found:
                self.assertLessEqual(len(sentence), WORDS, sentence)

    def test_the_parts(self):
        text = "# T\n\n* **a b**: one\n  two. Three; four.\n* **c**, or **d**: five.\n* **e**, six: seven.\n"
        self.assertEqual(entries(text), [(["a b"], " one two. Three; four."), (["c", "d"], " five."),
                                         (["e"], " six: seven.")])
        self.assertEqual([len(words) for words in sentences(" one two. Three; four.")], [2, 1, 1])


if __name__ == "__main__":
    unittest.main()
