//===- PtxThreads.cpp - Inline PTX that joins threads ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps mnemonics to NVVM intrinsics; a form with other operands than the
// intrinsic has is refused.
//
//===----------------------------------------------------------------------===//
#include "PtxThreads.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace echo::cpudevice {

bool PtxThreads::together(const PtxStatement &S) {
  const std::string Name = join(S.Mnemonic, ".");
  Intrinsic::ID ID = Intrinsic::not_intrinsic;
  SmallVector<Value *> Args;
  for (const PtxOperand &O : S.Operands)
    if (Name != "activemask.b32")
      Args.push_back(read(O.Parts[0], 32));
  if (is_contained(Args, nullptr))
    return false;
  if (Name == "bar.sync" || Name == "barrier.sync" ||
      Name == "barrier.sync.aligned")
    ID = Args.size() == 1 ? Intrinsic::nvvm_barrier_cta_sync_all
                          : Intrinsic::nvvm_barrier_cta_sync_count;
  else if (Name == "bar.arrive" || Name == "barrier.arrive")
    ID = Intrinsic::nvvm_barrier_cta_arrive_count;
  else if (Name == "bar.warp.sync")
    ID = Intrinsic::nvvm_bar_warp_sync;
  else if (Name == "nanosleep.u32")
    ID = Intrinsic::nvvm_nanosleep;
  else if (Name == "activemask.b32")
    ID = Intrinsic::nvvm_activemask;
  else if (Name == "exit")
    ID = Intrinsic::nvvm_exit;
  if (ID == Intrinsic::not_intrinsic)
    return false;
  Function *F = Intrinsic::getOrInsertDeclaration(Unit.Device.get(), ID);
  if (F->arg_size() != Args.size())
    return false;
  CallInst *New = B.CreateCall(F, Args);
  keep(New);
  return New->getType()->isVoidTy() || write(S, S.Operands[0].Parts[0], New);
}

bool PtxThreads::warp(const PtxStatement &S) {
  SmallVector<Value *> Args;
  for (size_t I = 1; I < S.Operands.size(); ++I)
    Args.push_back(read(S.Operands[I].Parts[0], 32));
  if (Args.size() < 2 || is_contained(Args, nullptr) || S.Mnemonic.size() < 3)
    return false;
  Value *Mask = Args.pop_back_val();
  if (S.Mnemonic[0] == "redux")
    return reduce(S, Args[0], Mask);
  Args.insert(Args.begin(), Mask);
  StringRef Mode = S.Mnemonic[0] == "vote" ? S.Mnemonic[1] : S.Mnemonic[2];
  Intrinsic::ID ID;
  if (S.Mnemonic[0] == "vote") {
    if (S.Mnemonic[2] != "sync")
      return false;
    ID = Mode == "all"   ? Intrinsic::nvvm_vote_all_sync
         : Mode == "any" ? Intrinsic::nvvm_vote_any_sync
         : Mode == "uni" ? Intrinsic::nvvm_vote_uni_sync
                         : Intrinsic::nvvm_vote_ballot_sync;
    Args[1] = B.CreateTrunc(Args[1], B.getInt1Ty());
  } else {
    if (S.Mnemonic[1] != "sync")
      return false;
    ID = Mode == "up"     ? Intrinsic::nvvm_shfl_sync_up_i32p
         : Mode == "down" ? Intrinsic::nvvm_shfl_sync_down_i32p
         : Mode == "idx"  ? Intrinsic::nvvm_shfl_sync_idx_i32p
                          : Intrinsic::nvvm_shfl_sync_bfly_i32p;
  }
  Function *F = Intrinsic::getOrInsertDeclaration(Unit.Device.get(), ID);
  if (F->arg_size() != Args.size())
    return false;
  CallInst *New = B.CreateCall(F, Args);
  keep(New);
  const std::vector<std::string> &To = S.Operands[0].Parts;
  if (!New->getType()->isStructTy())
    return write(S, To[0], New);
  return write(S, To[0], B.CreateExtractValue(New, 0)) &&
         (To.size() == 1 || write(S, To[1], B.CreateExtractValue(New, 1)));
}

bool PtxThreads::reduce(const PtxStatement &S, Value *V, Value *Mask) {
  const bool Unsigned = S.Mnemonic.back() == "u32";
  StringRef Op = S.Mnemonic[2];
  auto ID = StringSwitch<Intrinsic::ID>(Op)
                .Case("add", Intrinsic::nvvm_redux_sync_add)
                .Case("and", Intrinsic::nvvm_redux_sync_and)
                .Case("or", Intrinsic::nvvm_redux_sync_or)
                .Case("xor", Intrinsic::nvvm_redux_sync_xor)
                .Case("min", Unsigned ? Intrinsic::nvvm_redux_sync_umin
                                      : Intrinsic::nvvm_redux_sync_min)
                .Case("max", Unsigned ? Intrinsic::nvvm_redux_sync_umax
                                      : Intrinsic::nvvm_redux_sync_max)
                .Default(Intrinsic::not_intrinsic);
  if (ID == Intrinsic::not_intrinsic || S.Mnemonic[1] != "sync")
    return false;
  Function *F = Intrinsic::getOrInsertDeclaration(Unit.Device.get(), ID);
  CallInst *New = B.CreateCall(F, {V, Mask});
  keep(New);
  return write(S, S.Operands[0].Parts[0], New);
}

} // namespace echo::cpudevice
