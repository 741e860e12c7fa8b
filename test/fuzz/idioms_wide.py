# Shapes that are harder to prove: parts of buffers, other capacities, pointers in
# other homes, buffers with several partners, overlap of copies and kernels. Many
# are safe; Echo may decline them, and their recall is told apart.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Wide idioms. Each takes a Builder and appends a program's statements."""
from builder import PAGEABLE, PINNED
from model import ref


def _round(b, h, d, n):
    """One upload, kernel and download of n elements."""
    b.fill(h, count=n)
    b.copy(d, h, "h2d", n)
    b.in_place(d, count=n)
    b.copy(h, d, "d2h", n)
    b.read(h, count=n)


def prefix(b):
    """Only a part, from the start, is used."""
    h, d = b.pair(b.rng.choice((24, 32)))
    _round(b, h, d, b.rng.choice((8, 12)))
    b.free(h, d)


def capacity(b):
    """The device buffer is larger, or the host buffer is."""
    n = b.rng.choice((16, 24))
    sizes = [n, n + 8]
    b.rng.shuffle(sizes)
    h, d = b.host(sizes[0]), b.device(sizes[1])
    _round(b, h, d, n)
    b.free(h, d)


def chunks(b):
    """Copies of chunks that cover the buffer."""
    h, d = b.pair(32, PAGEABLE + PINNED)
    b.fill(h)
    with b.loop(4) as i:
        b.copy(ref(d, f"{i} * 8"), ref(h, f"{i} * 8"), "h2d", 8)
    b.in_place(d)
    with b.loop(4) as i:
        b.copy(ref(h, f"{i} * 8"), ref(d, f"{i} * 8"), "d2h", 8)
    b.read(h)
    b.free(h, d)


def offset(b):
    """The copy goes to another place of the buffer."""
    h, d = b.pair(32)
    b.fill(h)
    b.copy(ref(d, 8), ref(h, b.rng.choice((0, 8, 16))), "h2d", 16)
    b.launch("scale", ref(d, 8), 16, 3)
    b.copy(ref(h, 8), ref(d, 8), "d2h", 16)
    b.read(h, 8, 16)
    b.free(h, d)


def staging(b):
    """One host buffer for two device buffers."""
    n = b.size()
    h, d = b.pair(n)
    other = b.device(n)
    b.fill(h)
    b.up(d, h)
    b.fill(h)
    b.up(other, h)
    b.launch("accumulate", d, other, n)
    b.down(h, d)
    b.read(h)
    b.free(h, d, other)


def in_and_out(b):
    """One device buffer between an input and an output of the host."""
    n = b.size()
    x, d = b.pair(n)
    y = b.host(n)
    b.fill(x)
    b.up(d, x)
    b.in_place(d)
    b.down(y, d)
    b.read(y)
    if b.rng.random() < 0.5:
        b.read(x)
    b.free(x, y, d)


def previous(b):
    """The host buffer is read or sent again after the kernel."""
    h, d = b.pair()
    b.fill(h)
    b.up(d, h)
    b.in_place(d)
    if b.rng.random() < 0.5:
        b.up(d, h)
        b.in_place(d)
    b.down(h, d) if b.rng.random() < 0.5 else b.read(h)
    b.read(h)
    b.free(h, d)


def ping_pong(b):
    """Two device buffers that change places."""
    n = b.size()
    h, d = b.pair(n)
    y, other = b.pair(n)
    b.fill(h)
    b.up(d, h)
    with b.loop(b.rng.randrange(1, 4)):
        b.transform(other, d)
        b("swap", a=d, b=other)
    b.down(y, d)
    b.read(y)
    b.free(h, y, d, other)


def part_of_output(b):
    """A kernel that writes some of its output."""
    n = b.size()
    x, dx = b.pair(n)
    y, dy = b.pair(n)
    b.fill(x)
    b.up(dx, x)
    if b.rng.random() < 0.6:
        b.memset(dy)
    else:
        b.fill(y)
        b.up(dy, y)
    if b.rng.random() < 0.5:
        b.launch("inner", dy, dx, n)
    else:
        b.launch("maybe", dy, dx, n, 4)
    b.down(y, dy)
    b.read(y)
    b.free(x, y, dx, dy)


def globals_(b):
    b.home = "global"
    h, d = b.pair(hows=("malloc", "calloc"))
    _round(b, h, d, b.count[h])
    b.free(h, d)


def heap_struct(b):
    b.home = "heap"
    h, d = b.pair(hows=("malloc", "new", "pinned"))
    _round(b, h, d, b.count[h])
    b.free(h, d)


def pointer_arrays(b):
    b.home = "array"
    n = b.size()
    x, dx = b.pair(n, ("malloc", "new", "pinned"))
    y, dy = b.pair(n, ("malloc", "new", "pinned"))
    b.fill(x)
    b.up(dx, x)
    b.transform(dy, dx)
    b.down(y, dy)
    b.read(y)
    b.free(x, y, dx, dy)


def aggregate(b):
    h, d = b.pair()
    b.fill(h)
    b.up(d, h)
    b.launch("aggregate", d, b.count[d])
    b.down(h, d)
    b.read(h)
    b.free(h, d)


def device_copy(b):
    n = b.size()
    h, d = b.pair(n)
    other = b.device(n)
    b.fill(h)
    b.up(d, h)
    b.copy(other, d, "d2d", n, b.rng.random() < 0.5)
    b.in_place(other)
    b.down(h, other if b.rng.random() < 0.5 else d)
    b.read(h)
    b.free(h, d, other)


