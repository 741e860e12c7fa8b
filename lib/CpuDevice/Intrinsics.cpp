//===- Intrinsics.cpp - Replaces what only a GPU has ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides, from a call's callee, which host code does the same. Geometry
// (tid, ntid, ctaid, nctaid) stays an intrinsic until bindThreadContext; what
// threads do together becomes a runtime service; values become functions of
// cpu_devlib, found by name: llvm.nvvm.a.b is echo_nvvm_a_b. What is in none
// of these is an error; it must never be guessed.
//
//===----------------------------------------------------------------------===//
#include "DeviceUnit.h"
#include "runtime/abi/CpuModule.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include <optional>

using namespace llvm;

namespace echo::cpudevice {
namespace {

class Lowering {
public:
  Lowering(DeviceUnit &Unit, CallBase &Call)
      : Unit(Unit), Call(Call), B(&Call), I32(B.getInt32Ty()) {}

  void intrinsic(StringRef Name) {
    if (isGeometry(Name))
      return;
    for (auto Step : {&Lowering::specialRegister, &Lowering::barrier,
                      &Lowering::warp, &Lowering::memory, &Lowering::atomic,
                      &Lowering::control, &Lowering::library})
      if ((this->*Step)(Name))
        return;
    Unit.unsupported(Call, "the GPU operation '" + Name + "'",
                     "compile with --device=cuda, or write it in plain CUDA");
  }

  /// Functions that the device runtime gives to every kernel.
  bool runtimeCall(StringRef Name) {
    Type *Ptr = B.getPtrTy();
    Type *Size = B.getInt64Ty();
    if (Name == "vprintf")
      return to("echo_cpu_vprintf", I32, {Ptr, Ptr});
    if (Name == "malloc" || Name == "_Znwm" || Name == "_Znam")
      return to("echo_cpu_device_malloc", Ptr, {Size});
    // The deletes of CUDA's <new>, sized and aligned ones too.
    if (Name == "free" || Name.starts_with("_ZdlPv") ||
        Name.starts_with("_ZdaPv"))
      return to("echo_cpu_device_free", B.getVoidTy(), {Ptr});
    if (Name == "__cxa_pure_virtual" || Name == "__cxa_deleted_virtual")
      return to("echo_cpu_trap", B.getVoidTy(), {});
    if (Name == "__assertfail" || Name == "__assert_fail")
      return assertFail();
    if (Name == "__nvvm_reflect")
      return reflect();
    return false;
  }

private:
  static bool isGeometry(StringRef Name) {
    if (!Name.consume_front("read.ptx.sreg."))
      return false;
    auto [Register, Axis] = Name.split('.');
    return (Register == "tid" || Register == "ntid" || Register == "ctaid" ||
            Register == "nctaid") &&
           Axis != "w";
  }

  bool replace(Value *V) {
    if (V && !Call.getType()->isVoidTy())
      Call.replaceAllUsesWith(V);
    Call.eraseFromParent();
    return true;
  }

  CallInst *service(StringRef Name, Type *Result, ArrayRef<Value *> Args) {
    SmallVector<Type *> Types;
    for (Value *A : Args)
      Types.push_back(A->getType());
    return B.CreateCall(Unit.service(Name, Result, Types), Args);
  }

  bool to(StringRef Name, Type *Result, ArrayRef<Type *> Params) {
    if (Call.arg_size() < Params.size())
      return false;
    SmallVector<Value *> Args(Call.arg_begin(),
                              Call.arg_begin() + Params.size());
    return replace(B.CreateCall(Unit.service(Name, Result, Params), Args));
  }

  Value *constant(uint32_t V) { return B.getInt32(V); }
  Value *arg(unsigned I) { return Call.getArgOperand(I); }

  Value *geometry(Intrinsic::ID ID) { return B.CreateIntrinsic(I32, ID, {}); }

  /// x + y * dim.x + z * dim.x * dim.y
  Value *linearThread() {
    Value *YZ =
        B.CreateAdd(geometry(Intrinsic::nvvm_read_ptx_sreg_tid_y),
                    B.CreateMul(geometry(Intrinsic::nvvm_read_ptx_sreg_ntid_y),
                                geometry(Intrinsic::nvvm_read_ptx_sreg_tid_z)));
    return B.CreateAdd(
        geometry(Intrinsic::nvvm_read_ptx_sreg_tid_x),
        B.CreateMul(geometry(Intrinsic::nvvm_read_ptx_sreg_ntid_x), YZ));
  }

