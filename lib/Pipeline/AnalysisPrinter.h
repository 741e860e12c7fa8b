//===- AnalysisPrinter.h - Shows what the analysis saw ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The events, the pairs and the conditions of a function, in words, for tests.
// Shows what these hold, nothing else: it decides nothing and changes nothing.
// In echo-cc-mutant it also reports what each condition alone finds of each
// pair.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_PIPELINE_ANALYSISPRINTER_H
#define ECHO_PIPELINE_ANALYSISPRINTER_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class Function;
class raw_ostream;
} // namespace llvm

namespace echo {

class Effects;
struct Candidate;
class MemoryObjects;
class Sizes;
struct UnitContext;

/// Prints the buffers of \p F with kind, pointer, size and refusal, then the
/// events of each block in order. Blocks without events are left out.
void printEvents(llvm::Function &F, const MemoryObjects &Objects,
                 const Sizes &S, const Effects &E, llvm::raw_ostream &OS);

/// Prints candidate \p D and what it breaks, or that it holds.
void printCondition(const Candidate &D, const MemoryObjects &Objects,
                    llvm::raw_ostream &OS);

/// From now on the compilations of this process report what each condition
/// alone finds of each pair (reportConditions). For tests (echo-cc-mutant).
void reportConditionsForTest();

/// Where a test asked for it, prints a line for each pair of view \p F on
/// standard error: "stages FILE:LINE:COLUMN NAME + FILE:LINE:COLUMN NAME:",
/// then "ID=holds" or "ID=REASON" for each condition, as if it were the only
/// one.
void reportConditions(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                      const UnitContext &Unit);

} // namespace echo

#endif
