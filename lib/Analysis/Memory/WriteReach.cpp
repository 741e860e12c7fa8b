//===- WriteReach.cpp - What may write a place in memory ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unknown instructions, calls and pointers write everything. Kernels write a
// host's global variable only if its address is taken somewhere in sight. A
// local variable is followed if nothing keeps its address.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Memory/WriteReach.h"
#include "Analysis/Api/CallReach.h"
#include "Analysis/Api/CudaApi.h"
#include "Analysis/Api/PointerUses.h"
#include "Analysis/Api/StdioHooks.h"
#include "Analysis/Api/StubArguments.h"
#include "Analysis/Memory/MemoryObjects.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace echo {

std::optional<Place> Place::of(const Instruction &I) {
  auto P = ofAnyType(I);
  if (P && !P->T->isIntegerTy() && !P->T->isPointerTy())
    return std::nullopt;
  return P;
}

std::optional<Place> Place::ofAnyType(const Instruction &I) {
  const Value *Address = getLoadStorePointerOperand(&I);
  if (!Address || I.isVolatile() || I.isAtomic())
    return std::nullopt;
  Type *T = getLoadStoreType(&I);
  if (T->isScalableTy())
    return std::nullopt;
  APInt Offset(I.getDataLayout().getIndexTypeSizeInBits(Address->getType()), 0);
  const Value *Base = Address->stripAndAccumulateConstantOffsets(
      I.getDataLayout(), Offset, /*AllowNonInbounds=*/true);
  const auto *G = dyn_cast<GlobalVariable>(Base);
  const auto *Local = dyn_cast<AllocaInst>(Base);
  bool Variable = G && !G->isConstant() && !G->isThreadLocal() &&
                  !G->isInterposable() && G->getAddressSpace() == 0;
  bool Own = Local && Local->isStaticAlloca() && !isOutParameter(Local);
  if (!Variable && !Own && !isa<Argument>(Base))
    return std::nullopt;
  return Place{Base, Offset.getSExtValue(), T};
}

const GlobalVariable *Place::global() const {
  return dyn_cast<GlobalVariable>(Base);
}

bool Place::isLocal() const { return isa<AllocaInst>(Base); }

/// True if the uses of address \p V only load and store what is there. \p
/// Local: of a local variable.
static bool onlyLoadsAndStores(const Value &V, bool Local,
                               const ModelTable &Models) {
  return all_of(V.uses(), [&](const Use &U) {
    const User *By = U.getUser();
    if (isa<LoadInst, AnyMemIntrinsic>(By))
      return true;
    if (isa<StoreInst>(By))
      return U.getOperandNo() == 1;
    if (isa<GEPOperator>(By))
      return onlyLoadsAndStores(*By, Local, Models);
    const auto *Intrinsic = dyn_cast<IntrinsicInst>(By);
    if (Intrinsic && Intrinsic->isLifetimeStartOrEnd())
      return true;
    const auto *Call = dyn_cast<CallBase>(By);
    if (!Call || !Call->isArgOperand(&U))
      return false;
    unsigned A = Call->getArgOperandNo(&U);
    if (Call->isByValArgument(A))
      return true; // a copy
    if (const FunctionModel *Model = modelThatForgets(*Call, A, Models))
      return !Model->usesGpu() || Model->keepsEach(A);
    return Local && forgets(*Call, U, Models);
  });
}

WriteReach::Known WriteReach::knownOf(const Value &V) {
  auto [It, New] = Variables.try_emplace(&V);
  if (New) {
    const auto *G = dyn_cast<GlobalVariable>(&V);
    It->second.Plain = onlyLoadsAndStores(V, !G, Models);
    It->second.Private = It->second.Plain && (!G || G->hasLocalLinkage());
  }
  return It->second;
}

bool WriteReach::canFollow(const Place &P) {
  return !P.isLocal() || knownOf(*P.Base).Private;
}

