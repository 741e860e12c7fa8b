//===- HostInputs.cpp - What is known of a module before ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See HostInputs.h.
//
//===----------------------------------------------------------------------===//
#include "Pipeline/HostInputs.h"
#include "Analysis/Api/Prototypes.h"
#include "Analysis/Api/StdioHooks.h"
#include "Pipeline/LinkUnit.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace echo {

Expected<KernelFactsTable> readKernelFacts(const std::string &File) {
  if (File.empty())
    return KernelFactsTable();
  auto Buffer = MemoryBuffer::getFile(File, /*IsText=*/true);
  if (!Buffer) // no device job ran: nothing is known of any kernel
    return KernelFactsTable();
  return KernelFactsTable::parse((*Buffer)->getBuffer());
}

/// True if some function of \p M has a name that begins with \p Prefix.
static bool hasFunction(const Module &M, StringRef Prefix) {
  return llvm::any_of(
      M, [&](const Function &F) { return F.getName().starts_with(Prefix); });
}

Expected<std::optional<HostInputs>>
loadInputs(Module &M, const HostOptions &Options, bool AtLink) {
  HostInputs In;
  if (AtLink) {
    auto Linked = gatherUnits(M, Options);
    if (!Linked)
      return Linked.takeError();
    if (!*Linked)
      return std::nullopt;
    In.Options = std::move((*Linked)->Options);
    In.Kernels = std::move((*Linked)->Facts);
    In.ReportsText = std::move((*Linked)->ReportsText);
    In.ReportsJson = std::move((*Linked)->ReportsJson);
    In.Sources = std::move((*Linked)->Sources);
  } else {
    auto Facts = readKernelFacts(Options.KernelFactsFile);
    if (!Facts)
      return Facts.takeError();
    In.Options = withScopes(Options);
    In.Kernels = std::move(*Facts);
    In.Sources = {Options.Source};
    if (!Options.ReportText.empty())
      In.ReportsText = {Options.ReportText};
    if (!Options.ReportJson.empty())
      In.ReportsJson = {Options.ReportJson};
  }
  if (!In.Options.Rates.empty())
    if (Error Err = readCopyRates(In.Options.Rates).moveInto(In.Rates))
      return std::move(Err);
  if (!In.Options.Run.empty())
    if (Error Err = readMeasuredRun(In.Options.Run).moveInto(In.Run))
      return std::move(Err);
  for (const std::string &File : In.Options.ModelFiles)
    if (Error Err = In.Models.addFile(
            File, [&](StringRef Prefix) { return hasFunction(M, Prefix); }))
      return std::move(Err);
  for (const std::string &File : In.Options.AssumeFiles)
    if (Error Err = In.Assumed.addFile(File))
      return std::move(Err);
  for (const std::string &Scope : In.Options.AssumedScopes)
    if (Error Err = In.Assumed.addScope(Scope))
      return std::move(Err);
  // Without it, a call that selects a device would look like any other.
  if (!(In.Models.traits("cudaSetDevice") & SelectsDevice) &&
      hasFunction(M, "cu"))
    return createStringError("no model says what CUDA's functions are: "
                             "cuda.model is missing");
  forgetOwnFunctions(M, In.Models);
  forgetOwnStreams(M, In.Models);
  return In;
}

} // namespace echo
