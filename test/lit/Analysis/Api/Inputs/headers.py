#!/usr/bin/env python3
"""Checks the models of libraries against the libraries' own headers.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    headers.py INCLUDES MODELS [LIBRARY...]

Every function of MODELS/LIBRARY.model has to be declared in the headers of
LIBRARY in one of the folders INCLUDES (with : between them), with that number
of parameters, as they are compiled for x86-64: a struct may be two arguments. Memory has to be a
pointer, and what the header declares const is not modelled as written; what it
does not declare const is not modelled as read only, unless READ_ONLY says why.
What a library keeps may be either. Handles and streams have to be of those
types. Further arguments (...v) are NPP's context, if there is one. A library whose header is not installed is skipped, and named.
"""
import os
import re
import sys

HEADERS = {
    "cublas": ["cublas_api.h", "cublasLt.h"],
    "cufft": ["cufft.h", "cufftXt.h"],
    "curand": ["curand.h"],
    "cusolver": [
        "cusolverDn.h",
        "cusolverSp.h",
        "cusolverSp_LOWLEVEL_PREVIEW.h",
        "cusolverRf.h",
    ],
    "cusparse": ["cusparse.h"],
    "nccl": ["nccl.h"],
    "npp": [
        "nppcore.h",
        "nppi_arithmetic_and_logical_operations.h",
        "nppi_color_conversion.h",
        "nppi_data_exchange_and_initialization.h",
        "nppi_filtering_functions.h",
        "nppi_geometry_transforms.h",
        "nppi_morphological_operations.h",
        "nppi_statistics_functions.h",
        "nppi_support_functions.h",
        "nppi_threshold_and_compare_operations.h",
        "npps_arithmetic_and_logical_operations.h",
        "npps_conversion_functions.h",
        "npps_filtering_functions.h",
        "npps_initialization.h",
        "npps_statistics_functions.h",
        "npps_support_functions.h",
    ],
    "cudnn": ["cudnn_ops.h", "cudnn_cnn.h", "cudnn_graph.h"],
    "stb": ["stb_image.h", "stb_image_write.h", "stb_image_resize.h"],
    "zlib": ["zlib.h"],
}
# Parameters that are read only although the header does not say const.
READ_ONLY = {
    # "Out-of-place complex-to-real FFT will always overwrite input buffer"; of
    # the other transforms cuFFT does not say so.
    r"cufftExec(C2C|Z2Z|R2C|D2Z) idata",
    # The sizes and strides of a transform.
    r"cufft(Xt)?(Plan|MakePlan|Estimate|GetSize)Many(64)? (n|inembed|onembed)",
    # The work whose area's size they tell is then done with these.
    r"cu(solver|sparse)\w+_bufferSize(Ext)? \w+",
    # It sets what it is given; cusparseSpMatGetAttribute gets.
    r"cusparseSpMatSetAttribute data",
    # Its inputs, all of them; it copies them to the device.
    r"cusolverRfSetupHost h_\w+",
}
# These change what a descriptor says of a buffer, not the buffer.
CHANGES_DESCRIPTOR = r"cusparse\w+Set(Attribute|StridedBatch)$"
LINE = re.compile(r"(?:(\w+) )?([\w{},]+)\(([^()]*)\)(.*)")
# Values whose type a line says.
TYPES = ("v", "ptr", "i1", "i8", "i16", "i32", "i64", "float", "double")
# Structs that are passed by value: how many of the six registers for integers
# they take. What does not fit into those left is one argument, in memory.
REGISTERS = {"NppiSize": 1, "NppiPoint": 1, "NppiRect": 2, "NppStreamContext": 7}
FLOATS = ("float", "double", "Npp32f", "Npp64f")
CONTEXT = "NppStreamContext"


