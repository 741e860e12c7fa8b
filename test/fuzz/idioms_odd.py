# Programs that do what a proof must not overlook: pointers that are kept, looked
# at or handed to unknown code, buffers of other iterations, realloc, a reset of
# the device, calls that fail. Merging is wrong in most of them.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Odd idioms. Each takes a Builder and appends a program's statements."""
from builder import PINNED
from model import ref

HEAP = ("malloc", "new", "calloc", "pinned")


def _end(b, h, d):
    b.down(h, d)
    b.read(h)
    b.free(h, d)


def kept_in_symbol(b):
    """The host puts d's address into a device variable; a kernel uses what is there."""
    h, d = b.pair(hows=HEAP)
    b.fill(h)
    b.up(d, h)
    b("launch", kernel="keep", args=[ref(d)], stream="", symbol=True)
    if b.rng.random() < 0.5:
        b.down(h, d)
        b.read(h)
    b.launch("kept", b.count[d], 5)
    if b.rng.random() < 0.3:
        b.wait("", "device")
        b.read(h)
    _end(b, h, d)


def kept_by_kernel(b):
    """A kernel stores d; a later one uses what was stored."""
    h, d = b.pair(hows=HEAP)
    b.fill(h)
    b.up(d, h)
    b.launch("keep", d)
    b.in_place(d)
    b.down(h, d)
    if b.rng.random() < 0.5:
        b.fill(h)
    b.launch("kept", b.count[d], 5)
    if b.rng.random() < 0.5:
        b.wait("", "device")
    b.read(h)
    _end(b, h, d)


def unknown_function(b):
    """A function that nobody can see uses a buffer."""
    n = b.size(dynamic=False)
    h, d = b.pair(n, ("malloc", "new", "pinned"))
    how = b.rng.randrange(3)
    if how == 0:
        body = [{"op": "fill", "ref": ref("x"), "count": n, "seed": 9}]
        target, kind = h, "host"
    elif how == 1:
        body = [{"op": "sum", "ref": ref("x"), "count": n}]
        target, kind = h, "host"
    else:
        body = [{"op": "launch", "kernel": "scale", "args": [ref("x"), n, 4], "stream": ""}]
        target, kind = d, "dev"
    b.p.helpers.append({"name": "unseen", "params": [["x", kind]], "body": body, "hidden": True})
    b.fill(h)
    b.up(d, h)
    b.in_place(d)
    b.call("unseen", target)
    if b.rng.random() < 0.5:
        b.read(h)
    _end(b, h, d)


def unseen_record(b):
    """A function that nobody can see records an event, or waits for one."""
    s, e = b.stream(), b.event()
    for statement in b.body:
        statement["given"] = True
    n = b.size(dynamic=False)
    body = [b.rng.choice(({"op": "record", "event": "e", "stream": "s"}, {"op": "sync", "how": "device", "obj": ""},
                          {"op": "print"}))]
    b.p.helpers.append({"name": "unseen", "params": [["s", "stream"], ["e", "event"]], "body": body, "hidden": True})
    h, d = b.pair(n, PINNED)
    out = b.device(n)
    b.fill(h)
    early = b.rng.random() < 0.5
    b("record", event=e, stream=s)
    if early:
        b.call("unseen", s, e)
    b.up(d, h, True, s)
    b.transform(out, d, s)
    b("record", event=e, stream=s)
    b.in_place(d, s) if b.rng.random() < 0.5 else b.transform(out, d, s)
    if not early:
        b.call("unseen", s, e)
    b("sync", how="event", obj=e)
    b.fill(h)
    b.wait("", "device")
    b.read(h)
    b.free(h, d, out)


def looked_at_later(b):
    h, d = b.pair(hows=HEAP)
    b.fill(h)
    b.up(d, h)
    b("observe", what="inspect", a=b.rng.choice((h, d)))
    b.in_place(d)
    _end(b, h, d)