  Value *lane() { return B.CreateAnd(linearThread(), constant(31)); }

  Value *blockThreads() {
    return B.CreateMul(
        geometry(Intrinsic::nvvm_read_ptx_sreg_ntid_x),
        B.CreateMul(geometry(Intrinsic::nvvm_read_ptx_sreg_ntid_y),
                    geometry(Intrinsic::nvvm_read_ptx_sreg_ntid_z)));
  }

  Value *blockField(unsigned Offset) {
    Type *Ptr = B.getPtrTy();
    Value *Block = service(BlockPlaceholder, Ptr, {});
    return B.CreateLoad(
        I32, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Block, Offset));
  }

  bool specialRegister(StringRef Name) {
    if (!Name.consume_front("read.ptx.sreg."))
      return false;
    if (Name == "laneid")
      return replace(lane());
    if (Name == "warpid")
      return replace(B.CreateLShr(linearThread(), 5));
    if (Name == "nwarpid")
      return replace(
          B.CreateLShr(B.CreateAdd(blockThreads(), constant(31)), 5));
    if (Name == "warpsize")
      return replace(constant(32));
    if (Name.starts_with("lanemask."))
      return replace(laneMask(Name.substr(9)));
    if (Name == "dynamic_smem_size")
      return replace(blockField(offsetof(EchoCpuBlock, dynamicSharedBytes)));
    if (Name == "total_smem_size")
      return replace(
          B.CreateAdd(blockField(offsetof(EchoCpuBlock, dynamicSharedOffset)),
                      blockField(offsetof(EchoCpuBlock, dynamicSharedBytes))));
    if (Name.starts_with("clock") || Name.starts_with("globaltimer"))
      return replace(B.CreateTrunc(
          service("echo_cpu_clock", B.getInt64Ty(), {}), Call.getType()));
    // A cluster is one block here, and the CPU device one multiprocessor.
    uint32_t Value =
        StringSwitch<uint32_t>(Name)
            .Cases({"cluster.nctaid.x", "cluster.nctaid.y", "cluster.nctaid.z",
                    "cluster.nctarank", "nsmid"},
                   1)
            .Cases({"cluster.ctaid.x", "cluster.ctaid.y", "cluster.ctaid.z",
                    "cluster.ctarank", "smid", "gridid"},
                   0)
            .Default(~0u);
    if (Value == ~0u)
      return cluster(Name);
    return replace(ConstantInt::get(Call.getType(), Value));
  }

  bool cluster(StringRef Name) {
    Intrinsic::ID ID =
        StringSwitch<Intrinsic::ID>(Name)
            .Case("clusterid.x", Intrinsic::nvvm_read_ptx_sreg_ctaid_x)
            .Case("clusterid.y", Intrinsic::nvvm_read_ptx_sreg_ctaid_y)
            .Case("clusterid.z", Intrinsic::nvvm_read_ptx_sreg_ctaid_z)
            .Case("nclusterid.x", Intrinsic::nvvm_read_ptx_sreg_nctaid_x)
            .Case("nclusterid.y", Intrinsic::nvvm_read_ptx_sreg_nctaid_y)
            .Case("nclusterid.z", Intrinsic::nvvm_read_ptx_sreg_nctaid_z)
            .Default(Intrinsic::not_intrinsic);
    return ID != Intrinsic::not_intrinsic && replace(geometry(ID));
  }

  Value *laneMask(StringRef Relation) {
    Value *Bit = B.CreateShl(constant(1), lane());
    Value *Below = B.CreateSub(Bit, constant(1));
    if (Relation == "eq")
      return Bit;
    if (Relation == "lt")
      return Below;
    if (Relation == "le")
      return B.CreateOr(Below, Bit);
    if (Relation == "ge")
      return B.CreateNot(Below);
    return B.CreateNot(B.CreateOr(Below, Bit));
  }

