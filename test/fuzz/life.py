# Puts real life into a generated program: pointers held by containers, buffers owned by
# objects, library calls with state of their own, threads, host functions, exits, calls that
# are tried again. Each change keeps the program defined and free of races, or is dropped.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Real life, as changes of generated programs."""
import faults
import repair
from life_tables import HOLDERS, OWNERS, PIECES
from model import walk
from toolchain import CHOSEN_STATUS

HOST_WORK = ("fill", "add", "sum", "poke", "peek", "hset", "hcopy")
GPU_WORK = ("copy", "memset", "launch", "sync")
COUNTED = ("alloc_h", "alloc_d", "fill", "sum", "copy", "launch", "memset")


def _fresh(program, prefix):
    k = 0
    while f"{prefix}{k}" in program.variables:
        k += 1
    return f"{prefix}{k}"


def _references(s):
    return [s[key] for key in ("ref", "dst", "src") if key in s] + [a for a in s.get("args", ()) if isinstance(a, dict)]


def hold(program, rng):
    """A holder gets a buffer's pointer, and some statements after it use that."""
    sites = [(body, i) for body in program.bodies() if not any(body is h["body"] for h in program.helpers)
             for i, s in enumerate(body) if s["op"] in ("alloc_h", "alloc_d") and not s.get("given")
             and s["var"] in program.variables and program.variables[s["var"]]["kind"] in ("host", "dev")]
    inside = {id(s) for h in program.helpers for s in walk(h["body"])}
    sites = [(body, i) for body, i in sites if id(body[i]) not in inside]
    if not sites:
        return False
    body, at = rng.choice(sites)
    name, var = body[at]["var"], _fresh(program, "c")
    program.variables[var] = {"kind": "hold", "home": "local", "how": rng.choice(tuple(HOLDERS))}
    share, behind = rng.choice((0.0, 0.2, 0.5, 1.0)), body[at + 1:]
    body.insert(at + 1, {"op": "hold", "var": var, "ref": {"v": name, "o": 0}})
    for s in behind:
        for inner in walk([s]):
            for reference in _references(inner) if id(inner) not in inside and inner["op"] != "hold" else ():
                if reference["v"] == name and rng.random() < share:
                    reference["v"] = var
    return True


def own(program, rng):
    """An object owns a buffer."""
    hows = {}
    for s in program.statements():
        if s["op"] in ("alloc_h", "alloc_d"):
            hows.setdefault(s["var"], set()).add(s["how"] if s["op"] == "alloc_h" else "cudaMalloc")
    taken = {name for s in program.statements() for name in
             ((s["a"], s.get("b")) if s["op"] in ("swap", "observe") else
              (s["var"],) if s["op"] in ("assign", "realloc") or s.get("given") else ())}
    taken |= {name for h in program.helpers for name, _ in (*h["params"], *h.get("locals", ()))}
    taken |= {a["v"] for s in program.statements() if s["op"] == "call" for a in s["args"] if isinstance(a, dict)}
    owner = rng.choice(tuple(OWNERS))
    local = {name for name, v in program.variables.items() if v["home"] == "local" and v["kind"] in ("host", "dev")}
    free = [name for name, how in hows.items()
            if name in local - taken and len(how) == 1 and min(how) in OWNERS[owner][1]]
    if not free:
        return False
    name = rng.choice(free)
    program.variables[name].update(owner=owner, how=min(hows[name]))
    if rng.random() < 0.5:  # only its destructor frees
        for body in program.bodies():
            body[:] = [s for s in body if not (s["op"] in ("free_h", "free_d") and s["var"] == name)]
    return True


def _own_places(program):
    """Places in the program's own function."""
    inside = {id(body) for h in program.helpers for body in [h["body"]]} | \
        {id(block) for h in program.helpers for s in walk(h["body"]) for block in
         (s[key] for key in ("body", "then", "else") if key in s)}
    return [(body, i) for body in program.bodies() if id(body) not in inside for i in range(len(body) + 1)]


def piece(program, rng):
    body, at = rng.choice(_own_places(program))
    value = rng.choice((1, 2, 3, "arg", "arg + 1"))
    body.insert(at, {"op": "piece", "what": rng.choice(tuple(PIECES)), "value": value})
    return True


def thread(program, rng):
    """Another thread does a few statements, while this one waits."""
    allowed = HOST_WORK
    if faults.style(program) in ("", "exit", "note") and not program.per_thread and not any(
            "perthread" in s.values() for s in program.statements()):
        allowed += GPU_WORK
    runs = []
    for body, at in _own_places(program):
        count = 0
        while at + count < len(body) and body[at + count]["op"] in allowed and count < 4:
            count += 1
        if count:
            runs.append((body, at, rng.randrange(1, count + 1)))
    if not runs:
        return False
    body, at, count = rng.choice(runs)
    how = rng.choice(("join", "async", "turns", "turns"))
    statement = {"op": "thread", "how": how, "body": body[at:at + count]}
    if how == "turns" and at + count < len(body) and body[at + count]["op"] in HOST_WORK:
        statement["then"] = [body[at + count]]
        count += 1
    body[at:at + count] = [statement]
    return True


