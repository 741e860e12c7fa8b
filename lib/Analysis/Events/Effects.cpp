//===- Effects.cpp - What each instruction does to the buffers ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads, stores, comparisons and conversions. Proof obligation of S3: every
// use of a buffer's address is an address use or a refusal; the last branch of
// visit() refuses whatever it does not know.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Events/Effects.h"
#include "Analysis/Api/PointerUses.h"
#include "Analysis/Api/StubArguments.h"
#include "Analysis/Events/EffectsBuilder.h"
#include "Analysis/Kernels/KernelFields.h"
#include "Analysis/Kernels/PackedArguments.h"
#include "Support/Checks.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace echo {

/// How many pairs of phis and selects are looked through.
static constexpr unsigned MaxJoins = 32;

Effects::Effects(Function &F, const MemoryObjects &Objects, const Sizes &S,
                 const UnitContext &Unit)
    : ObservesDevice(Unit.Runs.ObservingDevice.declared()) {
  Refusals.resize(Objects.objects().size());
  FirmRefusals.resize(Objects.objects().size());
  Textured.resize(Objects.objects().size());
  for (const MemoryObject &O : Objects.objects())
    S.bytes(O); // their sizes name those of the copies
  LibraryHandles Handles(F, Unit);
  EffectsBuilder Builder(*this, F, Objects, S, Unit, Handles);
  for (BasicBlock &BB : F)
    for (Instruction &I : BB)
      Builder.visit(I);
  Builder.checkAssembly(F);
  Builder.checkThreads(F);
  Builder.checkNeeds(F);
  Builder.checkCompared();
  Builder.checkFailing(F);
  Builder.expose(F);
}

ArrayRef<Event> Effects::in(const BasicBlock *BB) const {
  auto It = Events.find(BB);
  if (It == Events.end())
    return {};
  return It->second;
}

bool Event::isResize() const {
  return Kind == EventKind::Free && At->getType()->isPointerTy();
}

const Refusal *Effects::refusal(unsigned Object) const {
  return Refusals[Object] ? &*Refusals[Object] : nullptr;
}

const Refusal *Effects::firmRefusal(unsigned Object) const {
  return FirmRefusals[Object] ? &*FirmRefusals[Object] : nullptr;
}

const Instruction *Effects::asksForOverlap(unsigned A, unsigned B) const {
  for (const Question &Q : Apart)
    if ((Q.A == A && Q.B == B) || (Q.A == B && Q.B == A))
      return Q.At;
  return nullptr;
}

const Refusal *Effects::functionRefusal() const {
  return WholeFunction ? &*WholeFunction : nullptr;
}

void EffectsBuilder::refuse(const Target &T, Blocker Reason,
                            const Instruction &At, const std::string &What) {
  for (unsigned O : T.Objects)
    for (auto *Refusals : {&Result.Refusals, &Result.FirmRefusals})
      if (!(*Refusals)[O] && !isOff(Reason) &&
          (Refusals == &Result.Refusals || !mayBeOverruled(Reason)))
        (*Refusals)[O] = Refusal{Reason, &At, What};
}

void EffectsBuilder::refuseFunction(Blocker Reason, const Instruction &At,
                                    std::string What) {
  if (!Result.WholeFunction && !isOff(Reason))
    Result.WholeFunction = Refusal{Reason, &At, std::move(What)};
}

void EffectsBuilder::checkThreads(const Function &F) {
  if (Unit.Runs.StartsThreads)
    Result.Premises |= premisesOf(Unit);
  if (!Unit.OtherThreads || isOff(Check::OtherThreads))
    return;
  const Instruction &At = F.getEntryBlock().front();
  if (Unit.Runs.Forking.mayRunInThread())
    refuseFunction(Blocker::Concurrency, At,
                   "another thread may make a child process");
  if (Unit.Runs.ObservingHeap.mayRunInThread())
    refuseFunction(Blocker::HeapObserved, At,
                   "another thread may ask how much of the heap is used");
  if (Unit.Runs.Resetting.mayRunInThread())
    refuseFunction(Blocker::DeviceReset, At,
                   "another thread may reset the device");
}

void EffectsBuilder::checkAssembly(const Function &F) {
  if (Unit.Runs.AssemblyCalls)
    refuseFunction(Blocker::ComplexControl, F.getEntryBlock().front(),
                   "assembly in this file may run any function");
}

void EffectsBuilder::refuseOperands(const Instruction &I, Blocker Reason,
                                    const std::string &What) {
  for (const Value *Op : I.operands())
    refuse(Objects.resolve(Op), Reason, I, What);
}

