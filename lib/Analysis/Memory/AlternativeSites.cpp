//===- AlternativeSites.cpp - Which allocations make one buffer? ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Joins what some copy of CUDA's names together, and keeps a group only if some
// call of it may come after another, no other buffer of it can exist at any of
// these copies, and no copy names one of its sites alone: there the buffers may
// be told apart.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Memory/AlternativeSites.h"
#include "Analysis/Api/CudaApi.h"
#include "Analysis/Memory/Exposure.h"
#include "Analysis/Memory/LiveInstances.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace echo {

namespace {
/// A pointer that a copy gets, and the host buffers it may point into.
struct Named {
  const CallBase *Copy;
  const Value *Pointer;
  Target Of;
};
} // namespace

/// True if \p O can be one of several sites of a buffer.
static bool mayBeAlternative(const MemoryObject &O) {
  return (O.What == MemoryObject::Malloc || O.What == MemoryObject::New) &&
         O.Pointer == O.Alloc;
}

static SmallVector<Named, 8> namedByCopies(const Function &F,
                                           const MemoryObjects &Objects) {
  SmallVector<Named, 8> All;
  for (const Instruction &I : instructions(F)) {
    const auto *Call = dyn_cast<CallBase>(&I);
    auto Api = Call ? cudaApiOf(*Call) : std::nullopt;
    if (!Api || (Api->Kind != ApiKind::Copy && Api->Kind != ApiKind::Copy2D))
      continue;
    for (ApiRole Role : {ApiRole::Dst, ApiRole::Src})
      if (auto Arg = Api->find(Role)) {
        const Value *Pointer = Call->getArgOperand(*Arg);
        Target T = Objects.resolve(Pointer);
        if (!T.none())
          All.push_back({Call, Pointer->stripPointerCasts(), T});
      }
  }
  return All;
}

/// What frees one of \p Group, and what it gets.
static LiveInstances::FreedBy freesOf(const Function &F,
                                      ArrayRef<unsigned> Group,
                                      const MemoryObjects &Objects,
                                      const ModelTable &Models) {
  LiveInstances::FreedBy Freed;
  for (const Instruction &I : instructions(F)) {
    const auto *Call = dyn_cast<CallBase>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    const FunctionModel *M =
        Callee ? Models.lookup(Callee->getName()) : nullptr;
    if (!M || !Call->getType()->isVoidTy() || Call->arg_size() < M->Args.size())
      continue;
    for (auto [Model, Arg] : llvm::zip(M->Args, Call->args()))
      if (Model.What == ArgModel::Free &&
          llvm::any_of(Objects.resolve(Arg.get()).Objects,
                       [&](unsigned O) { return is_contained(Group, O); }))
        Freed[Call].push_back(Arg.get());
  }
  return Freed;
}

/// True if no other buffer of \p Group can exist where \p All, the copies,
/// name one of them.
static bool areAlternatives(const Function &F, ArrayRef<unsigned> Group,
                            ArrayRef<Named> All, const MemoryObjects &Objects,
                            const ModelTable &Models) {
  SmallVector<const CallBase *, 4> Allocs;
  for (unsigned O : Group) {
    if (!mayBeAlternative(Objects[O]) || !Objects.viewStores(O).empty() ||
        Objects[O].What != Objects[Group.front()].What)
      return false;
    Allocs.push_back(Objects[O].Alloc);
  }
  // Of calls that exclude each other each has pairs of its own.
  SmallVector<const Instruction *, 4> Calls(Allocs.begin(), Allocs.end());
  InstructionsBehind Later(Calls);
  if (llvm::none_of(Calls, [&](auto *Call) { return Later.contains(*Call); }))
    return false;
  LiveInstances Live(F, Allocs, freesOf(F, Group, Objects, Models));
  return llvm::all_of(All, [&](const Named &N) {
    bool Any = llvm::any_of(N.Of.Objects,
                            [&](unsigned O) { return is_contained(Group, O); });
    return !Any || (N.Of.Objects.size() > 1 && !N.Of.Other && N.Of.AtSomeBase &&
                    Live.onlyAt(*N.Copy, N.Pointer));
  });
}

std::vector<SmallVector<unsigned, 2>>
alternativeSites(const Function &F, const MemoryObjects &Objects,
                 const ModelTable &Models) {
  SmallVector<Named, 8> All = namedByCopies(F, Objects);
  EquivalenceClasses<unsigned> Together;
  for (const Named &N : All)
    for (unsigned O : ArrayRef(N.Of.Objects).drop_front())
      Together.unionSets(N.Of.Objects.front(), O);
  std::vector<SmallVector<unsigned, 2>> Groups;
  for (const auto *Class : Together) {
    if (!Class->isLeader())
      continue;
    SmallVector<unsigned, 2> Group(Together.member_begin(*Class),
                                   Together.member_end());
    llvm::sort(Group);
    if (Group.size() > 1 && areAlternatives(F, Group, All, Objects, Models))
      Groups.push_back(std::move(Group));
  }
  llvm::sort(Groups);
  return Groups;
}

} // namespace echo
