//===- Names.cpp - Source places and variable names -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads debug locations and value names. Chases a pointer through the
// parameters of inlined functions as long as each was stored exactly once.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Api/Names.h"
#include "Analysis/Api/CudaApi.h"
#include "Analysis/Api/FileNames.h"
#include "Analysis/Api/Models.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/ValueSymbolTable.h"

using namespace llvm;

namespace echo {

static bool isSystemFile(StringRef Path) {
  if (Path.starts_with("/usr/") || Path.starts_with("/opt/"))
    return true;
  // Clang leaves out what a path has in common with the working folder.
  const std::string Whole = "/" + Path.str();
  return any_of(
      ArrayRef<StringRef>{"/include/c++/", "/cuda/include/", "/lib/clang/"},
      [&](StringRef Part) { return StringRef(Whole).contains(Part); });
}

/// The innermost of \p L and the calls that it was inlined by which a user
/// wrote, or null.
static const DILocation *firstOfUser(const DILocation *L) {
  while (L && (isSystemFile(L->getFilename()) || !L->getLine()))
    L = L->getInlinedAt();
  return L;
}

static const DILocation *userLocation(const Instruction &I) {
  const DILocation *Innermost = I.getDebugLoc();
  const DILocation *L = firstOfUser(Innermost);
  return L ? L : Innermost;
}

static std::string functionAt(const DILocation &L) {
  const DISubprogram *S = L.getScope()->getSubprogram();
  return S ? S->getName().str() : "";
}

SourceLoc locate(const Instruction &I) {
  SourceLoc Loc;
  if (const DILocation *L = userLocation(I)) {
    const Module &M = *I.getModule();
    Loc.File = fileName(*L, M);
    Loc.Line = L->getLine();
    Loc.Column = L->getColumn();
    while ((L = firstOfUser(L->getInlinedAt())))
      Loc.Callers.push_back(
          {{fileName(*L, M), L->getLine(), L->getColumn()}, functionAt(*L)});
  }
  return Loc;
}

bool isInUserCode(const Instruction &I) {
  const DILocation *L = userLocation(I);
  return L && L->getLine() && !isSystemFile(L->getFilename());
}

bool isInUserCode(const Function &F) {
  const DISubprogram *S = F.getSubprogram();
  return !S || !isSystemFile(S->getFilename());
}

std::string sourceFunction(const Instruction &I) {
  const DILocation *L = userLocation(I);
  std::string Name = L ? functionAt(*L) : "";
  return Name.empty() ? I.getFunction()->getName().str() : Name;
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

static constexpr StringRef KeptName = "echo.var";

/// The name of \p V, or the one that keepNames() kept of it.
static StringRef nameText(const Value &V) {
  if (V.hasName())
    return V.getName();
  const auto *I = dyn_cast<Instruction>(&V);
  const MDNode *Kept = I ? I->getMetadata(KeptName) : nullptr;
  return Kept ? cast<MDString>(Kept->getOperand(0))->getString() : "";
}

/// True if variable \p Slot came with the body of an inlined function.
static bool isInlined(const AllocaInst &Slot) {
  if (Slot.hasName())
    return Slot.getName().contains(".i");
  return llvm::any_of(Slot.users(), [](const User *U) {
    const auto *I = dyn_cast<Instruction>(U);
    const DILocation *L = I ? I->getDebugLoc().get() : nullptr;
    return L && L->getInlinedAt();
  });
}

/// True if \p Slot holds the parameter of an inlined function.
static bool isInlinedParameter(const AllocaInst &Slot) {
  return nameText(Slot).contains(".addr") && isInlined(Slot);
}

/// The source name in the name of \p V: "h.addr.i12.i" is the inlined parameter
/// h. "n5" is a second n where there is another n. Names that no user gave are
/// empty.
static std::string plainName(const Value &V) {
  StringRef Stem = nameText(V);
  const StringRef Whole = Stem;
  // Once for each function that it was inlined through.
  for (size_t Inlined;
       (Inlined = Stem.rfind(".i")) != StringRef::npos &&
       Stem.substr(Inlined + 2).find_first_not_of("0123456789") ==
           StringRef::npos;)
    Stem = Stem.substr(0, Inlined);
  const StringRef Suffix = Whole.substr(Stem.size());
  Stem.consume_back(".addr");
  if (Stem.contains('.') || Stem.starts_with("__") || Stem == "this" ||
      Stem == "retval")
    return "";
  StringRef First = Stem.rtrim("0123456789");
  const auto *I = dyn_cast<Instruction>(&V);
  if (I && V.hasName() && First.size() != Stem.size() && !First.empty()) {
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

/// The source name of \p G without the scope it is in.
static std::string globalName(const GlobalVariable &G) {
  StringRef Name = G.getName();
  if (!Name.starts_with("_Z"))
    return Name.str();
  std::string Full = demangle(Name);
  size_t Scope = StringRef(Full).rfind("::");
  return Scope == std::string::npos ? Full : Full.substr(Scope + 2);
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
      return Full(globalName(*G));
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
          else if (StoredOn && isInlined(*Next))
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
    if (Slot && isInlinedParameter(*Slot))
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

static void recordSize(CallBase &Call, ArrayRef<unsigned> Factors) {
  std::string Text;
  for (unsigned A : Factors)
    Text += (Text.empty() ? "" : "*") + expressionText(Call.getArgOperand(A));
  LLVMContext &C = Call.getContext();
  if (Text.find_first_not_of("0123456789*+()") != std::string::npos)
    Call.setMetadata("echo.size", MDNode::get(C, MDString::get(C, Text)));
}

std::optional<std::string> recordedSize(const CallBase &Call) {
  if (const MDNode *N = Call.getMetadata("echo.size"))
    return cast<MDString>(N->getOperand(0))->getString().str();
  return std::nullopt;
}

void keepName(Instruction &I, StringRef Name) {
  LLVMContext &C = I.getContext();
  I.setMetadata(KeptName, MDNode::get(C, MDString::get(C, Name)));
}

void keepNames(Function &F) {
  for (Instruction &I : instructions(F)) {
    bool Member =
        isa<GetElementPtrInst>(I) &&
        isa<StructType>(cast<GetElementPtrInst>(I).getSourceElementType());
    if (!isa<AllocaInst>(I) && !Member)
      continue;
    std::string Name = plainName(I);
    if (!Name.empty() && I.getName().contains(".addr"))
      Name += ".addr";
    if (!Name.empty())
      keepName(I, Name);
  }
}

void recordNames(Function &F, const ModelTable &Models) {
  LLVMContext &C = F.getContext();
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || !Call->getCalledFunction())
      continue;
    std::string Name;
    const FunctionModel *M =
        Models.lookup(Call->getCalledFunction()->getName());
    bool Allocates = M && M->Allocates != FunctionModel::NotAlloc &&
                     Call->arg_size() >= M->Args.size();
    if (Allocates)
      recordSize(*Call, M->AllocSizeArgs);
    if (auto Out = Allocates ? M->allocOut() : std::nullopt) {
      Name = variableOf(Call->getArgOperand(*Out));
    } else if (Call->getType()->isPointerTy()) {
      Name = nameOfResult(*Call);
    } else if (auto Api = lookupCudaApi(Call->getCalledFunction()->getName())) {
      if (auto Arg = Api->find(ApiRole::Bytes))
        recordSize(*Call, *Arg);
      for (ApiRole R : {ApiRole::OutDev, ApiRole::OutHost, ApiRole::OutManaged,
                        ApiRole::OutStream, ApiRole::OutEvent})
        if (auto Arg = Api->find(R))
          Name = variableOf(Call->getArgOperand(*Arg));
    }
    // What was inlined later has names of its own.
    if (!Name.empty() && !recordedName(*Call))
      Call->setMetadata("echo.name", MDNode::get(C, MDString::get(C, Name)));
  }
}

void holdNames(Function &F) {
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      for (StringRef Kind : {"echo.name", "echo.size"})
        if (const MDNode *N = Call->getMetadata(Kind))
          Call->addFnAttr(
              Attribute::get(F.getContext(), Kind,
                             cast<MDString>(N->getOperand(0))->getString()));
}

void releaseNames(CallBase &Call) {
  LLVMContext &C = Call.getContext();
  for (StringRef Kind : {"echo.name", "echo.size"}) {
    Attribute Held = Call.getAttributes().getFnAttr(Kind);
    if (!Held.isValid())
      continue;
    Call.setMetadata(Kind,
                     MDNode::get(C, MDString::get(C, Held.getValueAsString())));
    Call.removeFnAttr(Kind);
  }
}

std::optional<std::string> recordedName(const CallBase &Call) {
  if (const MDNode *N = Call.getMetadata("echo.name"))
    return cast<MDString>(N->getOperand(0))->getString().str();
  return std::nullopt;
}

std::string shortName(StringRef Mangled) {
  std::string Full = demangle(Mangled.str());
  StringRef Name = StringRef(Full).split('(').first;
  if (size_t Space = Name.rfind(' ');
      Space != StringRef::npos && !Name.contains('<'))
    Name = Name.substr(Space + 1);
  return Name.str();
}

} // namespace echo
