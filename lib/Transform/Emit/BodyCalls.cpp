//===- BodyCalls.cpp - The calls of a body that a decision names ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part is what the rewrite does with a call, as text: it is compared, and
// nothing else.
//
//===----------------------------------------------------------------------===//
#include "Transform/Emit/BodyCalls.h"
#include "Analysis/Decision/Decide.h"
#include "Transform/Body/Body.h"
#include "Transform/Emit/RealCopies.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include <set>

using namespace llvm;

namespace echo {

namespace {
/// What the rewrite does with one call of the view, and for which pairs.
struct Part {
  std::set<std::string> What;
  SmallVector<unsigned, 2> Pairs;
  bool onlyFrees() const {
    return llvm::all_of(
        What, [](StringRef Text) { return Text.starts_with("frees "); });
  }
};

/// The parts that the calls of one decision play. Buffers that one call of the
/// program makes have one name, the paths of the calls that make them.
class Parts {
public:
  Parts(const FunctionDecision &D, Function &View) : D(D) {
    for (unsigned I = 0; I != D.pairs().size(); ++I)
      if (D.pairs()[I].Accepted)
        addPair(I, View);
  }
  const MapVector<const Instruction *, Part> &all() const { return OfCalls; }

private:
  /// \p What: empty where the call must be there, and what else it does does
  /// not matter: echort is asked only where it fails.
  void add(const Instruction *Call, unsigned Pair, std::string What);
  void addPair(unsigned I, Function &View);
  std::string nameOf(unsigned Object) const;