  bool barrier(StringRef Name) {
    Type *Void = B.getVoidTy();
    if (Name == "bar.warp.sync")
      return replace(service("echo_cpu_syncwarp", Void, {arg(0)}));
    // A cluster of one block: its barrier is the block's, and the first half
    // of a split barrier needs no wait of its own.
    if (Name.starts_with("barrier.cluster.arrive"))
      return replace(service("echo_cpu_yield", Void, {}));
    if (Name.starts_with("barrier.cluster.wait"))
      return replace(
          service("echo_cpu_barrier", Void, {constant(0), constant(0)}));
    if (!Name.consume_front("barrier.cta."))
      return false;
    const bool All = Name.ends_with(".all");
    if (Name.starts_with("sync."))
      return replace(service("echo_cpu_barrier", Void,
                             {arg(0), All ? constant(0) : arg(1)}));
    if (Name.starts_with("arrive."))
      return replace(
          service("echo_cpu_barrier_arrive", Void, {arg(0), arg(1)}));
    // The runtime reduces over the whole block, at barrier 0.
    auto *Id = dyn_cast<ConstantInt>(arg(0));
    if (!Name.consume_front("red.") || !All || !Id || !Id->isZero())
      return false;
    uint32_t Op = Name.starts_with("popc")  ? ECHO_CPU_POPC
                  : Name.starts_with("and") ? ECHO_CPU_AND
                                            : ECHO_CPU_OR;
    Value *Predicate = B.CreateZExtOrTrunc(arg(1), I32);
    Value *R =
        service("echo_cpu_barrier_reduce", I32, {constant(Op), Predicate});
    if (Call.getType()->isIntegerTy(1))
      R = B.CreateICmpNE(R, constant(0));
    return replace(R);
  }

  bool warp(StringRef Name) {
    if (Name == "activemask")
      return replace(service("echo_cpu_activemask", I32, {}));
    if (Name.consume_front("shfl."))
      return shuffle(Name);
    if (Name.consume_front("vote."))
      return vote(Name);
    if (Name.consume_front("match."))
      return match(Name);
    if (Name.consume_front("redux.sync."))
      return redux(Name);
    return false;
  }

  bool shuffle(StringRef Name) {
    const bool Sync = Name.consume_front("sync.");
    const bool WithPredicate = Name.ends_with("p");
    uint32_t Mode = Name.starts_with("idx")    ? ECHO_CPU_SHFL_IDX
                    : Name.starts_with("up")   ? ECHO_CPU_SHFL_UP
                    : Name.starts_with("down") ? ECHO_CPU_SHFL_DOWN
                                               : ECHO_CPU_SHFL_BFLY;
    unsigned First = Sync ? 1 : 0;
    Value *Mask = Sync ? arg(0) : constant(~0u);
    Value *Data = arg(First);
    Type *T = Data->getType();
    Value *InRange = ConstantPointerNull::get(B.getPtrTy());
    if (WithPredicate)
      InRange = entryAlloca(I32);
    Value *R = service("echo_cpu_shfl", I32,
                       {Mask, constant(Mode), B.CreateBitCast(Data, I32),
                        arg(First + 1), arg(First + 2), InRange});
    R = B.CreateBitCast(R, T);
    if (WithPredicate)
      R = pairWithPredicate(R, InRange);
    return replace(R);
  }

  Value *entryAlloca(Type *T) {
    BasicBlock &Entry = Call.getFunction()->getEntryBlock();
    return new AllocaInst(T, 0, "", Entry.getFirstNonPHIOrDbgOrAlloca());
  }

  Value *pairWithPredicate(Value *R, Value *Predicate) {
    Value *P = B.CreateICmpNE(B.CreateLoad(I32, Predicate), constant(0));
    Value *Pair = PoisonValue::get(Call.getType());
    return B.CreateInsertValue(B.CreateInsertValue(Pair, R, 0), P, 1);
  }

  bool vote(StringRef Name) {
    const bool Sync = Name.ends_with(".sync");
    uint32_t Op = Name.starts_with("all")   ? ECHO_CPU_VOTE_ALL
                  : Name.starts_with("any") ? ECHO_CPU_VOTE_ANY
                  : Name.starts_with("uni") ? ECHO_CPU_VOTE_UNI
                                            : ECHO_CPU_VOTE_BALLOT;
    Value *Mask = Sync ? arg(0) : constant(~0u);
    Value *P = B.CreateZExtOrTrunc(arg(Sync ? 1 : 0), I32);
    Value *R = service("echo_cpu_vote", I32, {Mask, constant(Op), P});
    if (Call.getType()->isIntegerTy(1))
      R = B.CreateICmpNE(R, constant(0));
    return replace(R);
  }

  bool match(StringRef Name) {
    const bool All = Name.starts_with("all");
    Value *Data = B.CreateZExtOrTrunc(arg(1), B.getInt64Ty());
    Value *Predicate = ConstantPointerNull::get(B.getPtrTy());
    if (All)
      Predicate = entryAlloca(I32);
    Value *R = service("echo_cpu_match", I32,
                       {arg(0), constant(All), Data, Predicate});
    if (All)
      R = pairWithPredicate(R, Predicate);
    return replace(R);
  }