/// True if \p V is the address of memory that the function itself made.
static bool isFresh(const Value *V) {
  if (const auto *Load = dyn_cast<LoadInst>(V))
    return isOutParameter(Load->getPointerOperand());
  return isa<AllocaInst, ConstantPointerNull, UndefValue>(V) ||
         isNoAliasCall(V);
}

bool WriteReach::isMadeHere(const Value *Pointer) {
  auto [It, New] = MadeHere.try_emplace(Pointer, false);
  if (New) {
    SmallVector<const Value *, 4> Bases;
    getUnderlyingObjects(Pointer, Bases, nullptr, /*MaxLookup=*/0);
    It->second = all_of(Bases, isFresh);
  }
  return It->second;
}

bool WriteReach::mayAlias(const Value *Pointer, const Place &P) {
  if (!P.isLocal() && isMadeHere(Pointer))
    return false;
  const GlobalVariable *G = P.global();
  bool Private = (G || P.isLocal()) && knownOf(*P.Base).Private;
  SmallVector<const Value *, 4> Bases;
  getUnderlyingObjects(Pointer, Bases, nullptr, /*MaxLookup=*/0);
  return any_of(Bases, [&](const Value *Base) {
    if (Base == P.Base)
      return true;
    if (Private || isFresh(Base))
      return false;
    return !G || !isa<GlobalVariable>(Base);
  });
}

/// True if a call of a function with model \p M may order this thread with
/// others, or blocks, perhaps until another thread did something.
bool WriteReach::mayWaitForThreads(const CallBase &Call,
                                   const FunctionModel &M) {
  if (M.NoReturn || M.Sync == FunctionModel::NoSync)
    return false;
  return M.Sync == FunctionModel::MaySync || uses(Call, StartsThread);
}

bool WriteReach::uses(const CallBase &Call, unsigned Which) {
  if (!ModuleTraits)
    ModuleTraits = Models.traitsOf(*Call.getModule());
  return *ModuleTraits & Which;
}

/// True if \p M gives files or streams variables to write into: files in
/// memory, mapped files, buffers.
static bool makesFilesInMemory(const Module &M) {
  return declaresAny(M, {"fmemopen", "open_memstream", "open_wmemstream",
                         "setbuf", "setbuffer", "setvbuf", "mmap", "mmap64"}) ||
         any_of(M, [](const Function &F) {
           return any_of(ArrayRef<StringRef>{"strstream", "spanbuf",
                                             "spanstream", "pubsetbuf"},
                         [&](StringRef Part) {
                           return F.getName().starts_with("_Z") &&
                                  F.getName().contains(Part);
                         });
         });
}

bool WriteReach::filesAreInMemory(const CallBase &Call) {
  if (!FilesInMemory)
    FilesInMemory = makesFilesInMemory(*Call.getModule());
  return *FilesInMemory;
}

bool WriteReach::allocatorsMayWrite(const Place &P) {
  if (Models.hasOwnAllocators())
    return true;
  const GlobalVariable *G = P.global();
  if (!G || !knownOf(*G).Private)
    Models.trustAllocators();
  return false;
}

