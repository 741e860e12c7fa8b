# Runs a command that reads the pipe "pipe.h" of this folder, and ends it by a
# signal while it does: its whole process group gets SIGTERM. Fails unless the
# folder given first is empty some time later.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import signal
import subprocess
import sys
import time

folder, command = sys.argv[1], sys.argv[2:]
process = subprocess.Popen(command, start_new_session=True)
pipe = open("pipe.h", "w")  # returns when the compiler reads it
os.killpg(process.pid, signal.SIGTERM)
pipe.close()
if process.wait() == 0:
    sys.exit("the command was not interrupted")
end = time.monotonic() + 30
while os.listdir(folder) and time.monotonic() < end:
    time.sleep(0.1)
if os.listdir(folder):
    sys.exit("left: " + " ".join(os.listdir(folder)))
