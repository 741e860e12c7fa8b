# Finds the programs that are to be judged: folders with a Makefile of their own, or the
# programs of a list of commands. It builds and runs nothing.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From folders and lists to programs."""
import json
import os
import re
import subprocess

MAKEFILES = ("Makefile", "makefile", "GNUmakefile")


class ListError(Exception):
    """A list of commands that cannot be read; the text says where and why."""


class Program:
    """One program: where it lies under the tree that is copied, and how it is built and run.

    corpus: the name of the folder or list that was named. tree: the folder that is copied. path: the program's folder
    under it. build, run: shell commands, or None: by the program's own Makefile. recipe: None, or how constants
    are made smaller in a copy of the folder `origin`. patches: what --suggest found for it, or None.
    """

    recipe = origin = patches = None

    def __init__(self, corpus, tree, path, build=None, run=None, name=None):
        self.corpus, self.tree, self.path = corpus, tree, path
        self.build, self.run = build, run
        self.name = name or (path if path != "." else os.path.basename(tree))

    def smaller(self, recipe):
        """The same program with smaller constants, in a folder of its own beside the other one."""
        own = self.path + ".smaller" + ("" if self.build is None else "-" + re.sub(r"\W", "_", self.name))
        program = Program(self.corpus, self.tree, own, self.build, self.run, self.name)
        program.recipe, program.origin = recipe, self.path
        return program

    def __repr__(self):
        return f"{self.corpus}:{self.name}"


def tree_of(folder):
    """What is copied, so that "../common" is there, too: the checkout that `folder` lies in, else `folder`."""
    done = subprocess.run(["git", "-C", folder, "rev-parse", "--show-toplevel"], capture_output=True, text=True,
                          check=False)
    return os.path.realpath(done.stdout.strip() if done.returncode == 0 else folder)


def has_makefile(folder):
    return any(os.path.exists(os.path.join(folder, name)) for name in MAKEFILES)


def has_cuda(folder):
    """Whether a source in `folder` itself, or one below it, is CUDA."""
    return any(name.endswith(".cu") for _, _, names in os.walk(folder) for name in names)


def in_folder(folder):
    """The programs below `folder`: the outermost folders that hold a Makefile and a CUDA source."""
    folder, tree = os.path.realpath(folder), tree_of(folder)
    corpus, found = os.path.basename(tree), []
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        direct = any(name.endswith(".cu") for name in names)
        if has_makefile(place) and (direct or place != folder) and has_cuda(place):
            found.append(Program(corpus, tree, os.path.relpath(place, tree)))
            folders.clear()
    return found


def in_list(path):
    """The programs of a list: {"corpus", "tree", "programs": [{"name", "folder", "build": [...], "run": [...]}]}, with
    shell commands that call the compiler `nvcc`, and folders under the tree. "tree" is relative to the list."""
    try:
        with open(path) as file:
            data = json.load(file)
        tree = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(path)), data["tree"]))
        return [Program(data["corpus"], tree, entry["folder"], list(entry["build"]), list(entry["run"]), entry["name"])
                for entry in data["programs"]]
    except (OSError, ValueError) as error:
        raise ListError(f"{path}: {error}") from error
    except (KeyError, TypeError) as error:
        raise ListError(f"{path}: a program without {error}") from error


def find(paths):
    """The programs of folders and lists, each once, in the order in which they are named."""
    found = {}
    for path in paths:
        if not os.path.exists(path):
            raise ListError(f"{path}: no such folder or list")
        for program in in_folder(path) if os.path.isdir(path) else in_list(path):
            found.setdefault((program.tree, program.name), program)
    return list(found.values())
