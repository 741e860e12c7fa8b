//===- EffectsCalls.cpp - What each call does to the buffers --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls: CUDA runtime functions, modelled functions. A call that is none of
// these, and no launch, refuses every buffer it is given.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Api/CallReach.h"
#include "Analysis/Api/Names.h"
#include "Analysis/Api/StubArguments.h"
#include "Analysis/Events/EffectsBuilder.h"
#include "Support/Checks.h"
#include "runtime/abi/EchoRt.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace echo {

void EffectsBuilder::setStream(Event &E, const CallBase &Call,
                               const ApiInfo &Api) {
  E.HasStream = true;
  E.PerThread = Api.PerThread;
  if (auto Arg = Api.find(ApiRole::Stream))
    E.Stream = Call.getArgOperand(*Arg);
}

const SCEV *EffectsBuilder::offsetIn(Value *Pointer) const {
  Target T = Objects.resolve(Pointer);
  return T.single() && !T.Other
             ? S.offset(Pointer, Objects[T.Objects[0]].Pointer)
             : nullptr;
}

void EffectsBuilder::intrinsic(IntrinsicInst &I) {
  if (auto *M = dyn_cast<AnyMemIntrinsic>(&I)) {
    const SCEV *Bytes = S.product({M->getLength()});
    bool InPlace = false; // then each byte is read before it is written
    if (auto *T = dyn_cast<AnyMemTransferInst>(M)) {
      hostAccess(I, T->getRawSource(), true, false, nullptr, "host");
      const SCEV *To = offsetIn(T->getRawDest());
      InPlace = To && To == offsetIn(T->getRawSource());
    }
    return hostAccess(I, M->getRawDest(), false, true, Bytes, "host", InPlace);
  }
  switch (I.getIntrinsicID()) {
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::prefetch:
  case Intrinsic::objectsize:
    return;
  case Intrinsic::assume:
    // "separate_storage" says that two buffers never meet.
    for (unsigned B = 0; B < I.getNumOperandBundles(); ++B) {
      OperandBundleUse Bundle = I.getOperandBundleAt(B);
      StringRef Tag = Bundle.getTagName();
      if (Tag != "align" && Tag != "nonnull" && Tag != "noundef" &&
          Tag != "dereferenceable" && Tag != "ignore")
        for (const Use &U : Bundle.Inputs)
          refuse(Objects.resolve(U), Blocker::PointerCompared, I,
                 "an assumption about the buffer's address");
    }
    return;
  // While a coroutine is suspended anything may happen, and it may go on in
  // another thread, whose default stream and device are others.
  case Intrinsic::coro_id:
  case Intrinsic::coro_id_async:
  case Intrinsic::coro_id_retcon:
  case Intrinsic::coro_id_retcon_once:
    return refuseFunction(Blocker::ComplexControl, I, "a coroutine");
  case Intrinsic::eh_sjlj_setjmp:
    return refuseFunction(Blocker::ComplexControl, I, "__builtin_setjmp");
  default:
    refuseOperands(I, Blocker::UnknownCall,
                   "intrinsic " +
                       Intrinsic::getBaseName(I.getIntrinsicID()).str());
  }
}

CopyDirection directionOf(const Value *Kind) {
  const auto *C = dyn_cast<ConstantInt>(Kind);
  if (!C || C->getZExtValue() > 3)
    return CopyDirection::Unknown;
  return static_cast<CopyDirection>(C->getZExtValue());
}

static bool toDevice(CopyDirection D) {
  return D == CopyDirection::HostToDevice || D == CopyDirection::DeviceToDevice;
}

static bool fromDevice(CopyDirection D) {
  return D == CopyDirection::DeviceToHost || D == CopyDirection::DeviceToDevice;
}

static bool toHost(CopyDirection D) {
  return D == CopyDirection::DeviceToHost || D == CopyDirection::HostToHost;
}

/// True if direction \p D is not that of a copy from \p From to \p To.
static bool contradicts(CopyDirection D, const Target &To, const Target &From,
                        const MemoryObjects &Objects) {
  return !Objects.areOn(toDevice(D) ? Side::Device : Side::Host, To) ||
         !Objects.areOn(fromDevice(D) ? Side::Device : Side::Host, From);
}