bool WriteReach::modelledMayWrite(const CallBase &Call,
                                  const FunctionModel &Model, const Place &P) {
  const GlobalVariable *G = P.global();
  if (Model.callsBack() || mayWaitForThreads(Call, Model) ||
      Call.arg_size() < Model.Args.size())
    return true;
  // A library may wait for the GPU, as cudaMayWrite says.
  if (Model.usesGpu() && uses(Call, RunsBesideHost))
    return true;
  bool Plain = G && knownOf(*G).Plain;
  if (Model.usesGpu() && !Plain)
    return true;
  bool Private = G && knownOf(*G).Private;
  if (Model.writesOther() && !Private && !Model.NoReturn)
    return true;
  bool MayAllocate =
      Model.usesHeap() ||
      isModSet(Model.Memory.getModRef(IRMemLocation::InaccessibleMem));
  if (MayAllocate && allocatorsMayWrite(P))
    return true;
  // Another unit may give its address. Allocators write it only if they fail.
  bool MayBeErrno =
      isa<Argument>(P.Base) && P.T->isIntegerTy(32) && !Model.usesHeap();
  if (MayBeErrno && isModSet(Model.Memory.getModRef(IRMemLocation::ErrnoMem)))
    return true;
  const bool WritesFiles = Model.Sync == FunctionModel::FilesOnly ||
                           usesFile(Model.Name) || usesStream(Model.Name);
  if (!Plain && WritesFiles && filesAreInMemory(Call))
    return true;
  for (unsigned A = 0; A != Call.arg_size(); ++A) {
    bool Named = A < Model.Args.size();
    if (!Named && !Model.VarArgs)
      return true;
    const ArgModel &M = Named ? Model.Args[A] : *Model.VarArgs;
    const Value *Arg = Call.getArgOperand(A);
    bool Writes = M.Writes || M.What == ArgModel::Out;
    if (Writes && Arg->getType()->isPointerTy() && mayAlias(Arg, P))
      return true;
  }
  return false;
}

bool WriteReach::cudaMayWrite(const CallBase &Call, const Place &P) {
  auto Api = cudaApiOf(Call);
  if (!Api || allocatorsMayWrite(P))
    return true;
  // Other code of the host may run beside the GPU's work, wait for it and let
  // it go on: what that wrote is there after a wait for the GPU.
  bool Waits = Api->Kind != ApiKind::Neutral &&
               Api->Kind != ApiKind::PushConfig && !Api->isAsync();
  if (Waits && uses(Call, RunsBesideHost))
    return true;
  switch (Api->Kind) {
  case ApiKind::AllocDevice:
  case ApiKind::AllocHost:
  case ApiKind::FreeDevice:
  case ApiKind::FreeHost:
  case ApiKind::Copy:
  case ApiKind::Copy2D:
  case ApiKind::CopyArray:
  case ApiKind::Array:
  case ApiKind::Set:
  case ApiKind::Set2D:
  case ApiKind::PushConfig:
  case ApiKind::SyncDevice:
  case ApiKind::SyncStream:
  case ApiKind::SyncEvent:
  case ApiKind::QueryStream:
  case ApiKind::QueryEvent:
  case ApiKind::StreamCreate:
  case ApiKind::StreamDestroy:
  case ApiKind::StreamWaitEvent:
  case ApiKind::EventCreate:
  case ApiKind::EventDestroy:
  case ApiKind::EventRecord:
  case ApiKind::Neutral:
    break;
  default:
    return true;
  }
  for (unsigned A = 0; A != Call.arg_size(); ++A) {
    const Value *Arg = Call.getArgOperand(A);
    ApiRole R = A < Api->Roles.size() ? Api->Roles[A] : ApiRole::Ptr;
    bool Reads =
        is_contained({ApiRole::Src, ApiRole::In, ApiRole::Kept, ApiRole::Dev,
                      ApiRole::Host, ApiRole::Stream, ApiRole::Event},
                     R);
    if (Reads || !Arg->getType()->isPointerTy())
      continue;
    // What is the device's is no variable of the host.
    auto Kind = Api->find(ApiRole::CopyKind);
    const auto *To =
        Kind ? dyn_cast<ConstantInt>(Call.getArgOperand(*Kind)) : nullptr;
    bool ToDevice = R == ApiRole::Dst &&
                    (Api->Kind == ApiKind::Set || (To && To->equalsInt(1)));
    if (ToDevice && P.global() && knownOf(*P.global()).Plain)
      continue;
    if (mayAlias(Arg, P))
      return true;
  }
  return false;
}

