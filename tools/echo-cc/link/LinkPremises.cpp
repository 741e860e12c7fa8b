//===- LinkPremises.cpp - Tells a link what its units may break -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See LinkPremises.h. Clang's driver calls back after each job, in their order.
//
//===----------------------------------------------------------------------===//
#include "link/LinkPremises.h"
#include "cc1/OtherUnits.h"
#include "driver/Notes.h"
#include "runtime/abi/EchoRt.h"
#include "clang/Driver/Compilation.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace echo {

/// True if \p Job links with echort.
static bool getsRuntime(const clang::driver::Command &Job) {
  return any_of(Job.getArguments(), [](const char *Word) {
    return StringRef(Word).ends_with("/libechort.a");
  });
}

/// Adds to \p Job the objects that say which premises are \p Broken.
void LinkPremises::addNotes(clang::driver::Compilation &C,
                            clang::driver::Command &Job, uint32_t Broken,
                            bool Shared) const {
  opt::ArgStringList Words = Job.getArguments();
  for (const std::string &Object : noteObjects(Broken, Shared, Where))
    Words.push_back(C.getArgs().MakeArgString(Object));
  Job.replaceArguments(Words);
}

Error LinkPremises::add(clang::driver::Compilation &C, bool AllMade) const {
  std::vector<std::string> Models = Where.Models;
  append_range(Models, Options.Host.ModelFiles);
  unsigned Compiled = AllMade     ? 0
                      : Shape.Lto ? 1
                                  : Shape.Sources + Shape.HasCudaBitcode;
  for (clang::driver::Command &Job : C.getJobs()) {
    if (!getsRuntime(Job))
      continue;
    OtherUnits Others(Job.getArguments(),
                      {Toolkit.Path, Where.LibDir, Where.RunDir}, Shape.Lto);
    // Assembler's too, which no shape counts.
    unsigned Known = AllMade ? 0 : Shape.Sources;
    unsigned More = Others.numMade() > Known ? Others.numMade() - Known : 0;
    Expected<uint32_t> Broken = Others.broken(Models, Compiled + More);
    if (!Broken)
      return Broken.takeError();
    if (Options.UnifyWrapped)
      *Broken &= ~ECHO_RELIES_wrapped;
    if (*Broken & ECHO_RELIES_wrapped && !Shape.Silent)
      printNote("--wrap or --defsym replaces a function that merged pairs do "
                "not call: no pair merges in this program");
    addNotes(C, Job, *Broken, Others.makesLibrary());
  }
  return Error::success();
}

void LinkPremises::addWhenMade(clang::driver::Compilation &C,
                               const std::function<void(Error)> &Say) const {
  const auto &Jobs = C.getJobs();
  const auto Before = std::distance(Jobs.begin(), find_if(Jobs, getsRuntime));
  C.setPostCallback([this, &C, Say, Before,
                     Done = 0](const clang::driver::Command &, int) mutable {
    if (++Done != Before)
      return;
    Error E = add(C, /*AllMade=*/true);
    if (!E)
      return;
    Say(std::move(E));
    for (clang::driver::Command &Job : C.getJobs())
      if (getsRuntime(Job))
        addNotes(C, Job, ~0u, /*Shared=*/false);
  });
}

} // namespace echo