bool EffectsBuilder::refuseUnseen(const Target &T, const KernelFacts &Facts,
                                  const Instruction &At,
                                  const std::string &What) {
  if (Facts.CallsUnknown)
    refuse(T, Blocker::UnknownKernel, At,
           What + " calls functions out of sight");
  else if (Facts.SystemAtomics)
    refuse(T, Blocker::SystemAtomics, At, What);
  return Facts.CallsUnknown || Facts.SystemAtomics;
}

void EffectsBuilder::refuseUnclear(const Target &T, const Target &Partner,
                                   const Instruction &At,
                                   const std::string &What) {
  bool LinksNone =
      Objects.areOn(Side::Device, T) && Objects.areOn(Side::Device, Partner);
  if (!LinksNone && (T.Objects.size() > 1 || T.Other))
    refuse(T, Blocker::AmbiguousPointer, At, What);
}

Event &EffectsBuilder::addEvent(Instruction &At, EventKind Kind,
                                std::string What) {
  Event E;
  E.At = &At;
  E.Kind = Kind;
  E.What = std::move(What);
  auto &List = Result.Events[At.getParent()];
  List.push_back(std::move(E));
  return List.back();
}

bool EffectsBuilder::mayFail(const Target &T, const SCEV *Bytes) const {
  return llvm::any_of(T.NullIf, [&](std::pair<const Value *, bool> If) {
    const auto *Cmp = dyn_cast_or_null<ICmpInst>(If.first);
    auto OnZero = If.second ? ICmpInst::ICMP_EQ : ICmpInst::ICMP_NE;
    if (!Cmp || !Bytes || Cmp->getPredicate() != OnZero)
      return true;
    return !S.isZeroWhereEqual(Cmp->getOperand(0), Cmp->getOperand(1), Bytes);
  });
}

bool EffectsBuilder::covers(const Target &T, const SCEV *Bytes) const {
  return T.AtBase && Bytes && !mayFail(T, Bytes) &&
         Sizes::equal(Bytes, S.bytes(Objects[T.Objects[0]]));
}

void EffectsBuilder::hostAccess(Instruction &At, const Value *Pointer,
                                bool Read, bool Write, const SCEV *Bytes,
                                std::string What, bool Behind) {
  Target T = Objects.resolve(Pointer);
  if (T.none())
    return;
  // All that one call does is one event: which of it comes first is not said.
  auto &List = Result.Events[At.getParent()];
  bool Again = !List.empty() && List.back().At == &At &&
               List.back().Kind == EventKind::Host && !Behind &&
               !isOff(Check::CallIsOneEvent);
  Event &E =
      Again ? List.back() : addEvent(At, EventKind::Host, std::move(What));
  for (unsigned O : T.Objects) {
    if (Objects[O].side() == Side::Device)
      refuse(T, Blocker::AmbiguousPointer, At,
             "host code uses a pointer that may be the device buffer");
    E.Accesses.push_back({O, Read, Write, Write && covers(T, Bytes)});
  }
}

/// Does \p I print that a check of UndefinedBehaviorSanitizer failed?
static bool isCheckReport(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->isDeclaration() &&
         Callee->getName().starts_with("__ubsan_handle_");
}

/// True if nothing happens in \p Block but such a report.
static bool onlyReports(const BasicBlock &Block) {
  bool Reports = false;
  for (const Instruction &I : Block) {
    Reports |= isCheckReport(I);
    if (!isCheckReport(I) && !I.isTerminator() && I.mayHaveSideEffects())
      return false;
  }
  return Reports;
}

/// True if \p I only chooses between such blocks and one way on.
static bool choosesReport(const Instruction &I) {
  SmallPtrSet<const BasicBlock *, 4> Others;
  if (!isa<BranchInst, SwitchInst>(I))
    return false;
  for (const BasicBlock *Block : successors(&I))
    if (!onlyReports(*Block))
      Others.insert(Block);
  return Others.size() <= 1;
}

bool EffectsBuilder::onlyFeedsChecks(const Instruction &I) {
  SmallPtrSet<const User *, 16> Seen = {&I};
  SmallVector<const Instruction *, 16> Work = {&I};
  while (!Work.empty())
    for (const User *U : Work.pop_back_val()->users()) {
      auto *Next = cast<Instruction>(U);
      if (!Seen.insert(U).second || isCheckReport(*Next) ||
          choosesReport(*Next))
        continue;
      bool Computes =
          isa<BinaryOperator, CmpInst, SelectInst, PHINode, ExtractValueInst,
              FreezeInst, ZExtInst, SExtInst, TruncInst, WithOverflowInst>(
              Next);
      if (!Computes)
        return false;
      Work.push_back(Next);
    }
  return true;
}

/// The pointer that integer \p V is the address of, or \p V itself.
static const Value *pointerOf(const Value *V) {
  const auto *Cast = dyn_cast<PtrToIntOperator>(V);
  return Cast ? Cast->getPointerOperand() : V;
}