def prototypes(text):
    """The parameters of every function that a header declares, by name."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"//[^\n]*", " ", text)
    text = re.sub(r"^[ \t]*#(?:.*\\\n)*.*$", " ", text, flags=re.M)
    # zlib's ways to write parameters.
    text = re.sub(r"\bOF\s*\(\(([^()]*)\)\)", r"(\1)", text)
    text = re.sub(r"\bvoidpc\b", "const void *", text)
    text = re.sub(r"\bvoidp\b", "void *", text)
    found = {}
    for name, params in re.findall(r"\b(\w+)\s*\(([^(){};]*)\)\s*;", text):
        params = [" ".join(p.split()) for p in params.split(",")]
        found.setdefault(
            name, [] if params in ([""], ["void"]) else params
        )
    return found


def names(text):
    """The functions that a line is for: f_{8u,16u} is f_8u and f_16u."""
    match = re.match(r"(.*?)\{([^{}]*)\}(.*)", text)
    if not match:
        return [text]
    return [
        name
        for part in match[2].split(",")
        for name in names(match[1] + part.strip() + match[3])
    ]


def compiled(params):
    """The parameters as they are compiled: some structs are two arguments."""
    left, found = 6, []
    for param in params:
        kind = param.replace("const ", "").split()[0]
        pointer = "*" in param or "[" in param
        if kind in FLOATS and not pointer:
            needed = 0
        else:
            needed = 1 if pointer else REGISTERS.get(kind, 1)
        fits = needed <= left
        found += [param] * (needed if fits and needed else 1)
        left -= needed if fits else 0
    return found


def models(path):
    """(line number, name, kinds of arguments, what follows) of every line, but for what functions are."""
    for number, line in enumerate(open(path), 1):
        line = line.split("#")[0].strip()
        if not line or " is " in line or re.match(r"(names|group|attributes|system)\b", line):
            continue
        match = LINE.fullmatch(line)
        kinds = [a.strip() for a in match[3].split(",")] if match[3] else []
        kinds = [re.sub(r"[!\[].*", "", k) for k in kinds]
        for name in names(match[2]):
            yield number, name, kinds, match[4]


def roles(attributes):
    """(argument, type that it has to have) for what follows the arguments."""
    handle = r"\w+(Handle|Generator)(_t)?\b.*"
    for number in re.findall(r"(?:on|destroys) handle\((\d+)\)", attributes):
        yield int(number), handle
    for number in re.findall(r"creates handle\((\d+)\)", attributes):
        yield int(number), r"\w+(Handle|Generator)(_t)? ?\*.*"
    for number in re.findall(r"on stream\((\d+)\)", attributes):
        yield int(number), r"cudaStream_t\b.*"
    for pair in re.findall(r"setstream\((\d+), (\d+)\)", attributes):
        yield int(pair[0]), handle
        yield int(pair[1]), r"cudaStream_t\b.*"


def complaint(name, kinds, attributes, declared):
    """What is wrong with a model, or nothing."""
    if name not in declared:
        return "is not declared"
    params = compiled(declared[name])
    if kinds[-1:] == ["...v"]:
        context = params and params[-1].startswith(CONTEXT)
        kinds = kinds[:-1] + (["v"] if context else [])
    if len(params) != len(kinds):
        return f"has {len(params)} parameters, the model says {len(kinds)}"
    for number, (kind, param) in enumerate(zip(kinds, params)):
        if kind in TYPES:
            continue
        if kind == "const":
            if not re.match(r"\w+Const\w+Descr_t\b", param) and not re.match(
                CHANGES_DESCRIPTOR, name
            ):
                return f"argument {number} is no const descriptor: '{param}'"
            continue
        if "*" not in param and "[" not in param:
            return f"argument {number} is no pointer: '{param}'"
        if kind in ("keep", "keepeach", "call"):
            continue
        # Of an array of pointers, the pointers: float *const A[].
        const = re.match(r"const\b", param) or re.search(
            r" const \*|\* ?const \w+\[\]$", param
        )
        if const and "w" in kind:
            return f"argument {number} is const: '{param}'"
        called = re.search(r"(\w+) ?(\[\d*\])*$", param)
        said = f"{name} {called[1] if called else ''}"
        excused = any(re.fullmatch(r, said) for r in READ_ONLY)
        if not const and "w" not in kind and not excused:
            return f"argument {number} is not const: '{param}'"
    for number, wanted in roles(attributes):
        if not re.fullmatch(wanted, params[number]):
            return f"argument {number} is no {wanted}: '{params[number]}'"
    streams = [n for n, p in enumerate(params) if p.startswith("cudaStream_t")]
    named = [n for n, wanted in roles(attributes) if "cudaStream" in wanted]
    if streams != named and "on unknown" not in attributes:
        return "does not say what it does with its stream"
    return None


def main():
    includes, folder = sys.argv[1].split(":"), sys.argv[2]
    failed = False
    for library in sys.argv[3:] or sorted(HEADERS):
        declared, missing = {}, []
        for header in HEADERS[library]:
            paths = [os.path.join(f, header) for f in includes]
            path = next((p for p in paths if os.path.exists(p)), None)
            if path:
                declared.update(prototypes(open(path, errors="replace").read()))
            else:
                missing.append(header)
        if missing:
            which = " and ".join(missing[:2] + ["others"] * (len(missing) > 2))
            print(f"{library}: skipped, {which} not installed")
            continue
        count = 0
        path = os.path.join(folder, library + ".model")
        for number, name, kinds, attributes in models(path):
            count += 1
            wrong = complaint(name, kinds, attributes, declared)
            if wrong:
                failed = True
                print(f"{path}:{number}: {name} {wrong}")
        print(f"{library}: {count} functions")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
