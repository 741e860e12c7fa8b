//===- Jobs.h - Turns clang's CUDA jobs into Echo's -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edits the jobs of a clang compilation: CUDA compile jobs run in echo-cc and
// hand kernel facts from device to host through private files of this command;
// with --device=cpu the device job gives bitcode to the host job and nothing
// is assembled for a GPU. Jobs of other languages are left as they are.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOCC_JOBS_H
#define ECHO_TOOLS_ECHOCC_JOBS_H

#include "driver/Options.h"
#include "driver/Paths.h"
#include "driver/Toolkit.h"
#include "clang/Driver/Compilation.h"
#include <string>
#include <vector>

namespace echo {

/// A file that echo-cc made for its jobs, and what it put there.
struct PrivateFile {
  std::string Path, Text;
};

/// Files of one command, removed when it ends, also by a signal.
class PrivateFiles {
public:
  PrivateFiles() = default;
  PrivateFiles(const PrivateFiles &) = delete;
  PrivateFiles &operator=(const PrivateFiles &) = delete;
  ~PrivateFiles();
  /// Creates a file that holds \p Text in the temporary folder.
  llvm::Expected<std::string> create(llvm::StringRef Suffix,
                                     llvm::StringRef Text = "");
  llvm::ArrayRef<PrivateFile> all() const { return Files; }
  /// Removes \p Path too if the command is killed.
  static void removeOnSignal(llvm::StringRef Path);

private:
  std::vector<PrivateFile> Files;
};

struct JobSettings {
  const EchoOptions &Options;
  const ToolkitInfo &Toolkit;
  const Paths &Where;
  bool PerThreadStream = false;
  bool AsNvcc = false; ///< the command is in nvcc's language
  bool Rdc = false;    ///< asked for; the CPU device handles it in the host job
  bool ForLink = false; ///< a link can decide about pairs (LinkTime.h)
  bool Links = false;   ///< the command does so itself
};

/// What host jobs of CUDA source \p Name, or a link, are told.
HostOptions hostOptions(const EchoOptions &Options, const Paths &Where,
                        llvm::StringRef Name, bool PerThreadStream);

/// Edits all jobs of \p C.
llvm::Error editJobs(clang::driver::Compilation &C, const JobSettings &Settings,
                     PrivateFiles &Files);

} // namespace echo

#endif
