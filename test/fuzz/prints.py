# Which statements' calls write what kernels printed: CUDA's programming guide,
# "Formatted Output", as the CPU device does it (FlushAt).
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls that flush what kernels printed."""

# Those of them that wait for nothing.
QUEUES = ("launch", "say", "poll")


def flushes(s):
    """True if the call of `s` writes what kernels printed (FlushAt of the CPU device)."""
    if s["op"] == "sync":
        return s["how"] in ("device", "stream", "event")
    if s["op"] == "copy":
        return not s["async"]
    return s["op"] in QUEUES + ("symbol", "reset") or (s["op"] == "hostfunc" and s["how"] == "callback")
