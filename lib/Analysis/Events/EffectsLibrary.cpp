//===- EffectsLibrary.cpp - What calls of GPU libraries do ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The GPU work of modelled library calls (cuBLAS, cuFFT, ...): one event in the
// stream of the call. A call that fails gives the GPU no work, so its writes
// overwrite nothing for sure and its stream is not taken to wait for others.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Events/EffectsBuilder.h"
#include "Analysis/Events/LibraryHandles.h"
#include "Support/Checks.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace echo {

void EffectsBuilder::libraryStream(Event &E, const CallBase &Call,
                                   const FunctionModel &Model) {
  E.HasStream = true;
  std::optional<const Value *> Stream = nullptr; // the default one
  if (Model.Works == FunctionModel::OfHandle && !isOff(Check::LibraryStream))
    Stream = Handles.streamOf(Call);
  else if (Model.Works == FunctionModel::OfArgument)
    Stream = Call.getArgOperand(Model.StreamArg);
  else if (Model.Works == FunctionModel::SomeStream)
    Stream = std::nullopt;
  if (Stream)
    E.Stream = *Stream;
  // Null is the legacy stream to the library, and another one to a program
  // that was compiled for per-thread default streams: neither is relied upon.
  bool IsDefault = !E.Stream || isa<ConstantPointerNull>(E.Stream);
  E.StreamUnknown = !Stream || (IsDefault && Unit.PerThreadDefaultStream &&
                                !isOff(Check::PerThreadStream));
}

void EffectsBuilder::libraryWork(CallBase &Call, const FunctionModel &Model,
                                 const std::string &What) {
  SmallVector<Access, 2> Accesses;
  // Who sets the callbacks of a handle is out of sight, or gets it.
  bool CallsBack =
      Model.DeviceCallbacks && Unit.OtherThreads &&
      !isOwnLibraryHandle(Call.getArgOperand(Model.StreamArg), Unit.Models);
  unsigned Buffers = llvm::count_if(
      Call.args(), [&](const Use &U) { return !Objects.resolve(U).none(); });
  for (unsigned A = 0; A < Model.Args.size(); ++A) {
    const ArgModel &M = Model.Args[A];
    // What the call keeps it may use at once, too.
    bool Kept = M.What == ArgModel::Keep;
    if (M.What != ArgModel::Device && M.What != ArgModel::Either && !Kept)
      continue;
    Target T = Objects.resolve(Call.getArgOperand(A));
    auto IsHost = [&](unsigned O) { return Objects[O].side() == Side::Host; };
    bool SomeHost = llvm::any_of(T.Objects, IsHost);
    if (SomeHost &&
        (M.What != ArgModel::Either || !llvm::all_of(T.Objects, IsHost)))
      refuse(T, Blocker::AmbiguousPointer, Call,
             What + " takes a pointer that may be the host buffer");
    // Which of the call's accesses comes first is not said.
    else if (SomeHost && M.Writes && Buffers > 1)
      refuse(T, Blocker::UnknownCall, Call,
             What + " may write the host buffer while it uses others");
    for (unsigned O : T.Objects)
      Accesses.push_back({O, M.Reads || Kept || CallsBack,
                          M.Writes || Kept || CallsBack, false});
  }
  Event &E = addEvent(Call, EventKind::Gpu, What);
  E.Accesses = std::move(Accesses);
  E.RunsCode = true;
  E.MayCopy = Unit.Models.traits(Model.Name) & CopiesMemory;
  libraryStream(E, Call, Model);
  if (isOff(Check::UnknownWaitsNot))
    addEvent(Call, EventKind::SyncDevice, What);
}

} // namespace echo
