//===- Trial.h - A unit compiled with a change ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the jobs of one CUDA source as the command has them, but with a changed
// main file laid over the real one, and reads what the host job says of the
// pairs. No file of the user is written: the host job's output and its reports
// go to private files.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_CC_SUGGEST_TRIAL_H
#define ECHO_CC_SUGGEST_TRIAL_H

#include "Proposal.h"
#include "driver/Jobs.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Job.h"

namespace echo::suggest {

/// The jobs that make a CUDA source's host object or assembly, in order.
struct UnitJobs {
  std::vector<clang::driver::Command *> Before; ///< device code
  clang::driver::Command *Host = nullptr;       ///< decides about pairs
};

/// Those of all CUDA sources of \p C that make code.
std::vector<UnitJobs> unitsOf(clang::driver::Compilation &C);

class Trial {
public:
  Trial(clang::driver::Compilation &C, const UnitJobs &Unit,
        PrivateFiles &Files)
      : C(C), Unit(Unit), Files(Files) {}

  /// Compiles the unit as it is. Fails where that does not compile.
  llvm::Expected<UnitState> run();
  /// Compiles it with \p Text in place of its main file \p File.
  llvm::Expected<UnitState> run(llvm::StringRef File, llvm::StringRef Text);

private:
  llvm::Expected<UnitState> compile(llvm::StringRef Overlay);
  llvm::Error runJob(clang::driver::Command &Job,
                     const llvm::opt::ArgStringList &Args);
  llvm::opt::ArgStringList arguments(const llvm::opt::ArgStringList &Own,
                                     llvm::ArrayRef<const char *> More);
  llvm::Error makeFiles();
  llvm::Error findFacts();
  const char *save(const llvm::Twine &Text) {
    return C.getArgs().MakeArgString(Text);
  }

  clang::driver::Compilation &C;
  const UnitJobs &Unit;
  PrivateFiles &Files;
  std::string State, Report, Output; ///< private files of the host job
};

} // namespace echo::suggest

#endif
