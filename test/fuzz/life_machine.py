# What the statements of life.py mean: a holder is a second name, a thread that is waited
# for does its work in its place, a host function is work of its stream.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The machine's part for life.py's statements."""
import faults
from life_tables import PIECES, VALUES


class Life:
    """What Machine needs for it."""

    def do_hold(self, s, scope, numbers):
        scope[s["var"]][0] = self.pointer(s["ref"], scope, numbers)

    def do_piece(self, s, scope, numbers):
        value = VALUES.get(s["what"]) or PIECES[s["what"]][1]
        number = value(self.number(s["value"], numbers)) & 0xffffffff
        self.globals["acc"] = (self.globals["acc"] * 31 + number) & 0xffffffff

    def do_thread(self, s, scope, numbers):
        self.block(s["body"], scope, numbers)
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

    def end_owners(self, scope):
        """Owners free what they hold, where the program does not end in the middle."""
        for name, variable in self.program.variables.items():
            if "owner" in variable and scope[name][0] is not None:
                self.do_free_h({"op": "free_h", "id": -1, "var": name,
                                "how": "cuda" if variable["how"] == "cudaMalloc" else variable["how"]}, scope, {})
