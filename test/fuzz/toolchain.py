# Drives echo-cc and what it builds: compiles a batch of generated programs, reads
# the report back in terms of program and statement, runs an executable under a
# schedule. A crash or hang of one program never hides the others.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From batches of programs to verdicts and outputs."""
import json
import os
import re
import shlex
import subprocess
import sys

import headers
from emit import Emitter

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
MERGED = ("unified", "guarded", "assumed")
# A program that ends with one of these was stopped by a sanitizer.
SANITIZER_STATUS = 66
SANITIZER_OPTIONS = f"halt_on_error=1:exitcode={SANITIZER_STATUS}:detect_leaks=0:atexit_sleep_ms=0"
MAX_CRASHES = 20
CHOSEN_STATUS = 7  # of programs that end from the middle


class CompileError(Exception):
    """echo-cc failed; `output` is what it said, `command` what was run."""

    def __init__(self, command, status, output):
        super().__init__(f"status {status}: {shlex.join(command)}\n{output[-2000:]}")
        self.command, self.status, self.output = command, status, output


class Verdict:
    """What Echo decided about one pair of sites. `guarded`: it merges where run time finds
    both buffers of one size. `links`: the linking copies, by statement, that merging removes."""

    def __init__(self, merged=False, reason=None, guarded=False):
        self.merged, self.reason, self.guarded, self.links = merged, reason, guarded, set()

    @property
    def only(self):
        """A helper's buffers may merge in one place that calls it and not in another: the
        copies of the places where they do; else None."""
        return self.links if self.merged and self.reason else None

    def add(self, entry, sites):
        """Takes in one entry of the report; a site that was inlined twice has several."""
        if entry["verdict"] in MERGED:
            self.guarded = entry["verdict"] == "guarded" and (self.guarded or not self.merged)
            self.merged = True
            self.links |= {sites[link["line"]][1] for link in entry["links"] if link["line"] in sites}
        elif self.reason is None:
            self.reason = entry.get("id") or entry["verdict"]


def clean_environment(extra=None):
    """The environment without the settings of whoever runs the campaign, in which each compilation checks that
    what it emits is clang's code plus calls of echort."""
    env = {k: v for k, v in os.environ.items()
           if not k.startswith(("ECHO_", "TSAN_", "ASAN_", "UBSAN_"))}
    env["ECHO_CHECK_ERASURE"] = "1"
    env.update(extra or {})
    return env


def read_report(path, sites, count):
    """([{pair: Verdict} for each program], [entries that belong to no known site])."""
    verdicts, lost = [{} for _ in range(count)], []
    with open(path) as file:
        report = json.load(file)
    for unit in report["units"]:
        for entry in unit["pairs"]:
            host = sites.get(entry["host"]["line"])
            device = sites.get(entry["device"]["line"])
            if not host or not device or host[0] != device[0]:
                lost.append(entry)
                continue
            pair = host[1], device[1]
            verdicts[host[0]].setdefault(pair, Verdict()).add(entry, sites)
    return verdicts, lost


def split_output(text):
    """{"P:A": [lines]} in the order of the runs."""
    parts = re.split(r"^== (\d+:\d+)\n", text, flags=re.M)
    return {word: body.splitlines() for word, body in zip(parts[1::2], parts[2::2])}


class Source:
    """A batch of programs as one .cu file, or as two (Emitter's forms)."""

    def __init__(self, programs, path, form="batch", marks=False):
        self.programs, self.path, self.files = programs, path, [path]
        emitter = Emitter(form, marks)
        if form != "batch":
            self.files.append(path[:-3] + ".part.cu")
            with open(self.files[1], "w") as file:
                file.write(f'#define PART 2\n#include "{os.path.basename(path)}"\n')
        text = emitter.batch(programs)
        with open(path, "w") as file:
            file.write(text)
        self.sites, self.headers = emitter.sites, emitter.headers
        self.words = [f"{i}:{arg}" for i, p in enumerate(programs) for arg in p.inputs]


class Toolchain:
    """One compiler of one build folder."""

    def __init__(self, build, compiler="echo-cc", environment=None, limit=300):
        self.compiler = os.path.join(build, "bin", compiler)
        self.headers = os.path.join(build, "fuzz", "headers")
        self.environment, self.limit = environment, limit

    def command(self, source, target, level, merged, flags=()):
        command = [self.compiler, "--device=cpu", "-arch=sm_75", level, *flags]
        if source.programs and source.programs[0].per_thread:
            command.append("--default-stream=per-thread")
        if self.headers:
            command += headers.flags(self.headers, command, source.headers)
        if merged:
            command += ["--min-bytes=0", f"--report-json={target}.json"]
        else:
            command.append("--no-unify")
        return command + [*source.files, "-o", target]

    def compile(self, source, target, level, merged, flags=()):
        """Builds `target`; its report, if merged, is at `target`.json."""
        command = self.command(source, target, level, merged, flags)
        report = target + ".json"
        if os.path.exists(report):
            os.remove(report)
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=self.limit,
                                  env=clean_environment(self.environment))
        except subprocess.TimeoutExpired:
            raise CompileError(command, None, f"no end after {self.limit} s") from None
        if done.returncode != 0:
            raise CompileError(command, done.returncode, done.stdout.decode(errors="replace"))

    def verdicts(self, source, target):
        """The report of a merged build, as read_report()."""
        return read_report(target + ".json", source.sites, len(source.programs))


def run(executable, words, schedule, limit=60.0, more=()):
    """{word: (status, lines, errors)} of running `words`; status None is a run without end.

    `schedule` is ECHO_CPU_SCHED, or that, "@" and ECHO_CPU_DEVICE (or ECHO_CPU_ATTR, by its "="), or that, "@" and
    ECHO_BACKING. `more`: further settings.
    What one word breaks is its own: the words after it are run again."""
    results, todo = {}, list(words)
    order, device, backing = (schedule.split("@") + ["", ""])[:3]
    settings = {"ECHO_CPU_SCHED": order, "ECHO_CPU_POISON": "1", "ECHO_BACKING": backing or "auto",
                # Threads of the CPU device may have ended when a program exits from the middle: no race.
                "TSAN_OPTIONS": SANITIZER_OPTIONS + ":report_thread_leaks=0", "ASAN_OPTIONS": SANITIZER_OPTIONS,
                "UBSAN_OPTIONS": SANITIZER_OPTIONS + ":print_stacktrace=1"}
    settings.update(more)
    if device:
        settings["ECHO_CPU_ATTR" if "=" in device else "ECHO_CPU_DEVICE"] = device
    crashes = 0
    while todo:
        process = subprocess.Popen([executable, *todo], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=clean_environment(settings))
        try:
            out, errors = process.communicate(timeout=limit)
            status = process.returncode
        except subprocess.TimeoutExpired:
            process.kill()
            out, errors = process.communicate()
            status = None
        found = split_output(out.decode(errors="replace"))
        errors = errors.decode(errors="replace")
        finished = list(found)
        if status != 0 and not finished:
            finished = [todo[0]]
            found = {todo[0]: []}
        for word in finished:
            results[word] = 0, found[word], errors[-4000:] if len(words) == 1 else ""
        if status == 0:
            break
        crashes += status != CHOSEN_STATUS
        results[finished[-1]] = status, found[finished[-1]], errors[-4000:]
        todo = [word for word in todo if word not in results]
        if crashes >= MAX_CRASHES:
            for word in todo:
                results[word] = None, [], "not run: too many programs of the batch crash"
            break
    return results


def say(text):
    print(text, flush=True)


def warn(text):
    print(text, file=sys.stderr, flush=True)
