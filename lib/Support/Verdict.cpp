//===- Verdict.cpp - Names and texts of decisions -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expands Blockers.def and Examples.def into the look-up functions of
// Verdict.h.
//
//===----------------------------------------------------------------------===//
#include "Support/Verdict.h"

using namespace echo;

static const BlockerInfo Table[] = {
#define BLOCKER(Enum, Id, Condition, Summary, Explanation, Suggestion)         \
  {Blocker::Enum, Id, Condition, Summary, Explanation, Suggestion},
#include "Support/Blockers.def"
};

const BlockerInfo &echo::blockerInfo(Blocker B) {
  return Table[static_cast<unsigned>(B)];
}

const char *echo::exampleOf(Blocker B) {
  switch (B) {
#define EXAMPLE(Enum, Text)                                                    \
  case Blocker::Enum:                                                          \
    return Text;
#include "Support/Examples.def"
  }
  return "";
}

const BlockerInfo *echo::findBlocker(llvm::StringRef Id) {
  for (const BlockerInfo &Info : Table)
    if (Id == Info.Id)
      return &Info;
  return nullptr;
}

std::vector<const BlockerInfo *> echo::allBlockers() {
  std::vector<const BlockerInfo *> All;
  for (const BlockerInfo &Info : Table)
    All.push_back(&Info);
  return All;
}

const char *echo::verdictName(Verdict V) {
  switch (V) {
  case Verdict::Unified:
    return "unified";
  case Verdict::Guarded:
    return "guarded";
  case Verdict::Assumed:
    return "assumed";
  case Verdict::Declined:
    return "declined";
  case Verdict::Skipped:
    return "skipped";
  }
  return "declined";
}

const char *echo::vouchedName(Vouched V) {
  switch (V) {
  case Vouched::No:
    return "";
  case Vouched::Overrules:
    return "overrules";
  case Vouched::Refuted:
    return "refuted";
  case Vouched::NotEnough:
    return "not-enough";
  }
  return "";
}

bool echo::mayBeOverruled(Blocker Reason) {
  const llvm::StringRef Condition = blockerInfo(Reason).Condition;
  return Condition == "S1" || Condition == "S2" ||
         Reason == Blocker::UnknownKernel || Reason == Blocker::KernelAggregate;
}
