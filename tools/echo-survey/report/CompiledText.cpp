//===- CompiledText.cpp - Survey and compiler beside each other -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of the text report that --compile adds.
//
//===----------------------------------------------------------------------===//
#include "report/Reports.h"

#include <algorithm>
#include <fmt/format.h>

namespace echo::survey {

/// The most reasons that are named.
static constexpr size_t MaxReasons = 5;

static std::string reasons(const std::map<std::string, unsigned> &All) {
  std::vector<std::pair<unsigned, std::string>> Sorted;
  for (const auto &[Id, Count] : All)
    Sorted.push_back({Count, Id});
  std::sort(Sorted.rbegin(), Sorted.rend());
  std::string Text;
  for (size_t N = 0; N < Sorted.size() && N < MaxReasons; ++N)
    Text += fmt::format("{}{} {}", N ? ", " : "", Sorted[N].second,
                        Sorted[N].first);
  return Text;
}

std::string compiledText(const SurveyResult &Result) {
  std::string Text =
      fmt::format("\n{:<44} {:>8} {:>8} {:>6} {:>8}\n", "Compiled by echo-cc",
                  "surveyed", "analyzed", "merged", "declined");
  Compiled All;
  unsigned Failed = 0;
  for (const Compiled &C : Result.Compilations) {
    if (!C.Compiles) {
      ++Failed;
      Text += fmt::format("{:<44} {:>8} not compiled: {}\n", C.File, C.Surveyed,
                          C.Failed);
      continue;
    }
    Text += fmt::format("{:<44} {:>8} {:>8} {:>6} {:>8}  {}\n", C.File,
                        C.Surveyed, C.Analyzed, C.Merged + C.Guarded,
                        C.Declined, reasons(C.Reasons));
    All.Surveyed += C.Surveyed;
    All.Analyzed += C.Analyzed;
    All.Merged += C.Merged + C.Guarded;
    All.Declined += C.Declined;
    for (const auto &[Id, Count] : C.Reasons)
      All.Reasons[Id] += Count;
  }
  return Text + fmt::format("{:<44} {:>8} {:>8} {:>6} {:>8}  {}\n"
                            "Files not compiled: {} of {}\n",
                            "all that compile", All.Surveyed, All.Analyzed,
                            All.Merged, All.Declined, reasons(All.Reasons),
                            Failed, Result.Compilations.size());
}

} // namespace echo::survey
