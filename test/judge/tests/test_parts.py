# Tests of the judge's parts, without a compiler.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import outputs
import pairs
import programs
import sizes
import smaller
import suggestions
import tables
import variants


def outcome(text, status=0, **files):
    return outputs.Outcome(status, {"stdout": text.split(), **{k: v.split() for k, v in files.items()}})


def write(folder, name, text):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)
    return path


class Differences(unittest.TestCase):
    def test_word_that_never_varies(self):
        found = outputs.differences([outcome("sum 3 time 8"), outcome("sum 3 time 9")], outcome("sum 4 time 7"))
        self.assertEqual(found, [("stdout", 1, "3", "4")])

    def test_word_that_varies_as_written(self):
        self.assertEqual(outputs.differences([outcome("sum 3 time 8"), outcome("sum 3 time 9")],
                                             outcome("sum 3 time 7")), [])

    def test_time_that_differs_here_and_there(self):
        plain = [outcome("1 0.1 0.1 0.1")] * 3
        first, second = (outputs.differences(plain, outcome(text)) for text in ("2 0.2 0.1 0.1", "3 0.1 0.2 0.1"))
        self.assertEqual(outputs.lasting(first, second), [("stdout", 0, "1", "3")])

    def test_status_and_time_limit(self):
        self.assertTrue(outputs.differences([outcome("a")], outcome("a", status=1)))
        self.assertTrue(outputs.differences([outcome("a")], outcome("a", status=None)))

    def test_fewer_words(self):
        self.assertTrue(outputs.differences([outcome("a b"), outcome("a b")], outcome("a")))
        self.assertEqual(outputs.differences([outcome("a b"), outcome("a b c")], outcome("a")), [])

    def test_files_that_are_written(self):
        plain = [outcome("", out="1 2"), outcome("", out="1 2")]
        self.assertEqual(outputs.differences(plain, outcome("", out="1 2")), [])
        self.assertTrue(outputs.differences(plain, outcome("", out="1 3")))
        self.assertTrue(outputs.differences(plain, outcome("")))
        self.assertTrue(outputs.differences([outcome("")], outcome("", out="1")))


