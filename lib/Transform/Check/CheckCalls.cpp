//===- CheckCalls.cpp - Reports what calls do to the check library --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs on clang's code. Around each call by which control leaves the user's
// code for a function that is not here, or for a library's header that leads to
// one, it notes the place: allocations are told apart by it, and reports name
// it. What a function of a library accesses, its model says; a function without
// a model that no checked unit defines makes a pair "not followed".
//
//===----------------------------------------------------------------------===//
#include "Analysis/Api/CudaApi.h"
#include "Analysis/Api/Models.h"
#include "Analysis/Api/Names.h"
#include "Analysis/Api/StubArguments.h"
#include "Analysis/Kernels/KernelFields.h"
#include "Transform/Check/Check.h"
#include "Transform/Check/CheckPlaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace echo {

/// On a module that defines a function that others may call: what that does is
/// told by its own code.
static constexpr StringLiteral CheckedPrefix = "echo_checked_";

namespace {
class Calls {
public:
  Calls(Module &M, const ModelTable &Models)
      : M(M), Models(Models), Places(M) {}
  void markDefined();
  void run(Function &F);
  /// Functions from which control may leave the module.
  void findLeaving();

private:
  void place(CallBase &Call, Constant *Place);
  void library(CallBase &Call, Constant *Place);
  void modelled(CallBase &Call, const FunctionModel &Model, Constant *Place);
  void argument(CallBase &Call, unsigned Arg, const ArgModel &Model,
                Constant *Place);
  void printed(CallBase &Call, unsigned Format, Constant *Place);
  void unknown(CallBase &Call, Value *Pointer, Constant *Place);
  void tell(CallBase &Call, RuntimeFunction Entry, Value *Pointer,
            Constant *Place);
  Value *written(IRBuilder<> &B, CallBase &Call, const ArgModel &Model,
                 Value *Bytes);
  void address(Instruction &I);
  void hide(CallBase &Call);
  Instruction *behind(CallBase &Call);

  Module &M;
  const ModelTable &Models;
  CheckPlaces Places;
  DenseSet<const Function *> Leaving;
};
} // namespace

//===- Functions of this module -------------------------------------------===//

void Calls::markDefined() {
  Type *Byte = Type::getInt8Ty(M.getContext());
  for (Function &F : M)
    if (!F.isDeclaration() && !F.hasLocalLinkage())
      new GlobalVariable(M, Byte, true, GlobalValue::WeakAnyLinkage,
                         ConstantInt::get(Byte, 1),
                         CheckedPrefix + F.getName());
}

//===- Which calls leave --------------------------------------------------===//

void Calls::findLeaving() {
  auto Leaves = [&](const Function &F) {
    return any_of(instructions(F), [&](const Instruction &I) {
      const auto *Call = dyn_cast<CallBase>(&I);
      if (!Call || isa<IntrinsicInst>(Call) || Call->isInlineAsm())
        return false;
      const Function *Callee = Call->getCalledFunction();
      return !Callee || Callee->isDeclaration() || Leaving.contains(Callee);
    });
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const Function &F : M)
      if (!F.isDeclaration() && !Leaving.contains(&F) && Leaves(F))
        Changed |= Leaving.insert(&F).second;
  }
}

/// The first instruction after \p Call on the way where it returns; null for
/// one that does not, or must be last.
Instruction *Calls::behind(CallBase &Call) {
  if (Call.isMustTailCall() || Call.doesNotReturn())
    return nullptr;
  if (auto *Invoke = dyn_cast<InvokeInst>(&Call)) {
    BasicBlock *Next = Invoke->getNormalDest();
    if (!Next->getSinglePredecessor())
      Next = SplitEdge(Invoke->getParent(), Next);
    return &*Next->getFirstInsertionPt();
  }
  return isa<CallInst>(Call) ? Call.getNextNode() : nullptr;
}

void Calls::place(CallBase &Call, Constant *Place) {
  Constant *Variable =
      M.getOrInsertGlobal("echo_check_place", Place->getType(), [&] {
        auto *G = new GlobalVariable(M, Place->getType(), false,
                                     GlobalValue::ExternalLinkage, nullptr,
                                     "echo_check_place");
        G->setThreadLocalMode(GlobalValue::InitialExecTLSModel);
        return G;
      });
  Instruction *Next = behind(Call);
  IRBuilder<> B(&Call);
  Value *Here = B.CreateThreadLocalAddress(Variable);
  Value *Outer = B.CreateLoad(Place->getType(), Here);
  // Volatile: that malloc() looks at a variable no optimizer believes.
  B.CreateStore(Place, Here, /*isVolatile=*/true);
  if (Next) {
    B.SetInsertPoint(Next);
    B.CreateStore(Outer, B.CreateThreadLocalAddress(Variable),
                  /*isVolatile=*/true);
  }
  // A tail call would leave nothing to come back to.
  if (auto *Plain = dyn_cast<CallInst>(&Call); Plain && Next)
    Plain->setTailCallKind(CallInst::TCK_None);
}

