# Prints the blocks of code of a page that are in a language; with --in, says which lines of a file another one lacks.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import sys


def blocks(lines, language):
    """The lines of all blocks that begin with ```language."""
    inside = None
    for line in lines:
        if line.startswith("```"):
            inside = line[3:].strip() if inside is None else None
        elif inside == language:
            yield line


if sys.argv[1] == "--in":
    with open(sys.argv[2]) as wanted, open(sys.argv[3]) as text:
        there = text.readlines()
        sys.exit("".join(line for line in wanted if line not in there) or None)
with open(sys.argv[1]) as page:
    sys.stdout.writelines(blocks(page, sys.argv[2]))
