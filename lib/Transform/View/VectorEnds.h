//===- VectorEnds.h - Ends of containers as sums ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The end of a std::vector of n elements comes out of its constructor by
// several ways: nothing for n = 0, one element for n = 1, a loop otherwise.
// All of them are begin + n. Says so, after which end - begin, the size that
// programs copy, is n times the element's size.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_VIEW_VECTORENDS_H
#define ECHO_TRANSFORM_VIEW_VECTORENDS_H

namespace llvm {
class DominatorTree;
class Function;
} // namespace llvm

namespace echo {

/// Replaces each phi of \p F that is one sum of a pointer and a number on all
/// of its edges. Returns true if anything changed.
bool mergeVectorEnds(llvm::Function &F, const llvm::DominatorTree &DT);

} // namespace echo

#endif
