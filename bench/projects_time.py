#!/usr/bin/env python3
# Compile times of public projects: echo-cc against clang++, file by file.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times the compilations of projects that have build systems of their own.

    projects_time.py record NAME.json -- BUILD COMMAND...
    projects_time.py time NAME.json ... [--json FILE]

`record` runs a project's own build with a script in nvcc's place, which notes
each command and runs echo-cc. The build finds it as `nvcc` in PATH, as CUDACXX
and NVCC, and in the toolkit that CUDA_HOME, CUDA_PATH and
CUDA_TOOLKIT_ROOT_DIR name: the toolkit's own files are in reach there.

`time` compiles each recorded CUDA file again, with clang++ and with echo-cc in
turns. clang++'s side are the jobs that `echo-cc -###` names, in clang's own
processes and without what is Echo's alone, and what clang++'s driver takes to
name the jobs of that file. Echo's header that reads nvcc's dialect is Echo's
alone; where clang does not compile the file without it, it is kept, and so
said. --overlay names an overlay of Clang's virtual file system that clang's
side then gets, too: sources that spell for clang what only nvcc and echo-cc
read. A file's time is each side's fastest; a project's is their sum."""

import argparse
import json
import os
import pathlib
import shlex
import stat
import subprocess
import sys
import tempfile

import common

DIALECT = "echo_nvcc_compat.h"
PHASES = {"-c", "-dc", "--device-c", "--compile", "-fatbin", "--fatbin", "-cubin", "-ptx"}
WRAPPER = """#!{python}
import fcntl, json, os, sys
line = json.dumps({{"folder": os.getcwd(), "arguments": sys.argv[1:]}})
with open({log!r}, "a") as log:
    fcntl.flock(log, fcntl.LOCK_EX)
    log.write(line + "\\n")
for name in ("CUDA_HOME", "CUDA_PATH"):
    os.environ[name] = {toolkit!r}
os.execv({compiler!r}, [{compiler!r}, *{options!r}, *sys.argv[1:]])
"""


def toolkit_of(folder, options):
    """A toolkit of links to the real one, with a script in nvcc's place; and its log."""
    real = pathlib.Path(common.cuda_home())
    tools = folder / "bin"
    tools.mkdir(parents=True)
    for place, own in ((real, folder), (real / "bin", tools)):
        for entry in place.iterdir():
            if entry.name not in ("bin", "nvcc"):
                (own / entry.name).symlink_to(entry)
    log, script = folder / "commands", tools / "nvcc"
    log.touch()
    script.write_text(WRAPPER.format(
        python=sys.executable, log=str(log), toolkit=str(real), compiler=common.echo_cc(options),
        options=options.option), encoding="utf-8")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return log


def record(options):
    """Runs the build and keeps its commands, each once."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="echo-toolkit-"))
    log = toolkit_of(folder / "cuda", options)
    home = str(folder / "cuda")
    places = {name: home for name in ("CUDA_HOME", "CUDA_PATH", "CUDA_TOOLKIT_ROOT_DIR")}
    nvcc = f"{home}/bin/nvcc"
    done = subprocess.run(options.build_command, check=False, env={
        **os.environ, **places, "CUDACXX": nvcc, "NVCC": nvcc,
        "PATH": f"{home}/bin:{os.environ['PATH']}"})
    commands = []
    for line in log.read_text(encoding="utf-8").splitlines():
        command = json.loads(line)
        if command not in commands:
            commands.append(command)
    options.file.write_text(json.dumps(
        {"build": shlex.join(options.build_command), "status": done.returncode,
         "commands": commands}, indent=1) + "\n", encoding="utf-8")
    print(f"{options.file}: {len(commands)} commands, the build ended with {done.returncode}")


def alone(arguments, output):
    """The command as one that compiles only and writes to `output`."""
    words, skip = [], False
    for word in arguments:
        if skip or word in ("-o", "--output-file"):
            skip = not skip
        else:
            words.append(word)
    return [*words, *([] if PHASES & set(words) else ["-c"]), "-o", output]


def jobs_of(compiler, command, folder, scratch):
    """The jobs that -### names, but those that link."""
    said = subprocess.run([compiler, *command, "-###"], cwd=folder, text=True, check=False,
                          stdin=subprocess.DEVNULL, capture_output=True,
                          env={**os.environ, "TMPDIR": scratch})
    jobs = [shlex.split(line) for line in said.stderr.splitlines() if line.startswith(' "')]
    return [job for job in jobs
            if "-cc1" in job or pathlib.Path(job[0]).name in ("ptxas", "fatbinary")]


def as_clang(job, with_dialect, overlay):
    """A job of echo-cc as clang's own."""
    if "-cc1" not in job:
        return job
    words, left = [str(common.LLVM / "clang")], [word for word in job[1:]
                                                 if not word.startswith("--echo-")]
    while left:
        word, value = left[0], left[1] if len(left) > 1 else ""
        own = ((word == "-include" and value == DIALECT) or
               (word == "-internal-isystem" and value.endswith("lib/echo/include")))
        words += [] if own and not with_dialect else left[:1 + own]
        left = left[1 + own:]
    return [*words, "-w", *(["-ivfsoverlay", str(overlay)] if with_dialect and overlay else [])]


def source_of(jobs):
    return jobs[-1][-1] if "-cc1" in jobs[-1] else jobs[0][-1]


