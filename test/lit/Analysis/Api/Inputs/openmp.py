#!/usr/bin/env python3
"""Checks openmp.model against clang's list of the OpenMP runtime's functions.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    openmp.py OMPKinds.def MODEL

Every function of the model has to be in the list with that number of parameters;
what the model says is touched has to be a pointer, and a function that is called
has to be one.
"""
import re
import sys

POINTERS = {"Int32Ptr", "Int64Ptr", "VoidPtr", "Int8PtrPtr"}

text = re.sub(r"//[^\n]*|/\*.*?\*/", "", open(sys.argv[1]).read())
known = {}
for match in re.finditer(r"__OMP_RTL\((\w+),\s*(true|false),\s*(\w+)((?:,\s*\w+)*)\)", text):
    known[match[1]] = [p.strip() for p in match[4].split(",")[1:]]

wrong = count = 0
for number, line in enumerate(open(sys.argv[2]), 1):
    match = re.match(r"([\w{},]+)\(([^()]*)\)", line.split("#")[0])
    if not match:
        continue
    names = [""]
    for part in re.split(r"(\{[^}]*\})", match[1]):
        choices = part[1:-1].split(",") if part.startswith("{") else [part]
        names = [n + c for n in names for c in choices]
    says = [a.strip() for a in match[2].split(",")] if match[2].strip() else []
    for name in names:
        count += 1
        has = known.get(name)
        problem = None
        if has is None:
            problem = "is not known"
        elif len(has) != len(says):
            problem = f"has {len(has)} parameters, the model says {len(says)}"
        else:
            for i, (kind, what) in enumerate(zip(has, says)):
                if what[0] in "rw" and kind not in POINTERS:
                    problem = f"argument {i} is {kind}"
                if (what == "call") != (kind == "ReduceFunctionPtr"):
                    problem = f"argument {i} is {kind}"
        if problem:
            wrong += 1
            print(f"{sys.argv[2].split('/')[-1]}:{number}: {name} {problem}")
print(f"openmp: {count} functions")
sys.exit(wrong != 0)