bool WriteReach::bodyMayWrite(const Function &Callee, const Place &P) {
  if (!P.global() || Callee.isInterposable() || Callee.isPresplitCoroutine() ||
      Callee.callsFunctionThatReturnsTwice())
    return true;
  auto It = Bodies.find({&Callee, P.Base});
  if (It != Bodies.end())
    return It->second;
  // One that calls itself adds nothing by that.
  bool Outermost = Visited.empty();
  if (!Visited.insert(&Callee).second)
    return false;
  bool Found = any_of(instructions(Callee), [&](const Instruction &I) {
    // The answer is kept for all places of the variable.
    auto Held = Place::ofAnyType(I);
    if (isa<StoreInst>(I) && Held && Held->Base == P.Base)
      return true;
    return I.mayWriteToMemory() && mayWrite(I, P);
  });
  if (Outermost) {
    Visited.clear();
    Bodies[{&Callee, P.Base}] = Found;
  }
  return Found;
}

/// True if \p Call is one of CUDA's runtime that only reads what argument \p A
/// points to.
static bool onlyReadByCuda(const CallBase &Call, unsigned A) {
  auto Api = cudaApiOf(Call);
  return Api && A < Api->Roles.size() &&
         is_contained({ApiRole::Src, ApiRole::In, ApiRole::Kept},
                      Api->Roles[A]);
}

bool WriteReach::callMayWriteLocal(const CallBase &Call, const Place &P) {
  if (!canFollow(P))
    return true;
  // Its address is in no other variable, and those that get it do not keep it.
  return any_of(Call.args(), [&](const Use &Arg) {
    unsigned A = Call.getArgOperandNo(&Arg);
    if (!Arg->getType()->isPointerTy() || Call.isByValArgument(A) ||
        !mayAlias(Arg, P))
      return false;
    if (onlyReadByCuda(Call, A))
      return false;
    const FunctionModel *Model = modelThatForgets(Call, A, Models);
    if (!Model || Model->callsBack() ||
        (A >= Model->Args.size() && !Model->VarArgs))
      return true;
    const ArgModel &M =
        A < Model->Args.size() ? Model->Args[A] : *Model->VarArgs;
    return M.Writes || M.What == ArgModel::Out;
  });
}

bool WriteReach::callMayWrite(const CallBase &Call, const Place &P) {
  if (P.isLocal())
    return callMayWriteLocal(Call, P);
  if (Call.isInlineAsm())
    return true;
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return true;
  const GlobalVariable *G = P.global();
  if (isKernelStub(*Callee))
    return !G || !knownOf(*G).Plain;
  if (!Callee->isDeclaration())
    return bodyMayWrite(*Callee, P);
  if (lookupCudaApi(Callee->getName()))
    return cudaMayWrite(Call, P);
  const FunctionModel *Model = Models.lookup(Callee->getName());
  return !Model || modelledMayWrite(Call, *Model, P);
}

bool WriteReach::mayWrite(const Instruction &I, const Place &P) {
  if (!I.mayWriteToMemory())
    return false;
  if (const auto *Store = dyn_cast<StoreInst>(&I)) {
    if (!Store->isSimple())
      return !P.isLocal() || mayAlias(Store->getPointerOperand(), P);
    if (!P.isLocal() && isMadeHere(Store->getPointerOperand()))
      return false;
    auto Held = Place::ofAnyType(I);
    if (Held && Held->Base == P.Base) {
      const DataLayout &DL = I.getDataLayout();
      auto End = [&](const Place &Q) {
        return Q.Offset + int64_t(DL.getTypeStoreSize(Q.T).getFixedValue());
      };
      return Held->Offset < End(P) && P.Offset < End(*Held);
    }
    return mayAlias(Store->getPointerOperand(), P);
  }
  if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&I)) {
    if (Intrinsic->isLifetimeStartOrEnd() || Intrinsic->isAssumeLikeIntrinsic())
      return false;
    const auto *Memory = dyn_cast<AnyMemIntrinsic>(Intrinsic);
    return !Memory || Memory->isVolatile() || mayAlias(Memory->getRawDest(), P);
  }
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call) // a fence, an atomic
    return !P.isLocal() || !canFollow(P) ||
           any_of(I.operands(), [&](const Use &U) {
             return U->getType()->isPointerTy() && mayAlias(U, P);
           });
  return callMayWrite(*Call, P);
}

} // namespace echo
