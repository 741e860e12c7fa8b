# Which calls of a generated program can fail and how the machine goes on after one
# that did: by what the program does about errors, and by what CUDA leaves of a device
# that failed. It knows nothing of what Echo made of the program.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Failing calls.

A fault is (kind, mark): the call of the mark-th marked statement of a run fails. The emitter writes a mark
(cudaRuntimeGetVersion) before each marked statement, and ECHO_CPU_FAIL=KIND@MARK makes the call after it fail.

With the kind "memory" the mark is bytes: the device has so many (ECHO_CPU_MEMORY), and the first allocation that they do
not hold fails. It is for programs that then end.

With the kind "trap" the kernel of a launch stops, and the device fails when that is seen: at any call from there on,
at the latest at one that waits for the kernel. A program that leaves at an error may end in one of several ways.

What a program does about an error, `Program.errors`:
  ""      nothing, or with `check` as "exit"
  exit    prints the statement and the error, and ends with status 9
  return  prints them and leaves the function
  note    takes the statement into acc, and goes on
  goto    leaves for the end of the program, where everything is freed
  throw   the same, by an exception
"""
import oracle
from clocks import before
from model import walk
from prints import flushes

STYLES = ("", "exit", "return", "note", "goto", "throw")
LEAVES = ("goto", "throw")  # everything is freed at the end, whether something failed or not
EXIT_STATUS = 9
ERRORS = {"alloc": "cudaErrorMemoryAllocation", "create": "cudaErrorMemoryAllocation", "copy": "cudaErrorInvalidValue",
          "set": "cudaErrorInvalidValue", "launch": "cudaErrorLaunchOutOfResources", "wait": "cudaErrorLaunchFailure"}
PINNED = ("pinned", "hostalloc")
ENDS = ("exit", *LEAVES)  # the first error is the last statement but for the end's
# What of a failed device tells so, beside the marked statements.
ALSO_TELLS = ("free_d", "record", "wait_event", "del_stream", "del_event", "hostfunc", "symbol")


class Exit(Exception):
    """The program ends."""


class Leave(Exception):
    """The program goes on where it frees everything."""


class Return(Exception):
    """The function ends."""


class Late(Exception):
    """A trap should have been seen before."""


def kind_of(s):
    """How statement `s` can fail, or None if nothing of CUDA's is called there that can."""
    op = s["op"]
    if op == "alloc_h":
        return "alloc" if s["how"] in PINNED else None
    if op == "launch":
        return "copy" if s.get("symbol") else "launch"
    if op == "sync":
        return "wait" if s["how"] in ("device", "stream", "event") else None
    return {"alloc_d": "alloc", "copy": "copy", "symbol": "copy", "memset": "set", "new_stream": "create",
            "new_event": "create"}.get(op)


def style(program):
    return program.errors or ("exit" if program.check else "")


def can_free_all(program):
    """True if the end of `program` can free what each variable holds: no buffer has two names."""
    return not program.helpers and not any(s["op"] in ("assign", "swap", "realloc", "reset") or s.get("given")
                                           for s in walk(program.body))


def frees(program):
    """The statements that free everything at the end of a program that leaves for it."""
    hows = {}
    for s in program.statements():
        if s["op"] in ("alloc_h", "alloc_d"):
            hows.setdefault(s["var"], set()).add(s["how"] if s["op"] == "alloc_h" else "cuda")
    return [{"op": "free_d" if hows[var] == {"cuda"} else "free_h", "id": -1, "var": var, "how": min(hows[var])}
            for var, variable in program.variables.items()
            if variable["kind"] in ("host", "dev") and "owner" not in variable and len(hows.get(var, ())) == 1]


