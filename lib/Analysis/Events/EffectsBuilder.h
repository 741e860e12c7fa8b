//===- EffectsBuilder.h - Builds the events of a function -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implementation of Effects, split over Effects.cpp (instructions),
// EffectsCalls.cpp (calls), EffectsLaunches.cpp (kernels), EffectsBodies.cpp
// (calls of functions in sight), EffectsLibrary.cpp (GPU work of modelled
// calls), EffectsCompared.cpp (comparisons of addresses), EffectsArrays.cpp
// (copies of arrays) and EffectsExposed.cpp (buffers whose address the device
// keeps).
// Private to lib/Analysis.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_EVENTS_EFFECTSBUILDER_H
#define ECHO_ANALYSIS_EVENTS_EFFECTSBUILDER_H

#include "Analysis/Api/CallReach.h"
#include "Analysis/Api/PointerUses.h"
#include "Analysis/Events/Effects.h"
#include "Analysis/Events/LibraryHandles.h"
#include "Analysis/Memory/Exposure.h"
#include "Support/Checks.h"
#include "llvm/ADT/BitVector.h"

namespace llvm {
class AnyMemIntrinsic;
class IntrinsicInst;
} // namespace llvm

namespace echo {

/// What a pair of \p Unit relies on while code of other units runs:
/// ECHO_RELIES_*.
uint32_t premisesOf(const UnitContext &Unit);

/// Some calls of a function.
using Instructions = llvm::SmallPtrSet<const llvm::Instruction *, 4>;

class EffectsBuilder {
public:
  /// Of function \p F, which it does not change.
  EffectsBuilder(Effects &Result, const llvm::Function &F,
                 const MemoryObjects &Objects, const Sizes &S,
                 const UnitContext &Unit, const LibraryHandles &Handles)
      : Result(Result), Objects(Objects), S(S), Unit(Unit), Handles(Handles),
        Linked(linkedBuffers(F)) {}

  void visit(llvm::Instruction &I);
  /// Refuses \p F where a thread of the module may do at any time what no pair
  /// outlives unseen.
  void checkThreads(const llvm::Function &F);
  /// Refuses \p F where assembly of the module may run any function.
  void checkAssembly(const llvm::Function &F);
  /// Takes out of what copies need the buffers that are there: whose allocation
  /// is seen to have succeeded; that a kernel used before on each path, which
  /// would have stopped at a null pointer, if the program never asks whether
  /// there is one; and those of the heap: who fills one, or reads it, would
  /// have ended. Call it when all of \p F was visited.
  void checkNeeds(const llvm::Function &F);
  /// Refuses buffers that are compared with one another where one may be gone.
  /// Call it when all of the function was visited.
  void checkCompared();
  /// Refuses buffers that a variable still holds where an allocation failed to
  /// fill it anew. Call it when all of \p F was visited.
  void checkFailing(const llvm::Function &F);
  /// Adds what may be done with buffers whose address the device keeps. Call it
  /// when all of \p F was visited.
  void expose(const llvm::Function &F);

private:
  // Effects.cpp
  void refuse(const Target &T, Blocker Reason, const llvm::Instruction &At,
              const std::string &What);
  void refuseFunction(Blocker Reason, const llvm::Instruction &At,
                      std::string What);
  /// Refuses side \p T of a copy if it is not one buffer, unless all that may
  /// be is device buffers and the other side, \p Partner, is no host buffer:
  /// then nothing is linked, and the copy reads, or writes, each perhaps.
  void refuseUnclear(const Target &T, const Target &Partner,
                     const llvm::Instruction &At, const std::string &What);
  /// Refuses \p T where a kernel with \p Facts may do to it what nobody sees.
  /// True if so.
  bool refuseUnseen(const Target &T, const KernelFacts &Facts,
                    const llvm::Instruction &At, const std::string &What);
  /// Refuses every buffer among the operands of \p I.
  void refuseOperands(const llvm::Instruction &I, Blocker Reason,
                      const std::string &What);
  Event &addEvent(llvm::Instruction &At, EventKind Kind, std::string What);
  /// A host access to what \p Pointer points into, if that is a buffer.
  /// \p Bytes: exactly this many from \p Pointer on, or null. \p Behind: it
  /// follows the other accesses of \p At.
  void hostAccess(llvm::Instruction &At, const llvm::Value *Pointer, bool Read,
                  bool Write, const llvm::SCEV *Bytes, std::string What,
                  bool Behind = false);
  /// The same of \p Sub, a difference of the address of \p T and another one.
  bool asksForDistance(const llvm::User &Sub, const Target &T);
  /// True if all that is computed from \p I decides whether a check of
  /// UndefinedBehaviorSanitizer reports: is an address null, misaligned, out of
  /// range? In a run without errors none does, before a merge and after.
  static bool onlyFeedsChecks(const llvm::Instruction &I);
  void pointerToInteger(llvm::Instruction &I);
  using ValuePair = std::pair<const llvm::Value *, const llvm::Value *>;
  /// True if pointers, or their addresses as integers, \p A and \p B point into
  /// the same buffer or are both null, whichever way control came. Looks
  /// through joins, also those of loops.
  bool sameBase(const llvm::Value *A, const llvm::Value *B) const {
    llvm::SmallVector<ValuePair, 8> Joins;
    return sameBase(A, B, Joins);
  }
  bool sameBase(const llvm::Value *A, const llvm::Value *B,
                llvm::SmallVectorImpl<ValuePair> &Joins) const;
  /// True if \p T may be null at an access to \p Bytes bytes that are not
  /// surely none then.
  bool mayFail(const Target &T, const llvm::SCEV *Bytes) const;
  bool covers(const Target &T, const llvm::SCEV *Bytes) const;

