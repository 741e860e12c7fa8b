//===- StreamKeys.cpp - Numbers for streams and events --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value defined outside of all loops is one handle per activation. Handles 1
// and 2 are CUDA's names of the legacy and the per-thread default stream.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Events/StreamKeys.h"
#include "Analysis/Events/LibraryHandles.h"
#include "Support/Checks.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace echo {

/// True if \p Call, of kind \p Api, surely creates something new: with flags
/// that CUDA does not know it fails, and leaves the variable as it was.
static bool surelyCreates(const CallBase &Call, const ApiInfo &Api) {
  auto Flags = Api.find(ApiRole::Flags);
  if (!Flags)
    return true;
  const auto *C = dyn_cast<ConstantInt>(Call.getArgOperand(*Flags));
  constexpr uint64_t NonBlocking = 1;                // streams
  constexpr uint64_t BlockingSync = 1, NoTiming = 2; // events
  uint64_t Known =
      Api.Kind == ApiKind::StreamCreate ? NonBlocking : BlockingSync | NoTiming;
  return C && (C->getZExtValue() & ~Known) == 0;
}

/// True if \p U is a modelled library call that works in stream \p V, or gives
/// it to a handle which nothing out of sight knows.
static bool worksIn(const User *U, const Value *V, const ModelTable *Models) {
  const auto *Call = dyn_cast<CallBase>(U);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  const FunctionModel *M = Models && Callee && Callee->isDeclaration()
                               ? Models->lookup(Callee->getName())
                               : nullptr;
  if (!M || Call->arg_size() < M->Args.size())
    return false;
  auto IsStream = [&](unsigned A) {
    if (M->Works == FunctionModel::OfArgument && A == M->StreamArg)
      return true;
    return M->SetsStream && A == M->SetsStream->Stream &&
           isOwnLibraryHandle(Call->getArgOperand(M->SetsStream->Handle),
                              *Models);
  };
  return llvm::all_of(Call->args(), [&](const Use &Arg) {
    return Arg != V || IsStream(Call->getArgOperandNo(&Arg));
  });
}

static std::optional<ApiInfo> apiOf(const User *U) {
  const auto *Call = dyn_cast<CallBase>(U);
  return Call ? cudaApiOf(*Call) : std::nullopt;
}

SmallVector<const CallBase *, 2> creatorsOf(const Value *V, ApiKind Create) {
  SmallVector<const CallBase *, 2> Found;
  const auto *Load = dyn_cast_or_null<LoadInst>(V);
  if (!Load || !isa<AllocaInst>(Load->getPointerOperand()))
    return Found;
  for (const User *U : Load->getPointerOperand()->users())
    if (auto Api = apiOf(U); Api && Api->Kind == Create)
      Found.push_back(cast<CallBase>(U));
  return Found;
}

static bool allCreate(ArrayRef<const CallBase *> Calls) {
  return llvm::all_of(Calls, [](const CallBase *Call) {
    return surelyCreates(*Call, *apiOf(Call));
  });
}

bool isOwnHandle(const Value *V, ApiKind Create, const ModelTable *Models) {
  auto Creators = creatorsOf(V, Create);
  return !Creators.empty() && allCreate(Creators) &&
         isOutParameter(cast<LoadInst>(V)->getPointerOperand()) &&
         llvm::all_of(V->users(), [&](const User *U) {
           auto Api = apiOf(U);
           return (Api && Api->Kind != ApiKind::Capture &&
                   Api->Kind != ApiKind::GraphNode &&
                   Api->Kind != ApiKind::Opaque) ||
                  isa<ICmpInst>(U) || worksIn(U, V, Models);
         });
}

