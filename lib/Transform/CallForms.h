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
#ifndef ECHO_TRANSFORM_CALLFORMS_H
#define ECHO_TRANSFORM_CALLFORMS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include <cstdint>
#include <optional>
#include <string>

namespace echo {

/// The function \p Name of echort, which \p M may call. Where another tool
/// links, without echort, it answers "do what the program wrote".
llvm::FunctionCallee echortFunction(llvm::Module &M, llvm::StringRef Name,
                                    llvm::Type *Result,
                                    llvm::ArrayRef<llvm::Type *> Args);

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
  bool Zeroed = false;                     ///< the block has to be
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
};

/// A linking copy.
struct CopyForm {
  uint32_t Kind = 0;      ///< EchoCopy
  bool ToDevice = false;  ///< from the host
  bool Pinned = false;    ///< by the program: echort does not
  bool MayQueue = false;  ///< as echort_upload
  bool Async = false;     ///< a wait follows it
  bool PerThread = false; ///< the unit's default stream
  /// The order for buildFailing, where it runs and others count on it.
  std::optional<uint32_t> Order;

  /// Lets \p Call run only where its buffers are not one block of \p Group.
  /// \p Host is the host buffer, or null: the copy begins at its start.
  /// \p Part: the block and the end of the part, if echort looks at that.
  void build(llvm::CallBase &Call, llvm::Value *Group,
             llvm::Value *Host = nullptr,
             llvm::ArrayRef<llvm::Value *> Part = {}) const;
  std::string key() const;
};

/// The call of \p Entry of echort for copy \p Call: its group, kind, stream
/// and flags, and \p More.
llvm::Value *askOrder(llvm::IRBuilder<> &B, llvm::StringRef Entry,
                      llvm::CallBase &Call, llvm::Value *Group, uint32_t Kind,
                      uint32_t Flags, bool PerThread,
                      llvm::ArrayRef<llvm::Value *> More = {});

/// Where copy or set \p Call says that it failed, lets echort wait, or keep
/// order, as a copy of kind \p Kind does that does not fail.
void buildFailing(llvm::CallBase &Call, uint32_t Kind, bool PerThread);

/// Lets free \p Call run only where its buffer is no block with \p Role.
void buildRelease(llvm::CallBase &Call, uint32_t Role);

} // namespace echo

#endif
