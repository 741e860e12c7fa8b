//===- CudaApi.h - The CUDA runtime table, for the compiler -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives the rows of runtime/abi/CudaApi.def as data: what a CUDA runtime
// function does and what each parameter is. A function that is not here is
// unknown to Echo.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_API_CUDAAPI_H
#define ECHO_ANALYSIS_API_CUDAAPI_H

#include "runtime/abi/CudaApi.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace llvm {
class CallBase;
} // namespace llvm

namespace echo {

/// What a CUDA runtime function does.
enum class ApiKind {
#define CUDA_API_KIND(Kind, Shape, Text) Kind,
#include "runtime/abi/CudaApiWords.def"
};

/// The role of one parameter. Dim3 stands in rows only: cudaApiOf() gives one
/// or two of Value.
enum class ApiRole {
#define CUDA_API_ROLE(Word, Role, Text) Role,
#include "runtime/abi/CudaApiWords.def"
};

struct ApiInfo {
  llvm::StringRef Name; ///< without per-thread suffix
  ApiKind Kind;
  llvm::SmallVector<ApiRole, 8> Roles;
  bool PerThread = false; ///< the _ptds or _ptsz variant was asked for

  /// Number of the first parameter with role \p R, or nothing.
  std::optional<unsigned> find(ApiRole R) const;
  /// True for calls whose name ends in Async: they do not wait for the copy.
  bool isAsync() const { return isAsyncName(Name); }
};

/// The row of function \p Symbol (with or without per-thread suffix), or
/// nothing: Echo does not know it. A dim3 counts as one parameter here.
std::optional<ApiInfo> lookupCudaApi(llvm::StringRef Symbol);

/// The row of the function that \p Call calls by name, with a role for each
/// argument of the compiled call: a dim3 is two on x86-64 and one on aarch64.
/// Nothing: it is none of CUDA's, the program has a function of its own with
/// that name, or its dim3s are passed in another way.
std::optional<ApiInfo> cudaApiOf(const llvm::CallBase &Call);

/// True if \p Call, of the function of \p Api, takes no flags or surely none is
/// set.
bool hasNoFlags(const llvm::CallBase &Call, const ApiInfo &Api);

/// True if \p Symbol looks like a CUDA runtime or driver function, known or
/// not.
bool looksLikeCuda(llvm::StringRef Symbol);

} // namespace echo

#endif
