//===- MakeRoom.cpp - Device memory of the program's own ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The question is echort_acquire without a group, which answers null: allocate
// as written. The functions that allocate come from CudaApi.def, those that
// tell how much memory there is from the models (`observes`).
//
//===----------------------------------------------------------------------===//
#include "Transform/MakeRoom.h"
#include "Analysis/CudaApi.h"
#include "Analysis/Models.h"
#include "Transform/CallForms.h"
#include "Transform/SharedCalls.h"
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

/// True if \p Call tells how much memory there is.
static bool observesMemory(const CallBase &Call, const ModelTable &Models) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration())
    return false;
  const FunctionModel *Model = Models.lookup(Callee->getName());
  return Model && Model->Observes;
}

/// Asks right before \p Call, which allocates memory on the device.
static void askForRoom(CallBase &Call, ArrayRef<Value *>) {
  IRBuilder<> B(&Call);
  B.SetCurrentDebugLocation(Call.getDebugLoc());
  Type *Ptr = B.getPtrTy(), *I32 = B.getInt32Ty(), *I64 = B.getInt64Ty();
  auto *Null = ConstantPointerNull::get(B.getPtrTy());
  B.CreateCall(echortFunction(*Call.getModule(), "echort_acquire", Ptr,
                              {Ptr, I32, I64, Ptr, I32}),
               {Null, B.getInt32(ECHO_DEVICE),
                B.CreateZExtOrTrunc(deviceBytes(Call), I64), Null,
                B.getInt32(0)});
}

void makeRoomForOthers(ArrayRef<Function *> Functions, const AskedCalls &Asked,
                       const ModelTable &Models, SharedCalls &Shared) {
  if (Functions.empty())
    return;
  Module &M = *Functions.front()->getParent();
  SmallVector<CallBase *, 16> Calls;
  for (Function *F : Functions)
    for (Instruction &I : instructions(*F))
      if (auto *Call = dyn_cast<CallBase>(&I); Call && !Asked.contains(Call))
        Calls.push_back(Call);
  for (CallBase *Call : Calls) {
    IRBuilder<> B(Call);
    if (observesMemory(*Call, Models)) {
      B.CreateCall(
          echortFunction(M, "echort_observe_memory", B.getVoidTy(), {}));
      continue;
    }
    if (deviceBytes(*Call))
      Shared.add(*Call, "room", {}, askForRoom);
  }
}

} // namespace echo
