//===- CudaText.h - CUDA calls with other arguments -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The buffer of a pair as the source has it, and the text of its calls with
// other arguments. A statement keeps all else: casts, sizes, streams, and the
// macro that checks its result.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_CC_SUGGEST_CUDATEXT_H
#define ECHO_CC_SUGGEST_CUDATEXT_H

#include "SourceIndex.h"

namespace echo::suggest {

/// A device buffer: the variable, and the call that allocates it.
struct DeviceBuffer {
  const clang::VarDecl *Variable = nullptr;
  const CudaCall *Alloc = nullptr;
  /// The calls that lead to its function, where another one has the host
  /// buffer.
  std::vector<CallPlace> Callers;
};

/// Arguments of a call, by role, and the text that takes the place of each.
using NewArguments = std::map<ApiRole, std::string>;

/// The device buffer of \p Pair, if its function allocates it for a variable of
/// its own.
std::optional<DeviceBuffer> deviceBufferOf(const PairReport &Pair,
                                           const SourceIndex &Source);

/// The call of the linking copy \p Link, if the whole buffer \p D is a side of
/// it, by its name alone, in the function that allocates it.
const CudaCall *wholeCopy(const LinkCopy &Link, const DeviceBuffer &D,
                          const SourceIndex &Source);

/// The statement of \p Call with \p New; nothing: an argument is not written
/// where the call is.
std::optional<std::string> withArguments(const CudaCall &Call,
                                         const NewArguments &New,
                                         const SourceIndex &Source);

/// Likewise, as edits of the statement.
std::optional<std::vector<Edit>> editArguments(const CudaCall &Call,
                                               const NewArguments &New,
                                               const SourceIndex &Source);

/// A declaration of \p Name, of the type of \p V as the source has it; with its
/// value if that is a null pointer.
std::string declarationLike(const clang::VarDecl &V, std::string Name,
                            const SourceIndex &Source);

/// A wait for the device, for a place at or behind \p S. Its result is checked
/// as that of the CUDA call before, if one macro or function does that.
std::string waitLike(const Statement &S, const SourceIndex &Source);

} // namespace echo::suggest

#endif
