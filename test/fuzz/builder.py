# Small steps from which the idioms are written: allocate, fill, upload, launch,
# download, read, free, with random choices of how. It appends statements and
# keeps the table of variables; whether the result is valid is not its business.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds programs statement by statement."""
from contextlib import contextmanager

from model import Program, ref

PAGEABLE = ("malloc", "malloc", "malloc", "new", "calloc", "newinit", "vector")
PINNED = ("pinned", "hostalloc")


class Builder:
    def __init__(self, rng, idiom, group, elem=None):
        self.rng = rng
        self.p = Program(idiom, group, elem or rng.choice((1, 4, 4, 4, 8)))
        self.body = self.p.body
        self.how, self.count = {}, {}
        self.home = "local"
        self.p.check = rng.random() < 0.3
        self.p.inline_decl = rng.random() < 0.7

    def __call__(self, op, **fields):
        self.body.append({"op": op, **fields})

    @contextmanager
    def inside(self, body):
        outer, self.body = self.body, body
        yield
        self.body = outer

    @contextmanager
    def loop(self, count, var=None):
        body = []
        name = var or f"i{sum(1 for s in self.p.statements() if s['op'] == 'loop')}"
        self("loop", var=name, count=count, body=body)
        with self.inside(body):
            yield name

    @contextmanager
    def branch(self, cond):
        then = []
        self("if", cond=cond, then=then)
        with self.inside(then):
            yield

    @contextmanager
    def otherwise(self):
        self.body[-1]["else"] = []
        with self.inside(self.body[-1]["else"]):
            yield

    def size(self, dynamic=None):
        if dynamic or (dynamic is None and self.rng.random() < 0.25):
            return self.rng.choice(("(arg % 3 + 1) * 8", "16 + arg % 4 * 8", "arg % 5 + 12"))
        return self.rng.choice((16, 16, 24, 32, 40))

    def fresh(self, prefix, kind, home=None):
        name = f"{prefix}{sum(1 for n in self.p.variables if n.startswith(prefix))}"
        self.p.variables[name] = {"kind": kind, "home": home or self.home}
        return name

    # Buffers.
    def host(self, count, hows=PAGEABLE, home=None):
        how = self.rng.choice(hows)
        vector = how.startswith("vector")
        name = self.fresh("h", "vector" if vector else "host", "local" if vector else home)
        self("alloc_h", var=name, how=how, count=count)
        self.how[name], self.count[name] = how, count
        return name

    def device(self, count, home=None):
        name = self.fresh("d", "dev", home)
        self("alloc_d", var=name, how="malloc", count=count)
        self.count[name] = count
        return name

    def pair(self, count=None, hows=PAGEABLE, home=None, swap=None):
        """A host and a device buffer of one size, in either order."""
        count = self.size() if count is None else count
        if self.rng.random() < 0.3 if swap is None else swap:
            d = self.device(count, home)
            return self.host(count, hows, home), d
        h = self.host(count, hows, home)
        return h, self.device(count, home)

    def free(self, *names):
        names = list(names)
        self.rng.shuffle(names)
        for name in names:
            if name in self.how:
                self("free_h", var=name, how=self.how[name])
            else:
                self("free_d", var=name)

    # Host work.
    def fill(self, h, seed=None, offset=0, count=None):
        count = self.count[h] if count is None else count
        seed = self.rng.randrange(90) if seed is None else seed
        if self.rng.random() < 0.15:
            self("hset", ref=ref(h, offset), count=count, value=self.rng.randrange(200))
        else:
            self("fill", ref=ref(h, offset), count=count, seed=seed)

    def read(self, h, offset=0, count=None):
        if self.rng.random() < 0.2:
            self("peek", ref=ref(h, offset))
        else:
            self("sum", ref=ref(h, offset), count=self.count[h] if count is None else count)

    # Copies.
    def copy(self, dst, src, direction, count, is_async=False, stream=""):
        dst = ref(dst) if isinstance(dst, str) else dst
        src = ref(src) if isinstance(src, str) else src
        self("copy", dst=dst, src=src, count=count, dir=direction, stream=stream,
             kind="default" if self.rng.random() < 0.03 else "exact", **{"async": is_async})

    def up(self, d, h, is_async=False, stream=""):
        self.copy(d, h, "h2d", self.count[d], is_async, stream)

    def down(self, h, d, is_async=False, stream=""):
        self.copy(h, d, "d2h", self.count[d], is_async, stream)

    def memset(self, d, value=0, is_async=False, stream=""):
        self("memset", ref=ref(d), count=self.count[d], value=value, stream=stream, **{"async": is_async})

    # Kernels.
    def launch(self, kernel, *args, stream=""):
        args = [ref(a) if isinstance(a, str) and a in self.p.variables else a for a in args]
        self("launch", kernel=kernel, args=args, stream=stream)

    def in_place(self, d, stream="", count=None):
        """A kernel that reads and writes all of d."""
        n = self.count[d] if count is None else count
        if self.rng.random() < 0.8:
            self.launch("scale", d, n, self.rng.randrange(50), stream=stream)
        else:
            self.launch("unused", d, d, n, stream=stream) if self.rng.random() < 0 else \
                self.launch("scale", d, n, 1, stream=stream)

    def produce(self, d, stream=""):
        self.launch("set", d, self.count[d], self.rng.randrange(50), stream=stream)

    def transform(self, out, src, stream=""):
        self.launch("map", out, src, self.count[out], self.rng.randrange(50), stream=stream)

    # Streams.
    def stream(self, kind=None):
        name = self.fresh("s", "stream", "local")
        self("new_stream", var=name, kind=kind or self.rng.choice(("blocking", "nonblocking")))
        return name

    def event(self):
        name = self.fresh("e", "event", "local")
        self("new_event", var=name)
        return name

    def wait(self, stream="", how=None):
        how = how or self.rng.choice(("device", "stream", "stream"))
        self("sync", how=how, obj="" if how == "device" else stream)

    def helper(self, name, params, body):
        self.p.helpers.append({"name": name, "params": params, "body": body})

    def call(self, name, *args):
        self("call", helper=name, args=[ref(a) if a in self.p.variables else a for a in args])

    def done(self):
        text = self.p.to_json()
        if "arg" in text.replace('"args"', ""):
            self.p.inputs = [0, 1, 6]
        return self.p.number()
