//===- Repair.cpp - Waits that let a pair merge (--repair) ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The wait happens whether one pair merges or not, so that other pairs may
// count on it. It stands before the access that meets work in flight, outside
// of loops that do not hold that work, right after the last call of the program
// before that, which the body has, too. A wait for the work's stream is tried
// before one for the device.
//
//===----------------------------------------------------------------------===//
#include "Transform/Emit/Repair.h"
#include "Transform/Body/Body.h"
#include "Transform/Body/CallPaths.h"
#include "Transform/Emit/CallForms.h"
#include "Transform/Emit/Groups.h"
#include "runtime/abi/EchoRt.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <set>

using namespace llvm;

namespace echo {

/// Waits that one function gets at most.
static constexpr unsigned MaxWaits = 16;

namespace {
/// A pair by its allocations, which stay when the function is analyzed again.
using PairKey = std::pair<const CallBase *, const CallBase *>;

/// A pair that one wait may mend.
struct Placing {
  PairKey Key;
  Instruction *Before = nullptr;   ///< where the wait goes
  const CallBase *After = nullptr; ///< the call right before that
  const CallBase *User = nullptr;  ///< a call with the stream, of this value
  Value *Stream = nullptr;         ///< of the work; null: not known here
  bool PerThread = false;          ///< a default stream is the thread's own
  DebugLoc Loc;                    ///< of what the wait is for
};

class Repairer {
public:
  Repairer(Function &F, FunctionAnalysisManager &FAM, const UnitContext &Unit,
           uint64_t MinBytes)
      : F(F), FAM(FAM), Unit(Unit), MinBytes(MinBytes) {}
  std::unique_ptr<FunctionDecision> run(std::unique_ptr<FunctionDecision> D);

private:
  std::optional<Placing> next(const FunctionDecision &D);
  Instruction *placeFor(const InFlightMeeting &M);
  const CallBase *userOf(const Value &Stream, const Instruction &Before);
  CallInst *addWait(const Placing &C, bool OfStream);
  std::unique_ptr<FunctionDecision> decideAgain();

