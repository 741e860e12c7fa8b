//===- Rewrite.cpp - Rules R1 to R4 on one function -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// R1: ask echort for the merged block before each allocation. R2 needs nothing:
// both pointers come out equal. R3: a linking copy between equal pointers
// becomes echort_linking_copy; one that runs is told to echort first, which may
// pin the host side. R4: frees ask echort first. All that is taken from the
// view are numbers of objects and which call is which; every value in the
// emitted code is an operand or a result of a call of the body.
//
//===----------------------------------------------------------------------===//
#include "Transform/Emit/Rewrite.h"
#include "Analysis/Api/Names.h"
#include "Analysis/Decision/Decide.h"
#include "Support/Checks.h"
#include "Transform/Emit/BodyCalls.h"
#include "Transform/Emit/CallForms.h"
#include "Transform/Emit/CopyKinds.h"
#include "Transform/Emit/Erasure.h"
#include "Transform/Emit/Groups.h"
#include "Transform/Emit/RealCopies.h"
#include "Transform/Emit/SharedCalls.h"
#include "Transform/View/ByteCounts.h"
#include "Transform/View/LibraryCopies.h"
#include "runtime/abi/EchoRt.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <set>

using namespace llvm;

namespace echo {

namespace {
class Rewriter {
public:
  Rewriter(Function &F, Function &View, const FunctionDecision &Decision,
           const BodyCalls &Calls, const LoopInfo &LI, uint64_t MinBytes,
           AskedCalls &Asked, SharedCalls &Shared)
      : F(F), View(View), LI(LI), M(*F.getParent()), C(M.getContext()),
        Decision(Decision), Calls(Calls), MinBytes(MinBytes), Asked(Asked),
        Shared(Shared), Ptr(PointerType::get(C, 0)), I32(Type::getInt32Ty(C)),
        I64(Type::getInt64Ty(C)) {}
  void run();

private:
  /// One call that makes a buffer, in the body.
  struct Site {
    unsigned Object;
    CallBase *Call;
    ArrayRef<unsigned> SizeArgs;
    std::optional<unsigned> Out; ///< the argument that gets the address
  };
  SmallVector<Site, 2> sitesOf(unsigned Object) const;
  /// What echort is asked at \p S, where the pair's first buffer is allocated
  /// or the other one. The block gets at least \p Room bytes.
  AllocationForm formOf(const Site &S, bool IsFirst, uint64_t Room) const;
  /// Rewrites one allocation; \p PartnerSlot holds the partner's address, or
  /// is null for the allocation that comes first, whose address goes to
  /// \p Addresses. \p Given, if not null, receives what echort answered; of
  /// \p Several buffers only a block. The block gets at least \p Room bytes.
  void allocate(const Site &S, AllocaInst *PartnerSlot, AllocaInst *Given,
                GlobalVariable *Group, bool Several,
                ArrayRef<AllocaInst *> Addresses = {}, uint64_t Room = 0);
  /// A variable for an address: null at the start of each activation, and of
  /// each iteration of the loop with \p LoopHeader if there is one.
  AllocaInst *variable(BasicBlock *LoopHeader, const Twine &Name);
  /// \p Given: the variable of what echort answered for the host side, or null
  /// if the program pinned that.
  void copy(const PairDecision &D, CallBase &Call, const Event &E,
            GlobalVariable *Group, AllocaInst *Given);
  /// The block and the end of the part that copy \p Call moves, if echort has
  /// to look at that.
  SmallVector<Value *, 2> partOf(IRBuilder<> &B, const PairDecision &D,
                                 const Event &E, CallBase &Call);
  /// Lets the host wait at \p Call, a copy that may run for real although
  /// its host side is a merged block. CUDA promises of host memory that a
  /// synchronous copy, and of pageable memory that any copy, is done with it on
  /// return; of other kinds it does not in all versions. \p Blocks: variables.
  /// Or lets order stay after \p Call, a copy or set that may fail. \p Kind:
  /// the order of which kind of copy. It goes to \p Place. \p Reports: after
  /// \p Call, whose status the wait's is, too, where \p Call succeeds.
  void orderAt(BasicBlock::iterator Place, CallBase &Call,
               ArrayRef<AllocaInst *> Blocks, GlobalVariable *Group,
               uint32_t Kind, uint32_t Flags, bool Reports);
  /// Lets the variable \p Slot forget the buffer that \p Call frees.
  void forget(CallBase &Call, AllocaInst *Slot);
  /// Lets echort move the content where realloc \p Call, which makes
  /// \p Bytes bytes, gets a merged block, or makes \p Block, which echort
  /// answered. Returns the buffer's address.
  Value *resize(CallBase &Call, Value *Bytes, Value *Block);
  void collectFrees();
  /// True if \p Object is in a pair that merges.
  bool isAccepted(int Object) const;
  /// True if one variable serves several buffers that are \p Object in turn.
  bool several(unsigned Object) const {
    return Grown || Calls.isShared(*Decision.objects()[Object].Alloc);
  }
  /// What one host buffer of merged pairs needs.
  struct OfHost {
    SmallVector<const PairDecision *, 2> Pairs;
    SmallVector<RealCopy, 2> Real;
    SetVector<const Event *> Unsure;
    bool Pinned = false;        ///< by the program
    SetVector<unsigned> Firsts; ///< each where it is the one that exists
  };
  /// Pairs that have in common the buffer that is allocated before their
  /// others; or the other one, where only one of the first exists.
  struct Merge {
    ArrayRef<const PairDecision *> Pairs;
    MapVector<unsigned, OfHost> Hosts;
    SetVector<unsigned> Firsts, Others; ///< the objects
  };
  Merge prepare(ArrayRef<const PairDecision *> Pairs);
  void merge(Merge &All);
  /// Makes the variable of what echort answers for \p Object.
  void give(unsigned Object);
  void makeVariables(MapVector<unsigned, OfHost> &Hosts);
  /// Rewrites the copies of \p Pairs. True if run time chooses their buffers.
  bool mergeCopies(ArrayRef<const PairDecision *> Pairs,
                   MapVector<unsigned, OfHost> &Hosts, GlobalVariable *Group);
  void keepOrder(MapVector<unsigned, OfHost> &Hosts, GlobalVariable *Group);

