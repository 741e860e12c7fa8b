# The innermost loops of an object's machine code, to compare those of two builds.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Innermost loops as lists of instructions.

A loop is what lies between a jump and its earlier target, with no such loop in it. Registers, jump targets and places
on the stack are chosen anew when code around a loop changes; they are left out, so that two loops are equal if they
do the same with the same instructions in the same order. Loops with calls are left out: no host loop of loops.cu has
one, and the calls' targets move.
"""

import collections
import re

import common

INSTRUCTION = re.compile(r"^\s*([0-9a-f]+):\s+(\S+)\s*([^#]*)")
REGISTER = re.compile(r"%(?:[xyz](mm)\d+|[a-z0-9]+)")
STACK = re.compile(r"0x[0-9a-f]+\(%rsp\)")


def functions(path):
    """The instructions of each function: [(address, mnemonic, operands)]."""
    lines = common.run([common.LLVM / "llvm-objdump", "-d", "--no-show-raw-insn", path]).stdout.splitlines()
    found = []
    for line in lines:
        if line.endswith(">:"):
            found.append([])
        elif match := INSTRUCTION.match(line):
            found[-1].append((int(match[1], 16), match[2], match[3].strip()))
    return found


def loops(instructions):
    """The first and last index of each innermost loop of a function."""
    at = {address: index for index, (address, _, _) in enumerate(instructions)}
    spans = set()
    for index, (_, mnemonic, operands) in enumerate(instructions):
        target = re.match(r"0x([0-9a-f]+)", operands) if mnemonic.startswith("j") else None
        start = at.get(int(target[1], 16)) if target else None
        if start is not None and start <= index:
            spans.add((start, index))
    return [(a, b) for a, b in spans if not any((c, d) != (a, b) and a <= c and d <= b for c, d in spans)]


def of_object(path):
    """How often each innermost loop occurs in an object."""
    found = collections.Counter()
    for instructions in functions(path):
        for first, last in loops(instructions):
            body = [(mnemonic, "" if mnemonic.startswith("j") else
                     REGISTER.sub(r"r\1", STACK.sub("stack", operands)))
                    for _, mnemonic, operands in instructions[first:last + 1] if not mnemonic.startswith("nop")]
            if not any(mnemonic.startswith("call") for mnemonic, _ in body):
                found[tuple(body)] += 1
    return found


def compare(plain, other):
    """(innermost loops of the plain object, how many of them the other one has, too)."""
    ours, theirs = of_object(plain), of_object(other)
    return sum(ours.values()), sum((ours & theirs).values())
