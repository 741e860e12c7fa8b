# The shapes that most CUDA programs consist of, each as a function that writes one
# with random details. Every pair in them that is safe is expected to merge.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Basic idioms. Each takes a Builder and appends a program's statements."""
from builder import PAGEABLE, PINNED
from model import ref


def in_place(b):
    h, d = b.pair()
    b.fill(h)
    b.up(d, h)
    b.in_place(d)
    b.down(h, d)
    b.read(h)
    b.free(h, d)


def input_and_output(b):
    n = b.size()
    x, dx = b.pair(n)
    y, dy = b.pair(n)
    b.fill(x)
    b.up(dx, x)
    b.transform(dy, dx)
    b.down(y, dy)
    b.read(y)
    if b.rng.random() < 0.3:
        b.read(x)
    b.free(x, y, dx, dy)


def output_only(b):
    h, d = b.pair()
    b.produce(d)
    b.down(h, d)
    b.read(h)
    b.free(h, d)


def memset_output(b):
    n = b.size()
    x, dx = b.pair(n)
    y, dy = b.pair(n)
    b.fill(x)
    b.memset(dy)
    b.up(dx, x)
    b.launch("accumulate", dy, dx, n)
    b.down(y, dy)
    b.read(y)
    b.free(x, y, dx, dy)


def frames(b):
    n = b.size()
    x, dx = b.pair(n)
    y, dy = b.pair(n)
    with b.loop(b.rng.randrange(2, 5)) as i:
        b.fill(x, seed=i)
        b.up(dx, x)
        b.transform(dy, dx)
        b.down(y, dy)
        b.read(y)
    b.free(x, y, dx, dy)


def weights(b):
    """One input that stays, one that changes."""
    n = b.size()
    w, dw = b.pair(n)
    x, dx = b.pair(n)
    y, dy = b.pair(n)
    b.fill(w)
    b.up(dw, w)
    with b.loop(b.rng.randrange(2, 4)) as i:
        b.fill(x, seed=i)
        b.up(dx, x)
        b.launch("zip", dy, dx, dw, n)
        b.down(y, dy)
        b.read(y)
    b.free(w, x, y, dw, dx, dy)


def iterate(b):
    """Many launches between one upload and one download."""
    h, d = b.pair()
    b.fill(h)
    b.up(d, h)
    with b.loop(b.rng.randrange(2, 5)):
        b.in_place(d)
    b.down(h, d)
    b.read(h)
    b.free(h, d)


def chain(b):
    n = b.size()
    h, d = b.pair(n)
    tmp = b.device(n)
    y, dy = b.pair(n)
    b.fill(h)
    b.up(d, h)
    b.transform(tmp, d)
    b.transform(dy, tmp)
    b.down(y, dy)
    b.read(y)
    b.free(h, d, tmp, y, dy)


def pinned_stream(b):
    n = b.size()
    s = b.stream()
    x, dx = b.pair(n, PINNED)
    y, dy = b.pair(n, PINNED)
    with b.loop(b.rng.randrange(1, 4)) as i:
        b.fill(x, seed=i)
        b.up(dx, x, True, s)
        b.transform(dy, dx, s)
        b.down(y, dy, True, s)
        b.wait(s)
        b.read(y)
    b.free(x, y, dx, dy)
    b("del_stream", var=s)


def pageable_stream(b):
    n = b.size()
    s = b.stream()
    x, dx = b.pair(n)
    b.fill(x)
    b.up(dx, x, True, s)
    b.in_place(dx, s)
    b.down(x, dx, True, s)
    b.wait(s)
    b.read(x)
    b.free(x, dx)
    b("del_stream", var=s)


def event_wait(b):
    n = b.size()
    s, e = b.stream(), b.event()
    x, dx = b.pair(n, PAGEABLE + PINNED)
    b.fill(x)
    b.up(dx, x)
    b.wait("", "device")
    b.in_place(dx, s)
    b.down(x, dx, True, s)
    b("record", event=e, stream=s)
    b("sync", how="event", obj=e)
    b.read(x)
    b.free(x, dx)
    b("del_event", var=e)
    b("del_stream", var=s)


