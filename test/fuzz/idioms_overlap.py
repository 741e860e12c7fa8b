# Programs whose host works while the GPU does: a buffer is filled again, read or
# copied while a kernel may still use its partner. Which of many waits stands in
# between decides whether merging is safe, and most of them cover too little.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Idioms about order. Each takes a Builder and appends a program's statements."""
from builder import PAGEABLE, PINNED
from model import ref


def _order(b, first, second, e):
    """What is in stream `first` comes before what joins stream `second`, unless they order each other."""
    if first != second and b.rng.random() < 0.7:
        b("record", event=e, stream=first)
        b("wait_event", stream=second, event=e)


def _some_wait(b, s, t, e, other):
    """Something that waits, or seems to, between a kernel and the host's next step. `other` is a
    (host, device) pair that has no part in it."""
    h, d = other
    streams = [x for x in (s, t) if x] or [""]

    def synchronize():
        b.wait(b.rng.choice(streams + [""]), "stream")

    def record_and_wait():
        b("record", event=e, stream=b.rng.choice(streams))
        b("sync", how="event", obj=e)

    def old_event():
        b("sync", how="event", obj=e)

    def query():
        b("sync", how="query_stream", obj=b.rng.choice(streams))

    def upload():
        b.fill(h)
        b.up(d, h)

    def download():
        b.down(h, d)

    def failing_download():
        b.p.check = False
        b.down(h, d)
        b.body[-1]["fails"] = "arg % 2"

    def poll():
        b("sync", how="poll_stream", obj=b.rng.choice(streams))

    def unseen():
        if not any(helper["name"] == "idle" for helper in b.p.helpers):
            b.p.helpers.append({"name": "idle", "params": [], "body": [{"op": "print"}], "hidden": True})
        b.call("idle")

    def maybe_download():
        b.copy(h, d, "d2h", f"(arg % 2) * {b.count[d]}")

    def inside():
        tmp = b.device(b.count[d])
        b.copy(tmp, d, "d2d", b.count[d])

    def conditional():
        with b.branch("arg % 2 == 0"):
            synchronize()

    def in_loop():
        with b.loop(2):
            synchronize()

    def destroyed():
        stream = b.stream()
        b("del_stream", var=stream)

    def freed():
        b.free(b.device(8))

    b.rng.choice((synchronize, synchronize, synchronize, record_and_wait, record_and_wait, old_event, query, upload, upload,
                  download, download, maybe_download, failing_download, poll, unseen, inside, conditional, in_loop, destroyed, freed,
                  lambda: b.memset(d), lambda: b.wait("", "device"), lambda: None, lambda: None))()


def _streams(b):
    """Two streams, each "" or one of its own, and an event."""
    s = b.stream() if b.rng.random() < 0.8 else ""
    t = b.rng.choice((s, "", "perthread", "legacy")) if b.rng.random() < 0.5 else b.stream()
    return s, t, b.event()


def _setup(b, given=False):
    s, t, e = _streams(b)
    if given:
        for statement in b.body:
            statement["given"] = True
    b.p.relies = b.rng.random() < 0.2
    n = b.size()
    other = b.pair(n)
    b.fill(other[0])
    b.up(other[1], other[0])
    return s, t, e, n, other


def producer(b, given=False):
    """The next frame is written where the last one was uploaded from."""
    s, t, e, n, other = _setup(b, given)
    x, dx = b.pair(n, PAGEABLE + PINNED * 3)
    out = b.device(n)
    with b.loop(b.rng.randrange(1, 4)) as i:
        b.fill(x, seed=i)
        is_async = b.rng.random() < 0.7
        b.up(dx, x, is_async, s if is_async else "")
        if b.rng.random() < 0.3:
            b("record", event=e, stream=s)
        _order(b, s if is_async else "", t, e)
        if b.rng.random() < 0.3:
            _some_wait(b, s, t, e, other)
        b.transform(out, dx, t) if b.rng.random() < 0.7 else b.in_place(dx, t)
        _some_wait(b, s, t, e, other)
    if b.rng.random() < 0.7:
        b.fill(x)
        b.read(x)
    b.wait("", "device")
    y = b.host(n)
    b.down(y, out)
    b.read(y)
    b.free(x, y, dx, out)


def given_streams(b):
    """As producer, with streams and events that the function gets from its caller."""
    producer(b, given=True)


def given_events(b):
    """Two event handles that may be one."""
    s, e = b.stream(), b.event()
    f = b.fresh("e", "event", "local")
    if b.rng.random() < 0.7:
        b("alias_event", var=f, of=e)
    else:
        b("new_event", var=f)
    for statement in b.body:
        statement["given"] = True
    n = b.size()
    x, dx = b.pair(n, PINNED)
    out = b.device(n)
    b.fill(x)
    b("record", event=e, stream=s)
    b.up(dx, x, True, s)
    events = [e, f]
    b.rng.shuffle(events)
    if b.rng.random() < 0.5:
        b.transform(out, dx, s)
        b("record", event=events[0], stream=s)
    else:
        b("record", event=events[0], stream=s)
        b.transform(out, dx, s)
        if b.rng.random() < 0.5:
            b("record", event=events[1], stream=s)
    b("sync", how="event", obj=b.rng.choice(events))
    b.fill(x)
    b.read(x)
    b.wait("", "device")
    b.free(x, dx, out)


