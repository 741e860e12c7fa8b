//===- Failures.cpp - Calls that fail on demand ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts calls and compares with the plan. See Failures.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/Failures.h"
#include "runtime/cpu/Config.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace echo::cpu {

bool AnyFailures = false;

namespace {
struct Plan {
  const char *Name;
  std::vector<unsigned long> Numbers{};
  std::atomic<unsigned long> Calls{0};
};
} // namespace

/// By Fails.
static Plan *plans() {
  static auto *Plans = new Plan[4]{{"alloc"}, {"copy"}, {"launch"}, {"wait"}};
  return Plans;
}

static void planOne(const std::string &Item) {
  size_t Colon = Item.find(':');
  for (Plan *P = plans(), *E = P + 4; P != E; ++P) {
    if (Item.substr(0, Colon) != P->Name || Colon == std::string::npos)
      continue;
    char *End = nullptr;
    const char *Text = Item.c_str() + Colon + 1;
    unsigned long Number = strtoul(Text, &End, 10);
    if (*Text < '0' || *Text > '9' || *End || !Number)
      break;
    P->Numbers.push_back(Number);
    AnyFailures = true;
    return;
  }
  configError("ECHO_CPU_FAIL: '%s': expected alloc:N, copy:N, launch:N or "
              "wait:N, where N is 1 or more",
              Item.c_str());
}

void planFailures(const char *Text) {
  for (const char *P = Text; *P;) {
    size_t Length = strcspn(P, ",");
    planOne(std::string(P, Length));
    P += Length;
    P += *P == ',';
  }
}

bool failsSlow(Fails Kind) {
  Plan &P = plans()[int(Kind)];
  unsigned long Number = P.Calls.fetch_add(1) + 1;
  return std::find(P.Numbers.begin(), P.Numbers.end(), Number) !=
         P.Numbers.end();
}

} // namespace echo::cpu
