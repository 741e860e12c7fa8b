# What the statements of life.py mean: a holder is a second name, a thread that is waited
# for does its work in its place, a host function is work of its stream.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The machine's part for life.py's statements."""
import faults
from clocks import before
from life_tables import PIECES, VALUES
from model import used_names, walk
from prints import QUEUES, flushes


# What waits for nothing, so that kernels that run meanwhile are not known to be done.
QUIET = ("fill", "add", "sum", "poke", "peek", "hset", "hcopy", "say", "launch", "piece", "hold", "print", "record",
         "wait_event", "alloc_h", "alloc_d", "if", "loop", "call", "thread", "raise", "poll", "exit", "break", "return",
         "continue", "assign", "swap", "new_stream", "new_event", "alias_event")
# What waits for all of the device, or may.
MAY_WAIT = ("free_d", "reset", "del_stream", "symbol", "hostfunc", "fread", "realloc")


class Life:
    """What Machine needs for it."""

    def do_hold(self, s, scope, numbers):
        scope[s["var"]][0] = self.pointer(s["ref"], scope, numbers)

    def do_piece(self, s, scope, numbers):
        value = VALUES.get(s["what"]) or PIECES[s["what"]][1]
        number = value(self.number(s["value"], numbers)) & 0xffffffff
        self.globals["acc"] = (self.globals["acc"] * 31 + number) & 0xffffffff

    def do_thread(self, s, scope, numbers):
        if any(self.program.variables.get(name, {}).get("how") == "thread_local"
               for inner in walk(s["body"]) for name in used_names(inner)):
            raise self.invalid("a thread_local holder is another one in each thread", s)
        pending, self.pending = self.pending, None  # the last error is each thread's own
        self.block(s["body"], scope, numbers)
        self.pending = pending
        self.block(s.get("then", ()), scope, numbers)

    def do_hostfunc(self, s, scope, numbers):
        instance, low, count = self.span(s, "ref", scope, numbers)
        elem, k = self.program.elem, self.number(s["k"], numbers)
        limit = (1 << 8 * elem) - 1
        when = self.clocks.enqueue(self.stream(s["stream"], scope))
        if not instance.alive:
            raise self.invalid("use after free", s, instance)
        for i in range(count):
            at = low + i * elem
            old = int.from_bytes(instance.bytes_at(at, elem), "little") + k if s["adds"] else k + 3 * i
            instance.store(at, (old & limit).to_bytes(elem, "little"))
        instance.by_host_function = True
        for write in (False, True) if s["adds"] else (True,):
            self.touch(s, instance, low, low + count * elem, write, when)

    def do_exit(self, s, scope, numbers):
        if self.number(s["cond"], numbers):
            self.trace.output.append(self.globals["acc"])
            self.status = s["status"]
            raise faults.Exit

    # What kernels print is written by calls that flush, once the host knows that they are done.
    def start_life(self):
        self.held, self.symbol = {}, None  # flag -> (agent, count)
        # [agent, count, line, may a launch write it, how much the host had printed where it may first be written]
        self.said, self.written = [], 0
        self.flags_gone = False  # a reset has freed them

    def do_say(self, s, scope, numbers):
        self.flush(s)
        stream = self.stream(s["stream"], scope)
        agent, count, clock = self.clocks.enqueue(stream)
        if not all(before(other[0], other[1], clock) for other in self.said):
            raise self.invalid("it is open which is printed first", s)
        self.said.append([agent, count, f"says {self.number(s['value'], numbers)}", False, None])
        self.launched(s)

    def flush(self, s):
        """Writes what the host knows to be done. What it does not know may be written here or later: the program
        may print nothing of its own between the two."""
        waiting, here = [], len(self.trace.output) - self.written
        for entry in self.said:
            agent, count, line, is_open, first = entry
            if before(agent, count, self.clocks.host):
                if first not in (None, here):
                    raise self.invalid("it is open when this is printed", s)
                self.trace.output.append(line)
                self.written += 1
            else:
                if first is None and (is_open or (s and s["op"] not in QUEUES)):
                    entry[4] = here
                waiting.append(entry)
        self.said = waiting

    def lose_prints(self):
        """The process ends in the middle: what is not written by then is lost."""
        if any(first is not None for *_, first in self.said):
            raise self.invalid("it is open if this is printed")

    def around(self, s):
        """What goes with a statement that ran: prints that it flushes, and whether it waits for ever."""
        if self.said:
            if flushes(s):
                self.flush(s)
            if s["op"] not in QUIET:
                for entry in self.said:
                    entry[3] = True
        for agent, count in self.held.values():
            if before(agent, count, self.clocks.host) or s["op"] in MAY_WAIT or s.get("how") in faults.PINNED:
                raise self.invalid("waits for ever", s)

    def may_wait(self, stream, s):
        """The host may wait for what is in `stream`: a polling kernel there would never end. A wait for the legacy
        stream waits for blocking streams, too (seen on an H200), though CUDA does not promise it."""
        kinds = {each.agent: each.kind for each in self.clocks.streams}
        if any(before(agent, count, stream.clock) or (stream.kind == "legacy" and kinds[agent] == "blocking")
               for agent, count in self.held.values()):
            raise self.invalid("may wait for ever", s)

    def do_poll(self, s, scope, numbers):
        if self.flags_gone:
            raise self.invalid("a reset has freed the flag", s)
        if s["flag"] in self.held or scope[s["flag"]][0]:
            raise self.invalid("a flag is used twice", s)
        agent, count, _ = self.clocks.enqueue(self.stream(s["stream"], scope))
        self.held[s["flag"]] = agent, count

    def do_raise(self, s, scope, numbers):
        if self.flags_gone:
            raise self.invalid("a reset has freed the flag", s)
        scope[s["flag"]][0] = True
        self.held.pop(s["flag"], None)

    def do_symbol(self, s, scope, numbers):
        if self.symbol is None:
            self.symbol = type(self).Instance(-2, -2, "d", 512, False, ())
        instance, low = self.pointer(s["ref"], scope, numbers)
        size = self.number(s["count"], numbers) * self.program.elem
        if not instance.alive or low + size > instance.size or size > 512 or instance.side != s["side"]:
            raise self.invalid("bad symbol copy", s)
        if not size:
            return
        src, at, dst, to = (instance, low, self.symbol, 0) if s["dir"] == "to" else (self.symbol, 0, instance, low)
        dst.store(to, src.bytes_at(at, size))
        stream = self.stream("", scope)
        if s["dir"] == "to" and s["side"] == "h" and not instance.pinned:
            self.clocks.wait_stream(stream)
            reads, writes = self.clocks.host_step(), self.clocks.enqueue(stream)
        else:
            reads = writes = self.clocks.enqueue(stream)
            if s["side"] == "h":
                self.clocks.wait(writes[2])
        self.touch(s, src, at, at + size, False, reads)
        self.touch(s, dst, to, to + size, True, writes)

    def end_life(self):
        """The program's own function has returned: main waits for the device."""
        if self.held:
            raise self.invalid("waits for ever")
        self.clocks.wait_device()
        self.flush(None)

    def end_owners(self, scope):
        """Owners free what they hold, where the program does not end in the middle."""
        for name in self.program.variables:
            self.end_owner(name, scope)

    def end_owner(self, name, scope):
        """The owner `name`, if it is one, frees what it holds. What a reset took may be another's by now."""
        variable = self.program.variables.get(name, ())
        if "owner" not in variable or scope[name][0] is None:
            return
        if not scope[name][0][0].alive:
            raise self.invalid("an owner frees what is gone")
        if not self.dead or variable["how"] not in (*faults.PINNED, "cudaMalloc"):
            self.do_free_h({"op": "free_h", "id": -1, "var": name,
                            "how": "cuda" if variable["how"] == "cudaMalloc" else variable["how"]}, scope, {})
