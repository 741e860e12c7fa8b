# Makes one random program: an idiom as it is, an idiom with random changes, or
# random statements over a few buffers. The result is always valid: it has been
# executed on all its inputs without a race or anything undefined. It never looks
# at what Echo would do.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The generator."""
import random

import faults
import idioms_basic
import idioms_life
import idioms_odd
import idioms_overlap
import idioms_parts
import idioms_rules
import idioms_wide
import life
import repair
from builder import PAGEABLE, PINNED, Builder
from change import change

SHARES = (("basic", 0.22), ("wide", 0.16), ("overlap", 0.16), ("odd", 0.12), ("mixed", 0.26), ("soup", 0.08))
IDIOMS = {"basic": idioms_basic.IDIOMS, "wide": idioms_wide.IDIOMS + idioms_parts.IDIOMS, "overlap": idioms_overlap.IDIOMS,
          "odd": idioms_odd.IDIOMS + idioms_rules.IDIOMS + idioms_life.IDIOMS}
ALONE = idioms_parts.ALONE


def _soup(b):
    """Buffers, then statements without a plan."""
    n = b.size(dynamic=False)
    for _ in range(b.rng.randrange(1, 4)):
        b.pair(n, PAGEABLE + PINNED)
    for _ in range(b.rng.randrange(0, 3)):
        b.stream()
    if b.rng.random() < 0.6:
        b.event()
    hosts = [v for v in b.p.variables if v[0] == "h"]
    devices = [v for v in b.p.variables if v[0] == "d"]
    for h in hosts:
        b.fill(h)
    for h, d in zip(hosts, devices):
        b.up(d, h)
        b.in_place(d)
        b.down(h, d)
        b.read(h)


def _write(rng, group, only=None):
    """A program of a group, before it is made valid; if `only`, with that idiom."""
    if group == "soup" and not only:
        builder = Builder(rng, "soup", "mixed")
        _soup(builder)
        count = rng.randrange(6, 14)
    else:
        kind = group if group != "mixed" else rng.choice(("basic", "basic", "wide", "overlap", "odd"))
        idiom = only or rng.choice(IDIOMS[kind])
        builder = Builder(rng, idiom.__name__.strip("_"), group)
        idiom(builder)
        count = rng.randrange(1, 7) if group == "mixed" else 0
    program = builder.done()
    if rng.random() < 0.12:
        program.per_thread = True
    return program, count


def _about_errors(program, rng):
    """Chooses what the program does about errors, where it does nothing yet."""
    if any("fails" in s or "given" in s for s in program.statements()):
        return
    program.check = False
    styles = [s for s in faults.STYLES if s and (s not in faults.LEAVES or faults.can_free_all(program))]
    if life.calls_in_threads(program):
        styles = ["exit", "note"]
    for style in rng.sample(styles, 2):
        program.errors = style
        if repair.problem(program) is None:
            return
    program.errors = ""


def generate(rng, only=None):
    """A valid random program. `rng` (random.Random) decides all but the idiom, if it is `only`."""
    while True:
        x, group = rng.random(), SHARES[-1][0]
        for name, share in SHARES:
            if x < share:
                group = name
                break
            x -= share
        program, changes = _write(rng, group, only)
        if not repair.mend(program, rng):
            continue
        for _ in range(changes):
            attempt = program.clone()
            attempt.number()
            if change(attempt, rng) and repair.mend(attempt, rng, 5):
                program = attempt
        if rng.random() < 0.4:
            program = life.add(program, rng, rng.randrange(1, 5))
        if program.group != "basic" and rng.random() < 0.7:
            repair.thin(program, rng)
        if rng.random() < 0.5:
            _about_errors(program, rng)
        program.views = rng.random() < 0.25
        return program.number()


def numbered(seed, k):
    """Program k of campaign `seed`; a seed IDIOM@WORD has programs of one idiom alone."""
    name = seed.rpartition("@")[0]
    only = next((idiom for idiom in ALONE + sum(IDIOMS.values(), ()) if idiom.__name__ == name), None)
    return generate(random.Random(f"{seed}:{k}"), only)
