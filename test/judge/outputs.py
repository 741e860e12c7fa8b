# Runs a built program and compares what two builds of it print and write: token by token,
# leaving out tokens that differ between runs of the program as written. It never judges
# by a token that varies there.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What programs put out."""
import math
import os
import re
import resource
import signal
import subprocess

# A shell reports the signal of its command in its own way.
TOO_LONG = "took too long"
OUT_OF_TIME = (-signal.SIGXCPU, 128 + signal.SIGXCPU)
LARGEST = 16 << 20  # bytes of a written file that are looked at


class Outcome:
    """One run. status: the exit status, negative for a signal, None: it took too long. texts: {name: tokens} of
    standard output ("stdout"), standard error ("stderr") and each file that was written."""

    def __init__(self, status, texts):
        self.status, self.texts = status, texts

    @property
    def good(self):
        """Whether the program ended well, and no work of the CPU device stopped with an error: what a program does
        after one is mostly undefined."""
        return self.status == 0 and not self.device_error

    @property
    def ending(self):
        return "a kernel stops with an error" if self.device_error else \
            TOO_LONG if self.status is None else f"status {self.status}"

    @property
    def device_error(self):
        words = self.texts["stderr"]
        return any(pair == ("echo-cpu:", "error:") for pair in zip(words, words[1:]))


WAITING = 6  # times its processor time that a run may take


def limits(seconds):
    """A run can be ended with all its children, takes so much processor time, whatever else the machine does, and is
    the first to go where memory ends."""
    os.setsid()
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), math.ceil(seconds) + 1))
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def written(folder, known):
    """{name: tokens} of files in `folder` that are new or changed since `known`."""
    found = {}
    for name, state in listing(folder).items():
        if known.get(name) != state and state[1] <= LARGEST:
            with open(os.path.join(folder, name), "rb") as file:
                found["file " + name] = file.read().decode("latin-1").split()
    return found


def listing(folder):
    """{name: (time, size)} of the plain files of a folder."""
    found = {}
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_file(follow_symlinks=False):
                state = entry.stat(follow_symlinks=False)
                found[entry.name] = (state.st_mtime_ns, state.st_size)
    return found


def environment(settings):
    """The environment with `settings`, and none of Echo's of whoever calls."""
    return {**{key: value for key, value in os.environ.items() if not key.startswith("ECHO_")}, **settings}


def run(line, folder, limit, settings):
    """Runs a shell line in `folder` with Echo's `settings`, at most `limit` seconds of processor time."""
    known = listing(folder)
    child = subprocess.Popen(["bash", "-c", "exec " + line if simple(line) else line], cwd=folder,
                             env=environment(settings), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, preexec_fn=lambda: limits(limit))
    try:
        out, err = child.communicate(timeout=WAITING * limit)
        status = child.returncode if child.returncode not in OUT_OF_TIME else None
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        out, err = child.communicate()
        status = None
    texts = {"stdout": tokens(out), "stderr": tokens(err), **written(folder, known)}
    return Outcome(status, texts)


def simple(line):
    """Whether a line is one command, which the shell can become."""
    return not re.search(r"[|;&<>()]", line)


def tokens(data):
    return data.decode("latin-1").split()


def differences(plain, other):
    """What `other` put out that no run of `plain` (a list of Outcomes) allows: [(text, place, expected, got)]."""
    if other.status not in {run.status for run in plain}:
        return [("status", 0, str(plain[0].status), str(other.status))]
    found = []
    for name in sorted({name for run in plain + [other] for name in run.texts}):
        wanted, got = [run.texts.get(name) for run in plain], other.texts.get(name)
        if got in wanted:
            continue
        if None in wanted or got is None:
            if not (None in wanted and any(w is not None for w in wanted)):
                found.append((name, 0, presence(wanted[0]), presence(got)))
            continue
        if len({len(words) for words in wanted}) > 1:
            continue
        if len(got) != len(wanted[0]):
            found.append((name, 0, f"{len(wanted[0])} words", f"{len(got)} words"))
            continue
        for place, word in enumerate(got):
            choice = {words[place] for words in wanted}
            if len(choice) == 1 and word not in choice:
                found.append((name, place, choice.pop(), word))
    return found


def lasting(first, second):
    """Those of the second run's differences that the first run shows in the same place: a time that happens to be the
    same in all runs as written differs here and there."""
    places = {difference[:2] for difference in first}
    return [difference for difference in second if difference[:2] in places]


def presence(words):
    return "not there" if words is None else f"{len(words)} words"