def calls_in_threads(program):
    """True if another thread than the program's own calls CUDA: no error of such a call leaves the function."""
    return any(inner["op"] not in HOST_WORK for s in program.statements() if s["op"] == "thread"
               for inner in walk(s["body"] + s.get("then", [])))


def host_function(program, rng):
    """The host's own work becomes work of a stream."""
    threads = {id(inner) for s in program.statements() if s["op"] == "thread" for inner in walk([s])}
    chosen = [(body, i) for body, i in _own_places(program) if i < len(body) and body[i]["op"] in ("fill", "add")
              and id(body[i]) not in threads
              and program.variables.get(body[i]["ref"]["v"], {}).get("kind") == "host"]
    if not chosen:
        return False
    body, at = rng.choice(chosen)
    s = body[at]
    streams = [n for n, v in program.variables.items() if v["kind"] == "stream"]
    body[at] = {"op": "hostfunc", "how": rng.choice(("launch", "launch", "callback")), "ref": s["ref"],
                "count": s["count"], "k": s.get("k", s.get("seed")), "adds": s["op"] == "add",
                "stream": rng.choice(["", ""] + 2 * streams)}
    return True


def leave(program, rng):
    """The program ends from the middle."""
    body, at = rng.choice(_own_places(program))
    body.insert(at, {"op": "exit", "cond": rng.choice(("arg == 1", "(acc & 7) == 3", "arg == 6")), 
                          "status": CHOSEN_STATUS})
    program.inputs = [0, 1, 6]
    return True


def say(program, rng):
    """A kernel prints."""
    streams = [n for n, v in program.variables.items() if v["kind"] == "stream"]
    for _ in range(rng.randrange(1, 4)):
        body, at = rng.choice(_own_places(program))
        body.insert(at, {"op": "say", "value": rng.choice((rng.randrange(9), "acc")),
                         "stream": rng.choice(["", ""] + streams)})
    return True


def poll(program, rng):
    """A kernel waits for the host, which goes on meanwhile."""
    places = [(body, i) for body, i in _own_places(program) if body is program.body]
    body, at = rng.choice(places)
    flag = _fresh(program, "f")
    streams = [n for n, v in program.variables.items() if v["kind"] == "stream"]
    program.variables[flag] = {"kind": "flag", "home": "local"}
    end = min(len(body), at + rng.randrange(1, 7))
    body.insert(end, {"op": "raise", "flag": flag})
    body.insert(at, {"op": "poll", "flag": flag, "how": rng.choice(("volatile", "atomic", "system")),
                     "stream": rng.choice([""] + 3 * streams)})
    return True


def symbol(program, rng):
    """A buffer goes into a device variable, and one comes back."""
    sizes = {s["var"]: (s["op"][-1], s["count"]) for s in program.statements() if s["op"] in ("alloc_h", "alloc_d")
             and program.variables.get(s["var"], {}).get("kind") in ("host", "dev")}
    if not sizes:
        return False
    places = sorted(rng.sample(range(len(program.body) + 1), min(2, len(program.body) + 1)), reverse=True)
    for at, direction in zip(places, ("from", "to")):
        name = rng.choice(tuple(sizes))
        side, count = sizes[name]
        program.body.insert(at, {"op": "symbol", "dir": direction, "side": side, "ref": {"v": name, "o": 0},
                                 "count": count, "kind": rng.choice(("default", "exact"))})
    return True


def again(program, rng):
    """A call that fails is tried once more."""
    chosen = [s for body, i in _own_places(program) if i < len(body) for s in [body[i]]
              if faults.kind_of(s) in ("alloc", "copy", "set") and s["op"] not in ("launch", "symbol")
              and not s.get("symbol") and "fails" not in s]
    if not chosen:
        return False
    for s in chosen if rng.random() < 0.3 else [rng.choice(chosen)]:
        s["again"] = rng.choice(("if", "while"))
    return True


KINDS = (hold, hold, hold, own, own, piece, piece, thread, host_function, leave, again, symbol)
APART = (say, poll)  # few programs: Echo declines more where kernels print or poll


def add(program, rng, count):
    """`program` with up to `count` changes."""
    kinds = KINDS + 2 * APART if rng.random() < 0.12 else KINDS
    for _ in range(count):
        attempt = program.clone()
        attempt.number()
        if rng.choice(kinds)(attempt, rng) and repair.mend(attempt, rng, 5):
            program = attempt
            program.group = "life"  # its recall is no part of that of plain programs
    return program
