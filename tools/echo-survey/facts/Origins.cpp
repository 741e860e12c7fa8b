//===- Origins.cpp - Where buffers of a project come from -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A buffer's own declaration and its allocations come first. Only where there
// are none, what it is assigned, what calls put into it, and what callers pass
// is asked.
//
//===----------------------------------------------------------------------===//
#include "facts/Origins.h"

#include <algorithm>

namespace echo::survey {

/// The most steps from a buffer to its allocation, callers of a function that
/// are looked at, and functions up from a copy.
static constexpr size_t MaxSteps = 24, MaxCallers = 64, MaxCallDepth = 3;

/// "F#2**" as "F", 2, "**". False if \p Key is no parameter.
static bool splitParameter(const std::string &Key, std::string &Function,
                           unsigned &Number, std::string &Suffix) {
  const size_t At = Key.rfind('#');
  if (At == std::string::npos || At + 1 >= Key.size())
    return false;
  size_t End = At + 1;
  while (End < Key.size() && isdigit(Key[End]))
    ++End;
  if (End == At + 1 || Key.find_first_not_of('*', End) != std::string::npos)
    return false;
  Function = Key.substr(0, At);
  Number = unsigned(std::stoul(Key.substr(At + 1, End - At - 1)));
  Suffix = Key.substr(End);
  return true;
}

bool isParameter(const std::string &Key) {
  std::string Function, Suffix;
  unsigned Number = 0;
  return splitParameter(Key, Function, Number, Suffix);
}

/// What \p A is, read as \p Suffix says; "" if that is not known.
static std::string bound(const Call::Argument &A, const std::string &Suffix) {
  if (A.Value.Key.empty())
    return {};
  if (!A.ByAddress)
    return A.Value.Key + Suffix;
  return Suffix.empty() ? A.Value.Key + "&" : A.Value.Key + Suffix.substr(1);
}

std::map<std::string, Extent> argumentsOf(const Call &By) {
  std::map<std::string, Extent> Values;
  for (size_t N = 0; N < By.Arguments.size(); ++N)
    Values[By.Callee + "#" + std::to_string(N)] = By.Arguments[N].Size;
  return Values;
}

Origins::Origins(const std::vector<FileFacts> &Files) {
  std::set<Place> Seen;
  for (const FileFacts &F : Files) {
    for (const Allocation &A : F.Allocations)
      if (!A.Key.empty())
        Allocations[A.Key].push_back(A);
    for (const Buffer &B : F.Buffers)
      Buffers.emplace(B.Key, B);
    for (const Assignment &A : F.Assignments)
      if (!A.From.empty())
        Assignments[A.To].push_back(A);
    for (const Call &C : F.Calls)
      if (Seen.insert(C.At).second)
        Callers[C.Callee].push_back(C);
  }
  for (const auto &[Callee, Calls] : Callers)
    for (const Call &C : Calls) {
      CallsAt[C.At] = &C;
      for (size_t N = 0; N < C.Arguments.size(); ++N)
        for (const char *Suffix : {"", "*"})
          if (std::string To = bound(C.Arguments[N], Suffix); !To.empty())
            Into[To].push_back({Callee + "#" + std::to_string(N) + Suffix, &C});
    }
}

void Origins::addThrough(const std::string &Key, const Call *By,
                         std::set<std::string> &Seen,
                         std::vector<Origin> &Found) const {
  std::vector<Origin> Inner;
  add(Key, Seen, Inner);
  if (By)
    for (Origin &O : Inner)
      O.Size = O.Size.replaced(argumentsOf(*By));
  Found.insert(Found.end(), Inner.begin(), Inner.end());
}

void Origins::add(const std::string &Key, std::set<std::string> &Seen,
                  std::vector<Origin> &Found) const {
  if (Seen.size() > MaxSteps || !Seen.insert(Key).second)
    return;
  const size_t Before = Found.size();
  if (auto It = Allocations.find(Key); It != Allocations.end())
    for (const Allocation &A : It->second)
      Found.push_back({A.Memory, A.Size});
  if (auto It = Buffers.find(Key);
      It != Buffers.end() && It->second.Own && Found.size() == Before)
    Found.push_back({*It->second.Own, It->second.OwnExtent});
  if (Found.size() > Before)
    return;
  if (auto It = Assignments.find(Key); It != Assignments.end())
    for (const Assignment &A : It->second) {
      auto By = CallsAt.find(A.At);
      addThrough(A.From, By == CallsAt.end() ? nullptr : By->second, Seen,
                 Found);
    }
  // A function that allocates for its callers has the allocation itself.
  if (auto It = Into.find(Key); It != Into.end() && Found.size() == Before)
    for (const auto &[Parameter, By] : It->second)
      if (Allocations.count(Parameter) || Into.count(Parameter))
        addThrough(Parameter, By, Seen, Found);
  std::string Function, Suffix;
  unsigned Number = 0;
  if (Found.size() > Before || !splitParameter(Key, Function, Number, Suffix))
    return;
  if (auto It = Callers.find(Function); It != Callers.end())
    for (const Call &C : It->second)
      if (Number < C.Arguments.size())
        if (std::string Passed = bound(C.Arguments[Number], Suffix);
            !Passed.empty())
          add(Passed, Seen, Found);
}

std::vector<Origin> Origins::of(const std::string &Key) const {
  std::set<std::string> Seen;
  std::vector<Origin> Found;
  if (!Key.empty())
    add(Key, Seen, Found);
  return Found;
}

std::string Origins::rootOf(std::string Key) const {
  for (size_t Step = 0; Step < MaxSteps; ++Step) {
    auto Own = Buffers.find(Key);
    if (Allocations.count(Key) || (Own != Buffers.end() && Own->second.Own))
      return Key;
    std::set<std::string> Next;
    if (auto It = Assignments.find(Key); It != Assignments.end())
      for (const Assignment &A : It->second)
        Next.insert(A.From);
    std::string Function, Suffix;
    unsigned Number = 0;
    if (Next.empty() && splitParameter(Key, Function, Number, Suffix))
      if (auto It = Callers.find(Function); It != Callers.end())
        for (const Call &C : It->second)
          Next.insert(Number < C.Arguments.size()
                          ? bound(C.Arguments[Number], Suffix)
                          : "");
    // A function's result is the variable's that gets it.
    if (Next.size() != 1 || Next.begin()->empty() || *Next.begin() == Key ||
        Next.begin()->ends_with("()"))
      return Key;
    Key = *Next.begin();
  }
  return Key;
}

void Origins::instantiate(CopyInstance From, const std::string &Function,
                          std::vector<CopyInstance> &All) const {
  const std::string Prefix = Function + "#";
  const bool Passed =
      From.To.starts_with(Prefix) || From.From.starts_with(Prefix);
  auto It = Callers.find(Function);
  if (!Passed || It == Callers.end() || From.Through.size() >= MaxCallDepth ||
      It->second.size() > MaxCallers) {
    All.push_back(std::move(From));
    return;
  }
  for (const Call &C : It->second) {
    if (C.Caller == Function) // recursion
      continue;
    CopyInstance Outer = From;
    for (std::string *Key : {&Outer.To, &Outer.From}) {
      std::string F, Suffix;
      unsigned Number = 0;
      if (Key->starts_with(Prefix) && splitParameter(*Key, F, Number, Suffix))
        *Key = Number < C.Arguments.size() ? bound(C.Arguments[Number], Suffix)
                                           : "";
    }
    Outer.Size = Outer.Size.replaced(argumentsOf(C));
    Outer.Through.push_back(&C);
    instantiate(std::move(Outer), C.Caller, All);
  }
}

std::vector<CopyInstance> Origins::instancesOf(const Copy &C) const {
  std::vector<CopyInstance> All;
  instantiate({C.To.Key, C.From.Key, C.Size, {}}, C.Function, All);
  return All;
}

Buffer Origins::bufferOf(const std::string &Key) const {
  auto It = Buffers.find(Key);
  if (It != Buffers.end())
    return It->second;
  Buffer B;
  B.Key = Key;
  return B;
}

} // namespace echo::survey
