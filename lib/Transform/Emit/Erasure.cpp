//===- Erasure.cpp - Is the emitted program clang's plus echort? ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both forms are copies. What the answers of echort decide is folded, what only
// its calls used is deleted, and blocks that were split are joined, in both
// forms alike. LLVM's FunctionComparator compares them.
//
//===----------------------------------------------------------------------===//
#include "Transform/Emit/Erasure.h"
#include "Support/DeviceCode.h"
#include "Transform/Body/FunctionCopies.h"
#include "Transform/Emit/SharedCalls.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/StructuralHash.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/FunctionComparator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

static cl::opt<bool>
    CheckErasure("echo-check-erasure", cl::Hidden,
                 cl::desc("Compare what Echo emits with what clang made"));

namespace echo {

static constexpr StringRef OwnVariable = "echo.variable";

void markOwnVariable(AllocaInst &Slot) {
  Slot.setMetadata(OwnVariable, MDNode::get(Slot.getContext(), {}));
}

bool ErasureCheck::isOn() {
  return CheckErasure || sys::Process::GetEnv("ECHO_CHECK_ERASURE") == "1";
}

static bool isCallOfEchort(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->getName().starts_with("echort_");
}

namespace {
/// Answers the calls of echort in one function.
class Eraser {
public:
  explicit Eraser(Function &F) : F(F) {}
  void run();

private:
  void answer(Instruction &I);
  void fold();

