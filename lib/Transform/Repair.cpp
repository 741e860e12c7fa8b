//===- Repair.cpp - Waits that let a pair merge (--repair) ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The wait is the program's: it happens whether the runtime merges or not, so
// that other pairs may count on it. It stands before the access that meets
// work in flight, outside of loops that do not hold that work. A wait for the
// work's stream is tried before one for the device.
//
//===----------------------------------------------------------------------===//
#include "Transform/Repair.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include <set>

using namespace llvm;

namespace echo {

/// Waits that one function gets at most.
static constexpr unsigned MaxWaits = 16;

namespace {
/// A pair by its allocations, which stay when the function is analyzed again.
using PairKey = std::pair<const CallBase *, const CallBase *>;

/// A pair that one wait may mend.
struct Candidate {
  PairKey Key;
  Instruction *Before = nullptr; ///< where the wait goes
  Value *Stream = nullptr;       ///< of the work; null: not known here
};

class Repairer {
public:
  Repairer(Function &F, FunctionAnalysisManager &FAM, const UnitContext &Unit,
           uint64_t MinBytes)
      : F(F), FAM(FAM), Unit(Unit), MinBytes(MinBytes) {}
  std::unique_ptr<FunctionDecision> run(std::unique_ptr<FunctionDecision> D);

private:
  std::optional<Candidate> next(const FunctionDecision &D);
  Instruction *placeFor(const InFlightMeeting &M);
  CallInst *addWait(const Candidate &C, bool OfStream);
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

std::optional<Candidate> Repairer::next(const FunctionDecision &D) {
  LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto DepthOf = [&](const Instruction *I) {
    return LI.getLoopDepth(I->getParent());
  };
  for (const PairDecision &P : D.pairs()) {
    if (!P.Meeting || P.isGuess() || Tried.count(keyOf(D, P)))
      continue;
    Candidate C;
    C.Key = keyOf(D, P);
    C.Before = placeFor(*P.Meeting);
    unsigned CopyDepth = 0;
    for (const Event *Copy : P.P.Copies)
      CopyDepth = std::max(CopyDepth, DepthOf(Copy->At));
    Tried.insert(C.Key);
    if (!C.Before || DepthOf(C.Before) > CopyDepth)
      continue;
    Value *S = P.Meeting->Stream;
    if (S && (!isa<Instruction>(S) || DT.dominates(S, C.Before)))
      C.Stream = S;
    return C;
  }
  return std::nullopt;
}

CallInst *Repairer::addWait(const Candidate &C, bool OfStream) {
  IRBuilder<> B(C.Before);
  B.SetCurrentDebugLocation(C.Before->getDebugLoc());
  Module &M = *F.getParent();
  if (OfStream)
    return B.CreateCall(M.getOrInsertFunction("cudaStreamSynchronize",
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
  std::vector<std::pair<PairKey, CallInst *>> Added;
  while (Added.size() < MaxWaits) {
    std::optional<Candidate> C = next(*D);
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
        Added.push_back({C->Key, Wait});
        break;
      }
      Wait->eraseFromParent();
      D = decideAgain();
    }
  }
  for (auto [Key, Wait] : Added)
    D->noteAddedWait(Key.first, Key.second, *Wait);
  return D;
}

std::unique_ptr<FunctionDecision>
repair(Function &F, FunctionAnalysisManager &FAM, const UnitContext &Unit,
       uint64_t MinBytes, std::unique_ptr<FunctionDecision> D) {
  return Repairer(F, FAM, Unit, MinBytes).run(std::move(D));
}

} // namespace echo
