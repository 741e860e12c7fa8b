# Precompiles the header that the end-to-end programs share, once for the host and
# once for the device at each optimization level: parsing CUDA's headers takes most
# of the time of a small program. Decides from a program's own text whether it may
# be used: the header must be what the program includes first. As a program it
# precompiles what is there before a program's first line (test/precompiled-cc).
# It must never change what a program is compiled to.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A precompiled header for programs that echo-cc compiles many of."""
import os
import re
import shlex
import subprocess
import sys

# What the host's and the device's commands have that a header cannot.
TAKES_VALUE = ("-fcuda-include-gpubinary",)
ONLY_CODE = ("--echo-facts",)


def begins_with(source, header):
    """True if the first line of code of SOURCE includes HEADER."""
    for line in open(source):
        if line.strip() and not line.startswith("//"):
            return line.strip() == f'#include "{header}"'
    return False


def header_command(command, target):
    """The cc1 command that precompiles what COMMAND, a list, would compile."""
    result, skip = [], False
    for word in command:
        if skip:
            skip = False
        elif word in TAKES_VALUE:
            skip = True
        elif word in ("-emit-obj", "-emit-llvm-bc", "-S"):
            # What templates of the header are used with is made there, and not at the end of each program.
            result += ["-emit-pch", "-fpch-instantiate-templates"]
        elif not word.startswith(ONLY_CODE):
            result.append(word)
    result[result.index("-o") + 1] = target
    return result


class Header:
    """HEADER (a path) for COMPILER with FLAGS, precompiled in FOLDER. Raises RuntimeError."""

    def __init__(self, compiler, flags, header, folder):
        os.makedirs(folder, exist_ok=True)
        self.name = os.path.basename(header)
        self.flags = []
        stub = os.path.join(folder, "stub.cu")
        with open(stub, "w") as file:
            file.write(f'#include "{header}"\n')
        shown = self._run([compiler, *flags, "-c", stub, "-o", stub + ".o", "-###"])
        for line in shown.splitlines():
            if '"-cc1"' not in line:
                continue
            command = shlex.split(line)
            device = re.match("nvptx", command[command.index("-triple") + 1])
            side = "device" if device else "host"
            place = os.path.join(folder, side, self.name)
            os.makedirs(os.path.dirname(place), exist_ok=True)
            # The driver takes NAME.pch where -include NAME is asked for.
            self._run(header_command(command, place + ".pch"))
            self.flags += ["-Xarch_" + side, "-include" + place]
        if len(self.flags) != 4:
            raise RuntimeError(f"{compiler} did not show a host and a device command:\n{shown}")

    @staticmethod
    def _run(command):
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace")
        if done.returncode:
            raise RuntimeError(f"{shlex.join(command)}: status {done.returncode}\n{done.stdout}")
        return done.stdout

    def flags_for(self, source):
        """The flags that make the compiler use it for SOURCE; none where it may not."""
        return self.flags if begins_with(source, self.name) else []


def command(build, compiler="echo-cc"):
    """The command of a compiler of BUILD, with CUDA's headers precompiled where that fits."""
    tests = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return [os.path.join(tests, "precompiled-cc"), os.path.join(build, "test", "precompiled"),
            os.path.join(build, "bin", compiler)]


def main():
    """precompiled.py FOLDER COMPILER FLAG...: CUDA's headers alone, unless this compiler made them; FOLDER/flags
    has the flags that make the compiler use them."""
    folder, compiler, *flags = sys.argv[1:]
    ready = os.path.join(folder, "flags")
    compat = os.path.join(os.path.dirname(os.path.dirname(compiler)), "lib", "echo", "include", "echo_nvcc_compat.h")
    if os.path.exists(ready) and all(os.path.getmtime(ready) > os.path.getmtime(f) for f in (compiler, compat) if os.path.exists(f)):
        return
    os.makedirs(folder, exist_ok=True)
    empty = os.path.join(folder, "empty.h")
    open(empty, "w").close()
    header = Header(compiler, flags, empty, folder)
    with open(ready + ".new", "w") as file:
        file.write(shlex.join(header.flags) + "\n")
    os.replace(ready + ".new", ready)


if __name__ == "__main__":
    main()
