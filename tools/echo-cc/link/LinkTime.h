//===- LinkTime.h - Pairs that are decided at link time ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which compilations leave their pairs to the link, and makes the link
// load Echo's passes: with -flto, and only then, as units that are optimized
// together are another program. LLVM's linker does it; with another one
// programs are linked as they were written.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOCC_LINKTIME_H
#define ECHO_TOOLS_ECHOCC_LINKTIME_H

#include "driver/CommandLine.h"
#include "llvm/Option/ArgList.h"

namespace echo {

/// What is needed to decide about pairs at link time: LLVM's linker and Echo's
/// passes for it. "" where one is missing.
struct LinkParts {
  std::string Linker, Plugin;
  bool complete() const { return !Linker.empty() && !Plugin.empty(); }
};
LinkParts findLinkParts(const Paths &Where);

/// True if a job with \p Args makes bitcode for a full or thin link-time
/// optimization that nothing but the optimizer has to touch before: no
/// sanitizer, no profile.
bool isForLink(const llvm::opt::ArgStringList &Args);

/// True if the link of \p Shape is to load Echo's passes.
bool linksUnits(const CommandShape &Shape, const LinkParts &Parts);

/// Makes the link use LLVM's linker with Echo's passes.
void addLinkParts(std::vector<std::string> &Args, const LinkParts &Parts);

} // namespace echo

#endif
