//===- MakeRoom.cpp - Device memory of the program's own ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The question is echort_acquire without a group, which answers null: allocate
// as written. The functions that allocate come from CudaApi.def.
//
//===----------------------------------------------------------------------===//
#include "Transform/MakeRoom.h"
#include "Analysis/CudaApi.h"
#include "runtime/abi/EchoRt.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace echo {

/// The bytes of device memory that \p Call allocates, or null.
static Value *deviceBytes(const CallBase &Call) {
  std::optional<ApiInfo> Api = cudaApiOf(Call);
  if (!Api ||
      (Api->Kind != ApiKind::AllocDevice && Api->Kind != ApiKind::AllocManaged))
    return nullptr;
  std::optional<unsigned> Bytes = Api->find(ApiRole::Bytes);
  return Bytes && *Bytes < Call.arg_size() ? Call.getArgOperand(*Bytes)
                                           : nullptr;
}

void makeRoomForOthers(ArrayRef<Function *> Functions,
                       const AskedCalls &Asked) {
  if (Functions.empty())
    return;
  Function *Acquire =
      Functions.front()->getParent()->getFunction("echort_acquire");
  if (!Acquire)
    return;
  for (Function *F : Functions)
    for (Instruction &I : instructions(*F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (!Call || Asked.contains(Call))
        continue;
      Value *Bytes = deviceBytes(*Call);
      if (!Bytes)
        continue;
      IRBuilder<> B(Call);
      auto *Null = ConstantPointerNull::get(B.getPtrTy());
      B.CreateCall(Acquire, {Null, B.getInt32(ECHO_DEVICE),
                             B.CreateZExtOrTrunc(Bytes, B.getInt64Ty()), Null,
                             B.getInt32(0)});
    }
}

} // namespace echo
