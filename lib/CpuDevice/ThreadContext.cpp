//===- ThreadContext.cpp - Who am I, for every device function ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which kernels need fibers (something they can reach waits for other
// threads) and which need echo_cpu_self, then gives every function its thread:
// a kernel body gets block, indices and dimensions as arguments, any other
// function reads echo_cpu_self. What cannot be seen (calls through pointers,
// functions of other files) counts as needing all that an address-taken
// function could need.
//
//===----------------------------------------------------------------------===//
#include "DeviceUnit.h"
#include "KernelBody.h"
#include "runtime/abi/CpuModule.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace echo::cpudevice {
namespace {

struct Needs {
  bool Fibers = false;
  bool Self = false;
};

/// What a runtime service needs of its caller.
Needs serviceNeeds(StringRef Name) {
  return StringSwitch<Needs>(Name)
      .Cases({"echo_cpu_barrier", "echo_cpu_barrier_arrive",
              "echo_cpu_barrier_reduce", "echo_cpu_syncwarp", "echo_cpu_shfl",
              "echo_cpu_vote", "echo_cpu_match", "echo_cpu_redux",
              "echo_cpu_activemask", "echo_cpu_yield"},
             {true, true})
      .Cases({"echo_cpu_assertfail", "echo_cpu_trap"}, {false, true})
      .Default({false, false});
}

/// Follows calls from a kernel.
class Reach {
public:
  explicit Reach(Module &M) {
    for (Function &F : M)
      if (!F.isIntrinsic() && F.hasAddressTaken())
        AddressTaken.push_back(&F);
  }

  Needs of(Function &Kernel) {
    Result = {};
    Seen.clear();
    visit(Kernel, true);
    while (!Work.empty())
      visit(*Work.pop_back_val(), false);
    return Result;
  }

private:
  void visit(Function &F, bool IsKernel) {
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (!Call)
        continue;
      Function *Callee = Call->getCalledFunction();
      if (Callee)
        call(*Callee, IsKernel);
      else if (!Call->isInlineAsm())
        for (Function *Target : AddressTaken)
          call(*Target, false);
    }
  }

  void call(Function &Callee, bool IsKernel) {
    if (Callee.isIntrinsic() || Callee.getName() == BlockPlaceholder) {
      if (!IsKernel &&
          (Callee.getName().starts_with("llvm.nvvm.") || !Callee.isIntrinsic()))
        Result.Self = true;
      return;
    }
    if (!Callee.isDeclaration()) {
      if (Seen.insert(&Callee).second)
        Work.push_back(&Callee);
      return;
    }
    StringRef Name = Callee.getName();
    // A device function of another file may do anything.
    Needs Here =
        Name.starts_with(DevicePrefix) ? Needs{true, true} : serviceNeeds(Name);
    Result.Fibers |= Here.Fibers;
    Result.Self |= Here.Self;
  }

  SmallVector<Function *> AddressTaken;
  SmallVector<Function *> Work;
  SmallPtrSet<Function *, 16> Seen;
  Needs Result;
};

/// Byte offset in EchoCpuBlock of a block-wide geometry register.
unsigned blockOffset(unsigned Register) {
  static constexpr unsigned Bases[] = {offsetof(EchoCpuBlock, blockDim),
                                       offsetof(EchoCpuBlock, blockIdx),
                                       offsetof(EchoCpuBlock, gridDim)};
  return Bases[Register / 3 - 1] + Register % 3 * sizeof(uint32_t);
}

/// Index into KernelBody's geometry of an intrinsic, or -1.
int registerOf(Intrinsic::ID ID) {
  static constexpr Intrinsic::ID Registers[NumGeometry] = {
      Intrinsic::nvvm_read_ptx_sreg_tid_x,
      Intrinsic::nvvm_read_ptx_sreg_tid_y,
      Intrinsic::nvvm_read_ptx_sreg_tid_z,
      Intrinsic::nvvm_read_ptx_sreg_ntid_x,
      Intrinsic::nvvm_read_ptx_sreg_ntid_y,
      Intrinsic::nvvm_read_ptx_sreg_ntid_z,
      Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
      Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
      Intrinsic::nvvm_read_ptx_sreg_ctaid_z,
      Intrinsic::nvvm_read_ptx_sreg_nctaid_x,
      Intrinsic::nvvm_read_ptx_sreg_nctaid_y,
      Intrinsic::nvvm_read_ptx_sreg_nctaid_z};
  for (unsigned I = 0; I != NumGeometry; ++I)
    if (Registers[I] == ID)
      return I;
  return -1;
}