/// True if the sizes of copy or set \p Call are constants other than 0.
static bool movesBytes(const CallBase &Call, const ApiInfo &Api) {
  return llvm::all_of(
      ArrayRef({ApiRole::Bytes, ApiRole::Width, ApiRole::Height}),
      [&](ApiRole R) {
        auto Arg = Api.find(R);
        const auto *C =
            Arg ? dyn_cast<ConstantInt>(Call.getArgOperand(*Arg)) : nullptr;
        return !Arg || (C && !C->isZero());
      });
}

bool EffectsBuilder::isThere(const Value *Pointer, const Target &T, bool Device,
                             const SCEV *Bytes) const {
  if (T.none()) {
    const Value *Base = Pointer ? getUnderlyingObject(Pointer) : nullptr;
    const auto *Global = dyn_cast_or_null<GlobalVariable>(Base);
    return !Device && Base &&
           (isa<AllocaInst>(Base) || (Global && Global->hasInitializer()));
  }
  if (T.Other || mayFail(T, Bytes))
    return false;
  return llvm::all_of(T.Objects, [&](unsigned Object) {
    const MemoryObject &O = Objects[Object];
    if ((O.side() == Side::Device) != Device)
      return false;
    // CUDA knows how large its own memory is.
    if (!Device && !O.isPinned())
      return true;
    if (!T.AtSomeBase || !Bytes)
      return false;
    auto Constant = Sizes::constant(Bytes),
         Capacity = Sizes::constant(S.bytes(O));
    return (Sizes::equal(Bytes, S.bytes(O)) && !T.Earlier) ||
           (Constant && Capacity && *Constant <= *Capacity);
  });
}

/// True if copy \p E from \p Src to \p Dst, whose rows are \p Pitches apart if
/// it has rows, takes each byte to where it was in the other buffer.
bool EffectsBuilder::isInPlace(const Event &E, Value *Dst, Value *Src,
                               ArrayRef<Value *> Pitches) const {
  if (E.Dst < 0 || E.Src < 0 ||
      (!Pitches.empty() && !S.sameNumber(Pitches[0], Pitches[1])))
    return false;
  if (E.DstAtBase && E.SrcAtBase)
    return true;
  const SCEV *To = S.offset(Dst, Objects[E.Dst].Pointer);
  return To && To == S.offset(Src, Objects[E.Src].Pointer);
}

/// The argument of \p Call with role \p R, or null.
static Value *operand(CallBase &Call, const ApiInfo &Api, ApiRole R) {
  auto Arg = Api.find(R);
  return Arg ? Call.getArgOperand(*Arg) : nullptr;
}

static SmallVector<Value *, 2> pitchesOf(CallBase &Call, const ApiInfo &Api) {
  SmallVector<Value *, 2> Pitches;
  for (auto [Role, Arg] : llvm::zip(Api.Roles, Call.args()))
    if (Role == ApiRole::Pitch)
      Pitches.push_back(Arg);
  return Pitches;
}

/// The direction that a copy of \p Kind, a cudaMemcpyKind, finds by buffers
/// that are on sides \p To and \p From without doubt.
static CopyDirection directionBySides(const Value *Kind, Side To, Side From) {
  const auto *C = dyn_cast<ConstantInt>(Kind);
  if (!C || C->getZExtValue() != 4) // cudaMemcpyDefault
    return CopyDirection::Unknown;
  if (From == Side::Device)
    return To == Side::Device ? CopyDirection::DeviceToDevice
                              : CopyDirection::DeviceToHost;
  return To == Side::Device ? CopyDirection::HostToDevice
                            : CopyDirection::HostToHost;
}

