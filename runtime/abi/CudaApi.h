//===- CudaApi.h - What the name of a CUDA call says ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the compiler and the interposer of the CUDA runtime.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_ABI_CUDAAPI_H
#define ECHO_RUNTIME_ABI_CUDAAPI_H

#include <string_view>

namespace echo {

/// True if the function \p Name, without per-thread suffix, does not wait for
/// the copy, the set, the allocation or the release that it asks for ("API
/// synchronization behavior": such functions have Async in their names).
constexpr bool isAsyncName(std::string_view Name) {
  return Name.ends_with("Async");
}

} // namespace echo

#endif
