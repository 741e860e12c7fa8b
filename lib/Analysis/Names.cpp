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
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

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

/// "h.addr.i12" is the inlined parameter h; "h" stays "h".
static std::string plainName(StringRef Name) {
  StringRef Stem = Name;
  size_t Inlined = Stem.rfind(".i");
  if (Inlined != StringRef::npos &&
      Stem.substr(Inlined + 2).find_first_not_of("0123456789") ==
          StringRef::npos)
    Stem = Stem.substr(0, Inlined);
  Stem.consume_back(".addr");
  if (Stem.contains('.') || Stem.starts_with("ref.tmp") || Stem == "this" ||
      Stem == "retval")
    return "";
  return Stem.str();
}

std::string variableOf(const Value *Address) {
  std::string Name;
  for (unsigned Depth = 0; Depth < 16; ++Depth) {
    const Value *Base = stripAddress(Address);
    if (const auto *Slot = dyn_cast<AllocaInst>(Base)) {
      if (std::string N = plainName(Slot->getName()); !N.empty())
        Name = N;
      return Name;
    }
    if (const auto *G = dyn_cast<GlobalVariable>(Base))
      return G->hasName() ? G->getName().str() : Name;
    const auto *Load = dyn_cast<LoadInst>(Base);
    if (!Load)
      return Name;
    const auto *Slot =
        dyn_cast<AllocaInst>(stripAddress(Load->getPointerOperand()));
    const Value *Stored = Slot ? onlyStoredValue(Slot) : nullptr;
    if (!Stored)
      return Name;
    Address = Stored;
  }
  return Name;
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
          if (StoredOn && plainName(Next->getName()).empty())
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

void recordNames(Function &F) {
  LLVMContext &C = F.getContext();
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || !Call->getCalledFunction())
      continue;
    std::string Name;
    if (Call->getType()->isPointerTy()) {
      Name = nameOfResult(*Call);
    } else if (auto Api = lookupCudaApi(Call->getCalledFunction()->getName())) {
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