  bool redux(StringRef Name) {
    uint32_t Op = StringSwitch<uint32_t>(Name)
                      .Case("add", ECHO_CPU_REDUX_ADD)
                      .Case("min", ECHO_CPU_REDUX_MIN)
                      .Case("max", ECHO_CPU_REDUX_MAX)
                      .Case("umin", ECHO_CPU_REDUX_UMIN)
                      .Case("umax", ECHO_CPU_REDUX_UMAX)
                      .Case("and", ECHO_CPU_REDUX_AND)
                      .Case("or", ECHO_CPU_REDUX_OR)
                      .Case("xor", ECHO_CPU_REDUX_XOR)
                      .Default(~0u);
    return Op != ~0u && replace(service("echo_cpu_redux", I32,
                                        {arg(1), constant(Op), arg(0)}));
  }

  bool memory(StringRef Name) {
    if (Name.starts_with("membar.") || Name == "fence.sc.cluster") {
      B.CreateFence(AtomicOrdering::SequentiallyConsistent);
      return replace(nullptr);
    }
    if (Name.starts_with("ldu.global.") || Name.starts_with("ldg.global.")) {
      LoadInst *Load = B.CreateLoad(Call.getType(), arg(0));
      if (auto *Alignment = dyn_cast<ConstantInt>(arg(1)))
        Load->setAlignment(Align(Alignment->getZExtValue()));
      return replace(Load);
    }
    if (Name.starts_with("prefetch") || Name.starts_with("applypriority.") ||
        Name.starts_with("discard."))
      return replace(nullptr);
    if (Name.starts_with("isspacep."))
      return spaceTest(Name.substr(9));
    if (Name.starts_with("ptr.") || Name.starts_with("move.") ||
        Name == "internal.addrspace.wrap" || Name.starts_with("mapa"))
      return replace(arg(0));
    return asyncCopy(Name);
  }

  bool spaceTest(StringRef Space) {
    if (Space == "global")
      return replace(B.getTrue());
    if (!Space.starts_with("shared"))
      return replace(B.getFalse());
    Type *I64 = B.getInt64Ty();
    Value *Block = service(BlockPlaceholder, B.getPtrTy(), {});
    Value *Base = B.CreateLoad(
        I64, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Block,
                                          offsetof(EchoCpuBlock, sharedMem)));
    Value *Bytes =
        B.CreateAdd(blockField(offsetof(EchoCpuBlock, dynamicSharedOffset)),
                    blockField(offsetof(EchoCpuBlock, dynamicSharedBytes)));
    Value *Offset = B.CreateSub(B.CreatePtrToInt(arg(0), I64), Base);
    return replace(B.CreateICmpULT(Offset, B.CreateZExt(Bytes, I64)));
  }

  /// cp.async finishes at once; its groups have nothing to wait for.
  bool asyncCopy(StringRef Name) {
    if (!Name.consume_front("cp.async."))
      return false;
    if (Name == "commit.group" || Name == "wait.all" || Name == "wait.group")
      return replace(nullptr);
    if (!Name.contains(".shared.global.") || Name.starts_with("bulk"))
      return false;
    const bool WithSize = Name.consume_back(".s");
    uint32_t Bytes = 0;
    if (Name.rsplit('.').second.getAsInteger(10, Bytes))
      return false;
    if (WithSize) {
      B.CreateMemSet(arg(0), B.getInt8(0), Bytes, Align(1));
      B.CreateMemCpy(arg(0), Align(1), arg(1), Align(1), arg(2));
    } else {
      B.CreateMemCpy(arg(0), Align(Bytes), arg(1), Align(Bytes), Bytes);
    }
    return replace(nullptr);
  }

