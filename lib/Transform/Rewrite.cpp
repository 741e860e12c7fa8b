//===- Rewrite.cpp - Rules R1 to R4 on one function -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// R1: ask echort for the merged block before each allocation. R2 needs nothing:
// both pointers come out equal. R3: a linking copy between equal pointers
// becomes echort_linking_copy; one that runs is told to echort first, which may
// pin the host side. R4: frees ask echort first.
//
//===----------------------------------------------------------------------===//
#include "Transform/Rewrite.h"
#include "Analysis/Checks.h"
#include "Analysis/Decide.h"
#include "Analysis/Names.h"
#include "Transform/ByteCounts.h"
#include "Transform/CopyKinds.h"
#include "Transform/DeviceBases.h"
#include "Transform/Groups.h"
#include "Transform/MakeRoom.h"
#include "Transform/RealCopies.h"
#include "runtime/abi/EchoRt.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace echo {

namespace {
class Rewriter {
public:
  Rewriter(Function &F, const FunctionDecision &Decision, const LoopInfo &LI,
           bool PerThread, uint64_t MinBytes)
      : F(F), LI(LI), M(*F.getParent()), C(M.getContext()), Decision(Decision),
        Bases(F, Decision), PerThread(PerThread), MinBytes(MinBytes),
        Ptr(PointerType::get(C, 0)), I32(Type::getInt32Ty(C)),
        I64(Type::getInt64Ty(C)) {}
  void run();

private:
  /// Rewrites one allocation; \p Slot holds the partner's address, or is null
  /// for the allocation that comes first. Returns the buffer's address.
  /// \p Given, if not null, receives what echort answered; of a \p Grown pair
  /// only a block. The block gets at least \p Room bytes.
  Instruction *allocate(const MemoryObject &O, AllocaInst *Slot,
                        AllocaInst *Given, GlobalVariable *Group, bool Grown,
                        uint64_t Room = 0);
  /// A variable for an address: null at the start of each activation, and of
  /// each iteration of the loop with \p LoopHeader if there is one.
  AllocaInst *variable(BasicBlock *LoopHeader, const Twine &Name);
  /// \p Given: the variable of what echort answered for the host side, or null
  /// if the program pinned that.
  void copy(const PairDecision &D, CallInst &Call, const Event &E,
            GlobalVariable *Group, AllocaInst *Given);
  /// The call of sync(c) for copy \p Call: its stream, its default stream.
  /// \p Part: the merged block of which it copies a part, and where that ends.
  Value *syncOf(IRBuilder<> &B, const CallInst &Call, GlobalVariable *Group,
                uint32_t Kind, Value *Bytes, uint32_t Flags,
                ArrayRef<Value *> Part = {});
  /// Lets the host wait at \p Call, a copy that may run for real although
  /// its host side is a merged block. CUDA promises of host memory that a
  /// synchronous copy, and of pageable memory that any copy, is done with it on
  /// return; of other kinds it does not in all versions. \p Blocks: variables.
  /// Or lets order stay behind \p Call, a copy or set that may fail. \p Kind:
  /// the order of which kind of copy. It goes in front of \p Place, which is
  /// \p Call itself where the wait has to come before it.
  void orderAt(Instruction &Place, CallInst &Call,
               ArrayRef<AllocaInst *> Blocks, GlobalVariable *Group,
               uint32_t Kind, uint32_t Flags);
  void release(CallBase &Call, unsigned Role);
  /// Lets the variable \p Slot forget the buffer that \p Call frees.
  void forget(CallBase &Call, AllocaInst *Slot);
  /// Lets echort move the content where realloc \p Call gets a merged block, or
  /// makes \p Block, which echort answered. Returns the buffer's address.
  Instruction *resize(CallBase &Call, Value *Block);
  /// Lets \p Original run only where \p Merged (built before it) is false.
  /// \p BuildMerged fills the block for merged mode and gives the result there,
  /// or null. Returns the joined result, or null.
  PHINode *branch(CallBase &Original, Value *Merged,
                  function_ref<Value *(IRBuilder<> &)> BuildMerged);
  void collectFrees();
  /// True if \p Object is in a pair that merges.
  bool isAccepted(int Object) const;
  /// Merges \p Pairs, which have in common the buffer that is allocated before
  /// their others; or the other one, where only one of the first exists.
  void merge(ArrayRef<const PairDecision *> Pairs);
  FunctionCallee runtime(StringRef Name, Type *Result, ArrayRef<Type *> Args);