/// Replaces placeholders of \p F by what \p Get gives for them.
template <typename GetBlock, typename GetRegister>
void replacePlaceholders(Function &F, GetBlock Block, GetRegister Register) {
  // Erased last: a placeholder may be where the replacements are inserted.
  SmallVector<CallBase *> Done;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee)
      continue;
    Value *V = nullptr;
    if (Callee->getName() == BlockPlaceholder)
      V = Block();
    else if (int R = registerOf(Callee->getIntrinsicID()); R >= 0)
      V = Register(R);
    if (!V)
      continue;
    Call->replaceAllUsesWith(V);
    Done.push_back(Call);
  }
  for (CallBase *Call : Done)
    Call->eraseFromParent();
}

/// Appends the hidden arguments to a kernel body.
Function *addGeometryArguments(Function &Old) {
  LLVMContext &Context = Old.getContext();
  SmallVector<Type *> Types(Old.getFunctionType()->params());
  Types.push_back(PointerType::get(Context, 0));
  Types.append(NumGeometry, Type::getInt32Ty(Context));
  Function *New =
      Function::Create(FunctionType::get(Old.getReturnType(), Types, false),
                       Old.getLinkage(), "", Old.getParent());
  New->copyAttributesFrom(&Old);
  New->copyMetadata(&Old, 0);
  New->takeName(&Old);
  New->splice(New->begin(), &Old);
  for (auto [From, To] : zip(Old.args(), New->args())) {
    From.replaceAllUsesWith(&To);
    To.takeName(&From);
  }
  Old.eraseFromParent();
  Argument *Block = New->getArg(New->arg_size() - NumGeometry - 1);
  Block->setName("block");
  replacePlaceholders(
      *New, [&] { return Block; },
      [&](int R) { return New->getArg(Block->getArgNo() + 1 + R); });
  return New;
}

/// Makes a device function that is not a kernel read echo_cpu_self.
void bindToSelf(DeviceUnit &Unit, Function &F) {
  IRBuilder<> B(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Value *Self = nullptr, *Block = nullptr;
  auto GetSelf = [&] {
    if (!Self)
      Self = loadSelf(*Unit.Device, B);
    return Self;
  };
  auto GetBlock = [&] {
    GetSelf();
    if (!Block)
      Block =
          loadInvariant(B, B.getPtrTy(), Self, offsetof(EchoCpuThread, block));
    return Block;
  };
  DenseMap<int, Value *> Registers;
  auto GetRegister = [&](int R) -> Value * {
    Value *&V = Registers[R];
    if (V)
      return V;
    if (R < 3)
      V = loadField(B, B.getInt32Ty(), GetSelf(),
                    offsetof(EchoCpuThread, tid) + R * sizeof(uint32_t));
    else
      V = loadInvariant(B, B.getInt32Ty(), GetBlock(), blockOffset(R));
    return V;
  };
  replacePlaceholders(F, GetBlock, GetRegister);
}

} // namespace

bool isSwitchingService(StringRef Name) { return serviceNeeds(Name).Fibers; }

Value *loadField(IRBuilderBase &B, Type *T, Value *Base, unsigned Offset) {
  return B.CreateLoad(
      T, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Base, Offset));
}

Value *loadInvariant(IRBuilderBase &B, Type *T, Value *Base, unsigned Offset) {
  auto *Load = cast<LoadInst>(loadField(B, T, Base, Offset));
  Load->setMetadata(LLVMContext::MD_invariant_load,
                    MDNode::get(B.getContext(), {}));
  return Load;
}

Value *loadSelf(Module &M, IRBuilderBase &B) {
  GlobalVariable *Self = M.getNamedGlobal("echo_cpu_self");
  if (!Self)
    Self = new GlobalVariable(
        M, B.getPtrTy(), false, GlobalValue::ExternalLinkage, nullptr,
        "echo_cpu_self", nullptr, GlobalValue::GeneralDynamicTLSModel);
  return B.CreateLoad(B.getPtrTy(), B.CreateThreadLocalAddress(Self));
}

Value *loadGeometry(IRBuilderBase &B, Value *Block, unsigned Register) {
  return loadInvariant(B, B.getInt32Ty(), Block, blockOffset(Register));
}

void classifyKernels(DeviceUnit &Unit) {
  Reach Calls(*Unit.Device);
  for (Kernel &K : Unit.Kernels) {
    Needs N = Calls.of(*K.Body);
    K.NeedsFibers = N.Fibers;
    K.NeedsSelf = N.Self;
  }
}

void bindThreadContext(DeviceUnit &Unit) {
  for (Kernel &K : Unit.Kernels)
    K.Body = addGeometryArguments(*K.Body);
  for (Function &F : *Unit.Device)
    if (!F.isDeclaration() &&
        none_of(Unit.Kernels, [&](Kernel &K) { return K.Body == &F; }))
      bindToSelf(Unit, F);
}

} // namespace echo::cpudevice
