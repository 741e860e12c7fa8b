//===- Pipeline.h - The one place that orders Echo's passes -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adds Echo's passes to a clang job. The driver decides which job it is and
// fills the options; nothing here looks at a command line. No pass may fail
// the user's compilation because Echo has nothing to say: it then leaves the
// module as it was.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_PIPELINE_PIPELINE_H
#define ECHO_PIPELINE_PIPELINE_H

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace echo {

struct UnitReport;

/// Pairs smaller than this are skipped (bytes).
constexpr uint64_t DefaultMinBytes = uint64_t(200) * 1024;

/// What the host job of a CUDA compilation needs to know.
struct HostOptions {
  std::string Source;          ///< main file as the user named it
  std::string KernelFactsFile; ///< facts that the device job wrote; may be ""
  std::string ReportText;      ///< --report FILE, or ""
  std::string ReportJson;      ///< --report-json FILE, or ""
  std::string Totals; ///< file where a command's units add up; "": one unit
  std::vector<std::string> ModelFiles;  ///< built-in models first, then --model
  std::vector<std::string> AssumeFiles; ///< --assume FILE (AssumedPairs.h)
  std::vector<std::string> AssumedScopes; ///< of the source (AssumedPairs.h)
  /// More of these, which are known when the passes run; or null.
  std::shared_ptr<const std::vector<std::string>> ReadFromSource;
  uint64_t MinBytes = DefaultMinBytes;
  bool Unify = true; ///< false: --no-unify, report only what would be
  bool PerThreadDefaultStream = false;
  bool Repair = false; ///< --repair: add waits that let pairs merge
  bool Check = false;  ///< --check: follow the pairs at run time (Check.h)
  bool CompiledOnly = false; ///< the command links nothing
  std::string Suggestions;   ///< changes for the report (SuggestedChanges.h)
  bool Estimate = false;     ///< --estimate: what the copies of each pair move
  std::string Rates;         ///< --estimate=FILE: rates of copies (CopyRates.h)
  std::string Run; ///< --estimate-run FILE: a measured run (MeasuredRun.h)
  /// Gets the report of the unit, before it is written.
  std::function<void(const UnitReport &)> OnReport;
  /// For tests of the erasure check: what reads for the view works on what is
  /// emitted, too.
  enum class Leak { None, BeforeDecision, IntoBody } LeakView = Leak::None;
};

/// Analyzes and rewrites host IR (conditions S1-S4, rules R1-R4), reports.
void addHostPasses(llvm::PassBuilder &PB, const HostOptions &Options);

/// In the host job of a unit that is decided at link time, in place of
/// addHostPasses(): notes in the module what the link needs (LinkUnit.h).
void addPrepareForLink(llvm::PassBuilder &PB, const HostOptions &Options);

/// Decides about all units of a full link-time optimization together, before
/// the linker's optimizations. \p Options: of the link.
void addLinkPasses(llvm::PassBuilder &PB, const HostOptions &Options);

/// Makes the passes known to \p PB that show each stage of the analysis
/// (AnalysisPrinter.cpp). For tests: an unreadable model or facts file ends
/// the process.
void registerAnalysisPasses(llvm::PassBuilder &PB, const HostOptions &Options);

/// Removes from the module what only Echo's reports needed, after all passes
/// of Echo: the \p Names of values, the \p Locations of code that gets no debug
/// information.
void addStripSourceNames(llvm::PassBuilder &PB, bool Names, bool Locations);

} // namespace echo

#endif
