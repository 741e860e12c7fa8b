# Makes a program that takes too long on the CPU device do less work: constants of its own
# sources that look like sizes or repetitions become smaller, in a copy of its folder. All
# three builds get the same copy. Nothing else of a program is changed, and the record says
# what was. Numbers that mean something else (blocks, seeds, primes, masks) must stay.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies of programs with smaller constants."""
import os
import re
import shutil

SOURCES = (".cu", ".cuh", ".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".inl", "Makefile", "makefile")
# The least work first: numbers of at least so much are divided by 2 to the power of so much; the first row that fits
# counts. Blocks have at most 1024 threads, so the last one leaves them alone.
RECIPES = (((1 << 20, 12), (1 << 16, 9), (4096, 6), (256, 3)), ((4096, 6), (256, 3)), ((4096, 4),))
LARGEST = 10 ** 9       # numbers above are keys, masks or units of time
REPETITIONS = 2         # what runs several times must run twice
KEPT = re.compile(r"block|thread|tile|warp|lane|seed|prime|mask|mod|version|_h_?$|^_", re.IGNORECASE)
REPEATS = re.compile(r"iter|it_max|repeat|n?reps?$|times$|trials|rounds|n?runs?$|steps$|loops?$", re.IGNORECASE)

NESTED = r"[(](?:[^()]|[(][^()]*[)])*[)]"
NUMBER = r"(?<![\w.])\d+(?=(?:u|l|ul|ull|ll)?(?![\w.]))"
SHIFT = re.compile(rf"({NUMBER})(\w*\s*<<\s*)(\d+)\b")
PLAIN = re.compile(NUMBER, re.IGNORECASE)
# Functions that read a number; what other functions are given is not a size.
CALL = re.compile(r"(?!(?:atoi|atol|atoll|stoi|stol|strtol|int|size_t|sizeof|max|min)\b)\b[A-Za-z_]\w*\s*[(]")
# A macro, a variable or a default argument, a macro of the command line, the end of a loop.
PLACES = (re.compile(r"^([ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+)([\w \t*+<()]+?)(?=[ \t]*(?://.*|/\*.*)?$)", re.M),
          re.compile(rf"((?<![=!<>.\w])\b(\w+)\s*=\s*)(?!=)((?:[\w\s*+<>\[\].?:]|{NESTED})+?)(?=\s*[;,)])"),
          re.compile(r"(-D[ ]?(\w+)=)(\d+)\b"),
          re.compile(r"(\bfor\s*\([^;{}]*;\s*(\w+)\s*<=?\s*)([\w\s*+<()]+)(?=;)"))


def shift_of(value, recipe):
    """By how many bits a number becomes smaller."""
    return next((shift for least, shift in recipe if value >= least), 0)


def less(value, recipe):
    """A number that can be a size, made smaller; others as they are. It stays a multiple of its power of two, up to the
    size of a block or of a warp."""
    if value >= LARGEST or not shift_of(value, recipe):
        return value
    keep = min(value & -value, 256 if value > 1024 else 32)
    return max((value >> shift_of(value, recipe)) // keep, 1) * keep


def expression(name, text, recipe):
    """What `name` is set to, with smaller numbers."""
    if KEPT.search(name) or CALL.search(text):
        return text
    if REPEATS.search(name) and text.strip().isdecimal() and int(text) > REPETITIONS:
        return text.replace(text.strip(), str(REPETITIONS))

    def shifted(match):
        by = int(match[3])
        if 8 < by < LARGEST.bit_length():
            by = max(by - shift_of(1 << by, recipe), 8)
        return match[1] + match[2] + str(by)

    return PLAIN.sub(lambda m: str(less(int(m[0]), recipe)), SHIFT.sub(shifted, text))


def changed(text, recipe):
    """A source's text with smaller constants."""
    def replaced(match):
        line = match.string[match.string.rfind("\n", 0, match.start()) + 1:match.start()]
        return match[0] if "//" in line else match[1] + expression(match[2], match[3], recipe)

    for place in PLACES:
        text = place.sub(replaced, text)
    return text


def differences(name, old, new):
    """["NAME:LINE: new text"] of the lines that differ."""
    return [f"{name}:{number}: {b.strip()}" for number, (a, b) in enumerate(zip(old.split("\n"), new.split("\n")), 1)
            if a != b]


def copy(origin, target, recipe):
    """Copies a program's folder with smaller constants; returns what was changed."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(origin, target, symlinks=True)
    said = []
    for folder, _, names in sorted(os.walk(target)):
        for name in sorted(name for name in names if name.endswith(SOURCES)):
            path = os.path.join(folder, name)
            if os.path.islink(path):
                continue
            with open(path, encoding="latin-1", newline="") as file:
                old = file.read()
            new = changed(old, recipe)
            if new != old:
                with open(path, "w", encoding="latin-1", newline="") as file:
                    file.write(new)
                said += differences(os.path.relpath(path, target), old, new)
    return said
