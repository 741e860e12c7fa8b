//===- Check.h - Programs that follow their candidate pairs -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes of --check. They change no value and no order of the program, and
// merge nothing: they add calls of runtime/check, which follows the pairs that
// the report lists and says at exit whether a merge would have shown.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_CHECK_CHECK_H
#define ECHO_TRANSFORM_CHECK_CHECK_H

namespace llvm {
class Module;
class PassBuilder;
} // namespace llvm

namespace echo {

class ModelTable;
struct UnitReport;

/// Before the optimizer: registers the pairs of \p Unit, notes where calls that
/// allocate, copy or launch are made, reports what modelled functions access,
/// and keeps the optimizer from using what it knows of allocation functions.
void addCheckCalls(llvm::Module &M, const UnitReport &Unit,
                   const ModelTable &Models);

/// Lists the pairs of \p Unit for the library, for each allocation with whether
/// one path of calls leads to it.
void registerCheckPairs(llvm::Module &M, const UnitReport &Unit);

/// After the optimizer: reports every load and store.
void addCheckAccesses(llvm::PassBuilder &PB);

} // namespace echo

#endif
