#!/usr/bin/env python3
# Builds programs for the shared CPU device and runs each case plain, preloaded
# without a mode, profiled, and with plans that take every pair; output and exit
# status must be those of the plain run every time. Ends with "N passed, N failed".
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""End-to-end tests of libecho-dr.so on the CPU device.

A line of a program, "CASE: NAME | WORDS", is a run with the argument NAME. Words:
  pins        with pinned-split, copies of pinned memory are made
  leaves      nothing is pinned
  skips       with one buffer for two, copies are not made
  skips-unless-managed  the same, but for managed memory: CUDA has not started yet
  warns       where mapped memory was made one buffer, a line says that this cannot be undone
  queues, queues-none  with pinned-queued, some uploads go on, or none does
  split-only  what the program does is right with two buffers alone
  no-waits    the plan waits nowhere: the program does itself
  as:CASE     what is profiled is this case
  joins:HOW   validation saw no buffers come together but so (DR_JOIN)
  stays       the pair runs as written with every choice, and a line says why
  unwatched   validation rejects it: what is taken apart waits for a kernel that waits for the program
  races       a GPU's driver does not always get it right without Echo: it runs on the CPU device alone
"""
import argparse
import glob
import os
import re
import resource
import shutil
import struct
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import cases  # noqa: E402
import recorded  # noqa: E402
import tracefile  # noqa: E402
from cases import Failure, same  # noqa: E402

DISCRETE = "integrated=0,pageableMemoryAccess=0,pageableMemoryAccessUsesHostPageTables=0"
SCHEDULES = ("eager", "lazy")


class Runner:
    def __init__(self, build, work, device, cudart, limit=300):
        self.limit = limit  # seconds of one run
        self.work, self.on_gpu = work, device != "cpu"
        self.compiler = cases.precompiled.command(build)
        self.library = os.path.join(build, "lib", "echo", "libecho-dr.so")
        self.flags = ["--no-unify", "--device=" + ("cuda" if self.on_gpu else "cpu"), "-cudart", cudart]
        if self.on_gpu:
            self.flags.append("-arch=" + device)

    def compile(self, source, *flags):
        """The program of a source. For a GPU, one that is there is taken as it is."""
        output = os.path.join(self.work, os.path.splitext(os.path.basename(source))[0])
        if self.on_gpu and os.path.exists(output):
            return output
        command = self.compiler + (self.flags if source.endswith(".cu") else [])
        done = subprocess.run(command + ["-w", "-O1", "-g", source, "-o", output, *flags, "-lstdc++"],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode:
            raise Failure("%s does not compile: %s" % (source, done.stderr))
        return output

    def run(self, command, preload=True, limit=None, **env):
        """Exit status and output; what Echo says is apart."""
        full = {k: v for k, v in os.environ.items() if not k.startswith("ECHO_")}
        if preload:
            full["LD_PRELOAD"] = self.library
        full.update(env)
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True,
                              env=full, timeout=self.limit, preexec_fn=limit)
        return (done.returncode, done.stdout), done.stderr.decode()

    def profile(self, command, name, **env):
        """The traces of a profiled run, and its result."""
        folder = os.path.join(self.work, name + ".traces")
        shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(folder)
        result, said = self.run(command, ECHO_DR_MODE="profile", ECHO_DR_TRACE=folder, **env)
        if said:
            raise Failure("profiling says: " + said)
        return result, [tracefile.Trace(f) for f in sorted(glob.glob(folder + "/*.echo"))]

    def optimize(self, command, plan, **env):
        return self.run(command, ECHO_DR_MODE="optimize", ECHO_DR_PLAN=plan, ECHO_VERBOSE="1", **env)


def cases_of(source):
    """The cases that a program names, each with its words."""
    return [(case, words.split())
            for case, words in re.findall(r"^// CASE: (\S+)\s*\|(.*)$", open(source).read(), re.M)]


def counts(said):
    """Pinned bytes and copies that were not made, as the process itself says."""
    found = re.findall(r"echo: (\d+) bytes copied from or to pinned memory, (\d+) copies", said)
    return (max((int(f[0]) for f in found), default=0), max((int(f[1]) for f in found), default=0))


def queued(said):
    """Uploads that went on."""
    return max(map(int, re.findall(r"(\d+) uploads? went on", said)), default=0)


def changes(words):
    """What the case's words change in the plan."""
    joins = [word[len("joins:"):] for word in words if word.startswith("joins:")]

    def change(whole):
        for pair in whole["pairs"]:
            pair["joins"] = joins or pair["joins"]
            for copy in pair["copies"]:
                copy["wait"] = "none" if "no-waits" in words else copy["wait"]
    return change


