//===- Groups.cpp - What echort is told of a merged group -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fills in an EchoGroup (runtime/abi/EchoRt.h) from what was decided.
//
//===----------------------------------------------------------------------===//
#include "Transform/Emit/Groups.h"
#include "Analysis/Api/CudaApi.h"
#include "Analysis/Api/Models.h"
#include "Analysis/Decision/Decide.h"
#include "Analysis/Decision/Describe.h"
#include "Support/RuntimeFunction.h"
#include "Transform/Emit/RealCopies.h"
#include "runtime/abi/EchoRt.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace echo {

/// CUDA's textureAlignment, of all devices.
static constexpr uint64_t TextureAlignment = 512;

/// All other allocators call these.
static constexpr StringLiteral Allocators[] = {"malloc", "free", "_Znwm",
                                               "_ZdlPv"};

/// True if \p F, of \p Model, may be the program's own, which a decision would
/// not know.
static bool mayBeOwn(const Function &F, const FunctionModel &Model,
                     const ModelTable &Models) {
  bool Relied = (Model.OfSystem && !Model.usesHeap()) ||
                (Model.usesHeap() && Models.trustsAllocators());
  // What begins so belongs to the compiler and its libraries; _Zn and _Zd are
  // the operators new and delete.
  bool Reserved = F.getName().starts_with("_") && !Model.usesHeap();
  bool Allocator = is_contained(Allocators, F.getName());
  return Relied && !Reserved && F.isDeclaration() &&
         (Allocator || !F.use_empty());
}

/// True if \p M uses a function of the C++ library, or zlib's files.
static bool usesCxx(const Module &M) {
  return any_of(M, [](const Function &F) {
    const StringRef Name = F.getName();
    return F.isDeclaration() && !F.use_empty() &&
           (Name.starts_with("_ZNSt") || Name.starts_with("_ZNKSt") ||
            Name.starts_with("_ZNSo") || Name.starts_with("_ZNSi") ||
            Name.starts_with("_ZSt") || Name.starts_with("_Zn") ||
            Name.starts_with("_Zd") || Name.starts_with("gz"));
  });
}

/// LLVM makes calls of these from others, where the module declares them as the
/// library does or not at all.
static bool isMadeByLLVM(StringRef Name) {
  return any_of(ArrayRef<StringRef>{"mem", "wmem", "str", "wcs", "fput",
                                    "fwrite", "fprintf", "sprintf",
                                    "vsnprintf"},
                [&](StringRef Start) { return Name.starts_with(Start); });
}

/// Declares what the library's functions call, so that the table has it: the
/// allocators, and where the unit uses the C++ library, what that calls of the
/// C library.
static void declareCalledByLibrary(Module &M, const ModelTable &Models) {
  LLVMContext &C = M.getContext();
  const bool Cxx = usesCxx(M);
  auto *Unknown = FunctionType::get(Type::getVoidTy(C), false);
  for (StringRef Name : Allocators) {
    if (M.getNamedValue(Name) || (Name.starts_with("_") && !Cxx))
      continue;
    const bool Frees = Name == "free" || Name == "_ZdlPv";
    auto *Ptr = PointerType::get(C, 0);
    auto *I64 = Type::getInt64Ty(C);
    M.getOrInsertFunction(
        Name, Frees ? FunctionType::get(Type::getVoidTy(C), {Ptr}, false)
                    : FunctionType::get(Ptr, {I64}, false));
  }
  if (!Cxx)
    return;
  SmallVector<StringRef, 64> Names;
  for (const auto &Row : Models.allTraits())
    if (Row.second & CalledByCxx && !M.getNamedValue(Row.first()) &&
        !isMadeByLLVM(Row.first()))
      Names.push_back(Row.first());
  llvm::sort(Names); // the table has their order
  for (StringRef Name : Names)
    cast<Function>(M.getOrInsertFunction(Name, Unknown).getCallee())
        ->setLinkage(GlobalValue::ExternalWeakLinkage);
}

static constexpr StringLiteral TableName = "echo.functions";

/// A constant with \p Text in \p M.
static GlobalVariable *textIn(Module &M, StringRef Text) {
  Constant *Bytes = ConstantDataArray::getString(M.getContext(), Text);
  auto *Var =
      new GlobalVariable(M, Bytes->getType(), true, GlobalValue::PrivateLinkage,
                         Bytes, "echo.name");
  Var->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return Var;
}

void addFunctionTable(Module &M, const ModelTable &Models) {
  if (M.getNamedValue(TableName))
    return;
  LLVMContext &C = M.getContext();
  auto *Entry =
      irStructType(M.getContext(), &EchoFunction::name, &EchoFunction::address);
  SmallVector<Constant *, 32> Entries, LeftOut;
  declareCalledByLibrary(M, Models);
  for (Function &F : M) {
    if (!F.isDeclaration())
      continue;
    const FunctionModel *Model = Models.lookup(F.getName());
    const bool Relied = (Model && mayBeOwn(F, *Model, Models)) ||
                        Models.traits(F.getName()) & CalledByCxx;
    const bool Allocates = Model && Model->usesHeap() &&
                           (Model->OfSystem || F.getName().starts_with("_Z"));
    const bool MayLeaveOut =
        is_contained(Allocators, F.getName()) ||
        (!F.use_empty() && (lookupCudaApi(F.getName()) || Allocates));
    if (Relied || MayLeaveOut)
      (Relied ? Entries : LeftOut)
          .push_back(ConstantStruct::get(Entry, {textIn(M, F.getName()), &F}));
  }
  if (Entries.empty() && LeftOut.empty())
    return;
  Entries.push_back(ConstantStruct::get(
      Entry,
      {textIn(M, ""), ConstantPointerNull::get(PointerType::get(C, 0))}));
  append_range(Entries, LeftOut);
  Entries.push_back(Constant::getNullValue(Entry));
  auto *Type = ArrayType::get(Entry, Entries.size());
  // Not constant: the dynamic linker fills it in.
  new GlobalVariable(M, Type, false, GlobalValue::InternalLinkage,
                     ConstantArray::get(Type, Entries), TableName);
}