  Function &F;
  const LoopInfo &LI; ///< of the function before the rewrite
  Module &M;
  LLVMContext &C;
  const FunctionDecision &Decision;
  DeviceBases Bases;
  bool PerThread;
  uint64_t MinBytes;
  PointerType *Ptr;
  Type *I32, *I64;
  DenseMap<unsigned, BasicBlock *> Headers; ///< by first object
  SmallVector<std::pair<CallBase *, unsigned>, 8> Frees;
  DenseMap<unsigned, SmallVector<CallBase *, 2>> FreesOf; ///< by object
  DenseMap<const CallBase *, Instruction *> Releases; ///< asked before a free
  SetVector<CallBase *> Resizes;              ///< that may free a merged buffer
  SmallPtrSet<const Instruction *, 4> Chosen; ///< E.chooses(), rewritten
};

} // namespace

FunctionCallee Rewriter::runtime(StringRef Name, Type *Result,
                                 ArrayRef<Type *> Args) {
  FunctionCallee Fn =
      M.getOrInsertFunction(Name, FunctionType::get(Result, Args, false));
  auto *Declared = cast<Function>(Fn.getCallee());
  if (Declared->isDeclaration()) {
    // Where another tool links, without echort, every answer is "do what the
    // program wrote". echort's own definitions win over weak ones.
    Declared->setLinkage(GlobalValue::WeakAnyLinkage);
    Declared->setDoesNotThrow();
    Declared->addFnAttr(Attribute::NoInline);
    ReturnInst::Create(
        C, Result->isVoidTy() ? nullptr : Constant::getNullValue(Result),
        BasicBlock::Create(C, "", Declared));
  }
  return Fn;
}

PHINode *Rewriter::branch(CallBase &Original, Value *Merged,
                          function_ref<Value *(IRBuilder<> &)> BuildMerged) {
  BasicBlock *Head = Original.getParent();
  DebugLoc Loc = Original.getDebugLoc();
  auto *Invoke = dyn_cast<InvokeInst>(&Original);
  // Head | SplitBlock: the original call | Tail: what follows.
  BasicBlock *SplitBlock = Head->splitBasicBlock(&Original, "echo.split");
  BasicBlock *Tail;
  if (Invoke) {
    BasicBlock *Normal = Invoke->getNormalDest();
    Tail = BasicBlock::Create(C, "echo.join", &F, Normal);
    BranchInst::Create(Normal, Tail);
    Normal->replacePhiUsesWith(SplitBlock, Tail);
    Invoke->setNormalDest(Tail);
  } else {
    // What the debugger is told of the result goes where the result is joined.
    BasicBlock::iterator Next = std::next(Original.getIterator());
    Next.setHeadBit(true);
    Tail = SplitBlock->splitBasicBlock(Next, "echo.join");
  }
  BasicBlock *MergedBlock =
      BasicBlock::Create(C, "echo.merged", &F, SplitBlock);
  IRBuilder<> AtHead(Head->getTerminator());
  AtHead.SetCurrentDebugLocation(Loc);
  AtHead.CreateCondBr(Merged, MergedBlock, SplitBlock);
  Head->getTerminator()->eraseFromParent();
  IRBuilder<> AtMerged(MergedBlock);
  AtMerged.SetCurrentDebugLocation(Loc);
  Value *Result = BuildMerged(AtMerged);
  AtMerged.CreateBr(Tail);
  if (!Result)
    return nullptr;
  PHINode *Phi = PHINode::Create(Original.getType(), 2, "", Tail->begin());
  Phi->setDebugLoc(Loc);
  Original.replaceAllUsesWith(Phi);
  Phi->addIncoming(Result, MergedBlock);
  Phi->addIncoming(&Original, SplitBlock);
  return Phi;
}

