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
#ifndef ECHO_TRANSFORM_PIPELINE_H
#define ECHO_TRANSFORM_PIPELINE_H

#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace echo {

/// Pairs smaller than this are skipped (bytes).
constexpr uint64_t DefaultMinBytes = uint64_t(200) * 1024;

/// What the host job of a CUDA compilation needs to know.
struct HostOptions {
  std::string Source;          ///< main file as the user named it
  std::string KernelFactsFile; ///< facts that the device job wrote; may be ""
  std::string ReportText;      ///< --report FILE, or ""
  std::string ReportJson;      ///< --report-json FILE, or ""
  std::vector<std::string> ModelFiles; ///< built-in models first, then --model
  uint64_t MinBytes = DefaultMinBytes;
  bool Unify = true; ///< false: --no-unify, report only what would be
  bool PerThreadDefaultStream = false;
  bool Repair = false; ///< --repair: add waits that let pairs merge
  bool Check = false;  ///< --check: follow the pairs at run time (Check.h)
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

/// Writes the facts about kernels of a device job to \p FactsFile (created,
/// never appended to). \p Unoptimized: the job runs at -O0, or its code holds
/// checks of a sanitizer. \p Whole: without relocatable device code.
void addDevicePasses(llvm::PassBuilder &PB, const std::string &FactsFile,
                     bool Unoptimized, bool Whole);

/// Gives `__managed__` variables their meaning (ManagedVariables.h), before all
/// other passes of Echo, in device and host jobs.
void addManagedVariables(llvm::PassBuilder &PB);

/// Removes from the module what only Echo's reports needed, behind all passes
/// of Echo: the \p Names of values, the \p Locations of code that gets no debug
/// information.
void addForgetSource(llvm::PassBuilder &PB, bool Names, bool Locations);

/// Sanitizers of the host job that device code shares.
struct Sanitizers {
  bool Thread = false;
  bool Address = false;
  bool Undefined = false; ///< checks that clang's front end made
  bool any() const { return Thread || Address || Undefined; }
};

/// What the host job needs to take the kernels into the host object.
struct CpuDeviceOptions {
  std::string DeviceBitcode; ///< the device job's output (NVPTX bitcode)
  std::string
      DeviceLibrary; ///< cpu_devlib.bc: CUDA's device functions for the host
  bool RelocatableDeviceCode =
      false;            ///< -rdc=true: device symbols are external
  bool Optimize = true; ///< false at -O0
  Sanitizers Sanitize;
};

/// Links the retargeted device code into the host module (--device=cpu). Errors
/// (inline PTX, unsupported features) go to the module's diagnostic handler.
void addCpuDevicePasses(llvm::PassBuilder &PB, const CpuDeviceOptions &Options);

/// In a device job for the CPU device: no optimization may add accesses that
/// sanitizers of the host job would report.
void addSanitizerMarks(llvm::PassBuilder &PB, Sanitizers Kinds);

} // namespace echo

#endif
