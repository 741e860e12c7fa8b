# What a generated program is: a tree of statements that the emitter turns into
# CUDA C++ and the machine executes. Plain data (dicts and lists), so that it
# can be stored as JSON and cut down by the reducer. It decides nothing.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The language of generated programs.

A statement is a dict with key "op"; statements that hold others have lists
under "body", "then" or "else". A reference to memory is {"v": VARIABLE, "o": OFFSET}
with the offset in elements. Expressions are ints or strings over `arg`, `acc`, loop
variables, ints and the operators + * % & ^ == != < >, in unsigned 32-bit arithmetic.

op          fields
alloc_h     var, how (malloc calloc new newinit vector vector_resize vector_pushed aligned pinned hostalloc), count
alloc_d     var, how (malloc), count
free_h      var
free_d      var
fill        ref, count, seed          host writes seed + 3 * i
add         ref, count, k             host adds k to each element
sum         ref, count                acc = acc * 31 + each element
poke        ref, value                host writes one element
peek        ref                       acc = acc * 31 + one element
hset        ref, count, value         memset by the host
fread       ref, count                fread from an empty file: may write, writes nothing
realloc     var, count
reset                                 cudaDeviceReset
hcopy       dst, src, count           memcpy by the host
copy        dst, src, count, dir (h2d d2h d2d h2h), async, stream, kind (exact default),
            fails (may lack: where the expression is not 0 the host pointer is null)
memset      ref, count, value, async, stream
launch      kernel, args (references and expressions), stream
sync        how (device stream event query_stream query_event poll_stream), obj
record      event, stream
wait_event  stream, event
new_stream  var, kind (blocking nonblocking)
del_stream  var
new_event   var
del_event   var
alias_event var, of                   a second handle of one event
if          cond, then, else
loop        var, count, body
break, continue, return   cond
call        helper, args
swap        a, b
assign      var, ref
observe     what (compare integer inspect), a, b

print

hold        var, ref                  a holder (life_tables.py) gets a pointer; the variable is another name for it
piece       what, value               a piece of the library: acc = acc * 31 + its value
thread      how (join async turns), body, then    another thread does body; with turns, then comes before it is joined
hostfunc    how (launch callback), ref, count, k, adds, stream    the host adds k or fills, as work of a stream
say         value, stream             a kernel prints
poll        flag, how, stream         a kernel waits until the host raises the flag
raise       flag
symbol      dir (to from), side, ref, count, kind    a copy with a device variable
exit        cond, status

alloc_h, alloc_d, copy and memset may have "again": the call is made once more where it fails.
new_stream, new_event and alias_event may have "given": the function that allocates gets the handle
as a parameter. A helper may be "hidden": it is called through a pointer that nobody can follow.
"""
import copy
import json

# Streams that need no variable; "" is what a call without a stream uses.
NAMED_STREAMS = ("", "legacy", "perthread")


def ref(var, offset=0):
    return {"v": var, "o": offset}


def blocks(statement):
    """The lists of statements inside a statement."""
    return [statement[key] for key in ("body", "then", "else") if key in statement]


def walk(body):
    """Every statement of a body, outermost first."""
    for statement in body:
        yield statement
        for block in blocks(statement):
            yield from walk(block)


def used_names(statement):
    """Every variable that a statement names itself, not in its blocks."""
    names = set()
    for key, value in statement.items():
        if key == "var" and statement["op"] == "loop":
            continue
        if key in ("var", "of", "obj", "event", "stream", "flag", "a", "b") and isinstance(value, str):
            names.add(value)
        elif key in ("ref", "dst", "src"):
            names.add(value["v"])
        elif key == "args":
            names |= {argument["v"] for argument in value if isinstance(argument, dict)}
    return names


class Program:
    """One generated program.

    variables: name -> {"kind": host|dev|stream|event|vector|hold|flag, "home": local|struct|heap|array|global};
               "how": what kind of holder; "owner": the object that owns a buffer
    helpers:   [{"name", "params": [[name, kind]], "locals": [[name, kind]] (may lack), "body"}];
               kind "host&" and "dev&" are references
    inputs:    the values of `arg` it is run with
    """

    FIELDS = ("idiom", "group", "elem", "per_thread", "relies", "check", "inline_decl", "views", "errors", "inputs",
              "variables", "helpers", "body")

    def __init__(self, idiom="soup", group="mixed", elem=4):
        self.idiom, self.group, self.elem = idiom, group, elem
        self.per_thread = False   # compiled with --default-stream per-thread
        self.relies = False       # on copies of pageable memory that are synchronous, as drivers make them
        self.check = False        # every CUDA call through a checking macro
        self.inline_decl = True   # pointers are declared where they are set
        self.errors = ""          # what it does about an error; see faults.py
        self.views = False        # kernels get their parameters in one struct
        self.inputs = [0]
        self.variables, self.helpers, self.body = {}, [], []

    def number(self):
        """Gives every statement its id; call it after every change."""
        for i, statement in enumerate(self.statements()):
            statement["id"] = i
        return self

    def statements(self):
        for helper in self.helpers:
            yield from walk(helper["body"])
        yield from walk(self.body)

    def bodies(self):
        """Every list of statements, for code that inserts or removes."""
        tops = [helper["body"] for helper in self.helpers] + [self.body]
        for top in tops:
            yield top
            for statement in walk(top):
                yield from blocks(statement)

    def has_globals(self):
        return any(variable["home"] == "global" for variable in self.variables.values())

    def clone(self):
        other = Program()
        for field in self.FIELDS:
            setattr(other, field, copy.deepcopy(getattr(self, field)))
        return other

    def to_json(self):
        return json.dumps({field: getattr(self, field) for field in self.FIELDS})

    @staticmethod
    def from_json(text):
        data = json.loads(text)
        program = Program()
        for field in Program.FIELDS:
            setattr(program, field, data.get(field, getattr(program, field)))
        return program.number()
