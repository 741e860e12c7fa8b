//===- Conversions.cpp - Numbers to integers as PTX's cvt does it ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In C++ and LLVM a number that an integer cannot hold makes the conversion
// undefined; on a GPU the result is the nearest integer, and programs count on
// it. So each conversion of user code becomes one that saturates. What is not
// a number becomes 0, and where 64 bits go in or out the highest bit alone
// (PTX ISA, cvt). In C++ integers of less than 32 bits are the low bits of one
// of 32, as nvcc compiles them.
//
//===----------------------------------------------------------------------===//
#include "DeviceUnit.h"
#include "Ptx.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace echo::cpudevice {

Value *saturatedInteger(IRBuilderBase &B, Value *Number, unsigned Bits,
                        bool Signed) {
  Type *From = Number->getType();
  Type *To = IntegerType::get(B.getContext(), Bits);
  if (auto *V = dyn_cast<VectorType>(From))
    To = VectorType::get(To, V->getElementCount());
  Value *Integer =
      B.CreateIntrinsic(Signed ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat,
                        {To, From}, {Number});
  if (Bits != 64 && !From->getScalarType()->isDoubleTy())
    return Integer;
  Constant *Highest = ConstantInt::get(To, APInt::getSignMask(Bits));
  return B.CreateSelect(B.CreateFCmpUNO(Number, Number), Highest, Integer);
}

void saturateConversions(DeviceUnit &Unit) {
  for (Function &F : *Unit.Device)
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      unsigned Bits = I.getType()->getScalarSizeInBits();
      if (!isa<FPToSIInst, FPToUIInst>(I) || Bits > 64)
        continue;
      IRBuilder<> B(&I);
      Value *New = saturatedInteger(B, I.getOperand(0), Bits <= 32 ? 32 : 64,
                                    isa<FPToSIInst>(I));
      I.replaceAllUsesWith(B.CreateTrunc(New, I.getType()));
      I.eraseFromParent();
    }
}

} // namespace echo::cpudevice
