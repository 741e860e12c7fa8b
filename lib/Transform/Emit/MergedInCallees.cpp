//===- MergedInCallees.cpp - Pairs that a callee merges by itself ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Call "7" of a callee is call "12/7" where call 12 was inlined.
//
//===----------------------------------------------------------------------===//
#include "Transform/Emit/MergedInCallees.h"
#include "Analysis/Decision/Decide.h"
#include "Transform/Body/CallPaths.h"
#include "Transform/Emit/BodyCalls.h"
#include <map>
#include <set>

using namespace llvm;

namespace echo {

namespace {
/// The calls that allocate a pair's buffers.
struct Allocations {
  std::set<std::string> Host, Device;
  bool operator==(const Allocations &) const = default;
};

/// A call, by its path and a '/', and the function that it calls.
struct Inside {
  std::string Path;
  Function *Callee;
};
} // namespace

/// The paths of \p Object's allocations after \p Prefix; with an empty one in
/// it if one does not begin with that.
static std::set<std::string> pathsOf(const FunctionDecision &D, unsigned Object,
                                     StringRef Prefix) {
  std::set<std::string> Paths;
  for (const CallBase *Alloc : D.objects()[Object].allocs()) {
    StringRef Path = callPath(*Alloc);
    Paths.insert(Path.consume_front(Prefix) ? Path.str() : "");
  }
  return Paths;
}

static Allocations allocationsOf(const FunctionDecision &D, const Pair &P,
                                 StringRef Prefix = "") {
  return {pathsOf(D, P.Host, Prefix), pathsOf(D, P.Device, Prefix)};
}

/// True if \p D merges a pair with the allocations \p Wanted.
static bool merges(const FunctionDecision &D, const Allocations &Wanted) {
  return llvm::any_of(D.pairs(), [&](const PairDecision &P) {
    return P.Accepted && allocationsOf(D, P.P) == Wanted;
  });
}

/// The outermost call of \p D's view whose callee merges \p P by itself.
static std::optional<Inside>
callThatMerges(const FunctionDecision &D, const Pair &P,
               const CallNumbers &Numbers,
               function_ref<const FunctionDecision *(Function &)> DecisionOf) {
  StringRef Path = callPath(*D.objects()[P.Host].Alloc);
  for (size_t End = Path.find('/'); End != StringRef::npos;
       End = Path.find('/', End + 1)) {
    StringRef Prefix = Path.take_front(End + 1);
    StringRef Next = Path.drop_front(End + 1).split('/').first;
    Allocations Wanted = allocationsOf(D, P, Prefix);
    Function *Callee = Numbers.functionOf(Next);
    const FunctionDecision *Own = Callee ? DecisionOf(*Callee) : nullptr;
    if (Own && Own != &D && !Wanted.Host.count("") &&
        !Wanted.Device.count("") && merges(*Own, Wanted))
      return Inside{Prefix.str(), Callee};
  }
  return std::nullopt;
}

SmallVector<Function *, 2> leavePairsToCallees(
    FunctionDecision &D, Function &View, const CallNumbers &Numbers,
    function_ref<const FunctionDecision *(Function &)> DecisionOf) {
  std::map<unsigned, Inside> Left;
  for (unsigned I = 0; I != D.pairs().size(); ++I)
    if (D.pairs()[I].Accepted)
      if (auto Call = callThatMerges(D, D.pairs()[I].P, Numbers, DecisionOf))
        Left.insert({I, std::move(*Call)});
  if (Left.empty())
    return {};
  auto Needed = pathsNeeded(D, View);
  // True if pair I, which stays, needs a call inside, or a buffer of pair L.
  auto Holds = [&](unsigned I, unsigned L) {
    const Pair &Stays = D.pairs()[I].P, &Goes = D.pairs()[L].P;
    return Stays.has(Goes.Host) || Stays.has(Goes.Device) ||
           llvm::any_of(Needed[I], [&](StringRef Path) {
             return Path.starts_with(Left.at(L).Path);
           });
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (unsigned I = 0; I != D.pairs().size(); ++I)
      if (D.pairs()[I].Accepted && !Left.count(I))
        Changed |= std::erase_if(Left, [&](const auto &Entry) {
                     return Holds(I, Entry.first);
                   }) != 0;
  }
  SmallVector<Function *, 2> Callees;
  for (const auto &[I, Call] : Left) {
    D.leaveToCallee(I);
    Callees.push_back(Call.Callee);
  }
  return Callees;
}

} // namespace echo
