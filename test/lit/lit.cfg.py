# Configuration of Echo's lit tests.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import re
import shutil
import subprocess

import lit.formats

config.name = "Echo"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".cu", ".ll", ".c", ".cpp", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.join(config.echo_source, "test", "lit")
config.test_exec_root = os.path.join(config.echo_build, "test", "lit")

bindir = os.path.join(config.echo_build, "bin")
config.environment["PATH"] = os.pathsep.join(
    [config.llvm_tools, config.environment.get("PATH", "")]
)
for name in list(config.environment):
    if name.startswith("ECHO_"):
        del config.environment[name]
# What is emitted is clang's code plus calls of echort, in each test.
config.environment["ECHO_CHECK_ERASURE"] = "1"
for name in ("CUDA_HOME", "CUDA_PATH"):
    if name in os.environ:
        config.environment[name] = os.environ[name]


if shutil.which("clang-apply-replacements", path=config.environment["PATH"]):
    config.available_features.add("clang-apply-replacements")
# Debian's Bazel: newer ones want a network for any build.
if shutil.which("bazel") and os.path.exists("/usr/share/bazel/install_base_key"):
    config.available_features.add("bazel")
if shutil.which("qmake"):
    headers = subprocess.run(
        ["qmake", "-query", "QT_INSTALL_HEADERS"], capture_output=True, text=True
    ).stdout.strip()
    if os.path.exists(os.path.join(headers, "QtWidgets", "qtwidgetsversion.h")):
        config.available_features.add("qt5" if headers.endswith("qt5") else "qt")


def first(*paths):
    return next((p for p in paths if p and os.path.exists(p)), "")


cuda = first(
    os.environ.get("CUDA_HOME"),
    os.environ.get("CUDA_PATH"),
    "/usr/local/cuda",
    "/usr/lib/cuda",
)
# clang 22 knows CUDA up to 12.9; a newer toolkit is worth a note.
note = "NONE"
if cuda:
    config.available_features.add("cuda-toolkit")
    header = first(
        os.path.join(cuda, "include", "cuda.h"), "/usr/include/cuda.h"
    )
    version = re.search(r"#define CUDA_VERSION (\d+)", open(header).read())
    if version and int(version.group(1)) > 12090:
        note = "ONCE"
try:
    if subprocess.run(
        [os.path.join(config.llvm_tools, "nvptx-arch")], capture_output=True, timeout=20
    ).stdout.strip():
        config.available_features.add("gpu")
except (OSError, subprocess.SubprocessError):
    pass
# A sanitized archive links only into sanitized programs. clang keeps what it
# allocates to its end, by design.
if config.echo_sanitize:
    config.environment["ASAN_OPTIONS"] = "detect_leaks=0"
    # opt is not sanitized and cannot load the plugin; these tests link.
    config.suffixes.remove(".ll")
    config.excludes += [
        "Mutation",
        "cmake.test",
        "link.cu",
        "nvcc-compat.cu",
        "several-inputs.cu",
    ]
elif os.path.exists(
    os.path.join(config.echo_build, "lib", "echo", "libecho_cpu.a")
):
    config.available_features.add("cpu-device")

for library in ("cublas", "cufft", "cudnn", "curand"):
    if os.path.exists(
        os.path.join(config.echo_build, "lib", "echo", f"libecho_cpu_{library}.a")
    ):
        config.available_features.add("cpu-" + library)

plugin = os.path.join(config.echo_build, "lib", "echo", "EchoPlugin.so")
# clang's list of what compiled OpenMP calls comes with LLVM's headers.
openmp_list = os.path.join(
    os.path.dirname(config.llvm_tools), "include/llvm/Frontend/OpenMP/OMPKinds.def"
)
if os.path.exists(openmp_list):
    config.available_features.add("openmp-list")

# What echo-run reads debug lines with.
if shutil.which("addr2line"):
    config.available_features.add("addr2line")

# Those of the last run may be of another compiler.
precompiled = os.path.join(config.test_exec_root, "precompiled")
shutil.rmtree(precompiled, ignore_errors=True)
precompiled_cc = f"{config.echo_source}/test/precompiled-cc {precompiled} {bindir}/echo-cc"
each_condition = (
    f"python3 {config.echo_source}/test/each-condition"
    f" '{precompiled_cc}-mutant'"
)
config.substitutions += [
    ("%openmp_list", openmp_list),
    ("%each_condition", each_condition),
    ("%echo_cc", precompiled_cc),
    ("%precompiled_cc", precompiled_cc),
    ("%echo_survey", os.path.join(bindir, "echo-survey")),
    ("%echo_run", os.path.join(bindir, "echo-run")),
    ("%echo_cxx", os.path.join(bindir, "echo-c++")),
    ("%mutant", os.path.join(bindir, "echo-cc-mutant")),
    ("%echo_plugin", plugin),
    # What is asked around a call, where the call is.
    ("%opt", os.path.join(config.llvm_tools, "opt") + " -load-pass-plugin=" + plugin + " -echo-share-calls=false"),
    ("%clangxx22", os.path.join(config.llvm_tools, "clang++")),
    ("%clang22", os.path.join(config.llvm_tools, "clang")),
    ("%llvm_tools", config.llvm_tools),
    ("%echo_source", config.echo_source),
    ("%echo_lib", os.path.join(config.echo_build, "lib", "echo")),
    ("%cuda_note", note),
    ("%cuda", cuda),
    ("%cmake", config.cmake_command),
]
# For folders whose tests judge what the driver makes of its command line; their programs may take %precompiled_cc.
config.with_own_commands = [
    (name, os.path.join(bindir, "echo-cc") if name == "%echo_cc" else text)
    for name, text in config.substitutions
]
