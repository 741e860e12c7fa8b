//===- LibraryHandles.h - Streams of library handles ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A GPU library keeps its stream in a handle: cublasSgemm(handle, ...) works in
// the stream that cublasSetStream gave to the handle, the legacy default stream
// until then. Finds the stream of each modelled call, where all calls that may
// set it are in sight. What is not sure is an unknown stream, which no wait but
// one for the whole device covers.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_EVENTS_LIBRARYHANDLES_H
#define ECHO_ANALYSIS_EVENTS_LIBRARYHANDLES_H

#include "Analysis/Events/Effects.h"

namespace echo {

/// True if \p V, what a variable holds before a handle or stream is created in
/// it, is surely none itself: where the creation fails, it stays there.
bool isNoHandle(const llvm::Value &V);

/// True if \p V is a library handle that the function created and that it gives
/// to nothing but modelled calls: no other value, and no function out of sight,
/// can name the same handle.
bool isOwnLibraryHandle(const llvm::Value *V, const ModelTable &Models);

class LibraryHandles {
public:
  LibraryHandles(const llvm::Function &F, const UnitContext &Unit);

  /// The stream in which modelled \p Call works, if it is known; null: the
  /// legacy default stream.
  std::optional<const llvm::Value *> streamOf(const llvm::CallBase &Call) const;

private:
  llvm::DenseMap<const llvm::CallBase *, const llvm::Value *> Known;
  bool AlwaysDefault = false; ///< the program gives no handle a stream
};

} // namespace echo

#endif