/// The optimizer takes a new block for one that nobody else can know. In a
/// merged program somebody does: accesses between calls must stay.
void Calls::hide(CallBase &Call) {
  static constexpr Attribute::AttrKind OfCalls[] = {
      Attribute::Builtin,   Attribute::AllocKind, Attribute::AllocSize,
      Attribute::Memory,    Attribute::NoFree,    Attribute::NoSync,
      Attribute::NoCallback};
  static constexpr Attribute::AttrKind OfArguments[] = {
      Attribute::AllocatedPointer, Attribute::AllocAlign, Attribute::Captures,
      Attribute::NoAlias};
  Function &Callee = *Call.getCalledFunction();
  for (Attribute::AttrKind Kind : OfCalls) {
    Call.removeFnAttr(Kind);
    Callee.removeFnAttr(Kind);
  }
  Call.addFnAttr(Attribute::NoBuiltin);
  Callee.addFnAttr("no-builtins"); // nothing is inferred from its name
  Call.removeRetAttr(Attribute::NoAlias);
  Callee.removeRetAttr(Attribute::NoAlias);
  for (Attribute::AttrKind Kind : OfArguments) {
    for (Argument &A : Callee.args())
      A.removeAttr(Kind);
    for (unsigned A = 0; A != Call.arg_size(); ++A)
      Call.removeParamAttr(A, Kind);
  }
  Instruction *Next = Call.getType()->isPointerTy() ? behind(Call) : nullptr;
  if (!Next)
    return;
  IRBuilder<> B(Next);
  B.CreateCall(Places.entry(ECHO_FUNCTION(echo_check_made)), {&Call});
}

//===- What library functions do ------------------------------------------===//

void Calls::tell(CallBase &Call, RuntimeFunction Entry, Value *Pointer,
                 Constant *Place) {
  if (isVariable(Pointer))
    return;
  IRBuilder<> B(&Call);
  B.CreateCall(Places.entry(Entry), {Pointer, Place});
}

void Calls::unknown(CallBase &Call, Value *Pointer, Constant *Place) {
  if (isVariable(Pointer) || isa<Function>(Pointer->stripInBoundsOffsets()))
    return;
  const Function *Callee = Call.getCalledFunction();
  IRBuilder<> B(&Call);
  Type *Byte = B.getInt8Ty();
  auto *Mark = cast<Constant>(
      M.getOrInsertGlobal((CheckedPrefix + Callee->getName()).str(), Byte, [&] {
        return new GlobalVariable(M, Byte, true,
                                  GlobalValue::ExternalWeakLinkage, nullptr,
                                  CheckedPrefix + Callee->getName());
      }));
  B.CreateCall(Places.entry(ECHO_FUNCTION(echo_check_pass)),
               {Pointer, Mark, Place});
}

/// How much of \p Bytes a call has written that may write less: the result
/// says so, as that of read() or of fread().
Value *Calls::written(IRBuilder<> &B, CallBase &Call, const ArgModel &Model,
                      Value *Bytes) {
  if (Model.Exact || !Call.getType()->isIntegerTy())
    return Bytes;
  Value *Result = B.CreateSExtOrTrunc(&Call, B.getInt64Ty());
  Value *Unit = B.getInt64(1);
  if (Model.SizeArgs.size() == 2)
    Unit = B.CreateZExtOrTrunc(Call.getArgOperand(Model.SizeArgs[0]),
                               B.getInt64Ty());
  Value *Done = B.CreateMul(Result, Unit);
  Value *Sane = B.CreateAnd(B.CreateICmpSGE(Result, B.getInt64(0)),
                            B.CreateICmpULE(Done, Bytes));
  return B.CreateSelect(Sane, Done, B.getInt64(0));
}