AllocaInst *Rewriter::variable(BasicBlock *LoopHeader, const Twine &Name) {
  BasicBlock &Entry = F.getEntryBlock();
  IRBuilder<> B(&Entry, Entry.begin());
  AllocaInst *Slot = B.CreateAlloca(Ptr, nullptr, Name);
  auto *Null = ConstantPointerNull::get(Ptr);
  B.SetInsertPoint(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
  B.CreateStore(Null, Slot);
  if (LoopHeader) {
    B.SetInsertPoint(LoopHeader, LoopHeader->getFirstInsertionPt());
    B.CreateStore(Null, Slot);
  }
  return Slot;
}

static BasicBlock::iterator afterDefinition(Instruction &I) {
  if (isa<PHINode>(I))
    return I.getParent()->getFirstInsertionPt();
  return std::next(I.getIterator());
}

Instruction *Rewriter::allocate(const MemoryObject &O, AllocaInst *PartnerSlot,
                                AllocaInst *Given, GlobalVariable *Group,
                                bool Grown, uint64_t Room) {
  CallBase &Call = *O.Alloc;
  IRBuilder<> B(&Call);
  B.SetCurrentDebugLocation(Call.getDebugLoc());
  auto Acquire = runtime("echort_acquire", Ptr, {Ptr, I32, I64, Ptr, I32});
  uint32_t Role = O.side() == Side::Host ? ECHO_HOST : ECHO_DEVICE;
  Value *Bytes = byteCount(B, O);
  if (auto *Known = dyn_cast<ConstantInt>(Bytes);
      Known && Known->getZExtValue() < Room)
    Bytes = ConstantInt::get(I64, Room);
  Value *Block = B.CreateCall(
      Acquire, {Group, ConstantInt::get(I32, Role), Bytes,
                PartnerSlot ? B.CreateLoad(Ptr, PartnerSlot)
                            : cast<Value>(ConstantPointerNull::get(Ptr)),
                ConstantInt::get(I32, O.clears())});
  markAsked(Call);
  Value *Merged = B.CreateIsNotNull(Block);
  if (Given)
    B.CreateStore(
        Grown ? B.CreateSelect(Merged, Block, B.CreateLoad(Ptr, Given)) : Block,
        Given);
  if (O.What == MemoryObject::Realloc)
    return resize(Call, Block);
  // The result may now be the same memory as the partner's.
  Call.removeRetAttr(Attribute::NoAlias);
  if (O.Pointer == &Call)
    return branch(Call, Merged, [&](IRBuilder<> &) { return Block; });
  Value *Slot = cast<LoadInst>(O.Pointer)->getPointerOperand();
  branch(Call, Merged, [&](IRBuilder<> &In) -> Value * {
    In.CreateStore(Block, Slot);
    if (Call.getType()->isVoidTy())
      return nullptr;
    return ConstantInt::get(Call.getType(), 0); // cudaSuccess
  });
  return cast<LoadInst>(O.Pointer);
}

Value *Rewriter::syncOf(IRBuilder<> &B, const CallInst &Call,
                        GlobalVariable *Group, uint32_t Kind, Value *Bytes,
                        uint32_t Flags, ArrayRef<Value *> Part) {
  auto Api = cudaApiOf(Call);
  auto StreamArg = Api->find(ApiRole::Stream);
  Value *Stream = StreamArg ? Call.getArgOperand(*StreamArg)
                            : ConstantPointerNull::get(Ptr);
  if (PerThread || Api->PerThread)
    Flags |= ECHO_COPY_PER_THREAD;
  SmallVector<Value *, 8> Args = {Group, ConstantInt::get(I32, Kind), Stream,
                                  Bytes, ConstantInt::get(I32, Flags)};
  append_range(Args, Part);
  SmallVector<Type *, 8> Types;
  for (const Value *A : Args)
    Types.push_back(A->getType());
  return B.CreateCall(
      runtime(Part.empty() ? "echort_linking_copy" : "echort_linking_part", I32,
              Types),
      Args);
}

void Rewriter::copy(const PairDecision &D, CallInst &Call, const Event &E,
                    GlobalVariable *Group, AllocaInst *Given) {
  auto Api = cudaApiOf(Call);
  IRBuilder<> B(&Call);
  B.SetCurrentDebugLocation(Call.getDebugLoc());
  Value *Dst = Call.getArgOperand(*Api->find(ApiRole::Dst));
  Value *Src = Call.getArgOperand(*Api->find(ApiRole::Src));
  auto [Bytes, Extent] = extentOf(B, Call);
  bool ToDevice = E.chooses() ? E.Direction == CopyDirection::HostToDevice
                              : E.Dst == static_cast<int>(D.P.Device);
  uint32_t Kind =
      copyKind(E, ToDevice, Decision.objects()[D.P.Host].isPinned());
  Value *Same = B.CreateICmpEQ(Dst, Src);
  Value *Merged = B.CreateAnd(Same, B.CreateIsNotNull(Dst));
  // Rows that are wider than their distance are an error of CUDA's.
  if (Api->Kind == ApiKind::Copy2D)
    Merged = B.CreateAnd(
        Merged,
        B.CreateICmpULE(Call.getArgOperand(*Api->find(ApiRole::Width)),
                        Call.getArgOperand(*Api->find(ApiRole::Pitch))));
  branch(Call, Merged, [&](IRBuilder<> &In) {
    SmallVector<Value *, 2> Part;
    if (E.chooses()) {
      Part = {Dst, Extent};
    } else if (D.P.copiesParts()) {
      Value *Base = Bases.at(In, Call, D.P.Device);
      Value *Offset = In.CreateSub(In.CreatePtrToInt(Dst, I64),
                                   In.CreatePtrToInt(Base, I64));
      Value *End =
          In.CreateBinaryIntrinsic(Intrinsic::uadd_sat, Offset, Extent);
      // The block may be larger than the device buffer (see merge).
      if (auto Bytes = Sizes::constant(
              Decision.sizes().bytes(Decision.objects()[D.P.Device])))
        End = In.CreateSelect(
            In.CreateICmpUGT(End, ConstantInt::get(I64, *Bytes)),
            ConstantInt::getAllOnesValue(I64), End);
      Part = {Base, End};
    }
    return syncOf(In, Call, Group, Kind, Bytes, orderFlags(Kind), Part);
  });
  if (!Given)
    return;
  // Of several host buffers, or where there may be none, the address tells.
  B.SetInsertPoint(&Call);
  bool Several = E.chooses() || D.P.Grown || E.MayFail;
  Value *Host = !Several ? B.CreateLoad(Ptr, Given) : ToDevice ? Src : Dst;
  if (is_contained(D.AsyncUploads, &E) && Api->Kind == ApiKind::Copy) {
    Value *Done =
        B.CreateCall(runtime("echort_upload", I32, {Ptr, Ptr, Ptr, Ptr, I64}),
                     {Group, Host, Dst, Src, Bytes});
    branch(Call, B.CreateIsNotNull(Done), [&](IRBuilder<> &In) {
      return In.CreateSub(Done, ConstantInt::get(I32, 1));
    });
    B.SetInsertPoint(&Call);
  }
  Type *Void = Type::getVoidTy(C);
  B.CreateCall(runtime("echort_copy_begins", Void, {Ptr, Ptr, I64}),
               {Group, Host, Bytes});
  // The wait of an asynchronous copy comes between the two.
  B.SetInsertPoint(Call.getNextNode());
  B.CreateCall(
      runtime("echort_copy_ended", Void, {Ptr, Ptr, I64, I32}),
      {Group, Host, Bytes,
       ConstantInt::get(I32, E.Async ? 0 : uint32_t(ECHO_COPY_WAITED))});
}

void Rewriter::orderAt(Instruction &Place, CallInst &Call,
                       ArrayRef<AllocaInst *> Blocks, GlobalVariable *Group,
                       uint32_t Kind, uint32_t Flags) {
  IRBuilder<> B(&Place);
  B.SetCurrentDebugLocation(Call.getDebugLoc());
  Value *Merged = B.CreateIsNotNull(B.CreateLoad(Ptr, Blocks.front()));
  for (AllocaInst *Other : Blocks.drop_front())
    Merged = B.CreateOr(Merged, B.CreateIsNotNull(B.CreateLoad(Ptr, Other)));
  Instruction *Then =
      SplitBlockAndInsertIfThen(Merged, &*B.GetInsertPoint(), false);
  B.SetInsertPoint(Then);
  syncOf(B, Call, Group, Kind, ConstantInt::get(I64, 0),
         ECHO_COPY_KEPT | Flags);
}

void Rewriter::release(CallBase &Call, unsigned Role) {
  IRBuilder<> B(&Call);
  B.SetCurrentDebugLocation(Call.getDebugLoc());
  auto Release = runtime("echort_release", I32, {I32, Ptr});
  Value *Done = B.CreateCall(
      Release, {ConstantInt::get(I32, Role), Call.getArgOperand(0)});
  Releases[&Call] = cast<Instruction>(Done);
  branch(Call, B.CreateIsNotNull(Done), [&](IRBuilder<> &In) -> Value * {
    return Call.getType()->isVoidTy()
               ? nullptr
               : In.CreateSub(Done, ConstantInt::get(I32, 1));
  });
}

void Rewriter::forget(CallBase &Call, AllocaInst *Slot) {
  IRBuilder<> B(Releases.lookup(&Call));
  B.SetCurrentDebugLocation(Call.getDebugLoc());
  Value *Old = B.CreateLoad(Ptr, Slot);
  Value *Same = B.CreateICmpEQ(Old, Call.getArgOperand(0));
  B.CreateStore(B.CreateSelect(Same, ConstantPointerNull::get(Ptr), Old), Slot);
}

Instruction *Rewriter::resize(CallBase &Call, Value *Block) {
  const MemoryObjects &Objects = Decision.objects();
  BasicBlock &Entry = F.getEntryBlock();
  AllocaInst *Fresh =
      IRBuilder<>(&Entry, Entry.begin()).CreateAlloca(Ptr, nullptr, "echo.new");
  IRBuilder<> B(&Call);
  B.SetCurrentDebugLocation(Call.getDebugLoc());
  Value *Done = B.CreateCall(
      runtime("echort_resize", I32, {Ptr, I64, Ptr, Ptr}),
      {Call.getArgOperand(0), byteCount(B, Objects[Objects.objectOf(&Call)]),
       Block, Fresh});
  Call.removeRetAttr(Attribute::NoAlias);
  return branch(Call, B.CreateIsNotNull(Done),
                [&](IRBuilder<> &In) { return In.CreateLoad(Ptr, Fresh); });
}

bool Rewriter::isAccepted(int Object) const {
  return llvm::any_of(Decision.pairs(), [&](const PairDecision &D) {
    return D.Accepted && D.P.has(Object);
  });
}

void Rewriter::collectFrees() {
  for (BasicBlock &BB : F)
    for (const Event &E : Decision.effects().in(&BB)) {
      if (E.Kind != EventKind::Free || !isAccepted(E.Object))
        continue;
      auto *Call = cast<CallBase>(E.At);
      bool Host = Decision.objects()[E.Object].side() == Side::Host;
      if (Decision.objects().objectOf(Call) >= 0) {
        Resizes.insert(Call);
        continue;
      }
      FreesOf[E.Object].push_back(Call);
      if (Frees.empty() || Frees.back().first != Call)
        Frees.push_back({Call, Host ? ECHO_HOST : ECHO_DEVICE});
    }
}

void Rewriter::merge(ArrayRef<const PairDecision *> Pairs) {
  GlobalVariable *Group = groupFor(M, Decision, MinBytes, Pairs);
  const bool Grown = Pairs.front()->P.Grown; // then all are
  struct OfHost {
    SmallVector<const PairDecision *, 2> Pairs;
    SmallVector<RealCopy, 2> Real;
    SetVector<const Event *> Unsure;
    bool Pinned = false;        ///< by the program
    SetVector<unsigned> Firsts; ///< each where it is the one that exists
  };
  MapVector<unsigned, OfHost> Hosts;
  DenseMap<unsigned, AllocaInst *> Given; ///< what echort answered, by object
  SetVector<unsigned> Firsts, Others;
  for (const PairDecision *D : Pairs) {
    OfHost &H = Hosts[D->P.Host];
    H.Pairs.push_back(D);
    H.Firsts.insert(D->First);
    Firsts.insert(D->First);
    H.Unsure.insert(D->Unsure.begin(), D->Unsure.end());
    Others.insert(D->P.Host);
    Others.insert(D->P.Device);
  }
  Others.set_subtract(Firsts);
  for (auto &[Host, H] : Hosts) {
    H.Real = realCopies(F, Decision, Host, H.Pairs);
    H.Pinned = Decision.objects()[Host].isPinned();
    if (!H.Pinned || !H.Real.empty())
      Given[Host] = variable(nullptr, "echo.block");
    // Order stays from the first buffer on: the other one may come while the
    // work that it has to follow is in flight already.
    bool Links =
        llvm::any_of(H.Real, [](const RealCopy &C) { return C.Links; });
    for (unsigned First : H.Firsts)
      if ((!H.Unsure.empty() || (Links && !H.Pinned)) && !Given.contains(First))
        Given[First] = variable(nullptr, "echo.block");
  }
  // Which of several host buffers is in use is not known, nor whether the
  // device buffer is a block of its own: a copy waits if echort gave any block.
  if (Grown)
    for (const PairDecision *D : Pairs)
      Given[D->P.Device] = Given.lookup(D->P.Host);
  bool Chooses = false;
  for (const PairDecision *D : Pairs) {
    const OfHost &H = Hosts[D->P.Host];
    AllocaInst *Block = H.Pinned ? nullptr : Given.lookup(D->P.Host);
    for (const Event *E : D->P.Copies)
      copy(*D, *cast<CallInst>(E->At), *E, Group, Block);
    for (BasicBlock &BB : F)
      for (const Event &E : Decision.effects().in(&BB))
        if (D->P.mayLink(E)) {
          Chooses = true;
          if (Chosen.insert(E.At).second)
            copy(*D, *cast<CallInst>(E.At), E, Group, Block);
        }
  }
  for (auto &[Host, H] : Hosts) {
    // Where the host side stays apart, the device side may still be a block,
    // and CUDA promises nothing of copies between pageable and managed memory.
    SmallVector<AllocaInst *, 2> OfFirsts, All = {Given.lookup(Host)};
    for (unsigned First : H.Firsts) {
      OfFirsts.push_back(Given.lookup(First));
      if (First != Host)
        All.push_back(Given.lookup(First));
    }
    for (auto [Call, Flags, Ahead, Links] : H.Real)
      orderAt(Ahead ? *Call : *Call->getNextNode(), *Call,
              Links && !H.Pinned ? ArrayRef(All) : ArrayRef(All).take_front(),
              Group, ECHO_COPY_D2H_SYNC, Flags);
    for (const Event *E : H.Unsure)
      orderAt(*E->At->getNextNode(), *cast<CallInst>(E->At), OfFirsts, Group,
              orderOf(*E), 0);
  }
  SmallVector<AllocaInst *, 2> Slots;
  // The block must hold each partner, too, where that is the larger one. Not
  // where a copy to one of several asks echort how large the device buffer is.
  uint64_t Room = 0;
  for (unsigned Other : Others) {
    Slots.push_back(variable(Headers.lookup(Firsts.front()), "echo.partner"));
    allocate(Decision.objects()[Other], Slots.back(), Given.lookup(Other),
             Group, Grown);
    auto Bytes =
        Sizes::constant(Decision.sizes().bytes(Decision.objects()[Other]));
    Room = std::max(Room, Chooses ? 0 : Bytes.value_or(0));
  }
  for (unsigned First : Firsts) {
    MemoryObject Made = Decision.objects()[First];
    auto Make = [&] {
      Instruction *Pointer =
          allocate(Made, nullptr, Given.lookup(First), Group, Grown, Room);
      for (AllocaInst *Slot : Slots)
        new StoreInst(Pointer, Slot, afterDefinition(*Pointer));
    };
    Make();
    for (const MemoryObject::Site &Other : Decision.objects()[First].Others) {
      Made.Pointer = Made.Alloc = Other.Alloc;
      Made.SizeFactors = Other.SizeFactors;
      Make();
    }
  }
  if (AllocaInst *Block = Given.lookup(Firsts.front()); Block && !Grown)
    Slots.push_back(Block);
  SetVector<CallBase *> Early;
  // Behind its free another thread's buffer may have the address.
  if (Grown)
    Early.insert_range(FreesOf[Firsts.front()]);
  for (const PairDecision *D : Pairs)
    for (const Event *Freed : D->EarlyFrees)
      Early.insert(cast<CallBase>(Freed->At));
  for (CallBase *Call : Early)
    for (AllocaInst *Slot : Slots)
      forget(*Call, Slot);
}

void Rewriter::run() {
  // Loops and frees are collected first: the rewrite makes new blocks.
  MapVector<unsigned, SmallVector<const PairDecision *, 2>> ByFirst;
  for (const PairDecision &D : Decision.pairs()) {
    if (!D.Accepted)
      continue;
    ByFirst[D.Excludes ? D.P.partner(D.First) : D.First].push_back(&D);
    const auto &Objects = Decision.objects();
    Loop *L = LI.getLoopFor(Objects[D.First].Alloc->getParent());
    // Of a loop that both are in: of a Grown pair the last first one goes on.
    auto Calls = Objects[D.First].allocs();
    Calls.push_back(Objects[D.P.Device].Alloc);
    while (L && D.P.Grown &&
           !llvm::all_of(Calls, [&](auto *Call) { return L->contains(Call); }))
      L = L->getParentLoop();
    if (L)
      Headers[D.First] = L->getHeader();
  }
  collectFrees();
  for (auto [Call, Role] : Frees)
    release(*Call, Role);
  for (CallBase *Call : Resizes)
    if (!isAccepted(Decision.objects().objectOf(Call)))
      resize(*Call, ConstantPointerNull::get(Ptr));
  for (const auto &[First, Pairs] : ByFirst)
    merge(Pairs);
}

void rewritePairs(Function &F, const FunctionDecision &Decision,
                  const LoopInfo &LI, bool PerThreadDefaultStream,
                  uint64_t MinBytes) {
  Rewriter(F, Decision, LI, PerThreadDefaultStream, MinBytes).run();
}

} // namespace echo
