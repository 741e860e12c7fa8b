//===- DryRun.h - nvcc's -dryrun --------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints the commands of a compilation in nvcc's format, which other tools
// read: lines "#$ NAME=value", then a line "#$ command" for each step. A shell
// that runs the commands in their order makes what echo-cc would make. Nothing
// is run here, and no file is written.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOCC_DRYRUN_H
#define ECHO_TOOLS_ECHOCC_DRYRUN_H

#include "driver/Jobs.h"
#include "llvm/Support/raw_ostream.h"

namespace echo {

/// A variable of the environment that a command is run with.
struct CommandVariable {
  llvm::StringRef Name, Value;
};

/// Prints the variables that nvcc's -dryrun and -v begin with. Those of the
/// toolkit are left out where none was found.
void printVariables(llvm::raw_ostream &OS, const ToolkitInfo &Toolkit,
                    const Paths &Where);

/// Prints one command, quoted for sh. With \p Variable it runs with that set.
void printCommand(llvm::raw_ostream &OS, llvm::ArrayRef<llvm::StringRef> Words,
                  std::optional<CommandVariable> Variable = std::nullopt);

/// Prints the jobs of \p C, and before them what fills \p Files. \p LinkOptions
/// is what its links are told (LinkUnit.h); "": nothing.
void printJobs(llvm::raw_ostream &OS, const clang::driver::Compilation &C,
               const PrivateFiles &Files, llvm::StringRef LinkOptions);

/// Prints the command that makes \p Output, C++, from \p Assembly: -cuda's last
/// step. "-": standard output.
void printHostSource(llvm::raw_ostream &OS, llvm::StringRef Assembly,
                     llvm::StringRef Output);

/// Prints the command that removes the temporary files of \p C and \p Files.
void printRemoval(llvm::raw_ostream &OS, const clang::driver::Compilation &C,
                  const PrivateFiles &Files);

} // namespace echo

#endif
