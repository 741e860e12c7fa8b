# Generated programs for a real GPU: files of many programs, each as it is and with
# kernels that take their time, and what the machine says that they print. A kernel of
# a few elements is over before the host goes on, so that a missing wait would not show.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Batches for bench/prepare-gpu-verification."""
import os
import random
import re

import campaign
import generate
from toolchain import Source
from truth import Truth

START = "unsigned i = blockIdx.x * blockDim.x + threadIdx.x;"
WAIT = ("static __attribute__((device)) void take_time(long long cycles) "
        "{ long long start = clock64(); while (clock64() - start < cycles) ; } ")
# Processor cycles of an H200: about 20 us and 250 us.
SHORT, LONG = 40_000, 500_000


def slow_batch(text, seed):
    """The file `text` with a wait in every kernel, short or long. Lines stay where they are."""
    rng = random.Random(seed)
    count = text.count(START)
    if not count:
        raise ValueError("no kernel in the batch")
    text = re.sub(re.escape(START), lambda m: f"{START} take_time({rng.choice((SHORT, LONG))});", text)
    return text.replace("__device__ void *kept_pointer;", WAIT + "__device__ void *kept_pointer;", 1)


def slow_source(text):
    """A hand-written source or header with a long wait in every kernel."""
    text, count = re.subn(r"__global__[^;{]*\{", lambda m: f"{m.group()} take_time({LONG});", text)
    if not count:
        return text
    return f"#ifndef TAKE_TIME\n#define TAKE_TIME\n{WAIT}\n#endif\n{text}"


class GpuBatch:
    """One file of programs that share the kind of default stream."""

    def __init__(self, name, numbered, folder):
        self.name, self.names = name, [key for key, _ in numbered]
        programs = [program for _, program in numbered]
        self.per_thread = programs[0].per_thread
        self.source = Source(programs, os.path.join(folder, name + ".cu"))
        self.expected = {}
        for i, program in enumerate(programs):
            for arg, lines in Truth(program).outputs.items():
                self.expected[f"{i}:{arg}"] = lines

    def slow(self, folder):
        """Writes the file with slow kernels; its path."""
        path = os.path.join(folder, self.name + "-slow.cu")
        with open(self.source.path) as file:
            text = file.read()
        with open(path, "w") as file:
            file.write(slow_batch(text, self.name))
        return path


def resets(program):
    return any(s["op"] == "reset" for s in program.statements())


def make(seed, count, size, folder):
    """Programs 0 to count-1 of `seed`, and everything that once failed, in batches of `size`. Those
    that reset the device have batches of their own, as they share the process with others."""
    numbered = [(f"{seed}:{k}", generate.numbered(seed, k)) for k in range(count)]
    numbered = [item for item in numbered if not any(s["op"] in ("exit", "say")
                                                      for s in item[1].statements())]
    numbered += [("regression/" + name, program) for name, program in campaign.regressions()]
    batches = []
    # A reset takes a GPU as long as a hundred other programs.
    for stem, kind, size in (("batch", False, size), ("resets", True, 10)):
        items = [item for item in numbered if resets(item[1]) == kind]
        batches += [GpuBatch(f"{stem}{i:03}", batch, folder)
                    for i, batch in enumerate(campaign.split(items, size))]
    return batches
