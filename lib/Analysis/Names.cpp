//===- Names.cpp - Source places and variable names -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads debug locations and value names. Chases a pointer through the
// parameters of inlined functions as long as each was stored exactly once.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Names.h"
#include "Analysis/CudaApi.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/ValueSymbolTable.h"

using namespace llvm;

namespace echo {

static bool isSystemFile(StringRef Path) {
  return Path.starts_with("/usr/") || Path.starts_with("/opt/") ||
         Path.contains("/include/c++/") || Path.contains("/cuda/include/") ||
         Path.contains("/lib/clang/");
}

static const DILocation *userLocation(const Instruction &I) {
  const DILocation *Innermost = I.getDebugLoc();
  for (const DILocation *L = Innermost; L; L = L->getInlinedAt())
    if (!isSystemFile(L->getFilename()) && L->getLine())
      return L;
  return Innermost;
}

SourceLoc locate(const Instruction &I) {
  SourceLoc Loc;
  if (const DILocation *L = userLocation(I)) {
    Loc.File = L->getFilename().str();
    Loc.Line = L->getLine();
    Loc.Column = L->getColumn();
  }
  return Loc;
}

std::string sourceFunction(const Instruction &I) {
  if (const DILocation *L = userLocation(I))
    if (const DISubprogram *S = L->getScope()->getSubprogram())
      return S->getName().str();
  return I.getFunction()->getName().str();
}

/// The one value stored to variable \p Slot, or null.
static const Value *onlyStoredValue(const AllocaInst *Slot) {
  const Value *Stored = nullptr;
  for (const User *U : Slot->users())
    if (const auto *S = dyn_cast<StoreInst>(U))
      if (S->getPointerOperand() == Slot) {
        if (Stored)
          return nullptr;
        Stored = S->getValueOperand();
      }
  return Stored;
}

static const Value *stripAddress(const Value *V) {
  while (true) {
    if (const auto *G = dyn_cast<GEPOperator>(V))
      V = G->getPointerOperand();
    else if (const auto *C = dyn_cast<CastInst>(V))
      V = C->getOperand(0);
    else
      return V;
  }
}

/// The source name in the name of \p V: "h.addr.i12" is the inlined parameter
/// h. "n5" is a second n where there is another n. Names that no user gave are
/// empty.
static std::string plainName(const Value &V) {
  StringRef Stem = V.getName();
  size_t Inlined = Stem.rfind(".i");
  StringRef Suffix;
  if (Inlined != StringRef::npos &&
      Stem.substr(Inlined + 2).find_first_not_of("0123456789") ==
          StringRef::npos) {
    Suffix = Stem.substr(Inlined);
    Stem = Stem.substr(0, Inlined);
  }
  Stem.consume_back(".addr");
  if (Stem.contains('.') || Stem.starts_with("__") || Stem == "this" ||
      Stem == "retval")
    return "";
  StringRef First = Stem.rtrim("0123456789");
  const auto *I = dyn_cast<Instruction>(&V);
  if (I && First.size() != Stem.size() && !First.empty()) {
    const ValueSymbolTable *Names = I->getFunction()->getValueSymbolTable();
    if (Names->lookup(First) || Names->lookup((First + Suffix).str()))
      return First.str();
  }
  return Stem.str();
}

/// The member that clang's address computation \p Address is called after, or
/// "": members of library classes and array elements have no name of interest.
static std::string memberOf(const Value *Address) {
  const auto *G = dyn_cast<GetElementPtrInst>(Address);
  if (!G || !isa<StructType>(G->getSourceElementType()))
    return "";
  std::string Name = plainName(*G);
  return StringRef(Name).starts_with("_") ? "" : Name;
}

std::string variableOf(const Value *Address) {
  std::string Member;
  auto Full = [&](const std::string &Object) {
    return Object.empty() || Member.empty() ? Object : Object + "." + Member;
  };
  for (unsigned Depth = 0; Depth < 16; ++Depth) {
    if (Member.empty())
      Member = memberOf(Address);
    const Value *Base = stripAddress(Address);
    if (const auto *Slot = dyn_cast<AllocaInst>(Base))
      return Full(plainName(*Slot));
    if (const auto *G = dyn_cast<GlobalVariable>(Base))
      return Full(G->getName().str());
    const auto *Load = dyn_cast<LoadInst>(Base);
    if (!Load)
      return "";
    const auto *Slot =
        dyn_cast<AllocaInst>(stripAddress(Load->getPointerOperand()));
    const Value *Stored = Slot ? onlyStoredValue(Slot) : nullptr;
    if (!Stored)
      return "";
    Address = Stored;
  }
  return "";
}

/// The outermost variable that the result of \p Call is stored to.
static std::string nameOfResult(const CallBase &Call) {
  std::string Name;
  const Value *V = &Call;
  for (unsigned Depth = 0; Depth < 16; ++Depth) {
    const AllocaInst *Next = nullptr;
    const Value *Carried = nullptr;
    for (const User *U : V->users()) {
      if (const auto *S = dyn_cast<StoreInst>(U);
          S && S->getValueOperand() == V) {
        if (std::string N = variableOf(S->getPointerOperand()); !N.empty())
          Name = N;
        Next = dyn_cast<AllocaInst>(S->getPointerOperand());
      } else if (isa<CastInst>(U) || isa<PHINode>(U)) {
        Carried = U;
      }
    }
    // An inlined function's result: its return value is loaded and stored on.
    if (Next) {
      const Value *Loaded = nullptr;
      for (const User *U : Next->users())
        if (const auto *L = dyn_cast<LoadInst>(U)) {
          bool StoredOn = llvm::any_of(L->users(), [&](const User *LU) {
            const auto *S = dyn_cast<StoreInst>(LU);
            return (S && S->getValueOperand() == L) || isa<PHINode>(LU);
          });
          if (StoredOn && plainName(*Next).empty())
            Loaded = L;
          else if (StoredOn && Next->getName().contains(".i"))
            Loaded = L;
        }
      if (Loaded) {
        V = Loaded;
        continue;
      }
    }
    if (!Carried || Next)
      return Name;
    V = Carried;
  }
  return Name;
}

/// "n*4" for the size expression \p V in source variables, or "".
static std::string expressionText(const Value *V, unsigned Depth = 0) {
  if (Depth > 12)
    return "";
  auto Joined = [&](const User *U, const char *Operator) -> std::string {
    std::string A = expressionText(U->getOperand(0), Depth + 1);
    std::string B = expressionText(U->getOperand(1), Depth + 1);
    if (A.empty() || B.empty())
      return "";
    auto Factor = [&](const std::string &Text) {
      bool IsSum = *Operator == '*' && Text.find('+') != std::string::npos;
      return IsSum ? "(" + Text + ")" : Text;
    };
    return Factor(A) + Operator + Factor(B);
  };
  if (const auto *C = dyn_cast<ConstantInt>(V))
    return C->getBitWidth() > 64 ? "" : std::to_string(C->getZExtValue());
  if (const auto *Cast = dyn_cast<CastInst>(V))
    return expressionText(Cast->getOperand(0), Depth + 1);
  if (const auto *Load = dyn_cast<LoadInst>(V)) {
    const auto *Slot = dyn_cast<AllocaInst>(Load->getPointerOperand());
    if (Slot && Slot->getName().contains(".addr.i"))
      if (const Value *Stored = onlyStoredValue(Slot))
        return expressionText(Stored, Depth + 1);
    return variableOf(Load->getPointerOperand());
  }
  // new T[n]: the product beside its overflow check.
  if (const auto *Select = dyn_cast<SelectInst>(V))
    return isa<ConstantInt>(Select->getTrueValue())
               ? expressionText(Select->getFalseValue(), Depth + 1)
               : "";
  if (const auto *Extract = dyn_cast<ExtractValueInst>(V)) {
    const auto *Call = dyn_cast<CallBase>(Extract->getAggregateOperand());
    return Call && Call->arg_size() == 2 ? Joined(Call, "*") : "";
  }
  if (V->getType()->isIntegerTy())
    if (const auto *B = dyn_cast<BinaryOperator>(V)) {
      if (B->getOpcode() == Instruction::Mul)
        return Joined(B, "*");
      if (B->getOpcode() == Instruction::Add)
        return Joined(B, "+");
    }
  return "";
}

static void recordSize(CallBase &Call, const Value *Size) {
  std::string Text = expressionText(Size);
  const Function *Callee = Call.getCalledFunction();
  if (Callee && Callee->getName() == "calloc" && Call.arg_size() == 2)
    Text += "*" + expressionText(Call.getArgOperand(1));
  LLVMContext &C = Call.getContext();
  if (Text.find_first_not_of("0123456789*+()") != std::string::npos)
    Call.setMetadata("echo.size", MDNode::get(C, MDString::get(C, Text)));
}

std::optional<std::string> recordedSize(const CallBase &Call) {
  if (const MDNode *N = Call.getMetadata("echo.size"))
    return cast<MDString>(N->getOperand(0))->getString().str();
  return std::nullopt;
}

void recordNames(Function &F) {
  LLVMContext &C = F.getContext();
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || !Call->getCalledFunction())
      continue;
    std::string Name;
    if (Call->getType()->isPointerTy()) {
      Name = nameOfResult(*Call);
      if (Call->arg_size() && Call->getArgOperand(0)->getType()->isIntegerTy())
        recordSize(*Call, Call->getArgOperand(0));
    } else if (auto Api = lookupCudaApi(Call->getCalledFunction()->getName())) {
      if (auto Arg = Api->find(ApiRole::Bytes))
        recordSize(*Call, Call->getArgOperand(*Arg));
      for (ApiRole R : {ApiRole::OutDev, ApiRole::OutHost, ApiRole::OutManaged,
                        ApiRole::OutStream, ApiRole::OutEvent})
        if (auto Arg = Api->find(R))
          Name = variableOf(Call->getArgOperand(*Arg));
    }
    if (!Name.empty())
      Call->setMetadata("echo.name", MDNode::get(C, MDString::get(C, Name)));
  }
}

std::optional<std::string> recordedName(const CallBase &Call) {
  if (const MDNode *N = Call.getMetadata("echo.name"))
    return cast<MDString>(N->getOperand(0))->getString().str();
  return std::nullopt;
}

} // namespace echo
