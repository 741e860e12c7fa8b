# Programs that stand at the edge of one rule of the analysis: a write of almost
# all of a buffer, an event that is recorded again, handles that change places,
# copies whose order is needed elsewhere. Merging is wrong in most of them, for
# one reason only. They decide nothing; the oracle says what is true of each.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Idioms at the edge of a rule. Each takes a Builder and appends a program's statements."""
from builder import PAGEABLE, PINNED
from model import ref

HEAP = ("malloc", "new", "calloc", "pinned")


def almost_all(b):
    """Most of h is written after an in-place kernel; the rest is read as it was."""
    n = b.size(dynamic=False)
    h, d = b.pair(n, HEAP)
    how = b.rng.randrange(4)
    b.fill(h)
    b.up(d, h)
    b.in_place(d)
    b.wait("", "device")
    if how == 0:
        b("fill", ref=ref(h), count=n - b.rng.choice((0, 1)), seed=4)
    elif how == 1:
        b("fill", ref=ref(h, 1), count=n - 1, seed=4)
    elif how == 2:
        b("hset", ref=ref(h), count=n - b.rng.choice((0, 4)), value=4)
    else:
        b("fread", ref=ref(h), count=n)
    b("sum", ref=ref(h), count=n)
    b.free(h, d)


def kernel_writes_some(b):
    """The host writes h, then a kernel writes every second element of d, not all."""
    n = b.size(dynamic=False)
    h, d = b.pair(n, HEAP)
    out = b.device(n)
    b.produce(d)
    b.wait("", "device")
    b.fill(h)
    b("sum", ref=ref(h), count=n)
    if b.rng.random() < 0.7:
        b.launch("odd", d, n, 7)
    else:
        b.produce(d)
    b.transform(out, d)
    b.down(h, d)
    b.read(h)
    b.free(h, d, out)


def _used_in_stream(b, kind="nonblocking"):
    """h is uploaded, and a stream's kernel reads d: (h, d, the kernel's output, the stream)."""
    n = b.size(dynamic=False)
    h, d = b.pair(n, PAGEABLE[:6])
    out, s = b.device(n), b.stream(kind)
    b.fill(h)
    b.up(d, h)
    b.wait("", "device")
    return h, d, out, s


def _again(b, h, d, out):
    """h is written anew; then all ends."""
    b("fill", ref=ref(h), count=b.count[h], seed=5)
    b.wait("", "device")
    b.up(d, h)
    b.wait("", "device")
    b.down(h, out)
    b.read(h)
    b.free(h, d, out)


def recorded_again(b):
    """The event that stands for a kernel is recorded again in an idle stream."""
    h, d, out, s = _used_in_stream(b)
    t, e = b.stream(), b.event()
    b.transform(out, d, s)
    b("record", event=e, stream=s)
    if b.rng.random() < 0.8:
        b("record", event=e, stream=t)
    b("sync", how="event", obj=e)
    _again(b, h, d, out)


def recorded_as_other(b):
    """As above, by a second handle of the event, or by one that may be it."""
    h, d, out, s = _used_in_stream(b)
    t, e = b.stream(), b.event()
    other = b.fresh("e", "event", "local")
    if b.rng.random() < 0.7:
        b("alias_event", var=other, of=e)
    else:
        b("new_event", var=other)
    if b.rng.random() < 0.7:
        for statement in b.body:
            if statement["op"] in ("new_event", "alias_event", "new_stream"):
                statement["given"] = True
    b.transform(out, d, s)
    b("record", event=e, stream=s)
    b("record", event=other, stream=t)
    b("sync", how="event", obj=e)
    _again(b, h, d, out)


def recorded_out_of_sight(b):
    """As above, by a function that nobody can see."""
    h, d, out, s = _used_in_stream(b)
    t, e = b.stream(), b.event()
    for statement in b.body:
        if statement["op"] in ("new_event", "new_stream"):
            statement["given"] = b.rng.random() < 0.8
    b.p.helpers.append({"name": "unseen", "params": [["s", "stream"], ["e", "event"]], "hidden": True,
                        "body": [{"op": "record", "event": "e", "stream": "s"}]})
    b.transform(out, d, s)
    b("record", event=e, stream=s)
    b.call("unseen", t, e)
    b("sync", how="event", obj=e)
    _again(b, h, d, out)


def handles_swapped(b):
    """Two streams or two events take turns; the wait is for the one whose turn it is not."""
    h, d, out, s = _used_in_stream(b)
    n, t = b.count[h], b.stream("nonblocking")
    if b.rng.random() < 0.5:
        with b.loop(3) as i:
            b.wait(s, "stream")
            b("fill", ref=ref(h), count=n, seed=i)
            b.up(d, h)
            b.transform(out, d, s)
            b("swap", a=s, b=t)
    else:
        e, f = b.event(), b.event()
        b("record", event=e, stream=t)
        b("record", event=f, stream=t)
        with b.loop(3) as i:
            b("sync", how="event", obj=e)
            b("fill", ref=ref(h), count=n, seed=i)
            b.up(d, h)
            b.transform(out, d, s)
            b("record", event=e, stream=s)
            b("swap", a=e, b=f)
    b.wait("", "device")
    _again(b, h, d, out)


