//===- UnrollTables.h - Loops that fill tables of buffers -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs keep two or four buffers of a kind in an array, and a loop with a
// constant number of iterations allocates them: double buffers, one buffer for
// each stream. In the loop all of them are one allocation, whose pointer goes
// on into later iterations. Such a loop, and each that walks through the same
// table, is written out, so that every buffer has an allocation and a place of
// its own.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_VIEW_UNROLLTABLES_H
#define ECHO_TRANSFORM_VIEW_UNROLLTABLES_H

#include "llvm/IR/PassManager.h"

namespace echo {

class ModelTable;

/// Writes out the loops of \p F that walk through a table of buffers. Run it
/// when variables are values. Returns true if anything changed; analyses are
/// invalid then.
bool unrollTables(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                  const ModelTable &Models);

} // namespace echo

#endif