def zero_copy(b):
    """A kernel works on the pinned host buffer itself, too."""
    n = b.size()
    h, d = b.pair(n, PINNED)
    b.fill(h)
    b.up(d, h)
    b.launch("accumulate", d, h, n)
    b.wait("", "device")
    b.read(h)
    b.down(h, d)
    b.read(h)
    b.free(h, d)


def double_buffer(b):
    """Frame i is uploaded while frame i - 1 is worked on."""
    n = b.size(dynamic=False)
    s, t = b.stream(), b.stream()
    xs, ds = [], []
    for _ in range(2):
        x, d = b.pair(n, PINNED)
        xs.append(x)
        ds.append(d)
    for i in range(b.rng.randrange(2, 5)):
        x, d, stream = xs[i % 2], ds[i % 2], (s, t)[i % 2]
        b.fill(x, seed=i)
        b.up(d, x, True, stream)
        b.in_place(d, stream)
        b.down(x, d, True, stream)
        if i:
            b.wait((s, t)[(i - 1) % 2], "stream")
            b.read(xs[(i - 1) % 2])
    b.wait("", "device")
    b.read(xs[0])
    b.free(*xs, *ds)


def looked_at(b):
    """The program looks at an address."""
    h, d = b.pair(hows=("malloc", "new", "pinned"))
    if b.rng.random() < 0.5:
        b("observe", what="compare", a=h, b=d)
    else:
        b("observe", what="integer", a=b.rng.choice((h, d)))
    _round(b, h, d, b.count[h])
    b.free(h, d)


def alias(b):
    """A second name for the host buffer."""
    h, d = b.pair(24, ("malloc", "new", "pinned"))
    other = b.fresh("q", "host", "local")
    b("assign", var=other, ref=ref(h, b.rng.choice((0, 8))))
    b.fill(h)
    b.up(d, h)
    b.in_place(d)
    b("poke", ref=ref(other, 2), value=7) if b.rng.random() < 0.4 else b("peek", ref=ref(other, 3))
    b.down(h, d)
    b("peek", ref=ref(other, 1))
    b.free(h, d)


def free_early(b):
    """One side goes before the other's last use."""
    h, d = b.pair()
    b.fill(h)
    b.up(d, h)
    if b.rng.random() < 0.5:
        b.free(h)
        b.in_place(d)
        y = b.host(b.count[d])
        b.down(y, d)
        b.read(y)
        b.free(y, d)
    else:
        b.in_place(d)
        b.down(h, d)
        b.free(d)
        b.read(h)
        b.free(h)


def host_copies(b):
    n = b.size()
    h, d = b.pair(n)
    other = b.host(n, ("malloc", "new"))
    b.fill(other)
    b("hcopy", dst=ref(h), src=ref(other), count=n)
    b.up(d, h)
    b.in_place(d)
    b.down(h, d)
    b("hcopy", dst=ref(other), src=ref(h), count=n)
    b.read(other)
    b.free(h, d, other)


def reallocated(b):
    """The same variables hold other buffers later."""
    for _ in range(2):
        h = d = None
        if "h0" in b.p.variables:
            h, d = "h0", "d0"
            n = b.size()
            b("alloc_h", var=h, how="malloc", count=n)
            b("alloc_d", var=d, how="malloc", count=n)
            b.how[h], b.count[h], b.count[d] = "malloc", n, n
        else:
            h, d = b.pair(hows=("malloc",))
        _round(b, h, d, b.count[h])
        b.free(h, d)


def grown(b):
    """A vector that grows element by element before its device buffer comes, once or in each round."""
    def once():
        n = b.size()
        h, d = b.host(n, ("vector_pushed",)), b.device(n)
        _round(b, h, d, n)
        if b.rng.random() < 0.4:
            b.in_place(d, count=n)
            if b.rng.random() < 0.5:
                b.read(h, count=n)
        if b.rng.random() < 0.7:
            b.free(h, d)
        else:
            b.free(d, h)
    if b.rng.random() < 0.5:
        with b.loop(3):
            once()
    else:
        once()


def twice_called(b):
    """One function that does it all, called twice."""
    n = b.size(dynamic=False)
    outer, b.body = b.body, []
    h, d = "h", "d"
    b("alloc_h", var=h, how="malloc", count=n)
    b("alloc_d", var=d, how="malloc", count=n)
    b("fill", ref=ref(h), count=n, seed="seed")
    b.copy(d, h, "h2d", n)
    b("launch", kernel="scale", args=[ref(d), n, 2], stream="")
    b.copy(h, d, "d2h", n)
    b("sum", ref=ref(h), count=n)
    b("free_d", var=d)
    b("free_h", var=h, how="malloc")
    body, b.body = b.body, outer
    b.p.helpers.append({"name": "all", "params": [["seed", "int"]], "locals": [["h", "host"], ["d", "dev"]],
                        "body": body})
    b("call", helper="all", args=[3])
    with b.loop(2) as i:
        b("call", helper="all", args=[i])


IDIOMS = (prefix, capacity, chunks, offset, staging, in_and_out, previous, ping_pong, part_of_output,
          globals_, heap_struct, pointer_arrays, aggregate, device_copy, zero_copy, double_buffer,
          looked_at, alias, free_early, host_copies, reallocated, grown, twice_called)