static bool isZero(const Value *V) {
  const auto *C = dyn_cast<Constant>(V);
  return C && C->isNullValue();
}

/// True if each way of computing \p V starts at \p Base.
static bool comesFrom(const Value *V, const Value *Base) {
  SetVector<const Value *> Work;
  Work.insert(V);
  for (unsigned I = 0; I != Work.size(); ++I) {
    const Value *W = Work[I];
    if (W == Base)
      continue;
    if (const auto *G = dyn_cast<GEPOperator>(W))
      Work.insert(G->getPointerOperand());
    else if (const auto *P = dyn_cast<PHINode>(W))
      Work.insert(P->value_op_begin(), P->value_op_end());
    else
      return false;
  }
  return true;
}

/// \p Joins: pairs of joins that are taken to hold what is asked of them. All
/// that their ways in are asked is asked, too, and both are assigned at once:
/// so it holds in each iteration if it held in the iteration before.
bool EffectsBuilder::sameBase(const Value *A, const Value *B,
                              SmallVectorImpl<ValuePair> &Joins) const {
  A = pointerOf(A);
  B = pointerOf(B);
  if (isZero(A) && isZero(B))
    return true;
  if (A->getType()->isPointerTy() && B->getType()->isPointerTy()) {
    Target TA = Objects.resolve(A), TB = Objects.resolve(B);
    if (TA.single() && TB.single() && TA.Objects == TB.Objects &&
        TA.NullIf.empty() && TB.NullIf.empty())
      return true;
    A = getUnderlyingObject(A, 0);
    B = getUnderlyingObject(B, 0);
    if (comesFrom(A, B) || comesFrom(B, A))
      return true;
  }
  if (is_contained(Joins, ValuePair(A, B)))
    return true;
  if (Joins.size() == MaxJoins)
    return false;
  Joins.push_back({A, B});
  if (const auto *PA = dyn_cast<PHINode>(A)) {
    const auto *PB = dyn_cast<PHINode>(B);
    return PB && PA->getParent() == PB->getParent() &&
           llvm::all_of(PA->blocks(), [&](const BasicBlock *From) {
             return sameBase(PA->getIncomingValueForBlock(From),
                             PB->getIncomingValueForBlock(From), Joins);
           });
  }
  const auto *SA = dyn_cast<SelectInst>(A);
  const auto *SB = dyn_cast<SelectInst>(B);
  return SA && SB && SA->getCondition() == SB->getCondition() &&
         sameBase(SA->getTrueValue(), SB->getTrueValue(), Joins) &&
         sameBase(SA->getFalseValue(), SB->getFalseValue(), Joins);
}

/// The alignment, in bytes, that a block of \p O has with and without a merge.
static uint64_t alignmentOf(const MemoryObject &O) {
  constexpr uint64_t OfHeap = 16;
  return O.What == MemoryObject::CudaMalloc || O.isPinned()
             ? DeviceAlignment
             : std::max(OfHeap, O.Alignment);
}

/// The pointer whose address is one summand of \p V, and of no other that does
/// not show it; or null.
static const Value *addressIn(const Value *V, unsigned Depth = 8) {
  if (const auto *Cast = dyn_cast<PtrToIntOperator>(V))
    return Cast->getPointerOperand();
  const auto *Add = dyn_cast<BinaryOperator>(V);
  if (!Depth || !Add || Add->getOpcode() != Instruction::Add)
    return nullptr;
  const Value *A = addressIn(Add->getOperand(0), Depth - 1);
  const Value *B = addressIn(Add->getOperand(1), Depth - 1);
  return A && B ? nullptr : A ? A : B;
}

/// True if all that is done with \p Sub is to ask whether one address lies less
/// than a page after the other, as the vectorizer asks whether two buffers are
/// too close. Where two buffers lie, CUDA and malloc decide, merged or not; but
/// the two must not share a block.
bool EffectsBuilder::asksForDistance(const User &Sub, const Target &T) {
  constexpr uint64_t Page = 4096;
  const auto *Difference = dyn_cast<BinaryOperator>(&Sub);
  if (!Difference || Difference->getOpcode() != Instruction::Sub ||
      !T.single() || Difference->use_empty())
    return false;
  const Value *Two[] = {addressIn(Difference->getOperand(0)),
                        addressIn(Difference->getOperand(1))};
  if (!Two[0] || !Two[1])
    return false;
  Target First = Objects.resolve(Two[0]), Second = Objects.resolve(Two[1]);
  const Target &Other = First.Objects == T.Objects ? Second : First;
  if ((First.Objects != T.Objects && Second.Objects != T.Objects) ||
      !(Other.none() || Other.single()) || Other.Objects == T.Objects)
    return false;
  bool Only = llvm::all_of(Difference->users(), [&](const User *U) {
    const auto *Cmp = dyn_cast<ICmpInst>(U);
    const auto *Bound =
        Cmp ? dyn_cast<ConstantInt>(Cmp->getOperand(1)) : nullptr;
    return Bound && Cmp->getPredicate() == ICmpInst::ICMP_ULT &&
           Bound->getValue().ule(Page);
  });
  if (Only && Other.single())
    Result.Apart.push_back({T.Objects[0], Other.Objects[0], Difference});
  return Only;
}

