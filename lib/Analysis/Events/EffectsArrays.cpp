//===- EffectsArrays.cpp - Copies from and to arrays ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An array (texture memory) is no buffer: a copy between a buffer and an array
// reads or writes the buffer, links nothing and covers nothing. With the device
// side it is GPU work in the call's stream. With the host's side, which only a
// call that is done when it returns may have, it is an access of the host. As
// it may fail, nothing counts on its waiting.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Api/CudaApi.h"
#include "Analysis/Events/EffectsBuilder.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace echo {

void EffectsBuilder::copyArray(CallBase &Call, const ApiInfo &Api) {
  auto Src = Api.find(ApiRole::Src);
  const Value *Buffer =
      Call.getArgOperand(Src ? *Src : *Api.find(ApiRole::Dst));
  Target T = Objects.resolve(Buffer);
  CopyDirection Direction =
      directionOf(Call.getArgOperand(*Api.find(ApiRole::CopyKind)));
  bool OfDevice = Direction == CopyDirection::DeviceToDevice;
  bool OfHost = Direction == (Src ? CopyDirection::HostToDevice
                                  : CopyDirection::DeviceToHost);
  bool Stated = llvm::all_of(T.Objects, [&](unsigned O) {
    return Objects[O].side() == Side::Device ? OfDevice
                                             : OfHost && !Api.isAsync();
  });
  if (!Stated)
    return refuse(T, Blocker::UnmodelledApi, Call, Api.Name.str());
  if (OfHost)
    return hostAccess(Call, Buffer, Src.has_value(), !Src, nullptr,
                      Api.Name.str());
  Event &E = addEvent(Call, EventKind::Gpu, Api.Name.str());
  E.MayCopy = true;
  setStream(E, Call, Api);
  for (unsigned O : T.Objects)
    E.Accesses.push_back({O, Src.has_value(), !Src, false});
}

} // namespace echo
