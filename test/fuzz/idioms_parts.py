# Programs whose copies move parts of buffers, or one of several buffers: loops of
# chunks, device buffers that take turns, buffers that change places. Some leave
# out a chunk, a wait or a free. They decide nothing; the oracle says what is true.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Idioms of partial and chosen copies. Each takes a Builder and appends a program's statements."""
from builder import PAGEABLE, PINNED
from model import ref


def _chunked(b, dst, src, direction, leave_out, stream=""):
    """Copies 32 elements in chunks of 8, but for the last if `leave_out`."""
    with b.loop(3 if leave_out else 4) as i:
        b.copy(ref(dst, f"{i} * 8"), ref(src, f"{i} * 8"), direction, 8, bool(stream), stream)


def chunks_again(b):
    """Rounds of chunks up, an in-place kernel, chunks down; perhaps not all of them."""
    h, d = b.pair(32, PAGEABLE + PINNED)
    stream = b.stream() if b.rng.random() < 0.4 else ""
    up_short, down_short = b.rng.random() < 0.2, b.rng.random() < 0.2
    b.fill(h)
    if up_short:
        b.up(d, h)
    with b.loop(b.rng.randrange(1, 4)):
        _chunked(b, d, h, "h2d", up_short, stream)
        b.in_place(d, stream)
        _chunked(b, h, d, "d2h", down_short, stream)
        b.wait(stream, "stream" if stream else "device")
        b.read(h)
        if b.rng.random() < 0.6:
            b.fill(h)
    b.free(h, d)


def chunk_and_work(b):
    """Each chunk is uploaded, changed and perhaps downloaded at once; kernels may change others, too."""
    h, d = b.pair(32, PAGEABLE)
    b.fill(h)
    back = b.rng.random() < 0.5
    with b.loop(4) as i:
        b.copy(ref(d, f"{i} * 8"), ref(h, f"{i} * 8"), "h2d", 8)
        b.launch("scale", ref(d, f"{i} * 8"), 8, 3)
        if back:
            b.copy(ref(h, f"{i} * 8"), ref(d, f"{i} * 8"), "d2h", 8)
    if not back:
        b.down(h, d)
    b.read(h)
    b.free(h, d)


def turns(b):
    """One host buffer with a device buffer for each of several phases."""
    n = b.size()
    h = b.host(n, PAGEABLE + PINNED)
    b.fill(h)
    late = []
    for _ in range(b.rng.randrange(2, 4)):
        d = b.device(n)
        b.up(d, h)
        b.in_place(d)
        b.wait("", "device")
        b.down(h, d)
        b.read(h)
        if b.rng.random() < 0.75:
            b.free(d)
        else:
            late.append(d)
        if b.rng.random() < 0.4:
            b.fill(h)
    if late and b.rng.random() < 0.5:
        b.down(h, late[0])
        b.read(h)
    b.free(h, *late)


def chosen(b):
    """A copy comes from one of two device buffers, after some changes of place."""
    n = b.size()
    h, d = b.pair(n)
    other = b.device(n)
    b.fill(h)
    b.up(d, h)
    b.produce(other)
    with b.loop(b.rng.choice((1, 2, "arg % 3 + 1"))):
        if b.rng.random() < 0.5:
            b.transform(other, d)
        elif b.rng.random() < 0.5:
            b.copy(other, d, "d2d", n, b.rng.random() < 0.5)
        b("swap", a=d, b=other)
    b.down(h, d)
    b.read(h)
    if b.rng.random() < 0.4:
        b("swap", a=d, b=other)
        b.in_place(d)
        b.down(h, d)
        b.read(h)
    if b.rng.random() < 0.3:
        b.fill(h)
        b.up(d, h)
        b.in_place(d)
        b.down(h, d)
        b.read(h)
    b.free(h, d, other)


def host_turns(b):
    """Functions that look at one device buffer, or fill it, each with a host buffer of its own."""
    n = b.size()
    d = b.device(n)
    stream = b.stream() if b.rng.random() < 0.4 else ""
    b.memset(d)
    late = []

    def look():
        h = b.host(n, PAGEABLE + PINNED if b.rng.random() < 0.2 else PAGEABLE)
        if b.rng.random() < 0.4:
            b.fill(h)
            if b.rng.random() < 0.8:
                b.up(d, h, bool(stream), stream)
        b.in_place(d, stream)
        if b.rng.random() < 0.85:
            b.wait(stream, "stream" if stream else "device")
        b.down(h, d)
        b.read(h)
        if b.rng.random() < 0.8:
            b.free(h)
        else:
            late.append(h)

    look()
    with b.loop(b.rng.randrange(1, 4)):
        h = b.host(n, PAGEABLE)
        b.in_place(d, stream)
        b.down(h, d)
        b.read(h)
        if b.rng.random() < 0.3:
            b.fill(h)
        b.free(h)
    look()
    if late and b.rng.random() < 0.5:
        b.read(late[0])
    b.free(d, *late)


IDIOMS = (chunks_again, chunk_and_work, turns, chosen)
ALONE = (host_turns,)  # for campaigns of their own: seed host_turns@WORD
