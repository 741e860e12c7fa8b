//===- UploadLoops.h - Loops that repeat a copy -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides from Clang's AST whether a loop repeats a copy, and before which
// loops an upload may stand because no iteration uploads anything else. Either
// the loop shows that, as it writes no memory of the host. Or only a merge
// proves it, whatever the sizes are: then the host buffer and the new one are
// one. A merge speaks for one call of a function alone. It must not be the
// proof where another function has the host buffer.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_CC_SUGGEST_UPLOADLOOPS_H
#define ECHO_CC_SUGGEST_UPLOADLOOPS_H

#include "CudaText.h"

namespace echo::suggest {

/// A loop around an upload. Reads: it writes no memory of the host.
struct OuterLoop {
  const Statement *At = nullptr;
  bool Reads = false;
};

/// True if \p Copy of \p D runs several times for one buffer: in a loop that
/// does not allocate it anew, and in more than the iteration that one value
/// names.
bool isRepeated(const CudaCall &Copy, const DeviceBuffer &D,
                const SourceIndex &Source);

/// The loops before which \p Upload to \p D may stand, the outermost first. Of
/// those without Reads, only a merge shows it.
std::vector<OuterLoop> loopsAround(const CudaCall &Upload,
                                   const DeviceBuffer &D,
                                   const SourceIndex &Source);

} // namespace echo::suggest

#endif
