//===- ManagedVariables.cpp - __managed__ variables -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc's host code asks for the address at each use, too, so that a use decides
// when CUDA starts. The address never changes: it is kept in a slot beside the
// shadow. To the analysis the variable is memory that an unknown pointer points
// to.
//
//===----------------------------------------------------------------------===//
#include "Transform/Device/ManagedVariables.h"
#include "Analysis/Api/CudaApi.h"
#include "Transform/Device/DevicePasses.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Passes/PassBuilder.h"

#include <cstdlib>

using namespace llvm;

namespace echo {
namespace {

constexpr StringLiteral Annotation = "echo.managed",
                        AnnotationList = "llvm.global.annotations",
                        GetAddress = "cudaGetSymbolAddress";

const Align HostArrayAlign(16);

/// The variables with the annotation, which is taken away.
SetVector<GlobalVariable *> takeAnnotated(Module &M) {
  SetVector<GlobalVariable *> Found;
  GlobalVariable *List = M.getNamedGlobal(AnnotationList);
  auto *Entries = List && List->hasInitializer()
                      ? dyn_cast<ConstantArray>(List->getInitializer())
                      : nullptr;
  if (!Entries)
    return Found;
  SmallVector<Constant *> Others;
  for (Value *Entry : Entries->operands()) {
    auto *Fields = cast<ConstantStruct>(Entry);
    auto *V =
        dyn_cast<GlobalVariable>(Fields->getOperand(0)->stripPointerCasts());
    StringRef Text;
    if (V && getConstantStringInfo(Fields->getOperand(1), Text) &&
        Text == Annotation)
      Found.insert(V);
    else
      Others.push_back(Fields);
  }
  if (Found.empty())
    return Found;
  Type *Element = Entries->getType()->getElementType();
  auto *Kept = new GlobalVariable(
      M, ArrayType::get(Element, Others.size()), List->isConstant(),
      List->getLinkage(),
      ConstantArray::get(ArrayType::get(Element, Others.size()), Others), "",
      List, List->getThreadLocalMode(), List->getAddressSpace());
  Kept->copyAttributesFrom(List);
  Kept->takeName(List);
  List->eraseFromParent();
  if (Others.empty())
    Kept->eraseFromParent();
  for (GlobalVariable *V : Found)
    V->removeDeadConstantUsers();
  return Found;
}

/// True if \p U names a variable to CUDA: in its own call, or in that of the
/// template of CUDA's headers that forwards to it.
bool isSymbol(const Use &U) {
  const auto *Call = dyn_cast<CallBase>(U.getUser());
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee || !Call->isArgOperand(&U))
    return false;
  std::string Name = Callee->getName().str();
  if (Name == "__cudaRegisterVar")
    return true;
  ItaniumPartialDemangler Demangler;
  if (!Demangler.partialDemangle(Name.c_str()) && Demangler.isFunction())
    if (char *Base = Demangler.getFunctionBaseName(nullptr, nullptr)) {
      Name = Base;
      std::free(Base);
    }
  std::optional<ApiInfo> Api = lookupCudaApi(Name);
  return Api && Api->find(ApiRole::Symbol) == Call->getArgOperandNo(&U);
}

class ShadowUses {
public:
  explicit ShadowUses(GlobalVariable &Shadow)
      : Shadow(Shadow), M(*Shadow.getParent()) {}
  void replace();

private:
  Function &address();

