//===- ByteCounts.cpp - Code that computes sizes at run time --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ByteCounts.h.
//
//===----------------------------------------------------------------------===//
#include "Transform/ByteCounts.h"
#include "Analysis/CudaApi.h"
#include "Analysis/MemoryObjects.h"

using namespace llvm;

namespace echo {

/// \p X * \p Y, or all ones where that overflows.
static Value *product(IRBuilder<> &B, Value *X, Value *Y) {
  Value *Product = B.CreateBinaryIntrinsic(Intrinsic::umul_with_overflow, X, Y);
  Value *Over = B.CreateExtractValue(Product, 1);
  return B.CreateSelect(Over, ConstantInt::getAllOnesValue(B.getInt64Ty()),
                        B.CreateExtractValue(Product, 0));
}

Value *byteCount(IRBuilder<> &B, const MemoryObject &O) {
  Type *I64 = B.getInt64Ty();
  Value *Bytes = B.CreateZExtOrTrunc(O.SizeFactors[0], I64);
  for (Value *Factor : ArrayRef(O.SizeFactors).drop_front())
    Bytes = product(B, Bytes, B.CreateZExtOrTrunc(Factor, I64));
  return Bytes;
}

std::pair<Value *, Value *> extentOf(IRBuilder<> &B, const CallInst &Call) {
  auto Api = cudaApiOf(Call);
  auto Number = [&](ApiRole R) {
    return B.CreateZExtOrTrunc(Call.getArgOperand(*Api->find(R)),
                               B.getInt64Ty());
  };
  if (Api->Kind != ApiKind::Copy2D)
    return {Number(ApiRole::Bytes), Number(ApiRole::Bytes)};
  Value *Width = Number(ApiRole::Width), *Height = Number(ApiRole::Height);
  Value *Bytes = product(B, Width, Height);
  Value *Before =
      product(B, Number(ApiRole::Pitch), B.CreateSub(Height, B.getInt64(1)));
  Value *Extent = B.CreateBinaryIntrinsic(Intrinsic::uadd_sat, Before, Width);
  return {Bytes, B.CreateSelect(B.CreateIsNull(Bytes), Bytes, Extent)};
}

} // namespace echo