def system_atomic(b):
    h, d = b.pair(hows=HEAP)
    if b.p.elem == 1:
        b.p.elem = 4
    b.fill(h)
    b.up(d, h)
    b.launch("system_atomic", d, b.count[d])
    _end(b, h, d)


def other_loop(b):
    """One buffer for all iterations, its partner anew in each; or in a loop of its own."""
    n = b.size(dynamic=False)
    if b.rng.random() < 0.5:
        h = b.host(n, HEAP)
        with b.loop(2) as i:
            d = b.device(n)
            b.fill(h, seed=i)
            b.up(d, h)
            b.in_place(d)
            b.down(h, d)
            b.read(h)
            b.free(d)
        b.free(h)
    else:
        d = b.device(n)
        with b.loop(2) as i:
            h = b.host(n, ("malloc", "new"))
            b.fill(h, seed=i)
            b.up(d, h)
            b.in_place(d)
            b.down(h, d)
            b.read(h)
            b.free(h)
        b.free(d)


def one_after_the_other(b):
    """A host buffer whose device buffers come and go, with work in streams; some are never freed."""
    n = b.size(dynamic=False)
    h = b.host(n, HEAP)
    other = b.device(n) if b.rng.random() < 0.3 else None
    s = b.stream() if b.rng.random() < 0.5 else ""
    lose = b.rng.random() < 0.25
    if b.rng.random() < 0.5:
        b.fill(h)
    with b.loop(3) as i:
        d = b.device(n)
        if b.rng.random() < 0.7:
            b.fill(h, seed=i)
            copy_stream = s if b.rng.random() < 0.4 else ""
            b.up(d, h, bool(copy_stream), copy_stream)
        else:
            b.memset(d, 3, stream=s, is_async=bool(s))
        if b.rng.random() < 0.7:
            b.in_place(d, s)
        if other:
            b.transform(other, d, s)
        if b.rng.random() < 0.7:
            copy_stream = s if b.rng.random() < 0.4 else ""
            b.down(h, d, bool(copy_stream), copy_stream)
        if s or b.rng.random() < 0.5:
            b.wait(s, "device")
        if b.rng.random() < 0.8:
            b.read(h)
        if not lose:
            b.free(d)
    b.read(h)
    if other and b.rng.random() < 0.5:
        b.down(h, other)
        b.read(h)
    b.free(h)


def previous_iteration(b):
    """A pointer that was allocated in the iteration before."""
    n = b.size(dynamic=False)
    last = b.fresh("q", b.rng.choice(("host", "dev")), "local")
    host = b.p.variables[last]["kind"] == "host"
    b("alloc_h" if host else "alloc_d", var=last, how="malloc", count=n)
    b.count[last] = n
    if host:
        b.how[last] = "malloc"
        b.fill(last)
    else:
        b.memset(last, 4)
    with b.loop(3) as i:
        h, d = b.pair(n, ("malloc",))
        b.fill(h, seed=i)
        b.up(d, h)
        b.in_place(d)
        if host:
            b.read(last)
            b.down(h, d)
            b.read(h)
            b.free(last, d)
            b("assign", var=last, ref=ref(h))
        else:
            b.launch("accumulate", d, last, n)
            b.down(h, d)
            if b.rng.random() < 0.5:
                b.fill(h)
            b.read(h)
            b.free(last, h)
            b("assign", var=last, ref=ref(d))
    b.free(last)


def freed_before(b):
    """h goes before d comes, and another h links to it."""
    n = b.size(dynamic=False)
    h = b.host(n, ("malloc", "new"))
    b.fill(h)
    b.read(h)
    with b.branch(b.rng.choice(("arg % 2 == 1", "arg == 0"))):
        b.free(h)
        b("alloc_h", var=h, how=b.how[h], count=n)
        b.fill(h)
    d = b.device(n)
    b.up(d, h)
    b.in_place(d)
    _end(b, h, d)