def check_case(runner, name, command, words):
    plain, _ = runner.run(command, preload=False)
    same(runner.run(command)[0], plain, "preloaded")
    usual = [command[0], *(w[3:] for w in words if w.startswith("as:"))]
    usual = usual if len(usual) > 1 else command
    result, traces = runner.profile(usual, name)
    if usual is command:
        same(result, plain, "profiled")
    trace = max(traces, key=lambda t: t.count("Copy"), default=None)
    if not trace or not trace.count("Copy") or trace.dropped:
        raise Failure("the trace holds no copies, or lost some")
    # Exit handlers do not run; a driver may crash where it is given a stream that is gone.
    says_counts = not {"quick-exit", "crash", "exec"} & set(name.split(".")) and not (runner.on_gpu and plain[0] < 0)
    plan = os.path.join(runner.work, name.replace("/", ".") + ".json")
    # A context is a device, so what was profiled is what runs.
    here, discrete = {}, {} if runner.on_gpu else {"ECHO_CPU_ATTR": DISCRETE}
    if discrete != here:
        discrete_plain, _ = runner.run(command, preload=False, **discrete)
        _, traces = runner.profile(usual, name, **discrete)
        discrete_trace = max(traces, key=lambda t: t.count("Copy"))
    else:
        discrete_plain, discrete_trace = plain, trace
    for choice in ("pinned-split", "pinned-queued", "system", "managed", "mapped"):
        merges = not choice.startswith("pinned")
        if "split-only" in words and choice != "pinned-split" and (merges or "queues" not in words):
            continue
        attributes, expected, profiled = (here, plain, trace) if merges else (discrete, discrete_plain, discrete_trace)
        for schedule in SCHEDULES[runner.on_gpu:]:
            tracefile.plan(profiled, choice, plan, changes(words))
            if choice == "pinned-queued":  # what is watched does not go on
                got, said = runner.optimize(command, plan, ECHO_CPU_SCHED=schedule, ECHO_DR_WATCH="1", **attributes)
                same(got, expected, "watched uploads, %s (%s)" % (schedule, said.strip()))
                tracefile.plan(profiled, choice, plan, changes(words))
            unwatched = "unwatched" in words or choice == "pinned-queued"
            got, said = runner.optimize(command, plan, ECHO_CPU_SCHED=schedule, **attributes,
                                        **({"ECHO_DR_WATCH": "0"} if unwatched else {}))
            same(got, expected, "%s, %s (%s)" % (choice, schedule, said.strip()))
            pinned, skipped = counts(said)
            if says_counts and ("pins" in words) and choice == "pinned-split" and not pinned:
                raise Failure("%s: nothing was pinned: %s" % (choice, said))
            if choice == "pinned-queued" and {"queues", "queues-none"} & set(words) and ("queues" in words) != bool(
                    queued(said)):
                raise Failure("%s: %d uploads went on: %s" % (choice, queued(said), said))
            if "warns" in words and choice == "mapped" and (
                    said.count("is one buffer, and the program ") != 2 or " by the plan" in said):
                raise Failure("%s: no warning: %s" % (choice, said))
            if "stays" in words and merges and not runner.on_gpu and "come together" not in said:
                raise Failure("%s: it does not stay as written: %s" % (choice, said))
            if pinned and "leaves" in words:
                raise Failure("%s: something was pinned: %s" % (choice, said))
            # A GPU may have no such memory.
            wanted = "skips" in words or ("skips-unless-managed" in words and choice != "managed")
            if says_counts and wanted and merges and not skipped and not runner.on_gpu:
                raise Failure("%s: no copy was spared: %s" % (choice, said))
    if "apart" in words:  # where the device cannot share system memory the host buffer stays alone
        tracefile.plan(discrete_trace, "system", plan)
        got, said = runner.optimize(command, plan, **discrete)
        same(got, discrete_plain, "system, apart (%s)" % said.strip())
    return plain


