# The ways in which a program can be made simpler: fewer statements, no loop or
# branch or helper around them, plainer operands, less data. Each step offers
# candidates; whether one is valid or still interesting is for the reducer.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Simpler programs."""
import copy
import re

import kernels
import machine
import oracle
from model import used_names

# What a field is when there is nothing special about it.
PLAIN = {"async": False, "stream": "", "o": 0, "seed": 0, "value": 0, "k": 1, "how": "malloc", "what": "compare"}


def valid(program):
    """Defined and free of races on all inputs."""
    try:
        program.number()
        return not any(oracle.races(machine.execute(program, arg)) for arg in program.inputs)
    except (machine.Invalid, KeyError, AttributeError, TypeError, ValueError, RecursionError, SyntaxError,
            NameError, ZeroDivisionError):
        return False


def _weight(value):
    """How complicated an operand is."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int):
        return value.bit_length()
    return 10 + len(value) if value else 0


def cost(program):
    """A number that gets smaller with every step."""
    total = 100 * len(program.helpers) + 40 * len(program.variables) + 30 * len(program.inputs)
    total += 5 * program.check + 5 * (not program.inline_decl) + 5 * program.views + 5 * (program.elem != 4) + 20 * program.per_thread
    total += 20 * program.relies + 10 * bool(program.errors)
    total += sum(5 * (v["home"] != "local") + 5 * (v["kind"] == "vector") for v in program.variables.values())
    total += sum(10 * len(h["params"]) for h in program.helpers)
    for s in program.statements():
        total += 100
        for key, value in s.items():
            if key in ("ref", "dst", "src"):
                total += _weight(value["o"])
            elif key == "args":
                total += sum(_weight(a["o"] if isinstance(a, dict) else a) for a in value) + 5 * len(value)
            elif key in ("count", "seed", "value", "k", "cond"):
                total += _weight(value)
            elif key in ("async", "stream"):
                total += 3 * bool(value)
            elif key == "how":
                total += 3 * (value not in ("malloc", "device"))
            elif key == "kind":
                total += 3 * (value not in ("exact", "blocking"))
            elif key == "kernel":
                total += 3 * list(kernels.KERNELS).index(value)
    return total


def _edited(program, edit):
    """A copy that `edit` changed; None if it returns False."""
    other = program.clone()
    return None if edit(other) is False else other


def _block(program, index):
    for i, body in enumerate(program.bodies()):
        if i == index:
            return body
    return []


def _statement(program, index):
    for i, statement in enumerate(program.statements()):
        if i == index:
            return statement
    raise IndexError(index)


def remove_chunks(program):
    """Without some statements in a row, long rows first."""
    sizes = [len(body) for body in program.bodies()]
    length = max(sizes, default=0)
    while length:
        for index, size in enumerate(sizes):
            for start in range(0, size, max(1, length // 2)):
                if length <= size:
                    def edit(other, index=index, start=start, length=length):
                        del _block(other, index)[start:start + length]
                    yield _edited(program, edit)
        length //= 2


def remove_variable(program):
    """Without a variable and all statements that name it, outside of calls."""
    for name in program.variables:
        def edit(other, name=name):
            for body in list(other.bodies()):
                body[:] = [s for s in body if name not in used_names(s)]
            del other.variables[name]
        yield _edited(program, edit)


def flatten(program):
    """A loop or branch replaced by what it holds."""
    for index, body in enumerate(program.bodies()):
        for at, s in enumerate(body):
            for key in ("body", "then", "else"):
                if key in s:
                    def edit(other, index=index, at=at, key=key):
                        block = _block(other, index)
                        block[at:at + 1] = block[at][key]
                    yield _edited(program, edit)
            if s.get("else") is not None:
                def drop_else(other, index=index, at=at):
                    del _block(other, index)[at]["else"]
                yield _edited(program, drop_else)


def _renamed(value, names, numbers):
    """A statement or operand of a helper in the words of its caller."""
    if isinstance(value, list):
        return [_renamed(v, names, numbers) for v in value]
    if isinstance(value, dict):
        return {k: _renamed(v, names, numbers) if k not in ("op", "how", "what", "dir", "kind", "kernel", "helper")
                else v for k, v in value.items()}
    if isinstance(value, str):
        if value in names:
            return names[value]
        for name, number in numbers.items():
            value = re.sub(rf"\b{name}\b", f"({number})" if isinstance(number, str) else str(number), value)
    return value


def inline_calls(program):
    """A call replaced by the helper's body."""
    for index, body in enumerate(program.bodies()):
        for at, s in enumerate(body):
            if s["op"] != "call":
                continue

            def edit(other, index=index, at=at, call=s):
                helper = next(h for h in other.helpers if h["name"] == call["helper"])
                names, numbers = {}, {}
                for (name, kind), argument in zip(helper["params"], call["args"]):
                    if not isinstance(argument, dict):
                        numbers[name] = argument
                    elif argument["o"]:
                        return False
                    else:
                        names[name] = argument["v"]
                _block(other, index)[at:at + 1] = _renamed(copy.deepcopy(helper["body"]), names, numbers)
                return True
            yield _edited(program, edit)


