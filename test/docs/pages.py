# Reads the repository's text files and says which links, named pages and named result files do not exist, and which
# lines of prose are too long. It decides from the text alone and changes nothing.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of the documents look at."""
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WIDTH = 120
SKIPPED = re.compile(r"\.|build|out|__pycache__$")  # folders that are no part of the repository
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
PAGE = re.compile(r"(?<![\w./-])docs/[\w./-]*\.md\b")
RESULT = re.compile(r"`(bench/results/|\.\.\.-|results/)?([\w.-]+)\.json`")


def text_files(root=ROOT):
    """{path relative to root: text} of all files that are UTF-8."""
    files = {}
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not SKIPPED.match(name)]
        for name in names:
            path = os.path.join(folder, name)
            try:
                with open(path, encoding="utf-8") as file:
                    files[os.path.relpath(path, root)] = file.read()
            except (UnicodeDecodeError, OSError):
                continue
    return files


def blocks(text):
    """(number, line, is prose) of each line; prose is neither a table row nor a line of a code block."""
    fenced = indented = False
    before = ""
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("```"):
            fenced = not fenced
            yield number, line, False
            continue
        if line.strip():
            indented = line.startswith("    ") and (indented or not before.strip())
        yield number, line, not (fenced or indented or line.startswith("|"))
        before = line


def long_lines(text):
    """The numbers of the lines of prose that are too long."""
    return [number for number, line, prose in blocks(text) if prose and len(line) > WIDTH]


def anchors(text):
    """What links into a page may name: its headings, as GitHub writes them."""
    headings = (line.lstrip("#").strip() for _, line, prose in blocks(text) if prose and line.startswith("#"))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(text):
    """The targets of a page's links, without code blocks and code spans."""
    prose = "\n".join(line for _, line, _ in blocks(text) if line.startswith("|") or not line.startswith("    "))
    prose = re.sub(r"^```.*?^```", "", prose, flags=re.M | re.S)
    return [target for target in LINK.findall(prose) if not re.match(r"\w+:", target)]


def broken_links(path, text, root=ROOT):
    """The relative links of the page `path` that lead nowhere."""
    broken = []
    for target in links(text):
        page, _, anchor = target.partition("#")
        file = os.path.normpath(os.path.join(root, os.path.dirname(path), page)) if page else os.path.join(root, path)
        if not os.path.exists(file):
            broken.append(target)
        elif anchor:
            with open(file, encoding="utf-8") as other:
                if anchor not in anchors(other.read()):
                    broken.append(target)
    return broken


def missing_pages(text, root=ROOT):
    """The pages of docs/ that a file names by a path that does not exist."""
    return sorted({page for page in PAGE.findall(text) if not os.path.exists(os.path.join(root, page))})


def missing_results(text, names):
    """The files of bench/results that a page names and that are not among `names`; "...-x.json" ends with "-x.json"."""
    missing = []
    for prefix, name in RESULT.findall(text):
        if prefix == "...-":
            found = any(other.endswith(f"-{name}.json") for other in names)
        else:
            found = f"{name}.json" in names or not (prefix or re.match(r"\d{4}-", name))
        if not found:
            missing.append(f"{prefix}{name}.json")
    return missing
