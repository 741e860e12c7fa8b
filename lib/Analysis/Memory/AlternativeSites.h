//===- AlternativeSites.h - Which allocations make one buffer? --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds host allocations that replace each other: a vector is reserved and then
// grows, at several places. Copies name one of them, which one only run time
// knows, and never more than one exists there. Such sites count as one buffer.
// It never changes IR.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_MEMORY_ALTERNATIVESITES_H
#define ECHO_ANALYSIS_MEMORY_ALTERNATIVESITES_H

#include "Analysis/Memory/MemoryObjects.h"

namespace echo {

/// Groups of two or more numbers of \p Objects, each number in one group at
/// most, ascending. \p Objects: with one site each.
std::vector<llvm::SmallVector<unsigned, 2>>
alternativeSites(const llvm::Function &F, const MemoryObjects &Objects,
                 const ModelTable &Models);

} // namespace echo

#endif
