//===- SharedCalls.cpp - One function for calls of one form ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Transform/Emit/SharedCalls.h"
#include "Support/RuntimeFunction.h"
#include "Transform/Body/CallPaths.h"
#include "Transform/Emit/Unlinked.h"
#include "runtime/abi/EchoRt.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

static cl::opt<bool> ShareCalls("echo-share-calls", cl::Hidden, cl::init(true),
                                cl::desc("One function for calls of one form"));

namespace echo {

static constexpr StringRef Mark = "echo-shared-call";

/// True if another function may make \p Call in the same way.
static bool mayMove(const CallBase &Call) {
  const auto *Plain = dyn_cast<CallInst>(&Call);
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || Callee->isVarArg() || Call.hasOperandBundles() ||
      Call.getFunctionType() != Callee->getFunctionType() ||
      (Plain && Plain->isMustTailCall()) || (!Plain && !isa<InvokeInst>(Call)))
    return false;
  return llvm::none_of(Call.args(), [&](const Use &U) {
    unsigned Arg = Call.getArgOperandNo(&U);
    return Call.isPassPointeeByValueArgument(Arg) ||
           Call.paramHasAttr(Arg, Attribute::StructRet) ||
           Call.paramHasAttr(Arg, Attribute::ImmArg);
  });
}

static unsigned tailKind(const CallBase &Call) {
  const auto *Plain = dyn_cast<CallInst>(&Call);
  return Plain ? Plain->getTailCallKind() : CallInst::TCK_None;
}

void SharedCalls::add(CallBase &Call, std::string Name, ArrayRef<Value *> More,
                      Form Build, ArrayRef<CallShape> Shapes, bool Fresh) {
  Function *Callee = mayMove(Call) ? Call.getCalledFunction() : nullptr;
  Site S{&Call, SmallVector<Value *, 2>(More)};
  if (!Callee)
    return Groups.push_back({std::move(Build), Fresh, {std::move(S)}});
  auto [It, New] =
      Numbers.try_emplace({Callee, Call.getFunctionType(),
                           attributesWithoutPath(Call).getRawPointer(),
                           tailKind(Call) + 8 * Call.getCallingConv(),
                           std::move(Name) + " " + utostr(More.size())},
                          Groups.size());
  if (New)
    Groups.push_back(
        {std::move(Build), Fresh, {}, SmallVector<CallShape, 2>(Shapes)});
  Groups[It->second].Sites.push_back(std::move(S));
}

void SharedCalls::addAlone(CallBase &Call, Form Build) {
  Groups.push_back({std::move(Build), false, {{&Call, {}}}});
}

AttrBuilder attributesLike(const Function &Like) {
  AttrBuilder B(Like.getContext());
  // Not what lets the program see that a function runs
  // (-finstrument-functions).
  for (StringRef Name : {"target-cpu", "target-features", "tune-cpu",
                         "target-abi", "frame-pointer", "probe-stack",
                         "stack-probe-size", "branch-target-enforcement",
                         "sign-return-address", "sign-return-address-key"})
    if (Like.hasFnAttribute(Name))
      B.addAttribute(Like.getFnAttribute(Name));
  for (Attribute::AttrKind Kind :
       {Attribute::UWTable, Attribute::SanitizeAddress,
        Attribute::SanitizeThread, Attribute::SanitizeMemory,
        Attribute::SanitizeHWAddress, Attribute::ShadowCallStack,
        Attribute::NonLazyBind})
    if (Like.hasFnAttribute(Kind))
      B.addAttribute(Like.getFnAttribute(Kind));
  return B;
}

/// A function of the name \p Name with the operands of \p G's calls and what
/// else their form reads.
static Function *declareShared(CallBase &First, ArrayRef<Value *> More,
                               GlobalValue::LinkageTypes Linkage,
                               const Twine &Name) {
  Function &User = *First.getFunction();
  SmallVector<Type *, 8> Types;
  for (const Use &Arg : First.args())
    Types.push_back(Arg->getType());
  for (const Value *V : More)
    Types.push_back(V->getType());
  Function *Shared =
      Function::Create(FunctionType::get(First.getType(), Types, false),
                       Linkage, User.getAddressSpace(), Name, User.getParent());
  Shared->addFnAttrs(attributesLike(User));
  Shared->addFnAttr(Mark);
  for (Attribute::AttrKind Kind :
       {Attribute::NoInline, Attribute::MinSize, Attribute::OptimizeForSize})
    Shared->addFnAttr(Kind);
  return Shared;
}

