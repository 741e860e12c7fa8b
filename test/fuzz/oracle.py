# The truth about one execution: whether the program as written races, and for
# any set of merged pairs whether merging them breaks S1, S2, S3 or S4. It reads
# the machine's trace and knows nothing of how Echo decides.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The exact oracle.

Merging is judged by simulating it: buffers that share a block have one shadow memory,
copies between equal offsets of one block do nothing, everything else happens as written,
in the order that the original gives. Then, byte by byte:
  S1  a read sees another write than in the original
  S2  two accesses of the block, one a write, are not ordered
  S3  the program looks at an address, or copies within the block at another offset
  S4  which host buffer belongs to which device buffer is not one to one at any time: a
      buffer of either side may have one of the other side after the other, in the iterations
      of a loop inside its own, but for pinned host buffers; one that is there while the one
      before it lives stays apart
"""
from clocks import before
from ranges import RangeMap


class Race:
    def __init__(self, first, second, instance):
        self.first, self.second, self.instance = first, second, instance


class Violation:
    def __init__(self, condition, what, statement):
        self.condition, self.what, self.statement = condition, what, statement

    def __str__(self):
        return f"{self.condition}: {self.what} (statement {self.statement['id']} {self.statement['op']})"


class Shadow:
    """Who accessed each byte: (last write, reads since), where an access is
    (agent, count, statement)."""

    def __init__(self, size):
        self.bytes = RangeMap(size, (None, ()))

    def meet(self, access, statement):
        """Notes an access; the earlier one it is not ordered with, or None."""
        me = (access.agent, access.count, statement)
        pieces, found = [], None
        for low, high, (wrote, reads) in self.bytes.get(access.low, access.high):
            if wrote and not before(wrote[0], wrote[1], access.clock):
                found = found or wrote
            if access.write:
                for r in reads:
                    if not before(r[0], r[1], access.clock):
                        found = found or r
                pieces.append((low, high, (me, ())))
            else:
                kept = tuple(r for r in reads if r[0] != access.agent)
                pieces.append((low, high, (wrote, kept + (me,))))
        self.bytes.put(pieces)
        return found[2] if found else None


def races(trace):
    """The first race of the program as written, or None."""
    shadows = {}
    for event in trace.events:
        for access in event.accesses:
            instance = access.instance
            shadow = shadows.setdefault(instance, Shadow(instance.size))
            earlier = shadow.meet(access, event.statement)
            if earlier is not None:
                return Race(earlier, event.statement, instance)
    return None


def is_link(event):
    """A copy between host and device at equal offsets."""
    if event.kind != "copy":
        return False
    dst, to, src, at, _ = event.copy
    return to == at and dst.side != src.side


def candidates(trace):
    """{(host site, device site): whole}: pairs with a linking copy; whole: every one of them
    covers both buffers and no copy between the two is at another offset."""
    found = {}
    for event in trace.events:
        if event.kind != "copy":
            continue
        dst, to, src, at, size = event.copy
        if dst.side == src.side:
            continue
        h, d = (dst, src) if dst.side == "h" else (src, dst)
        whole = to == at == 0 and size == h.size == d.size
        key = (h.site, d.site)
        if is_link(event):
            found[key] = found.get(key, True) and whole
        elif key in found:
            found[key] = False
    return found


def _loops(instance):
    return tuple(entry for entry in instance.key if entry[1] >= 0)


def _inside(outer, inner):
    """True if inner is of the activation of outer, or of a loop inside it."""
    return inner.key[:len(outer.key)] == outer.key and all(entry[1] >= 0 for entry in inner.key[len(outer.key):])


def _pinned(instance):
    """Copies of it that stay may still read it when it is freed: it takes no turns."""
    return instance.how in ("pinned", "hostalloc")


def _linked(trace, only):
    """{pair: the activations of both buffers that the copies of `only` link}."""
    found = {pair: set() for pair in only}
    for event in trace.events:
        if is_link(event):
            dst, src = event.copy[0], event.copy[2]
            h, d = (dst, src) if dst.side == "h" else (src, dst)
            if event.statement["id"] in only.get((h.site, d.site), ()):
                found[h.site, d.site].add((h.key, d.key))
    return found


def _groups(trace, merged, only):
    """Which block every instance lives in, or a Violation of S4."""
    block, partner = {}, {}
    linked = _linked(trace, only)

    def merges(h, d):
        pair = h.site, d.site
        return pair in merged and (pair not in linked or (h.key, d.key) in linked[pair])

    def tie(h, d, statement):
        if h in block and block[h] is block.get(d):
            return None
        for outer, inner in ((h, d), (d, h)):
            known = partner.get((outer, inner.site), inner)
            if known is not inner and known.born < inner.born and _inside(outer, inner) and not _pinned(inner):
                if _overlap(known, inner):
                    return None
                partner[outer, inner.site] = inner
        for mine, other in ((h, d), (d, h)):
            known = partner.setdefault((mine, other.site), other)
            if known is not other:
                return Violation("S4", "one buffer, two partners of one place", statement)
        shared = min(len(_loops(h)), len(_loops(d)))
        if _loops(h)[:shared] != _loops(d)[:shared] or (_pinned(h) and len(_loops(h)) > shared):
            return Violation("S4", "partners of different iterations", statement)
        a, b = block.setdefault(h, [h]), block.setdefault(d, [d])
        if a is not b:
            a.extend(b)
            for instance in b:
                block[instance] = a
        return None

    for event in trace.events:
        if not is_link(event):
            continue
        dst, src = event.copy[0], event.copy[2]
        h, d = (dst, src) if dst.side == "h" else (src, dst)
        if merges(h, d):
            wrong = tie(h, d, event.statement)
            if wrong:
                return None, wrong
    # Buffers of one activation share a block even where no copy ran.
    for h in trace.instances:
        for d in trace.instances:
            if merges(h, d) and (_inside(h, d) or _inside(d, h)) and _overlap(h, d):
                wrong = tie(h, d, {"id": d.site, "op": "alloc_d"})
                if wrong:
                    return None, wrong
    return block, None


def _overlap(a, b):
    first, second = (a, b) if a.born < b.born else (b, a)
    return first.died is None or first.died > second.born


class _Merged:
    """The state of the program with some buffers merged."""

    def __init__(self, trace, block):
        self.trace, self.block = trace, block
        self.plain, self.shadow, self.content = {}, {}, {}
        self.fresh = 0

    def of(self, instance):
        group = self.block[instance]
        key = id(group)
        size = max(i.size for i in group)
        if key not in self.shadow:
            self.shadow[key] = Shadow(size)
        if key not in self.content:
            self.content[key] = RangeMap(size, 0)
        if instance not in self.plain:
            self.plain[instance] = RangeMap(instance.size, 0)
        return self.plain[instance], self.shadow[key], self.content[key]

    def access(self, access, statement):
        plain, shadow, content = self.of(access.instance)
        earlier = shadow.meet(access, statement)
        if earlier is not None:
            return Violation("S2", f"not ordered with statement {earlier['id']} {earlier['op']}", statement)
        low, high = access.low, access.high
        if access.write:
            self.fresh += 1
            plain.set(low, high, self.fresh)
            content.set(low, high, self.fresh)
            return None
        for a, b, mine in plain.get(low, high):
            if mine and any(theirs != mine for _, _, theirs in content.get(a, b)):
                return Violation("S1", "reads what the other side wrote", statement)
        return None

    def event(self, event):
        if event.kind == "observe":
            if any(i in self.block for i in event.instances):
                return Violation("S3", "an address is looked at", event.statement)
            return None
        if event.kind == "resize":
            if any(i in self.block for i in event.instances):
                return Violation("S4", "one side is moved or freed by other means", event.statement)
            return None
        if event.kind == "free":
            # echort waits for the GPU where the device side goes.
            for instance in {access.instance for access in event.accesses}:
                if instance.side == "d" and instance in self.block:
                    group = self.block[instance]
                    self.shadow[id(group)] = Shadow(max(i.size for i in group))
            return None
        if event.kind == "alloc":
            return None
        if event.kind == "copy":
            dst, to, src, at, size = event.copy
            if dst in self.block and self.block[dst] is self.block.get(src):
                if to == at:
                    from_plain = self.of(src)[0].get(at, at + size)
                    self.of(dst)[0].put(from_plain)
                    return None
                if to < at + size and at < to + size:
                    return Violation("S3", "copies within the block", event.statement)
        for access in event.accesses:
            if access.instance in self.block:
                wrong = self.access(access, event.statement)
                if wrong:
                    return wrong
        return None


# What the host does with one buffer and may leave out where nobody reads what it writes.
_FILLS = ("fill", "hset", "poke", "hcopy", "alloc_h")


def _forwarded(event, last):
    """True if `event` reads one number of what `last`, right before it, set to a constant: compilers read nothing there."""
    if last is None or event.statement["op"] != "peek" or last.statement["op"] != "hset":
        return False
    return all(any(w.write and w.instance is access.instance and w.low <= access.low and access.high <= w.high
                   for w in last.accesses) for access in event.accesses)


def unread(traces):
    """The places of the host's writes to buffers that copies write later, and of which nobody reads a byte,
    in any of the traces: Echo may leave them out. What such a write reads itself does not count."""
    def is_fill(event):
        return event.kind in ("access", "clear") and event.statement["op"] in _FILLS

    gone = {event.place for trace in traces for event in trace.events if is_fill(event)}
    while True:
        read, overwritten = set(), set()
        for trace in traces:
            wrote, filled, before = {}, {}, None
            for event in trace.events:
                if event.kind == "free":
                    continue
                last_event, before = before, event
                if event.kind == "access" and _forwarded(event, last_event):
                    continue
                fills = is_fill(event) and event.place in gone
                for access in event.accesses:
                    last = wrote.setdefault(access.instance, RangeMap(access.instance.size, None))
                    if access.write:
                        places = filled.setdefault(access.instance, set())
                        if event.kind == "copy":
                            overwritten |= places
                        elif fills:
                            places.add(event.place)
                        last.set(access.low, access.high, event.place if fills else None)
                    elif not fills:
                        read.update(place for _, _, place in last.get(access.low, access.high))
        needed = (gone & read) | (gone - overwritten)
        if not needed:
            return gone
        gone -= needed


def check(trace, merged, only=None, gone=frozenset()):
    """The first violation if the pairs `merged`, of (host site, device site), share memory; or None.
    Of the pairs in `only`, {pair: statements}, just the buffers that these copies link. The host's writes
    at the places `gone` are left out."""
    block, wrong = _groups(trace, set(merged), only or {})
    if wrong:
        return wrong
    state, before = _Merged(trace, block), None
    for event in trace.events:
        last, before = before, event
        if event.kind in ("access", "clear") and event.place in gone:
            continue
        if event.kind == "access" and last is not None and last.place in gone and _forwarded(event, last):
            continue
        wrong = state.event(event)
        if wrong:
            return wrong
    return None