class Failing:
    """The part of the machine that makes calls fail."""

    def start_faults(self, fault):
        self.fault, self.marks, self.dead, self.status = fault, 0, False, 0
        self.style, self.ends = style(self.program), False
        self.pending = None  # what cudaGetLastError would say
        self.trapped, self.patience = None, 0  # (agent, count) of the kernel; calls until it is seen
        self.leaves_open = False  # see leave_open
        self.most = 0  # bytes of device memory in use at a time

    def fails(self, s, scope, numbers):
        """True if statement `s` fails and so does nothing; may leave the program."""
        kind = kind_of(s)
        self.marks += kind is not None
        if s.get("again"):  # the second time it succeeds, but on a failed device
            if self.dead or self.trapped:
                raise self.invalid("tries a failed device again", s)
            return False
        tells = kind or s["op"] in ALSO_TELLS or (s["op"] == "free_h" and s["how"] in PINNED)
        if self.trapped and tells and not self.dead:
            self.dead, self.patience = self.patience == 0, self.patience - 1
        if self.dead and s["op"] in ("free_d", "free_h") and "owner" in self.program.variables.get(s["var"], ()):
            return True  # its deleter says nothing
        if self.dead and tells:
            self.forget(s, scope, numbers)
            self.failed(s, ERRORS["wait"])
            self.own_nothing(s, kind, scope)
            return True
        if (self.dead and s["op"] in ("observe", "reset")) or (self.pending and s["op"] == "reset"):
            raise self.invalid("it is open what a failed device answers, or if a reset takes the last error", s)
        if self.pending and s["op"] == "sync" and not kind:
            raise self.invalid("a query may take the last error", s)
        if s["op"] == "alloc_d" and self.lacks_memory(s, numbers):
            self.failed(s, ERRORS["alloc"])
            raise self.invalid("goes on without memory", s)
        if self.fault is None or kind is None or self.fault[:2] != (kind, self.marks):
            if kind == "launch" and self.fault and self.fault[:2] == ("trap", self.marks):
                self.trap(s, scope, numbers)
                return True
            return False
        if kind == "wait":
            self.do_sync(s, scope, numbers)
            self.dead = True
        elif kind == "copy" and self.relied(s, scope, numbers):
            raise self.invalid("a failing copy of nothing", s)
        self.failed(s, ERRORS[kind])
        self.leave_open(s, scope, numbers)
        self.own_nothing(s, kind, scope)
        return True

    def lacks_memory(self, s, numbers):
        """True if the device's memory does not hold one buffer more."""
        used = sum(i.size for i in self.trace.instances if i.side == "d" and i.alive)
        used += self.number(s["count"], numbers) * self.program.elem
        self.most = max(self.most, used)
        return self.fault is not None and self.fault[0] == "memory" and used > self.fault[1]

    def own_nothing(self, s, kind, scope):
        """A program that goes on after an allocation that failed gives its owner no buffer."""
        if kind == "alloc" and not self.in_helper():
            self.end_owner(s["var"], scope)

    def trap(self, s, scope, numbers):
        self.do_launch(s, scope, numbers)
        stream = self.stream(s["stream"], scope)
        self.trapped, self.patience = (stream.agent, stream.clock[stream.agent]), self.fault[2] - 1
        self.unknown(self.trace.events[-1])
        if not self.fault[2]:
            self.dead = True
            self.failed(s, ERRORS["wait"])

    def unknown(self, event):
        """What the GPU writes after a trap is open. What waits for the kernel tells of it, but for uploads,
        which wait for the stream only to read their source."""
        told = event.kind == "wait" or (event.kind == "copy" and event.statement["dir"] == "d2h")
        if told and not self.dead and before(*self.trapped, self.clocks.host):
            raise Late
        for access in event.accesses:
            if access.write and access.agent:
                access.instance.known[access.low:access.high] = bytes(access.high - access.low)

    def relied(self, s, scope, numbers):
        """True if it is open whether the copy or its arguments fail first."""
        return s["op"] == "copy" and "fails" in s and bool(self.number(s["fails"], numbers))

    def forget(self, s, scope, numbers):
        """A download from a device that failed: that a kernel fails that cannot is against the rules by which
        Echo merges, so that nothing is said of what is in its destination."""
        if s["op"] != "copy" or s["dir"] != "d2h":
            return
        self.unknown_bytes(s["dst"], s, scope, numbers)

    def unknown_bytes(self, pointer, s, scope, numbers):
        """Nothing is known of what `s` would have written at `pointer`."""
        instance, low = self.pointer(pointer, scope, numbers)
        size = self.number(s["count"], numbers) * self.program.elem
        instance.known[low:low + size] = bytes(len(instance.known[low:low + size]))

    def leave_open(self, s, scope, numbers):
        """A copy or set with right arguments fails only on a device that failed: by that rule Echo merges, so that of
        a merged program nothing is said of what is in its destination. The program has gone on after it."""
        if not self.leaves_open:
            return
        if s["op"] == "symbol":
            raise self.invalid("goes on after a failing symbol copy", s)
        if s["op"] in ("copy", "memset"):
            self.unknown_bytes(s["dst" if s["op"] == "copy" else "ref"], s, scope, numbers)

    def failed(self, s, error):
        """What the program does about an error."""
        if self.said and flushes(s):
            raise self.invalid("it is open if a call that fails writes what kernels printed", s)
        self.pending = None if s["op"] in ("launch", "say") and self.style else error
        if self.ends:
            return
        if self.style == "note":
            self.globals["acc"] = (self.globals["acc"] * 31 + s["id"]) & 0xffffffff
        elif self.style:
            self.trace.output.append(f"failed {s['id']} {error}")
            if self.style == "return":
                raise Return
            if self.style == "throw" or (self.style == "goto" and not self.in_helper()):
                raise Leave
            self.status = EXIT_STATUS
            raise Exit

    def launched(self, s):
        """A launch succeeded: the program asks for the last error, and gets that of an earlier call."""
        if self.pending and self.style:
            self.failed(s, self.pending)

    def free_all(self, scope):
        """The end of a program that leaves for it."""
        self.ends = True
        for s in frees(self.program):
            if scope[s["var"]][0] is not None and not self.fails(s, scope, {}):
                self.do_free_h(s, scope, {})


