# Writes generated programs as one CUDA C++ file: one statement a line, so that a
# report's line tells which statement it means. It changes nothing and knows no
# rules; what a statement means is the machine's.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From generated programs to CUDA C++.

Many programs share a file, each in a namespace of its own, so that the headers are read
once. The executable takes PROGRAM:ARG words and runs these programs in turn.
"""
import faults
import kernels
import life_emit
from emit_text import EPILOGUE, PROLOGUE
from model import NAMED_STREAMS, used_names, walk

TYPES = {1: "unsigned char", 4: "unsigned", 8: "unsigned long long"}
DIRECTIONS = {"h2d": "cudaMemcpyHostToDevice", "d2h": "cudaMemcpyDeviceToHost",
              "d2d": "cudaMemcpyDeviceToDevice", "h2h": "cudaMemcpyHostToHost"}
C_TYPES = {"host": "T *", "dev": "T *", "stream": "cudaStream_t ", "event": "cudaEvent_t ",
           "int": "unsigned "}

# Of a whole program, a file defines what is in the other one.
PARTS = ["#ifndef PART", "#define PART 1", "#endif"]


def splits(program):
    """True if `program` can be compiled as two files. A device variable would be two."""
    return not any(s["op"] == "launch" and s["kernel"] in ("keep", "kept") for s in program.statements())


class Emitter(life_emit.LifeEmitter):
    """Form "split" puts helpers into another file, form "solo" too, and has main call the
    one program of the batch directly: then nothing but main can reach its globals."""

    def __init__(self, form="batch", marks=False):
        self.form, self.parts, self.marks = form, form != "batch", marks
        self.lines = []
        self.sites = {}  # line -> (program number, statement id)

    def out(self, depth, text):
        self.lines.append("  " * depth + text)

    def text(self):
        return "\n".join(self.lines) + "\n"

    def batch(self, programs):
        """The whole file."""
        self.lines = (PARTS if self.parts else []) + PROLOGUE.splitlines()
        self.headers = life_emit.headers(programs)
        used = {kernel_name(p, s) for p in programs for s in p.statements() if s["op"] == "launch"}
        if self.marks:
            self.lines.append("static int version;")
        if life_emit.needed(programs):
            self.lines += life_emit.prologue(programs)
        self.lines += [""] + kernels.source(used)
        for number, program in enumerate(programs):
            self.program(number, program)
        self.out(0, "")
        self.part(1)
        epilogue = EPILOGUE
        if self.form == "solo":
            epilogue = epilogue.replace("programs[program](arg);", "if (program == 0) p0::run(arg);")
        else:
            self.out(0, "using Program = void (*)(unsigned);")
            table = ", ".join(f"p{i}::run" for i in range(len(programs)))
            self.out(0, f"static Program programs[] = {{{table}}};")
        self.lines += epilogue.splitlines()
        self.part(None)
        return self.text()

    def part(self, number):
        """What follows is in file `number` only; None: in both again."""
        if self.parts:
            self.out(0, "#endif" if number is None else f"#if PART == {number}")

    def other(self):
        """What follows is in the other file only."""
        if self.parts:
            self.out(0, "#else")

    def program(self, number, program):
        self.number, self.p, self.style = number, program, faults.style(program)
        self.out(0, "")
        self.out(0, f"// {program.idiom}")
        self.out(0, f"namespace p{number} {{")
        self.out(0, f"typedef {TYPES[program.elem]} T;")
        self.homes()
        for helper in program.helpers:
            self.names, self.in_helper = {}, True
            parameters = []
            for name, kind in helper["params"]:
                base = C_TYPES[kind.rstrip("&")]
                parameters.append(base + ("&" if kind.endswith("&") else "") + name)
            parameters += ["unsigned arg", "unsigned &acc"]
            head = f"{'' if self.parts else 'static '}void {helper['name']}({', '.join(parameters)})"
            self.part(1)
            if self.parts:
                self.out(0, head + ";")
            self.other()
            self.out(0, head + " {")
            for name, kind in helper.get("locals", ()):
                self.out(1, f"{C_TYPES[kind]}{name} = nullptr;")
            self.block(helper["body"], 1)
            self.out(0, "}")
            self.part(None)
        self.part(1)
        for helper in program.helpers:
            if helper.get("hidden"):
                self.out(0, f"static auto *volatile hidden_{helper['name']} = {helper['name']};")
        self.names, self.in_helper = dict(self.home_names), False
        given = [s for s in program.body if s.get("given")]
        if not given:
            self.out(0, "static void run(unsigned arg) {")
        else:
            handles = ", ".join(C_TYPES[program.variables[s["var"]]["kind"]] + s["var"] for s in given)
            self.out(0, f"__attribute__((noinline)) static void body(unsigned arg, {handles}) {{")
        self.out(1, "unsigned acc = arg;")
        self.declare()
        if self.style == "throw":
            self.out(1, "try {")
        self.block([s for s in program.body if not s.get("given")], 1 + (self.style == "throw"))
        if self.style == "throw":
            self.out(1, "} catch (const Failed &failed) {")
            self.out(2, "SAY(failed.id, failed.status);")
            self.out(1, "}")
        if self.style in faults.LEAVES:
            self.free_all()
        self.out(1, 'std::printf("%u\\n", acc);')
        self.out(0, "}")
        if given:
            self.giver(given)
        self.part(None)
        self.out(0, f"}} // namespace p{number}")

    def free_all(self):
        """The end of a program that leaves for it: what may be freed before is null then."""
        if self.style == "goto":
            self.lines.append("done:")
        self.style = ""
        for s in faults.frees(self.p):
            getattr(self, "do_" + s["op"])(s, 1)

    def giver(self, given):
        """The function that makes the handles which `body` gets."""
        self.out(0, "static void run(unsigned arg) {")
        self.late = {s["var"] for s in given}
        self.block(given, 1)
        self.out(1, f"body(arg, {', '.join(s['var'] for s in given)});")
        self.out(0, "}")

    # Variables.
    def homes(self):
        """Where the pointers live; declares the types and globals that takes."""
        self.home_names, fields, arrays = {}, [], {}
        for name, variable in self.p.variables.items():
            home, base = variable["home"], C_TYPES.get(variable["kind"], "")
            if home in ("struct", "heap"):
                fields.append(f"  {base}{name} = nullptr;")
                self.home_names[name] = ("all." if home == "struct" else "all->") + name
            elif home == "array":
                group = arrays.setdefault(variable["kind"], [])
                self.home_names[name] = f"{variable['kind']}s[{len(group)}]"
                group.append(name)
            elif home == "global":
                self.home_names[name] = "g_" + name
                self.part(1)
                self.out(0, f"{'' if self.parts else 'static '}{base}g_{name};")
                self.other()
                if self.parts:
                    self.out(0, f"extern {base}g_{name};")
                self.part(None)
            else:
                self.home_names[name] = name
        self.life_homes()
        self.arrays = {kind: len(names) for kind, names in arrays.items()}
        if fields:
            self.out(0, "struct All {")
            self.lines += fields
            self.out(0, "};")

    def declare(self):
        """Declares what is not declared where it is set."""
        kinds = {v["home"] for v in self.p.variables.values()}
        if "struct" in kinds:
            self.out(1, "All all;")
        if "heap" in kinds:
            self.out(1, "All *all = new All();")
        for kind, count in self.arrays.items():
            self.out(1, f"{C_TYPES[kind]}{kind}s[{count}] = {{}};")
        leaves = self.style in faults.LEAVES
        self.late = self.declared_late() if self.p.inline_decl and not leaves else set()
        given = {s["var"] for s in self.p.body if s.get("given")}
        for name, variable in self.p.variables.items():
            if variable["home"] != "local" or name in self.late or name in given or "owner" in variable \
                    or variable["kind"] in ("hold", "flag"):
                continue
            if variable["kind"] == "vector":
                self.out(1, f"std::vector<T> {name};")
            else:
                self.out(1, f"{C_TYPES[variable['kind']]}{name} = nullptr;")
        self.life_declare()

    def declared_late(self):
        """Variables whose first use is a statement of the outermost block that sets them."""
        late, seen = set(), set()
        for statement in self.p.body:
            name = statement.get("var")
            sets = statement["op"] in ("alloc_h", "alloc_d", "new_stream", "new_event") and \
                not statement.get("given")
            if sets and name not in seen and self.p.variables[name]["home"] == "local" \
                    and "owner" not in self.p.variables[name]:
                late.add(name)
            for inner in walk([statement]):
                seen |= used_names(inner)
        return late

    def declares(self, s):
        """True if statement `s` declares its variable; once."""
        if self.in_helper or s["var"] not in self.late:
            return False
        self.late.discard(s["var"])
        return True

    def is_vector(self, name):
        return not self.in_helper and self.p.variables[name]["kind"] == "vector"

    def name(self, name):
        return self.names.get(name, name)

    def ref(self, reference):
        base = self.name(reference["v"])
        if self.is_vector(reference["v"]):
            base += ".data()"
        offset = reference["o"]
        return base if offset == 0 else f"{base} + {self.expr(offset)}"

    def element(self, reference, index):
        offset = reference["o"]
        at = index if offset == 0 else (self.expr(offset) if index == "0" else f"{self.expr(offset)} + {index}")
        return f"{self.name(reference['v'])}[{at}]"

    @staticmethod
    def expr(expression):
        text = str(expression)
        return text if text.isalnum() else f"({text})"

    def stream(self, name):
        if name in NAMED_STREAMS:
            return {"": "0", "legacy": "cudaStreamLegacy", "perthread": "cudaStreamPerThread"}[name]
        return self.name(name)

    def bytes(self, count):
        return f"{self.expr(count)} * sizeof(T)"

    def cuda(self, depth, call):
        """A call of CUDA's for the current statement, and what the program does about its error."""
        style, again = self.style, self.again
        if again == "if":
            self.out(depth, f"for (int tries = 0; tries < 2; ++tries) {{ if ({call} == cudaSuccess) break; "
                            "cudaGetLastError(); }")
            return
        if again == "while":
            self.out(depth, f"while ({call} != cudaSuccess) cudaGetLastError();")
            return
        if style == "goto" and self.in_helper:
            style = "exit"
        if style == "return" and not self.in_helper:
            style = "end"
        macro = "CHECK" if style == "exit" else style.upper()
        self.out(depth, f"{macro}({self.current}, {call});" if macro else f"{call};")

    def declared(self, text):
        """A pointer or handle that is declared where it is set: what it is if setting it fails."""
        return f"{text} = nullptr;" if self.marks or self.style else f"{text};"

    # Statements.
    def block(self, body, depth):
        for statement in body:
            if self.marks and faults.kind_of(statement):
                self.out(depth, "cudaRuntimeGetVersion(&version);")
            self.current, self.again = statement["id"], statement.get("again")
            getattr(self, "do_" + statement["op"])(statement, depth)

    def site(self, s):
        """The next line is where statement `s` allocates or copies."""
        self.sites[len(self.lines) + 1] = (self.number, s["id"])

    def do_alloc_h(self, s, depth):
        var, how, size = self.name(s["var"]), s["how"], self.bytes(s["count"])
        if self.owner(s["var"]):
            return self.owned(depth, s, size)
        fresh = self.declares(s)
        if how == "vector_pushed":
            self.out(depth, f"std::vector<T> {var};" if fresh else f"{var} = std::vector<T>();")
            self.out(depth, f"for (long i = 0; i < {s['count']}; ++i)")
            self.site(s)
            self.out(depth + 1, f"{var}.push_back(T());")
            return
        if how.startswith("vector"):
            if not fresh:
                self.site(s)
                text = f"{var}.resize({s['count']});" if how == "vector_resize" else \
                    f"{var} = std::vector<T>({s['count']});"
            elif how == "vector_resize":
                self.out(depth, f"std::vector<T> {var};")
                text = f"{var}.resize({s['count']});"
                self.site(s)
            else:
                self.site(s)
                text = f"std::vector<T> {var}({s['count']});"
            self.out(depth, text)
            return
        if how in ("pinned", "hostalloc"):
            if fresh:
                self.out(depth, self.declared(f"T *{var}"))
            self.site(s)
            self.cuda(depth, f"cudaMallocHost((void **)&{var}, {size})" if how == "pinned" else
                      f"cudaHostAlloc((void **)&{var}, {size}, cudaHostAllocDefault)")
            return
        value = {"malloc": f"(T *)malloc({size})", "calloc": f"(T *)calloc({s['count']}, sizeof(T))",
                 "aligned": f"(T *)aligned_alloc(64, {size})",
                 "new": f"new T[{s['count']}]", "newinit": f"new T[{s['count']}]()"}[how]
        self.site(s)
        self.out(depth, f"{'T *' if fresh else ''}{var} = {value};")

    def do_alloc_d(self, s, depth):
        if self.owner(s["var"]):
            return self.owned(depth, s, self.bytes(s["count"]))
        if self.declares(s):
            self.out(depth, self.declared(f"T *{self.name(s['var'])}"))
        self.site(s)
        self.cuda(depth, f"cudaMalloc((void **)&{self.name(s['var'])}, {self.bytes(s['count'])})")

    def do_free_h(self, s, depth):
        if self.owner(s["var"]):
            return self.out(depth, f"{s['var']}.reset();")
        var = self.name(s["var"])
        if s["how"].startswith("vector"):
            self.out(depth, f"{var} = std::vector<T>();")
        elif s["how"] in ("pinned", "hostalloc"):
            self.cuda(depth, f"cudaFreeHost({var})")
        else:
            self.out(depth, f"delete[] {var};" if s["how"].startswith("new") else f"free({var});")
        self.forget(s, depth)

    def forget(self, s, depth):
        """Where the end frees everything, what is freed before becomes null."""
        if self.style in faults.LEAVES and not self.in_helper and not s["how"].startswith("vector"):
            self.out(depth, f"{self.name(s['var'])} = nullptr;")

    def do_realloc(self, s, depth):
        var = self.name(s["var"])
        self.site(s)
        self.out(depth, f"{var} = (T *)realloc({var}, {self.bytes(s['count'])});")

    def do_reset(self, s, depth):
        self.cuda(depth, "cudaDeviceReset()")

    def do_fread(self, s, depth):
        self.out(depth, f"if (fread({self.ref(s['ref'])}, sizeof(T), {s['count']}, empty_file)) std::exit(8);")

    def do_free_d(self, s, depth):
        if self.owner(s["var"]):
            return self.out(depth, f"{s['var']}.reset();")
        self.cuda(depth, f"cudaFree({self.name(s['var'])})")
        self.forget({"how": "cuda", **s}, depth)

    def host_loop(self, s, depth, statement):
        self.out(depth, f"for (unsigned k = 0; k < {s['count']}; ++k) {statement}")

    def do_fill(self, s, depth):
        self.host_loop(s, depth, f"{self.element(s['ref'], 'k')} = (T)({self.expr(s['seed'])} + 3 * k);")

    def do_add(self, s, depth):
        at = self.element(s["ref"], "k")
        self.host_loop(s, depth, f"{at} = (T)({at} + {self.expr(s['k'])});")

    def do_sum(self, s, depth):
        self.host_loop(s, depth, f"acc = acc * 31 + (unsigned){self.element(s['ref'], 'k')};")

    def do_poke(self, s, depth):
        self.out(depth, f"{self.element(s['ref'], '0')} = (T)({s['value']});")

    def do_peek(self, s, depth):
        self.out(depth, f"acc = acc * 31 + (unsigned){self.element(s['ref'], '0')};")

    def do_hset(self, s, depth):
        self.out(depth, f"memset({self.ref(s['ref'])}, {s['value']}, {self.bytes(s['count'])});")

    def do_hcopy(self, s, depth):
        self.out(depth, f"memcpy({self.ref(s['dst'])}, {self.ref(s['src'])}, {self.bytes(s['count'])});")

    def do_copy(self, s, depth):
        kind = "cudaMemcpyDefault" if s["kind"] == "default" else DIRECTIONS[s["dir"]]
        dst, src = self.ref(s["dst"]), self.ref(s["src"])
        if "fails" in s:
            cond = f"{self.expr(s['fails'])} ? nullptr : "
            dst, src = (dst, f"({cond}{src})") if s["dir"] == "h2d" else (f"({cond}{dst})", src)
        call = f"({dst}, {src}, {self.bytes(s['count'])}, {kind}"
        call = f"cudaMemcpyAsync{call}, {self.stream(s['stream'])})" if s["async"] else f"cudaMemcpy{call})"
        self.site(s)
        self.cuda(depth, call)

    def do_memset(self, s, depth):
        call = f"({self.ref(s['ref'])}, {s['value']}, {self.bytes(s['count'])}"
        call = f"cudaMemsetAsync{call}, {self.stream(s['stream'])})" if s["async"] else f"cudaMemset{call})"
        self.cuda(depth, call)

    def do_launch(self, s, depth):
        arguments, count = [], None
        for argument in s["args"]:
            if isinstance(argument, dict):
                arguments.append(self.ref(argument))
            else:
                count = argument if count is None else count
                arguments.append(str(argument))
        kernel = kernel_name(self.p, s)
        if s.get("symbol"):
            self.out(depth, f"{{ T *kept = {arguments[0]};")
            self.cuda(depth + 1, "cudaMemcpyToSymbol(kept_pointer, &kept, sizeof kept)")
            return self.out(depth, "}")
        if kernel == "aggregate":
            arguments = [f"Span<T>{{{arguments[0]}, {arguments[1]}}}"]
        count = 1 if count is None else count
        grid = (f"{(count + 63) // 64}" if isinstance(count, int) else f"({count} + 63) / 64")
        stream = "" if s["stream"] == "" else f", 0, {self.stream(s['stream'])}"
        given = ", ".join(arguments)
        if kernel.startswith("v_") and s["id"] % 2 and self.style != "goto":
            self.out(depth, f"K_{kernel[2:]}<T> view{s['id']} = {{{given}}};")
            given = f"view{s['id']}"
        elif kernel.startswith("v_"):
            given = f"K_{kernel[2:]}<T>{{{given}}}"
        self.out(depth, f"k_{kernel}<T><<<{grid}, 64{stream}>>>({given});")
        if self.style:
            self.cuda(depth, "cudaGetLastError()")

    def do_sync(self, s, depth):
        how = s["how"]
        if how == "device":
            return self.cuda(depth, "cudaDeviceSynchronize()")
        handle = self.stream(s["obj"]) if how.endswith("stream") else self.name(s["obj"])
        if how == "poll_stream":
            return self.out(depth, f"if (cudaStreamQuery({handle}) != cudaSuccess) cudaGetLastError();")
        if how.startswith("query"):
            what = "Stream" if how == "query_stream" else "Event"
            return self.out(depth, f"while (cuda{what}Query({handle}) == cudaErrorNotReady) cudaGetLastError();")
        return self.cuda(depth, f"cuda{'Stream' if how == 'stream' else 'Event'}Synchronize({handle})")

    def do_record(self, s, depth):
        self.cuda(depth, f"cudaEventRecord({self.name(s['event'])}, {self.stream(s['stream'])})")

    def do_wait_event(self, s, depth):
        self.cuda(depth, f"cudaStreamWaitEvent({self.stream(s['stream'])}, {self.name(s['event'])}, 0)")

    def do_new_stream(self, s, depth):
        if self.declares(s):
            self.out(depth, self.declared(f"cudaStream_t {self.name(s['var'])}"))
        var = self.name(s["var"])
        self.cuda(depth, f"cudaStreamCreate(&{var})" if s["kind"] == "blocking" else
                  f"cudaStreamCreateWithFlags(&{var}, cudaStreamNonBlocking)")

    def do_del_stream(self, s, depth):
        self.cuda(depth, f"cudaStreamDestroy({self.name(s['var'])})")

    def do_new_event(self, s, depth):
        if self.declares(s):
            self.out(depth, self.declared(f"cudaEvent_t {self.name(s['var'])}"))
        self.cuda(depth, f"cudaEventCreateWithFlags(&{self.name(s['var'])}, cudaEventDisableTiming)")

    def do_alias_event(self, s, depth):
        fresh = self.declares(s)
        self.out(depth, f"{'cudaEvent_t ' if fresh else ''}{self.name(s['var'])} = {self.name(s['of'])};")

    def do_del_event(self, s, depth):
        self.cuda(depth, f"cudaEventDestroy({self.name(s['var'])})")

    def do_if(self, s, depth):
        self.out(depth, f"if ({s['cond']}) {{")
        self.block(s["then"], depth + 1)
        if s.get("else"):
            self.out(depth, "} else {")
            self.block(s["else"], depth + 1)
        self.out(depth, "}")

    def do_loop(self, s, depth):
        var = s["var"]
        self.out(depth, f"for (unsigned {var} = 0; {var} < {s['count']}; ++{var}) {{")
        self.block(s["body"], depth + 1)
        self.out(depth, "}")

    def do_break(self, s, depth):
        self.out(depth, f"if ({s['cond']}) break;")

    def do_continue(self, s, depth):
        self.out(depth, f"if ({s['cond']}) continue;")

    def do_return(self, s, depth):
        self.out(depth, f"if ({s['cond']}) {{")
        if not self.in_helper:
            self.out(depth + 1, 'std::printf("%u\\n", acc);')
        self.out(depth + 1, "return;")
        self.out(depth, "}")

    def do_call(self, s, depth):
        arguments = []
        for argument in s["args"]:
            if not isinstance(argument, dict):
                arguments.append(str(argument))
            elif argument["v"] in NAMED_STREAMS:
                arguments.append(self.stream(argument["v"]))
            else:
                arguments.append(self.ref(argument))
        helper = next(h for h in self.p.helpers if h["name"] == s["helper"])
        name = ("hidden_" if helper.get("hidden") else "") + s["helper"]
        self.out(depth, f"{name}({', '.join(arguments + ['arg', 'acc'])});")

    def do_swap(self, s, depth):
        self.out(depth, f"std::swap({self.name(s['a'])}, {self.name(s['b'])});")

    def do_assign(self, s, depth):
        self.out(depth, f"{self.name(s['var'])} = {self.ref(s['ref'])};")

    def do_observe(self, s, depth):
        a = self.ref({"v": s["a"], "o": 0})
        if s["what"] == "compare":
            value = f"((const void *){a} == (const void *){self.ref({'v': s['b'], 'o': 0})})"
        elif s["what"] == "inspect":
            self.out(depth, f"{{ cudaPointerAttributes about; cudaPointerGetAttributes(&about, {a}); "
                            "acc = acc * 31 + about.type; }")
            return
        else:
            value = f"(unsigned)((uintptr_t){a} >> 48)"
        self.out(depth, f"acc = acc * 31 + {value};")

    def do_print(self, s, depth):
        self.out(depth, 'std::printf("%u\\n", acc);')


def kernel_name(program, launch):
    """The kernel that statement `launch` of `program` names, as kernels.source() knows it."""
    return ("v_" if program.views and launch["kernel"] != "aggregate" else "") + launch["kernel"]
