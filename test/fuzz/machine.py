# Executes a generated program on one input, exactly: values, which bytes every
# event touches, and what is ordered before it. What is undefined in CUDA or C++
# (races aside, which the oracle finds in the trace) raises Invalid.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The machine that runs generated programs."""
import faults
import kernels
from clocks import Clocks, join
from life_machine import Life

MASK = 0xffffffff
MAX_STEPS = 4000


class Invalid(Exception):
    """The program does something that is not defined; `statement` is where."""

    def __init__(self, why, statement=None, instance=None):
        super().__init__(why)
        self.why, self.statement, self.instance = why, statement, instance


class Instance:
    """One buffer that was allocated: `site` is the id of the statement, `key` tells in
    which activation and iteration."""

    def __init__(self, number, site, side, size, pinned, key):
        self.number, self.site, self.side, self.size = number, site, side, size
        self.pinned, self.key = pinned, key
        self.data, self.known = bytearray(size), bytearray(size)
        self.alive, self.born, self.died = True, 0, None
        self.how = ""
        self.by_host_function = False  # one wrote it

    def bytes_at(self, at, size):
        if not self.alive:
            raise Invalid("use after free", instance=self)
        if at < 0 or at + size > self.size:
            raise Invalid("out of bounds", instance=self)
        if not all(self.known[at:at + size]):
            raise Invalid("uninitialized read", instance=self)
        return self.data[at:at + size]

    def store(self, at, data):
        if not self.alive:
            raise Invalid("use after free", instance=self)
        if at < 0 or at + len(data) > self.size:
            raise Invalid("out of bounds", instance=self)
        self.data[at:at + len(data)] = data
        self.known[at:at + len(data)] = b"\1" * len(data)


class Access:
    """One event's reads or writes of one range of bytes."""
    __slots__ = ("instance", "low", "high", "write", "agent", "count", "clock")

    def __init__(self, instance, low, high, write, when):
        self.instance, self.low, self.high, self.write = instance, low, high, write
        self.agent, self.count, self.clock = when


class Event:
    """kind: access, copy, alloc, clear (calloc), free, observe, swap."""
    __slots__ = ("kind", "statement", "accesses", "copy", "instances", "place")

    def __init__(self, kind, statement, accesses=(), copy=None, instances=(), place=()):
        self.kind, self.statement, self.accesses = kind, statement, list(accesses)
        self.copy = copy  # (dst, dst offset, src, src offset, bytes)
        self.instances = instances
        self.place = place  # the statement, and the loops and calls around it


class Trace:
    def __init__(self):
        self.events, self.instances, self.output = [], [], []


class _Break(Exception):
    pass


class _Continue(Exception):
    pass


def _freed_by(how):
    """What frees memory that was allocated this way."""
    for family in ("vector", "new"):
        if how.startswith(family):
            return family
    return {"pinned": "cudaFreeHost", "hostalloc": "cudaFreeHost", "cuda": "cudaFree"}.get(how, "free")