def possible(program, arg):
    """Every fault that can happen in a run."""
    import machine
    # The order of given ones is the emitter's.
    if any("given" in s for s in program.statements()):
        return []
    run = machine.Machine(program, arg)
    found = []
    run.seen = lambda s: found.append((kind_of(s), run.marks + 1)) if kind_of(s) else None
    run.run()
    if style(program) in ENDS and not any(s.get("again") for s in program.statements()):
        found += [("memory", limit) for limit in {run.most - 1, run.most // 2} if limit > 0]
    # What kernels print, and if they end, is open on a failed device.
    if any(s["op"] in ("say", "poll") for s in program.statements()):
        return [(kind, mark) for kind, mark in found if kind != "wait"]
    if style(program) not in ("", "note"):
        found += [("trap", mark) for kind, mark in found if kind == "launch"]
    return found


def outcomes(program, arg, fault, leaves_open=False):
    """(statement, [(status, lines)]): what a run with a fault may do; None where that is not defined. `leaves_open`:
    what a copy or set would have written that fails is not defined."""
    if fault[0] != "trap":
        found = outcome(program, arg, fault, leaves_open)
        return found and (found[2], [(found[1], found[0])])
    found, patience = [], 0
    while True:
        try:
            one = outcome(program, arg, (*fault, patience))
        except Late:
            break
        if one is None:
            return None
        found.append((one[1], one[0]))
        if not one[3]:
            break
        patience += 1
    return one[2], found


def outcome(program, arg, fault, leaves_open=False):
    """(lines, status, statement, the device failed) of a run with a fault; None where that is not defined."""
    import machine
    run, at = machine.Machine(program, arg, fault), []
    run.leaves_open = leaves_open
    if fault[0] == "memory":
        run.seen = lambda s: at.append(s) if s["op"] == "alloc_d" else None
    else:
        run.seen = lambda s: at.append(s) if kind_of(s) and run.marks + 1 == fault[1] else None
    try:
        trace = run.run()
    except machine.Invalid:
        return None
    race = oracle.races(trace)
    # CUDA's own frees at the end may meet work: they wait for it, on every device that is known.
    if race and (race.second["id"] != -1 or (race.instance.side == "h" and not race.instance.pinned)):
        return None
    # Of too little memory: the last allocation of a buffer is the one that failed.
    return [str(line) for line in trace.output], run.status, at[-1 if fault[0] == "memory" else 0], run.dead