def check_plans(runner, command):
    """Plans that are not for this run change nothing, with one line."""
    plain, _ = runner.run(command, preload=False)
    _, traces = runner.profile(command, "plans")
    plan = os.path.join(runner.work, "plans.json")

    def changed(what, change, line=True):
        tracefile.plan(traces[0], "pinned-split" if runner.on_gpu else "system", plan, change)
        got, said = runner.optimize(command, plan)
        same(got, plain, what)
        if ("the program runs unchanged" in said) != line or (counts(said) == (0, 0)) != line:
            raise Failure("%s: %r" % (what, said))

    def context(key, value):
        return lambda whole: whole["context"].update({key: value})
    changed("as it is", None, line=False)
    changed("another host", context("host", "elsewhere"))
    changed("another device", context("device", "other"))
    changed("another driver", context("driver", 1))
    changed("another runtime", context("runtime", 1))
    # A library that holds a runtime of its own may call the driver before the program calls its runtime, or after.
    changed("a runtime that was not known", context("runtime", 0), line=False)
    changed("another library", context("interposer", "0" * 16))
    changed("other devices", context("visible_devices", "7"))
    changed("another program", context("executable", {"path": "/x", "hash": "1" * 16}))
    changed("not enabled", lambda whole: whole.update(enabled=False))
    for text in (b"", b"{}", open(plan, "rb").read()[:-30]):
        open(plan, "wb").write(text)
        got, said = runner.optimize(command, plan)
        same(got, plain, "torn")
        if "the program runs unchanged" not in said:
            raise Failure("torn: %r" % said)
    got, said = runner.run(command, ECHO_DR_MODE="faster")
    same(got, plain, "unknown mode")
    if "is not profile, validate or optimize" not in said:
        raise Failure("unknown mode: %r" % said)


def example_checks(runner):
    """The examples, by pinned-split: that is right for every program."""
    def check(source, args):
        command = [runner.compile(source, "-I" + os.path.join(tracefile.ROOT, "examples", "common"))] + args
        name = os.path.basename(command[0])
        env = {"ECHO_MIN_BYTES": "4096", "ECHO_CPU_ATTR": DISCRETE}
        plain, _ = runner.run(command, preload=False, **env)
        result, traces = runner.profile(command, name, **env)
        same(result, plain, "profiled")
        plan = os.path.join(runner.work, name + ".json")
        if not tracefile.plan(traces[0], "pinned-split", plan):
            raise Failure("the trace holds no pairs")
        got, said = runner.optimize(command, plan, ECHO_CPU_SCHED="lazy", **env)
        same(got, plain, "pinned-split (%s)" % said.strip())
        if not counts(said)[0]:
            raise Failure("nothing was pinned: %s" % said)
    for expect in sorted(glob.glob(os.path.join(tracefile.ROOT, "test", "e2e", "examples", "*.expect"))):
        name = os.path.splitext(os.path.basename(expect))[0]
        args = re.search(r"^ARGS: (.*)$", open(expect).read(), re.M)
        source = os.path.join(tracefile.ROOT, "examples", name, name + ".cu")
        yield "example/" + name, lambda s=source, a=args: check(s, a.group(1).split() if a else [])


def check_sites(runner, command):
    """Call sites are the same from run to run; a trace is bounded, and is there after SIGKILL."""
    found = [runner.profile(command, "sites")[1][0].pairs() for _ in range(2)]
    if found[0] != found[1] or not found[0]:
        raise Failure("sites differ: %r, %r" % tuple(found))
    marks = runner.profile(command[:1] + ["sync"], "sites")[1][0]
    if marks.count("Mark") != 12 or marks.text.count("a name of more than forty characters") != 6:
        raise Failure("ranges of NVTX are not all there: %d" % marks.count("Mark"))
    plain, _ = runner.run(command, preload=False)
    result, traces = runner.profile(command, "sites", ECHO_DR_TRACE_BYTES="70000")
    same(result, plain, "bounded")
    if not traces[0].dropped or traces[0].count("Copy") > 1024:
        raise Failure("nothing was dropped")
    for most, seen in ((200000, True), (50000, False)):  # a process that may not write long files
        def limit(most=most):
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        folder = os.path.join(runner.work, "sites.traces")
        shutil.rmtree(folder)
        os.mkdir(folder)
        result, said = runner.run(command, limit=limit, ECHO_DR_MODE="profile", ECHO_DR_TRACE=folder)
        same(result, plain, "short files")
        if bool(os.listdir(folder)) != seen or ("nothing is recorded" in said) == seen:
            raise Failure("files of %d bytes: %s" % (most, said))
    result, traces = runner.profile(command[:1] + ["kill"], "sites")
    if result[0] != -9 or traces[0].finished or traces[0].pairs() == {}:
        raise Failure("the trace of a killed program holds no pairs")


