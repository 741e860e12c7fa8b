//===- EffectsLaunches.cpp - What kernel launches do to the buffers -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch reads and writes what the kernel's facts say of each parameter. It
// is a call of the kernel's stub, or one of CUDA's own functions with an array
// of the arguments' addresses, where Transform/View/LaunchArrays made that
// readable.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Api/Names.h"
#include "Analysis/Api/StubArguments.h"
#include "Analysis/Events/EffectsBuilder.h"
#include "Analysis/Events/StreamKeys.h"
#include "Analysis/Kernels/PackedArguments.h"
#include "Support/Checks.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace echo {

/// What a kernel does with a pointer that it gets as argument \p A of its stub,
/// or \p Offset bytes into what that is the address of; nothing: anywhere.
static ParamFacts launchFacts(const KernelFacts &Facts,
                              const std::optional<StubArgument> &A,
                              std::optional<int64_t> Offset) {
  ParamFacts Unknown;
  if (!A || A->Param >= Facts.Params.size())
    return Unknown;
  const ParamFacts &P = Facts.Params[A->Param];
  if (A->Whole)
    return P;
  if (!Offset)
    return P.pointerAnywhere(sizeof(void *));
  int64_t Begin = static_cast<int64_t>(A->Offset) + *Offset;
  return Begin < 0 ? Unknown : P.pointerAt(Begin, sizeof(void *));
}

/// What the kernel of \p Stub does, or null if that is not known.
static const KernelFacts *factsOf(const Function &Stub,
                                  const KernelFactsTable &K) {
  return Stub.isDeclaration() ? nullptr
                              : K.lookup(*kernelNameOfStub(Stub.getName()));
}

static std::string describe(const Function &Stub) {
  return "kernel '" + shortName(*kernelNameOfStub(Stub.getName())) + "'";
}

void EffectsBuilder::kernelGets(Event &E, CallBase &Call,
                                const KernelFacts *Facts, const Value *Pointer,
                                const ParamFacts &P, bool Inside) {
  Target T = Objects.resolve(Pointer);
  if (T.none())
    return;
  bool Unused = P.IsPointer && !P.Read && !P.Written && !P.Captured;
  if (!Facts)
    refuse(T, Blocker::UnknownKernel, Call, E.What);
  else if (!P.IsPointer)
    refuse(T, Blocker::KernelAggregate, Call, E.What);
  else if (!refuseUnseen(T, *Facts, Call, E.What) && P.Captured)
    refuse(T, Blocker::CapturedByKernel, Call, E.What);
  for (unsigned O : T.Objects) {
    if (Objects[O].side() == Side::Host && !Unused)
      refuse(T, Blocker::AmbiguousPointer, Call,
             E.What + " takes a pointer that may be the host buffer");
    bool Unseen = Inside && isOff(Check::KernelAggregate);
    bool Read = P.Read && !Unseen && !isOff(Check::KernelReads);
    bool Written = P.Written && !Unseen && !isOff(Check::KernelWrites);
    E.Accesses.push_back(
        {O, Read, Written, Written && isOff(Check::KernelWriteKills)});
  }
}

void EffectsBuilder::launch(CallBase &Call) {
  const Function &Stub = *Call.getCalledFunction();
  const KernelFacts *Facts = factsOf(Stub, Unit.Kernels);
  auto Map = stubArgumentMap(Stub);
  Event &E = addEvent(Call, EventKind::Gpu, describe(Stub));
  auto Given = [&](const Value *Pointer, const ParamFacts &P, bool Inside) {
    kernelGets(E, Call, Facts, Pointer, P, Inside);
  };
  for (unsigned A = 0; A < Call.arg_size(); ++A) {
    std::optional<StubArgument> Part = A < Map.size() ? Map[A] : std::nullopt;
    auto At = [&](std::optional<int64_t> Offset) {
      return Facts ? launchFacts(*Facts, Part, Offset) : ParamFacts();
    };
    const Value *Arg = Call.getArgOperand(A);
    // Wider than a pointer: a pointer may be at any of its bytes.
    auto IsWide = [](const Value *V) {
      return V->getType()->isAggregateType() || V->getType()->isVectorTy() ||
             V->getType()->getScalarSizeInBits() > 64;
    };
    auto Inside = [&](ArrayRef<KernelViews::Content> Contents) {
      for (const KernelViews::Content &C : Contents)
        Given(C.Pointer, IsWide(C.Pointer) ? ParamFacts() : At(C.Offset),
              /*Inside=*/true);
    };
    if (Part && Part->ByValue) // Effects refuses what is in no view
      Inside(Objects.views().contents(Arg));
    else if (!Part || !Part->Packed)
      Given(Arg, IsWide(Arg) ? ParamFacts() : At(0),
            Facts && !(Part && Part->Whole && At(0).IsPointer));
    else
      Inside(packedPointers(*Arg, Objects.views()).Found);
  }
  // One that CUDA refuses joins no stream. The path that skips a launch shows
  // that only where the program does not look which one was taken.
  E.Moves = isOff(Check::RefusedLaunch);
  E.RunsCode = true;
  E.HasStream = true;
  E.Stream = launchStream(Call);
  E.PerThread = launchesPerThread(Stub);
  // Which default stream null is, the stub of another unit decides.
  E.StreamUnknown =
      !E.Stream || (!showsLaunch(Stub) && !isCreatedStream(*E.Stream));
}

void EffectsBuilder::launchByArray(CallBase &Call, const ApiInfo &Api) {
  const Function *Stub = launchedStub(Call);
  const KernelFacts *Facts = Stub ? factsOf(*Stub, Unit.Kernels) : nullptr;
  Event &E = addEvent(Call, Stub ? EventKind::Gpu : EventKind::Other,
                      Stub ? describe(*Stub) : Api.Name.str());
  setStream(E, Call, Api);
  refuseOperands(Call, Blocker::UnmodelledApi, Api.Name.str());
  for (const LaunchCell &Cell : launchCells(Call))
    kernelGets(E, Call, Facts, Cell.Pointer,
               Facts ? launchFacts(*Facts, StubArgument{Cell.Param}, 0)
                     : ParamFacts(),
               /*Inside=*/false);
  E.RunsCode = Stub != nullptr;
}

} // namespace echo