class Runs(unittest.TestCase):
    def test_what_is_put_out(self):
        with tempfile.TemporaryDirectory() as folder:
            write(folder, "old", "x")
            got = outputs.run("sh -c 'echo a b; echo c >&2; echo d > new; exit 3'", folder, 10, {})
            self.assertEqual(got.status, 3)
            self.assertEqual(got.texts, {"stdout": ["a", "b"], "stderr": ["c"], "file new": ["d"]})

    def test_time_limit_ends_children_too(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertIsNone(outputs.run("sleep 60 | sleep 60", folder, 0.05, {}).status)
            self.assertIsNone(outputs.run("sh -c 'while :; do :; done'", folder, 1, {}).status)

    def test_kernel_that_stops_is_no_good_run(self):
        with tempfile.TemporaryDirectory() as folder:
            got = outputs.run("echo 'echo-cpu: error: kernel k' >&2", folder, 10, {})
            self.assertEqual((got.good, got.ending), (False, "a kernel stops with an error"))
            self.assertTrue(outputs.run("echo error: no >&2", folder, 10, {}).good)


class Sizes(unittest.TestCase):
    def test_repetitions_first(self):
        self.assertEqual(sizes.smaller("./main 16777216 100"),
                         ["./main 16777216 100", "./main 16777216 2", "./main 2097152 2", "./main 262144 2",
                          "./main 16384 2", "./main 2048 2"])

    def test_many_small_sizes(self):
        self.assertEqual(sizes.smaller("./main 2 224 224 100")[1:], ["./main 2 224 224 2", "./main 2 28 28 2"])

    def test_only_integers_of_their_own(self):
        self.assertEqual(sizes.smaller("./main -f data/a1024.txt 0.512 v3"), ["./main -f data/a1024.txt 0.512 v3"])


class Smaller(unittest.TestCase):
    LEAST, LESS, LARGE = smaller.RECIPES

    def check(self, old, new, recipe=LESS):
        self.assertEqual(smaller.changed(old, recipe), new)

    def test_sizes_of_every_form(self):
        self.check("#define N 12000\n", "#define N 160\n")
        self.check("const int n = 1 << 20;", "const int n = 1 << 14;")
        self.check("unsigned a = 25000UL, b = 3 * 1024;", "unsigned a = 384UL, b = 3 * 128;")
        self.check("int n = argc > 1 ? atoi(argv[1]) : 8192;", "int n = argc > 1 ? atoi(argv[1]) : 256;")
        self.check("const int NSIZE = 2003, m = 1 << 9;", "const int NSIZE = 250, m = 1 << 8;")
        self.check("for (int i = 0; i <= 65536; i++)", "for (int i = 0; i <= 1024; i++)")
        self.check("CFLAGS += -DSIZE=100000 -DCHECK", "CFLAGS += -DSIZE=1536 -DCHECK")
        self.check("const int iterations = 1000, steps = 7;", "const int iterations = 2, steps = 2;")

    def test_other_numbers_stay(self):
        for text in ("#define BLOCK_SIZE 256\n", "int threadsPerBlock = 512;", "const int seed = 10000;",
                     "int key = 0x10000;", "long ns = 1000000000;", "float f = 4096.5f;", "p = malloc(4096);",
                     "if (n == 4096) f();", "kernel<<<n / 256, 256>>>(d);", "// n = 4096;", "a[1024] = 0;",
                     "#define F(x) 4096\n", "int runs = 2;", "int n = 1 << 8;"):
            self.check(text, text)

    def test_recipe_that_leaves_blocks_alone(self):
        self.check("int n = 65536, m = 1024, reps = 9;", "int n = 4096, m = 1024, reps = 2;", self.LARGE)

    def test_large_numbers_become_small(self):
        self.check("int n = 1 << 24, m = 100000, k = 256;", "int n = 1 << 12, m = 192, k = 32;", self.LEAST)

    def test_copy_says_what_it_changed(self):
        with tempfile.TemporaryDirectory() as folder:
            write(folder, "p/src/a.cuh", "\nint n = 8192;\n")
            write(folder, "p/data.txt", "n = 8192;\n")
            target = os.path.join(folder, "p.smaller")
            self.assertEqual(smaller.copy(os.path.join(folder, "p"), target, self.LARGE),
                             ["src/a.cuh:2: int n = 512;"])
            with open(os.path.join(target, "data.txt")) as file:
                self.assertEqual(file.read(), "n = 8192;\n")


class Programs(unittest.TestCase):
    def test_folders_with_makefile_and_source(self):
        with tempfile.TemporaryDirectory() as folder:
            write(folder, "a/Makefile", "all:\n")
            write(folder, "a/a.cu", "")
            write(folder, "b/Makefile", "all:\n")
            write(folder, "c/c.cu", "")
            write(folder, "d/Makefile", "all:\n")
            write(folder, "d/src/d.cu", "")
            self.assertEqual([p.path for p in programs.find([folder])], ["a", "d"])

    def test_list(self):
        with tempfile.TemporaryDirectory() as folder:
            entry = {"name": "x", "folder": "a", "build": ["nvcc x.cu"], "run": ["./x"]}
            path = write(folder, "list.json", json.dumps({"corpus": "c", "tree": ".", "programs": [entry]}))
            (found,) = programs.find([path])
            self.assertEqual((found.corpus, found.name, found.build, found.run), ("c", "x", ["nvcc x.cu"], ["./x"]))
            copy = found.smaller(smaller.RECIPES[0])
            self.assertEqual((copy.name, copy.path, copy.origin), ("x", "a.smaller-x", "a"))
            for text in ("{", '{"corpus": "c", "tree": "."}', '{"corpus": "c", "tree": ".", "programs": [{}]}'):
                with self.assertRaises(programs.ListError):
                    programs.find([write(folder, "list.json", text)])
            with self.assertRaises(programs.ListError):
                programs.find([os.path.join(folder, "none")])

    def test_lines_of_scripts(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("main", "bin/other"):
                os.chmod(write(folder, name, "\x7fELF"), 0o755)
            os.chmod(write(folder, "run", "#!/bin/sh"), 0o755)
            text = "echo x\n./main 1 \\\n 2\nmake\n bin/other\n./run\n./none"
            self.assertEqual(variants.started(text, folder), ["./main 1   2", "bin/other"])


def entry(host, verdict="declined", result=None, reason="S1"):
    pair = {"host": {"file": "a.cu", "line": host, "column": 1}, "device": {"file": "a.cu", "line": 90, "column": 1},
            "verdict": verdict, "id": None if verdict == "unified" else reason}
    return {**pair, "result": result} if result else pair


class Pairs(unittest.TestCase):
    def join(self, merged, checked):
        with tempfile.TemporaryDirectory() as folder:
            first = write(folder, "m.json", json.dumps({"units": [{"pairs": merged}]}))
            second = write(folder, "c.json", json.dumps({"pairs": checked}))
            return [pair.to_data() for pair in pairs.join(first, folder, second, folder)]

    def test_worst_result_counts(self):
        (got,) = self.join([entry(1, "unified")], [entry(1, "unified", "safe"), entry(1, "unified", "refuted")])
        self.assertEqual((got["merged"], got["result"]), ("yes", "refuted"))

    def test_helper_that_merges_in_one_caller(self):
        (got,) = self.join([entry(1, "unified"), entry(1)], [entry(1, "unified", "safe")])
        self.assertEqual((got["merged"], got["result"], got["reason"]), ("in part", "safe", "S1"))

    def test_pair_that_was_not_followed_is_not_safe(self):
        got = self.join([entry(1), entry(2), entry(3)],
                        [entry(2, result="not-run"), entry(3, result="not-followed"), entry(3, result="safe")])
        self.assertEqual([pair["result"] for pair in got], ["not-checked", "not-run", "not-followed"])


PATCH = "--- a.cu\n+++ a.cu\n@@ -1,1 +1,1 @@\n-old\n+new\n"


class Suggesting:
    """A build that finds `patch` for a program in `folder`."""

    patches_go_to = None

    def __init__(self, folder, patch):
        self.folder, self.patch = folder, patch

    def where(self, _program):
        return self.folder

    def build(self, _program, _report, _limit):
        for name, text in (("1.patch", self.patch), ("1.folder", self.folder + "\n")):
            with open(os.path.join(self.patches_go_to, name), "w", newline="") as file:
                file.write(text)


class Suggestions(unittest.TestCase):
    def test_patch_starts_from_the_sources_each_time(self):
        with tempfile.TemporaryDirectory() as folder:
            write(folder, "fresh/src/a.cu", "old\n")
            path = write(folder, "copy/src/a.cu", "something else\n")
            for _ in range(2):
                suggestions.apply([("src", PATCH)], os.path.join(folder, "copy"), os.path.join(folder, "fresh"))
                with open(path) as file:
                    self.assertEqual(file.read(), "new\n")

    def test_patch_keeps_the_line_ends_of_its_file(self):
        with tempfile.TemporaryDirectory() as folder:
            variant = Suggesting(folder, "--- a.cu\n+++ a.cu\n@@ -1,1 +1,1 @@\n-old\r\n+new\r\n")
            patches, _ = suggestions.find(variant, None, os.path.join(folder, "report"), 1)
            path = write(folder, "a.cu", "")
            with open(path, "wb") as file:
                file.write(b"old\r\n")
            suggestions.apply(patches, folder, None)
            with open(path, "rb") as file:
                self.assertEqual(file.read(), b"new\r\n")

    def test_patch_that_does_not_apply(self):
        with tempfile.TemporaryDirectory() as folder:
            write(folder, "a.cu", "other\n")
            with self.assertRaises(suggestions.PatchError):
                suggestions.apply([(".", PATCH)], folder, None)

    def test_counts(self):
        pairs = [{"verdict": "unified"}, {"verdict": "declined", "id": "rival"},
                 {"verdict": "declined", "id": "rival", "suggested": {"what": "copy"}}]
        with tempfile.TemporaryDirectory() as folder:
            path = write(folder, "r.json", json.dumps({"units": [{"pairs": pairs}]}))
            self.assertEqual(suggestions.counts(path), {"merged": 1, "declined": 2, "suggested": [["rival", "copy"]],
                                                        "reasons": {"rival": 2}})


class Tables(unittest.TestCase):
    def test_recall_and_reasons(self):
        def pair(merged, result, reason=None):
            return {"merged": merged, "result": result, "reason": reason}

        records = [{"corpus": "a", "program": "x", "stage": "judged", "failures": [], "notes": [],
                    "pairs": [pair("yes", "safe"), pair("no", "safe", "late"), pair("no", "refuted", "S1")]},
                   {"corpus": "a", "program": "y", "stage": "built", "failures": ["bad"], "notes": ["slow"], "pairs": []}]
        summary = tables.Summary(records)
        ((name, row),) = summary.rows()
        cells = dict(zip(tables.Row.COLUMNS, row.cells))
        self.assertEqual((name, cells["programs"], cells["ran"], cells["recall"]), ("a", 2, 1, "50.0 %"))
        self.assertEqual((cells["refuted"], cells["declined refuted"], cells["failures"]), (0, 1, 1))
        self.assertEqual(summary.missed(), {"late": 1})
        self.assertNotIn("smaller", summary.text())
        records[0]["smaller"] = ["x.cu:1: int n = 2;"]
        self.assertIn("smaller constants in their sources: 1.", summary.text())


if __name__ == "__main__":
    unittest.main()