def compile_memory(runner):
    return runner.compile(os.path.join(HERE, "programs", "memory.cpp"), "-fno-builtin", "-lpthread")


def check_memory(runner):
    command = [compile_memory(runner)]
    plain, _ = runner.run(command, preload=False)
    if plain != (0, b"0 failures\n"):
        raise Failure("plain: %r" % (plain,))
    same(runner.run(command)[0], plain, "preloaded")
    result, traces = runner.profile(command, "memory", ECHO_MIN_BYTES="4096")
    same(result, plain, "profiled")
    if traces:
        raise Failure("a program without CUDA leaves a trace")
    same(runner.run(command, ECHO_DR_MODE="profile", ECHO_DR_TRACE="/nowhere")[0], plain, "no folder")


def compile_own_malloc(runner):
    return runner.compile(os.path.join(HERE, "programs", "own-malloc.cpp"), "-fno-builtin")


def check_own_malloc(runner):
    command = [compile_own_malloc(runner)]
    plain, _ = runner.run(command, preload=False)
    same(plain, (0, b"1 frees\n"), "plain")
    same(runner.run(command)[0], plain, "preloaded")
    same(runner.profile(command, "own-malloc")[0], plain, "profiled")


def compile_children(runner):
    source = os.path.join(HERE, "tools", "child.c")
    found = []
    for name, flags in (("child", []), ("child-static", ["-static"]), ("child-checked", ["-fsanitize=address"])):
        output = os.path.join(runner.work, name)
        if subprocess.run(["cc", source, "-o", output, *flags], capture_output=True).returncode == 0:
            found.append(output)
    return runner.compile(os.path.join(HERE, "programs", "children.cpp")), found


def check_children(runner):
    """Programs that the library cannot be in run without it; others do not where a plan is followed."""
    command, others = compile_children(runner)
    plain, _ = runner.run([command, *others], preload=False)
    got, _ = runner.run([command, *others], ECHO_DR_MODE="profile", ECHO_DR_TRACE=runner.work)
    same((got[0], got[1].replace(b"preloaded with a mode", b"as it was")), plain, "profiled")
    ways = 9
    if len(others) < 2 or got[1].count(b"preloaded with a mode") != ways:
        raise Failure("%r" % (got,))
    script = os.path.join(runner.work, "child.sh")
    with open(script, "w") as out:
        out.write("#!%s\n" % others[1])
    os.chmod(script, 0o755)
    got, _ = runner.run([command, script], ECHO_DR_MODE="profile", ECHO_DR_TRACE=runner.work)
    if got[1].count(b"as it was") != ways:
        raise Failure("a script of a static program: %r" % (got,))
    # Other libraries and variables of the user's stay.
    got, _ = runner.run([command, "-more", others[1]], ECHO_DR_MODE="profile", ECHO_DR_TRACE=runner.work)
    if got[1].count(b"kept: /nowhere.so 1") != ways:
        raise Failure("%r" % (got,))


def check_planned_children(runner, program):
    """What the planned program starts runs without Echo, but for itself."""
    _, others = compile_children(runner)
    command = [program, "start", others[0]]
    plain, _ = runner.run(command, preload=False)
    _, traces = runner.profile(command, "planned-children")
    plan = os.path.join(runner.work, "planned-children.json")
    tracefile.plan(max(traces, key=lambda t: t.count("Copy")), "mapped", plan)
    got, said = runner.optimize(command, plan)
    same(got, plain, said)
    if not counts(said)[1] or b"as it was" not in got[1]:
        raise Failure("%r %s" % (got, said))
    got, said = runner.optimize([program, "start", program], plan)
    if said.count("copies of") != 2:
        raise Failure("the program itself: %r %s" % (got, said))


