//===- NvccInputs.cpp - What a command line compiles ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA anywhere makes a command one of CUDA's.
//
//===----------------------------------------------------------------------===//
#include "NvccInputs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace echo {

bool isSource(StringRef Arg, ArrayRef<StringRef> Extensions) {
  StringRef Extension = sys::path::extension(Arg);
  return !Arg.starts_with("-") && is_contained(Extensions, Extension);
}

Inputs inputsOf(ArrayRef<std::string> Args) {
  Inputs Found = Inputs::Cuda;
  for (size_t I = 0; I < Args.size(); ++I) {
    StringRef Arg = Args[I];
    StringRef Language;
    if (Arg == "-x" || Arg == "--x")
      Language = I + 1 < Args.size() ? StringRef(Args[I + 1]) : "";
    else if (Arg.starts_with("-x"))
      Language = Arg.drop_front(2).ltrim('=');
    if (Language.starts_with("cu") || isSource(Arg, {".cu", ".cuh"}))
      return Inputs::Cuda;
    if (isSource(Arg, {".c", ".cc", ".cpp", ".cxx", ".c++", ".C", ".CPP", ".cp",
                       ".i", ".ii", ".s", ".S", ".m", ".mm", ".bc", ".ll"}))
      Found = Inputs::Plain;
    else if (Found == Inputs::Cuda && isSource(Arg, {".o", ".a", ".so"}))
      Found = Inputs::Objects;
  }
  return Found;
}

} // namespace echo
