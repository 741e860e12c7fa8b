# Makes a program race-free by adding the waits it lacks, and takes away the waits
# that it does not need, so that what is left is as close to a race as a right
# program can be. It uses the machine and the oracle; it never looks at Echo.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Valid programs from nearly valid ones."""
import machine
import oracle
from model import NAMED_STREAMS, used_names, walk

WAITS = ("sync", "record", "wait_event")


def traces(program):
    """The traces of all inputs; raises machine.Invalid."""
    return [machine.execute(program, arg) for arg in program.inputs]


def malformed(program):
    """True if the emitter could not write the program down: a helper uses a variable that is not
    its own, or a handle is not given just once, at the start."""
    for helper in program.helpers:
        own = {name for name, _ in helper["params"]} | {name for name, _ in helper.get("locals", ())}
        if any(used_names(s) - own - set(NAMED_STREAMS) for s in walk(helper["body"])):
            return True
    given = [s["var"] for s in program.body if s.get("given")]
    everywhere = [s for s in program.statements() if s.get("given")]
    return len(set(given)) != len(everywhere)


def problem(program):
    """What is wrong with the program as written: a Race, an Invalid, or None."""
    program.number()
    if malformed(program):
        return machine.Invalid("malformed")
    try:
        for arg in program.inputs:
            race = oracle.races(machine.execute(program, arg))
            if race:
                return race
    except (machine.Invalid, KeyError, AttributeError, RecursionError) as error:
        return error
    return None


def holder(program, statement):
    """The list that a statement stands in and its place there."""
    for body in program.bodies():
        for i, other in enumerate(body):
            if other is statement:
                return body, i
    return None, 0


def in_helper(program, statement):
    return any(statement is s for h in program.helpers for s in walk(h["body"]))


def waits_for(program, race, rng):
    """Statements that may order the race's first event before its second."""
    first, second = race.first, race.second
    stream = first.get("stream")
    options = [[{"op": "sync", "how": "device", "obj": ""}]]
    if stream is not None and not in_helper(program, first) and not in_helper(program, second):
        options += [[{"op": "sync", "how": "stream", "obj": stream}]] * 3
        options.append([{"op": "sync", "how": "query_stream", "obj": stream}])
        events = [n for n, v in program.variables.items() if v["kind"] == "event"]
        if events:
            event = rng.choice(events)
            record = {"op": "record", "event": event, "stream": stream}
            options += [[record, {"op": "sync", "how": "event", "obj": event}]] * 2
            other = second.get("stream")
            if other is not None and other != stream:
                options += [[record, {"op": "wait_event", "stream": other, "event": event}]] * 4
    return rng.choice(options)


def mend(program, rng, tries=14):
    """Adds waits and initializations until the program is valid. True on success."""
    for _ in range(tries):
        wrong = problem(program)
        if wrong is None:
            return True
        if isinstance(wrong, oracle.Race):
            body, at = holder(program, wrong.second)
            if body is None:
                return False
            body[at:at] = waits_for(program, wrong, rng)
            continue
        if not isinstance(wrong, machine.Invalid) or wrong.why != "uninitialized read":
            return False
        site = next((s for s in program.statements() if s["id"] == wrong.instance.site), None)
        if site is None:
            return False
        body, at = holder(program, site)
        target = {"v": site["var"], "o": 0}
        body.insert(at + 1, {"op": "fill", "ref": target, "count": site["count"], "seed": 5}
                    if site["op"] == "alloc_h" else
                    {"op": "memset", "ref": target, "count": site["count"], "value": 7,
                     "async": False, "stream": ""})
    return problem(program) is None


def thin(program, rng, chance=0.7):
    """Removes waits that the program does not need."""
    waits = [s for s in program.statements() if s["op"] in WAITS]
    rng.shuffle(waits)
    for wait in waits:
        if rng.random() > chance:
            continue
        body, at = holder(program, wait)
        del body[at]
        if problem(program) is not None:
            body.insert(at, wait)
    program.number()