void EffectsBuilder::copy(CallBase &Call, const ApiInfo &Api) {
  Value *Dst = operand(Call, Api, ApiRole::Dst),
        *Src = operand(Call, Api, ApiRole::Src);
  Target To = Dst ? Objects.resolve(Dst) : Target();
  Target From = Src ? Objects.resolve(Src) : Target();
  Event &E = addEvent(Call, EventKind::Copy, Api.Name.str());
  setStream(E, Call, Api);
  E.Async = Api.isAsync();
  E.Direction = directionOf(operand(Call, Api, ApiRole::CopyKind));
  E.Moves = movesBytes(Call, Api);
  const SmallVector<Value *, 2> Pitches = pitchesOf(Call, Api);
  // Rows without anything between them are one piece.
  Value *Width = operand(Call, Api, ApiRole::Width);
  if (Api.Kind != ApiKind::Copy2D)
    E.Bytes = S.product({operand(Call, Api, ApiRole::Bytes)});
  else if (llvm::all_of(Pitches,
                        [&](Value *P) { return S.sameNumber(P, Width); }))
    E.Bytes = S.product({Width, operand(Call, Api, ApiRole::Height)});
  E.MayFail = mayFail(To, E.Bytes) || mayFail(From, E.Bytes);
  bool Chosen = To.Objects.size() > 1 || From.Objects.size() > 1;
  bool Upload = E.Direction == CopyDirection::HostToDevice;
  bool Known = Upload || E.Direction == CopyDirection::DeviceToHost;
  Side DstSide = Upload ? Side::Device : Side::Host;
  Side SrcSide = Upload ? Side::Host : Side::Device;
  if (Chosen && Known && Pitches.empty() && startsOneOf(To, DstSide) &&
      startsOneOf(From, SrcSide)) {
    E.DstOf = To.Objects;
    E.SrcOf = From.Objects;
  }
  if (!E.chooses()) {
    refuseUnclear(To, From, Call, Api.Name.str());
    refuseUnclear(From, To, Call, Api.Name.str());
  }
  if (To.single()) {
    E.Dst = To.Objects[0];
    E.DstAtBase = To.AtBase;
  }
  if (From.single()) {
    E.Src = From.Objects[0];
    E.SrcAtBase = From.AtBase;
  }
  E.InPlace = isInPlace(E, Dst, Src, Pitches) || isOff(Check::OffsetCopy);
  if (E.Direction == CopyDirection::Unknown && E.Dst >= 0 && E.Src >= 0)
    E.Direction =
        directionBySides(operand(Call, Api, ApiRole::CopyKind),
                         Objects[E.Dst].side(), Objects[E.Src].side());
  if (contradicts(E.Direction, To, From, Objects))
    E.Direction = CopyDirection::Unknown;
  E.Doubtful = toHost(E.Direction) && Unit.Kernels.someMayTrap();
  E.Sure = E.Direction != CopyDirection::Unknown &&
           isThere(Dst, To, toDevice(E.Direction), E.Bytes) &&
           isThere(Src, From, fromDevice(E.Direction), E.Bytes);
  for (const Target *T : {&To, &From})
    append_range(E.Needs, T->Objects);
  for (unsigned O : To.Objects)
    E.Accesses.push_back({O, false, true, E.Sure && covers(To, E.Bytes)});
  for (unsigned O : From.Objects)
    E.Accesses.push_back({O, true, false, false});
}

void EffectsBuilder::set(CallBase &Call, const ApiInfo &Api) {
  const Value *Dst = Call.getArgOperand(*Api.find(ApiRole::Dst));
  Target T = Objects.resolve(Dst);
  const SCEV *Bytes =
      Api.Kind == ApiKind::Set
          ? S.product({Call.getArgOperand(*Api.find(ApiRole::Bytes))})
          : nullptr;
  Event &E = addEvent(Call, EventKind::Gpu, Api.Name.str());
  setStream(E, Call, Api);
  E.Bytes = Bytes;
  E.Moves = movesBytes(Call, Api);
  E.MayFail = mayFail(T, Bytes);
  E.Sure = isThere(Dst, T, /*Device=*/true, Bytes);
  for (unsigned O : T.Objects) {
    if (Objects[O].side() == Side::Host)
      refuse(T, Blocker::UnmodelledApi, Call,
             Api.Name.str() + " of host memory");
    E.Accesses.push_back({O, false, true, covers(T, Bytes)});
  }
}

bool EffectsBuilder::startsOneOf(const Target &T, Side Of) const {
  return T.AtSomeBase && !T.none() && Objects.areOn(Of, T);
}

void EffectsBuilder::freeOf(CallBase &Call, const Value *Pointer, Side Expected,
                            const std::string &What) {
  Target T = Objects.resolve(Pointer);
  if (!startsOneOf(T, Expected))
    return refuse(T, Blocker::AmbiguousPointer, Call, What);
  for (unsigned O : T.Objects) {
    Event &E = addEvent(Call, EventKind::Free, What);
    E.Object = O;
    E.Perhaps = T.Objects.size() > 1 || Objects.mayLeave(Call, Pointer, O);
  }
}

void EffectsBuilder::simple(CallBase &Call, const ApiInfo &Api,
                            EventKind Kind) {
  Event &E = addEvent(Call, Kind, Api.Name.str());
  if (Api.find(ApiRole::Stream))
    setStream(E, Call, Api);
  if (auto Arg = Api.find(ApiRole::Event))
    E.Handle = Call.getArgOperand(*Arg);
}