def stream_of_home(b):
    """The stream lives outside the function, or is one of two, by data; it may not be a blocking one."""
    n = b.size(dynamic=False)
    h, d = b.pair(n, PAGEABLE[:6])
    out, other = b.device(n), b.device(n)
    s = b.fresh("s", "stream", b.rng.choice(("global", "global", "struct", "array", "local")))
    b("new_stream", var=s, kind="nonblocking")
    b.fill(h)
    b.up(d, h)
    b.wait("", "device")
    if b.rng.random() < 0.3:
        t = b.stream("blocking")
        with b.branch("arg % 2"):
            b("swap", a=s, b=t)
    b.transform(out, d, s)
    if b.rng.random() < 0.7:
        b.memset(other, 1)
    b.wait("", "stream")
    _again(b, h, d, out)
    b.free(other)


def copy_orders_streams(b):
    """What orders the kernels of two streams is a copy that returns late."""
    b.p.relies = True
    n = b.size(dynamic=False)
    h, d = b.pair(n, PAGEABLE[:6])
    out = b.device(n)
    s, t = b.stream("nonblocking"), b.stream("nonblocking")
    b.fill(h)
    b.up(d, h, True, s)
    b.in_place(d, s)
    b.down(h, d, True, s)
    b.transform(out, d, t)
    b.wait("", "device")
    b.read(h)
    b.down(h, out)
    b.read(h)
    b.free(h, d, out)


def staged_elsewhere(b):
    """h is also copied to another buffer, whose copy has h no longer when it returns."""
    b.p.relies = True
    n = b.size(dynamic=False)
    h, d = b.pair(n, PAGEABLE[:6])
    other, out, s = b.device(n), b.device(n), b.stream("nonblocking")
    b.fill(h)
    b.up(d, h)
    b.wait("", "device")
    b.produce(other, s)
    b.copy(other, h, "h2d", n, True, s)
    b("fill", ref=ref(h), count=n, seed=5)
    b.transform(out, other, s)
    b.wait("", "device")
    b.up(d, h)
    b.in_place(d)
    b.down(h, d)
    b.read(h)
    b.down(h, out)
    b.read(h)
    b.free(h, d, other, out)


def one_of_two(b):
    """A pointer names one of two host buffers, by data."""
    n = b.size(dynamic=False)
    h, d = b.pair(n, ("malloc", "new"))
    other = b.host(n, (b.how[h],))
    q = b.fresh("q", "host", "local")
    b.fill(h)
    b.fill(other)
    b("assign", var=q, ref=ref(other))
    with b.branch("arg % 2"):
        b("assign", var=q, ref=ref(h))
    b.up(d, h)
    b.in_place(d)
    b.wait("", "device")
    b("sum", ref=ref(q), count=n)
    b.down(h, d)
    b.read(h)
    b.free(h, d, other)


def kept_for_later(b):
    """What an iteration allocates is used by the next one."""
    n = b.size(dynamic=False)
    last_h, last_d = b.fresh("q", "host", "local"), b.fresh("r", "dev", "local")
    uses = b.rng.random() < 0.7
    with b.loop(3) as i:
        if uses:
            with b.branch(f"{i} > 0"):
                b.in_place(last_d, count=n)
                b.wait("", "device")
        h, d = b.pair(n, ("malloc",))
        with b.branch(f"{i} > 0"):
            b("sum", ref=ref(last_h), count=n)
        b.fill(h, seed=i)
        b.up(d, h)
        b.wait("", "device")
        b("assign", var=last_h, ref=ref(h))
        b("assign", var=last_d, ref=ref(d))


def freed_at_once(b):
    """On one path h is gone before d comes."""
    n = b.size(dynamic=False)
    h = b.host(n, ("malloc", "new"))
    b.fill(h)
    with b.branch("arg % 2"):
        b.read(h)
        b.free(h)
    d = b.device(n)
    with b.branch("arg % 2 == 0"):
        b.up(d, h)
        b.in_place(d)
        b.down(h, d)
        b.read(h)
        b.free(h)
    b.produce(d)
    b.wait("", "device")
    b.free(d)


def busy_elsewhere(b):
    """The host uses h while the GPU works on something else."""
    n = b.size(dynamic=False)
    h, d = b.pair(n, HEAP)
    other, s = b.device(n), b.stream("nonblocking")
    b.fill(h)
    b.up(d, h)
    b.wait("", "device")
    b.produce(other, s)
    b.in_place(other, s)
    b.read(h)
    b.in_place(d)
    b.down(h, d)
    b.read(h)
    b.wait("", "device")
    b.free(h, d, other)


IDIOMS = (almost_all, kernel_writes_some, recorded_again, recorded_as_other, recorded_out_of_sight, handles_swapped,
          stream_of_home, copy_orders_streams, staged_elsewhere, one_of_two, kept_for_later, freed_at_once,
          busy_elsewhere)
