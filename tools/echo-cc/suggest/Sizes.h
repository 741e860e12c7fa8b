//===- Sizes.h - Sizes of a pair's buffers as they are written --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides from the text of two allocations whether their sizes can be equal. It
// only saves a suggestion that is of no use: it must never be part of a proof.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_CC_SUGGEST_SIZES_H
#define ECHO_CC_SUGGEST_SIZES_H

#include "SourceIndex.h"

namespace echo::suggest {

/// True if the buffers of \p Pair have no size in common: 8 bytes and
/// `2 * n * 8`. Nothing is known of other forms, and of other allocations than
/// cudaMalloc, cudaMallocHost and malloc.
bool differInSight(const PairReport &Pair, const SourceIndex &Source);

} // namespace echo::suggest

#endif
