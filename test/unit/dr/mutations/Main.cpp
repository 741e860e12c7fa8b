//===- Main.cpp - Damaged plans and traces must only be refused -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   echo_dr_mutations [--count N] [--seed S] [--first K] [--show]
//
// Damages plans and traces and gives them to all that reads such files:
// lib/Profile and the preloaded library's own reader. A damaged plan mostly
// gets a checksum that holds, so that more than that is tried. What is accepted
// as a plan must be one: written and read again it is the same, and the
// library's reader, unless it refuses it, sees the same pairs. A part of what
// is accepted as a trace goes through analysis and all reports. Sanitizers,
// where they are built in, see the rest.
//
//===----------------------------------------------------------------------===//
#include "Mutator.h"
#include "Seeds.h"

#include "Profile/Report.h"
#include "Profile/Verdicts.h"
#include "runtime/dr/PlanFile.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

using namespace echo;
using namespace echo::drtool;

namespace {

struct Tally {
  uint64_t Plans = 0, Accepted = 0, Agreed = 0, Traces = 0, Read = 0,
           Events = 0;
};

[[noreturn]] void fail(uint64_t Case, const char *What) {
  fprintf(stderr, "case %llu: %s\n", static_cast<unsigned long long>(Case),
          What);
  abort();
}

/// A copy on the heap of just that size: what reads past its end is seen.
struct Exact {
  std::unique_ptr<char[]> At;
  size_t Size;
  explicit Exact(const std::string &Text)
      : At(new char[Text.size()]), Size(Text.size()) {
    memcpy(At.get(), Text.data(), Size);
  }
  std::string_view view() const { return {At.get(), Size}; }
};

/// Puts a checksum that holds in the place of the last one, if there is one.
void sign(std::string &Text) {
  const size_t At = Text.rfind(drplan::ChecksumKey);
  if (At != std::string::npos)
    Text.resize(At);
  const uint64_t Sum = dr::fnv1a(Text.data(), Text.size());
  Text += drplan::ChecksumKey + hexText(Sum) + drplan::ChecksumEnd;
}

bool samePair(const PlanPair &Tool, const dr::PlanPair &Runtime) {
  return Tool.Id == Runtime.Id && Tool.HostSite == Runtime.HostSite &&
         Tool.DeviceSite == Runtime.DeviceSite && Tool.Bytes == Runtime.Bytes &&
         Tool.DeviceBytes == Runtime.DeviceBytes &&
         Tool.HostMayChange == Runtime.HostMayChange &&
         Tool.Disabled.has_value() == Runtime.Disabled &&
         Tool.Validated == Runtime.Validated && Tool.Chosen == Runtime.Chosen &&
         Tool.Copies.size() == Runtime.NumCopies;
}

void tryPlan(uint64_t Case, const std::string &Text, Tally &T) {
  ++T.Plans;
  const Exact Bytes(Text);
  std::string Why;
  const std::optional<Plan> P = parsePlan(Bytes.view(), Why);
  const auto File = std::make_unique<dr::PlanFile>();
  const char *Refused = dr::parsePlan(Bytes.At.get(), Bytes.Size, *File);
  if (!P)
    return Why.empty() ? fail(Case, "a plan is refused without a reason")
                       : void();
  ++T.Accepted;
  std::string Again;
  const std::optional<Plan> Copy = parsePlan(planText(*P), Again);
  if (!Copy || !(*Copy == *P))
    fail(Case, "a plan that was accepted is another one when written");
  if (Refused) // it has room for texts of a certain length alone
    return;
  ++T.Agreed;
  if (File->NumPairs != P->Pairs.size() || File->Enabled != P->Enabled)
    fail(Case, "the library reads another plan");
  for (size_t I = 0; I != P->Pairs.size(); ++I)
    if (!samePair(P->Pairs[I], File->Pairs[I]))
      fail(Case, "the library reads another pair");
}

void tryTrace(uint64_t Case, const std::string &Text, bool Analyzes,
              bool Reports, Tally &T) {
  ++T.Traces;
  const Exact Bytes(Text);
  std::string Why;
  std::optional<Trace> Read = parseTrace(Bytes.view(), Why);
  if (!Read)
    return Why.empty() ? fail(Case, "a trace is refused without a reason")
                       : void();
  ++T.Read;
  T.Events += Read->Events.size();
  if (!Analyzes && !Reports)
    return;
  std::vector<Trace> All;
  All.push_back(std::move(*Read));
  const Analysis A = analyze(All);
  Launch L;
  L.Host = "box";
  Plan P = makePlan(A, All, L, /*Portable=*/false);
  takeVerdicts(P, All);
  const std::string Written = planText(P);
  std::string Again;
  if (!parsePlan(Written, Again))
    fail(Case, ("a plan made of a trace is refused: " + Again).c_str());
  if (!Reports)
    return;
  reportText(A, All);
  reportJson(A, All);
  reportHtml(A, All);
  perfettoJson(All);
}

} // namespace

int main(int Count, char **Words) {
  uint64_t Cases = 3000, Seed = 1, First = 0;
  bool Show = false;
  for (int I = 1; I < Count; ++I) {
    const std::string Word = Words[I];
    uint64_t *Number = Word == "--count"   ? &Cases
                       : Word == "--seed"  ? &Seed
                       : Word == "--first" ? &First
                                           : nullptr;
    if (Number && I + 1 < Count) {
      *Number = strtoull(Words[++I], nullptr, 10);
    } else if (Word == "--show") {
      Show = true;
    } else {
      fprintf(stderr, "echo_dr_mutations [--count N] [--seed S] [--first K] "
                      "[--show]\n");
      return 2;
    }
  }
  const std::vector<std::string> Plans = planSeeds();
  const std::vector<TraceSeed> Traces = traceSeeds();
  Tally T;
  for (uint64_t Case = First; Case != First + Cases; ++Case) {
    Mutator M(Seed * 0x9e3779b97f4a7c15u + Case);
    const bool OfPlan = Case % 2 == 0;
    const size_t Which = Case / 2;
    std::string Text = OfPlan ? Plans[Which % Plans.size()]
                              : Traces[Which % Traces.size()].Bytes;
    if (OfPlan) {
      M.damage(Text, Form::Text, Text.size(),
               Plans[(Which + 1) % Plans.size()]);
      if (!M.oneIn(8))
        sign(Text);
    } else {
      const TraceSeed &Other = Traces[(Which + 2) % Traces.size()];
      M.damage(Text, Form::Records, Traces[Which % Traces.size()].Used,
               Other.Bytes.substr(0, Other.Used));
    }
    if (Show) {
      fwrite(Text.data(), 1, Text.size(), stdout);
      fflush(stdout);
    }
    if (OfPlan)
      tryPlan(Case, Text, T);
    else
      tryTrace(Case, Text, M.oneIn(4), M.oneIn(32), T);
  }
  fprintf(stderr,
          "%llu plans, of which %llu are plans, %llu to the library; %llu "
          "traces, of which %llu could be read, with %llu events\n",
          static_cast<unsigned long long>(T.Plans),
          static_cast<unsigned long long>(T.Accepted),
          static_cast<unsigned long long>(T.Agreed),
          static_cast<unsigned long long>(T.Traces),
          static_cast<unsigned long long>(T.Read),
          static_cast<unsigned long long>(T.Events));
}