def check_own_free(runner, program):
    """Where malloc is another library's, with a free of its own names, nothing of it is served."""
    library = runner.compile(os.path.join(HERE, "programs", "sized-malloc.cpp"), "-shared", "-fPIC", "-fno-builtin")
    command, env = [program, "sized"], {"ECHO_CPU_ATTR": DISCRETE}
    plan = os.path.join(runner.work, "own-free.json")
    _, traces = runner.profile(command, "own-free", **env)
    for own in (True, False):
        plain, _ = runner.run(command, preload=False, LD_PRELOAD=library if own else "", **env)
        for choice in ("pinned-split", "mapped"):
            tracefile.plan(traces[0], choice, plan)
            preload = runner.library + (":" + library if own else "")
            got, said = runner.optimize(command, plan, LD_PRELOAD=preload, **env)
            same(got, plain, "%s: %s" % (choice, said))
            if ("a malloc of its own" in said) != own or (counts(said) == (0, 0)) != own:
                raise Failure("%s: %s" % (choice, said))


def check_limits(runner, program):
    """What may be pinned: of what is resident, the user's limit, and what other processes have."""
    plan, env = os.path.join(runner.work, "limits.json"), {"ECHO_CPU_ATTR": DISCRETE}

    def pinned(case, limit=None):
        command = [program, case]
        plain, _ = runner.run(command, preload=False, **env)
        folder = os.path.join(runner.work, "limits.traces")
        shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(folder)
        runner.run(command, ECHO_DR_MODE="profile", ECHO_DR_TRACE=folder, **env)
        trace = tracefile.Trace(glob.glob(folder + "/*.echo")[0])
        tracefile.plan(trace, "pinned-split", plan)
        got, said = runner.run(command, limit=limit, ECHO_DR_MODE="optimize", ECHO_DR_PLAN=plan, ECHO_VERBOSE="1",
                               **env)
        same(got, plain, said)
        return counts(said)[0], int(re.search(r"peak (\d+) MiB", said).group(1))
    if not pinned("dense")[0] or not pinned("fresh")[0]:
        raise Failure("a buffer that is used as a whole is not pinned")
    bytes_pinned, peak = pinned("sparse")
    if bytes_pinned or peak > 100:
        raise Failure("of a sparse buffer %d MiB are resident, %d bytes copied pinned" % (peak, bytes_pinned))

    def locked():
        resource.setrlimit(resource.RLIMIT_MEMLOCK, (100000, 100000))
    if pinned("dense", locked)[0]:
        raise Failure("more is pinned than may be locked")
    # Another process of the user's has all of the budget; then it is gone.
    table = "/dev/shm/echo-pinned-%d-%x" % (os.geteuid(), os.stat("/proc/self/ns/pid").st_ino)
    other = subprocess.Popen(["sleep", "300"])
    kept = open(table, "rb").read()
    at = max(i for i in range(0, len(kept), 24) if kept[i:i + 24] == bytes(24))
    with open(table, "r+b") as out:
        out.seek(at)
        out.write(struct.pack("<QQQ", other.pid, 0, 1 << 50))
    try:
        if pinned("dense")[0]:
            raise Failure("more is pinned than there is for all processes")
    finally:
        other.kill()
        other.wait()
    if not pinned("dense")[0]:
        raise Failure("what a process had that was killed is not given back")


def check_addresses(runner, program):
    """The two sides of one buffer in mapped memory have two addresses."""
    plan = os.path.join(runner.work, "addresses.json")
    for attributes in ({}, {"ECHO_CPU_ATTR": DISCRETE}):
        for case in ("registry", "order", "fork"):
            for watch in ("0", "", "1"):
                command = [program, case]
                plain, _ = runner.run(command, preload=False, **attributes)
                _, traces = runner.profile(command, "addresses", **attributes)
                tracefile.plan(traces[0], "mapped", plan)
                got, said = runner.optimize(command, plan, ECHO_DR_WATCH=watch, **attributes)
                same(got, plain, said)
                if not counts(said)[1]:
                    raise Failure("no copy was spared: %s" % said)


