//===- Sites.h - Where in the program a call comes from ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A site is the FNV-1a hash of the 16 innermost return addresses outside of
// this library, each as (hash of its module, offset in it), so that it is the
// same in each run and wherever the modules are loaded. A module's hash is that
// of its build-id, without one of its file.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_SITES_H
#define ECHO_RUNTIME_DR_SITES_H

#include "runtime/abi/DrTrace.h"

namespace echo::dr {

struct Frame {
  uint64_t Module; ///< its hash; 0: code of no module
  uint64_t Offset;
};

/// Told of each site once per thread that sees it.
using SiteListener = void (*)(uint64_t Site, const Frame *Frames,
                              unsigned Count);
void listenToSites(SiteListener Listener);

/// The site of the call into this library that is under way on this thread.
uint64_t siteHere();
/// The hash of the module that makes this call; 0: code of no module.
uint64_t callingModule();

struct ModuleInfo {
  uint64_t Hash;
  const char *Path;    ///< kept for good
  const char *BuildId; ///< hex; "" without one
};

/// The module of \p Address; false if there is none.
bool moduleOf(const void *Address, ModuleInfo &Info, uint64_t &Offset);
/// The module whose hash is \p Hash, of those seen so far.
bool moduleByHash(uint64_t Hash, ModuleInfo &Info);
/// Calls \p Each for the modules that are loaded, but the kernel's own, until
/// it says false. False if one said so, or cannot be told.
bool forEachModule(bool (*Each)(const ModuleInfo &, void *), void *Data);
/// Grows when a module is loaded.
uint64_t modulesLoaded();
/// The program itself, and this library.
ModuleInfo executableModule();
ModuleInfo ownModule();

} // namespace echo::dr

#endif
