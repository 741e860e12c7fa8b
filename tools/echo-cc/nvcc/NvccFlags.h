//===- NvccFlags.h - nvcc's command line in clang's words -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Translates nvcc's flags (NvccFlags.def) and leaves clang's own as they are,
// in their order. What is an argument of a clang option is asked from clang's
// own option table, so that no word is read as something else. A flag that is
// neither clang's nor nvcc's is an error; nothing is dropped in silence that
// would change what the program computes.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOCC_NVCCFLAGS_H
#define ECHO_TOOLS_ECHOCC_NVCCFLAGS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace echo {

/// The GPU architectures that can be compiled for, as 75 for sm_75.
struct ArchLimits {
  unsigned MinSM = 0; ///< oldest that the toolkit compiles for; 0: no toolkit
  unsigned MaxSM = 0; ///< newest
  /// The architectures of this machine's GPUs ("sm_90"), for -arch=native.
  std::function<std::vector<std::string>()> Native;
};

struct Translated {
  std::vector<std::string> Args;    ///< for clang's driver
  std::vector<std::string> Notes;   ///< what was ignored or replaced
  bool PerThreadStream = false;     ///< --default-stream per-thread
  bool Dlink = false;               ///< -dlink: device link into an object
  bool AsNvcc = false;              ///< some word is nvcc's alone
  bool HostSource = false;          ///< -cuda: make the host compiler's source
  bool DeviceCompile = false;       ///< -dc: compile relocatable device code
  bool DryRun = false;              ///< -dryrun: print the commands
  bool Runs = false;                ///< --run: run the executable that is named
  std::string TimeFile;             ///< --time: the file of the table, or ""
  std::vector<std::string> RunArgs; ///< --run-args: its arguments
  std::optional<std::string> Listed; ///< -list-gpu-...: to print, and no more
  std::optional<std::string> CudaRt; ///< -cudart: static, shared or none
};

/// Translates \p Args (without the program's name, response files expanded).
/// An error names the flag, and the nearest spelling or the way out.
llvm::Expected<Translated> translateNvccFlags(llvm::ArrayRef<std::string> Args,
                                              const ArchLimits &Limits);

} // namespace echo

#endif