  Function &F;
  Function &View;     ///< what was decided about
  const LoopInfo &LI; ///< of the body before the rewrite
  Module &M;
  LLVMContext &C;
  const FunctionDecision &Decision;
  const BodyCalls &Calls;
  bool Grown = false; ///< the pairs that are being merged
  uint64_t MinBytes;
  AskedCalls &Asked;
  SharedCalls &Shared;
  PointerType *Ptr;
  Type *I32, *I64;
  DenseMap<unsigned, BasicBlock *> Headers; ///< by first object
  DenseMap<unsigned, AllocaInst *> Given;   ///< what echort answered, by object
  DenseMap<const CallBase *, AllocaInst *> GivenBy; ///< by call of the body
  DenseMap<unsigned, AllocaInst *> Bases; ///< the same, where parts are copied
  MapVector<CallBase *, unsigned> Frees;  ///< and the side
  DenseMap<unsigned, SmallVector<CallBase *, 2>> FreesOf; ///< by object
  SetVector<const Instruction *> Resizes; ///< may free a merged buffer; of View
  SmallPtrSet<const CallBase *, 8> Done;  ///< copies and allocations
  SmallPtrSet<const CallBase *, 8> Ordered; ///< get a wait or order beside them
  SmallPtrSet<const CallBase *, 8> DoneUnsure;
  /// Copies and sets that order what may be of another pair, unless they fail,
  /// and the order.
  MapVector<CallBase *, uint32_t> Failing;
};

} // namespace

AllocaInst *Rewriter::variable(BasicBlock *LoopHeader, const Twine &Name) {
  BasicBlock &Entry = F.getEntryBlock();
  IRBuilder<> B(&Entry, Entry.begin());
  AllocaInst *Slot = B.CreateAlloca(Ptr, nullptr, Name);
  markOwnVariable(*Slot);
  auto *Null = ConstantPointerNull::get(Ptr);
  B.SetInsertPoint(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
  B.CreateStore(Null, Slot);
  if (LoopHeader) {
    B.SetInsertPoint(LoopHeader, LoopHeader->getFirstInsertionPt());
    B.CreateStore(Null, Slot);
  }
  return Slot;
}

SmallVector<Rewriter::Site, 2> Rewriter::sitesOf(unsigned Object) const {
  const MemoryObject &O = Decision.objects()[Object];
  std::optional<unsigned> Out;
  if (const auto *Load = dyn_cast<LoadInst>(O.Pointer))
    for (const Use &U : O.Alloc->args())
      if (U.get() == Load->getPointerOperand())
        Out = O.Alloc->getArgOperandNo(&U);
  SmallVector<Site, 2> Sites = {{Object, &Calls[O.Alloc], O.SizeArgs, Out}};
  for (const MemoryObject::Site &Other : O.Others)
    Sites.push_back(
        {Object, &Calls[Other.Alloc], Other.SizeArgs, std::nullopt});
  return Sites;
}

AllocationForm Rewriter::formOf(const Site &S, bool IsFirst,
                                uint64_t Room) const {
  const MemoryObject &O = Decision.objects()[S.Object];
  AllocationForm Form;
  Form.Role = O.side() == Side::Host ? ECHO_HOST : ECHO_DEVICE;
  Form.SizeArgs.assign(S.SizeArgs.begin(), S.SizeArgs.end());
  Form.Out = S.Out;
  if (auto Known = Sizes::constant(Decision.sizes().bytes(O));
      Known && *Known < Room)
    Form.Room = Room;
  // The zeroes of a block that is new cost nothing, and a download that fails
  // leaves them.
  if (O.What == MemoryObject::Calloc)
    Form.Zeroed = IsFirst || O.clears()            ? ECHO_ZEROES
                  : isOff(Check::ZeroesOfOwnBlock) ? ECHO_ZEROES_NONE
                                                   : ECHO_ZEROES_UNLESS_JOINED;
  // Nobody else knows a block that is new. The partner's call, which comes
  // later and may answer the same block, gets its address.
  Form.Fresh = IsFirst && Form.Role == ECHO_HOST;
  return Form;
}

/// The address that \p Call put where its argument \p Out points; null where it
/// failed, as it then left the variable as it was.
static Value *addressBehind(IRBuilder<> &In, CallBase &Call, unsigned Out) {
  Type *Ptr = In.getPtrTy();
  Value *Address = In.CreateLoad(Ptr, Call.getArgOperand(Out));
  if (Call.getType()->isVoidTy())
    return Address;
  return In.CreateSelect(In.CreateIsNull(&Call), Address,
                         Constant::getNullValue(Ptr));
}

void Rewriter::allocate(const Site &S, AllocaInst *PartnerSlot,
                        AllocaInst *Given, GlobalVariable *Group, bool Several,
                        ArrayRef<AllocaInst *> Addresses, uint64_t Room) {
  CallBase &Call = *S.Call;
  if (!Done.insert(&Call).second)
    return; // by another call of the view with the same path
  Asked.insert(&Call);
  const MemoryObject &O = Decision.objects()[S.Object];
  const AllocationForm Form = formOf(S, /*IsFirst=*/!PartnerSlot, Room);
  IRBuilder<> B(&Call);
  B.SetCurrentDebugLocation(Call.getDebugLoc());
  Value *Partner = PartnerSlot ? B.CreateLoad(Ptr, PartnerSlot)
                               : cast<Value>(ConstantPointerNull::get(Ptr));
  AllocaInst *Base = Bases.lookup(S.Object);
  bool Resizes = O.What == MemoryObject::Realloc;
  auto Keep = [&](IRBuilder<> &In, Value *Address) {
    for (AllocaInst *Slot : Addresses)
      In.CreateStore(Address, Slot);
  };
  if (Given || Base || Resizes) {
    CallInst *Block = Form.ask(Call, Group, Partner);
    if (Given)
      B.CreateStore(Several ? B.CreateSelect(B.CreateIsNotNull(Block), Block,
                                             B.CreateLoad(Ptr, Given))
                            : cast<Value>(Block),
                    Given);
    if (Base)
      B.CreateStore(Block, Base);
    if (Resizes) {
      Value *Address = resize(Call, byteCount(B, Call, S.SizeArgs), Block);
      auto *Joined = cast<PHINode>(Address)->getParent();
      IRBuilder<> In(Joined, Joined->getFirstInsertionPt());
      return Keep(In, Address);
    }
    Shared.addAlone(Call, [Form, Block](CallBase &At, ArrayRef<Value *>) {
      Form.build(At, Block);
    });
  } else {
    Shared.add(
        Call, Form.key(), {Group, Partner},
        [Form](CallBase &At, ArrayRef<Value *> More) {
          Form.build(At, Form.ask(At, More[0], More[1]));
        },
        Form.shapes(), Form.Fresh);
  }
  if (Addresses.empty())
    return;
  BasicBlock::iterator Next = placeAfter(Call);
  IRBuilder<> In(Next->getParent(), Next);
  Keep(In, S.Out ? addressBehind(In, Call, *S.Out) : &Call);
}

SmallVector<Value *, 2> Rewriter::partOf(IRBuilder<> &B, const PairDecision &D,
                                         const Event &E, CallBase &Call) {
  if (!E.chooses() && !D.P.copiesParts())
    return {};
  CopyOperands Copy = operandsOf(B, Call);
  if (E.chooses())
    return {Copy.Dst, Copy.Extent};
  Value *Base = B.CreateLoad(Ptr, Bases.lookup(D.P.Device));
  Value *Offset =
      B.CreateSub(B.CreatePtrToInt(Copy.Dst, I64), B.CreatePtrToInt(Base, I64));
  Value *End =
      B.CreateBinaryIntrinsic(Intrinsic::uadd_sat, Offset, Copy.Extent);
  // The block may be larger than the device buffer (see merge).
  if (auto Bytes = Sizes::constant(
          Decision.sizes().bytes(Decision.objects()[D.P.Device])))
    End = B.CreateSelect(B.CreateICmpUGT(End, ConstantInt::get(I64, *Bytes)),
                         ConstantInt::getAllOnesValue(I64), End);
  return {Base, End};
}

void Rewriter::copy(const PairDecision &D, CallBase &Call, const Event &E,
                    GlobalVariable *Group, AllocaInst *Given) {
  if (!Done.insert(&Call).second)
    return;
  const MemoryObject &H = Decision.objects()[D.P.Host];
  const bool Up = E.chooses() ? E.Direction == CopyDirection::HostToDevice
                              : E.Dst == static_cast<int>(D.P.Device);
  const uint32_t Kind = copyKind(E, Up, H.isPinned());
  uint32_t Flags = orderFlags(Kind);
  if (!H.isPinned()) {
    auto Api = cudaApiOf(Call);
    Flags |= ECHO_COPY_PAGEABLE | (E.Async ? 0u : ECHO_COPY_WAITED);
    if (is_contained(D.AsyncUploads, &E) && Api && Api->Kind == ApiKind::Copy)
      Flags |= ECHO_COPY_MAY_QUEUE;
  }
  std::optional<uint32_t> IfFailed;
  if (auto Found = Failing.find(&Call); Found != Failing.end()) {
    IfFailed = Found->second;
    Failing.erase(Found);
  }
  const uint32_t Order = orderOfCall(Call, Kind, Flags, IfFailed);
  const bool Told = echo_copy_is_told(Order);
  IRBuilder<> B(&Call);
  B.SetCurrentDebugLocation(Call.getDebugLoc());
  SmallVector<Value *, 2> Part = partOf(B, D, E, Call);
  if (!Part.empty()) {
    // Of several host buffers, or where there may be none, the address decides.
    bool Several = E.chooses() || D.P.Grown || E.MayFail || H.isPinned() ||
                   Calls.isShared(*H.Alloc);
    Value *Host = Several ? nullptr : B.CreateLoad(Ptr, Given);
    return buildPartCopy(Call, Group, Order, Part[0], Part[1], Host);
  }
  if (Ordered.contains(&Call))
    return buildCopy(Call, Group, B.getInt32(Order), Told);
  Shared.add(Call, Told ? "copy that is told" : "copy",
             {Group, B.getInt32(Order)},
             [Told](CallBase &At, ArrayRef<Value *> More) {
               buildCopy(At, More[0], More[1], Told);
             },
             {CallShape::Copy, CallShape::StreamCopy});
}

void Rewriter::orderAt(BasicBlock::iterator Place, CallBase &Call,
                       ArrayRef<AllocaInst *> Blocks, GlobalVariable *Group,
                       uint32_t Kind, uint32_t Flags, bool Reports) {
  IRBuilder<> B(Place->getParent(), Place);
  B.SetCurrentDebugLocation(Call.getDebugLoc());
  Value *Merged = B.CreateIsNotNull(B.CreateLoad(Ptr, Blocks.front()));
  for (AllocaInst *Other : Blocks.drop_front())
    Merged = B.CreateOr(Merged, B.CreateIsNotNull(B.CreateLoad(Ptr, Other)));
  Instruction *Then =
      SplitBlockAndInsertIfThen(Merged, &*B.GetInsertPoint(), false);
  B.SetInsertPoint(Then);
  Value *Waited = askToKeep(B, Call, Group, orderOfCall(Call, Kind, Flags));
  if (!Reports || Call.getType() != Waited->getType() || Call.use_empty())
    return;
  BasicBlock *In = Then->getParent(), *Head = In->getSinglePredecessor(),
             *Tail = In->getSingleSuccessor();
  Value *Failed = B.CreateIsNotNull(&Call);
  Value *Status = B.CreateSelect(Failed, &Call, Waited);
  B.SetInsertPoint(Tail, Tail->begin());
  PHINode *Both = B.CreatePHI(Call.getType(), 2);
  Both->addIncoming(&Call, Head);
  Both->addIncoming(Status, In);
  Call.replaceUsesWithIf(Both, [&](Use &U) {
    auto *I = cast<Instruction>(U.getUser());
    return I != Both && I->getParent() != In && I->getParent() != Head;
  });
}

void Rewriter::forget(CallBase &Call, AllocaInst *Slot) {
  IRBuilder<> B(&Call);
  B.SetCurrentDebugLocation(Call.getDebugLoc());
  Value *Old = B.CreateLoad(Ptr, Slot);
  Value *Same = B.CreateICmpEQ(Old, Call.getArgOperand(0));
  B.CreateStore(B.CreateSelect(Same, ConstantPointerNull::get(Ptr), Old), Slot);
}

Value *Rewriter::resize(CallBase &Call, Value *Bytes, Value *Block) {
  BasicBlock &Entry = F.getEntryBlock();
  AllocaInst *Fresh =
      IRBuilder<>(&Entry, Entry.begin()).CreateAlloca(Ptr, nullptr, "echo.new");
  markOwnVariable(*Fresh);
  IRBuilder<> B(&Call);
  B.SetCurrentDebugLocation(Call.getDebugLoc());
  Value *Done = B.CreateCall(echortFunction(M, ECHO_FUNCTION(echort_resize)),
                             {Call.getArgOperand(0), Bytes, Block, Fresh});
  return branchAround(Call, B.CreateIsNotNull(Done), [&](IRBuilder<> &In) {
    return In.CreateLoad(Ptr, Fresh);
  });
}

bool Rewriter::isAccepted(int Object) const {
  return llvm::any_of(Decision.pairs(), [&](const PairDecision &D) {
    return D.Accepted && D.P.has(Object);
  });
}

void Rewriter::collectFrees() {
  for (BasicBlock &BB : View)
    for (const Event &E : Decision.effects().in(&BB)) {
      if (E.Kind != EventKind::Free || !isAccepted(E.Object))
        continue;
      bool Host = Decision.objects()[E.Object].side() == Side::Host;
      if (Decision.objects().objectOf(cast<CallBase>(E.At)) >= 0) {
        Resizes.insert(E.At);
        continue;
      }
      FreesOf[E.Object].push_back(&Calls[E.At]);
      Frees.insert({&Calls[E.At], Host ? ECHO_HOST : ECHO_DEVICE});
    }
}

void Rewriter::give(unsigned Object) {
  AllocaInst *&OfCall = GivenBy[sitesOf(Object).front().Call];
  if (!OfCall)
    OfCall = variable(nullptr, "echo.block");
  Given[Object] = OfCall;
}

void Rewriter::makeVariables(MapVector<unsigned, OfHost> &Hosts) {
  for (auto &[Host, H] : Hosts) {
    bool Parts = llvm::any_of(
        H.Pairs, [](const PairDecision *D) { return D->P.copiesParts(); });
    if (!H.Real.empty() || (!H.Pinned && (Parts || Grown)))
      give(Host);
    // Order stays from the first buffer on: the other one may come while the
    // work that it has to follow is in flight already.
    bool Links =
        llvm::any_of(H.Real, [](const RealCopy &C) { return C.Links; });
    for (unsigned First : H.Firsts)
      if (!H.Unsure.empty() || (Links && !H.Pinned))
        give(First);
    for (const PairDecision *D : H.Pairs) {
      // Which of several host buffers is in use is not known, nor whether the
      // device buffer is a block of its own: a copy waits if echort gave any.
      if (D->P.Grown)
        Given[D->P.Device] = Given.lookup(Host);
      if (D->P.copiesParts() && !Bases.contains(D->P.Device))
        Bases[D->P.Device] = variable(nullptr, "echo.device.base");
    }
  }
}

bool Rewriter::mergeCopies(ArrayRef<const PairDecision *> Pairs,
                           MapVector<unsigned, OfHost> &Hosts,
                           GlobalVariable *Group) {
  bool Chooses = false;
  for (const PairDecision *D : Pairs) {
    const OfHost &H = Hosts[D->P.Host];
    AllocaInst *Block = H.Pinned ? nullptr : Given.lookup(D->P.Host);
    for (const Event *E : D->P.Copies)
      copy(*D, Calls[E->At], *E, Group, Block);
    for (BasicBlock &BB : View)
      for (const Event &E : Decision.effects().in(&BB))
        if (D->P.mayLink(E)) {
          Chooses = true;
          copy(*D, Calls[E.At], E, Group, Block);
        }
  }
  return Chooses;
}

void Rewriter::keepOrder(MapVector<unsigned, OfHost> &Hosts,
                         GlobalVariable *Group) {
  // Once for each call of the body.
  std::set<std::tuple<const CallBase *, bool, const AllocaInst *>> Kept;
  for (auto &[Host, H] : Hosts) {
    // Where the host side stays apart, the device side may still be a block,
    // and CUDA promises nothing of copies between pageable and managed memory.
    SmallVector<AllocaInst *, 2> OfFirsts, All = {Given.lookup(Host)};
    for (unsigned First : H.Firsts) {
      OfFirsts.push_back(Given.lookup(First));
      if (First != Host)
        All.push_back(Given.lookup(First));
    }
    for (auto [InView, Flags, Ahead, Links] : H.Real) {
      CallBase &Call = Calls[InView];
      if (Kept.insert({&Call, Ahead, All.front()}).second)
        orderAt(Ahead ? Call.getIterator() : placeAfter(Call), Call,
                Links && !H.Pinned ? ArrayRef(All) : ArrayRef(All).take_front(),
                Group, ECHO_COPY_D2H_SYNC, Flags, /*Reports=*/!Ahead);
    }
    for (const Event *E : H.Unsure)
      if (CallBase &Call = Calls[E->At]; DoneUnsure.insert(&Call).second)
        orderAt(placeAfter(Call), Call, OfFirsts, Group, orderOf(*E), 0,
                /*Reports=*/false);
  }
}

Rewriter::Merge Rewriter::prepare(ArrayRef<const PairDecision *> Pairs) {
  Merge All{Pairs, {}, {}, {}};
  for (const PairDecision *D : Pairs) {
    OfHost &H = All.Hosts[D->P.Host];
    H.Pairs.push_back(D);
    H.Firsts.insert(D->First);
    for (const Event *E : D->Unsure) {
      if (E->Sure)
        Failing.insert({&Calls[E->At], orderOf(*E)});
      else
        H.Unsure.insert(E);
    }
    All.Firsts.insert(D->First);
    All.Others.insert(D->P.Host);
    All.Others.insert(D->P.Device);
  }
  All.Others.set_subtract(All.Firsts);
  for (auto &[Host, H] : All.Hosts) {
    H.Pinned = Decision.objects()[Host].isPinned();
    H.Real = realCopies(View, Decision, Host, H.Pairs);
    for (const RealCopy &Real : H.Real)
      Ordered.insert(&Calls[Real.Call]);
    for (const Event *E : H.Unsure)
      Ordered.insert(&Calls[E->At]);
  }
  return All;
}

void Rewriter::merge(Merge &All) {
  auto &[Pairs, Hosts, Firsts, Others] = All;
  GlobalVariable *Group = groupFor(View, Decision, MinBytes, Pairs);
  Grown = Pairs.front()->P.Grown; // then all are
  Given.clear();
  GivenBy.clear();
  DoneUnsure.clear();
  makeVariables(Hosts);
  bool Chooses = mergeCopies(Pairs, Hosts, Group);
  keepOrder(Hosts, Group);
  SmallVector<AllocaInst *, 2> Slots;
  // The block must hold each partner, too, where that is the larger one. Not
  // where a copy to one of several asks echort how large the device buffer is.
  uint64_t Room = 0;
  for (unsigned Other : Others) {
    if (Done.contains(sitesOf(Other).front().Call))
      continue; // made by the same call as another one
    Slots.push_back(variable(Headers.lookup(Firsts.front()), "echo.partner"));
    for (const Site &S : sitesOf(Other))
      allocate(S, Slots.back(), Given.lookup(Other), Group, several(Other));
    auto Bytes =
        Sizes::constant(Decision.sizes().bytes(Decision.objects()[Other]));
    Room = std::max(Room, Chooses ? 0 : Bytes.value_or(0));
  }
  for (unsigned First : Firsts)
    for (const Site &S : sitesOf(First))
      allocate(S, nullptr, Given.lookup(First), Group, several(First), Slots,
               Room);
  if (AllocaInst *Block = Given.lookup(Firsts.front()); Block && !Grown)
    Slots.push_back(Block);
  SetVector<CallBase *> Early;
  // After its free another thread's buffer may have the address.
  if (Grown)
    Early.insert_range(FreesOf[Firsts.front()]);
  for (const PairDecision *D : Pairs)
    for (const Event *Freed : D->EarlyFrees)
      Early.insert(&Calls[Freed->At]);
  for (CallBase *Call : Early)
    for (AllocaInst *Slot : Slots)
      forget(*Call, Slot);
}

void Rewriter::run() {
  // Loops and frees are collected first: the rewrite makes new blocks.
  MapVector<const CallBase *, SmallVector<const PairDecision *, 2>> ByFirst;
  for (const PairDecision &D : Decision.pairs()) {
    if (!D.Accepted)
      continue;
    unsigned Key = D.With == Sharing::Excludes ? D.P.partner(D.First) : D.First;
    ByFirst[sitesOf(Key).front().Call].push_back(&D);
    auto Sites = sitesOf(D.First);
    Loop *L = LI.getLoopFor(Sites.front().Call->getParent());
    // Of a loop that both are in: of a Grown pair the last first one goes on.
    Sites.push_back(sitesOf(D.P.Device).front());
    while (L && D.P.Grown && !llvm::all_of(Sites, [&](const Site &S) {
             return L->contains(S.Call->getParent());
           }))
      L = L->getParentLoop();
    if (L)
      Headers[D.First] = L->getHeader();
  }
  collectFrees();
  for (auto [Call, Role] : Frees)
    Shared.add(
        *Call, "free " + utostr(Role), {},
        [Role = Role](CallBase &At, ArrayRef<Value *>) {
          buildRelease(At, Role);
        },
        Role == ECHO_DEVICE
            ? ArrayRef(CallShape::DeviceFree)
            : ArrayRef({CallShape::HostFree, CallShape::SizedFree}));
  const MemoryObjects &Objects = Decision.objects();
  for (const Instruction *At : Resizes)
    if (int Object = Objects.objectOf(cast<CallBase>(At)); !isAccepted(Object))
      if (CallBase &Call = Calls[At]; Done.insert(&Call).second) {
        IRBuilder<> B(&Call);
        resize(Call, byteCount(B, Call, Objects[Object].SizeArgs),
               ConstantPointerNull::get(Ptr));
      }
  std::vector<Merge> Merges;
  for (const auto &[First, Pairs] : ByFirst)
    Merges.push_back(prepare(Pairs));
  for (Merge &All : Merges)
    merge(All);
  // Linking ones see to it themselves.
  for (auto [Call, Kind] : Failing)
    if (uint32_t Order = orderOfCall(*Call, 0, 0, Kind);
        echo_copy_is_told(Order))
      Shared.add(
          *Call, "order", {ConstantInt::get(I32, Order)},
          [](CallBase &At, ArrayRef<Value *> More) { buildRan(At, More[0]); });
}

void rewritePairs(Function &F, Function &View, const FunctionDecision &Decision,
                  const BodyCalls &Calls, const LoopInfo &LI, uint64_t MinBytes,
                  AskedCalls &Asked, SharedCalls &Shared) {
  Rewriter(F, View, Decision, Calls, LI, MinBytes, Asked, Shared).run();
}

} // namespace echo