  // EffectsFailing.cpp
  bool mayExistAt(unsigned Object, const llvm::CallBase &Call,
                  const llvm::Value *Old) const;
  bool asksWhetherThere(unsigned Object) const;
  bool mayComeUnused(unsigned Object, const llvm::CallBase &To,
                     const Instructions &Uses) const;
  bool isUsedByFailing(const llvm::CallBase &Call,
                       const llvm::Value &Fresh) const;

  // EffectsCalls.cpp
  void call(llvm::CallBase &Call);
  void intrinsic(llvm::IntrinsicInst &I);
  /// The offset of \p Pointer from the start of the one buffer that it points
  /// into, or null.
  const llvm::SCEV *offsetIn(llvm::Value *Pointer) const;
  /// True if \p Pointer, which \p T resolves, surely is memory that a copy or
  /// set of \p Bytes bytes accepts as the device's (\p Device) or host's.
  bool isThere(const llvm::Value *Pointer, const Target &T, bool Device,
               const llvm::SCEV *Bytes) const;
  void cuda(llvm::CallBase &Call, const ApiInfo &Api);
  /// Adds an event of \p Kind with the stream and the event that \p Call names.
  void simple(llvm::CallBase &Call, const ApiInfo &Api, EventKind Kind);
  /// \p Call does not wait. In a test that turned \p Rule off it does.
  void waitsNot(llvm::CallBase &Call, const ApiInfo &Api, Check Rule);
  /// \p Call frees what its argument \p Role points to, on side \p Expected.
  void freeByApi(llvm::CallBase &Call, const ApiInfo &Api, ApiRole Role,
                 Side Expected);
  /// What functions that \p Call may run do but for its arguments.
  void anythingIn(llvm::CallBase &Call, const std::string &What);
  /// True if \p T is the first byte of one of some buffers, all on side \p Of.
  bool startsOneOf(const Target &T, Side Of) const;
  /// \p Call frees \p Pointer, one of some buffers, all on side \p Expected.
  void freeOf(llvm::CallBase &Call, const llvm::Value *Pointer, Side Expected,
              const std::string &What);
  bool isInPlace(const Event &E, llvm::Value *Dst, llvm::Value *Src,
                 llvm::ArrayRef<llvm::Value *> Pitches) const;
  void copy(llvm::CallBase &Call, const ApiInfo &Api);
  void set(llvm::CallBase &Call, const ApiInfo &Api);
  void resize(llvm::CallBase &Call, const FunctionModel &Model);
  void modelled(llvm::CallBase &Call, const FunctionModel &Model);
  /// What \p Call, which reports call \p What, does with its argument \p A.
  /// \p Back: what its callbacks do with pointers that it gives them.
  void modelledArgument(llvm::CallBase &Call, unsigned A,
                        const FunctionModel &Model, const PointerUse &Back,
                        const std::string &What);
  void setStream(Event &E, const llvm::CallBase &Call, const ApiInfo &Api);

