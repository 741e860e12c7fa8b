//===- HostReport.cpp - What one module's report says ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pair's key is the places of its two allocations.
//
//===----------------------------------------------------------------------===//
#include "Report/HostReport.h"
#include "Analysis/Decision/Decide.h"
#include "Analysis/Decision/Describe.h"
#include "Report/SuggestedChanges.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace echo {

static std::string keyOf(const SourcePlace &P) {
  return P.File + ":" + std::to_string(P.Line) + ":" + std::to_string(P.Column);
}

static std::string keyOf(const PairReport &P) {
  return keyOf(P.Host.Loc) + "+" + keyOf(P.Device.Loc);
}

static std::string callersOf(const PairReport &R) {
  std::string Text;
  for (const AllocSite *Site : {&R.Host, &R.Device}) {
    for (const CallPlace &C : Site->Loc.Callers)
      Text += "<" + keyOf(C);
    Text += ";";
  }
  return Text;
}

void HostReport::add(Function &Root, const FunctionDecision &D, bool Fits) {
  UnitReport &Mine = Found[&Root];
  Mine = UnitReport();
  auto AddPair = [&](PairReport R) {
    if (!Fits && R.Reason == Blocker::UnknownCall)
      setReason(R, Blocker::TooComplex);
    leaveOwnFunction(R);
    Mine.Pairs.push_back(std::move(R));
  };
  for (const PairDecision &P : D.pairs())
    if (!P.isGuess() && !P.InCallee)
      AddPair(P.Report);
  for (PairReport R : D.hiddenPairs()) {
    R.Hidden = true;
    AddPair(std::move(R));
  }
  Mine.CopiesKept = D.copiesKept();
}

void HostReport::addNew(UnitReport &Unit, UnitReport Root) {
  std::set<std::string> Mine, Same;
  // A helper's pair can be safe in one place that uses it and not in another:
  // then both verdicts are listed, and each place where it allocates for a
  // caller, also of several functions. Places that are alike are listed once,
  // as where a template is inlined for several types.
  for (PairReport &R : Root.Pairs) {
    std::string Key = keyOf(R) + callersOf(R) + verdictName(R.Result);
    Mine.insert(Key);
    std::string Whole = Key + (R.Reason ? blockerInfo(*R.Reason).Id : "");
    for (const LinkCopy &L : R.Links)
      Whole += "+" + keyOf(L.Loc);
    for (const Cause &C : R.Because)
      Whole += "+" + keyOf(C.Loc);
    if (!Reported.count(Key) && Same.insert(Whole).second)
      Unit.Pairs.push_back(std::move(R));
  }
  for (KeptCopy &K : Root.CopiesKept)
    if (Reported.insert(keyOf(K.Loc)).second)
      Unit.CopiesKept.push_back(std::move(K));
  Reported.merge(Mine);
}

/// True if \p From calls \p To, itself or through others in sight.
static bool mayCall(const Function &From, const Function &To) {
  SetVector<const Function *> Work;
  Work.insert(&From);
  for (unsigned I = 0; I != Work.size(); ++I)
    for (const Instruction &Inst : instructions(*Work[I]))
      if (const auto *Call = dyn_cast<CallBase>(&Inst))
        if (const Function *Callee = Call->getCalledFunction()) {
          if (Callee == &To)
            return true;
          Work.insert(Callee);
        }
  return false;
}

/// Where a caller has the buffers in sight, it knows better than a function
/// that has not.
void HostReport::dropHiddenInSight(const DenseSet<const Function *> &Running) {
  std::set<std::string> InSight;
  for (const auto &[Root, Report] : Found)
    for (const PairReport &P : Report.Pairs)
      if (!P.Hidden)
        InSight.insert(keyOf(P));
  for (auto &[Root, Report] : Found)
    if (Running.contains(Root))
      llvm::erase_if(Report.Pairs, [&](const PairReport &P) {
        return P.Hidden && InSight.count(keyOf(P)) != 0;
      });
}

/// What a function merges that a function calls which merges nothing, is
/// reported with the former: nothing of it was inlined.
void HostReport::dropMergedInCallees(ArrayRef<Function *> Order,
                                     ArrayRef<Function *> Rewritten) {
  std::map<std::string, SmallVector<Function *, 1>> MergedIn;
  for (Function *Root : Rewritten)
    for (const PairReport &P : Found[Root].Pairs)
      if (P.merges())
        MergedIn[keyOf(P)].push_back(Root);
  for (Function *Root : Order)
    if (!is_contained(Rewritten, Root))
      llvm::erase_if(Found[Root].Pairs, [&](const PairReport &P) {
        auto It = MergedIn.find(keyOf(P));
        return It != MergedIn.end() &&
               llvm::any_of(It->second, [&](const Function *Callee) {
                 return mayCall(*Root, *Callee);
               });
      });
}

UnitReport HostReport::take(ArrayRef<Function *> Order,
                            ArrayRef<Function *> Rewritten,
                            const DenseSet<const Function *> &Running) {
  dropHiddenInSight(Running);
  dropMergedInCallees(Order, Rewritten);
  UnitReport Unit;
  // What was inlined wherever it is called has no say of its own, but knows the
  // names best.
  std::map<std::string, PairReport> Inlined;
  for (Function *Root : Order) {
    UnitReport &Mine = Found[Root];
    for (PairReport &P : Mine.Pairs) {
      if (!Running.contains(Root)) {
        Inlined.insert({keyOf(P) + callersOf(P), P});
      } else if (auto It = Inlined.find(keyOf(P) + callersOf(P));
                 It != Inlined.end()) {
        const PairReport &Best = It->second;
        if (Best.Host.Name)
          P.Host.Name = Best.Host.Name;
        if (Best.Device.Name)
          P.Device.Name = Best.Device.Name;
        if (!Best.SizeText.empty())
          P.SizeText = Best.SizeText;
      }
    }
    if (Running.contains(Root))
      addNew(Unit, std::move(Mine));
  }
  // A copy that a helper makes with its caller's buffers is told with the pair.
  std::set<std::string> Linking;
  for (const PairReport &R : Unit.Pairs)
    for (const LinkCopy &L : R.Links)
      Linking.insert(keyOf(L.Loc));
  llvm::erase_if(Unit.CopiesKept, [&](const KeptCopy &K) {
    return Linking.count(keyOf(K.Loc)) != 0;
  });
  return Unit;
}

std::string withoutLinking(StringRef Advice) {
  std::vector<std::string> Kept;
  for (StringRef Part : split(Advice, ", "))
    if (!Part.contains("-flto"))
      Kept.push_back(Part.str());
  std::string Text = join(Kept, ", ");
  StringRef Rest = Text;
  Rest.consume_front("or ");
  return Rest.str();
}

void leaveOutLinking(UnitReport &Unit) {
  for (PairReport &P : Unit.Pairs)
    if (P.Suggestion)
      P.Suggestion = withoutLinking(*P.Suggestion);
  for (KeptCopy &K : Unit.CopiesKept)
    K.Why = StringRef(K.Why).split(IfElsewhere).first.str();
}

} // namespace echo
