//===- CudaStart.h - Does the program start CUDA itself? --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A host buffer that is allocated first may be what starts CUDA. Decides from a
// view's control flow whether the program starts it anyway, with nothing before
// that which has to come before. It changes no verdict: where the answer is no,
// echort looks whether CUDA is in use (ECHO_GROUP_CUDA_FOLLOWS).
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_DECISION_CUDASTART_H
#define ECHO_ANALYSIS_DECISION_CUDASTART_H

#include "Analysis/Api/CallReach.h"
#include "Analysis/Memory/MemoryObjects.h"

namespace echo {

/// True if on each path from an allocation of \p Host that does not end the
/// program a call follows that uses CUDA, and until then nothing runs that is
/// unknown, makes a process or must come before CUDA starts.
bool startsCudaAfter(const MemoryObject &Host, RunSearches &Runs);

} // namespace echo

#endif