  /// Scoped atomics; the others are LLVM's own instructions already.
  bool atomic(StringRef Name) {
    if (!Name.consume_front("atomic."))
      return false;
    auto [Op, Rest] = Name.split('.');
    constexpr auto Order = AtomicOrdering::SequentiallyConsistent;
    if (Op == "cas") {
      auto *CAS = B.CreateAtomicCmpXchg(arg(0), arg(1), arg(2), MaybeAlign(),
                                        Order, Order);
      return replace(B.CreateExtractValue(CAS, 0));
    }
    auto Kind = StringSwitch<AtomicRMWInst::BinOp>(Op)
                    .Case("add", arg(1)->getType()->isFloatingPointTy()
                                     ? AtomicRMWInst::FAdd
                                     : AtomicRMWInst::Add)
                    .Case("and", AtomicRMWInst::And)
                    .Case("or", AtomicRMWInst::Or)
                    .Case("xor", AtomicRMWInst::Xor)
                    .Case("exch", AtomicRMWInst::Xchg)
                    .Case("max", AtomicRMWInst::Max)
                    .Case("min", AtomicRMWInst::Min)
                    .Case("inc", AtomicRMWInst::UIncWrap)
                    .Case("dec", AtomicRMWInst::UDecWrap)
                    .Default(AtomicRMWInst::BAD_BINOP);
    return Kind != AtomicRMWInst::BAD_BINOP &&
           replace(
               B.CreateAtomicRMW(Kind, arg(0), arg(1), MaybeAlign(), Order));
  }

  bool control(StringRef Name) {
    Type *Void = B.getVoidTy();
    if (Name == "nanosleep")
      return replace(service("echo_cpu_yield", Void, {}));
    if (Name == "reflect")
      return reflect();
    if (Name.starts_with("griddepcontrol.") || Name.starts_with("pm.event") ||
        Name.starts_with("setmaxnreg."))
      return replace(nullptr);
    if (Name == "exit") {
      // A thread can end only where its kernel can return.
      Function *F = Call.getFunction();
      bool InKernel =
          any_of(Unit.Kernels, [&](Kernel &K) { return K.Body == F; });
      if (!InKernel)
        return false;
      BasicBlock *Block = Call.getParent();
      Block->splitBasicBlock(Call.getIterator());
      Block->getTerminator()->eraseFromParent();
      ReturnInst::Create(F->getContext(), Block);
      return replace(nullptr);
    }
    return false;
  }

  bool library(StringRef Name) {
    std::string Symbol = "echo_nvvm_" + Name.str();
    std::replace(Symbol.begin(), Symbol.end(), '.', '_');
    Function *F = Unit.devlibFunction(Symbol);
    if (!F || F->getFunctionType() != Call.getFunctionType())
      return false;
    SmallVector<Value *> Args(Call.args());
    auto *New = B.CreateCall(F, Args);
    if (isa<FPMathOperator>(New) && isa<FPMathOperator>(&Call))
      New->copyFastMathFlags(&Call);
    return replace(New);
  }

  bool assertFail() {
    Type *Ptr = B.getPtrTy();
    if (Call.arg_size() == 5)
      return to("echo_cpu_assertfail", B.getVoidTy(),
                {Ptr, Ptr, I32, Ptr, B.getInt64Ty()});
    if (Call.arg_size() != 4)
      return false;
    return replace(service("echo_cpu_assertfail", B.getVoidTy(),
                           {arg(0), arg(1), arg(2), arg(3), B.getInt64(1)}));
  }

  /// __CUDA_FTZ and the like: the host keeps denormals and IEEE division.
  bool reflect() {
    StringRef Key;
    uint32_t Result = 0;
    if (getConstantStringInfo(arg(0), Key) && Key == "__CUDA_PREC_SQRT")
      Result = 1;
    return replace(constant(Result));
  }

  DeviceUnit &Unit;
  CallBase &Call;
  IRBuilder<> B;
  Type *I32;
};

/// llvm.trap and its like fail the device, not the process.
bool lowerTrap(DeviceUnit &Unit, CallBase &Call, Intrinsic::ID ID) {
  if (ID != Intrinsic::trap && ID != Intrinsic::debugtrap &&
      ID != Intrinsic::ubsantrap)
    return false;
  IRBuilder<> B(&Call);
  B.CreateCall(Unit.service("echo_cpu_trap", B.getVoidTy(), {}));
  Call.eraseFromParent();
  return true;
}

} // namespace

void lowerCall(DeviceUnit &Unit, CallBase &Call) {
  auto *Callee = dyn_cast<Function>(Call.getCalledOperand());
  if (!Callee || !Callee->isDeclaration())
    return;
  StringRef Name = Callee->getName();
  if (lowerTrap(Unit, Call, Callee->getIntrinsicID()))
    return;
  if (Name.consume_front("llvm.nvvm."))
    Lowering(Unit, Call).intrinsic(Name);
  else if (!Callee->isIntrinsic())
    Lowering(Unit, Call).runtimeCall(Name);
}

} // namespace echo::cpudevice