  Function &F;
  SmallVector<WeakTrackingVH, 32> Work; ///< may be constant now
};
} // namespace

/// Replaces \p I by null or zero.
void Eraser::answer(Instruction &I) {
  for (User *U : I.users())
    Work.push_back(U);
  if (!I.getType()->isVoidTy())
    I.replaceAllUsesWith(Constant::getNullValue(I.getType()));
  I.eraseFromParent();
}

/// Folds what depends on an answer.
void Eraser::fold() {
  const DataLayout &DL = F.getDataLayout();
  while (!Work.empty()) {
    auto *I = dyn_cast_or_null<Instruction>(Work.pop_back_val());
    if (!I || !I->getParent())
      continue;
    Constant *Value = ConstantFoldInstruction(I, DL);
    if (auto *Select = dyn_cast<SelectInst>(I))
      if (auto *If = dyn_cast<ConstantInt>(Select->getCondition())) {
        llvm::Value *Chosen =
            If->isZero() ? Select->getFalseValue() : Select->getTrueValue();
        for (User *U : I->users())
          Work.push_back(U);
        Select->replaceAllUsesWith(Chosen);
        Select->eraseFromParent();
        continue;
      }
    if (auto *And = dyn_cast<BinaryOperator>(I);
        !Value && And && And->getOpcode() == Instruction::And &&
        llvm::any_of(And->operands(), [](const Use &U) {
          const auto *C = dyn_cast<ConstantInt>(U);
          return C && C->isZero();
        }))
      Value = Constant::getNullValue(I->getType());
    if (!Value)
      continue;
    for (User *U : I->users())
      Work.push_back(U);
    I->replaceAllUsesWith(Value);
    I->eraseFromParent();
  }
}

void Eraser::run() {
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (isCallOfEchort(I))
      answer(I);
  SmallVector<AllocaInst *, 8> Slots;
  for (Instruction &I : instructions(F))
    if (auto *Slot = dyn_cast<AllocaInst>(&I);
        Slot && Slot->hasMetadata(OwnVariable))
      Slots.push_back(Slot);
  for (AllocaInst *Slot : Slots) {
    for (User *U : make_early_inc_range(Slot->users()))
      answer(*cast<Instruction>(U));
    Slot->eraseFromParent();
  }
  fold();
  for (BasicBlock &BB : F)
    ConstantFoldTerminator(&BB, /*DeleteDeadConditions=*/true);
}

/// Lets the invoke before \p BB, which does nothing, continue where BB does.
static void skipEmptyBlock(BasicBlock &BB) {
  auto *Invoke = dyn_cast_or_null<InvokeInst>(
      BB.getSinglePredecessor() ? BB.getSinglePredecessor()->getTerminator()
                                : nullptr);
  auto *Br = dyn_cast<BranchInst>(&BB.front());
  if (!Invoke || !Br || Br->isConditional() || Invoke->getNormalDest() != &BB ||
      Br->getSuccessor(0) == &BB)
    return;
  Br->getSuccessor(0)->replacePhiUsesWith(&BB, Invoke->getParent());
  Invoke->setNormalDest(Br->getSuccessor(0));
}

static void dropUnused(Function &F) {
  SmallVector<WeakTrackingVH, 32> Dead;
  for (Instruction &I : instructions(F)) {
    I.dropDbgRecords();
    if (isInstructionTriviallyDead(&I))
      Dead.push_back(&I);
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Dead);
}

/// Joins what was split, and drops what nothing uses.
static void bringIntoOrder(Function &F) {
  removeUnreachableBlocks(F);
  for (BasicBlock &BB : F)
    FoldSingleEntryPHINodes(&BB);
  dropUnused(F);
  auto Join = [&] {
    for (BasicBlock &BB : make_early_inc_range(F))
      MergeBlockIntoPredecessor(&BB);
  };
  Join();
  for (BasicBlock &BB : F)
    skipEmptyBlock(BB);
  removeUnreachableBlocks(F);
  Join();
  dropUnused(F);
}

FunctionHashes::FunctionHashes(ArrayRef<Function *> Functions) {
  for (const Function *F : Functions)
    Hashes[F] = StructuralHash(*F, /*DetailedHash=*/true);
}

void FunctionHashes::check() const {
  for (auto [F, Hash] : Hashes)
    if (StructuralHash(*F, /*DetailedHash=*/true) != Hash)
      report_fatal_error(Twine("echo: the function '") + F->getName() +
                             "' was changed while its pairs were decided",
                         /*gen_crash_diag=*/false);
}

ErasureCheck::ErasureCheck(Module &M, const CallNumbers &Numbers)
    : Numbers(Numbers) {
  SmallVector<Function *, 64> All;
  for (Function &F : M)
    if (!F.isDeclaration() && !isDeviceCode(F) &&
        llvm::none_of(
            F, [](const BasicBlock &BB) { return BB.hasAddressTaken(); }))
      All.push_back(&F);
  for (Function *F : All)
    AsWritten[F] = echo::copyOf(*F, ".echo.written");
}

ErasureCheck::~ErasureCheck() {
  for (auto [F, Copy] : AsWritten)
    Copy->eraseFromParent();
}

void ErasureCheck::inlined(Function &F, const std::vector<Body::Step> &Steps) {
  Function *Copy = AsWritten.lookup(&F);
  if (!Copy)
    return;
  // Callers are worked on first: into what they inline nothing was inlined.
  Body B(*Copy, Numbers, [&](Function &Callee) {
    Function *Code = AsWritten.lookup(&Callee);
    return Code ? Code : &Callee;
  });
  for (const Body::Step &S : Steps)
    B.inlineAt(S.Path, *S.Callee);
}

/// Says where \p Emitted and \p Written part.
[[noreturn]] static void reportDifference(const Function &F, Function &Emitted,
                                          Function &Written) {
  auto Text = [](const Instruction *I) {
    std::string Line;
    raw_string_ostream(Line) << *I;
    return Line;
  };
  auto E = inst_begin(Emitted), W = inst_begin(Written);
  while (E != inst_end(Emitted) && W != inst_end(Written) &&
         E->isSameOperationAs(&*W))
    ++E, ++W;
  if (sys::Process::GetEnv("ECHO_CHECK_ERASURE_SHOW"))
    errs() << Emitted << "\n" << Written << "\n";
  report_fatal_error(
      Twine("echo: the emitted function '") + F.getName() +
          "' is not clang's code plus calls of echort; the first difference "
          "is at\n  emitted: " +
          (E == inst_end(Emitted) ? "(end)" : Text(&*E)) +
          "\n  clang's: " + (W == inst_end(Written) ? "(end)" : Text(&*W)),
      /*gen_crash_diag=*/false);
}

void ErasureCheck::check() {
  GlobalNumberState Numbered;
  // A virtual call that was inlined asks whether it calls the copy.
  for (auto [F, Written] : AsWritten)
    Written->replaceAllUsesWith(F);
  for (auto [F, Written] : AsWritten) {
    Function *Emitted = echo::copyOf(*F, ".echo.erased");
    inlineSharedCalls(*Emitted);
    Eraser(*Emitted).run();
    for (Function *Form : {Emitted, Written}) {
      dropCallPaths(*Form);
      bringIntoOrder(*Form);
      // Recursion: the comparator takes a call of the function for one.
      F->replaceUsesWithIf(Form, [&](Use &U) {
        auto *I = dyn_cast<Instruction>(U.getUser());
        return I && I->getFunction() == Form;
      });
    }
    if (FunctionComparator(Emitted, Written, &Numbered).compare() != 0)
      reportDifference(*F, *Emitted, *Written);
    // Their calls of themselves.
    Emitted->replaceAllUsesWith(F);
    Emitted->eraseFromParent();
    Written->replaceAllUsesWith(F);
  }
}

} // namespace echo