void EffectsBuilder::waitsNot(CallBase &Call, const ApiInfo &Api, Check Rule) {
  if (isOff(Rule))
    addEvent(Call, EventKind::SyncDevice, Api.Name.str());
}

void EffectsBuilder::freeByApi(CallBase &Call, const ApiInfo &Api, ApiRole Role,
                               Side Expected) {
  const Value *Pointer = Call.getArgOperand(*Api.find(Role));
  Target T = Objects.resolve(Pointer);
  if (T.none())
    return;
  if (Api.Name == "cudaFreeAsync")
    return refuse(T, Blocker::UnmodelledApi, Call, Api.Name.str());
  freeOf(Call, Pointer, Expected, Api.Name.str());
  // Of heap memory it fails.
  erase_if(T.Objects, [&](unsigned O) {
    return Expected == Side::Device || Objects[O].isPinned();
  });
  refuse(T, Blocker::UnmodelledApi, Call,
         Api.Name.str() + " of memory that it does not free");
}

/// The event of a call that only orders work; none for other calls.
static std::optional<EventKind> orderingOf(ApiKind Kind) {
  switch (Kind) {
  case ApiKind::SyncDevice:
    return EventKind::SyncDevice;
  case ApiKind::SyncStream:
    return EventKind::SyncStream;
  case ApiKind::SyncEvent:
    return EventKind::SyncEvent;
  default:
    return std::nullopt;
  }
}

void EffectsBuilder::cuda(CallBase &Call, const ApiInfo &Api) {
  auto Simple = [&](EventKind Kind) { simple(Call, Api, Kind); };
  if (const std::optional<EventKind> Kind = orderingOf(Api.Kind))
    return Simple(*Kind);
  switch (Api.Kind) {
  case ApiKind::Copy:
  case ApiKind::Copy2D:
  case ApiKind::CopySymbol:
    return copy(Call, Api);
  case ApiKind::CopyArray:
    return copyArray(Call, Api);
  case ApiKind::Set:
  case ApiKind::Set2D:
    set(Call, Api);
    return waitsNot(Call, Api, Check::SetWaitsNot);
  case ApiKind::AllocDevice:
  case ApiKind::AllocHost:
  case ApiKind::AllocManaged:
    if (int O = Objects.objectOf(&Call); O >= 0)
      addEvent(Call, EventKind::Alloc, Api.Name.str()).Object = O;
    return refuseOperands(Call, Blocker::PointerEscapes, Api.Name.str());
  case ApiKind::FreeDevice:
    waitsNot(Call, Api, Check::FreeWaitsNot);
    return freeByApi(Call, Api, ApiRole::Dev, Side::Device);
  case ApiKind::FreeHost:
    return freeByApi(Call, Api, ApiRole::Host, Side::Host);
  // With other flags than 0 these fail outside of a capture: then the event
  // stands for no work that is known, and the stream waits for none.
  case ApiKind::EventRecord:
    Simple(EventKind::EventRecord);
    Result.Events[Call.getParent()].back().StreamUnknown =
        !hasNoFlags(Call, Api);
    return;
  case ApiKind::StreamWaitEvent:
    return hasNoFlags(Call, Api) ? Simple(EventKind::StreamWait) : void();
  case ApiKind::Inspect:
    return refuseOperands(Call, Blocker::InspectedPointer, Api.Name.str());
  case ApiKind::Capture:
  case ApiKind::GraphNode:
    return refuseFunction(Blocker::StreamCapture, Call, Api.Name.str());
  case ApiKind::Reset:
    addEvent(Call, EventKind::Reset, Api.Name.str());
    return;
  case ApiKind::Launch:
    return launchByArray(Call, Api);
  case ApiKind::HostFunc:
  case ApiKind::Opaque:
    Simple(EventKind::Other);
    return refuseOperands(Call, Blocker::UnmodelledApi, Api.Name.str());
  case ApiKind::QueryStream:
  case ApiKind::QueryEvent:
    waitsNot(Call, Api, Check::QueryWaitsNot);
    return Simple(Api.Kind == ApiKind::QueryStream ? EventKind::QueryStream
                                                   : EventKind::QueryEvent);
  case ApiKind::StreamDestroy:
    waitsNot(Call, Api, Check::DestroyWaitsNot);
    Simple(EventKind::StreamDestroy);
    return refuseOperands(Call, Blocker::UnmodelledApi, Api.Name.str());
  default:
    return refuseOperands(Call, Blocker::UnmodelledApi, Api.Name.str());
  }
}