uint32_t premisesOf(const FunctionDecision &Decision) {
  // An added wait for work that waits for the host would never end.
  return Decision.effects().premises() |
         (Decision.addedWaits().empty() ? 0 : ECHO_RELIES_held);
}

/// True if echort cannot tell from a copy of \p P which bytes of which buffers
/// it moves.
static bool cannotBeWatched(const Function &View, const Effects &Events,
                            const PairDecision &P) {
  return P.P.Grown || llvm::any_of(View, [&](const BasicBlock &BB) {
           return llvm::any_of(Events.in(&BB), [&](const Event &E) {
             return P.P.mayLink(E) || (P.P.links(E) && !E.Bytes);
           });
         });
}

/// The EchoGroupFlags of \p Pairs.
static uint32_t groupFlags(Function &View, const FunctionDecision &Decision,
                           ArrayRef<const PairDecision *> Pairs) {
  const PairDecision &D = *Pairs.front();
  bool Quiescent = llvm::all_of(
      Pairs, [](const PairDecision *P) { return P->Report.Quiescent; });
  bool Guarded = llvm::any_of(
      Pairs, [](const PairDecision *P) { return P->ComparesSizes; });
  uint32_t Flags = Quiescent ? ECHO_GROUP_QUIESCENT : 0;
  if (Decision.effects().observesDevice())
    Flags |= ECHO_GROUP_OBSERVED;
  if (D.NeedsLateCuda)
    Flags |= ECHO_GROUP_LATE_CUDA;
  if (llvm::all_of(Pairs, [](const PairDecision *P) { return P->CudaFollows; }))
    Flags |= ECHO_GROUP_CUDA_FOLLOWS;
  uint32_t Relies = premisesOf(Decision);
  if (Decision.objects()[D.P.Host].isPinned()) {
    Flags |= ECHO_GROUP_PINNED_HOST;
    Relies &= ~ECHO_RELIES_heap;
  }
  Flags |= Relies << ECHO_GROUP_RELIES_SHIFT;
  if (Guarded && !D.P.Grown)
    Flags |= ECHO_GROUP_SAME_SIZE;
  if (llvm::any_of(Pairs,
                   [](const PairDecision *P) { return P->isAssumed(); })) {
    Flags |= ECHO_GROUP_ASSUMED;
    if (llvm::any_of(Pairs, [&](const PairDecision *P) {
          return cannotBeWatched(View, Decision.effects(), *P);
        }))
      Flags |= ECHO_GROUP_UNWATCHED;
  }
  uint64_t Alignment = 1;
  for (const PairDecision *P : Pairs) {
    if (Decision.objects()[P->P.Host].What == MemoryObject::New)
      Flags |= ECHO_GROUP_BY_NEW;
    Alignment = std::max(Alignment, Decision.objects()[P->P.Host].Alignment);
    if (P->With == Sharing::Joined)
      Flags |= ECHO_GROUP_TWO_HOSTS;
    if (isCopiedAsDevices(View, Decision, *P))
      Flags |= ECHO_GROUP_OWN_COPY;
    if (Decision.effects().isTextured(P->P.Device)) {
      Flags |= ECHO_GROUP_TEXTURED;
      Alignment = std::max(Alignment, TextureAlignment);
    }
  }
  return Flags | Log2_64(Alignment) << ECHO_GROUP_ALIGN_SHIFT;
}

GlobalVariable *groupFor(Function &View, const FunctionDecision &Decision,
                         uint64_t MinBytes,
                         ArrayRef<const PairDecision *> Pairs) {
  Module &M = *View.getParent();
  LLVMContext &C = M.getContext();
  auto *I32 = Type::getInt32Ty(C), *I64 = Type::getInt64Ty(C);
  auto *Ptr = PointerType::get(C, 0);
  SetVector<StringRef> Places; // of hosts, then of devices
  std::vector<std::string> Texts;
  for (const PairDecision *P : Pairs)
    Texts.push_back(placeText(P->Report.Host));
  for (const PairDecision *P : Pairs)
    Texts.push_back(placeText(P->Report.Device));
  Places.insert(Texts.begin(), Texts.end());
  GlobalVariable *Name = textIn(M, join(Places, " + "));
  auto *Type = irStructType(C, &EchoGroup::version, &EchoGroup::flags,
                            &EchoGroup::name, &EchoGroup::runtime,
                            &EchoGroup::minBytes, &EchoGroup::functions);
  Constant *Table = M.getNamedGlobal(TableName);
  Constant *Init = ConstantStruct::get(
      Type, {ConstantInt::get(I32, ECHO_RT_ABI_VERSION),
             ConstantInt::get(I32, groupFlags(View, Decision, Pairs)), Name,
             ConstantPointerNull::get(Ptr), ConstantInt::get(I64, MinBytes),
             Table ? Table : ConstantPointerNull::get(Ptr)});
  return new GlobalVariable(M, Type, false, GlobalValue::InternalLinkage, Init,
                            "echo.group");
}

} // namespace echo
