//===- ByteCounts.cpp - Code that computes sizes at run time --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ByteCounts.h.
//
//===----------------------------------------------------------------------===//
#include "Transform/View/ByteCounts.h"
#include "Analysis/Api/CudaApi.h"
#include "Transform/View/LibraryCopies.h"

using namespace llvm;

namespace echo {

/// \p X * \p Y, or all ones where that overflows.
static Value *product(IRBuilder<> &B, Value *X, Value *Y) {
  Value *Product = B.CreateBinaryIntrinsic(Intrinsic::umul_with_overflow, X, Y);
  Value *Over = B.CreateExtractValue(Product, 1);
  return B.CreateSelect(Over, ConstantInt::getAllOnesValue(B.getInt64Ty()),
                        B.CreateExtractValue(Product, 0));
}

Value *byteCount(IRBuilder<> &B, const CallBase &Call,
                 ArrayRef<unsigned> SizeArgs) {
  Type *I64 = B.getInt64Ty();
  auto Factor = [&](unsigned A) {
    return B.CreateZExtOrTrunc(Call.getArgOperand(A), I64);
  };
  Value *Bytes = Factor(SizeArgs.front());
  for (unsigned A : SizeArgs.drop_front())
    Bytes = product(B, Bytes, Factor(A));
  return Bytes;
}

CopyOperands operandsOf(IRBuilder<> &B, const CallBase &Call) {
  auto Api = cudaApiOf(Call);
  if (!Api)
    return libraryOperandsOf(B, Call);
  auto Number = [&](ApiRole R) {
    return B.CreateZExtOrTrunc(Call.getArgOperand(*Api->find(R)),
                               B.getInt64Ty());
  };
  CopyOperands Copy;
  Copy.Dst = Call.getArgOperand(*Api->find(ApiRole::Dst));
  Copy.Src = Call.getArgOperand(*Api->find(ApiRole::Src));
  if (Api->Kind != ApiKind::Copy2D) {
    Copy.Bytes = Copy.Extent = Number(ApiRole::Bytes);
    return Copy;
  }
  Value *Width = Number(ApiRole::Width), *Height = Number(ApiRole::Height);
  Copy.Bytes = product(B, Width, Height);
  Value *Before =
      product(B, Number(ApiRole::Pitch), B.CreateSub(Height, B.getInt64(1)));
  Value *Extent = B.CreateBinaryIntrinsic(Intrinsic::uadd_sat, Before, Width);
  Copy.Extent = B.CreateSelect(B.CreateIsNull(Copy.Bytes), Copy.Bytes, Extent);
  Copy.Fits = B.CreateICmpULE(Call.getArgOperand(*Api->find(ApiRole::Width)),
                              Call.getArgOperand(*Api->find(ApiRole::Pitch)));
  return Copy;
}

Value *streamOf(const CallBase &Call) {
  auto Api = cudaApiOf(Call);
  if (!Api)
    return libraryStreamOf(Call);
  auto Arg = Api->find(ApiRole::Stream);
  return Arg ? Call.getArgOperand(*Arg) : nullptr;
}

Value *statusOf(IRBuilder<> &B, const CallBase &Call, Value *CudaError) {
  return cudaApiOf(Call) ? CudaError : libraryStatusOf(B, Call, CudaError);
}

} // namespace echo
