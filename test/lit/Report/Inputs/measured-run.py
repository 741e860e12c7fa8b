# Writes a report of echo-run for a source, as `echo-run report --json` does of a run: it has the copies that the source
# marks by comments, at their lines, of another file where one is named. echo-run --version says which version that is of.
#
#   // run: PAIR DIRECTION BYTES COPIES NS FRACTION [FUNCTION]
#   // run in CALL: PAIR ...    the copy of a helper, called from the line marked // call: CALL
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import os
import re
import subprocess
import sys
import time

echo_run, source = sys.argv[1:3]
name = os.path.realpath(sys.argv[-1])
with open(source) as text:
    lines = list(enumerate(text, 1))


def place(number, function):
    return {"file": name, "line": number, "function": function}


calls = {match[1]: number for number, line in lines if (match := re.search(r"// call: (\w+)", line))}
pairs = {}
for number, line in lines:
    for caller, words in re.findall(r"// run(?: in (\w+))?: ([^/\n]*)", line):
        pair, direction, size, copies, ns, fraction, *function = words.split()
        places = [place(number, "helper")] if caller else []
        places.append(place(calls.get(caller, number), function[0] if function else "main"))
        worth = {
            "copies_per_iteration": float(copies),
            "bytes_per_iteration": float(copies) * int(size),
            "ns_per_iteration": float(ns),
            "loop_fraction": float(fraction),
        }
        pairs.setdefault(int(pair), []).append(
            {
                "places": places,
                "built_ns": time.time_ns() + 10**12,
                "direction": direction,
                "least_bytes": int(size),
                "most_bytes": int(size),
                "worth": worth,
            }
        )
version = subprocess.run([echo_run, "--version"], check=True, capture_output=True, text=True).stdout.split()[-1]
report = {"echo": version, "processes": [], "pairs": [{"copies": pairs[pair]} for pair in sorted(pairs)]}
json.dump(report, sys.stdout, indent=2)