  Function &F;
  FunctionAnalysisManager &FAM;
  const UnitContext &Unit;
  uint64_t MinBytes;
  std::set<PairKey> Tried;
};
} // namespace

static PairKey keyOf(const FunctionDecision &D, const PairDecision &P) {
  return {D.objects()[P.P.Host].Alloc, D.objects()[P.P.Device].Alloc};
}

static std::set<PairKey> acceptedOf(const FunctionDecision &D) {
  std::set<PairKey> Accepted;
  for (const PairDecision &P : D.pairs())
    if (P.Accepted)
      Accepted.insert(keyOf(D, P));
  return Accepted;
}

/// Before the access, or before the outermost loop around it that does not
/// hold the work too. Null: there is no such place.
Instruction *Repairer::placeFor(const InFlightMeeting &M) {
  LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
  Loop *Around = nullptr;
  for (Loop *L = LI.getLoopFor(M.Access->getParent());
       L && !L->contains(M.Work); L = L->getParentLoop())
    Around = L;
  if (Around)
    return Around->getLoopPreheader()
               ? Around->getLoopPreheader()->getTerminator()
               : nullptr;
  return isa<PHINode>(M.Access) ? nullptr : M.Access;
}

/// The block that a launch runs in, where its configuration was taken, if what
/// joins at \p BB is that launch alone; or null.
static const BasicBlock *launchBefore(const BasicBlock &BB) {
  if (!pred_empty(&BB) && pred_size(&BB) == 2)
    for (const BasicBlock *Arm : predecessors(&BB)) {
      const BasicBlock *Branch = Arm->getSinglePredecessor();
      if (Branch && Arm->getSingleSuccessor() == &BB &&
          is_contained(predecessors(&BB), Branch))
        return Arm;
    }
  return nullptr;
}

/// The last call of the program that runs right before \p Before, with nothing
/// in between that depends on a branch, but for that of a launch; or null.
static const CallInst *callBefore(const Instruction &Before) {
  const BasicBlock *BB = Before.getParent();
  SmallPtrSet<const BasicBlock *, 8> Seen;
  BasicBlock::const_reverse_iterator It =
      std::next(Before.getReverseIterator());
  while (BB && Seen.insert(BB).second) {
    for (; It != BB->rend(); ++It)
      if (const auto *Call = dyn_cast<CallInst>(&*It);
          Call && !callPath(*Call).empty())
        return Call;
    const BasicBlock *Pred = BB->getSinglePredecessor();
    BB = Pred ? Pred : launchBefore(*BB);
    if (BB)
      It = BB->rbegin();
  }
  return nullptr;
}

/// A call of the program that takes \p Stream and runs before \p Before.
const CallBase *Repairer::userOf(const Value &Stream,
                                 const Instruction &Before) {
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  for (const Use &U : Stream.uses())
    if (const auto *Call = dyn_cast<CallBase>(U.getUser());
        Call && Call->isArgOperand(&U) && !callPath(*Call).empty() &&
        DT.dominates(Call, &Before))
      return Call;
  return nullptr;
}

std::optional<Placing> Repairer::next(const FunctionDecision &D) {
  LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
  auto DepthOf = [&](const Instruction *I) {
    return LI.getLoopDepth(I->getParent());
  };
  for (const PairDecision &P : D.pairs()) {
    if (!P.Meeting || P.isGuess() || Tried.count(keyOf(D, P)))
      continue;
    Placing C;
    C.Key = keyOf(D, P);
    C.Before = placeFor(*P.Meeting);
    unsigned CopyDepth = 0;
    for (const Event *Copy : P.P.Copies)
      CopyDepth = std::max(CopyDepth, DepthOf(Copy->At));
    Tried.insert(C.Key);
    if (!C.Before || DepthOf(C.Before) > CopyDepth)
      continue;
    C.Loc = C.Before->getDebugLoc();
    C.After = callBefore(*C.Before);
    if (!C.After)
      continue;
    C.Before = const_cast<Instruction *>(C.After->getNextNode());
    Value *S = P.Meeting->Stream;
    C.PerThread = P.Meeting->PerThread;
    C.User = S && !isa<Constant>(S) ? userOf(*S, *C.Before) : nullptr;
    if (C.User || isa_and_nonnull<Constant>(S))
      C.Stream = S;
    return C;
  }
  return std::nullopt;
}

CallInst *Repairer::addWait(const Placing &C, bool OfStream) {
  IRBuilder<> B(C.Before);
  B.SetCurrentDebugLocation(C.Loc);
  Module &M = *F.getParent();
  if (OfStream)
    return B.CreateCall(M.getOrInsertFunction(C.PerThread
                                                  ? "cudaStreamSynchronize_ptsz"
                                                  : "cudaStreamSynchronize",
                                              B.getInt32Ty(), B.getPtrTy()),
                        C.Stream);
  return B.CreateCall(
      M.getOrInsertFunction("cudaDeviceSynchronize", B.getInt32Ty()));
}

std::unique_ptr<FunctionDecision> Repairer::decideAgain() {
  FAM.invalidate(F, PreservedAnalyses::none());
  return std::make_unique<FunctionDecision>(F, FAM, Unit, MinBytes);
}

std::unique_ptr<FunctionDecision>
Repairer::run(std::unique_ptr<FunctionDecision> D) {
  std::vector<std::pair<PairKey, FunctionDecision::AddedWait>> Added;
  while (Added.size() < MaxWaits) {
    std::optional<Placing> C = next(*D);
    if (!C)
      break;
    std::set<PairKey> Before = acceptedOf(*D);
    for (bool OfStream : {true, false}) {
      if (OfStream && !C->Stream)
        continue;
      CallInst *Wait = addWait(*C, OfStream);
      D = decideAgain();
      std::set<PairKey> Now = acceptedOf(*D);
      if (Now.count(C->Key) &&
          std::includes(Now.begin(), Now.end(), Before.begin(), Before.end())) {
        Added.push_back(
            {C->Key, {Wait, C->After, OfStream ? C->User : nullptr}});
        break;
      }
      Wait->eraseFromParent();
      D = decideAgain();
    }
  }
  for (auto [Key, Wait] : Added)
    D->noteAddedWait(Key.first, Key.second, Wait);
  return D;
}

/// The stream that \p W waits for, as a value of the body in which \p User is
/// the call that takes it, before \p Place; null: there is none.
static Value *streamInBody(const FunctionDecision::AddedWait &W, CallBase *User,
                           Instruction &Place) {
  Value *Stream = W.Wait->getArgOperand(0);
  if (isa<Constant>(Stream))
    return Stream;
  if (!User)
    return nullptr;
  for (const Use &U : W.User->args())
    if (U.get() == Stream) {
      Value *Mine = User->getArgOperand(W.User->getArgOperandNo(&U));
      DominatorTree DT(*Place.getFunction());
      auto *I = dyn_cast<Instruction>(Mine);
      return !I || DT.dominates(I, &Place) ? Mine : nullptr;
    }
  return nullptr;
}

/// What echort_wait is told of wait \p W in \p D.
static uint32_t flagsOf(const FunctionDecision &D,
                        const FunctionDecision::AddedWait &W) {
  // Those of all pairs: a pinned one relies on no more.
  uint32_t Relies = premisesOf(D) & ~ECHO_RELIES_heap;
  uint32_t Flags = Relies << ECHO_GROUP_RELIES_SHIFT | ECHO_GROUP_PINNED_HOST;
  StringRef Name = W.Wait->getCalledFunction()->getName();
  return Name.ends_with("_ptsz") ? Flags | ECHO_WAIT_PER_THREAD : Flags;
}

bool emitAddedWaits(const FunctionDecision &D, Body &B) {
  // All are found before the first is written: if one is not, none is.
  std::vector<CallBase *> Before;
  for (const FunctionDecision::AddedWait &W : D.addedWaits()) {
    Before.push_back(B.at(callPath(*W.After)));
    if (!Before.back())
      return false;
  }
  for (const auto &[W, After] : zip_equal(D.addedWaits(), Before)) {
    CallBase *User = W.User ? B.at(callPath(*W.User)) : nullptr;
    Instruction *Place =
        isa<InvokeInst>(After)
            ? &*SplitEdge(After->getParent(),
                          cast<InvokeInst>(After)->getNormalDest())
                    ->getFirstInsertionPt()
            : After->getNextNode();
    IRBuilder<> In(Place);
    In.SetCurrentDebugLocation(After->getDebugLoc());
    Value *Stream =
        W.Wait->arg_size() ? streamInBody(W, User, *Place) : nullptr;
    uint32_t Flags = flagsOf(D, W) | (Stream ? 0 : ECHO_WAIT_DEVICE);
    if (!Stream)
      Stream = ConstantPointerNull::get(In.getPtrTy());
    In.CreateCall(
        echortFunction(*B.function().getParent(), ECHO_FUNCTION(echort_wait)),
        {In.getInt32(Flags), Stream});
  }
  return true;
}

std::unique_ptr<FunctionDecision>
repair(Function &F, FunctionAnalysisManager &FAM, const UnitContext &Unit,
       uint64_t MinBytes, std::unique_ptr<FunctionDecision> D) {
  return Repairer(F, FAM, Unit, MinBytes).run(std::move(D));
}

} // namespace echo
