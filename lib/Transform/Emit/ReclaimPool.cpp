//===- ReclaimPool.cpp - Device memory of the program's own ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The question is echort_acquire without a group, which answers null: allocate
// as written. The functions that allocate come from CudaApi.def, those that
// tell how much memory there is from the models (`observes`).
//
//===----------------------------------------------------------------------===//
#include "Transform/Emit/ReclaimPool.h"
#include "Analysis/Api/CudaApi.h"
#include "Analysis/Api/Models.h"
#include "Transform/Emit/CallForms.h"
#include "Transform/Emit/SharedCalls.h"
#include "runtime/abi/EchoRt.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace echo {

/// The argument with the bytes of device or managed memory that \p Call asks
/// for, if it does.
static std::optional<unsigned> deviceBytes(const CallBase &Call) {
  std::optional<ApiInfo> Api = cudaApiOf(Call);
  if (!Api ||
      (Api->Kind != ApiKind::AllocDevice && Api->Kind != ApiKind::AllocManaged))
    return std::nullopt;
  std::optional<unsigned> Bytes = Api->find(ApiRole::Bytes);
  return Bytes && *Bytes < Call.arg_size() ? Bytes : std::nullopt;
}

/// True if \p Call asks for device memory, rows or an array perhaps, of which
/// the number of bytes is not seen.
static bool asksForUnsaidBytes(const CallBase &Call) {
  std::optional<ApiInfo> Api = cudaApiOf(Call);
  return Api && Api->Name.starts_with("cudaMalloc") &&
         Api->Kind != ApiKind::AllocHost && !deviceBytes(Call);
}

/// True if \p Call asks how much memory there is.
static bool observesMemory(const CallBase &Call, const ModelTable &Models) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration())
    return false;
  const FunctionModel *Model = Models.lookup(Callee->getName());
  return Model && Model->Observes;
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
    if (observesMemory(*Call, Models) || asksForUnsaidBytes(*Call)) {
      B.CreateCall(echortFunction(M, ECHO_FUNCTION(echort_observe_memory)));
      continue;
    }
    std::optional<unsigned> Bytes = deviceBytes(*Call);
    if (!Bytes)
      continue;
    AllocationForm Form; // of no group: the answer is null
    Form.Role = ECHO_DEVICE;
    Form.SizeArgs = {*Bytes};
    auto *Null = ConstantPointerNull::get(PointerType::get(M.getContext(), 0));
    Shared.add(*Call, "room", {Null, Null},
               [Form](CallBase &At, ArrayRef<Value *> More) {
                 Form.ask(At, More[0], More[1]);
               },
               {CallShape::DeviceMemory});
  }
}

} // namespace echo