/// True if \p V is the handle of a stream that was created as a blocking one.
/// Where a creation fails, its variable keeps what another one put there.
static bool createdBlocking(const Value *V) {
  const auto *Load = dyn_cast<LoadInst>(V);
  const auto *Slot =
      Load ? dyn_cast<AllocaInst>(Load->getPointerOperand()) : nullptr;
  if (!Slot || !isOutParameter(Slot))
    return isOff(Check::GivenStream);
  bool Some = false, All = true;
  for (const User *U : Slot->users()) {
    if (const auto *Store = dyn_cast<StoreInst>(U)) {
      const Value *Old = Store->getValueOperand();
      All &= isNoHandle(*Old) || createdBlocking(Old);
    }
    const auto *Call = dyn_cast<CallBase>(U);
    if (!Call || !Call->getCalledFunction())
      continue;
    auto Api = lookupCudaApi(Call->getCalledFunction()->getName());
    bool Blocking =
        Api && Api->Kind == ApiKind::StreamCreate &&
        (hasNoFlags(*Call, *Api) || isOff(Check::NonBlockingStream));
    Some |= Blocking;
    All &= Blocking;
  }
  return Some && (All || isOff(Check::StreamKept));
}

bool isCreatedStream(const Value &V) {
  const auto Creators = creatorsOf(&V, ApiKind::StreamCreate);
  return !Creators.empty() && allCreate(Creators) &&
         llvm::none_of(cast<LoadInst>(V).getPointerOperand()->users(),
                       [](const User *U) { return isa<StoreInst>(U); });
}

int StreamKeys::keyOf(const Value *V, bool PerThread) {
  auto [It, New] = Keys.try_emplace(
      llvm::PointerIntPair<const Value *, 1, bool>(V, PerThread), None);
  if (!New)
    return It->second;
  const auto *I = dyn_cast<Instruction>(V);
  bool Varies = (I && LI.getLoopFor(I->getParent())) || isa<PHINode>(V) ||
                isa<SelectInst>(V);
  if ((Varies && !isOff(Check::HandleInLoop)) || Next >= 64) {
    SawUnknown = true;
    return None;
  }
  It->second = Next++;
  if (createdBlocking(V))
    Blocking |= uint64_t(1) << It->second;
  return It->second;
}

int StreamKeys::streamOf(const Event &E) {
  if (!E.HasStream || E.StreamUnknown) {
    SawUnknown |= E.StreamUnknown;
    return None;
  }
  const Value *V = E.Stream;
  int OfThread = isOff(Check::PerThreadStream) ? Legacy : PerThreadDefault;
  // The called symbol says it: units of one link may differ.
  int Default = E.PerThread ? OfThread : Legacy;
  if (!V || isa<ConstantPointerNull>(V))
    return Default;
  if (const auto *Cast = dyn_cast<IntToPtrInst>(V))
    V = Cast->getOperand(0);
  else if (const auto *CE = dyn_cast<ConstantExpr>(V);
           CE && CE->getOpcode() == Instruction::IntToPtr)
    V = CE->getOperand(0);
  if (const auto *C = dyn_cast<ConstantInt>(V)) {
    if (C->isZero())
      return Default;
    if (C->equalsInt(1))
      return Legacy;
    if (C->equalsInt(2))
      return OfThread;
    return None;
  }
  // A handle that may be null is the one stream to this symbol, and another one
  // to that.
  return keyOf(E.Stream, E.PerThread && !isOff(Check::PerThreadStream) &&
                             !isCreatedStream(*E.Stream));
}

int StreamKeys::eventOf(const Event &E) {
  if (!E.Handle || isa<Constant>(E.Handle))
    return None;
  // A record of what is no event fails, and so does the wait for it.
  if (!allCreate(creatorsOf(E.Handle, ApiKind::EventCreate)))
    return None;
  bool Own = isOwnHandle(E.Handle, ApiKind::EventCreate);
  // Another thread may record it anew between this one's record and wait.
  if (!Own && OtherThreads)
    return None;
  int Key = keyOf(E.Handle, /*PerThread=*/false);
  if (Key != None && !Own)
    Shared |= uint64_t(1) << Key;
  return Key;
}

bool StreamKeys::isBlocking(int Key) const {
  return Key >= 0 && ((Blocking >> Key) & 1);
}

} // namespace echo
