//===- Groups.h - What echort is told of a merged group ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One variable for each group of pairs that share a block: its name, its flags,
// the alignment that it needs.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_EMIT_GROUPS_H
#define ECHO_TRANSFORM_EMIT_GROUPS_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>

namespace llvm {
class Function;
class GlobalVariable;
class Module;
} // namespace llvm

namespace echo {

class ModelTable;
class FunctionDecision;
struct PairDecision;

/// Adds the table of the functions that decisions about \p M relied on, and of
/// those that its pairs may leave out, for all its groups (EchoFunction). All
/// decisions have been made.
void addFunctionTable(llvm::Module &M, const ModelTable &Models);

/// What the pairs of \p Decision rely on, a mask of ECHO_RELIES_*.
uint32_t premisesOf(const FunctionDecision &Decision);

/// The EchoGroup of \p Pairs of \p View, of which the first one says what kind
/// of host buffer it is. Smaller buffers than \p MinBytes stay split.
llvm::GlobalVariable *groupFor(llvm::Function &View,
                               const FunctionDecision &Decision,
                               uint64_t MinBytes,
                               llvm::ArrayRef<const PairDecision *> Pairs);

} // namespace echo

#endif
