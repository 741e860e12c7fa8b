//===- Failures.cpp - Calls that fail on demand ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts calls and marks and compares with the plan. See Failures.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/Failures.h"
#include "runtime/cpu/Config.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace echo::cpu {

bool AnyFailures = false;

namespace {
struct Plan {
  const char *Name;
  std::vector<unsigned long> Numbers{}; ///< which calls fail
  std::vector<unsigned long> Marks{};   ///< after which one fails
  std::atomic<unsigned long> Calls{0};
  std::atomic<unsigned long> Met{0}; ///< the mark after which one failed last
};
} // namespace

static constexpr const char *Names[] = {
#define ECHO_CPU_FAILS(Kind, Name) Name,
#include "runtime/cpu/Failures.def"
};
static constexpr size_t NumKinds = std::size(Names);

static std::atomic<unsigned long> MarksPassed{0};
/// Kernels were launched that no wait and no download has covered.
static std::atomic<bool> Unknown{false};

/// By Fails.
static Plan *plans() {
  static Plan *Plans = [] {
    auto *All = new Plan[NumKinds];
    for (size_t I = 0; I != NumKinds; ++I)
      All[I].Name = Names[I];
    return All;
  }();
  return Plans;
}

static void planOne(const std::string &Item) {
  size_t End = Item.find_first_of(":@");
  for (Plan *P = plans(), *E = P + NumKinds; P != E; ++P) {
    if (Item.substr(0, End) != P->Name || End == std::string::npos)
      continue;
    char *Rest = nullptr;
    const char *Text = Item.c_str() + End + 1;
    unsigned long Number = strtoul(Text, &Rest, 10);
    if (*Text < '0' || *Text > '9' || *Rest || !Number)
      break;
    (Item[End] == ':' ? P->Numbers : P->Marks).push_back(Number);
    AnyFailures = true;
    return;
  }
  std::string Known;
  for (const char *Name : Names)
    Known += (Known.empty() ? "" : ", ") + std::string(Name);
  configError("ECHO_CPU_FAIL: '%s': expected KIND:N or KIND@N, where N is 1 "
              "or more and the kind one of %s",
              Item.c_str(), Known.c_str());
}

void planFailures(const char *Text) {
  for (const char *P = Text; *P;) {
    size_t Length = strcspn(P, ",");
    planOne(std::string(P, Length));
    P += Length;
    P += *P == ',';
  }
}

// The first one may come before the plan is read.
void passMark() { MarksPassed.fetch_add(1, std::memory_order_relaxed); }

/// Says that a call fails, since the program may have made no such call.
static void say(const Plan &P, char How, unsigned long Number) {
  fprintf(stderr, "echo-cpu: note: %s%c%lu failed\n", P.Name, How, Number);
}

/// True for the first call after a mark of the plan.
static bool firstBehindMark(Plan &P) {
  unsigned long Mark = MarksPassed.load(std::memory_order_relaxed);
  if (std::find(P.Marks.begin(), P.Marks.end(), Mark) == P.Marks.end() ||
      P.Met.exchange(Mark) == Mark)
    return false;
  say(P, '@', Mark);
  return true;
}

bool failsSlow(Fails Kind) {
  Plan &P = plans()[int(Kind)];
  unsigned long Number = P.Calls.fetch_add(1) + 1;
  bool Counted =
      std::find(P.Numbers.begin(), P.Numbers.end(), Number) != P.Numbers.end();
  if (Counted)
    say(P, ':', Number);
  return firstBehindMark(P) || Counted;
}

void noteLaunch() { Unknown.store(true, std::memory_order_relaxed); }
void kernelsWentWell() { Unknown.store(false, std::memory_order_relaxed); }

bool waitFails() {
  if (!AnyFailures)
    return false;
  return Unknown.exchange(false) ? failsSlow(Fails::Wait)
                                 : firstBehindMark(plans()[int(Fails::Wait)]);
}

} // namespace echo::cpu
