# Plans of echo-run for the suite's programs.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A plan holds for one command line, so each benchmark's is fixed, its file of samples too. It is
prepared once; what it says is a result, also where it says that the program stays as it is."""

import json
import pathlib
import subprocess

MERGED = ("mapped", "managed", "system")


def environment_of(base, folder):
    """`base` with plans kept in `folder`, one for each benchmark."""
    return {**base, "ECHO_PLAN_DIR": str(folder)}


def prepare(echo_run, command, environment, timeout, options=()):
    """Makes the plan of `command`; prepare.log beside it has what was said. {"not_here"}, or what the plan says: "got" and "merged"."""
    folder = pathlib.Path(environment["ECHO_PLAN_DIR"])
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "prepare.log", "w+", encoding="utf-8", errors="replace") as log:
        try:
            done = subprocess.run([str(word) for word in (echo_run, "prepare", *options, "--", *command)],
                                  stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                  env=environment, timeout=timeout, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            return {"not_here": f"echo-run prepare: {error}"}
        log.seek(0)
        lines = log.read().strip().splitlines() or ["it said nothing"]
    if done.returncode:
        return {"not_here": f"echo-run prepare: exit status {done.returncode}: {lines[-1]}"}
    plans = sorted(folder.glob("*.json"))
    if not plans:
        return {"not_here": f"echo-run prepare made no plan: {lines[-1]}"}
    try:
        return says(json.loads(plans[0].read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError) as error:
        return {"not_here": f"the plan {plans[0]} is not understood: {error}"}


def says(plan):
    """What becomes of the pairs of a plan."""
    choices = [pair["choice"] for pair in plan["pairs"] if pair["choice"] != "leave"]
    if not plan["enabled"] or not choices:
        return {"got": "unchanged", "merged": 0}
    return {"got": "+".join(sorted(set(choices))), "merged": sum(c in MERGED for c in choices)}
