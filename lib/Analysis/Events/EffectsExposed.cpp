//===- EffectsExposed.cpp - What the device does with kept addresses ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Proof obligation: whoever may use a buffer by an address that it found in
// device memory or in a library's object is a launch or a library call of this
// function, which then reads and writes all of the buffer, or the buffer is
// refused. The host cannot use device memory itself; it could only hand the
// address to CUDA, having read it back.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Api/CallReach.h"
#include "Analysis/Api/Descriptors.h"
#include "Analysis/Api/StubArguments.h"
#include "Analysis/Events/EffectsBuilder.h"
#include "Support/Checks.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace echo {

/// True if address \p V may have been read from memory that the device may have
/// filled: views are none.
static bool mayBeRead(const Value *V, const KernelViews &Views) {
  SetVector<const Value *> Work;
  Work.insert(V);
  for (unsigned I = 0; I != Work.size(); ++I) {
    SmallVector<const Value *, 4> Bases;
    getUnderlyingObjects(Work[I], Bases, nullptr, /*MaxLookup=*/0);
    for (const Value *Base : Bases) {
      const auto *Load = dyn_cast<LoadInst>(Base);
      if (Load && Views.readsOnlyStored(*Load))
        for (const Value *Stored : Views.storedWhere(*Load))
          Work.insert(Stored);
      else if (Load ? !isOutParameter(Load->getPointerOperand())
                    : !isa<AllocaInst, Argument, Constant>(Base) &&
                          !isNoAliasCall(Base))
        return true;
    }
  }
  return false;
}

bool EffectsBuilder::readsAddress(const CallBase &Call) const {
  auto Api = cudaApiOf(Call);
  if (!Api)
    return false;
  // A side that is the host's is no device memory.
  auto KindArg = Api->find(ApiRole::CopyKind);
  const auto *Kind =
      KindArg ? dyn_cast<ConstantInt>(Call.getArgOperand(*KindArg)) : nullptr;
  bool FromHost = Kind && Kind->getZExtValue() <= 1;
  bool ToHost = Kind && (Kind->isZero() || Kind->equalsInt(2));
  for (unsigned A = 0; A != Call.arg_size(); ++A) {
    ApiRole R = A < Api->Roles.size() ? Api->Roles[A] : ApiRole::Ptr;
    bool Memory = (R == ApiRole::Dst && !ToHost) ||
                  (R == ApiRole::Src && !FromHost) || R == ApiRole::Dev ||
                  R == ApiRole::Ptr;
    const Value *Arg = Call.getArgOperand(A);
    if (!Memory || !Arg->getType()->isPointerTy())
      continue;
    if (mayBeRead(Arg, Objects.views()))
      return true;
  }
  return false;
}

void EffectsBuilder::exposeTo(Event &E, unsigned Object, bool ReadOnly) {
  Target T;
  T.Objects.push_back(Object);
  const auto &Call = *cast<CallBase>(E.At);
  if (!E.RunsCode)
    return;
  if (const Function *Stub = launchedStub(Call); Stub) {
    const KernelFacts *Facts =
        Unit.Kernels.lookup(*kernelNameOfStub(Stub->getName()));
    if (Stub->isDeclaration() || !Facts)
      return refuse(T, Blocker::UnknownKernel, Call, E.What);
    if (refuseUnseen(T, *Facts, Call, E.What))
      return;
    if (Facts->LooksAtAddresses)
      return refuse(T, Blocker::CapturedByKernel, Call,
                    E.What + " looks at addresses that it reads from memory");
  }
  if (!isOff(Check::ExposedUse))
    E.Accesses.push_back({Object, true, !ReadOnly, false});
}

/// True if \p E may run code of the GPU that finds an address which comes to
/// the device later: it may wait for the host itself, or be queued after what
/// does. What a library knows itself (not \p InMemory) it looks up when it is
/// called.
bool EffectsBuilder::maySeeLater(const Event &E, bool InMemory) const {
  if (!Unit.Work.mayWaitForHost() || isOff(Check::ExposedUse))
    return false;
  const auto &Call = *cast<CallBase>(E.At);
  bool Modelled = Unit.Models.lookup(outOfSightCallee(Call)) != nullptr;
  if (E.RunsCode)
    return InMemory || !Modelled;
  return E.Kind == EventKind::Other && !Modelled;
}

std::string EffectsBuilder::seenUseOfExposed(const CallBase &Call) const {
  if (readsAddress(Call))
    return "an address read from memory may be the buffer's, which the "
           "device has";
  StringRef Name = outOfSightCallee(Call);
  const FunctionModel *Model = Unit.Models.lookup(Name);
  const Function *Callee = Call.getCalledFunction();
  // Those that are events say what they do.
  bool Event =
      (Model && Model->usesGpu() && !Model->callsBack()) || launchedStub(Call);
  if (auto Api = lookupCudaApi(Name))
    Event |= Api->Kind != ApiKind::Launch && Api->Kind != ApiKind::HostFunc &&
             Api->Kind != ApiKind::Opaque;
  if (Event || leavesGpuAlone(Call, Unit.Models))
    return "";
  return (Callee ? "'" + Callee->getName().str() + "'" : "an indirect call") +
         " may use the buffer, whose address the device has";
}

void EffectsBuilder::exposeToCall(const CallBase &Call, const Target &T) {
  auto [It, New] = UseOfExposed.try_emplace(&Call);
  if (New)
    It->second = seenUseOfExposed(Call);
  if (!It->second.empty())
    refuse(T, Blocker::PointerEscapes, Call, It->second);
}