  GlobalVariable &Shadow;
  Module &M;
  Function *Address = nullptr;
};

/// The function that tells where the variable is.
Function &ShadowUses::address() {
  if (Address)
    return *Address;
  LLVMContext &C = M.getContext();
  auto *Ptr = PointerType::get(C, 0);
  Align PtrAlign = M.getDataLayout().getABITypeAlign(Ptr);
  auto *Slot = new GlobalVariable(M, Ptr, false, GlobalValue::InternalLinkage,
                                  ConstantPointerNull::get(Ptr),
                                  Shadow.getName() + ".managed");
  Address = Function::Create(FunctionType::get(Ptr, false),
                             GlobalValue::InternalLinkage,
                             Shadow.getName() + ".address", M);
  Address->addFnAttr(Attribute::NoUnwind);
  auto *Entry = BasicBlock::Create(C, "entry", Address);
  auto *Ask = BasicBlock::Create(C, "ask", Address);
  auto *Done = BasicBlock::Create(C, "done", Address);
  IRBuilder<> B(Entry);
  AllocaInst *Answer = B.CreateAlloca(Ptr);
  LoadInst *Known = B.CreateAlignedLoad(Ptr, Slot, PtrAlign);
  Known->setAtomic(AtomicOrdering::Monotonic);
  B.CreateCondBr(B.CreateIsNull(Known), Ask, Done);
  B.SetInsertPoint(Ask);
  B.CreateStore(ConstantPointerNull::get(Ptr), Answer);
  FunctionCallee Api = M.getOrInsertFunction(
      GetAddress, FunctionType::get(B.getInt32Ty(), {Ptr, Ptr}, false));
  B.CreateCall(Api, {Answer, &Shadow});
  LoadInst *New = B.CreateLoad(Ptr, Answer);
  StoreInst *Keep = B.CreateAlignedStore(New, Slot, PtrAlign);
  Keep->setAtomic(AtomicOrdering::Monotonic);
  B.CreateBr(Done);
  B.SetInsertPoint(Done);
  PHINode *Result = B.CreatePHI(Ptr, 2);
  Result->addIncoming(Known, Entry);
  Result->addIncoming(New, Ask);
  B.CreateRet(Result);
  return *Address;
}

/// True if \p C is part of what registers variables, or of a list of symbols.
bool registers(const Constant &C) {
  const auto *V = dyn_cast<GlobalVariable>(&C);
  if (V)
    return V->getName().starts_with(".offloading.entry.") ||
           V->getName().starts_with("llvm.");
  return !C.use_empty() && all_of(C.users(), [](const User *U) {
    const auto *Using = dyn_cast<Constant>(U);
    return Using && registers(*Using);
  });
}

void ShadowUses::replace() {
  convertUsersOfConstantsToInstructions(&Shadow);
  SmallVector<Use *> Uses;
  for (Use &U : Shadow.uses())
    Uses.push_back(&U);
  for (Use *U : Uses) {
    auto *I = dyn_cast<Instruction>(U->getUser());
    if (!I) {
      if (!registers(*cast<Constant>(U->getUser())))
        M.getContext().diagnose(DiagnosticInfoGeneric(
            "a static initializer holds the address of the __managed__ "
            "variable '" +
            Shadow.getName() + "'; set it at run time"));
      continue;
    }
    if (isSymbol(*U))
      continue;
    auto *Phi = dyn_cast<PHINode>(I);
    IRBuilder<> B(Phi ? Phi->getIncomingBlock(*U)->getTerminator() : I);
    CallInst *Here = B.CreateCall(&address());
    if (!Phi) {
      U->set(Here);
      continue;
    }
    // A block that comes in twice has one value.
    for (unsigned N = 0; N != Phi->getNumIncomingValues(); ++N)
      if (Phi->getIncomingBlock(N) == Here->getParent() &&
          Phi->getIncomingValue(N) == &Shadow)
        Phi->setIncomingValue(N, Here);
  }
}

} // namespace

bool markManagedVariables(Module &M) {
  SetVector<GlobalVariable *> Found = takeAnnotated(M);
  LLVMContext &C = M.getContext();
  for (GlobalVariable *V : Found) {
    // Host code takes an array to be as aligned as the host's are.
    V->setAlignment(std::max(V->getAlign().valueOrOne(), HostArrayAlign));
    M.getOrInsertNamedMetadata("nvvm.annotations")
        ->addOperand(MDNode::get(
            C, {ValueAsMetadata::get(V), MDString::get(C, "managed"),
                ConstantAsMetadata::get(
                    ConstantInt::get(Type::getInt32Ty(C), 1))}));
  }
  return !Found.empty();
}

bool useManagedVariables(Module &M) {
  SetVector<GlobalVariable *> Found = takeAnnotated(M);
  for (GlobalVariable *V : Found)
    ShadowUses(*V).replace();
  return !Found.empty();
}

bool joinStaticVariables(Module &M) {
  SmallVector<std::pair<GlobalVariable *, GlobalVariable *>> Renamed;
  for (GlobalVariable &V : M.globals()) {
    size_t At = V.getName().rfind("__static__");
    GlobalVariable *Before = V.isDeclaration() || At == StringRef::npos
                                 ? nullptr
                                 : M.getNamedGlobal(V.getName().take_front(At));
    if (Before && Before->isDeclaration() &&
        Before->getAddressSpace() == V.getAddressSpace())
      Renamed.push_back({Before, &V});
  }
  for (auto [Before, V] : Renamed) {
    Before->replaceAllUsesWith(V);
    Before->eraseFromParent();
  }
  return !Renamed.empty();
}

namespace {
struct ManagedVariables : PassInfoMixin<ManagedVariables> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    bool Changed = false;
    if (M.getTargetTriple().isNVPTX()) {
      Changed |= markManagedVariables(M);
      Changed |= joinStaticVariables(M);
    } else {
      Changed = useManagedVariables(M);
    }
    return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};
} // namespace

void addManagedVariables(PassBuilder &PB) {
  PB.registerPipelineStartEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel) {
        MPM.addPass(ManagedVariables());
      });
}

} // namespace echo