def two_streams(b):
    n = b.size()
    s, t, e = b.stream(), b.stream(), b.event()
    x, dx = b.pair(n, PINNED)
    y, dy = b.pair(n, PINNED)
    b.fill(x)
    b.up(dx, x, True, s)
    b("record", event=e, stream=s)
    b("wait_event", stream=t, event=e)
    b.transform(dy, dx, t)
    b.down(y, dy, True, t)
    b.wait(t, "stream")
    b.read(y)
    b.free(x, dx, y, dy)


def branches(b):
    h, d = b.pair()
    b.fill(h)
    b.up(d, h)
    with b.branch("arg % 2 == 1"):
        b.in_place(d)
    with b.otherwise():
        b.produce(d)
    b.down(h, d)
    b.read(h)
    b.free(h, d)


def early_exit(b):
    h, d = b.pair()
    b.fill(h)
    b("return", cond="arg == 1")
    b.up(d, h)
    b.in_place(d)
    b.down(h, d)
    b.read(h)
    b.free(h, d)


def converge(b):
    n = b.size()
    h, d = b.pair(n)
    flag, dflag = b.pair(1)
    b.fill(h)
    b.up(d, h)
    with b.loop(5):
        b.in_place(d)
        b.launch("total", dflag, d, n)
        b.down(flag, dflag)
        b("peek", ref=ref(flag))
        b("break", cond="(acc & 3) == 1")
    b.down(h, d)
    b.read(h)
    b.free(h, d, flag, dflag)


def loop_alloc(b):
    n = b.size()
    hows = ("malloc", "new", "calloc", "pinned")
    with b.loop(b.rng.randrange(2, 4)) as i:
        h, d = b.pair(n, hows)
        b.fill(h, seed=i)
        b.up(d, h)
        b.in_place(d)
        b.down(h, d)
        b.read(h)
        b.free(h, d)


def reuse(b):
    """A second round through the same buffers."""
    h, d = b.pair()
    for _ in range(2):
        b.fill(h)
        b.up(d, h)
        b.in_place(d)
        b.down(h, d)
        b.read(h)
    b.free(h, d)


def helpers(b):
    """Upload, work and download in functions of their own."""
    n = b.size(dynamic=False)
    h, d = b.pair(n, ("malloc", "new", "calloc"))
    body = []
    with b.inside(body):
        b("copy", dst=ref("d"), src=ref("h"), count=n, dir="h2d", stream="", kind="exact", **{"async": False})
        b("launch", kernel="scale", args=[ref("d"), n, 3], stream="")
    b.helper("work", [["d", "dev"], ["h", "host"]], body)
    body = []
    with b.inside(body):
        b("copy", dst=ref("h"), src=ref("d"), count=n, dir="d2h", stream="", kind="exact", **{"async": False})
    b.helper("fetch", [["h", "host"], ["d", "dev"]], body)
    b.fill(h)
    b.call("work", d, h)
    b.call("fetch", h, d)
    b.read(h)
    b.free(h, d)


def alloc_helper(b):
    """Both buffers come from a function, through out-parameters."""
    n = b.size(dynamic=False)
    h, d = b.fresh("h", "host"), b.fresh("d", "dev")
    b.how[h], b.count[h], b.count[d] = "malloc", n, n
    body = []
    with b.inside(body):
        b("alloc_h", var="h", how="malloc", count=n)
        b("alloc_d", var="d", how="malloc", count=n)
    b.helper("make", [["h", "host&"], ["d", "dev&"]], body)
    b.call("make", h, d)
    b.fill(h)
    b.up(d, h)
    b.in_place(d)
    b.down(h, d)
    b.read(h)
    b.free(h, d)


def struct_fields(b):
    b.home = "struct"
    in_place(b)


def modify_between(b):
    """The host works on the result and sends it again."""
    h, d = b.pair()
    b.fill(h)
    b.up(d, h)
    b.in_place(d)
    b.down(h, d)
    b("add", ref=ref(h), count=b.count[h], k=b.rng.randrange(1, 9))
    b.up(d, h)
    b.in_place(d)
    b.down(h, d)
    b.read(h)
    b.free(h, d)


IDIOMS = (in_place, input_and_output, output_only, memset_output, frames, weights, iterate, chain,
          pinned_stream, pageable_stream, event_wait, two_streams, branches, early_exit, converge,
          loop_alloc, reuse, helpers, alloc_helper, struct_fields, modify_between)
