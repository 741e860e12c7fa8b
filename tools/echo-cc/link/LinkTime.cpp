//===- LinkTime.cpp - Pairs that are decided at link time -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "link/LinkTime.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace echo {

LinkParts findLinkParts(const Paths &Where) {
  LinkParts Parts;
  std::string Linker = Where.LlvmBin + "/ld.lld";
  if (sys::fs::can_execute(Linker))
    Parts.Linker = Linker;
  Parts.Plugin = Where.ownFile("EchoLink.so");
  return Parts;
}

/// Starts of options after which clang's pipeline does more than optimize.
static bool instruments(StringRef Arg) {
  static constexpr StringRef Starts[] = {
      "-fsanitize",      "-fprofile",       "-fcoverage-mapping",
      "-femit-coverage", "-ftest-coverage", "--coverage",
      "-coverage",       "-fxray",          "-finstrument",
      "-fpass-plugin",   "-fplugin",        "-pg",
      "-mlink-bitcode",  "-mlink-builtin",  "-fmemory-profile",
      "-fcs-profile"};
  return any_of(Starts, [&](StringRef S) { return Arg.starts_with(S); });
}

bool isForLink(const opt::ArgStringList &Args) {
  bool Lto = false, Bitcode = false;
  for (size_t I = 0; I < Args.size(); ++I) {
    StringRef Arg = Args[I];
    if (instruments(Arg) || (Arg == "-o" && StringRef(Args[I + 1]) == "-"))
      return false;
    Lto |= Arg == "-flto" || Arg == "-flto=full" || Arg == "-flto=thin";
    Bitcode |= Arg == "-emit-llvm-bc";
  }
  return Lto && Bitcode;
}

bool linksUnits(const CommandShape &Shape, const LinkParts &Parts) {
  return Shape.Links && Parts.complete() && !Shape.OtherLinker &&
         ((Shape.Lto && (Shape.HasCuda || Shape.HasPlainCuda)) ||
          Shape.HasCudaBitcode);
}

void addLinkParts(std::vector<std::string> &Args, const LinkParts &Parts) {
  Args.insert(Args.begin(), {"-fuse-ld=lld", "--ld-path=" + Parts.Linker,
                             "-Xlinker", "--load-pass-plugin=" + Parts.Plugin,
                             // `#pragma comment(lib, ...)`, which other linkers
                             // and GCC ignore.
                             "-Xlinker", "--no-dependent-libraries"});
}

} // namespace echo
