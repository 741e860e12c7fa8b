//===- CallForms.h - What echort is asked around one call -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code that lets echort answer one allocation (R1), linking copy (R3) or
// free (R4), or leaves the call to the program. Which calls are asked about is
// the rewriter's decision. Each form reads nothing but operands of its call and
// what it is given; it stands where the call does, in the body or in a function
// that several calls share.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_EMIT_CALLFORMS_H
#define ECHO_TRANSFORM_EMIT_CALLFORMS_H

#include "Support/RuntimeFunction.h"
#include "Transform/Emit/SharedCalls.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include <cstdint>
#include <optional>
#include <string>

namespace echo {

/// Function \p Fn of echort, which \p M may call. Where another tool links,
/// without echort, it answers "do what the program wrote".
llvm::FunctionCallee echortFunction(llvm::Module &M, RuntimeFunction Fn);

/// Lets \p Original run only where \p Merged (built before it) is false.
/// \p BuildMerged fills the block for merged mode and gives the result there,
/// or null. Returns the joined result, or null. What the program does next
/// is in a new block, which begins with that.
llvm::PHINode *branchAround(
    llvm::CallBase &Original, llvm::Value *Merged,
    llvm::function_ref<llvm::Value *(llvm::IRBuilder<> &)> BuildMerged);

/// Where the code after \p Call begins that runs if it returns.
llvm::BasicBlock::iterator placeAfter(llvm::CallBase &Call);

/// An allocation that echort may answer with a block.
struct AllocationForm {
  uint32_t Role = 0;
  uint32_t Zeroed = 0;                     ///< an EchoZeroes
  bool Fresh = false;                      ///< nobody else knows the block
  llvm::SmallVector<unsigned, 2> SizeArgs; ///< of the call
  std::optional<unsigned> Out;             ///< the argument with the address
  uint64_t Room = 0;                       ///< bytes, if more than asked for

  /// Asks before \p Call for a block of \p Group, the partner of which is
  /// \p Partner. Returns what echort answers.
  llvm::CallInst *ask(llvm::CallBase &Call, llvm::Value *Group,
                      llvm::Value *Partner) const;
  /// Lets \p Call run only where echort did not answer a \p Block.
  void build(llvm::CallBase &Call, llvm::Value *Block) const;
  /// A name that no other form has.
  std::string key() const;
  /// The shapes that it may have.
  llvm::SmallVector<CallShape, 2> shapes() const;
};

/// The order of a copy or set as echort is told it (runtime/abi/EchoRt.h).
/// \p Flags: EchoCopyFlags. \p Failing: the kind whose order stays where the
/// call fails.
uint32_t orderOfCall(llvm::CallBase &Call, uint32_t Kind, uint32_t Flags,
                     std::optional<uint32_t> Failing = std::nullopt);

/// Lets linking copy \p Call run only where its buffers are not one block of
/// \p Group. \p Order: its orderOfCall(); \p Told: true if that says something
/// of copies that run (echo_copy_is_told()).
void buildCopy(llvm::CallBase &Call, llvm::Value *Group, llvm::Value *Order,
               bool Told);

/// The same for a copy of a part, where echort looks at that. \p Block: of
/// which block; \p End: its end. \p Host is the host buffer, or null: the copy
/// begins at its start.
void buildPartCopy(llvm::CallBase &Call, llvm::Value *Group, uint32_t Order,
                   llvm::Value *Block, llvm::Value *End, llvm::Value *Host);

/// Lets echort wait beside \p Call, or keep order, as \p Order says, which is
/// an orderOfCall(). Returns the cudaError_t of that.
llvm::Value *askToKeep(llvm::IRBuilder<> &B, llvm::CallBase &Call,
                       llvm::Value *Group, uint32_t Order);

/// Tells echort after copy or set \p Call that it ran and what it returned.
/// \p Order: its orderOfCall().
void buildRan(llvm::CallBase &Call, llvm::Value *Order);

/// Lets free \p Call run only where its buffer is no block with \p Role.
void buildRelease(llvm::CallBase &Call, uint32_t Role);

} // namespace echo

#endif
