//===- LibraryCopies.cpp - cublasSetVector as cudaMemcpy ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See LibraryCopies.h. The numbers have to be such that the library finds no
// fault with them; an error of the copy is CUBLAS_STATUS_MAPPING_ERROR.
//
//===----------------------------------------------------------------------===//
#include "Transform/View/LibraryCopies.h"
#include "Transform/Body/CallPaths.h"
#include "Transform/View/ByteCounts.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace echo {

static constexpr int MappingError = 11;

namespace {
struct LibraryCopy {
  bool Matrix, Upload, Async;
};
} // namespace

static std::optional<LibraryCopy> libraryCopy(StringRef Name) {
  if (!Name.consume_front("cublas"))
    return std::nullopt;
  LibraryCopy C;
  C.Upload = Name.starts_with("Set");
  if (!Name.consume_front("Set") && !Name.consume_front("Get"))
    return std::nullopt;
  C.Matrix = Name.starts_with("Matrix");
  if (!Name.consume_front("Matrix") && !Name.consume_front("Vector"))
    return std::nullopt;
  C.Async = Name.consume_front("Async");
  if (!Name.empty() && Name != "_64")
    return std::nullopt;
  return C;
}

bool isLibraryCopy(StringRef Name) { return libraryCopy(Name).has_value(); }

/// True if \p V is at least \p Least, 0 or 1.
static bool isAtLeast(const Value *V, int Least, const SimplifyQuery &Q) {
  if (const auto *C = dyn_cast<ConstantInt>(V))
    return C->getSExtValue() >= Least;
  return isKnownNonNegative(V, Q) && (!Least || isKnownNonZero(V, Q));
}

static bool isOne(const Value *V) {
  const auto *C = dyn_cast<ConstantInt>(V);
  return C && C->isOne();
}

/// The factors of the bytes that \p Call moves, if that is one piece.
static SmallVector<Value *, 3>
factorsOf(const CallInst &Call, const LibraryCopy &C, const SimplifyQuery &Q) {
  const unsigned Numbers = C.Matrix ? 3 : 2;
  if (Call.arg_size() != Numbers + 4 + C.Async)
    return {};
  const auto *Size = dyn_cast<ConstantInt>(Call.getArgOperand(Numbers - 1));
  const Value *From = Call.getArgOperand(Numbers + 1);
  const Value *To = Call.getArgOperand(Numbers + 3);
  if (!Size || !isAtLeast(Size, 1, Q) || From != To)
    return {};
  // Constants are the same object where they are equal.
  const Value *Rows = Call.getArgOperand(0);
  if (C.Matrix ? From != Rows || !isAtLeast(Rows, 1, Q) ||
                     !isAtLeast(Call.getArgOperand(1), 0, Q)
               : !isOne(From) || !isAtLeast(Rows, 0, Q))
    return {};
  return SmallVector<Value *, 3>(Call.arg_begin(), Call.arg_begin() + Numbers);
}

/// Puts what \p Result of CUDA means to the caller of \p Call in its place.
static void giveStatus(CallInst &Call, CallInst &Result) {
  auto *Ok = ConstantInt::get(Call.getType(), 0);
  auto *CudaOk = ConstantInt::get(Result.getType(), 0);
  for (Use &U : make_early_inc_range(Call.uses())) {
    auto *Cmp = dyn_cast<ICmpInst>(U.getUser());
    if (!Cmp || !Cmp->isEquality() || Cmp->getOperand(1) != Ok)
      continue;
    Cmp->setOperand(0, &Result);
    Cmp->setOperand(1, CudaOk);
  }
  if (Call.use_empty())
    return;
  IRBuilder<> B(Call.getNextNode());
  B.SetCurrentDebugLocation(Call.getDebugLoc());
  Call.replaceAllUsesWith(
      B.CreateSelect(B.CreateICmpEQ(&Result, CudaOk), Ok,
                     ConstantInt::get(Call.getType(), MappingError)));
}

static void replace(CallInst &Call, const LibraryCopy &C,
                    ArrayRef<Value *> Factors) {
  IRBuilder<> B(&Call);
  Module &M = *Call.getModule();
  Type *I32 = B.getInt32Ty();
  Value *Bytes = B.getInt64(1);
  for (Value *Factor : Factors)
    Bytes = B.CreateMul(Bytes, B.CreateSExt(Factor, B.getInt64Ty()));
  SmallVector<Value *, 5> Args = {Call.getArgOperand(Factors.size() + 2),
                                  Call.getArgOperand(Factors.size()), Bytes,
                                  B.getInt32(C.Upload ? 1 : 2)};
  if (C.Async)
    Args.push_back(Call.getArgOperand(Factors.size() + 4));
  SmallVector<Type *, 5> Types;
  for (const Value *A : Args)
    Types.push_back(A->getType());
  FunctionCallee Copy =
      M.getOrInsertFunction(C.Async ? "cudaMemcpyAsync" : "cudaMemcpy",
                            FunctionType::get(I32, Types, false));
  CallInst *Result = B.CreateCall(Copy, Args);
  takeCallPath(*Result, Call);
  giveStatus(Call, *Result);
  Call.eraseFromParent();
}

static LibraryCopy copyOf(const CallBase &Call) {
  return *libraryCopy(Call.getCalledFunction()->getName());
}

CopyOperands libraryOperandsOf(IRBuilder<> &B, const CallBase &Call) {
  const unsigned Numbers = copyOf(Call).Matrix ? 3 : 2;
  CopyOperands Copy;
  Copy.Dst = Call.getArgOperand(Numbers + 2);
  Copy.Src = Call.getArgOperand(Numbers);
  Copy.Bytes = B.getInt64(1);
  for (unsigned A = 0; A != Numbers; ++A)
    Copy.Bytes = B.CreateMul(
        Copy.Bytes, B.CreateSExt(Call.getArgOperand(A), B.getInt64Ty()));
  Copy.Extent = Copy.Bytes;
  return Copy;
}

Value *libraryStreamOf(const CallBase &Call) {
  return copyOf(Call).Async ? Call.getArgOperand(Call.arg_size() - 1) : nullptr;
}

Value *libraryStatusOf(IRBuilder<> &B, const CallBase &Call, Value *CudaError) {
  return B.CreateSelect(B.CreateIsNull(CudaError),
                        ConstantInt::get(Call.getType(), 0),
                        ConstantInt::get(Call.getType(), MappingError));
}

void copyByCuda(Function &F, FunctionAnalysisManager &FAM) {
  SmallVector<std::pair<CallInst *, LibraryCopy>, 4> Work;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee || !Callee->isDeclaration())
      continue;
    if (auto C = libraryCopy(Callee->getName()))
      Work.push_back({Call, *C});
  }
  if (Work.empty())
    return;
  for (StringRef Name : {"cudaMemcpy", "cudaMemcpyAsync"})
    if (const Function *Own = F.getParent()->getFunction(Name);
        Own && !Own->isDeclaration())
      return;
  SimplifyQuery Q(F.getDataLayout(), &FAM.getResult<DominatorTreeAnalysis>(F),
                  &FAM.getResult<AssumptionAnalysis>(F));
  for (auto [Call, C] : Work)
    if (auto Factors = factorsOf(*Call, C, Q.getWithInstruction(Call));
        !Factors.empty())
      replace(*Call, C, Factors);
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  FAM.invalidate(F, PA);
}

} // namespace echo
