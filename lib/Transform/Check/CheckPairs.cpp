//===- CheckPairs.cpp - Tells the check library the candidate pairs -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists the pairs of the report in a table of the program, which the library
// reads before all else. Of each allocation it says whether one path of calls
// leads to it: what a helper makes for one caller is of another pair than what
// it makes for the next. Where calls come from out of sight, the one in sight
// counts.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Api/Names.h"
#include "Transform/Check/Check.h"
#include "Transform/Check/CheckPlaces.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include <map>
#include <tuple>

using namespace llvm;

namespace echo {

namespace {
using PlaceKey = std::tuple<std::string, unsigned, unsigned>;

/// Which functions have calls at a place of the source.
class CallingFunctions {
public:
  explicit CallingFunctions(const Module &M);
  /// True if the calls at \p Loc are in one function, which is called in one
  /// place, and so on up to one that no call in sight names.
  bool haveOnePath(const SourceLoc &Loc) const;

private:
  std::map<PlaceKey, SmallPtrSet<const Function *, 2>> At;
};
} // namespace

CallingFunctions::CallingFunctions(const Module &M) {
  for (const Function &F : M)
    for (const Instruction &I : instructions(F))
      if (isa<CallBase>(I) && I.getDebugLoc()) {
        SourceLoc L = locate(I);
        At[{L.File, L.Line, L.Column}].insert(&F);
      }
}

bool CallingFunctions::haveOnePath(const SourceLoc &Loc) const {
  auto It = At.find({Loc.File, Loc.Line, Loc.Column});
  if (It == At.end() || It->second.size() != 1)
    return false;
  SmallPtrSet<const Function *, 8> Seen;
  const Function *F = *It->second.begin();
  while (true) {
    const CallBase *Only = nullptr;
    for (const Use &U : F->uses())
      if (const auto *Call = dyn_cast<CallBase>(U.getUser());
          Call && Call->isCallee(&U)) {
        if (Only)
          return false;
        Only = Call;
      }
    // What is called by its address only is where the analysis begins, too.
    if (!Only)
      return true;
    if (!F->hasOneUse() || !Seen.insert(F).second)
      return false;
    F = Only->getFunction();
  }
}

void registerCheckPairs(Module &M, const UnitReport &Unit) {
  LLVMContext &C = M.getContext();
  CheckPlaces Places(M);
  const CallingFunctions Functions(M);
  auto *Pair = irStructType(C, &EchoCheckPair::host, &EchoCheckPair::device,
                            &EchoCheckPair::hostName,
                            &EchoCheckPair::deviceName, &EchoCheckPair::verdict,
                            &EchoCheckPair::reason, &EchoCheckPair::onePath);
  SmallVector<Constant *> Rows;
  for (const PairReport &P : Unit.Pairs) {
    if (!P.Host.Loc.Line || !P.Device.Loc.Line)
      continue;
    std::optional<std::string> Reason;
    if (P.Reason)
      Reason = blockerInfo(*P.Reason).Id;
    const unsigned OnePath = unsigned(Functions.haveOnePath(P.Host.Loc)) |
                             unsigned(Functions.haveOnePath(P.Device.Loc)) << 1;
    Rows.push_back(ConstantStruct::get(
        Pair,
        {Places.get(P.Host.Loc, "host"), Places.get(P.Device.Loc, "host"),
         Places.text(P.Host.Name), Places.text(P.Device.Name),
         Places.text(std::string(verdictName(P.Result))), Places.text(Reason),
         ConstantInt::get(Type::getInt64Ty(C), OnePath)}));
  }
  if (Rows.empty())
    return;
  auto *Table = ConstantArray::get(ArrayType::get(Pair, Rows.size()), Rows);
  auto *Pairs =
      new GlobalVariable(M, Table->getType(), true, GlobalValue::PrivateLinkage,
                         Table, "echo.check.pairs");
  Constant *Whole = ConstantStruct::get(
      irStructType(C, &EchoCheckUnit::source, &EchoCheckUnit::pairs,
                   &EchoCheckUnit::numPairs),
      {Places.text(Unit.Source), Pairs,
       ConstantInt::get(Type::getInt64Ty(C), Rows.size())});
  auto *Global =
      new GlobalVariable(M, Whole->getType(), true, GlobalValue::PrivateLinkage,
                         Whole, "echo.check.unit");
  Function *Constructor = createSanitizerCtor(M, "echo.check.register");
  IRBuilder<> B(Constructor->getEntryBlock().getTerminator());
  B.CreateCall(Places.entry(ECHO_FUNCTION(echo_check_register)), {Global});
  // Before all that the program constructs.
  appendToGlobalCtors(M, Constructor, 1);
}

} // namespace echo