/// True if \p Call may be a send() with MSG_ZEROCOPY: the network then reads
/// the buffer when the call has returned.
static bool readsLater(const CallBase &Call) {
  constexpr uint64_t ZeroCopy = 0x4000000;
  StringRef Name = Call.getCalledFunction()->getName();
  if (Name != "send" && Name != "sendto")
    return false;
  const auto *Flags = dyn_cast<ConstantInt>(Call.getArgOperand(3));
  return !Flags || (Flags->getZExtValue() & ZeroCopy);
}

/// What realloc does: it reads the old buffer, frees it, makes a new one, and
/// writes as much there as both hold.
void EffectsBuilder::resize(CallBase &Call, const FunctionModel &Model) {
  const Value *Old = Call.getArgOperand(0);
  Target T = Objects.resolve(Old);
  int Fresh = Objects.objectOf(&Call);
  bool FromHeap =
      startsOneOf(T, Side::Host) && llvm::none_of(T.Objects, [&](unsigned O) {
        return Objects[O].isPinned() || Objects[O].What == MemoryObject::New;
      });
  std::string What = "host ('" + shortName(Model.Name) + "')";
  if (!T.none() && (!FromHeap || Fresh < 0)) {
    refuse(T, Blocker::Reallocated, Call, Model.Name);
  } else if (!T.none()) {
    if (!isOff(Check::ResizeReads))
      hostAccess(Call, Old, true, false, nullptr, What);
    freeOf(Call, Old, Side::Host, Model.Name);
  }
  if (Fresh < 0)
    return;
  addEvent(Call, EventKind::Alloc, Model.Name).Object = Fresh;
  if (!isa<ConstantPointerNull>(Old) && !isOff(Check::ResizeWrites))
    hostAccess(Call, Objects[Fresh].Pointer, false, true, nullptr, What);
}

void EffectsBuilder::modelledArgument(CallBase &Call, unsigned A,
                                      const FunctionModel &Model,
                                      const PointerUse &Back,
                                      const std::string &What) {
  const Value *Arg = Call.getArgOperand(A);
  Target T = Objects.resolve(Arg);
  if (T.none())
    return;
  bool Named = A < Model.Args.size();
  if (!Named && !Model.VarArgs)
    return refuse(T, Blocker::UnknownCall, Call, What);
  const ArgModel &M = Named ? Model.Args[A] : *Model.VarArgs;
  if (M.What == ArgModel::Free) {
    // Of several it is one that this function may free.
    if (llvm::all_of(T.Objects,
                     [&](unsigned O) { return Objects[O].isPinned(); }))
      refuse(T, Blocker::AmbiguousPointer, Call, What);
    else
      freeOf(Call, Arg, Side::Host, Model.Name);
    return;
  }
  bool OnHost = Objects[T.Objects[0]].side() == Side::Host;
  if (M.What == ArgModel::Keep) {
    for (unsigned O : T.Objects)
      Exposures.push_back({O, &Call});
    return;
  }
  if (M.What == ArgModel::Device || (M.What == ArgModel::Either && !OnHost))
    return;
  // printf("%p", h) would print the address, so no buffer may be a vararg but
  // of a function that only writes there, as scanf does.
  if (M.Prints || (!Named && (M.Reads || !M.Writes)))
    return refuse(T, Blocker::PointerToInteger, Call, What);
  bool IsMemory = M.What == ArgModel::Access || M.What == ArgModel::Either ||
                  M.What == ArgModel::KeepEach;
  if (!IsMemory)
    return refuse(T, Blocker::UnknownCall, Call, What);
  const SCEV *Bytes = nullptr;
  if ((M.Exact || isOff(Check::ShortWriteKills)) && M.HasSize) {
    SmallVector<Value *, 2> Factors;
    for (unsigned SizeArg : M.SizeArgs)
      if (SizeArg < Call.arg_size())
        Factors.push_back(Call.getArgOperand(SizeArg));
    if (Factors.size() == M.SizeArgs.size())
      Bytes = S.product(Factors, M.SizeConst);
  }
  hostAccess(Call, Arg, M.Reads || Back.Read, M.Writes || Back.Written, Bytes,
             "host (" + What + ")");
}