def crossing(b):
    """Two streams work on one pair, ordered by an event, by the legacy stream, or hardly."""
    s, t, e, n, other = _setup(b)
    x, dx = b.pair(n, PAGEABLE + PINNED * 3)
    y, dy = b.pair(n, PAGEABLE + PINNED)
    if b.rng.random() < 0.25:
        return host_to_host(b, x, dx, y, dy, t)
    b.fill(x)
    b.up(dx, x, True, s)
    b.in_place(dx, s)
    if b.rng.random() < 0.5:
        _some_wait(b, s, t, e, other)
    _order(b, s, t, e)
    b.transform(dy, dx, t)
    if b.rng.random() < 0.4:
        # Another copy that writes x, or reads it, in its own stream.
        tmp = b.device(n)
        b.memset(tmp, 3, True, s)
        b.copy(x, tmp, "d2h", n, True, s) if b.rng.random() < 0.6 else b.copy(tmp, x, "h2d", n, True, s)
    b.down(y, dy, True, t)
    _some_wait(b, s, t, e, other)
    b.read(y)
    b.wait("", "device")
    b.read(x)
    b.free(x, dx, y, dy)


def host_to_host(b, x, dx, y, dy, t):
    """A copy between host buffers does not wait for its stream."""
    n = b.count[x]
    b.fill(x)
    b.fill(y)
    b.up(dx, x, True, t)
    b.wait(t, "stream")
    b.transform(dy, dx, t)
    b.copy(x, y, "h2h", n, True, t)
    b.wait(t, "stream")
    b.read(x)
    b.down(y, dy)
    b.read(y)
    b.free(x, dx, y, dy)


def two_uploads(b):
    """d gets other memory's content, then h's: the first transfer may still run when h is written."""
    n = b.size()
    h, d = b.pair(n)
    other = b.host(n, ("malloc", "new", "pinned"))
    b.fill(other)
    b.fill(h)
    for _ in range(2):
        b.up(d, other)
        if b.rng.random() < 0.5:
            b.in_place(d)
            b.wait("", "device")
        if b.rng.random() < 0.3:
            b.wait("", "stream")
        b.fill(h)
        b.up(d, h)
        b.in_place(d)
        b.down(h, d)
        b.read(h)
    b.free(h, d, other)


def legacy_marker(b):
    """A copy in the legacy stream is all that orders two blocking streams."""
    s, t = b.stream("blocking"), b.stream("blocking")
    n = b.size()
    m, dm = b.pair(n, PINNED + PAGEABLE)
    x, dx = b.pair(n, PINNED + PAGEABLE)
    out = b.device(n)
    b.fill(m)
    b.fill(x)
    b.up(dx, x)
    b.wait("", "device")
    b.in_place(dx, s)
    if b.rng.random() < 0.5:
        b.up(dm, m, b.rng.random() < 0.8, "")
    else:
        b.down(m, dm, b.rng.random() < 0.8, "")
    b.transform(out, dx, t)
    b.wait(t, "stream")
    if b.rng.random() < 0.5:
        b.fill(x)
    b.down(x, out, b.rng.random() < 0.5, "")
    b.wait("", "device")
    b.read(x)
    b.launch("accumulate", dx, dm, n)
    b.down(m, dx)
    b.read(m)
    b.free(m, dm, x, dx, out)


def upload_waits(b):
    """A synchronous copy of one pair is the wait for another."""
    n = b.size()
    x, dx = b.pair(n, PINNED + PAGEABLE)
    w, dw = b.pair(n)
    out = b.device(n)
    b.fill(x)
    b.up(dx, x, True, "")
    b.launch("map", out, dx, n, 3)
    b.fill(w)
    if b.rng.random() < 0.5:
        b.up(dw, w)
    else:
        b.produce(dw)
        b.down(w, dw)
    b.fill(x)
    b.read(x)
    b.launch("accumulate", out, dw, n)
    b.down(w, out)
    b.read(w)
    b.free(x, dx, w, dw, out)


def pageable_async(b):
    """Relies on what drivers do: an asynchronous copy of pageable memory is done, or has read
    its source, when the call returns."""
    b.p.relies = True
    s = b.stream()
    n = b.size()
    x, dx = b.pair(n)
    y, dy = b.pair(n)
    b.fill(x)
    b.up(dx, x, True, s)
    if b.rng.random() < 0.4:
        b.fill(x)
    b.transform(dy, dx, s)
    b.down(y, dy, True, s)
    b.read(y)
    if b.rng.random() < 0.5:
        b.fill(x)
        b.read(x)
    b.wait(s, "stream")
    b.free(x, dx, y, dy)


def kept_copy(b):
    """A copy of a merged host buffer that is no linking copy: it stays, and still waits."""
    n = b.size()
    b.p.relies = is_async = b.rng.random() < 0.5
    x, dx = b.pair(n, PAGEABLE)
    other = b.device(n)
    b.fill(x)
    b.up(dx, x)
    b.produce(other) if b.rng.random() < 0.5 else b.memset(other, 5)
    b.in_place(dx)
    b.down(x, dx)
    b.launch("accumulate", other, dx, n)
    b.copy(x, other, "d2h", n, is_async)
    b.read(x)
    b.fill(x)
    b.copy(other, x, "h2d", n, is_async)
    b.fill(x)
    b.read(x)
    b.launch("scale", other, n, 3)
    b.copy(x, other, "d2h", n)
    b.read(x)
    b.free(x, dx, other)


def changing_handles(b):
    """Streams that change from iteration to iteration."""
    n = b.size(dynamic=False)
    s, t = b.stream(), b.stream()
    x, dx = b.pair(n, PINNED)
    out = b.device(n)
    with b.loop(3) as i:
        b.fill(x, seed=i)
        b.up(dx, x, True, s)
        b.transform(out, dx, s)
        if b.rng.random() < 0.6:
            b("swap", a=s, b=t)
        b.wait(s, "stream")
    b.wait("", "device")
    b.free(x, dx, out)


IDIOMS = (producer, producer, producer, given_streams, given_events, crossing, crossing, two_uploads, legacy_marker, upload_waits,
          pageable_async, kept_copy, changing_handles)