def check_fork_handlers(runner):
    """Handlers of fork that a library registered before this one was there use a buffer of a pair."""
    handlers = runner.compile(os.path.join(HERE, "programs", "handlers.cpp"), "-shared", "-fPIC")
    program = runner.compile(os.path.join(HERE, "programs", "own.cu"), handlers, "-Wl,-rpath," + runner.work)
    plan = os.path.join(runner.work, "handlers.json")
    for case in ("handlers", "frees"):
        command = [program, case]
        plain, _ = runner.run(command, preload=False)
        _, traces = runner.profile(command, "handlers")
        for choice in ("mapped", "pinned-split"):
            tracefile.plan(traces[0], choice, plan)
            got, said = runner.optimize(command, plan)
            same(got, plain, "%s %s: %s" % (case, choice, said))


def compile_plugin(runner):
    plugged = runner.compile(os.path.join(HERE, "programs", "plugged.cu"), "-shared", "-fPIC")
    return [runner.compile(os.path.join(HERE, "programs", "plugin.cpp"), "-ldl"), plugged]


def check_plugin(runner):
    command = compile_plugin(runner)
    plain, _ = runner.run(command, preload=False)
    same(runner.run(command)[0], plain, "preloaded")
    result, traces = runner.profile(command, "plugin")
    same(result, plain, "profiled")
    if len(traces) != 1 or traces[0].count("Copy") != 18:
        raise Failure("not all copies were seen")


def compile_library(runner, source):
    """The library that a source is with LIBRARY, where its program will be."""
    stem = os.path.splitext(os.path.basename(source))[0]
    library = os.path.join(runner.work, "lib%s.so" % stem)
    if not (runner.on_gpu and os.path.exists(library)):
        shutil.move(runner.compile(source, "-shared", "-fPIC", "-DLIBRARY", "-lpthread"), library)
    return library


def compile_waiting(runner):
    """The program of waiting.cu, with its library beside it."""
    source = os.path.join(HERE, "programs", "waiting.cu")
    compile_library(runner, source)
    return runner.compile(source, "-ldl", "-lpthread")


def check_counted(runner):
    """Where two objects have a function of CUDA's, what is looked up by a handle ends all pairs."""
    program = runner.compile(os.path.join(HERE, "programs", "counted.cu"), "-rdynamic", "-ldl")
    reasons = tracefile.table("DR_REASON")
    for case, expected in (("linked", set()), ("looked-up", {"External"})):
        plain, _ = runner.run([program, case], preload=False)
        result, traces = runner.profile([program, case], "counted")
        same(result, plain, case)
        found = {reasons[r[1]] for t in traces for r in t.records if r[0] == "Ineligible"}
        if found != expected:
            raise Failure("%s: pairs are left for %r" % (case, found))


def compile_ends(runner):
    library = os.path.join(runner.work, "libends.so")
    shutil.copy(runner.compile(os.path.join(HERE, "programs", "ends.cpp"), "-shared", "-fPIC"), library)
    return [runner.compile(os.path.join(HERE, "programs", "ending.cu"), library, "-Wl,-rpath," + runner.work)]


def check_ends(runner):
    """A library whose destructor makes its first call of CUDA's is not begun anew."""
    command = compile_ends(runner)
    plain, _ = runner.run(command, preload=False)
    same(runner.run(command)[0], plain, "preloaded")
    same(runner.profile(command, "ends")[0], plain, "profiled")


def check_bound_now(runner, command):
    """Libraries that look everything up when they are loaded come before this one: no word of the loader's."""
    plain, _ = runner.run(command, preload=False)
    got, said = runner.run(command, LD_BIND_NOW="1")
    same(got, plain, "bound when it is loaded")
    if said:
        raise Failure("the loader says: " + said)


def compile_deep(runner, when):
    """The program of deep.cu, and its library, which finds functions when they are called, or when it is loaded."""
    source = os.path.join(HERE, "programs", "deep-library.cpp")
    library = runner.compile(source, "-shared", "-fPIC", "-Wl,-z," + when, "-Wl,-z,relro")
    return [runner.compile(os.path.join(HERE, "programs", "deep.cu"), "-ldl"), library, when]