  const FunctionDecision &D;
  MapVector<const Instruction *, Part> OfCalls;
};
} // namespace

void Parts::add(const Instruction *Call, unsigned Pair, std::string What) {
  Part &P = OfCalls[Call];
  if (!What.empty())
    P.What.insert(std::move(What));
  if (!is_contained(P.Pairs, Pair))
    P.Pairs.push_back(Pair);
}

std::string Parts::nameOf(unsigned Object) const {
  std::set<StringRef> Paths;
  for (const CallBase *Alloc : D.objects()[Object].allocs())
    Paths.insert(callPath(*Alloc));
  return join(Paths, "+");
}

void Parts::addPair(unsigned I, Function &View) {
  const PairDecision &PD = D.pairs()[I];
  const Pair &P = PD.P;
  for (unsigned Object : {P.Host, P.Device})
    for (const CallBase *Alloc : D.objects()[Object].allocs())
      add(Alloc, I, "allocates " + nameOf(Object));
  std::string Both = nameOf(P.Host) + " " + nameOf(P.Device);
  auto CopyOf = [&](const Event &E) {
    return "copies " + Both +
           (E.Dst == static_cast<int>(P.Device) ? " up" : " down");
  };
  for (const Event *Copy : P.Copies)
    add(Copy->At, I, CopyOf(*Copy));
  for (const Event *Unsure : PD.Unsure)
    add(Unsure->At, I, Unsure->Sure ? "" : "orders " + Both);
  for (const RealCopy &C : realCopies(View, D, P.Host, {&PD}))
    add(C.Call, I,
        "stays " + nameOf(P.Host) + " " + std::to_string(C.Flags) +
            (C.Ahead ? " first" : "") + (C.Links ? " links" : ""));
  for (BasicBlock &BB : View)
    for (const Event &E : D.effects().in(&BB)) {
      if (P.mayLink(E))
        add(E.At, I, CopyOf(E));
      // Which buffer is freed, run time tells; only the side counts.
      if (E.Kind == EventKind::Free && P.has(E.Object))
        add(E.At, I,
            D.objects()[E.Object].side() == Side::Host ? "frees host"
                                                       : "frees device");
    }
}

std::map<unsigned, SmallVector<StringRef, 8>>
pathsNeeded(const FunctionDecision &D, Function &View) {
  std::map<unsigned, SmallVector<StringRef, 8>> Paths;
  Parts All(D, View);
  for (const auto &[At, Mine] : All.all())
    for (unsigned I : Mine.Pairs)
      Paths[I].push_back(callPath(*cast<CallBase>(At)));
  return Paths;
}

/// The pairs of \p D that share buffers with \p Seeds, and these; with the
/// call for which they are withdrawn.
static std::map<unsigned, const Instruction *>
withSharers(const FunctionDecision &D,
            const std::map<unsigned, const Instruction *> &Seeds) {
  EquivalenceClasses<unsigned> Objects;
  for (const PairDecision &P : D.pairs())
    if (P.Accepted)
      Objects.unionSets(P.P.Host, P.P.Device);
  std::map<unsigned, const Instruction *> All = Seeds;
  for (unsigned I = 0; I != D.pairs().size(); ++I)
    for (auto [Seed, At] : Seeds)
      if (D.pairs()[I].Accepted &&
          Objects.isEquivalent(D.pairs()[I].P.Host, D.pairs()[Seed].P.Host))
        All.insert({I, At});
  return All;
}

/// True if wherever pair \p P allocates its second buffer, the call of the
/// program that makes its first one has last made just that: run time then
/// finds the partner, though the call makes several buffers.
bool BodyCalls::meetsPartner(const FunctionDecision &D,
                             const PairDecision &P) const {
  const CallBase *First = D.objects()[P.First].Alloc;
  const CallBase *Second = D.objects()[P.P.partner(P.First)].Alloc;
  ArrayRef<const CallBase *> Firsts = ByPath.at(callPath(*First)),
                             Seconds = ByPath.at(callPath(*Second));
  if (Firsts.size() == 1 && Seconds.size() == 1)
    return true;
  if (P.P.copiesParts() || P.P.Grown || !P.P.has(P.First))
    return false;
  if (Firsts.size() == 1)
    return true;
  return DT.dominates(First, Second) &&
         LI.getLoopFor(First->getParent()) ==
             LI.getLoopFor(Second->getParent()) &&
         llvm::all_of(Firsts, [&](const CallBase *Other) {
           return Other == First || DT.dominates(Other, First) ||
                  DT.dominates(Second, Other);
         });
}

/// The pairs of \p D that cannot be had in \p B, with the call that is missing.
BodyCalls::Losses BodyCalls::find(const FunctionDecision &D, Function &View,
                                  Body &B) {
  Losses Lost;
  Parts All(D, View);
  Found.clear();
  for (const auto &[At, Mine] : All.all()) {
    StringRef Path = callPath(*cast<CallBase>(At));
    bool Same = !Path.empty() && llvm::all_of(ByPath[Path], [&](auto *Twin) {
      auto It = All.all().find(Twin);
      // What no pair frees there is no block of echort's.
      return It == All.all().end() ? Mine.onlyFrees()
                                   : It->second.What == Mine.What;
    });
    CallBase *InBody = Same ? B.at(Path) : nullptr;
    if (InBody)
      Found[At] = InBody;
    else
      for (unsigned I : Mine.Pairs)
        Lost.insert({I, At});
  }
  for (auto [I, P] : llvm::enumerate(D.pairs()))
    if (P.Accepted && !Lost.count(I) && !meetsPartner(D, P))
      Lost.insert({I, D.objects()[P.First].Alloc});
  return Lost;
}

bool BodyCalls::isShared(const CallBase &Alloc) const {
  return ByPath.at(callPath(Alloc)).size() > 1;
}

BodyCalls::BodyCalls(FunctionDecision &D, Function &View, Body &B)
    : DT(View), LI(DT) {
  for (Instruction &I : instructions(View))
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (StringRef Path = callPath(*Call); !Path.empty())
        ByPath[Path].push_back(Call);
  while (true) {
    Losses Lost = find(D, View, B);
    if (Lost.empty())
      return;
    for (auto [I, At] : withSharers(D, Lost))
      D.withdraw(I, *At);
  }
}

} // namespace echo
