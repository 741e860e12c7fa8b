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

static bool hasName(const char *Path, const char *const *Names, size_t Count) {
  const char *Slash = strrchr(Path, '/');
  const char *Name = Slash ? Slash + 1 : Path;
  for (size_t I = 0; I != Count; ++I)
    if (!strncmp(Name, Names[I], strlen(Names[I])))
      return true;
  return false;
}

static bool isCuda(const char *Path) {
  static const char *const Names[] = {"libcudart.so", "libcuda.so"};
  return hasName(Path, Names, 2);
}

static bool isLibrary(const char *Path) {
  static const char *const Names[] = {
      "libcublas", "libcudnn",    "libcufft",    "libcurand", "libcusparse",
      "libnpp",    "libcutensor", "libcusolver", "libnvjpeg", "libnvrtc"};
  return hasName(Path, Names, sizeof Names / sizeof *Names);
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