void Calls::argument(CallBase &Call, unsigned Arg, const ArgModel &Model,
                     Constant *Place) {
  Value *Pointer = Call.getArgOperand(Arg);
  if (!Pointer->getType()->isPointerTy())
    return;
  switch (Model.What) {
  case ArgModel::Access:
    break;
  case ArgModel::Free:
  case ArgModel::Out:
  case ArgModel::Callback:
    return;
  default: // a CUDA library may follow it by itself
    return unknown(Call, Pointer, Place);
  }
  if (isVariable(Pointer))
    return;
  if (!Model.HasSize) {
    if (Model.Reads)
      tell(Call, ECHO_FUNCTION(echo_check_read_text), Pointer, Place);
    if (Model.Writes)
      if (Instruction *Next = behind(Call)) {
        IRBuilder<> B(Next);
        B.CreateCall(Places.entry(ECHO_FUNCTION(echo_check_write_text)),
                     {Pointer, Place});
      }
    return;
  }
  IRBuilder<> B(&Call);
  Value *Bytes = B.getInt64(Model.SizeConst);
  for (unsigned Factor : Model.SizeArgs)
    Bytes = B.CreateMul(
        Bytes, B.CreateZExtOrTrunc(Call.getArgOperand(Factor), B.getInt64Ty()));
  if (Model.Reads)
    B.CreateCall(Places.entry(ECHO_FUNCTION(echo_check_read)),
                 {Pointer, Bytes, Place});
  if (Instruction *Next = Model.Writes ? behind(Call) : nullptr) {
    B.SetInsertPoint(Next);
    B.CreateCall(Places.entry(ECHO_FUNCTION(echo_check_write)),
                 {Pointer, written(B, Call, Model, Bytes), Place});
  }
}

/// Arguments after the constant text \p Format of printf and its like: what
/// is printed as a text is read, an address that is printed is seen.
void Calls::printed(CallBase &Call, unsigned Format, Constant *Place) {
  StringRef Text;
  unsigned Arg = Format + 1;
  if (!getConstantStringInfo(Call.getArgOperand(Format), Text)) {
    for (; Arg < Call.arg_size(); ++Arg)
      if (Call.getArgOperand(Arg)->getType()->isPointerTy())
        tell(Call, ECHO_FUNCTION(echo_check_unknown), Call.getArgOperand(Arg),
             Place);
    return;
  }
  for (size_t I = 0; I < Text.size(); ++I) {
    if (Text[I] != '%')
      continue;
    for (++I; I < Text.size() && !isAlpha(Text[I]) && Text[I] != '%'; ++I)
      Arg += Text[I] == '*';
    while (I < Text.size() && StringRef("hlLqjzt").contains(Text[I]))
      ++I;
    if (I >= Text.size() || Text[I] == '%')
      continue;
    if (Arg >= Call.arg_size())
      return;
    if (Call.getArgOperand(Arg)->getType()->isPointerTy())
      tell(Call,
           Text[I] == 's'   ? ECHO_FUNCTION(echo_check_read_text)
           : Text[I] == 'p' ? ECHO_FUNCTION(echo_check_number)
                            : ECHO_FUNCTION(echo_check_unknown),
           Call.getArgOperand(Arg), Place);
    ++Arg;
  }
}

void Calls::modelled(CallBase &Call, const FunctionModel &Model,
                     Constant *Place) {
  const unsigned Fixed = Call.getFunctionType()->getNumParams();
  const StringRef Name = Call.getCalledFunction()->getName();
  for (unsigned A = 0; A != Call.arg_size(); ++A) {
    if (A < Model.Args.size())
      argument(Call, A, Model.Args[A], Place);
    else if (Model.VarArgs && !(Name.contains("printf") && A >= Fixed))
      argument(Call, A, *Model.VarArgs, Place);
  }
  if (Name.contains("printf") && Call.getFunctionType()->isVarArg() && Fixed)
    printed(Call, Fixed - 1, Place);
}

void Calls::library(CallBase &Call, Constant *Place) {
  Function *Callee = Call.getCalledFunction();
  const StringRef Name = Callee->getName();
  if (std::optional<ApiInfo> Api = lookupCudaApi(Name)) {
    // It reports whose memory a pointer is into; merged memory is neither.
    if (Api->Kind == ApiKind::Inspect || Api->Kind == ApiKind::Register)
      if (auto Pointer = Api->find(ApiRole::Ptr))
        tell(Call, ECHO_FUNCTION(echo_check_number),
             Call.getArgOperand(*Pointer), Place);
    return;
  }
  if (Name.starts_with("__cuda") || Name.starts_with("echo") ||
      Name.starts_with("__cxa_") || Name.starts_with("_ZSt") ||
      Name == "__gxx_personality_v0")
    return;
  if (Name == "__kmpc_fork_call" || Name == "__kmpc_fork_teams") {
    IRBuilder<> B(&Call);
    B.CreateCall(Places.entry(ECHO_FUNCTION(echo_check_fork)));
    if (Instruction *Next = behind(Call)) {
      B.SetInsertPoint(Next);
      B.CreateCall(Places.entry(ECHO_FUNCTION(echo_check_join)));
    }
    return;
  }
  if (Name.starts_with("__kmpc_") || Name.starts_with("omp_"))
    return;
  if (const FunctionModel *Model = Models.lookup(Name)) {
    modelled(Call, *Model, Place);
    return;
  }
  for (Value *Arg : Call.args())
    if (Arg->getType()->isPointerTy())
      unknown(Call, Arg, Place);
}

//===- Addresses ----------------------------------------------------------===//