/// A difference of two addresses in one buffer is the same after a merge; so is
/// one of two nulls, and how an address is aligned.
void EffectsBuilder::pointerToInteger(Instruction &I) {
  Target T = Objects.resolve(I.getOperand(0));
  if (T.none() || onlyFeedsChecks(I) || onlyPacked(I))
    return;
  uint64_t Alignment = ~0ull;
  for (unsigned O : T.Objects)
    Alignment = std::min(Alignment, alignmentOf(Objects[O]));
  if (onlyLowBits(I, Alignment))
    return;
  auto IsDifference = [&](const User *U) {
    const auto *Sub = dyn_cast<BinaryOperator>(U);
    return Sub && Sub->getOpcode() == Instruction::Sub &&
           sameBase(Sub->getOperand(0), Sub->getOperand(1));
  };
  auto IsAdd = [](const User *U) {
    const auto *Add = dyn_cast<BinaryOperator>(U);
    return Add && Add->getOpcode() == Instruction::Add && addressIn(Add);
  };
  // The number may go through phis and selects before; or have others added.
  SetVector<const User *> Work;
  Work.insert(&I);
  bool OnlyDifferences = true;
  for (unsigned At = 0; OnlyDifferences && At != Work.size(); ++At)
    for (const User *U : Work[At]->users()) {
      if (isa<PHINode, SelectInst>(U) || IsAdd(U))
        Work.insert(U);
      else
        OnlyDifferences &= takesLowBits(*U, Alignment) || IsDifference(U) ||
                           asksForDistance(*U, T);
    }
  if (!OnlyDifferences)
    refuse(T, Blocker::PointerToInteger, I,
           "the buffer's address becomes a number");
}

void EffectsBuilder::visit(Instruction &I) {
  if (auto *Call = dyn_cast<CallBase>(&I))
    return call(*Call);
  switch (I.getOpcode()) {
  case Instruction::Load:
    return hostAccess(I, I.getOperand(0), true, false, nullptr, "host");
  case Instruction::Store:
    if (isOutParameter(I.getOperand(1)))
      return; // followed by MemoryObjects
    if (isSharedCell(I.getOperand(1)) && isFollowedCell(*I.getOperand(1)))
      return; // the regions and launches that read it are events
    if (!Objects.views().holds(cast<StoreInst>(I))) // nor what is in a view
      refuse(Objects.resolve(I.getOperand(0)), Blocker::PointerEscapes, I,
             "the buffer's address is stored");
    return hostAccess(I, I.getOperand(1), false, true, nullptr, "host");
  case Instruction::AtomicRMW:
  case Instruction::AtomicCmpXchg:
    for (unsigned Op = 1; Op < I.getNumOperands(); ++Op)
      refuse(Objects.resolve(I.getOperand(Op)), Blocker::PointerEscapes, I,
             "the buffer's address is stored");
    return hostAccess(I, I.getOperand(0), true, true, nullptr, "host");
  case Instruction::ICmp:
    return comparison(I);
  case Instruction::PtrToInt:
  case Instruction::PtrToAddr:
    return pointerToInteger(I);
  case Instruction::InsertValue:
    if (onlyPacked(I))
      return; // of numbers that were loaded from a view
    return refuseOperands(I, Blocker::PointerEscapes,
                          "the buffer's address leaves sight");
  case Instruction::GetElementPtr:
  case Instruction::BitCast:
  case Instruction::AddrSpaceCast:
  case Instruction::Freeze:
  case Instruction::PHI:
  case Instruction::Select:
    return; // followed by MemoryObjects
  default:
    refuseOperands(I, Blocker::PointerEscapes,
                   "the buffer's address leaves sight");
  }
}

bool skipsLaunch(const BasicBlock *From, const BasicBlock *To,
                 const Effects &E) {
  return llvm::any_of(successors(From), [&](const BasicBlock *BB) {
    return BB->getSingleSuccessor() == To &&
           llvm::any_of(E.in(BB), [](const Event &Ev) {
             return Ev.Kind == EventKind::Gpu;
           });
  });
}

} // namespace echo
