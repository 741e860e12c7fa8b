# Builds one program in three ways, each in a copy of its tree: as written, merged, and
# followed by --check. Two more builds, in the copy of the first, say whether a program has
# one behaviour at all: with the merged one's options, and with AddressSanitizer. A program's
# own build finds a compiler `nvcc` and a toolkit of which only the compiler differs. It never
# writes into the tree that was named.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The builds of a program."""
import os
import shlex
import shutil
import subprocess

import outputs
import smaller
import suggestions

KINDS = ("plain", "merged", "checked", "control", "sanitized")
# With --suggest: finds patches, and builds the patched program as it is written.
MORE_KINDS = ("suggest", "patched")
# Kinds whose copies of a program get its patches.
PATCHED = ("patched", "merged", "checked")
# In whose copies of trees the others build.
TREES = {"control": "plain", "sanitized": "plain"}
# A kind's own options of echo-cc; all build for the CPU device.
OPTIONS = {"plain": ["--device=cpu", "--no-unify"], "merged": ["--device=cpu", "--min-bytes=0"],
           "checked": ["--check", "--min-bytes=0"], "control": ["--device=cpu", "--no-unify"],
           "patched": ["--device=cpu", "--no-unify"], "suggest": ["--device=cpu", "--no-unify", "--min-bytes=0"],
           "sanitized": ["--device=cpu", "--no-unify", "-fsanitize=address", "-g"]}
# What an object of each kind needs where another compiler links it against libcudart.
LINKED = {"plain": "INPUT({0}/libecho_cpu.a", "merged": "INPUT({0}/libechort.a {0}/libecho_cpu.a",
          "control": "INPUT({0}/libecho_cpu.a", "sanitized": "INPUT({0}/libecho_cpu.a",
          "suggest": "INPUT({0}/libecho_cpu.a", "patched": "INPUT({0}/libecho_cpu.a",
          "checked": "EXTERN(echo_check_report malloc pthread_create) INPUT({0}/libecho_check.a {0}/libecho_cpu.a"}
# Where Makefiles look for the toolkit.
TOOLKIT_VARIABLES = ("CUDA_DIR", "CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "CUDA_INSTALL_PATH", "CUDA_TOOLKIT_PATH",
                     "CUDA_BASE", "CUDAHOME")
SAID = 1500  # characters of a failed build that are kept


class BuildError(Exception):
    """A build that failed; the text is the end of what it said."""


