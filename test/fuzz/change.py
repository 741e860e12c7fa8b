# Random changes to a program: a statement more or less, another stream, another
# kind of copy, a part instead of all. The result may be invalid; repair decides.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random changes."""
import copy

from model import ref

KERNELS_1 = ("scale", "set", "odd")
KERNELS_2 = ("map", "accumulate", "inner", "total", "unused", "maybe")


def _names(program, *kinds):
    return [n for n, v in program.variables.items() if v["kind"] in kinds]


def _sizes(program):
    return {s["var"]: s["count"] for s in program.statements() if s["op"] in ("alloc_h", "alloc_d")}


def _stream(program, rng):
    return rng.choice(["", "", "legacy", "perthread"] + 3 * _names(program, "stream"))


def _part(size, rng):
    """(offset, count) within a buffer of `size` elements."""
    if rng.random() < 0.75 or not isinstance(size, int) or size < 8:
        return 0, size
    offset = rng.choice((0, 0, 4, size // 2))
    return offset, rng.choice((4, size // 2, size - offset)) if offset + size // 2 <= size else 4


def _fewer(a, b, rng):
    return a if a == b or not isinstance(b, int) or (isinstance(a, int) and a < b) else b


def _new_statement(program, rng):
    """A random statement over the program's variables, or None."""
    sizes = _sizes(program)
    hosts = [h for h in _names(program, "host", "vector") if h in sizes]
    devices = [d for d in _names(program, "dev") if d in sizes]
    if not hosts or not devices:
        return None
    h, d, stream = rng.choice(hosts), rng.choice(devices), _stream(program, rng)
    kind = rng.choice(("fill", "add", "read", "read", "poke", "peek", "hset", "hcopy", "copy", "copy", "copy",
                       "copy", "d2d", "memset", "launch", "launch", "launch", "sync", "sync", "event", "free",
                       "swap", "print"))
    offset, count = _part(sizes[h], rng)
    if kind in ("fill", "add", "read", "hset"):
        extra = {"fill": {"seed": rng.randrange(99)}, "add": {"k": rng.randrange(1, 9)}, "read": {},
                 "hset": {"value": rng.randrange(99)}}[kind]
        return {"op": "sum" if kind == "read" else kind, "ref": ref(h, offset), "count": count, **extra}
    if kind == "poke":
        return {"op": "poke", "ref": ref(h, rng.randrange(4)), "value": rng.choice((rng.randrange(99), "acc"))}
    if kind == "peek":
        return {"op": "peek", "ref": ref(h, rng.randrange(4))}
    if kind == "hcopy":
        other = rng.choice(hosts)
        return {"op": "hcopy", "dst": ref(h), "src": ref(other), "count": _fewer(sizes[h], sizes[other], rng)}
    if kind in ("copy", "d2d"):
        is_async = rng.random() < 0.45
        common = {"op": "copy", "async": is_async, "stream": stream if is_async else "", "kind": "exact"}
        if kind == "d2d":
            other = rng.choice(devices)
            return {**common, "dst": ref(d), "src": ref(other), "dir": "d2d",
                    "count": _fewer(sizes[d], sizes[other], rng)}
        count = _fewer(sizes[h], sizes[d], rng)
        offset = 0
        if rng.random() < 0.2:
            offset, count = _part(count, rng)
        shift = offset if rng.random() < 0.85 else 0
        if rng.random() < 0.5:
            return {**common, "dst": ref(d, shift), "src": ref(h, offset), "dir": "h2d", "count": count}
        return {**common, "dst": ref(h, offset), "src": ref(d, shift), "dir": "d2h", "count": count}
    if kind == "memset":
        offset, count = _part(sizes[d], rng)
        is_async = rng.random() < 0.5
        return {"op": "memset", "ref": ref(d, offset), "count": count, "value": rng.randrange(9),
                "async": is_async, "stream": stream if is_async else ""}
    if kind == "launch":
        return _new_launch(program, rng, sizes, devices, stream)
    if kind == "sync":
        how = rng.choice(("device", "stream", "stream", "query_stream"))
        return {"op": "sync", "how": how, "obj": "" if how == "device" else stream}
    if kind == "event":
        events = _names(program, "event")
        if not events:
            return None
        event = rng.choice(events)
        return rng.choice(({"op": "record", "event": event, "stream": stream},
                           {"op": "sync", "how": "event", "obj": event},
                           {"op": "sync", "how": "query_event", "obj": event},
                           {"op": "wait_event", "stream": stream, "event": event}))
    if kind == "free":
        return {"op": "free_d", "var": d}
    if kind == "swap":
        plain = [x for x in _names(program, "host") if x in sizes]
        if rng.random() < 0.5 and len(plain) > 1:
            a, b = rng.sample(plain, 2)
        elif len(devices) > 1:
            a, b = rng.sample(devices, 2)
        else:
            return None
        return {"op": "swap", "a": a, "b": b}
    return {"op": "print"}


def _new_launch(program, rng, sizes, devices, stream):
    pinned = [s["var"] for s in program.statements()
              if s["op"] == "alloc_h" and s["how"] in ("pinned", "hostalloc") and s["var"] in program.variables]
    pool = devices + (pinned if rng.random() < 0.15 else [])
    if rng.random() < 0.5:
        kernel, pointers = rng.choice(KERNELS_1), [rng.choice(pool)]
    else:
        kernel, pointers = rng.choice(KERNELS_2), [rng.choice(pool), rng.choice(pool)]
    n = sizes[pointers[0]]
    for p in pointers:
        n = _fewer(n, sizes[p], rng)
    offset = 0
    if rng.random() < 0.15:
        offset, n = _part(n, rng)
    numbers = [n] + ([rng.randrange(50)] if kernel in ("scale", "set", "odd", "map", "maybe") else [])
    return {"op": "launch", "kernel": kernel, "args": [ref(p, offset) for p in pointers] + numbers,
            "stream": stream}


def _places(program):
    return [(body, i) for body in program.bodies() for i in range(len(body) + 1)]


def _insert(program, rng):
    statement = _new_statement(program, rng)
    if statement is None:
        return False
    body, at = rng.choice(_places(program))
    if rng.random() < 0.12:
        statement = {"op": "if", "cond": rng.choice(("arg % 2 == 1", "(acc & 1) == 1", "arg == 6", "(acc & 3) != 0")),
                     "then": [statement]}
    elif rng.random() < 0.05:
        statement = {"op": "loop", "var": f"j{rng.randrange(1000)}", "count": 2, "body": [statement]}
    body.insert(at, statement)
    return True


def _filled(program):
    return [(body, i) for body in program.bodies() for i in range(len(body))]


def _remove(program, rng):
    body, at = rng.choice(_filled(program))
    del body[at]
    return True


def _duplicate(program, rng):
    body, at = rng.choice(_filled(program))
    if body[at]["op"] in ("alloc_h", "alloc_d", "new_stream", "new_event", "loop"):
        return False
    body.insert(rng.randrange(len(body) + 1), copy.deepcopy(body[at]))
    return True


def _move(program, rng):
    body, at = rng.choice(_filled(program))
    statement = body.pop(at)
    body.insert(min(len(body), max(0, at + rng.choice((-2, -1, 1, 2)))), statement)
    return True


def _restream(program, rng):
    """A copy, set or launch goes to another stream, or becomes asynchronous."""
    chosen = [s for s in program.statements() if s["op"] in ("copy", "memset", "launch")]
    if not chosen:
        return False
    s = rng.choice(chosen)
    s["stream"] = _stream(program, rng)
    if s["op"] != "launch":
        s["async"] = bool(s["stream"]) or not s["async"]
    return True


def _wrap(program, rng):
    """A few statements move into a condition or a loop."""
    body, at = rng.choice(_filled(program))
    count = rng.randrange(1, 4)
    inner = body[at:at + count]
    if any(s["op"] in ("alloc_h", "alloc_d", "new_stream", "new_event", "return") for s in inner):
        return False
    if rng.random() < 0.5:
        body[at:at + count] = [{"op": "if", "cond": rng.choice(("arg % 2 == 0", "(acc & 1) == 0", "arg != 6")),
                                "then": inner}]
    else:
        if any(s["op"] in ("free_h", "free_d", "break", "continue", "loop") for s in inner):
            return False
        body[at:at + count] = [{"op": "loop", "var": f"j{rng.randrange(1000)}", "count": 2, "body": inner}]
    return True


def _new_handle(program, rng):
    """A stream or event more."""
    if rng.random() < 0.5:
        name = f"s{len(program.variables)}x"
        program.variables[name] = {"kind": "stream", "home": "local"}
        program.body.insert(0, {"op": "new_stream", "var": name, "kind": rng.choice(("blocking", "nonblocking"))})
    else:
        name = f"e{len(program.variables)}x"
        program.variables[name] = {"kind": "event", "home": "local"}
        program.body.insert(0, {"op": "new_event", "var": name})
    return True


def _exit(program, rng):
    body, at = rng.choice(_places(program))
    body.insert(at, {"op": "return", "cond": rng.choice(("arg == 1", "(acc & 7) == 3", "arg == 6"))})
    return True


CHANGES = (_insert, _insert, _insert, _insert, _insert, _remove, _duplicate, _move, _restream, _restream, _wrap,
           _new_handle, _exit)


def change(program, rng):
    """Changes the program at random; False if nothing was done."""
    if not _filled(program):
        return False
    done = rng.choice(CHANGES)(program, rng)
    if done and "arg" in "".join(str(s.get("cond", "")) for s in program.statements()):
        program.inputs = [0, 1, 6]
    return done
