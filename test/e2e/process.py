# Runs a program on the CPU device and says what it did. Holds the devices that the
# end-to-end tests run on. It compares nothing.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs of programs on the CPU device."""
import os
import subprocess


def on(device, backing="auto"):
    """Settings of a run on a device of runtime/cpu/Devices.def, with merged blocks in one kind of memory."""
    return {"ECHO_CPU_DEVICE": device, "ECHO_BACKING": backing}


def run(command, timeout, environment=None, cwd=None):
    """(status, stdout, stderr); a timeout is status None."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("ECHO_")}
    env["ECHO_CHECK_ERASURE"] = "1"
    env.update(environment or {})
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=timeout, env=env, cwd=cwd)
        return done.returncode, done.stdout, done.stderr.decode(errors="replace")
    except subprocess.TimeoutExpired:
        return None, b"", f"no end after {timeout} s"