def grown(b):
    """realloc of h."""
    n = b.size(dynamic=False)
    h, d = b.pair(n, ("malloc", "calloc"))
    b.fill(h)
    b.up(d, h)
    b.in_place(d)
    b.down(h, d)
    b("realloc", var=h, count=n + b.rng.choice((0, 8)))
    b.read(h)
    if b.rng.random() < 0.5:
        b.launch("scale", d, n, 2)
        b.wait("", "device")
        b.read(h)
    b.free(h, d)


def device_reset(b):
    h, d = b.pair(hows=("malloc", "new"))
    b.fill(h)
    b.up(d, h)
    b.in_place(d)
    b.down(h, d)
    if b.rng.random() < 0.3:
        b.read(h)
        b.free(h)
        b("reset")
        return
    if b.rng.random() < 0.3:
        b.free(d)
    b("reset")
    b.read(h)
    b.free(h)


def failing_copy(b):
    """A copy whose host pointer may be null."""
    b.p.check = False
    h, d = b.pair(hows=("malloc", "new", "pinned"))
    out = b.device(b.count[d])
    b.fill(h)
    b.up(d, h)
    b.in_place(d)
    b.down(h, d)
    b.read(h)
    b.fill(h)
    if b.rng.random() < 0.5:
        b.up(d, h)
        b.body[-1]["fails"] = "arg % 2"
        b.transform(out, d)
        b.fill(h)
    else:
        b.transform(out, d)
        b.down(h, d)
        b.body[-1]["fails"] = "arg % 2"
        b.fill(h, seed=3)
        b.read(h)
    b.down(h, d)
    b.read(h)
    b.free(h, d, out)


def short_read(b):
    """fread into h reads nothing."""
    h, d = b.pair(hows=("malloc", "new", "pinned"))
    b.fill(h)
    b.up(d, h)
    b.in_place(d)
    if b.rng.random() < 0.4:
        b.down(h, d)
    b("fread", ref=ref(h), count=b.count[h])
    b.read(h)
    _end(b, h, d)


def half_set(b):
    """Part of a buffer is written as if it were all."""
    h, d = b.pair(32, HEAP)
    b.fill(h)
    b.up(d, h)
    b.in_place(d)
    if b.rng.random() < 0.5:
        b("hset", ref=ref(h), count=16, value=3)
        b.read(h)
        b.down(h, d)
    else:
        b("memset", ref=ref(d), count=16, value=3, stream="", **{"async": False})
        if b.rng.random() < 0.5:
            b.wait("", "device")
            b.read(h)
        b.down(h, d)
    b.read(h)
    b.free(h, d)


def odd_frames(b):
    """What an iteration finds was left by the one before."""
    n = b.size()
    h, d = b.pair(n, HEAP)
    b.fill(h)
    b.up(d, h)
    with b.loop(3) as i:
        first = b.rng.randrange(4)
        if first == 0:
            b.read(h)
            b.in_place(d)
        elif first == 1:
            b.in_place(d)
            b.wait("", "device")
            b.fill(h, seed=i)
        elif first == 2:
            b.down(h, d)
            b("poke", ref=ref(h), value=i)
            b.in_place(d)
        else:
            with b.branch(f"{i} == 1"):
                b.down(h, d)
            b.in_place(d)
    _end(b, h, d)


def calloc_late(b):
    """h is allocated and cleared when d already holds something."""
    n = b.size()
    d = b.device(n)
    b.produce(d)
    if b.rng.random() < 0.5:
        b.in_place(d)
    if b.rng.random() < 0.5:
        b.wait("", "device")
    h = b.host(n, ("calloc", "newinit", "vector", "malloc"))
    if b.rng.random() < 0.3:
        b.fill(h)
    _end(b, h, d)


IDIOMS = (kept_in_symbol, kept_by_kernel, unknown_function, unseen_record, looked_at_later, system_atomic, other_loop,
          previous_iteration, freed_before, grown, device_reset, failing_copy, short_read, half_set, odd_frames,
          calloc_late, one_after_the_other)