class File:
    """One recorded compilation of a CUDA file, on both sides."""

    def __init__(self, compiler, command, scratch, overlay):
        self.folder, self.scratch, self.overlay = command["folder"], scratch, overlay
        self.echo = [compiler, *alone(command["arguments"], f"{scratch}/out"), "-w"]
        self.jobs = (jobs_of(compiler, self.echo[1:], self.folder, scratch)
                     if os.path.isdir(self.folder) else [])
        self.dialect, self.runs = False, {"clang": [], "echo": []}

    def is_cuda(self):
        """Whether a device is compiled for, and the source is still there."""
        return (any("-fcuda-is-device" in job for job in self.jobs)
                and any(pathlib.Path(job[0]).name == "ptxas" for job in self.jobs)
                and os.path.exists(os.path.join(self.folder, source_of(self.jobs))))

    def driver(self):
        """What clang++'s driver is asked to name the jobs of this file."""
        archs = {job[job.index("-target-cpu") + 1] for job in self.jobs
                 if "-fcuda-is-device" in job}
        return [str(common.LLVM / "clang++"), "-###", "-x", "cuda", "-c", source_of(self.jobs),
                f"--cuda-path={common.cuda_home()}", "-o", f"{self.scratch}/out",
                *(f"--cuda-gpu-arch={arch}" for arch in sorted(archs))]

    def once(self, side):
        """Processor seconds of one compilation."""
        commands = [self.echo] if side == "echo" else [
            self.driver(), *(as_clang(job, self.dialect, self.overlay) for job in self.jobs)]
        return sum(common.cost(command, cwd=self.folder)[0] for command in commands)

    def measure(self, turns):
        """Both sides in turns; the first run of clang's decides whether it needs the header."""
        for turn in range(turns):
            for side in ("clang", "echo") if turn % 2 == 0 else ("echo", "clang"):
                try:
                    self.runs[side].append(self.once(side))
                except common.Failed:
                    if side == "echo" or self.dialect or self.runs["clang"]:
                        raise
                    self.dialect = True
                    self.runs[side].append(self.once(side))

    def row(self):
        return {"file": source_of(self.jobs), "with_header": self.dialect,
                **{f"{side}_s": [round(run, 3) for run in runs]
                   for side, runs in self.runs.items()}}


def project(path, options, scratch):
    """Measures one recorded project."""
    record_of = json.loads(path.read_text(encoding="utf-8"))
    compiler = common.echo_cc(options)
    files, seen = [], set()
    for command in record_of["commands"]:
        file = File(compiler, command, scratch, options.overlay)
        if file.is_cuda() and (key := (file.folder, source_of(file.jobs))) not in seen:
            seen.add(key)
            files.append(file)
    every = max(1, len(files) / options.sample) if options.sample else 1
    chosen = [files[int(i * every)] for i in range(int(len(files) / every))]
    done, failed = [], []
    for file in chosen:
        try:
            file.measure(options.runs)
            done.append(file)
        except common.Failed as reason:
            said = [line for line in str(reason).splitlines()[1:] if "error: " in line]
            failed.append({"file": source_of(file.jobs), "why": (said or [str(reason)])[0][:300]})
    result = {"files": len(done), "files_of_build": len(files), "turns": options.runs,
              "with_header": sum(file.dialect for file in done),
              "overlay": bool(options.overlay), "not_measured": failed,
              "rows": [file.row() for file in done]}
    if done:
        sums = {side: sum(min(file.runs[side]) for file in done) for side in ("clang", "echo")}
        result |= {"clang_s": round(sums["clang"], 3), "echo_s": round(sums["echo"], 3),
                   "ratio": round(sums["echo"] / sums["clang"], 4)}
    return result


def time(options):
    """Measures the projects and says whether the targets are met."""
    if options.core is not None:
        os.sched_setaffinity(0, {options.core})
    rows = {}
    with common.scratch() as scratch:
        for path in options.files:
            row = rows[path.stem] = project(path, options, scratch)
            sums = (f"clang++ {row['clang_s']:7.2f} s   echo-cc {row['echo_s']:7.2f} s   "
                    f"{row['ratio']:.3f}x" if row["files"] else "nothing measured")
            print(f"  {path.stem:24} {row['files']:3} of {row['files_of_build']:3} files   {sums}",
                  flush=True)
            for failure in row["not_measured"]:
                print(f"    not measured: {failure['file']}: {failure['why']}", flush=True)
    ratios = [row["ratio"] for row in rows.values() if row["files"]]
    if not ratios:
        common.fail("no project was measured")
    value, worst = common.median(ratios), max(ratios)
    common.finish(options, "projects_time", {
        "what": "processor time of a project's CUDA compilations with echo-cc by that with "
                "clang++, the sum of each file's fastest run, median over the projects",
        "value": value, "worst": worst, "unit": "x", "target": "at most 1.05, worst at most 1.25",
        "met": value <= 1.05 and worst <= 1.25, "rows": rows})


def main():
    shared = common.arguments(__doc__, runs=3)
    shared.formatter_class = argparse.RawDescriptionHelpFormatter
    shared.add_argument("--option", action="append", default=[],
                        help="record: an option that echo-cc gets first, as --device=cpu")
    shared.add_argument("--core", type=int, help="time: pin everything to this core")
    shared.add_argument("--sample", type=int, help="time: at most so many files of a project")
    shared.add_argument("--overlay", type=pathlib.Path, help="time: what clang's side reads "
                        "instead of sources that it does not compile (Clang's VFS, YAML)")
    shared.add_argument("action", choices=("record", "time"))
    shared.add_argument("files", nargs="+", type=pathlib.Path)
    before, build = sys.argv[1:], []
    if "--" in before:
        build = before[before.index("--") + 1:]
        before = before[:before.index("--")]
    options = shared.parse_args(before)
    options.build = options.build.resolve()
    options.overlay = options.overlay and options.overlay.resolve()
    if options.action == "time":
        time(options)
        return
    if not build or len(options.files) != 1:
        common.fail("record takes one file and, after --, the build's command")
    options.file, options.build_command = options.files[0], build
    record(options)


if __name__ == "__main__":
    main()