class Variant:
    """One of the builds, for all programs: a toolkit with its compiler, and copies of trees. patches_go_to: the folder
    for what --suggest finds."""

    patches_go_to = None

    def __init__(self, kind, folder, build, cuda, flags):
        self.kind, self.folder, self.cuda = kind, os.path.join(folder, kind), cuda
        self.trees = os.path.join(folder, TREES.get(kind, kind), "trees")
        self.toolkit = os.path.join(self.folder, "toolkit", "cuda")
        compiler = os.path.join(os.path.abspath(build), "bin", "echo-cc")
        self.command = [compiler, *OPTIONS[kind], *flags]

    def prepare(self):
        """Makes the toolkit: links to all of the real one, but bin/nvcc, which is echo-cc, and libcudart and libcuda,
        which are the CPU device."""
        shutil.rmtree(self.toolkit, ignore_errors=True)
        self.link("", without=("bin", "lib64", "lib"))
        self.link("bin", without=("nvcc",))
        self.link("lib64", without=("libcudart", "libcuda."))
        os.symlink("lib64", os.path.join(self.toolkit, "lib"))
        nvcc = os.path.join(self.toolkit, "bin", "nvcc")
        with open(nvcc, "w") as file:
            before = suggestions.WRAPPER if self.kind == "suggest" else ""
            file.write(f'#!/bin/sh\n{before}exec {shlex.join(self.command)} "$@"\n')
        os.chmod(nvcc, 0o755)
        libraries = os.path.join(os.path.dirname(os.path.dirname(self.command[0])), "lib", "echo")
        for name in ("libcudart.so", "libcudart_static.a", "libcuda.so"):
            with open(os.path.join(self.toolkit, "lib64", name), "w") as file:
                file.write(LINKED[self.kind].format(libraries) + " -lstdc++ -lpthread -ldl -lm)\n")

    def link(self, folder, without):
        """Links to what is in a folder of the real toolkit, but for names that begin as one of `without`."""
        target = os.path.join(self.toolkit, folder)
        os.makedirs(target, exist_ok=True)
        for name in os.listdir(os.path.join(self.cuda, folder)):
            if not name.startswith(without):
                os.symlink(os.path.join(self.cuda, folder, name), os.path.join(target, name))

    def copy(self, tree):
        """The copy of `tree`, made at the first call."""
        target, ours = self.place(tree), os.path.dirname(self.folder)
        if not os.path.exists(target):
            shutil.copytree(tree, target + ".part", symlinks=True, ignore=lambda folder, names: [
                name for name in names if name == ".git" or os.path.join(folder, name) == ours])
            os.rename(target + ".part", target)
        return target

    def place(self, tree):
        return os.path.join(self.trees, os.path.basename(tree))

    def where(self, program):
        """The program's folder in this build."""
        return os.path.normpath(os.path.join(self.place(program.tree), program.path))

    def environment(self, report):
        """Of builds: the compiler is found first."""
        settings = dict.fromkeys(TOOLKIT_VARIABLES, self.toolkit)
        settings["PATH"] = os.path.join(self.toolkit, "bin") + ":" + os.environ["PATH"]
        if self.kind == "suggest":
            settings.update(ECHO_REPORT_JSON=report, JUDGE_PATCHES=self.patches_go_to)
        if self.kind == "merged":
            settings.update(ECHO_REPORT_JSON=report, ECHO_CHECK_ERASURE="1")
        return outputs.environment(settings)

    def build(self, program, report, limit):
        """Builds `program`: its list's commands, or make in its folder. Returns what is smaller in its sources. Raises
        BuildError."""
        folder, said = self.where(program), []
        if program.recipe:
            said = smaller.copy(os.path.join(program.tree, program.origin), folder, program.recipe)
            if not said:
                raise BuildError("no constant to make smaller")
        if program.patches and self.kind in PATCHED:
            try:
                suggestions.apply(program.patches, folder,
                                  None if program.recipe else os.path.join(program.tree, program.path))
            except suggestions.PatchError as error:
                raise BuildError(str(error)) from error
        if program.build is None:
            self.call(make_command(self.toolkit) + ["clean"], folder, report, limit, must=False)
            self.call(make_command(self.toolkit), folder, report, limit)
        else:
            for line in program.build:
                self.call(["bash", "-c", line], folder, report, limit)
        return said

    def call(self, command, folder, report, limit, must=True):
        try:
            done = subprocess.run(command, cwd=folder, env=self.environment(report), stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=limit, errors="replace",
                                  check=False)
        except subprocess.TimeoutExpired as error:
            raise BuildError(f"took over {limit} s") from error
        if must and done.returncode:
            raise BuildError(done.stdout[-SAID:])


def make_command(toolkit):
    """make, with the toolkit over what the Makefile sets."""
    return ["make", *(f"{name}={toolkit}" for name in TOOLKIT_VARIABLES)]


def run_lines(variant, program):
    """The shell lines that start the built program: the list's, those of the Makefile's target `run`, those of a file
    `run`, or each executable that the build left, without arguments."""
    if program.run is not None:
        return program.run
    folder = variant.where(program)
    done = subprocess.run(make_command(variant.toolkit) + ["-n", "run"], cwd=folder, env=variant.environment(os.devnull),
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False)
    lines = started(done.stdout, folder) if done.returncode == 0 else []
    script = os.path.join(folder, "run")
    if not lines and os.path.isfile(script):
        with open(script, errors="replace") as file:
            lines = started(file.read(), folder)
    return lines or ["./" + name for name in executables(folder)]


def started(text, folder):
    """The lines of a script that start an executable below `folder`."""
    lines = [line.strip() for line in text.replace("\\\n", " ").splitlines()]
    return [line for line in lines if line and is_program(os.path.join(folder, line.split()[0]))]


def is_program(path):
    """Whether `path` is a program that a build made, and neither a library nor an object."""
    if not os.path.isfile(path) or not os.access(path, os.X_OK) or ".so" in path or path.endswith(".o"):
        return False
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def executables(folder):
    """Names of the programs in a folder, in order."""
    return [name for name in sorted(os.listdir(folder)) if is_program(os.path.join(folder, name))]