/// How number \p Address is used, itself and out of the variables that keep it:
/// in distances and comparisons with zero only, which no merge changes (1);
/// else, that and its value modulo a power of two up to the alignment of merged
/// blocks (that power); or in another way (nothing).
static std::optional<uint64_t> modulus(const PtrToIntInst &Address) {
  SetVector<const Value *> Work;
  Work.insert(&Address);
  uint64_t Modulus = 1;
  for (unsigned At = 0; At != Work.size(); ++At)
    for (const User *U : Work[At]->users()) {
      const auto *Use = dyn_cast<Instruction>(U);
      const auto *Store = dyn_cast<StoreInst>(U);
      const auto *Variable =
          Store ? dyn_cast<AllocaInst>(Store->getPointerOperand()) : nullptr;
      if (Variable && isAllocaPromotable(Variable)) {
        for (const User *Other : Variable->users())
          if (isa<LoadInst>(Other))
            Work.insert(Other);
        continue;
      }
      if (!Use || Store)
        return std::nullopt;
      if (Use->getOpcode() == Instruction::Sub &&
          isa<PtrToIntInst>(Use->getOperand(0)) &&
          isa<PtrToIntInst>(Use->getOperand(1)))
        continue;
      if (const auto *Compare = dyn_cast<ICmpInst>(Use);
          Compare && Compare->isEquality() &&
          match(Compare->getOperand(1), PatternMatch::m_Zero()))
        continue;
      while (Modulus < DeviceAlignment && !takesLowBits(*Use, Modulus))
        Modulus *= 2;
      if (!takesLowBits(*Use, Modulus))
        return std::nullopt;
    }
  return Modulus;
}

void Calls::address(Instruction &I) {
  IRBuilder<> B(&I);
  if (auto *Compare = dyn_cast<ICmpInst>(&I)) {
    Value *P = Compare->getOperand(0), *Q = Compare->getOperand(1);
    if (!P->getType()->isPointerTy() || isa<Constant>(P) || isa<Constant>(Q))
      return;
    B.CreateCall(
        Places.entry(ECHO_FUNCTION(echo_check_compare)),
        {P, Q, B.getInt32(Compare->isRelational()), Places.get(I, "host")});
    return;
  }
  if (!isInUserCode(I))
    return;
  auto &Cast = cast<PtrToIntInst>(I);
  const std::optional<uint64_t> Modulus = modulus(Cast);
  Constant *Place = Places.get(I, "host");
  if (!Modulus)
    B.CreateCall(Places.entry(ECHO_FUNCTION(echo_check_number)),
                 {Cast.getPointerOperand(), Place});
  else if (*Modulus > 1)
    B.CreateCall(Places.entry(ECHO_FUNCTION(echo_check_low_bits)),
                 {Cast.getPointerOperand(), B.getInt64(*Modulus), Place});
}

void Calls::run(Function &F) {
  SmallVector<CallBase *, 16> All;
  SmallVector<Instruction *, 8> Addresses;
  for (Instruction &I : instructions(F)) {
    if (auto *Call = dyn_cast<CallBase>(&I);
        Call && !isa<IntrinsicInst>(Call) && !Call->isInlineAsm())
      All.push_back(Call);
    if (isa<ICmpInst, PtrToIntInst>(I))
      Addresses.push_back(&I);
  }
  for (Instruction *I : Addresses)
    address(*I);
  for (CallBase *Call : All) {
    Function *Callee = Call->getCalledFunction();
    if (!Callee || (!Callee->isDeclaration() && !Leaving.contains(Callee)))
      continue;
    // What allocates and frees is nothing that the optimizer may know.
    if (const FunctionModel *Model = Models.lookup(Callee->getName());
        Model && Model->usesHeap())
      hide(*Call);
    Constant *Place = Places.get(*Call, shortName(Callee->getName()));
    if (Callee->isDeclaration())
      library(*Call, Place);
    if (isInUserCode(*Call) &&
        (Callee->isDeclaration() || !isInUserCode(*Callee)))
      place(*Call, Place);
  }
  // As in functions of a merged program that use the GPU.
  F.removeRetAttr(Attribute::NoAlias);
  for (Argument &A : F.args())
    A.removeAttr(Attribute::NoAlias);
  // No optimization may add accesses, nor make vectors of them.
  F.addFnAttr(Attribute::SanitizeThread);
  F.addFnAttr(Attribute::NoImplicitFloat);
}

void addCheckCalls(Module &M, const UnitReport &Unit,
                   const ModelTable &Models) {
  Calls C(M, Models);
  C.findLeaving();
  SmallVector<Function *> All;
  for (Function &F : M)
    if (!F.isDeclaration())
      All.push_back(&F);
  for (Function *F : All)
    C.run(*F);
  C.markDefined();
  registerCheckPairs(M, Unit);
}

} // namespace echo