  // EffectsCompared.cpp
  bool asksForOverlap(const llvm::Instruction &I);
  void comparison(llvm::Instruction &I);

  // EffectsArrays.cpp
  void copyArray(llvm::CallBase &Call, const ApiInfo &Api);
  // EffectsLaunches.cpp
  void launch(llvm::CallBase &Call);
  /// A launch by CUDA's own function.
  void launchByArray(llvm::CallBase &Call, const ApiInfo &Api);
  /// Adds to \p E, the launch \p Call of a kernel with \p Facts, or null, what
  /// it does with \p Pointer, of which \p P tells. \p Inside: that is in a
  /// struct.
  void kernelGets(Event &E, llvm::CallBase &Call, const KernelFacts *Facts,
                  const llvm::Value *Pointer, const ParamFacts &P, bool Inside);

  // EffectsBodies.cpp
  /// The buffers that a copy of \p F may link with one of the other side. No
  /// other can be of a pair, so nobody asks what callees do with it.
  llvm::BitVector linkedBuffers(const llvm::Function &F) const;
  /// True if \p Pointer may point into one of those.
  bool mayBeLinked(const llvm::Value *Pointer) const;
  /// A call of a function in sight that was not inlined, or of a parallel
  /// region: what it does with each buffer of a pair that it gets.
  void callInSight(llvm::CallBase &Call, const std::string &What);
  PointerUse ofArgument(const llvm::Function &Body, unsigned Param, bool Fork);
  void given(llvm::CallBase &Call, const llvm::Value *Pointer, PointerUse Use,
             const std::string &What);

  // EffectsLibrary.cpp
  void libraryStream(Event &E, const llvm::CallBase &Call,
                     const FunctionModel &Model);
  /// The GPU work of \p Call, to which reports refer as \p What.
  void libraryWork(llvm::CallBase &Call, const FunctionModel &Model,
                   const std::string &What);

  // EffectsExposed.cpp
  void exposeObject(const llvm::Function &F, unsigned Object);
  /// Refuses \p T, one buffer that \p By exposes, where no order of events
  /// makes that safe. True if so.
  bool refuseExposed(const Target &T, const llvm::Instruction &By);
  /// Where \p F surely frees \p Object.
  llvm::SmallVector<const llvm::Instruction *, 4>
  freesOf(const llvm::Function &F, unsigned Object) const;
  /// True if a buffer that \p Exposed exposes and \p Frees free may be there
  /// when \p F is left, or the program exits, with GPU work that may use it.
  bool outlivesFunction(const llvm::Function &F,
                        llvm::ArrayRef<const llvm::Instruction *> Exposed,
                        llvm::ArrayRef<const llvm::Instruction *> Frees);
  bool maySeeLater(const Event &E, bool InMemory) const;
  /// Adds to \p E, after an exposure, what it may do with \p Object.
  void exposeTo(Event &E, unsigned Object, bool ReadOnly);
  /// What is said of \p Call, which may use exposed buffers unseen, or "".
  std::string seenUseOfExposed(const llvm::CallBase &Call) const;
  /// Refuses \p T, an exposed buffer, if \p Call may use it unseen.
  void exposeToCall(const llvm::CallBase &Call, const Target &T);
  /// True if CUDA call \p Call may name a buffer by an address that was read
  /// from memory.
  bool readsAddress(const llvm::CallBase &Call) const;

  llvm::SmallVector<Exposure, 4> Exposures;
  /// Buffers of which the program asks whether they begin at the same place.
  llvm::SmallVector<Effects::Question, 2> Compared;
  /// seenUseOfExposed of each call that was asked for.
  llvm::DenseMap<const llvm::CallBase *, std::string> UseOfExposed;
  /// exitLeavesGpuAlone, once it is asked for.
  std::optional<bool> ExitIsHarmless;

  Effects &Result;
  const MemoryObjects &Objects;
  const Sizes &S;
  const UnitContext &Unit;
  const LibraryHandles &Handles;
  llvm::BitVector Linked; ///< by objects; see linkedBuffers
  PointerUses Uses{Unit.Models, Unit.Bodies};
};

} // namespace echo

#endif
