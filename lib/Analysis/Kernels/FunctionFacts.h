//===- FunctionFacts.h - Facts about device functions -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The questions about device IR that facts about kernels (KernelFactsCollect)
// and about device functions (LinkedFacts) are made of. Each says yes where it
// does not know. They change nothing.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_KERNELS_FUNCTIONFACTS_H
#define ECHO_ANALYSIS_KERNELS_FUNCTIONFACTS_H

#include "Analysis/Kernels/KernelFacts.h"

namespace llvm {
class Argument;
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace echo {

/// What a kernel does with parameter \p A, from LLVM's attributes. In another
/// function, that it returns the pointer is not told.
ParamFacts paramFacts(const llvm::Argument &A);

/// A function that the device runtime provides and that is no system-scope
/// atomic.
bool isHarmlessDeclaration(const llvm::Function &F);

/// Whether \p Is says so of an instruction of \p F or of what it calls: through
/// a pointer it may call each function of the module whose address is taken.
bool anyInstruction(const llvm::Function &F,
                    llvm::function_ref<bool(const llvm::Instruction &)> Is);

/// Whether \p I may use system-scope atomics. What it does out of sight is no
/// question.
bool mayUseSystemAtomics(const llvm::Instruction &I);

/// Whether \p I may call a function that is out of sight, or calls one through
/// a pointer.
bool callsUnknown(const llvm::Instruction &I);

/// Whether \p I itself may end the kernel with an error that CUDA keeps.
bool mayTrap(const llvm::Instruction &I);
/// True if \p I may run a function that is not looked at, and may stop the
/// kernel. \p Whole: a pointer is to a function of the module.
bool mayTrapUnseen(const llvm::Instruction &I, bool Whole);

/// Whether \p F, or what it calls, may go on only once somebody else has
/// written memory. What it does out of sight is no question.
bool mayWait(const llvm::Function &F);

/// Whether \p I reads memory so that it sees what others write meanwhile.
bool readsAfresh(const llvm::Instruction &I);

/// Whether a loop of \p F may end only once what is read afresh has changed
/// (PollingLoops.cpp).
bool hasPollingLoop(const llvm::Function &F);

/// Whether \p I prints on the host's standard output. What a failing assert
/// reports is no output of a program that goes on.
bool mayPrint(const llvm::Instruction &I);

/// Shared and local memory is seen by one block or thread only.
bool isPrivate(const llvm::Value *Pointer);

/// True if \p V may be an address in global memory that was read from memory.
bool isReadAddress(const llvm::Value *V);

/// Whether \p I shows something of such an address but its low bits, or gives
/// it to a function that may do so. What is done with parameters' own addresses
/// is told with these.
bool looksAtAddress(const llvm::Instruction &I);

/// Kernels of internal linkage get a suffix that their stubs do not have.
llvm::StringRef plainName(llvm::StringRef Name);

bool isKernel(const llvm::Function &F);

/// Facts of the kernels that other units may have, too, so that theirs may be
/// what runs (templates). They hold for each copy made of the same source,
/// however it is optimized. \p M is as clang wrote it.
KernelFactsTable collectSharedKernelFacts(const llvm::Module &M, bool Whole);

} // namespace echo

#endif
