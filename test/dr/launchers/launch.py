# What "python3 -m torch.distributed.run --nproc-per-node 2 SCRIPT ..." does, as
# far as its processes can tell: the environment, a session for each, its own end.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import signal
import subprocess
import sys
import time


class Stopped(Exception):
    """The launcher was sent a signal, the exception's argument."""


def stop(number, _):
    raise Stopped(number)


def start(rank, words):
    env = dict(os.environ, RANK=rank, LOCAL_RANK=rank, GROUP_RANK="0", ROLE_RANK=rank, WORLD_SIZE="2",
               LOCAL_WORLD_SIZE="2", GROUP_WORLD_SIZE="1", ROLE_WORLD_SIZE="2", MASTER_ADDR="127.0.0.1",
               MASTER_PORT="29500", TORCHELASTIC_RESTART_COUNT="0", TORCHELASTIC_MAX_RESTARTS="0",
               TORCHELASTIC_RUN_ID="none", OMP_NUM_THREADS="1")
    if words[0] == "--no-python":
        words = words[1:]
    else:
        words = [sys.executable, "-u"] + words
    return subprocess.Popen(words, env=env, start_new_session=True)


def main():
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    processes = [start(rank, sys.argv[1:]) for rank in ("0", "1")]
    try:
        while any(p.poll() is None for p in processes):
            time.sleep(0.02)
    except Stopped as stopped:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait()
        signal.signal(stopped.args[0], signal.SIG_DFL)
        os.kill(os.getpid(), stopped.args[0])
    return next((p.returncode for p in processes if p.returncode), 0)


if __name__ == "__main__":
    sys.exit(main())
