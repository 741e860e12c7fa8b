# Smaller arguments for programs that take too long on the CPU device. They must come from
# the program's own command line: integers are made smaller, nothing is added. What runs
# several times must run twice, or what one iteration leaves for the next is not seen.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Command lines of less work."""
import re

INTEGER = re.compile(r"(?<![\w.\-/])\d+(?![\w./])")


def with_last(line, value):
    """`line` with its last integer, which is mostly a number of repetitions, replaced."""
    found = list(INTEGER.finditer(line))
    if not found or int(found[-1].group()) <= value:
        return line
    return line[:found[-1].start()] + str(value) + line[found[-1].end():]


def divided(line, by, least):
    """`line` with its integers of at least `least` divided."""
    return INTEGER.sub(lambda m: str(int(m.group()) // by) if int(m.group()) >= least else m.group(), line)


def smaller(line):
    """`line`, then lines of less and less work, each once."""
    few = with_last(line, 2)
    least = divided(few, 1024, 16384)
    lines = [line, few, divided(few, 8, 256), divided(few, 64, 1024), least, divided(least, 8, 32)]
    return list(dict.fromkeys(lines))
