# Writes the small programs of these tests, a word or two a statement. The
# statements are the ones of model.py; nothing is random.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hand-made programs.

A buffer's name says what it is: h.. a host buffer, p.. a pinned one, d.. a device buffer,
s.. a stream, n.. a non-blocking stream, e.. an event; all are made at the start, with
COUNT elements, in the order in which the names come.
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from model import Program, ref  # noqa: E402

COUNT = 16


def copy(dst, src, stream=None, count=COUNT, to=0, at=0):
    side = {"h": "h", "p": "h", "d": "d"}
    return {"op": "copy", "dst": ref(dst, to), "src": ref(src, at), "count": count, "kind": "exact",
            "dir": f"{side[src[0]]}2{side[dst[0]]}", "async": stream is not None, "stream": stream or ""}


def launch(kernel, *args, stream=""):
    pointers = [ref(a) for a in args if isinstance(a, str)]
    numbers = [a for a in args if not isinstance(a, str)]
    return {"op": "launch", "kernel": kernel, "args": pointers + numbers, "stream": stream}


def scale(d, stream=""):
    return launch("scale", d, COUNT, 1, stream=stream)


def produce(d, stream=""):
    return launch("set", d, COUNT, 7, stream=stream)


def fill(h, count=COUNT, seed=1):
    return {"op": "fill", "ref": ref(h), "count": count, "seed": seed}


def read(h, count=COUNT):
    return {"op": "sum", "ref": ref(h), "count": count}


def clear(d):
    return {"op": "memset", "ref": ref(d), "count": COUNT, "value": 0, "async": False, "stream": ""}


def wait(how="device", obj=""):
    return {"op": "sync", "how": how, "obj": obj}


def record(event, stream=""):
    return {"op": "record", "event": event, "stream": stream}


def wait_event(stream, event):
    return {"op": "wait_event", "stream": stream, "event": event}


def loop(count, *body):
    return {"op": "loop", "var": "i", "count": count, "body": list(body)}


def when(cond, *body):
    return {"op": "if", "cond": cond, "then": list(body)}


def alloc(name):
    if name[0] == "h":
        return {"op": "alloc_h", "var": name, "how": "malloc", "count": COUNT}
    if name[0] == "p":
        return {"op": "alloc_h", "var": name, "how": "pinned", "count": COUNT}
    if name[0] == "d":
        return {"op": "alloc_d", "var": name, "how": "malloc", "count": COUNT}
    if name[0] == "e":
        return {"op": "new_event", "var": name}
    return {"op": "new_stream", "var": name, "kind": "nonblocking" if name[0] == "n" else "blocking"}


KINDS = {"h": "host", "p": "host", "d": "dev", "e": "event", "s": "stream", "n": "stream"}


def program(names, *body, inputs=(0,), made=None):
    """A program over the objects `names`; all but those in `made` are made at the start."""
    names = names.split()
    result = Program("test", "basic")
    result.variables = {name: {"kind": KINDS[name[0]], "home": "local"} for name in names}
    result.inputs = list(inputs)
    result.body = [alloc(name) for name in names if name not in (made or "").split()] + list(body)
    return result.number()


def round_trip(**options):
    """The simplest program with a safe pair."""
    return program("h d", fill("h"), copy("d", "h"), scale("d"), copy("h", "d"), read("h"), **options)