/// True if \p I makes a texture, by which kernels only read.
static bool isTexture(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  auto Api = Call ? cudaApiOf(*Call) : std::nullopt;
  return Api && Api->find(ApiRole::Kept);
}

bool EffectsBuilder::refuseExposed(const Target &T, const Instruction &By) {
  const MemoryObject &Object = Objects[T.Objects[0]];
  if (Object.side() == Side::Host) {
    refuse(T, Blocker::PointerEscapes, By,
           "the host buffer's address goes to the device");
    return true;
  }
  if (Unit.OtherThreads) {
    refuse(T, Blocker::PointerEscapes, By,
           "the device gets the buffer's address, and other threads may "
           "use the device");
    return true;
  }
  // The device would keep the last one's address, too.
  const Instruction &Alloc = *Object.Alloc;
  if (InstructionsBehind(&Alloc).contains(Alloc)) {
    refuse(T, Blocker::InstanceMismatch, By,
           "the device gets the address of a buffer that is allocated in a "
           "loop");
    return true;
  }
  return false;
}

bool EffectsBuilder::outlivesFunction(const Function &F,
                                      ArrayRef<const Instruction *> Exposed,
                                      ArrayRef<const Instruction *> Frees) {
  if (!ExitIsHarmless)
    ExitIsHarmless = exitLeavesGpuAlone(*F.getParent(), Unit.Models);
  bool Ends = isMain(F) || llvm::all_of(Exposed, [&](const Instruction *I) {
                return alwaysEnds(*I, Frees);
              });
  return !*ExitIsHarmless || !Ends;
}

SmallVector<const Instruction *, 4>
EffectsBuilder::freesOf(const Function &F, unsigned Object) const {
  SmallVector<const Instruction *, 4> Frees;
  for (const BasicBlock &BB : F)
    for (const Event &E : Result.Events[&BB])
      if (E.Kind == EventKind::Free && !E.Perhaps &&
          E.Object == static_cast<int>(Object))
        Frees.push_back(E.At);
  return Frees;
}

void EffectsBuilder::exposeObject(const Function &F, unsigned Object) {
  SmallVector<const Instruction *, 4> All;
  for (const Exposure &E : Exposures)
    if (E.Object == Object)
      All.push_back(E.By);
  const Instruction &By = *All.front();
  Target T;
  T.Objects.push_back(Object);
  if (refuseExposed(T, By))
    return;
  const SmallVector<const Instruction *, 4> Frees = freesOf(F, Object);
  InstructionsBehind Behind(All, Frees);
  // Of what is kept for reading nobody else gets the address, no kernel of the
  // program either.
  SmallVector<const Instruction *, 4> Writers;
  llvm::copy_if(All, std::back_inserter(Writers), [&](const Instruction *I) {
    const auto *Call = dyn_cast<CallBase>(I);
    return !isTexture(*I) && !(Call && keepsForReading(*Call, Unit.Models));
  });
  InstructionsBehind BehindWriters(Writers, Frees);
  // Else the library that keeps it knows it alone.
  bool InMemory = llvm::any_of(All, [&](const Instruction *I) {
    const auto *Call = dyn_cast<CallBase>(I);
    return !Call || !Unit.Models.lookup(outOfSightCallee(*Call));
  });
  Result.Textured[Object] =
      llvm::any_of(All, [](const Instruction *I) { return isTexture(*I); });
  for (const BasicBlock &BB : F) {
    for (Event &E : Result.Events[&BB]) {
      // The call that keeps the address may use it at once, too.
      if (!isa<CallBase>(E.At))
        continue;
      bool Writes =
          BehindWriters.contains(*E.At) || is_contained(Writers, E.At);
      bool Reads = Behind.contains(*E.At) || is_contained(All, E.At);
      if (Writes || (Reads && (Writers.empty() || !maySeeLater(E, InMemory))))
        exposeTo(E, Object, /*ReadOnly=*/!Writes);
      else if (maySeeLater(E, InMemory))
        refuse(T, Blocker::PointerEscapes, *E.At,
               E.What + " may wait for the buffer's address");
    }
    for (const Instruction &I : BB)
      if (const auto *Call = dyn_cast<CallBase>(&I); Call && Behind.contains(I))
        exposeToCall(*Call, T);
  }
  if (InMemory && !isMain(F) && Unit.Work.mayWaitForHost() &&
      !isOff(Check::ExposedUse))
    refuse(T, Blocker::PointerEscapes, By,
           "GPU work of the callers may wait for the buffer's address");
  if (outlivesFunction(F, All, Frees))
    refuse(T, Blocker::PointerEscapes, By,
           "the device keeps the buffer's address when the function is left");
}

void EffectsBuilder::expose(const Function &F) {
  for (unsigned O = 0; O != Objects.objects().size(); ++O)
    for (const StoreInst *Store : Objects.viewStores(O))
      for (const CallBase *Call : Objects.views().exposuresOf(*Store))
        Exposures.push_back({O, Call});
  SmallVector<unsigned, 4> Exposed;
  for (const Exposure &E : Exposures)
    if (!is_contained(Exposed, E.Object))
      Exposed.push_back(E.Object);
  for (unsigned O : Exposed)
    exposeObject(F, O);
}

} // namespace echo
