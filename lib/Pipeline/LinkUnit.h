//===- LinkUnit.h - A unit that is decided at link time ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With -flto, a CUDA unit's host code leaves the compiler as clang emitted it,
// and the linker decides about the pairs of all units together. This is what
// travels with the unit: its options, the facts about its kernels, the names of
// its variables. Nothing here decides about a pair.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_PIPELINE_LINKUNIT_H
#define ECHO_PIPELINE_LINKUNIT_H

#include "Analysis/Kernels/KernelFacts.h"
#include "Pipeline/Pipeline.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace llvm {
class Module;
} // namespace llvm

namespace echo {

/// Holds the options of a link, as toText() gives them, for the linker.
constexpr const char *LinkOptionsVariable = "ECHO_LINK_OPTIONS";

/// \p Options as text, for a unit or for the linker. File names of reports and
/// models become absolute.
std::string toText(const HostOptions &Options);
/// Reads what toText() wrote; an error says what is wrong.
llvm::Expected<HostOptions> hostOptionsFromText(llvm::StringRef Text);

/// Notes in \p M, a unit's host code, what the link needs. \p Facts: of the
/// unit's kernels.
void prepareForLink(llvm::Module &M, const HostOptions &Options,
                    const KernelFactsTable &Facts);

/// \p Options with what was read from the source.
HostOptions withScopes(HostOptions Options);

/// What the units of a linked program say together.
struct LinkedUnits {
  HostOptions Options;
  KernelFactsTable Facts;
  std::vector<std::string> ReportsText, ReportsJson;
  std::vector<std::string> Sources;
};

/// Gathers that from \p M. \p Link: the options of the link, which win where
/// they were given. Nothing if no unit of \p M was prepared; an error if units
/// contradict each other or are not understood.
llvm::Expected<std::optional<LinkedUnits>> gatherUnits(const llvm::Module &M,
                                                       const HostOptions &Link);

} // namespace echo

#endif
