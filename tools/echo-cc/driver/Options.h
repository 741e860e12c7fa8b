//===- Options.h - Echo's own options ---------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes Echo's options out of a command line before clang sees it, and checks
// Echo's environment variables. It decides nothing about clang's or nvcc's
// options.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOCC_OPTIONS_H
#define ECHO_TOOLS_ECHOCC_OPTIONS_H

#include "Pipeline/Pipeline.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace echo {

/// What --device and ECHO_DEVICE say.
struct DeviceChoice {
  bool Cpu = false;
  bool Cuda = false; ///< asked for by name
};

/// Rows of Options.def set these.
struct EchoOptions {
  HostOptions Host;          ///< what every host job gets
  bool UnifyWrapped = false; ///< whatever the link wraps
  bool PrintLinkFlags = false;
  DeviceChoice Device;                ///< --check chooses the CPU device
  std::optional<std::string> Explain; ///< --explain ID
  std::vector<std::string> ReportOf;  ///< --report-of FILE
  std::vector<std::string> Suggest;   ///< --suggest FILE
};

/// Takes Echo's options (--opt=value and --opt value) out of \p Args (without
/// the program's name); defaults come from the environment. A bad value is an
/// error that names the option.
llvm::Expected<EchoOptions> takeEchoOptions(std::vector<std::string> &Args);

/// The variables ECHO_* of the environment that are not Echo's. Fails for one
/// whose name is a typing mistake away from one of Echo's, and names that.
llvm::Expected<std::vector<std::string>> checkEnvironment();

/// Prints what Echo knows of reason \p Id, or of `list` all reasons; returns
/// the exit status.
int explainReason(llvm::StringRef Id);

/// Prints the reports that \p Options.ReportOf and \p More files carry, or
/// writes them to the files that \p Options names for reports.
llvm::Error showReports(const EchoOptions &Options,
                        llvm::ArrayRef<std::string> More);

/// Fails, before anything is compiled, if a report of \p Options cannot be
/// written, or a model file (built-in ones in \p BuiltinModels) or the rates or
/// the run of --estimate cannot be read.
llvm::Error checkFiles(const EchoOptions &Options,
                       const std::vector<std::string> &BuiltinModels);

} // namespace echo

#endif
