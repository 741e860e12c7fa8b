//===- CheckPlaces.cpp - Places of the source in a checked program --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CheckPlaces.h.
//
//===----------------------------------------------------------------------===//
#include "Transform/Check/CheckPlaces.h"
#include "Analysis/Api/Names.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace echo {

bool isVariable(const Value *Pointer) {
  if (Pointer->getType()->getPointerAddressSpace() != 0)
    return true;
  const Value *Object = getUnderlyingObject(Pointer, /*MaxLookup=*/12);
  return isa<AllocaInst, GlobalVariable, ConstantPointerNull>(Object);
}

CheckPlaces::CheckPlaces(Module &M) : M(M) {
  Type =
      irStructType(M.getContext(), &EchoCheckPlace::file, &EchoCheckPlace::what,
                   &EchoCheckPlace::line, &EchoCheckPlace::column);
}

static GlobalVariable *constant(Module &M, Constant *Value, const char *Name) {
  auto *G = new GlobalVariable(M, Value->getType(), /*isConstant=*/true,
                               GlobalValue::PrivateLinkage, Value, Name);
  G->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return G;
}

Constant *CheckPlaces::text(const std::optional<std::string> &Text) {
  if (!Text)
    return Constant::getNullValue(PointerType::getUnqual(M.getContext()));
  Constant *&Known = Texts[*Text];
  if (!Known)
    Known = constant(M, ConstantDataArray::getString(M.getContext(), *Text),
                     "echo.text");
  return Known;
}

Constant *CheckPlaces::get(const SourceLoc &Loc, StringRef What) {
  std::string Key = Loc.File + ":" + std::to_string(Loc.Line) + ":" +
                    std::to_string(Loc.Column) + ":" + What.str();
  Constant *&Known = Places[Key];
  if (!Known) {
    llvm::Type *Number = llvm::Type::getInt32Ty(M.getContext());
    Known = constant(
        M,
        ConstantStruct::get(Type, {text(Loc.File), text(What.str()),
                                   ConstantInt::get(Number, Loc.Line),
                                   ConstantInt::get(Number, Loc.Column)}),
        "echo.place");
  }
  return Known;
}

Constant *CheckPlaces::get(const Instruction &I, StringRef What) {
  return get(locate(I), What);
}

FunctionCallee CheckPlaces::entry(RuntimeFunction Fn) {
  FunctionCallee Entry =
      M.getOrInsertFunction(Fn.Name, Fn.Type(M.getContext()));
  if (auto *F = dyn_cast<Function>(Entry.getCallee()))
    F->setDoesNotThrow();
  return Entry;
}

} // namespace echo
