//===- CallPaths.cpp - Identities of calls --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A path is an attribute of the call: unlike metadata it stays when a call
// becomes an invoke, and calls with different attributes are never joined.
//
//===----------------------------------------------------------------------===//
#include "Transform/Body/CallPaths.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace echo {

static constexpr StringRef PathName = "echo.path";

StringRef callPath(const CallBase &Call) {
  // That of the call itself, not of the function that it calls.
  return Call.getAttributes().getFnAttr(PathName).getValueAsString();
}

static void setPath(CallBase &Call, StringRef Path) {
  if (Path.empty())
    Call.removeFnAttr(PathName);
  else
    Call.addFnAttr(Attribute::get(Call.getContext(), PathName, Path));
}

void takeCallPath(CallBase &Call, const CallBase &Other) {
  setPath(Call, callPath(Other));
}

void extendCallPaths(StringRef Path, ArrayRef<CallBase *> Inlined) {
  for (CallBase *Call : Inlined) {
    StringRef Inner = callPath(*Call);
    if (!Inner.empty())
      setPath(*Call, Path.empty() ? "" : (Path + "/" + Inner).str());
  }
}

AttributeList attributesWithoutPath(const CallBase &Call) {
  return Call.getAttributes().removeFnAttribute(Call.getContext(), PathName);
}

void dropCallPaths(Function &F) {
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I); Call && !callPath(*Call).empty())
      Call->removeFnAttr(PathName);
}

CallNumbers::CallNumbers(Module &M) : M(M) {
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I);
          Call && !isa<IntrinsicInst>(Call)) {
        setPath(*Call, std::to_string(Functions.size()));
        Functions.push_back(&F);
      }
}

CallNumbers::~CallNumbers() {
  for (Function &F : M)
    dropCallPaths(F);
}

Function *CallNumbers::functionOf(StringRef Path) const {
  unsigned Number;
  if (Path.rsplit('/').second.empty()
          ? Path.getAsInteger(10, Number)
          : Path.rsplit('/').second.getAsInteger(10, Number))
    return nullptr;
  return Number < Functions.size() ? Functions[Number] : nullptr;
}

} // namespace echo