class Machine(faults.Failing, Life):
    invalid, Instance = Invalid, Instance

    def __init__(self, program, arg, fault=None):
        self.program, self.arg = program, arg
        self.clocks, self.trace = Clocks(), Trace()
        self.globals = {"acc": arg & MASK, "arg": arg}
        self.helpers = {h["name"]: h for h in program.helpers}
        self.kept, self.kept_cell = None, None  # what the kernel "keep" stored
        self.path, self.steps = [], 0  # path: (loop, iteration) and (call, -1)
        self.compiled = {}
        self.seen = None  # is told of every statement
        self.start_faults(fault)
        self.start_life()

    def run(self):
        scope = {name: [None] for name in self.program.variables}
        try:
            self.block(self.program.body, scope, {})
            leaves = True
        except faults.Return:
            leaves = False
        except faults.Leave:
            leaves = True
        except faults.Exit:
            self.lose_prints()
            return self.trace
        self.path = []
        self.end_owners(scope)
        if leaves and self.style in faults.LEAVES:
            self.free_all(scope)
        for name, variable in self.program.variables.items():
            if variable["kind"] == "vector":  # its destructor runs
                self.do_free_h({"op": "free_h", "id": -1, "var": name, "how": "vector"}, scope, {})
        self.trace.output.append(self.globals["acc"])
        self.end_life()
        return self.trace

    # Values.
    def number(self, expression, numbers):
        if isinstance(expression, int):
            return expression & MASK
        code = self.compiled.get(expression)
        if code is None:
            code = self.compiled[expression] = compile(expression, "<expression>", "eval")
        return int(eval(code, {"__builtins__": {}}, {**self.globals, **numbers})) & MASK

    def pointer(self, reference, scope, numbers):
        value = scope[reference["v"]][0]
        if not isinstance(value, tuple):
            raise Invalid("null pointer")
        return value[0], value[1] + self.number(reference["o"], numbers) * self.program.elem

    def stream(self, name, scope):
        if name == "":
            return self.clocks.per_thread if self.program.per_thread else self.clocks.legacy
        if name in ("legacy", "perthread"):
            return self.clocks.legacy if name == "legacy" else self.clocks.per_thread
        value = scope[name][0]
        if value is None:
            raise Invalid("no such stream")
        return value

    # Statements.
    def block(self, body, scope, numbers):
        for statement in body:
            self.steps += 1
            if self.steps > MAX_STEPS:
                raise Invalid("too many steps", statement)
            try:
                if self.seen:
                    self.seen(statement)
                if not self.fails(statement, scope, numbers):
                    getattr(self, "do_" + statement["op"])(statement, scope, numbers)
                self.around(statement)
            except Invalid as error:
                if error.statement is None:
                    error.statement = statement
                raise

    def event(self, kind, statement, *arguments, **named):
        place = (statement["id"], *(around for around, _ in self.path))
        self.trace.events.append(Event(kind, statement, *arguments, place=place, **named))
        if self.trapped:
            self.unknown(self.trace.events[-1])

    def host(self, statement, instance, low, high, write):
        self.event("access", statement,
                   [Access(instance, low, high, write, self.clocks.host_step())])

    def touch(self, s, instance, low, high, write, when):
        self.event("access", s, [Access(instance, low, high, write, when)])

    def span(self, s, reference, scope, numbers):
        instance, low = self.pointer(s[reference], scope, numbers)
        if instance.side == "d":
            raise Invalid("the host uses a device pointer", s)
        return instance, low, self.number(s.get("count", 1), numbers)

    def new_instance(self, s, side, scope, numbers, pinned):
        size = self.number(s["count"], numbers) * self.program.elem
        if size == 0:
            raise Invalid("empty buffer", s)
        instance = Instance(len(self.trace.instances), s["id"], side, size, pinned,
                            tuple(self.path))
        instance.how, instance.born = s["how"], len(self.trace.events)
        self.trace.instances.append(instance)
        self.end_owner(s["var"], scope)
        cell = scope[s["var"]]
        if isinstance(cell[0], tuple) and cell[0][0].how.startswith("vector") and cell[0][0].alive:
            raise Invalid("a vector is set twice", s)
        cell[0] = (instance, 0)
        return instance

    def do_alloc_h(self, s, scope, numbers):
        how = s["how"]
        instance = self.new_instance(s, "h", scope, numbers, how in ("pinned", "hostalloc"))
        if how in ("calloc", "newinit") or how.startswith("vector"):
            instance.store(0, bytes(instance.size))
            self.event("clear", s, [Access(instance, 0, instance.size, True, self.clocks.host_step())],
                       instances=(instance,))
        else:
            self.event("alloc", s, instances=(instance,))

    def do_alloc_d(self, s, scope, numbers):
        self.event("alloc", s, instances=(self.new_instance(s, "d", scope, numbers, False),))

    def do_realloc(self, s, scope, numbers):
        old, offset = scope[s["var"]][0] or (None, 0)
        if old is None or not old.alive or offset or old.how not in ("malloc", "calloc", "realloc"):
            raise Invalid("bad realloc", s)
        kept = min(old.size, self.number(s["count"], numbers) * self.program.elem)
        self.host(s, old, 0, kept, False)
        self.do_free_h({**s, "how": "malloc"}, scope, numbers)
        new = self.new_instance({**s, "how": "realloc"}, "h", scope, numbers, False)
        new.data[:kept], new.known[:kept] = old.data[:kept], old.known[:kept]
        self.event("clear", s, [Access(new, 0, kept, True, self.clocks.host_step())], instances=(new,))

    def do_reset(self, s, scope, numbers):
        self.clocks.wait_device()
        self.flags_gone = True
        gone = [i for i in self.trace.instances if i.alive and (i.side == "d" or i.pinned)]
        self.event("resize", s, instances=tuple(i for i in self.trace.instances if i.alive))
        for instance in gone:
            instance.alive, instance.died = False, len(self.trace.events)
        for cell in scope.values():
            if not isinstance(cell[0], tuple):
                cell[0] = None

    def keeps(self, name):
        """Whether variable `name` holds at first what the run before it in its process left there."""
        return self.program.variables.get(name, {}).get("home") == "global" and self.style not in faults.LEAVES

    def do_free_h(self, s, scope, numbers):
        value = scope[s["var"]][0]
        if value is None:
            if s["id"] >= 0 and self.keeps(s["var"]):
                raise Invalid("free of what an earlier run left", s)
            return
        instance, offset = value
        if not instance.alive and s["id"] < 0:
            return
        if not instance.alive or offset or _freed_by(s.get("how", "cuda")) != _freed_by(
                "cuda" if instance.side == "d" else instance.how):
            raise Invalid("bad free", s, instance)
        instance.alive, instance.died = False, len(self.trace.events)
        if self.style in faults.LEAVES:
            scope[s["var"]][0] = None
        self.event("free", s, [Access(instance, 0, instance.size, True, self.clocks.host_step())],
                   instances=(instance,))
        if "owner" in self.program.variables.get(s["var"], ()) and not self.in_helper():
            scope[s["var"]][0] = None

    do_free_d = do_free_h

    def do_fill(self, s, scope, numbers):
        instance, low, count = self.span(s, "ref", scope, numbers)
        elem, seed = self.program.elem, self.number(s["seed"], numbers)
        limit = (1 << 8 * elem) - 1
        for i in range(count):
            instance.store(low + i * elem, ((seed + 3 * i) & MASK & limit).to_bytes(elem, "little"))
        if count:
            self.host(s, instance, low, low + count * elem, True)

    def do_add(self, s, scope, numbers):
        instance, low, count = self.span(s, "ref", scope, numbers)
        elem, k = self.program.elem, self.number(s["k"], numbers)
        limit = (1 << 8 * elem) - 1
        for i in range(count):
            at = low + i * elem
            old = int.from_bytes(instance.bytes_at(at, elem), "little")
            instance.store(at, ((old + k) & limit).to_bytes(elem, "little"))
        if count:
            self.host(s, instance, low, low + count * elem, False)
            self.host(s, instance, low, low + count * elem, True)

    def do_sum(self, s, scope, numbers):
        instance, low, count = self.span(s, "ref", scope, numbers)
        elem = self.program.elem
        for i in range(count):
            value = int.from_bytes(instance.bytes_at(low + i * elem, elem), "little")
            self.globals["acc"] = (self.globals["acc"] * 31 + value) & MASK
        if count:
            self.host(s, instance, low, low + count * elem, False)

    def do_poke(self, s, scope, numbers):
        instance, low, _ = self.span(s, "ref", scope, numbers)
        elem = self.program.elem
        value = self.number(s["value"], numbers) & ((1 << 8 * elem) - 1)
        instance.store(low, value.to_bytes(elem, "little"))
        self.host(s, instance, low, low + elem, True)

    def do_peek(self, s, scope, numbers):
        self.do_sum({**s, "count": 1}, scope, numbers)

    def do_hset(self, s, scope, numbers):
        instance, low, count = self.span(s, "ref", scope, numbers)
        size = count * self.program.elem
        instance.store(low, bytes([self.number(s["value"], numbers) & 255]) * size)
        if size:
            self.host(s, instance, low, low + size, True)

    def do_fread(self, s, scope, numbers):
        instance, _, _ = self.span(s, "ref", scope, numbers)
        if not instance.alive:
            raise Invalid("use after free", s, instance)

    def do_hcopy(self, s, scope, numbers):
        dst, to, count = self.span({**s, "ref": s["dst"]}, "ref", scope, numbers)
        src, at, _ = self.span({**s, "ref": s["src"]}, "ref", scope, numbers)
        size = count * self.program.elem
        if dst is src and at < to + size and to < at + size:
            raise Invalid("overlapping memcpy", s)
        if size:
            dst.store(to, src.bytes_at(at, size))
            self.host(s, src, at, at + size, False)
            self.host(s, dst, to, to + size, True)

    def do_copy(self, s, scope, numbers):
        dst, to = self.pointer(s["dst"], scope, numbers)
        src, at = self.pointer(s["src"], scope, numbers)
        size = self.number(s["count"], numbers) * self.program.elem
        if s["dir"] != src.side + "2" + dst.side:
            raise Invalid("wrong direction", s)
        if not (src.alive and dst.alive):
            raise Invalid("use after free", s, src if dst.alive else dst)
        if at + size > src.size or to + size > dst.size:
            raise Invalid("out of bounds", s)
        if dst is src and at < to + size and to < at + size:
            raise Invalid("overlapping copy", s)
        if size == 0 or self.number(s.get("fails", 0), numbers):
            return
        if src.by_host_function and s["async"] and not src.pinned:
            # The call may read pageable memory at once, and no wait in the stream helps.
            raise Invalid("an asynchronous upload of what a host function writes", s)
        # Bytes that nobody wrote may be copied between host and device.
        if s["dir"] in ("d2d", "h2h"):
            src.bytes_at(at, size)
        dst.data[to:to + size] = src.data[at:at + size]
        dst.known[to:to + size] = src.known[at:at + size]
        stream = self.stream(s["stream"], scope)
        if s["dir"] == "h2h":
            reads = writes = self.clocks.host_step()
        elif s["dir"] == "h2d" and not src.pinned and (not s["async"] or self.program.relies):
            if not s["async"]:
                self.clocks.wait_stream(stream)
            reads = self.clocks.host_step()
            writes = self.clocks.enqueue(stream)
        else:
            reads = writes = self.clocks.enqueue(stream)
            waits = not s["async"] or (self.program.relies and s["dir"] == "d2h" and not dst.pinned)
            if waits and s["dir"] != "d2d":
                self.clocks.wait(writes[2])
        host = {"h2d": src, "d2h": dst}.get(s["dir"])
        if s["dir"] != "d2d" and not (s["async"] and host and host.pinned):
            self.may_wait(stream, s)
        self.event("copy", s, [Access(src, at, at + size, False, reads),
                               Access(dst, to, to + size, True, writes)],
                   (dst, to, src, at, size))

    def do_memset(self, s, scope, numbers):
        instance, low = self.pointer(s["ref"], scope, numbers)
        if instance.side != "d":
            raise Invalid("cudaMemset of host memory", s)
        size = self.number(s["count"], numbers) * self.program.elem
        if size == 0:
            return
        instance.store(low, bytes([self.number(s["value"], numbers) & 255]) * size)
        when = self.clocks.enqueue(self.stream(s["stream"], scope))
        self.event("access", s, [Access(instance, low, low + size, True, when)])

    def do_launch(self, s, scope, numbers):
        arguments, views = [], []
        for argument in s["args"]:
            if isinstance(argument, dict):
                instance, offset = self.pointer(argument, scope, numbers)
                if instance.side == "h" and not instance.pinned:
                    raise Invalid("pageable pointer in a kernel", s)
                if not instance.alive:
                    raise Invalid("use after free", s, instance)
                views.append(kernels.View(instance, offset, self.program.elem))
                arguments.append(views[-1])
            else:
                arguments.append(self.number(argument, numbers))
        if s["kernel"] == "kept":
            if self.kept is None or not self.kept[0].alive:
                raise Invalid("no kept pointer", s)
            views.append(kernels.View(*self.kept, self.program.elem))
            arguments.insert(0, views[-1])
        kernels.KERNELS[s["kernel"]][3](*arguments)
        self.check_threads(s, views)
        when = self.clocks.enqueue(self.stream(s["stream"], scope))
        if s["kernel"] in ("keep", "kept"):
            self.use_kept_cell(s, views, when)
        if s["kernel"] == "system_atomic":
            self.event("observe", s, instances=tuple(v.instance for v in views))
        accesses = [Access(v.instance, low, high, write, when)
                    for write in (False, True) for v in views
                    for low, high in v.ranges(v.writes if write else v.reads)]
        self.event("access", s, accesses)
        if not s.get("symbol"):
            self.launched(s)

    def use_kept_cell(self, s, views, when):
        """The device variable that holds the kept pointer is memory, too."""
        if self.kept_cell is None:
            self.kept_cell = Instance(-1, -1, "d", 8, False, ())
        if s["kernel"] == "keep":
            self.kept = views[0].instance, views[0].offset
        self.event("access", s, [Access(self.kept_cell, 0, 8, s["kernel"] == "keep", when)])

    def check_threads(self, s, views):
        """Two parameters that overlap would make threads of the kernel race."""
        for v in views:
            for other in views:
                if v is not other and v.instance is other.instance and \
                        v.writes & (other.reads | other.writes):
                    raise Invalid("kernel parameters overlap", s)

    def do_sync(self, s, scope, numbers):
        self.wait(s, scope)
        if faults.kind_of(s):  # a query tells nothing of an error here
            self.event("wait", s)

    def wait(self, s, scope):
        how = s["how"]
        self.clocks.host_step()
        if how.startswith("poll"):
            return
        if how == "device":
            self.clocks.wait_device()
        elif how in ("stream", "query_stream"):
            self.may_wait(self.stream(s["obj"], scope), s)
            self.clocks.wait_stream(self.stream(s["obj"], scope))
        else:
            event = scope[s["obj"]][0]
            if event is None:
                raise Invalid("no such event", s)
            self.clocks.wait(event[0])

    def do_record(self, s, scope, numbers):
        event = scope[s["event"]][0]
        if event is None:
            raise Invalid("no such event", s)
        event[0] = self.clocks.recorded(self.stream(s["stream"], scope))

    def do_wait_event(self, s, scope, numbers):
        event, stream = scope[s["event"]][0], self.stream(s["stream"], scope)
        if event is None:
            raise Invalid("no such event", s)
        join(stream.clock, event[0])

    def do_new_stream(self, s, scope, numbers):
        scope[s["var"]][0] = self.clocks.new_stream(s["kind"])

    def do_new_event(self, s, scope, numbers):
        scope[s["var"]][0] = [[]]

    def do_alias_event(self, s, scope, numbers):
        if scope[s["of"]][0] is None:
            raise Invalid("no such event", s)
        scope[s["var"]][0] = scope[s["of"]][0]

    def do_del_stream(self, s, scope, numbers):
        if scope[s["var"]][0] is None:
            raise Invalid("no such stream", s)
        scope[s["var"]][0] = None

    do_del_event = do_del_stream

    def do_if(self, s, scope, numbers):
        self.block(s["then"] if self.number(s["cond"], numbers) else s.get("else", []), scope, numbers)

    def do_loop(self, s, scope, numbers):
        self.path.append((s["id"], 0))
        for i in range(self.number(s["count"], numbers)):
            self.path[-1] = (s["id"], i)
            try:
                self.block(s["body"], scope, {**numbers, s["var"]: i})
            except _Break:
                break
            except _Continue:
                continue
        self.path.pop()

    def do_break(self, s, scope, numbers):
        if self.number(s["cond"], numbers):
            raise _Break

    def do_continue(self, s, scope, numbers):
        if self.number(s["cond"], numbers):
            raise _Continue

    def do_return(self, s, scope, numbers):
        if self.number(s["cond"], numbers):
            raise faults.Return

    def in_helper(self):
        return any(i < 0 for _, i in self.path)

    def do_call(self, s, scope, numbers):
        helper = self.helpers[s["helper"]]
        inner, values = {}, {}
        for (name, kind), argument in zip(helper["params"], s["args"]):
            if kind == "int":
                values[name] = self.number(argument, numbers)
            elif kind.endswith("&"):
                inner[name] = scope[argument["v"]]
            elif kind in ("host", "dev"):
                inner[name] = [self.pointer(argument, scope, numbers)]
            else:
                inner[name] = [self.stream(argument["v"], scope) if kind == "stream"
                               else scope[argument["v"]][0]]
        for name, _ in helper.get("locals", ()):
            inner[name] = [None]
        depth = len(self.path)
        self.path.append((s["id"], -1))
        try:
            self.block(helper["body"], inner, values)
        except faults.Return:
            pass
        del self.path[depth:]

    def do_swap(self, s, scope, numbers):
        a, b = scope[s["a"]], scope[s["b"]]
        a[0], b[0] = b[0], a[0]

    def do_assign(self, s, scope, numbers):
        scope[s["var"]][0] = self.pointer(s["ref"], scope, numbers)

    def do_observe(self, s, scope, numbers):
        # Distinct buffers, aligned buffers: the answers are always the same.
        instances = [self.pointer({"v": name, "o": 0}, scope, numbers)[0]
                     for name in (s["a"], s.get("b")) if name]
        value = 0
        if s["what"] == "inspect":  # cudaMemoryType: unregistered, host, device
            value = 2 if instances[0].side == "d" else int(instances[0].pinned)
        self.globals["acc"] = (self.globals["acc"] * 31 + value) & MASK
        self.event("observe", s, instances=tuple(instances))

    def do_print(self, s, scope, numbers):
        self.trace.output.append(self.globals["acc"])


def execute(program, arg):
    """The trace of one run; raises Invalid."""
    return Machine(program, arg).run()
