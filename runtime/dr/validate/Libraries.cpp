//===- Libraries.cpp - Calls that CUDA's libraries make by themselves -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Libraries.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/validate/Libraries.h"
#include "runtime/dr/Core.h"
#include "runtime/dr/Real.h"
#include "runtime/dr/Sites.h"

#include <string.h>
#include <unwind.h>

namespace echo::dr {

/// True if \p Path is lib*.so of one of \p Names, with whatever version, or
/// with the hash that wheels of Python put before ".so".
template <size_t N>
static bool hasName(const char *Path, const char *const (&Names)[N]) {
  const char *Slash = strrchr(Path, '/');
  const char *Name = Slash ? Slash + 1 : Path;
  if (strncmp(Name, "lib", 3) != 0)
    return false;
  Name += 3;
  for (const char *Each : Names) {
    const size_t Length = strlen(Each);
    if (strncmp(Name, Each, Length) != 0)
      continue;
    const char *Rest = Name + Length;
    if (*Rest == '-')
      Rest += 1 + strspn(Rest + 1, "0123456789abcdef");
    if (!strncmp(Rest, ".so", 3) && (!Rest[3] || Rest[3] == '.'))
      return true;
  }
  return false;
}

static bool isCuda(const char *Path) {
  static const char *const Names[] = {"cudart", "cuda"};
  return hasName(Path, Names);
}

/// By their whole names: a library of somebody's own may begin with one.
static bool isLibrary(const char *Path) {
  static const char *const Names[] = {"cublas",
                                      "cublasLt",
                                      "cudnn",
                                      "cudnn_adv",
                                      "cudnn_adv_infer",
                                      "cudnn_adv_train",
                                      "cudnn_cnn",
                                      "cudnn_cnn_infer",
                                      "cudnn_cnn_train",
                                      "cudnn_engines_precompiled",
                                      "cudnn_engines_runtime_compiled",
                                      "cudnn_engines_tensor_ir",
                                      "cudnn_ext",
                                      "cudnn_graph",
                                      "cudnn_heuristic",
                                      "cudnn_ops",
                                      "cudnn_ops_infer",
                                      "cudnn_ops_train",
                                      "cufft",
                                      "cufftw",
                                      "curand",
                                      "cusolver",
                                      "cusolverMg",
                                      "cusparse",
                                      "cusparseLt",
                                      "cutensor",
                                      "cutensorMg",
                                      "nppc",
                                      "nppial",
                                      "nppicc",
                                      "nppidei",
                                      "nppif",
                                      "nppig",
                                      "nppim",
                                      "nppist",
                                      "nppisu",
                                      "nppitc",
                                      "npps",
                                      "nvjpeg",
                                      "nvrtc",
                                      "nvrtc-builtins"};
  return hasName(Path, Names);
}

namespace {
struct Search {
  unsigned Frames = 0;
  bool Found = false;
};
} // namespace

static _Unwind_Reason_Code visit(_Unwind_Context *Context, void *Data) {
  auto &S = *static_cast<Search *>(Data);
  const uintptr_t Return = _Unwind_GetIP(Context);
  if (!Return || ++S.Frames == 64)
    return _URC_END_OF_STACK;
  const auto *Code = reinterpret_cast<void *>(Return - 1); // NOLINT
  if (isOwnCode(Code))
    return _URC_NO_REASON;
  ModuleInfo Module;
  uint64_t Offset = 0;
  if (!moduleOf(Code, Module, Offset))
    return _URC_END_OF_STACK;
  if (isCuda(Module.Path))
    return _URC_NO_REASON;
  S.Found = isLibrary(Module.Path);
  return _URC_END_OF_STACK;
}

bool isCudasOwn(const void *Code) {
  ModuleInfo Module;
  uint64_t Offset = 0;
  return moduleOf(Code, Module, Offset) &&
         (isCuda(Module.Path) || isLibrary(Module.Path));
}

bool isLibrarysOwnCall() {
  Inside Own;
  Search S;
  _Unwind_Backtrace(visit, &S);
  return S.Found;
}

} // namespace echo::dr
