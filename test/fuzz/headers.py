# Precompiles what generated files include, once for each set of flags: CUDA's and the
# C++ library's headers take most of the time of a compilation. The files say themselves
# what they include, so nothing changes in them; several processes may ask at once.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Precompiled headers of a campaign."""
import fcntl
import hashlib
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.append(os.path.join(ROOT, "test", "e2e"))
import precompiled  # noqa: E402  (the end-to-end tests' own)

_known = {}  # what this process asked for before


def flags(folder, command, text):
    """The flags that have a compilation by `command` use `text`, a list of #include lines, precompiled below
    `folder`. None where that is not possible."""
    compiler = command[0]
    try:
        about = os.stat(compiler)
    except OSError:
        return []
    # Only what decides the language and its macros: the rest is the compilation's own.
    options = [word for word in command[1:] if word not in ("--repair", "-c", "-emit-llvm")]
    key = hashlib.sha256(repr((compiler, options, text, about.st_mtime_ns, about.st_size)).encode()).hexdigest()[:24]
    if key not in _known:
        _known[key] = _made(os.path.join(folder, key), compiler, options, text)
    return _known[key]


def _made(place, compiler, options, text):
    os.makedirs(place, exist_ok=True)
    listing = os.path.join(place, "flags.txt")
    with open(os.path.join(place, "lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not os.path.exists(listing):
            header = os.path.join(place, "fuzz.h")
            with open(header, "w") as file:
                file.write(text)
            try:
                found = precompiled.Header(compiler, options, header, place).flags
            except RuntimeError:
                found = []
            with open(listing + ".new", "w") as file:
                file.write("\n".join(found))
            os.replace(listing + ".new", listing)
    with open(listing) as file:
        return file.read().split("\n") if os.path.getsize(listing) else []