/// Lets \p Shared make the call that \p First is. Returns the call inside.
static CallInst *makeCallIn(Function &Shared, CallBase &First) {
  // The call inside is as clang made those outside.
  IRBuilder<> B(BasicBlock::Create(Shared.getContext(), "", &Shared));
  SmallVector<Value *, 8> Args;
  for (Argument &A : Shared.args())
    Args.push_back(&A);
  CallInst *Inner =
      B.CreateCall(First.getFunctionType(), First.getCalledOperand(),
                   ArrayRef(Args).take_front(First.arg_size()));
  Inner->setAttributes(attributesWithoutPath(First));
  Inner->setCallingConv(First.getCallingConv());
  Inner->setTailCallKind(CallInst::TailCallKind(tailKind(First)));
  if (First.getType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(Inner);
  return Inner;
}

namespace {
/// A row of Calls.def.
struct EntryRow {
  StringRef Callee;
  CallShape Shape;
  RuntimeFunction Entry;
};
} // namespace

/// echort's function that makes calls of \p Callee in one of \p Shapes.
static const EntryRow *findEntry(const Function &Callee,
                                 ArrayRef<CallShape> Shapes) {
#define ECHO_CALL(Name, Shape)                                                 \
  {#Name, CallShape::Shape, ECHO_FUNCTION(echo_call_##Name)},
  static const EntryRow Rows[] = {
#include "runtime/abi/Calls.def"
  };
  for (const EntryRow &Row : Rows)
    if (Row.Callee == Callee.getName() && is_contained(Shapes, Row.Shape))
      return &Row;
  return nullptr;
}

/// The object's definition of echort's function for the calls of \p G, which
/// makes the call; null if echort has none for them.
Function *SharedCalls::makeEntry(const Group &G) {
  CallBase &First = *G.Sites.front().Call;
  if (G.Shapes.empty() || First.getCallingConv() != CallingConv::C)
    return nullptr;
  const EntryRow *Row = findEntry(*First.getCalledFunction(), G.Shapes);
  if (!Row)
    return nullptr;
  Module &M = *First.getModule();
  if (Function *Known = M.getFunction(Row->Entry.Name)) {
    // For calls that clang made in the same way.
    const auto *Inner =
        Known->hasFnAttribute(Mark)
            ? dyn_cast<CallInst>(&Known->getEntryBlock().front())
            : nullptr;
    return Inner && Inner->getAttributes() == attributesWithoutPath(First) &&
                   Inner->getTailCallKind() ==
                       CallInst::TailCallKind(tailKind(First))
               ? Known
               : nullptr;
  }
  Function *Entry = declareShared(First, G.Sites.front().More,
                                  GlobalValue::WeakAnyLinkage, Row->Entry.Name);
  if (Entry->getFunctionType() != Row->Entry.Type(M.getContext())) {
    Entry->eraseFromParent(); // declared otherwise
    return nullptr;
  }
  // As echort's other functions: of this shared object, or of none.
  Entry->setVisibility(GlobalValue::HiddenVisibility);
  Entry->setDSOLocal(true);
  if (First.doesNotThrow())
    Entry->setDoesNotThrow();
  makeCallIn(*Entry, First);
  if (Row->Shape == CallShape::DeviceMemory)
    sayUnlinked(*Entry);
  return Entry;
}

/// An internal function for the calls of \p G.
Function *SharedCalls::makeShared(const Group &G) {
  CallBase &First = *G.Sites.front().Call;
  Function *Shared =
      declareShared(First, G.Sites.front().More, GlobalValue::InternalLinkage,
                    "echo." + First.getCalledFunction()->getName());
  CallInst *Inner = makeCallIn(*Shared, First);
  SmallVector<Value *, 2> More;
  for (Argument &A : drop_begin(Shared->args(), First.arg_size()))
    More.push_back(&A);
  G.Build(*Inner, More);
  return Shared;
}

/// Lets the calls of \p G call \p Shared.
void SharedCalls::redirect(const Group &G, Function &Shared) {
  for (const Site &S : G.Sites) {
    SmallVector<Value *, 8> Operands(S.Call->args());
    append_range(Operands, S.More);
    CallBase *New;
    if (auto *Invoke = dyn_cast<InvokeInst>(S.Call)) {
      New = InvokeInst::Create(&Shared, Invoke->getNormalDest(),
                               Invoke->getUnwindDest(), Operands, "",
                               S.Call->getIterator());
    } else {
      auto *Plain =
          CallInst::Create(&Shared, Operands, "", S.Call->getIterator());
      Plain->setTailCallKind(CallInst::TailCallKind(tailKind(*S.Call)));
      New = Plain;
    }
    // As far as clang says so of the call: not with sanitizers.
    if (G.Fresh && S.Call->returnDoesNotAlias())
      New->addRetAttr(Attribute::NoAlias);
    New->setDebugLoc(S.Call->getDebugLoc());
    New->takeName(S.Call);
    S.Call->replaceAllUsesWith(New);
    S.Call->eraseFromParent();
  }
}

void SharedCalls::apply() {
  for (const Group &G : Groups)
    if (Function *Entry = ShareCalls ? makeEntry(G) : nullptr)
      redirect(G, *Entry);
    else if (G.Sites.size() > 1 && ShareCalls)
      redirect(G, *makeShared(G));
    else
      for (const Site &S : G.Sites)
        G.Build(*S.Call, S.More);
  Groups.clear();
  Numbers.clear();
}

void inlineSharedCalls(Function &F) {
  SmallVector<CallBase *, 16> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (const Function *Callee = Call->getCalledFunction();
          Callee && Callee->hasFnAttribute(Mark))
        Calls.push_back(Call);
  for (CallBase *Call : Calls) {
    InlineFunctionInfo Info;
    InlineFunction(*Call, Info);
  }
}

} // namespace echo