void EffectsBuilder::modelled(CallBase &Call, const FunctionModel &Model) {
  if (Model.Allocates == FunctionModel::Realloc &&
      Call.arg_size() >= Model.Args.size())
    return resize(Call, Model);
  if (int O = Objects.objectOf(&Call); O >= 0) {
    Event &E = addEvent(Call, EventKind::Alloc, Model.Name);
    E.Object = O;
    if (Objects[O].clears())
      E.Accesses.push_back({static_cast<unsigned>(O), false, true, true});
  }
  std::string What = "'" + shortName(Model.Name) + "'";
  // The callback is given pointers into the buffer and may keep them. Another
  // number of arguments is another function of the same name.
  PointerUse Back = Uses.ofCallbacks(Call, Model);
  bool Opaque = Call.arg_size() < Model.Args.size() || Back.Kept ||
                (Call.getCalledFunction() && readsLater(Call));
  if (Opaque)
    return refuseOperands(Call, Blocker::UnknownCall, What);
  // Before what the host does with the arguments: that may be at any time.
  if (Model.Works != FunctionModel::NoStream)
    libraryWork(Call, Model, What);
  for (unsigned A = 0; A < Call.arg_size(); ++A)
    modelledArgument(Call, A, Model, Back, What);
}

void EffectsBuilder::call(CallBase &Call) {
  if (auto *I = dyn_cast<IntrinsicInst>(&Call))
    return intrinsic(*I);
  if (Call.isInlineAsm())
    return refuseOperands(Call, Blocker::ComplexControl, "inline assembly");
  const Function *Callee = Call.getCalledFunction();
  // What swapcontext puts down can be gone back to as often as one likes.
  if (Call.hasFnAttr(Attribute::ReturnsTwice) ||
      outOfSightCallee(Call) == "swapcontext")
    refuseFunction(Blocker::ComplexControl, Call,
                   Call.hasFnAttr(Attribute::ReturnsTwice) ? "setjmp"
                                                           : "swapcontext");
  if (Callee && isKernelStub(*Callee))
    return launch(Call);
  if (auto Api = cudaApiOf(Call))
    return cuda(Call, *Api);
  std::string What =
      Callee ? "'" + shortName(Callee->getName()) + "'" : "an indirect call";
  const FunctionModel *M = Unit.Models.lookup(outOfSightCallee(Call));
  // What it calls back is the program's, and may do anything.
  if (!M || M->callsBack() || !destructorsOfThrown(Call).empty())
    anythingIn(Call, What);
  if (M)
    modelled(Call, *M);
  else
    callInSight(Call, What);
}

/// What code out of sight must not do while pairs of the module exist.
uint32_t premisesOf(const UnitContext &Unit) {
  uint32_t Premises = ECHO_RELIES_reset | ECHO_RELIES_process |
                      ECHO_RELIES_device | ECHO_RELIES_capture |
                      ECHO_RELIES_held | ECHO_RELIES_heap;
  if (Unit.Runs.WorksOfHandles)
    Premises |= ECHO_RELIES_handle;
  return Premises;
}

/// leavesGpuAlone; once for each function in sight.
static bool leavesGpu(const CallBase &Call, const UnitContext &Unit) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || Callee->isDeclaration() || isForkCall(Call))
    return leavesGpuAlone(Call, Unit.Models);
  auto [It, New] = Unit.Runs.LeavingGpu.try_emplace(Callee, false);
  if (New)
    It->second = leavesGpuAlone(*Callee, Unit.Models);
  return It->second;
}

void EffectsBuilder::anythingIn(CallBase &Call, const std::string &What) {
  // A child process has its own copy of h, but not of merged memory.
  if (Unit.Runs.Forking.mayRun(Call))
    refuseFunction(Blocker::Concurrency, Call, What);
  // What merges is not on the heap, or is there twice.
  if (Unit.Runs.ObservingHeap.mayRun(Call))
    refuseFunction(Blocker::HeapObserved, Call, What);
  if (Unit.Runs.Resetting.mayRun(Call))
    addEvent(Call, EventKind::Reset, What);
  if (Unit.Runs.Unseen.mayRun(Call))
    Result.Premises |= premisesOf(Unit);
  if (!leavesGpu(Call, Unit))
    addEvent(Call, EventKind::Other, What);
}

} // namespace echo
