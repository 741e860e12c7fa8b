//===- Version.cpp - What this echo-cc is made of -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One `name: value` a line after the two lines of Echo and clang; tools that
// look for "clang version", or for nvcc's "release 13.0, V13.0.88", find it.
//
//===----------------------------------------------------------------------===//
#include "driver/Version.h"
#include "clang/Basic/Version.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;

namespace echo {

void printVersion(const Paths &Where, const ToolkitInfo &Toolkit) {
  raw_ostream &OS = outs();
  OS << "Echo " ECHO_VERSION " (echo-cc)\n"
     << clang::getClangFullVersion() << '\n'
     << "Target: " << sys::getDefaultTargetTriple() << '\n';
  OS << "CUDA toolkit: ";
  if (Toolkit.found())
    OS << Toolkit.versionText() << " in " << Toolkit.Path << " (found by "
       << Toolkit.FoundBy << ")\nGPU architectures: sm_" << Toolkit.MinArch
       << " to sm_" << Toolkit.MaxArch << '\n';
  else
    OS << "none found\n";
  auto Part = [&](const char *Name, const char *File) {
    std::string Path = Where.ownFile(File);
    OS << Name << ": " << (Path.empty() ? "not there" : Path) << '\n';
  };
  OS << "LLVM tools: " << Where.LlvmBin << '\n'
     << "Echo's files: " << Where.LibDir << '\n';
  Part("Runtime", "libechort.a");
  Part("CPU device", "libecho_cpu.a");
  Part("CPU device library", "cpu_devlib.bc");
  OS << "Models: " << Where.Models.size() << " files\n";
  // The last line, as nvcc's has its version: some look for the last V.
  if (Toolkit.found())
    OS << "As nvcc of: release " << Toolkit.versionText() << ", V"
       << Toolkit.versionText() << '.' << Toolkit.Build << '\n';
}

} // namespace echo
