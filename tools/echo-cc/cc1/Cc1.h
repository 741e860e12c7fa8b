//===- Cc1.h - One CUDA compile job with Echo's passes ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `echo-cc -cc1 --echo-... <arguments of clang -cc1>`: clang's compiler proper
// with Echo's passes added. Cc1Options is what the driver tells the job; it
// travels as the job's first arguments.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOCC_CC1_H
#define ECHO_TOOLS_ECHOCC_CC1_H

#include "CpuDevice/CpuDevice.h"
#include "Pipeline/Pipeline.h"
#include "cc1/SourceEdits.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace echo {

/// What one job is to do. A device job has FactsOut, a host job Source.
struct Cc1Options {
  bool AsNvcc = false;      ///< __NVCC__ is there for the user's files
  std::string FactsOut;     ///< device: where its facts go
  bool ForCpu = false;      ///< device: the CPU device takes its output
  bool Relocatable = false; ///< device: other units may call its functions
  Sanitizers Sanitize;      ///< device, ForCpu: those of the host job
  HostOptions Host;         ///< host: KernelFactsFile is FactsIn's union
  std::vector<std::string> FactsIn; ///< host: one file a device job
  bool ForLink = false;             ///< host: the link decides about pairs
  bool DecideOnly = false;          ///< no code: facts of kernels, or proposals
  std::string Proposals; ///< host: where its UnitState goes (Proposal.h)
  SourceEdits Edits;     ///< of runs of this job before
  CpuDeviceOptions Cpu;  ///< host: DeviceBitcode is "" without it
  bool isDevice() const { return !FactsOut.empty(); }

  /// The job's arguments that parse() reads back.
  std::vector<std::string> toArgs() const;
  /// Takes Echo's arguments from the front of \p Args.
  static llvm::Expected<Cc1Options> parse(llvm::ArrayRef<const char *> &Args);
};

/// Runs the job; \p Args follow "-cc1". Returns the exit status.
int cc1Main(llvm::ArrayRef<const char *> Args, const char *Argv0);

} // namespace echo

#endif