def check_deep(runner, when):
    command = compile_deep(runner, when)
    plain, _ = runner.run(command, preload=False, ECHO_CPU_ATTR=DISCRETE)
    result, traces = runner.profile(command, "deep", ECHO_CPU_ATTR=DISCRETE)
    same(result, plain, "profiled")
    plan = os.path.join(runner.work, "deep.json")
    for choice in ("pinned-split", "mapped"):
        tracefile.plan(traces[0], choice, plan)
        got, said = runner.optimize(command, plan, ECHO_CPU_ATTR=DISCRETE)
        same(got, plain, "%s (%s)" % (choice, said.strip()))
        if "is loaded with RTLD_DEEPBIND" not in said or counts(said) == (0, 0):
            raise Failure("%s: nothing was served: %s" % (choice, said))
    tracefile.plan(traces[0], "system", plan)
    got, said = runner.run(command, ECHO_DR_MODE="validate", ECHO_DR_PLAN=plan,
                           ECHO_DR_TRACE=os.path.join(runner.work, "deep.traces"), ECHO_CPU_ATTR=DISCRETE)
    same(got, plain, "validated (%s)" % said.strip())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=os.path.join(tracefile.ROOT, "build"))
    parser.add_argument("--device", default="cpu", help="cpu, or a GPU's architecture (sm_90)")
    parser.add_argument("--cudart", default="shared", choices=("shared", "static"))
    parser.add_argument("--work", help="folder of the programs; on a GPU, those that are there are not built again")
    parser.add_argument("--compile-only", action="store_true")
    parser.add_argument("--without", action="append", default=[], help="not the check of this name")
    parser.add_argument("filter", nargs="*", help="only checks whose name contains one of these")
    args = parser.parse_args()
    build = os.path.abspath(args.build)
    work = os.path.abspath(args.work or os.path.join(build, "test", "dr-work"))
    os.makedirs(work, exist_ok=True)
    runner = Runner(build, work, args.device, args.cudart)
    checks = [("memory", lambda: check_memory(runner)), ("own-malloc", lambda: check_own_malloc(runner)),
              ("children", lambda: check_children(runner)),
              ("plugin", lambda: check_plugin(runner)), ("ends", lambda: check_ends(runner)),
              ("counted", lambda: check_counted(runner)),
              ("deep/lazy", lambda: check_deep(runner, "lazy")), ("deep/now", lambda: check_deep(runner, "now"))]
    built = {}

    def program(source):
        if source not in built:
            built[source] = compile_waiting(runner) if source.endswith("waiting.cu") else runner.compile(source)
        return built[source]
    def compile_all():
        for source in glob.glob(os.path.join(HERE, "programs", "*.cu")):
            if source.endswith("plugged.cu"):
                compile_plugin(runner)
            elif source.endswith("ending.cu"):
                compile_ends(runner)
            else:
                program(source)
        compile_deep(runner, "lazy")
        compile_memory(runner)
        compile_own_malloc(runner)
    if args.compile_only:
        return compile_all()
    for source in sorted(glob.glob(os.path.join(HERE, "programs", "*.cu"))):
        stem = os.path.splitext(os.path.basename(source))[0]
        for case, words in cases_of(source):
            name = "%s/%s" % (stem, case)
            checks.append((name, lambda s=source, n=name, c=case, w=words:
                           check_case(runner, n.replace("/", "."), [program(s), c], w)))
    loop = os.path.join(HERE, "programs", "loop.cu")
    own = os.path.join(HERE, "programs", "own.cu")
    for name, check in () if runner.on_gpu else (("planned-children", check_planned_children), ("own-free", check_own_free),
                                                 ("limits", check_limits), ("addresses", check_addresses)):
        checks.append((name, lambda c=check: c(runner, program(own))))
    if not runner.on_gpu:
        checks.append(("fork-handlers", lambda: check_fork_handlers(runner)))
    checks.append(("plans", lambda: check_plans(runner, [program(loop), "sync"])))
    checks.append(("bound-now", lambda: check_bound_now(runner, [program(loop), "sync"])))
    checks.append(("launches", lambda: recorded.check_launches(runner, program(os.path.join(HERE, "programs", "launches.cu")))))
    checks.append(("at-once", lambda: recorded.check_at_once(runner, program(os.path.join(HERE, "programs", "at-once.cu")))))
    checks.append(("sites", lambda: check_sites(runner, [program(loop), "long"])))
    checks += example_checks(runner)
    checks = [c for c in checks if c[0] not in args.without]
    return cases.run_all(checks, cases.any_of(args.filter))


if __name__ == "__main__":
    sys.exit(main())
