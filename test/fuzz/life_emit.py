# Writes what programs have beside their buffers: holders, owners, pieces of the library,
# threads, host functions, an end from the middle. What the statements mean is life_machine.py's.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The emitter's part for life.py's statements."""
import emit_text
from life_tables import FREES, HEADERS, HOLDERS, KERNELS, OWNERS, PIECES, TYPES

OPS = ("hold", "piece", "thread", "hostfunc", "exit", "say", "poll", "symbol")
# A kernel that prints or polls makes Echo decline other pairs of its file: these have files of their own.
APART = ("say", "poll")


def needed(programs):
    """True if a file with `programs` needs the headers and types."""
    return any(s["op"] in OPS for p in programs for s in p.statements()) or any(
        "owner" in v for p in programs for v in p.variables.values())


def apart(program):
    """True if `program` is to share no file with others."""
    return any(s["op"] in APART for s in program.statements())


def polls(program):
    """True if `program` has a kernel that polls."""
    return any(s["op"] == "poll" for s in program.statements())


def kind(program):
    """What programs of one file have in common: flags, whether they print or poll, and, where these are many, what
    headers they take."""
    common = program.per_thread, apart(program)
    return (*common, not any(common) and needed([program]))


def headers(programs):
    """The headers that a file with `programs` includes."""
    return emit_text.HEADERS + (HEADERS if needed(programs) else "")


def prologue(programs):
    """Lines for the start of a file."""
    pieces = sorted({s["what"] for p in programs for s in p.statements() if s["op"] == "piece"})
    used = {s["op"] for p in programs for s in p.statements()}
    lines = (HEADERS + TYPES + "".join(KERNELS[op] for op in KERNELS if op in used)).splitlines()
    lines += [f"static unsigned piece_{name}(unsigned a) {{ {PIECES[name][0]} }}" for name in pieces]
    return lines


def owner_type(how, owner):
    return OWNERS[owner][0].format(free=FREES[how])


class LifeEmitter:
    """What Emitter needs for it."""

    def life_homes(self):
        """Names of holders and owners: what gives the pointer."""
        for name, variable in self.p.variables.items():
            if variable["kind"] == "hold":
                self.home_names[name] = HOLDERS[variable["how"]][2].format(c=name)
            elif "owner" in variable:
                self.home_names[name] = name + ".get()"

    def life_declare(self):
        for name, variable in self.p.variables.items():
            if variable["kind"] == "hold":
                self.out(1, HOLDERS[variable["how"]][0].format(c=name))
            elif variable["kind"] == "flag":
                self.out(1, f"unsigned *{name} = nullptr;")
                self.out(1, f"cudaHostAlloc((void **)&{name}, 64, cudaHostAllocMapped);")
                self.out(1, f"*(volatile unsigned *){name} = 0;")
            elif "owner" in variable:
                self.out(1, f"{owner_type(variable['how'], variable['owner'])} {name};")

    def owner(self, name):
        return not self.in_helper and "owner" in self.p.variables.get(name, ())

    def owned(self, depth, s, size):
        """Allocates into an owner: by a plain pointer, as calls of CUDA's need one."""
        var, how = s["var"], self.p.variables[s["var"]]["how"]
        if how in ("malloc", "calloc", "new"):
            value = {"malloc": f"(T *)malloc({size})", "calloc": f"(T *)calloc({s['count']}, sizeof(T))",
                     "new": f"new T[{s['count']}]"}[how]
            self.site(s)
            return self.out(depth, f"{var}.reset({value});")
        self.out(depth, "{ T *made = nullptr;")
        self.site(s)
        self.cuda(depth + 1, f"cudaMalloc{'Host' if how == 'pinned' else ''}((void **)&made, {size})")
        return self.out(depth, f"{var}.reset(made); }}")

    def do_hold(self, s, depth):
        _, put, _ = HOLDERS[self.p.variables[s["var"]]["how"]]
        self.out(depth, put.format(c=s["var"], p=self.ref(s["ref"])))

    def do_piece(self, s, depth):
        self.out(depth, f"acc = acc * 31 + piece_{s['what']}({s['value']});")

    def do_thread(self, s, depth):
        how, number = s["how"], s["id"]
        if how == "async":
            self.out(depth, "std::async(std::launch::async, [&] {")
            self.block(s["body"], depth + 1)
            return self.out(depth, "}).get();")
        turns = how == "turns"
        self.out(depth, "{ Turn there, back;" if turns else "{")
        self.out(depth + 1, f"std::thread worker{number}([&] {{")
        if turns:
            self.out(depth + 2, "there.take();")
        self.block(s["body"], depth + 2)
        if turns:
            self.out(depth + 2, "back.give();")
        self.out(depth + 1, "});")
        if turns:
            self.out(depth + 1, "there.give(); back.take();")
            self.block(s.get("then", ()), depth + 1)
        self.out(depth + 1, f"worker{number}.join();")
        return self.out(depth, "}")

    def do_hostfunc(self, s, depth):
        work = (f"new HostWork<T>{{{self.ref(s['ref'])}, (unsigned)({s['count']}), (unsigned)({s['k']}), "
                f"{'true' if s['adds'] else 'false'}}}")
        if s["how"] == "callback":
            return self.cuda(depth, f"cudaStreamAddCallback({self.stream(s['stream'])}, stream_work<T>, {work}, 0)")
        return self.cuda(depth, f"cudaLaunchHostFunc({self.stream(s['stream'])}, host_work<T>, {work})")

    def do_say(self, s, depth):
        self.out(depth, f"k_say<<<1, 1, 0, {self.stream(s['stream'])}>>>({s['value']});")
        if self.style:
            self.cuda(depth, "cudaGetLastError()")

    def do_poll(self, s, depth):
        self.out(depth, f"k_poll_{s['how']}<<<1, 1, 0, {self.stream(s['stream'])}>>>({s['flag']});")

    def do_raise(self, s, depth):
        self.out(depth, f"*(volatile unsigned *){s['flag']} = 1;")

    def do_symbol(self, s, depth):
        sides = {"to": "HostToDevice", "from": "DeviceToHost"}
        kind = "Default" if s["kind"] == "default" else sides[s["dir"]] if s["side"] == "h" else "DeviceToDevice"
        size = f"{self.bytes(s['count'])}, 0, cudaMemcpy{kind}"
        self.cuda(depth, f"cudaMemcpyToSymbol(symbol, {self.ref(s['ref'])}, {size})" if s["dir"] == "to" else
                  f"cudaMemcpyFromSymbol({self.ref(s['ref'])}, symbol, {size})")

    def do_exit(self, s, depth):
        self.out(depth, f"if ({s['cond']}) {{ std::printf(\"%u\\n\", acc); std::exit({s['status']}); }}")
