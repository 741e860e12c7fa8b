//===- HostInputs.h - What is known of a module before ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gathers what the passes over host code read: options, models, facts about
// kernels, and the files of reports. At a link they come with the units. It
// decides about no pair.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_PIPELINE_HOSTINPUTS_H
#define ECHO_PIPELINE_HOSTINPUTS_H

#include "Analysis/Api/Models.h"
#include "Analysis/Kernels/KernelFacts.h"
#include "Pipeline/Pipeline.h"
#include "Report/CopyRates.h"
#include "Report/MeasuredRun.h"
#include "Support/AssumedPairs.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace llvm {
class Module;
} // namespace llvm

namespace echo {

struct HostInputs {
  HostOptions Options;
  ModelTable Models;
  KernelFactsTable Kernels;
  std::vector<std::string> ReportsText, ReportsJson; ///< files
  std::optional<CopyRates> Rates;                    ///< for estimates
  std::optional<MeasuredRun> Run;                    ///< likewise
  AssumedPairs Assumed;
  std::vector<std::string>
      Sources; ///< of the unit, or of those that are linked
};

/// Gathers them for \p M: a unit with \p Options, or at a link all units that
/// were prepared for it; nothing if there is none. An error says what cannot be
/// read, or contradicts itself. Functions of CUDA's names need cuda.model.
llvm::Expected<std::optional<HostInputs>>
loadInputs(llvm::Module &M, const HostOptions &Options, bool AtLink);

/// The facts in \p File, none if there is no such file: no device job ran.
llvm::Expected<KernelFactsTable> readKernelFacts(const std::string &File);

} // namespace echo

#endif