def drop_unused(program):
    """Without variables, helpers, parameters and inputs that nothing needs."""
    used = set().union(*(used_names(s) for s in program.statements())) if list(program.statements()) else set()
    called = {s["helper"] for s in program.statements() if s["op"] == "call"}

    def edit(other):
        other.helpers = [h for h in other.helpers if h["name"] in called]
        other.variables = {n: v for n, v in other.variables.items() if n in used}
    yield _edited(program, edit)
    for index, helper in enumerate(program.helpers):
        for at in range(len(helper["params"])):
            def drop(other, index=index, at=at):
                name = other.helpers[index]["name"]
                del other.helpers[index]["params"][at]
                for s in other.statements():
                    if s["op"] == "call" and s["helper"] == name:
                        del s["args"][at]
            yield _edited(program, drop)
    for arg in program.inputs if len(program.inputs) > 1 else ():
        def only(other, arg=arg):
            other.inputs = [arg]
        yield _edited(program, only)


def plain_program(program):
    """Nothing special about the program as a whole, or about where a variable lives."""
    for field, value in (("check", False), ("errors", ""), ("inline_decl", True), ("views", False), ("elem", 4), ("per_thread", False),
                         ("relies", False)):
        def edit(other, field=field, value=value):
            setattr(other, field, value)
        yield _edited(program, edit)
    for name in program.variables:
        def local(other, name=name):
            other.variables[name]["home"] = "local"
        yield _edited(program, local)

        def malloc(other, name=name):
            if other.variables[name]["kind"] not in ("host", "vector"):
                return False
            other.variables[name]["kind"] = "host"
            for s in other.statements():
                if s["op"] in ("alloc_h", "free_h") and s["var"] == name:
                    s["how"] = "malloc"
            return True
        yield _edited(program, malloc)


def _numbers(program):
    """Every number and expression that stands for one in the program."""
    found = set()
    for s in program.statements():
        found |= {s[key] for key in ("count", "seed", "value", "k") if key in s}
        found |= {a for a in s.get("args", ()) if not isinstance(a, dict)}
        found |= {s[key]["o"] for key in ("ref", "dst", "src") if key in s}
    return found


def smaller_numbers(program):
    """One number or expression replaced by a smaller one wherever it stands."""
    for old in sorted(_numbers(program), key=str):
        for new in (1, 2, 4, 8) if isinstance(old, str) else sorted({1, 2, 4, 8, old // 2} - {0}):
            def change(value, old=old, new=new):
                return new if value and type(value) is type(old) and value == old else value

            def edit(other, change=change):
                for s in other.statements():
                    for key in ("count", "seed", "value", "k"):
                        if key in s:
                            s[key] = change(s[key])
                    for key in ("ref", "dst", "src"):
                        if key in s:
                            s[key]["o"] = change(s[key]["o"])
                    if "args" in s:
                        s["args"] = [a if isinstance(a, dict) else change(a) for a in s["args"]]
            yield _edited(program, edit)


def plain_operands(program):
    """One field of one statement as plain as can be."""
    for index, s in enumerate(program.statements()):
        edits = [{key: value} for key, value in PLAIN.items()
                 if key in s and s[key] != value and key not in ("how", "o")]
        edits += [{key: {**s[key], "o": 0}} for key in ("ref", "dst", "src") if key in s and s[key]["o"] != 0]
        if s.get("async"):
            edits.append({"async": False, "stream": ""})
        if s["op"] in ("copy", "new_stream"):
            edits.append({"kind": "exact" if s["op"] == "copy" else "blocking"})
        if s["op"] == "sync":
            edits.append({"how": "device", "obj": ""})
        if s["op"] == "loop":
            edits += [{"count": n} for n in (1, 2)]
        if s["op"] == "launch":
            edits += _plain_kernels(s)
        for fields in edits:
            def edit(other, index=index, fields=fields):
                _statement(other, index).update(fields)
            yield _edited(program, edit)


def _plain_kernels(s):
    pointers = [a for a in s["args"] if isinstance(a, dict)]
    count = next((a for a in s["args"] if not isinstance(a, dict)), 1)
    for pointer in pointers:
        yield {"kernel": "set", "args": [pointer, count, 1]}
        yield {"kernel": "scale", "args": [pointer, count, 1]}
    if len(pointers) > 1:
        yield {"kernel": "map", "args": pointers[:2] + [count, 1]}


def _offered(step):
    """The step without what came to nothing."""
    def candidates(program):
        return (c for c in step(program) if c is not None)
    candidates.__name__ = step.__name__
    return candidates


STEPS = [_offered(step) for step in (remove_chunks, drop_unused, flatten, inline_calls, remove_variable,
                                     plain_program, smaller_numbers, plain_operands)]
