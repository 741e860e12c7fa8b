# Programs that go on where others end: the device is reset and used again, buffers leak,
# both buffers of a pair grow, an error path frees what another one keeps.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Idioms of long lives. Each takes a Builder and appends a program's statements."""
from builder import PINNED
from model import ref


def reset_rounds(b):
    """Each round ends with a reset of the device; what it leaks goes with it, or stays the host's."""
    n = b.size(dynamic=False)
    outside = b.rng.random() < 0.3
    h = b.host(n, ("malloc", "new", "calloc")) if outside else None
    lose = b.rng.choice(("", "d", "h", "both"))
    with b.loop(3) as i:
        mine = h or b.host(n, ("malloc", "new", "calloc", *PINNED))
        d = b.device(n)
        b.fill(mine, seed=i)
        b.up(d, mine)
        b.in_place(d)
        b.down(mine, d)
        b.read(mine)
        if lose in ("", "h"):
            b.free(d)
        if not outside and lose in ("", "d") and b.how[mine] not in PINNED:
            b.free(mine)
        with b.branch(b.rng.choice(("1", f"{i} % 2 == 0", "arg != 1"))):
            b("reset")
    if outside:
        b.read(h)
        b.free(h)


def reset_between(b):
    """Two programs in one, with a reset between them; a host buffer may live through it."""
    n = b.size(dynamic=False)
    h, d = b.pair(n, ("malloc", "new", "calloc"))
    for last in (False, True):
        b.fill(h)
        b.up(d, h)
        b.in_place(d)
        b.down(h, d)
        b.read(h)
        if not last:
            if b.rng.random() < 0.5:
                b.free(d)
            b("reset")
            if b.rng.random() < 0.4:
                b.free(h)
                b("alloc_h", var=h, how=b.how[h], count=n)
            b("alloc_d", var=d, how="malloc", count=n)
    b.free(h, d)


def grow_both(b):
    """The host buffer grows by realloc, the device buffer by a new one and a copy."""
    n = b.rng.choice((8, 12, 16))
    h, d = b.pair(n, ("malloc", "calloc"))
    b.fill(h)
    b.up(d, h)
    for _ in range(b.rng.randrange(1, 3)):
        more = b.device(2 * n)
        b.copy(more, d, "d2d", n)
        b.free(d)
        b("assign", var=d, ref=ref(more))
        b("realloc", var=h, count=2 * n)
        b.fill(h, offset=n, count=n)
        b.copy(ref(d, n), ref(h, n), "h2d", n)
        n *= 2
        b.launch("scale", d, n, 3)
        b.copy(h, d, "d2h", n)
        b("sum", ref=ref(h), count=n)
        b.how[h] = "realloc"
    b("free_h", var=h, how="malloc")
    b("free_d", var=d)


def spare_buffer(b):
    """One of two device buffers is chosen anew in each round, and the host buffer goes with either."""
    n = b.size(dynamic=False)
    h, d = b.pair(n)
    spare = b.device(n)
    b.memset(spare, 1)
    with b.loop(3) as i:
        b.fill(h, seed=i)
        b.up(d, h)
        b.in_place(d)
        with b.branch(b.rng.choice((f"{i} == 1", "(acc & 1) == 1", "arg % 2 == 1"))):
            b("swap", a=d, b=spare)
        b.down(h, d)
        b.read(h)
    b.free(h, d, spare)


def results_kept(b):
    """What each round computes is kept in a buffer of its own until the end."""
    n = b.size(dynamic=False)
    x, dx = b.pair(n)
    dy = b.device(n)
    kept = [b.host(n, ("malloc", "new", "pinned")) for _ in range(2)]
    for k, y in enumerate(kept):
        b.fill(x, seed=k)
        b.up(dx, x)
        b.transform(dy, dx)
        b.down(y, dy)
        if b.rng.random() < 0.5:
            b.read(y)
    for y in kept:
        b.read(y)
    b.free(x, dx, dy, *kept)


IDIOMS = (reset_rounds, reset_between, grow_both, spare_buffer, results_kept)
