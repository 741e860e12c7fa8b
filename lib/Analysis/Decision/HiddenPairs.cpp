//===- HiddenPairs.cpp - Pairs whose pointers are out of sight ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matches loads and stores of pointers by the place they name: a base value and
// a constant offset.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Decision/HiddenPairs.h"
#include "Analysis/Api/Names.h"
#include "Analysis/Decision/Describe.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include <map>

using namespace llvm;

namespace echo {

namespace {

/// An allocation and the side it is on.
struct Site {
  const CallBase *Call = nullptr;
  Side Where = Side::Host;
};

class Places {
public:
  Places(const Function &F, const MemoryObjects &Objects,
         const ModelTable &Models);
  /// The only allocation that \p Pointer can come from, or none.
  Site siteOf(const Value *Pointer) const;

private:
  using Place = std::pair<const Value *, int64_t>;
  Place placeOf(const Value *Address) const;
  static std::optional<Side> allocates(const CallBase &Call,
                                       const ModelTable &Models,
                                       std::optional<unsigned> &Out);

  const DataLayout &DL;
  const MemoryObjects &Objects;
  /// What fills each place; a null call: several allocations.
  std::map<Place, Site> Filled;
};

} // namespace

Places::Place Places::placeOf(const Value *Address) const {
  APInt Offset(DL.getIndexTypeSizeInBits(Address->getType()), 0);
  const Value *Base = Address->stripAndAccumulateConstantOffsets(
      DL, Offset, /*AllowNonInbounds=*/true);
  return {Base, Offset.getSExtValue()};
}

std::optional<Side> Places::allocates(const CallBase &Call,
                                      const ModelTable &Models,
                                      std::optional<unsigned> &Out) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration())
    return std::nullopt;
  if (auto Api = lookupCudaApi(Callee->getName())) {
    if (Api->Name == "cudaMalloc") {
      Out = Api->find(ApiRole::OutDev);
      return Side::Device;
    }
    if (Api->Kind == ApiKind::AllocHost) {
      Out = Api->find(ApiRole::OutHost);
      return Side::Host;
    }
    return std::nullopt;
  }
  const FunctionModel *M = Models.lookup(Callee->getName());
  if (!M || M->Allocates == FunctionModel::NotAlloc ||
      Call.arg_size() < M->Args.size())
    return std::nullopt;
  Out = M->allocOut();
  return Side::Host;
}

Places::Places(const Function &F, const MemoryObjects &Objects,
               const ModelTable &Models)
    : DL(F.getParent()->getDataLayout()), Objects(Objects) {
  auto Fill = [&](Place P, Site S) {
    auto [It, New] = Filled.try_emplace(P, S);
    if (!New && It->second.Call != S.Call)
      It->second.Call = nullptr;
  };
  for (const Instruction &I : instructions(F)) {
    if (const auto *Store = dyn_cast<StoreInst>(&I)) {
      std::optional<unsigned> Out;
      const auto *Call = dyn_cast<CallBase>(Store->getValueOperand());
      if (Site S = siteOf(Store->getValueOperand()); S.Call)
        Fill(placeOf(Store->getPointerOperand()), S);
      else if (Call)
        if (auto Where = allocates(*Call, Models, Out); Where && !Out)
          Fill(placeOf(Store->getPointerOperand()), {Call, *Where});
    } else if (const auto *Call = dyn_cast<CallBase>(&I)) {
      std::optional<unsigned> Out;
      auto Where = allocates(*Call, Models, Out);
      if (Where && Out && !isOutParameter(Call->getArgOperand(*Out)))
        Fill(placeOf(Call->getArgOperand(*Out)), {Call, *Where});
    }
  }
}

Site Places::siteOf(const Value *Pointer) const {
  Target T = Objects.resolve(Pointer);
  if (T.Objects.size() == 1)
    return {Objects[T.Objects[0]].Alloc, Objects[T.Objects[0]].side()};
  const auto *Load = dyn_cast<LoadInst>(Pointer->stripPointerCasts());
  if (!Load)
    return {};
  auto It = Filled.find(placeOf(Load->getPointerOperand()));
  return It == Filled.end() ? Site() : It->second;
}

std::vector<PairReport>
findHiddenPairs(const Function &F, const Effects &E,
                const MemoryObjects &Objects, const ModelTable &Models,
                ArrayRef<Pair> Known,
                SmallVectorImpl<const Instruction *> &Seen) {
  Places P(F, Objects, Models);
  std::map<std::pair<const CallBase *, const CallBase *>, PairReport> Found;
  for (const BasicBlock &BB : F)
    for (const Event &Ev : E.in(&BB)) {
      const auto *Call = dyn_cast<CallBase>(Ev.At);
      if (Ev.Kind != EventKind::Copy || !Call || Ev.chooses() ||
          (Ev.Dst >= 0 && Ev.Src >= 0))
        continue;
      auto Api = lookupCudaApi(Call->getCalledFunction()->getName());
      auto DstArg = Api->find(ApiRole::Dst), SrcArg = Api->find(ApiRole::Src);
      if (!DstArg || !SrcArg)
        continue;
      Site Dst = P.siteOf(Call->getArgOperand(*DstArg));
      Site Src = P.siteOf(Call->getArgOperand(*SrcArg));
      if (!Dst.Call || !Src.Call || Dst.Where == Src.Where)
        continue;
      bool ToDevice = Dst.Where == Side::Device;
      const CallBase *Host = ToDevice ? Src.Call : Dst.Call;
      const CallBase *Device = ToDevice ? Dst.Call : Src.Call;
      if (llvm::any_of(Known, [&](const Pair &K) {
            return Objects[K.Host].Alloc == Host &&
                   Objects[K.Device].Alloc == Device;
          }))
        continue;
      auto [It, New] = Found.try_emplace({Host, Device});
      PairReport &R = It->second;
      if (New) {
        R.Host = siteOf(*Host);
        R.Device = siteOf(*Device);
        auto Info = lookupCudaApi(Device->getCalledFunction()->getName());
        const Value *Size = Device->getArgOperand(*Info->find(ApiRole::Bytes));
        if (const auto *Constant = dyn_cast<ConstantInt>(Size))
          R.Bytes = Constant->getZExtValue();
        R.SizeText = recordedSize(*Device).value_or("?") + " B";
        R.Result = Verdict::Declined;
        setReason(R, Blocker::PointerEscapes);
        R.Because.push_back({"the pointers are in variables that other code "
                             "can reach",
                             locate(*Call)});
      }
      R.Links.push_back(
          {ToDevice, locate(*Call), false, false, Sizes::constant(Ev.Bytes)});
      Seen.push_back(Call);
    }
  std::vector<PairReport> Reports;
  for (auto &[Key, R] : Found)
    Reports.push_back(std::move(R));
  llvm::sort(Reports, [](const PairReport &A, const PairReport &B) {
    return std::pair(A.Host.Loc.Line, A.Device.Loc.Line) <
           std::pair(B.Host.Loc.Line, B.Device.Loc.Line);
  });
  return Reports;
}

} // namespace echo
